"""Check quickly whether a large source may hold a URL, from the first bytes after each "://" in it.

Each block of the source is read once, although the chunks near it (`chunks.py`) all ask about it; nothing is decoded.
"""

import bisect
from typing import NamedTuple

from urlscan.core.chunk import REACH
from urlscan.files.random_access import Reader

_MARK = b"://"
# Size of a block, and how many bytes after each mark are listed.
_BLOCK = 1 << 20
_HEAD = 96
# The number of blocks that are kept: those near one chunk.
_MOST_KEPT = 8
# The bytes that continue a character (RFC 3629 section 3).
_CONTINUATION = bytes(range(0x80, 0xC0))


class _Block(NamedTuple):
    """A block of a source.

    Attributes:
        heads: the first bytes after each mark, up to the next mark, in order.
        characters: the number of characters, or fewer if some bytes are invalid.
    """

    heads: list[bytes]
    characters: int


class Heads:
    """The beginnings of the URLs of a source.

    Args:
        reader: the source, in UTF-8.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._blocks: dict[int, _Block] = {}

    def may_follow_mark(self, text: str, first: int, last: int) -> bool:
        """Return whether `text` may follow "://" within REACH characters of the bytes from `first` to `last`."""
        head = text.partition("://")[0].encode("utf-8", "surrogateescape")[:_HEAD]
        return any(_begins(block.heads, head) for block in self._near(first // _BLOCK, last // _BLOCK))

    def _near(self, low: int, high: int) -> list[_Block]:
        """Return the blocks from number `low` to `high`, and those with REACH characters on either side."""
        near = [self._block(number) for number in range(low, high + 1)]
        for numbers in (range(low - 1, -1, -1), range(high + 1, self._reader.size // _BLOCK + 1)):
            characters = 0
            for number in numbers:
                if characters >= REACH:
                    break
                near.append(self._block(number))
                characters += near[-1].characters
        return near

    def _block(self, number: int) -> _Block:
        block = self._blocks.get(number)
        if block is None:
            if len(self._blocks) >= _MOST_KEPT:
                del self._blocks[next(iter(self._blocks))]
            block = self._blocks[number] = self._read(number * _BLOCK)
        return block

    def _read(self, start: int) -> _Block:
        data = self._reader.read(start, start + _BLOCK + len(_MARK) + _HEAD)
        heads = sorted({rest[:_HEAD] for rest in data.split(_MARK)})
        own = data[:_BLOCK]
        return _Block(heads, len(own) if own.isascii() else len(own.translate(None, _CONTINUATION)))


def _begins(heads: list[bytes], head: bytes) -> bool:
    """Return whether one of the heads, which are in order, begins with `head`."""
    at = bisect.bisect_left(heads, head)
    return at < len(heads) and heads[at].startswith(head)
