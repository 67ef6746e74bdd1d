"""Show a document by its regions; determine the context of a span of it, and how a text is written there.

A reader gives each region a role and its encoding. A URL in a string or a data value is a `string` if it is the whole
value and a `fragment` otherwise. An attribute writes `&amp;`, a string its escapes.

Most documents have no findings, and a large one with findings has few. The map needs the exact regions of the document,
which takes longer than finding its URLs; they are read up to the last span that is asked for.
"""

import bisect
import io
import re
from array import array
from collections.abc import Iterable, Iterator

from urlscan.core.choices import Context
from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy
from urlscan.core.offsets import ReplacedSpans, Spans
from urlscan.core.settings import FindOptions
from urlscan.documents.regions import Encode, Region, expand_nested, reader_of, scope_of, show, split_links

# Roles that are hidden from the prose.
_HIDDEN_ROLES = ("markup", "link", "base")
_LINK_ROLES = ("link", "base")
# Roles that are not stored as regions: running text, and markup, in which no URL is searched.
_UNSTORED_ROLES = ("prose", "markup")
# Roles that determine the context of a URL; the map of the document distinguishes the others, which take less memory as
# one role, since adjacent regions are merged.
_CONTEXT_ROLES = ("code", "comment")
# Translates Latin-1 text to MARKUP, except for its line ends.
_HIDE = bytes(code if code in b"\r\n" else ord(MARKUP) for code in range(256))
# Roles whose context does not depend on the URL.
_CONTEXTS: dict[str, Context] = {
    "link": "link", "base": "link", "prose": "prose", "markup": "prose", "comment": "comment",
    "code": "code", "program": "code",
}  # fmt: skip
# How many characters around a URL are searched for the ends of a value.
_WINDOW = 200
# The text before a value on its line: list markers, a key and its separator, or the separator of a list.
# Matches: `a: "`, `- `, `a = `, `- a: `, `, `
# Does not match: `see `, `a: b `, `"a`
_BEFORE_VALUE = lazy(
    r"""
    (?: (?: ^ | [\r\n] ) [ \t]* (?: - [ \t]+ )* (?: [\w.$/"'-] [\w.$ /"'-]{0,80}? [ \t]* [:=]>? [ \t]* )?
      | [,;|\[{\t>] [ \t]*
    )
    ["']? \Z
    """,
    re.VERBOSE,
)
# The text after a value: the end of the line, a comment, the next separator, or closing brackets before one of these.
# Matches: `",`, `,`, `]},`, ` #`
# Does not match: `]a`, ` a`
_AFTER_VALUE = lazy(r"[\"']?[ \t]*(?:\Z|[\r\n,;|\t<#]|[\]}][\]} \t]*(?:\Z|[\r\n,;#]))")


def read_markup(document: Document, find_options: FindOptions | None = None) -> Document:
    """Set what a decoded document shows, and return it; text that is not searched for may be hidden."""
    text, kind, scope = document.decoded, document.kind, scope_of(find_options)
    document.document_map = document_map = DocumentMap(text, kind)
    regions = expand_nested(text, reader_of(kind)(text, kind, scope), scope)
    return set_regions(document, regions, document_map.link_encoders)


def set_regions(
    document: Document, regions: Iterable[Region], link_encoders: "list[tuple[int, tuple[Encode, ...]]] | None" = None
) -> Document:
    """Set what a document shows from the regions of its decoded text, and return it.

    Args:
        regions: its regions, without nested documents; what is between them is prose.
        link_encoders: a list to which the encoders of links are added, with the number of the first link that has them.
    """
    encoders: tuple[Encode, ...] | None = None  # of the last link
    decoded, text, prose = document.decoded, io.StringIO(), io.StringIO()
    length = len(decoded)
    replaced, links, stored = ReplacedSpans(length), Spans(length), Spans(length)
    shift = copied = 0  # from offsets in it to offsets in the text, which is complete up to `copied`
    hidden = hidden_end = 0  # the prose is complete up to `hidden`; what follows is hidden up to `hidden_end`
    for region in regions:
        role, start, end, replacements, _, encode, inner = region
        first, url = start + shift, ""
        if replacements:
            prose.write(_hide(decoded[hidden:hidden_end]))
            prose.write(decoded[hidden_end:start])
            text.write(decoded[copied:start])
            url, size = show(decoded, region, first, replaced)
            text.write(url)
            prose.write(_hide(url) if role in _HIDDEN_ROLES else url)
            copied = hidden = hidden_end = end
            shift = size - end
        elif role in _HIDDEN_ROLES:
            if start > hidden_end:
                prose.write(_hide(decoded[hidden:hidden_end]))
                prose.write(decoded[hidden_end:start])
                hidden = start
            hidden_end = end
        if (inner or role in _LINK_ROLES) and link_encoders is not None and encode != encoders:
            encoders = encode
            link_encoders.append((len(links.starts), encode))
        if role in _LINK_ROLES:
            links.starts.append(first)
            links.ends.append(end + shift)
            if role == "base" and not document.base:
                document.base = url if replacements else decoded[start:end]
        elif inner:
            links.starts.extend([link_start + shift for link_start, _ in inner])
            links.ends.extend([link_end + shift for _, link_end in inner])
        elif role not in _UNSTORED_ROLES and end + shift > first:
            stored.add_region(first, end + shift, role if role in _CONTEXT_ROLES else "other")
    # Most documents have no replacements, and many no markup; they are not copied.
    if replaced.starts:
        text.write(decoded[copied:])
        document.text = document.prose = text.getvalue()
    if hidden_end:
        prose.write(_hide(decoded[hidden:hidden_end]))
        prose.write(decoded[hidden_end:])
        document.prose = prose.getvalue()
    document.replacements, document.links, document.regions = replaced, links, stored
    document.stop = len(document.prose)
    return document


