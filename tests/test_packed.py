"""What is compressed or in an archive is read as if it were not: the same URLs at the same places, and no harm done."""

import bz2
import gzip
import io
import json
import lzma
import os
import random
import stat
import struct
import subprocess
import sys
import tarfile
import warnings
import zipfile
import zlib
from pathlib import Path

import jsonschema
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.command import clean_environment, urlscan
from urlscan import run
from urlscan.finder import record
from urlscan.run import reading
from urlscan.sources.identify import container_of

ROOT = Path(__file__).parent.parent
TEXT = b"See <URL:http://h.example/lo\nng>, http://h.example/a|b \xc3\xa9 \xff\r\nand ftp://h.example/c.\n"
URLS = ["http://h.example/long", "http://h.example/a|b", "ftp://h.example/c"]
PAGE = b'<!DOCTYPE html>\n<a href="http://h.example/?a=1&amp;b=2">here</a>\n'
BAD = b"http://h.example/100%\n"


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def tar(members: dict[str, bytes], format: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


class Pipe(io.RawIOBase):
    """What cannot be sought, so that sizes stand behind the data and not before it."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += bytes(data)
        return len(data)


def zipped_to_a_pipe(members: dict[str, bytes]) -> bytes:
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return pipe.data


COMPRESSED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zst}
ARCHIVED = {
    "a pax tar": tar,
    "a GNU tar": lambda members: tar(members, tarfile.GNU_FORMAT),
    "an ustar": lambda members: tar(members, tarfile.USTAR_FORMAT),
    "a zip": zipped,
    "a zip that stores": lambda members: zipped(members, zipfile.ZIP_STORED),
    "a zip by bzip2": lambda members: zipped(members, zipfile.ZIP_BZIP2),
    "a zip by LZMA": lambda members: zipped(members, zipfile.ZIP_LZMA),
    "a zip to a pipe": zipped_to_a_pipe,
}


def found(path, **options):
    """Return (member, url, place) of every URL, and what was said, of one file that is read in this process."""

    def work(scanned, segment, path):
        return [(segment.member, one.url, segment.locate(one.start, one.end)) for one in map(record, scanned)]

    results = list(run.extract([str(path)], run.Reading(**options), run.Wanted(), work))
    said = [result for result in results if not isinstance(result, run.Found)]
    return [one for result in results if isinstance(result, run.Found) for one in result.result], said


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def extract(*arguments, **more):
    return urlscan("extract", *arguments, **more)


# --- the same as the text itself


@pytest.mark.parametrize("how", COMPRESSED)
def test_a_compressed_file_is_the_file(here, how):
    (here / "a.txt").write_bytes(TEXT)
    (here / f"b.{how}").write_bytes(COMPRESSED[how](TEXT))
    plain = extract("--format", "jsonl", "a.txt")
    packed = extract("--format", "jsonl", f"b.{how}")
    assert packed.text == plain.text.replace('"a.txt"', f'"b.{how}"')
    assert packed.status == 0
    assert [json.loads(line)["url"] for line in packed.lines] == URLS


@pytest.mark.parametrize("how", ARCHIVED)
def test_a_member_is_a_file(here, how):
    (here / "a.txt").write_bytes(TEXT)
    (here / "b").write_bytes(ARCHIVED[how]({"x/a.txt": TEXT, "x/b.html": PAGE}))
    plain = [json.loads(line) for line in extract("--format", "jsonl", "a.txt").lines]
    packed = [json.loads(line) for line in extract("--format", "jsonl", "b").lines]
    assert packed[:-1] == [{**record, "path": "b", "member": "x/a.txt"} for record in plain]
    assert (packed[-1]["url"], packed[-1]["member"]) == ("http://h.example/?a=1&b=2", "x/b.html")
    assert extract("--with-filename", "b").lines == [f"b:x/a.txt:{url}" for url in URLS] + [
        "b:x/b.html:http://h.example/?a=1&b=2"
    ]


def test_members_in_members(here):
    inner = zipped({"c.txt": TEXT, "d.html.xz": lzma.compress(PAGE)})
    (here / "a.tar.gz").write_bytes(gzip.compress(tar({"b.zip": inner, "e/mbox.bz2": bz2.compress(TEXT)})))
    assert extract("--with-filename", "a.tar.gz").lines == [
        *(f"a.tar.gz:b.zip:c.txt:{url}" for url in URLS),
        "a.tar.gz:b.zip:d.html.xz:http://h.example/?a=1&b=2",
        *(f"a.tar.gz:e/mbox.bz2:{url}" for url in URLS),
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["<URL:", "http://h.example/a", "\r", "\n", ">", " ", "é", "\udcff", "b|c%", "\0"])),
    st.lists(st.sampled_from(sorted([*COMPRESSED, *ARCHIVED])), min_size=1, max_size=4),
)
def test_any_text_in_any_containers(tmp_path_factory, pieces, layers):
    directory = tmp_path_factory.mktemp("packed")
    data = "".join(pieces).encode("utf-8", "surrogateescape")
    (directory / "a.txt").write_bytes(data)
    packed, names = data, []
    for layer in layers:
        if layer in COMPRESSED:
            packed = COMPRESSED[layer](packed)
        else:
            name = "a.txt" if not names else f"{len(names)}.bin"
            packed = ARCHIVED[layer]({name: packed})
            names.insert(0, name)
    (directory / "packed").write_bytes(packed)
    plain, skipped = found(directory / "a.txt")
    expected = [(":".join(names), url, place) for _, url, place in plain]
    unpacked, said = found(directory / "packed")
    assert unpacked == expected
    assert len(said) == len(skipped)  # of what is binary
    for path in directory.iterdir():
        path.unlink()


def test_standard_input_may_be_packed():
    assert extract(stdin=gzip.compress(TEXT)).lines == URLS
    assert extract("--with-filename", stdin=zipped({"a": TEXT})).lines == [f"-:a:{url}" for url in URLS]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.html.gz", "html"), ("a.gz", "html by its beginning"), ("a.txt.gz", "plain"), ("a", "html by its beginning")],
)
def test_the_name_inside_tells_the_kind(here, name, kind):
    (here / name).write_bytes(gzip.compress(PAGE))
    assert ("&amp;" in extract(name).text) == (kind == "plain")


def test_as_says_what_is_inside(here):
    (here / "a.tgz").write_bytes(gzip.compress(tar({"a.txt": PAGE})))
    assert "&amp;" in extract("a.tgz").text
    assert "&amp;" not in extract("--as", "html", "a.tgz").text


def test_a_large_member_is_read_in_stretches(here, monkeypatch):
    text = b"".join(b"line %d <http://h.example/%d\n/x>\n\n" % (n, n) for n in range(9000)) + "é\n".encode()
    (here / "a.txt").write_bytes(text)
    (here / "a.tgz").write_bytes(gzip.compress(tar({"x.txt": text, "y.txt": BAD})))
    (here / "a.zip").write_bytes(zipped({"x.txt": text, "y.txt": BAD}))
    plain, _ = found("a.txt")
    assert len(plain) == 9000
    monkeypatch.setattr(reading, "LARGE", 10_000)
    for name in ("a.tgz", "a.zip"):
        unpacked, said = found(name)
        assert said == []
        assert unpacked[:-1] == [("x.txt", url, place) for _, url, place in plain]
        assert unpacked[-1][:2] == ("y.txt", "http://h.example/100%")


def test_how_many_processes_there_are_changes_nothing(here):
    noise = random.Random(1)
    members = {}
    for number in range(40):
        words = [f"http://h.example/{noise.randrange(1 << 40):x}|x\n\n" + "word " * 200 for _ in range(20)]
        members[f"{number}.txt"] = " ".join(words).encode() + b"\n"
    (here / "a.tgz").write_bytes(gzip.compress(tar(members)))
    # more than one process may unpack of what it shares, so that another way is taken
    (here / "b.zip").write_bytes(zipped({"large.txt": b"\n\n".join(members.values()) * 25, **members}))
    for number in range(30):
        (here / f"c{number}.txt.gz").write_bytes(gzip.compress(TEXT + b"http://h.example/%d" % number))
    (here / "broken.gz").write_bytes(gzip.compress(members["0.txt"])[:-50])
    for command in (["extract", "--format", "jsonl"], ["check", "--decompress", "--format", "concise"]):
        one, two = (urlscan(*command, "-j", jobs, ".") for jobs in "12")
        assert one.out == two.out
        assert sorted(one.err.splitlines()) == sorted(two.err.splitlines())
        assert one.status == two.status == 2
        assert len(one.lines) > 20_000


# --- which files are opened


def test_no_decompress_leaves_it_shut(here):
    for name, pack in COMPRESSED.items():
        (here / name).write_bytes(pack(TEXT))
        done = extract("--no-decompress", name)
        assert (done.out, done.err, done.status) == (b"", f"urlscan: {name}: a binary file, skipped\n", 0)


def test_check_opens_in_a_directory_only_when_told_to(here):
    (here / "d").mkdir()
    (here / "d/a.gz").write_bytes(gzip.compress(BAD))
    (here / "d/broken.zip").write_bytes(zipped({"a": BAD})[:-10])
    done = urlscan("check", "-v", "d")
    assert (done.status, done.out) == (0, b"")
    assert "d/a.gz: compressed (--decompress opens it), skipped" in done.err
    assert urlscan("check", "--decompress", "d", "--format", "concise").status == 2
    assert urlscan("check", "d/a.gz", "--format", "concise").text.startswith("d/a.gz:1:21: U201")
    assert extract("d").lines == [BAD.decode().strip()] * 2


def test_excluded_members(here):
    (here / "a.zip").write_bytes(zipped({"x/a.txt": b"http://a.example/", "b.svg": b"http://b.example/", "c": BAD}))
    (here / "a.tar").write_bytes(tar({"../../x/../a.txt": b"http://a.example/", "/etc/b.svg": b"http://b.example/"}))
    assert extract("a.zip", "--exclude", "*.svg", "--exclude", "x/").lines == ["http://h.example/100%"]
    assert extract("a.zip", "--exclude", "x/*.txt", "--exclude", "a.zip/c").lines == ["http://b.example/"]
    assert extract("a.tar", "--exclude", "*.svg").lines == ["http://a.example/"]
    assert extract("a.tar", "--exclude", "etc").lines == ["http://a.example/"]


# --- findings


def test_marks_are_not_obeyed(here):
    text = b"http://h.example/100% urlscan: ignore[U201]\n"
    (here / "a.txt").write_bytes(text)
    (here / "a.txt.gz").write_bytes(gzip.compress(text))
    (here / "a.zip").write_bytes(zipped({"a.txt": text}))
    assert urlscan("check", "a.txt").status == 0
    for name in ("a.txt.gz", "a.zip"):
        assert urlscan("check", name).status == 1


def test_fix_refuses(here):
    (here / "a.zip").write_bytes(zipped({"a.txt": b"http://h.example/a|b\n"}))
    (here / "b.txt").write_bytes(b"http://h.example/a|b\n")
    before = (here / "a.zip").read_bytes()
    done = urlscan("check", "--fix", "a.zip", "b.txt")
    assert (here / "a.zip").read_bytes() == before
    assert (here / "b.txt").read_bytes() == b"http://h.example/a%7Cb\n"
    assert done.err == "urlscan: a.zip: what is compressed cannot be edited\n"
    assert done.status == 2
    done = urlscan("check", "--fix", "-", stdin=before)
    assert (done.out, done.status) == (before, 2)


@pytest.mark.parametrize(
    "format", ["full", "concise", "grouped", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"]
)
def test_every_format_names_the_member_and_offers_no_fix(here, format):
    (here / "a.zip").write_bytes(zipped({"x/b.txt": b"http://h.example/a|b\n"}))
    done = urlscan("check", "--format", format, "a.zip")
    assert done.status == 1
    assert "x/b.txt" in done.text
    assert "--fix" not in done.text
    assert '"fixes"' not in done.text
    if format in ("json", "jsonl"):
        (finding,) = json.loads(done.text) if format == "json" else map(json.loads, done.lines)
        assert (finding["path"], finding["member"], finding["start"], finding["fix"]) == ("a.zip", "x/b.txt", 18, None)


def test_hostile_names_are_only_shown_and_escaped(here):
    names = ["/etc/passwd", "../../up", "a\x1b[31mb", "a\nb", "c:d", "-rf", "é" * 150]
    (here / "a.tar").write_bytes(tar(dict.fromkeys(names, b"http://h.example/")))
    (here / "a.zip").write_bytes(zipped(dict.fromkeys(names, b"http://h.example/")))
    for name in ("a.tar", "a.zip"):
        done = extract("--with-filename", name)
        assert len(done.lines) == len(names)
        assert not set(done.text) & {"\x1b"}
        assert done.lines[0] == f"{name}:/etc/passwd:http://h.example/"
        assert [json.loads(line)["member"] for line in extract("--format", "jsonl", name).lines] == names
    assert sorted(os.listdir(here)) == ["a.tar", "a.zip"]


# --- what is no text


def test_what_is_no_regular_file_is_passed_over(here):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"5"):
            entry = tarfile.TarInfo("http-is-here")
            entry.type, entry.linkname = kind, "http://link.example/"
            archive.addfile(entry)
        entry = tarfile.TarInfo("last")
        entry.size = len(BAD)
        archive.addfile(entry, io.BytesIO(BAD))
    (here / "a.tar").write_bytes(file.getvalue())
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        entry = zipfile.ZipInfo("link")
        entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "http://link.example/")
        archive.writestr("directory/", "")
        archive.writestr("last", BAD)
    (here / "a.zip").write_bytes(file.getvalue())
    for name in ("a.tar", "a.zip"):
        done = extract(name)
        assert (done.lines, done.err, done.status) == (["http://h.example/100%"], "", 0)


def test_binary_members_are_counted(here):
    (here / "a.zip").write_bytes(zipped({"a.png": b"\x89PNG\0\0http://h.example/x", "b": BAD, "c.bin": b"\0"}))
    done = extract("a.zip")
    assert (done.lines, done.status) == (["http://h.example/100%"], 0)
    assert done.err == "urlscan: 2 binary files skipped (-v names them)\n"
    assert "urlscan: a.zip:a.png: a binary file, skipped\n" in extract("-v", "a.zip").err


def test_names_that_come_twice(here):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("a", "http://one.example/")
        archive.writestr("a", "http://two.example/")
    (here / "a.zip").write_bytes(file.getvalue())
    (here / "a.tar").write_bytes(tar({"a": b"http://one.example/"})[:1024] + tar({"a": b"http://two.example/"}))
    for name in ("a.zip", "a.tar"):
        assert extract(name).lines == ["http://one.example/", "http://two.example/"]


# --- what is damaged: what could be read is reported, then one line


LONG = b"".join(b"http://h.example/%d is the %dth of them\n" % (number, number * 7919 % 6151) for number in range(3000))


@pytest.mark.parametrize("how", COMPRESSED)
def test_streams_follow_each_other(here, how):
    (here / "a").write_bytes(COMPRESSED[how](TEXT) + COMPRESSED[how](b"http://") + COMPRESSED[how](b"two.example/"))
    assert extract("a").lines == [*URLS, "http://two.example/"]


@pytest.mark.parametrize("how", ["gz", "bz2", "xz"])
def test_zeros_behind_the_end_are_padding(here, how):
    (here / "a").write_bytes(COMPRESSED[how](TEXT) + bytes(100_000) + COMPRESSED[how](BAD) + bytes(512))
    done = extract("a")
    assert (done.lines, done.status) == ([*URLS, "http://h.example/100%"], 0)


@pytest.mark.parametrize("how", COMPRESSED)
def test_garbage_behind_the_end(here, how):
    (here / "a").write_bytes(COMPRESSED[how](TEXT) + b"garbage http://garbage.example/")
    (here / "b.txt").write_bytes(BAD)
    done = extract("a", "b.txt")
    assert done.lines == [*URLS, "http://h.example/100%"]
    assert (done.err.splitlines()[0], done.status) == ("urlscan: a: what stands behind its end is of no known form", 2)


@pytest.mark.parametrize("how", COMPRESSED)
def test_a_truncated_file(here, how):
    (here / "a").write_bytes(COMPRESSED[how](LONG)[:-1000])
    (here / "b.txt").write_bytes(BAD)
    done = extract("a", "b.txt")
    assert (done.err, done.status) == ("urlscan: a: it ends too early\n", 2)
    assert done.lines[-1] == "http://h.example/100%"
    read = done.lines[:-1]
    if how not in ("bz2", "zst"):  # they have blocks, and of this file one
        assert len(read) > 2000
    assert read[:-1] == [f"http://h.example/{number}" for number in range(max(len(read) - 1, 0))]


@pytest.mark.parametrize(
    ("how", "at"), [("gz", 0.3), ("gz", 0.9), ("xz", 0.3), ("xz", 0.9), ("zst", 0.3), ("zst", 0.9), ("bz2", 0.9)]
)
def test_a_damaged_file(here, how, at):
    data = bytearray(COMPRESSED[how](LONG))
    for place in range(int(len(data) * at), int(len(data) * at) + 20):
        data[place] ^= 0x5A
    (here / "a").write_bytes(data)
    done = extract("a")
    (said,) = [line for line in done.err.splitlines() if "encoding" not in line]
    assert said.startswith("urlscan: a: it ")
    assert done.status == 2
    if how in ("gz", "xz"):
        assert len(done.lines) > 2900 * at - 300


def test_a_truncated_archive(here):
    members = {"a": BAD, "b": TEXT, "c": LONG}
    for name, data in {
        "a.tar": tar(members)[:20_000],
        "a.tgz": gzip.compress(tar(members))[:-400],
        "a.zip": zipped(members)[:-400],
        "b.zip": zipped_to_a_pipe(members)[:-400],
    }.items():
        (here / name).write_bytes(data)
        done = extract("--with-filename", name)
        assert done.lines[:4] == [f"{name}:a:http://h.example/100%", *(f"{name}:b:{url}" for url in URLS)]
        assert len(done.lines) > 400
        assert done.status == 2
        (error,) = [line for line in done.err.splitlines() if "encoding" not in line]
        assert error.startswith(f"urlscan: {name}:")


def test_one_damaged_member_leaves_the_others(here):
    data = bytearray(zipped({"a": LONG, "b": LONG[:5000], "c": BAD}))
    data[3000] ^= 0x5A
    at = data.index(b"PK\x01\x02") + 16  # the checksum of the first
    (here / "a.zip").write_bytes(data)
    done = extract("a.zip")
    assert done.lines[-1] == "http://h.example/100%"
    assert len(done.lines) > 200
    assert done.err.startswith("urlscan: a.zip:a: it ")
    assert (len(done.err.splitlines()), done.status) == (1, 2)
    assert at


def test_zip_with_wrong_sizes_and_places(here):
    data = zipped({"a": LONG, "b": BAD})
    first = data.index(b"PK\x01\x02")
    for offset, new, said in [
        (16, b"\0\0\0\0", "a: it is damaged: its checksum is wrong"),
        (20, struct.pack("<I", 10), "a: it ends too early"),
        (24, struct.pack("<I", 10), f"a: it has {len(LONG) - 10} bytes more than it should"),
        (24, struct.pack("<I", 1 << 31), f"a: it has {(1 << 31) - len(LONG)} bytes less than it should"),
        (42, struct.pack("<I", 77), "a: it is damaged: there is nothing where it should begin"),
        (42, struct.pack("<I", 0xFFFFFFFE), "a: it is damaged: there is nothing where it should begin"),
        (10, struct.pack("<H", 9), "a: compressed by Deflate64, which is not known here, skipped"),
        (10, struct.pack("<H", 77), "a: compressed by method 77, which is not known here, skipped"),
        (8, struct.pack("<H", 1), "a: encrypted, skipped"),
        (0, b"XXXX", " its directory is damaged"),
    ]:
        broken = data[: first + offset] + new + data[first + offset + len(new) :]
        (here / "a.zip").write_bytes(broken)
        done = extract("a.zip")
        assert done.err == f"urlscan: a.zip:{said}\n"
        assert done.status == (0 if "skipped" in said else 2)
        if new != b"XXXX":
            assert done.lines[-1] == "http://h.example/100%"


def test_many_troubles_are_one_line(here):
    members = {f"{number}.txt": LONG[number:] for number in range(40)}
    data = zipped(members)
    parts = data.split(b"PK\x01\x02")
    data = b"PK\x01\x02".join([parts[0], *(part[:4] + b"\x01\0" + part[6:] for part in parts[1:])])
    (here / "a.zip").write_bytes(data)
    done = extract("a.zip")
    assert (done.err, done.status) == ("urlscan: a.zip:0.txt: encrypted, skipped; the same of 39 more\n", 0)


def test_zip64(here):
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a", "w", force_zip64=True) as member,
    ):
        member.write(BAD)
    data = file.getvalue()
    # As it is written where a number has no room: all of them in the extra field, and the long end before the short.
    first, last = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    central = data[first:last]
    packed, size = struct.unpack("<2I", central[20:28])
    extra = struct.pack("<2H3Q", 1, 24, size, packed, 0)
    none = b"\xff" * 4
    central = (
        central[:20] + none * 2 + central[28:30] + struct.pack("<H", len(extra)) + central[32:42] + none + b"a" + extra
    )
    end_64 = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, len(central), first)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, first + len(central), 1)
    end = b"PK\x05\x06" + bytes(4) + b"\xff" * 12 + bytes(2)
    (here / "a.zip").write_bytes(data[:first] + central + end_64 + locator + end)
    assert zipfile.ZipFile(here / "a.zip").read("a") == BAD
    assert extract("a.zip").lines == ["http://h.example/100%"]


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_and_large_sizes_of_tars(here, format):
    name = "d/" * 200 + "é.txt"
    (here / "a.tar").write_bytes(tar({name: BAD, "b": TEXT}, format))
    assert [json.loads(line)["member"] for line in extract("--format", "jsonl", "a.tar").lines] == [name, *"bbb"]
    entry = tarfile.TarInfo("x")
    entry.size = 1 << 35
    header = entry.tobuf(format)
    (here / "b.tar").write_bytes(header + b"http://h.example/ " * 60)
    assert extract("b.tar").err == "urlscan: b.tar:x: it ends too early\n"


def test_sparse_files_are_passed_over(here):
    header = bytearray(tarfile.TarInfo("s").tobuf(tarfile.GNU_FORMAT))
    header[156:157] = b"S"
    header[482] = 1
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 256 + sum(header[156:]))
    data = bytes(header) + bytes(504) + b"\x01" + bytes(7) + bytes(512) + tar({"b": BAD})
    pax = io.BytesIO()
    with tarfile.open(fileobj=pax, mode="w", format=tarfile.PAX_FORMAT) as archive:
        entry = tarfile.TarInfo("GNUSparseFile.0/s")
        entry.size = len(TEXT)
        entry.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.name": "s"}
        archive.addfile(entry, io.BytesIO(TEXT))
        archive.addfile(tarfile.TarInfo("b"), io.BytesIO())
        entry = tarfile.TarInfo("c")
        entry.size = len(BAD)
        archive.addfile(entry, io.BytesIO(BAD))
    for archive in (data, pax.getvalue()):
        (here / "a.tar").write_bytes(archive)
        done = extract("a.tar")
        assert done.lines == ["http://h.example/100%"]
        assert (done.err, done.status) == ("urlscan: a.tar:s: a sparse file, skipped\n", 0)


def test_a_tar_of_v7_has_no_magic_but_a_checksum(here):
    header = bytearray(tarfile.TarInfo("a").tobuf(tarfile.USTAR_FORMAT))
    header[124:136] = b"%011o\0" % len(BAD)
    header[156:512] = bytes(356)
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 256)
    (here / "a").write_bytes(bytes(header) + BAD.ljust(512, b"\0") + bytes(1024))
    assert extract("a").lines == ["http://h.example/100%"]


# --- bombs


@pytest.mark.parametrize(
    ("head", "container"),
    [
        (b"", ""),
        (b"PK", ""),
        (b"PKZIP wrote this: PK\3\4", ""),
        (b"BZh is how it begins", ""),
        (b"BZh91AY&SY", "bz2"),
        (b"\x1f\x8b\x08\xff", ""),
        (b"P*M\x18\4\0\0\0abcd\x28\xb5\x2f\xfd", "zst"),
        (b"a" * 257 + b"ustar\0" + b"a" * 300, ""),
        (bytes(1024), ""),
    ],
)
def test_what_begins_like_a_container(head, container):
    assert container_of(head) == container


_MEASURED = """
import resource, subprocess, sys, time
began = time.perf_counter()
done = subprocess.run([sys.executable, "-m", "urlscan", *sys.argv[1:]], capture_output=True)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, time.perf_counter() - began)
sys.stdout.write(done.stderr.decode())
sys.stderr.write(str(len(done.stdout)))
"""


def measured(*arguments):
    """Return status, peak memory in KiB, seconds, and the lines that were said."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *arguments],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    first, *said = done.stdout.splitlines()
    status, memory, seconds = first.split()
    return int(status), int(memory), float(seconds), said


