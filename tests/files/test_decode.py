"""Test decoding and the map from text to bytes, for every encoding."""

import codecs

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from urlscan.core.errors import ConfigError
from urlscan.documents import read_documents
from urlscan.files.decode import codec_name, decode, is_binary

TEXT = "größe <http://h.example/日本> 🙂\r\nend"
MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


@pytest.mark.parametrize("name", MARKED)
def test_byte_order_mark_determines_the_encoding_and_is_removed(name: str) -> None:
    data = MARKED[name] + TEXT.encode(name)
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (TEXT, name)
    start = TEXT.index("http")
    first, last = decoded.map.to_source(start, start + 20)
    assert data[first:last].decode(name) == TEXT[start : start + 20]


def test_byte_order_mark_overrides_the_given_encoding() -> None:
    assert decode(codecs.BOM_UTF8 + b"\xc3\xa9", "latin-1").text == "é"


def test_default_is_utf_8_with_surrogates_for_invalid_bytes() -> None:
    data = b"caf\xe9 <http://h.example/\xc3\xa9> \xff"
    decoded = decode(data)
    assert decoded.text == "caf\udce9 <http://h.example/é> \udcff"
    start, end = decoded.map.to_source(6, 24)
    assert data[start:end].decode() == "http://h.example/é"


def test_decoding_in_blocks_gives_the_same_text() -> None:
    line = "é http://h.example/x\n".encode() + b"\xff\xf0\x9f\n"
    data = b"x" * 70_000 + line * 20_000 + b"\xe2\x82"
    assert decode(data).text == data.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\x00\xd8", b"\xff\xfea", b"\xff\xfe\x00\x00\xff\xff\xff\xff", b"\x00\x00\xfe\xffx", b"\xff\xfe", b""],
)
def test_incomplete_code_units_are_accepted(data: bytes) -> None:
    decoded = decode(data)
    start, end = decoded.map.to_source(0, len(decoded.text))
    assert 0 <= start <= end <= len(data)


@pytest.mark.parametrize(
    "name", ["hex", "rot13", "idna", "undefined", "unicode_escape", "utf-7", "no such", "", "a\0b"]
)
def test_encodings_unsuitable_for_files_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="unknown encoding"):
        codec_name(name)


@pytest.mark.parametrize("name", ["latin-1", "cp1252", "koi8-r", "ascii", "cp037"])
def test_single_byte_encodings_map_every_byte(name: str) -> None:
    data = bytes(range(256))
    decoded = decode(data, name)
    assert decoded.map.to_source(200, 256) == (200, 256)
    assert decoded.map.encode(0, 256, decoded.text) == data


@pytest.mark.parametrize("name", ["shift_jis", "euc_jp", "gbk", "gb18030", "big5", "iso2022_jp", "hz", "johab"])
def test_multibyte_encodings_map_to_the_bytes(name: str) -> None:
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
def test_any_bytes_are_decoded_and_offsets_are_within_the_file(data: bytes, encoding: str | None) -> None:
    decoded = decode(data, encoding)
    for at in range(len(decoded.text) + 1):
        start, end = decoded.map.to_source(0, at)
        assert 0 <= start <= end <= len(data)


@given(st.text(max_size=60), st.sampled_from(list(MARKED)))
def test_map_locates_every_character(text: str, name: str) -> None:
    text = "".join(character for character in text if not 0xD800 <= ord(character) < 0xE000)
    assume(name != "utf-16-le" or not text.startswith("\0"))  # this mark and a NUL form the mark of UTF-32
    data = MARKED[name] + text.encode(name)
    decoded = decode(data)
    assert decoded.text == text
    for at, character in enumerate(text):
        start, end = decoded.map.to_source(at, at + 1)
        assert data[start:end].decode(name) == character
        assert decoded.map.encode(at, at + 1, character) == data[start:end]


def test_nul_in_the_first_8_kb_means_binary_unless_the_encoding_contains_it() -> None:
    assert is_binary(b"a" * 8191 + b"\0")
    assert not is_binary(b"a" * 8192 + b"\0")
    assert not is_binary(codecs.BOM_UTF16_LE + b"a\0")
    assert not is_binary(b"a\0", "utf-16")
    assert is_binary(b"a\0", "latin-1")
    assert not is_binary(b"")


def test_plain_text_is_one_segment() -> None:
    (document,) = read_documents(b"\xef\xbb\xbfhttp://h.example/")
    assert (document.text, document.kind) == ("http://h.example/", "plain")
    assert document.locate(0, 4) == (1, 1, 1, 5, 3, 7)


def test_unknown_kind_is_an_error_with_the_choices() -> None:
    with pytest.raises(ConfigError, match=r"unknown kind 'x'.*plain"):
        read_documents(b"", kind="x")
