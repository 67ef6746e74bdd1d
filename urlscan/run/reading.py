"""Sources one after the other: what the paths name, read, or why not."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.errors import SourceError
from urlscan.settings import Configured, Settings, Terms
from urlscan.sources import check_kind, segments
from urlscan.sources.decode import codec_name, head_of, is_binary
from urlscan.sources.identify import identify
from urlscan.sources.walk import STDIN, Excludes, File, excluder_of, opened, read, walk
from urlscan.text import Segment

# A plain text of more bytes is read stretch by stretch; a document of another kind is read as plain text if it has
# more than the second, since it would have to be there as a whole.
LARGE = 1 << 24
LARGEST_DOCUMENT = 1 << 26
_HEAD = 1 << 14  # bytes that tell what a source is


class Reading(NamedTuple):
    """How sources are read.

    Attributes:
        kind: one of `sources.KINDS`, of every source; None: what its name says.
        encoding: the declared encoding of every source, or None.
        exclude: patterns of `.gitignore`'s kind.
        stdin_name: what standard input is called.
        configured: says what else holds for a source, by its name; the kind and the encoding above win.
    """

    kind: str | None = None
    encoding: str | None = None
    exclude: tuple[str, ...] = ()
    stdin_name: str = STDIN
    configured: Configured | None = None

    def of(self, path: str) -> "Reading":
        """Return how one source is read."""
        if self.configured is None:
            return self
        terms = self.configured.of(path)
        return self._replace(kind=self.kind or terms.kind, encoding=self.encoding or terms.encoding)

    def terms(self, path: str, settings: Settings) -> Terms:
        """Return what holds for one source; `settings`, if nothing says otherwise."""
        return Terms(settings) if self.configured is None else self.configured.of(path)

    def excluder(self) -> Excludes:
        """Return what says whether a path is passed over."""
        given = excluder_of(self.exclude)
        if (configured := self.configured) is None:
            return given
        return lambda path, root: given(path, root) or configured.excludes(path, root)


class Source(NamedTuple):
    """A source that was read.

    Attributes:
        path: its name as it is shown.
        data: its bytes.
        is_stdin: whether it was read from standard input.
    """

    path: str
    data: bytes
    is_stdin: bool


class Large(NamedTuple):
    """A source that is too large to be there as a whole.

    Attributes:
        path: its name as it is shown.
        file: its bytes, which are UTF-8.
    """

    path: str
    file: File


class Skipped(NamedTuple):
    """A source that was passed over.

    Attributes:
        path, data, is_stdin: as of a Source.
        was_named: whether it was asked for by name, and not found in a directory.
        why: what to say of it.
    """

    path: str
    data: bytes
    is_stdin: bool
    was_named: bool
    why: str


class Note(NamedTuple):
    """What is to be said of a source that is read all the same."""

    path: str
    message: str


Read = Source | Large | Skipped | Note | SourceError
Named = tuple[str, bool] | SourceError


def check_reading(reading: Reading) -> None:
    """Raise ConfigError if the kind or the encoding is not known."""
    if reading.kind is not None:
        check_kind(reading.kind)
    if reading.encoding is not None:
        codec_name(reading.encoding)


def named(paths: Iterable[str], reading: Reading) -> Iterator[Named]:
    """Yield the files that the paths name, those of directories, `-`; ConfigError as `check_reading`."""
    check_reading(reading)
    items = walk(paths, reading.excluder())
    return items if reading.configured is None else _understood(items, reading, reading.configured)


def _understood(items: Iterable[Named], reading: Reading, configured: Configured) -> Iterator[Named]:
    """Yield the names of which it is known what holds for them, and once why that is not known of the others."""
    said = set()
    for item in items:
        try:
            if not isinstance(item, SourceError):
                configured.of(reading.stdin_name if item[0] == STDIN else item[0])
        except SourceError as error:
            if str(error) not in said:
                said.add(str(error))
                yield error
        else:
            yield item


def sources(items: Iterable[Named], reading: Reading, *, whole: bool = False) -> Iterator[Read]:
    """Read what was named, one after the other.

    Args:
        items: what `named` yields.
        reading: how they are read.
        whole: whether also what is large is wanted as a whole, to be fixed.
    """
    for item in items:
        if isinstance(item, SourceError):
            yield item
            continue
        try:
            yield from _read(*item, reading, whole=whole)
        except SourceError as error:
            yield error


def _read(name: str, was_named: bool, reading: Reading, *, whole: bool) -> Iterator[Read]:
    is_stdin = name == STDIN
    path = reading.stdin_name if is_stdin else name
    reading = reading.of(path)
    data = read(name) if whole else opened(name, LARGE)
    if isinstance(data, File):
        kind = _kind_in_stretches(path, data, reading)
        if kind and not (is_stdin and reading.excluder()(path, None)):
            if kind != "plain":
                yield Note(path, f"too large to be read as {kind}, read as plain text")
            yield Large(path, data)
            return
        with data as file:
            data = file.read(0, file.size)
    if is_stdin and path != STDIN and reading.excluder()(path, None):
        yield Skipped(path, data, is_stdin, was_named, "excluded")
    elif is_binary(data, reading.encoding):
        yield Skipped(path, data, is_stdin, was_named, "a binary file")
    else:
        yield Source(path, data, is_stdin)


def _kind_in_stretches(path: str, file: File, reading: Reading) -> str:
    """Return the kind of a source that is read stretch by stretch; "" for one that must be there as a whole."""
    from urlscan.sources.stretches import can_be_divided

    head = file.read(0, _HEAD)
    kind = _kind_of(path, head, reading)
    if is_binary(head, reading.encoding) or not can_be_divided(file, reading.encoding):
        return ""
    return kind if kind == "plain" or file.size > LARGEST_DOCUMENT else ""


def _kind_of(path: str, data: bytes, reading: Reading) -> str:
    return reading.kind if reading.kind is not None else identify(path, head_of(data))


def segments_of(source: Source, reading: Reading) -> Iterator[Segment]:
    """Return the segments of a source."""
    reading = reading.of(source.path)
    return segments(source.data, kind=_kind_of(source.path, source.data, reading), encoding=reading.encoding)
