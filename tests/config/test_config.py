"""Test the configuration: discovery, merging, validation."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator

from tests.command import git, urlscan
from tests.linear_time import aborted_after
from urlscan.config import Configuration
from urlscan.config.configuration import values_for
from urlscan.config.describe import DRAFTS, FILES, schema, schema_text
from urlscan.config.keys import KEYS, checked
from urlscan.config.layers import Layer, resolve_config
from urlscan.core.errors import ConfigError, ConfigFileError
from urlscan.core.project import REPOSITORY
from urlscan.core.settings import FileSettings, Settings
from urlscan.linter.judge import rule_set_for

DATA = Path(__file__).resolve().parents[2] / "urlscan/data"
VALIDATORS = {"2020-12": Draft202012Validator, "07": Draft7Validator}

BAD = "See http://h.example/%zz/a and http://h.example/a|b now.\n"
LINK = "[a](http://h.example/a|b)\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def of(path: str, *config: str, isolated: bool = False, **given: object) -> FileSettings:
    return Configuration(given, config, isolated=isolated).of(path)


# --- discovery


def test_defaults_apply_without_a_file(here: Path) -> None:
    assert of("a.txt") == FileSettings(Settings())


def test_closest_configuration_file_applies(here: Path) -> None:
    write({"urlscan.toml": "ignore=['U1']", "a/b/urlscan.toml": "profile='rfc1738'"})
    assert of("x.txt").settings == Settings(ignore=("U1",))
    assert of("a/x.txt").settings == Settings(ignore=("U1",))
    assert of("a/b/x.txt").settings == of("a/b/c/d/x.txt").settings == Settings(profile="rfc1738")


def test_discovery_starts_at_the_file(here: Path) -> None:
    write({"a/urlscan.toml": "ignore=['U1']", "b/x": ""})
    os.chdir("b")
    assert of("../a/x.txt").settings == of(str(here / "a/x.txt")).settings == Settings(ignore=("U1",))
    assert of("x.txt").settings == of("-").settings == Settings()


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ([".urlscan.toml", "urlscan.toml", "pyproject.toml"], ".urlscan.toml"),
        (["urlscan.toml", "pyproject.toml"], "urlscan.toml"),
        (["pyproject.toml"], "pyproject.toml"),
    ],
)
def test_one_of_several_files_in_a_directory_applies(here: Path, names: list[str], chosen: str) -> None:
    for name in names:
        table = "[tool.urlscan]\n" if name == "pyproject.toml" else ""
        write({name: f"{table}placeholders=['{name}']"})
    assert of("x.txt").settings.placeholders == {chosen}


@pytest.mark.parametrize(
    "text",
    [
        "[tool.urlscan]\nignore=['U1']",
        "[ tool . 'urlscan' ]\nignore=['U1']",
        '["tool"."urlscan"]\nignore=["U1"]',
        "tool.urlscan.ignore=['U1']",
        "[tool]\nurlscan.ignore=['U1']",
        "[tool]\nurlscan={ignore=['U1']}",
        "tool={urlscan={ignore=['U1']}}",
        "\ufeff[tool.urlscan]\r\nignore=['U1']\r\n",
    ],
)
def test_pyproject_table_is_found_in_any_notation(here: Path, text: str) -> None:
    write({"pyproject.toml": text})
    assert of("x.txt").settings.ignore == ("U1",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[project]\nname='urlscan'",
        "[tool.other]\nurlscan=1",
        "[project.scripts]\nurlscan='x:y'",
        "this = is not TOML",
    ],
)
def test_pyproject_without_a_urlscan_table_is_skipped(here: Path, text: str) -> None:
    write({"urlscan.toml": "ignore=['U1']", "a/pyproject.toml": text})
    assert of("a/x.txt").settings.ignore == ("U1",)


def test_empty_urlscan_table_is_a_configuration(here: Path) -> None:
    write({"urlscan.toml": "ignore=['U1']", "a/pyproject.toml": "[tool.urlscan]"})
    assert of("a/x.txt").settings == Settings()


def test_special_files_are_not_configurations(here: Path) -> None:
    (here / "urlscan.toml").mkdir()
    os.mkfifo(here / ".urlscan.toml")
    assert of("x.txt").settings == Settings()


def test_isolated_ignores_configuration_files(here: Path) -> None:
    write({"urlscan.toml": "this is not even TOML", "a.txt": BAD})
    assert of("a.txt", isolated=True).settings == Settings()
    assert of("a.txt", 'profile="rfc1738"', isolated=True).settings.profile == "rfc1738"
    assert urlscan("extract", "--isolated", "a.txt", cwd=here).status == 0


def test_deep_directories_are_accepted(here: Path) -> None:
    assert of("a/" * 3000 + "x.txt").settings == Settings()
    assert not Configuration().excludes("a/" * 3000 + "x.txt")


# --- merging


def test_extending_file_overrides_the_extended_one(here: Path) -> None:
    write(
        {
            "base.toml": "profile='rfc1738'\nrejoin='never'\nschemes=['x-a']\nseverity={U1='info', U2='info'}",
            "a/b/urlscan.toml": "extend='../../base.toml'\nrejoin='guess'\nschemes=['x-b']\nseverity={U2='error'}",
        }
    )
    settings = of("a/b/x.txt").settings
    assert (settings.profile, settings.rejoin, settings.schemes) == ("rfc1738", "guess", {"x-a", "x-b"})
    assert dict(settings.severity) == {"U1": "info", "U2": "error"}


def test_pyproject_can_be_extended(here: Path) -> None:
    write(
        {
            "pyproject.toml": "[tool.urlscan]\nprofile='rfc1738'",
            "a/pyproject.toml": "[tool.urlscan]\nextend='../pyproject.toml'",
        }
    )
    assert of("a/x.txt").settings.profile == "rfc1738"


RULES = [
    # values of each layer, closest last; merged values
    ([{"ignore": ["U1"]}, {"ignore": ["U2"]}], (None, (), ("U1", "U2"))),
    ([{"select": ["U1"], "ignore": ["U101"]}, {"extend-select": ["U2"]}], (("U1",), ("U2",), ("U101",))),
    ([{"ignore": ["U101"], "extend-select": ["U605"]}, {"select": ["U1"]}], (("U1",), (), ())),
    ([{"ignore": ["U101", "U102"]}, {"extend-select": ["U102"]}], (None, ("U102",), ("U101",))),
    ([{"ignore": ["bad-escape"]}, {"extend-select": ["ALL"], "ignore": ["U6"]}], (None, ("ALL",), ("U6",))),
    ([{"select": []}], ((), (), ())),
]  # fmt: skip


@pytest.mark.parametrize(("layers", "expected"), RULES)
def test_select_replaces_and_other_keys_extend_lower_layers(here: Path, layers, expected) -> None:
    lines = [f"{key}={json.dumps(value)}" for layer in layers[:1] for key, value in layer.items()]
    write({"urlscan.toml": "\n".join(lines)})
    given = {key: tuple(value) for layer in layers[1:] for key, value in layer.items()}
    settings = Configuration(given).of("x.txt").settings
    assert (settings.select, settings.extend_select, settings.ignore) == expected


def test_options_override_inline_settings_and_files(here: Path) -> None:
    write(
        {
            "urlscan.toml": "profile='rfc1738'\nrejoin='never'\nfail-on='info'",
            "a.txt": "See http://h.example/%zz/a now.\n",
        }
    )
    inline = ("--config", 'fail-on="error"', "--config", 'severity.U201="warning"')
    assert urlscan("check", "a.txt", *inline, cwd=here).status == 0
    assert urlscan("check", "a.txt", *inline, "--fail-on", "warning", cwd=here).status == 1
    assert of("x.txt", 'profile="rfc2396"').settings.profile == "rfc2396"
    assert of("x.txt", 'profile="rfc2396"', profile="rfc1630").settings.profile == "rfc1630"
    assert of("x.txt", 'profile="rfc2396"', profile="rfc1630").settings.rejoin == "never"


def test_named_configuration_file_applies_to_all_files(here: Path) -> None:
    write(
        {
            "urlscan.toml": "profile='rfc1738'",
            "a/urlscan.toml": "profile='rfc1630'",
            "conf/ours.toml": "exclude=['a/x.txt']",
        }
    )
    for path in ("x.txt", "a/x.txt"):
        assert of(path, "conf/ours.toml").settings == Settings()
    # patterns are relative to the current directory, as in ruff
    assert Configuration(config=["conf/ours.toml"]).excludes("a/x.txt")


# --- patterns


def test_per_file_patterns_are_relative_to_the_configuration(here: Path) -> None:
    write(
        {
            "a/urlscan.toml": """
