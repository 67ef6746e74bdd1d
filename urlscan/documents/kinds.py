"""The registry of the kinds of documents: how each is recognized and read.

The names are those on which editors and GitHub's Linguist agree.
"""

from typing import Literal

from urlscan.core.record import NamedTuple

# The scope of a search. Each includes the next: every region of a document, with its context and how it is written;
# text that may hold hosts and addresses; links and URLs; URLs with a scheme.
Scope = Literal["exact", "hosts", "links", "schemes"]

# Skipping what is not searched is up to five times as fast as reading every tag.
_HTML = tuple(f"urlscan.documents.html:{name}" for name in "regions host_regions link_regions scheme_regions".split())
# Skipping paragraphs without links is twice as fast.
_MARKDOWN = tuple(f"urlscan.documents.markdown:{name}regions" for name in ("", "", "link_", "scheme_"))
# Most regions are prose, which need not be yielded to search for links and URLs.
_RST = (*["urlscan.documents.rst:regions"] * 2, "urlscan.documents.rst:markup_regions")
# Skipping strings and comments without escapes is twice as fast.
_CODE = ("urlscan.documents.code:regions", "urlscan.documents.code:escaped_regions")
_MAIL = ("urlscan.documents.mail.mailbox:read_mail",)
_FORMS = ("urlscan.documents.link_forms:regions",)


class Kind(NamedTuple):
    """How sources of a kind are recognized and read.

    Attributes:
        readers: the functions that read it, by scope, imported on first use; the last one is used for narrower scopes,
            too.
        extensions: the extensions of its file names, in lower case; other names are identified by content.
        names: complete file names, in lower case.
    """

    readers: tuple[str, ...]
    extensions: str = ""
    names: str = ""


KINDS = {
    "plain": Kind(("urlscan.documents.regions:regions",), "txt text log rfc nfo diff patch"),
    "html": Kind(_HTML, "html htm xhtml xht shtml vue svelte jsp jspf asp aspx ascx cshtml razor gohtml"),
    "xml": Kind(
        _HTML,
        "xml svg rss atom xsl xslt xsd dbk wsdl plist xaml csproj vbproj fsproj props targets nuspec pom opml"
        " kml gpx xlf xliff resx ui glade rng sgml docbook",
    ),
    "markdown": Kind(_MARKDOWN, "md markdown mkd mkdn mdown mdx mdwn qmd rmd"),
    "rst": Kind(_RST, "rst rest"),
    "ipynb": Kind(("urlscan.documents.ipynb:regions",), "ipynb"),
    "csv": Kind(("urlscan.documents.csv:regions",), "csv"),
    "tsv": Kind(("urlscan.documents.csv:regions",), "tsv tab"),
    "ics": Kind(("urlscan.documents.icalendar:regions",), "ics ical ifb icalendar"),
    "vcf": Kind(("urlscan.documents.icalendar:regions",), "vcf vcard"),
    "http": Kind(("urlscan.documents.http:regions",)),
    # one or more messages; each message has documents of its own
    "mail": Kind(_MAIL, "eml"),
    "mbox": Kind(_MAIL, "mbox mbx"),
    "mmdf": Kind(_MAIL, "mmdf"),
    "babyl": Kind(_MAIL, "babyl"),
    "rnews": Kind(_MAIL),
    # one table of markup languages: link_forms.py
    "asciidoc": Kind(_FORMS, "adoc asciidoc asc"),
    "css": Kind(_FORMS, "css scss less sass styl pcss"),
    "latex": Kind(_FORMS, "tex ltx latex sty cls bib dtx ins"),
    "org": Kind(_FORMS, "org"),
    "roff": Kind(_FORMS, "man mdoc roff troff nroff groff ms mom tmac"),
    "texinfo": Kind(_FORMS, "texi texinfo txi"),
    # one table of programming languages: languages.py; `source` is any other
    "source": Kind(_CODE),
    "c": Kind(
        _CODE, "c h cc cpp cxx c++ hh hpp hxx h++ inl ino m mm cu cuh cs d dart glsl hlsl idl proto thrift v sv vala"
    ),
    "dockerfile": Kind(_CODE, "dockerfile", "dockerfile containerfile"),
    "go": Kind(_CODE, "go"),
    "haskell": Kind(_CODE, "hs lhs cabal elm purs ml mli agda idr"),
    "ini": Kind(
        _CODE,
        "ini cfg conf config cnf desktop service socket timer gitconfig editorconfig npmrc pylintrc env tf hcl tfvars",
        ".gitconfig .gitmodules .editorconfig .npmrc .pylintrc",
    ),
    "java": Kind(_CODE, "java kt kts scala sc groovy gradle swift", "jenkinsfile"),
    "javascript": Kind(_CODE, "js mjs cjs jsx ts mts cts tsx es as coffee"),
    "json": Kind(
        _CODE,
        "json json5 jsonc geojson webmanifest map code-workspace sublime-project topojson har avsc",
        ".eslintrc .babelrc",
    ),
    "jsonl": Kind(_CODE, "jsonl ndjson"),
    "lisp": Kind(_CODE, "el lisp lsp cl clj cljs cljc edn scm ss rkt hy fnl", ".emacs"),
    "lua": Kind(_CODE, "lua"),
    "makefile": Kind(_CODE, "mk mak make am cmake", "makefile gnumakefile cmakelists.txt kbuild"),
    "perl": Kind(_CODE, "pl pm pod t"),
    "php": Kind(_CODE, "php phtml php3 php5"),
    "po": Kind(_CODE, "po pot"),
    "powershell": Kind(_CODE, "ps1 psm1 psd1"),
    "properties": Kind(_CODE, "properties"),
    "python": Kind(
        _CODE, "py pyi pyw pyx pxd pxi bzl bazel star wscript sconstruct gyp gypi", "sconstruct sconscript wscript"
    ),
    "r": Kind(_CODE, "r"),
    "ruby": Kind(_CODE, "rb rake gemspec ru podspec cr ex exs jl nix", "gemfile rakefile vagrantfile podfile brewfile"),
    "rust": Kind(_CODE, "rs zig"),
    "shell": Kind(
        _CODE,
        "sh bash zsh ksh dash fish ash csh tcsh envrc bats ebuild eclass tcl",
        ".bashrc .bash_profile .profile .zshrc pkgbuild",
    ),
    "sql": Kind(_CODE, "sql ddl"),
    "toml": Kind(_CODE, "toml", "pipfile cargo.lock"),
    "vim": Kind(_CODE, "vim vimrc", ".vimrc"),
    "yaml": Kind(_CODE, "yaml yml cff clang-format", ".clang-format .clang-tidy .prettierrc"),
}
MAIL = tuple(kind for kind, entry in KINDS.items() if entry.readers is _MAIL)
