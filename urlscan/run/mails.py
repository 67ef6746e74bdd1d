"""Mail and mailboxes: runs of messages, shared by several processes; what is made of their segments comes in order."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from urlscan.errors import SourceError
from urlscan.processes import in_order
from urlscan.run.reading import Large, Note, ReadOptions, Source, kind_of, set_member, shown_name
from urlscan.sources import MAIL
from urlscan.sources.readers import Memory
from urlscan.text import Segment

# A mailbox of so many bytes is worth a second process.
_LARGE = 1 << 22

T = TypeVar("T")


def mail_kind(source: Source | Large, read_options: ReadOptions) -> str:
    """Return which of MAIL a source is, or ""."""
    kind = kind_of(source, read_options)
    return kind if kind in MAIL else ""


def map_messages(
    source: Source | Large,
    kind: str,
    read_options: ReadOptions,
    jobs: int,
    work: Callable[[Segment], T],
    is_wanted: Callable[[T], bool] = lambda _: True,
    *,
    schemes_only: bool = False,
) -> Iterator[T | Note | SourceError]:
    """Yield what is made of each segment of a mailbox, and what is to be said of it.

    Args:
        source: the mailbox.
        kind: one of MAIL.
        read_options: how it is read.
        jobs: how many processes share it.
        work: what is made of a segment, which must be picklable if there are more than one.
        is_wanted: of what is made of the segments of a run, the first is yielded in any case, the others if they are
            wanted.
        schemes_only: as of `sources.segments`.
    """
    from urlscan.sources.mail.mailbox import Run, runs
    from urlscan.sources.mail.parts import MailOptions

    look = MailOptions(read_options.parts, read_options.of(source.path).encoding, schemes_only)
    reader = source.file if isinstance(source, Large) else Memory(source.data)
    size = source.file.size if isinstance(source, Large) else len(source.data)

    def made(make: Callable[[], Run]) -> list[T | Note]:
        results: list[T | Note] = []
        for number, segment in enumerate(make().segments()):
            set_member(segment, source)
            result = work(segment)
            if segment.note:
                results.append(Note(shown_name(source), segment.note))
            if not number or is_wanted(result):
                results.append(result)
        return results

    def tasks() -> Iterator[Callable[[], list[T | Note]]]:
        return (partial(made, make) for make in runs(reader, kind, look))

    try:
        for results in in_order(tasks, jobs if size >= _LARGE else 1):
            yield from results
    except SourceError as error:
        yield error
    finally:
        if isinstance(source, Large):
            source.file.__exit__()
