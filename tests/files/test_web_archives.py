"""Test the reading of web archives: records, payloads, damage, limits."""

import gzip
import io
import json
import random
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan as library
from tests.command import urlscan
from tests.containers import extract, zipped, zst
from tests.strategies import examples
from tests.web_archives import PAGE, URLS, chunked, gz, http, read, record, response
from urlscan.core.project import install_command
from urlscan.files.decode import container_of

A, B, C = (response(f"http://{name}.example/") for name in "abc")
WET = record("conversion", "http://t.example/", b"See http://h.example/wet.", "text/plain")
WAT = record("metadata", "http://t.example/", rb'{"u": "http:\/\/h.example\/wat"}', "application/json")


def urls(data, name="a.warc", *options):
    """Return the URLs in a web archive, and the notes."""
    found = extract("--format", "jsonl", *options, "--stdin-filename", name, "-", stdin=data)
    return [json.loads(line)["url"] for line in found.lines], found.err


# --- records


def test_record_is_a_member_with_its_position_and_uri(here):
    (here / "a.warc").write_bytes(A + B)
    lines = [json.loads(line) for line in extract("--format", "jsonl", "a.warc").lines]
    assert [line["member"] for line in lines] == [*["0 http://a.example/"] * 2, *[f"{len(A)} http://b.example/"] * 2]
    assert [line["url"] for line in lines] == URLS * 2
    block = http()
    assert [block[line["start"] : line["end"]] for line in lines[:2]] == [
        b"http://h.example/a?x=1&amp;y=2",
        b"http://h.example/b",
    ]
    assert {line["line"] for line in lines} == {4}  # after the header and an empty line


@pytest.mark.parametrize("pack", [gz, lambda *records: gzip.compress(b"".join(records)), lambda *r: zst(b"".join(r))])
def test_packed_archive_equals_the_plain_one(pack):
    records = [A, WET, B, WAT]
    assert urls(pack(*records)) == urls(b"".join(records))
    assert len(urls(pack(*records))[0]) == 6


def test_crawlers_own_records_are_not_read():
    request = record("request", "http://a.example/", b"GET / HTTP/1.1\r\nReferer: http://no.example/\r\n\r\n")
    info = record("warcinfo", "", b"description: http://no.example/\r\n", "application/warc-fields")
    assert urls(info + request + A)[0] == URLS


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(WET, ["http://h.example/wet"], id="text"),
        pytest.param(WAT, ["http://h.example/wat"], id="escaped JSON"),
        pytest.param(
            record("resource", "http://h.example/a.md", b"[a](http://h.example/a)", "application/octet-stream"),
            ["http://h.example/a"],
            id="kind by the name in the URI",
        ),
        pytest.param(
            record(
                "resource", "http://h.example/", "http://h.example/ä ".encode("latin-1"), "text/plain;charset=Latin1"
            ),
            ["http://h.example/ä"],
            id="encoding of the record",
        ),
        pytest.param(
            record(
                "revisit", "http://h.example/", b"HTTP/1.1 304 Not Modified\r\nLocation: http://h.example/a\r\n\r\n"
            ),
            ["http://h.example/a"],
            id="revisit",
        ),
        pytest.param(
            record("metadata", "", b"outlink: http://h.example/a L a/@href\r\n", "application/warc-fields"),
            ["http://h.example/a"],
            id="no target",
        ),
        pytest.param(
            record("response", "http://h.example/", b"see http://h.example/a "), ["http://h.example/a"], id="no header"
        ),
        pytest.param(A.replace(b"WARC/1.1", b"WARC/1.0"), URLS, id="version 1.0"),
        pytest.param(response("http://\udcff.example/"), URLS, id="target that is not UTF-8"),
    ],
)
def test_content_follows_the_content_type(data, expected):
    assert urls(data) == (expected, "")


