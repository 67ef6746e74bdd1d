"""A source that cannot be read is a row with its error, and secrets are in no row."""

import gzip
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.spark.reading import names_of, partitions_of, rows_of
from tests.spark.test_partitions import FROM, MESSAGE
from urlscan.archive.schema import TABLES
from urlscan.documents.mail import split
from urlscan.spark.source import UrlscanSource

MAILBOX = "".join(f"{FROM}{MESSAGE.format(number)}\n\n" for number in range(2000)).encode()


def sources(path: Path) -> list[dict[str, Any]]:
    found = [dict(zip(names_of("source"), row, strict=True)) for row in rows_of(path, table="source")]
    return sorted(found, key=lambda row: str(row["path"]))


def test_damaged_file_is_an_error_and_its_beginning_is_read(tmp_path: Path) -> None:
    packed = gzip.compress(MAILBOX, mtime=0)
    (tmp_path / "a.mbox.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "b.txt").write_text("http://h.example/b\n")
    damaged, other = sources(tmp_path)
    assert (damaged["status"], other["status"]) == ("error", "ok")
    assert "end" in damaged["error"] or "damaged" in damaged["error"]
    assert len(rows_of(tmp_path, table="occurrence")) > 100


@pytest.mark.parametrize("change", ["removed", "shortened", "directory"])
def test_file_that_changes_after_planning_is_an_error(tmp_path: Path, change: str) -> None:
    path = tmp_path / "a.mbox"
    for table in ("source", "occurrence", "message"):
        path.write_bytes(MAILBOX * 3)
        source = UrlscanSource({"path": str(path), "table": table, "splitBytes": "1g" if table == "message" else "1m"})
        reader = source.reader(source.schema())
        partitions = reader.partitions()
        if change == "shortened":
            path.write_bytes(b"From ")
        else:
            path.unlink()
        if change == "directory":
            path.mkdir()
        found = [row for part in partitions for batch in reader.read(part) for row in batch.to_pylist()]
        if table == "source":
            assert [row["status"] for row in found] == ["error"]
            assert found[0]["error"]
        else:
            assert found == []
        if change == "directory":
            shutil.rmtree(path)


def test_bytes_added_after_planning_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_bytes(MAILBOX)
    source = UrlscanSource({"path": str(path), "table": "message"})
    reader = source.reader(source.schema())
    partitions = reader.partitions()
    path.write_bytes(MAILBOX * 2)
    assert sum(batch.num_rows for part in partitions for batch in reader.read(part)) == 2000


def test_message_that_is_too_large_has_a_remark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split.batch_spans, "__defaults__", (20_000, 50_000, 0, None))
    large = f"{FROM}{MESSAGE.format('large')}\n{'See http://h.example/.' * 5000}\n\n".encode()
    (tmp_path / "a.mbox").write_bytes(MAILBOX[:1000] + b"\n\n" + large + MAILBOX)
    (row,) = sources(tmp_path)
    assert row["status"] == "ok"
    assert "read as plain text" in row["error"]
    assert len(rows_of(tmp_path, table="occurrence")) > 7000


def test_secrets_are_in_no_row(tmp_path: Path) -> None:
    url = "http://jo:hunter2@h.example/?access_token=hunter2xyz"
    (tmp_path / "a.mbox").write_text(f"{FROM}Message-ID: <1@h>\nSubject: {url}\n\n<{url}|x> and\n{url}\n")
    for table in TABLES:
        assert "hunter2" not in repr(partitions_of(tmp_path, table=table.name)), table.name
