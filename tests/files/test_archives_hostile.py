"""Damaged, unusual and malicious archives are read as far as possible, and problems are reported."""

import gzip
import io
import json
import os
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import clean_environment, urlscan
from tests.containers import (
    ARCHIVED,
    BAD,
    COMPRESSED,
    LONG,
    PAGE,
    ROOT,
    TEXT,
    URLS,
    compressed_run,
    extract,
    found,
    measured,
    tar,
    zipped,
    zipped_to_a_pipe,
    zst,
)
from tests.strategies import examples
from urlscan.files.archives.unpack import Limits

# --- damaged files: the readable part is processed, followed by one line


@pytest.mark.parametrize("extension", COMPRESSED)
def test_concatenated_streams_are_read(here, extension):
    (here / "a").write_bytes(
        COMPRESSED[extension](TEXT) + COMPRESSED[extension](b"http://") + COMPRESSED[extension](b"two.example/")
    )
    assert extract("a").lines == [*URLS, "http://two.example/"]


@pytest.mark.parametrize("extension", ["gz", "bz2", "xz"])
def test_zeros_after_the_end_are_padding(here, extension):
    (here / "a").write_bytes(COMPRESSED[extension](TEXT) + bytes(100_000) + COMPRESSED[extension](BAD) + bytes(512))
    done = extract("a")
    assert (done.lines, done.status) == ([*URLS, "http://h.example/%zz/a"], 0)


@pytest.mark.parametrize("extension", COMPRESSED)
def test_data_after_the_end_is_reported(here, extension):
    (here / "a").write_bytes(COMPRESSED[extension](TEXT) + b"garbage http://garbage.example/")
    (here / "b.txt").write_bytes(BAD)
    done = extract("a", "b.txt")
    assert done.lines == [*URLS, "http://h.example/%zz/a"]
    assert (done.err.splitlines()[0], done.status) == ("urlscan: a: unknown data after the end", 2)


@pytest.mark.parametrize("extension", COMPRESSED)
def test_truncated_file_is_read_up_to_its_end(here, extension):
    (here / "a").write_bytes(COMPRESSED[extension](LONG)[:-1000])
    (here / "b.txt").write_bytes(BAD)
    done = extract("a", "b.txt")
    assert (done.err, done.status) == ("urlscan: a: unexpected end of data\n", 2)
    assert done.lines[-1] == "http://h.example/%zz/a"
    read = done.lines[:-1]
    if extension not in ("bz2", "zst"):  # these have blocks, and this file has one only
        assert len(read) > 2000
    assert read[:-1] == [f"http://h.example/{number}" for number in range(max(len(read) - 1, 0))]


@pytest.mark.parametrize(
    ("extension", "at"), [("gz", 0.3), ("gz", 0.9), ("xz", 0.3), ("xz", 0.9), ("zst", 0.3), ("zst", 0.9), ("bz2", 0.9)]
)
def test_damaged_file_is_reported(here, extension, at):
    data = bytearray(COMPRESSED[extension](LONG))
    for offset in range(int(len(data) * at), int(len(data) * at) + 20):
        data[offset] ^= 0x5A
    (here / "a").write_bytes(data)
    done = extract("a")
    (message,) = [line for line in done.err.splitlines() if "invalid bytes" not in line]
    assert message.startswith(("urlscan: a: damaged", "urlscan: a: unexpected end"))
    assert done.status == 2
    if extension in ("gz", "xz"):
        assert len(done.lines) > 2900 * at - 300


def test_truncated_archive_is_read_up_to_its_end(here):
    members = {"a": BAD, "b": TEXT, "c": LONG}
    for name, data in {
        "a.tar": tar(members)[:20_000],
        "a.tgz": gzip.compress(tar(members))[:-400],
        "a.zip": zipped(members)[:-400],
        "b.zip": zipped_to_a_pipe(members)[:-400],
    }.items():
        (here / name).write_bytes(data)
        done = extract("--with-filename", name)
        assert done.lines[:4] == [f"{name}:a:http://h.example/%zz/a", *(f"{name}:b:{url}" for url in URLS)]
        assert len(done.lines) > 400
        assert done.status == 2
        (error,) = [line for line in done.err.splitlines() if "invalid bytes" not in line]
        assert error.startswith(f"urlscan: {name}:")


def test_members_after_a_damaged_one_are_read(here):
    data = bytearray(zipped({"a": LONG, "b": LONG[:5000], "c": BAD}))
    data[3000] ^= 0x5A
    at = data.index(b"PK\x01\x02") + 16  # the checksum of the first member
    (here / "a.zip").write_bytes(data)
    done = extract("a.zip")
    assert done.lines[-1] == "http://h.example/%zz/a"
    assert len(done.lines) > 200
    assert done.err.startswith(("urlscan: a.zip:a: damaged", "urlscan: a.zip:a: unexpected end"))
    assert (len(done.err.splitlines()), done.status) == (1, 2)
    assert at


