"""Open compressed files and archives to any depth, such as a message in an mbox.gz in a tar.

One worklist checks the limits on depth, size and ratio. A source is read forward, one member after the other. Nothing
is ever written to the path that a member names.
"""

from collections.abc import Callable, Iterable, Iterator

from urlscan.core.record import NamedTuple
from urlscan.core.records import WebRecord
from urlscan.core.secrets import redact
from urlscan.files.archives import tars, zips
from urlscan.files.archives.streams import (
    FORMATS,
    PIECE,
    ArchiveEntry,
    ByteRange,
    DamagedError,
    ExhaustedError,
    Peeked,
    Stream,
    Unpacked,
)
from urlscan.files.decode import container_of
from urlscan.files.random_access import Absent, OpenFile, as_reader
from urlscan.files.walk import ElsewhereError, spooled

# Size up to which the copy of a nested zip archive (which is read from its end) is kept in memory, in bytes.
_MAX_IN_MEMORY = 1 << 24
# Size of the head that identifies a source, in bytes.
_HEAD = 1 << 14
# Up to this size the ratio is not checked: a page of blanks is not a bomb.
_RATIO_MIN_SIZE = 1 << 26
_MAX_NAME = 4096  # characters of a displayed name; no system has longer paths
_MEMBER = 64  # bytes added to the unpacked size for each member
# The extension of a compressed file, and the extension after unpacking.
_EXTENSIONS = {
    "gz": "", "bz2": "", "xz": "", "zst": "", "z": "",
    "tgz": ".tar", "tbz": ".tar", "tbz2": ".tar", "txz": ".tar", "tzst": ".tar", "svgz": ".svg",
}  # fmt: skip


class Limits(NamedTuple):
    """Limits on unpacking one source.

    Attributes:
        size: the maximum number of unpacked bytes, intermediate layers included.
        ratio: the maximum ratio of the unpacked size to the size of the source, checked above 64 MiB.
        depth: the maximum number of layers; a tar.gz has two.
    """

    size: int = 1 << 34
    ratio: int = 200
    depth: int = 8


class Leaf(NamedTuple):
    """A source, or the content of its innermost layer.

    Attributes:
        name: the name that determines the kind.
        names: the names of the archive members that contain it; a compressed file that is not an archive adds none.
        depth: the number of layers around it.
        stream: its content, valid until the next leaf is requested.
        reader: its content with random access, if possible.
        record: the record of a web archive, else None.
    """

    name: str
    names: tuple[str, ...]
    depth: int
    stream: Peeked
    reader: OpenFile | None = None
    record: WebRecord | None = None

    @property
    def member(self) -> str:
        """The path through archives that leads to it, for display."""
        return ":".join(self.names)


class _Allowance:
    """The number of bytes that may still be unpacked from one source."""

    def __init__(self, limits: Limits, packed: int, max_size: int | None) -> None:
        self._limits = limits
        self._by_ratio = max(_RATIO_MIN_SIZE, limits.ratio * packed)
        self._max_size = max_size
        self.used = 0

    def check(self) -> None:
        """Raise ExhaustedError if a limit is reached, ElsewhereError if it is that of a worker process."""
        if self._max_size is not None and self.used > self._max_size:
            raise ElsewhereError
        if self.used > self._limits.size:
            limit = self._limits.size
            units = (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10))  # as in the options
            size = next((f"{limit // unit}{letter}" for letter, unit in units if limit % unit == 0), f"{limit} bytes")
            raise ExhaustedError(f"unpacks to more than {size}; the rest is not read (--max-unpacked)")
        if self.used > self._by_ratio:
            ratio = self._limits.ratio
            raise ExhaustedError(f"unpacks to more than {ratio} times its size; the rest is not read (--max-ratio)")


class _Metered(Stream):
    """A stream whose bytes count towards an allowance."""

    def __init__(self, stream: Stream, allowance: _Allowance) -> None:
        self._stream, self._allowance = stream, allowance

    def read(self, size: int) -> bytes:
        self._allowance.check()
        data = self._stream.read(size)
        self._allowance.used += len(data)
        return data


