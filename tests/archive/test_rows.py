"""The rows of a source: equal to what `extract` and `check` report, with secrets masked."""

import json
import pickle
from datetime import datetime
from pathlib import Path

import pytest

from tests.archive.tables import all_records, batches, records
from tests.command import urlscan
from urlscan.api import batches as api_batches
from urlscan.archive import rows, schema

ROOT = Path(__file__).parents[2]
MBOX = b"""From jo@h.example Thu Aug 22 12:26:25 2002
From: =?utf-8?q?J=C3=B6?= <jo@h.example>
Subject: see http://jo:secret@h.example/ and
 more
Date: Thu, 22 Aug 2002 18:26:25 +0700
Message-ID: <1@h.example>
List-Id: Talk <talk.h.example>
In-Reply-To: your message of <0@h.example>

See <http://h.example/a
b> and ftp://jo:hidden@h.example/100%.

From al@h.example Thu Aug 22 12:26:26 2002
Message-ID: <2@h.example>
Newsgroups: comp.lang.c, comp.std.c
Date: nonsense

No links.
"""


@pytest.fixture
def mbox(tmp_path: Path) -> Path:
    path = tmp_path / "a.mbox"
    path.write_bytes(MBOX)
    return path


def test_message_has_its_fields_and_span(mbox: Path) -> None:
    first, second = all_records(mbox, schema.MESSAGE)
    assert MBOX[first["start"] : first["end"]].endswith(b"100%.\n\n")
    assert MBOX[second["start"] :].startswith(b"From al@")
    assert first["sender"] == "Jö <jo@h.example>"
    assert first["subject"] == "see http://jo:***@h.example/ and more"
    assert first["date"] == datetime(2002, 8, 22, 11, 26, 25)
    assert (first["message_id"], first["in_reply_to"]) == ("1@h.example", "0@h.example")
    assert (first["list_id"], first["newsgroups"]) == ("talk.h.example", [])
    assert (first["thread_id"], second["thread_id"]) == ("0@h.example", "2@h.example")
    assert (second["date_source"], second["date_raw"], second["date_field"]) == ("envelope", "nonsense", None)
    assert second["date"] == second["date_envelope"] == datetime(2002, 8, 22, 12, 26, 26)
    assert second["newsgroups"] == ["comp.lang.c", "comp.std.c"]


def test_occurrence_has_its_url_message_and_breaks(mbox: Path) -> None:
    urls = {row["url_id"]: row["url"] for row in all_records(mbox, schema.URL)}
    found = all_records(mbox, schema.OCCURRENCE)
    assert [urls[row["url_id"]] for row in found] == [
        "http://jo:***@h.example/", "http://h.example/ab", "ftp://jo:***@h.example/100%",
    ]  # fmt: skip
    assert {row["message_start"] for row in found} == {0}
    assert [row["part"] for row in found] == ["header:Subject", "1", "1"]
    broken = found[1]
    assert MBOX[broken["outer_start"] : broken["outer_end"]] == b"<http://h.example/a\nb>"
    assert broken["breaks"] == [{"kind": "newline", "offset": 18, "length": 1, "hyphen": False}]


def test_no_secret_is_in_any_row(mbox: Path) -> None:
    (batch,) = batches(mbox)
    text = repr([records(batch, table) for table in schema.TABLES])
    assert "hidden" not in text
    assert "secret" not in text


def test_secrets_are_kept_on_request(mbox: Path) -> None:
    urls = [row["url"] for row in all_records(mbox, schema.URL, show_secrets=True)]
    assert "ftp://jo:hidden@h.example/100%" in urls