def test_zip_with_wrong_fields_is_reported(here):
    data = zipped({"a": LONG, "b": BAD})
    first = data.index(b"PK\x01\x02")
    for offset, new, message in [
        (16, b"\0\0\0\0", "a: damaged: wrong checksum"),
        (20, struct.pack("<I", 10), "a: unexpected end of data"),
        (24, struct.pack("<I", 10), f"a: {len(LONG) - 10} bytes longer than declared"),
        (24, struct.pack("<I", 1 << 31), f"a: {(1 << 31) - len(LONG)} bytes shorter than declared"),
        (42, struct.pack("<I", 77), "a: damaged: no header at the offset in the directory"),
        (42, struct.pack("<I", 0xFFFFFFFE), "a: damaged: no header at the offset in the directory"),
        (10, struct.pack("<H", 9), "a: the compression Deflate64 is not supported, skipped"),
        (10, struct.pack("<H", 77), "a: the compression method 77 is not supported, skipped"),
        (8, struct.pack("<H", 1), "a: encrypted, skipped"),
        (0, b"XXXX", " damaged directory"),
    ]:
        broken = data[: first + offset] + new + data[first + offset + len(new) :]
        (here / "a.zip").write_bytes(broken)
        done = extract("a.zip")
        assert done.err == f"urlscan: a.zip:{message}\n"
        assert done.status == (0 if "skipped" in message else 2)
        if new != b"XXXX":
            assert done.lines[-1] == "http://h.example/%zz/a"


@pytest.mark.parametrize("cut", [1, 4, 30, 31, 35])
def test_zip_without_its_beginning_is_reported(here, cut):
    (here / "a.zip").write_bytes(b"PK\x03\x04" + zipped({"a": LONG, "b": BAD})[cut + 4 :])
    done = extract("a.zip")
    assert done.status == 2
    assert done.err.startswith("urlscan: a.zip:a: damaged: ")
    assert done.lines[-1] == "http://h.example/%zz/a"


def test_repeated_messages_are_one_line(here):
    members = {f"{number}.txt": LONG[number:] for number in range(40)}
    data = zipped(members)
    parts = data.split(b"PK\x01\x02")
    data = b"PK\x01\x02".join([parts[0], *(part[:4] + b"\x01\0" + part[6:] for part in parts[1:])])
    (here / "a.zip").write_bytes(data)
    done = extract("a.zip")
    assert (done.err, done.status) == ("urlscan: a.zip:0.txt: encrypted, skipped; 39 more like this\n", 0)


def test_zip64(here):
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a", "w", force_zip64=True) as member,
    ):
        member.write(BAD)
    data = file.getvalue()
    # Written where a number exceeds its field: all numbers are in the extra field, and a long end record precedes the
    # short one.
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
    assert extract("a.zip").lines == ["http://h.example/%zz/a"]


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_and_large_sizes_in_tar(here, format):
    name = "d/" * 200 + "é.txt"
    (here / "a.tar").write_bytes(tar({name: BAD, "b": TEXT}, format))
    assert [json.loads(line)["member"] for line in extract("--format", "jsonl", "a.tar").lines] == [name, *"bbb"]
    entry = tarfile.TarInfo("x")
    entry.size = 1 << 35
    header = entry.tobuf(format)
    (here / "b.tar").write_bytes(header + b"http://h.example/ " * 60)
    assert extract("b.tar").err == "urlscan: b.tar:x: unexpected end of data\n"


def test_sparse_files_are_skipped(here):
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
        assert done.lines == ["http://h.example/%zz/a"]
        assert (done.err, done.status) == ("urlscan: a.tar:s: a sparse file, skipped\n", 0)


def test_tar_of_v7_is_recognized_by_its_checksum(here):
    header = bytearray(tarfile.TarInfo("a").tobuf(tarfile.USTAR_FORMAT))
    header[124:136] = b"%011o\0" % len(BAD)
    header[156:512] = bytes(356)
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 256)
    (here / "a").write_bytes(bytes(header) + BAD.ljust(512, b"\0") + bytes(1024))
    assert extract("a").lines == ["http://h.example/%zz/a"]


def test_name_of_a_megabyte_is_truncated(here):
    (here / "a.tar").write_bytes(tar({"a" * 1_000_000: BAD}))
    (record,) = (json.loads(line) for line in extract("--format", "jsonl", "a.tar").lines)
    assert record["member"] == "a" * 4095 + "…"


