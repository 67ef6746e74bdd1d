"""Test `--add-ignore`: where comments are added, and that nothing else changes."""

import ast
import configparser
import contextlib
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.command import urlscan
from tests.linear_time import assert_linear
from urlscan.core.settings import Settings
from urlscan.documents.comments.commenter import NoCommentError, commenter_of
from urlscan.files.identify import identify
from urlscan.pipeline.add_ignore import AddIgnoreOptions, add_suppressions
from urlscan.pipeline.read import Note, ReadOptions
from urlscan.pipeline.results import CheckResult

BAD = "http://h.example/100%"
WORSE = "http://h.example/a|b"
PORT = "http://h.example:99999/"  # reported in comments and strings of programs
SECRET = "ftp://jo:s3cr3tpw@git.corp.com/x"  # reported in every context
END, ABOVE = "urlscan: ignore[U403]", "urlscan: ignore-next-line[U403]"


def add_comments(path: Path) -> tuple[bytes, list[str], str]:
    """Add comments to a file; return its bytes, the remaining codes, and the messages."""
    results = list(
        add_suppressions(
            [str(path)], Settings(), ReadOptions(), AddIgnoreOptions(lambda _: None, lambda results: results)
        )
    )
    remaining = [finding.code for result in results if isinstance(result, CheckResult) for finding in result.findings]
    messages = "; ".join(result.message for result in results if isinstance(result, Note))
    return path.read_bytes(), remaining, messages


