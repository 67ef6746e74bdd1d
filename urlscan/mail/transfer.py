"""Content transfer encodings: quoted-printable, base64, uuencode; and the way from each octet back.

RFC 2045 section 6.7:  quoted-printable := qp-line *(CRLF qp-line)
                       ptext := hex-octet / safe-char        hex-octet := "=" 2(DIGIT / "A" / ... / "F")
RFC 2045 section 6.8:  four characters of the alphabet are three octets; what is none of the alphabet is passed over.
POSIX uuencode:        a character for how many octets the line has, then four characters for three of them.

What is broken is read as mail readers do: an "=" that begins nothing stands for itself, white space before a line
end was added on the way, a last quantum that is cut short gives the octets that it holds.
"""

import binascii
import bisect
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from urlscan.core.maps import OffsetMap

# An octet, a soft line break, and white space that does not belong to the line.
_QUOTED = re.compile(rb"=(?:([0-9A-Fa-f]{2})|[ \t]*+(?:\r?\n|\Z))|(?<![ \t=])[ \t]++(?=\r?\n|\Z)")
_BLANKS = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n|\Z)")
# What `a2b_qp` reads otherwise, besides blanks at the end of a line.
_ODD = re.compile(rb"==|=[ \t]|=\r(?!\n)")

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64 = bytes(byte for byte in range(256) if byte not in _ALPHABET)
_NO_SEXTETS = _NOT_BASE64.replace(b"=", b"")
_SEXTETS = re.compile(rb"[A-Za-z0-9+/]{1,1024}")
_PADDING = re.compile(rb"=[=\s]*")
_NO_SEXTET = re.compile(rb"[^A-Za-z0-9+/=\s]")
_SEXTET_LINE = re.compile(rb"\n[A-Za-z0-9+/]{40,1000}={0,2}[ \t\r]*(?:\n|\Z)")
# A line of text in a part that claims to be base64: no reader would find anything in it.
_TEXT_LINE = re.compile(rb"\s*+[^\r\n]*?[^A-Za-z0-9+/=\s]")

_UU_BEGIN = re.compile(rb"(?:\A|\n)begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")
_UU_END = re.compile(rb"\nend[ \t]*(?=\r?\n|\Z)")
_UU_LINE = re.compile(rb"([ -`])([ -`]*)[ \t]*\r?\n?")
# Between two places that are remembered, in octets.
_STEP = 1024


class ByteRuns(Protocol):
    """The way from decoded octets back to those of the source."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest aligned run of the source that holds the octets from `start` to `end`."""


class Made(NamedTuple):
    """What a transfer encoding stands for.

    Attributes:
        data: the octets.
        runs: the way back, in offsets of what was decoded.
        end: where the encoded data ends; what follows is text.
    """

    data: bytes
    runs: ByteRuns
    end: int


class Shifted:
    """Octets that stand in their source as they are."""

    __slots__ = ("_by",)

    def __init__(self, by: int) -> None:
        self._by = by

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span, shifted."""
        return start + self._by, end + self._by


class Through:
    """One decoding behind another: octets of a part of a part."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, inner: ByteRuns, outer: ByteRuns) -> None:
        self._inner = inner
        self._outer = outer

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the run of the outer source."""
        return self._outer.to_source(*self._inner.to_source(start, end))


class DecodedMap:
    """Characters of a text to octets of what was decoded to it, and on to the source.

    Args:
        inner: from the text's characters to the decoded octets.
        outer: from these to the source.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, inner: OffsetMap, outer: ByteRuns) -> None:
        self._inner = inner
        self._outer = outer

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest aligned run of the source that holds text[start:end]."""
        return self._outer.to_source(*self._inner.to_source(start, end))

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return None: what strangers wrote, and others signed, is not edited."""
        return None


def decoder(name: bytes) -> str:
    """Return which of ours a Content-Transfer-Encoding is: qp, base64, uu, or "" for none."""
    name = name.strip().strip(b"\"'").lower()
    return {
        b"quoted-printable": "qp", b"base64": "base64",
        b"x-uuencode": "uu", b"x-uue": "uu", b"uuencode": "uu", b"uue": "uu",
    }.get(name, "")  # fmt: skip


# --- quoted-printable


def quoted_printable(data: bytes) -> Made:
    r"""Decode a quoted-printable body.

    >>> quoted_printable(b"a=3Db=\r\nc  \r\n").data
    b'a=bc\r\n'
    """
    return Made(_unquoted(data), QuotedRuns(data), len(data))


def _unquoted(data: bytes) -> bytes:
    if _ODD.search(data) is not None:
        return _QUOTED.sub(_octet, data)
    has_cr = b"\r" in data
    endings = (b" \n", b"\t\n", b" \r\n", b"\t\r\n") if has_cr else (b" \n", b"\t\n")
    if data.endswith((b" ", b"\t")) or any(ending in data for ending in endings):
        data = _BLANKS.sub(b"", data) if has_cr else b"\n".join([line.rstrip(b" \t") for line in data.split(b"\n")])
    return binascii.a2b_qp(data)


def _octet(match: "re.Match[bytes]") -> bytes:
    return bytes.fromhex(match[1].decode("ascii")) if match[1] else b""


