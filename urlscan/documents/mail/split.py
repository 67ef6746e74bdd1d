"""Divide mailboxes and spools into messages and batches.

A **batch** is about a megabyte of whole messages: those that begin in the same megabyte of the file.  It depends only
on the messages, so that it is the same for one process and many, for a file and a pipe, and for a reader that begins
in the middle of the file.

mbox (RFC 4155), with or without quoted "From " lines or Content-Length, and as pipermail writes it; MMDF; Babyl, the
format of Rmail; rnews batches ("#! rnews"); or one message (RFC 5322).
"""

import bisect
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence

from urlscan.core.lazy import match_end, start_or
from urlscan.core.record import NamedTuple
from urlscan.documents.identify import MBOX
from urlscan.documents.mail.headers import body_after, field
from urlscan.files.random_access import OpenFile

# A batch ends at the first message that begins at or after the next multiple of so many bytes.
SIZE = 1 << 20
# A larger message is read as plain text, in chunks, so that memory is bounded.
LARGEST = 1 << 26
# Bytes that are searched at a time for the next message, and additional bytes that confirm its beginning.
_WINDOW = 1 << 16
_KNOWN = 1 << 10
_LENGTH = b"\nContent-Length:"

# The beginning of a message, at the start of a line, before its header.
_BEGINS = {
    "mbox": re.compile(MBOX.encode("ascii")),
    "mmdf": re.compile(rb"\x01\x01\x01\x01\r?\n(?!\x01\x01\x01\x01|\Z)"),
    "babyl": re.compile(rb"\x1f\r?\n?\x0c\r?\n"),
    "rnews": re.compile(rb"#! rnews [0-9]+[^\n]{0,40}\n"),
}
# The same after a line end, which two adjacent separators may share.
_NEWLINE = {
    kind: re.compile(rb"\n" + pattern.pattern if kind == "mbox" else rb"\n(?=" + pattern.pattern + rb")")
    for kind, pattern in _BEGINS.items()
}
# Rmail writes a line of its own and, if it shows a shortened header, the original header before that.
_BABYL = re.compile(rb"[01],[^\n]*\n(?:Summary-line:[^\n]*\n)?|\*\*\* EOOH \*\*\*\r?\n")
_ENVELOPE = re.compile(rb"[^\n]*\n")


class BatchSpan(NamedTuple):
    """The span of a batch.

    Attributes:
        start, stop: the span in bytes.
        is_whole: whether it consists of whole messages; otherwise it is a chunk of a message that is too large.
        is_first: whether it is the first chunk of such a message.
    """

    start: int
    stop: int
    is_whole: bool = True
    is_first: bool = False


