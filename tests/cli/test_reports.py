"""Test several formats at once, atomic report files, statistics, the HTML page, and the diff of --fix."""

import gc
import html.parser
import json
import os
import shutil
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import urlscan, urlscan_process
from urlscan.cli import reports
from urlscan.core.document import Document
from urlscan.core.settings import Settings
from urlscan.documents import read_documents
from urlscan.formats import FORMATS, SUMMARIZED
from urlscan.formats.base import RenderOptions, renderer
from urlscan.linter.locate import findings_of

# A safe fix requires a complete destination in markup.
TEXT = "See [a](http://h.example/a|b) and\nhttp://h.example/%zz/a\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text(TEXT)
    return tmp_path


# --- several formats


def test_each_report_file_equals_that_of_a_single_format(here: Path) -> None:
    options, expected = [], {}
    for format in FORMATS:
        options += ["--format", format, "--output-file", f"{format}.out"]
        expected[format] = urlscan("check", "--format", format, "a.md", cwd=here).out
    done = urlscan("check", *options, "a.md", cwd=here)
    assert (done.status, done.out, done.err) == (1, b"", "")
    assert {format: (here / f"{format}.out").read_bytes() for format in FORMATS} == expected


def test_format_without_a_file_goes_to_standard_output(here: Path) -> None:
    command = ("check", "--format", "concise", "--format", "json", "--output-file", "out.json", "a.md")
    done = urlscan(*command, cwd=here)
    assert done.out == urlscan("check", "--format", "concise", "a.md", cwd=here).out
    assert len(json.loads((here / "out.json").read_text())) == 2


def test_report_does_not_replace_a_checked_file(here: Path) -> None:
    for name in ("a.md", "./a.md"):
        done = urlscan("check", "a.md", "--output-file", name, cwd=here)
        assert (done.status, done.out) == (2, b"")
        assert done.err == f"urlscan: {name}: cannot be written: it is read as input\n"
        assert (here / "a.md").read_text() == TEXT
    # The report of the last run is a file of the directory, but not one that was named.
    for _ in range(2):
        assert urlscan("check", ".", "--output-file", "report.txt", cwd=here).status == 1


def test_output_file_without_a_format_takes_the_default_format(here: Path) -> None:
    assert urlscan("check", "--output-file", "out", "a.md", cwd=here).out == b""
    assert (here / "out").read_bytes() == urlscan("check", "a.md", cwd=here).out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--format full --format json", "full and json would both be written to standard output"),
        ("--format full --output-file a --format json --output-file a", "two formats for a"),
        ("--format full --output-file a --output-file b", "more than one --output-file"),
        ("--output-file=", "--output-file is empty"),
        ("--statistics --format sarif", "--statistics is not supported by sarif"),
        ("--diff --format json", "--diff cannot be used with --format or --output-file (it reports no findings)"),
        ("--diff --fail-on error", "--diff cannot be used with --fail-on"),
        ("--baseline b.json --write-baseline c.json", "--write-baseline cannot be used with --baseline"),
        ("--with-referrers --add-ignore", "--add-ignore cannot be used with --with-referrers"),
        ("--fix --add-ignore", "--add-ignore cannot be used with --fix (run them one after the other)"),
        ("--explain a.md:1", "--explain cannot be used with PATH (it explains one line of a file)"),
        ("--unsafe-fixes", "--unsafe-fixes requires --fix, --fix-only or --diff"),
    ],
)
def test_contradictory_options_are_an_error(here: Path, options: str, message: str) -> None:
    done = urlscan("check", *options.split(), "a.md", cwd=here)
    assert (done.status, done.out) == (2, b"")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert os.listdir(here) == ["a.md"]


def test_unwritable_output_file_is_reported_before_files_are_read(here: Path) -> None:
    done = urlscan("check", "--format", "json", "--output-file", "no/out.json", "a.md", cwd=here)
    assert (done.status, done.err) == (2, "urlscan: no/out.json: cannot be written: No such file or directory\n")


def test_failed_run_keeps_the_old_report(here: Path) -> None:
    (here / "out").write_text("old")
    done = urlscan("check", "--output-file", "out", "--format", "json", "--output-file", "a.md/x", "a.md", cwd=here)
    assert done.status == 2
    assert (here / "out").read_text() == "old"
    assert sorted(os.listdir(here)) == ["a.md", "out"]