def compressed_run(byte: bytes, size: int) -> bytes:
    """A gzip file of so many equal bytes, made of one megabyte of them."""
    packer = zlib.compressobj(9, wbits=-15)
    megabyte = byte * (1 << 20)
    block = packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = 0
    for _ in range(size >> 20):
        crc = zlib.crc32(megabyte, crc)
    trailer = struct.pack("<2I", crc, size & 0xFFFFFFFF)
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + block * (size >> 20) + b"\3\0" + trailer


@pytest.mark.parametrize("byte", [b"\0", b"a"])
def test_a_gigabyte_in_a_megabyte(here, byte):
    (here / "bomb.gz").write_bytes(compressed_run(byte, 1 << 30))
    (here / "b.txt").write_bytes(BAD)
    status, memory, seconds, said = measured("extract", "-j", "1", "bomb.gz", "b.txt")
    if byte == b"\0":
        assert (status, said) == (0, ["urlscan: bomb.gz: a binary file, skipped"])
    else:
        assert status == 2
        assert said == [
            "urlscan: bomb.gz: it unpacks to more than 200 times its size, the rest is not read (--max-ratio)"
        ]
    assert memory < 120_000
    assert seconds < 30


def test_the_limits_are_options(here):
    (here / "a.gz").write_bytes(gzip.compress(LONG))
    (here / "b.txt").write_bytes(BAD)
    done = extract("--max-unpacked", "50K", "a.gz", "b.txt")
    assert done.status == 2
    assert done.err == "urlscan: a.gz: it unpacks to more than 50K, the rest is not read (--max-unpacked)\n"
    assert len(done.lines) > 1000
    assert done.lines[-1] == "http://h.example/100%"
    for wrong in ("0", "-1", "x", "1.5M", "1X"):
        assert extract("--max-unpacked", wrong, "a.gz").status == 2
    assert extract("--max-unpacked", "1g", "--max-ratio", "1", "--max-depth", "1", "a.gz").status == 0


