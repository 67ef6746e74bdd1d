"""Bytes to text and back: every encoding, every place."""

import codecs

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from urlscan.core.errors import ConfigError
from urlscan.files.decode import codec_name, decode, is_binary
from urlscan.sources import segments

TEXT = "größe <http://h.example/日本> 🙂\r\nend"
MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


@pytest.mark.parametrize("name", MARKED)
def test_a_byte_order_mark_tells_the_encoding_and_is_no_part_of_the_text(name: str) -> None:
    data = MARKED[name] + TEXT.encode(name)
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (TEXT, name)
    start = TEXT.index("http")
    first, last = decoded.map.to_source(start, start + 20)
    assert data[first:last].decode(name) == TEXT[start : start + 20]


def test_a_byte_order_mark_is_believed_before_the_declared_encoding() -> None:
    assert decode(codecs.BOM_UTF8 + b"\xc3\xa9", "latin-1").text == "é"


def test_without_a_mark_it_is_utf_8_and_what_is_not_survives() -> None:
    data = b"caf\xe9 <http://h.example/\xc3\xa9> \xff"
    decoded = decode(data)
    assert decoded.text == "caf\udce9 <http://h.example/é> \udcff"
    start, end = decoded.map.to_source(6, 24)
    assert data[start:end].decode() == "http://h.example/é"


def test_a_large_text_is_decoded_by_blocks_to_the_same() -> None:
    line = "é http://h.example/x\n".encode() + b"\xff\xf0\x9f\n"
    data = b"x" * 70_000 + line * 20_000 + b"\xe2\x82"
    assert decode(data).text == data.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\x00\xd8", b"\xff\xfea", b"\xff\xfe\x00\x00\xff\xff\xff\xff", b"\x00\x00\xfe\xffx", b"\xff\xfe", b""],
)
def test_broken_units_are_no_trouble(data: bytes) -> None:
    decoded = decode(data)
    start, end = decoded.map.to_source(0, len(decoded.text))
    assert 0 <= start <= end <= len(data)


@pytest.mark.parametrize(
    "name", ["hex", "rot13", "idna", "undefined", "unicode_escape", "utf-7", "no such", "", "a\0b"]
)
def test_what_is_no_encoding_of_files_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="unknown encoding"):
        codec_name(name)


@pytest.mark.parametrize("name", ["latin-1", "cp1252", "koi8-r", "ascii", "cp037"])
def test_in_encodings_of_single_bytes_every_byte_has_its_place(name: str) -> None:
    data = bytes(range(256))
    decoded = decode(data, name)
    assert decoded.map.to_source(200, 256) == (200, 256)
    assert decoded.map.encode(0, 256, decoded.text) == data


@pytest.mark.parametrize("name", ["shift_jis", "euc_jp", "gbk", "gb18030", "big5", "iso2022_jp", "hz", "johab"])
def test_in_encodings_of_several_bytes_the_place_is_found(name: str) -> None:
    start = "http://h.example/a"
    text = ("中文 " * 300 + f"({start})\n") * 3
    data = text.encode(name)
    decoded = decode(data, name)
    assert decoded.text == text
    at = -1
    while (at := text.find(start, at + 1)) >= 0:
        first, last = decoded.map.to_source(at, at + len(start))
        assert data[first:last].decode("ascii") == start


@given(
    st.binary(max_size=60),
    st.sampled_from([None, "latin-1", "shift_jis", "gbk", "iso2022_jp", "hz", "utf-16", "utf-32"]),
)
def test_no_bytes_are_trouble_and_every_place_is_in_the_file(data: bytes, encoding: str | None) -> None:
    decoded = decode(data, encoding)
    for at in range(len(decoded.text) + 1):
        start, end = decoded.map.to_source(0, at)
        assert 0 <= start <= end <= len(data)


@given(st.text(max_size=60), st.sampled_from(list(MARKED)))
def test_every_character_stands_where_the_map_says(text: str, name: str) -> None:
    text = "".join(character for character in text if not 0xD800 <= ord(character) < 0xE000)
    assume(name != "utf-16-le" or not text.startswith("\0"))  # that mark and a NUL are the mark of UTF-32
    data = MARKED[name] + text.encode(name)
    decoded = decode(data)
    assert decoded.text == text
    for at, character in enumerate(text):
        start, end = decoded.map.to_source(at, at + 1)
        assert data[start:end].decode(name) == character
        assert decoded.map.encode(at, at + 1, character) == data[start:end]


def test_a_nul_in_the_first_8_kb_is_binary_unless_a_mark_or_the_caller_says_otherwise() -> None:
    assert is_binary(b"a" * 8191 + b"\0")
    assert not is_binary(b"a" * 8192 + b"\0")
    assert not is_binary(codecs.BOM_UTF16_LE + b"a\0")
    assert not is_binary(b"a\0", "utf-16")
    assert is_binary(b"a\0", "latin-1")
    assert not is_binary(b"")


def test_plain_text_is_one_segment() -> None:
    (segment,) = segments(b"\xef\xbb\xbfhttp://h.example/")
    assert (segment.text, segment.kind) == ("http://h.example/", "plain")
    assert segment.locate(0, 4) == (1, 1, 1, 5, 3, 7)


def test_an_unknown_kind_names_those_that_are_known() -> None:
    with pytest.raises(ConfigError, match=r"unknown kind 'x'.*plain"):
        segments(b"", kind="x")
