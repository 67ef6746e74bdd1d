"""Test baselines: known findings are not reported again, and stale entries are."""

import json
import os
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.command import clean_environment, urlscan
from urlscan.cli import main
from urlscan.core.errors import ChangedError, SourceError
from urlscan.core.settings import Settings
from urlscan.files import lock
from urlscan.pipeline import baseline as baseline_module
from urlscan.pipeline import check as pipeline_check
from urlscan.pipeline.baseline import Baseline, BaselineEntry, _parsed, read, written
from urlscan.pipeline.read import ReadOptions

BAD = "http://h.example/%zz/a"
WORSE = "http://h.example/a|b"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.txt").write_text(f"{BAD}\n{BAD}\n")
    (tmp_path / "b.txt").write_text(f"{WORSE}\n")
    done = urlscan("check", "--write-baseline", "known.json", ".", cwd=tmp_path)
    assert (done.status, done.text, done.err) == (0, "", "urlscan: known.json: 3 findings in 2 files\n")
    return tmp_path


def check(directory: Path, *arguments: str, stdin: bytes | None = None) -> tuple[int, list[str], str]:
    done = urlscan("check", "--format", "jsonl", *arguments, cwd=directory, stdin=stdin)
    records = [json.loads(line) for line in done.lines]
    return done.status, [f"{r['path']}:{r['line']} {r['code']}" for r in records], done.err


def test_known_findings_are_not_reported(project: Path) -> None:
    assert check(project, "--baseline", "known.json", ".") == (0, [], "")
    assert check(project, ".") == (1, ["b.txt:1 U101", "docs/a.txt:1 U201", "docs/a.txt:2 U201"], "")


def test_stale_entries_are_counted_by_rule_and_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"<{WORSE}> <{WORSE}|c> <{WORSE}|d> {BAD}\n")
    urlscan("check", "--write-baseline", "known.json", ".", cwd=tmp_path)
    (tmp_path / "a.txt").write_text("nothing\n")
    errors = urlscan("check", "--baseline", "known.json", ".", cwd=tmp_path).err
    assert errors.startswith("urlscan: known.json: 4 findings of the baseline no longer found")
    assert errors.endswith(": a.txt: U101 (3 times); a.txt: U201\n")


def test_baseline_matches_its_schema(project: Path) -> None:
    schema = Draft202012Validator(json.loads(files("urlscan").joinpath("data/baseline.schema.json").read_text()))
    schema.check_schema(schema.schema)
    records = json.loads((project / "known.json").read_text())
    assert [record.get("count") for record in records] == [1, 2, None]
    assert schema.is_valid(records)
    assert not schema.is_valid(records[:-1])
    assert not schema.is_valid([{**records[0], "count": 0}, records[-1]])
    assert not schema.is_valid([{**records[0], "line": 1}, records[-1]])


def test_inserted_lines_do_not_affect_a_baseline(project: Path) -> None:
    path = project / "docs/a.txt"
    path.write_text("a line\n" * 7 + path.read_text())
    assert check(project, "--baseline", "known.json", ".") == (0, [], "")


def test_additional_findings_are_reported(project: Path) -> None:
    (project / "docs/a.txt").write_text(f"{BAD}\n{BAD}\n{BAD}\n{WORSE}\n")
    found = check(project, "--baseline", "known.json", ".")
    assert found == (1, ["docs/a.txt:3 U201", "docs/a.txt:4 U101"], "")


def test_stale_entries_are_reported_and_removed(project: Path) -> None:
    (project / "docs/a.txt").write_text(f"{BAD}\n")
    status, found, errors = check(project, "--baseline", "known.json", ".")
    assert (status, found) == (0, [])
    assert errors == (
        "urlscan: known.json: 1 finding of the baseline no longer found"
        " (remove them with --write-baseline known.json): docs/a.txt: U201\n"
    )
    assert check(project, "-q", "--baseline", "known.json", ".")[2] == ""
    assert "no longer found: docs/a.txt: U201\n" in check(project, "-v", "--baseline", "known.json", ".")[2]
    errors = check(project, "--write-baseline", "known.json", ".")[2]
    assert errors == "urlscan: known.json: 2 findings in 2 files, 1 removed\n"
    assert check(project, "--baseline", "known.json", ".") == (0, [], "")


