"""Test transfer encodings: decoding, and the map from each octet to its source."""

import base64
import binascii
import quopri
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.linear_time import assert_linear
from urlscan.documents.mail import transfer

OCTETS = st.binary(max_size=200)
# Parts of quoted-printable, well-formed and malformed.
QUOTED = st.lists(
    st.sampled_from(
        [b"=", b"=3D", b"=3d", b"=\n", b"=\r\n", b" ", b"\t", b"\n", b"\r\n", b"a", b"\xe9", b"=E9", b"= \n"]
    )
).map(b"".join)


def literally(data: bytes) -> bytes:
    """Decode quoted-printable literally as in RFC 2045 section 6.7, octet by octet."""
    lines = []
    for line in data.split(b"\n"):
        if line.endswith(b"\r"):
            lines.append(line.removesuffix(b"\r").rstrip(b" \t") + b"\r")
        else:
            lines.append(line.rstrip(b" \t"))
    data = b"\n".join(lines)
    data = re.sub(rb"=(?:\r?\n|\Z)", b"\0", data)
    return re.sub(rb"=([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), data).replace(b"\0", b"")


@given(QUOTED)
def test_quoted_printable_is_decoded_literally(data):
    assert transfer.quoted_printable(data).data == literally(data)


@given(OCTETS)
def test_quoted_printable_round_trips(data):
    data = data.replace(b"\r", b"")  # the encoder normalizes line ends
    assert transfer.quoted_printable(quopri.encodestring(data)).data == data


@given(QUOTED, st.data())
def test_octets_of_quoted_printable_map_to_their_source(data, draw):
    decoded = transfer.quoted_printable(data)
    start = draw.draw(st.integers(0, len(decoded.data)))
    end = draw.draw(st.integers(start, len(decoded.data)))
    first, last = decoded.byte_map.to_source(start, end)
    # Ignore blanks: one at the end of the span would be read as trailing white space.
    located = literally(data[first:last] + b".").translate(None, b" \t")
    assert located == decoded.data[start:end].translate(None, b" \t") + b"."


@given(OCTETS, st.integers(1, 80), st.sampled_from([b"\n", b"\r\n", b" \n"]), st.data())
def test_octets_of_base64_map_to_their_source(data, width, newline, draw):
    text = base64.b64encode(data)
    text = newline.join(text[at : at + width] for at in range(0, len(text), width))
    decoded = transfer.base64(text)
    assert decoded is not None
    assert decoded.data == data
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    first, last = decoded.byte_map.to_source(start, end)
    assert data[start:end] in binascii.a2b_base64(text[first:last])
    assert len(text[first:last].translate(None, b"=\r\n ")) <= (end - start + 2 + 2) // 3 * 4 + 4


@pytest.mark.parametrize(
    ("text", "octets", "end"),
    [
        (b"aHR0cA==", b"http", 8),
        (b"aHR0cA", b"http", 6),
        (b"aHR0c", b"htt", 5),
        (b"aH-R0.cA==", None, 0),
        (b"aHR0\ncA==\n--\nThe list\n", b"http", 10),
        (b"\naHR0\n!cA==\n", b"http", 12),
        (b"", b"", 0),
        (b"A text that is none.\n", None, 0),
    ],
    ids=[
        "well-formed", "without padding", "truncated in a quantum", "other characters: text", "followed by a footer",
        "a wrong character later", "empty", "text",
    ],
)  # fmt: skip
def test_malformed_base64_is_decoded(text, octets, end):
    decoded = transfer.base64(text)
    assert (decoded and decoded.data) == octets or (octets is None and decoded is None)
    assert decoded is None or decoded.end == end


def uu(data: bytes) -> bytes:
    return b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))


@given(OCTETS, st.data())
def test_octets_of_uuencode_map_to_their_source(data, draw):
    text = uu(data)
    decoded = transfer.uuencoded(text)
    assert decoded.data == data
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    first, last = decoded.byte_map.to_source(start, end)
    groups = re.sub(rb"\n.", b"", text[first:last])
    octets = binascii.a2b_uu(b"M" + groups.ljust(60))[: len(groups) // 4 * 3] if len(groups) <= 60 else None
    assert octets is None or data[start:end] in octets


def test_uuencoded_lines_may_lack_trailing_blanks():
    data = b"http://h.example/" + b"\0" * 20
    assert transfer.uuencoded(b"\n".join(line.rstrip() for line in uu(data).split(b"\n"))).data == data


@pytest.mark.parametrize("decode", [transfer.quoted_printable, transfer.base64, transfer.uuencoded])
@pytest.mark.parametrize("many", [b"=", b" ", b"\t=", b"=\n", b"=3D", b"A", b"AAAA\n", b"\n", b" \n", b"M ", b"\x00"])
@pytest.mark.slow
def test_decoding_and_mapping_take_linear_time(decode, many):
    def read(size):
        if (decoded := decode(many * (size // len(many)))) is not None:
            for octet in range(0, len(decoded.data), 97):
                decoded.byte_map.to_source(octet, octet + 1)

    assert_linear(read, 200_000)