@pytest.mark.parametrize("name", ["demo", "documents", "find", "rejoin"])
def test_rows_are_those_of_extract_and_check(name: str) -> None:
    path = ROOT / "corpus" / name
    places = []
    extracted = urlscan("extract", "--isolated", "-j1", "--format", "jsonl", str(path))
    for line in extracted.lines:
        record = json.loads(line)
        place = (record["start"], record["end"], record["outer_start"], record["outer_end"], record["line"])
        places.append((*place, record["column"], record["url"], record.get("part")))
    rows = []
    for batch in batches(path):
        urls = {row["url_id"]: row["url"] for row in records(batch, schema.URL)}
        for row in records(batch, schema.OCCURRENCE):
            place = (row["start"], row["end"], row["outer_start"], row["outer_end"], row["line"], row["column"])
            rows.append((*place, urls[row["url_id"]], row["part"]))
    assert rows == places
    assert rows


@pytest.mark.parametrize("tables", [{"message"}, {"occurrence"}, {"finding"}, {"url"}, {"occurrence", "finding"}])
def test_only_the_requested_tables_have_rows(mbox: Path, tables: set[str]) -> None:
    page = mbox.with_name("a.html")
    page.write_text('<a href="http://h.example/100%">a</a>')
    for path in (mbox, page):
        (every,) = batches(path)
        (some,) = batches(path, tables=frozenset(tables))
        for table in (schema.MESSAGE, schema.URL, schema.OCCURRENCE, schema.FINDING):
            assert records(some, table) == (records(every, table) if table.name in tables else [])
        assert some[1:] == every[1:]


def test_tables_without_findings_run_no_rule(mbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_batches, "lint_document", None)
    (batch,) = batches(mbox, tables=frozenset({"occurrence", "message"}))
    assert len(records(batch, schema.OCCURRENCE)) == 3


def test_url_row_has_the_components() -> None:
    row = dict(zip(schema.URL.names, rows.url_row("http://WWW.Bücher.example:8080/a?b#c"), strict=True))
    assert (row["host"], row["host_ascii"], row["port"]) == ("www.bücher.example", "www.xn--bcher-kva.example", 8080)
    assert (row["registered_domain"], row["public_suffix"]) == ("xn--bcher-kva.example", "example")
    assert (row["valid_rfc3986"], row["valid_rfc1738"]) == (False, False)


@pytest.mark.parametrize("host", ["W%77w.H.example", "www.h.example.", "%77%77%77.h.example"])
def test_host_of_a_row_is_decoded(host: str) -> None:
    row = dict(zip(schema.URL.names, rows.url_row(f"http://{host}/"), strict=True))
    assert (row["host"], row["host_ascii"], row["registered_domain"]) == ("www.h.example", "www.h.example", "h.example")


@pytest.mark.parametrize(
    ("url", "domain", "suffix"),
    [
        ("http://www.bbc.co.uk/", "bbc.co.uk", "co.uk"),
        ("http://a.b.github.io/", "b.github.io", "github.io"),
        ("http://192.0.2.1/", None, None),
        ("http://[::1]/", None, None),
        ("http://0x7f.1/", None, None),
        ("http://localhost/", None, "localhost"),
        ("http://h.example./", "h.example", "example"),
        ("http://a..b/", None, None),
        ("mailto:jo@h.example", None, None),
        ("../a", None, None),
    ],
)
def test_registered_domain_follows_the_public_suffix_list(url: str, domain: str | None, suffix: str | None) -> None:
    row = dict(zip(schema.URL.names, rows.url_row(url), strict=True))
    assert (row["registered_domain"], row["public_suffix"]) == (domain, suffix)


@pytest.mark.parametrize("port", ["", "99999", "٣", "port", "80a", "9" * 5000])
def test_port_that_is_no_port_is_missing(port: str) -> None:
    row = dict(zip(schema.URL.names, rows.url_row(f"http://h.example:{port}/"), strict=True))
    assert row["port"] is None


def test_member_and_file_of_the_same_name_have_different_ids() -> None:
    assert rows.source_id("a", "b") != rows.source_id("a") != rows.source_id("b")


def test_rows_are_pickled_once(mbox: Path) -> None:
    (step,) = batches(mbox)
    sent = pickle.dumps(step.result)
    received = pickle.loads(sent)
    assert pickle.dumps(received) == sent
    assert received.by_table == step.result.by_table
    assert sorted(received.by_table) == ["message", "occurrence", "url"]
