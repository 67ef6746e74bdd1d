"""The progress of long runs: shown on a terminal only, apart from other output, and gone at the end."""

import os
import re
import sys
import time
from pathlib import Path
from unittest.mock import ANY

import pytest

from tests.terminal import Terminal
from urlscan.cli.progress import _text
from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.settings import FindOptions
from urlscan.files.random_access import OpenFile
from urlscan.files.walk import Source
from urlscan.finder import find_in_document
from urlscan.pipeline.progress import Progress

BAD = "<http://h.example/a|b>\n"
FINDING = 'U101 unsafe-character error: "|" (U+007C) must be escaped in the path'
REMOVED = "\r\x1b[K"
# The command with a shorter delay than two seconds.
_SOON = "import sys; from urlscan.cli import main, progress; progress.DELAY = 0.05; {}; sys.exit(main(sys.argv[1:]))"


def start(cwd: Path, *arguments: str, also: str = "pass", stdout: int | None = None, **environment: str) -> Terminal:
    """Start the command in a terminal without colors."""
    command = [sys.executable, "-c", _SOON.format(also), *arguments]
    return Terminal(*command, cwd=cwd, stdout=stdout, **{"NO_COLOR": "1", **environment})


def screen(text: str) -> str:
    """Return what is left on the screen of lines that were removed."""
    return "\n".join(line.rpartition(REMOVED)[2] for line in text.replace("\r\n", "\n").split("\n"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a directory with a file and two pipes, at which a run waits until something is written to them."""
    (tmp_path / "a.txt").write_text(BAD)
    for name in ("first", "second"):
        os.mkfifo(tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("also", ["pass", "sys.modules['tqdm'] = None"], ids=["bar", "words"])
def test_line_counts_files_and_is_removed_for_other_output(tree: Path, jobs: str, also: str) -> None:
    arguments = ["check", "--format", "concise", "-j", jobs, "first", "second", "a.txt"]
    with start(tree, *arguments, also=also) as terminal:
        shown = terminal.expect("0/3 files")
        (tree / "first").write_text(BAD)
        shown += terminal.expect("1/3 files")
        (tree / "second").write_text(BAD)
        status, rest = terminal.finish()
    assert status == 1
    expected = [f"{name}:1:20: {FINDING}\n" for name in ("first", "second", "a.txt")]
    assert screen(shown + rest) == "".join(expected) + "Found 3 errors.\n3 fixes available with --fix --unsafe-fixes.\n"


def test_files_are_counted_when_they_are_read_not_when_their_turn_has_come(tree: Path) -> None:
    """One process waits at a pipe while another reads the last file."""
    for name, size in (("a.txt", 10_000), ("b.txt", 100_000), ("c.txt", 100_000)):  # one batch has 2 MB
        (tree / name).write_text(BAD.replace("|", "/") * size)
    with start(tree, "check", "-j", "2", "a.txt", "first", "b.txt", "c.txt") as terminal:
        terminal.expect("2/4 files")
        (tree / "first").write_text("")
        assert terminal.finish()[0] == 0


def test_line_is_drawn_while_one_file_is_read(tree: Path) -> None:
    with start(tree, "extract", "-j", "2", "first") as terminal:
        terminal.expect("0/1 file")
        terminal.expect("0/1 file")  # again: the timer draws, not the end of a file
        (tree / "first").write_text(BAD)
        status, rest = terminal.finish()
    assert (status, screen(rest)) == (0, "http://h.example/a|b\n")


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(["--no-progress"], {}), (["-q"], {}), ([], {"TERM": "dumb"})],
    ids=["no-progress", "quiet", "dumb"],
)
def test_line_can_be_switched_off(tree: Path, arguments: list[str], environment: dict[str, str]) -> None:
    with start(tree, "extract", *arguments, "first", **environment) as terminal:
        time.sleep(0.5)
        (tree / "first").write_text(BAD)
        assert terminal.finish() == (0, "http://h.example/a|b\r\n")


def test_nothing_is_drawn_if_output_is_a_pipe(tree: Path) -> None:
    reading, writing = os.pipe()
    with start(tree, "extract", "first", stdout=writing) as terminal:
        os.close(writing)
        time.sleep(0.5)
        (tree / "first").write_text(BAD)
        assert terminal.finish() == (0, "")
    with open(reading) as pipe:
        assert pipe.read() == "http://h.example/a|b\n"


def test_line_is_drawn_if_output_is_a_file(tree: Path) -> None:
    with open(tree / "out", "w") as out, start(tree, "extract", "-j", "2", "first", stdout=out.fileno()) as terminal:
        terminal.expect("0/1 file")
        (tree / "first").write_text(BAD)
        status, rest = terminal.finish()
    assert (status, screen(rest)) == (0, "")
    assert (tree / "out").read_text() == "http://h.example/a|b\n"


def test_nothing_is_drawn_while_text_is_typed(tmp_path: Path) -> None:
    with start(tmp_path, "extract", "-") as terminal:
        terminal.send("see http://h.example/a\n")
        time.sleep(0.5)
        terminal.send("\x04")
        status, shown = terminal.finish()
    assert status == 0
    assert "files" not in shown


def test_line_is_removed_on_an_interrupt(tree: Path) -> None:
    with start(tree, "check", "-j", "2", "first") as terminal:
        terminal.expect("0/1 file")
        terminal.send("\x03")
        status, rest = terminal.finish()
    assert status == 130
    assert screen(rest) in ("", "^C")


def test_short_run_draws_nothing(tree: Path) -> None:
    with Terminal(sys.executable, "-m", "urlscan", "extract", "a.txt", cwd=tree) as terminal:
        assert terminal.finish() == (0, "http://h.example/a|b\r\n")


# --- the numbers


def fixed(files: int, size: int, all_files: int, all_size: int | None) -> Progress:
    """Return a progress with given numbers."""
    progress = Progress()
    progress._earlier, progress.all_files, progress.all_size = (files, size), all_files, all_size
    return progress


def test_words_state_files_bytes_rate_and_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    shown = _text(fixed(1203, 34_500_000, 5000, 98_000_000), 3.0, 100)
    assert shown == "1,203/5,000 files, 34.5/98.0 MB, 11.5 MB/s, 6 s left"
    assert _text(fixed(1203, 34_500_000, 5000, None), 3.0, 100) == "1,203/5,000 files, 34.5 MB, 11.5 MB/s"
    assert _text(fixed(0, 0, 1, 0), 3.0, 100) == "0/1 file, 0.0 MB, 0.0 MB/s"
    assert len(_text(fixed(1203, 34_500_000, 5000, 98_000_000), 3.0, 20)) == 20


def test_bar_states_files_bytes_rate_and_remaining_time() -> None:
    pytest.importorskip("tqdm")
    shown = _text(fixed(1203, 34_500_000, 5000, 98_000_000), 3.0, 100)
    assert shown.startswith("1,203/5,000 files:  35%|")
    assert re.search(r"\| 34\.5M/98\.0M \[00:03<00:05, 11\.5MB/s\]$", shown)
    assert len(shown) <= 100


def test_sizes_are_those_of_the_files_and_positions_those_of_large_ones(tmp_path: Path) -> None:
    items = []
    for name, size in (("a", 10), ("b", 200)):
        (tmp_path / name).write_bytes(b"x" * size)
        items.append(Source(str(tmp_path / name)))
    progress = Progress()
    assert progress.expect(iter([*items, SourceError("c", "unreadable")])) == [*items, ANY]
    assert (progress.files, progress.size, progress.all_files, progress.all_size) == (0, 0, 2, 210)
    progress.finish(items[0])
    assert (progress.files, progress.size) == (1, 10)
    with open(tmp_path / "b", "rb") as file:
        large = OpenFile(file, "b")
        progress.follow(large)
        large.read(0, 150)
        assert progress.size == 160
    progress.finish(items[1])
    progress.finish(SourceError("c", "unreadable"))
    assert (progress.files, progress.size) == (2, 210)


def test_batches_have_counters_that_survive_a_second_division(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10)
    item, progress = Source(str(tmp_path / "a")), Progress()
    progress.finish(item)
    for _ in range(2):
        progress.divide(2)
        for number in (0, 1, 1):  # the second batch is begun again, as if its process had ended
            progress.begin_batch(number)
            progress.finish(item)
        progress.begin_batch(-1)
    assert (progress.files, progress.size) == (5, 50)


def test_position_in_a_document_is_that_of_the_last_url(tmp_path: Path) -> None:
    document = Document("http://h.example/a " * 1000)
    progress = Progress()
    for number, match in enumerate(progress.track(find_in_document(document, FindOptions()), document)):
        assert 0 <= match.start - progress.size < 2000
        assert number < 1000
    progress.finish(Source("a"))
    assert progress.size == 0


def test_size_of_standard_input_is_unknown() -> None:
    progress = Progress()
    progress.expect([Source("-", is_stdin=True), Source("a")])
    assert (progress.all_files, progress.all_size) == (2, None)