# --- payloads


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        pytest.param(gzip.compress(PAGE), ["Content-Encoding: gzip"], id="gzip"),
        pytest.param(zlib.compress(PAGE), ["Content-Encoding: deflate"], id="deflate"),
        pytest.param(zlib.compress(PAGE, wbits=-15), ["Content-Encoding: deflate"], id="deflate without a header"),
        pytest.param(zst(PAGE), ["Content-Encoding: zstd"], id="zstd"),
        pytest.param(chunked(PAGE), ["Transfer-Encoding: chunked"], id="chunked"),
        pytest.param(chunked(PAGE, 1), ["transfer-encoding:Chunked"], id="chunks of one byte"),
        pytest.param(
            chunked(gzip.compress(PAGE)),
            ["Content-Encoding: x-gzip", "Transfer-Encoding: chunked"],
            id="gzip in chunks",
        ),
        pytest.param(
            zlib.compress(gzip.compress(PAGE)), ["Content-Encoding: gzip, deflate", "Vary: *"], id="two codings"
        ),
        pytest.param(PAGE, ["Content-Encoding: gzip", "Transfer-Encoding: chunked"], id="decoded by the crawler"),
        pytest.param(PAGE, ["Content-Encoding: br"], id="Brotli decoded by the crawler"),
        pytest.param(gzip.compress(PAGE), [], id="a compressed file"),
        pytest.param(PAGE.decode().encode("utf-16"), [], id="UTF-16"),
        pytest.param(PAGE.decode().encode("utf-32"), [], id="UTF-32"),
    ],
)
def test_payload_is_decoded(body, fields):
    assert urls(response("http://a.example/", body, "text/html", *fields)) == (URLS, "")


def test_brotli_is_decoded():
    from fastwarc.stream_io import BrotliWriter

    packed = io.BytesIO()
    writer = BrotliWriter(packed)
    writer.write(PAGE)
    writer.close()
    data = response("http://a.example/", packed.getvalue(), "text/html", "Content-Encoding: br")
    assert urls(data) == (URLS, "")
    cut = response("http://a.example/", packed.getvalue()[:-9], "text/html", "Content-Encoding: br")
    assert "a payload that cannot be decoded" in urls(cut + A)[1]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(chunked(gzip.compress(PAGE * 999)[:-20]), id="truncated"),
        pytest.param(chunked(b"\x1f\x8b\x08\0" + bytes(range(200))), id="damaged"),
        pytest.param(chunked(gzip.compress(random.Random(1).randbytes(2000)), 99)[:-80], id="without the last chunk"),
        pytest.param(b"5\r\nabcdefgh\r\n", id="chunk without an end"),
    ],
)
def test_undecodable_payload_is_a_note(body):
    damaged = response("http://d.example/", body, "text/html", "Content-Encoding: gzip", "Transfer-Encoding: chunked")
    found = extract("--stdin-filename", "a.warc", "-", stdin=damaged + A)
    assert found.lines[-2:] == URLS
    assert found.status == 0
    assert "0 http://d.example/: the rest of a payload that cannot be decoded (" in found.err


def test_unknown_coding_is_a_note():
    data = response("http://d.example/", b"\0\1\2http://no.example/", "text/html", "Content-Encoding: rot13")
    assert urls(data + A)[0] == URLS
    assert "cannot be decoded (unknown coding)" in urls(data + A)[1]


def test_binary_payload_leaves_the_header():
    field = "Link: <http://h.example/next>; rel=next"
    picture = response("http://p.example/", b"\x89PNG http://no.example/ ", "image/png", field)
    unknown = response("http://u.example/", b"\x7fELF\0 http://no.example/ ", "application/x-thing", field)
    assert urls(picture + unknown) == (["http://h.example/next"] * 2, "")


@pytest.mark.parametrize(
    ("content_type", "body", "url"),
    [
        ("text/html; charset=windows-1251", "<a href='http://h.example/д'>".encode("cp1251"), "http://h.example/д"),
        ("text/html", "<meta charset=koi8-r><a href='http://h.example/д'>".encode("koi8-r"), "http://h.example/д"),
        ("application/ld+json", rb'{"u": "http:\/\/h.example\/a"}', "http://h.example/a"),
        ("text/css", b"a { b: url(http://h.example/a) }", "http://h.example/a"),
        ("application/javascript", rb'a = "http:\/\/h.example\/a"', "http://h.example/a"),
        ("application/rss+xml", b"<link>http://h.example/?a&amp;b</link>", "http://h.example/?a&b"),
        ("text/plain", b"http://h.example/?a&amp;b ", "http://h.example/?a&amp;b"),
        ("", b"<!doctype html><a href='http://h.example/?a&amp;b'>", "http://h.example/?a&b"),
    ],
)
def test_body_is_read_as_its_media_type(content_type, body, url):
    assert urls(response("http://a.example/", body, content_type)) == ([url], "")


