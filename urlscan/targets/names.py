"""Classify paths by their names: which are documents, templates, fragments or copies."""

import re

from urlscan.core.lazy import lazy
from urlscan.documents.identify import identify

# Kinds of documents whose references are checked and whose anchors are known.
DOCUMENT_KINDS = frozenset(("markdown", "html", "rst", "asciidoc", "org", "ipynb"))
# Extensions of files that references name; "v6.2.1" and "go1.10" have none.
_EXTENSIONS = frozenset(
    """
    md markdown mdx qmd rmd rst adoc asciidoc org ipynb txt html htm xhtml pdf ps tex bib docx odt pptx xlsx csv tsv png
    jpg jpeg gif svg webp avif ico bmp tif tiff eps drawio puml dot mmd mp4 webm mov mp3 ogg wav ttf woff woff2 py pyi
    pyx js mjs cjs ts tsx jsx vue svelte c h cc cpp cxx hpp hh m mm cs java kt scala go rs rb php pl pm lua r jl swift
    dart ex exs erl hs ml clj el lisp sh bash zsh fish ps1 bat cmd sql graphql proto thrift json jsonc json5 yaml yml
    toml ini cfg conf xml xsd xsl css scss less sass lock env properties gradle cmake mk patch diff log zip gz tgz xz
    bz2 tar whl jar wasm asc sig gpg pem crt key
    """.split()
)
# A page, also in one of several languages and encodings that a server chooses from.
# Matches: `a.html`, `a.shtml`, `a.html.en`, `a.html.zh-cn.utf8`, `a.fr.html`
# Does not match: `a.html.in`, `a.html.erb`, `a.html.out`
_PLAIN_HTML = lazy(
    r"""
    .*\.(?:s?html?|xht(?:ml)?)
    (?:\.(?!in\b|tt\b)[a-z]{2}(?:-[a-z]{2,4})?)?
    (?:\.(?:utf-?8|iso[-_]?\d+(?:-\d+)?|euc-[a-z]{2}|windows-\d+|ucs\d|cp-?\d+|koi8-r|jis|gb2312|big5))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PAGES = frozenset(("html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "do"))  # of Struts
_FILE_EXTENSIONS = _EXTENSIONS | _PAGES
# Directories of templates, and of documents that are inserted into others and resolved from there: roxygen2, `rmd`; the
# fragments of a changelog of changie, changesets, towncrier and scriv.
# Matches: `templates`, `_includes`, `my-templates`, `ISSUE_TEMPLATE`, `{{ name }}`, `rmd`, `.changes`, `changelog.d`
# Does not match: `docs`, `include-guide`, `temp`
_TEMPLATE_DIRECTORY = lazy(
    r"""
    [-_.]?templates? | .*[-_]templates? | _?layouts? | _?includes? | _?partials? | _?snippets? | _themes? | themes
      | archetypes
      | rmd | \.changes(?:et)? | changelog\.d | newsfragments? | skeletons? | scaffolds? | boilerplates?
      | cookiecutter.* | .*\{\{.* | issue_template | pull_request_template
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Matches: `_part.html`, `a.md.j2`, `README.md.in`, `pull_request_template.md`, `_TEMPLATE_.md`, `header.rst`
# Does not match: `README.md`, `_index.md`, `a_b.md`, `index.html`, `headers.md`
_TEMPLATE_FILE = lazy(
    r"""
    _.*\.(?:html?|rst|adoc|asciidoc|txt|org)
      | (?:header|footer)[0-9]*\.(?:rst|md|adoc|html?)
      | .*\.(?:in|tmpl|tpl|template|j2|jinja2?|erb|ejs|hbs|mustache|liquid|njk|twig|mako|eex|heex|haml|slim)
      | .*\.(?:gotmpl|dist|tt|ftl)
      | (?:pull_request|issue)_template\..* | .*[-_.]template\..* | _?template_?[-_.].* | .*\.component\.html
    """,
    re.VERBOSE | re.IGNORECASE,
)
# A directory of a translation.
# Matches: `guide-de`, `docs_pt-BR`, `zh-CN`, `uk`
# Does not match: `guide`, `de-facto`
_TRANSLATION = lazy(r"(?:\w{2,40}[-_.])?(?P<language>[a-z]{2}(?:[-_][A-Za-z]{2,4})?)")


def join(directory: str, name: str) -> str:
    """Return the path of a name in a directory of a tree; "" and "." are the directory itself."""
    if name in ("", "."):
        return directory
    return f"{directory}/{name}".lstrip("/")


def extension(path: str) -> str:
    """Return the extension of a file name in lower case, without its dot; "" if it has no known one."""
    _, dot, end = path.rpartition("/")[2].lstrip(".").rpartition(".")
    end = end.lower()
    if not dot or end not in _FILE_EXTENSIONS:
        return ""
    return end


def is_page(path: str) -> bool:
    """Return whether a path is that of a page, which a build may write, or has no extension."""
    end = extension(path.rstrip("/"))
    return not end or end in _PAGES


def is_html(name: str) -> bool:
    """Return whether a file name is that of a page of HTML, and not of a template for one."""
    return _PLAIN_HTML.fullmatch(name) is not None


def is_document(path: str) -> bool:
    """Return whether a path is that of a document whose anchors are known."""
    return identify(path) in DOCUMENT_KINDS


def is_template(path: str, kind: str = "") -> bool:
    """Return whether a document of a kind, which may show in its content only, is a template or part of another one."""
    *directories, name = path.split("/")
    # A document in "theme/" is about a theme.
    if (kind or identify(name)) == "html" and ("theme" in directories or not is_html(name)):
        return True
    return _TEMPLATE_FILE.fullmatch(name) is not None or any(map(_TEMPLATE_DIRECTORY.fullmatch, directories))


def languages(path: str) -> frozenset[str]:
    """Return the languages that the directories of a path and the end of its name before the extension give."""
    *directories, name = path.split("/")
    names = [*directories, name.partition(".")[2].rpartition(".")[0]]
    return frozenset(match["language"] for part in names if (match := _TRANSLATION.fullmatch(part)) is not None)
