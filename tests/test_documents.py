"""Run the commands and snippets of the documents, and compare their generated parts with the code."""

import doctest
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import urlscan
from tests.command import git
from tests.command import urlscan as command
from tests.pages import (
    PAGES,
    REFERENCE,
    ROOT,
    RULES,
    SITE,
    Block,
    all_blocks,
    blocks,
    environment,
    relaxed_paths,
    rule_pages,
    run,
    snippets,
    with_tables,
)
from tests.reference import reference
from urlscan.cli import COMMANDS
from urlscan.config import Configuration
from urlscan.config.relaxed import RELAXED_PATHS
from urlscan.core.records import Severity
from urlscan.rules import REGISTRY, load

REWRITE = "run python -m tests.pages"
# Commands that take minutes, and the ones that are run instead.
SHORTER = {
    "compare.py --runs 5 rust-book golang-website peps py mail.mbox": "compare.py --runs 1 corpus/demo/letter.txt",
    "urls.py --runs 5": "urls.py --runs 1",
}


@pytest.mark.parametrize("block", all_blocks("console"), ids=str)
def test_command_prints_the_documented_output(block: Block, tmp_path: Path) -> None:
    assert run(block, tmp_path) == block.text, REWRITE


def test_every_code_block_is_tested() -> None:
    known = {"sh", "console", "python", "yaml", "toml", "json", "lua", "{toctree}"}
    for page in PAGES:
        assert set(re.findall(r"^```(\w+|\{.*\})$", page.read_text(encoding="utf-8"), re.MULTILINE)) <= known, page
    # The tests of the README, and those of the benchmarks below, run the blocks to copy.
    # That of targets.md needs a remote repository; its options have tests of their own. That of ci.md needs Docker.
    # tests/spark/test_documentation.py reads those of spark.md.
    pages = {"README.md", "CONTRIBUTING.md", "archive.md", "ci.md", "spark.md", "speed.md", "targets.md"}
    assert {block.page.name for block in all_blocks("sh")} == pages
    assert {block.page.name for block in all_blocks("yaml")} == {"README.md", "ci.md", "start.md"}
    # tests/server/test_neovim.py runs these.
    assert {block.page.name for block in all_blocks("lua")} == {"editors.md"}
    assert {block.page.name for block in all_blocks("toml")} == {"configuration.md"}


@pytest.mark.parametrize("page", [page for page in PAGES if snippets(page)], ids=lambda page: page.name)
def test_snippets_run_as_shown(page: Path) -> None:
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(verbose=False)
    for block in snippets(page):
        test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
        assert test.examples
        output: list[str] = []
        runner.run(test, out=output.append, clear_globs=False)
        assert not output, "".join(output)
        names.update(test.globs)


