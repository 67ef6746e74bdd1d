"""Any division of the files into partitions gives the same rows."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.archive.databases import archive, rows
from tests.command import urlscan
from tests.spark.reading import names_of, partitions_of, rows_of
from tests.strategies import examples
from urlscan.documents.mail import split
from urlscan.files import chunks
from urlscan.pipeline import ranges
from urlscan.pipeline import read as pipeline_read
from urlscan.spark import read as spark_read

ROOT = Path(__file__).parents[2]
# Files are too small for ranges of real sizes.
_BATCH, _CHUNK = 300, 400
_ALL = 1 << 30

FROM = "From jo@h.example Thu Aug 22 12:26:25 2002\n"
MESSAGE = (
    "Message-ID: <{0}@h.example>\nSubject: {0}\nDate: Thu, 22 Aug 2002 12:26:25 +0000\n\nSee http://h.example/{0}|x"
)
TEXTS = [
    "plain text\n", "\n", "\r\n", "é" * 40, "see http://h.example/a, ", "<http://h.example/long-\nname>\n",
    "<URL:http://h", "ttp://h.example/b>\n", "http://h.example/http://h.example/", "http:/h.example ", "x" * 90,
    '"http://h.example/c\nd" ', "http://h.example/" * 15,
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def small_sizes() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split, "SIZE", _BATCH)
        patch.setattr(split.batch_spans, "__defaults__", (_BATCH, 3000, 0, None))
        patch.setattr(split.batch_starts, "__defaults__", (_BATCH,))
        patch.setattr(chunks, "SIZE", _CHUNK)
        patch.setattr(chunks.file_chunks, "__defaults__", (_CHUNK, 0, None))
        for module in (pipeline_read, spark_read):
            patch.setattr(module, "LARGE", 0)
        yield


def assert_division_gives_same_rows(path: Path, table: str, split_bytes: int) -> None:
    whole = rows_of(path, table=table, splitBytes=_ALL)
    assert rows_of(path, table=table, splitBytes=split_bytes) == whole


@pytest.mark.slow
@examples(60)
@given(
    st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=25),
    st.sampled_from(["occurrence", "finding", "message", "url"]),
    st.integers(1, 6),
    st.booleans(),
)
def test_division_of_a_mailbox(
    tmp_path_factory: pytest.TempPathFactory, messages: list[tuple[int, bool]], table: str, size: int, has_lengths: bool
) -> None:
    pieces = []
    for number, (lines, quotes) in enumerate(messages):
        body = MESSAGE.format(number).partition("\n\n")[2] + "\n" + f"line {number}\n" * lines * 8
        if quotes and has_lengths:
            body += f"\n{FROM}{MESSAGE.format(900 + number)}\n"
        head = MESSAGE.format(number).partition("\n\n")[0]
        length = f"\nContent-Length: {len(body)}" if has_lengths else ""
        pieces.append(f"{FROM}{head}{length}\n\n{body}\n")
    path = tmp_path_factory.mktemp("m") / "a.mbox"
    path.write_text("".join(pieces))
    assert_division_gives_same_rows(path, table, size * _BATCH)


@pytest.mark.slow
@examples(30)
@given(
    st.lists(st.sampled_from(TEXTS), min_size=10, max_size=40).map("".join),
    st.sampled_from(["occurrence", "finding", "url"]),
    st.integers(1, 6),
    st.booleans(),
)
@example("x " + "http://h.example/" * 60 + "\n" + "http://h.example/ " * 20, "occurrence", 1, False)
def test_division_of_a_text(
    tmp_path_factory: pytest.TempPathFactory, text: str, table: str, size: int, defanged: bool
) -> None:
    path = tmp_path_factory.mktemp("t") / "a.txt"
    path.write_text(text)
    whole = rows_of(path, table=table, splitBytes=_ALL, defanged=str(defanged).lower())
    assert rows_of(path, table=table, splitBytes=size * _CHUNK, defanged=str(defanged).lower()) == whole


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.mbox", "a.txt"])
def test_lines_are_those_of_the_file(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are counted when the file is divided, if it has many ranges, and otherwise by the readers."""
    text = "".join(f"{FROM}{MESSAGE.format(n)}\r\nhttp://h.example/é{n} http://h.example/\n\n" for n in range(40))
    (tmp_path / name).write_text(text * 3 if name == "a.mbox" else "\ufeff" + text.replace("\n", " "), newline="")
    whole = rows_of(tmp_path, splitBytes=_ALL)
    assert rows_of(tmp_path, splitBytes=_BATCH) == whole
    monkeypatch.setattr(ranges, "_MOST_UNCOUNTED", 1 << 30)
    assert rows_of(tmp_path, splitBytes=_BATCH) == whole


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 7, 40])
def test_number_of_partitions(tmp_path: Path, number: int) -> None:
    data = "".join(f"{FROM}{MESSAGE.format(n)}\nhttp://h.example/\n\n" for n in range(1000))
    (tmp_path / "a.mbox").write_text(data)
    found = partitions_of(tmp_path / "a.mbox", table="message", splitBytes=-(-len(data) // number))
    assert len(found) == number
    ids = [row[3] for rows in found for row in rows]
    assert ids == [f"{n}@h.example" for n in range(1000)]


def test_small_files_are_read_together(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number:02}.html").write_text(f"<a href='http://h.example/{number}'>a</a>")
    found = partitions_of(tmp_path, splitBytes="1m")
    assert [len(rows) for rows in found] == [63, 37]


@pytest.mark.slow
def test_rows_are_those_of_archive_and_extract(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "corpus" / "demo", sources)
    shutil.copytree(ROOT / "corpus" / "defanged", sources / "defanged")
    messages = [f"{FROM}{MESSAGE.format(n)}\n<http://h.example/long-\nname{n % 5}>\n\n" for n in range(150)]
    (sources / "a.mbox").write_text("".join(messages))
    (sources / "b.mbox").write_text("".join(with_length(text) for text in messages[:60]))
    (sources / "c.txt").write_text("".join(TEXTS) * 20)
    database = tmp_path / "a.duckdb"
    archive(database, sources)
    archived = rows(database)
    listed = urlscan("extract", "--isolated", "--format", "jsonl", str(sources))
    records = [json.loads(line) for line in listed.text.splitlines()]
    extracted = sorted((one["start"], one["end"], one["line"], one["column"], one["style"]) for one in records)
    size = sum(path.stat().st_size for path in sources.rglob("*"))
    columns = [names_of("occurrence").index(name) for name in ("start", "end", "line", "column", "style")]
    for number in (1, 2, 7, 40):
        for table in ("message", "url", "occurrence", "finding"):
            found = rows_of(sources, table=table, splitBytes=_ALL if number == 1 else size // number)
            assert found == archived[table], (number, table)
            if table == "occurrence":
                assert sorted(tuple(row[column] for column in columns) for row in found) == extracted


def with_length(message: str) -> str:
    """Return a message with the field Content-Length."""
    head, _, body = message.partition("\n\n")
    return f"{head}\nContent-Length: {len(body) - 1}\n\n{body}"