def test_zips_of_zips(here):
    """Sixteen of sixteen of ... of a page of blanks, each of 16 MB: 42.zip, with text."""
    data = zipped({"page.txt": b" " * (1 << 24)})
    for _ in range(5):
        data = zipped({f"{number}.zip": data for number in range(16)})
    (here / "a.zip").write_bytes(data)
    status, memory, seconds, said = measured("extract", "-j", "1", "a.zip")
    assert status == 2
    assert said == ["urlscan: a.zip: it unpacks to more than 200 times its size, the rest is not read (--max-ratio)"]
    assert memory < 150_000
    assert seconds < 30


def test_what_is_packed_too_often_is_not_opened(here):
    data = BAD
    for _ in range(8):
        data = gzip.compress(data)
    (here / "a.gz").write_bytes(data)
    (here / "b.gz").write_bytes(gzip.compress(data))
    assert extract("a.gz").lines == ["http://h.example/100%"]
    done = extract("b.gz", "a.gz")
    assert done.lines == ["http://h.example/100%"]
    assert (done.err, done.status) == (
        "urlscan: b.gz: it is packed more than 8 times, and not opened (--max-depth)\n", 2,
    )  # fmt: skip
    assert extract("--max-depth", "9", "b.gz").lines == ["http://h.example/100%"]