# name, text, expected text
PLACES = [
    ("a.md", f"see <{BAD}>\n", f"see <{BAD}> <!-- urlscan: ignore[U201] -->\n"),
    ("a.md", f"see <{WORSE}> and\nb\n", f"see <{WORSE}> and <!-- urlscan: ignore[U101] -->\nb\n"),
    ("a.md", f"- see <{BAD}>\n- b\n", f"- see <{BAD}> <!-- urlscan: ignore[U201] -->\n- b\n"),
    ("a.md", f"<{BAD}>  \nx\n", f"<{BAD}> <!-- urlscan: ignore[U201] -->  \nx\n"),
    ("a.md", f"x\n\n# <{BAD}>\n", f"x\n\n<!-- urlscan: ignore-next-line[U201] -->\n# <{BAD}>\n"),
    ("a.md", f"[a]: {WORSE}\n", f"<!-- urlscan: ignore-next-line[U101] -->\n[a]: {WORSE}\n"),
    (
        "a.md",
        f"[a]: /x\n[b]: {WORSE}\n[c]: /y\n",
        f"[a]: /x\n<!-- urlscan: ignore-next-line[U101] -->\n[b]: {WORSE}\n[c]: /y\n",
    ),
    ("a.rst", f"See a_.\n\n.. _a: {WORSE}\n", f"See a_.\n\n.. urlscan: ignore-next-line[U101]\n.. _a: {WORSE}\n"),
    ("a.html", f'<a href="{WORSE}">x</a>\n', f'<a href="{WORSE}">x</a> <!-- urlscan: ignore[U101] -->\n'),
    ("a.html", f"<!-- {SECRET}\n-->\n", f"<!-- {SECRET} urlscan: ignore[U301]\n-->\n"),
    (
        "a.html",
        f'<p>\n<a href="{WORSE}"\n  class="x">y</a>\n',
        f'<p>\n<!-- urlscan: ignore-next-line[U101] -->\n<a href="{WORSE}"\n  class="x">y</a>\n',
    ),
    ("a.xml", f'<a href="{PORT}">x</a>\n', f'<a href="{PORT}">x</a><!-- {END} -->\n'),
    ("a.py", f'x = "{PORT}"\n', f'x = "{PORT}"  # {END}\n'),
    ("a.py", f'if x:\n    """A. {PORT}\n    """\n', f'if x:\n    # {ABOVE}\n    """A. {PORT}\n    """\n'),
    ("a.py", f'\n\nx = "{PORT}" + \\\n  "c"\n', f'\n\n# {ABOVE}\nx = "{PORT}" + \\\n  "c"\n'),
    ("a.py", f"#!/bin/python\n# {PORT}\n", f"#!/bin/python\n# {PORT}  # {END}\n"),
    ("a.c", f"/* a\n * {PORT}\n */\n", f"/* a\n * {PORT} {END}\n */\n"),
    ("a.c", f'char *x = "{PORT}";\n', f'char *x = "{PORT}"; /* {END} */\n'),
    ("a.css", f"/* {PORT} */\n", f"/* {PORT} */ /* {END} */\n"),
    ("a.js", f"x = `\n`; y = '{PORT}';\n", f"x = `\n`; y = '{PORT}'; // {END}\n"),
    ("a.js", f"x = /[`]/;\ny = '{PORT}';\n", f"x = /[`]/;\ny = '{PORT}'; // {END}\n"),
    ("a.go", f'\tx := "{PORT}"\n', f'\tx := "{PORT}" // {END}\n'),
    ("a.rs", f'let x = "{PORT}";\n', f'let x = "{PORT}"; // {END}\n'),
    ("a.ini", f"[a]\nb = {PORT}\n", f"[a]\n; {ABOVE}\nb = {PORT}\n"),
    ("a.cfg", f"[a]\nb = {PORT}\n", f"[a]\n# {ABOVE}\nb = {PORT}\n"),
    ("Makefile", f"a:\n\tb {SECRET}\n", f"a:\n# urlscan: ignore-next-line[U301]\n\tb {SECRET}\n"),
    ("a.tex", f"\\url{{{WORSE}}}\n", f"\\url{{{WORSE}}} % urlscan: ignore[U101]\n"),
    ("a.1", f".TH a 1\nsee {WORSE}\n", f'.TH a 1\n.\\" urlscan: ignore-next-line[U101]\nsee {WORSE}\n'),
    ("a.sh", f"a {SECRET}\ncat <<E\nx\nE\n", f"a {SECRET}  # urlscan: ignore[U301]\ncat <<E\nx\nE\n"),
    ("a.yaml", f"a: |\n  don't\nb:\n  - {PORT}\n", f"a: |\n  don't\nb:\n  - {PORT}  # {END}\n"),
    ("a.rb", f"x = '{PORT}'\n__END__\n", f"x = '{PORT}'  # {END}\n__END__\n"),
    ("a.pl", f"use strict;\nmy $x = '{PORT}';\n", f"use strict;\nmy $x = '{PORT}';  # {END}\n"),
    ("a.php", f"<?php\n$x = '{PORT}';\n", f"<?php\n$x = '{PORT}'; // {END}\n"),
    ("a.lua", f"x = '{PORT}'\n", f"x = '{PORT}' -- {END}\n"),
]
# name, text in which no comment can be placed
REFUSED = [
    # no comment syntax, or an unknown one
    ("a.txt", f"see <{BAD}>\n"),
    ("README", f"see <{BAD}>\n"),
    ("a.json", f'{{"a": "{PORT}"}}\n'),
    ("a.csv", f"a,{SECRET}\n"),
    ("a.jsonl", f'"{PORT}"\n'),
    ("a.ipynb", f'{{"cells": [{{"cell_type": "markdown", "source": ["<{WORSE}>"]}}]}}\n'),
    ("a.po", f'msgid "{SECRET}"\nmsgstr ""\n'),
    ("a.bib", f"@misc{{a,\nurl={{{WORSE}}}}}\n"),
    ("a.tsx", f'x = "{PORT}"\n</p>\n'),
    ("a.js", f'x = <a href="{PORT}">\ny</a>\n'),
    ("a.php", f"<p><?php $x = '{PORT}' ?>\n"),
    ("a.conf.j2", f"url = {PORT}\n"),
    ("a.pl", f":- x('{PORT}').\n"),
    # strings, here-documents, text in programs
    ("a.py", f'if x:\n    """A.\n\n    {PORT}\n    """\n'),
    ("a.py", f"x = '''\n{PORT}\n'''\n"),
    ("a.py", f'x = (1 \\\n    , "{PORT}" \\\n    , 2)\n'),
    ("a.sh", f"a <<E\n{SECRET}\nE\nb\n"),
    ("a.sh", f"a <<-'E F'\n{SECRET}\n\tE F\nb\n"),
    ("a.sh", f'x="\n{SECRET}\n"\n'),
    ("a.sh", f'x="$(echo "a" \\\n  "{SECRET}"\n)\n"\n'),
    ("a.sh", f"x='\n{SECRET}\n'\n"),
    ("a.sh", f'echo "unclosed\ncurl {SECRET}\n'),
    ("a.rb", f"x\n__END__\n{SECRET}\n"),
    ("a.rb", f"x = <<~E\n  {SECRET}\nE\n"),
    ("a.rb", f"x = %w[\n  {SECRET}\n]\n"),
    ("a.pl", f"use strict;\nmy @x = qw(\n  {SECRET}\n);\n"),
    ("a.pl", f"use strict;\n=pod\n\n{SECRET}\n\n=cut\n"),
    ("a.php", f"<?php\n$x = <<<E\n{SECRET}\nE;\n"),
    ("a.php", f"<?php\n$x = '\n{SECRET}\n';\n"),
    ("a.lua", f"x = [[\n{SECRET}\n]]\n"),
    ("a.js", f"x = `\n{SECRET}\n${{f(`a`)}}`;\n"),
    ("a.go", f"x := `\n{SECRET}\n`\n"),
    ("a.rs", f'let x = r#"\n{SECRET}\n"#;\n'),
    ("a.yaml", f"a: |\n  {SECRET}\n"),
    ("a.yaml", f'a: "b\n  {SECRET}\n  c"\n'),
    ("a.yaml", f"a: b\n  {SECRET}\n  c\n"),
    ("a.toml", f'a = """\n{SECRET}\n"""\n'),
    ("a.ini", f"[a]\nb = x\n  {PORT}\n"),
    ("Makefile", f"define X\n{SECRET}\nendef\n"),
    ("Makefile", f"x = a \\\n {SECRET} \\\n b\n"),
    # documents: markup, code, tables, front matter
    ("a.md", f"# see <{BAD}>\n"),
    ("a.md", f"see <{BAD}>\n===\n"),
    ("a.md", f"| a | b |\n|---|---|\n| c | <{BAD}> |\n"),
    ("a.md", f"a | b\n--|--\nc | <{BAD}>\n"),
    ("a.md", f"a\nb [x](\n{WORSE}\n)\nc\n"),
    ("a.md", f"```\n{SECRET}\n```\n"),
    ("a.md", f"x\n\n    {SECRET}\n"),
    ("a.md", f"---\nurl: {SECRET}\n---\n"),
    ("a.md", f"a\n[x]({WORSE}){{: .b}}\n"),
    ("a.html", f"<pre>\n{SECRET}\n</pre>\n"),
    ("a.html", f'<p>\n<script>\nx = "{SECRET}"\n</script>\n'),
    ("a.html", f'<p>\n{{% x\n"{SECRET}"\n%}}\n'),
    ("a.html", f"<!--[if IE]>\n{SECRET}\n<![endif]-->\n"),
    ("a.xml", f"<a><![CDATA[\n{SECRET}\n]]></a>\n"),
    ("a.rst", f"See\n{SECRET} and\nmore.\n"),
    ("a.rst", f".. _a:\n.. _b: {WORSE}\n"),
    ("a.tex", f"\\begin{{lstlisting}}\n{SECRET}\n\\end{{lstlisting}}\n"),
    ("a.adoc", f"a\n\n  {SECRET}\n"),
    # comments that are displayed or read by tools
    ("a.go", f"// Package x is at {PORT} now.\npackage x\n"),
    ("a.go", f"//go:generate curl {SECRET}\n\n"),
    ("a.java", f"/**\n * See {PORT}.\n */\nclass A {{}}\n"),
    ("a.rs", f"/// See {PORT}.\nfn a() {{}}\n"),
    ("a.rb", f"# See {PORT}.\nclass A\nend\n"),
    ("a.js", f"//# sourceMappingURL={PORT}\n"),
    ("a.hs", f"-- | See {PORT}.\na = 1\n"),
]


