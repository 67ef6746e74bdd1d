"""Make work trees of git without git."""

from collections.abc import Iterable, Mapping
from pathlib import Path


def make_work_tree(root: Path, files: Mapping[str, str | bytes], submodules: Iterable[str] = ()) -> None:
    """Write files and a repository.

    Args:
        root: the top of the work tree.
        files: the contents by path.
        submodules: the paths of submodules.
    """
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content.encode() if isinstance(content, str) else content)
    git = root / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True, exist_ok=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    if submodules:
        (root / ".gitmodules").write_text("".join(f'[submodule "{path}"]\n\tpath = {path}\n' for path in submodules))
