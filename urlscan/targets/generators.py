"""Detect what makes pages of a document: a site generator, by its configuration file, or else the forge.

A repository is first of all read on its forge: a document outside of the documents of a generator is judged by the
rules of GitHub, and a document of a generator by the rules of that one. A document that shows signs of a site in
another repository, such as front matter, is judged by none.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import Any
from urlscan.files.patterns import Excluder
from urlscan.files.tree import Tree
from urlscan.targets.link_references import matches_in_text
from urlscan.targets.names import is_page, join

_LARGEST = 1 << 16  # bytes of a configuration file that are searched
_MOST_PARTS = 20  # of a configuration
_QUOTED = lazy(r"[\"']([^\"'\n]+)[\"']")


class Kind(NamedTuple):
    """One site generator, or another program that makes pages of documents; "" and () are the lack of a value."""

    name: str
    files: tuple[str, ...]  # the names of its configuration file or directory; other paths are relative to that one
    root: str = ""  # the directory of its documents
    preset: str = "github"  # the algorithm of its anchors, one of `core.settings.ANCHORS`; "" for one that is not known
    follows_files: bool = True  # it resolves links between source files; others between the pages that they write
    # Patterns of the configuration file: one that it must contain, if its name is common; that of the setting that
    # names the directory of documents; that by which a program of the project makes the anchors; that of the path in
    # the URL of the site; and those of settings that change values of this record.
    marker: str = ""
    root_key: str = ""
    slug_key: str = ""
    url_key: str = ""
    settings: Mapping[str, Mapping[str, Any]] = {}
    has_program: bool = False  # a program of the project may give labels and destinations a meaning
    # Where its links lead.
    statics: tuple[str, ...] = ()  # directories whose files it publishes at the root of the site
    from_source: bool = False  # "/" leads to the directory of documents
    from_content: bool = False  # links that lead nowhere from a document are resolved from the directory of documents
    leaves_pages: bool = False  # it leaves paths without extension, which browsers resolve
    writes_directories: bool = False  # the page of "a.md" is "a/"
    families: Mapping[str, str] = {}  # the directories of a module by the extensions of their files; of others, "pages"
    finds_names: bool = False  # it finds a file by its name alone
    page_macro: str = ""  # a pattern of the macro that leads to the page by a path, from anywhere, or by its name alone
    aliases: str = ""  # a pattern of the other names of pages, in its configuration or its documents
    allows_blanks: bool = False  # a destination may have blanks
    links_code: bool = False  # code in place of a destination is the name of an item
    defines_labels: bool = False  # plugins and headings of other documents define labels of links
    # It resolves labels of the whole project, and writes the title of the target where a link has no text.
    has_labels: bool = False
    # Its pages and their anchors.
    keeps_paths: bool = False  # it shows the documents of the whole tree under their own paths
    has_readme: bool = False  # a README is a page of the site
    runs_code: bool = False  # it runs code of the documents, which may write files
    adds_documents: bool = False  # it writes documents into directories that are not in the tree
    adds_languages: bool = False  # "a.md" leads to "a.en.md" in the language of the document, or in English
    partials: str = ""  # a pattern of the paths of documents that only others show
    joins_documents: bool = False  # an anchor of one document is an anchor of all
    special: str = r"(?!)"  # a pattern of fragments that it gives a meaning; its group has the letters of an anchor
    unknown_anchors: bytes = b""  # a pattern of documents some of whose anchors are not known
    excluded_key: str = ""  # a pattern of the setting that lists documents of which it makes no pages


_CATALOG = ".docc"  # the end of the name of a directory of DocC
SCRIPTS = (".js", ".ts", ".mjs", ".mts", ".cjs")
_HUGO_DIRECTORY = "config/_default"
_HUGO = Kind(
    "hugo", (), "content", "hugo", follows_files=False, statics=("static", "assets"),
    settings={rf"(?i)\bauto(?:Heading)?IDType[\"']?[ ]*[:=][ ]*[\"']?(?:github-)?{name}\b": {"preset": f"hugo-{name}"}
              for name in ("ascii", "blackfriday")},
    # "Shortcodes: ref".
    page_macro=r"\{\{[<%][ ]*(?:rel)?ref[ ]+[\"`]?(?P<page>[^\"`\s<>]{1,500})[\"`]?[ ]*[%>]\}\}",
)  # fmt: skip
_MKDOCS = Kind(
    "mkdocs", ("mkdocs.yml", "mkdocs.yaml"), "docs", "mkdocs", defines_labels=True, leaves_pages=True,
    writes_directories=True, allows_blanks=True,
    special=r"__(?:tabbed|codelineno)[_-]",
    # "Environment Variables": the last of a list is the value if no variable is set.
    root_key=r"(?m)^[ \t]*docs_dir[ \t]*[=:][ \t]*(?:!ENV[ \t]*\[[^\]\n]*,[ \t]*)?[\"']?([^\s\"'#\]]+)",
    slug_key=r"\bslugify\b|\bINHERIT:",
    url_key=r"(?m)^site_url:[ \t]*[\"']?https?://[^/\s\"']+(/[^\s\"'#?]*|(?=[\s\"']|\Z))",
    settings={
        # A program, or one of the plugins that resolve links or write posts elsewhere.
        r"(?m)^use_directory_urls:(?![ \t]*true)|\bINHERIT:|^hooks:|^[ \t]*-[ \t]*[\"']?(?:material/)?"
        r"(?:(?:alternate-|ez|roam|wiki)links?|autolinks|blog|ezlinked|obsidian\S*)\b": {"writes_directories": False},
        r"(?m)^[ \t]*absolute_links:[ \t]*relative_to_docs\b": {"from_source": True, "url_key": ""},
        r"\bmike\b": {"url_key": ""},  # it adds versions to the path
        r"(?m)^[ \t]*-[ \t]*i18n\b": {"adds_languages": True},
        # Plugins that run programs of the project, document modules, or add the documents of other projects.
        r"(?m)(?:^[ \t]*-|^[ \t]|[\[,])[ \t]*[\"']?(?:mkdocs-)?"
        r"(?:api-autonav|autoapi|gallery|gen-files|monorepo|multirepo)(?![\w.-])": {"adds_documents": True},
    },
)  # fmt: skip
# Antora, "Resource ID coordinates".
_FAMILIES = {
    **dict.fromkeys("png jpg jpeg gif svg webp avif bmp tif tiff ico".split(), "images"),
    **dict.fromkeys("zip gz tgz xz bz2 tar whl jar pdf".split(), "attachments"),
}


def _scripts(*names: str) -> tuple[str, ...]:
    return tuple(name + end for name in names for end in SCRIPTS)


def _hugo_files(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}.{end}" for name in names for end in ("toml", "yaml", "yml", "json"))


# mdBook, "Configuring preprocessors" and "Configuring renderers": a program of the project that changes the text or
# writes the pages. The plugins of others add diagrams, formulas, boxes and lists, and a renderer beside that of HTML
# checks links or writes another format.
# Matches: `[preprocessor.a]\ncommand = "cargo run"`, `[output.a]\ncommand = "./a"`
# Does not match: `[preprocessor.a]\ncommand = "mdbook-a"`, `[output.html]\n[output.a]\ncommand = "./a"`
_MDBOOK_PROGRAM = (
    r"(?m)(?:^\[preprocessor\.|\A(?![\0-\uffff]*^\[output\.html)[\0-\uffff]*?^\[output\.)"
    r"[^\n]*\n(?:(?!\[)[^\n]*\n)*?command[ \t]*=[ \t]*[\"'](?!mdbook-)[^\"'\n]+[ /][^\n]*"
)
# The rules are those of the documentation: MkDocs, "Writing your docs" and "Configuration: toc"; Docusaurus,
# "Markdown links" (a file path is resolved from the document, then from the content and the site) and "Static
# assets"; VitePress, "Asset handling"; MyST-Parser, "Cross-references"; Starlight, "Page anchors" ("_top"); HonKit
# and GitBook, the plugin include-codeblock; Hugo, "Directory structure" and "Configure markup: autoDefinitionTermID",
# "All settings: disablePathToLower"; Nixpkgs, "Contributing to the Nixpkgs manual" (an id of any chapter, and "opt-"
# for options); sandpaper, "Lesson structure" (links between source files, which Pandoc converts); Eleventy,
# "InputPath to URL" (from the document, the input directory or the project); Writerside, "Links" and "Images" (by
# names); Documenter, "Syntax: @ref" (anchors keep the letter case) and "@example"; DocC, "Linking to symbols and other
# content"; ExDoc, "Auto-linking"; Python-Markdown, Pandoc, Earmark, kramdown, and kramed of HonKit (blanks in a
# destination); pymdownx.tabbed and pymdownx.highlight of MkDocs (anchors that begin with "__"); docsify, "basePath",
# "relativePath", "Cover" (a color), and `slugify` ("_" before a digit); hexo-renderer-marked, "Options:
# modifyAnchors"; Wiki.js 2.5, `server/helpers/page.js` and `html-core/renderer.js`; JBake, "Project structure".
KINDS = (
    _MKDOCS,
    _MKDOCS._replace(name="zensical", files=("zensical.toml", "zensical.yml")),  # its successor
    Kind(
        "nixos-render-docs", ("manual.md",), "",
        marker=r"(?m)^```\{=include=\}", special=r"(?:[\w-]+-)?opt-", has_labels=True,
    ),
    Kind(
        "mdbook", ("book.toml",), "src", "mdbook",
        root_key=r"(?m)^src[ \t]*=[ \t]*[\"']([^\"'\n]+)", has_readme=True,
        settings={_MDBOOK_PROGRAM: {"has_program": True, "preset": ""}},
    ),
    Kind("writerside", ("writerside.cfg", "project.ihp"), preset="", finds_names=True),
    Kind("documenter", ("make.jl",), "src", "", marker=r"\bmakedocs\(", runs_code=True),
    # Laika, "Navigation": a link by the title of a section or document.
    Kind("laika", ("directory.conf",), "", "", marker=r"(?m)^laika\.", defines_labels=True),
    Kind("docc", (_CATALOG,), preset="", finds_names=True),
    Kind(
        "sphinx", ("conf.py",), "", "docutils",
        from_source=True, has_labels=True,
        marker=r"(?m)^(?:(?:extensions|html_theme|master_doc|project)[ \t]*\+?=|extensions\.(?:append|extend)\()",
    ),
    Kind(  # "Standard File and Folder Set": listings include examples
        "antora", ("antora.yml",), "", "asciidoctor", families=_FAMILIES, aliases=r"(?m)^:page-aliases:(.+)",
        partials=r"(?:\A|/)modules/[^/]+/examples/",
    ),
    Kind(
        "docusaurus", _scripts("docusaurus.config"), statics=("static",), from_source=True, from_content=True,
        slug_key=r"(?m)^\+.*\bslugs?\b",  # in a patch
        settings={r"(?m)^[ \t]*trailingSlash:[ \t]*true\b": {"writes_directories": True}},
    ),
    Kind("docusaurus 1", ("siteConfig.js",), preset="", follows_files=False),
    Kind("exdoc", ("mix.exs",), preset="", finds_names=True, allows_blanks=True, links_code=True),
    Kind("mintlify", ("docs.json",), preset="", follows_files=False, marker=r'"navigation"'),
    Kind(
        "vitepress", (".vitepress",), "", "vitepress", slug_key="slugify",
        root_key=r"\bsrcDir:[ ]*['\"](?!\.vitepress)([^'\"\n]+)",  # not the one of a worker
        statics=("public",), from_source=True, excluded_key=r"\bsrcExclude:[ ]*\[([^\]]*)",
        settings={r"DOCUMENTER_VITEPRESS": {"runs_code": True}},  # DocumenterVitepress.jl, "Getting started"
    ),
    Kind(
        "vuepress", (".vuepress",), "", "vitepress",
        slug_key="slugify", statics=(".vuepress/public",), from_source=True, has_readme=True,
    ),
    Kind("rspress", _scripts("rspress.config")),
    Kind(
        "quarto", ("_quarto.yml",), "", "pandoc",
        from_source=True, allows_blanks=True, runs_code=True, partials=r"(?:\A|/)_",  # "Render Targets"
    ),
    Kind(
        "bookdown", ("_bookdown.yml",), "", "pandoc",
        allows_blanks=True, runs_code=True, joins_documents=True, defines_labels=True,
    ),
    Kind("jupyter-book", ("_toc.yml", "myst.yml"), "", from_source=True, has_labels=True),
    Kind("gitbook", (".gitbook.yaml",), preset="", has_readme=True),  # the service
    Kind(
        "gitbook", ("book.json", "book.js"), has_readme=True, allows_blanks=True,
        unknown_anchors=rb"\[(?:import|include)(?:[ :,][^\[\]\n]{0,200})?\]\(",
    ),
    Kind("ig-publisher", ("ig.ini", "sushi-config.yaml"), "input"),  # HL7 FHIR
    Kind(  # of Elastic: "## A [my-a]"
        "docs-builder", ("docset.yml",), "", "", from_source=True,
        unknown_anchors=rb"(?m)^#{1,6}[ ].*[ ]\[[\w.-]+\][ \t\r]*$",
    ),
    Kind("devsite", ("_book.yaml",), "", preset=""),  # of Google
    Kind("dartdoc", ("dartdoc_options.yaml",), defines_labels=True),  # "Reference links to members"
    Kind("docfx", ("docfx.json",), "", special="tab/"),
    Kind(
        "wiki.js", ("home.md", "home.html"), "", "", follows_files=False, keeps_paths=True,
        marker=r"\A(?:---|<!--)\r?\ntitle: (?:.*\n){1,9}?editor: \w+\r?\ndateCreated: ",
    ),
    Kind("sandpaper", ("config.yaml",), "", "pandoc", marker=r"(?m)^carpentry:"),
    Kind("mintlify", ("mint.json",), preset="", follows_files=False),
    Kind(
        "hexo", ("_config.yml",), "source", "hexo", follows_files=False,
        marker=r"(?m)^new_post_name:", slug_key=r"(?m)^(?:markdown|kramdown|pandoc):|\bmodifyAnchors:[ ]*[12]",
    ),
    Kind(
        "jekyll", ("_config.yml", "_config.yaml"), "", "kramdown", follows_files=False, allows_blanks=True,
    ),
    _HUGO._replace(files=_hugo_files("hugo", f"{_HUGO_DIRECTORY}/hugo", f"{_HUGO_DIRECTORY}/config")),
    Kind("jbake", ("jbake.properties",), "content", preset="", follows_files=False, statics=("assets",)),
    # Before version 0.110.
    _HUGO._replace(files=_hugo_files("config"), marker=r"(?mi)^[ \t]*[\"']?baseurl[\"']?[ \t]*[=:]"),
    Kind(
        "zola", ("config.toml",), "content", "", follows_files=False, marker=r"(?m)^base_url[ \t]*=",
        statics=("static",),
        unknown_anchors=rb"(?m)^#{1,6}[ \t][^\n]*[\x80-\xff]",  # it writes the letters of every script as ASCII
    ),
    Kind("astro", _scripts("astro.config"), "src", follows_files=False, statics=("public",), special=r"_top\Z",
         aliases=r"[\"'](/[^\"'\n]{1,500})[\"']:\s+(?:[\"']/|\{\s*(?:destination|status)\b)"),
    Kind("next", _scripts("next.config"), follows_files=False, statics=("public",)),
    Kind("nuxt", _scripts("nuxt.config"), follows_files=False, statics=("public",)),
    Kind("gatsby", _scripts("gatsby-config"), follows_files=False, statics=("static",)),
    Kind("eleventy", (*_scripts("eleventy.config"), ".eleventy.js"), preset="", follows_files=False, from_content=True),
    Kind("pelican", ("pelicanconf.py",), "content", "mkdocs", follows_files=False),
    Kind("nikola", ("conf.py",), "", "docutils", follows_files=False, marker=r"(?m)^POSTS[ \t]*="),
    Kind(
        "middleman", ("config.rb",), "source", "kramdown", follows_files=False, allows_blanks=True,
        marker=r"(?m)^activate[ \t]+:",
    ),
    Kind("svelte", _scripts("svelte.config"), follows_files=False, statics=("static",)),
    Kind("maven", ("site.xml",), "", "", follows_files=False, marker=r"//maven\.apache\.org/|<skin>"),
    # It shows the documents themselves; without "relativePath" links begin at the directory of all.
    Kind(
        "docsify", ("index.html",), "", marker=r"\$docsify\b", root_key=r"\bbasePath:[ ]*['\"]/?([^'\":\n]+)['\"]",
        from_content=True, has_readme=True, aliases=r"\balias:([^}]*)", special=r"(?i)(?:[\da-f]{3}){1,2}\Z|_(\d.*)",
        settings={r"\brelativePath[\"']?:[ ]*true\b": {"from_content": False}},
    ),
)  # fmt: skip
# Templates from which a build makes a configuration file.
_ENDS = ("", ".in", ".j2", ".jinja", ".template", ".tmpl", ".tpl")
# One of several configurations of MkDocs, which share one by "INHERIT": "mkdocs-online.yml".
_VARIANT = lazy(r"(?m)^mkdocs[-_.][\w-]+\.ya?ml$")
_BY_FILE: dict[str, list[Kind]] = {}
for _kind in KINDS:
    for _file in (name + end for name in _kind.files for end in _ENDS):
        _BY_FILE.setdefault(_file, []).append(_kind)


class Generator(NamedTuple):
    """The program that makes pages of a document."""

    kind: Kind
    file: str  # its configuration file or directory, from the root of the tree; "" for FORGE and UNKNOWN
    home: str  # the directory of that file
    source: str  # the directory of its documents
    preset: str  # the algorithm of its anchors, one of `core.settings.ANCHORS`
    site_path: str = ""  # the path of the URL of the site, which ends with "/"; "" if it is not known
    excluded: Excluder | None = None  # matches the documents of which it makes no pages

    @property
    def is_detected(self) -> bool:
        """Whether it is a known site generator, which makes pages of its own."""
        return bool(self.file) and self.makes_pages

    @property
    def makes_pages(self) -> bool:
        """Whether it writes pages whose paths differ from those of the documents."""
        return not self.kind.keeps_paths

    def leaves(self, path: str) -> bool:
        """Return whether it may leave a destination as it is written, so that browsers resolve it from the page."""
        is_left = self.kind.leaves_pages and is_page(path)
        return is_left or not self.kind.follows_files or (self.makes_pages and not self.file)

    def publishes(self, path: str) -> bool:
        """Return whether it makes a page of a document."""
        is_hidden = self.file != "" and "/." in f"/{path.removeprefix(self.source)}"
        is_excluded = self.excluded is not None and self.excluded.excludes(path)
        return is_below(path, self.source) and not (is_hidden or is_excluded)

    def roots(self, document: str) -> list[str]:
        """Return the directories to which "/" leads in a document, from the root of the tree."""
        if not self.makes_pages:
            return [""]
        roots = [join(base, name) for name in self.kind.statics for base in (self.home, self.source)]
        if self.kind.from_source:
            roots += (*self.contents(document), self.source)
            # One configuration may build several projects below its directory.
            roots += [above for above in directories_above(document) if is_below(above, self.source)]
        return list(dict.fromkeys(roots))

    def contents(self, document: str) -> list[str]:
        """Return the directories from which a file is looked up that a document does not lead to directly."""
        if not self.kind.from_content:
            return []
        directories = document.removeprefix(self.home).lstrip("/").split("/")[:-1]
        # The directory of all documents: for Docusaurus also "versioned_docs/version-1".
        depth = {"i18n": 4, "versioned_docs": 2}.get("".join(directories[:1]), 1)
        contents = []
        if len(directories) >= depth:
            contents.append(join(self.home, "/".join(directories[:depth])))
        # They differ if the documents are beside the site, and a build may copy both into one directory.
        roots = self.source, self.home, join(self.home.rpartition("/")[0], "/".join(directories))
        return list(dict.fromkeys((*contents, *self.originals(document), *roots)))

    def originals(self, document: str) -> list[str]:
        """Return the directory of the originals of a translation, and that of its own; none for another document.

        For Docusaurus, the original of "i18n/fr/docusaurus-plugin-content-docs/current" is "docs". With "-api" after
        "docs", it is that of the plugin "api".
        """
        directories = document.removeprefix(self.home).lstrip("/").split("/")[:-1]
        if not self.kind.from_content or directories[:1] != ["i18n"] or len(directories) < 4:
            return []
        name, version = directories[2].removeprefix("docusaurus-plugin-content-docs").lstrip("-"), directories[3]
        original = f"{name}_versioned_docs/{version}".lstrip("_")
        if version == "current":
            original = name or "docs"
        return [join(self.home, original), join(self.home, "/".join([original, *directories[4:]]))]


FORGE = Generator(Kind("forge", (), special=r"(?:readme|folders-and-files)\Z", keeps_paths=True), "", "", "", "github")
UNKNOWN = Generator(Kind("unknown", (), preset=""), "", "", "", "auto")
# Doxygen, "Markdown support": links by the names of files, and labels of any document.
_DOXYGEN = Generator(Kind("doxygen", (), preset="", finds_names=True, unknown_anchors=rb"\A"), "", "", "", "auto")
# A special command of Doxygen at the beginning of a line, or a reference, which Documenter has, too.
_COMMAND = r"(?:(?<![^\n].)(?:(?:anchor|mainpage|page|subpage)[ ]+\w|htmlonly\b)|(?<![\w\\@{`].)ref[ ]+\w)"
# Matches: `@page a`, `@subpage a`, `@ref a`
# Does not match: `@page {`, `jo@ref.example`, `{@ref a}`
_DOXYGEN_COMMAND = lazy(f"@{_COMMAND}")
# Matches: `\anchor a`, `\htmlonly`, `\ref a`
# Does not match: `\ref{a}`, `a\anchor b`
_DOXYGEN_BACKSLASH = lazy(rf"\\{_COMMAND}")
# Front matter, without which no generator takes a document for a page.
_FRONT_MATTER = lazy(
    r"\ufeff?\s{0,20}(?:---|\+\+\+)[ \t]*\r?\n(?:[^\n]{0,2000}\n){0,40}?[\"']?[A-Za-z_][\w.-]*[\"']?[ \t]*[:=]"
)
# Documents that a forge shows for a directory or a repository, and those for programs that write code.
# Matches: `README.md`, `README.ja.md`, `readme.rst`, `CONTRIBUTING.md`, `AGENTS.md`, `SKILL.md`
# Does not match: `readme-first.md`, `index.md`, `skill.md`
FORGE_DOCUMENT = lazy(
    r"""
    (?: readme | contributing | code[-_]of[-_]conduct | security | support | governance | maintainers | authors
      | (?-i: AGENTS | CLAUDE | SKILL ) ) (?: _[\w-]+ )? (?: \.[\w-]+ )* \.\w+
    """,
    re.VERBOSE | re.IGNORECASE,
)


def has_front_matter(document: Document) -> bool:
    """Return whether a document begins with front matter."""
    return _FRONT_MATTER.match(document.decoded) is not None


def publisher_of(generator: Generator | None, path: str, segment: Document) -> Generator:
    """Return what makes pages of a document."""
    if generator is not None:
        return generator
    if segment.kind in ("html", "xml") or path.endswith(".mdx"):  # the forge shows the source
        return UNKNOWN
    # GitHub shows the front matter of a README as a table ("Viewing YAML metadata in your documents").
    if FORGE_DOCUMENT.fullmatch(path.rpartition("/")[2]) is not None:
        return FORGE
    if has_front_matter(segment) and "/." not in f"/{path}":  # no site publishes a hidden directory
        return UNKNOWN
    signs = (_DOXYGEN_COMMAND, _DOXYGEN_BACKSLASH)  # a literal is found ten times faster than one of two
    if segment.kind == "markdown" and any(any(matches_in_text(sign, segment)) for sign in signs):
        return _DOXYGEN
    return FORGE


def generator_of(
    path: str, generators_in: Callable[[str], list[Generator]], generator_beside: Callable[[str], Generator | None]
) -> Generator | None:
    """Return the site generator that publishes a document; None if none is detected.

    Its configuration is in a directory above the document, or next to one: `website/docusaurus.config.js` for
    `docs/a.md`. The functions return the generators of a directory and that of its documents, each computed once.
    """
    directory, _, name = path.rpartition("/")
    for above in directories_above(path):
        for generator in generators_in(above):
            if generator.publishes(path):
                # The forge shows it for the repository, the directory of the site, and that of its programs.
                homes = ["", generator.home]
                if generator.source != join(generator.home, "src"):
                    homes.append(join(generator.home, "src"))
                if FORGE_DOCUMENT.fullmatch(name) and not generator.kind.has_readme and directory in homes:
                    return None
                return generator
        if is_below(path, join(above, _DOCUMENTS)):
            beside = generator_beside(above)
            if beside is not None and beside.publishes(path):
                return beside
    return None


# The directory of documents that has the configuration of its site in a directory next to it.
_DOCUMENTS = "docs"
_NOT_SITES = frozenset((".git", "node_modules", "examples", "example", "tests", "test", "vendor", "fixtures"))


def documents_generator(tree: Tree, above: str) -> Generator | None:
    """Return the generator of `docs` in a directory whose configuration is in another directory there, or None."""
    children = [child for child, kind in tree.entries(above).items() if kind == "d" and child not in _NOT_SITES]
    for beside in chain.from_iterable(configured_generators(tree, join(above, child)) for child in children):
        # A kind with a root of its own publishes that, and an application its pages.
        if not beside.kind.root and (beside.kind.follows_files or not beside.kind.statics):
            return beside._replace(source=join(above, _DOCUMENTS))
    return None


def configured_generators(tree: Tree, directory: str) -> list[Generator]:
    """Return the generators whose configuration is in a directory."""
    generators = []
    if directory.endswith(_CATALOG):
        generators = [Generator(_BY_FILE[_CATALOG][0], directory, directory, directory, "auto")]
    entries = tree.entries(directory)
    names = set(entries)
    if entries.get("config") == "d":
        names |= {f"{_HUGO_DIRECTORY}/{name}" for name in tree.entries(join(directory, _HUGO_DIRECTORY))}
    files = [(KINDS.index(kind), name, kind) for name in names & _BY_FILE.keys() for kind in _BY_FILE[name]]
    files += [(KINDS.index(_MKDOCS), name, _MKDOCS) for name in _VARIANT.findall("\n".join(entries))]
    files.sort(key=lambda file: file[:2])
    generators += filter(None, (_read_configuration(tree, kind, directory, name) for _, name, kind in files))
    return generators


def _read_configuration(tree: Tree, kind: Kind, directory: str, name: str) -> Generator | None:
    """Return the generator of a configuration file; None if it is that of another program."""
    file, text = join(directory, name), ""
    if kind.marker or kind.root_key or kind.slug_key or kind.settings:
        files = [file]
        if tree.entries(directory).get(name) == "d":
            parts = [f"{file}/config/{part}" for part in tree.entries(f"{file}/config") if part.endswith(SCRIPTS)]
            files = [*(f"{file}/{path}" for path in _scripts("config")), *parts[:_MOST_PARTS]]
        if kind.slug_key:  # patch-package changes the program that makes the anchors
            patches = join(directory, "patches")
            files += [f"{patches}/{patch}" for patch in tree.entries(patches) if patch.endswith(".patch")][:_MOST_PARTS]
        data = b"\n".join(tree.read(path, _LARGEST) or b"" for path in files if tree.find(path).state == "file")
        text = data.decode("utf-8", "replace")
    if re.search(kind.marker, text) is None or (kind.keeps_paths and directory):  # a page of the same name
        return None
    for pattern, values in kind.settings.items():
        if re.search(pattern, text) is not None:
            kind = kind._replace(**values)
    source, preset = join(directory, kind.root), kind.preset
    match = kind.root_key and re.search(kind.root_key, text)
    if match:
        source = join(directory, match[1].strip("/").removeprefix("./"))
    elif kind.root != "docs" and tree.find(source).state != "directory":  # MkDocs fails without it
        source = directory
    if not preset or (kind.slug_key and re.search(kind.slug_key, text) is not None):
        preset = "auto"
    url = kind.url_key and re.search(kind.url_key, text)
    source = tree.find(source, fold=False).path  # a symbolic link leads to the documents
    generator = Generator(kind, file, directory, source, preset, f"{url[1].rstrip('/')}/" if url else "")
    if kind.excluded_key and (listed := re.search(kind.excluded_key, text)) is not None:
        globs = tuple(f"/{glob}" for glob in _QUOTED.findall(listed[1]))
        return generator._replace(excluded=Excluder(globs, source))
    return generator


def directories_above(path: str) -> Iterator[str]:
    """Yield the directories of a file of a tree from its own to the root, ""."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def is_below(path: str, directory: str) -> bool:
    """Return whether a path of a tree is a directory or below it."""
    return not directory or path == directory or path.startswith(directory + "/")
