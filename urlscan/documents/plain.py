"""Plain text: one region of prose."""

from collections.abc import Iterator

from urlscan.documents.regions import Region


def regions(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the whole text."""
    yield Region("prose", 0, len(text))