class Unpacking:
    """The unpacking of one source.

    Args:
        max_size: the number of bytes after which ElsewhereError is raised, or None.
        is_wanted: returns whether a member is read, given the names that lead to it.
    """

    def __init__(
        self,
        reader: OpenFile,
        path: str,
        limits: Limits,
        max_size: int | None,
        is_wanted: Callable[[tuple[str, ...]], bool],
    ) -> None:
        self._path = path
        self._limits = limits
        self._is_wanted = is_wanted
        self._allowance = _Allowance(limits, reader.size, max_size)
        self._notes: dict[tuple[str, bool], tuple[str, int]] = {}  # message: first member, number of others
        self._has_failed = False  # whether an error was noted since the last progress
        self._root = Leaf(path, (), 0, Peeked(ByteRange(reader, 0, reader.size), _HEAD), reader)

    def leaves(self) -> Iterator[Leaf]:
        """Yield the contents that are neither compressed nor an archive, in order.

        Raises:
            SourceError: the source cannot be read, or no temporary copy of a part of it can be created.
            ElsewhereError: it is too large for this process.
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
            self._has_failed = False
            container = container_of(leaf.stream.head, leaf.name if leaf.record is None else "", leaf.reader or b"")
            if not container:
                yield leaf
            elif leaf.depth >= self._limits.depth:
                limit = self._limits.depth
                self._note_error(leaf.names, DamagedError(f"packed more than {limit} times; not opened (--max-depth)"))
            else:
                waiting.append(self._inside(leaf, container))
                around.append(leaf)

    def take(self, leaf: Leaf, max_in_memory: int, *, copies_large: bool = True) -> bytes | OpenFile:
        """Return the readable content of a leaf; a temporary copy if it is longer than `max_in_memory`.

        Without `copies_large`, a longer leaf is read and not kept, so that the limits are reached at the same member.

        Raises:
            SourceError: no temporary copy can be created.
            ElsewhereError: it is too large for this process.
        """

        def pieces() -> Iterator[bytes]:
            try:
                while data := leaf.stream.read(PIECE):
                    yield data
            except DamagedError as error:
                self._note_error(leaf.names, error)

        if copies_large:
            return spooled(pieces(), max_in_memory, self._path)
        content = bytearray()
        for piece in pieces():
            if len(content) <= max_in_memory:
                content += piece
        if len(content) <= max_in_memory:
            return bytes(content)
        return Absent(len(content))

    def notes(self) -> Iterator[tuple[str, str, bool]]:
        """Yield the first member concerned or "", what is wrong, and whether data could not be read."""
        for (message, is_error), (member, more) in self._notes.items():
            if not is_error:
                message += ", skipped"
            if more:
                message += f"; {more} more like this"
            yield member, message, is_error

    def _note_error(self, names: tuple[str, ...], error: DamagedError) -> None:
        # If a member cannot be read to its end, neither can the archive that contains it: one note is enough.
        if isinstance(error, ExhaustedError):
            names = ()
        if not self._has_failed:
            self._note(names, str(error), is_error=True)
        self._has_failed = True

    def _note(self, names: tuple[str, ...], message: str, *, is_error: bool) -> None:
        member, more = self._notes.get((message, is_error), (":".join(names), -1))
        self._notes[message, is_error] = member, more + 1

    def _inside(self, leaf: Leaf, container: str) -> Iterator[Leaf]:
        """Yield the contents of a layer."""
        if container in FORMATS:
            unpacked = self._metered(Unpacked(leaf.stream, FORMATS[container]))
            yield Leaf(_without_extension(leaf.name), leaf.names, leaf.depth + 1, Peeked(unpacked, _HEAD))
            return
        if container == "tar":
            yield from self._members(leaf, tars.entries(leaf.stream))
        elif container == "warc":
            from urlscan.files.archives import warcs

            yield from self._members(leaf, warcs.entries(leaf.stream, self._metered))
        elif leaf.reader is not None:
            yield from self._members(leaf, zips.entries(leaf.reader), is_compressed=True)
        else:
            copy = self.take(leaf, _MAX_IN_MEMORY)
            with as_reader(copy) as reader:
                yield from self._members(leaf, zips.entries(reader), is_compressed=True)

    def _members(self, leaf: Leaf, entries: Iterable[ArchiveEntry], *, is_compressed: bool = False) -> Iterator[Leaf]:
        for entry in entries:
            self._allowance.used += _MEMBER
            self._allowance.check()
            names = path = leaf.names
            if entry.name:
                names = path = (*leaf.names, _shown(entry.name))
            if entry.record is not None:  # without the position of a record, pages of a site have directories in common
                path = (*leaf.names, names[-1].partition(" ")[2])
            if not self._is_wanted(path):
                continue
            if entry.skip_reason:
                self._note(names, entry.skip_reason, is_error=entry.is_damaged)
                continue
            stream = entry.stream
            if is_compressed:
                stream = self._metered(stream)
            yield Leaf(entry.name, names, leaf.depth + 1, Peeked(stream, _HEAD), record=entry.record)

    def _metered(self, stream: Stream) -> Stream:
        return _Metered(stream, self._allowance)


def _shown(name: str) -> str:
    """Return the name of a member for display in a location."""
    if len(name) > _MAX_NAME:
        name = name[: _MAX_NAME - 1] + "…"
    return redact(name)  # downloaded files are named after their URL


def _without_extension(name: str) -> str:
    """Return the name of the unpacked file: "a.html" for "a.html.gz"."""
    stem, dot, end = name.rpartition(".")
    unpacked = _EXTENSIONS.get(end.lower())
    if unpacked is None or not dot:
        return name
    return stem + unpacked
