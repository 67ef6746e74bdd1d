"""Test that a file is replaced only if it is unchanged, and keeps its permissions, attributes and links."""

import errno
import os
import stat
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from urlscan.cli import main
from urlscan.core.errors import ChangedError, SourceError
from urlscan.files.atomic_write import AtomicFile, Original, write
from urlscan.files.safe_open import Directory, state_of
from urlscan.pipeline import fix, read

DIRTY = "See <http://h.example/a|b>\n"
FIXED = "See <http://h.example/a%7Cb>\n"
ACL = "system.posix_acl_access"
DEFAULT_ACL = "system.posix_acl_default"
on_posix = pytest.mark.skipif(os.name == "nt", reason="permissions, links and handles of POSIX")


def access_list(*entries: tuple[int, int, int]) -> bytes:
    """Return the value of an ACL attribute: entries of tag, permissions and id."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


USER_OBJ, USER, GROUP_OBJ, MASK, OTHER, NO_ID = 0x01, 0x02, 0x04, 0x10, 0x20, 0xFFFFFFFF
# User 12345 may read and write; the group has no access.
ACL_VALUE = access_list(
    (USER_OBJ, 6, NO_ID), (USER, 6, 12345), (GROUP_OBJ, 0, NO_ID), (MASK, 6, NO_ID), (OTHER, 0, NO_ID)
)


def set_attribute(path: Path, name: str, value: bytes) -> None:
    """Set an extended attribute, or skip the test."""
    if not hasattr(os, "setxattr"):
        pytest.skip("this system has no os.setxattr")
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        pytest.skip(f"no {name} on this file system: {error.strerror}")


def original_of(path: Path, root: Path | None = None) -> Original:
    return Original(path.read_bytes(), state_of(str(path)), None if root is None else str(root))


# --- edits by other programs


@pytest.fixture
def edit_after_reading(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Return a function that schedules an edit by another program between reading and writing."""

    def schedule(edit: Callable[[], object]) -> None:
        fix_source = fix.fix_source

        def slow(*arguments: Any, **options: Any) -> fix.FixResult:
            edit()
            return fix_source(*arguments, **options)

        monkeypatch.setattr(fix, "fix_source", slow)

    return schedule


def replace_by_rename(path: Path, text: str) -> None:
    other = path.with_name("other")
    other.write_text(text)
    other.replace(path)


EDITS: dict[str, Callable[[Path], object]] = {
    "appended": lambda path: path.write_text(DIRTY + "a new line\n"),
    "rewritten with as many bytes": lambda path: path.write_text(DIRTY.replace("See", "Saw")),
    "replaced by an editor": lambda path: replace_by_rename(path, "new\n"),
    "emptied": lambda path: path.write_text(""),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edit_between_reading_and_writing_is_kept(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    edit: Callable[[Path], object],
) -> None:
    paths = [tmp_path / f"{number}.md" for number in range(3)]
    for path in paths:
        path.write_text(DIRTY)
    work, edited = fix.fix_source, iter(paths)

    def slow(*arguments: Any, **options: Any) -> Any:
        edit(next(edited))
        return work(*arguments, **options)

    monkeypatch.setattr(fix, "fix_source", slow)
    status = main(["check", "--fix", *map(str, paths)])
    expected = tmp_path / "expected"
    expected.write_text(DIRTY)
    edit(expected)
    assert {path.read_text() for path in paths} == {expected.read_text()}
    errors = capfd.readouterr().err
    assert status == 2
    for path in paths:
        assert f"urlscan: {path}: not fixed: changed by another program since it was read\n" in errors
    assert "urlscan: 3 files not written: changed by another program\n" in errors
    assert sorted(os.listdir(tmp_path)) == ["0.md", "1.md", "2.md", "expected"]


def test_removed_file_is_not_created_again(
    tmp_path: Path, edit_after_reading: Callable[[Callable[[], object]], None], capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.md"
    path.write_text(DIRTY)
    edit_after_reading(path.unlink)
    assert main(["check", "--fix", str(path)]) == 2
    assert "not fixed: removed by another program" in capfd.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("edit", [EDITS["appended"], EDITS["replaced by an editor"]], ids=["written", "renamed"])
def test_edit_at_the_last_moment_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: Callable[[Path], object]
) -> None:
    """A file that changes after the last comparison gets its name back."""
    path, expected = tmp_path / "a.md", tmp_path / "expected"
    path.write_text(DIRTY)
    expected.write_text(DIRTY)
    edit(expected)
    exchange, edits = Directory.exchange, iter([edit])

    def late(self: Directory, one: str, other: str) -> bool:
        for one_edit in edits:
            one_edit(path)
        return exchange(self, one, other)

    monkeypatch.setattr(Directory, "exchange", late)
    with pytest.raises(ChangedError, match="not fixed: changed by another program since it was read"):
        write(str(path), b"fixed", original=original_of(path))
    assert path.read_text() == expected.read_text()
    assert sorted(os.listdir(tmp_path)) == ["a.md", "expected"]


def test_without_exchange_an_edit_before_the_rename_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text(DIRTY)

    def refuse(*_: object) -> bool:
        path.write_text("edited\n")
        return False

    monkeypatch.setattr(Directory, "exchange", refuse)
    with pytest.raises(ChangedError):
        write(str(path), b"fixed", original=original_of(path))
    assert path.read_text() == "edited\n"
    assert os.listdir(tmp_path) == ["a.md"]


@pytest.mark.parametrize("has_handles", [True, False])
def test_without_exchange_and_handles_files_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_handles: bool
) -> None:
    """Simulate macOS and Windows."""
    monkeypatch.setattr("urlscan.files.safe_open._exchange", lambda *_: False)
    monkeypatch.setattr("urlscan.files.safe_open.HAS_HANDLES", has_handles)
    monkeypatch.setattr(os, "O_TMPFILE", 0, raising=False)
    path = tmp_path / "a.md"
    path.write_text(DIRTY)
    path.chmod(0o640)
    write(str(path), b"fixed", original=original_of(path))
    write(str(tmp_path / "new.md"), b"new", new=True)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"fixed", 0o640)
    assert sorted(os.listdir(tmp_path)) == ["a.md", "new.md"]


