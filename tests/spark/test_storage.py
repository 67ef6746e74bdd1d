"""Files are found and read in other file systems than the local one."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

from tests.spark.reading import names_of, rows_of
from tests.spark.test_partitions import FROM, MESSAGE
from urlscan.core.errors import ConfigError
from urlscan.spark import storage

Tree = Callable[[str], list[str]]


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory that is the file system `fake://bucket`, which is not local."""

    def file_system_of(base: str) -> tuple[SubTreeFileSystem, str]:
        assert base == "fake://bucket"
        return SubTreeFileSystem(str(tmp_path), LocalFileSystem()), ""

    monkeypatch.setattr(storage, "file_system_of", file_system_of)
    return tmp_path


def names(location: str) -> list[str]:
    return [file.name.removeprefix("fake://bucket/") for file in storage.find_files([location])]


def test_patterns(bucket: Path) -> None:
    for name in (
        "a/1.txt",
        "a/2.txt",
        "a/b/3.txt",
        "a/b/3.md",
        "a/_SUCCESS",
        "a/.hidden/4.txt",
        "c/5.txt",
        "d[1]/6.txt",
    ):
        (bucket / name).parent.mkdir(parents=True, exist_ok=True)
        (bucket / name).write_text("http://h.example/")
    assert names("fake://bucket/a/1.txt") == ["a/1.txt"]
    assert names("fake://bucket/a") == ["a/1.txt", "a/2.txt", "a/b/3.md", "a/b/3.txt"]
    assert names("fake://bucket/*/[13-5].txt") == ["a/1.txt", "c/5.txt"]
    assert names("fake://bucket/a/?.txt") == ["a/1.txt", "a/2.txt"]
    assert sorted(names("fake://bucket/**/*.txt")) == ["a/1.txt", "a/2.txt", "a/b/3.txt", "c/5.txt", "d[1]/6.txt"]
    assert names("fake://bucket/{a,c}/{1,5}.txt") == ["a/1.txt", "c/5.txt"]
    assert names("fake://bucket/a/_*") == ["a/_SUCCESS"]
    assert names("fake://bucket/d[1]/6.txt") == ["d[1]/6.txt"]
    with pytest.raises(ConfigError, match='no files match "fake://bucket/b"'):
        names("fake://bucket/b")


def test_local_patterns(tmp_path: Path) -> None:
    for name in ("a/1.txt", "b/2.txt", "c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("http://h.example/")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    found = [file.name for file in storage.find_files([f"{tmp_path}/?", f"file://{tmp_path}/c.*", f"{tmp_path}/c.txt"])]
    assert found == [str(tmp_path / name) for name in ("a/1.txt", "b/2.txt", "c.txt")]


def test_too_many_alternatives_are_refused() -> None:
    with pytest.raises(ConfigError, match="too many alternatives in braces"):
        storage.find_files(["/nowhere/" + "{a,b}" * 30])


@pytest.mark.parametrize("table", ["source", "message", "occurrence", "finding"])
def test_rows_are_those_of_local_files(bucket: Path, table: str) -> None:
    mailbox = "".join(f"{FROM}{MESSAGE.format(number)}\n{'text ' * 8000}\n\n" for number in range(80))
    (bucket / "a.mbox").write_text(mailbox)
    (bucket / "b.html").write_text('<a href="http://h.example/100%">a</a>')
    varying = {"source_id", "path"}
    kept = [number for number, name in enumerate(names_of(table)) if name not in varying]

    def compared(location: object) -> list[list[object]]:
        return sorted(
            [[row[number] for number in kept] for row in rows_of(location, table=table, splitBytes="1m")], key=repr
        )

    found = compared("fake://bucket")
    assert found == compared(bucket)
    assert found


def test_secrets_of_a_uri_are_not_shown() -> None:
    uri = "s3://AKIA:hidden@bucket/lists/a.mbox?secret_key=hidden&region=r"
    assert storage.shown(uri) == "s3://AKIA:***@bucket/lists/a.mbox"
    with pytest.raises(ConfigError) as error:
        storage.find_files(["unknown://jo:hidden@h.example/a?secret_key=hidden"])
    assert "hidden" not in str(error.value)
