"""Define what the process that reads sources sends to the one that writes the database.

All of it can be pickled. Events of one file follow each other: `Begin`, `RowsEvent` for each batch, `End`.
"""

from typing import NamedTuple

from urlscan.api.batches import Position
from urlscan.archive.rows import Columns, SourceFacts


class KnownFile(NamedTuple):
    """The state of a file in the database.

    Attributes:
        size, mtime, content_hash: when it was read; None if they are unknown.
        status: ok, partial, skipped or error.
        kind: how it was read, or None.
        positions: by member ("" for the file), where reading continues.
        complete: the members that were read completely, if the file is an archive whose status is partial.
    """

    size: int | None
    mtime: int | None
    content_hash: str | None
    status: str
    kind: str | None
    positions: dict[str, Position]
    complete: frozenset[str]


class Lookup(NamedTuple):
    """The question what the database knows about files, by absolute path; answered by a dict of `KnownFile`."""

    names: tuple[str, ...]


class Unchanged(NamedTuple):
    """A file is not read again.

    Attributes:
        name: its absolute path.
        mtime: its new time, if its content is known but its time has changed, else None.
    """

    name: str
    mtime: int | None = None


class Begin(NamedTuple):
    """A file will be read.

    Attributes:
        name: its absolute path.
        mode: new; replace: its rows are deleted first; resume: it is read from where reading ended.
        facts: the state of the file.
    """

    name: str
    mode: str
    facts: SourceFacts


class RowsEvent(NamedTuple):
    """The rows of a batch of a source.

    Attributes:
        member: the member of the file, or "".
        rows: the rows by table.
        position: where reading continues after the batch; None if its rows must be stored together with the next ones.
        again: where reading begins again if the source grows: before the batch.
        facts: the state of the source after the batch.
        cut: the byte from which older rows are deleted first; None to delete none.
    """

    member: str
    rows: dict[str, Columns]
    position: Position | None
    again: Position | None
    facts: SourceFacts
    cut: int | None = None


class Member(NamedTuple):
    """A member of an archive is complete, or cannot be read."""

    member: str
    facts: SourceFacts


class End(NamedTuple):
    """A file was read."""

    facts: SourceFacts


Event = Lookup | Unchanged | Begin | RowsEvent | Member | End