# --- damage


@pytest.mark.parametrize(
    ("data", "count", "message"),
    [
        pytest.param((A + B)[:-20], 2, "unexpected end of data", id="truncated block"),
        pytest.param(A + B[:100], 1, "the rest is not read", id="truncated header"),
        pytest.param(A + b"garbage: a\r\n\r\n" + B, 2, "damaged record", id="garbage between records"),
        pytest.param(b"garbage\r\n" + A + B, 2, "damaged record", id="garbage before records"),
        pytest.param(
            A + response("http://n/").replace(b"Length: ", b"Length: -") + B, 2, "damaged record", id="negative length"
        ),
        pytest.param(
            A + record("response", "http://n/", http(), Content_Length="x") + B, 2, "damaged record", id="no number"
        ),
        pytest.param(
            A + record("response", "http://n/", http(), Content_Length="") + B, 2, "damaged record", id="no length"
        ),
        pytest.param(
            A + record("response", "http://n/", http(), Content_Length="9" * 40) + B, 2, "damaged record", id="huge"
        ),
        pytest.param(
            A + record("response", "http://n/", http(), Content_Length="9") + B, 2, "damaged record", id="too short"
        ),
        pytest.param(
            A + record("response", "http://n/", http(), Content_Length=str(len(http()) + 30)) + B + C,
            4,
            "damaged record",
            id="too long",
        ),
        pytest.param(
            A + record("response", "http://n/", http(), X="x" * 99999) + B, 2, "damaged record", id="long header"
        ),
        pytest.param(A + B.replace(b"WARC/1.1", b"WARC/7.7") + C, 2, "damaged record", id="unknown version"),
        pytest.param((A + B).replace(b"\r\n", b"\n"), 0, "the rest is not read", id="LF only"),
        pytest.param(gz(A, B)[:-20], 2, "unexpected end of data", id="truncated gzip"),
    ],
)
def test_damage_is_an_error_and_the_rest_is_read(data, count, message):
    found = extract("--stdin-filename", "a.warc", "-", stdin=data)
    assert found.status == 2
    assert message in found.err
    assert "Traceback" not in found.err
    whole = [name for name in found.lines if name == URLS[0]]
    assert len(whole) == count


def test_many_damaged_records_end_the_reading():
    found, notes = read(A + b"\nWARC/1.0\r\n" * 5000 + B)
    assert len(found) == 1
    assert len(notes) < 200
    assert notes[-1] == "damaged record; the rest is not read"


RECORDS = b"".join(
    [
        A,
        WET,
        response("http://g/", chunked(gzip.compress(PAGE)), "text/html", "Content-Encoding: gzip, chunked"),
        WAT,
        B,
    ]
)


@examples(60)
@given(st.integers(0, len(RECORDS)), st.binary(max_size=20), st.integers(0, len(RECORDS)), st.integers(0, 60))
def test_damaged_archive_never_raises_another_exception(at, inserted, start, length):
    data = RECORDS[:at] + inserted + RECORDS[at:]
    data = data[:start] + data[start + length :]
    before, _ = read(RECORDS)
    found, _ = read(data)
    first = min(at, start)
    ends = [int(name.split()[0]) for name, _ in before[1:]]
    whole = [one for one, end in zip(before, ends, strict=False) if end <= first - 2]
    assert found[: len(whole)] == whole  # all of what precedes the damage


@examples(30)
@given(st.integers(0, len(RECORDS)))
def test_truncated_archive_keeps_what_precedes(size):
    found, notes = read(RECORDS[:size])
    whole, _ = read(RECORDS)
    assert [name for name, _ in found] == [name for name, _ in whole[: len(found)]]
    for (_, content), (_, complete) in zip(found, whole, strict=False):
        assert complete.startswith(content)
    if 0 < size < len(RECORDS) - 10 and RECORDS[size - 4 : size] != b"\r\n\r\n":
        assert notes