def test_members_that_share_their_bytes(here):
    """A bomb by overlap: a thousand entries of the directory, and one run of 10 MB."""
    data = zipped({"a": b"\n" * 10_000_000})
    first, last = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    central = data[first:last] * 1000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1000, 1000, len(central), first, 0)
    (here / "a.zip").write_bytes(data[:first] + central + end)
    status, memory, _, said = measured("extract", "-j", "1", "a.zip")
    assert status == 2
    assert said == ["urlscan: a.zip: it unpacks to more than 200 times its size, the rest is not read (--max-ratio)"]
    assert memory < 150_000


def test_an_archive_of_many_members(here):
    """Neither they nor the directory are kept."""
    one = tar({"a": b""})[:512]
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(one * 1000) for _ in range(20)]
    (here / "a.tgz").write_bytes(b"".join([*parts, packer.compress(tar({"b": BAD})), packer.flush()]))
    data = zipped({"a": b""}, zipfile.ZIP_STORED)
    first, last = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    central = data[first:last] * 50_000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0, 0, len(central), first, 0)
    (here / "b.zip").write_bytes(data[:first] + central + end)
    for name in ("a.tgz", "b.zip"):
        status, memory, seconds, said = measured("extract", "-j", "1", name)
        assert (status, said) == (0, [])
        assert memory < 100_000
        assert seconds < 60