def _hide(text: str) -> str:
    """Return MARKUP for every character that is not a line end."""
    if "\n" in text or "\r" in text:
        return text.encode("latin-1", "replace").translate(_HIDE).decode("ascii")
    return MARKUP * len(text)


class DocumentMap:
    """The contexts of a document, and how it writes text (`core.document.MarkupMap`).

    Attributes:
        link_encoders: the encoders of its links, each with the number of the first link that has them.
    """

    def __init__(self, document: str, kind: str) -> None:
        self._document, self._kind = document, kind
        self.link_encoders: list[tuple[int, tuple[Encode, ...]]] = []
        self._regions: Iterator[Region] | None = None
        self._end = 0  # of the last region that was read
        self._starts, self._ends = array("q"), array("q")
        self._roles: list[str] = []
        self._encoder_starts = array("q")
        self._encoders: list[tuple[Encode, ...]] = []

    def __reduce__(self) -> "tuple[type[DocumentMap], tuple[str, str]]":
        """Return how to create a map that has read nothing; regions cannot be pickled."""
        return DocumentMap, (self._document, self._kind)

    def context(self, start: int, end: int) -> Context:
        """Return the context of document[start:end], in characters."""
        self._read_to(max(start, end - 1))
        number = bisect.bisect_right(self._starts, start) - 1
        if number < 0:
            return "prose"
        role = self._roles[number]
        if role == "string":
            last = max(bisect.bisect_right(self._starts, end - 1) - 1, number)
            is_whole = self._covers(start, end, self._starts[number], self._ends[last])
            return "string" if is_whole and self._roles[last] == "string" else "fragment"
        if role == "value":
            if self._covers(start, end, self._starts[number], self._ends[number]):
                return "string"
            return "fragment"
        if role == "data":
            return "string" if self._is_value(start, end) else "fragment"
        return _CONTEXTS.get(role, "prose")

    def encode(self, start: int, end: int, context: int, text: str, link: int = -1) -> str | None:
        """Return what to write in place of document[start:end] so that it shows `text`; None if that is impossible.

        Only a deletion may extend over several spans.

        Args:
            context: a character in the same syntactic context.
            link: the number of the link that holds the span; -1 for none, and then the document is read again.
        """
        if not text:
            return ""
        if link >= 0 and self.link_encoders:
            number = bisect.bisect_right(self.link_encoders, link, key=lambda entry: entry[0]) - 1
            encoders = self.link_encoders[number][1]
        else:
            self._read_to(max(context, end - 1))
            starts = self._encoder_starts
            number = max(bisect.bisect_right(starts, context) - 1, 0)
            limit = starts[number + 1] if number + 1 < len(starts) else self._end
            if not starts or not starts[number] <= start <= end <= limit:
                return None
            encoders = self._encoders[number]
        written: str | None = text
        for encode in encoders:
            written = encode(written) if written is not None else None
        return written

    def _read_to(self, offset: int) -> None:
        """Read the regions up to the one that holds the character at `offset`."""
        if self._regions is None:
            exact = reader_of(self._kind)(self._document, self._kind, "exact")
            self._regions = split_links(expand_nested(self._document, exact, "exact"))
        while self._end <= offset and (region := next(self._regions, None)) is not None:
            role, self._end, encode = region.role, region.end, region.encode
            # Strings, values and links stay separate; other adjacent regions of one role are merged.
            if self._roles and self._roles[-1] == role and role not in ("string", "value", "link"):
                self._ends[-1] = region.end
            else:
                self._starts.append(region.start)
                self._ends.append(region.end)
                self._roles.append(role)
            # Markup is never merged with its neighbor: nothing is written into it.
            if not encode or not self._encoders or encode != self._encoders[-1]:
                self._encoder_starts.append(region.start)
                self._encoders.append(encode)

    def _covers(self, start: int, end: int, first: int, last: int) -> bool:
        """Return whether document[start:end] is all of document[first:last] but white space and quotation marks."""
        if start - first + last - end >= _WINDOW:  # a long string may hold many URLs
            return False
        around = self._document[first:start] + self._document[end:last]
        return not around.strip("\"' \t\r\n")

    def _is_value(self, start: int, end: int) -> bool:
        """Return whether document[start:end] is a whole value of a data format."""
        text = self._document
        after = _AFTER_VALUE.match(text, end, end + _WINDOW)
        return after is not None and _BEFORE_VALUE.search(text[max(start - _WINDOW, 0) : start]) is not None
