"""`--add-ignore`: where marks are written, and that nothing else changes."""

import ast
import configparser
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.command import urlscan
from urlscan.run import Checked
from urlscan.run.marking import Marking, marked
from urlscan.run.reading import Note, Reading
from urlscan.settings import Settings

DISABLE, ENABLE = "# urlscan: disable[U301]\n", "# urlscan: enable[U301]\n"
BAD = "http://h.example/%zz/a"
WORSE = "http://h.example/a|b"
# Reported in every context: strings, comments and code, too.
SECRET = "ftp://jo:s3cr3t-pw@ftp.mills.zz/a"


def mark(path: Path) -> tuple[bytes, list[str], str]:
    """Mark a file: its bytes then, the codes that remain, and what is said."""
    results = list(marked([str(path)], Settings(), Reading(), Marking(lambda _: None, lambda results: results)))
    left = [finding.code for result in results if isinstance(result, Checked) for finding in result.findings]
    said = "; ".join(result.message for result in results if isinstance(result, Note))
    return path.read_bytes(), left, said


# name, text, what it is then
PLACES = [
    ("a.txt", f"see {BAD}\nmore", f"see {BAD} urlscan: ignore[U201]\nmore"),
    ("a.txt", f"see {BAD}", f"see {BAD} urlscan: ignore[U201]"),
    ("a.txt", "<URL:http://h.example/a b\nc>\n", "urlscan: ignore-next-line[U102]\n<URL:http://h.example/a b\nc>\n"),
    ("a.txt", "See <http://h.example/\na^b>\n", "See <http://h.example/\na^b> urlscan: ignore[U101]\n"),
    (
        "a.txt",
        "See <http://h.example/\na^b/\nc>\n",
        "urlscan: disable[U101]\nSee <http://h.example/\na^b/\nc>\nurlscan: enable[U101]\n",
    ),
    # A mark behind would show that the URL does not go on.
    (
        "a.txt",
        "text http://h.example/cgi-\nbin/a.html\nand more text in this line\n",
        "urlscan: ignore-next-line[U602]\ntext http://h.example/cgi-\nbin/a.html\nand more text in this line\n",
    ),
    ("a.md", f"see <{BAD}>\n", f"see <{BAD}> <!-- urlscan: ignore[U201] -->\n"),
    ("a.md", f"# see {BAD} #\n", f"# see {BAD} <!-- urlscan: ignore[U201] --> #\n"),
    ("a.md", f"<{BAD}>  \nx\n", f"<{BAD}> <!-- urlscan: ignore[U201] -->  \nx\n"),
    ("a.md", f"<{BAD}>\\\nx\n", f"<{BAD}> <!-- urlscan: ignore[U201] -->\\\nx\n"),
    (
        "a.md",
        f"| a | b |\n|---|---|\n| c | <{BAD}> |\n",
        f"| a | b |\n|---|---|\n| c | <{BAD}> <!-- urlscan: ignore[U201] --> |\n",
    ),
    ("a.md", f"[a]: {WORSE}\n", f"<!-- urlscan: ignore-next-line[U101] -->\n[a]: {WORSE}\n"),
    ("a.md", f"---\nurl: {SECRET}\n---\n", f"---\nurl: {SECRET} # urlscan: ignore[U301]\n---\n"),
    (
        "a.md",
        f"a\nb [x](\n{WORSE}\n)\nc\n",
        f"<!-- urlscan: disable[U101] -->\na\nb [x](\n{WORSE}\n)\nc\n<!-- urlscan: enable[U101] -->\n",
    ),
    (
        "a.rst",
        f"Title\n=====\n\nSee\n{WORSE}::\n\n  code\n\nEnd.\n",
        f"Title\n=====\n\n.. urlscan: disable[U101]\n\nSee\n{WORSE}::\n\n  code\n\n.. urlscan: enable[U101]\n\nEnd.\n",
    ),
    ("a.html", f'<a href="{WORSE}">x</a>\n', f'<!-- urlscan: ignore-next-line[U101] -->\n<a href="{WORSE}">x</a>\n'),
    ("a.html", f"<!-- {SECRET}\n-->\n", f"<!-- {SECRET} urlscan: ignore[U301]\n-->\n"),
    (
        "a.html",
        f'<p>\n<script>\nx = "{SECRET}"\n</script>\n',
        f'<p>\n<!-- urlscan: disable[U301] -->\n<script>\nx = "{SECRET}"\n</script>\n<!-- urlscan: enable[U301] -->\n',
    ),
    ("a.py", f'x = "{SECRET}"\n', f'x = "{SECRET}"  # urlscan: ignore[U301]\n'),
    (
        "a.py",
        f'if x:\n    """A.\n\n    {SECRET}\n    """\n',
        f'if x:\n    # urlscan: disable[U301]\n    """A.\n\n    {SECRET}\n    """\n    # urlscan: enable[U301]\n',
    ),
    ("a.py", f'x = "{SECRET}" + \\\n  "c"\n', f'# urlscan: ignore-next-line[U301]\nx = "{SECRET}" + \\\n  "c"\n'),
    ("a.py", f"#!/bin/python\n# {SECRET}\n", f"#!/bin/python\n# {SECRET}  # urlscan: ignore[U301]\n"),
    ("a.c", f"/* a\n * {SECRET}\n */\n", f"/* a\n * {SECRET} urlscan: ignore[U301]\n */\n"),
    ("a.css", f"a {{ b: url({SECRET}) }}\n", f"/* urlscan: ignore-next-line[U301] */\na {{ b: url({SECRET}) }}\n"),
    ("a.js", f"x = `\n{SECRET}`;\n", f"x = `\n{SECRET}`; // urlscan: ignore[U301]\n"),
    ("a.ini", f"[a]\nb = {SECRET}\n", f"[a]\n# urlscan: ignore-next-line[U301]\nb = {SECRET}\n"),
    ("Makefile", f"a:\n\tb {SECRET}\n", f"a:\n# urlscan: ignore-next-line[U301]\n\tb {SECRET}\n"),
    ("a.tex", f"\\url{{{SECRET}}}\n", f"\\url{{{SECRET}}} % urlscan: ignore[U301]\n"),
    ("a.bib", f"@misc{{a,\nurl={{{SECRET}}}}}\n", f"%{DISABLE[1:]}@misc{{a,\nurl={{{SECRET}}}}}\n%{ENABLE[1:]}"),
    ("a.1", f".TH a 1\nsee {SECRET}\n", f'.TH a 1\n.\\" urlscan: ignore-next-line[U301]\nsee {SECRET}\n'),
    ("a.sh", f"a <<E\n{SECRET}\nE\nb\n", f"# urlscan: disable[U301]\na <<E\n{SECRET}\nE\n# urlscan: enable[U301]\nb\n"),
    (
        "a.yaml",
        f"a: |\n  {SECRET}\nb:\n  - {SECRET}\n",
        f"{DISABLE}a: |\n  {SECRET}\n{ENABLE}b:\n  - {SECRET}  # urlscan: ignore[U301]\n",
    ),
    ("a.rb", f"x\n__END__\n{SECRET}\n", f"x\n# urlscan: disable[U301]\n__END__\n{SECRET}\n"),
    ("a.po", f'msgid "{SECRET}"\nmsgstr ""\n', f'{DISABLE}msgid "{SECRET}"\nmsgstr ""\n{ENABLE}'),
]