class QuotedRuns:
    """Octets of a quoted-printable body back to its characters."""

    __slots__ = ("_data", "_made", "_places")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._places: array[int] | None = None  # where what is not literal begins
        self._made: array[int] | None = None  # how many octets stand before it

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest run that holds the octets, escapes whole."""
        first = self._at(start)
        return (first[0], self._at(end - 1)[1]) if end > start else (first[0], first[0])

    def _at(self, octet: int) -> tuple[int, int]:
        """Return where an octet stands in the body."""
        if self._places is None or self._made is None:
            self._places, self._made = self._read()
        number = bisect.bisect_right(self._made, octet) - 1
        if number < 0:
            place = octet
        else:
            begin, behind = self._places[number], octet - self._made[number]
            match = _QUOTED.match(self._data, begin)
            if match is not None and match[1]:
                if not behind:
                    return match.span()
                behind -= 1
            place = (match.end() if match is not None else begin) + behind
        return min(place, len(self._data)), min(place + 1, len(self._data))

    def _read(self) -> "tuple[array[int], array[int]]":
        places, made = array("Q"), array("Q")
        octets = place = 0
        for match in _QUOTED.finditer(self._data):
            octets += match.start() - place
            places.append(match.start())
            made.append(octets)
            octets += match[1] is not None
            place = match.end()
        return places, made


# --- base64


def base64(data: bytes) -> Made | None:
    r"""Decode a base64 body, up to its padding; None for one that is text.

    >>> base64(b"aHR0\r\ncDo=").data
    b'http:'
    """
    if _TEXT_LINE.match(data) is not None:
        return None
    padding = _PADDING.search(data)
    if padding is not None:
        stop, end = padding.span()
    else:
        stop = end = _end_of_base64(data)
    sextets = data[:stop].translate(None, _NOT_BASE64)
    count = len(sextets)
    whole = sextets[: count - 1] if count % 4 == 1 else sextets
    octets = binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
    return Made(octets, SextetRuns(data[:end], stop, count), end)


def _end_of_base64(data: bytes) -> int:
    """Return where text follows that was put behind: a line that is none of base64, and none that is comes after it."""
    odd = _NO_SEXTET.search(data)
    if odd is None or _SEXTET_LINE.search(data, odd.end()) is not None:
        return len(data)
    return data.rfind(b"\n", 0, odd.start()) + 1


class SextetRuns:
    """Octets of a base64 body back to its quanta."""

    __slots__ = ("_count", "_data", "_marks", "_stop")

    def __init__(self, data: bytes, stop: int, count: int) -> None:
        self._data = data
        self._stop = stop
        self._count = count
        self._marks: list[tuple[int, int]] = [
            (0, 0)
        ]  # the number of a sextet, and a place up to which there are so many

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest run of whole quanta that holds the octets."""
        first = self._at(start // 3 * 4)
        if end <= start:
            return first, first
        last = (end - 1) // 3 * 4 + 3
        return first, self._at(last) + 1 if last < self._count else len(self._data.rstrip(_NO_SEXTETS))

    def _at(self, sextet: int) -> int:
        """Return where a character of the alphabet stands, by its number."""
        number = bisect.bisect_right(self._marks, (sextet, len(self._data) + 1)) - 1
        seen, place = self._marks[number]
        marked = seen
        for match in _SEXTETS.finditer(self._data, place, self._stop):
            size = match.end() - match.start()
            if sextet < seen + size:
                return match.start() + sextet - seen
            seen, place = seen + size, match.end()
            if seen - marked >= _STEP:
                marked, number = seen, number + 1
                if number == len(self._marks) or self._marks[number][0] > seen:
                    self._marks.insert(number, (seen, place))
        return self._stop


# --- uuencode


def uuencoded(data: bytes) -> Made:
    r"""Decode the lines between "begin" and "end".

    >>> uuencoded(b"%:'1T<#H \n").data
    b'http:'
    """
    octets: list[bytes] = []
    runs = LineRuns()
    made = 0
    for match in _uu_lines(data):
        size = (match[1][0] - 32) & 63
        if not size:
            break
        groups = match[2][: (size + 2) // 3 * 4]
        line = _uu_line(groups, size)
        runs.enter(made, match.start(2), match.end(2))
        octets.append(line)
        made += len(line)
    return Made(b"".join(octets), runs, len(data))


def uuencoded_part(data: bytes) -> Made | None:
    """Decode a body that is uuencoded as a whole; return None for one that holds no uuencoded line."""
    match = _UU_BEGIN.search(data)
    if match is None:
        return None
    made = uuencoded(data[match.end() :])
    if not made.data:
        return None
    ending = _UU_END.search(data, match.end())
    return Made(made.data, Through(made.runs, Shifted(match.end())), ending.end() if ending is not None else len(data))


def _uu_lines(data: bytes) -> "Iterator[re.Match[bytes]]":
    at = 0
    while (match := _UU_LINE.match(data, at)) is not None and match.end() > at:
        yield match
        at = match.end()


def _uu_line(groups: bytes, size: int) -> bytes:
    """Return the octets of a line; blanks at its end may have been lost on the way."""
    count = (size + 2) // 3
    return binascii.a2b_uu(bytes([32 + 3 * count]) + groups.ljust(4 * count))[:size]


class LineRuns:
    """Octets of uuencoded lines back to their groups of four characters."""

    __slots__ = ("_ends", "_first", "_starts")

    def __init__(self) -> None:
        self._first = array("q")  # the first octet of each line
        self._starts = array("q")  # where its characters begin
        self._ends = array("q")

    def enter(self, octet: int, start: int, end: int) -> None:
        """Enter the next line."""
        self._first.append(octet)
        self._starts.append(start)
        self._ends.append(end)

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest run of whole groups that holds the octets."""
        first = self._group(start)[0]
        return (first, self._group(end - 1)[1]) if end > start else (first, first)

    def _group(self, octet: int) -> tuple[int, int]:
        if not self._first:
            return 0, 0
        line = max(bisect.bisect_right(self._first, octet) - 1, 0)
        at = self._starts[line] + (octet - self._first[line]) // 3 * 4
        end = self._ends[line]
        return min(at, end), min(at + 4, end)