def test_comment_that_resembles_the_end_record_is_skipped(here):
    file = io.BytesIO(zipped({"a": BAD}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = b"see PK\5\6" + bytes(30)
    (here / "a.zip").write_bytes(file.getvalue())
    assert extract("a.zip").lines == ["http://h.example/%zz/a"]


# --- bombs

PROCESSOR_SECONDS = 60  # limit on what takes about one second; to unpack a bomb takes far longer


@pytest.mark.slow
@pytest.mark.parametrize("byte", [b"\0", b"a"])
def test_gigabyte_in_a_megabyte_is_limited(here, byte):
    (here / "bomb.gz").write_bytes(compressed_run(byte, 1 << 30))
    (here / "b.txt").write_bytes(BAD)
    status, memory, seconds, messages = measured("extract", "-j", "1", "bomb.gz", "b.txt")
    if byte == b"\0":
        assert (status, messages) == (0, ["urlscan: bomb.gz: binary file, skipped"])
    else:
        assert status == 2
        assert messages == [
            "urlscan: bomb.gz: unpacks to more than 200 times its size; the rest is not read (--max-ratio)"
        ]
    assert memory < 120_000
    assert seconds < PROCESSOR_SECONDS


def test_limits_are_options(here):
    (here / "a.gz").write_bytes(gzip.compress(LONG))
    (here / "b.txt").write_bytes(BAD)
    done = extract("--max-unpacked", "50K", "a.gz", "b.txt")
    assert done.status == 2
    assert done.err == "urlscan: a.gz: unpacks to more than 50K; the rest is not read (--max-unpacked)\n"
    assert len(done.lines) > 1000
    assert done.lines[-1] == "http://h.example/%zz/a"
    for invalid in ("0", "-1", "x", "1.5M", "1X"):
        assert extract("--max-unpacked", invalid, "a.gz").status == 2
    assert extract("--max-unpacked", "1g", "--max-ratio", "1", "--max-depth", "1", "a.gz").status == 0


def test_documented_limits_are_the_defaults():
    size, ratio, depth = Limits()
    for text in ((ROOT / "docs" / "mail-and-archives.md").read_text(), urlscan("extract", "--help").text):
        text = " ".join(text.split())
        for name, value in (("max-unpacked", f"{size >> 30}G"), ("max-ratio", ratio), ("max-depth", depth)):
            assert re.search(rf"--{name} (?:{value}`|[A-Z]+ [^()]*\(default: {value}\))", text), name


def test_nested_zip_bomb_is_limited(here):
    """Like 42.zip with text: sixteen archives in each archive, and a page of 16 MB of blanks in the innermost ones."""
    data = zipped({"page.txt": b" " * (1 << 24)})
    for _ in range(5):
        data = zipped({f"{number}.zip": data for number in range(16)})
    (here / "a.zip").write_bytes(data)
    status, memory, seconds, messages = measured("extract", "-j", "1", "a.zip")
    assert status == 2
    assert messages == ["urlscan: a.zip: unpacks to more than 200 times its size; the rest is not read (--max-ratio)"]
    assert memory < 150_000
    assert seconds < PROCESSOR_SECONDS


def test_nesting_depth_is_limited(here):
    data = BAD
    for _ in range(8):
        data = gzip.compress(data)
    (here / "a.gz").write_bytes(data)
    (here / "b.gz").write_bytes(gzip.compress(data))
    assert extract("a.gz").lines == ["http://h.example/%zz/a"]
    done = extract("b.gz", "a.gz")
    assert done.lines == ["http://h.example/%zz/a"]
    assert (done.err, done.status) == (
        "urlscan: b.gz: packed more than 8 times; not opened (--max-depth)\n", 2,
    )  # fmt: skip
    assert extract("--max-depth", "9", "b.gz").lines == ["http://h.example/%zz/a"]


@pytest.mark.slow
def test_overlapping_members_are_limited(here):
    """A bomb by overlap: a thousand entries of the directory that refer to the same 10 MB."""
    data = zipped({"a": b"\n" * 10_000_000})
    first, last = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    central = data[first:last] * 1000
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1000, 1000, len(central), first, 0)
    (here / "a.zip").write_bytes(data[:first] + central + end)
    status, memory, _, messages = measured("extract", "-j", "1", "a.zip")
    assert status == 2
    assert messages == ["urlscan: a.zip: unpacks to more than 200 times its size; the rest is not read (--max-ratio)"]
    assert memory < 150_000


@pytest.mark.slow
def test_archive_with_many_members_takes_little_memory(here):
    """Neither the members nor the directory are kept in memory."""
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
        status, memory, seconds, messages = measured("extract", "-j", "1", name)
        assert (status, messages) == (0, [])
        assert memory < 100_000
        assert seconds < PROCESSOR_SECONDS


@pytest.mark.slow
def test_endless_headers_are_skipped(here):
    pax = tarfile.TarInfo("x")
    pax.type, pax.size = tarfile.XHDTYPE, 0
    chain = pax.tobuf() * 5000  # a recursive parser would overflow the stack
    pax.size = 1 << 28
    packer = zlib.compressobj(9, wbits=31)
    long = [packer.compress(pax.tobuf()), *(packer.compress(bytes(1 << 20)) for _ in range(256))]
    (here / "a.tar").write_bytes(chain + tar({"b": BAD}))
    (here / "b.tgz").write_bytes(b"".join([*long, packer.compress(tar({"b": BAD})), packer.flush()]))
    for name in ("a.tar", "b.tgz"):
        assert extract("--max-ratio", "2000", name).lines == ["http://h.example/%zz/a"]
    assert measured("extract", "--max-ratio", "2000", "b.tgz")[1] < 100_000


@pytest.mark.slow
def test_memory_does_not_grow_with_the_size_of_a_member(here):
    line = b"See <URL:http://h.example/long/\nname.html>, http://www.h.example/a?b=c and the rest of this line.\n\n"
    packer = zlib.compressobj(1, wbits=31)
    pieces = [packer.compress((line + b"word " * 200) * 1000) for _ in range(40)]
    (here / "a.gz").write_bytes(b"".join(pieces) + packer.flush())
    status, memory, _, messages = measured("extract", "-j", "1", "a.gz")
    assert (status, messages) == (0, [])
    assert memory < 150_000


def test_killed_run_leaves_no_temporary_file(here):
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


@examples(150)
@given(st.data())
def test_any_damage_is_reported_without_a_crash(tmp_path_factory, data):
    whole = data.draw(st.sampled_from(DAMAGED))
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        change = data.draw(st.sampled_from(["flip", "cut", "zero", "double"]))
        if change == "flip":
            broken[at] ^= 1 << data.draw(st.integers(0, 7))
        elif change == "cut":
            del broken[at : at + data.draw(st.integers(1, 40))]
        elif change == "zero":
            broken[at : at + 8] = bytes(len(broken[at : at + 8]))
        else:
            broken[at:at] = broken[at : at + data.draw(st.integers(1, 600))]
        if not broken:
            return
    path = tmp_path_factory.mktemp("damaged") / "a"
    path.write_bytes(broken)
    _, messages = found(path)
    assert len(messages) <= 12
    path.unlink()


DAMAGED = [
    *(pack(LONG[:3000]) for pack in COMPRESSED.values()),
    *(pack({"a.txt": LONG[:2000], "b/c.txt": TEXT, "d.html": PAGE}) for pack in ARCHIVED.values()),
    gzip.compress(tar({"a.zip": zipped({"a": TEXT, "b": zst(BAD)})})),
]


@pytest.mark.slow
def test_full_disk_is_reported(here):
    (here / "a.tgz").write_bytes(gzip.compress(tar({"x": LONG * 200, "y": BAD})))
    (here / "b.txt").write_bytes(BAD)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20));"
        "from urlscan.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-B", "-c", code, "extract", "-j", "1", "a.tgz", "b.txt"]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("http://h.example/%zz/a\n", 2)
    assert done.stderr == "urlscan: a.tgz: cannot write a temporary file: File too large\n"


