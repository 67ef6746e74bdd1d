"""Find the elements of HTML and XML whose text is code, in any document with tags.

HTML standard, sections 4.4.3 and 4.5: pre, code, samp and kbd; DocBook has its own names. An unclosed tag must not turn
the rest of the document into code: inline elements end at the next block, and block elements need a closing tag.
"""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.documents.regions import Region

# Elements of lines of code, which end at their closing tag.
_BLOCKS = frozenset("pre listing plaintext xmp programlisting screen literallayout synopsis".split())
# Inline elements, which also end with the block around them.
_SPANS = frozenset("code samp kbd tt var literal command userinput computeroutput filename option".split())
_TAG = lazy(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:-]*)[^>]*?(?P<empty>/?)(?:>|\Z)")
# A tag, comment or declaration in markup that a reader has skipped; quotation marks delimit values only.
# Matches: `<a>`, `</pre >`, `<p title="<pre>">`, `<!-- <pre> -->`, `<!DOCTYPE a>`
# Does not match: `a`, `< a>`, `<a title="b`
_SKIPPED_TAG = lazy(
    r"""
    < (?: /? (?P<name> [A-Za-z][\w:-]*+ ) [^\s/>]*+ (?> [^"'>]*+ (?: (?: "[^"]*" | '[^']*' ) [^"'>]*+ )* ) >
        | !--(?!-?>) (?s:.*?) --!?>
        | ![^>]*+>
      )
    """,
    re.VERBOSE,
)
# Elements that begin or end a block (HTML standard, "flow content").
_BLOCK = frozenset(
    "address article aside blockquote body dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p"
    " para section table tbody td tfoot th thead title tr ul".split()
)
_NAMES = _BLOCKS | _SPANS | _BLOCK
# The first letter rejects most tags, before the names are tried. An element without a closing tag is not read as code.
_INITIALS = "".join(sorted({letter for name in _BLOCKS | _SPANS for letter in (name[0], name[0].upper())}))
_CODE_ELEMENT_END = lazy(rf"</(?=[{_INITIALS}])(?i:{'|'.join(sorted(_BLOCKS | _SPANS))})\b")


def has_code_elements(text: str) -> bool:
    """Return whether a document may have elements whose text is code."""
    return _CODE_ELEMENT_END.search(text) is not None


def with_code_elements(text: str, regions: Iterator[Region], role: str = "prose") -> Iterator[Region]:
    """Yield the regions of a document, with the role `code` for running text in code elements.

    Other running text, such as that between regions, gets `role`. Each tag is a region of its own, or it is in markup
    with an encoding, which is a skipped part of a page.
    """
    open_elements, closings = dict[str, int](), dict[str, int]()
    region_end = 0
    for region in regions:
        if region.start > region_end and open_elements:
            yield Region("code", region_end, region.start)
        region_end = region.end
        if region.role in ("text", "prose") and not region.kind:
            if open_elements and region.end > region.start:
                yield region._replace(role="code")
            else:
                yield region._replace(role=role)
            continue
        if region.role == "markup" and region.encode:
            if not region.links:
                region = region._replace(encode=())
            yield region
            for tag in _SKIPPED_TAG.finditer(text, region.start, region.end):
                if (name := tag["name"]) is not None and name.lower() in _NAMES:
                    _enter(text, tag.start(), open_elements, closings)
            continue
        yield region
        if region.role == "markup" and text.startswith("<", region.start):
            _enter(text, region.start, open_elements, closings)
    if region_end < len(text) and open_elements:
        yield Region("code", region_end, len(text))


def _enter(text: str, start: int, open_elements: dict[str, int], closings: dict[str, int]) -> None:
    """Update the numbers of the open elements of code, by name, with the tag at text[start]."""
    tag = _TAG.match(text, start, start + 4096)
    if tag is None or tag["empty"]:
        return
    name = tag["name"].lower()
    if name in _BLOCK:
        for span in [*open_elements]:
            if span in _SPANS:
                del open_elements[span]
    elif name in _NAMES and tag["close"]:
        if open_elements.get(name, 0) > 1:
            open_elements[name] -= 1
        else:
            open_elements.pop(name, None)
    elif name in _NAMES and _closes(text, name, start, closings):
        open_elements[name] = open_elements.get(name, 0) + 1


def _closes(text: str, name: str, start: int, closings: dict[str, int]) -> bool:
    """Return whether a closing tag of `name` follows text[start]; `closings` caches the last one of each name."""
    if name not in closings:
        tags = re.compile(rf"</{name}\b", re.IGNORECASE).finditer(text, start)
        closings[name] = max((tag.start() for tag in tags), default=-1)
    return closings[name] > start