def test_only_entries_of_checked_files_are_stale(project: Path) -> None:
    (project / "docs/a.txt").write_text("fine\n")
    os.unlink(project / "b.txt")
    (project / "c.txt").write_text("fine\n")
    assert check(project, "--baseline", "known.json", "c.txt") == (0, [], "")
    assert "docs/a.txt" in check(project, "--baseline", "known.json", "c.txt", "docs/a.txt")[2]
    errors = check(project, "--baseline", "known.json", ".")[2]
    assert "b.txt: U101; docs/a.txt: U201 (2 times)\n" in errors, "the missing file is below the given directory"
    # A disabled rule reports nothing, so its entries are not stale.
    assert check(project, "--baseline", "known.json", "--select", "U1", "docs") == (0, [], "")
    before = (project / "known.json").read_bytes()
    check(project, "--write-baseline", "known.json", "c.txt")
    assert (project / "known.json").read_bytes() == before
    check(project, "--write-baseline", "known.json", "docs")
    assert [record.get("path") for record in json.loads((project / "known.json").read_bytes())] == ["b.txt", None]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.slow
def test_batches_give_the_same_baseline(tmp_path: Path, jobs: str) -> None:
    names = [f"{number:03}.txt" for number in range(700)]
    for number, name in enumerate(names):
        (tmp_path / name).write_text(f"{BAD}\n" * (number % 3))
    assert urlscan("check", "-q", "-j", jobs, "--write-baseline", "all.json", *names, cwd=tmp_path).status == 0
    for at in range(0, 700, 100):  # as passed by pre-commit
        urlscan("check", "-q", "-j", jobs, "--write-baseline", "batches.json", *names[at : at + 100], cwd=tmp_path)
    assert (tmp_path / "all.json").read_bytes() == (tmp_path / "batches.json").read_bytes()
    assert check(tmp_path, "-j", jobs, "--baseline", "all.json", ".") == (0, [], "")
    assert check(tmp_path, "-j", jobs, "--baseline", "all.json", *names[:100]) == (0, [], "")


def test_paths_do_not_depend_on_the_current_directory(project: Path) -> None:
    assert check(project / "docs", "--baseline", "../known.json", "a.txt", "../b.txt") == (0, [], "")
    assert check(project, "--baseline", "known.json", str(project / "docs/a.txt")) == (0, [], "")
    moved = project.parent / "moved elsewhere"
    project.rename(moved)
    assert check(moved / "docs", "--baseline", str(moved / "known.json"), "..") == (0, [], "")
    link = moved.parent / "link"
    link.symlink_to(moved)
    assert check(moved, "--baseline", str(link / "known.json"), "b.txt") == (0, [], "")


def test_stdin_filename_is_the_path_in_a_baseline(project: Path) -> None:
    text = (project / "docs/a.txt").read_bytes()
    known = ["--baseline", "known.json"]
    assert check(project, *known, "--stdin-filename", "docs/a.txt", "-", stdin=text) == (0, [], "")
    assert check(project, *known, "-", stdin=text)[:2] == (1, ["-:1 U201", "-:2 U201"])
    check(project, "--write-baseline", "stdin.json", "-", stdin=text)
    assert check(project, "--baseline", "stdin.json", "-", stdin=text) == (0, [], "")


def test_baseline_does_not_depend_on_secrets(tmp_path: Path) -> None:
    for number, secret in enumerate(["hunter2hunter2", "correcthorse"]):
        (tmp_path / "a.txt").write_text(f"ftp://jo:{secret}@ftp.mills.zz/a|b <ftp://jo:{secret}\n@ftp.mills.zz/>\n")
        for show in ["-q", "--show-secrets"]:
            urlscan("check", show, "--write-baseline", f"{number}.json", "a.txt", cwd=tmp_path)
            assert secret not in (tmp_path / f"{number}.json").read_text()
    assert (tmp_path / "0.json").read_bytes() == (tmp_path / "1.json").read_bytes()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "invalid JSON: line 1"),
        (b"\xff\xfe\x00", "invalid JSON"),
        (b"[" * 100_000, "invalid JSON"),
        (b"[" + b"9" * 5000 + b"]", "invalid JSON"),
        (b"{}", "not an array that ends with"),
        (b"[]", "not an array that ends with"),
        (b'[{"schema_version": 2}]', "not an array that ends with"),
        (b'[3, {"schema_version": 1}]', "entry 1 does not consist of path, code, url and count"),
        (b'[{"path": "a", "code": "U201", "url": "x", "count": true}, {"schema_version": 1}]', "entry 1"),
        (b'[{"path": "a", "code": "U201", "url": "x", "count": -1}, {"schema_version": 1}]', "entry 1"),
        (b'[{"path": "a", "code": [], "url": "x", "count": 1}, {"schema_version": 1}]', "entry 1"),
        (b'[\n<<<<<<< ours\n{"schema_version": 1}\n]', "unresolved merge conflict"),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.parametrize("option", ["--baseline", "--write-baseline"])
