"""Report suppressions that suppress nothing, and references whose targets are missing (U9)."""

import unicodedata

from urlscan.core.choices import Applicability
from urlscan.core.faults import TargetFault
from urlscan.core.records import Edit, Problem, Severity
from urlscan.rules.base import Example, Rule, examples, quote_text, target_problem, target_rule
from urlscan.rules.registry import ENTRIES
from urlscan.uri.grammar.characters import decoded

# --- U901 unused-suppression

unused_suppression = Rule(
    *ENTRIES["U901"],
    severity=Severity.WARNING,
    summary="Suppression comment has no effect",
    why=(
        "A suppression comment that outlives its finding hides the next fault in its place. A comment without rules,"
        " or with a misspelled word, suppresses nothing, although its author expects it to. Comments for rules that"
        " are off are not reported."
    ),
    when_to_ignore="Where a program writes suppression comments everywhere.",
    bad=(
        Example("See http://h.example/a urlscan: ignore[no-such-rule]"),
        Example("urlscan: ignore-next-line[u201]\nSee http://h.example/a now."),
        Example("x = 'http://h.example/a'  # urlscan: ignore", path="a.py"),
        Example("x = 'http://h.example/a'  # urlscan: ingore[U201]", path="a.py"),
    ),
    good=(
        Example("See <http://h.example/%zz> urlscan: ignore[U201]"),
        Example("See http://h.example/a urlscan: ignore[U605]"),
        Example("At http://h.example/ a bare `urlscan: ignore` suppresses nothing."),
    ),
)


def _hint(suggestion: str) -> str:
    """Return a question about what was meant, for the end of a message; "" without a suggestion."""
    if not suggestion:
        return ""
    return f"; did you mean {quote_text(suggestion)}?"


# --- U911 missing-fragment

_GUIDE = (("guide.md", '# Guide\n\n## Installation on Linux\n\n<a name="faq"></a>\n'),)


@target_rule(
    "U911",
    Severity.ERROR,
    bad=(
        Example("# Setup\n\nSee [below](#seting-up).\n\n## Setting up\n", path="a.md"),
        Example("See [the guide](guide.md#installation-on-windows).\n", path="a.md", files=_GUIDE),
        Example('<!DOCTYPE html>\n<p><a href="#one">1</a></p><h2 id="two">2</h2>\n', path="a.html"),
    ),
    good=(
        Example("# Setup\n\nSee [below](#setting-up) or [the top](#).\n\n## Setting up\n", path="a.md"),
        Example("See [the guide](guide.md#installation-on-linux), [FAQ](guide.md#faq).\n", path="a.md", files=_GUIDE),
        Example("[Quote](guide.md#:~:text=Linux), [line](a.py#L10).\n", path="a.md", files=(*_GUIDE, ("a.py", "a\n"))),
        Example("{{#include b.md}}\n\nSee [below](#in-b).\n", path="a.md"),
    ),
    options=("anchors", "generated"),
)
def missing_fragment(fault: TargetFault) -> Problem:
    """Fragment names no anchor of its target.

    A browser that finds no element with the identifier shows the top of the page and no error (RFC 3986 section 3.5).
    Anchors are often made from headings, so that a new wording or a translation breaks every link to the heading.
    Documents in Markdown, HTML, reStructuredText, AsciiDoc and Org Mode and notebooks are searched for headings, `id`
    and `name`. Anchors of headings are those of the detected site generator, or of GitHub. In URLs of the repository on
    its forge, which may show another branch, missing anchors are warnings.

    When to ignore: Where a program adds the anchors later.
    Fix: Writes the only anchor of the target that has nearly the same words (unsafe: another may be meant).
    """
    where = "this document"
    if fault.target:
        where = quote_text(fault.target)
    hint = _hint(fault.suggestion and "#" + decoded(fault.suggestion))
    if fault.variant:
        hint = f"; only the forge makes this anchor, the site makes {quote_text('#' + fault.variant)}"
        if fault.written == unicodedata.normalize("NFC", fault.variant):
            hint += " of decomposed characters"
    message = f"no heading or anchor {quote_text('#' + fault.written)} in {where}{hint}{fault.repetition}"
    return target_problem(missing_fragment, fault, message, section="RFC 3986 section 3.5")


# --- U912 missing-file


_FILES = (("docs/install.md", "# Install\n"), ("img/a b.png", ""), ("src/main.py", "a = 1\n"))


