"""Infer where "/" leads in the documents of a site, from the files to which its references lead.

Few sites say in their configuration from which directory the paths of their pages begin. A reader counts: if four of
five references lead to files below "src", the root is "src".
"""

import codecs
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.files.tree import Tree
from urlscan.targets.generators import Generator
from urlscan.targets.names import is_page, join, languages
from urlscan.targets.references import decoded, destinations

# The path of a destination, without its query and fragment.
# Matches: `/a/b`, `/a?b#c`
# Does not match: `//h/a`, `/{{ a }}`, `/`
_PATH = lazy(rb"\A/([^/?#\\{}$*][^?#\\{}$*]*)(?:[?#].*)?\Z")
# Paths by which the front matter of a document or the configuration of a host names a page.
_NAMED = lazy(rb"(?m)(?:^|[\s\"'\[(:])/?([\w.-]+(?:/[\w.-]+)*)/?(?=[\s\"',\])]|$)")
FRONT_MATTER = 4000  # bytes that are searched for the other names of a page
# The last name of the path of a page (Docusaurus, "slug"; Hugo, "URL management").
_SLUG = lazy(rb"(?m)^slug[ ]?[:=][ ]?[\"']?([\w.-]+)")
# Jekyll, "Permalinks"; Hugo, "URL management"; Docusaurus, "slug".
MOVED = lazy(rb"(?m)^(?:permalink|url|slug)[ ]?[:=]")
_REDIRECTS = ("_redirects", "netlify.toml", "vercel.json", "redirects.json", "redirects.yml", "redirects.yaml")
# A root is inferred from so many paths, of which at most so many may lead nowhere.
_FEWEST_PATHS = 20
_MOST_MISSING = 0.2
# A missing page is reported if no more of all references than these lead nowhere.
_FEW_MISSING = 0.05
_MOST_DIRECTORIES = 3
_FEWEST_IN_DIRECTORY = 0.05  # of the paths
_MOST_DOCUMENTS, LARGEST, _MOST_PATHS, _MOST_REDIRECTS = 2_000, 1 << 20, 100_000, 100
# The date before the name of a post, and the number before a name (Docusaurus, "Number prefixes"; Nuxt Content), which
# are no parts of the path of a page.
_DATE, _NUMBER = lazy(r"\d{4}-\d{2}-\d{2}-"), lazy(r"(?:\A|(?<=/))\d+[ ]?[-_.]+[ ]?(?=[^\W\d])")
# Directories of pages that generators write for the terms of taxonomies.
_TAXONOMIES = frozenset("archive archives author authors categories category page tag tags topics".split())
# Documents that show a directory, and those and programs of Next.js ("App Router").
_INDEXES, _PAGE_OF_NEXT = frozenset("index _index README +page".split()), lazy(r"page\.(?:[jt]sx?|mdx)")
# A file or directory that is a page for each name in its place (Next.js, Nuxt, SvelteKit and Astro, "Dynamic routes").
_PARAMETER, _ANY = lazy(r"(?<=/)\[\w+\]\Z"), "[]"


class SiteRoot(NamedTuple):
    """The directories to which "/" leads on a site.

    Attributes:
        directories: the directories, from the root of the tree; none if no root could be inferred.
        is_complete: whether nearly all references lead to files, so that one that does not is a mistake.
        names: the paths of pages that front matter and redirects name.
        stems: the files of the tree (`_stems`).
    """

    directories: tuple[str, ...] = ()
    is_complete: bool = False
    names: frozenset[str] = frozenset()
    stems: Mapping[str, list[str]] = {}

    def may_have(self, path: str) -> bool:
        """Return whether a page has a path by another name, or a file, of the original language too, may show it."""
        path = path.strip("/")
        names = path.split("/")
        original = "/".join(name for name in names if not languages(f"{name}/"))
        is_named = path in self.names or not _TAXONOMIES.isdisjoint(names)
        paths = [path, original, path.removesuffix("/index")]
        if "/" in path:
            paths.append(path[: path.rindex("/") + 1] + _ANY)
        return is_named or any(_directories(name, self.stems) for name in paths)

    def paths(self, document: str, path: str) -> list[str]:
        """Return the paths that a reference with a leading "/" may mean in a document, from the root of the tree.

        A document in one of several languages leads to pages in the same language.
        """
        if not self.directories:
            return []
        path = path.strip("/")
        candidates = [f"{directory}/{path}".lstrip("/") for directory in self.directories]
        language = languages(document)
        suffix = document.rpartition("/")[2].partition(".")[2].rpartition(".")[0]
        if suffix and suffix in language and is_page(path):
            return [f"{candidate}.{suffix}" for candidate in candidates]
        return [candidate for candidate in candidates if languages(path) or languages(candidate) == language]


