"""Transfer encodings: what they stand for, and that every octet leads back to what stands for it."""

import base64
import binascii
import quopri
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.mail import transfer

OCTETS = st.binary(max_size=200)
# What quoted-printable is made of, whole and broken.
QUOTED = st.lists(
    st.sampled_from(
        [b"=", b"=3D", b"=3d", b"=\n", b"=\r\n", b" ", b"\t", b"\n", b"\r\n", b"a", b"\xe9", b"=E9", b"= \n"]
    )
).map(b"".join)


def plainly(data: bytes) -> bytes:
    """Quoted-printable by the letter of RFC 2045 section 6.7, octet by octet."""
    data = b"\n".join(
        line[: len(line) - line.endswith(b"\r")].rstrip(b" \t") + b"\r" * line.endswith(b"\r")
        for line in data.split(b"\n")
    )
    data = re.sub(rb"=(?:\r?\n|\Z)", b"\0", data)
    return re.sub(rb"=([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), data).replace(b"\0", b"")


@given(QUOTED)
def test_quoted_printable_is_read_by_the_letter(data):
    assert transfer.quoted_printable(data).data == plainly(data)


@given(OCTETS)
def test_quoted_printable_comes_back(data):
    data = data.replace(b"\r", b"")  # the encoder makes all line ends alike
    assert transfer.quoted_printable(quopri.encodestring(data)).data == data


@given(QUOTED, st.data())
def test_octets_of_quoted_printable_lead_back(data, draw):
    made = transfer.quoted_printable(data)
    start = draw.draw(st.integers(0, len(made.data)))
    end = draw.draw(st.integers(start, len(made.data)))
    first, last = made.byte_map.to_source(start, end)
    # Without blanks, since one that is the last of the run would be taken for the line's.
    there = plainly(data[first:last] + b".").translate(None, b" \t")
    assert there == made.data[start:end].translate(None, b" \t") + b"."


@given(OCTETS, st.integers(1, 80), st.sampled_from([b"\n", b"\r\n", b" \n"]), st.data())
def test_octets_of_base64_lead_back(data, width, newline, draw):
    text = base64.b64encode(data)
    text = newline.join(text[at : at + width] for at in range(0, len(text), width))
    made = transfer.base64(text)
    assert made is not None
    assert made.data == data
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    first, last = made.byte_map.to_source(start, end)
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
        "as it should be", "without padding", "cut in a quantum", "other characters: it is text", "a footer behind",
        "a wrong character further on", "empty", "a text",
    ],
)  # fmt: skip
def test_base64_that_is_broken(text, octets, end):
    made = transfer.base64(text)
    assert (made and made.data) == octets or (octets is None and made is None)
    assert made is None or made.end == end


def uu(data: bytes) -> bytes:
    return b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45))


@given(OCTETS, st.data())
def test_octets_of_uuencode_lead_back(data, draw):
    text = uu(data)
    made = transfer.uuencoded(text)
    assert made.data == data
    start = draw.draw(st.integers(0, len(data)))
    end = draw.draw(st.integers(start, len(data)))
    first, last = made.byte_map.to_source(start, end)
    groups = re.sub(rb"\n.", b"", text[first:last])
    octets = binascii.a2b_uu(b"M" + groups.ljust(60))[: len(groups) // 4 * 3] if len(groups) <= 60 else None
    assert octets is None or data[start:end] in octets


def test_uuencoded_lines_without_their_blanks():
    data = b"http://h.example/" + b"\0" * 20
    assert transfer.uuencoded(b"\n".join(line.rstrip() for line in uu(data).split(b"\n"))).data == data


@pytest.mark.parametrize("decode", [transfer.quoted_printable, transfer.base64, transfer.uuencoded])
@pytest.mark.parametrize("many", [b"=", b" ", b"\t=", b"=\n", b"=3D", b"A", b"AAAA\n", b"\n", b" \n", b"M ", b"\x00"])
def test_decoding_and_leading_back_is_linear(decode, many):
    # The time of this process: other work on the machine does not count.
    text = many * (200_000 // len(many))
    before = time.process_time()
    if (made := decode(text)) is not None:
        for octet in range(0, len(made.data), 97):
            made.byte_map.to_source(octet, octet + 1)
    assert time.process_time() - before < 3
