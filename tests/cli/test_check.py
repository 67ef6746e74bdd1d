"""Test `urlscan check` and `urlscan rules`."""

import json
import os
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.command import urlscan
from tests.trees import make_work_tree
from urlscan.formats import FORMATS
from urlscan.rules import REGISTRY, load

ERROR = "http://h.example/%zz/a\n"
INFO = "<URL:http://h.example/long-\nname>\n"


def status(text: str, *options: str) -> int:
    return urlscan("check", *options, stdin=text.encode()).status


def test_status_is_1_for_findings_from_fail_on_upward() -> None:
    assert status("http://h.example/\n") == 0
    assert status(ERROR) == 1
    assert status(ERROR, "--fail-on", "error") == 1
    assert status(INFO) == 0
    assert status(INFO, "--fail-on", "info") == 1
    assert status(ERROR, "--exit-zero") == 0


@pytest.mark.parametrize("format", FORMATS)
def test_status_does_not_depend_on_the_format(format: str) -> None:
    assert status(ERROR, "--format", format) == 1
    assert status("", "--format", format) == 0


def test_rules_are_selected_as_in_ruff() -> None:
    def codes(*options: str) -> list[str]:
        text = "http://h.example/~joe/%zz/^a\n"
        lines = urlscan("check", "--format", "jsonl", *options, stdin=text.encode()).lines
        return sorted(json.loads(line)["code"] for line in lines)

    assert codes() == ["U101", "U201"]
    assert codes("--select", "U201") == ["U201"]
    assert codes("--select", "U1,bad-escape") == ["U101", "U201"] or "U105" in codes("--select", "U1,bad-escape")
    assert codes("--select", "U201", "--select", "unsafe-character") == ["U101", "U201"]
    assert codes("--ignore", "bad-escape") == ["U101"]
    assert codes("--extend-select", "U105") == ["U101", "U105", "U201"]
    assert codes("--extend-select", "U105", "--ignore", "U1") == ["U201"]
    assert codes("--profile", "rfc1738") == ["U101", "U105", "U201"]


def test_rejoin_never_checks_only_the_first_line() -> None:
    text = "<URL:http://h.example/a\n^b>\n"
    assert status(text) == 1
    assert status(text, "--rejoin", "never", "--select", "U101") == 0


AWKWARD = (
    "größe <URL:http://jane:pa55word@ftp.dominion.org/long-\r\nname^> http://h.example/%zz/a <URL:ftp://x.org/a b\r\n"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_records_match_the_schema_and_the_bytes(encoding: str) -> None:
    schema = json.loads(files("urlscan").joinpath("data/finding.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    data = AWKWARD.encode(encoding)
    records = json.loads(urlscan("check", "--format", "json", "--select", "ALL", stdin=data).out)
    assert {"U101", "U201", "U301"} <= {record["code"] for record in records}
    # Without a byte order mark, UTF-16 is read as little-endian, as the standard recommends.
    codec = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    lines = AWKWARD.split("\r\n")
    for record in records:
        Draft202012Validator(schema).validate(record)
        piece = data[record["start"] : record["end"]].decode(codec)
        if record["line"] == record["end_line"]:
            assert piece == lines[record["line"] - 1][record["column"] - 1 : record["end_column"] - 1]


def test_examples_of_rules_give_valid_records(tmp_path: Path) -> None:
    schema = Draft202012Validator(json.loads(files("urlscan").joinpath("data/finding.schema.json").read_text()))
    for entry in REGISTRY:
        for number, example in enumerate(load(entry.code).bad):
            directory = tmp_path / f"{entry.code}-{number}"
            make_work_tree(directory, {**dict(example.files), "statuses.csv": example.statuses})
            done = urlscan(
                "check",
                "--statuses=statuses.csv",
                "--select",
                entry.code,
                "--format=json",
                f"--profile={example.profile}",
                f"--stdin-filename={example.path or '-'}",
                stdin=example.text.encode(),
                cwd=directory,
            )
            records = json.loads(done.out)
            assert records, f"{entry.code}: {example.text}"
            for record in records:
                schema.validate(record)


# --- rules


def test_rules_lists_all_rules() -> None:
    lines = urlscan("rules").lines
    assert [line.split()[:2] for line in lines[1:]] == [[entry.code, entry.name] for entry in REGISTRY]


@pytest.mark.parametrize(
    "option",
    ["--fix", "--add-ignore", "--write-baseline=b.json", "--format=json", "--output-file=o", "--max-findings=1"],
)
def test_explanation_excludes_options_that_it_would_ignore(tmp_path: Path, option: str) -> None:
    (tmp_path / "a.md").write_text("[a](http://h.example/a|b)\n")
    result = urlscan("check", "--explain", "a.md:1", option, cwd=tmp_path)
    assert result.status == 2
    assert "--explain cannot be used with --" in result.err
    assert os.listdir(tmp_path) == ["a.md"]
    assert (tmp_path / "a.md").read_text() == "[a](http://h.example/a|b)\n"


def test_rules_explains_a_rule_by_code_or_name() -> None:
    page = urlscan("rules", "U201").text
    assert page == urlscan("rules", "bad-escape").text == urlscan("rules", "u201").text
    assert page.startswith("U201 bad-escape\n")
    assert "RFC 3986 section 2.1" in page
    for entry in REGISTRY:
        assert urlscan("rules", entry.code).status == 0


def test_rules_writes_json() -> None:
    records = json.loads(urlscan("rules", "--format", "json").out)
    assert [record["code"] for record in records] == [entry.code for entry in REGISTRY]
    assert json.loads(urlscan("rules", "U201", "--format=json").out) == [r for r in records if r["code"] == "U201"]
