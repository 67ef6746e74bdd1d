"""Compare SARIF output with the schema of the standard and with its text."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from tests.command import urlscan
from tests.strategies import examples
from tests.trees import make_work_tree
from urlscan.core.document import Document
from urlscan.core.project import INDEX_PAGE, REPOSITORY
from urlscan.core.settings import Settings
from urlscan.formats import sarif
from urlscan.formats.base import RenderOptions
from urlscan.pipeline.check import check_source
from urlscan.pipeline.read import ReadOptions, Source
from urlscan.rules import REGISTRY, load

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "rules"
SCHEMA = json.loads((Path(__file__).parents[1] / "schemas/sarif-2.1.0.json").read_text())
VALID = Draft4Validator(SCHEMA)


def log_of(data: bytes, path: str = "a.txt", settings_: Settings | None = None, encoding: str | None = None) -> dict:
    settings_ = settings_ if settings_ is not None else Settings(select=("ALL",))
    checked = check_source(Source(path, data), settings_, ReadOptions(encoding=encoding))
    results = [result for result in checked if isinstance(result, Document)]
    log = json.loads("".join(sarif.render(results, RenderOptions())))
    VALID.validate(log)
    return log


def test_schema_is_valid_and_rejects_an_invalid_log() -> None:
    Draft4Validator.check_schema(SCHEMA)
    log = log_of(b"http://h.example/a|b")
    log["runs"][0]["results"][0]["message"] = "text"
    assert not VALID.is_valid(log)


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.code)
@pytest.mark.slow
def test_findings_of_every_rule_are_valid(entry, tmp_path: Path) -> None:
    for number, example in enumerate(load(entry.code).bad):
        root = tmp_path / str(number)
        path = example.path or "a.txt"
        make_work_tree(root, {**dict(example.files), path: example.text, "statuses.csv": example.statuses})
        options = [
            "--statuses=statuses.csv",
            "--isolated",
            "--select",
            entry.code,
            "--profile",
            example.profile,
            "--format",
            "sarif",
        ]
        log = json.loads(urlscan("check", *options, path, cwd=root).text)
        VALID.validate(log)
        assert {result["ruleId"] for result in log["runs"][0]["results"]} == {entry.code}, example


def test_every_rule_is_described() -> None:
    (run,) = log_of(b"")["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [entry.code for entry in REGISTRY]
    for rule in rules:
        assert rule["help"]["markdown"].startswith(rule["help"]["text"])
        assert rule["name"].isidentifier()
        page = PAGES / f"{rule['id']}.md"
        assert page.is_file()
        assert rule["helpUri"] == f"{REPOSITORY}/blob/main/docs/rules/{page.name}"
    assert sum("```" in rule["help"]["markdown"] for rule in rules) > 40
    cited = [re.search(r"\n\n\[(.+)\]\((.+)\)\Z", rule["help"]["markdown"]) for rule in rules]
    address = r"https://datatracker\.ietf\.org/doc/html/rfc\d+(#(section-[\d.]+\d|section-\d|appendix-[A-Z]))?"
    assert all(re.fullmatch(address, one[2]) for one in cited if one)
    assert sum(one is not None for one in cited) > 30
    by_code = {rule["id"]: rule for rule in rules}
    section = "[RFC 3986 section 2.1](https://datatracker.ietf.org/doc/html/rfc3986#section-2.1)"
    assert by_code["U201"]["help"]["markdown"].endswith(section)


def test_driver_links_to_this_project() -> None:
    assert log_of(b"")["runs"][0]["tool"]["driver"]["informationUri"] == INDEX_PAGE


def test_secrets_and_deception_have_a_security_severity() -> None:
    (run,) = log_of(b"")["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        properties = rule["properties"]
        is_security = rule["id"].startswith(("U3", "U7"))
        assert ("security" in properties["tags"]) == ("security-severity" in properties) == is_security, rule["id"]
        if is_security:  # GitHub reads a string
            assert 0 < float(properties["security-severity"]) <= 10
            assert isinstance(properties["security-severity"], str)


def run_of(cwd: Path, *arguments: str) -> dict:
    done = urlscan("check", "--isolated", "--format", "sarif", *arguments, cwd=cwd, SOURCE_DATE_EPOCH="784111777")
    log = json.loads(done.out)
    VALID.validate(log)
    (run,) = log["runs"]
    return run


def test_invocation_has_times_and_success(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("http://h.example/%zz")
    time = "1994-11-06T08:49:37Z"
    expected = {"executionSuccessful": True, "startTimeUtc": time, "endTimeUtc": time}
    assert run_of(tmp_path, ".")["invocations"] == [expected]
    log = log_of(b"http://h.example/%zz")
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"]
    assert "1994" < invocation["startTimeUtc"] <= invocation["endTimeUtc"]


def test_invocation_names_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("http://h.example/%zz")
    (invocation,) = run_of(tmp_path, "missing.txt", "ftp://jo:s3cr3t-pw@ftp.mills.zz/", "a.txt")["invocations"]
    assert not invocation["executionSuccessful"]
    messages = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert len(messages) == 2
    assert messages[0] == "missing.txt: No such file or directory"
    assert "s3cr3t" not in messages[1]


LINES = ["größe http://h.example/a|b 日 http://h.example/c^d", "𝄞 <http://h.example/é|>", "http://h.example/%zz"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_columns_and_bytes_of_a_region_agree(encoding: str, newline: str) -> None:
    text = newline.join(LINES)
    data = text.encode(encoding)
    codec = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    (run,) = log_of(data, settings_=Settings(select=("U101", "U201")))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert len(run["results"]) == 4
    for result in run["results"]:
        regions = [result["locations"][0]["physicalLocation"]["region"]]
        for fix in result["fixes"]:
            for change in fix["artifactChanges"]:
                regions += [replacement["deletedRegion"] for replacement in change["replacements"]]
        assert len(regions) == 2
        for region in regions:
            by_byte = data[region["byteOffset"] :][: region["byteLength"]].decode(codec)
            assert region["startLine"] == region["endLine"]
            by_column = LINES[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
            assert by_byte == by_column != ""


def test_fix_replaces_a_complete_entity() -> None:
    text = '<a href="http://h.example/?a&amp;b&#124;c">é</a>\n'
    (run,) = log_of(text.encode(), "a.html", Settings())["runs"]
    (result,) = run["results"]
    ((replacement,),) = [change["replacements"] for change in result["fixes"][0]["artifactChanges"]]
    region, new = replacement["deletedRegion"], replacement["insertedContent"]["text"]
    line = text.splitlines()[0]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "&#124;"
    assert new == "%7C"


def test_artifacts_are_referenced_by_index_with_their_encoding() -> None:
    (run,) = log_of("é http://h.example/a|b".encode("cp1252"), "x y.txt", encoding="cp1252")["runs"]
    assert run["artifacts"] == [
        {"location": {"uri": "x%20y.txt"}, "roles": ["analysisTarget"], "encoding": "WINDOWS-1252"}
    ]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "x%20y.txt", "index": 0}


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b.txt", "a%20b.txt"),
        ("c:d.txt", "./c:d.txt"),
        ("/tmp/é.txt", "file:///tmp/%C3%A9.txt"),
        ("//x/y", "file:////x/y"),
        ("a#b?c%d", "a%23b%3Fc%25d"),
    ],
)
def test_path_is_written_as_a_uri(path: str, uri: str) -> None:
    (run,) = log_of(b"http://h.example/a|b", path)["runs"]
    assert run["artifacts"][0]["location"]["uri"] == uri


def test_secrets_are_redacted() -> None:
    log = log_of(b"ftp://jo:s3cr3t-pw@ftp.mills.zz/a|b")
    assert log["runs"][0]["redactionTokens"] == ["***"]
    assert "s3cr3t" not in json.dumps(log)


@pytest.mark.slow
@examples(60)
@given(
    st.lists(
        st.sampled_from(
            ["http://h.example/", "|", "%zz", "^", "é", "\n", "\x00", "\udc80", " ", "<", ">", "<URL:", "`"]
        )
    )
)
def test_any_text_gives_a_valid_log(pieces: list[str]) -> None:
    log_of("".join(pieces).encode("utf-8", "surrogateescape"))


def test_fingerprints_are_distinct_and_stable(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("<http://h.example/a|b> <http://h.example/a|b>\n")

    def prints() -> list[str]:
        (run,) = json.loads(urlscan("check", "--format", "sarif", ".", cwd=tmp_path).out)["runs"]
        return [result["partialFingerprints"]["urlscan/v1"] for result in run["results"]]

    before = prints()
    assert len(set(before)) == 4
    (tmp_path / "a.txt").write_text("new\n<http://h.example/a|b> <http://h.example/a|b>\n")
    assert prints() == before


@pytest.mark.parametrize("data", [b"", b"nothing", b"http://h.example/"])
def test_log_without_findings_is_valid(data: bytes) -> None:
    assert log_of(data, settings_=Settings())["runs"][0]["results"] == []
