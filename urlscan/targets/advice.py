"""Decide whether a broken reference is information: each reason is an entry with a name, as in `excuses.py`."""

import os
from collections import Counter
from itertools import chain, islice

from urlscan.core.faults import Excuse
from urlscan.core.lazy import lazy
from urlscan.documents.identify import CHANGELOG, FROZEN, is_generated, is_named
from urlscan.files.patterns import Excluder
from urlscan.files.tree import Tree
from urlscan.targets.excuses import (
    FEWEST_MISSING,
    LARGEST_CONFIGURATION,
    MANY,
    BrokenReference,
    count_paths,
    sampled_destinations,
)
from urlscan.targets.generators import directories_above
from urlscan.targets.index import TargetIndex
from urlscan.targets.names import is_document, is_page, join
from urlscan.targets.references import is_relative, normalized
from urlscan.targets.resolve import find

# The fewest paths from a directory above that are no mistakes, the fewest documents with them, and how far above it is.
_FEWEST_PATHS, _FEWEST_SOURCES, _MOST_ABOVE = 10, 3, 8
# Documents for programs that run at the root of the repository and write code there.
_FOR_AGENTS = lazy(r"(?:.*/)?(?:\.(?:agents|claude|codex|cursor|gemini)/|SKILL\.md\Z)")
# Linguist, "Overrides: generated code"; gitattributes(5): a pattern with a slash at the end matches nothing.
# Matches: `docs/api.md linguist-generated`, `/api/*.md  text linguist-generated=true`, `a.md -linguist-generated`
# Does not match: `a.md linguist-vendored`, `docs/ linguist-generated`, `# a linguist-generated`
_MARK = lazy(rb"(?m)^([^\s#]\S*)(?<!/)(?:[ \t]+\S+)*?[ \t]+([-!]?)linguist-generated(=false)?(?:=true)?(?=\s|\Z)")
_FROM_DOCUMENT = ("./", "../")


def _is_published_elsewhere(broken: BrokenReference) -> bool:
    """Return whether relative paths lead to hardly any page or document from the directory, or from all beside it.

    A generator that follows paths between files says itself where they lead. A path from the root of the repository is
    wrong on every site.
    """
    path, publisher = broken.reference.path, broken.publisher
    is_source = not is_page(path) and (is_document(path) or path.startswith("../"))
    is_known = is_source or (publisher.is_detected and not publisher.leaves(path))
    if is_known or broken.segment.kind != "markdown" or not is_relative(broken.reference):
        return False
    trees, tree, directory = broken.trees, broken.document.tree, broken.document.directory
    from_root = normalized("", path) or ""
    if "/" in from_root and find(broken.document, from_root).state != "missing":
        return False
    key = ("pages", tree.root, broken.publisher.file)
    present, missing = trees.computed((*key, directory), lambda: count_paths(broken, tree.files_in(directory)))
    if present + missing < FEWEST_MISSING and directory:
        above = directory.rpartition("/")[0]
        nested = (join(above, name) for name, kind in tree.entries(above).items() if kind == "d")
        paths = chain.from_iterable(map(tree.files_in, chain((above,), nested)))  # listed only for the first count
        present, missing = trees.computed((*key, above, "below"), lambda: count_paths(broken, paths))
    return missing >= max(FEWEST_MISSING, MANY * present)


def _is_from_source(broken: BrokenReference) -> bool:
    path, tree, directory = broken.reference.path, broken.document.tree, broken.document.directory
    if path.startswith(_FROM_DOCUMENT) or broken.publisher.is_detected:
        return False
    bases, trees = _bases(tree, directory, path), broken.trees  # mostly none
    if "" in bases and _FOR_AGENTS.match(broken.document.path) is not None:
        return True
    roots = bases and trees.computed(("source roots", tree.root), lambda: _source_roots(trees, tree))
    return not bases.isdisjoint(roots)


def _bases(tree: Tree, directory: str, path: str) -> frozenset[str]:
    """Return the directories above a directory from which a path leads to a file."""
    above = islice(directories_above(directory), _MOST_ABOVE)
    bases = [base for base in above if base or not path.startswith("/")]
    return frozenset(base for base in bases if tree.find(join(base, path.lstrip("/"))).state == "file")


def _source_roots(trees: TargetIndex, tree: Tree) -> frozenset[str]:
    """Return the directories above documents from which ten of their paths lead to a file, but not from themselves.

    Of paths from the root of the tree, which are often mistakes, there are ten for each that leads to a file beside its
    document: Pandoc finds images from where it runs.
    """
    counts: dict[str, Counter[str]] = {}
    right = 0
    for document, destination in sampled_destinations(tree, trees.documents(tree)):
        directory, path = document.rpartition("/")[0], destination.partition("#")[0]
        target = normalized(directory, path) if directory and path.strip("/") else None
        if target is None:
            continue
        if tree.find(target).state == "file":
            right += 1
        elif not path.startswith(_FROM_DOCUMENT):
            for base in _bases(tree, directory, path):
                counts.setdefault(base, Counter())[document] += 1
    return frozenset(
        base
        for base, count in counts.items()
        if count.total() >= max(_FEWEST_PATHS, 0 if base else MANY * right) and len(count) >= _FEWEST_SOURCES
    )


def _is_served(broken: BrokenReference) -> bool:
    return not broken.document.settings.root_dirs and broken.segment.kind == "html"


def _is_written(broken: BrokenReference) -> bool:
    tree = broken.document.tree
    generated, edited = broken.trees.computed(("marks", tree.root), lambda: _read_marks(tree))
    path = os.path.join(tree.root, broken.document.path)
    return broken.segment.computed(is_generated) or (generated.excludes(path) and not edited.excludes(path))


def _read_marks(tree: Tree) -> list[Excluder]:
    """Return the files that the attributes of a repository mark as generated, and those marked as not generated."""
    attributes = tree.read_each((".gitattributes",), LARGEST_CONFIGURATION)
    marks = [match.groups() for _, data in attributes for match in _MARK.finditer(data)]
    patterns = [(path.decode("utf-8", "replace"), any(signs)) for path, *signs in marks]
    return [
        Excluder(tuple(path for path, is_edited in patterns if is_edited is sign), tree.root) for sign in (False, True)
    ]


# They hold for any fault of a document.
KEPT = (
    Excuse(
        "old-version",
        lambda broken: is_named(FROZEN, broken.document.path.lower()),
        "the document is the copy of an old version, which is kept as it was",
    ),
    Excuse("written-by-program", _is_written, "a program wrote the document"),
)
# They hold for what was right once.
UNEDITED = (
    Excuse(
        "changelog",
        lambda broken: is_named(CHANGELOG, broken.document.path),
        "the document records what changed, and was right when it was written",
    ),
    *KEPT,
)
# They hold for missing files.
ADVICE = (
    # 13 of 32 judged findings were true.
    Excuse("served", _is_served, "a page of HTML is often served with files that its tree lacks"),
    Excuse("source-root", _is_from_source, "a program resolves paths from a directory above the document"),
    Excuse("elsewhere", _is_published_elsewhere, "hardly any page is found from the documents of the directory"),
)
