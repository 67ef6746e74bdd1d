"""Make work trees of git without git: an index, and files on disk."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def make_work_tree(
    root: Path, files: Mapping[str, str | bytes], tracked: Iterable[str] | None = None, submodules: Iterable[str] = ()
) -> None:
    """Write files and a repository that tracks them.

    Args:
        root: the top of the work tree.
        files: the contents by path.
        tracked: the tracked paths; None for all of the files.
        submodules: the paths of submodules.
    """
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content.encode() if isinstance(content, str) else content)
    git = root / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True, exist_ok=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    names = [(os.fsencode(path), 0o100644) for path in (files if tracked is None else tracked)]
    names += [(os.fsencode(path), 0o160000) for path in submodules]
    (git / "index").write_bytes(_index(sorted(names)))


def _index(entries: list[tuple[bytes, int]]) -> bytes:
    """Return an index of version 2 (gitformat-index(5))."""
    data = b"DIRC" + (2).to_bytes(4, "big") + len(entries).to_bytes(4, "big")
    for name, mode in entries:
        head = bytes(24) + mode.to_bytes(4, "big") + bytes(12) + bytes(20) + min(len(name), 0xFFF).to_bytes(2, "big")
        entry = head + name
        data += entry + bytes(8 - len(entry) % 8)
    return data + hashlib.sha1(data, usedforsecurity=False).digest()
