"""Test the formats: alignment of carets, annotations, records."""

import json
import unicodedata

import pytest

from tests.command import urlscan
from urlscan.core.offsets import LineIndex
from urlscan.core.project import rule_page
from urlscan.core.secrets import secret_spans
from urlscan.formats import FORMATS
from urlscan.formats.excerpt import ExcerptLine, excerpt

ONE = "http://h.example/%zz"


def rows(text: str, marked: str, secrets: list[tuple[int, int]] | None = None) -> list[ExcerptLine]:
    """Return the excerpt of the first occurrence of `marked` in `text`."""
    start = text.index(marked)
    end = start + len(marked)

    def position(offset: int) -> tuple[int, int]:
        before = text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    return excerpt(text, LineIndex(text), position(start), position(end), secrets if secrets is not None else [])


def width(text: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def marked_characters(row: ExcerptLine) -> str:
    """Return the characters above the carets, by terminal columns."""
    found, column = "", 0
    for character in row.text:
        wide = width(character)
        if wide and row.carets[column : column + wide] == "^" * wide:
            found += character
        column += wide
    return found


@pytest.mark.parametrize(
    ("text", "marked", "shown"),
    [
        ("see http://h.example/^ there", "^", "^"),
        ("^", "^", "^"),
        ("\tindented\t^ end", "^", "^"),
        ("日本語 http://h.example/日本 end", "日本", "日本"),
        ("e\u0301e\u0301 ^", "^", "^"),
        ("a\x1b[31mb ^", "^", "^"),
        ("a\x1b[31mb", "\x1b", r"\x1b"),
        ("a\u202eb", "\u202e", r"\u202e"),
        ("a\u200bb", "\u200b", r"\u200b"),
        ("a\U000e0041b", "\U000e0041", r"\U000e0041"),
        ("caf\udce9 ^", "^", "^"),
        ("x\udce9y", "\udce9", "é"),
        ("ｆｕｌｌ ^", "^", "^"),
        ("x" * 5000 + "^^" + "y" * 5000, "^^", "^^"),
        ("日" * 5000 + "^^" + "本" * 5000, "^^", "^^"),
        ("first\nsecond ^\nthird", "^", "^"),
    ],
)
def test_carets_mark_the_characters(text: str, marked: str, shown: str) -> None:
    (row,) = rows(text, marked)
    assert marked_characters(row) == row.text[row.marked] == shown
    assert width(row.text) <= 102
    assert row.text.isprintable()


@pytest.mark.parametrize("text", ["a\rb\r\nc ^ d\ne", "a\rb\r\nc ^ d\re", "a\n\nc ^ d"])
def test_excerpt_lines_end_at_lf_crlf_and_a_lone_cr(text: str) -> None:
    (row,) = excerpt(text, LineIndex(text), (3, 3), (3, 4), [])
    assert row == ExcerptLine(3, "c ^ d", "  ^", slice(2, 3))


def test_empty_span_has_one_caret() -> None:
    assert excerpt("abc\n", LineIndex("abc\n"), (1, 2), (1, 2), []) == [ExcerptLine(1, "abc", " ^", slice(1, 2))]
    assert excerpt("abc\n", LineIndex("abc\n"), (1, 4), (1, 4), []) == [ExcerptLine(1, "abc", "   ^", slice(3, 4))]
    assert excerpt("", LineIndex(""), (1, 1), (1, 1), []) == [ExcerptLine(1, "", "^", slice(0, 1))]


def test_span_over_several_lines_is_shown() -> None:
    text = "one <two\n> three\n> four> five\n"
    assert [(row.number, marked_characters(row)) for row in rows(text, "two\n> three\n> four")] == [
        (1, "two"),
        (2, "> three"),
        (3, "> four"),
    ]
    many = "a\n" * 10
    assert [row.number for row in rows(many, many)] == [1, 0]
    assert [row.number for row in rows(many + "b", many + "b")] == [1, 0, 11]


def test_carets_after_a_mask_are_aligned() -> None:
    text = "see ftp://joe:s3cret@h.example/^ end"
    secret = [(14, 20)]
    (row,) = rows(text, "^", secret)
    assert row.text == "see ftp://joe:***@h.example/^ end"
    assert row.carets.index("^") == row.text.index("^")
    (row,) = rows(text, "cre", secret)
    assert marked_characters(row) == "***"


def test_secret_that_fills_the_excerpt_is_masked() -> None:
    text = "x" * 1000 + " ftp://joe:" + "s" * 400 + "^" + "s" * 400 + "@h.example/ " + "x" * 1000
    (row,) = rows(text, "^", secret_spans(text, cut=True))
    assert "s" not in row.text


def test_excerpts_of_one_long_line_are_fast() -> None:
    text = "http://h.example/^ " * 30_000
    lines = LineIndex(text)
    for at in range(0, len(text), 1900):
        excerpt(text, lines, (1, at + 18), (1, at + 19), [])


FULL = """\
a b.txt:2:22: U201 bad-escape error: invalid escape "%zz" in the path; write "%" as %25
  |
2 | See http://h.example/%zz
  |                      ^^^
  = note: RFC 3986 section 2.1
  = help: write %25 (fixable with --fix --unsafe-fixes)

Found 1 error.
1 fix available with --fix --unsafe-fixes.
"""


def test_full_shows_excerpt_notes_and_summary() -> None:
    stdin = f"\nSee {ONE}\n".encode()
    done = urlscan("check", "--stdin-filename", "a b.txt", stdin=stdin)
    assert (done.status, done.text) == (1, FULL)
    assert urlscan("check", "-q", "--stdin-filename", "a b.txt", stdin=stdin).text == FULL[: FULL.index("Found")]


def test_full_is_empty_without_findings_and_summary() -> None:
    done = urlscan("check", "-q", stdin=b"http://h.example/\n")
    assert done == (0, b"", "")


def test_concise_has_one_line_per_finding() -> None:
    done = urlscan("check", "--format", "concise", stdin=f"{ONE} {ONE}\n".encode())
    message = 'U201 bad-escape error: invalid escape "%zz" in the path; write "%" as %25'
    summary = ["Found 2 errors.", "2 fixes available with --fix --unsafe-fixes."]
    assert done.lines == [f"-:1:18: {message}", f"-:1:39: {message}", *summary]


def test_github_escapes_what_the_runner_decodes() -> None:
    done = urlscan("check", "--format", "github", "--stdin-filename", "a,b:100%\r\n::.txt", stdin=ONE.encode())
    assert done.lines == [
        "::error file=a%2Cb%3A100%25%0D%0A%3A%3A.txt,line=1,col=18,endLine=1,endColumn=21,title=U201 bad-escape"
        '::a,b:100%25%0D%0A::.txt:1:18: U201 invalid escape "%25zz" in the path;'
        ' write "%25" as %2525 (RFC 3986 section 2.1)'
    ]


def test_github_omits_columns_of_several_lines_and_writes_notices() -> None:
    done = urlscan("check", "--format", "github", stdin=b"<URL:http://h.example/long-\nname>\n")
    assert done.text.startswith("::notice file=-,line=1,")
    if ",endLine=2," in done.text:
        assert "col=" not in done.text.partition("::notice")[2].partition("::")[0]


def test_json_is_an_array_of_the_records_of_jsonl() -> None:
    stdin = f"{ONE} {ONE}\n".encode()
    array = json.loads(urlscan("check", "--format", "json", stdin=stdin).out)
    lines = [json.loads(line) for line in urlscan("check", "--format", "jsonl", stdin=stdin).lines]
    assert array == lines
    assert len(array) == 2
    assert array[0] == {
        "schema_version": 1,
        "code": "U201",
        "name": "bad-escape",
        "severity": "error",
        "message": 'invalid escape "%zz" in the path; write "%" as %25',
        "url": ONE,
        "path": "-",
        "line": 1,
        "column": 18,
        "end_line": 1,
        "end_column": 21,
        "start": 17,
        "end": 20,
        "component": "path",
        "section": "RFC 3986 section 2.1",
        "suggestion": "%25",
        "context": "prose",
        "fix": {"applicability": "unsafe", "edits": [{"start": 17, "end": 18, "text": "%25"}]},
    }
    assert urlscan("check", "--format", "json", stdin=b"").text == "[]\n"


@pytest.mark.parametrize("format", FORMATS)
def test_output_is_printable(format: str) -> None:
    hostile = "\x1b]0;title\x07 \x9b31m \u202e http://h.example/\u202e\x07%zz\x1b[2J \x7f\n\x1bc " + ONE
    done = urlscan("check", "--format", format, "--stdin-filename", "\x1b[2J\u202e.txt", stdin=hostile.encode())
    assert done.status == 1
    assert all(line.isprintable() for line in done.lines), done.text


def test_color_can_be_forced_and_disabled() -> None:
    def colored(*options: str, **environment: str) -> bool:
        return "\x1b[" in urlscan("check", *options, stdin=ONE.encode(), **environment).text

    assert not colored()
    assert colored("--color", "always")
    assert colored(FORCE_COLOR="1")
    assert not colored(FORCE_COLOR="0")
    assert not colored(FORCE_COLOR="1", NO_COLOR="1")
    assert colored("--color=always", NO_COLOR="1")
    assert not colored("--color", "never", FORCE_COLOR="1")


def test_color_changes_nothing_else() -> None:
    import re

    plain = urlscan("check", stdin=ONE.encode()).text
    colored = urlscan("check", "--color=always", stdin=ONE.encode()).text
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


# --- formats for other programs

HARD = (
    "é http://h.example/a|b ftp://jo:s3cretpw@ftp.mills.zz/%zz\n<http://h.example/a\n b c>\n"
    "\x1b[0m http://h.example/\x01 http://h.example/%yy/a"
)


def report(tmp_path, format):
    (tmp_path / "a b:c.txt").write_text(HARD)
    done = urlscan("check", "--isolated", "--format", format, "a b:c.txt", cwd=tmp_path)
    assert done.status == 1
    assert "s3cretpw" not in done.text
    return done.text


def test_sarif_has_exact_regions_and_fixes(tmp_path):
    log = json.loads(report(tmp_path, "sarif"))
    (run,) = log["runs"]
    assert (log["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "urlscan")
    rules = run["tool"]["driver"]["rules"]
    data = HARD.encode()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        location = result["locations"][0]["physicalLocation"]
        assert location["artifactLocation"]["uri"] == "./a%20b:c.txt"
        region = location["region"]
        line = HARD.split("\n")[region["startLine"] - 1]
        first = len(
            "\n".join([*HARD.split("\n")[: region["startLine"] - 1], line[: region["startColumn"] - 1]]).encode()
        )
        assert region["byteOffset"] == first
    first = run["results"][0]
    (replacement,) = first["fixes"][0]["artifactChanges"][0]["replacements"]
    deleted = replacement["deletedRegion"]
    assert data[deleted["byteOffset"] :][: deleted["byteLength"]] == b"|"
    assert replacement["insertedContent"]["text"] == "%7C"
    prints = [result["partialFingerprints"]["urlscan/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints) > 3


def test_fingerprint_does_not_depend_on_lines(tmp_path):
    (tmp_path / "a.txt").write_text("http://h.example/a|b\n")
    command = ("check", "--isolated", "--format", "gitlab", "a.txt")
    before = json.loads(urlscan(*command, cwd=tmp_path).text)
    (tmp_path / "a.txt").write_text("new\n\nhttp://h.example/a|b\nhttp://h.example/a|b\n")
    after = json.loads(urlscan(*command, cwd=tmp_path).text)
    assert before[0]["fingerprint"] == after[0]["fingerprint"] != after[1]["fingerprint"]
    assert after[0]["location"] == {"path": "a.txt", "lines": {"begin": 3, "end": 3}}


def test_junit_has_a_failed_case_per_finding(tmp_path):
    from xml.etree import ElementTree

    root = ElementTree.fromstring(report(tmp_path, "junit"))
    cases = root.findall("./testsuite/testcase")
    assert [case.get("name").split()[0] for case in cases][:3] == ["U101", "U301", "U201"]
    assert all(case.find("failure") is not None for case in cases)


def test_rdjson_has_ranges_and_suggestions(tmp_path):
    diagnostics = json.loads(report(tmp_path, "rdjson"))["diagnostics"]
    first = diagnostics[0]
    assert first["location"]["range"] == {"start": {"line": 1, "column": 22}, "end": {"line": 1, "column": 23}}
    assert first["suggestions"][0]["text"] == "%7C"
    assert first["code"] == {"value": "U101", "url": rule_page("U101")}


def test_grouped_lists_findings_by_file(tmp_path):
    lines = report(tmp_path, "grouped").splitlines()
    assert lines[0] == "a b:c.txt:"
    assert lines[1].startswith("  1:21: U101 unsafe-character error: ")


@pytest.mark.parametrize("format", ["sarif", "gitlab", "rdjson"])
def test_report_without_findings_is_valid_json(tmp_path, format):
    (tmp_path / "a.txt").write_text("nothing")
    json.loads(urlscan("check", "--isolated", "--format", format, "a.txt", cwd=tmp_path).text)
