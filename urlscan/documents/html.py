"""HTML and XML: the URLs of attributes as links, everything between tags as prose, entities decoded.

The tags are read by a scanner of our own, because offsets must hold and no page is too broken: by the
states of the WHATWG HTML standard (section 13.2.5) as far as they tell tags, attributes, comments and raw text
apart.  Nothing is nested, nothing is built.
"""

import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.documents.code_elements import with_code_elements
from urlscan.documents.edits import verbatim
from urlscan.documents.html_skip import (
    ESCAPABLE_TEXT,
    PROGRAM,
    RAW_TEXT,
    RAW_TEXT_OF_XML,
    SIGNIFICANT,
    SIGNIFICANT_IN_STYLE,
    URL_ATTRIBUTES,
    URL_LISTS,
    inert_attributes,
    skip_pattern,
)
from urlscan.documents.replacements import AnyReplacements, Replacement, collect, merge
from urlscan.documents.segments import Region
from urlscan.uri.grammar.templates import LONGEST_EXPRESSION, expression_around, expression_end, opaque

_DATA = lazy(r"\btype\s*=\s*[\"']?[\w/.+-]*json\b|\btype\s*=\s*[\"']?importmap\b", re.IGNORECASE)
_PROGRAM = lazy(rf"\s*{PROGRAM}")
# A value that holds no URL, nor a host nor an address.
_INSIGNIFICANT = lazy(rf"[^{SIGNIFICANT}]*+")
_INSIGNIFICANT_STYLE = lazy(rf"[^{SIGNIFICANT_IN_STYLE}]*+")
_TAG = lazy(r"</?([A-Za-z][^\s/>]*)")
# A text of nothing but openers must not cost more than its length.
_LONGEST_COMMENT = 1 << 14
# HTML standard, section 13.2.5.43 to 13.2.5.51: "<!-->" and "<!--->" are empty comments, and "--!>" ends one, too.
_COMMENT_END = lazy(r"(?<=<!--)-?>|--!?>")
_SECTION_END = lazy(r"\]\]>")
# CommonMark 6.6: open tags and closing tags.
_STRICT_TAG = lazy(
    r"<(?:/[A-Za-z][A-Za-z0-9-]*+\s*+>|[A-Za-z][A-Za-z0-9-]*+"
    r"(?>(?:\s++[A-Za-z_:][A-Za-z0-9_.:-]*+(?>(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']{0,4096}'|\"[^\"]{0,4096}\"))?))*)\s*+/?>)"
)
# A name may begin with "=" (HTML standard, section 13.2.5.32).
_ATTRIBUTE = lazy(
    r"[\s/]*+(?P<name>[^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^\s>\"'][^\s>]*+)))?"
)
_ENTITY = lazy(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# RFC 2396 appendix E and the HTML standard ("valid URL potentially surrounded by spaces") ignore these around.
_BLANKS = " \t\r\n\f"
_LINE_BREAK = lazy(r"[ \t]*+[\r\n]\s*")
# HTML standard, "shared declarative refresh steps": a number, ";", "url=", and a URL that a quotation mark may delimit.
_REFRESH = lazy(
    r"\s*[0-9.]+(?:\s*[;,]|\s)(?>\s*(?:url\s*=\s*)?)(?:\"(?P<double>[^\"]+)|'(?P<single>[^']+)|(?![\"'])(?P<url>.+))",
    re.IGNORECASE | re.DOTALL,
)
# Where the code of a template language begins, outside of tags: "<% ... %>", "<?php ... ?>", "<: ... :>".
_CODE_OPENERS = ("%", "?", ":")
_OPENERS = ("{{", "{%", "<%", "<?")
_BARE_VALUE = lazy(r"[^\s>]*+")
# HTML standard, "parse a srcset attribute": a comma in parentheses separates nothing.
_DESCRIPTORS = r"(?>[^,(]+|\([^)]*(?:\)|\Z))*"
# A URL of a srcset and what follows it; at the end, nothing but what separates them.
_CANDIDATE = lazy(rf"[\s,]*+(?:(?P<url>[^\s,](?:[^\s]*[^\s,])?){_DESCRIPTORS}|\Z)")
# The same for values that hold expressions of templates.
_CANDIDATE_OF_TEMPLATE = lazy(
    rf"[\s,]*+(?:(?P<url>(?>{opaque()}|[^\s,])(?:(?>{opaque()}|\S)*(?>{opaque()}|[^\s,]))?){_DESCRIPTORS}|\Z)"
)


_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


# Text beside an element in the same line: "see <b>this</b>".
_MIXED = lazy(r"[^\s<>][ \t]*<[A-Za-z][^<>]*>[^<>]*</[A-Za-z][^<>]*>[ \t]*[^\s<]")


class _Attribute(NamedTuple):
    """An attribute, with the place of its value in the document."""

    name: str
    start: int
    end: int


def regions(text: str, kind: str = "html") -> Iterator[Region]:
    """Yield the document in pieces; in what tells URLs apart HTML and XML hardly differ.

    Text that tells nothing counts as the markup around it.
    """
    return _regions(text, kind, skip_pattern(schemes_only=False))


def regions_with_schemes(text: str, kind: str = "html") -> Iterator[Region]:
    """Yield the document in pieces of which no more is told than URLs with a scheme want."""
    return _regions(text, kind, skip_pattern(schemes_only=True))


def _regions(text: str, kind: str, pattern: re.Pattern[str]) -> Iterator[Region]:
    begun = at = 0  # the markup between them is still to be told of
    links: list[tuple[int, int]] = []
    size, passed = len(text), pattern.match
    while at < size:
        match = passed(text, at)
        if match is not None:  # it always is
            at = match.end()
            first, last = match.span("url")
            if first >= 0:
                links.append((first, last))
                continue
        if at > begun:
            yield Region("markup", begun, at, encode=_IN_ATTRIBUTE, links=tuple(links))
            links.clear()
        if at < size:
            at = yield from _next(text, at, kind)
        begun = at
    if at > begun:
        yield Region("markup", begun, at, encode=_IN_ATTRIBUTE, links=tuple(links))


def all_regions(text: str, kind: str = "html") -> Iterator[Region]:
    """Yield as `exact_regions`, with the code elements told from running text, and in XML values from it."""
    shown = "data" if kind == "xml" and _is_data(text) else "prose"
    return with_code_elements(text, exact_regions(text, kind), shown)


def _is_data(text: str) -> bool:
    """Return whether an XML document holds data rather than text with markup in it: no element has both."""
    return _MIXED.search(text, 0, _LONGEST_COMMENT) is None


def exact_regions(text: str, kind: str = "html") -> Iterator[Region]:
    """Yield the document in pieces, each tag and each text by itself."""
    at = 0
    while at < len(text):
        at = yield from _next(text, at, kind)


def _next(text: str, at: int, kind: str) -> Generator[Region, None, int]:
    """Yield the tag, the comment or the text at `at`, and return where it ends."""
    if text.startswith("<", at):
        if (end := _code_end(text, at)) > at:  # its strings hold tags that are no markup yet
            yield Region("prose", at, end, encode=_VERBATIM)
            return end
        return (yield from _markup(text, at, kind))
    opening = text.find("<", at)
    opening = opening if opening >= 0 else len(text)
    yield Region("text", at, opening, entity_replacements(text, at, opening), "", _IN_TEXT)
    return opening


def _code_end(text: str, at: int) -> int:
    """Return where the code of a template language ends that begins with the "<" at `at`; `at` for none."""
    if text[at + 1 : at + 2] not in _CODE_OPENERS or text.startswith("<?xml", at):
        return at
    return expression_end(text, at, len(text), longest=len(text))  # a program may be long


def _markup(text: str, at: int, kind: str) -> Generator[Region, None, int]:
    """Yield what begins with the "<" at `at`, and return where it ends."""
    for opening, closing in (("<!--", _COMMENT_END), ("<![CDATA[", _SECTION_END)):
        if text.startswith(opening, at):
            first = at + len(opening)
            closer = closing.search(text, first)
            last, end = closer.span() if closer is not None else (len(text), len(text))
            yield Region("markup", at, first)
            yield Region("comment" if opening == "<!--" else "text", first, last, encode=_VERBATIM)
            yield Region("markup", last, end)
            return end
    tag = _TAG.match(text, at)
    if tag is None:
        # A declaration or a processing instruction, whose URLs are quoted; or "</" and no letter, which begins a bogus
        # comment (HTML standard, section 13.2.5.7).
        if text[at + 1 : at + 2] in ("!", "?", "/"):
            last = text.find(">", at)
            if last < 0:
                last = len(text)
            end = min(last + 1, len(text))
            yield Region("markup", at, at + 2)
            yield Region("code", at + 2, last, encode=_VERBATIM)
            yield Region("markup", last, end)
            return end
        yield Region("text", at, at + 1)  # "a < b"
        return at + 1
    return (yield from _tag(text, at, tag, kind))


def _tag(text: str, at: int, tag: re.Match[str], kind: str) -> Generator[Region, None, int]:
    """Yield the tag and, behind one that begins raw text, that; return where it ends."""
    name = tag[1].lower()
    attributes = []
    here = tag.end()
    close = text.find(">", here)
    plain = text[here : close + 1]  # most tags have no attributes
    if close >= 0 and "=" not in plain and "{" not in plain and "<" not in plain and name not in RAW_TEXT:
        yield Region("markup", at, close + 1)
        return close + 1
    dull = inert_attributes()
    while True:
        if (passed := dull.match(text, here)) is not None:
            here = passed.end()
        found = _ATTRIBUTE.match(text, here)
        if found is None:
            break
        here = found.end()
        if (end := expression_end(text, found.start("name"), len(text))) > found.start("name"):
            here = end  # "{% if a > b %}" between attributes
            continue
        group = "double" if found["double"] is not None else "single" if found["single"] is not None else "bare"
        if found[group] is not None:
            start, end = found.span(group)
            if (after := _value_end(text, start, end, group)) > end:
                end, here = after, after + (group != "bare")
            attributes.append(_Attribute(found["name"].lower(), start, end))
    close = text.find(">", here)
    end = len(text) if close < 0 else close + 1
    done = at
    for region in _values(text, name, attributes):
        yield Region("markup", done, region.start)
        yield region
        done = region.end
    yield Region("markup", done, end)
    is_empty = kind == "xml" and text.endswith("/>", at, end)  # XML 1.0 section 3.1: an empty-element tag
    is_raw = name in (RAW_TEXT if kind != "xml" else RAW_TEXT_OF_XML)
    if is_raw and text[at + 1] != "/" and not is_empty:
        # Nothing ends PLAINTEXT.
        closing = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(text, end) if name != "plaintext" else None
        stop = closing.start() if closing is not None else len(text)
        if name in ESCAPABLE_TEXT:
            yield Region("text", end, stop, entity_replacements(text, end, stop), "", _IN_TEXT)
            return stop
        inside = RAW_TEXT[name]
        if name == "script" and _DATA.search(text, at, end):
            inside = "json"
        yield Region("prose" if inside else "code", end, stop, kind=inside, encode=_VERBATIM)
        return stop
    return end


def _value_end(text: str, start: int, end: int, group: str) -> int:
    """Return where the value of an attribute ends, if expressions of templates hold what would end it at `end`.

    Quotation marks, blanks and ">" in an expression belong to it: `href="{{ url_for("x") }}"`.
    """
    if text.find("{", start, end) < 0 and text.find("<", start, end) < 0 and text.find("[%", start, end) < 0:
        return end
    limit = min(len(text), start + LONGEST_EXPRESSION)
    at = end
    while (after := expression_around(text, start, at, limit, attribute=True)) > at:
        if group == "bare":
            rest = _BARE_VALUE.match(text, after)
            at = rest.end() if rest is not None else after
        else:
            at = text.find(text[end], after, limit)
            if at < 0:
                return end
    return at


def _values(text: str, tag: str, attributes: list[_Attribute]) -> Iterator[Region]:
    """Yield the pieces of the attributes' values that are URLs, or may hold some."""
    refreshes = tag == "meta" and any(
        attribute.name == "http-equiv" and text[attribute.start : attribute.end].lower() == "refresh"
        for attribute in attributes
    )
    for name, start, end in attributes:
        value = text[start:end]
        if name in URL_ATTRIBUTES or (name == "content" and refreshes):
            first, last = start, end
            if name == "content":
                match = _REFRESH.match(value)
                if match is None:
                    continue
                group = match.lastgroup or "url"
                first, last = start + match.start(group), start + match.end(group)
            yield from _link(text, first, last, "base" if tag == "base" and name == "href" else "link")
        elif name in URL_LISTS:
            candidate = _CANDIDATE_OF_TEMPLATE if "{" in value or "<" in value else _CANDIDATE
            pattern = re.compile(r"(?P<url>\S+)") if name == "ping" else candidate
            for match in pattern.finditer(value):
                if match["url"] is not None:
                    yield from _link(text, start + match.start("url"), start + match.end("url"))
        elif _INSIGNIFICANT.fullmatch(value) is not None:
            continue
        elif name == "style":
            if _INSIGNIFICANT_STYLE.fullmatch(value) is not None:
                continue
            yield Region("prose", start, end, entity_replacements(text, start, end), "css", _IN_ATTRIBUTE)
        elif name.partition(":")[0] == "xmlns":
            continue  # the name of a vocabulary, which nobody follows
        else:
            first, last = start - (text[start - 1] in "\"'"), end + (text[end : end + 1] in ('"', "'"))
            yield Region("value", first, last, encode=_IN_ATTRIBUTE)


def _link(text: str, start: int, end: int, role: str = "link") -> Iterator[Region]:
    """Yield the URL that a value is, without the blanks around it."""
    while start < end and text[start] in _BLANKS:
        start += 1
    while end > start and text[end - 1] in _BLANKS:
        end -= 1
    if start < end and _PROGRAM.match(text, start, end) is None and not _is_in_expression(text, start, end):
        # RFC 3986 appendix C: line ends inside delimiters are ignored, and so they are by browsers.
        replacements = entity_replacements(text, start, end)
        if _LINE_BREAK.search(text, start, end) is not None:
            replacements = merge(
                replacements, ((match.start(), match.end(), "") for match in _LINE_BREAK.finditer(text, start, end))
            )
        yield Region(role, start, end, replacements, encode=_IN_ATTRIBUTE)


def _is_in_expression(text: str, start: int, end: int) -> bool:
    """Return whether the value of an attribute is that of a string in an expression: `{{t '<a href="' url '">'}}`."""
    if text.find("'", start, end) < 0 and text.find('"', start, end) < 0:
        return False
    window = max(0, start - LONGEST_EXPRESSION)
    opening = max(text.rfind(opener, window, start) for opener in _OPENERS)
    return opening >= 0 and expression_around(text, opening, start, len(text)) > start


def with_entities(text: str) -> str:
    """Return what HTML and XML write for a text, anywhere (HTML standard, section 13.1.4; XML 1.0, section 2.4)."""
    return text.translate(_ENTITIES)


def _in_attribute(text: str) -> str | None:
    """Return what stands for a URL in an attribute, in quotation marks or without."""
    return with_entities(text) if not any(map(str.isspace, text)) else None


_IN_TEXT = (with_entities,)
_IN_ATTRIBUTE = (_in_attribute,)
_VERBATIM = (verbatim,)


def entity_replacements(text: str, start: int, end: int) -> AnyReplacements:
    """Return the entities of a piece of a document, and what they stand for, in order."""
    return collect(_entities(text, start, end)) if text.find("&", start, end) >= 0 else ()


def _entities(text: str, start: int, end: int) -> Iterator[Replacement]:
    from html.entities import html5

    for match in _ENTITY.finditer(text, start, end):
        name = match[0][1:]
        shown = _numbered(name[1:-1]) if name.startswith("#") else html5.get(name)
        if shown:
            yield match.start(), match.end(), shown


def tag_regions(text: str, at: int, stop: int, unclosed: set[str]) -> tuple[list[Region], int]:
    """Return the pieces of the tag or comment that begins with the "<" at `at`, and where it ends.

    For kinds that hold HTML. There are no pieces if it does not end before `stop`, or if it is no tag by the stricter
    rules of CommonMark 6.6, since "i<n" occurs in code.

    Args:
        text: the document.
        at: where the tag begins.
        stop: where it must have ended.
        unclosed: the elements of raw text that have no closing tag before `stop`; one is added when that is found out.
    """
    if text.startswith("<!--", at):
        end = text.find("-->", at + 2, min(stop, at + _LONGEST_COMMENT))  # "<!-->" is one (CommonMark 6.6)
        return ([Region("comment", at, end + 3, encode=_VERBATIM)], end + 3) if end >= 0 else ([], at + 1)
    strict = _STRICT_TAG.match(text, at, stop)
    if strict is None or "\n\n" in strict[0]:
        return [], at + 1
    # Only a tag that ends is matched again: the name of any other may be as long as the text.
    tag = _TAG.match(text, at, stop)
    if tag is None or tag[1].lower() in unclosed:
        return [], at + 1
    regions = list(_tag(text, at, tag, "html"))
    if regions[-1].end > stop:
        unclosed.add(tag[1].lower())
        return [], at + 1
    return regions, regions[-1].end


def _numbered(digits: str) -> str | None:
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    if 0x80 <= code < 0xA0:  # HTML standard, "numeric character reference end state": as Windows-1252 has them
        return bytes([code]).decode("cp1252", "replace")
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"