# --- generated parts


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_generated_tables_are_current(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert with_tables(text) == text, REWRITE


def test_rule_pages_are_current() -> None:
    assert {path: path.read_text(encoding="utf-8") for path in RULES.glob("U*.md")} == rule_pages(), REWRITE


def test_reference_is_current() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == reference(), REWRITE


def test_default_of_relaxed_paths_is_valid_toml() -> None:
    text = relaxed_paths().strip("`\n").removeprefix("toml")
    assert tomllib.loads(text)["relaxed-paths"] == list(RELAXED_PATHS)


def test_documented_severities_make_check_fail() -> None:
    assert {load(entry.code).severity for entry in REGISTRY} <= set(Severity)
    assert "An error or a warning makes `check` fail" in (RULES / "index.md").read_text(encoding="utf-8")


# --- configuration and workflows


def test_documented_configuration_has_the_documented_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    block = all_blocks("toml")[0]
    Path("urlscan.toml").write_text(block.text)
    configuration = Configuration()
    assert configuration.of("index.page").kind == "html"
    assert configuration.excludes("vendor/a.txt")
    assert configuration.excludes("js/a.min.js")
    assert {"U301", "U501"} <= configuration.of("docs/history/1994.txt").ignored_codes
    terms = configuration.of("a.txt")
    text = "http://h.example/?a=%252F x-foo://a..b.corp.example/ http://jo:s3kr1t@www.dominion.org/ http://h.corp.example:25/"
    assert [(f.code, f.severity.label) for f in urlscan.lint(text, settings=terms.settings) if f.code != "U605"] == [
        ("U202", "error")
    ]


@pytest.mark.parametrize(
    ("number", "files"), [(0, ["urlscan.sarif"]), (1, ["gl-code-quality-report.json", "urlscan.xml"])]
)
def test_workflow_command_writes_the_uploaded_files(tmp_path: Path, number: int, files: list[str]) -> None:
    yaml = pytest.importorskip("yaml")
    block = [block for block in blocks("yaml", ROOT / "docs" / "ci.md") if "pip install" in block.text][number]
    workflow = yaml.safe_load(block.text)
    steps = workflow["jobs"]["urlscan"]["steps"] if "jobs" in workflow else workflow["urlscan"]["script"]
    lines = [step.get("run", "") if isinstance(step, dict) else step for step in steps]
    (command,) = [line for line in lines if line.startswith("urlscan ")]
    (tmp_path / "notes.txt").write_text("http://h.example/%zz/a\n")
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"bad-escape" in done.stdout
    for name in files:
        assert "bad-escape" in (tmp_path / name).read_text(), name
        assert block.text.count(name) == 2, "the command writes the file that the workflow uploads"


BENCHMARKS = blocks("sh", ROOT / "docs" / "research" / "speed.md")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("block", "row"), list(zip(BENCHMARKS, [b"urlscan extract", b"check"], strict=True)), ids=["compare", "urls"]
)
def test_documented_benchmark_runs(block: Block, row: bytes, tmp_path: Path) -> None:
    command = block.text.strip()
    for long, short in SHORTER.items():
        command = command.replace(long, short)
    for folder in ("benchmarks", "corpus"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert row in done.stdout


# --- the site


@pytest.mark.slow
def test_site_builds_without_warnings(tmp_path: Path) -> None:
    """A broken link is a warning of Sphinx; urlscan checks the links of the pages as well."""
    pytest.importorskip("myst_parser", reason="the site needs the extra 'docs'")
    pytest.importorskip("furo", reason="the site needs the extra 'docs'")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(ROOT / "docs"), str(tmp_path / "site")]
    done = subprocess.run(
        [*build, "-d", str(tmp_path / "trees")], cwd=tmp_path, env=environment(tmp_path), capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / "site" / "search.html").is_file()
    assert "bad-escape" in (tmp_path / "site" / "rules" / "U201.html").read_text(encoding="utf-8")
    git(tmp_path / "site", "init")
    dead_links = ["--isolated", "--select", "U911,U912,U913,U914", "--format", "concise"]
    checked = command("check", *dead_links, ".", cwd=tmp_path / "site")
    assert re.fullmatch(r"All checks passed: \d{3} files, .* links\.\n", checked.text), checked.text


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    text = index.read_text(encoding="utf-8")
    for page in {*SITE, REFERENCE} - {index}:
        name = page.relative_to(index.parent).as_posix()
        assert re.search(rf"^{re.escape(name.removesuffix('.md'))}$", text, re.MULTILINE), name
        assert f"]({name})" in text, name


@pytest.mark.parametrize("page", [*PAGES, REFERENCE], ids=lambda page: str(page.relative_to(ROOT)))
def test_rows_of_a_table_have_as_many_cells_as_its_head(page: Path) -> None:
    """A "|" divides cells in a code span as well."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for table in re.findall(r"^\|.*(?:\n\|.*)+", text, re.MULTILINE):
        cells = [len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()]
        assert cells == cells[:1] * len(cells), table


def test_every_command_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[`urlscan (\w+)`\]", text, re.MULTILINE) == list(COMMANDS)


def test_check_finds_nothing_in_the_project() -> None:
    """The configuration is not in pyproject.toml: it would change the findings that the README shows."""
    result = command("check", "-q", "--config", str(ROOT / ".ci" / "urlscan.toml"), str(ROOT), cwd=ROOT)
    assert (result.text, result.err, result.status) == ("", "", 0)