per-file-ignores = { "docs/**" = ["U2", "space-in-url"], "*.csv" = ["U201", "U101"], "!src/**" = ["U901"] }
per-file-kinds = { "*.in" = "markdown", "docs/raw.in" = "plain" }
"""
        }
    )
    ignored_codes = {path: sorted(of(f"a/{path}").ignored_codes) for path in ("src/x", "src/x.csv", "y", "docs/x.csv")}
    assert ignored_codes["src/x"] == []
    assert ignored_codes["src/x.csv"] == ["U101", "U201"]
    assert ignored_codes["y"] == ["U901"]
    assert {"U101", "U102", "U201", "U209", "U901"} <= set(ignored_codes["docs/x.csv"])
    assert [of(f"a/{path}").kind for path in ("x", "x.in", "b/x.in", "docs/raw.in")] == [
        None,
        "markdown",
        "markdown",
        "plain",
    ]


def test_exclude_applies_to_walked_and_named_files(here: Path) -> None:
    write({"pyproject.toml": "[tool.urlscan]\nexclude=['vendor', 'docs/*.txt', '/top.txt']"})
    write(
        dict.fromkeys(("top.txt", "a/top.txt", "vendor/x.txt", "a/vendor/y/z.txt", "docs/x.txt", "a/docs/x.txt"), BAD)
    )
    kept = ["a/docs/x.txt", "a/top.txt"]

    def paths(*arguments: str) -> list[str]:
        done = urlscan("check", "--format", "jsonl", *arguments, cwd=here)
        return sorted({json.loads(line)["path"] for line in done.lines} - {"pyproject.toml"})

    assert paths(".") == kept
    assert paths(*(str(path.relative_to(here)) for path in here.rglob("*.txt"))) == kept
    assert paths("vendor", "a/vendor/y") == []
    git(here, "init")
    assert paths(".") == kept
    # the option replaces `exclude` and adds to `extend-exclude`
    assert paths(".", "--exclude", "a") == ["docs/x.txt", "top.txt", "vendor/x.txt"]
    assert paths(".", "--extend-exclude", "a/docs") == ["a/top.txt"]


def test_nested_configuration_keeps_exclusions_of_its_parents(here: Path) -> None:
    write(
        {
            "urlscan.toml": "exclude=['vendor']",
            "vendor/urlscan.toml": "ignore=['U1']",
            "vendor/x.txt": BAD,
            "b.txt": BAD,
        }
    )
    configuration = Configuration()
    assert configuration.excludes("vendor/x.txt")
    assert configuration.excludes("vendor/deep/x.txt")
    assert not configuration.excludes("b.txt")


def test_patterns_of_an_extended_file_are_relative_to_its_directory_or_the_extending_one(here: Path) -> None:
    write({"urlscan.toml": "exclude=['a/old']", "a/urlscan.toml": "extend='../urlscan.toml'"})
    write({"shared/base.toml": "exclude=['old/*.txt']", "b/urlscan.toml": "extend='../shared/base.toml'"})
    configuration = Configuration()
    assert [configuration.excludes(path) for path in ("a/old/x", "a/new/x", "a/a/old")] == [True, False, False]
    assert [configuration.excludes(path) for path in ("b/old/x.txt", "b/c/old/x.txt")] == [True, False]


def test_stdin_filename_selects_the_configuration(here: Path) -> None:
    write({"a/urlscan.toml": "exclude=['x.txt']\nselect=['U1']"})
    text = BAD.encode()
    assert "U201" in urlscan("check", "--format", "concise", stdin=text, cwd=here).text
    named = urlscan("check", "--format", "concise", "--stdin-filename", "a/y.txt", stdin=text, cwd=here).text
    assert ("U201" in named, "U101" in named) == (False, True)
    assert urlscan("check", "--stdin-filename", "a/x.txt", "--quiet", stdin=text, cwd=here).text == ""


# --- effects


def test_comment_for_an_ignored_rule_is_not_unused(here: Path) -> None:
    write(
        {
            "urlscan.toml": "per-file-ignores={'a.txt'=['U201']}",
            "a.txt": "http://h.example/%zz/a # urlscan: ignore[U201]\n",
        }
    )
    assert urlscan("check", "-q", "a.txt", cwd=here).text == ""


def test_ignored_findings_are_not_fixed(here: Path) -> None:
    write({"urlscan.toml": "per-file-ignores={'a.md'=['U101']}", "a.md": LINK, "b.md": LINK})
    urlscan("check", "--fix", "a.md", "b.md", cwd=here)
    assert (here / "a.md").read_text() == LINK
    assert "a%7Cb" in (here / "b.md").read_text()


def test_extract_uses_its_settings(here: Path) -> None:
    write(
        {
            "urlscan.toml": "exclude=['no.txt']\nschemes=['x-http']\n"
            "encoding='latin-1'\nper-file-kinds={'*.in'='html'}",
            "never/urlscan.toml": "rejoin='never'",
            "a.in": "<a href='http://h.example/?a&amp;b'>x</a> x-http://h.example/ now\n",
            "no.txt": "http://h.example/no\n",
            "never/a.txt": "<http://h.example/a\nb>\n",
            "b.txt": "<http://h.example/a\nb>\n",
        }
    )
    (here / "c.txt").write_bytes("<http://h.example/ü>\n".encode("latin-1"))
    done = urlscan("extract", "a.in", "b.txt", "c.txt", "never", "no.txt", cwd=here)
    expected = [
        "http://h.example/?a&b",
        "x-http://h.example/",
        "http://h.example/ab",
        "http://h.example/ü",
        "http://h.example/a",
    ]
    assert done.lines == expected


@pytest.mark.parametrize("command", [("check", "--format", "jsonl", "--exit-zero"), ("extract", "--format", "jsonl")])
def test_processes_use_the_configuration_of_each_directory(here: Path, command: tuple[str, ...]) -> None:
    for number in range(30):
        rules, rejoin = f"select=['U{1 + number % 2}']", f"rejoin='{['wrapped', 'never'][number % 2]}'"
        write({f"{number}/urlscan.toml": f"{rules}\n{rejoin}\nseverity={{U1='info'}}\nexclude=['no*']"})
        write({f"{number}/{name}.txt": BAD * 40 + "<http://h.example/a\nb>\n" for name in ("a", "b", "no")})
    write({"13/urlscan.toml": "selct=[]"})
    alone, shared = (urlscan(*command, "-j", jobs, ".", cwd=here) for jobs in ("1", "3"))
    assert alone.out == shared.out
    assert (alone.err, alone.status) == (shared.err, shared.status)
    assert alone.status == 2
    assert alone.err == 'urlscan: 13/urlscan.toml: unknown key "selct" (did you mean "select"?)\n'
    assert '"path": "12/a.txt"' in alone.text
    assert '"path": "13/a.txt"' not in alone.text
    assert '"path": "14/no.txt"' not in alone.text


def test_baseline_keeps_entries_of_disabled_rules(here: Path) -> None:
    write({"a.txt": BAD, "b/c.txt": BAD})
    assert urlscan("check", "--write-baseline", "known.json", ".", cwd=here).status == 0
    before = json.loads((here / "known.json").read_text())
    assert {entry["path"] for entry in before[:-1]} == {"a.txt", "b/c.txt"}
    write({"b/urlscan.toml": "ignore=['U1']", "urlscan.toml": "per-file-ignores={'a.txt'=['U201']}"})
    done = urlscan("check", "--baseline", "known.json", "a.txt", "b/c.txt", cwd=here)
    assert (done.status, done.err) == (0, "")
    urlscan("check", "--write-baseline", "known.json", "a.txt", "b/c.txt", cwd=here)
    assert json.loads((here / "known.json").read_text()) == before


def test_configured_baseline_is_relative_to_its_file(here: Path) -> None:
    write({"ci/base.toml": "baseline='known.json'", "urlscan.toml": "extend='ci/base.toml'", "a.txt": BAD})
    assert urlscan("check", "--write-baseline", "ci/known.json", "a.txt", cwd=here).status == 0
    assert urlscan("check", "a.txt", cwd=here).status == 0
    assert urlscan("check", "--isolated", "a.txt", cwd=here).status == 1
    (here / "ci/known.json").unlink()
    done = urlscan("check", "a.txt", cwd=here)
    assert (done.status, done.err) == (
        2,
        "urlscan: ci/known.json: no such baseline (create it with --write-baseline)\n",
    )


# --- validation

WRONG = [
    ("selct=['U1']", 'unknown key "selct" (did you mean "select"?)'),
    ("per_file_ignores={}", 'unknown key "per_file_ignores" (did you mean "per-file-ignores"?)'),
    ("format='json'", 'unknown key "format" (did you mean "output-format"?)'),
    ("[lint]\nselect=[]", 'unknown key "lint" (in this file keys are at the top level, outside any table)'),
    ("[tool.urlscan]\nselect=[]", 'unknown key "tool" (in this file keys are at the top level, outside any table)'),
    ("profile='rfc3968'", 'profile: unknown profile "rfc3968" (did you mean "rfc3987"?)'),
    ("profile=3986", 'profile: expected a string, not a number (write "3986")'),
    ("profile=true", "profile: expected a string, not true or false"),
    ("ignore='U601'", 'ignore: expected a list, not a string (write ["U601"])'),
    ("ignore=['U5O6']", 'ignore: unknown rule "U5O6" (did you mean "U506"?)'),
    ("ignore=[1]", 'ignore: expected a string, not a number (write "1")'),
    ("ignore=['']", "ignore: the string is empty"),
    ("select={}", "select: expected a list, not a table"),
    ("severity=[]", "severity: expected a table, not a list"),
    ("severity={U201='loud'}", 'severity: "U201": unknown severity "loud" (choose one of error, warning, info)'),
    ("severity={U201='off'}", 'severity: "U201": to disable a rule, use `ignore` (severities: error, '),
    ("severity={bad-escap='info'}", 'severity: unknown rule "bad-escap" (did you mean "bad-escape"?)'),
    ("per-file-ignores={'a'='U1'}", 'per-file-ignores: "a": expected a list, not a string (write ["U1"])'),
    ("per-file-ignores={'!'=['U1']}", 'per-file-ignores: "!" is not a pattern'),
    ("per-file-kinds={'a'='markdwon'}", 'per-file-kinds: "a": unknown kind "markdwon" (did you mean "markdown"?)'),
    ("exclude=['!a']", 'exclude: "!a": patterns to exclude cannot be negated (write a narrower pattern)'),
    ("encoding='utf-9'", "encoding: unknown encoding 'utf-9' (utf-8, latin-1, cp1252, shift_jis, ...)"),
    ("schemes=['x-foo://']", 'schemes: "x-foo://" is not a scheme (write "x-foo")'),
    ("schemes=['1x']", 'schemes: "1x" is not a scheme (write a letter, then letters, digits, + - .)'),
    ("allowed-hosts=['http://h.example/']", 'allowed-hosts: "http://h.example/" is not a host'),
    ("allowed-hosts=['h.*']", 'allowed-hosts: "h.*" is not a host'),
    ("allowed-hosts=['h:80']", 'allowed-hosts: "h:80" is not a host'),
    ("placeholders=[1979-05-27]", "placeholders: expected a string, not a date"),
    ("output-format='text'", 'output-format: unknown format "text"'),
    ("extend='nowhere.toml'", 'extend: no such file "nowhere.toml"'),
    ("extend='pyproject.toml'", "pyproject.toml: the table [tool.urlscan] is missing"),
    ("extend='urlscan.toml'", '"extend" forms a cycle with urlscan.toml'),
    ("extend='loop.toml'", '"extend" forms a cycle with urlscan.toml'),
    ("ignore=[", "invalid TOML: invalid value (at end of document)"),
    ("\n\nx == 1", "invalid TOML: invalid value (at line 3, column 4)"),
    ("a=1\na=2", "invalid TOML: cannot overwrite a value (at end of document)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text.replace("\n", " ") for text, _ in WRONG])
def test_invalid_configuration_is_one_line_with_a_hint(here: Path, text: str, message: str) -> None:
    write(
        {
            "urlscan.toml": text,
            "a.txt": "x\n",
            "pyproject.toml": "[project]\nname='x'\n",
            "loop.toml": "extend='urlscan.toml'",
        }
    )
    done = urlscan("check", "a.txt", cwd=here)
    assert (done.status, done.out) == (2, b"")
    assert done.err.count("\n") == 1
    prefix = "" if message.startswith("pyproject.toml: ") else "urlscan.toml: "
    assert done.err.startswith(f"urlscan: {prefix}{message}"[:-1])


def test_urlscan_key_in_pyproject_must_be_a_table(here: Path) -> None:
    write({"pyproject.toml": "[tool]\nurlscan=1"})
    with pytest.raises(ConfigFileError, match=r"tool\.urlscan is not a table"):
        of("x.txt")


def test_invalid_nested_configuration_is_reported_once(here: Path) -> None:
    write({"a/urlscan.toml": "x", "a/1.txt": BAD, "a/b/2.txt": BAD, "c.txt": BAD})
    done = urlscan("check", "-q", "--format", "concise", ".", cwd=here)
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert {line.partition(":")[0] for line in done.lines} == {"c.txt"}


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_unreadable_configuration_is_an_error(here: Path) -> None:
    write({"urlscan.toml": "ignore=['U1']"})
    (here / "urlscan.toml").chmod(0)
    with pytest.raises(ConfigFileError, match=r"urlscan\.toml: cannot read the configuration: Permission denied"):
        of("x.txt")


OPTIONS = [
    (["nowhere.toml"], '--config: no such file "nowhere.toml"'),
    (["profile=rfc1738"], "values are TOML"),
    (["prfile='x'"], 'did you mean "profile"?'),
    (["extend='a.toml'"], "extend is allowed only in files"),
    (["a.toml", "b.toml"], "--config names two files"),
    (["profile='x'\nignore=[1]"], "profile"),
]


@pytest.mark.parametrize(("values", "message"), OPTIONS)
def test_invalid_config_option_is_an_error(here: Path, values: list[str], message: str) -> None:
    write({"a.toml": "", "b.toml": ""})
    with pytest.raises(ConfigError) as raised:
        Configuration(config=values)
    assert message in str(raised.value)


def test_isolated_excludes_a_named_file(here: Path) -> None:
    write({"a.toml": ""})
    with pytest.raises(ConfigError, match="cannot be used with --isolated"):
        Configuration(config=["a.toml"], isolated=True)


# --- untrusted files

WORDS = [
    "U201",
    "ALL",
    "bad-escape",
    "error",
    "off",
    "*.md",
    "!docs/**",
    "[z-a]",
    "markdown",
    "h.example",
    "*.h",
    "x-foo",
    "never",
]

HOSTILE = {
    "a key of 200,000 names": "a" + ".a" * 200_000 + "=1",
    "a quoted key of 100,000 names": "'a'" + ' . "a"' * 100_000 + "=1",
    "a deep table": "[" + ".".join(["a"] * 5000) + "]",
    "nested lists": "ignore=" + "[" * 100_000,
    "nested tables": "x={" + "a={" * 50_000,
    "a number of 100,000 digits": "x=" + "9" * 100_000,
    "more than the limit": "#" * (1 << 20) + "\n",
    "an unclosed list": "exclude=[" + "'a'," * 200_000 + "]",
    "a long word": f"profile='{'a' * 900_000}'",
    "a long key": "a" * 900_000 + "=1",
    "a long rule": f"ignore=['{'U' * 900_000}']",
    "control characters": "'\\u001b[31m'=1\n\"a\\u001b[31m\"=2",
    "NUL": "a\0=1",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_file_is_one_line_quickly(here: Path, text: str) -> None:
    write({"urlscan.toml": text, "a.txt": "x\n"})
    with pytest.raises(ConfigFileError) as raised, aborted_after(60):
        of("a.txt")
    assert len(str(raised.value)) < 3000
    done = urlscan("check", "a.txt", cwd=here)
    assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1)
    assert "\x1b" not in done.err


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.dates()
    | st.text(max_size=20)
    | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | st.sampled_from(WORDS), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(
    st.dictionaries(st.sampled_from([*WORDS, *(key.name for key in KEYS)]) | st.text(max_size=8), VALUES, max_size=4)
)
def test_any_table_is_accepted_or_a_configuration_error(table) -> None:
    try:
        found = checked(table)
    except ConfigError:
        return
    resolved = resolve_config((Layer("x", "/a", found),), "/a")
    for excluder in resolved.excluders:
        excluder.excludes("/a/b/c.md")
    values_for("/a/b/c.md", (*resolved.kinds, *resolved.ignored_codes))
    rule_set_for(resolved.settings)


def test_bytes_that_are_not_utf_8_are_an_error(here: Path) -> None:
    (here / "urlscan.toml").write_bytes(b"a=1\nb='\xff'")
    with pytest.raises(ConfigFileError, match=r"not in UTF-8 \(line 2\)"):
        of("x.txt")


@pytest.mark.slow
@pytest.mark.parametrize("glob", ["*a" * 200 + "b", "**/a/" * 150 + "b", "a**" * 200 + "b", "[a-z]*" * 100 + "0"])
def test_hostile_patterns_take_little_time(here: Path, glob: str) -> None:
    write({"urlscan.toml": f"exclude=['{glob}']\nper-file-kinds={{'{glob}'='plain'}}"})
    configuration = Configuration()
    with aborted_after(60):
        for path in ("a" * 4000, "a/" * 2000 + "a"):
            assert not configuration.excludes(path)
            assert configuration.of(path).kind is None


def test_chain_of_extended_files_is_limited(here: Path) -> None:
    write({"urlscan.toml": "extend='0.toml'", **{f"{n}.toml": f"extend='{n + 1}.toml'" for n in range(40)}})
    with pytest.raises(ConfigFileError, match="more than 16 files"):
        of("x.txt")


def test_secrets_in_a_configuration_are_masked(here: Path) -> None:
    secret = "ftp://jo:s3am8k@ftp.dominion.org/"
    write({"urlscan.toml": f"allowed-hosts=['{secret}']", "a.txt": ""})
    texts = [urlscan("check", "a.txt", cwd=here).err]
    write({"urlscan.toml": f"placeholders=['{secret}']\nexclude=['{secret}']\nper-file-kinds={{'{secret}'='plain'}}"})
    texts += [urlscan("config", "--format", format, "a.txt", cwd=here).text for format in ("text", "json")]
    texts += [urlscan("config", "--config", f"x='{secret}'", cwd=here).err]
    for text in texts:
        assert "s3am8k" not in text
        assert "***" in text


# --- table of keys, schema, and `urlscan config`


@pytest.mark.parametrize("draft", DRAFTS)
def test_schema_file_is_current(draft: str) -> None:
    assert (DATA / FILES[draft]).read_text(encoding="utf-8") == schema_text(draft), "run python -m tests.pages"
    VALIDATORS[draft].check_schema(schema(draft))


@pytest.mark.parametrize("draft", DRAFTS)
def test_schema_has_the_address_of_its_file(draft: str) -> None:
    assert schema(draft)["$id"] == f"{REPOSITORY}/raw/main/urlscan/data/{FILES[draft]}"
    assert REPOSITORY.startswith("https:")


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
@pytest.mark.parametrize("draft", DRAFTS)
def test_example_of_a_key_is_valid(key, draft: str) -> None:
    table = tomllib.loads(f"{key.name} = {key.example}")
    assert checked(table)
    VALIDATORS[draft](schema(draft)).validate(table)
    if key.default:
        VALIDATORS[draft](schema(draft)).validate(tomllib.loads(f"{key.name} = {key.default}"))


# The schema cannot check names of rules and encodings, nor references to other files.
NOT_IN_SCHEMA = ("extend=", "encoding=", "ignore=['U5O6']", "severity={bad-escap")
WRONG_TABLES = [text for text, message in WRONG if "TOML" not in message and not text.startswith(NOT_IN_SCHEMA)]


@pytest.mark.parametrize("text", WRONG_TABLES)
@pytest.mark.parametrize("draft", DRAFTS)
def test_schema_rejects_invalid_configurations(text: str, draft: str) -> None:
    assert not VALIDATORS[draft](schema(draft)).is_valid(tomllib.loads(text))


def test_config_prints_the_schema(here: Path) -> None:
    assert urlscan("config", "--schema", cwd=here).text == (DATA / FILES["2020-12"]).read_text(encoding="utf-8")
    assert urlscan("config", "--schema", "--draft", "07", cwd=here).text == (DATA / FILES["07"]).read_text("utf-8")
    done = urlscan("config", "--draft", "07", cwd=here)
    assert (done.status, done.err) == (2, "urlscan: --draft requires --schema\n")


def test_schema_for_editors_proposes_rules_and_values() -> None:
    properties = schema("07")["properties"]
    proposed = properties["select"]["items"]["anyOf"][0]["enum"]
    assert {"ALL", "U201", "bad-escape"} <= set(proposed)
    assert properties["profile"]["enum"][0] == "rfc3986"


TAPLO = shutil.which("taplo", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


@pytest.mark.skipif(TAPLO is None, reason="taplo is not installed")
def test_taplo_accepts_the_schema_for_editors(here: Path) -> None:
    write({"pyproject.schema.json": urlscan("config", "--schema", "--draft", "07", "--pyproject").text})

    def lint(text: str, name: str = "urlscan.toml") -> tuple[int, str]:
        write({name: text})
        path = here / "pyproject.schema.json" if name == "pyproject.toml" else DATA / FILES["07"]
        command = [str(TAPLO), "lint", "--schema", path.as_uri(), name]
        done = subprocess.run(command, cwd=here, capture_output=True, text=True)
        return done.returncode, done.stderr

    assert lint("".join(f"{key.name} = {key.example}\n" for key in KEYS))[0] == 0
    status, message = lint("exlude = ['vendor']\n")
    assert status != 0
    assert "exlude" in message
    assert lint("profile = 'rfc9999'\n")[0] != 0
    assert lint("select = ['U2O1!']\n")[0] != 0
    for table, valid in (("ignore = ['U1']", True), ("exlude = ['vendor']", False)):
        assert (lint(f"[project]\nname = 'x'\n[tool.urlscan]\n{table}\n", "pyproject.toml")[0] == 0) == valid


def test_pyproject_requires_schema(here: Path) -> None:
    done = urlscan("config", "--pyproject", cwd=here)
    assert (done.status, done.err) == (2, "urlscan: --pyproject requires --schema\n")


@pytest.mark.parametrize("draft", DRAFTS)
def test_schema_of_a_pyproject_checks_our_table_only(here: Path, draft: str) -> None:
    text = urlscan("config", "--schema", "--draft", draft, "--pyproject", cwd=here).text
    validator = VALIDATORS[draft](json.loads(text))
    validator.check_schema(validator.schema)
    assert validator.is_valid({"project": {"name": "x"}, "tool": {"other": 1, "urlscan": {"ignore": ["U1"]}}})
    assert not validator.is_valid({"tool": {"urlscan": {"exlude": []}}})


# --- `urlscan config`


def test_config_shows_values_and_their_origins(here: Path) -> None:
    write(
        {
            "base.toml": "schemes=['x-a']\nignore=['U6']",
            "docs/urlscan.toml": "extend='../base.toml'\nschemes=['x-b']\nper-file-ignores={'old/**'=['U201']}",
        }
    )
    done = urlscan("config", "--format", "json", "docs/old/a.md", "docs", "--config", 'profile="rfc1738"', cwd=here)
    file, directory = json.loads(done.text)
    assert (file["path"], file["kind"], file["excluded"]) == ("docs/old/a.md", "markdown", False)
    assert file["files"] == ["base.toml", "docs/urlscan.toml"]
    assert file["settings"]["schemes"] == {"value": ["x-a", "x-b"], "from": ["base.toml", "docs/urlscan.toml"]}
    assert file["settings"]["profile"] == {"value": "rfc1738", "from": ['--config profile="rfc1738"']}
    assert file["settings"]["rejoin"] == {"value": "wrapped", "from": []}
    assert set(directory["rules"]) - set(file["rules"]) == {"U201"}
    assert "U601" not in directory["rules"]
    assert list(file["settings"]) == [key.name for key in KEYS if key.name != "extend"]


def test_output_of_config_is_an_equivalent_configuration(here: Path) -> None:
    lines = "\n".join(f"{key.name} = {key.example}" for key in KEYS if key.name != "extend")
    write({"urlscan.toml": lines})
    before = of("a.in")
    shown = urlscan("config", cwd=here).text
    write({"urlscan.toml": shown})
    assert of("a.in") == before
    assert urlscan("config", cwd=here).text == shown


def test_decompress_is_configured_in_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"http://h.example/a|b\n"))
    config = tmp_path / "urlscan.toml"

    def found(*arguments: str) -> int:
        return len(urlscan(*arguments, "--format", "jsonl", cwd=tmp_path).lines)

    for command, path, without in (("check", ".", 0), ("check", "a.txt.gz", 1), ("extract", ".", 1)):
        config.write_text("")
        assert found(command, path) == without
        config.write_text("decompress = true\n")
        assert found(command, path) == 1
        assert found(command, path, "--no-decompress") == 0
        config.write_text("decompress = false\n")
        assert found(command, path) == 0
        assert found(command, path, "--decompress") == 1
        assert found(command, path, "--config", "decompress=true") == 1
    config.write_text('decompress = "true"\n')
    done = urlscan("check", cwd=tmp_path)
    assert (done.status, done.err) == (
        2,
        "urlscan: urlscan.toml: decompress: expected true or false, not a string (write true)\n",
    )
