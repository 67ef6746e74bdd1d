"""No output acts on a terminal or on the runner of a workflow, whatever the names and texts it shows.

Hostile strings are put into file names, configuration keys and values, arguments and documents, for every command and
every format.
"""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.masking.test_secrets import run_here
from urlscan.cli import COMMANDS
from urlscan.formats import FORMATS
from urlscan.formats.escape import escape, escape_commands
from urlscan.formats.records import dumps

# What runners look for: GitHub's at the beginning of a line, after white space; those of Azure Pipelines anywhere.
COMMAND = re.compile(r"^::|^\s+::.*::|##\[|##vso\[", re.IGNORECASE)
# What no terminal and no report shows: controls other than line end and tab, and what is invisible or reorders text.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0001-\U000e007f]"
)
HOSTILE = [
    "::error::a", "::add-mask::a", " ::set-env name=a::b", "\t::debug::", "##[group]a", "###[error]", "##vso[task.a]b",
    "##VSO[a]", "#\u200b#vso[a]", "##\u200dvso[a]", "a\u200bb", "\ufeffa", "a\u202eb\u202c", "\u2066a\u2069",
    "a\u200fb", "a\u061cb", "a\xadb", "\u3164", "\x1b[31ma", "\x9b31m", "\r::error::a", "\n::error::a",
    "\x0b::error::a", "a\u2028::b::",
]  # fmt: skip
PIECES = [*HOSTILE, *"::#[ \n\t", "##", "vso[", "http://h.example/", "%zz"]


def faults_of(output: str, github: bool = False) -> list[str]:
    """Return the lines of output that hold something they must not."""
    lines = re.split(r"\r\n|[\r\n]", output)
    if github:  # the messages are commands, one per line; standard error has none
        lines = [line for line in lines if not re.match(r"::(error|warning|notice) file=", line)]
    return [line for line in lines if COMMAND.search(line) or INVISIBLE.search(line)]


def urls_with(text: str) -> str:
    """Return a document in plain text that has `text` at its line starts, in URLs and around them."""
    inside = re.sub(r"\s", "", text)
    return f"{text}\n{text} http://h.example/%zz{inside}\n <http://h.example/{inside}%zz>\n{inside}://h/ {text}^\n::\n"


def page_with(text: str) -> str:
    """Return a page whose links, relative ones included, begin with `text`."""
    quoted = text.replace('"', "&quot;")
    return f'<p>{text}</p><a href="{quoted}">{text}</a>\n<a href="{quoted}http://h.example/%zz">x</a>\n'


DOCUMENTS = {"a.txt": urls_with, "a.rst": urls_with, "a.md": urls_with, "a.html": page_with}
CHECKS = [
    *(["check", "-v", "--select", "ALL", "--format", name] for name in FORMATS),
    *(["check", "--statistics", "--format", name] for name in ("full", "json")),
    ["check", "--diff", "--unsafe-fixes"],
    ["check", "--color", "never", "--rejoin", "guess"],
    *(["extract", "--relative", "--schemeless", "--format", name] for name in ("text", "json", "jsonl", "csv", "tsv")),
    ["extract", "--relative", "--count"],
    ["extract", "--relative", "--with-filename", "-v"],
]