def test_new_file_is_closed_before_it_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows neither renames nor replaces open files."""
    monkeypatch.setattr("urlscan.files.safe_open._exchange", lambda *_: False)
    monkeypatch.setattr(os, "O_TMPFILE", 0, raising=False)
    replace, opened = os.replace, []

    def record_open_files(*arguments: Any, **options: Any) -> None:
        opened.append({os.path.realpath(entry) for entry in Path("/proc/self/fd").iterdir()})
        replace(*arguments, **options)

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("there is no /proc/self/fd")
    monkeypatch.setattr(os, "replace", record_open_files)
    path = tmp_path / "a.md"
    path.write_text("old")
    write(str(path), b"new", original=original_of(path))
    assert len(opened) == 1
    assert not {name for name in opened[0] if name.startswith(f"{tmp_path}{os.sep}")}


@pytest.mark.parametrize("exists", [False, True], ids=["created", "changed"])
def test_report_does_not_overwrite_a_concurrent_change(tmp_path: Path, exists: bool) -> None:
    path = tmp_path / "report"
    if exists:
        path.write_text("old")
    with AtomicFile(str(path), "written", new=True) as file:
        file.write(b"report")
        path.write_text("another program")
        with pytest.raises(ChangedError, match=r"not written: (created|changed) by another program meanwhile"):
            file.keep()
    assert path.read_text() == "another program"
    assert os.listdir(tmp_path) == ["report"]


# --- symbolic links


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory that contains a tree with one file to fix, and the same file outside of the tree."""
    for directory in ("tree/docs", "outside"):
        (tmp_path / directory).mkdir(parents=True)
        (tmp_path / directory / "a.md").write_text(DIRTY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def swap_file(tree: Path) -> None:
    (tree / "tree/docs/a.md").unlink()
    (tree / "tree/docs/a.md").symlink_to(tree / "outside/a.md")


def swap_directory(tree: Path) -> None:
    (tree / "tree/docs").rename(tree / "tree/moved")
    (tree / "tree/docs").symlink_to(tree / "outside")


@on_posix
@pytest.mark.parametrize("swap", [swap_file, swap_directory])
@pytest.mark.parametrize("moment", ["before it is read", "after it was read"])
@pytest.mark.parametrize("root", ["tree", "tree/", "tree/docs"])
def test_walked_file_is_never_written_outside_the_tree(
    tree: Path, monkeypatch: pytest.MonkeyPatch, swap: Callable[[Path], None], moment: str, root: str
) -> None:
    if root == "tree/docs" and swap is swap_directory and moment == "before it is read":
        pytest.skip("a named directory may be a symbolic link")
    module, name = (read, "read_or_open") if moment == "before it is read" else (fix, "fix_source")
    work = getattr(module, name)

    def slow(*arguments: Any, **options: Any) -> Any:
        swap(tree)
        return work(*arguments, **options)

    monkeypatch.setattr(module, name, slow)
    assert main(["check", "--fix", root]) == 2
    assert (tree / "outside/a.md").read_text() == DIRTY
    assert os.listdir(tree / "outside") == ["a.md"]


@on_posix
def test_named_path_may_be_a_symbolic_link_to_a_directory(tree: Path) -> None:
    (tree / "link").symlink_to("tree")
    assert main(["check", "--fix", "link"]) == 0
    assert (tree / "tree/docs/a.md").read_text() == FIXED


@on_posix
def test_file_is_written_to_a_moved_directory(tree: Path) -> None:
    """The handle of the directory is used, not its path, which may have been replaced."""
    with AtomicFile("tree/docs/a.md", original=original_of(tree / "tree/docs/a.md", Path("tree"))) as file:
        file.write(b"new")
        swap_directory(tree)
        file.keep()
    assert (tree / "tree/moved/a.md").read_text() == "new"
    assert (tree / "outside/a.md").read_text() == DIRTY


# --- metadata


@on_posix
def test_file_with_hard_links_is_not_written(tmp_path: Path) -> None:
    path, other = tmp_path / "a.md", tmp_path / "b.md"
    path.write_text(DIRTY)
    other.hardlink_to(path)
    with pytest.raises(SourceError, match="cannot be fixed: it has 2 hard links"):
        write(str(path), b"new")
    assert path.samefile(other)
    assert path.read_text() == DIRTY


@on_posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755, 0o4755, 0o2755, 0o1644])
def test_modes_are_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    path.chmod(mode)
    write(str(path), b"new", original=original_of(path))
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    set_attribute(path, "user.origin", b"\0value")
    write(str(path), b"new", original=original_of(path))
    assert (path.read_text(), os.getxattr(path, "user.origin")) == ("new", b"\0value")