# --- as other archives


def test_archive_is_recognized_by_content_and_by_name():
    assert container_of(A, "a.txt") == container_of(A) == "warc"
    assert container_of(b"damaged", "a.WARC") == container_of(b"damaged", "x.warc.wet") == "warc"
    assert container_of(b"WARC/1.0 is a format", "a.txt") == container_of(b"", "a.warc") == ""


def test_nested_archive_and_library(here):
    (here / "a.zip").write_bytes(zipped({"b/c.warc": A}))
    found = list(library.scan_file(here / "a.zip"))
    assert [one.url for one in found] == URLS
    assert {one.member for one in found} == {"b/c.warc:0 http://a.example/"}


def test_check_opens_it_like_other_archives(here):
    (here / "d").mkdir()
    (here / "d/a.warc").write_bytes(response("http://a.example/", b"<a href='http://h.example/%zz'>"))
    assert urlscan("check", "d").status == 0
    assert urlscan("check", "--no-decompress", "d/a.warc").status == 0
    for arguments in (["d/a.warc"], ["--decompress", "d"]):
        found = urlscan("check", "--format", "concise", *arguments)
        assert "a.warc:0 http://a.example/:4:27: U201" in found.text
        assert found.status == 1


def test_suppression_comments_of_strangers_are_not_honored(here):
    page = b"<a href='http://h.example/%zz'><!-- urlscan: ignore[U201] -->"
    (here / "a.warc").write_bytes(response("http://a.example/", page))
    assert "U201" in urlscan("check", "a.warc").text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<a href='b.html'>", "https://a.example/d/b.html"),
        (b"<base href='e/'><a href='/b.html'>", "https://a.example/b.html"),
        (b"<base href='//c.example/e/'><a href='b.html'>", "https://c.example/e/b.html"),
    ],
)
def test_references_are_resolved_against_the_target(body, expected):
    data = A + response("https://a.example/d/a.html", body) + response("https://jo:secret@a.example/", b"<a href='x'>")
    lines = extract("--relative", "--resolve", "--base", "http://other.example/", "-", stdin=data).lines
    assert lines[-2:] == [expected, "https://jo:***@a.example/x"]


def test_secret_in_the_target_is_masked(here):
    (here / "a.warc").write_bytes(response("http://jo:secret@a.example/"))
    found = extract("--format", "jsonl", "a.warc").text
    assert "http://jo:***@a.example/" in found
    assert "jo:secret" not in found


def test_members_are_excluded_by_uri(here):
    (here / "a.warc").write_bytes(response("http://a.example/x/a.html") + response("http://a.example/y/a.html"))
    found = extract("--exclude", "y", "--format", "jsonl", "a.warc")
    assert {json.loads(line)["member"] for line in found.lines} == {"0 http://a.example/x/a.html"}


def test_processes_find_the_same(here):
    (here / "a.warc.gz").write_bytes(gz(*[A, B, WET, WAT] * 50))
    one = extract("--format", "jsonl", "--jobs", "1", "a.warc.gz")
    assert extract("--format", "jsonl", "--jobs", "2", "a.warc.gz").text == one.text
    assert len(one.lines) == 300


def test_missing_library_is_one_clear_line(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastwarc", None)
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    (here / "a.warc").write_bytes(A)
    found = extract("a.warc")
    assert found.status == 2
    assert found.err == (
        "urlscan: a.warc: reading web archives requires the package fastwarc, which is not installed"
        f" ({install_command('warc')}, or --no-decompress)\n"
    )


def test_bomb_in_a_payload_ends_at_the_limit():
    text = gzip.compress(b"a " * (1 << 20))
    data = response("http://b.example/", text, "text/plain", "Content-Encoding: gzip")
    found = extract("--max-unpacked", "1M", "--stdin-filename", "a.warc", "-", stdin=A + data)
    assert found.status == 2
    assert "unpacks to more than 1M" in found.err
    assert found.lines == URLS
