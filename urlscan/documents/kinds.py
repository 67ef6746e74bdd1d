"""The registry of the kinds of documents: how each is recognized and read.

The names are those on which editors and GitHub's Linguist agree.
"""

from urlscan.core.record import NamedTuple
from urlscan.core.typing import Literal

# The scope of a search. Each includes the next: every region of a document, with its context and how it is written;
# text that may hold hosts and addresses; links and URLs; URLs with a scheme.
Scope = Literal["exact", "hosts", "links", "schemes"]


class Kind(NamedTuple):
    """How sources of a kind are recognized and read.

    Attributes:
        reader: the module of `urlscan.documents` that reads it, imported on first use; "" for mail, whose messages have
            documents of their own.
        extensions: the extensions of its file names, in lower case; other names are identified by content.
        names: complete file names, in lower case.
    """

    reader: str
    extensions: str = ""
    names: str = ""


KINDS = {
    "plain": Kind("regions", "txt text log rfc nfo diff patch"),
    "html": Kind("html", "html htm xhtml xht shtml vue svelte jsp jspf asp aspx ascx cshtml razor gohtml"),
    "xml": Kind(
        "html",
        "xml svg rss atom xsl xslt xsd dbk wsdl plist xaml csproj vbproj fsproj props targets nuspec pom opml"
        " kml gpx xlf xliff resx ui glade rng sgml docbook",
    ),
    "markdown": Kind("markdown", "md markdown mkd mkdn mdown mdx mdwn qmd rmd"),
    "rst": Kind("rst", "rst rest"),
    "ipynb": Kind("ipynb", "ipynb"),
    "csv": Kind("interchange", "csv"),
    "tsv": Kind("interchange", "tsv tab"),
    "ics": Kind("interchange", "ics ical ifb icalendar"),
    "vcf": Kind("interchange", "vcf vcard"),
    "http": Kind("interchange"),
    # one or more messages
    "mail": Kind("", "eml"),
    "mbox": Kind("", "mbox mbx"),
    "mmdf": Kind("", "mmdf"),
    "babyl": Kind("", "babyl"),
    "rnews": Kind(""),
    # one table of markup languages: link_forms.py
    "asciidoc": Kind("link_forms", "adoc asciidoc asc"),
    "css": Kind("link_forms", "css scss less sass styl pcss"),
    "latex": Kind("link_forms", "tex ltx latex sty cls bib dtx ins"),
    "org": Kind("link_forms", "org"),
    "roff": Kind("link_forms", "man mdoc roff troff nroff groff ms mom tmac"),
    "texinfo": Kind("link_forms", "texi texinfo txi"),
    # one table of programming languages: languages.py; `source` is any other
    "source": Kind("code", "erl hrl"),
    "c": Kind(
        "code", "c h cc cpp cxx c++ hh hpp hxx h++ inl ino m mm cu cuh cs d dart glsl hlsl idl proto thrift v sv vala"
    ),
    "dockerfile": Kind("code", "dockerfile", "dockerfile containerfile"),
    "go": Kind("code", "go"),
    "haskell": Kind("code", "hs hsc hs-boot lhs cabal elm purs ml mli agda idr"),
    "ini": Kind(
        "code",
        "ini cfg conf config cnf desktop service socket timer gitconfig editorconfig npmrc pylintrc env tf hcl tfvars",
        ".gitconfig .gitmodules .editorconfig .npmrc .pylintrc",
    ),
    "java": Kind("code", "java kt kts scala sc sol groovy gradle swift", "jenkinsfile"),
    "javascript": Kind("code", "js mjs cjs jsx ts mts cts tsx es as coffee"),
    "json": Kind(
        "code",
        "json json5 jsonc geojson webmanifest map code-workspace sublime-project topojson har avsc",
        ".eslintrc .babelrc",
    ),
    "jsonl": Kind("code", "jsonl ndjson"),
    "lisp": Kind("code", "el lisp lsp cl clj cljs cljc edn scm ss rkt hy fnl", ".emacs"),
    "lua": Kind("code", "lua"),
    "makefile": Kind("code", "mk mak make am cmake", "makefile gnumakefile cmakelists.txt kbuild"),
    "perl": Kind("code", "pl pm pod t"),
    "php": Kind("code", "php phtml php3 php5"),
    "po": Kind("code", "po pot"),
    "powershell": Kind("code", "ps1 psm1 psd1"),
    "properties": Kind("code", "properties"),
    "python": Kind(
        "code", "py pyi pyw pyx pxd pxi bzl bazel star wscript sconstruct gyp gypi", "sconstruct sconscript wscript"
    ),
    "r": Kind("code", "r"),
    "ruby": Kind(
        "code", "rb rake gemspec ru podspec cr ex exs jl nix", "gemfile rakefile vagrantfile podfile brewfile"
    ),
    "rust": Kind("code", "rs zig"),
    "shell": Kind(
        "code",
        "sh bash zsh ksh dash fish ash csh tcsh envrc bats ebuild eclass tcl",
        ".bashrc .bash_profile .profile .zshrc pkgbuild",
    ),
    "sql": Kind("code", "sql ddl"),
    "toml": Kind("code", "toml", "pipfile cargo.lock"),
    "vim": Kind("code", "vim vimrc", ".vimrc"),
    "yaml": Kind("code", "yaml yml cff clang-format", ".clang-format .clang-tidy .prettierrc"),
}
MAIL = tuple(kind for kind, entry in KINDS.items() if not entry.reader)