def test_malformed_baseline_is_an_error_and_unchanged(tmp_path: Path, option: str, data: bytes, message: str) -> None:
    (tmp_path / "known.json").write_bytes(data)
    done = urlscan("check", "--exit-zero", option, "known.json", "-", stdin=BAD.encode(), cwd=tmp_path)
    assert (done.status, done.text) == (2, "")
    assert done.err.startswith(f"urlscan: known.json is not a baseline: {message}")
    assert done.err.count("\n") == 1
    assert (tmp_path / "known.json").read_bytes() == data


def test_errors_are_one_line(tmp_path: Path) -> None:
    for option, name, message in [
        ("--baseline", "none.json", "no such baseline (create it with --write-baseline)"),
        ("--baseline", ".", "Is a directory"),
        ("--write-baseline", ".", "Is a directory"),
        ("--write-baseline", "no/such.json", "cannot be written: No such file or directory"),
        ("--write-baseline", "/dev/null", "not a regular file"),
    ]:
        done = urlscan("check", option, name, "-", stdin=BAD.encode(), cwd=tmp_path)
        assert (done.status, done.text, done.err.count("\n")) == (2, "", 1), done.err
        assert message in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "path", ["../../../etc/passwd", "\0", "/etc", "-", "", "a" * 5000, "\ud800"], ids=lambda path: ascii(path)[:20]
)
def test_hostile_paths_are_harmless(tmp_path: Path, path: str) -> None:
    entry = {"path": path, "code": "U201", "url": "0", "count": 10**30}
    (tmp_path / "known.json").write_text(json.dumps([entry, {"schema_version": 1}]))
    assert urlscan("check", "--baseline", "known.json", ".", cwd=tmp_path).status == 0


def test_entries_of_an_unreadable_file_are_kept(project: Path) -> None:
    before = (project / "known.json").read_bytes()
    (project / "docs/a.txt").unlink()
    (project / "docs/a.txt").symlink_to("a.txt")
    done = urlscan("check", "--write-baseline", "known.json", "docs/a.txt", "b.txt", cwd=project)
    assert done.status == 2
    assert (project / "known.json").read_bytes() == before


def test_known_findings_are_fixed(project: Path) -> None:
    assert check(project, "--fix", "--unsafe-fixes", "--baseline", "known.json", "b.txt")[0] == 0
    assert (project / "b.txt").read_text() == "http://h.example/a%7Cb\n"


ENTRIES = st.dictionaries(
    st.builds(
        BaselineEntry, st.text(max_size=4), st.sampled_from(["U101", "U201"]), st.text("0123456789abcdef", max_size=2)
    ),
    st.integers(1, 9),
    max_size=6,
).map(Counter)


@given(ENTRIES)
def test_written_baseline_can_be_read(entries: "Counter[BaselineEntry]") -> None:
    data = written(entries)
    assert _parsed("known.json", data) == entries
    assert data.count(b"\n") == len(entries) + 3
    assert data.isascii() or data.decode("utf-8")


@given(ENTRIES, ENTRIES)
def test_merged_lines_are_a_baseline(mine: "Counter[BaselineEntry]", theirs: "Counter[BaselineEntry]") -> None:
    """Simulate `merge=union` of git: all lines of both sides, with the last line at the end."""
    first, *lines, last, end = written(mine).splitlines()
    others = written(theirs).splitlines()[1:-2]
    merged = b"\n".join([first, *dict.fromkeys([*lines, *others]), last, end])
    assert _parsed("known.json", merged) == mine | theirs


