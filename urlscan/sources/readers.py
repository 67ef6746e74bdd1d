"""Bytes that can be read anywhere: of a file, of what is in memory."""

from typing import NamedTuple, Protocol


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
