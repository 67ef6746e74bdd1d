"""Test `urlscan extract`."""

import csv
import io
import json
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.command import urlscan

TEXT = """\
See <URL:ftp://h.example/a/
  b> and http://h.example/x, then HTTP://h.example/x
http://h.example/x and <URL:ftp://h.example/a/b>.
"""
URLS = [
    "ftp://h.example/a/b",
    "http://h.example/x",
    "HTTP://h.example/x",
    "http://h.example/x",
    "ftp://h.example/a/b",
]
STDIN = TEXT.encode()


def test_text_has_one_url_per_line_in_order() -> None:
    assert urlscan("extract", stdin=STDIN) == (0, "".join(url + "\n" for url in URLS).encode(), "")


def test_text_without_urls_has_status_0() -> None:
    assert urlscan("extract", stdin=b"nothing\n") == (0, b"", "")


def test_unique_keeps_the_first_occurrence_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text("gopher://h.example/ http://h.example/x\n")
    done = urlscan("extract", "--unique", "--with-filename", "a.txt", "b.txt", cwd=tmp_path)
    assert done.lines == [*(f"a.txt:{url}" for url in dict.fromkeys(URLS)), "b.txt:gopher://h.example/"]
    records = [json.loads(line) for line in urlscan("extract", "--unique", "--format=jsonl", stdin=STDIN).lines]
    assert [record["url"] for record in records] == list(dict.fromkeys(URLS))


def test_count_is_descending_and_stable() -> None:
    assert urlscan("extract", "--count", stdin=STDIN).lines == [
        "      2 ftp://h.example/a/b",
        "      2 http://h.example/x",
        "      1 HTTP://h.example/x",
    ]
    assert json.loads(urlscan("extract", "--count", "--format", "json", stdin=STDIN).out)[0] == {
        "schema_version": 1,
        "url": "ftp://h.example/a/b",
        "count": 2,
    }
    assert urlscan("extract", "--count", "--format", "csv", stdin=STDIN).lines[:2] == [
        "count,url",
        "2,ftp://h.example/a/b",
    ]


@pytest.mark.parametrize("schemes", ["ftp", "FTP,gopher", "ftp:", "gopher, ftp"])
def test_schemes_selects_urls(schemes: str) -> None:
    assert urlscan("extract", "--schemes", schemes, stdin=STDIN).lines == [URLS[0], URLS[4]]


def test_schemes_may_be_repeated_or_match_nothing() -> None:
    assert urlscan("extract", "--schemes", "gopher", stdin=STDIN).lines == []
    assert urlscan("extract", "--schemes", "http", "--schemes", "ftp", stdin=STDIN).lines == URLS


@pytest.mark.parametrize(
    ("schemes", "hints"),
    [
        ("htpt", ['"htpt" (did you mean "http"?)']),
        ("FPT:,nwes://", ['"fpt" (did you mean "ftp"?)', '"nwes" (did you mean "news"?)']),
        ("invented", ['"invented" (add a private scheme to the setting schemes)']),
        ("http,svn+ssh,git+https,x-foo,s3,z39.50,mine", []),
        ("http://jo:s3cret@h.example", ['"http://jo:***@h.example" (add a private scheme to the setting schemes)']),
    ],
)
def test_unknown_schemes_are_reported(schemes: str, hints: list[str]) -> None:
    done = urlscan("extract", "--schemes", schemes, "--config", 'schemes = ["mine"]', stdin=STDIN)
    assert done.status == 0
    assert done.err.splitlines() == [f"urlscan: warning: unknown scheme {hint}" for hint in hints]
    assert urlscan("extract", "-q", "--schemes", "htpt", stdin=STDIN).err == ""


def test_control_characters_are_escaped() -> None:
    done = urlscan("extract", stdin="<URL:http://h.example/\x1b[31m\u202e> http://h.example/é\xad".encode())
    assert all(line.isprintable() or "\xad" in line for line in done.lines)
    assert "\x1b" not in done.text
    assert "\u202e" not in done.text


def test_many_urls_are_in_order() -> None:
    urls = [f"http://h.example/{number}" for number in range(20_000)]
    assert urlscan("extract", stdin=" ".join(urls).encode()).lines == urls


def test_json_has_the_documented_fields() -> None:
    (first, *_) = json.loads(urlscan("extract", "--format", "json", stdin=b"\xef\xbb\xbf" + STDIN).out)
    assert first == {
        "schema_version": 1,
        "url": "ftp://h.example/a/b",
        "raw": "ftp://h.example/a/\n  b",
        "path": "-",
        "line": 1,
        "column": 10,
        "end_line": 2,
        "end_column": 4,
        "start": 12,
        "end": 34,
        "outer_start": 7,
        "outer_end": 35,
        "scheme": "ftp",
        "style": "wrapper",
        "context": "prose",
        "breaks": [{"kind": "newline", "offset": 18, "length": 3, "hyphen": False}],
        "alternatives": [],
        "joined": "delimited",
    }
    assert urlscan("extract", "--format", "json", stdin=b"").text == "[]\n"