_CYCLES = """
import gc, os, sys
gc.disable()
from urlscan.cli import main
sys.stdout = open(os.devnull, "w")
main(["check", "-j", "1", *sys.argv[1:]])
print(gc.collect(), file=sys.stderr)
"""


def test_reading_members_creates_no_reference_cycles(here):
    """`urlscan.cli.entry` disables the cyclic garbage collector."""

    def cycles(count):
        data = zipped({str(number): BAD for number in range(count)}, zipfile.ZIP_STORED)
        nested = {f"{number}.zip": zipped({"a": LONG, "b": gzip.compress(BAD)}) for number in range(count)}
        (here / "wrong.zip").write_bytes(data.replace(b"/%zz/", b"/%zy/"))
        (here / "nested.tgz").write_bytes(gzip.compress(tar({**nested, "c": b"\0", "d": data[:-30]})))
        names = ["wrong.zip", "nested.tgz"]
        for number in range(count):
            names.append(f"{number}.gz")
            (here / names[-1]).write_bytes(gzip.compress(LONG)[:-20])
        command = [sys.executable, "-c", _CYCLES, *names, "--format", "concise"]
        done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
        assert "wrong.zip:0: damaged" in done.stderr
        return int(done.stderr.split()[-1])

    assert cycles(20) == cycles(2)
