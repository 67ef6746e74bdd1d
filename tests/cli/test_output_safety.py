"""Output has no effect on a terminal or on a CI runner, whatever names and texts it contains.

Hostile strings are put into file names, configuration keys and values, arguments and documents, for every command and
every format.
"""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.test_secrets import run_here
from tests.strategies import examples
from urlscan.cli import COMMANDS
from urlscan.formats import FORMATS
from urlscan.formats.escape import escape, escape_commands
from urlscan.formats.records import dumps

# Commands of runners: GitHub's at the beginning of a line, after white space; those of Azure Pipelines anywhere.
COMMAND = re.compile(r"^::|^\s+::.*::|##\[|##vso\[", re.IGNORECASE)
# Characters that must not be printed: controls other than line end and tab, and those that are invisible or reorder
# text.
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
FRAGMENTS = [*HOSTILE, *"::#[ \n\t", "##", "vso[", "http://h.example/", "%zz"]


def unsafe_lines(output: str, github: bool = False) -> list[str]:
    """Return the output lines with forbidden content."""
    lines = re.split(r"\r\n|[\r\n]", output)
    if github:  # the messages are commands, one per line; standard error contains none
        lines = [line for line in lines if not re.match(r"::(error|warning|notice) file=", line)]
    return [line for line in lines if COMMAND.search(line) or INVISIBLE.search(line)]


def urls_with(text: str) -> str:
    """Return a plain text document with `text` at line starts, in URLs and around them."""
    inside = re.sub(r"\s", "", text)
    return f"{text}\n{text} http://h.example/%zz{inside}\n <http://h.example/{inside}%zz>\n{inside}://h/ {text}^\n::\n"


def page_with(text: str) -> str:
    """Return a page whose links, including relative ones, begin with `text`."""
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


def test_all_commands_are_covered() -> None:
    assert set(COMMANDS) == {
        "check",
        "extract",
        "parse",
        "resolve",
        "normalize",
        "rules",
        "config",
        "completions",
        "man",
        # These have tests of their own, in tests/archive, tests/report and tests/server.
        "archive",
        "query",
        "report",
        "server",
        "init",
    }


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with documents of each kind that contain hostile strings, and files and folders named so."""
    directory = tmp_path_factory.mktemp("tree")
    for number, text in enumerate(HOSTILE):
        for name, document in DOCUMENTS.items():
            (directory / f"{number}{name}").write_text(document(text), encoding="utf-8", newline="")
        below = directory / f"{text}.d"
        below.mkdir()
        (below / f"{text}.txt").write_text(urls_with(text), encoding="utf-8", newline="")
    return directory


@pytest.mark.parametrize("command", CHECKS, ids=" ".join)
@pytest.mark.slow
def test_report_has_no_unsafe_line(tree: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.chdir(tree)
    # Pass the names, so that lines begin with them; within the directory they would be preceded by "./".
    output = run_here(*command, "--", *sorted(os.listdir()))
    assert output
    assert not unsafe_lines(output, github="github" in command)


@pytest.mark.parametrize("format", FORMATS)
def test_report_file_has_no_unsafe_line(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    monkeypatch.chdir(tree)
    report = tmp_path / "report"
    run_here("check", "--format", format, "--output-file", str(report), "--", *sorted(os.listdir()))
    assert not unsafe_lines(report.read_text(encoding="utf-8"), github=format == "github")


OPTIONS = "--format --profile --select --config --as --base --files-from --level".split()


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_messages_about_arguments_have_no_unsafe_line(here: Path, text: str) -> None:
    for command in [*COMMANDS, text, ""]:
        for arguments in (
            *([option, text] for option in OPTIONS),
            *([text], ["--", text], ["-" + text], ["--" + text], ["--output-file", text + "/a"]),
            ["--", "http://h.example/" + text, text],
        ):
            output = run_here(*([command] if command else []), *arguments)
            assert not unsafe_lines(output), arguments


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.slow
def test_messages_about_configuration_have_no_unsafe_line(here: Path, text: str) -> None:
    quoted = json.dumps(text)  # a JSON string is a TOML string, except for surrogates
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
            assert not unsafe_lines(output), (name, command)


@pytest.mark.slow
@examples(150)
@given(
    text=st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join),
    command=st.sampled_from(CHECKS),
    name=st.sampled_from(sorted(DOCUMENTS)),
)
def test_report_on_any_text_has_no_unsafe_line(
    tmp_path_factory: pytest.TempPathFactory, text: str, command: list[str], name: str
) -> None:
    directory = tmp_path_factory.getbasetemp() / "any"
    directory.mkdir(exist_ok=True)
    (directory / name).write_text(DOCUMENTS[name](text), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(directory)
        assert not unsafe_lines(run_here(*command, name), github="github" in command)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb\ufeff", r"a\u200bb\ufeff"),
        ("\u202ea\u2066", r"\u202ea\u2066"),
        ("a\u200cb", r"a\u200cb"),
        (
            "\u0645\u06cc\u200c\u062e\u0648",
            "\u0645\u06cc\u200c\u062e\u0648",
        ),  # spelling in Persian requires this joiner
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),  # and this emoji requires these
        ("a\ufe0f", r"a\ufe0f"),
        ("##[a] ###vso[b] # [c] ##d", r"#\x23[a] ##\x23vso[b] # [c] ##d"),
    ],
)
def test_invisible_characters_are_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert json.loads(dumps([text])) == [text]
    assert not unsafe_lines(dumps([text]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::a\n::b\n", "\\x3a:error::a\n\\x3a:b\n"),
        (" ::a\n ::a::\n", " ::a\n \\x3a:a::\n"),  # the first line is reStructuredText, not a command
        ("\x1b[1m::a::b", "\x1b[1m\\x3a:a::b"),
        ("http://[::1]/ a::b", "http://[::1]/ a::b"),
    ],
)
def test_commands_of_runners_are_escaped(text: str, shown: str) -> None:
    assert escape_commands(text) == shown
    assert escape_commands(shown) == shown
