"""`relaxed-paths`: only secrets and deception are reported in test data."""

import json
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan.config import Configuration
from urlscan.config.relaxed import RELAXED_PATHS, RELAXED_TEXTS
from urlscan.linter.judge import codes_for_test_data
from urlscan.rules import REGISTRY

BAD = "See <http://h.example/100%> and <http://h.example/a|b>.\n"
SECRET = "See <http://jo:s3cr3tpw@git.corp.com/x>.\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def checked(cwd: Path, *args: str, stdin: bytes | None = None) -> tuple[list[tuple[str, str]], str]:
    """Return path and code of each finding, and standard error."""
    done = urlscan("check", "--format", "jsonl", *args, cwd=cwd, stdin=stdin)
    assert done.status in (0, 1), done.err
    return [(record["path"], record["code"]) for record in map(json.loads, done.lines)], done.err


def codes(cwd: Path, *args: str) -> set[str]:
    return {code for _, code in checked(cwd, *args)[0]}


# --- which paths


RELAXED = [
    "src/jvmTest/kotlin/A.kt",
    "projects/mill/src/commonTest/A.kt",
    "test_site/content/a.md",
    "atest/robot/a.robot",
    "src/utests/a.c",
    "specs/tests/a.json",
    "specs/fixtures/a.md",
    "code/test-resources/a.html",
    "src/expected_output/a.md",
    "tests/docs/a.md",
    "docs/tests/a.py",
    "tests/a.md",
    "test/a/b/c.md",
    "a/Tests/b.swift",
    "t/basic.t",
    "src/test/java/b.java",
    "pkg/testdata/x.html",
    "a/spec/b.rb",
    "web/__fixtures__/a.json",
    "django_tests/a.py",
    "AppTests/a.swift",
    "test_a.py",
    "a/a_test.py",
    "conftest.py",
    "x_test.go",
    "a.spec.ts",
    "a.test.js",
    "a.test.mjs",
    "a_spec.rb",
    "UrlTest.java",
    "url_SUITE.erl",
    "a.bats",
]
OTHER = [
    "README.md",
    "docs/a.md",
    "latest/a.md",
    "specs/012-mill/plan.md",
    "contest/a.md",
    "src/attest.py",
    "testing.md",
    "docs/tests.md",
    "docs/develop/Tests/index.mdx",
    "src/content/docs/tests/mill.md",
    "guides/testing/mill.rst",
    "srcTest/a.kt",
    "t",
    "spec.md",
    "latest.js",
    "package.spec",
    "protest.go",
    "inspect/a.md",
    "greatest.java",
    "test-results.md",
]


@pytest.mark.parametrize("path", RELAXED)
def test_conventional_test_data_is_relaxed(here: Path, path: str) -> None:
    assert Configuration().is_relaxed(path)


@pytest.mark.parametrize("path", OTHER)
def test_other_files_are_not_relaxed(here: Path, path: str) -> None:
    assert not Configuration().is_relaxed(path)


def test_default_patterns_match_at_any_depth(here: Path) -> None:
    configuration = Configuration()
    for pattern in RELAXED_PATHS:
        name = pattern.replace("**/", "").replace("*", "x").replace("[jt]", "j").replace("[cm]", "c")
        path = f"{name}x.html" if name.endswith("/") else name
        assert configuration.is_relaxed(path), pattern
        assert configuration.is_relaxed(f"a/b/{path}"), pattern


def test_every_default_pattern_has_one_of_the_texts_that_are_searched() -> None:
    for pattern in RELAXED_PATHS:
        name = pattern.replace("**/", "").replace("*", "x").replace("[jt]", "j").replace("[cm]", "c")
        for path in (f"/a/{name}", f"/a/{name.rstrip('/')}/b", f"/{name}"):
            assert any(text in path.lower() + "/" for text in RELAXED_TEXTS), pattern


# --- project root


def test_directories_above_the_project_are_ignored(tmp_path: Path) -> None:
    repository = tmp_path / "tests" / "repo"
    write(repository, {"a.md": BAD, "tests/a.md": BAD})
    assert checked(repository, ".")[0] == [("a.md", "U201"), ("a.md", "U101")]
    elsewhere = tmp_path / "other"
    elsewhere.mkdir()
    assert {path for path, _ in checked(elsewhere, str(repository))[0]} == {str(repository / "a.md")}, "walked"
    assert codes(elsewhere, str(repository / "a.md")) == {"U101", "U201"}, "named"


@pytest.mark.parametrize("marker", [".git/HEAD", "urlscan.toml"])
def test_repository_or_configuration_marks_the_root(tmp_path: Path, marker: str) -> None:
    repository = tmp_path / "tests" / "repo"
    write(repository, {marker: "", "a.md": BAD, "tests/a.md": BAD})
    assert codes(tmp_path, "tests/repo/a.md") == {"U101", "U201"}
    assert codes(tmp_path, "tests/repo/tests/a.md") == set()
    assert codes(repository / "tests", "a.md") == set(), "also from within"
    assert codes(repository / "tests", ".") == set(), "also from within"


