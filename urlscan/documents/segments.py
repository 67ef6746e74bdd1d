"""Build the segment that shows a document from its regions."""

import io
from collections.abc import Iterable

from urlscan.core.find_options import FindOptions
from urlscan.core.segment import MARKUP, Segment
from urlscan.core.spans import Regions, ReplacedSpans, Spans
from urlscan.documents.document_map import DocumentMap
from urlscan.documents.readers import scope_of
from urlscan.documents.regions import Region, regions_of, show

# Roles that are hidden from the prose.
_HIDDEN_ROLES = ("markup", "link", "base")
_LINK_ROLES = ("link", "base")
# Roles that are not stored as regions: running text, and markup, in which no URL is searched.
_UNSTORED_ROLES = ("prose", "markup")
# Roles that determine the context of a URL; the map of the document distinguishes the others, which take less memory as
# one role, since adjacent regions are merged.
_CONTEXT_ROLES = ("code", "comment", "autolink")
# Translates Latin-1 text to MARKUP, except for its line ends.
_HIDE = bytes(code if code in b"\r\n" else ord(MARKUP) for code in range(256))


def read_markup(segment: Segment, find_options: FindOptions | None = None) -> Segment:
    """Set what a decoded document shows, and return it.

    Args:
        segment: the document, whose kind is one of READERS.
        find_options: what will be searched for in it; other text may be hidden. None for everything.
    """
    document, kind = segment.document, segment.kind
    segment.document_map = DocumentMap(document, kind)
    return set_regions(segment, regions_of(document, kind, scope_of(find_options)))


def set_regions(segment: Segment, regions: Iterable[Region]) -> Segment:
    """Set what a segment shows from the regions of its document, and return it.

    Args:
        segment: the decoded document.
        regions: its regions, without nested documents; what is between them is prose.
    """
    document, text, prose = segment.document, io.StringIO(), io.StringIO()
    length = len(document)
    replaced, links, stored = ReplacedSpans(length), Spans(length), Regions(length)
    shift = copied = 0  # from offsets in the document to offsets in the text, which is complete up to `copied`
    hidden = shown = 0  # the prose is complete up to `hidden`; what follows is hidden up to `shown`
    for region in regions:
        role, start, end, replacements, _, _, inner = region
        first, url = start + shift, ""
        if replacements:
            prose.write(_hide(document[hidden:shown]))
            prose.write(document[shown:start])
            text.write(document[copied:start])
            url, size = show(document, region, first, replaced)
            text.write(url)
            prose.write(_hide(url) if role in _HIDDEN_ROLES else url)
            copied = hidden = shown = end
            shift = size - end
        elif role in _HIDDEN_ROLES:
            if start > shown:
                prose.write(_hide(document[hidden:shown]))
                prose.write(document[shown:start])
                hidden = start
            shown = end
        if role in _LINK_ROLES:
            links.starts.append(first)
            links.ends.append(end + shift)
            if role == "base" and not segment.base:
                segment.base = url if replacements else document[start:end]
        elif inner:
            links.starts.extend([link_start + shift for link_start, _ in inner])
            links.ends.extend([link_end + shift for _, link_end in inner])
        elif role not in _UNSTORED_ROLES and end + shift > first:
            stored.add(first, end + shift, role if role in _CONTEXT_ROLES else "other")
    # Most documents have no replacements, and many no markup; they are not copied.
    if replaced.starts:
        text.write(document[copied:])
        segment.text = segment.prose = text.getvalue()
    if shown:
        prose.write(_hide(document[hidden:shown]))
        prose.write(document[shown:])
        segment.prose = prose.getvalue()
    segment.replacements, segment.links, segment.regions = replaced, links, stored
    return segment


def _hide(text: str) -> str:
    """Return MARKUP for every character that is not a line end."""
    if "\n" in text or "\r" in text:
        return text.encode("latin-1", "replace").translate(_HIDE).decode("ascii")
    return MARKUP * len(text)
