"""Compressed files and archives are read like plain files: the same URLs at the same locations."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import random
import stat
import subprocess
import sys
import tarfile
import warnings
import zipfile

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import clean_environment, urlscan
from tests.containers import (
    ARCHIVED,
    BAD,
    COMPRESSED,
    PAGE,
    ROOT,
    TEXT,
    URLS,
    extract,
    found,
    tar,
    zipped,
    zst,
)
from tests.strategies import examples
from urlscan.core.project import install_command
from urlscan.files.decode import container_of
from urlscan.pipeline import read

# --- equal to the uncompressed text


@pytest.mark.parametrize("extension", COMPRESSED)
def test_compressed_file_equals_the_plain_file(here, extension):
    (here / "a.txt").write_bytes(TEXT)
    (here / f"b.{extension}").write_bytes(COMPRESSED[extension](TEXT))
    plain = extract("--format", "jsonl", "a.txt")
    packed = extract("--format", "jsonl", f"b.{extension}")
    assert packed.text == plain.text.replace('"a.txt"', f'"b.{extension}"')
    assert packed.status == 0
    assert [json.loads(line)["url"] for line in packed.lines] == URLS


@pytest.mark.parametrize("extension", ARCHIVED)
def test_member_equals_the_plain_file(here, extension):
    (here / "a.txt").write_bytes(TEXT)
    (here / "b").write_bytes(ARCHIVED[extension]({"x/a.txt": TEXT, "x/b.html": PAGE}))
    plain = [json.loads(line) for line in extract("--format", "jsonl", "a.txt").lines]
    packed = [json.loads(line) for line in extract("--format", "jsonl", "b").lines]
    assert packed[:-1] == [{**record, "path": "b", "member": "x/a.txt"} for record in plain]
    assert (packed[-1]["url"], packed[-1]["member"]) == ("http://h.example/?a=1&b=2", "x/b.html")
    assert extract("--with-filename", "b").lines == [f"b:x/a.txt:{url}" for url in URLS] + [
        "b:x/b.html:http://h.example/?a=1&b=2"
    ]


def test_nested_members_are_read(here):
    inner = zipped({"c.txt": TEXT, "d.html.xz": lzma.compress(PAGE)})
    (here / "a.tar.gz").write_bytes(gzip.compress(tar({"b.zip": inner, "e/mbox.bz2": bz2.compress(TEXT)})))
    assert extract("--with-filename", "a.tar.gz").lines == [
        *(f"a.tar.gz:b.zip:c.txt:{url}" for url in URLS),
        "a.tar.gz:b.zip:d.html.xz:http://h.example/?a=1&b=2",
        *(f"a.tar.gz:e/mbox.bz2:{url}" for url in URLS),
    ]


MAILBOX = b"""\
From jo@h.example Mon Jan  1 00:00:00 2001
Message-ID: <1@h.example>
MIME-Version: 1.0
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<a href=3D"http://h.example/?a=3D1&amp;=
b=3D2">here</a>

From jo@h.example Mon Jan  1 00:00:01 2001
Message-ID: <2@h.example>