@target_rule(
    "U912",
    Severity.ERROR,
    bad=(
        Example("See [install](docs/instal.md).\n", path="a.md", files=_FILES),
        Example("![logo](img/b.png)\n", path="a.md", files=_FILES),
        Example("`install <docs/setup.rst>`_\n", path="a.rst", files=_FILES),
    ),
    good=examples(
        "[a](docs/install.md) [b](docs/) [c](src/main.py#L3) [d](docs/install.html)\n",
        "![a](img/a%20b.png) ![b](<img/a b.png>)\n",
        "[issues](../../issues), [page](/guide/), [template]({{ url }}/a.md)\n",
        path="a.md",
        files=_FILES,
    ),
    options=("root-dir", "static-dir", "fallback-extensions", "index-files", "prefix-map", "generated", "redirects"),
)
def missing_file(fault: TargetFault) -> Problem:
    """Reference leads to no file of the repository.

    A relative reference is resolved against the location of its document (RFC 3986 section 5.2). When a file is moved,
    renamed or removed, the references to it break without a sign. URLs of the repository on its forge are looked up,
    too (`https://github.com/o/r/blob/main/a.md`), and are warnings: the files may be those of another branch. Ignored
    files, submodules and files that a site generator writes are not reported. A page (`.html`, no extension) and a file
    whose directory is missing, too, are warnings, since a build may write them; under a detected generator pages are
    not reported. In changelogs, copies of old versions, pages of HTML and generated documents, findings are
    information. `-v` counts the references that are not reported, by their reason.

    When to ignore: Where a build writes the file; list such files in `generated`.
    Fix: Writes the path of the only file with nearly the same name, or from another directory above the document
    (unsafe: another may be meant). A file that was moved is only suggested, since a build may merge the directories.
    """
    location = ""
    if fault.written.startswith("../") and ("/" not in fault.target or fault.target == fault.suggestion):
        location = " at the root"
    message = f"no file {quote_text(fault.target)}{location}{_hint(fault.suggestion)}{fault.repetition}"
    edits: tuple[Edit, ...] | None = None
    if fault.variant:
        edits = ()
    return target_problem(missing_file, fault, message, section="RFC 3986 section 5.2", edits=edits)


# --- U913 wrong-case


_CAPITALIZED_FILES = (("docs/Install.md", "# Install\n"),)


@target_rule(
    "U913",
    Severity.ERROR,
    bad=(
        Example("See [install](docs/install.md).\n", path="a.md", files=_CAPITALIZED_FILES),
        Example('<a href="Docs/Install.md">a</a>\n', path="a.html", files=_CAPITALIZED_FILES),
    ),
    good=examples("See [install](docs/Install.md), [docs](docs/).\n", path="a.md", files=_CAPITALIZED_FILES),
    options=("root-dir", "static-dir"),
)
def wrong_case(fault: TargetFault) -> Problem:
    """Reference has another letter case than the file.

    Paths are case-sensitive (RFC 3986 section 6.2.2.1). The reference works on Windows and macOS and is broken on a web
    server, on GitHub and on Linux. Names are compared with the listing of the directory, so that the rule reports the
    same on every system. URLs of the repository on its forge, which may show another branch, are warnings.

    When to ignore: Where the files are only used on systems that ignore case.
    Fix: Writes the name of the file (unsafe if several files differ in letter case only, and in URLs of the forge).
    """
    message = f"the letter case of {quote_text(fault.written)} is wrong; the file is {quote_text(fault.target)}"
    safety: Applicability = "unsafe"
    if fault.is_certain and not fault.variant:
        safety = "safe"
    return target_problem(wrong_case, fault, message, section="RFC 3986 section 6.2.2.1", safety=safety)


# --- U914 fragment-case


@target_rule(
    "U914",
    Severity.INFO,
    bad=examples("See [below](#Setting-Up).\n\n## Setting up\n", path="a.md"),
    good=examples('See [below](#setting-up), [A](#API).\n\n## Setting up\n\n<a id="API"></a>\n', path="a.md"),
    options=("anchors",),
)
def fragment_case(fault: TargetFault) -> Problem:
    """Fragment has another letter case than the anchor.

    Identifiers are compared with their letter case (RFC 3986 section 3.5, HTML standard). Anchors of headings are in
    lower case; a browser does not find `#Setup`. GitHub's own pages find it by a script, which is why this is not an
    error.

    When to ignore: Where the documents are only read on a site that ignores case.
    Fix: Writes the anchor (unsafe: the page may define its own).
    """
    where, written = "", quote_text("#" + fault.written)
    if fault.target:
        where = f" of {quote_text(fault.target)}"
    actual = quote_text("#" + decoded(fault.suggestion))
    message = f"the letter case of {written} is wrong; the anchor{where} is {actual}"
    return target_problem(fragment_case, fault, message, section="RFC 3986 section 3.5")


