"""Test that large texts yield the same URLs in the same order, however they are divided."""

import os
import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import urlscan
from tests.strategies import examples
from urlscan import finder
from urlscan.core.document import Document
from urlscan.core.offsets import LineIndex
from urlscan.core.settings import Settings
from urlscan.files import chunks, random_access
from urlscan.files.walk import Source
from urlscan.finder import find, find_in_document, split_points
from urlscan.pipeline import check, divide
from urlscan.pipeline import read as pipeline_read

_LETTER = "See <URL:ftp://ds.inter\nnic.net/rfc> and\nhttp://example.org/{0}.\n\n"
_PAGE = (
    "<http://example.org/long/\n\n\nJo                 [Page 3]\n\f\nTitle        1994\n\n\n"
    "http://inner.example/{0}>.\n\n"
)
TEXT = "".join((_PAGE if number % 3 == 0 else _LETTER).format(number) for number in range(60))


class Memory:
    """A source in memory with the interface of a file."""

    counted = None

    def __init__(self, data):
        self.data, self.size = data, len(data)

    def read(self, start, stop):
        return self.data[max(start, 0) : stop]

    def close(self):
        pass


@pytest.mark.parametrize("size", [6, 7, 8, 11])
@pytest.mark.parametrize("text", ["a\r\nb\rc\n\r\n\rd", "Zürich – 中文 🌾 é", "é\r\n中\r🌾\n\r\nd中"])
def test_line_counts_do_not_depend_on_the_size_of_blocks(monkeypatch, text, size):
    monkeypatch.setattr(random_access, "_COUNTED", size)
    places = [len(text[:offset].encode()) for offset in range(len(text) + 1)]
    source = random_access.Memory(text.encode())
    forward = random_access.Positions(source)
    expected = [LineIndex(text).position(offset) for offset in range(len(text) + 1)]
    in_line_end = {offset for offset in range(1, len(text)) if text[offset - 1 : offset + 1] == "\r\n"}
    for offset, place in enumerate(places):
        if offset not in in_line_end:  # no URL begins within CRLF
            assert forward.of(place) == random_access.Positions(source).of(place) == expected[offset]


OPTIONS = finder.FindOptions()


def occurrences_in(chunk, options=OPTIONS):
    return list(find_in_document(chunk, options))


def mapped(make_chunks, jobs, work):
    """Return the results of `work` for each chunk."""
    return [
        result
        for batch, _ in divide.map_batches(make_chunks, jobs, lambda chunks: list(map(work, chunks)))
        for result in batch
    ]


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("size", [64, 200, 1000])
def test_results_do_not_depend_on_the_division_of_a_text(monkeypatch, jobs, size):
    monkeypatch.setattr(divide, "DIVIDED", 1)
    monkeypatch.setattr(divide, "CHUNK_SIZE", size)
    divided = partial(divide.chunks_in, Document(TEXT), jobs)
    assert len(list(divided())) > jobs
    results = mapped(divided, jobs, occurrences_in)
    assert [found for part in results for found in part] == list(find(TEXT))


def test_division_cuts_a_page_break():
    """Otherwise the test above would not show that the next chunk is read again."""
    places = split_points(TEXT, 100)
    assert any(found.start < place < found.end for place in places for found in find(TEXT))


# --- chunks of files

PIECES = st.sampled_from(
    [
        *"<URL:§http://h.example/a§http://§h.example/-§-§>§é§🌾§\udcff§\n§\r\n§\r§\n\n§ ".split("§"),
        *"'§\"§%2§(§)§> §# §a§mailto:jo@h.example".split("§"),
        "http://h.example/long-\nname.html ",
        "http://h.example/longname.html ",
        "[Page 3]\n\f\nTitle\n\n",
    ]
)  # fmt: skip


def found_in_chunks(data, size, options):
    """Return the spans and records of a file that is read in chunks."""

    def make_chunks():
        return (lambda make=make: [make()] for make in chunks.file_chunks(Memory(data), None, size))

    def work(chunk):
        without_offsets = {"start": 0, "end": 0, "outer_start": 0, "outer_end": 0, "faults": ()}
        found = occurrences_in(chunk, options)
        return [(one._replace(**without_offsets), chunk.locate(one.start, one.end)) for one in found]

    return [one for part in mapped(make_chunks, 1, work) for one in part]


@examples(300)
@given(st.lists(PIECES, max_size=40).map("".join), st.integers(8, 120), st.sampled_from(["wrapped", "guess", "never"]))
def test_results_do_not_depend_on_the_size_of_chunks(text, size, rejoin):
    data = text.encode("utf-8", "surrogateescape")
    options = finder.FindOptions(look_alikes=True, continuations=True, schemeless=True, emails=True, rejoin=rejoin)
    assert found_in_chunks(data, size, options) == found_in_chunks(data, 1 << 20, options)


