"""Decode quoted-printable, base64, uuencode and UTF-7, with maps from octets back to the encoded data.

RFC 2045 section 6.7:  quoted-printable := qp-line *(CRLF qp-line)
                       ptext := hex-octet / safe-char        hex-octet := "=" 2(DIGIT / "A" / ... / "F")
RFC 2045 section 6.8:  four characters of the alphabet are three octets; other characters are ignored.
RFC 2152:              "+" begins octets of UTF-16 in the alphabet of base64 without padding; "-", which belongs to it,
                       or any other character outside the alphabet ends it; "+-" represents "+".
POSIX uuencode:        a character for the number of octets in the line, then four characters for three octets.

Malformed data is decoded as by mail readers: an "=" that begins no escape is literal, white space before a line end is
removed, and an incomplete last quantum yields its complete octets.
"""

import binascii
import bisect
import re
from array import array
from collections.abc import Iterator

from urlscan.core.lazy import end_or
from urlscan.core.record import NamedTuple
from urlscan.core.typing import Protocol
from urlscan.documents.escapes import Replacement

# An octet, a soft line break, and white space that does not belong to the line.
_QUOTED = re.compile(rb"=(?:([0-9A-Fa-f]{2})|[ \t]*+(?:\r?\n|\Z))|(?<![ \t=])[ \t]++(?=\r?\n|\Z)")
_BLANKS = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n|\Z)")
_BLANK_ENDS = (b" \n", b"\t\n", b" \r\n", b"\t\r\n")
# An "=" that does not show two octets less than it takes, as escapes and most soft line breaks do: another soft line
# break, which shows nothing, or an "=" that is literal; and the same with white space that does not belong to the line.
# Matches: `= \n`, `=`
# Does not match: `=\n`, `=3D`
_IRREGULAR = re.compile(rb"=(?!\n|[0-9A-Fa-f]{2})(?:[ \t]*+(?:\r?\n|\Z)|())")
_IRREGULAR_OR_BLANKS = re.compile(_IRREGULAR.pattern + b"|" + rb"(?<![ \t=])[ \t]++(?=\r?\n|\Z)")
# Sequences that `a2b_qp` decodes differently, besides blanks at the end of a line.
_ODD = re.compile(rb"==|=[ \t]|=\r(?!\n)")

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64 = bytes(byte for byte in range(256) if byte not in _ALPHABET)
_NO_SEXTETS = _NOT_BASE64.replace(b"=", b"")
_SEXTETS = re.compile(rb"[A-Za-z0-9+/]{1,1024}")
_PADDING = re.compile(rb"=[=\s]*")
_NO_SEXTET = re.compile(rb"[^A-Za-z0-9+/=\s]")
_SEXTET_LINE = re.compile(rb"\n[A-Za-z0-9+/]{40,1000}={0,2}[ \t\r]*(?:\n|\Z)")
# A line of text in a part that is declared as base64: no mail reader decodes it.
_TEXT_LINE = re.compile(rb"\s*+[^\r\n]*?[^A-Za-z0-9+/=\s]")

_UU_BEGIN = re.compile(rb"(?:\A|\n)begin [0-7]{3,4} [^\r\n]{1,200}\r?\n")
_UU_END = re.compile(rb"\nend[ \t]*(?=\r?\n|\Z)")
_UU_LINE = re.compile(rb"([ -`])([ -`]*)[ \t]*\r?\n?")
# Octets between two cached positions, of base64 and of quoted-printable.
_STEP, _NEAR = 1024, 256


class TransferMap(Protocol):
    """A map from decoded octets to those of the source."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest aligned span of the source that contains the octets from `start` to `end`."""


class DecodedBody(NamedTuple):
    """A decoded body.

    Attributes:
        data: the octets.
        byte_map: the map from them to the encoded data.
        end: the end of the encoded data; text may follow.
    """

    data: bytes
    byte_map: TransferMap
    end: int


class ShiftedMap:
    """A map of unencoded octets, by a constant difference."""

    __slots__ = ("_by",)

    def __init__(self, by: int) -> None:
        self._by = by

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span, shifted."""
        return start + self._by, end + self._by


class ComposedMap:
    """The composition of two maps, for a part in an encoded part."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, inner: TransferMap, outer: TransferMap) -> None:
        self._inner = inner
        self._outer = outer

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the outer source."""
        return self._outer.to_source(*self._inner.to_source(start, end))


def composed(inner: TransferMap, outer: TransferMap) -> TransferMap:
    """Return the composition of two maps; consecutive shifts are one."""
    if isinstance(inner, ComposedMap):
        outer = composed(inner._outer, outer)
        inner = inner._inner
    if isinstance(inner, ShiftedMap) and isinstance(outer, ShiftedMap):
        return ShiftedMap(inner._by + outer._by)
    return ComposedMap(inner, outer)


class _UnitMap:
    """A map from octets to the units of an encoding that hold them."""

    __slots__ = ()

    def _span(self, octet: int) -> tuple[int, int]:
        """Return the span of the unit that holds an octet."""
        raise NotImplementedError

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of whole units that contains the octets."""
        first, last = self._span(start)
        if end <= start:
            return first, first
        if end - start > 1:
            last = self._span(end - 1)[1]
        return first, last


