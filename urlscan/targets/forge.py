"""Recognize the URLs of a repository's own files on its forge, and of the pages of its site.

`https://github.com/o/r/blob/main/a/b.md` is "/a/b.md", and `https://h.example/a/b/` is "/a/b/". A clone does not tell
where it is published: most contributors work on a fork. A reader counts: it is the place to which most URLs in the
documents lead to files that exist here.
"""

import re
from collections import Counter

from urlscan.core.lazy import lazy
from urlscan.core.settings import DEFAULT_BRANCHES
from urlscan.files.tree import Tree
from urlscan.targets.generators import Generator
from urlscan.targets.index import TargetIndex
from urlscan.targets.names import is_document
from urlscan.targets.references import Reference, decoded, read_reference
from urlscan.targets.roots import SiteRoot, directories_of, stems_of

# The URL of a file or directory of a default branch.
# Matches: `https://github.com/o/r/blob/main/a/b.md#c`, `https://raw.githubusercontent.com/o/r/master/a.png`
# Does not match: `https://github.com/o/r/blob/v1/a.md`, `https://github.com/o/r/main/a`, `https://h.example/o/r/blob/main/a`
_FILE = lazy(
    rf"""
    https?:// (?: (?:www\.)?github\.com | gitlab\.com | codeberg\.org | (?P<is_raw> raw\.githubusercontent\.com ) ) /
    (?P<repository> [\w.-]+/[\w.-]+ )
    (?(is_raw) | (?: (?P<is_shown> /(?:blob|tree) ) | (?:/-)?/(?:blob|tree|raw|src/branch) ) ) (?:/refs/heads)?
    (?:{"|".join(DEFAULT_BRANCHES)}) (?P<path> [^\s()<>"'`|\[\]{{}}\\^*,;]{{1,500}} )
    """,
    re.VERBOSE | re.ASCII,
)
# The URL of a page without its query and fragment. A site with a number is that of one version.
_PAGE = lazy(r"https?://(?:www\.)?([\w-]+\.[\w.-]+(?:/[\w.-]+)*)", re.ASCII)
_VERSION = lazy(r"(?:\A|[./])v?\d+(?:[./]|\Z)")
_DEEPEST, _MOST_SITES, _MOST_FOUND = 4, 50, 0.8
_FEWEST = 3  # existing paths from which a repository is inferred, if no more are missing
_EXISTING = ("file", "directory")
_MOST_DOCUMENTS, _LARGEST = 2_000, 1 << 20


def own_reference(index: TargetIndex, tree: Tree, url: str) -> Reference | None:
    """Return the reference from the root of the repository that a URL of its forge means; None for another URL."""
    match = _FILE.fullmatch(url)
    if match is None or not tree.is_checkout:
        return None
    if match["repository"].lower() != index.computed(("own repository", tree.root), lambda: _own_repository(tree)):
        return None
    if not match["is_shown"]:
        url = url.partition("#")[0]  # a text without anchors, or those of another forge than GitHub
    return _reference_at(url, match.start("path") - 1)


def reference_of_site(index: TargetIndex, tree: Tree, publisher: Generator, url: str) -> Reference | None:
    """Return the reference from the root of the site of a generator that a URL means; None for another URL."""
    match = publisher.is_detected and tree.is_checkout and _PAGE.match(url)
    if not match:
        return None
    key = ("own site", tree.root, publisher.file, publisher.source)
    site = index.computed(key, lambda: _own_site(tree, publisher, index.site_root(tree, publisher)))
    if not site or not match[1].startswith(site + "/"):
        return None
    return _reference_at(url, match.start(1) + len(site))


def _reference_at(url: str, start: int) -> Reference | None:
    reference = read_reference(url[start:])
    return reference and reference._replace(
        raw_path=url[: start + len(reference.raw_path)], fragment_start=start + reference.fragment_start
    )


def _own_site(tree: Tree, publisher: Generator, root: SiteRoot) -> str:
    """Return the URL of the site of a generator without its scheme, below which most paths lead to documents, or ""."""
    paths: dict[str, set[str]] = {}
    documents = [path for path in tree.files() if publisher.publishes(path) and is_document(path)]
    for _, data in tree.read_each(documents[:: len(documents) // _MOST_DOCUMENTS + 1], _LARGEST):
        for match in _PAGE.finditer(data.decode("utf-8", "replace")):
            names = match[1].split("/")
            for number in range(1, min(len(names) - 1, _DEEPEST)):  # at least a directory and a page
                paths.setdefault("/".join(names[:number]), set()).add("/".join(names[number:]))
    stems, directories = stems_of(documents), {publisher.source, *root.directories}
    for site in sorted(paths, key=lambda site: (-len(paths[site]), site))[:_MOST_SITES]:
        found = [path for path in paths[site] if not directories.isdisjoint(directories_of(path, stems))]
        if len(found) >= max(_FEWEST, _MOST_FOUND * len(paths[site])) and _VERSION.search(site) is None:
            return site
    return ""


def _own_repository(tree: Tree) -> str:
    """Return the owner and the name of the repository of a tree; "" if they are not known."""
    files: set[tuple[str, str]] = set()  # repositories and paths
    documents = [path for path in tree.files() if is_document(path)]
    for _, data in tree.read_each(documents[:: len(documents) // _MOST_DOCUMENTS + 1], _LARGEST):
        if any(branch.encode() in data for branch in DEFAULT_BRANCHES):
            for match in _FILE.finditer(data.decode("utf-8", "replace")):
                files.add((match["repository"].lower(), match["path"].partition("#")[0].partition("?")[0]))
    paths = [(name, decoded(path) or "") for name, path in sorted(files) if "/" in path.strip("/")]  # no README
    totals = Counter(name for name, _ in paths)
    existing = Counter(name for name, path in paths if tree.find(path.strip("/"), fold=False).state in _EXISTING)
    return next((name for name, count in existing.most_common(1) if count >= max(_FEWEST, totals[name] / 2)), "")
