"""The completions work in the shells themselves, as far as these are installed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import clean_environment, urlscan
from tests.pages import shim
from tests.terminal import Terminal
from urlscan.cli import COMMANDS
from urlscan.cli.completions import SHELLS
from urlscan.cli.usage import commands
from urlscan.documents import KINDS
from urlscan.formats import FORMATS
from urlscan.rules import REGISTRY

# Command lines, and the complete proposals for the last word; "..." represents further ones.
CASES = {
    "urlscan ch": ["check"],
    "urlscan --v": ["--version"],
    "urlscan help nor": ["normalize"],
    "urlscan check --stati": ["--statistics"],
    "urlscan check --output-fo": ["--output-format"],
    "urlscan check --format sa": ["sarif"],
    "urlscan check --fail-on ": ["error", "warning", "info"],
    "urlscan extract --format ": ["text", "jsonl", "json", "csv", "tsv", "parquet", "arrow"],
    "urlscan check --as pyt": ["python"],
    "urlscan check --select U60": [entry.code for entry in REGISTRY if entry.code.startswith("U60")],
    "urlscan check --select U101,bad": ["U101,bad-escape"],
    "urlscan rules bad": ["bad-escape"],
    "urlscan completions p": ["powershell"],
    "urlscan-lint normalize --level si": ["simple"],
    "urlscan parse --format=jsonl --sh": ["--show-secrets"],
}


def script(shell: str, directory: Path) -> Path:
    """Return a file with the completions of a shell."""
    path = directory / f"completions.{shell}"
    path.write_bytes(urlscan("completions", shell).out)
    return path


def missing(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def test_every_shell_knows_every_command_option_and_value() -> None:
    for shell in SHELLS:
        words = set(re.findall(r"[\w.-]+", urlscan("completions", shell).text))
        assert {*COMMANDS, *FORMATS, *KINDS, *(entry.name for entry in REGISTRY)} <= words, shell
        for command in commands():
            names = {name.lstrip("-") if shell == "fish" else name for one in command.options for name in one.names}
            assert names <= words, (shell, command.name)


def test_table_has_the_options_of_the_parsers() -> None:
    for command in commands():
        shown = urlscan(command.name, "--help").text
        in_help = set(re.findall(r"^  (-.*?)(?:  |$)", shown, re.MULTILINE))
        names = {re.sub(r" \S+", "", name) for line in in_help for name in line.split(", ")}
        assert names == {name for option in command.options for name in option.names}, command.name
        assert command.usage in shown


def test_an_unknown_shell_is_an_error() -> None:
    assert urlscan("completions").err == "urlscan: expected one shell (write bash, zsh, fish, powershell)\n"
    assert urlscan("completions", "bsh").err == "urlscan: SHELL: invalid value 'bsh' (did you mean \"bash\"?)\n"
    assert urlscan("completions", "bash", "zsh").status == 2
    assert urlscan("completions", "--", "bsh").err == urlscan("completions", "bsh").err


_BASH = """
source "$1"
while IFS= read -r line; do
    read -r -a COMP_WORDS <<< "${line//=/ = }"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _urlscan
    echo "${COMPREPLY[*]}"
