"""Test help, hints for misspelled options, and `urlscan rules`."""

import json
import shlex
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan import __version__
from urlscan.cli import COMMANDS
from urlscan.config.keys import BY_NAME
from urlscan.rules import REGISTRY, load


@pytest.mark.parametrize("command", COMMANDS)
def test_help_may_precede_or_follow_the_command(command: str) -> None:
    help_ = urlscan(command, "--help")
    assert (help_.status, help_.err) == (0, "")
    assert help_.text.startswith((f"usage: urlscan {command} ", f"usage: urlscan {command}\n"))
    assert urlscan("help", command) == urlscan("--help", command) == help_


def test_explain_is_another_name_of_rules() -> None:
    assert urlscan("explain", "U912") == urlscan("rules", "U912")
    assert urlscan("help", "explain") == urlscan("help", "rules")
    assert "explain" in urlscan("completions", "bash").text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("chek", "unknown command 'chek' (did you mean \"check\"?)"),
        ("check --selct U1", 'unrecognized arguments: --selct (did you mean "--select"?)'),
        ("check --stati", 'unrecognized arguments: --stati (did you mean "--statistics"?)'),
        ("check --Exit_Zero", 'unrecognized arguments: --Exit_Zero (did you mean "--exit-zero"?)'),
        ("check --zzzzzz", "unrecognized arguments: --zzzzzz (see `urlscan check --help`)"),
        ("extract --uniq=3", 'unrecognized arguments: --uniq=3 (did you mean "--unique"?)'),
        ("check -j 0", "-j/--jobs: expected a positive integer, not '0'"),
        ("check -j many", "-j/--jobs: expected a positive integer, not 'many'"),
        ("check --max-unpacked 3x", "--max-unpacked: expected a size such as 500M or 16G, not '3x'"),
        ("check --max-unpacked 0G", "--max-unpacked: expected a size such as 500M or 16G, not '0G'"),
        ("check --format sarfi", "--format: invalid value 'sarfi' (did you mean \"sarif\"?)"),
        ("check --output-format xyz", "--format: invalid value 'xyz' (choose one of full, concise, "),
        ("extract --format jsnl", "--format: invalid value 'jsnl' (did you mean \"jsonl\"?)"),
        ("check --profile rfc1739", "--profile: invalid value 'rfc1739' (did you mean \"rfc1738\"?)"),
        ("check --as pyton README.md", "unknown kind 'pyton' (did you mean \"python\"?)"),
        ("check --format", "--format/--output-format: expected one argument"),
        ("--verison", "unknown option '--verison' (did you mean \"--version\"?)"),
        ("help chekc", "unknown command 'chekc' (did you mean \"check\"?)"),
        ("help check extract", "help takes one command, not 2"),
        ('check --select ""', "--select is empty"),
        ('check --select " , "', "--select is empty"),
        ('check ""', "PATH is empty"),
        ('check -- a.md ""', "PATH is empty"),
        ('check --baseline "" a.md', "--baseline is empty"),
        ('check --write-baseline "" a.md', "--write-baseline is empty"),
        ('check --statuses "" a.md', "--statuses is empty"),
        ("check --files-from=", "--files-from is empty"),
        ("check --stdin-filename= -", "--stdin-filename is empty"),
        ('check --config ""', "--config is empty"),
        ('config ""', "PATH is empty"),
        ('extract --schemes ""', "--schemes is empty"),
        ("extract --schemes ,", "--schemes is empty"),
        ('archive --db "" a.md', "--db is empty"),
        ('archive --format parquet -o "" a.md', "-o is empty"),
        ('query ""', "DB NAME is empty"),
        ('report ""', "DB is empty"),
        ("-V x", "-V takes no arguments"),
        ("query --list hosts", "--list cannot be used with DB NAME"),
        ("config --schema a", "--schema cannot be used with PATH"),
        ("init -- a", "unrecognized arguments: a (see `urlscan init --help`)"),
        ("man -- a", "unrecognized arguments: a (see `urlscan man --help`)"),
        ("server -- a b", "unrecognized arguments: a b (see `urlscan server --help`)"),
        ("completions -- bsh", "SHELL: invalid value 'bsh' (did you mean \"bash\"?)"),
        ("extract --resolve --base foo", "--base is not an absolute URL: 'foo'"),
        ('extract --resolve --base ""', "--base is not an absolute URL: ''"),
        ("extract --resolve --base http:", "--base is not an absolute URL: 'http:'"),
        ("--help chek", "unknown command 'chek' (did you mean \"check\"?)"),
        ("extract --max-unpacked -1", "expected a size such as 500M or 16G, not '-1'"),
        ("extract --max-ratio -1", "expected a positive integer, not '-1'"),
        ("check --max-depth -2.5", "expected a positive integer, not '-2.5'"),
        ("check -j -1", "'-1'"),
        ("rules nope", 'unknown rule "nope" (run `urlscan rules` for a list)'),
        ("rules bad-escpe", 'unknown rule "bad-escpe" (did you mean "bad-escape"?)'),
    ],
)
def test_misspelled_argument_is_one_line_with_a_hint(arguments: str, message: str) -> None:
    done = urlscan(*shlex.split(arguments))
    assert (done.status, done.out) == (2, b"")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_version_is_shown_by_both_options() -> None:
    assert urlscan("-V") == urlscan("--version")
    assert urlscan("-V").text == f"urlscan {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    ["check a.txt", "extract a.txt", "parse http://h.example/", "normalize http://h.example/", "config", "rules U201",
     "resolve http://h.example/ a"],
)  # fmt: skip
def test_output_format_is_a_synonym_of_format(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "a.txt").write_text("<http://h.example/a|b>\n")
    in_json = urlscan(*arguments.split(), "--output-format", "json", cwd=tmp_path)
    assert in_json == urlscan(*arguments.split(), "--format", "json", cwd=tmp_path)
    assert json.loads(in_json.text)