def test_headers_without_end(here):
    pax = tarfile.TarInfo("x")
    pax.type, pax.size = tarfile.XHDTYPE, 0
    chain = pax.tobuf() * 5000  # recursion would end here
    pax.size = 1 << 28
    packer = zlib.compressobj(9, wbits=31)
    long = [packer.compress(pax.tobuf()), *(packer.compress(bytes(1 << 20)) for _ in range(256))]
    (here / "a.tar").write_bytes(chain + tar({"b": BAD}))
    (here / "b.tgz").write_bytes(b"".join([*long, packer.compress(tar({"b": BAD})), packer.flush()]))
    for name in ("a.tar", "b.tgz"):
        assert extract("--max-ratio", "2000", name).lines == ["http://h.example/100%"]
    assert measured("extract", "--max-ratio", "2000", "b.tgz")[1] < 100_000


def test_memory_does_not_grow_with_the_member(here):
    line = b"See <URL:http://h.example/long/\nname.html>, http://www.h.example/a?b=c and the rest of this line.\n\n"
    packer = zlib.compressobj(1, wbits=31)
    pieces = [packer.compress((line + b"word " * 200) * 1000) for _ in range(40)]
    (here / "a.gz").write_bytes(b"".join(pieces) + packer.flush())
    status, memory, _, said = measured("extract", "-j", "1", "a.gz")
    assert (status, said) == (0, [])
    assert memory < 150_000


