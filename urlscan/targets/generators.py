"""Detect the site generator that publishes a document, by its configuration file."""

import re
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.files.tree import Tree

_LARGEST = 1 << 16  # bytes of a configuration file that are searched


class Kind(NamedTuple):
    """One site generator.

    Attributes:
        name: its name.
        files: the names of its configuration file or directory.
        root: the directory of its documents, relative to that of the configuration; "" for the same.
        preset: the algorithm of its anchors, one of `core.settings.ANCHORS`; "" for one that is not known.
        follows_files: whether it resolves links between source files; others resolve them between the pages that they
            write.
        marker: a pattern that the configuration file must contain, if its name is common.
        root_key: the pattern of the setting that names the directory of documents, or "".
    """

    name: str
    files: tuple[str, ...]
    root: str = ""
    preset: str = "github"
    follows_files: bool = True
    marker: str = ""
    root_key: str = ""


_SCRIPTS = (".js", ".ts", ".mjs", ".mts", ".cjs")


def _scripts(*names: str) -> tuple[str, ...]:
    return tuple(name + end for name in names for end in _SCRIPTS)


KINDS = (
    Kind("mkdocs", ("mkdocs.yml", "mkdocs.yaml"), "docs", "mkdocs", root_key=r"(?m)^docs_dir:[ \t]*[\"']?([^\s\"'#]+)"),
    Kind(
        "zensical", ("zensical.toml", "zensical.yml"), "docs", "mkdocs",
        root_key=r"(?m)^[ \t]*docs_dir[ \t]*[=:][ \t]*[\"']?([^\s\"'#]+)",
    ),
    Kind("mdbook", ("book.toml",), "src", "mdbook", root_key=r"(?m)^src[ \t]*=[ \t]*[\"']([^\"'\n]+)"),
    Kind("sphinx", ("conf.py",), "", "docutils", marker=r"(?m)^(?:extensions|html_theme|master_doc|project)[ \t]*="),
    Kind("antora", ("antora.yml",), "", "asciidoctor"),
    Kind("docusaurus", _scripts("docusaurus.config")),
    Kind("docusaurus 1", ("siteConfig.js",), preset="", follows_files=False),
    Kind("exdoc", ("mix.exs",), preset="", follows_files=False),
    Kind("typedoc", ("typedoc.json", "typedoc.js"), preset="", follows_files=False),
    Kind("mintlify", ("docs.json",), follows_files=False, marker=r'"navigation"'),
    Kind("vitepress", (".vitepress",), "", "vitepress"),
    Kind("vuepress", (".vuepress",), "", "vitepress"),
    Kind("rspress", _scripts("rspress.config")),
    Kind("quarto", ("_quarto.yml",), "", "pandoc"),
    Kind("bookdown", ("_bookdown.yml",), "", "pandoc"),
    Kind("jupyter-book", ("_toc.yml", "myst.yml"), ""),
    Kind("gitbook", ("book.json", ".gitbook.yaml"), ""),
    Kind("docfx", ("docfx.json",), ""),
    Kind("mintlify", ("mint.json",), follows_files=False),
    Kind("jekyll", ("_config.yml", "_config.yaml"), "", "kramdown", follows_files=False),
    Kind(
        "hugo", ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"), "", "hugo", follows_files=False
    ),
    Kind(
        "hugo", ("config.toml", "config.yaml", "config.yml"), "", "hugo",
        follows_files=False, marker=r"(?mi)^[\"']?(?:baseurl|base_url)[\"']?[ \t]*[=:]",
    ),
    Kind("astro", _scripts("astro.config"), follows_files=False),
    Kind("next", _scripts("next.config"), follows_files=False),
    Kind("nuxt", _scripts("nuxt.config"), follows_files=False),
    Kind("gatsby", _scripts("gatsby-config"), follows_files=False),
    Kind("eleventy", (*_scripts("eleventy.config"), ".eleventy.js"), follows_files=False),
    Kind("pelican", ("pelicanconf.py",), "content", "mkdocs", follows_files=False),
    Kind("nikola", ("conf.py",), "", "docutils", follows_files=False, marker=r"(?m)^POSTS[ \t]*="),
    Kind("middleman", ("config.rb",), "source", "kramdown", follows_files=False, marker=r"(?m)^activate[ \t]+:"),
    Kind("svelte", _scripts("svelte.config"), follows_files=False),
    Kind("docsify", ("_sidebar.md",), follows_files=False),
)  # fmt: skip
# A configuration of MkDocs for one language or purpose: "mkdocs.en.yml", "mkdocs-material.yml".
_MKDOCS_VARIANT = lazy(r"mkdocs[-._][\w.-]+\.ya?ml")
_BY_FILE: dict[str, list[Kind]] = {}
for _kind in KINDS:
    for _file in _kind.files:
        _BY_FILE.setdefault(_file, []).append(_kind)


class Generator(NamedTuple):
    """A detected site generator.

    Attributes:
        kind: which it is.
        file: its configuration file or directory, from the root of the tree.
        home: the directory of that file.
        source: the directory of its documents.
    """

    kind: Kind
    file: str
    home: str
    source: str

    def publishes(self, path: str) -> bool:
        """Return whether the generator publishes a document."""
        return is_below(path, self.source)


def generator_of(tree: Tree, path: str) -> Generator | None:
    """Return the site generator that publishes a document; None if none is detected.

    Its configuration is in a directory above the document, or next to one: `website/docusaurus.config.js` for
    `docs/a.md`.

    Args:
        tree: the tree of the document.
        path: the document, from the root of the tree.
    """
    directory = path.rpartition("/")[0]
    while True:
        for found in _in_directory(tree, directory):
            if found.publishes(path):
                return found
        if is_below(path, _join(directory, _DOCUMENTS)):
            for name, kind in tree.entries(directory).items():
                below = _in_directory(tree, _join(directory, name)) if kind == "d" and name not in _NOT_SITES else []
                if below:
                    return below[0]._replace(source=directory)
        if not directory:
            return None
        directory = directory.rpartition("/")[0]


# The directory of documents that has the configuration of its site in a directory next to it.
_DOCUMENTS = "docs"
_NOT_SITES = frozenset((".git", "node_modules", "examples", "example", "tests", "test", "vendor", "fixtures"))


def _in_directory(tree: Tree, directory: str) -> list[Generator]:
    """Return the generators whose configuration is in a directory."""
    found = []
    names = tree.entries(directory).keys()
    variants = [name for name in names if name.startswith("mkdocs") and _MKDOCS_VARIANT.fullmatch(name)]
    for name in [*(names & _BY_FILE.keys()), *variants]:
        for kind in _BY_FILE[name] if name in _BY_FILE else _BY_FILE["mkdocs.yml"]:
            file = _join(directory, name)
            text = ""
            if kind.marker or kind.root_key:
                data = tree.read(file, _LARGEST)
                text = data.decode("utf-8", "replace") if data is not None else ""
                if re.search(kind.marker, text) is None:
                    continue
            root = kind.root
            if kind.root_key and (match := re.search(kind.root_key, text)) is not None:
                root = match[1].strip("/").removeprefix("./")
            source = f"{directory}/{root}".strip("/").removesuffix("/.") if root != "." else directory
            found.append(Generator(kind, file, directory, source))
    return sorted(found, key=lambda one: (KINDS.index(one.kind), one.file))


def is_below(path: str, directory: str) -> bool:
    """Return whether a path of a tree is a directory or below it."""
    return not directory or path == directory or path.startswith(directory + "/")


def _join(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name
