"""Read the anchors of HTML: `id` of any element, and `name` of `a`.

In other markups `name` of any element counts, because forges find them by a script.
"""

import html
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.targets.kinds.base import Collector

# The value of ` id="a"`, ` name='a'`, ` ID = a` and, in JSX, ` id={"a"}`, but not of ` data-id="a"` and ` :id="a"`. The
# pattern begins with a literal, so that the search is fast, and looks back from there.
_ATTRIBUTE = re.compile(
    r"""
    =
    (?: (?<= [\s"'] [iI][dD] = ) | (?<= [\s"'] [iI][dD] \s = )
      | (?<= [\s"'] [nN][aA][mM][eE] = ) | (?<= [\s"'] [nN][aA][mM][eE] \s = )
      | (?<= \s element-id= )  # the element of that id in the topic that Writerside includes
    )
    \s{0,20} \{? \s{0,20}
    (?: " (?P<double> [^"]{0,2048} ) " | ' (?P<single> [^']{0,2048} ) ' | ` (?P<tick> [^`]{0,2048} ) `
      | (?P<bare> [^\s"'`=<>{}]{1,2048} )
    )
    """,
    re.VERBOSE,
)
# The part of a tag before an attribute.
_IN_TAG = lazy(r"""<[A-Za-z](?>[^\s<>]*)(?>(?>[^<>"'{]+|"[^"]*"|'[^']*'|\{[^{}]*\})*)""")
# Elements without markup, and comments.
_OPAQUE = lazy(r"<(?:!--|(?P<element>(?i:script|style|textarea|title|template))(?=[\s>]))")
_TEMPLATE = lazy(r"\{\{|\{%|<%|<\?|\$\{|\[%|#\{")
# A template that is alone in its line inserts text: "{{.Body}}", "{% block a %}{% endblock %}".
_INSERTED = lazy(r"(?m)\n[ \t]*(?:\{\{|\{%)[^{}\n]*[%}]\}(?:[^<>\n]*[%}]\})?[ \t\r]*$")
_NAMED = lazy(r"(?i)<(?:a|map)\s")
# How far before an attribute its tag begins.
_REACH = 4096


def collect(text: str, collector: Collector) -> None:
    """Add the anchors of an HTML document."""
    if _INSERTED.search(f"\n{text}") is not None:  # the literal makes the search fast
        collector.is_complete = False
    opaque = list(_opaque(text))
    consumed, line = 0, 1
    number = 0
    for offset, name in ids(text, 0, len(text)):
        while number < len(opaque) and opaque[number][1] <= offset:
            number += 1
        if number < len(opaque) and opaque[number][0] <= offset:
            continue
        # HTML standard section 7.4.6.4, "find a potential indicated element": an `id`, or the `name` of an `a`. The
        # `usemap` of an image refers to the `name` of a `map`.
        is_id = text[max(offset - 2, 0) : offset].strip().lower().endswith("d")
        if not is_id and _NAMED.match(text, text.rfind("<", max(offset - _REACH, 0), offset)) is None:
            continue
        line += text.count("\n", consumed, offset)
        consumed = offset
        add_id(name, line, collector)


def ids(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the position and the value, with entities decoded, of each attribute `id` and `name` in a tag."""
    if text.find("<", start, end) < 0:
        return
    for match in _ATTRIBUTE.finditer(text, start, end):
        value = match[match.lastgroup or 0]
        if value and _is_in_tag(text, start, match.start()):
            yield match.start(), html.unescape(value)


def add_id(name: str, line: int, collector: Collector) -> None:
    """Add the value of an `id` or `name`; one with a template means that not all anchors are known."""
    if _TEMPLATE.search(name) is not None:
        collector.is_complete = False
    else:
        collector.add(name.strip(), line)


def _is_in_tag(text: str, start: int, offset: int) -> bool:
    """Return whether text[at] is in a tag, after its name."""
    first = max(start, offset - _REACH)
    begin = offset
    for _ in range(4):  # "<" may be in the value of another attribute
        begin = text.rfind("<", first, begin)
        if begin < 0:
            return False
        if text[begin + 1 : begin + 2].isalpha():
            closed = text.find(">", begin, offset)
            if closed < 0 or _IN_TAG.fullmatch(text, begin, offset + 1) is not None:
                return True
            if text.rfind("<", first, begin) < 0 or '"' not in text[begin:offset]:
                return False
    return False


def _opaque(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of comments and of the contents of elements without markup."""
    offset = 0
    while (match := _OPAQUE.search(text, offset)) is not None:
        element = match["element"]
        begin, end = match.start(), "-->"
        if element:
            begin, end = text.find(">", match.end()) + 1 or len(text), rf"</{element}(?=[\s>])"
        closing = re.compile(end, re.IGNORECASE).search(text, begin)
        offset = len(text)
        if closing is not None:
            offset = closing.end()
        yield begin, offset