def test_directory_of_tests_is_relaxed_as_an_argument(here: Path) -> None:
    write(here, {"tests/a.md": BAD})
    assert codes(here, "tests") == codes(here, "tests/a.md") == codes(here, str(here / "tests")) == set()


# --- findings


def test_only_secrets_and_deception_are_reported(here: Path) -> None:
    kept = {"U301", "U303", "U304", "U901", *(entry.code for entry in REGISTRY if entry.code.startswith("U70"))}
    assert codes_for_test_data() == kept
    write(here, {"tests/a.md": BAD + SECRET})
    assert codes(here, ".") == codes(here, "tests/a.md") == {"U301"}


def test_stdin_filename_determines_relaxation(here: Path) -> None:
    for name, expected in (("tests/a.md", 0), ("docs/a.md", 1)):
        done = urlscan("check", "--stdin-filename", name, "-", stdin=BAD.encode(), cwd=here)
        assert done.status == expected, done.text


def test_empty_list_disables_relaxation(here: Path) -> None:
    write(here, {"tests/a.md": BAD, "urlscan.toml": "relaxed-paths = []"})
    assert codes(here, ".") == {"U101", "U201"}
    (here / "urlscan.toml").unlink()
    assert codes(here, "--config", "relaxed-paths=[]", ".") == {"U101", "U201"}


def test_list_replaces_the_default_and_is_relative_to_its_file(here: Path) -> None:
    write(here, {"tests/a.md": BAD, "bad/a.md": BAD, "x/bad/a.md": BAD})
    write(here, {"urlscan.toml": "relaxed-paths = ['/bad/']"})
    assert {path for path, _ in checked(here, ".")[0]} == {"tests/a.md", "x/bad/a.md"}


def test_explicit_patterns_do_not_match_above_the_project(tmp_path: Path) -> None:
    write(tmp_path, {"tests/repo/a.md": BAD, "tests/repo/tests/a.md": BAD, "here/x": ""})
    option = "--config", "relaxed-paths=['tests/']"
    found, _ = checked(tmp_path / "here", *option, str(tmp_path / "tests/repo"))
    assert {path for path, _ in found} == {str(tmp_path / "tests/repo/a.md")}


# --- messages and exit status


@pytest.mark.parametrize(
    ("option", "shown"), [("-v", True), ("--statistics", True), ("-q", False), ("--color=never", False)]
)
def test_number_of_omitted_findings_is_shown_on_request(here: Path, option: str, shown: bool) -> None:
    write(here, {"tests/a.md": BAD + SECRET, "tests/b.md": "<http://h.example/100%>\n"})
    done = urlscan("check", option, ".", cwd=here)
    assert ("3 findings in test data left out (relaxed-paths)" in done.err) == shown
    done = urlscan("check", option, "tests/b.md", cwd=here)
    assert ("1 finding in test data left out (relaxed-paths)" in done.err) == shown


def test_number_of_omitted_findings_does_not_depend_on_processes(here: Path) -> None:
    write(here, {f"tests/{number}.md": BAD for number in range(60)})
    for jobs in ("1", "2"):
        assert "120 findings in test data left out" in urlscan("check", "-v", "-j", jobs, ".", cwd=here).err


def test_findings_in_mail_are_counted(here: Path) -> None:
    write(here, {"tests/a.eml": f"Subject: x\nFrom: jo@h.example\n\n{BAD}"})
    found, errors = checked(here, "-v", ".")
    assert (found, "2 findings in test data left out" in errors) == ([], True)


def test_comment_for_an_omitted_finding_is_not_unused(here: Path) -> None:
    write(here, {"tests/a.md": "<http://h.example/100%> <!-- urlscan: ignore[U201] -->\n"})
    assert codes(here, ".") == set()
    write(here, {"tests/a.md": "<http://h.example/100> <!-- urlscan: ignore[U201] -->\n"})
    assert codes(here, ".") == {"U901"}


@pytest.mark.parametrize(
    ("option", "name", "text"),
    [
        (("--fix", "--unsafe-fixes"), "a.md", "[x](http://h.example/a|b)\n"),
        (("--add-ignore",), "a.py", "# http://h.example:99999/\n"),
    ],
)
def test_omitted_findings_are_not_edited(here: Path, option: tuple[str, ...], name: str, text: str) -> None:
    write(here, {f"tests/{name}": text, name: text})
    urlscan("check", *option, ".", cwd=here)
    assert (here / "tests" / name).read_text() == text
    assert (here / name).read_text() != text


def test_config_shows_relaxation(here: Path) -> None:
    record = json.loads(urlscan("config", "--format", "json", "tests/a.md", cwd=here).text)[0]
    assert (record["relaxed"], record["rules"]) == (True, sorted(codes_for_test_data()))
    assert record["settings"]["relaxed-paths"] == {"value": list(RELAXED_PATHS), "from": []}
    page = urlscan("config", "tests/a.md", cwd=here).text
    assert page.startswith("# tests/a.md, markdown, test data (relaxed-paths)\n")
    assert json.loads(urlscan("config", "--format", "json", "a.md", cwd=here).text)[0]["relaxed"] is False