@pytest.mark.parametrize(("name", "text", "expected"), PLACES, ids=[f"{n}: {t[:30]!r}" for n, t, _ in PLACES])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_comment_is_added_where_it_changes_nothing_else(
    tmp_path: Path, name: str, text: str, expected: str, newline: str
) -> None:
    path = tmp_path / name
    path.write_bytes(text.replace("\n", newline).encode())
    data, remaining, _ = add_comments(path)
    assert data.decode() == expected.replace("\n", newline)
    assert remaining == []
    assert add_comments(path) == (data, [], ""), "a second run changes nothing"


MERGED = [
    ("x  # urlscan: ignore[U101]", "x  # urlscan: ignore[U101, U403]"),
    ("x  # urlscan: ignore[invalid-port]", "x  # urlscan: ignore[invalid-port]"),
    ("x  # urlscan: ignore-file[U403]", "x  # urlscan: ignore-file[U403]"),
]


@pytest.mark.parametrize(("existing", "expected"), MERGED)
def test_codes_are_added_to_an_existing_comment(tmp_path: Path, existing: str, expected: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(f"# {PORT} {existing}\n")
    assert add_comments(path)[0].decode() == f"# {PORT} {expected}\n"


def test_codes_are_added_to_a_comment_on_the_line_above(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(f"# urlscan: ignore-next-line[U301]\n# {SECRET} {PORT}\n")
    assert add_comments(path)[0].decode() == f"# urlscan: ignore-next-line[U301, U403]\n# {SECRET} {PORT}\n"


@pytest.mark.parametrize(("name", "text"), REFUSED, ids=[f"{n}: {t[:40]!r}" for n, t in REFUSED])
def test_comment_that_would_change_something_else_is_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    data, remaining, messages = add_comments(path)
    assert data.decode() == text
    assert remaining, "the example must have a finding"
    assert re.search(r"not suppressed: .*; --write-baseline FILE records them$", messages)


def test_findings_are_refused_individually(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(f'x = """\n{SECRET}\n"""\ny = "{PORT}"\nz = """\n{SECRET}\n"""\n')
    data, remaining, messages = add_comments(path)
    assert data.decode() == f'x = """\n{SECRET}\n"""\ny = "{PORT}"  # {END}\nz = """\n{SECRET}\n"""\n'
    assert remaining == ["U301", "U301"]
    assert messages == (
        "1 suppression comment added; 2 findings (lines 2, 6) not suppressed: no comment fits at the end of the line"
        " or above it; --write-baseline FILE records them"
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_encoding_is_kept(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(f"caf\xe9 <{BAD}>\r\nb".encode(encoding))
    path.chmod(0o640)
    assert add_comments(path)[0] == f"caf\xe9 <{BAD}> <!-- urlscan: ignore[U201] -->\r\nb".encode(encoding)
    assert path.stat().st_mode & 0o777 == 0o640


def test_command_reports_added_and_refused_comments(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"<{BAD}>\n")
    (tmp_path / "a.json").write_text(f'["{PORT}"]\n')
    done = urlscan("check", "--add-ignore", "--format", "concise", "a.md", "a.json", cwd=tmp_path)
    assert done.status == 1
    assert [line.split(" ")[1] for line in done.lines] == ["U403", "1"], "one finding, and the summary"
    assert done.err.splitlines() == [
        "urlscan: a.md: 1 suppression comment added",
        "urlscan: a.json: 1 finding (line 1) not suppressed: json has no comments; --write-baseline FILE records them",
    ]
    assert urlscan("check", "a.md", cwd=tmp_path).status == 0


def test_standard_input_is_written_with_comments(tmp_path: Path) -> None:
    option = "--stdin-filename", "a.py"
    done = urlscan("check", "--add-ignore", *option, "-", stdin=f"# {PORT}\n".encode(), cwd=tmp_path)
    assert (done.status, done.text) == (0, f"# {PORT}  # {END}\n")
    done = urlscan("check", "--add-ignore", "-", stdin=f"\0{PORT}".encode(), cwd=tmp_path)
    assert done.out == f"\0{PORT}".encode()


def test_findings_in_the_baseline_get_no_comment(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"# {PORT}\n")
    urlscan("check", "-q", "--write-baseline", "known.json", "a.py", cwd=tmp_path)
    (tmp_path / "a.py").write_text(f"# {PORT}\n# {SECRET}\n")
    done = urlscan("check", "--add-ignore", "--baseline", "known.json", "a.py", cwd=tmp_path)
    assert (done.status, done.text, done.err) == (0, "", "urlscan: a.py: 1 suppression comment added\n")
    assert (tmp_path / "a.py").read_text() == f"# {PORT}\n# {SECRET}  # urlscan: ignore[U301]\n"


@pytest.mark.parametrize("other", [["--fix"], ["--write-baseline", "known.json"]])
def test_add_ignore_excludes_other_modes(tmp_path: Path, other: list[str]) -> None:
    done = urlscan("check", "--add-ignore", *other, "-", cwd=tmp_path)
    assert (done.status, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("name", ["a.js", "a.sh", "a.pl", "a.rb", "a.py", "a.md", "a.html", "a.yaml", "a.hs"])
@pytest.mark.parametrize(
    "piece", ['"${', "`${`", "$(", "'", "<<E ", "/[", "<!--", "{{", "#{", "| a |\n", "q(", '- "a\n  ']
)
def test_hostile_text_takes_linear_time(name: str, piece: str) -> None:
    def place(number: int) -> None:
        with contextlib.suppress(NoCommentError):
            commenter = commenter_of("use x;\n" + piece * number, identify(name), name, [])
            commenter.at_end(0), commenter.above(0)

    assert_linear(place, 8_000, within=0.5)


# --- the meaning of a program is unchanged


def _ini(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def _xml(text: str) -> list[tuple[str, dict[str, str], str]]:
    return [
        (one.tag, one.attrib, one.text and one.text.strip("\n ") and one.text)
        for one in ElementTree.fromstring(text).iter()
    ]


def _shell(text: str) -> str:
    return subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True).stdout


def _yaml(text: str) -> object:
    return yaml.safe_load(text)


# For each kind of program: a function that returns its meaning, and elements with and without findings.
PROGRAMS: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "a.py": (
        lambda text: ast.dump(ast.parse(text)),
        [
            f'x = "{PORT}"\n',
            f'"""{PORT}"""\n',
            f"x = '''\n  {SECRET}\n'''\n",
            f"# {PORT}\n",
            f'f(\n  "{PORT}"\n  "c",\n)\n',
            f'x = "{PORT}" + \\\n    "{SECRET}"\n',
            f'def f():\n    """See\n    {PORT}\n\n    """\n    return f"{SECRET}"\n',
            f"x = '{SECRET}' '''{SECRET}\n'''\n",
            "y = 1\n",
            "\n",
            f'x = r"""\\\n{SECRET}"""\n',
        ],
    ),
    "a.toml": (
        tomllib.loads,
        [
            f'[[t]]\na = "{PORT}"\n',
            f'[[t]]\na = """\n{SECRET}\n# {SECRET}"""\n',
            f"# {PORT}\n",
            f"[[t]]\na = [\n '{PORT}',\n 'b']\n",
            f"[[t]]\na = '''\n{SECRET}\n'''\n",
            "\n",
        ],
    ),
    "a.yaml": (
        _yaml,
        [
            f"- {PORT}\n",
            f"- |\n  {SECRET}\n\n  # {SECRET}\n",
            f"- a\n  {SECRET}\n  b\n",
            f'- "a\n  {SECRET} b"\n',
            f"- 'it''s {PORT}'\n",
            f"- [a, '{PORT}',\n   b]\n",
            f"- a: {PORT}\n  b: >-\n    don't {SECRET}\n",
            f"# {PORT}\n",
        ],
    ),
    "a.ini": (_ini, [f"a1 = {PORT}\n", f"b1 =\n  {PORT}\n  {SECRET}\n", f"# {PORT}\n", "c1 = 2\n", "\n"]),
    "a.xml": (
        _xml,
        [
            f'<a href="{PORT}">b</a>\n',
            f'<a\nhref="{PORT}"/>\n',
            f"<!-- {PORT}\n-->\n",
            f"<![CDATA[\n{SECRET}\n]]>\n",
            f"<b>\n{SECRET}\n  c </b>\n",
            f'<a x="1" href="{PORT}"\n  b="2"\n>c</a><a\nhref="{PORT}"/>\n',
        ],
    ),
    "a.sh": (
        _shell,
        [
            f"echo '{SECRET}'\n",
            f"echo '{SECRET}' \\\n  '{SECRET}'\n",
            f"cat <<X\n{SECRET}\nX\n",
            f"# {SECRET}\n",
            "echo $((1 + 2)) ${x#\"a\"} ${y:-'b'}\n",
            f"cat <<-'Y'\n\t{SECRET}\n\tY\necho {SECRET}\n",
            f'echo "a\n{SECRET} $(echo "b" # c\n)\n"\n',
            "\n",
        ],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_meaning_of_a_program_is_unchanged(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    meaning, pieces = PROGRAMS[name]
    if name == "a.sh" and shutil.which("sh") is None:
        pytest.skip("no shell is installed")
    selected = data.draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=5))
    if name == "a.ini":
        selected = ["[s]\n", *dict.fromkeys(selected)]
    text = "".join(selected)
    if name == "a.xml":
        text = f"<r>\n{text}</r>\n"
    path = tmp_path_factory.mktemp("p") / name
    path.write_text(text)
    new, remaining, messages = add_comments(path)
    assert meaning(new.decode()) == meaning(text)
    assert bool(remaining) == ("not suppressed" in messages)
    assert add_comments(path)[0] == new


@pytest.mark.parametrize("name", ["a.bat", "a.patch", "a.diff", "a.erl", "a.in", "a.awk", "b.v2.asm", "tool", "a.log"])
def test_file_of_unknown_syntax_is_not_changed(tmp_path: Path, name: str) -> None:
    text = ("#!/usr/bin/env erlang\n" if name == "tool" else "") + f"start {SECRET}\n"
    (tmp_path / name).write_text(text)
    done = urlscan("check", "--add-ignore", "--format", "concise", name, cwd=tmp_path)
    assert done.status == 1
    assert f"{name}: 1 finding (line {text.count(chr(10))}) not suppressed: " in done.err
    assert (tmp_path / name).read_text() == text