def test_every_command_is_run_here() -> None:
    assert set(COMMANDS) == {"check", "extract", "parse", "resolve", "normalize", "rules", "config"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a document of each kind for each hostile string, and files and folders of these names."""
    directory = tmp_path_factory.mktemp("tree")
    for number, text in enumerate(HOSTILE):
        for name, document in DOCUMENTS.items():
            (directory / f"{number}{name}").write_text(document(text), encoding="utf-8", newline="")
        below = directory / f"{text}.d"
        below.mkdir()
        (below / f"{text}.txt").write_text(urls_with(text), encoding="utf-8", newline="")
    return directory


@pytest.mark.parametrize("command", CHECKS, ids=" ".join)
def test_no_line_of_a_report_is_a_command(tree: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.chdir(tree)
    # By name, so that lines begin with the names; and the directory, in which they are after "./".
    output = run_here(*command, "--", *sorted(os.listdir()))
    assert output
    assert not faults_of(output, github="github" in command)


@pytest.mark.parametrize("format", FORMATS)
def test_nor_one_of_a_report_in_a_file(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    monkeypatch.chdir(tree)
    report = tmp_path / "report"
    run_here("check", "--format", format, "--output-file", str(report), "--", *sorted(os.listdir()))
    assert not faults_of(report.read_text(encoding="utf-8"), github=format == "github")


OPTIONS = "--format --profile --select --config --as --base --files-from --level".split()


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nor_one_that_is_about_arguments(here: Path, text: str) -> None:
    for command in [*COMMANDS, text, ""]:
        for arguments in (
            *([option, text] for option in OPTIONS),
            *([text], ["--", text], ["-" + text], ["--" + text], ["--output-file", text + "/a"]),
            ["--", "http://h.example/" + text, text],
        ):
            output = run_here(*([command] if command else []), *arguments)
            assert not faults_of(output), arguments


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nor_one_that_is_about_a_configuration(here: Path, text: str) -> None:
    quoted = json.dumps(text)  # JSON's strings are TOML's, surrogates aside
    (here / "a.txt").write_text("http://h.example/%zz\n")
    for name, written in {
        "key": f"{quoted} = 1",
        "value": f"select = [{quoted}]",
        "severity": f"[severity]\n{quoted} = {quoted}",
        "per-file": f"[per-file-ignores]\n{quoted} = [{quoted}]",
        "list": f"schemes = [{quoted}]\nallowed-hosts = [{quoted}]\nexclude = [{quoted}]\nplaceholders = [{quoted}]",
        "extend": f"extend = {quoted}",
        "baseline": f"baseline = {quoted}",
        "syntax": f"{text}",
        "unclosed": f"a = {quoted} {text}",
        "twice": f"{quoted} = 1\n{quoted} = 1",
    }.items():
        (here / "urlscan.toml").write_text(written + "\n", encoding="utf-8", newline="")
        for command in (["check"], ["check", "-v"], ["config"], ["config", "--format", "json"], ["rules"]):
            output = run_here(*command, *(["."] if command[0] != "rules" else []))
            assert not faults_of(output), (name, command)


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(
    text=st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    command=st.sampled_from(CHECKS),
    name=st.sampled_from(sorted(DOCUMENTS)),
)
def test_nor_one_of_any_text(
    tmp_path_factory: pytest.TempPathFactory, text: str, command: list[str], name: str
) -> None:
    directory = tmp_path_factory.getbasetemp() / "any"
    directory.mkdir(exist_ok=True)
    (directory / name).write_text(DOCUMENTS[name](text), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(directory)
        assert not faults_of(run_here(*command, name), github="github" in command)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb\ufeff", r"a\u200bb\ufeff"),
        ("\u202ea\u2066", r"\u202ea\u2066"),
        ("a\u200cb", r"a\u200cb"),
        ("\u0645\u06cc\u200c\u062e\u0648", "\u0645\u06cc\u200c\u062e\u0648"),  # Persian is spelled with this joiner
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),  # and emoji with these
        ("a\ufe0f", r"a\ufe0f"),
        ("##[a] ###vso[b] # [c] ##d", r"#\x23[a] ##\x23vso[b] # [c] ##d"),
    ],
)
def test_what_is_invisible_is_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert json.loads(dumps([text])) == [text]
    assert not faults_of(dumps([text]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a\n::b\n", "\\x3a:error::a\n\\x3a:b\n"),
        (" ::a\n ::a::\n", " ::a\n \\x3a:a::\n"),  # the first is reStructuredText
        ("\x1b[1m::a::b", "\x1b[1m\\x3a:a::b"),
        ("http://[::1]/ a::b", "http://[::1]/ a::b"),
    ],
)
def test_a_line_never_begins_as_a_command(text: str, shown: str) -> None:
    assert escape_commands(text) == shown
    assert escape_commands(shown) == shown