def test_access_control_list_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    set_attribute(path, ACL, ACL_VALUE)
    before = path.stat().st_mode
    write(str(path), b"new", original=original_of(path))
    assert (path.read_text(), os.getxattr(path, ACL), path.stat().st_mode) == ("new", ACL_VALUE, before)


def test_default_access_control_list_is_not_applied(tmp_path: Path) -> None:
    """The default list of the directory would allow user 12345 to write."""
    path = tmp_path / "a.md"
    path.write_text("old")
    path.chmod(0o644)
    set_attribute(tmp_path, DEFAULT_ACL, ACL_VALUE)
    write(str(path), b"new", original=original_of(path))
    assert path.read_text() == "new"
    assert ACL not in os.listxattr(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize("name", ["user.origin", ACL])
def test_file_is_not_written_if_its_attributes_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    set_attribute(path, name, ACL_VALUE)

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "setxattr", refuse)
    action = "access control list" if name == ACL else "extended attribute user.origin"
    with pytest.raises(SourceError, match=f"cannot be fixed: {action} cannot be kept: Operation not permitted"):
        write(str(path), b"new", original=original_of(path))
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.md"]


@on_posix
def test_file_is_not_written_if_its_group_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    path = tmp_path / "a.md"
    path.write_text("old")
    if os.geteuid() != 0:
        pytest.skip("only the superuser can change the owner of a file")
    os.chown(path, 12345, 12345)
    monkeypatch.setattr(os, "fchown", refuse)
    with pytest.raises(SourceError, match="cannot be fixed: owner and group cannot be kept"):
        write(str(path), b"new")
    assert path.read_text() == "old"


@on_posix
def test_setuid_bit_is_dropped_if_the_owner_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")
    if os.geteuid() != 0:
        pytest.skip("only the superuser can change the owner of a file")
    os.chown(path, 12345, 12345)
    path.chmod(0o6775)
    change = os.fchown

    def only_the_group(descriptor: int, owner: int, group: int) -> None:
        if owner != -1:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        change(descriptor, owner, group)

    monkeypatch.setattr(os, "fchown", only_the_group)
    write(str(path), b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (0, 12345, 0o2775)


@on_posix
@pytest.mark.parametrize("named", [False, True], ids=["unnamed temporary file", "named temporary file"])
@pytest.mark.parametrize("has_list", [False, True], ids=["mode", "access control list"])
def test_access_is_never_wider_than_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool, has_list: bool
) -> None:
    """Check after every call that the new file does not allow access that the old one denied."""
    if named:
        monkeypatch.setattr(os, "O_TMPFILE", 0, raising=False)
    path = tmp_path / "a.md"
    path.write_text("old")
    path.chmod(0o640)
    if has_list:
        set_attribute(path, ACL, ACL_VALUE)
    seen: list[tuple[int, bool]] = []

    def recorded(call: Callable[..., Any]) -> Callable[..., Any]:
        def call_and_record(descriptor: int, *arguments: Any) -> Any:
            result = call(descriptor, *arguments)
            attributes = os.listxattr(descriptor) if hasattr(os, "listxattr") else []
            seen.append((stat.S_IMODE(os.fstat(descriptor).st_mode), ACL in attributes))
            return result

        return call_and_record

    for name in ("fchown", "fchmod", "setxattr", "removexattr"):
        if hasattr(os, name):
            monkeypatch.setattr(os, name, recorded(getattr(os, name)))
    file = AtomicFile(str(path), original=original_of(path))
    with file:
        file.write(b"new")
        assert stat.S_IMODE(os.fstat(file._file.fileno()).st_mode) == 0o600
        file.keep()
    final = stat.S_IMODE(path.stat().st_mode), has_list
    assert seen
    # With a list, the group bits represent its mask, so they may only be set together with it.
    assert set(seen) <= {(0o600, False), final}