# --- U915 undefined-reference


@target_rule(
    "U915",
    Severity.WARNING,
    bad=examples("See [the guide][guide].\n\n[guid]: http://h.example/\n", "See [Python][].\n", path="a.md"),
    good=examples(
        "See [the guide][Guide], [guide][].\n\n[guide]: http://h.example/\n",
        "`a[i][j]`, x[i][j], [ ][ ], [0][1], [note][^1], [class][package.Class]\n",
        path="a.md",
    ),
)
def undefined_reference(fault: TargetFault) -> Problem:
    """Link label has no definition.

    Markdown takes `[text][label]` and `[label][]` for links to the URL that `[label]: URL` defines (CommonMark 0.31
    section 6.3; the URL may be any reference of RFC 3986 section 4.1). Without the definition readers see the brackets.
    A lone `[label]` is often plain text and is not reported. Neither is `[text][label]` in a document without any
    definition, where two brackets are tags, an index or a notation, unless the label is a URL or a file. A document of
    definitions alone defines labels for all documents, since programs append it to them.

    When to ignore: Where a program adds definitions in another way.
    """
    message = f"no definition of the link label {quote_text(fault.written)}; the brackets are shown as text"
    return target_problem(undefined_reference, fault, message, section="CommonMark 0.31 section 6.3")


# --- U916 duplicate-definition


@target_rule(
    "U916",
    Severity.WARNING,
    bad=examples("See [a].\n\n[a]: http://h.example/1\n[A]: http://h.example/2\n", path="a.md"),
    good=examples(
        "See [a], [b].\n\n[a]: http://h.example/1\n[b]: http://h.example/2\n",
        "See [^a].\n\n[^a]: http://h.example/1\n[//]: # (a)\n[//]: # (b)\n",
        path="a.md",
    ),
)
def duplicate_definition(fault: TargetFault) -> Problem:
    """Link label is defined twice.

    The first definition of a label applies, and others are ignored (CommonMark 0.31 section 4.7), so that some links do
    not lead where their author wanted (RFC 3986 section 4.1). Case and white space do not distinguish labels. If the
    URLs lead to the same page (`http` and `https`, a closing slash, `stable` and `nightly`), the finding is an info.

    When to ignore: Where documents are joined and divided by a program.
    """
    target = "with another URL, which applies"
    if not fault.is_certain:
        target = "for the same page"
    message = f"the link label {quote_text(fault.written)} is defined above {target}"
    return target_problem(duplicate_definition, fault, message, section="CommonMark 0.31 section 4.7")


# --- U917 unused-definition


@target_rule(
    "U917",
    Severity.INFO,
    bad=examples("See [a].\n\n[a]: http://h.example/1\n[b]: http://h.example/2\n", path="a.md"),
    good=examples(
        "See [a], [x][b], [c][].\n\n[a]: http://h.example/1\n[b]: /2\n[c]: /3\n",
        "![a]\n\n[a]: http://h.example/1\n[//]: # (a comment)\n",
        path="a.md",
    ),
)
def unused_definition(fault: TargetFault) -> Problem:
    """Link label is defined but not used.

    A definition that no link uses shows nothing (CommonMark 0.31 section 4.7). It often remains when a text is removed,
    or belongs to a misspelled label; its URL (RFC 3986 section 4.1) is maintained in vain.

    When to ignore: Where definitions are shared by several documents.
    """
    message = f"the link label {quote_text(fault.written)} is defined but not used"
    return target_problem(unused_definition, fault, message, section="CommonMark 0.31 section 4.7")


# --- U918 leaves-root


@target_rule(
    "U918",
    Severity.WARNING,
    bad=examples("See [other](../other/README.md).\n", path="a.md"),
    good=examples("See [a](docs/../a.md).\n", path="a.md", files=(("docs/b.md", ""),)),
)
def leaves_root(fault: TargetFault) -> Problem:
    """Relative reference leaves the root of the repository.

    With more `..` than directories a reference depends on where the repository is published (RFC 3986 section 5.2.4).
    On GitHub `../../issues` leads to the issues; in a checkout it leads to no file of the repository.

    When to ignore: Where the documents are published at a known place.
    """
    message = f"{quote_text(fault.written)} leads out of the repository"
    return target_problem(leaves_root, fault, message, section="RFC 3986 section 5.2.4")