# --- several processes at once


def entries(path: Path) -> dict[str, int]:
    """Return the number of findings in a baseline, by file."""
    counts = Counter[str]()
    for record in json.loads(path.read_text())[:-1]:
        counts[record["path"]] += record["count"]
    return dict(counts)


def write_concurrently(directory: Path, runs: list[list[str]]) -> None:
    command = [sys.executable, "-m", "urlscan", "check", "--quiet", "--write-baseline", "known.json"]
    running = [subprocess.Popen([*command, *paths], cwd=directory, env=clean_environment()) for paths in runs]
    assert [process.wait(timeout=60) for process in running] == [0] * len(runs)


@pytest.mark.slow
@pytest.mark.parametrize("exists", [False, True], ids=["new baseline", "existing baseline"])
def test_concurrent_runs_record_all_findings(tmp_path: Path, exists: bool) -> None:
    names = [f"{number}.txt" for number in range(8)]
    for name in names:
        (tmp_path / name).write_text(f"<URL:{BAD}>\n{WORSE}\n")
    (tmp_path / "other.txt").write_text(f"{WORSE}\n")
    if exists:
        urlscan("check", "--write-baseline", "known.json", "other.txt", cwd=tmp_path)
    write_concurrently(tmp_path, [[name] for name in names])
    assert entries(tmp_path / "known.json") == dict.fromkeys(names, 2) | ({"other.txt": 1} if exists else {})
    assert not [name for name in os.listdir(tmp_path) if name.startswith((".", "known.json."))]


def baseline_with(directory: Path, text: str) -> Baseline:
    """Return a baseline that was read before another run writes it, with the findings in `text` as a.txt."""
    baseline = read("known.json", missing=True)
    (directory / "a.txt").write_text(text)
    list(baseline.filter(pipeline_check.check(["a.txt"], Settings(), ReadOptions()), record_all=True))
    return baseline


def test_last_run_determines_the_entries_of_its_files_only(here: Path) -> None:
    first, second = baseline_with(here, f"<URL:{BAD}>\n{WORSE}\n"), baseline_with(here, f"<URL:{BAD}>\n")
    (here / "b.txt").write_text(WORSE)
    assert main(["check", "--write-baseline", "known.json", "b.txt"]) == 0
    codes = frozenset(["U101", "U201"])
    first.update(lambda _: codes, ["a.txt"])
    assert entries(here / "known.json") == {"a.txt": 2, "b.txt": 1}
    _, stale = second.update(lambda _: codes, ["a.txt"])
    assert entries(here / "known.json") == {"a.txt": 1, "b.txt": 1}
    assert [(entry.path, entry.code) for entry in stale] == [("a.txt", "U101")]


def test_edit_without_a_lock_is_kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    baseline = baseline_with(here, f"<URL:{BAD}>\n")
    (here / "known.json").write_bytes(written(Counter()))
    work = baseline_module.written

    def slow(entries: Counter[BaselineEntry]) -> bytes:
        (here / "known.json").write_text("edited")
        return work(entries)

    monkeypatch.setattr(baseline_module, "written", slow)
    with pytest.raises(ChangedError, match=r"known\.json: not written: changed by another program since it was read"):
        baseline.update(lambda _: frozenset(["U201"]), ["a.txt"])
    assert (here / "known.json").read_text() == "edited"


@pytest.mark.parametrize("has_flock", [True, False], ids=["directory", "file"])
def test_waiting_for_a_lock_is_limited(here: Path, monkeypatch: pytest.MonkeyPatch, has_flock: bool) -> None:
    baseline = baseline_with(here, f"<URL:{BAD}>\n")
    monkeypatch.setattr(lock, "_LONGEST_WAIT", 0.1)
    if not has_flock:
        monkeypatch.setattr(lock, "_lock_directory", lambda _: None)
    with lock.locked("known.json"), pytest.raises(SourceError, match="cannot be written: another process holds"):
        baseline.update(lambda _: frozenset(["U201"]), ["a.txt"])
    assert os.listdir(here) == ["a.txt"]
    baseline.update(lambda _: frozenset(["U201"]), ["a.txt"])
    assert sorted(os.listdir(here)) == ["a.txt", "known.json"]