@pytest.mark.parametrize(("name", "text", "then"), PLACES, ids=[f"{n}: {t[:30]!r}" for n, t, _ in PLACES])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_mark_stands_where_it_changes_nothing(tmp_path: Path, name: str, text: str, then: str, newline: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.replace("\n", newline).encode())
    data, left, _ = mark(path)
    assert data.decode() == then.replace("\n", newline)
    assert left == []
    assert mark(path) == (data, [], ""), "a second time there is nothing to do"


MERGED = [
    ("x  # urlscan: ignore[U101]", "x  # urlscan: ignore[U101, U301]"),
    ("x  # urlscan: ignore[password-in-url]", "x  # urlscan: ignore[password-in-url]"),
    ("x  # urlscan: ignore-file[U301]", "x  # urlscan: ignore-file[U301]"),
]


@pytest.mark.parametrize(("there", "then"), MERGED)
def test_a_mark_that_is_there_is_gone_on_with(tmp_path: Path, there: str, then: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(f"# {SECRET} {there}\n")
    assert mark(path)[0].decode() == f"# {SECRET} {then}\n"


def test_a_mark_on_the_line_above_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a.ini"
    path.write_text(f"# urlscan: ignore-next-line[U101]\na = {SECRET} http://www.mybank.com@www.mills.zz/\n")
    assert (
        mark(path)[0].decode()
        == f"# urlscan: ignore-next-line[U101, U301, U303]\na = {SECRET} http://www.mybank.com@www.mills.zz/\n"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", f'{{"a": "{SECRET}"}}\n'),
        ("a.csv", f"a,{SECRET}\n"),
        ("a.jsonl", f'"{SECRET}"\n'),
        ("a.ipynb", f'{{"cells": [{{"cell_type": "markdown", "source": ["{SECRET}"]}}]}}\n'),
        ("a.tsx", f"<p>{SECRET}</p>\n"),
        ("a.php", f"<p>{SECRET}</p><?php ?>\n"),
        ("a.xml", f'<?xml version="1.0"?><a b="{SECRET}"\nc=""/>\n'),
    ],
)
def test_what_takes_no_comment_is_left_alone_and_that_is_said(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    data, left, said = mark(path)
    assert data.decode() == text
    assert left == ["U301"]
    assert said.startswith("not marked: ")
    assert said.endswith("; --baseline or per-file-ignores can silence it")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_stays(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(f"caf\xe9 {BAD}\r\nb".encode(encoding))
    path.chmod(0o640)
    assert mark(path)[0] == f"caf\xe9 {BAD} urlscan: ignore[U201]\r\nb".encode(encoding)
    assert path.stat().st_mode & 0o777 == 0o640


def test_the_command_says_what_it_does(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"<{BAD}>\n")
    (tmp_path / "a.json").write_text(f'["{SECRET}"]\n')
    done = urlscan("check", "--add-ignore", "--format", "concise", "a.md", "a.json", cwd=tmp_path)
    assert done.status == 1
    assert [line.split(" ")[1] for line in done.lines] == ["U301"]
    assert done.err.splitlines() == [
        "urlscan: a.md: 1 mark written",
        "urlscan: a.json: not marked: no comment can be written into json, or it cannot be told where;"
        " --baseline or per-file-ignores can silence it",
    ]
    assert urlscan("check", "a.md", cwd=tmp_path).status == 0


def test_standard_input_comes_out_marked(tmp_path: Path) -> None:
    done = urlscan("check", "--add-ignore", "-", stdin=BAD.encode(), cwd=tmp_path)
    assert (done.status, done.text) == (0, f"{BAD} urlscan: ignore[U201]")
    done = urlscan("check", "--add-ignore", "-", stdin=b"\0" + BAD.encode(), cwd=tmp_path)
    assert done.out == b"\0" + BAD.encode()


def test_what_a_baseline_knows_needs_no_mark(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{BAD}\n")
    urlscan("check", "-q", "--write-baseline", "known.json", "a.txt", cwd=tmp_path)
    (tmp_path / "a.txt").write_text(f"{BAD}\n{WORSE}\n")
    done = urlscan("check", "--add-ignore", "--baseline", "known.json", "a.txt", cwd=tmp_path)
    assert (done.status, done.text, done.err) == (0, "", "urlscan: a.txt: 1 mark written\n")
    assert (tmp_path / "a.txt").read_text() == f"{BAD}\n{WORSE} urlscan: ignore[U101]\n"


@pytest.mark.parametrize("other", [["--fix"], ["--write-baseline", "known.json"]])
def test_one_thing_after_the_other(tmp_path: Path, other: list[str]) -> None:
    done = urlscan("check", "--add-ignore", *other, "-", cwd=tmp_path)
    assert (done.status, done.err.count("\n")) == (2, 1)


# --- what a program makes of it stays what it was


def _ini(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def _xml(text: str) -> list[tuple[str, dict[str, str], str]]:
    return [(one.tag, one.attrib, " ".join((one.text or "").split())) for one in ElementTree.fromstring(text).iter()]


def _shell(text: str) -> str:
    return subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True).stdout


PROGRAMS: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "a.py": (
        lambda text: ast.dump(ast.parse(text)),
        [
            f'x = "{WORSE}"\n',
            f'"""{WORSE}"""\n',
            f"x = '''\n  {BAD}\n'''\n",
            f"# {BAD}\n",
            f'f(\n  "{WORSE}"\n  "c",\n)\n',
            f'x = "{WORSE}" + \\\n    "{BAD}"\n',
            f'def f():\n    """See\n    {BAD}\n\n    """\n    return f"{WORSE}"\n',
            f"x = '{BAD}' '''{WORSE}\n'''\n",
            "y = 1\n",
            "\n",
            f'x = r"""\\\n{WORSE}"""\n',
        ],
    ),
    "a.toml": (
        tomllib.loads,
        [
            f'[[t]]\na = "{WORSE}"\n',
            f'[[t]]\na = """\n{WORSE}\n# {BAD}"""\n',
            f"# {BAD}\n",
            f"[[t]]\na = [\n '{WORSE}',\n 'b']\n",
            f"[[t]]\na = '''\n{WORSE}\n'''\n",
            "\n",
        ],
    ),
    "a.ini": (_ini, [f"a1 = {WORSE}\n", f"b1 =\n  {WORSE}\n  {BAD}\n", f"# {BAD}\n", "c1 = 2\n", "\n"]),
    "a.xml": (
        _xml,
        [
            f'<a href="{WORSE}">b</a>\n',
            f'<a\nhref="{WORSE}"/>\n',
            f"<!-- {WORSE}\n-->\n",
            f"<![CDATA[\n{WORSE}\n]]>\n",
            "<b>c</b>\n",
            f'<a x="1" href="{WORSE}"\n  b="2"\n>c</a><a\nhref="{WORSE}"/>\n',
        ],
    ),
    "a.sh": (
        _shell,
        [
            f"echo '{WORSE}'\n",
            f"echo '{WORSE}' \\\n  '{BAD}'\n",
            f"cat <<X\n{WORSE}\nX\n",
            f"# {BAD}\n",
            "echo $((1 + 2))\n",
            f"cat <<-'Y'\n\t{WORSE}\n\tY\necho {BAD}\n",
            "\n",
        ],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
@given(data=st.data())
@settings(max_examples=40)
def test_a_program_means_what_it_meant(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    meaning, pieces = PROGRAMS[name]
    if name == "a.sh" and shutil.which("sh") is None:
        pytest.skip("there is no shell")
    chosen = data.draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=5))
    if name == "a.ini":
        chosen = ["[s]\n", *dict.fromkeys(chosen)]
    text = "".join(chosen)
    if name == "a.xml":
        text = f"<r>\n{text}</r>\n"
    path = tmp_path_factory.mktemp("p") / name
    path.write_text(text)
    new, left, said = mark(path)
    assert meaning(new.decode()) == meaning(text)
    assert left == [], said
    assert mark(path)[0] == new


@pytest.mark.parametrize("name", ["a.bat", "a.patch", "a.diff", "a.erl", "a.in", "a.awk", "b.v2.asm", "tool"])
def test_what_may_be_a_program_that_nobody_knows_is_left_alone(tmp_path: Path, name: str) -> None:
    text = ("#!/usr/bin/env erlang\n" if name == "tool" else "") + "start http://h.example/a|b\n"
    (tmp_path / name).write_text(text)
    done = urlscan("check", "--add-ignore", "--format", "concise", name, cwd=tmp_path)
    assert done.status == 1
    assert f"{name}: not marked: " in done.err
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("name", ["README", "a.txt", "NOTES.TXT", "notes.1994", ".plan", "v1.2/letter", "a.log"])
def test_what_people_read_takes_a_mark_without_a_comment(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("See http://h.example/a|b now.\n")
    assert urlscan("check", "--add-ignore", name, cwd=tmp_path).status == 0
    assert (tmp_path / name).read_text() == "See http://h.example/a|b now. urlscan: ignore[U101]\n"
