"""Answer which URLs occur in a large source, without decoding it.

A chunk (`chunks.py`) needs to know which URLs occur within REACH characters of it. Blocks of the source are read once
for all chunks near them, and only the bytes after each "://" are kept.
"""

import bisect
import functools
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from urlscan.core.chunk import REACH
from urlscan.files.random_access import Reader

_MARK = b"://"
# Size of a block, and how many bytes after each mark are kept.
_BLOCK = 1 << 20
_HEAD = 96
# The number of blocks that are kept: those near one chunk.
_MOST_KEPT = 12
# How many bytes are tested for ASCII at a time.
_PIECE = 1 << 12
# The bytes that continue a character (RFC 3629 section 3), and the maximum size of a character.
_CONTINUATION = bytes(range(0x80, 0xC0))
_LONGEST = 4


class _Block(NamedTuple):
    """A block of a source.

    Attributes:
        start, size: its offset and its size, in bytes.
        characters: the number of its characters, or fewer if some bytes are invalid.
    """

    start: int
    size: int
    characters: int


class UrlIndex:
    """The beginnings of the URLs of a source.

    Args:
        reader: the source, in UTF-8.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._blocks: dict[int, _Block] = {}
        self._heads: dict[int, list[bytes]] = {}

    def near(self, first: int, last: int, offset_of: Callable[[int], int]) -> "NearbyUrls":
        """Return the URLs within REACH characters of a text.

        Args:
            first: the offset at which it begins in the source, in bytes.
            last: the offset at which it ends.
            offset_of: returns the offset in the source of a character of the text.
        """
        low, high = first // _BLOCK, last // _BLOCK
        blocks = [self._block(number) for number in range(low, high + 1)]
        for numbers in (range(low - 1, -1, -1), range(high + 1, self._reader.size // _BLOCK + 1)):
            characters = 0
            for number in numbers:
                if characters >= REACH:
                    break
                blocks.append(self._block(number))
                characters += blocks[-1].characters
        return NearbyUrls(self._reader, sorted(blocks), self._heads_of, offset_of)

    def _block(self, number: int) -> _Block:
        block = self._blocks.get(number)
        if block is None:
            if len(self._blocks) >= _MOST_KEPT:
                del self._blocks[next(iter(self._blocks))]
            block = self._blocks[number] = self._read(number * _BLOCK)
        return block

    def _read(self, start: int) -> _Block:
        data = self._reader.read(start, start + _BLOCK)
        return _Block(start, len(data), _characters(data))

    def _heads_of(self, block: _Block) -> list[bytes]:
        """Return the first bytes after each mark in a block, up to the next mark, sorted."""
        heads = self._heads.get(block.start)
        if heads is None:
            if len(self._heads) >= _MOST_KEPT:
                del self._heads[next(iter(self._heads))]
            data = self._reader.read(block.start, block.start + _BLOCK + len(_MARK) + _HEAD)
            heads = self._heads[block.start] = sorted({rest[:_HEAD] for rest in data.split(_MARK)})
        return heads


class NearbyUrls:
    """The URLs in some blocks of a source, which are near a text; see `core.chunk.NearbyUrls`.

    Args:
        reader: the source.
        blocks: the blocks.
        heads_of: returns the first bytes after each mark in a block, sorted.
        offset_of: returns the offset in the source of a character of the text.
    """

    def __init__(
        self,
        reader: Reader,
        blocks: list[_Block],
        heads_of: Callable[[_Block], list[bytes]],
        offset_of: Callable[[int], int],
    ) -> None:
        self._reader = reader
        self._blocks = blocks
        self._heads_of = heads_of
        self._offset_of = offset_of
        self._heads: list[bytes] | None = None
        self._continuations = sum(block.size - block.characters for block in blocks)

    def may_begin(self, body: str) -> bool:
        """Return whether a URL may begin with `body` after its "://"."""
        if self._heads is None:
            self._heads = sorted(chain.from_iterable(self._heads_of(block) for block in self._blocks))
        return _begins_any(self._heads, _head_of(body))

    def after(self, body: str, at: int) -> Iterator[str]:
        """Yield the three characters after each "://" and `body` within REACH characters of text[at]."""
        text, head = _MARK + body.encode("utf-8", "surrogateescape"), _head_of(body)
        reach = _Reach(self._reader, self._offset_of(at), self._continuations)
        done = 0
        for block in self._blocks:
            # The beginnings are not listed for a few URLs (`finder.evidence`).
            if self._heads is not None and not _begins_any(self._heads_of(block), head):
                continue
            if not reach.touches(block.start, block.start + block.size):
                continue
            data = self._reader.read(block.start, block.start + _BLOCK + len(text) + 3 * _LONGEST)
            found = data.find(text, max(done - block.start, 0), _BLOCK + len(text) - 1)
            while found >= 0:
                end = found + len(text)
                done = block.start + end
                if reach.covers(block.start + found):
                    yield data[end : end + 3 * _LONGEST].decode("utf-8", "surrogateescape")[:3]
                found = data.find(text, end, _BLOCK + len(text) - 1)


class _Reach:
    """The bytes within REACH characters of a byte.

    Args:
        reader: the source.
        at: the offset of the byte.
        continuations: how many bytes near it continue a character, or more.
    """

    def __init__(self, reader: Reader, at: int, continuations: int) -> None:
        self._reader = reader
        self._at = at
        self._continuations = continuations

    def touches(self, start: int, end: int) -> bool:
        """Return whether a byte from `start` to `end` may be covered."""
        most = REACH + self._continuations
        return start - self._at <= most and self._at - end <= most

    def covers(self, place: int) -> bool:
        """Return whether a byte is at most REACH characters before, or fewer after."""
        distance = place - self._at
        if -REACH <= distance < REACH:
            return True
        if abs(distance) > REACH + self._continuations:
            return False
        return -self._before <= distance < self._after

    @functools.cached_property
    def _before(self) -> int:
        """The number of bytes of the REACH characters before."""
        data = self._reader.read(max(self._at - _LONGEST * REACH, 0), self._at)
        text = (data[:3].lstrip(_CONTINUATION) + data[3:]).decode("utf-8", "surrogateescape")
        return len(text[-REACH:].encode("utf-8", "surrogateescape"))

    @functools.cached_property
    def _after(self) -> int:
        """The number of bytes of the REACH characters after."""
        data = self._reader.read(self._at, self._at + _LONGEST * REACH)
        return len(data.decode("utf-8", "surrogateescape")[:REACH].encode("utf-8", "surrogateescape"))


def _characters(data: bytes) -> int:
    """Return the number of characters, or fewer if some bytes are invalid; most pieces of a text are ASCII."""
    pieces = [data[at : at + _PIECE] for at in range(0, len(data), _PIECE)]
    return sum(len(piece if piece.isascii() else piece.translate(None, _CONTINUATION)) for piece in pieces)


def _head_of(body: str) -> bytes:
    """Return the first bytes of a text after a mark, without a part of a mark at its end."""
    text = body.partition("://")[0].removesuffix(":/").removesuffix(":")
    return text.encode("utf-8", "surrogateescape")[:_HEAD]


def _begins_any(heads: list[bytes], head: bytes) -> bool:
    """Return whether one of the sorted heads begins with `head`."""
    at = bisect.bisect_left(heads, head)
    return at < len(heads) and heads[at].startswith(head)
