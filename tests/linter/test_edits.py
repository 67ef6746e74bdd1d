"""Test that edits change only what they should, and that files are never partially written."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import clean_environment, urlscan
from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.records import Edit, Finding, Fix, Severity
from urlscan.documents import read_documents
from urlscan.files import atomic_write
from urlscan.files.atomic_write import write
from urlscan.files.safe_open import Directory
from urlscan.linter.edits import apply

# Safe fixes are applied to destinations in markup only, so the file is Markdown.
PASSED = b"All checks passed: 1 file, 3 URLs, 0 links.\n"
DIRTY = "See <http://h.example/a^b> and\n[c](http://h.example/c|d) or <http://h.example/%zz>\n"
CLEAN = "See <http://h.example/a%5Eb> and\n"


def finding(*edits: tuple[int, int, str], applicability: str = "safe") -> Finding:
    fix = Fix(applicability, tuple(Edit(*edit) for edit in edits))
    start = edits[0][0]
    return Finding("U101", "x", Severity.ERROR, "", "", "-", 1, 1, 1, 1, start, edits[-1][1], fix=fix)


def applied(data: bytes, *findings: Finding, unsafe: bool = False) -> tuple[bytes, int]:
    new, fixed = apply(data, list(findings), Document(data.decode("latin-1")), unsafe=unsafe)
    return new, len(fixed)


def test_edits_are_applied() -> None:
    assert applied(b"abcdef", finding((1, 2, "X")), finding((4, 5, ""))) == (b"aXcdf", 2)


def test_first_of_two_overlapping_edits_is_applied() -> None:
    assert applied(b"abcdef", finding((2, 4, "Y")), finding((1, 3, "X"))) == (b"aXdef", 1)


def test_adjacent_edits_do_not_overlap() -> None:
    assert applied(b"abcdef", finding((1, 2, "X")), finding((2, 3, "Y"))) == (b"aXYdef", 2)


def test_insertion_overlaps_an_edit_that_begins_or_ends_there() -> None:
    assert applied(b"abcdef", finding((2, 2, "X")), finding((2, 3, "Y"))) == (b"abXcdef", 1)
    assert applied(b"abcdef", finding((1, 2, "X")), finding((2, 2, "Y"))) == (b"aXcdef", 1)


def test_fix_is_applied_completely_or_not_at_all() -> None:
    assert applied(b"abcdef", finding((3, 4, "X")), finding((0, 1, "("), (3, 3, ")"))) == (b"(bc)def", 1)


def test_unsafe_fixes_are_applied_on_request() -> None:
    assert applied(b"abc", finding((0, 1, "X"), applicability="unsafe")) == (b"abc", 0)
    assert applied(b"abc", finding((0, 1, "X"), applicability="unsafe"), unsafe=True) == (b"Xbc", 1)


def test_fix_without_effect_or_outside_the_text_is_not_applied() -> None:
    assert applied(b"abc", finding((0, 1, "a")), finding((2, 9, "x"))) == (b"abc", 0)


def test_fix_that_cannot_be_encoded_is_not_applied() -> None:
    (document,) = read_documents(b"abc", encoding="latin-1")
    assert apply(b"abc", [finding((0, 1, "日"))], document) == (b"abc", [])


def test_fixes_are_written_in_the_encoding_of_the_source() -> None:
    data = "\ufeffa^".encode("utf-16-le")
    (document,) = read_documents(data)
    assert apply(data, [finding((4, 6, "%5E"))], document)[0].decode("utf-16") == "a%5E"


@given(st.binary(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=10))
def test_text_outside_the_edits_is_unchanged(data: bytes, spans: list[tuple[int, int]]) -> None:
    requested = [finding((*sorted(span), "<>")) for span in spans]  # type: ignore[arg-type]
    new, fixed = apply(data, requested, Document(""))
    edits = sorted((one.fix.edits[0] for one in fixed if one.fix), key=lambda edit: (edit.start, edit.end))
    rest, done = b"", 0
    for edit in edits:
        assert edit.start >= done
        rest, done = rest + data[done : edit.start], edit.end
    assert new.replace(b"<>", b"", len(edits)) == rest + data[done:] or b"<>" in data


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n", "\r").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: b"\xff caf\xe9\x0c\n" + text.encode() + b"\x80",
        lambda text: text.encode("utf-16"),
        lambda text: b"\x00\x00\xfe\xff" + text.encode("utf-32-be"),
    ],
    ids=["plain", "BOM", "CRLF", "CR", "no last newline", "not UTF-8", "UTF-16", "UTF-32"],
)
def test_file_is_unchanged_except_for_fixes(tmp_path: Path, encode: Callable[[str], bytes]) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(encode("größe " + DIRTY))
    done = urlscan("check", "--fix", "--ignore", "U201", str(path))
    message = "" if b"\0" in path.read_bytes() or _is_utf_8(path.read_bytes()) else NOT_UTF_8
    assert (done.status, done.out, done.err) == (0, b"Fixed 2 findings.\n" + PASSED, message)
    fixed = path.read_bytes()
    assert fixed == encode(("größe " + DIRTY).replace("^", "%5E").replace("|", "%7C"))
    again = urlscan("check", "--fix", "--ignore", "U201", str(path))
    assert (again.status, again.out) == (0, PASSED)
    assert path.read_bytes() == fixed


def test_mode_is_kept_and_no_temporary_file_remains(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(DIRTY)
    path.chmod(0o2751)
    assert urlscan("check", "--fix", str(path)).status == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o2751
    assert path.read_text().startswith(CLEAN)
    assert os.listdir(tmp_path) == ["a.md"]


def test_file_without_fixes_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("http://h.example/\n")
    before = path.stat()
    urlscan("check", "--fix", str(path))
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_target_of_a_symbolic_link_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real/a.md", tmp_path / "link.md"
    real.write_text(CLEAN.replace("%5E", "^"))
    link.symlink_to("real/a.md")
    assert urlscan("check", "--fix", str(link)).status == 0
    assert link.is_symlink()
    assert real.read_text() == CLEAN


NOT_UTF_8 = "urlscan: invalid bytes in 1 file (-v lists the files)\n"


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_name_of_maximum_length_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    path.write_text(DIRTY)
    write(str(path), b"new")
    assert path.read_bytes() == b"new"


def test_failed_write_is_an_error_and_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **_more: object) -> None:
        raise OSError(30, os.strerror(30))

    path = tmp_path / "a.txt"
    path.write_text(DIRTY)
    monkeypatch.setattr(Directory, "exchange", lambda *_: False)
    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(SourceError, match=r"a\.txt: cannot be fixed: Read-only file system"):
        write(str(path), b"new")
    assert os.listdir(tmp_path) == ["a.txt"]
    assert path.read_text() == DIRTY


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_read_only_file_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(DIRTY)
    path.chmod(0o444)
    done = urlscan("check", "--fix", str(path))
    assert (done.status, done.err) == (2, f"urlscan: {path}: cannot be fixed: Permission denied\n")
    assert "a^b" in done.text, "the finding is still reported"
    assert path.read_text() == DIRTY


def test_device_cannot_be_fixed(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a regular file"):
        write("/dev/null", b"")


def test_fixed_standard_input_is_written_and_findings_go_to_standard_error() -> None:
    done = urlscan("check", "--fix", "--format", "concise", "--stdin-filename", "a.md", "-", stdin=DIRTY.encode())
    assert done.status == 1
    assert done.text.startswith(CLEAN)
    assert "U201" in done.err
    assert "U201" not in done.text


@pytest.mark.parametrize("data", [b"", b"http://h.example/\n", b"\0binary", b"\xff\xfeb\0"])
def test_standard_input_without_fixes_is_written_unchanged(data: bytes) -> None:
    done = urlscan("check", "--fix", stdin=data)
    assert (done.status, done.out) == (0, data)


def test_excluded_standard_input_is_written_unchanged() -> None:
    data = DIRTY.encode()
    done = urlscan("check", "--fix", "--stdin-filename", "docs/a.txt", "--exclude", "docs", "-", stdin=data)
    assert (done.status, done.out) == (0, data)


def test_unsafe_fixes_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("<http://h.example/%zz>\n")
    assert urlscan("check", "--fix", str(path)).status == 1
    assert path.read_text() == "<http://h.example/%zz>\n"
    assert urlscan("check", "--fix", "--unsafe-fixes", str(path)).status == 0
    assert path.read_text() == "<http://h.example/%25zz>\n"
    assert urlscan("check", "--unsafe-fixes", str(path)).status == 2


# --- kill -9


def killed_at(line: int, path: Path, data: bytes) -> bool:
    """Write in a child process that is killed before its n-th line; return whether it was killed."""
    child = os.fork()
    if child == 0:  # the child must not return into the tests of the parent
        leftovers = line

        def trace(frame: FrameType, event: str, _argument: object) -> object:
            nonlocal leftovers
            if frame.f_code.co_filename != atomic_write.__file__:
                return None
            leftovers -= event == "line"
            if leftovers < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return trace

        sys.settrace(trace)
        write(str(path), data)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="os.fork is not available")
@pytest.mark.parametrize("named", [False, True], ids=["unnamed temporary file", "named temporary file"])
def test_file_is_old_or_new_when_killed_at_any_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    if named:
        monkeypatch.setattr(os, "O_TMPFILE", 0, raising=False)
    path = tmp_path / "a.txt"
    old, new = b"old\n" * 100_000, b"new!\n" * 100_000
    seen, leftovers, line = [], 0, 0
    path.write_bytes(old)
    while killed_at(line, path, new):
        seen.append(path.read_bytes())
        assert seen[-1] in (old, new)
        others = [name for name in os.listdir(tmp_path) if name != "a.txt"]
        leftovers += len(others)
        for name in others:
            assert name.startswith(".urlscan-")
            (tmp_path / name).unlink()
        path.write_bytes(old)
        line += 1
    assert line > 20
    assert seen[0] == old
    assert seen[-1] == new
    assert path.stat().st_size in (len(old), len(new))
    if not named and hasattr(os, "O_TMPFILE"):
        assert leftovers <= 24, "temporary files remain only while the two names are exchanged"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="os.fork is not available")
def test_killed_command_leaves_complete_files(tmp_path: Path) -> None:
    old = b"[a](http://h.example/a|b)\n" * 2000
    new = old.replace(b"|", b"%7C")
    for number in range(40):
        (tmp_path / f"{number}.md").write_bytes(old)
    command = [sys.executable, "-m", "urlscan", "check", "--fix", "--quiet", str(tmp_path)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=clean_environment())
    while not any((tmp_path / f"{number}.md").read_bytes() == new for number in range(40)):
        assert running.poll() is None
    running.kill()
    running.wait()
    contents = [(tmp_path / f"{number}.md").read_bytes() for number in range(40)]
    assert set(contents) <= {old, new}
    assert len(os.listdir(tmp_path)) <= 41