def test_nothing_is_left_behind(here):
    packer = zlib.compressobj(1, wbits=31)
    (here / "a.gz").write_bytes(b"".join(packer.compress(LONG) for _ in range(300)) + packer.flush())
    (here / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "urlscan", "extract", "a.gz"], env=clean_environment(TMPDIR=str(here / "tmp")),
        stdout=subprocess.PIPE,
    )  # fmt: skip
    with process:
        assert process.stdout.read(10) == b"http://h.e"
        assert os.listdir(here / "tmp") == []
        process.kill()
    assert os.listdir(here / "tmp") == []


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_damage_is_said_and_no_crash(tmp_path_factory, data):
    whole = data.draw(st.sampled_from(DAMAGED))
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        what = data.draw(st.sampled_from(["flip", "cut", "zero", "double"]))
        if what == "flip":
            broken[at] ^= 1 << data.draw(st.integers(0, 7))
        elif what == "cut":
            del broken[at : at + data.draw(st.integers(1, 40))]
        elif what == "zero":
            broken[at : at + 8] = bytes(len(broken[at : at + 8]))
        else:
            broken[at:at] = broken[at : at + data.draw(st.integers(1, 600))]
        if not broken:
            return
    path = tmp_path_factory.mktemp("damaged") / "a"
    path.write_bytes(broken)
    _, said = found(path)
    assert len(said) <= 12
    path.unlink()


