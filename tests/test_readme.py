"""The README is true: its commands are run, its snippets too, and its table of rules is the registry's.

`python -m tests.test_readme` writes what the commands print and the table of rules anew.
"""

import doctest
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import urlscan
from tests.command import clean_environment, git
from urlscan.config import Configuration
from urlscan.config.keys import KEYS
from urlscan.config.relaxed import RELAXED_PATHS
from urlscan.model import Severity
from urlscan.rules import REGISTRY, load

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
LETTER = "corpus/demo/letter.txt"
# What a command is run as where the README's own would take minutes, or would run these tests in
# themselves without end: the rest of such a line is run as it stands.
INSTEAD = {
    ".venv/bin/python -m pytest": ".venv/bin/python -m pytest tests/test_url.py tests/test_readme.py -k 'not set_up'",
    "python benchmarks/compare.py --runs 3": f"python benchmarks/compare.py --runs 1 {LETTER}",
}
_RELAXED = re.compile(r"(?<=<!-- relaxed-paths -->\n).*?(?=<!-- /relaxed-paths -->)", re.DOTALL)
_KEYS = re.compile(r"(?<=<!-- keys -->\n).*?(?=<!-- /keys -->)", re.DOTALL)
_TABLE = re.compile(r"(?<=<!-- rules -->\n).*?(?=<!-- /rules -->)", re.DOTALL)


class Block(NamedTuple):
    """A fenced block of the README.

    Attributes:
        language: the word behind its fence.
        text: what is in it.
        line: where it begins, from 1.
    """

    language: str
    text: str
    line: int


def blocks(language: str, readme: str | None = None) -> list[Block]:
    """The blocks of a language, in order."""
    text = README.read_text(encoding="utf-8") if readme is None else readme
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    all_of_them = [Block(match[1], match[2], text.count("\n", 0, match.start()) + 2) for match in found]
    return [block for block in all_of_them if block.language == language]


def commands(block: Block) -> list[str]:
    """The commands of a console block."""
    return [line.removeprefix("$ ") for line in block.text.splitlines() if line.startswith("$ ")]


def shown(block: Block, directory: Path) -> str:
    """The block with what its commands print: one shell runs them all, so that `$?` is the last one's."""
    shutil.copytree(ROOT / "corpus", directory / "corpus", ignore=shutil.ignore_patterns("__pycache__"))
    script = "".join(f"(exit $status)\n{command}\nstatus=$?; printf '\\0'\n" for command in commands(block))
    done = subprocess.run(
        ["bash", "-c", script], cwd=directory, env=environment(directory), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False,
    )  # fmt: skip
    outputs = done.stdout.decode().split("\0")
    assert len(outputs) == len(commands(block)) + 1, done.stdout.decode()
    return "".join(f"$ {command}\n{output}" for command, output in zip(commands(block), outputs, strict=False))


def environment(directory: Path) -> dict[str, str]:
    """An environment in which `urlscan` and `python` are the ones that run this."""
    shims = directory / ".shims"
    shim(shims / "python", sys.executable)
    shim(shims / "urlscan", f"{sys.executable} -m urlscan")
    return clean_environment(PATH=f"{shims}{os.pathsep}{os.environ['PATH']}")


def shim(path: Path, command: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)


# --- what is shown


def test_the_readme_has_blocks_of_each_kind() -> None:
    assert len(blocks("sh")) == 4
    assert len(blocks("console")) >= 5
    assert len(blocks("python")) >= 3
    assert len(blocks("yaml")) == 3
    assert len(blocks("toml")) == 2
    assert README.read_text(encoding="utf-8").count("```") == 2 * sum(
        len(blocks(language)) for language in ("sh", "console", "python", "yaml", "toml")
    )


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: f"line {block.line}")
def test_a_command_prints_what_is_shown(block: Block, tmp_path: Path) -> None:
    assert shown(block, tmp_path) == block.text, "python -m tests.test_readme writes it anew"


def test_the_first_screen_is_one() -> None:
    first = blocks("console")[0]
    assert first.line < 15
    assert first.text.count("\n") < 45


def test_the_snippets_are_true() -> None:
    space: dict[str, object] = {}
    runner = doctest.DocTestRunner(verbose=False)
    parser = doctest.DocTestParser()
    for block in blocks("python"):
        test = parser.get_doctest(block.text, space, "README", str(README), block.line)
        assert test.examples
        space.update(test.globs)
        output: list[str] = []
        runner.run(test, out=output.append, clear_globs=False)
        assert not output, "".join(output)
        space.update(test.globs)


# --- the rules


