"""Check the documents that refer to some files, which may have been changed, renamed or deleted."""

import re
from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.settings import Settings
from urlscan.files.repository import absolute
from urlscan.files.tree import Tree, exists
from urlscan.files.walk import STDIN
from urlscan.pipeline.check import check
from urlscan.pipeline.read import Notice, ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.targets.names import is_document

# The rules about files and anchors, which depend on the file that is referred to.
_CODES = ("U911", "U912", "U913", "U914")
_WORD = lazy(r"[A-Za-z0-9]{2,}")
_LARGEST = 1 << 24


def existing_paths(paths: list[str]) -> list[str]:
    """Return those of the given paths that exist, `-` and directories included."""
    return [path for path in paths if path == STDIN or exists(path)]


def check_referrers(
    paths: list[str], settings: Settings, read_options: ReadOptions, targets: Targets, jobs: int
) -> Iterator[Document | Notice]:
    """Yield the findings about references to given files, which may be deleted, in the documents of the same trees.

    The given files themselves are left out: they are checked as a whole.
    """
    files = frozenset(absolute(path) for path in paths if path != STDIN and exists(path) in (None, "file"))
    documents = [path for path in _documents(files, targets) if absolute(path) not in files]
    options = read_options._replace(targets=targets.restricted(files))
    for result in check([path for path in documents if not read_options.excludes(path, None)], settings, options, jobs):
        if isinstance(result, Document):
            yield result.with_findings([finding for finding in result.findings if finding.code in _CODES])


def _documents(files: frozenset[str], targets: Targets) -> Iterator[str]:
    """Yield the documents of the trees of some files that may refer to one of them."""
    by_root: dict[str, tuple[Tree, list[str]]] = {}
    for file in sorted(files):
        if (location := targets.index.place(file)) is not None:
            tree, path = location
            by_root.setdefault(tree.root, (tree, []))[1].append(path)
    for tree, paths in by_root.values():
        pattern = mention_pattern(paths)
        for path in tree.files:
            if is_document(path):
                data = tree.read(path, _LARGEST)
                if data is None or pattern.search(data.decode("latin-1")) is not None:
                    yield tree.shown(path)


def mention_pattern(paths: Iterable[str]) -> "re.Pattern[str]":
    """Return a pattern that matches in every document with a reference to one of the files, however it is encoded."""
    words = set()
    for path in paths:
        name = path.rpartition("/")[2].partition(".")[0]
        if name.lower() in ("readme", "index", "_index", "home"):  # a reference may name the directory
            words.add("")
        else:
            words.add(max(_WORD.findall(name), key=len, default=""))
    return re.compile("|".join(sorted(words)), re.IGNORECASE)
