"""How a document writes what its text shows: `pieces`, the other way round.

Each piece says how it is written (`Piece.encode`): an attribute has `&amp;`, a string its escapes.
"""

import bisect
from array import array
from collections.abc import Iterator

from urlscan.documents.segments import Encode, Piece, apart


class Runs:
    """The ways in which a document is written, by place."""

    def __init__(self, pieces: Iterator[Piece]) -> None:
        self._starts = array("q")
        self._ways: list[tuple[Encode, ...]] = []
        self._end = 0
        for piece in apart(pieces):
            # Markup is a run of its own: nothing of ours is written into it.
            if not self._ways or piece.encode != self._ways[-1] or not piece.encode:
                self._starts.append(piece.start)
                self._ways.append(piece.encode)
            self._end = piece.end

    def encode(self, start: int, end: int, at: int, text: str) -> str | None:
        """Return what to write in place of [start, end) so that `text` is shown, in the way of the character at `at`.

        Only what is taken out may go over several runs.
        """
        number = max(bisect.bisect_right(self._starts, at) - 1, 0)
        behind = self._starts[number + 1] if number + 1 < len(self._starts) else self._end
        if not text:
            return ""
        if not self._starts or not self._starts[number] <= start <= end <= behind:
            return None
        written: str | None = text
        for encode in self._ways[number]:
            written = encode(written) if written is not None else None
        return written


def writing_of(pieces: Iterator[Piece]) -> Runs:
    """Return how a document in these pieces is written."""
    return Runs(pieces)


def verbatim(text: str, refused: str = "<>\"'\r\n") -> str | None:
    """Return the text where it stands for itself and nothing can be escaped; None if something must be."""
    return text if not any(character in refused for character in text) else None