def table() -> str:
    """The table of rules, as the registry has it."""
    rows = ["| code | name | severity | fix | heard | says |", "| --- | --- | --- | --- | --- | --- |"]
    for entry in REGISTRY:
        rule = load(entry)
        level = rule.severity.label
        if not rule.default:
            level = f"off ({', '.join(rule.profiles)}: {level})" if rule.profiles else "off"
        fix = "yes" if rule.fix_note else ""
        heard = " / ".join(rates(rule.code)) if rule.default else ""
        rows.append(f"| {rule.code} | {rule.name} | {level} | {fix} | {heard} | {in_a_cell(rule.summary)} |")
    return "\n".join(rows) + "\n"


TRIGGERS = json.loads((ROOT / "benchmarks" / "triggers.json").read_text(encoding="utf-8"))


def rates(code: str) -> list[str]:
    """How often a rule was heard per 1,000 URLs of each corpus, as `benchmarks/triggers.py` has measured it."""
    found = [corpus["per_thousand"].get(code, 0) for corpus in TRIGGERS["corpora"].values()]
    return [f"{rate:.2g}" if rate else "0" for rate in found]


def test_the_rates_are_of_rules_that_are_on_and_dated() -> None:
    codes = {entry.code for entry in REGISTRY if entry.default}
    for corpus in TRIGGERS["corpora"].values():
        assert set(corpus["per_thousand"]) <= codes
        assert corpus["urls"] > 10_000
    said = f"in {', '.join(TRIGGERS['corpora'])} on {TRIGGERS['date']}"
    assert said in " ".join(README.read_text(encoding="utf-8").split())


def in_a_cell(text: str) -> str:
    return re.sub(r"[\\|`*_\[\]]", r"\\\g<0>", html.escape(text, quote=False))