DAMAGED = [
    *(pack(LONG[:3000]) for pack in COMPRESSED.values()),
    *(pack({"a.txt": LONG[:2000], "b/c.txt": TEXT, "d.html": PAGE}) for pack in ARCHIVED.values()),
    gzip.compress(tar({"a.zip": zipped({"a": TEXT, "b": zst(BAD)})})),
]


# --- what is small and easily forgotten


def test_records_are_as_the_schemas_say(here):
    (here / "a.zip").write_bytes(zipped({"x/b.txt": TEXT}))
    for command, name in (("extract", "occurrence"), ("check", "finding")):
        schema = json.loads((ROOT / f"urlscan/data/{name}.schema.json").read_text())
        records = [json.loads(line) for line in urlscan(command, "--format", "jsonl", "a.zip").lines]
        assert records
        for one in records:
            jsonschema.validate(one, schema)
            assert one["member"] == "x/b.txt"


def test_a_table_has_a_column_for_the_member(here):
    (here / "a.zip").write_bytes(zipped({"=1+1": BAD}))
    header, row = extract("--format", "csv", "a.zip").lines
    assert header.endswith(",member")
    assert row.endswith(",'=1+1")


def test_without_the_package_zstandard_is_said_in_one_line(here):
    (here / "a.zst").write_bytes(zst(BAD))
    (here / "b.txt").write_bytes(BAD)
    code = (
        "import sys; sys.modules['zstandard'] = sys.modules['compression'] = None;"
        "from urlscan.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "extract", "a.zst", "b.txt"]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("http://h.example/100%\n", 2)
    assert done.stderr == (
        "urlscan: a.zst: Zstandard is read with the package zstandard, which is not here"
        " (pip install 'urlscan-lint[zstd]', or --no-decompress)\n"
    )


def test_a_plain_file_needs_nothing_of_this(here):
    (here / "a.txt").write_bytes(TEXT)
    code = "import sys; from urlscan.cli import main; main(['extract', 'a.txt']); print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"zlib", "bz2", "lzma", "zstandard", "struct", "tempfile"}
    assert not {name for name in loaded if name.endswith((".unpack", ".streams", ".compressed", ".tars", ".zips"))}


def test_a_disk_that_is_full_is_said(here):
    (here / "a.tgz").write_bytes(gzip.compress(tar({"x": LONG * 200, "y": BAD})))
    (here / "b.txt").write_bytes(BAD)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20));"
        "from urlscan.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "extract", "-j", "1", "a.tgz", "b.txt"]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("http://h.example/100%\n", 2)
    assert done.stderr == "urlscan: a.tgz: no temporary copy can be made: File too large\n"


