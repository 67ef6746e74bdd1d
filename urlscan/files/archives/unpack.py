"""Open compressed files and archives to any depth: tar > mbox.gz > mail.

One worklist owns depth, size and expansion.  A source is read forward, one member after the other. Nothing is ever
written to the path that a member names.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from urlscan.files.archives.compressed import FORMATS, Unpacked
from urlscan.files.archives.container import container_of
from urlscan.files.archives.streams import (
    PIECE,
    ArchiveEntry,
    ByteRange,
    DamagedError,
    ExhaustedError,
    Peeked,
    Stream,
    passed_over,
)
from urlscan.files.random_access import Memory, Reader
from urlscan.files.walk import ElsewhereError, OpenFile, spooled
from urlscan.secrets import redact

# Size up to which a copy, in which the directory at the end is searched, is kept in memory, in bytes.
_KEPT = 1 << 24
# Size of the head that identifies a source, in bytes.
_HEAD = 1 << 14
# Below this size the ratio is not checked: a page of blanks is not a bomb.
_FLOOR = 1 << 26
_LONGEST = 4096  # characters of a name that are shown; no system has longer paths
_MEMBER = 64  # bytes that an empty member counts as
# The extension of a compressed file, and the extension after unpacking.
_ENDS = {
    "gz": "", "bz2": "", "xz": "", "zst": "", "z": "",
    "tgz": ".tar", "tbz": ".tar", "tbz2": ".tar", "txz": ".tar", "tzst": ".tar", "svgz": ".svg",
}  # fmt: skip


class Limits(NamedTuple):
    """Limits on unpacking one source.

    Attributes:
        size: limit on the unpacked bytes, intermediate layers included.
        ratio: limit on the unpacked size as a multiple of its own size, if that is more than 64 MiB.
        depth: how many layers are opened; a tar.gz has two.
    """

    size: int = 1 << 34
    ratio: int = 200
    depth: int = 8


class Leaf(NamedTuple):
    """A source that may be packed, or the content of the last layer.

    Attributes:
        name: the name that determines its kind.
        names: the members of archives that lead to it; empty for a compressed file that is not an archive.
        depth: the number of layers around it.
        stream: its content, valid until the next one is requested.
        reader: its content with random access, if that is possible.
    """

    name: str
    names: tuple[str, ...]
    depth: int
    stream: Peeked
    reader: Reader | None = None

    @property
    def member(self) -> str:
        """The path through archives that leads to it, for display."""
        return ":".join(self.names)


class Trouble(NamedTuple):
    """A note about a source, or about members of it.

    Attributes:
        member: the first member concerned, or "".
        message: what is wrong.
        others: the number of other members with the same problem.
        is_error: whether data could not be read; otherwise it was skipped.
    """

    member: str
    message: str
    others: int
    is_error: bool


class _Allowance:
    """The amount that may still be unpacked from one source."""

    def __init__(self, limits: Limits, packed: int, most: int | None) -> None:
        self._limits = limits
        self._by_ratio = max(_FLOOR, limits.ratio * packed)
        self._most = most
        self._used = 0

    def use(self, size: int) -> None:
        """Count `size` unpacked bytes."""
        self._used += size

    def check(self) -> None:
        """Check the limits.

        Raises:
            ExhaustedError: a limit is reached.
            ElsewhereError: the limit for a worker process is reached.
        """
        if self._most is not None and self._used > self._most:
            raise ElsewhereError
        if self._used > self._limits.size:
            size = _size(self._limits.size)
            raise ExhaustedError(f"it unpacks to more than {size}, the rest is not read (--max-unpacked)")
        if self._used > self._by_ratio:
            ratio = self._limits.ratio
            raise ExhaustedError(f"it unpacks to more than {ratio} times its size, the rest is not read (--max-ratio)")


class _Metered:
    """A stream that uses up an allowance."""

    def __init__(self, stream: Stream, allowance: _Allowance) -> None:
        self._stream, self._allowance = stream, allowance

    def read(self, size: int) -> bytes:
        self._allowance.check()
        data = self._stream.read(size)
        self._allowance.use(len(data))
        return data

    def skip(self, size: int) -> None:
        passed_over(self, size)


class Unpacking:
    """The work on one source.

    Args:
        reader: its bytes.
        path: what it is called.
        limits: what it may cost.
        most: how many bytes may be unpacked here, or ElsewhereError is raised; None: as many as the limits allow.
        wants: whether a member is wanted, by the names that lead to it.
    """

    def __init__(
        self, reader: Reader, path: str, limits: Limits, most: int | None, wants: Callable[[tuple[str, ...]], bool]
    ) -> None:
        self._path = path
        self._limits = limits
        self._wants = wants
        self._allowance = _Allowance(limits, reader.size, most)
        self._notes: dict[tuple[str, bool], tuple[str, int]] = {}  # message: first member, number of others
        self._in_trouble = False  # whether an error was noted since the last progress
        self._root = Leaf(path, (), 0, Peeked(ByteRange(reader, 0, reader.size), _HEAD), reader)

    def leaves(self) -> Iterator[Leaf]:
        """Yield what is packed no further, in order.

        Raises:
            SourceError: the source cannot be read, or a temporary copy of some of it cannot be made.
            ElsewhereError: it is too much for here.
        """
        waiting: list[Iterator[Leaf]] = [iter((self._root,))]
        around: list[Leaf] = [self._root]
        while waiting:
            try:
                leaf = next(waiting[-1], None)
            except ExhaustedError as error:
                self._note_error((), error)
                return
            except DamagedError as error:
                self._note_error(around[-1].names, error)
                leaf = None
            if leaf is None:
                waiting.pop()
                around.pop()
                continue
            self._in_trouble = False
            container = container_of(leaf.stream.head)
            if not container:
                yield leaf
            elif leaf.depth >= self._limits.depth:
                limit = self._limits.depth
                self._note_error(
                    leaf.names, DamagedError(f"it is packed more than {limit} times, and not opened (--max-depth)")
                )
            else:
                waiting.append(self._inside(leaf, container))
                around.append(leaf)

    def take(self, leaf: Leaf, most: int) -> bytes | OpenFile:
        """Return what a leaf holds, as far as it can be read; of more bytes than `most` a temporary copy.

        Raises:
            SourceError: there can be no copy.
            ElsewhereError: it is too much for here.
        """

        def pieces() -> Iterator[bytes]:
            try:
                while data := leaf.stream.read(PIECE):
                    yield data
            except DamagedError as error:
                self._note_error(leaf.names, error)

        return spooled(pieces(), most, self._path)

    def troubles(self) -> Iterator[Trouble]:
        """Yield the notes, at the end."""
        for (message, is_error), (member, others) in self._notes.items():
            yield Trouble(member, message, others, is_error)

    def _note_error(self, names: tuple[str, ...], error: DamagedError) -> None:
        # If a member cannot be read to its end, neither can the archive that holds it: one note is enough.
        if not self._in_trouble:
            self._note(() if isinstance(error, ExhaustedError) else names, str(error), is_error=True)
        self._in_trouble = True

    def _note(self, names: tuple[str, ...], message: str, *, is_error: bool) -> None:
        member, others = self._notes.get((message, is_error), (":".join(names), -1))
        self._notes[message, is_error] = member, others + 1

    def _inside(self, leaf: Leaf, container: str) -> Iterator[Leaf]:
        """Yield what a layer holds."""
        if container in FORMATS:
            unpacked = _Metered(Unpacked(leaf.stream, FORMATS[container]), self._allowance)
            yield Leaf(_without_end(leaf.name), leaf.names, leaf.depth + 1, Peeked(unpacked, _HEAD))
            return
        if container == "tar":
            from urlscan.files.archives import tars

            yield from self._members(leaf, tars.entries(leaf.stream))
            return
        from urlscan.files.archives import zips

        if leaf.reader is not None:
            yield from self._members(leaf, zips.entries(leaf.reader), is_compressed=True)
            return
        copy = self.take(leaf, _KEPT)
        try:
            found = zips.entries(Memory(copy) if isinstance(copy, bytes) else copy)
            yield from self._members(leaf, found, is_compressed=True)
        finally:
            if isinstance(copy, OpenFile):
                copy.__exit__()

    def _members(self, leaf: Leaf, entries: Iterable[ArchiveEntry], *, is_compressed: bool = False) -> Iterator[Leaf]:
        for name, stored, why in entries:
            self._allowance.use(_MEMBER)
            self._allowance.check()
            names = (*leaf.names, _shown(name))
            if not self._wants(names):
                continue
            if why:
                self._note(names, why, is_error=False)
                continue
            stream = _Metered(stored, self._allowance) if is_compressed else stored
            yield Leaf(name, names, leaf.depth + 1, Peeked(stream, _HEAD))


def _shown(name: str) -> str:
    """Return the name of a member for display, before each of its URLs."""
    name = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    return redact(name) if "@" in name or "=" in name else name  # downloaded files are named after their URL


def _without_end(name: str) -> str:
    """Return what is compressed by its name: "a.html" of "a.html.gz"."""
    stem, dot, end = name.rpartition(".")
    unpacked = _ENDS.get(end.lower())
    return name if unpacked is None or not dot else stem + unpacked


def _size(size: int) -> str:
    """Return a number of bytes as the option has it."""
    for letter, unit in (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size} bytes"
