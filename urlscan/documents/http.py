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
    body = header.end if header is not None else len(document)
    yield Region("prose", 0, body)
    if header is None or body == len(document):
        return
    head = document[body : body + _HEAD].removeprefix("\ufeff")
    follows_redirection = STATUS_LINE.match(head) is not None
    kind = "http" if follows_redirection else web_kind(header.content_type.name) or identify("", head)
    yield Region("prose", body, len(document), kind=kind if kind != "plain" else "")