See http://h.example/two
"""


def test_compressed_mailbox_in_an_archive_is_read(here):
    (here / "a.mbox").write_bytes(MAILBOX)
    (here / "a.tar.bz2").write_bytes(bz2.compress(tar({"lists/a.mbox.gz": gzip.compress(MAILBOX)})))
    plain = [json.loads(line) for line in extract("--format", "jsonl", "a.mbox").lines]
    packed = [json.loads(line) for line in extract("--format", "jsonl", "a.tar.bz2").lines]
    assert packed == [{**record, "path": "a.tar.bz2", "member": "lists/a.mbox.gz"} for record in plain]
    assert [(record["url"], record["message_id"]) for record in packed] == [
        ("http://h.example/?a=1&b=2", "1@h.example"),
        ("http://h.example/two", "2@h.example"),
    ]


@examples(60)
@given(
    st.lists(st.sampled_from(["<URL:", "http://h.example/a", "\r", "\n", ">", " ", "é", "\udcff", "b|c%", "\0"])),
    st.lists(st.sampled_from(sorted([*COMPRESSED, *ARCHIVED])), min_size=1, max_size=4),
)
def test_any_text_is_read_from_any_containers(tmp_path_factory, pieces, layers):
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
    unpacked, messages = found(directory / "packed")
    assert unpacked == expected
    assert len(messages) == len(skipped)  # binary files are reported
    for path in directory.iterdir():
        path.unlink()


def test_standard_input_may_be_compressed():
    assert extract(stdin=gzip.compress(TEXT)).lines == URLS
    assert extract("--with-filename", stdin=zipped({"a": TEXT})).lines == [f"-:a:{url}" for url in URLS]


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.html.gz", "html"), ("a.gz", "HTML by its content"), ("a.txt.gz", "plain"), ("a", "HTML by its content")],
)
def test_inner_name_determines_the_kind(here, name, kind):
    (here / name).write_bytes(gzip.compress(PAGE))
    assert ("&amp;" in extract(name).text) == (kind == "plain")


def test_as_applies_to_members(here):
    (here / "a.tgz").write_bytes(gzip.compress(tar({"a.txt": PAGE})))
    assert "&amp;" in extract("a.tgz").text
    assert "&amp;" not in extract("--as", "html", "a.tgz").text


@pytest.mark.slow
def test_large_member_is_read_in_chunks(here, monkeypatch):
    text = b"".join(b"line %d <http://h.example/%d\n/x>\n\n" % (n, n) for n in range(9000)) + "é\n".encode()
    (here / "a.txt").write_bytes(text)
    (here / "a.tgz").write_bytes(gzip.compress(tar({"x.txt": text, "y.txt": BAD})))
    (here / "a.zip").write_bytes(zipped({"x.txt": text, "y.txt": BAD}))
    plain, _ = found("a.txt")
    assert len(plain) == 9000
    monkeypatch.setattr(read, "LARGE", 10_000)
    for name in ("a.tgz", "a.zip"):
        unpacked, messages = found(name)
        assert messages == []
        assert unpacked[:-1] == [("x.txt", url, place) for _, url, place in plain]
        assert unpacked[-1][:2] == ("y.txt", "http://h.example/%zz/a")


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_processes(here):
    noise = random.Random(1)
    members = {}
    for number in range(40):
        words = [f"http://h.example/{noise.randrange(1 << 40):x}|x\n\n" + "word " * 200 for _ in range(20)]
        members[f"{number}.txt"] = " ".join(words).encode() + b"\n"
    (here / "a.tgz").write_bytes(gzip.compress(tar(members)))
    # several processes may unpack the same archive, which takes another code path
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


def test_no_decompress_skips_compressed_files(here):
    for name, pack in COMPRESSED.items():
        (here / name).write_bytes(pack(TEXT))
        done = extract("--no-decompress", name)
        messages = f"urlscan: {name}: binary file, skipped\nurlscan: warning: no files were read\n"
        assert (done.out, done.err, done.status) == (b"", messages, 0)


def test_check_opens_archives_in_directories_on_request(here):
    (here / "d").mkdir()
    (here / "d/a.gz").write_bytes(gzip.compress(BAD))
    (here / "d/broken.zip").write_bytes(zipped({"a": BAD})[:-10])
    done = urlscan("check", "-v", "d")
    assert (done.status, done.out) == (0, b"")
    assert "d/a.gz: compressed; --decompress opens it, skipped" in done.err
    assert urlscan("check", "--decompress", "d", "--format", "concise").status == 2
    assert urlscan("check", "d/a.gz", "--format", "concise").text.startswith("d/a.gz:1:18: U201")
    assert extract("d").lines == [BAD.decode().strip()] * 2


def test_excluded_members(here):
    (here / "a.zip").write_bytes(zipped({"x/a.txt": b"http://a.example/", "b.svg": b"http://b.example/", "c": BAD}))
    (here / "a.tar").write_bytes(tar({"../../x/../a.txt": b"http://a.example/", "/etc/b.svg": b"http://b.example/"}))
    assert extract("a.zip", "--exclude", "*.svg", "--exclude", "x/").lines == ["http://h.example/%zz/a"]
    assert extract("a.zip", "--exclude", "x/*.txt", "--exclude", "a.zip/c").lines == ["http://b.example/"]
    assert extract("a.tar", "--exclude", "*.svg").lines == ["http://a.example/"]
    assert extract("a.tar", "--exclude", "etc").lines == ["http://a.example/"]


# --- findings


def test_suppression_comments_in_members_are_not_honored(here):
    text = b"http://h.example/%zz/a urlscan: ignore[U201]\n"
    (here / "a.txt").write_bytes(text)
    (here / "a.txt.gz").write_bytes(gzip.compress(text))
    (here / "a.zip").write_bytes(zipped({"a.txt": text}))
    assert urlscan("check", "a.txt").status == 0
    for name in ("a.txt.gz", "a.zip"):
        assert urlscan("check", name).status == 1


def test_fix_refuses_archives(here):
    (here / "a.zip").write_bytes(zipped({"a.md": b"[x](http://h.example/a|b)\n"}))
    (here / "b.md").write_bytes(b"[x](http://h.example/a|b)\n")
    before = (here / "a.zip").read_bytes()
    done = urlscan("check", "--fix", "a.zip", "b.md")
    assert (here / "a.zip").read_bytes() == before
    assert (here / "b.md").read_bytes() == b"[x](http://h.example/a%7Cb)\n"
    assert done.err == "urlscan: a.zip: compressed files cannot be edited\n"
    assert done.status == 2
    done = urlscan("check", "--fix", "-", stdin=before)
    assert (done.out, done.status) == (before, 2)


@pytest.mark.parametrize(
    "format", ["full", "concise", "grouped", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson", "html"]
)
def test_formats_name_the_member_and_offer_no_fix(here, format):
    (here / "a.zip").write_bytes(zipped({"x/b.txt": b"http://h.example/a|b\n"}))
    done = urlscan("check", "--format", format, "a.zip")
    assert done.status == 1
    assert "x/b.txt" in done.text
    assert "--fix" not in done.text
    assert '"fixes"' not in done.text
    if format in ("json", "jsonl"):
        (finding,) = json.loads(done.text) if format == "json" else map(json.loads, done.lines)
        assert (finding["path"], finding["member"], finding["start"], finding["fix"]) == ("a.zip", "x/b.txt", 18, None)


def test_hostile_member_names_are_only_shown(here):
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


# --- members that are not text


def test_special_members_are_skipped(here):
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
        assert (done.lines, done.err, done.status) == (["http://h.example/%zz/a"], "", 0)


def test_binary_members_are_named_with_verbose(here):
    (here / "a.zip").write_bytes(zipped({"a.png": b"\x89PNG\0\0http://h.example/x", "b": BAD, "c.bin": b"\0"}))
    done = extract("a.zip")
    assert (done.lines, done.status) == (["http://h.example/%zz/a"], 0)
    assert done.err == ""
    assert "urlscan: a.zip:a.png: binary file, skipped\n" in extract("-v", "a.zip").err


def test_members_with_the_same_name_are_all_read(here):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("a", "http://one.example/")
        archive.writestr("a", "http://two.example/")
    (here / "a.zip").write_bytes(file.getvalue())
    (here / "a.tar").write_bytes(tar({"a": b"http://one.example/"})[:1024] + tar({"a": b"http://two.example/"}))
    for name in ("a.zip", "a.tar"):
        assert extract(name).lines == ["http://one.example/", "http://two.example/"]


@pytest.mark.parametrize(
    ("head", "container"),
    [
        (b"", ""),
        (b"PK", ""),
        (b"PKZIP file: PK\3\4", ""),
        (b"BZh starts the file", ""),
        (b"BZh91AY&SY", "bz2"),
        (b"\x1f\x8b\x08\xff", ""),
        (b"P*M\x18\4\0\0\0abcd\x28\xb5\x2f\xfd", "zst"),
        (b"a" * 257 + b"ustar\0" + b"a" * 300, ""),
        (bytes(1024), ""),
    ],
)
def test_container_is_recognized_by_its_first_bytes(head, container):
    assert container_of(head) == container


# --- records, tables and optional dependencies


def test_records_with_members_match_the_schemas(here):
    (here / "a.zip").write_bytes(zipped({"x/b.txt": TEXT}))
    for command, name in (("extract", "occurrence"), ("check", "finding")):
        schema = json.loads((ROOT / f"urlscan/data/{name}.schema.json").read_text())
        records = [json.loads(line) for line in urlscan(command, "--format", "jsonl", "a.zip").lines]
        assert records
        for one in records:
            jsonschema.validate(one, schema)
            assert one["member"] == "x/b.txt"


def test_tables_have_a_column_for_the_member(here):
    (here / "a.zip").write_bytes(zipped({"=1+1": BAD}))
    (row,) = csv.DictReader(extract("--format", "csv", "a.zip").lines)
    assert (row["url"], row["member"]) == ("http://h.example/%zz/a", "'=1+1")


def test_missing_zstandard_is_one_line(here):
    (here / "a.zst").write_bytes(zst(BAD))
    (here / "b.txt").write_bytes(BAD)
    code = (
        "import sys; sys.modules['zstandard'] = sys.modules['compression'] = None;"
        "from urlscan.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "extract", "a.zst", "b.txt"]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("http://h.example/%zz/a\n", 2)
    assert done.stderr == (
        "urlscan: a.zst: reading Zstandard requires the package zstandard, which is not installed"
        f" ({install_command('zstd')}, or --no-decompress)\n"
    )


def test_plain_file_loads_no_decompression(here):
    (here / "a.txt").write_bytes(TEXT)
    code = "import sys; from urlscan.cli import main; main(['extract', 'a.txt']); print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"zlib", "bz2", "lzma", "zstandard", "struct", "tempfile"}
    assert not {name for name in loaded if name.endswith((".unpack", ".streams", ".compressed", ".tars", ".zips"))}


def test_zip_member_read_from_a_pipe_is_read(here):
    """`... | zip a.zip -` writes such a member."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        entry = zipfile.ZipInfo("-")
        entry.create_system, entry.external_attr = 3, (stat.S_IFIFO | 0o600) << 16
        archive.writestr(entry, BAD)
    (here / "a.zip").write_bytes(file.getvalue())
    assert extract("a.zip").lines == ["http://h.example/%zz/a"]


