"""Measure memory per byte of hostile documents: it is bounded for every kind and every content.

Peaks are those of Python's allocator, which do not depend on the machine or its load.
"""

import gzip
import os
import subprocess
import sys
import tracemalloc
from collections import deque
from pathlib import Path

import pytest

from tests.command import clean_environment
from urlscan.cli import main
from urlscan.core.settings import Settings
from urlscan.documents import KINDS, MAIL, read_documents
from urlscan.documents.languages import LANGUAGES
from urlscan.files.random_access import OpenFile
from urlscan.files.walk import Source, read_or_open
from urlscan.pipeline import check, read

pytestmark = pytest.mark.slow

BAD = "<URL:http://h.example/%zz>\n"
MOST = 30  # allocated bytes per byte of the document
# Elements for which a reader stores something: anywhere, in programs and data, in markup.
EVERYWHERE = ("\n", "http://h/\n", "a\n b", "[a](b) ", '"a" ', "\\& ", "# a\n")
IN_CODE = ("a\\n", "\\u0026", '""', '"a"\n', "'a' ", '"a""b",', "/*a*/ ", "[],", '{"a":1},', '"\\n" "\\n" ')
IN_MARKUP = (
    "&#38;", "&amp;", "[a]: b\n", "<a href=b>", "<a href=&amp;>", "\\url{a}", "`a` ", "`a <b\\c>`_ ", "[[a]]",
    ".UR a\n", "@uref{a}", "url(a) ", "~a~ ", "[a](&amp;\\&) ",
)  # fmt: skip
UNITS = {kind: EVERYWHERE + (IN_CODE if kind in LANGUAGES else IN_MARKUP) for kind in KINDS}
UNITS["csv"] = UNITS["tsv"] = (*EVERYWHERE, *IN_CODE)
UNITS["ipynb"] = ("\n", "a\\n", '""', "\\u0026", "a\n b")


def document(kind: str, unit: str, size: int) -> bytes:
    if kind == "ipynb":
        unit = unit.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return ('{"cells":[{"cell_type":"markdown","source":"' + unit * (size // len(unit)) + '"}]}').encode()
    return (unit * (size // len(unit))).encode()


def peak(data: bytes, kind: str) -> int:
    """Return the peak number of bytes allocated while the document is read."""
    tracemalloc.start()
    try:
        for _ in read_documents(data, kind=kind):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def growth(kind: str, unit: str) -> float:
    """Return the number of additional bytes allocated per additional byte of a document."""
    small, large = document(kind, unit, 4_000), document(kind, unit, 20_000)
    deque(read_documents(small, kind=kind), maxlen=0)  # loads modules and compiles patterns
    return (peak(large, kind) - peak(small, kind)) / (len(large) - len(small))


# One reader serves all languages; these are the most different.
LANGUAGE_SAMPLE = {"json", "python", "shell", "sql", "vim"}
READERS = [kind for kind in KINDS if kind not in MAIL and (kind not in LANGUAGES or kind in LANGUAGE_SAMPLE)]


@pytest.mark.parametrize("kind", READERS)
def test_memory_per_byte_is_bounded(kind: str) -> None:
    found = {unit: growth(kind, unit) for unit in UNITS[kind]}
    assert not {unit: round(bytes) for unit, bytes in found.items() if bytes > MOST}


@pytest.mark.parametrize("charset", ["utf-7", "utf-8"])
def test_memory_per_byte_of_mail_is_bounded(charset: str) -> None:
    head = f"From: jo@h.example\nContent-Type: text/plain; charset={charset}\n\n".encode()
    small, large = (head + b"+AGE-" * (size // 5) for size in (6_000, 30_000))
    assert (peak(large, "mail") - peak(small, "mail")) / (len(large) - len(small)) < MOST


# --- findings


def test_excess_findings_are_dropped_with_a_note() -> None:
    data = BAD.encode() * 30_000
    source = read.Source("a.txt", data)
    (result,) = check.check_source(source, Settings(), read.ReadOptions())
    most = len(data) // 80
    assert len(result.findings) == most > 10_000
    assert result.findings[-1].line == most
    assert result.note == f"more than {most} findings; the rest is not reported"


def test_note_about_dropped_findings_is_written_to_standard_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(BAD * 10_001)
    (tmp_path / "b.txt").write_text(BAD * 10_000)
    (tmp_path / "c.eml").write_text("From: jo@h.example\n\n" + BAD * 10_001)
    assert main(["check", "--isolated", "--format", "concise", "--jobs", "1", str(tmp_path)]) == 1
    written = capfd.readouterr()
    assert written.out.count(" U201 ") == 30_000
    note = "more than 10000 findings; the rest is not reported"
    assert written.err.splitlines() == [f"urlscan: {tmp_path / name}: {note}" for name in ("a.txt", "c.eml")]


def test_secrets_after_the_last_kept_finding_are_masked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = "and <URL:http://jo:s3cret\n" + "pw@h.example/>\n"
    (tmp_path / "a.txt").write_text(BAD * 9_999 + BAD.rstrip() + " " + secret)
    assert main(["check", "--isolated", "--jobs", "1", str(tmp_path)]) == 1
    assert "s3cret" not in capfd.readouterr().out


# --- whole runs

_PEAK = """
import resource, sys
limit = int(sys.argv[1])
if limit:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
from urlscan.cli import main
status = main(sys.argv[2:])
for line in open("/proc/self/status"):
    if line.startswith("VmPeak"):
        print(int(line.split()[1]) * 1024, file=sys.stderr)
sys.exit(status)
"""
ADDRESSES = 3 << 20  # address space that the arenas of the allocator may reserve in addition


def limited(limit: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with limited address space (0: unlimited); the last line of its standard error is the peak."""
    return subprocess.run(
        [sys.executable, "-c", _PEAK, str(limit), *arguments], capture_output=True, text=True, check=False, timeout=120,
        env=clean_environment(),
    )  # fmt: skip


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize(
    "arguments",
    ["extract", "extract --format jsonl --relative --jobs 2", "check --format html --select ALL", "check --fix",
     "check --diff"],
)  # fmt: skip
def test_run_takes_at_most_30_bytes_per_unpacked_byte(tmp_path: Path, arguments: str) -> None:
    command, *options = arguments.split()
    data = document("ipynb", "a\n", 500_000)
    packed = "fix" not in arguments and "diff" not in arguments
    peaks = []
    for name, contents in (("small", document("ipynb", "a\n", 1_000)), ("large", data)):
        path = tmp_path / f"{name}.ipynb{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(contents) if packed else contents)
        limit = peaks[0] + MOST * len(data) + ADDRESSES if peaks else 0
        done = limited(limit, command, "--isolated", *options, str(path))
        assert done.returncode == 0, done.stderr
        peaks.append(int(done.stderr.splitlines()[-1]))


# --- pipes


def test_large_fifo_is_copied_to_a_file(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["sh", "-c", f"head -c 300000 /dev/zero > '{fifo}'"]):
        source = read_or_open(Source(str(fifo)), 1 << 16)
        assert isinstance(source, OpenFile)
        with source:
            assert source.size == 300_000
    with subprocess.Popen(["sh", "-c", f"printf http://h.example/ > '{fifo}'"]):
        assert read_or_open(Source(str(fifo)), 1 << 16) == b"http://h.example/"