def test_several_reports_may_use_either_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("<http://h.example/a|b>\n")
    options = ["--output-format", "concise", "--output-file", "c.txt", "--format", "json", "--output-file", "j.json"]
    done = urlscan("check", *options, "a.txt", cwd=tmp_path)
    assert (done.status, done.out, done.err) == (1, b"", "")
    assert "U101" in (tmp_path / "c.txt").read_text()
    assert json.loads((tmp_path / "j.json").read_text())


def titles(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line[:1] == "U" and line[1:4].isdigit()]


def test_rules_are_explained_by_code_name_prefix_and_all() -> None:
    assert titles(urlscan("rules", "--isolated", "u201").text) == ["U201"]
    assert titles(urlscan("rules", "--isolated", "bad-escape", "U201").text) == ["U201"]
    assert titles(urlscan("rules", "--isolated", "U7", "u3").text) == ["U301", "U302", "U303", "U304", "U701", "U702"]
    assert titles(urlscan("rules", "--isolated", "ALL").text) == [entry.code for entry in REGISTRY]


def test_list_of_rules_shows_configured_severities(tmp_path: Path) -> None:
    (tmp_path / "urlscan.toml").write_text('ignore = ["U201"]\nextend-select = ["U605"]\n[severity]\nU1 = "info"\n')
    lines = {line.split()[0]: line for line in urlscan("rules", cwd=tmp_path).lines[1:]}
    assert "  info (default: error)  " in lines["U101"]
    assert "  off (default: error)  " in lines["U201"]
    assert "  warning (default: off)  " in lines["U605"]
    assert "default" not in lines["U105"] + lines["U202"] + lines["U802"]
    assert "default:" not in urlscan("rules", "--isolated", cwd=tmp_path).text
    assert "\nhere: off, as configured\n" in urlscan("rules", "U201", cwd=tmp_path).text
    by_command = urlscan("rules", "U201", "--config", 'severity={ALL="warning"}', "--isolated", cwd=tmp_path)
    assert "\nhere: warning, as configured\n" in by_command.text
    records = {one["code"]: one for one in json.loads(urlscan("rules", "--format", "json", cwd=tmp_path).text)}
    assert (records["U101"]["severity"], records["U101"]["here"]) == ("error", "info")
    assert records["U201"]["here"] == records["U802"]["here"] == "off"


def test_rules_are_shown_with_a_wrong_configuration(tmp_path: Path) -> None:
    (tmp_path / "urlscan.toml").write_text('ignore = ["bad-escpe"]\n')
    done = urlscan("rules", "bad-escape", cwd=tmp_path)
    assert done.status == 2
    assert done.lines[:2] == ["U201 bad-escape", "severity: error, on by default"]
    assert done.err.startswith("urlscan: urlscan.toml: ignore: ")
    assert done.err.endswith("; the defaults are shown\n")


def test_rule_lists_its_configuration_keys() -> None:
    rules = [load(entry.code) for entry in REGISTRY]
    of_targets = {key for rule in rules if rule.check_target for key in rule.options}
    assert {key for rule in rules for key in rule.options} - of_targets == {"insecure-hosts", "placeholders", "schemes"}
    assert {"insecure-hosts", "placeholders", "schemes"} | of_targets <= set(BY_NAME)
    for key in ("allowed-hosts", "placeholders"):
        affected = [r.code for r in rules if (r.skips_allowed_hosts if key == "allowed-hosts" else key in r.options)]
        assert f"({', '.join(affected)})" in BY_NAME[key].description
    assert "\nConfiguration\n  allowed-hosts: " in urlscan("rules", "--isolated", "U301").text
    assert "\nConfiguration\n" not in urlscan("rules", "--isolated", "U201").text
