"""FIFOs, devices and sockets in place of files, and files replaced by links, neither block nor are followed."""

import contextlib
import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.command import git, urlscan, urlscan_process
from urlscan import __version__
from urlscan.cli import main
from urlscan.core.errors import SourceError
from urlscan.files.safe_open import NotRegularError, TooLargeError, open_found, open_regular, read_regular
from urlscan.files.walk import Source, read_or_open, walk

TEXT = "http://h.example/a|b\n"
SECONDS = 5.0  # generous: a blocked run would wait forever


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        previous = os.getcwd()
        os.chdir(path.parent)  # the path of a socket has at most 108 bytes
        try:
            one.bind(path.name)
        finally:
            os.chdir(previous)


def make_device(name: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(name)


SPECIAL = {
    "a FIFO": make_fifo, "a socket": make_socket, "/dev/zero": make_device("/dev/zero"),
    "/dev/tty": make_device("/dev/tty"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def isolated_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


@pytest.fixture
def top(tmp_path: Path) -> Path:
    path = tmp_path / "top"
    path.mkdir()
    (path / "a.txt").write_text(TEXT)
    (path / "b.log").write_text(TEXT)
    git(path, "init")
    (path / ".git/info/exclude").write_text("*.log\n")
    return path


@contextlib.contextmanager
def time_limit() -> Iterator[None]:
    """Fail if the block does not finish in time; no handler of OSError catches that."""

    def interrupt(*_: object) -> None:
        raise AssertionError("blocked")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Listing(NamedTuple):
    """The names found by a walk, and its errors."""

    names: list[str]
    errors: list[str]


def listing_of(top: Path) -> Listing:
    with time_limit():
        items = list(walk([str(top)]))
    names = [item.relative() for item in items if not isinstance(item, SourceError)]
    return Listing(names, [str(item) for item in items if isinstance(item, SourceError)])


def replace(path: Path, make: Callable[[Path], None]) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    make(path)


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
@pytest.mark.parametrize("name", [".gitignore", ".git/config", "sub/.gitignore", "sub/.git"])
def test_special_files_of_a_repository_are_skipped(top: Path, name: str, make: Callable[[Path], None]) -> None:
    (top / name).parent.mkdir(exist_ok=True)
    replace(top / name, make)
    assert listing_of(top) == (["a.txt"], [])


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
@pytest.mark.parametrize("name", [".git/info/exclude", ".git", ".git/HEAD", ".git/commondir", ".git/refs"])
def test_special_ignore_files_hide_nothing(top: Path, name: str, make: Callable[[Path], None]) -> None:
    replace(top / name, make)
    assert "a.txt" in listing_of(top).names
    assert not listing_of(top).errors


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
@pytest.mark.parametrize("origin", ["repository", "user"])
@pytest.mark.parametrize("key", ["core.excludesFile", "include.path"])
def test_special_files_named_in_git_settings_are_skipped(
    top: Path, key: str, origin: str, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(top.parent / "special")
    if origin == "repository":
        git(top, "config", key, str(top.parent / "special"))
    else:
        section, name = key.split(".")
        (top.parent / "config").write_text(f"[{section}]\n{name} = {top.parent}/special\n")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(top.parent / "config"))
    assert listing_of(top) == (["a.txt"], [])


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--config", "special"), "cannot read the configuration"),
        (("--config", "extends.toml"), "no such file"),
        (("--baseline", "special"), "special: "),
        (("--write-baseline", "special"), "special: "),
        (("--config", "baseline.toml"), "special: "),
    ],
    ids=["--config", "extend", "--baseline", "--write-baseline", "baseline"],
)
def test_special_files_as_configuration_or_baseline_are_an_error(
    arguments: tuple[str, str],
    message: str,
    make: Callable[[Path], None],
    here: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make(here / "special")
    (here / "a.txt").write_text("x")
    (here / "extends.toml").write_text('extend = "special"\n')
    (here / "baseline.toml").write_text('baseline = "special"\n')
    with time_limit():
        assert main(["check", *arguments, "a.txt"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert message in err


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
@pytest.mark.parametrize("name", ["urlscan.toml", ".urlscan.toml", "pyproject.toml"])
def test_special_files_named_like_a_configuration_are_skipped(
    here: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(here / name)
    (here / "a.txt").write_text("x")
    with time_limit():
        assert main(["check", "a.txt"]) == 0


def make_link(path: Path) -> None:
    path.symlink_to("../../victim")


def make_file(path: Path) -> None:
    path.write_bytes(b"urlscan cache 1\n" + bytes(20))


@pytest.mark.parametrize("is_repository", [True, False])
@pytest.mark.parametrize("make", [*SPECIAL.values(), make_link, make_file], ids=[*SPECIAL, "a link", "a file"])
def test_nothing_is_kept_between_runs(tmp_path: Path, make: Callable[[Path], None], is_repository: bool) -> None:
    """A repository can contain a cache that a former version left there: digests of files without findings."""
    top = tmp_path / "top"
    (top / ".urlscan_cache").mkdir(parents=True)
    (top / "a.txt").write_text(TEXT)
    (top / "b.txt").write_text("http://www.mill.org/a\n")
    (top / "urlscan.toml").touch()
    if is_repository:
        git(top, "init")
    (tmp_path / "victim").write_text("precious\n")
    versions = [f"{version}-{python}" for version in ("0.1.0", __version__) for python in ("3.11", "3.12", "3.13")]
    for version in versions:
        make(top / f".urlscan_cache/{version}.digests")
    before = sorted(map(str, tmp_path.rglob("*")))
    with time_limit():
        for arguments in (["."], ["--isolated", "."], ["-j", "2", "."], ["-v", "."]):
            result = urlscan("check", "--format", "concise", *arguments, stdin=None, cwd=top)
            assert (result.status, result.lines[0].split(": ")[0]) == (1, "a.txt:1:19")
    assert sorted(map(str, tmp_path.rglob("*"))) == before
    assert (tmp_path / "victim").read_text() == "precious\n"


def test_named_inputs_may_be_special_files(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    if os.fork() == 0:
        try:
            fifo.write_text(TEXT)
        finally:
            os._exit(0)
    assert urlscan("extract", str(fifo), cwd=tmp_path).lines == ["http://h.example/a|b"]
    os.wait()
    for name in ("-", "/dev/stdin", "/dev/fd/0"):
        done = urlscan_process("extract", name, stdin=TEXT.encode(), cwd=tmp_path)
        assert done.status == 0
        assert b"http://h.example/a|b" in done.out
    link = tmp_path / "link"
    (tmp_path / "real").write_text(TEXT)
    link.symlink_to("real")
    assert urlscan("extract", "link", cwd=tmp_path).lines == ["http://h.example/a|b"]


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no devices")
def test_named_device_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/zero")
    with time_limit():
        result = urlscan("check", "--isolated", "link", "/dev/null", cwd=tmp_path)
    assert (result.status, result.err) == (2, "urlscan: link: is a device\n")


# --- files that change between listing and opening


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tree/sub/deep").mkdir(parents=True)
    (tmp_path / "tree/sub/deep/a.txt").write_text("inside")
    (tmp_path / "secret/deep").mkdir(parents=True)
    (tmp_path / "secret/deep/a.txt").write_text("outside")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*paths: str) -> Iterator[Source]:
    for item in walk(paths):
        assert not isinstance(item, SourceError)
        yield item


@pytest.mark.parametrize("in_git", [False, True], ids=["plain directory", "work tree"])
@pytest.mark.parametrize("root", ["tree", "./tree/", "tree/sub", "link", "link/sub"])
def test_found_file_is_opened_below_its_root(tree: Path, root: str, in_git: bool) -> None:
    (tree / "link").symlink_to("tree")
    if in_git:
        git(tree / "tree", "init")
    (item,) = found(root)
    assert item.root == root
    assert read_or_open(item, 100) == b"inside"
    large = read_or_open(item, 1)
    assert not isinstance(large, bytes)
    with large:
        assert large.read(0, 6) == b"inside"


@pytest.mark.parametrize("in_git", [False, True], ids=["plain directory", "work tree"])
@pytest.mark.parametrize(
    ("replaced", "target"),
    [
        ("tree/sub/deep/a.txt", "../../../secret/deep/a.txt"),
        ("tree/sub/deep", "../../secret/deep"),
        ("tree/sub", "../secret"),
    ],
)
def test_file_replaced_by_a_link_is_not_followed(tree: Path, replaced: str, target: str, in_git: bool) -> None:
    if in_git:
        git(tree / "tree", "init")
    for root in ("tree", "."):
        (item,) = [item for item in found(root) if not item.path.startswith("secret")]
        (tree / replaced).rename(tree / "old")
        (tree / replaced).symlink_to(target)
        assert Path(item.path).read_text() == "outside"
        with pytest.raises(SourceError) as error:
            read_or_open(item, 100)
        assert str(error.value).startswith(f"{item.path}: ")
        (tree / replaced).unlink()
        (tree / "old").rename(tree / replaced)


@pytest.mark.parametrize("make", SPECIAL.values(), ids=SPECIAL)
def test_file_replaced_by_a_special_file_does_not_block(tree: Path, make: Callable[[Path], None]) -> None:
    (item,) = found("tree")
    replace(tree / item.path, make)
    with pytest.raises(SourceError):
        read_or_open(item, 100)


def test_only_regular_files_are_opened(tree: Path) -> None:
    os.mkfifo(tree / "fifo")
    for path in ("fifo", "tree", "/dev/null"):
        with pytest.raises(NotRegularError):
            open_regular(path)
    with pytest.raises(NotRegularError):
        open_found("tree", "sub/deep")
    for path in ("../secret/deep/a.txt", "sub/../../secret/deep/a.txt"):
        with pytest.raises(ValueError, match="leads out"):
            open_found("tree", path)
    (tree / "link").symlink_to("tree/sub/deep/a.txt")
    assert read_regular("link", 6) == b"inside"
    with pytest.raises(OSError, match="symbolic links"):
        read_regular("link", 6, follow=False)
    with pytest.raises(TooLargeError):
        read_regular("link", 5)


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="the system has no /proc")
def test_file_that_the_system_hands_over_in_parts_is_read_whole() -> None:
    # Its size is 0, and one call returns a page of memory at most.
    data = read_regular("/proc/self/smaps", 1 << 24)
    assert len(data) > 1 << 12
    assert data.count(b"VmFlags") == data.count(b"Rss:")


def test_links_are_not_followed_without_directory_handles(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlscan.files.safe_open.HAS_HANDLES", False)
    descriptor = open_found("tree", "sub/deep/a.txt")
    assert os.read(descriptor, 9) == b"inside"
    os.close(descriptor)
    (tree / "tree/link").symlink_to("../secret")
    for path in ("link/deep/a.txt", "link"):
        with pytest.raises(OSError, match="symbolic links"):
            open_found("tree", path)


def test_opening_leaks_no_descriptor(tree: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for path in ("sub/deep/a.txt", "sub/deep", "sub/none/a.txt", "sub/deep/a.txt/b"):
        try:
            os.close(open_found("tree", path))
        except OSError:
            continue
    assert not before or len(os.listdir("/proc/self/fd")) == before