STUB = b"MZ\x90\0" + bytes(5000)


@pytest.mark.parametrize("name", ["a.exe", "a.zip", "a"])
def test_zip_archive_after_a_program_is_read(here, name):
    (here / name).write_bytes(STUB + zipped({"a.txt": BAD}))
    assert extract(name).lines == ["http://h.example/%zz/a"]


def test_zip_archive_without_its_directory_is_an_error(here):
    (here / "a.zip").write_bytes(STUB + zipped({"a.txt": BAD})[:-10])
    done = extract("a.zip")
    assert (done.status, done.err.splitlines()) == (
        2,
        ["urlscan: a.zip: the directory is missing; the archive may be truncated"],
    )


def test_secret_in_a_member_name_is_masked(here):
    (here / "a.zip").write_bytes(zipped({"http://jo:hunter22@h.example/a?access_token=0123456789abcdef": BAD}))
    for command in (["extract", "--with-filename"], ["extract", "--format", "jsonl"], ["check", "--format", "json"]):
        done = urlscan(*command, "a.zip")
        assert "http://jo:***@h.example/a?access_token=***" in done.text
        assert "hunter22" not in done.text
        assert "0123456789abcdef" not in done.text


def test_member_names_in_other_encodings_are_decoded(here):
    data = zipped({"caf_.txt": BAD}).replace(b"caf_", b"caf\x82")
    (here / "a.zip").write_bytes(data)
    (here / "a.tar").write_bytes(tar({"b\udcff.txt": BAD}, tarfile.GNU_FORMAT))
    assert json.loads(extract("--format", "jsonl", "a.zip").text)["member"] == "café.txt"
    assert json.loads(extract("--format", "jsonl", "a.tar").text)["member"] == "b\udcff.txt"