# --- U919 missing-label


@target_rule(
    "U919",
    Severity.WARNING,
    bad=(
        Example(
            "See :ref:`instal` and :doc:`guid`.\n",
            path="docs/a.rst",
            files=(("docs/conf.py", "project = 'a'\n"), ("docs/b.rst", ".. _install:\n\nInstallation\n============\n")),
        ),
        Example(".. include:: intro.txt\n", path="a.rst"),
    ),
    good=(
        Example(
            "See :ref:`Install`, :ref:`text <install>`, :doc:`/b`, :ref:`genindex`, ``:ref:`x` ``.\n\n.. :ref:`y`\n",
            path="docs/a.rst",
            files=(("docs/conf.py", "project = 'a'\n"), ("docs/b.rst", ".. _install:\n\nInstallation\n============\n")),
        ),
        Example(
            "See :ref:`python:library`, :ref:`elsewhere`.\n",
            path="docs/a.rst",
            files=(("docs/conf.py", "extensions = ['sphinx.ext.intersphinx']\n"),),
        ),
        Example(".. include:: <isonum.txt>\n.. include:: build/api.txt\n", path="a.rst"),
    ),
)
def missing_label(fault: TargetFault) -> Problem:
    """Label, document or included file of Sphinx does not exist.

    Sphinx and MyST refer to labels and documents by the roles `ref`, `numref` and `doc`. They become fragments and
    paths (RFC 3986 sections 3.3 and 3.5) when a page is written, and Sphinx only warns. A label counts wherever the
    repository defines it. Where `intersphinx`, another extension or another file may define labels, too, only a
    misspelled label of the repository is reported, and no document. The files of `include` and `literalinclude` are
    looked up in all documents of reStructuredText.

    When to ignore: Where a program defines labels or writes documents during the build.
    """
    return _missing(missing_label, fault)


# --- U920 missing-id


@target_rule(
    "U920",
    Severity.WARNING,
    bad=(
        Example("= A\n\nSee <<usage,the usage>>.\n", path="a.adoc"),
        Example("* A\n\nSee [[*Usage]] and [[#usage]].\n", path="a.org"),
    ),
    good=(
        Example("= A\n\n[[usage]]\n== B\n\nSee <<usage>>, <<B>>, xref:usage[], `<<x>>`, <<{y}>>.\n", path="a.adoc"),
        Example(
            "* Usage\n<<here>>\n[[*Usage]] [[here]] [[Usage][x]] [[id:0a1b]] [[https://h.example]] =[[x]]=\n",
            path="a.org",
        ),
    ),
)
def missing_id(fault: TargetFault) -> Problem:
    """Cross-reference of AsciiDoc or Org Mode leads nowhere.

    `<<id>>` and `xref:id[]` of AsciiDoc and the internal links of Org Mode become fragments (RFC 3986 section 3.5) when
    a page is written. An id counts wherever the repository defines it, even in another document.

    When to ignore: Where a build brings together documents of several repositories.
    """
    return _missing(missing_id, fault)


def _missing(rule: Rule, fault: TargetFault) -> Problem:
    message = f"no {fault.variant} {quote_text(fault.written)}{_hint(fault.suggestion)}"
    return target_problem(rule, fault, message, section="RFC 3986 section 3.5")


# --- U921 malformed-link

_MESSAGES = {
    "form": "this is no link; write [text](URL)",
    "parenthesis": 'the second "(" makes this no link; remove it',
    "nested": "a whole link is the destination of another; write its URL alone",
    "code": "the backticks are a part of the destination; remove them",
    "wide": 'a full-width parenthesis does not close the link; write ")"',
    "host": "a space ends the destination, so that this is no link; remove it from the host",
    "blank": "a space ends the destination, so that this is no link; write %20 or <...>, or remove it",
    "underscore": 'without "_" after the backtick this is no link',
    "markdown": "this is a link of Markdown, which reStructuredText shows as text; write `text <URL>`_",
    "removed": 'docutils removes the spaces of a URI; write %20, or "_" after the name of a target',
}


