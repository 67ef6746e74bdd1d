"""HTTP responses, as `curl --include` writes them: header fields, an empty line, and a document of any kind."""

from collections.abc import Iterator

from urlscan.documents.readers import READERS, reader_of
from urlscan.documents.replacements import collect
from urlscan.documents.segments import Region
from urlscan.files.identify import identify
from urlscan.files.media_types import STATUS_LINE, response_header, web_kind

# Characters of the body by which its kind is detected.
_HEAD = 1 << 12


def regions(document: str, _kind: str = "") -> Iterator[Region]:
    """Yield the header as text, and the regions of the body."""
    return _regions(document)


def regions_with_links(document: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions; those of the body without links and URLs may be a part of the markup."""
    return _regions(document, "regions_with_links")


def regions_with_schemes(document: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions; those of the body without a scheme may be a part of the markup."""
    return _regions(document, "regions_with_schemes")


def all_regions_with_links(document: str, _kind: str = "") -> Iterator[Region]:
    """Yield the exact regions; text without links and URLs may be a part of the markup."""
    return _regions(document, "all_regions_with_links", "all_regions")


def all_regions(document: str, _kind: str = "") -> Iterator[Region]:
    """Yield the exact regions."""
    return _regions(document, "all_regions")


def _regions(document: str, *variants: str) -> Iterator[Region]:
    header = response_header(document)
    if header is None or header.end == len(document):
        yield Region("prose", 0, len(document))
        return
    body = header.end
    yield Region("prose", 0, body)
    head = document[body : body + _HEAD].removeprefix("\ufeff")
    kind = web_kind(header.content_type.name) or identify("", head)
    if STATUS_LINE.match(head) is not None:  # another response, after a redirection
        yield Region("prose", body, len(document), kind="http")
    elif kind == "plain" or kind not in READERS:
        yield Region("prose", body, len(document))
    else:
        for region in reader_of(kind, *variants)(document[body:], kind):
            yield _shifted(region, body)


def _shifted(region: Region, shift: int) -> Region:
    role, start, end, replacements, kind, encode, links = region
    if replacements:
        replacements = collect((first + shift, last + shift, text) for first, last, text in replacements)
    if links:
        links = tuple([(first + shift, last + shift) for first, last in links])
    return Region(role, start + shift, end + shift, replacements, kind, encode, links)
