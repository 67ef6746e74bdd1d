"""Test `--add-ignore`: where comments are added, and that nothing else changes."""

import ast
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import urlscan
from tests.strategies import examples
from urlscan.core.document import Document
from urlscan.core.settings import Settings
from urlscan.pipeline.add_ignore import add_suppressions
from urlscan.pipeline.read import Note, ReadOptions

BAD = "http://h.example/100%"
WORSE = "http://h.example/a|b"
PORT = "http://h.example:99999/"  # reported in comments and strings of programs
SECRET = "ftp://jo:s3cr3tpw@git.corp.com/x"  # reported in every context
END = "urlscan: ignore[U403]"


def add_comments(path: Path) -> tuple[bytes, list[str], str]:
    """Add comments to a file; return its bytes, the remaining codes, and the messages."""
    results = list(add_suppressions([str(path)], Settings(), ReadOptions(), lambda _: None, None))
    remaining = [finding.code for result in results if isinstance(result, Document) for finding in result.findings]
    messages = "; ".join(result.message for result in results if isinstance(result, Note))
    return path.read_bytes(), remaining, messages


# name, text, expected text
PLACES = [
    ("a.py", f'x = "{PORT}"\n', f'x = "{PORT}"  # {END}\n'),
    ("a.py", f'x = "{PORT}"', f'x = "{PORT}"  # {END}'),
    ("a.py", f"#!/bin/python\n# {PORT}\n", f"#!/bin/python\n# {PORT}  # {END}\n"),
    ("a.py", f"f(\n    '{PORT}',\n)\n", f"f(\n    '{PORT}',  # {END}\n)\n"),
    ("a.toml", f"a = '{PORT}'\n", f"a = '{PORT}'  # {END}\n"),
    ("a.c", f'char *x = "{PORT}";\n', f'char *x = "{PORT}"; // {END}\n'),
    ("a.c", f"f(); // see {PORT}\n", f"f(); // see {PORT} // {END}\n"),
    ("a.go", f'\tx := "{PORT}"\n', f'\tx := "{PORT}" // {END}\n'),
    ("A.java", f'String x = "{PORT}";\n', f'String x = "{PORT}"; // {END}\n'),
]
# name, text in which no comment can be placed
REFUSED = [
    # kinds without comments, and those whose syntax is not read completely
    ("a.txt", f"see <{BAD}>\n"),
    ("a.md", f"see <{BAD}>\n"),
    ("a.html", f'<a href="{WORSE}">x</a>\n'),
    ("a.xml", f'<a href="{PORT}">x</a>\n'),
    ("a.rst", f"See\n{SECRET} and\nmore.\n"),
    ("a.json", f'{{"a": "{PORT}"}}\n'),
    ("a.csv", f"a,{SECRET}\n"),
    ("a.ipynb", f'{{"cells": [{{"cell_type": "markdown", "source": ["<{WORSE}>"]}}]}}\n'),
    ("a.sh", f"a {SECRET}\n"),
    ("a.yaml", f"a: b\n  {SECRET}\n  c\n"),
    ("a.js", f"x = '{PORT}';\n"),
    ("a.rb", f"x = '{PORT}'\n"),
    ("a.kt", f'val x = "{PORT}"\n'),
    ("a.cpp", f'auto x = "{PORT}";\n'),
    ("Makefile", f"x = a \\\n {SECRET} \\\n b\n"),
    # strings of several lines and continued lines
    ("a.py", f'if x:\n    """A.\n\n    {PORT}\n    """\n'),
    ("a.py", f"x = '''\n{PORT}\n'''\n"),
    ("a.py", f'x = (1 \\\n    , "{PORT}" \\\n    , 2)\n'),
    ("a.py", f'def f(:\n    x = "{PORT}"\n'),
    ("a.toml", f'a = """\n{SECRET}\n"""\n'),
    ("a.go", f"x := `\n{SECRET}\n`\n"),
    ("a.c", f'#define X "{PORT}" \\\n  "a"\n'),
    ("a.h", f'auto x = R"(\n{SECRET}\n)";\n'),
    ("A.java", f'String x = """\n{SECRET}\n""";\n'),
    # comments that are displayed or read by tools
    ("a.c", f"/* a\n * {PORT}\n */\n"),
    ("a.c", f"/// See {PORT}.\nint f();\n"),
    ("a.go", f"// Package x is at {PORT} now.\npackage x\n"),
    ("a.go", f"//go:generate curl {SECRET}\n\n"),
    ("A.java", f"/**\n * See {PORT}.\n */\nclass A {{}}\n"),
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
        "1 suppression comment added; 2 findings (lines 2, 6) not suppressed: no comment fits at the end of the line;"
        " --write-baseline FILE records them"
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_encoding_is_kept(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.go"
    path.write_bytes(f'x = "{PORT}", "caf\xe9"\r\nb'.encode(encoding))
    path.chmod(0o640)
    assert add_comments(path)[0] == f'x = "{PORT}", "caf\xe9" // {END}\r\nb'.encode(encoding)
    assert path.stat().st_mode & 0o777 == 0o640


def test_command_reports_added_and_refused_comments(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"# {PORT}\n")
    (tmp_path / "a.json").write_text(f'["{PORT}"]\n')
    done = urlscan("check", "--add-ignore", "--format", "concise", "a.py", "a.json", cwd=tmp_path)
    assert done.status == 1
    assert [line.split(" ")[1] for line in done.lines] == ["U403", "1"], "one finding, and the summary"
    assert done.err.splitlines() == [
        "urlscan: a.py: 1 suppression comment added",
        "urlscan: a.json: 1 finding (line 1) not suppressed: comments are added to Python, TOML, Go, C and Java only;"
        " --write-baseline FILE records them",
    ]
    assert urlscan("check", "a.py", cwd=tmp_path).status == 0


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
    assert (done.status, done.err) == (0, "urlscan: a.py: 1 suppression comment added\n")
    assert (tmp_path / "a.py").read_text() == f"# {PORT}\n# {SECRET}  # urlscan: ignore[U301]\n"


@pytest.mark.parametrize("other", [["--fix"], ["--write-baseline", "known.json"]])
def test_add_ignore_excludes_other_modes(tmp_path: Path, other: list[str]) -> None:
    done = urlscan("check", "--add-ignore", *other, "-", cwd=tmp_path)
    assert (done.status, done.err.count("\n")) == (2, 1)


# --- the meaning of a program is unchanged


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
}


@pytest.mark.parametrize("name", PROGRAMS)
@given(data=st.data())
@examples(30)
def test_meaning_of_a_program_is_unchanged(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    meaning, pieces = PROGRAMS[name]
    selected = data.draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=5))
    text = "".join(selected)
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
