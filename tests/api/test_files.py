"""The public functions for bytes, files and directories."""

import asyncio
import bz2
import concurrent.futures
import dataclasses
import gzip
import io
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

import urlscan
from tests.api.records import count, differences, of_library
from tests.command import clean_environment
from tests.command import urlscan as command
from urlscan import ConfigError, SourceError
from urlscan.files import walk

ROOT = Path(__file__).resolve().parent.parent.parent
MAIL = (
    b"From jo@h.example Thu Aug 22 12:26:25 2002\nFrom: jo@h.example\nDate: Thu, 22 Aug 2002 12:26:25 +0100\n"
    b"Message-ID: <%d@h.example>\nContent-Type: text/plain; charset=latin-1\n\n"
    b"S\xfc\xdf: <URL:http://h.example/a\n/b%d> ftp://jo:x1y2z3@h.example/%%zz http://h.example/rather-\nlong\n\n"
)
MBOX = b"".join(MAIL % (number, number) for number in range(3))
FILES = {
    "a.txt": b"See http://h.example/a, <URL:http://h.example/b\nc>, http://h.example/cgi-\nbin/d and \xfchttp://h.example/\xff\n",
    "a.html": b'<meta charset=latin-1><base href="http://h.example/"><a href="../a&amp;b">\xfc</a> http://h.example/c',
    "a.py": b"# -*- coding: latin-1 -*-\nURL = 'http://h.example/\xfc{id}'  # see http://h.example/b\n",
    "a.mbox": MBOX,
    "a.eml": MBOX.partition(b"\n")[2],
    "a.txt.gz": gzip.compress(b"http://h.example/a"),
    "a.mbox.bz2": bz2.compress(MBOX),
    "utf16.txt": "http://h.example/ü".encode("utf-16"),
    "empty": b"",
    "a.bin": bytes(100),
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in ("a.html", "a.mbox", "a.txt.gz", "a.bin"):
            archive.writestr(f"in/{name}", FILES[name])
    return tmp_path


# --- scan


@pytest.mark.parametrize("name", [*FILES, "a.zip"])
def test_scan_file_returns_the_records_of_extract(files: Path, name: str) -> None:
    assert differences(files / name) == []
    assert name in ("empty", "a.bin") or list(of_library(files / name))


@pytest.mark.parametrize("name", ["README.md", "docs/index.md", "urlscan/uri/url.py", "pyproject.toml"])
def test_scan_file_returns_the_records_of_extract_for_files_of_the_project(name: str) -> None:
    assert differences(ROOT / name) == []


@pytest.mark.parametrize("name", [*FILES, "a.zip"])
def test_bytes_and_open_files_give_the_same_records_as_a_path(files: Path, name: str) -> None:
    path = files / name
    expected = list(urlscan.scan_file(path))
    assert list(urlscan.scan_bytes(path.read_bytes(), name=str(path))) == expected
    with path.open("rb") as file:
        assert list(urlscan.scan_file(file)) == expected
        assert not file.closed
    stream = NotSeekable(path.read_bytes(), str(path))
    assert list(urlscan.scan_file(stream)) == expected  # type: ignore[arg-type]


class NotSeekable:
    """A stream with `read` and nothing else; it returns a few bytes at a time."""

    def __init__(self, data: bytes, name: str) -> None:
        self._file = io.BytesIO(data)
        self.name = name

    def read(self, size: int) -> bytes:
        return self._file.read(min(size, 7))


def test_open_file_is_read_from_its_position(files: Path) -> None:
    with (files / "a.txt").open("rb") as file:
        file.read(10)
        found = list(urlscan.scan_file(file, kind="plain"))
    assert [one.url for one in found[:2]] == ["http://h.example/bc", "http://h.example/cgi-"]
    assert found[0].start == FILES["a.txt"].index(b"http://h.example/b") - 10


@pytest.mark.parametrize("seekable", [True, False])
def test_large_open_file_is_read_in_chunks(files: Path, monkeypatch: pytest.MonkeyPatch, seekable: bool) -> None:
    monkeypatch.setattr("urlscan.api.inputs.LARGE", 100)
    monkeypatch.setattr("urlscan.pipeline.read.LARGE", 100)
    for name in ("a.mbox", "a.txt", "a.zip"):
        expected = list(urlscan.scan_file(files / name))
        with (files / name).open("rb") as file:
            given = file if seekable else NotSeekable(file.read(), file.name)
            assert list(urlscan.scan_file(given)) == expected  # type: ignore[arg-type]
        assert list(urlscan.scan_bytes((files / name).read_bytes(), name=str(files / name))) == expected


def test_object_with_the_descriptor_of_another_file_is_read_itself(files: Path) -> None:
    with gzip.open(files / "a.txt.gz") as file:
        assert [one.url for one in urlscan.scan_file(file)] == ["http://h.example/a"]  # type: ignore[arg-type]


def test_records_arrive_before_the_file_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.mbox"
    path.write_bytes(MBOX * 60_000)  # 60 MB
    size = 0

    class Counting(walk.OpenFile):
        def read(self, start: int, stop: int) -> bytes:
            nonlocal size
            data = super().read(start, stop)
            size += len(data)
            return data

    monkeypatch.setattr(walk, "OpenFile", Counting)
    found = urlscan.scan_file(path)
    assert next(found).url == "http://h.example/a/b0"
    assert 0 < size < 8_000_000
    found.close()  # type: ignore[attr-defined]


_PEAK = """
import re, sys, urlscan
for function in (urlscan.scan_file, urlscan.lint_file):
    print(function.__name__, sum(1 for _ in function(sys.argv[1])))
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_memory_does_not_depend_on_the_size_of_a_mailbox(tmp_path: Path) -> None:
    message = MAIL % (1, 1) + b"A line of the message without any address of a document.\n" * 2_000 + b"\n"
    peaks = []
    for times in (25, 400):  # 3 and 45 MB
        (tmp_path / "a.mbox").write_bytes(message * times)
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, str(tmp_path / "a.mbox")], env=clean_environment(), capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        *counts, peak = done.stdout.split()
        assert counts == ["scan_file", str(times * 3), "lint_file", str(times)]
        peaks.append(int(peak))
    assert peaks[1] < peaks[0] + 20_000  # KB


def test_mail_is_located_by_message(files: Path) -> None:
    found = list(urlscan.scan_file(files / "a.mbox"))
    assert [one.message_id for one in found if one.url.startswith("ftp")] == [f"{n}@h.example" for n in range(3)]
    assert {one.date for one in found} == {"2002-08-22T11:26:25Z"}
    data = FILES["a.mbox"]
    assert all(data[one.start : one.end].decode("latin-1") == one.raw for one in found)


def test_scan_paths_returns_what_it_did_not_read(files: Path) -> None:
    (files / "sub").mkdir()
    (files / "sub" / "urlscan.toml").write_text('exclude = ["b.txt"]')
    for name in ("a.txt", "b.txt"):
        (files / "sub" / name).write_text("http://h.example/sub")
    results = list(urlscan.scan_paths([files / "sub", files / "a.bin", str(files / "missing")]))
    assert [(Path(one.path).name, one.url) for one in results if isinstance(one, urlscan.Located)] == [
        ("a.txt", "http://h.example/sub")
    ]
    assert [one for one in results if isinstance(one, urlscan.Skipped)] == [
        urlscan.Skipped(str(files / "a.bin"), "binary file", was_named=True),
        urlscan.Skipped(str(files / "missing"), "No such file or directory", is_error=True),
    ]


def test_scan_paths_takes_one_path_and_several_processes(files: Path) -> None:
    expected = list(urlscan.scan_paths([files]))
    assert expected == list(urlscan.scan_paths(str(files), jobs=2)) == list(urlscan.scan_paths(files, jobs=None))


def test_dash_is_the_name_of_a_file(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    Path("-").write_text("http://h.example/dash")
    assert [one.url for one in urlscan.scan_file("-")] == ["http://h.example/dash"]
    assert [one.url for one in urlscan.scan_bytes(b"http://h.example/bytes", name="-")] == ["http://h.example/bytes"]


# --- lint


@pytest.mark.parametrize("name", [*FILES, "a.zip"])
def test_lint_file_returns_the_findings_of_check(files: Path, name: str) -> None:
    path = files / name
    found = list(urlscan.lint_file(path))
    done = command("check", "-q", "--isolated", "--format", "concise", str(path))
    assert "".join(urlscan.render(found, "concise", summary=False)) == done.text
    assert list(urlscan.lint_bytes(path.read_bytes(), name=str(path))) == found
    with path.open("rb") as file:
        assert list(urlscan.lint_file(file)) == found


@pytest.mark.parametrize(
    "format", ["full", "concise", "json", "jsonl", "grouped", "github", "gitlab", "junit", "rdjson"]
)
def test_render_writes_the_report_of_check(files: Path, format: urlscan.Format) -> None:
    done = command("check", "--isolated", "--format", format, str(files / "a.mbox"), str(files / "a.html"))
    findings = urlscan.lint_paths([files / "a.mbox", files / "a.html"], settings=urlscan.Settings())
    assert "".join(urlscan.render(findings, format)) == done.text


@pytest.mark.parametrize("format", urlscan.Format.__args__)
def test_render_shows_findings_that_came_without_their_text(format: urlscan.Format) -> None:
    findings = urlscan.lint("See <ftp://jo:x1y2z3@h.example/a|b>")
    for given in (findings, findings[:], pickle.loads(pickle.dumps(findings)), iter(findings)):
        report = "".join(urlscan.render(given, format))
        assert "U101" in report
        assert "x1y2z3" not in report


def test_render_shows_the_text_of_what_lint_returned() -> None:
    report = "".join(urlscan.render(urlscan.lint("See <ftp://jo:x1y2z3@h.example/a|b>")))
    assert "See <ftp://jo:***@h.example/a|b>" in report
    with pytest.raises(ConfigError, match="sarif"):
        urlscan.render([], "yaml")  # type: ignore[arg-type]


def test_lint_paths_uses_the_closest_configuration(files: Path) -> None:
    (files / "urlscan.toml").write_text('ignore = ["U403"]\n[per-file-ignores]\n"*.mbox" = ["U201"]')
    (files / "bad.txt").write_text("http://h.example/%zz http://h.example:99999/")
    paths = [files / "a.mbox", files / "bad.txt"]

    def found(**options: urlscan.Settings) -> set[tuple[str, str]]:
        results = urlscan.lint_paths(paths, **options)
        return {(Path(one.path).name, one.code) for one in results if isinstance(one, urlscan.Finding)}

    assert found() == {("bad.txt", "U201")}
    assert found(settings=urlscan.Settings()) == {("bad.txt", "U201"), ("bad.txt", "U403"), ("a.mbox", "U201")}


def test_settings_of_a_path_contain_everything_that_its_configuration_says(files: Path) -> None:
    (files / "urlscan.toml").write_text('profile = "rfc3987"\n[per-file-ignores]\n"*.mbox" = ["U301"]')
    (files / "tests").mkdir()
    settings = urlscan.settings_for(files / "a.mbox")
    assert settings.profile == "rfc3987"
    assert "U301" in settings.ignore
    assert "U301" not in urlscan.settings_for(files / "a.txt").ignore
    assert "U101" in urlscan.settings_for(files / "tests" / "a.txt").ignore
    found = urlscan.lint_file(files / "a.mbox", settings=settings)
    assert {one.code for one in found} == {
        one.code for one in urlscan.lint_paths(files / "a.mbox") if isinstance(one, urlscan.Finding)
    }


# --- wrong arguments


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: urlscan.scan_bytes("a"), "use urlscan.scan$"),
        (lambda: urlscan.lint_bytes(Path("a")), "use urlscan.lint_file"),
        (lambda: urlscan.scan_file(b"a"), "use urlscan.scan_bytes"),
        (lambda: urlscan.lint_file(3), "a path or a binary file, not int"),
        (lambda: next(urlscan.scan_file(io.StringIO("a"))), "open it in binary mode"),
        (lambda: urlscan.scan_file("a", nope=True), "unknown option 'nope'"),
        (lambda: urlscan.scan_bytes(b"a", kind=b"html"), "^kind must be a str, not bytes$"),
        (lambda: urlscan.scan_bytes(b"a", encoding=5), "^encoding must be a str, not int$"),
        (lambda: urlscan.lint_bytes(b"a", name=b"a.md"), "name must be a str, not bytes$"),
        (lambda: urlscan.scan_file("a", jobs="2"), "^jobs must be an int, not str$"),
        (lambda: urlscan.scan("a", kind=5), "^kind must be a str, not int$"),
        (lambda: next(urlscan.render([5], "full")), "^urlscan.render takes findings, not int$"),
    ],
)
def test_argument_of_another_type_names_the_right_function(call, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError, match=message):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: urlscan.scan_bytes(b"", kind="troff"),
        lambda: urlscan.scan_file("a", encoding="nope"),
        lambda: urlscan.scan_file("a", parts="some"),
        lambda: urlscan.scan_file("a", jobs=0),
        lambda: urlscan.scan_paths([""]),
        lambda: urlscan.scan_paths("a", config="missing.toml"),
        lambda: urlscan.lint_file("a", settings=urlscan.Settings(select=("U999",))),
        lambda: urlscan.lint_paths("a", settings=urlscan.Settings(rejoin="always")),
    ],
)
def test_wrong_option_is_reported_before_anything_is_read(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError):
        call()


def test_directory_is_not_a_file(files: Path) -> None:
    with pytest.raises(SourceError, match="Is a directory"):
        next(urlscan.scan_file(files))


def test_unreadable_file_raises_an_error_with_its_path(files: Path) -> None:
    with pytest.raises(SourceError, match="missing: No such file") as raised:
        next(urlscan.scan_file(files / "missing"))
    assert raised.value.path == str(files / "missing")
    (files / "damaged.gz").write_bytes(FILES["a.txt.gz"][:-9])
    with pytest.raises(SourceError, match=r"damaged\.gz"):
        list(urlscan.lint_file(files / "damaged.gz"))


# --- threads and processes


def test_threads_get_the_same_records(files: Path) -> None:
    paths = [files / name for name in ("a.mbox", "a.html", "a.zip", "a.py")] * 6
    expected = [list(urlscan.lint_file(path)) for path in paths]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda path: list(urlscan.lint_file(path)), paths)) == expected


def test_process_with_threads_is_not_forked(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("forked"))
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert list(urlscan.scan_paths(files, jobs=4)) == list(urlscan.scan_paths(files))
    finally:
        stop.set()
        thread.join()


def test_spawned_processes_get_the_same_records(files: Path) -> None:
    paths = [str(files / name) for name in ("a.mbox", "a.html")]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(count, paths) == [count(path) for path in paths]


def test_event_loop_runs_while_a_file_is_read(files: Path) -> None:
    async def main() -> tuple[int, int]:
        both = (asyncio.to_thread(count, str(files / name)) for name in ("a.mbox", "a.html"))
        first, second = await asyncio.gather(*both)
        return first, second

    assert asyncio.run(main()) == (count(str(files / "a.mbox")), count(str(files / "a.html")))


def test_records_can_be_pickled_and_converted(files: Path) -> None:
    records = [
        *urlscan.scan_paths([files, files / "missing"]),
        *urlscan.lint_file(files / "a.mbox"),
        *urlscan.scan("http://h.example/a"),
        urlscan.fix("http://h.example/a|b"),
        urlscan.Settings(),
        urlscan.FindOptions(),
        urlscan.parse("ftp://h.example/a|b"),
        urlscan.resolve_with_problems("a", "b"),
    ]
    assert pickle.loads(pickle.dumps(records)) == records
    for record in records:
        assert dataclasses.asdict(record)
        assert "x1y2z3" not in repr(record)


# --- fix


def test_fix_returns_the_text_and_both_lists_of_findings() -> None:
    fixed = urlscan.fix("é <a href='http://h.example/a|b'> <a href='http://h.example/%zz'>", kind="html")
    assert fixed.text == "é <a href='http://h.example/a%7Cb'> <a href='http://h.example/%zz'>"
    assert [(one.code, one.start, one.end) for one in fixed.applied] == [("U101", 29, 30)]
    assert [fixed.text[one.start : one.end] for one in fixed.remaining] == ["%zz"]


def test_fix_applies_unsafe_fixes_on_request() -> None:
    text = "See http://h.example/cgi-bin/a|b for"
    assert urlscan.fix(text).text == text
    assert urlscan.fix(text, unsafe=True).remaining != urlscan.fix(text).remaining


@pytest.mark.parametrize("text", ["", "\ufeffa", "a\ud800\udcffb", "\x00", "a\r\nb", "𝒳 http://h.example/a"])
def test_fix_keeps_any_text_without_findings(text: str) -> None:
    assert urlscan.fix(text) == urlscan.Fixed(text, (), ())


@pytest.mark.parametrize("kind", [kind for kind in urlscan.TextKind.__args__ if kind not in ("mail", "ipynb")])
def test_fix_leaves_what_lint_finds(kind: urlscan.TextKind) -> None:
    text = "é # -*- coding: latin-1 -*- <meta charset=utf-16> 'http://h.example/a|b' <http://h.example/%zz>"
    remaining = urlscan.fix(text, kind=kind, settings=urlscan.Settings(ignore=("U101",))).remaining
    assert list(remaining) == urlscan.lint(text, kind=kind, settings=urlscan.Settings(ignore=("U101",)))


def test_mail_is_not_fixed() -> None:
    text = FILES["a.eml"].decode("latin-1")
    fixed = urlscan.fix(text, kind="mail", unsafe=True)
    assert (fixed.text, fixed.applied) == (text, ())
    assert [one.code for one in fixed.remaining] == [one.code for one in urlscan.lint(text, kind="mail")] != []


def test_settings_accept_lists() -> None:
    settings = urlscan.Settings(select=["U201"], schemes=["x-a"])  # type: ignore[arg-type]
    assert [one.code for one in urlscan.lint("http://h.example/%zz", settings=settings)] == ["U201"]


def test_mask_hides_what_the_command_hides() -> None:
    assert urlscan.mask("see ftp://jo:x1y2z3@h.example/") == "see ftp://jo:***@h.example/"


def test_rules_describe_themselves() -> None:
    rules = urlscan.rules()
    assert len({rule.code for rule in rules}) == len(rules) > 40
    assert all(rule.summary and rule.why for rule in rules)
    from urlscan.rules import REGISTRY  # the package of the same name

    assert [entry.code for entry in REGISTRY] == [rule.code for rule in urlscan.rules()]