@examples(200)
@given(st.lists(PIECES, max_size=40).map("".join), st.integers(8, 120))
def test_chunks_cover_the_text(text, size):
    data = text.encode("utf-8", "surrogateescape")
    (whole,) = pipeline_read.documents_of(pipeline_read.Source("a.txt", data), pipeline_read.ReadOptions())
    covered = ""
    for make in chunks.file_chunks(Memory(data), None, size):
        document = make()
        covered += document.text[document.start : document.stop]
        if document.start < document.stop:
            assert (
                document.locate(document.start, document.stop)[:2]
                == whole.locate(len(covered) - document.stop + document.start, len(covered))[:2]
            )
    assert covered == whole.text


def test_chunks_can_be_read_without_those_before_them():
    data = b"x http://h.example/a\n\n" * 100
    whole = [make().text for make in chunks.file_chunks(Memory(data), None, 300)]
    for first, last in ((0, 3), (3, None), (7, 7), (99, None)):
        some = [make().text for make in chunks.file_chunks(Memory(data), None, 300, first, last)]
        assert some == whole[first:last]


@pytest.mark.parametrize(
    ("size", "around", "name"),
    [(1 << 24, 0, "longname"), (1 << 10, 1 << 18, "longname"), (1 << 10, 1 << 10, "long-name")],
)
def test_evidence_is_counted_in_a_chunk_and_the_text_around_it(monkeypatch, size, around, name):
    monkeypatch.setattr(chunks, "_AFTER", around)
    filler = "x y z\n" * 3000
    text = f"See <http://h.example/long-\nname> now.\n{filler}http://h.example/longname\n"
    ((one, _), _) = found_in_chunks(text.encode(), size, finder.FindOptions())
    assert one.url == f"http://h.example/{name}"


def test_evidence_is_counted_across_chunks_of_a_text_in_memory(monkeypatch):
    monkeypatch.setattr(divide, "DIVIDED", 1)
    monkeypatch.setattr(divide, "CHUNK_SIZE", 200)
    far = "x y z\n\n" * 1000
    text = f"{far}See <http://h.example/long-\nname> now.\n\n{far}http://h.example/longname\n"
    results = mapped(partial(divide.chunks_in, Document(text), 1), 1, occurrences_in)
    assert [one.url for found in results for one in found] == ["http://h.example/longname"] * 2


@pytest.mark.slow
def test_findings_do_not_depend_on_the_size_limits(tmp_path, monkeypatch):
    lines = "".join(f"line {number} http://h.example/{number}|x é\n" for number in range(2000))
    (tmp_path / "a.txt").write_text(lines)

    def found():
        results = check.check([str(tmp_path / "a.txt")], Settings(), pipeline_read.ReadOptions())
        return [finding for result in results for finding in result.findings]

    small = found()
    monkeypatch.setattr(pipeline_read, "LARGE", 1000)
    monkeypatch.setattr(chunks, "SIZE", 5000)
    monkeypatch.setattr(chunks.file_chunks, "__defaults__", (5000, 0, None))
    assert len(small) == 2000
    assert found() == small


# --- many files


@pytest.mark.slow
def test_results_of_many_files_do_not_depend_on_processes(tmp_path):
    for number in range(1500):
        folder = tmp_path / f"d{number % 7}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.txt").write_text(f"http://h.example/{number}|x\n" + "word " * 900)
    (tmp_path / "d3" / "bad").symlink_to("/nowhere")
    paths = ["d0", "missing", "d1", "d2", "d3", "d4", "d5", "d6"]
    for command in (["extract"], ["extract", "--format", "jsonl"], ["check"], ["check", "--format", "json"]):
        one, two = (urlscan(*command, "-j", jobs, *paths, cwd=tmp_path) for jobs in ("1", "2"))
        assert one == two
        assert one.status == 2
        assert one.text.count("http://h.example/") >= 1500


# --- memory


def test_processes_share_what_the_first_files_have_loaded(tmp_path):
    """The first few files are searched before processes are forked, a file of a megabyte is not."""

    def processes(*sizes):
        paths = [tmp_path / f"{number}.txt" for number in range(len(sizes))]
        for path, size in zip(paths, sizes, strict=True):
            path.write_text("a" * size)
        items = [Source(str(path)) for path in paths]
        return list(divide.map_files(items, 2, lambda item, jobs, limit: iter([os.getpid()])))

    small, large = 1 << 10, 1 << 20
    own = os.getpid()
    found = processes(small, small, large, large, large, large)
    assert found[:2] == [own, own]
    assert own not in found[2:]
    assert own not in processes(large, large, large, large, large, large)
    assert processes(small, small, large) == [own] * 3


@pytest.mark.slow
def test_memory_does_not_grow_with_the_size_of_the_file(tmp_path):
    line = "See <URL:http://h.example/long/\nname.html>, http://www.h.example/a?b=c and the rest of this line.\n\n"
    peaks = []
    for size in (10, 30):
        with (tmp_path / "large.txt").open("w") as file:
            block = line * (1_000_000 // len(line))
            for _ in range(size):
                file.write(block)
        peaks.append(_peak([sys.executable, "-m", "urlscan", "extract", "-j", "1", str(tmp_path / "large.txt")]))
    assert peaks[1] < 150_000
    assert peaks[1] < peaks[0] * 1.2


def _peak(command):
    """Return the peak memory of a process in KiB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    results = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True, check=True)
    return int(results.stdout)
