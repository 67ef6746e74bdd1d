"""No secret is revealed by any command, format and option, for every kind of document.

The output and the messages of commands are searched, and files that are written, except for the text itself.
"""

import html
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.test_secrets import CASES, LEAK, P, run_here
from urlscan.cli import COMMANDS
from urlscan.formats import FORMATS

NESTED = {
    "in a query": f"http://h.example/?u=ftp://jane:{P}@ftp.dominion.org/%zz",
    "in a query, escaped": f"http://h.example/?u=ftp%3A%2F%2Fjane%3A{P}%40ftp.dominion.org%2F&x=%zz",
    "in a query, escaped once more": f"http://h.example/?u=ftp%253A%252F%252Fjane%253A{P}%2540ftp.dominion.org&x=%zz",
    "in a path": f"http://web.archive.org/web/2001/http://jane:{P}@ftp.dominion.org/%zz",
    "in a fragment": f"http://h.example/#http://jane:{P}@ftp.dominion.org/%zz",
    "a token in a query in a query": f"http://h.example/?u=http://g.dominion.org/?access_token={P}{P}&x=%zz",
    "a token, escaped": f"http://h.dominion.org/?u=http%3A%2F%2Fg.dominion.org%2F%3Faccess_token%3D{P}{P}&x=%zz",
    "a token after a semicolon": f"http://g.dominion.org/?a=b;api_key={P}{P}&x=%zz",
    "a token in a fragment": f"http://g.dominion.org/#access_token={P}{P}&x=%zz",
    "a token and a password": f"http://jane:{P}@g.dominion.org/?secret_token={P}{P}&x=^",
    "two tokens": f"http://g.dominion.org/?api_key={P}{P}&access_token={P}{P}^",
    "a token over lines": f"<URL:http://g.dominion.org/?access_token={P}\n  {P}\n  {P}&x=^>",
    "a token in an unclosed wrapper": f"<URL:http://g.dominion.org/?access_token={P}{P}^ x",
    "a token in a look-alike": f"http:/g.dominion.org/?access_token={P}{P}^",
}
ALL = CASES | NESTED
ONE_LINE = {name: text for name, text in ALL.items() if not set(text) & set("\n\r\f\x07")}

# A document of each kind that contains a text.
KINDS: dict[str, Callable[[str], str]] = {
    "a.txt": lambda text: f"{text}\n\n",
    "a.md": lambda text: f"{text}\n\n[x]({text})\n\n[y]: {text}\n\n<a href='{text}'>x</a>\n\n",
    "a.rst": lambda text: f"{text}\n\n`x <{text}>`_\n\n.. _y: {text}\n\n",
    "a.html": lambda text: f'<a href="{html.escape(text)}">{html.escape(text)}</a>\n<!-- {text} -->\n',
    "a.xml": lambda text: f"<a b='{html.escape(text)}'>{html.escape(text)}</a>\n",
    "a.py": lambda text: f"x = {text!r}\n# {text}\n",
    "a.c": lambda text: f"char *x = {json.dumps(text)};\n/* {text} */\n// {text}\n",
    "a.js": lambda text: f"x = {json.dumps(text)};\n// {text}\n".replace("/", "\\/"),
    "a.json": lambda text: json.dumps([text]) + "\n",
    "a.yaml": lambda text: f"- {json.dumps(text)}\n# {text}\n",
    "a.csv": lambda text: '1,"' + text.replace('"', '""') + '"\n',
    "a.tex": lambda text: f"\\url{{{text}}} {text}\n\n",
    "a.ini": lambda text: f"[s]\na = {text}\n",
    "a.sh": lambda text: f"curl '{text}' {text}\n",
    "a.ipynb": lambda text: json.dumps({"cells": [{"cell_type": "markdown", "source": [text, f"[x]({text})"]}]}) + "\n",
}
CHECKS = [
    *(["check", "-v", "--select", "ALL", "--format", name] for name in FORMATS),
    ["check", "-v", "--rejoin", "guess", "--color", "always"],
    ["check", "--rejoin", "never", "--profile", "rfc1738", "--format", "jsonl"],
    *(
        [
            "extract",
            "-v",
            "--schemeless",
            "--emails",
            "--relative",
            "--resolve",
            "--base",
            "http://h.example/",
            "--format",
            name,
        ]
        for name in ("text", "json", "jsonl", "csv", "tsv")
    ),
    ["extract", "--rejoin", "guess", "--with-filename"],
    ["extract", "--rejoin", "never", "--count"],
]
# Commands without documents; `test_errors_about_the_command_line_reveal_no_secret` covers their arguments.
# The last four have tests of their own, in tests/archive, tests/report and tests/server.
WITHOUT_DOCUMENTS = {"rules", "config", "completions", "man", "archive", "query", "report", "server", "init"}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("documents")
    for name, around in KINDS.items():
        texts = ALL if name == "a.txt" else ONE_LINE
        several = [around(text) for text in texts.values()]
        text = "".join(several)
        if name == "a.ipynb":  # one notebook with all cells
            text = json.dumps({"cells": [json.loads(one)["cells"][0] for one in several]})
        (directory / name).write_text(text, encoding="utf-8", newline="")
    return directory


