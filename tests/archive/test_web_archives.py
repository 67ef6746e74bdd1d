"""Records of web archives have rows in `source` and `message`, and interrupted runs continue after the last one."""

import json
import zlib
from datetime import datetime
from pathlib import Path

import pytest

from tests.archive.databases import archive, ask, rows
from tests.command import urlscan
from tests.web_archives import gz, http, record, response
from urlscan.archive.ingest import Ingest

PICTURE = record("resource", "http://p.example/a.png", bytes(9), "image/png")
TEXT = record("conversion", "http://jo:secret@t.example/", b"See http://h.example/%zz.", "text/plain", WARC_Date="2021")


def test_record_is_a_message_of_its_source(tmp_path: Path) -> None:
    database, path = tmp_path / "a.duckdb", tmp_path / "a.warc.gz"
    page = response("http://a.example/")
    path.write_bytes(gz(page, PICTURE, TEXT))
    archive(database, path)
    assert ask(
        database,
        'SELECT member, kind, status, start, message."end", date, message_id, target_uri, record_type'
        " FROM source LEFT JOIN message USING (source_id) WHERE member <> '' ORDER BY member",
    ) == [
        (
            "0 http://a.example/", "http", "ok", 0, len(http()), datetime(2020, 1, 2, 3, 4, 5),
            f"urn:uuid:{zlib.crc32(b'http://a.example/')}", "http://a.example/", "response",
        ),
        (
            f"{len(page) + len(PICTURE)} http://jo:***@t.example/", "plain", "ok", 0, 25, None,
            f"urn:uuid:{zlib.crc32(b'http://jo:secret@t.example/')}", "http://jo:***@t.example/", "conversion",
        ),
    ]  # fmt: skip
    joined = "JOIN message ON message.source_id = {0}.source_id AND message_start = message.start"
    for table, count in (("occurrence", 3), ("finding", 1)):
        assert ask(database, f"SELECT count(*) FROM {table} {joined.format(table)}") == [(count,)]
        assert ask(database, f"SELECT count(*) FROM {table}") == [(count,)]
    assert "secret" not in str(rows(database))


def test_rows_are_those_of_extract_and_check(tmp_path: Path) -> None:
    database, path = tmp_path / "a.duckdb", tmp_path / "a.warc"
    path.write_bytes(response("http://a.example/") + TEXT)
    archive(database, path)
    found = [json.loads(line) for line in urlscan("extract", "--format", "jsonl", str(path)).lines]
    stored = ask(
        database,
        'SELECT member, url, start, occurrence."end", line FROM occurrence JOIN source USING (source_id)'
        " JOIN url USING (url_id) ORDER BY member, start",
    )
    assert stored == [(one["member"], one["url"], one["start"], one["end"], one["line"]) for one in found]
    checked = [json.loads(line) for line in urlscan("check", "--format", "jsonl", str(path)).lines]
    stored = ask(database, "SELECT code, line FROM finding")
    assert stored == [(one["code"], one["line"]) for one in checked if "code" in one]


@pytest.mark.parametrize("stop", [1, 3, 5, 6, 8, 11])
@pytest.mark.slow
def test_interrupted_run_continues_with_the_next_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    database, path = tmp_path / "a.duckdb", tmp_path / "a.warc.gz"
    path.write_bytes(gz(*[response(f"http://{number}.example/") for number in range(5)], TEXT))
    handle, seen = Ingest.handle, []

    def interrupt(self: Ingest, event: object) -> object:
        seen.append(event)
        if len(seen) > stop:
            raise KeyboardInterrupt
        return handle(self, event)  # type: ignore[arg-type]

    with monkeypatch.context() as context:
        context.setattr(Ingest, "handle", interrupt)
        assert urlscan("archive", "--isolated", "--db", str(database), str(path)).status == 130
    archive(database, path)
    fresh = tmp_path / "fresh.duckdb"
    archive(fresh, path)
    assert rows(database) == rows(fresh)
    assert "1 unchanged" in archive(database, path).text


def test_damaged_archive_is_an_error_with_all_other_rows(tmp_path: Path) -> None:
    database, path = tmp_path / "a.duckdb", tmp_path / "a.warc"
    path.write_bytes(response("http://a.example/") + b"garbage\n" + response("http://b.example/") + TEXT[:-10])
    for _ in range(2):
        assert urlscan("archive", "--isolated", "--db", str(database), str(path)).status == 2
        assert ask(database, "SELECT status, error FROM source WHERE member = ''") == [("error", "damaged record")]
        assert ask(database, "SELECT count(*) FROM message") == [(3,)]