def infer_root(tree: Tree, documents: list[str], publisher: Generator) -> SiteRoot:
    """Return where "/" leads in those documents of a tree that a generator publishes, or in all of them without one."""
    counts, raw_counts, sources, files = Counter[str](), Counter[bytes](), list[bytes](), list(tree.files)
    for path, data in tree.read_sample(list(filter(publisher.publishes, documents)), _MOST_DOCUMENTS, LARGEST):
        if len(raw_counts) >= _MOST_PATHS:
            break
        raw_counts.update(destinations(data, b"/"))
        data = data.removeprefix(codecs.BOM_UTF8)
        if data.startswith((b"---", b"+++")):
            sources.append(data[: max(data.find(b"\n" + data[:3], 3, FRONT_MATTER), 0)])
            files += (join(path.rpartition("/")[0], slug) for slug in _read_paths(_SLUG.findall(sources[-1])))
    for destination, count in raw_counts.items():
        for path in _read_paths(_PATH.findall(destination)):
            counts[path] += count
    if len(counts) < _FEWEST_PATHS:
        return SiteRoot()
    for name in _REDIRECTS:
        sources += (data for _, data in tree.read_each(tree.files_named(name)[:_MOST_REDIRECTS], LARGEST))
    names = frozenset(_read_paths({name for source in sources for name in _NAMED.findall(source)}))
    stems = _stems(files)
    paths = {path: _directories(path, stems) for path in counts}
    roots, missing = _roots(paths)
    missing = [path for path in missing if path not in names]
    if len(missing) > _MOST_MISSING * len(paths):
        return SiteRoot()
    is_complete = sum(counts[path] for path in missing) <= _FEW_MISSING * counts.total()
    return SiteRoot(tuple(roots), is_complete, names, stems)


def _roots(paths: dict[str, set[str]]) -> tuple[list[str], list[str]]:
    """Return the directories from which most paths lead to files, and the paths that lead to none from these."""
    roots: list[str] = []
    missing = list(paths)
    while len(roots) < _MOST_DIRECTORIES:
        counts = Counter(directory for path in missing for directory in paths[path])
        root, count = min(counts.items(), key=lambda item: (-item[1], len(item[0]), item[0]), default=("", 0))
        if count <= _FEWEST_IN_DIRECTORY * len(paths):
            break
        roots.append(root)
        missing = [path for path in missing if root not in paths[path]]
    return roots, missing


def _read_paths(matches: Iterable[bytes]) -> Iterator[str]:
    """Yield the paths of matches without the slashes around them."""
    for raw in matches:
        path = decoded(raw.decode("utf-8", "replace"))
        if path is not None and path.strip("/"):
            yield path.strip("/")


def _stems(files: Iterable[str]) -> dict[str, list[str]]:
    """Return the files of a tree, up to the first dot, by their last names; an index counts for its directory."""
    stems: dict[str, list[str]] = {}
    for file in files:
        directory, _, name = file.rpartition("/")
        stem = _DATE.sub("", name.partition(".")[0], count=1)
        if stem in _INDEXES or ("/app/" in f"/{file}" and _PAGE_OF_NEXT.fullmatch(name) is not None):
            stem = ""
        path = _PARAMETER.sub(_ANY, join(directory, stem))
        for written in {path: 0, path.replace(" ", "-"): 0, _NUMBER.sub("", path): 0}:  # Hugo writes hyphens
            stems.setdefault(written.rpartition("/")[2].lower(), []).append(written)
    return stems


def _directories(path: str, stems: Mapping[str, list[str]]) -> set[str]:
    """Return the directories from which a path leads to a file."""
    directory, _, name = path.lower().rpartition("/")
    directories: set[str] = set()
    for stem in {name: 0, name.partition(".")[0]: 0}:
        end = f"/{join(directory, stem)}"
        files = [f"/{file}" for file in stems.get(stem, ())]
        directories.update(file[: -len(end)].strip("/") for file in files if file.lower().endswith(end))
    return directories