def test_all_commands_are_covered() -> None:
    covered = {command[0] for command in CHECKS} | {"parse", "resolve", "normalize"}
    assert set(COMMANDS) == covered | (WITHOUT_DOCUMENTS & set(COMMANDS)), (
        "a new command must be searched for secrets, too"
    )


# All commands and formats for one document take seconds.
FAST = {"a.md", "a.txt", "a.py"}


@pytest.mark.parametrize(
    "name", [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in KINDS]
)
def test_output_about_a_document_reveals_no_secret(documents: Path, name: str) -> None:
    leaks = []
    for command in CHECKS:
        output = run_here(*command, str(documents / name))
        assert output or "U9" in name
        leaks += [f"{' '.join(command)}: {line}" for line in output.splitlines() if LEAK.search(line)]
    assert not leaks, f"{len(leaks)} lines:\n" + "\n".join(leaks[:8])


@pytest.mark.parametrize("option", [["--fix"], ["--fix", "--unsafe-fixes"], ["--add-ignore"]], ids=" ".join)
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.slow
def test_editing_a_document_reveals_no_secret(documents: Path, tmp_path: Path, name: str, option: list[str]) -> None:
    shutil.copy(documents / name, tmp_path)
    output = run_here("check", *option, "-v", str(tmp_path / name))
    assert not LEAK.search(output)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_baseline_reveals_no_secret(documents: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    output = run_here("check", "--select", "ALL", "--write-baseline", str(known), str(documents))
    assert known.stat().st_size > 10_000
    (tmp_path / "less").mkdir()
    output += run_here("check", "-v", "--baseline", str(known), str(documents))
    assert "no longer found" not in output or "a." in output
    assert not LEAK.search(output + known.read_text())


@pytest.mark.parametrize("command", ["parse", "resolve", "normalize"])
@pytest.mark.parametrize("format", ["text", "json", "jsonl"])
@pytest.mark.slow
def test_commands_for_urls_reveal_no_secret(command: str, format: str) -> None:
    leaks = []
    for profile in ("rfc3986", "rfc1738"):
        for text in ALL.values():
            for base in [["http://h.example/", text], [text, "a%zz"]] if command == "resolve" else [[text]]:
                output = run_here(command, "--profile", profile, "--format", format, "--", *base)
                if LEAK.search(output):
                    leaks.append(f"{base!r}: {output}")
    assert not leaks, f"{len(leaks)}:\n" + "\n".join(leaks[:8])


OPTIONS = {
    "check": (
        "--select --extend-select --ignore --profile --format --fail-on --baseline --write-baseline --as --encoding"
        " --files-from --rejoin -j --color --config --no-such"
    ).split(),
    "extract": "--format --schemes --base --as --encoding --files-from --rejoin -j --color --no-such".split(),
    "parse": "--profile --format --no-such".split(),
    "resolve": "--profile --format --dots --no-such".split(),
    "normalize": "--profile --format --level --no-such".split(),
    "rules": "--no-such --format".split(),
}


@pytest.mark.parametrize("command", OPTIONS)
def test_errors_about_the_command_line_reveal_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for url in (ALL["well-formed"], ALL["with a slash"], ALL["without a path"], ALL["a secret in a query"]):
        for option in OPTIONS[command]:
            for arguments in ([option, url], [f"{option}={url}"], [url + option]):
                output = run_here(command, *arguments)
                assert not LEAK.search(output), f"{command} {arguments}: {output}"
        for arguments in ([url], ["--", url], ["-" + url], [command, url]):
            output = run_here(*arguments) + run_here(command, *arguments)
            assert not LEAK.search(output), f"{command} {arguments}: {output}"


LONG = "http://h.example/#https%3A%2F%2Fjo%3AKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK%40ftp.mills.zz/"


@pytest.mark.parametrize(
    "arguments",
    [["check", "--format", LONG], ["extract", "--jobs", LONG], ["extract", "--max-unpacked", LONG], [LONG]],
)
def test_errors_mask_an_argument_before_they_shorten_it(arguments: list[str]) -> None:
    output = run_here(*arguments)
    assert "***" in output
    assert not LEAK.search(output)


def test_an_escaped_address_is_masked_in_its_url(here: Path) -> None:
    """The address is the end of a URL with a password, and its "/" is escaped in "mailto:"."""
    text = "# see mysql://:88OUL0/wQ7q4Zz3NLFINKKKKKKKKKKKKKKKKKK@dominion.org:8080/x. there\n"
    Path("a.yaml").write_text(text)
    output = run_here("extract", "--isolated", "--emails", "--format", "jsonl", "a.yaml")
    assert '"assumed": "mailto:***@dominion.org"' in output
    assert not LEAK.search(output)


def test_secrets_of_urls_without_a_scheme_are_masked(here: Path) -> None:
    """A colon after a host and a path divides other things, too, such as the tag of an image."""
    Path("a.txt").write_text(f"www.h.org/jo:{P}@h.example/ hub.h.org/jo:tag@sha256 ftp:// jo:{P}@h.org/x\n")
    output = run_here("extract", "--isolated", "--schemeless", "--emails", "a.txt")
    assert output.splitlines()[:2] == ["www.h.org/jo:***@h.example/", "hub.h.org/jo:tag@sha256"]
    assert not LEAK.search(output)
