"""Test that files without findings are not checked again, and that nothing is reported less because of it."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan.core.errors import SourceError
from urlscan.files.digests import DIGEST_BYTES, DigestFile, remove_digests
from urlscan.pipeline import cache
from urlscan.pipeline.check_source import check_source

BAD = "http://h.example/%zz\n"
CLEAN = "http://www.mill.org/a\n"


@pytest.fixture
def project(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with a configuration, three clean files and one with a finding."""
    (here / "urlscan.toml").touch()
    for name in ("a.txt", "b.md", "c.html"):
        (here / name).write_text(CLEAN)
    (here / "d.txt").write_text(BAD)
    return here


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which the names of the files are added that are checked, with one process."""
    names: list[str] = []

    def recorded(source, *arguments):
        names.append(os.path.normpath(source.path))
        return check_source(source, *arguments)

    monkeypatch.setattr(cache, "check_source", recorded)
    return names


def check(*arguments: str, jobs: int = 1) -> str:
    """Return all output of `check`."""
    result = urlscan("check", "-j", str(jobs), *arguments, stdin=None)
    return result.text + result.err


def clean() -> str:
    """Return all output of `clean`."""
    result = urlscan("clean", stdin=None)
    return result.text + result.err


def test_clean_files_are_checked_once(project: Path, checked: list[str]) -> None:
    first = check(".")
    assert "d.txt:1:18: U201" in first
    assert checked == ["a.txt", "b.md", "c.html", "d.txt", "urlscan.toml"]
    checked.clear()
    assert check(".") == first
    assert checked == ["d.txt"]
    assert check("--no-cache", ".") == first


def test_results_do_not_depend_on_processes(project: Path) -> None:
    first = check(".", jobs=2)
    saved = next((project / ".urlscan_cache").glob("*.digests")).read_bytes()
    assert len(saved) == len(b"urlscan cache 1\n") + 4 * 20
    assert check(".", jobs=2) == first == check(".")


def test_other_content_path_settings_or_version_is_checked(
    project: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check(".")
    checked.clear()
    (project / "a.txt").write_text(BAD)
    (project / "b.md").rename(project / "e.md")
    assert "a.txt:1:18: U201" in check(".")
    assert checked == ["a.txt", "d.txt", "e.md"]
    checked.clear()
    (project / "urlscan.toml").write_text('extend-select = ["U504"]\n')
    assert "c.html:1:1: U504" in check(".")
    assert len(checked) == 5
    checked.clear()
    check("--select", "U504", ".")
    assert len(checked) == 5
    monkeypatch.setattr("urlscan.__version__", "0.0.0")
    checked.clear()
    check(".")
    assert len(checked) == 5


def test_documents_that_refer_to_others_are_checked_again(project: Path) -> None:
    (project / ".hg").mkdir()  # outside of repositories, files may be missing
    (project / "b.md").write_text("[e](e.md)\n")
    (project / "e.md").write_text("E\n")
    assert "b.md" not in check(".")
    (project / "e.md").unlink()
    assert "b.md:1:5: U912" in check(".")


def test_ignored_findings_are_reported_when_they_are_no_longer_ignored(project: Path) -> None:
    (project / "urlscan.toml").write_text('[per-file-ignores]\n"d.txt" = ["U201"]\n')
    assert "d.txt" not in check(".")
    (project / "urlscan.toml").write_text("")
    assert "d.txt:1:18: U201" in check(".")


def test_a_few_named_files_use_no_cache(project: Path) -> None:
    check("a.txt", "b.md")
    check("--no-cache", ".")
    assert not (project / ".urlscan_cache").exists()


def test_no_cache_outside_of_projects(here: Path) -> None:
    (here / "a.txt").write_text(CLEAN)
    check(".")
    assert os.listdir() == ["a.txt"]


def test_fixing_uses_no_cache(project: Path, checked: list[str]) -> None:
    check("--fix", "--unsafe-fixes", ".")
    assert checked == []
    assert not (project / ".urlscan_cache").exists()
    assert (project / "d.txt").read_text() == "http://h.example/%25zz\n"


def test_cache_is_left_out_of_checks_and_of_git(project: Path) -> None:
    check(".")
    assert "skipped" not in check("-v", ".")
    assert (project / ".urlscan_cache/.gitignore").read_text() == "*\n"


def test_clean_removes_the_cache(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(".")
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    assert clean() == f"Removed {project / '.urlscan_cache'}\n"
    assert clean() == ""
    assert not (project / ".urlscan_cache").exists()


def test_clean_needs_a_project(here: Path) -> None:
    assert "no project" in clean()


def test_clean_keeps_files_of_others(project: Path) -> None:
    check(".")
    (project / ".urlscan_cache/notes.txt").touch()
    with pytest.raises(SourceError, match="cannot be removed"):
        remove_digests(str(project))
    assert (project / ".urlscan_cache/notes.txt").exists()


@pytest.mark.skipif(os.name == "nt", reason="creating symbolic links needs a privilege")
def test_symbolic_link_is_not_used(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (project / ".urlscan_cache").symlink_to(elsewhere)
    check(".")
    assert not os.listdir(elsewhere)
    assert clean() == ""


@pytest.mark.parametrize("data", [b"", b"x" * 100, b"urlscan cache 1\n" + b"x" * 19, b"urlscan cache 2\n"])
def test_damaged_file_is_replaced(project: Path, data: bytes) -> None:
    first = check(".")
    (file,) = (project / ".urlscan_cache").glob("*.digests")
    saved = file.read_bytes()
    file.write_bytes(data)
    assert check(".") == first
    assert file.read_bytes() == saved


def test_file_that_cannot_be_written_is_no_error(project: Path) -> None:
    first = check("--no-cache", ".")
    (project / ".urlscan_cache").write_text("")  # no directory
    assert check(".") == first


def test_writers_keep_the_digests_of_each_other(tmp_path: Path) -> None:
    one, two = (DigestFile(str(tmp_path), "a.digests") for _ in range(2))
    for number, file in enumerate((one, two)):
        file.use(bytes([number]) * DIGEST_BYTES)
        file.save()
    both = DigestFile(str(tmp_path), "a.digests")
    assert all(bytes([number]) * DIGEST_BYTES in both for number in (0, 1))


def test_unused_digests_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = b"o" * DIGEST_BYTES, b"n" * DIGEST_BYTES
    file = DigestFile(str(tmp_path), "a.digests")
    file.use(old)
    file.save()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86400)
    file = DigestFile(str(tmp_path), "a.digests")
    assert old in file
    file.use(new)
    file.save()
    file = DigestFile(str(tmp_path), "a.digests")
    assert new in file
    assert old not in file


def test_an_unchanged_cache_is_not_written(project: Path) -> None:
    check(".")
    (file,) = (project / ".urlscan_cache").glob("*.digests")
    before = file.stat().st_mtime_ns
    check(".")
    assert file.stat().st_mtime_ns == before
    shutil.rmtree(project / ".urlscan_cache")