@target_rule(
    "U921",
    Severity.WARNING,
    bad=examples(
        "See [the guide] (https://dominion.org/guide).\n",
        "See (the guide)[https://dominion.org/guide].\n",
        "See [https://dominion.org/guide](The guide).\n",
        "See [the guide](https://dominion.org/the guide).\n",
        "See [the guide]((https://dominion.org/guide).\n",
        "See [the guide](https://dominion.org/guide\uff09.\n",
        path="a.md",
    )
    + examples(
        "See `the guide <https://dominion.org/guide>`.\n",
        "See [the guide](https://dominion.org/guide).\n",
        path="a.rst",
    ),
    good=(
        Example("See [the guide](https://dominion.org/guide), `[a] (https://dominion.org/)`.\n", path="a.md"),
        Example('- [ ] (https://dominion.org/a) and [a](<b c.md> "d")\n', path="a.md", files=(("b c.md", ""),)),
        Example("See [guide] (https://dominion.org/).\n\n[guide]: https://dominion.org/guide\n", path="a.md"),
    ),
)
def malformed_link(fault: TargetFault) -> Problem:
    """Text that was meant as a link is not one, or another one.

    In Markdown a link is `[text](URL)` without white space between the brackets, and its destination has no spaces
    unless it is enclosed in `<...>` (CommonMark 0.31 section 6.3; RFC 3986 allows no space in a URL). Readers see the
    brackets otherwise. In reStructuredText, docutils removes the spaces from `` `text <a b.html>`_ ``, which leads to
    `ab.html`; a target is named as in `` `text <a b_>`_ ``. Without the underscore, and with the brackets of
    Markdown, readers see text and URL.

    When to ignore: Where another program reads the document.
    Fix: Removes the space before the parenthesis, or the second parenthesis, writes the one that closes a link, or the
    underscore, or writes a link of Markdown as reStructuredText does (unsafe: it may be meant as text).
    """
    edits: tuple[Edit, ...] = ()
    if fault.variant == "parenthesis":
        edits = (Edit(fault.start, fault.end, ""),)
    elif fault.variant == "wide":
        edits = (Edit(fault.start, fault.end, ")"),)
    elif fault.variant == "markdown":
        edits = (Edit(fault.start, fault.end, fault.suggestion),)
    elif fault.variant == "underscore":
        edits = (Edit(fault.start + len(fault.suggestion) - 1, fault.end, "_"),)
    elif fault.suggestion and (blanks := fault.end - fault.start - len(fault.suggestion)):  # "[text] (URL)"
        middle = fault.start + fault.suggestion.find("](") + 1
        edits = (Edit(middle, middle + blanks, ""),)
    section = "CommonMark 0.31 section 6.3"
    if fault.variant in ("removed", "underscore", "markdown"):
        section = "docutils 0.22, Embedded URIs and Aliases"
    return target_problem(malformed_link, fault, _MESSAGES[fault.variant], section=section, edits=edits)


# --- U922 incomplete-link

_EMPTY = {
    "text": "the link has no text, so that readers cannot see it",
    "destination": "the link has no destination, and leads to its own page",
}


@target_rule(
    "U922",
    Severity.WARNING,
    bad=examples(
        "See [a](dominion.org/b).\n",
        "Ask [Jo](jo@dominion.org).\n",
        "See [](https://dominion.org/b).\n",
        "See [the guide]().\n",
        path="a.md",
    ),
    good=(
        Example(
            "See [a](https://dominion.org/b), [Jo](mailto:jo@dominion.org), ![](a.png).\n",
            path="a.md",
            files=(("a.png", ""),),
        ),
        Example(
            "See [a](setup.py), [b](socket.io/a.md).\n", path="a.md", files=(("setup.py", ""), ("socket.io/a.md", ""))
        ),
        Example("`f[a]()`, f[a]()\n", path="a.md"),
    ),
)
def incomplete_link(fault: TargetFault) -> Problem:
    """Link has no text, no destination, or no scheme.

    A reference without a scheme is relative (RFC 3986 section 4.2): `[a](dominion.org/b)` and `[a](jo@dominion.org)`
    lead to files of these names. A link without text cannot be seen, and one without a destination leads to its own
    page (CommonMark 0.31 section 6.3).

    When to ignore: Where a program completes the links.
    Fix: Writes `mailto:` or `https://` (unsafe: the scheme may be another).
    """
    if fault.variant in _EMPTY:
        return target_problem(incomplete_link, fault, _EMPTY[fault.variant], section="CommonMark 0.31 section 6.3")
    message = f"{quote_text(fault.written)} is read as a file of the repository; write {fault.variant} before it"
    edits = (Edit(fault.start, fault.start, fault.variant),)
    return target_problem(incomplete_link, fault, message, section="RFC 3986 section 4.2", edits=edits)
