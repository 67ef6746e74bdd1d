"""Build the document that shows a document from its regions."""

import io
from collections.abc import Iterable

from urlscan.core.document import MARKUP, Document
from urlscan.core.find_options import FindOptions
from urlscan.core.spans import Regions, ReplacedSpans, Spans
from urlscan.documents.document_map import DocumentMap
from urlscan.documents.kinds import scope_of
from urlscan.documents.regions import Region, regions_of, show

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


def read_markup(document: Document, find_options: FindOptions | None = None) -> Document:
    """Set what a decoded document shows, and return it.

    Args:
        document: the document, which is not mail.
        find_options: what will be searched for in it; other text may be hidden. None for everything.
    """
    text, kind = document.decoded, document.kind
    document.document_map = DocumentMap(text, kind)
    return set_regions(document, regions_of(text, kind, scope_of(find_options)))


def set_regions(document: Document, regions: Iterable[Region]) -> Document:
    """Set what a document shows from the regions of its decoded text, and return it.

    Args:
        regions: its regions, without nested documents; what is between them is prose.
    """
    decoded, text, prose = document.decoded, io.StringIO(), io.StringIO()
    length = len(decoded)
    replaced, links, stored = ReplacedSpans(length), Spans(length), Regions(length)
    shift = copied = 0  # from offsets in it to offsets in the text, which is complete up to `copied`
    hidden = hidden_end = 0  # the prose is complete up to `hidden`; what follows is hidden up to `hidden_end`
    for region in regions:
        role, start, end, replacements, _, _, inner = region
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
        if role in _LINK_ROLES:
            links.starts.append(first)
            links.ends.append(end + shift)
            if role == "base" and not document.base:
                document.base = url if replacements else decoded[start:end]
        elif inner:
            links.starts.extend([link_start + shift for link_start, _ in inner])
            links.ends.extend([link_end + shift for _, link_end in inner])
        elif role not in _UNSTORED_ROLES and end + shift > first:
            stored.add(first, end + shift, role if role in _CONTEXT_ROLES else "other")
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
