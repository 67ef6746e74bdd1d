"""Bytes that can be read anywhere: of a file, of what is in memory; and the lines of a text in them."""

from typing import NamedTuple, Protocol

_COUNTED = 1 << 20  # bytes whose lines are counted at a time


class Reader(Protocol):
    """A source whose bytes can be read anywhere."""

    @property
    def size(self) -> int:
        """How many bytes there are."""

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end."""


class Memory(NamedTuple):
    """A source that is there as a whole."""

    data: bytes

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self.data)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end."""
        return self.data[max(start, 0) : stop]


class Positions:
    """Lines and columns of places in a source, counted when they are asked for.

    Calls in rising order cost one pass over the source in total.

    Args:
        reader: the source.
        base: where its text begins, in bytes.
    """

    def __init__(self, reader: Reader, base: int = 0) -> None:
        self._reader = reader
        self._base = base
        self._at, self._line, self._column = base, 1, 1

    def of(self, place: int) -> tuple[int, int]:
        """Return line and column, from 1, of the character at a place, in bytes."""
        if place < self._at:
            self._at, self._line, self._column = self._base, 1, 1
        while self._at < place and (data := self._reader.read(self._at, min(self._at + _COUNTED, place))):
            self._count(data if self._at + len(data) == place else _uncut(data))
        return self._line, self._column

    def _count(self, data: bytes) -> None:
        self._at += len(data)
        lone = data.count(b"\r")
        if lone:
            halved = data.endswith(b"\r") and self._reader.read(self._at, self._at + 1) == b"\n"
            lone -= data.count(b"\r\n") + halved
        ends = data.count(b"\n") + lone
        self._line += ends
        last = max(data.rfind(b"\n"), data.rfind(b"\r") if lone else -1)
        tail = len((data[last + 1 :] if ends else data).decode("utf-8", "surrogateescape"))
        self._column = tail + 1 if ends else self._column + tail


def _uncut(data: bytes) -> bytes:
    """Return the bytes without the last character of UTF-8, which may be cut."""
    for size in range(1, min(5, len(data))):
        if not 0x80 <= data[-size] < 0xC0:
            return data[:-size]
    return data
