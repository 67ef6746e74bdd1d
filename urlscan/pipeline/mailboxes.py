"""Process mail and mailboxes in batches of messages, shared among processes, and yield the results in order."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from urlscan.core.errors import SourceError
from urlscan.core.segment import Segment
from urlscan.files.random_access import Memory
from urlscan.pipeline.processes import in_order
from urlscan.pipeline.read import Large, Note, ReadOptions, Source, kind_of, set_member, shown_name
from urlscan.sources import MAIL

# The size in bytes from which a mailbox is worth a second process.
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
    """Yield the results and the notes of each segment of a mailbox.

    Args:
        source: the mailbox.
        kind: one of MAIL.
        read_options: how it is read.
        jobs: how many processes share it.
        work: returns the result of a segment, which must be picklable if there are several processes.
        is_wanted: whether to yield a result; the first one of each batch is always yielded.
        schemes_only: as for `sources.segments`.
    """
    from urlscan.mail.mailbox import MessageBatch, message_batches
    from urlscan.mail.parts import MailOptions

    mail_options = MailOptions(read_options.parts, read_options.of(source.path).encoding, schemes_only)
    reader = source.file if isinstance(source, Large) else Memory(source.data)
    size = source.file.size if isinstance(source, Large) else len(source.data)

    def made(make: Callable[[], MessageBatch]) -> list[T | Note]:
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
        return (partial(made, make) for make in message_batches(reader, kind, mail_options))

    try:
        for results in in_order(tasks, jobs if size >= _LARGE else 1):
            yield from results
    except SourceError as error:
        yield error.as_result()
    finally:
        if isinstance(source, Large):
            source.file.__exit__()