def batch_spans(
    reader: OpenFile, kind: str, size: int = SIZE, largest: int = LARGEST, start: int = 0, limit: int | None = None
) -> Iterator[BatchSpan]:
    """Yield the spans of the batches of a mailbox that begin from `start` to `limit`, in order and on demand.

    Sizes are in bytes; a message larger than `largest` is divided.
    """
    has_lengths = _may_have_lengths(reader, kind, size)
    while reader.read(start, start + 1) and (limit is None or start < limit):
        aligned = (start // size + 1) * size
        end, is_complete = _next_message(reader, kind, start, aligned, start + largest)
        if is_complete:
            if has_lengths:
                end = _declared(reader, kind, start, end, start + largest)
            yield BatchSpan(start, end)
            start = end
            continue
        # A message that is too large begins in the batch.
        data = reader.read(start, aligned + _KNOWN)
        before = [match.start() + 1 for match in _NEWLINE[kind].finditer(data) if match.start() < aligned - start]
        if before:
            yield BatchSpan(start, start + before[-1])
            start += before[-1]
            continue
        is_first = True
        while not is_complete:
            end, is_complete = _next_message(reader, kind, start, start + 1, start + size)
            if not is_complete:
                end = start + _division(reader.read(start, start + size))
            yield BatchSpan(start, end, is_whole=False, is_first=is_first)
            start, is_first = end, False


def batch_starts(reader: OpenFile, kind: str, offsets: Sequence[int], size: int = SIZE) -> list[int]:
    """Return the start of the first batch at or after each place, or the size of the mailbox if there is none.

    The mailbox is read as a whole only if its messages may have a Content-Length. The offsets are multiples of `size`,
    ascending.
    """
    if _may_have_lengths(reader, kind, size):
        batches = [span.start for span in batch_spans(reader, kind, size) if span.is_whole or span.is_first]
        batches.append(reader.size)
        return [batches[bisect.bisect_left(batches, min(offset, reader.size))] for offset in offsets]
    size = reader.size
    return [
        _next_message(reader, kind, offset, offset, size)[0] if 0 < offset < size else min(offset, size)
        for offset in offsets
    ]


def _declared(reader: OpenFile, kind: str, start: int, end: int, limit: int) -> int:
    """Return the end of a batch, at `end` or later if the Content-Length of its last message is right."""
    data = reader.read(start, end)
    if not (begins := starts(data, kind)):
        return end
    declared = start + _end_by_length(data, begins[-1])
    for candidate in range(declared, declared + 3):
        if (
            end < candidate <= limit
            and _NEWLINE[kind].match(reader.read(candidate - 1, candidate + _KNOWN)) is not None
        ):
            return candidate
    return end


def _next_message(reader: OpenFile, kind: str, start: int, position: int, limit: int) -> tuple[int, bool]:
    """Return the start of the first message from `position`, or of the end, and whether it is within the limit."""
    pattern = _NEWLINE[kind]
    while position < limit:
        data = reader.read(position - 1, position + _WINDOW + _KNOWN)
        message_start = position + start_or(pattern.search(data), _WINDOW)
        if message_start >= position + _WINDOW:
            if len(data) > _WINDOW:
                position += _WINDOW
                continue
            message_start = position - 1 + len(data)
            if not data:
                message_start = start + len(reader.read(start, position))
        return min(message_start, limit), message_start <= limit
    return limit, False


def _division(data: bytes) -> int:
    """Return where to divide a message that is too large: after a blank line, a line end or a blank."""
    for mark in (b"\n\n", b"\n\r\n", b"\n", b" "):
        mark_start = data.rfind(mark, len(data) // 2)
        if mark_start >= 0:
            return mark_start + len(mark)
    return len(data)


# --- messages


def starts(data: bytes, kind: str) -> list[int]:
    """Return the starts of the messages of a batch."""
    if kind == "mail":
        return [0]
    message_starts = [match.start() + 1 for match in _NEWLINE[kind].finditer(data)]
    if _BEGINS[kind].match(data.removeprefix(BOM_UTF8)) is not None:
        message_starts.insert(0, 0)
    if kind == "mbox" and _LENGTH in data:
        return _by_length(data, message_starts)
    return message_starts


def _may_have_lengths(reader: OpenFile, kind: str, size: int) -> bool:
    """Return whether the messages of a mailbox may have a Content-Length: programs write it in each or in none."""
    return kind == "mbox" and _LENGTH in reader.read(0, max(size, _WINDOW))


def _by_length(data: bytes, candidates: list[int]) -> list[int]:
    """Return `candidates` without the starts inside a message whose Content-Length is right."""
    message_starts: list[int] = []
    ends = {*candidates, len(data)}
    until = 0
    for start in candidates:
        if start < until:
            continue
        message_starts.append(start)
        declared = _end_by_length(data, start)
        until = next((end for end in range(declared, declared + 3) if end in ends), 0)
    return message_starts


def _end_by_length(data: bytes, start: int) -> int:
    """Return the end of the message by its Content-Length, or `start` without one."""
    head = header_of(data, start, "mbox")
    end, body = body_after(data, head, len(data))
    length = field(data, head, end, b"content-length")
    if length is not None and length.isdigit() and len(length) < 12:
        return body + int(length)
    return start


def header_of(data: bytes, start: int, kind: str) -> int:
    """Return the start of the header of the message at `start`, after its envelope."""
    if not start and data.startswith(BOM_UTF8):
        start = len(BOM_UTF8)
    if kind not in ("mail", "mbox"):
        start = match_end(_BEGINS[kind], data, start)
    while kind == "babyl" and (match := _BABYL.match(data, start)) is not None:
        start = match.end()
    if data.startswith(b"From ", start) and (match := _ENVELOPE.match(data, start)) is not None:
        start = match.end()
    return start