def test_report_is_written_although_a_file_cannot_be_read(here: Path) -> None:
    done = urlscan("check", "--format", "jsonl", "--output-file", "out", "a.md", "missing", cwd=here)
    assert done.status == 2
    assert len((here / "out").read_text().splitlines()) == 2


def test_report_file_is_not_checked(here: Path) -> None:
    command = ("check", "--format", "jsonl", "--output-file", "./out.txt", ".")
    urlscan(*command, cwd=here)
    first = (here / "out.txt").read_bytes()
    assert urlscan(*command, cwd=here).status == 1
    assert (here / "out.txt").read_bytes() == first


def test_report_can_be_written_to_a_device(here: Path) -> None:
    done = urlscan_process("check", "--format", "concise", "-q", "--output-file", "/dev/stdout", "a.md", cwd=here)
    assert len(done.lines) == 2
    assert urlscan("check", "--output-file", "/dev/null", "a.md", cwd=here).status == 1


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no /dev/stdout")
def test_report_is_appended_to_the_file_that_standard_output_is(here: Path) -> None:
    (here / "out").write_text("x\n")
    command = [sys.executable, "-m", "urlscan", "check", "--format", "concise", "-q", "--output-file", "/dev/stdout"]
    with open(here / "out", "a") as file:
        assert subprocess.run([*command, "a.md"], cwd=here, stdout=file, check=False).returncode == 1
    assert [line[:4] for line in (here / "out").read_text().splitlines()] == ["x", "a.md", "a.md"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links")
def test_report_is_not_written_through_a_symbolic_link(here: Path) -> None:
    (here / "out").symlink_to("a.md")
    result = urlscan("check", "--output-file", "out", "a.md", cwd=here)
    assert (result.status, result.err) == (2, "urlscan: out: cannot be written: it is a symbolic link\n")
    assert (here / "a.md").read_text() == TEXT


def test_only_standard_output_is_colored(here: Path) -> None:
    done = urlscan("check", "--color=always", "--format=full", "--format=full", "--output-file=out", "a.md", cwd=here)
    assert b"\x1b[" in done.out
    assert "\x1b[" not in (here / "out").read_text()


def test_formats_consume_results_in_step() -> None:
    alive: weakref.WeakSet[object] = weakref.WeakSet()
    most = 0

    class Text(str):
        __slots__ = ("__weakref__",)

    def results() -> Iterator[Document]:
        nonlocal most
        for number in range(4000):
            # Most texts have no findings.
            (document,) = read_documents(TEXT.encode() if number % 50 == 0 else b"http://h.example/")
            document.path = f"{number}.txt"
            document.decoded = Text(document.text)
            alive.add(document.decoded)
            from urlscan.finder import find

            found = list(findings_of(document, find(document.text), Settings()))
            del find
            gc.collect(0)
            most = max(most, len(alive))
            yield document.with_findings(found)

    options = [RenderOptions() for _ in FORMATS]
    pieces = reports._in_step(results(), [renderer(format) for format in FORMATS], options)
    formats = {number for number, piece in pieces if piece}
    assert len(formats) == len(FORMATS)
    assert most <= 4


# --- statistics


def test_statistics_count_each_rule(here: Path) -> None:
    (here / "b.md").write_text("<http://h.example/c|d>\n")
    done = urlscan("check", "--statistics", cwd=here, stdin=None)
    assert done.lines == [
        "2  U101 [*] unsafe-character",
        "1  U201 [ ] bad-escape",
        "",
        "2 of 3 fixable with --fix ([*] all, [-] some).",
    ]
    assert done.status == 1
    records = json.loads(urlscan("check", "--statistics", "--format=json", cwd=here, stdin=None).out)
    assert records[0] == {"code": "U101", "name": "unsafe-character", "count": 2, "fixable": 2, "fixable_unsafe": 0}
    assert urlscan("check", "-q", "--statistics", "--select=U405", cwd=here, stdin=None) == (0, b"", "")


# --- the HTML page


class Page(html.parser.HTMLParser):
    """Parse a page as a browser does."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = [
    'http://h.example/%zz"><script>alert(1)</script>',
    "http://h.example/%zz'onmouseover='alert(1)",
    "<http://h.example/%zz</pre><img src=x onerror=alert(1)>",
    "http://h.example/%zz</style></title><svg/onload=alert(1)>",
    "javascript:alert(1) http://h.example/%zz&lt;script&gt;",
    "http://h.example/\x00\u202e%zz\x1b[31m]]>-->",
]


def test_page_has_no_active_content_and_no_links(tmp_path: Path) -> None:
    name = "<script>x.txt"
    (tmp_path / name).write_bytes(b" ")
    (tmp_path / name).write_text("\n".join(["x " * 5000, *HOSTILE]))
    done = urlscan("check", "--format", "html", "--as", "plain", name, cwd=tmp_path)
    page = Page(done.text)
    tags = [tag for tag, _ in page.tags]
    assert not {"img", "svg", "iframe", "object", "embed", "link", "base"} & set(tags)
    assert tags.count("script") == tags.count("style") == tags.count("form") == 1
    for tag, attributes in page.tags:
        assert not [key for key, _ in attributes if key.startswith("on") or key in ("style", "src", "action")], tag
    assert "default-src 'none'" in done.text
    assert "<script>alert(1)</script>" in page.text
    assert "\u202e" not in done.text


def test_page_shows_location_rule_line_and_summary(here: Path) -> None:
    text = urlscan("check", "--format", "html", "a.md", cwd=here).text
    assert "<mark>|</mark>b) and" in text
    assert '<li class="error"><b>2</b><span>errors</span></li>' in text
    assert text.index("</ul>") < text.index("<article")
    assert "No findings" in urlscan("check", "--format", "html", stdin=b"").text


def test_page_marks_a_combining_character_alone() -> None:
    text = urlscan(
        "check", "--select", "U104", "--format", "html", stdin="See <http://h.example/e\u0301a>.\n".encode()
    ).text
    assert "e<mark>\u0301</mark>a" in text


# --- the diff


def test_diff_without_safe_fixes_says_how_to_see_the_others(here: Path) -> None:
    (here / "b.txt").write_text("http://h.example/a|b http://h.example/%zz\n")
    done = urlscan("check", "--diff", "b.txt", cwd=here)
    assert (done.status, done.out) == (0, b"")
    assert done.err == "urlscan: 2 unsafe fixes not shown; --diff --unsafe-fixes shows all\n"
    assert urlscan("check", "--diff", "--quiet", "b.txt", cwd=here) == (0, b"", "")


def test_diff_changes_no_file_and_prints_the_changes(here: Path) -> None:
    done = urlscan("check", "--diff", "a.md", cwd=here)
    assert done.lines == [
        "--- a.md", "+++ a.md", "@@ -1,2 +1,2 @@", "-See [a](http://h.example/a|b) and",
        "+See [a](http://h.example/a%7Cb) and", " http://h.example/%zz/a",
    ]  # fmt: skip
    hidden = "urlscan: 1 unsafe fix not shown; --diff --unsafe-fixes shows all\n"
    assert (done.status, done.err) == (1, "urlscan: would fix 1 finding\n" + hidden)
    assert (here / "a.md").read_text() == TEXT
    both = urlscan("check", "--diff", "--unsafe-fixes", "--quiet", "a.md", cwd=here)
    assert "+http://h.example/%25zz/a" in both.lines
    assert both.err == ""
    assert urlscan("check", "--diff", "--exit-zero", "a.md", cwd=here).status == 0
    assert urlscan("check", "--diff", "missing", "a.md", cwd=here).status == 2


def test_diff_without_fixes_is_empty() -> None:
    assert urlscan("check", "--diff", stdin=b"http://h.example:99999/\n") == (0, b"", "")
    assert urlscan("check", "--diff", "-q", stdin=b"\0binary") == (0, b"", "")


def test_diff_of_standard_input_does_not_print_it() -> None:
    done = urlscan("check", "--diff", "-q", "--stdin-filename", "x.md", "-", stdin=b"<http://h.example/a|b>")
    assert done.lines == [
        "--- x.md", "+++ x.md", "@@ -1,1 +1,1 @@", "-<http://h.example/a|b>", "\\ No newline at end of file",
        "+<http://h.example/a%7Cb>", "\\ No newline at end of file",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_diff_without_secrets_is_a_valid_patch(tmp_path: Path, newline: str, last: str) -> None:
    lines = [f"line {number}\t é" for number in range(60)]
    for number in (0, 1, 9, 20, 27, 40, 59):
        lines[number] = f"<http://h.example/{number}|x^> \té"
    text = (newline.join(lines) + (newline if last else "")).encode()
    path = tmp_path / "a.md"
    path.write_bytes(text)
    diff = urlscan("check", "--diff", "a.md", cwd=tmp_path).out
    subprocess.run(["patch", "--binary", "a.md"], input=diff, cwd=tmp_path, check=True, capture_output=True)
    patched = path.read_bytes()
    path.write_bytes(text)
    urlscan("check", "--fix", "a.md", cwd=tmp_path)
    assert patched == path.read_bytes() != text


def test_diff_masks_secrets_in_changed_lines() -> None:
    text = b"ftp://jo:s3cr3t^pw@ftp.mills.zz/\n<URL:ftp://jo:s3cr3t\npw@ftp.mills.zz/a^b>\n"
    done = urlscan("check", "--diff", "--unsafe-fixes", "--select", "U101,U301", stdin=text)
    assert done.status == 1
    assert "s3cr3t" not in done.text
    assert "^pw" not in done.text
    assert "-ftp://jo:***@ftp.mills.zz/" in done.lines


def test_diff_masks_a_secret_that_a_fix_would_expose() -> None:
    text = b"ftp://jane:/s3cr3tpw@ftp.mills.zz/^\n"
    done = urlscan("check", "--diff", "--unsafe-fixes", "--select", "ALL", stdin=text)
    assert done.status == 1
    assert "s3cr3t" not in done.text


# --- fix only


def test_fix_only_fixes_and_reports_no_findings(here: Path) -> None:
    done = urlscan("check", "--fix-only", "a.md", cwd=here)
    assert (done.status, done.out, done.err) == (0, b"Fixed 1 finding.\n", "")
    assert (here / "a.md").read_text() == TEXT.replace("|", "%7C")
    again = urlscan("check", "--fix-only", "--unsafe-fixes", "--quiet", "a.md", cwd=here)
    assert (again.status, again.out) == (0, b"")
    assert "%25zz" in (here / "a.md").read_text()
    assert urlscan("check", "--fix-only", "a.md", "missing", cwd=here).status == 2


def test_fix_only_of_standard_input() -> None:
    done = urlscan("check", "--fix-only", "-q", "--as", "markdown", "-", stdin=TEXT.encode())
    assert done.text == TEXT.replace("|", "%7C")


def test_output_file_hyphen_is_standard_output(here: Path) -> None:
    plain = urlscan("check", "--format", "json", "a.md", cwd=here)
    assert urlscan("check", "--format", "json", "--output-file", "-", "a.md", cwd=here) == plain
    assert os.listdir(here) == ["a.md"]
    twice = urlscan("check", "--format", "full", "--format", "json", "--output-file", "-", "a.md", cwd=here)
    assert (twice.status, twice.out) == (2, b"")


@pytest.mark.parametrize("format", [format for format in FORMATS if format not in SUMMARIZED])
def test_number_of_fixes_is_reported_in_every_format(here: Path, format: str) -> None:
    (here / "a.md").write_text("<http://h.example/a|b> and\n<http://h.example/a^b>\n")
    done = urlscan("check", "--fix", "--format", format, "a.md", cwd=here)
    assert (done.status, done.err) == (0, "urlscan: fixed 2 findings\n")
    assert urlscan("check", "--fix", "--format", format, "a.md", cwd=here).err == ""
    (here / "a.md").write_text("<http://h.example/a|b>\n")
    assert urlscan("check", "--fix", "-q", "--format", format, "a.md", cwd=here).err == ""


@pytest.mark.parametrize("format", ["github", "gitlab", "junit", "rdjson"])
def test_messages_for_servers_include_the_suggestion(here: Path, format: str) -> None:
    (here / "a.md").write_text("http://h.example/a|b ftp://jo:s3kr1tpw@ftp.mills.zz/\n")
    shown = urlscan("check", "--format", format, "a.md", cwd=here).text.replace("%25", "%")
    assert "must be escaped in the path; write %7C (RFC 3986 section 2)" in shown
    assert "; write ftp://jo@ftp.mills.zz/ (RFC 3986 section 7.5)" in shown
    assert "s3kr1t" not in shown