def test_the_table_of_rules_is_the_registry() -> None:
    found = _TABLE.search(README.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == table(), "python -m tests.test_readme writes it anew"


def test_what_makes_check_fail() -> None:
    assert {load(entry).severity for entry in REGISTRY} <= set(Severity)
    assert "An error or a warning makes `check` fail" in README.read_text(encoding="utf-8")


# --- the configuration


def keys() -> str:
    """The table of keys, as the program has it."""
    rows = ["| key | value | without it | says | example |", "| --- | --- | --- | --- | --- |"]
    for key in KEYS:
        default = "the list below" if key.name == "relaxed-paths" else code(key.default)
        cells = [in_a_cell(key.name), plain(key.shape.words), default, plain(key.says), code(key.example)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def relaxed_paths() -> str:
    """The default of `relaxed-paths`, as TOML."""
    lines = textwrap.wrap(", ".join(f'"{pattern}"' for pattern in RELAXED_PATHS), 112, break_on_hyphens=False)
    return "\n".join(["```toml", "relaxed-paths = [", *(f"    {line}" for line in lines), "]", "```"]) + "\n"


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def plain(text: str) -> str:
    """A text with code in it, in a cell."""
    return "".join(part if n % 2 else in_a_cell(part) for n, part in enumerate(re.split(r"(`[^`]*`)", text)))


def test_the_default_of_relaxed_paths_is_spelled_out() -> None:
    found = _RELAXED.search(README.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == relaxed_paths(), "python -m tests.test_readme writes it anew"
    assert tomllib.loads(found[0].strip("`\n").removeprefix("toml"))["relaxed-paths"] == list(RELAXED_PATHS)


def test_the_table_of_keys_is_the_program_s() -> None:
    found = _KEYS.search(README.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == keys(), "python -m tests.test_readme writes it anew"


def test_the_example_is_a_configuration_and_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    block, _ = blocks("toml")
    Path("urlscan.toml").write_text(block.text)
    configuration = Configuration()
    assert configuration.of("index.page").kind == "html"
    assert configuration.excludes("vendor/a.txt")
    assert configuration.excludes("js/a.min.js")
    assert {"U301", "U501"} <= configuration.of("docs/history/1994.txt").silent
    terms = configuration.of("a.txt")
    text = "http://h.example/?a=%252F x-foo://a..b.corp.example/ http://jo:s3kr1t@www.dominion.org/ http://h.corp.example:25/"
    assert [(f.code, f.severity.label) for f in urlscan.lint(text, settings=terms.settings) if f.code != "U605"] == [
        ("U202", "error")
    ]


# --- the hook


def test_the_hooks_are_the_manifest_s() -> None:
    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    hooks = re.findall(r"^- id: (\S+)$", manifest, re.MULTILINE)
    block = blocks("yaml")[0]
    assert set(re.findall(r"- id: (\S+)", block.text)) <= set(hooks)
    assert re.findall(r"rev: v(\S+)", block.text) == [urlscan.__version__]
    readme = README.read_text(encoding="utf-8")
    for hook in hooks:
        assert f"- `{hook}` " in readme


def test_pre_commit_takes_the_configuration(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    block = blocks("yaml")[0]
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(block.text)
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", str(path)], check=True)


# --- the commands that set up, and the one that takes minutes


def instead(block: Block) -> str:
    """The command of a block, or what is run in its place."""
    command = block.text.strip()
    assert "\n" not in command, "a block to copy is one line"
    for long, short in INSTEAD.items():
        command = command.replace(long, short)
    return command


def test_what_is_run_instead_stands_in_the_readme() -> None:
    text = "".join(block.text for block in blocks("sh"))
    assert all(long in text for long in INSTEAD)


BENCHMARKS = [block for block in blocks("sh") if "benchmarks" in block.text]


@pytest.mark.parametrize(
    ("block", "row"), list(zip(BENCHMARKS, [b"urlscan extract", b"check"], strict=True)), ids=["compare", "urls"]
)
def test_the_benchmark_runs(block: Block, row: bytes, tmp_path: Path) -> None:
    for folder in ("benchmarks", "corpus"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    done = subprocess.run(
        ["bash", "-c", instead(block)], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert row in done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """A clone of the project as it stands, changes that are not committed included."""
    origin = tmp_path / "origin"
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        env=clean_environment(), capture_output=True, check=False,
    )  # fmt: skip
    if listed.returncode != 0:
        pytest.skip("this is no work tree of git, and cannot be cloned")
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        if (ROOT / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, origin / name)
    git(origin, "init")
    git(origin, "add", ".")
    git(origin, "commit", "-m", "as it stands")
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "clone", str(origin), "urlscan")
    yield empty / "urlscan"
    shutil.rmtree(empty)  # two environments are too much to keep


def set_up(block: Block, clone: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run a command in a clone; skip where pip reaches no package index."""
    # `python3` is the Python below this one's environment, not whatever is first on the PATH.
    shim(clone.parent / "python3", getattr(sys, "_base_executable", sys.executable))
    env = clean_environment(PATH=f"{clone.parent}{os.pathsep}{os.environ['PATH']}")
    env.pop("VIRTUAL_ENV", None)
    done = subprocess.run(["bash", "-c", instead(block)], cwd=clone, env=env, capture_output=True, check=False)
    if done.returncode not in (0, 1) or not (clone / ".venv/bin/urlscan").exists():
        pip = [
            str(clone / ".venv/bin/python"),
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "--retries",
            "0",
            "hatchling",
        ]
        reached = subprocess.run(pip, cwd=clone.parent, env=env, capture_output=True, check=False).returncode == 0
        if not reached and not os.environ.get("URLSCAN_CI"):
            pytest.skip("pip reaches no package index: " + done.stderr.decode()[-200:])
    return done


@pytest.mark.network
def test_the_first_set_up_command_checks_the_letter(clone: Path, tmp_path: Path) -> None:
    block = blocks("sh")[0]
    assert instead(block) == block.text.strip()
    done = set_up(block, clone)
    here = subprocess.run(
        ["urlscan", "check", LETTER], cwd=ROOT, env=environment(tmp_path), capture_output=True, check=False
    )
    assert (done.returncode, here.returncode) == (1, 1), done.stderr.decode()
    assert done.stdout == here.stdout
    assert b"Found 5 errors" in done.stdout


@pytest.mark.network
def test_the_second_set_up_command_runs_the_tests(clone: Path) -> None:
    done = set_up(blocks("sh")[1], clone)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    assert b"100%" in done.stdout


def rewritten(readme: str) -> str:
    """The README with what its commands print now, and the table of rules."""
    for block in blocks("console", readme):
        with tempfile.TemporaryDirectory() as directory:
            readme = readme.replace(f"```console\n{block.text}```", f"```console\n{shown(block, Path(directory))}```")
    readme = _RELAXED.sub(lambda _: relaxed_paths(), readme)
    return _KEYS.sub(lambda _: keys(), _TABLE.sub(lambda _: table(), readme))


def test_its_links_within_lead_somewhere() -> None:
    text = re.sub(r"^```.*?^```$", "", README.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    places = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    links = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert len(links) > 10
    assert links <= places


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text(encoding="utf-8")), encoding="utf-8")


# --- what runs elsewhere


@pytest.mark.parametrize(
    ("number", "files"), [(1, ["urlscan.sarif"]), (2, ["gl-code-quality-report.json", "urlscan.xml"])]
)
def test_a_workflow_is_yaml_whose_command_writes_what_is_uploaded(
    tmp_path: Path, number: int, files: list[str]
) -> None:
    yaml = pytest.importorskip("yaml")
    block = blocks("yaml")[number]
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
        assert block.text.count(name) == 2, "what is written is what is uploaded"
