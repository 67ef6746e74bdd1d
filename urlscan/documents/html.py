"""Read HTML and XML: the URLs in attributes as links, the text between tags as prose, character references decoded.

The tokenizer follows the WHATWG HTML standard (section 13.2.5) for tags, attributes, comments and raw text. It keeps
offsets, accepts any page and builds no tree.
"""

import re
from collections.abc import Generator, Iterator
from functools import partial

from urlscan.core.lazy import lazy, match_end
from urlscan.core.record import NamedTuple
from urlscan.documents.code_elements import has_code_elements, with_code_elements
from urlscan.documents.escapes import encode_characters, entity_replacements, merge, verbatim
from urlscan.documents.html_skip import PROGRAM, SIGNIFICANT, SIGNIFICANT_IN_STYLE, inert_attributes, skip_pattern
from urlscan.documents.kinds import Scope
from urlscan.documents.regions import Region
from urlscan.documents.vocabularies import (
    ESCAPABLE_TEXT,
    RAW_TEXT,
    RAW_TEXT_OF_XML,
    SOURCE_SETS,
    URL_LISTS,
    is_url_attribute,
)
from urlscan.uri.grammar.templates import LONGEST_EXPRESSION, OPAQUE, expression_around, expression_end

_DATA = lazy(r"\btype\s*=\s*[\"']?[\w/.+-]*json\b|\btype\s*=\s*[\"']?importmap\b", re.IGNORECASE)
_PROGRAM = lazy(rf"\s*{PROGRAM}")
# A value without a URL, a host or an address.
_INSIGNIFICANT = lazy(rf"[^{SIGNIFICANT}]*+")
_INSIGNIFICANT_STYLE = lazy(rf"[^{SIGNIFICANT_IN_STYLE}]*+")
_TAG = lazy(r"</?([A-Za-z][^\s/>]*)")
# Bounds the search for the end of a comment, so that a text of many openings takes linear time.
_LONGEST_COMMENT = 1 << 14
# HTML standard, section 13.2.5.43 to 13.2.5.51: "<!-->" and "<!--->" are empty comments, and "--!>" ends one, too.
_COMMENT_END = lazy(r"(?<=<!--)-?>|--!?>")
_SECTION_END = lazy(r"\]\]>")
_SECTION = lazy(r"<!\[CDATA\[(?P<contents>(?s:.*?))(?:\]\]>|\Z)")
# CommonMark 6.6:  open tag    = "<" tag name *attribute [white space] ["/"] ">"
#                  closing tag = "</" tag name [white space] ">"
#                  attribute   = white space name [[white space] "=" [white space] value]
# Matches: `<a>`, `</a >`, `<br/>`, `<a b c = 'd>' e="">`
# Does not match: `<1>`, `</a b>`, `<a b=>`, `< a>`
_STRICT_TAG = lazy(
    r"""
    <
    (?: / [A-Za-z][A-Za-z0-9-]*+ \s*+ >
      | [A-Za-z][A-Za-z0-9-]*+
        (?>
          (?: \s++ [A-Za-z_:][A-Za-z0-9_.:-]*+
            (?> (?: \s*+ = \s*+ (?: [^\s"'=<>`]++ | '[^']{0,4096}' | "[^"]{0,4096}" ) )? )
          )*
        )
        \s*+ /? >
    )
    """,
    re.VERBOSE,
)
# HTML standard, sections 13.2.5.32 to 13.2.5.38: a name, which may begin with "=", and an optional value.
# Matches: `a`, ` a = b`, `/a="b>c"`, `a='b"c'`, `=a`
# Does not match: `>`, `a b`, `a="b`
_ATTRIBUTE = lazy(
    r"""
    [\s/]*+
    (?P<name> [^\s/>][^\s/>=]*+ )
    (?: \s*+ = \s*+
      (?: "(?P<double> [^"]*+ )" | '(?P<single> [^']*+ )' | (?P<bare> [^\s>"'][^\s>]*+ ) )
    )?
    """,
    re.VERBOSE,
)
# White space around a URL, which is ignored (RFC 2396 appendix E; HTML standard, "valid URL potentially surrounded by
# spaces").
_BLANKS = " \t\r\n\f"
_LINE_BREAK = lazy(r"[ \t\r\n](?<![ \t][ \t\r\n])(?:(?<=[\r\n])|[ \t]*+[\r\n])\s*")
# HTML standard, "shared declarative refresh steps": a number, ";", "url=", and a URL that may be quoted.
# Matches: `0; url=http://h.example/`, `5;a`, `0, URL = 'a b`, `1 url="a`
# Does not match: `5`, `url=a`, `0; url=`
_REFRESH = lazy(
    r"""
    \s* [0-9.]+ (?: \s*[;,] | \s )
    (?> \s* (?: url \s*=\s* )? )
    (?: "(?P<double> [^"]+ ) | '(?P<single> [^']+ ) | (?!["']) (?P<url> .+ ) )
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
# The characters after "<" that begin template code outside tags: "<% ... %>", "<?php ... ?>", "<: ... :>".
_CODE_OPENERS = ("%", "?", ":")
_OPENERS = ("{{", "{%", "<%", "<?")
_BARE_VALUE = lazy(r"[^\s>]*+")
# HTML standard, "parse a srcset attribute": a comma in parentheses is not a separator.
_DESCRIPTORS = r"(?>[^,(]+|\([^)]*(?:\)|\Z))*"
_SPACED = lazy(r"(?P<url>\S+)")
# A URL of a srcset with its descriptors; at the end, separators only.
# Matches: `a`, `, a 1x`, `a,b 2x`, `a 1x (b, c)`, ` , `
# Does not match: `a, b`, `a 1x, b`
_CANDIDATE = lazy(rf"[\s,]*+(?:(?P<url>[^\s,](?:[^\s]*[^\s,])?){_DESCRIPTORS}|\Z)")
# The same for values with expressions of templates.
_CANDIDATE_OF_TEMPLATE = lazy(
    rf"[\s,]*+(?:(?P<url>(?>{OPAQUE}|[^\s,])(?:(?>{OPAQUE}|\S)*(?>{OPAQUE}|[^\s,]))?){_DESCRIPTORS}|\Z)"
)

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}

# Text next to an element on the same line: "see <b>this</b>".
_MIXED = lazy(r"[^\s<>][ \t]*<[A-Za-z][^<>]*>[^<>]*</[A-Za-z][^<>]*>[ \t]*[^\s<]")


class _Attribute(NamedTuple):
    """An attribute with the span of its value in the document."""

    name: str
    start: int
    end: int


def regions(text: str, kind: str = "html", scope: Scope = "exact") -> Iterator[Region]:
    """Yield the regions of an HTML or XML document; text in which nothing is searched is a part of the markup.

    The exact regions have the text of code elements as code, and values of XML as data.
    """
    if scope != "exact":
        role = "text"
        if kind != "xml" and not has_code_elements(text):
            role = "prose"
        return _regions(text, kind, skip_pattern(scope), role)
    role = "prose"
    # An XML document holds data if near its beginning, no element contains both text and elements.
    if kind == "xml" and _MIXED.search(text, 0, _LONGEST_COMMENT) is None:
        role = "data"
    return with_code_elements(text, _regions(text, kind, skip_pattern("hosts")), role)


def _regions(text: str, kind: str, pattern: re.Pattern[str], role: str = "text") -> Iterator[Region]:
    """Yield the regions of the document, with all text and tags that the pattern skips as markup.

    The role of text is `text` if it may be code, and otherwise `prose`.
    """
    skipped_start = position = 0  # the markup between them is not yielded yet
    links: list[tuple[int, int]] = []
    size, skip = len(text), pattern.match
    while True:
        match = skip(text, position)
        if match is not None:  # always true: the pattern matches the empty text
            position = match.end()
            if match.lastgroup == "url":
                links.append(match.span("url"))
                continue
        if position > skipped_start:
            yield Region("markup", skipped_start, position, encode=_IN_ATTRIBUTE, links=tuple(links))
            links.clear()
        if position == size:
            return
        skipped_start = position = yield from _next(text, position, kind, role)


def _next(text: str, start: int, kind: str, role: str) -> Generator[Region, None, int]:
    """Yield the regions of the tag, comment or text at `start`, and return its end."""
    if text.startswith("<", start):
        if text[start + 1 : start + 2] in _CODE_OPENERS and not text.startswith("<?xml", start):
            end = expression_end(text, start, len(text), longest=len(text))  # a program may be long
            if end > start:  # tags in its strings are not markup
                yield Region("prose", start, end, encode=_VERBATIM)
                return end
        return (yield from _markup(text, start, kind))
    opening = text.find("<", start)
    if opening < 0:
        opening = len(text)
    yield Region(role, start, opening, entity_replacements(text, start, opening), "", _IN_TEXT)
    return opening


def _markup(text: str, start: int, kind: str) -> Generator[Region, None, int]:
    """Yield the regions of the construct that begins with the "<" at `start`, and return its end."""
    for opening, closing, role in (("<!--", _COMMENT_END, "comment"), ("<![CDATA[", _SECTION_END, "text")):
        if text.startswith(opening, start):
            first = start + len(opening)
            closer = closing.search(text, first)
            last = end = len(text)
            if closer is not None:
                last, end = closer.span()
            yield Region("markup", start, first)
            yield Region(role, first, last, encode=_VERBATIM)
            yield Region("markup", last, end)
            return end
    tag = _TAG.match(text, start)
    if tag is not None:
        return (yield from _tag(text, start, tag, kind))
    # A declaration or a processing instruction, whose URLs are quoted; or "</" without a letter, which begins a bogus
    # comment (HTML standard, section 13.2.5.7).
    if text[start + 1 : start + 2] in ("!", "?", "/"):
        last = text.find(">", start)
        if last < 0:
            last = len(text)
        end = min(last + 1, len(text))
        yield Region("markup", start, start + 2)
        yield Region("code", start + 2, last, encode=_VERBATIM)
        yield Region("markup", last, end)
        return end
    yield Region("text", start, start + 1)  # "a < b"
    return start + 1


def _tag(text: str, start: int, tag: re.Match[str], kind: str) -> Generator[Region, None, int]:
    """Yield the regions of a tag and of the raw text after it, and return their end."""
    name = tag[1].lower()
    name_end = tag.end()
    attributes, name_end = _attributes(text, name_end)
    end = text.find(">", name_end) + 1 or len(text)
    region_end = start
    for region in _values(text, tag[1], attributes, kind):
        yield Region("markup", region_end, region.start)
        yield region
        region_end = region.end
    yield Region("markup", region_end, end)
    is_empty = kind == "xml" and text.endswith("/>", start, end)  # XML 1.0 section 3.1: an empty-element tag
    is_raw = name in RAW_TEXT_OF_XML or (name in RAW_TEXT and kind != "xml")
    if is_raw and text[start + 1] != "/" and not is_empty:
        return (yield from _raw_text(text, start, end, name, kind))
    return end


def _attributes(text: str, position: int) -> tuple[list[_Attribute], int]:
    """Return the attributes whose values may hold a URL, of the tag whose name ends at `position`, and their end."""
    attributes: list[_Attribute] = []
    skip, expect = inert_attributes().match, _ATTRIBUTE.match
    while True:
        if (skipped := skip(text, position)) is not None:
            position = skipped.end()
        attribute = expect(text, position)
        if attribute is None:
            return attributes, position
        position = attribute.end()
        if (end := expression_end(text, attribute.start("name"), len(text))) > attribute.start("name"):
            position = end  # "{% if a > b %}" between attributes
            continue
        if (group := attribute.lastgroup or "") != "name":
            start, end = attribute.span(group)
            if (after := _value_end(text, start, end, group)) > end:
                end = position = after
                if group != "bare":
                    position += 1  # the quotation mark
            attributes.append(_Attribute(attribute["name"].lower(), start, end))


def _raw_text(text: str, tag_start: int, start: int, name: str, kind: str) -> Generator[Region, None, int]:
    """Yield the raw text of the element `name`, whose opening tag is text[tag_start:start], and return its end."""
    content_end = len(text)
    closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, start)
    if closing is not None and name != "plaintext":  # which has no closing tag
        content_end = closing.start()
    if name in ESCAPABLE_TEXT:
        yield Region("text", start, content_end, entity_replacements(text, start, content_end), "", _IN_TEXT)
        return content_end
    nested = RAW_TEXT[name]
    if name == "script" and _DATA.search(text, tag_start, start) is not None:
        nested = "json"
    # HTML standard, section 13.2.6.5: an SVG image is read as XML. It is searched within a bounded distance, so that a
    # page of many tags takes linear time.
    first = max(tag_start - _LONGEST_COMMENT, 0)
    is_in_svg = text.rfind("<svg", first, tag_start) > text.rfind("</svg", first, tag_start)
    if nested and (kind == "xml" or is_in_svg):
        yield from _decoded_text(text, start, content_end, nested)
    else:
        yield Region("prose" if nested else "code", start, content_end, kind=nested, encode=_VERBATIM)
    return content_end


def _decoded_text(text: str, start: int, end: int, nested: str) -> Iterator[Region]:
    """Yield the regions of a script or style of XML: character references are decoded, except in CDATA sections.

    XML 1.0, sections 2.4 and 2.7: both are ordinary elements.
    """
    for section in _SECTION.finditer(text, start, end):
        opening, closing = section.span("contents")
        if section.start() > start:
            yield Region(
                "prose", start, section.start(), entity_replacements(text, start, section.start()), nested, _IN_TEXT
            )
        yield Region("markup", section.start(), opening)
        yield Region("prose", opening, closing, kind=nested, encode=_VERBATIM)
        yield Region("markup", closing, section.end())
        start = section.end()
    yield Region("prose", start, end, entity_replacements(text, start, end), nested, _IN_TEXT)


def _value_end(text: str, start: int, end: int, group: str) -> int:
    """Return the end of the value of an attribute, including the expressions of templates that extend over `end`.

    Quotation marks, white space and ">" in an expression do not end the value: `href="{{ url_for("x") }}"`.
    """
    if text.find("{", start, end) < 0 and text.find("<", start, end) < 0 and text.find("[%", start, end) < 0:
        return end
    limit = min(len(text), start + LONGEST_EXPRESSION)
    position = end
    while (after := expression_around(text, start, position, limit, attribute=True)) > position:
        if group == "bare":
            position = match_end(_BARE_VALUE, text, after)
        else:
            position = text.find(text[end], after, limit)
            if position < 0:
                return end
    return position


def _values(text: str, tag: str, attributes: list[_Attribute], kind: str) -> Iterator[Region]:
    """Yield the regions of the values of a tag's attributes that are or may hold URLs."""
    refreshes = tag.lower() == "meta" and any(
        attribute.name == "http-equiv" and text[attribute.start : attribute.end].lower() == "refresh"
        for attribute in attributes
    )
    for attribute in attributes:
        name, start, end = attribute
        if is_url_attribute(tag, name, kind):
            if name in URL_LISTS:
                yield from _url_list(text, attribute)
            elif name == "href" and tag.lower() == "base":
                yield from _link(text, start, end, "base")
            else:
                yield from _link(text, start, end, "link")
        elif name == "content" and refreshes:
            if (match := _REFRESH.match(text[start:end])) is not None:
                first, last = match.span(match.lastgroup or "url")
                yield from _link(text, start + first, start + last)
        elif _INSIGNIFICANT.fullmatch(text, start, end) is None:
            yield from _text_value(text, attribute)


def _url_list(text: str, attribute: _Attribute) -> Iterator[Region]:
    """Yield the URLs of an attribute with several."""
    name, start, end = attribute
    value = text[start:end]
    pattern = _SPACED
    if name in SOURCE_SETS and ("{" in value or "<" in value):
        pattern = _CANDIDATE_OF_TEMPLATE
    elif name in SOURCE_SETS:
        pattern = _CANDIDATE
    for match in pattern.finditer(value):
        if match["url"] is not None:
            yield from _link(text, start + match.start("url"), start + match.end("url"))


def _text_value(text: str, attribute: _Attribute) -> Iterator[Region]:
    """Yield the value of an attribute that is not a URL but may hold one."""
    name, start, end = attribute
    if name == "style":
        if _INSIGNIFICANT_STYLE.fullmatch(text, start, end) is None:
            yield Region("prose", start, end, entity_replacements(text, start, end), "css", _IN_ATTRIBUTE)
    elif name.partition(":")[0] != "xmlns":  # a namespace name, which is not dereferenced
        if text[start - 1] in "\"'":
            start -= 1
        if text[end : end + 1] in ('"', "'"):
            end += 1
        yield Region("value", start, end, encode=_IN_ATTRIBUTE)


def _link(text: str, start: int, end: int, role: str = "link") -> Iterator[Region]:
    """Yield the URL in the value text[start:end], without white space, or the escaped quotes of a string, around it."""
    while start < end and text[start] in _BLANKS:
        start += 1
    while end > start and text[end - 1] in _BLANKS:
        end -= 1
    if text.startswith('\\"', start) and text.startswith('\\"', end - 2, end):
        start, end = start + 2, end - 2
    # No URL begins with a brace, but expressions do that are not quoted, `href={~p"/a"}`, end at their own quotation
    # mark, `href="{path="a"}"`, or have several lines.
    is_open = text[start - 1] == "=" or text.find("}", start, end) < 0 or text.find("\n", start, end) >= 0
    is_expression = is_open and text.startswith(("{", "${"), start, end)
    is_url = start < end and not is_expression and _PROGRAM.match(text, start, end) is None
    if is_url and not _is_in_expression(text, start, end):
        # RFC 3986 appendix C and browsers ignore line ends inside delimiters.
        replacements = entity_replacements(text, start, end)
        if _LINE_BREAK.search(text, start, end) is not None:
            breaks = ((match.start(), match.end(), "") for match in _LINE_BREAK.finditer(text, start, end))
            replacements = merge(replacements, breaks)
        yield Region(role, start, end, replacements, encode=_IN_ATTRIBUTE)


def _is_in_expression(text: str, start: int, end: int) -> bool:
    """Return whether the attribute is in a string of a template expression: `{{t '<a href="' url '">'}}`."""
    if text.find("'", start, end) < 0 and text.find('"', start, end) < 0:
        return False
    window = max(0, start - LONGEST_EXPRESSION)
    opening = max(text.rfind(opener, window, start) for opener in _OPENERS)
    return opening >= 0 and expression_around(text, opening, start, len(text)) > start


def with_entities(text: str) -> str:
    """Return a text as written in HTML and XML (HTML standard, section 13.1.4; XML 1.0, section 2.4)."""
    return "".join([_ENTITIES.get(character, character) for character in text])


_IN_TEXT = (with_entities,)
# Quoted or not.
_IN_ATTRIBUTE = (partial(encode_characters, table=_ENTITIES),)
_VERBATIM = (verbatim,)


def tag_regions(text: str, start: int, limit: int, unclosed: set[str]) -> tuple[list[Region], int]:
    """Return the regions of the HTML tag or comment that begins with the "<" at `start`, and its end.

    For documents of other kinds that contain HTML. There are no regions if it does not end before `limit`, or if it is
    not a tag by the stricter rules of CommonMark 6.6, since "i<n" occurs in code. Raw text elements without a closing
    tag before `limit` are added to `unclosed`.
    """
    if text.startswith("<!--", start):
        end = text.find("-->", start + 2, min(limit, start + _LONGEST_COMMENT))  # "<!-->" is a comment (CommonMark 6.6)
        if end < 0:
            return [], start + 1
        return [Region("comment", start, end + 3, encode=_VERBATIM)], end + 3
    strict = _STRICT_TAG.match(text, start, limit)
    if strict is None or "\n\n" in strict[0]:
        return [], start + 1
    # Only a complete tag is matched again: the name of any other may be as long as the text.
    tag = _TAG.match(text, start, limit)
    if tag is None or tag[1].lower() in unclosed:
        return [], start + 1
    regions = list(_tag(text, start, tag, "html"))
    if regions[-1].end > limit:
        unclosed.add(tag[1].lower())
        return [], start + 1
    return regions, regions[-1].end
