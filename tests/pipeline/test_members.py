"""The members of one archive are shared by processes: the results do not depend on how many there are."""

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.archive.databases import rows
from tests.command import urlscan
from urlscan.core.settings import FindOptions
from urlscan.files.walk import Source
from urlscan.pipeline import divide
from urlscan.pipeline.extract import ExtractResult, extract
from urlscan.pipeline.read import LARGE, Note, ReadOptions, read_sources

_SMALL = 300_000


def text(number: int, size: int = _SMALL) -> bytes:
    line = f"See http://h{number}.example/a|b and some more words.\n".encode()
    return (line + b"words without any address, line by line\n" * (size // 40))[:size]


MEMBERS = [
    *((f"d/{number}.txt", text(number)) for number in range(12)),
    ("binary.bin", bytes(400)),
    ("large.txt", text(77, LARGE + 100)),
    ("large.html", b"<p>" + text(78, LARGE + 100)),
    ("d/1.txt", text(99)),
    ("mail.mbox", b"From a@h.example Thu Jan  1 00:00:00 2004\nSubject: x\n\nSee http://m.example/.\n\n" * 3),
    *((f"e/{number}.txt", text(number)) for number in range(20, 32)),
]


def write_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, data in MEMBERS:
            if name not in file.namelist():
                file.writestr(name, data)


def write_tar(path: Path) -> None:
    with tarfile.open(path, "w:gz", compresslevel=1) as file:
        for name, data in MEMBERS:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            file.addfile(member, io.BytesIO(data))


def write_warc(path: Path) -> None:
    with path.open("wb") as file:
        for number, (name, data) in enumerate(MEMBERS):
            body = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + data
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://s.example/{name}\r\n"
                f"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{number:08}-0000-0000-0000-000000000000>"
                f"\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + body + b"\r\n\r\n", 1))


def write_damaged(path: Path) -> None:
    write_tar(path)
    path.write_bytes(path.read_bytes()[:-2000])


CONTAINERS = {"a.zip": write_zip, "a.tar.gz": write_tar, "a.warc.gz": write_warc, "damaged.tar.gz": write_damaged}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives")
    for name, write in CONTAINERS.items():
        write(folder / name)
    return folder


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("a.zip", ("extract", "--format=jsonl", "-v")),
        ("a.tar.gz", ("check", "--isolated", "--format=concise")),
        ("a.warc.gz", ("extract", "--format=jsonl")),
        ("damaged.tar.gz", ("extract", "--format=jsonl")),
    ],
)
def test_output_is_the_same_for_any_number_of_processes(folder: Path, name: str, command: tuple[str, ...]) -> None:
    if "warc" in name:
        pytest.importorskip("fastwarc")
    one, two, three = (urlscan(*command, f"-j{jobs}", name, cwd=folder) for jobs in (1, 2, 3))
    assert len(one.out.splitlines()) > 25
    assert one == two == three


@pytest.mark.parametrize("name", ["a.warc.gz", "damaged.tar.gz"])
def test_rows_are_the_same_for_any_number_of_processes(folder: Path, tmp_path: Path, name: str) -> None:
    pytest.importorskip("duckdb")
    if "warc" in name:
        pytest.importorskip("fastwarc")
    for jobs in (1, 2):
        done = urlscan("archive", "--isolated", f"-j{jobs}", "--db", str(tmp_path / f"{jobs}.db"), str(folder / name))
        assert done.status == (2 if "damaged" in name else 0), done
    first = rows(tmp_path / "1.db")
    assert len(first["occurrence"]) > 25
    assert first == rows(tmp_path / "2.db")


def test_members_are_searched_by_several_processes(folder: Path) -> None:
    results = extract(
        [str(folder / "a.zip")], ReadOptions(), FindOptions(), lambda matches, *_: (len(list(matches)), os.getpid()), 2
    )
    numbers = {result.result[1] for result in results if isinstance(result, ExtractResult)}
    assert numbers - {os.getpid()}


def test_batches_end_at_large_sources_with_and_without_their_bytes(folder: Path) -> None:
    for name in ("a.zip", "a.tar.gz"):
        divisions = []
        for copies_large in (True, False):
            reads = read_sources(Source(str(folder / name)), ReadOptions(copies_large=copies_large))
            batches = divide._member_batches((each, None) for each in reads)
            sizes = []
            for batch in batches:
                sizes.append(sum(not isinstance(each, Note) for each, _ in batch))
                for each, _ in batch:
                    if isinstance(each, Source):
                        each.close()
            divisions.append(sizes)
        assert divisions[0] == divisions[1]
