"""Plain text: it shows what it is."""

from collections.abc import Iterator

from urlscan.documents.segments import Piece


def pieces(text: str, _kind: str = "") -> Iterator[Piece]:
    """Yield the whole text."""
    yield Piece("prose", 0, len(text))