def test_a_name_of_a_megabyte_is_cut(here):
    (here / "a.tar").write_bytes(tar({"a" * 1_000_000: BAD}))
    (record,) = (json.loads(line) for line in extract("--format", "jsonl", "a.tar").lines)
    assert record["member"] == "a" * 4095 + "…"


def test_a_comment_that_looks_like_the_end(here):
    file = io.BytesIO(zipped({"a": BAD}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = b"see PK\5\6" + bytes(30)
    (here / "a.zip").write_bytes(file.getvalue())
    assert extract("a.zip").lines == ["http://h.example/100%"]


def test_what_came_through_a_pipe_is_a_file(here):
    """As `... | zip a.zip -` writes it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        entry = zipfile.ZipInfo("-")
        entry.create_system, entry.external_attr = 3, (stat.S_IFIFO | 0o600) << 16
        archive.writestr(entry, BAD)
    (here / "a.zip").write_bytes(file.getvalue())
    assert extract("a.zip").lines == ["http://h.example/100%"]


def test_a_secret_in_a_name_is_masked(here):
    (here / "a.zip").write_bytes(zipped({"http://jo:hunter22@h.example/a?access_token=0123456789abcdef": BAD}))
    for command in (["extract", "--with-filename"], ["extract", "--format", "jsonl"], ["check", "--format", "json"]):
        done = urlscan(*command, "a.zip")
        assert "http://jo:***@h.example/a?access_token=***" in done.text
        assert "hunter22" not in done.text
        assert "0123456789abcdef" not in done.text


def test_names_that_are_not_utf_8(here):
    data = zipped({"caf_.txt": BAD}).replace(b"caf_", b"caf\x82")
    (here / "a.zip").write_bytes(data)
    (here / "a.tar").write_bytes(tar({"b\udcff.txt": BAD}, tarfile.GNU_FORMAT))
    assert json.loads(extract("--format", "jsonl", "a.zip").text)["member"] == "café.txt"
    assert json.loads(extract("--format", "jsonl", "a.tar").text)["member"] == "b\udcff.txt"


_CYCLES = """
import gc, os, sys
gc.disable()
from urlscan.cli import main
sys.stdout = open(os.devnull, "w")
main(["check", "-j", "1", *sys.argv[1:]])
print(gc.collect(), file=sys.stderr)
"""


def test_no_member_leaves_cycles_behind(here):
    """`urlscan.cli.entry` switches the search for them off."""

    def cycles(count):
        data = zipped({str(number): BAD for number in range(count)}, zipfile.ZIP_STORED)
        nested = {f"{number}.zip": zipped({"a": LONG, "b": gzip.compress(BAD)}) for number in range(count)}
        (here / "wrong.zip").write_bytes(data.replace(b"100%", b"101%"))
        (here / "nested.tgz").write_bytes(gzip.compress(tar({**nested, "c": b"\0", "d": data[:-30]})))
        names = ["wrong.zip", "nested.tgz"]
        for number in range(count):
            names.append(f"{number}.gz")
            (here / names[-1]).write_bytes(gzip.compress(LONG)[:-20])
        command = [sys.executable, "-c", _CYCLES, *names, "--format", "concise"]
        done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
        assert "wrong.zip:0: it is damaged" in done.stderr
        return int(done.stderr.split()[-1])

    assert cycles(20) == cycles(2)