class DecodedMap(ComposedMap):
    """A map from the characters of a text to decoded octets, and from these to the source."""

    __slots__ = ()

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return None: mail is not edited, since it may be signed."""
        return None


def decoder(name: bytes) -> str:
    """Return the decoder for a Content-Transfer-Encoding: qp, base64, uu, or "" for none."""
    name = name.strip().strip(b"\"'").lower()
    return {
        b"quoted-printable": "qp", b"base64": "base64",
        b"x-uuencode": "uu", b"x-uue": "uu", b"uuencode": "uu", b"uue": "uu",
    }.get(name, "")  # fmt: skip


# --- quoted-printable


def quoted_printable(data: bytes) -> DecodedBody:
    r"""Decode a quoted-printable body.

    >>> quoted_printable(b"a=3Db=\r\nc  \r\n").data
    b'a=bc\r\n'
    """
    has_blanks, octets = data.endswith((b" ", b"\t")) or any(end in data for end in _BLANK_ENDS), data
    if _ODD.search(data) is not None:
        octets = _QUOTED.sub(lambda match: bytes.fromhex((match[1] or b"").decode("ascii")), data)
    else:
        if has_blanks and b"\r" in data:
            octets = _BLANKS.sub(b"", data)
        elif has_blanks:
            octets = b"\n".join([line.rstrip(b" \t") for line in data.split(b"\n")])
        octets = binascii.a2b_qp(octets)
    return DecodedBody(octets, QuotedMap(data, has_blanks), len(data))


class QuotedMap(_UnitMap):
    """A map from the octets of a quoted-printable body to its characters; lines may end in blanks.

    Between two marks, as many octets are shown as there are characters, less two for each "=".
    """

    __slots__ = ("_data", "_has_blanks", "_octets", "_positions")

    def __init__(self, data: bytes, has_blanks: bool) -> None:
        self._data, self._has_blanks = data, has_blanks
        self._positions, self._octets = array("Q"), array("Q")  # the marks, and the number of octets before each

    def _span(self, octet: int) -> tuple[int, int]:
        data = self._data
        if not self._octets:
            self._read()
        number = bisect.bisect_right(self._octets, octet) - 1
        mark = counted = self._positions[number]
        position = mark + octet - self._octets[number]
        while escapes := data.count(b"=", counted, position):
            counted, position = position, position + 2 * escapes
        while data.startswith(b"=\n", position):
            position += 2
        if position > mark + _NEAR:
            self._positions.insert(number + 1, position)
            self._octets.insert(number + 1, octet)
        end = position + 1
        if data.startswith(b"=", position) and _IRREGULAR.match(data, position) is None:
            end = position + 3
        return min(position, len(data)), min(end, len(data))

    def _read(self) -> None:
        """Mark the start and what the rule does not hold for."""
        data, octets, position = self._data, 0, 0
        self._positions, self._octets = array("Q", (0,)), array("Q", (0,))
        pattern = _IRREGULAR_OR_BLANKS if self._has_blanks else _IRREGULAR
        for match in pattern.finditer(data):
            start, end = match.span()
            octets += start - position - 2 * data.count(b"=", position, start)
            if match[1] is not None:  # a literal "="
                octets += 1
            position = end
            self._positions.append(position)
            self._octets.append(octets)


# --- base64


def base64(data: bytes) -> DecodedBody | None:
    r"""Decode a base64 body, up to its padding; None for one that is text.

    >>> base64(b"aHR0\r\ncDo=").data
    b'http:'
    """
    if _TEXT_LINE.match(data) is not None:
        return None
    limit = end = len(data)
    if (padding := _PADDING.search(data)) is not None:
        limit, end = padding.span()
    elif (odd := _NO_SEXTET.search(data)) is not None and _SEXTET_LINE.search(data, odd.end()) is None:
        limit = end = data.rfind(b"\n", 0, odd.start()) + 1  # text was appended
    sextets = data[:limit].translate(None, _NOT_BASE64)
    count = len(sextets)
    if count % 4 == 1:  # it shows no octet
        sextets = sextets[:-1]
    octets = binascii.a2b_base64(sextets + b"=" * (-len(sextets) % 4))
    return DecodedBody(octets, SextetMap(data[:end], limit, count), end)


class SextetMap(_UnitMap):
    """A map from the octets of a base64 body to its quanta."""

    __slots__ = ("_count", "_data", "_limit", "_marks")

    def __init__(self, data: bytes, limit: int, count: int) -> None:
        self._data = data
        self._limit = limit
        self._count = count
        # The number of a sextet, and an offset before which there are so many.
        self._marks: list[tuple[int, int]] = [(0, 0)]

    def _span(self, octet: int) -> tuple[int, int]:
        first = octet // 3 * 4
        if first + 3 >= self._count:
            return self._offset(first), len(self._data.rstrip(_NO_SEXTETS))
        return self._offset(first), self._offset(first + 3) + 1

    def _offset(self, sextet: int) -> int:
        """Return the offset of a character of the alphabet by its number."""
        number = bisect.bisect_right(self._marks, (sextet, len(self._data) + 1)) - 1
        seen, position = self._marks[number]
        marked = seen
        for match in _SEXTETS.finditer(self._data, position, self._limit):
            size = match.end() - match.start()
            if sextet < seen + size:
                return match.start() + sextet - seen
            seen, position = seen + size, match.end()
            if seen - marked >= _STEP:
                marked, number = seen, number + 1
                if number == len(self._marks) or self._marks[number][0] > seen:
                    self._marks.insert(number, (seen, position))
        return self._limit


# --- uuencode


def uuencoded(data: bytes) -> DecodedBody:
    r"""Decode the lines between "begin" and "end".

    >>> uuencoded(b"%:'1T<#H \n").data
    b'http:'
    """
    octets: list[bytes] = []
    byte_map = LineMap()
    decoded = position = 0
    while (match := _UU_LINE.match(data, position)) is not None and (size := (match[1][0] - 32) & 63):
        position, count = match.end(), (size + 2) // 3
        # Blanks at the end of a line may have been lost in transport.
        groups = match[2][: 4 * count].ljust(4 * count)
        line = binascii.a2b_uu(bytes([32 + 3 * count]) + groups)[:size]
        byte_map.enter(decoded, match.start(2), match.end(2))
        octets.append(line)
        decoded += len(line)
    return DecodedBody(b"".join(octets), byte_map, len(data))


def uuencoded_part(data: bytes) -> DecodedBody | None:
    """Decode a body that is uuencoded as a whole; return None if it has no uuencoded line."""
    match = _UU_BEGIN.search(data)
    if match is None:
        return None
    decoded = uuencoded(data[match.end() :])
    if not decoded.data:
        return None
    return DecodedBody(
        decoded.data,
        composed(decoded.byte_map, ShiftedMap(match.end())),
        end_or(_UU_END.search(data, match.end()), len(data)),
    )


class LineMap(_UnitMap):
    """A map from the octets of uuencoded lines to their groups of four characters."""

    __slots__ = ("_ends", "_first", "_starts")

    def __init__(self) -> None:
        self._first = array("q")  # the first octet of each line
        self._starts = array("q")  # the start of its characters
        self._ends = array("q")

    def enter(self, octet: int, start: int, end: int) -> None:
        """Add the next line."""
        self._first.append(octet)
        self._starts.append(start)
        self._ends.append(end)

    def _span(self, octet: int) -> tuple[int, int]:
        if not self._first:
            return 0, 0
        line = max(bisect.bisect_right(self._first, octet) - 1, 0)
        start = self._starts[line] + (octet - self._first[line]) // 3 * 4
        end = self._ends[line]
        return min(start, end), min(start + 4, end)


# The codec, for each name that declares it.
UTF_7 = "utf-7"
LABELS = ("utf-7", "utf7", "unicode-1-1-utf-7", "unicode-2-0-utf-7", "x-unicode-2-0-utf-7", "csunicode11utf7")
_SHIFTED = re.compile(r"\+(?:-|[A-Za-z0-9+/]+-?)")


def shifted(text: str) -> Iterator[Replacement]:
    """Yield the decoded text of each shifted sequence, in order; undecodable ones are left as they are.

    >>> list(shifted("http://h.example/+AH4-jo?a+AD0-b"))
    [(17, 22, '~'), (26, 31, '=')]
    """
    for match in _SHIFTED.finditer(text):
        try:
            decoded = match[0].encode("ascii").decode(UTF_7)
        except UnicodeDecodeError:
            continue
        yield match.start(), match.end(), decoded
