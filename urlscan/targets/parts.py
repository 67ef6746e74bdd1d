"""Detect Markdown that is inserted into other documents, whose references are resolved from there."""

import re

from urlscan.core.lazy import lazy
from urlscan.core.segment import Segment

# The end of a block of Handlebars or Mustache; a string of C++; front matter of Hugo for a document that is no page.
# Matches: `{{/o`, `R""(`, `\nheadless: true`, `\n  render: never`
# Does not match: `{{#include a.md}}`, `a R(`, `\nrender: always`
_PART = lazy(r"\{\{/\w|\AR\"[^\s()\\]{0,16}\(|\n(?:headless:[ \t]*true|[ \t]*render:[ \t]*(?:never|false))\b")
_HEADING = lazy(r"^ {0,3}(#{1,6})[ \t]", re.MULTILINE)
_TITLE = lazy(r"(?:---|\+\+\+)[ \t]*\r?\n(?:[^\n]{0,2000}\n){0,40}?[\"']?title[\"']?[ \t]*[:=]")
# Documents begin with a heading of the first or the second level.
_DEEPEST = 2
# Matches: `{{< code >}}`, `{{% /tab %}}`
# Does not match: `{{ code }}`, `{{< >}}`, `{{< code />}}`
_SHORTCODE = lazy(r"\{\{[<%][ \t]*(?P<closing>/)?[ \t]*(?P<name>[\w.-]+)[^{}]{0,400}(?<!/[>%])\}\}")
_REACH = 20_000
# Pages that a program in the browser or on a server completes: attributes of Angular, Vue, Alpine, Knockout and
# Thymeleaf, and expressions in attributes. Three patterns that begin with a character are searched faster than one.
# Matches: ` ng-app=`, ` ng-cloak`, ` v-if=`, ` *ngFor=`, ` @click=`
# Does not match: ` class=`, ` ng-a`, `{{ a }}`
_DYNAMIC_ATTRIBUTE = lazy(
    r"""
    \s (?= [n*vxdt@:] )
    (?: (?: ng-[\w-]+ | \*ng[A-Z]\w+ | v-[a-z]+(?::[\w-]+)? | x-(?:data|if|for|bind) | data-bind | th:\w+
          | [@:][a-z][\w.-]*
        ) [ ]*=
      | ng-(?:app|view|controller|cloak)\b
    )
    """,
    re.VERBOSE,
)
_EXPRESSION_IN_VALUE = lazy(r"""=[ ]*["'][^"'<>]{0,200}?(?:\{\{|\{%|<[%?]|\$\{)""")
_CODE = lazy(r"<[%?](?:php|=|[ ])")
# Pages that a program has written from the comments of source code, in lower case. Each pattern begins with a literal.
_PROGRAM = (
    r"(?:javadoc|doxygen|haddock|rustdoc|jsdoc|ldoc|luadoc|rdoc|yard|typedoc|gtk-doc|gi-docgen|pdoc|epydoc|pydoctor"
    r"|ocamldoc|odoc|ddoc|phpdoc(?:umentor)?|natural docs|dokka|scaladoc|swift-?docc?|edoc|exdoc|valadoc|sandcastle)\b"
)
_FROM_SOURCE_CODE = (
    *(
        lazy(rf"{word} (?:automatically )?(?:by|with|using) (?:the )?(?:<a\b[^<>]{{0,200}}>)?\s*{_PROGRAM}")
        for word in ("generated", "produced", "created")
    ),
    lazy(r"content=[\"'](?:javadoc|rustdoc|doxygen|typedoc|gtk-doc|gi-docgen|pdoc|ocamldoc|odoc|exdoc)\b"),
    lazy(r"haddock-(?<!\whaddock-)(?:util|bundle(?:\.min)?)\.js"),
)


def is_part(segment: Segment) -> bool:
    """Return whether a document is a template, or a part that is inserted into others: it begins with a low heading."""
    if _PART.search(segment.document) is not None:
        return True
    if _TITLE.match(segment.document) is not None:
        return False
    for match in _HEADING.finditer(segment.prose):
        if not segment.regions.role(match.start(1)):
            return len(match[1]) > _DEEPEST
    return False


def is_dynamic(segment: Segment) -> bool:
    """Return whether a page of HTML is a template, or is completed by a program."""
    signs = (_CODE, _EXPRESSION_IN_VALUE, _DYNAMIC_ATTRIBUTE)
    return any(sign.search(segment.document) is not None for sign in signs)


def is_in_shortcode(segment: Segment, offset: int) -> bool:
    """Return whether a place in the text is between the opening and the closing of a shortcode of Hugo."""
    text = segment.text
    if "{{" not in text:
        return False
    opened: list[str] = []
    for match in _SHORTCODE.finditer(text, max(offset - _REACH, 0), offset):
        if match["closing"] is None:
            opened.append(match["name"])
        elif match["name"] in opened:
            del opened[opened.index(match["name"]) :]
    following: list[str] = []
    for match in _SHORTCODE.finditer(text, offset, offset + _REACH) if opened else ():
        if match["closing"] is None:
            following.append(match["name"])
        elif match["name"] in following:
            following.remove(match["name"])
        elif match["name"] in opened:
            return True
    return False


def is_from_source_code(segment: Segment) -> bool:
    """Return whether a page of HTML was written from the comments of source code, by a program such as Javadoc."""
    text = segment.document.lower()
    return any(sign.search(text) is not None for sign in _FROM_SOURCE_CODE)
