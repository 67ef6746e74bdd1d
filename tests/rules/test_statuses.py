"""Dead links that a link checker reported."""

import io
import json
import tarfile
from datetime import datetime
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan.config.statuses import dead_links, parse_statuses

NOW = datetime(2026, 11, 5)
LYCHEE = json.dumps(
    {
        "total": 4,
        "success_map": {"stdin": [{"url": "http://h.example/new", "status": {"text": "200 OK", "code": 200}}]},
        "error_map": {"stdin": [{"url": "http://h.example/old", "status": {"text": "404 Not Found", "code": 404}}]},
        "timeout_map": {"stdin": [{"url": "http://slow.example/", "status": {"text": "Timeout"}}]},
        "excluded_map": {"stdin": [{"url": "http://other.example/", "status": {"text": "Excluded"}}]},
    }
)
LINKCHECKER = """\
# created by LinkChecker
urlname;parentname;baseref;result;warningstring;infostring;valid;url;line;column
http://h.example/new;;;200 OK;;;True;http://h.example/new;1;1
HTTP://H.example/old;;;404 Not Found;;;False;http://h.example/old;2;1
http://slow.example;;;ConnectTimeout;;;False;http://slow.example/;3;1
# stopped
"""
TABLE = """\
url,status,time
http://h.example/new,200,2026-11-05T10:00:00+02:00
http://h.example/old,404 Not Found,2026-11-05
http://slow.example,timeout,
"""


@pytest.mark.parametrize("text", [LYCHEE, LINKCHECKER, TABLE], ids=["lychee", "linkchecker", "table"])
def test_formats_of_checkers(text: str) -> None:
    statuses = parse_statuses(text, NOW)
    assert {(status.urls[-1].rstrip("/"), status.code, status.is_dead) for status in statuses} == {
        ("http://h.example/new", 200, False),
        ("http://h.example/old", 404, True),
        ("http://slow.example", None, True),
    }
    assert dead_links(statuses)["http://slow.example/"].endswith(", checked 2026-11-05")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 99_999, "not the report of a link checker"),
        ('{"a":' * 99_999, "not valid JSON"),
        ("{}", "not the report of a link checker"),
        ("a,b\n1,2\n", "not the report of a link checker"),
        ("url,status,time\nhttp://h.example/,200,yesterday\n", "Invalid isoformat string"),
        ("url,status,time\nhttp://h.example/,200,0001-01-01T00:00:00+10:00\n", "out of range"),
        ('url,status\n"' + "x" * 200_000 + '",200\n', "field larger than field limit"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "s").write_text(text)
    (tmp_path / "a.txt").write_text("http://h.example/\n")
    done = urlscan("check", "--isolated", "--statuses", "s", "a.txt", cwd=tmp_path)
    assert (done.status, len(done.err.splitlines())) == (2, 1)
    assert message in done.err
    assert urlscan("check", "--statuses", "none", "a.txt", cwd=tmp_path).status == 2


def test_dead_link_is_reported_at_its_place(tmp_path: Path) -> None:
    """Rejoined, decoded, in mail and in an archive; not without the option, and not if it is ignored."""
    (tmp_path / "s.json").write_text(LYCHEE)
    mail = b"From: jo@h.example\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
    mail += b'<p>\n<a href=3D"http://h.exam=\nple/old#a">a</a></p>\n'
    (tmp_path / "a.eml").write_bytes(mail)
    (tmp_path / "b.txt").write_text("See <http://h.example/\nold> and http://h.example/new, http://slow.example\n")
    with tarfile.open(tmp_path / "c.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("d.md")
        entry.size = 30
        archive.addfile(entry, io.BytesIO(b"[a](http://h.example/old) and\n"))
    arguments = ["check", "--isolated", "--format", "jsonl", "a.eml", "b.txt", "c.tar.gz"]
    done = urlscan(*arguments, "--statuses", "s.json", cwd=tmp_path)
    found = [json.loads(line) for line in done.lines]
    dead = [record for record in found if record["code"] == "U951"]
    assert [(record["path"], record["line"]) for record in dead] == [
        ("a.eml", 6), ("b.txt", 1), ("b.txt", 2), ("c.tar.gz", 1),
    ]  # fmt: skip
    assert dead[1]["message"].startswith("dead link: 404 Not Found, checked 20")
    assert "U951" not in urlscan(*arguments, cwd=tmp_path).text
    assert "U951" not in urlscan(*arguments, "--select", "ALL", cwd=tmp_path).text
    assert "U951" not in urlscan(*arguments, "--statuses", "s.json", "--ignore", "U951", cwd=tmp_path).text


def test_secrets_of_a_checker_are_masked() -> None:
    text = "url,status\nhttp://h.example/a,moved to http://jo:hunter22@h.example/\n"
    assert "hunter22" not in str(dead_links(parse_statuses(text, NOW)))


def test_row_without_a_status_and_invalid_codes(tmp_path: Path) -> None:
    assert parse_statuses("url,status\nhttp://h.example/\nhttp://h.example/a, \n", NOW) == []
    for code in ("true", "99999999999999999999", "404.0", "[]"):
        report = '{"error_map": {"a": [{"url": "http://h.example/", "status": {"code": CODE}}]}}'.replace("CODE", code)
        assert [status.code for status in parse_statuses(report, NOW)] == [None]


def test_url_outside_ascii_is_compared_as_it_is_requested(tmp_path: Path) -> None:
    """The report is that of lychee 0.24."""
    reported = ("http://xn--bcher-kva.example/", "http://h.example/%C3%A4?%C3%B6", "http://xn--mller-kva.example/")
    errors = [{"url": url, "status": {"text": "404 Not Found", "code": 404}} for url in reported]
    (tmp_path / "s.json").write_text(json.dumps({"error_map": {"urls.txt": errors}}))
    text = (
        "http://b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.example http://h.example/\xe4?\xf6 http://h.example/\xe5\n"
    )
    (tmp_path / "a.txt").write_text(text, "utf-8")
    done = urlscan("check", "--isolated", "--statuses", "s.json", "--format", "concise", "a.txt", cwd=tmp_path)
    assert [line.split()[0] for line in done.lines if "U951" in line] == ["a.txt:1:1:", "a.txt:1:23:"]
    done = urlscan("archive", "--isolated", "--db", "a.duckdb", "--statuses", "s.json", "a.txt", cwd=tmp_path)
    assert "statuses: 3 reported; 2 URLs, 2 dead" in done.text