done
"""


@missing("bash")
def test_bash_proposes(tmp_path: Path) -> None:
    lines = "".join(f"{line}\n" for line in CASES)
    command = [
        "bash",
        "--norc",
        "-c",
        _BASH,
        "bash",
        script("bash", tmp_path),
    ]
    done = subprocess.run(command, input=lines, env=clean_environment(), capture_output=True, text=True, check=True)
    proposed = dict(zip(CASES, (line.split() for line in done.stdout.splitlines()), strict=True))
    assert proposed == CASES
    assert done.stderr == ""


@missing("bash")
def test_bash_leaves_other_words_to_its_own_completion_of_names(tmp_path: Path) -> None:
    lines = ["urlscan check READ", "urlscan check --baseline kn", "urlscan check -- --fo", "urlscan check -j "]
    command = [
        "bash",
        "--norc",
        "-c",
        _BASH,
        "bash",
        script("bash", tmp_path),
    ]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", env=clean_environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n" * len(lines)


@missing("bash")
def test_tab_completes_in_an_interactive_bash(tmp_path: Path) -> None:
    (tmp_path / "a letter.txt").write_text("http://h.example/a|b\n")
    shim(tmp_path / "bin" / "urlscan", f"{sys.executable} -m urlscan")
    environment = {"PS1": "$ ", "HOME": str(tmp_path), "INPUTRC": "/dev/null"}
    with Terminal("bash", "--norc", "--noprofile", "-i", cwd=tmp_path, **environment) as terminal:
        terminal.send(f'PATH="{tmp_path}/bin:$PATH"; eval "$(urlscan completions bash)"; echo "re""ady"\r')
        terminal.expect("ready")
        terminal.send("urlscan che\t--form\tconc\t--exit-z\ta\t\r")
        shown = terminal.expect("unsafe-character")
    assert "urlscan check --format concise --exit-zero a\\ letter.txt" in shown


@missing("fish")
def test_fish_proposes(tmp_path: Path) -> None:
    lines = "".join(f"complete -C '{line}'; echo ==\n" for line in CASES)
    (tmp_path / "ask.fish").write_text(f"source {script('fish', tmp_path)}\n{lines}")
    environment = clean_environment(HOME=str(tmp_path))
    done = subprocess.run(
        ["fish", "--no-config", tmp_path / "ask.fish"], env=environment, capture_output=True, text=True, check=True
    )
    answers = [answer.split("\n") for answer in done.stdout.split("==\n")]
    proposed = {
        line: sorted(row.partition("\t")[0] for row in answer if row)
        for line, answer in zip(CASES, answers, strict=False)
    }
    assert proposed == {line: sorted(words) for line, words in CASES.items()}
    assert done.stderr == ""


@missing("zsh")
def test_zsh_proposes(tmp_path: Path) -> None:
    path = script("zsh", tmp_path)
    with Terminal("zsh", "-f", "-i", cwd=tmp_path, HOME=str(tmp_path), TERM="dumb") as terminal:
        terminal.send(f"PS1='$ '; autoload -U compinit; compinit -u -D; source {path}; echo re''ady\r")
        terminal.expect("ready")
        terminal.expect("$ ")
        for line, words in CASES.items():
            if len(words) > 1:
                continue
            terminal.send(f"{line}\t")
            start = line[: len(line) - len(line.split(" ")[-1])]
            terminal.expect(start + words[0])
            terminal.send("\x15\r")
            terminal.expect("\r$ ")


@missing("pwsh")
def test_powershell_proposes(tmp_path: Path) -> None:
    ask = "".join(
        f"(TabExpansion2 '{line}' {len(line)}).CompletionMatches | ForEach-Object {{ $_.CompletionText }}; '--'\n"
        for line in CASES
    )
    (tmp_path / "ask.ps1").write_text(script("powershell", tmp_path).read_text() + ask)
    command = ["pwsh", "-NoProfile", "-File", tmp_path / "ask.ps1"]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    answers = [answer.split() for answer in done.stdout.split("--\n")]
    assert dict(zip(CASES, map(sorted, answers), strict=False)) == {
        line: sorted(words) for line, words in CASES.items()
    }


def test_powershell_tables_have_no_key_twice() -> None:
    """PowerShell compares keys without case, and refuses a table with one twice."""
    text = urlscan("completions", "powershell").text
    for table in re.findall(r"= @\{\n(.*?)\n    \}", text, re.DOTALL):
        keys = [key.lower() for key in re.findall(r"^ +'((?:[^']|'')*)' = ", table, re.MULTILINE)]
        assert len(keys) == len(set(keys)) == table.count("\n") + 1
    brackets = {"(": ")", "[": "]", "{": "}"}
    without_strings = re.sub(r"'(?:[^']|'')*'|\"[^\"]*\"|#.*", "", text)
    waiting = []
    for character in without_strings:
        if character in brackets:
            waiting.append(brackets[character])
        elif character in brackets.values():
            assert waiting.pop() == character
    assert not waiting
