"""HTTP responses, as `curl --include` writes them: header fields, an empty line, and a document of any kind."""

from collections.abc import Iterator

from urlscan.documents.identify import identify
from urlscan.documents.regions import Region
from urlscan.files.media_types import STATUS_LINE, response_header, web_kind

# Characters of the body by which its kind is detected.
_HEAD = 1 << 12


def regions(document: str, _kind: str = "", _scope: str = "") -> Iterator[Region]:
    """Yield the header as text, and the body as a nested document."""
    header = response_header(document)
    if header is None or header.end == len(document):
        yield Region("prose", 0, len(document))
        return
    body = header.end
    yield Region("prose", 0, body)
    head = document[body : body + _HEAD].removeprefix("\ufeff")
    kind = web_kind(header.content_type.name) or identify("", head)
    if STATUS_LINE.match(head) is not None:  # the response to a request that followed a redirection
        kind = "http"
    yield Region("prose", body, len(document), kind=kind.removeprefix("plain"))