def test_templates_are_marked_in_json() -> None:
    plain, template = (
        json.loads(line)
        for line in urlscan("extract", "--format=jsonl", stdin=b"http://h.example/x http://h.example/{name}").lines
    )
    assert "template" not in plain
    assert template["template"] is True


AWKWARD = """\
<URL:http://h.example/long-
name> "http://joe:pa55word@h.example/x" <http://h.example/a b/c>
> <URL:http://h.example/quo
> ted/日本> http://h.example/{id}?x=%s http://h.example/é
"""


@pytest.mark.parametrize(
    "data",
    [
        AWKWARD.encode(),
        AWKWARD.encode("utf-16"),
        b"\xff\xe9 " + AWKWARD.encode(),
        AWKWARD.replace("\n", "\r\n").encode(),
    ],
    ids=["UTF-8", "UTF-16", "not UTF-8", "CRLF"],
)
def test_records_match_the_schema_and_the_bytes(data: bytes) -> None:
    schema = json.loads(files("urlscan").joinpath("data/occurrence.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    records = [json.loads(line) for line in urlscan("extract", "--format", "jsonl", "--show-secrets", stdin=data).lines]
    assert len(records) == 6
    for record in records:
        Draft202012Validator(schema).validate(record)
        piece = data[record["start"] : record["end"]]
        assert record["raw"] == piece.decode("utf-16-le" if data[:2] == b"\xff\xfe" else "utf-8")
        assert record["outer_start"] <= record["start"] < record["end"] <= record["outer_end"]
    masked = [json.loads(line) for line in urlscan("extract", "--format", "jsonl", stdin=data).lines]
    assert [record.pop("redacted", False) for record in masked] == [False, True, False, False, False, False]
    for record in masked:
        Draft202012Validator(schema).validate(record)


@pytest.mark.parametrize(("format", "dialect"), [("csv", "excel"), ("tsv", "excel-tab")])
def test_tables_can_be_parsed(format: str, dialect: str) -> None:
    done = urlscan("extract", "--format", format, stdin=b'http://h.example/a,b "http://h.example/{x}"\n')
    assert b"\r" not in done.out
    rows = list(csv.DictReader(io.StringIO(done.text), dialect=dialect))
    assert [row["url"] for row in rows] == ["http://h.example/a,b", "http://h.example/{x}"]
    assert rows[1]["template"] == "true"
    assert rows[0]["start"] == "0"
    assert urlscan("extract", "--format", format, stdin=b"").text.count("\n") == 1, (
        "the header is written even without rows"
    )


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "\tx", "\rx"])
def test_cells_are_not_formulas(name: str) -> None:
    for format, dialect in (("csv", "excel"), ("tsv", "excel-tab")):
        text = urlscan("extract", "--format", format, f"--stdin-filename={name}", stdin=b"http://h.example/").text
        (row,) = csv.DictReader(io.StringIO(text), dialect=dialect)
        assert row["path"].startswith("'")
        assert row["path"].isprintable()


# --- --by


def test_urls_are_counted_by_host_domain_and_scheme(tmp_path: Path) -> None:
    text = (
        "http://a.mill.org/1 http://b.mill.org/ http://A.mill.org/1 ftp://192.0.2.1/x mailto:jo@h.org http://\u00fc.de/"
    )
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")

    def counted(by: str, *more: str) -> list[str]:
        return urlscan("extract", "--by", by, *more, "a.txt", cwd=tmp_path).lines

    assert counted("host") == [
        "      2 a.mill.org", "      1 b.mill.org", "      1 192.0.2.1", "      1 (none)", "      1 \u00fc.de",
    ]  # fmt: skip
    assert counted("scheme") == ["      4 http", "      1 ftp", "      1 mailto"]
    assert json.loads(counted("scheme", "--format", "jsonl")[0]) == {
        "schema_version": 1, "scheme": "http", "count": 4, "urls": 4,
    }  # fmt: skip
    pytest.importorskip("publicsuffixlist")
    assert counted("domain", "--format", "csv")[:3] == ["count,urls,domain", "3,3,mill.org", "1,1,192.0.2.1"]


def test_hosts_are_decoded_before_they_are_counted() -> None:
    text = "http://w%77w.h.example/ http://www.h.example./a http://b%C3%BCcher.example/ http://xn--bcher-kva.example/"
    done = urlscan("extract", "--by", "host", stdin=text.encode())
    assert done.lines == ["      2 www.h.example", "      2 b\u00fccher.example"]


@pytest.mark.parametrize("option", ["--count", "--unique", "--with-filename", "--defang"])
def test_by_excludes_other_ways_of_listing(option: str) -> None:
    done = urlscan("extract", "--by", "host", option, stdin=b"http://h.example/")
    assert (done.status, done.text) == (2, "")
    assert done.err.startswith("urlscan: --by cannot be used with ")
