"""Identify the kind of a source by its name, or else by its beginning; recognize documents that record the past."""

import re

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.documents.kinds import KINDS
from urlscan.files.media_types import STATUS_LINE

_BY_EXTENSION = {end: kind for kind, entry in KINDS.items() for end in entry.extensions.split()}
_BY_NAME = {name: kind for kind, entry in KINDS.items() for name in entry.names.split()}
# Extensions of templates and copies: the name before them determines the kind, as in "x.rst.jinja". Placeholders are
# recognized in every kind.
_TEMPLATES = (
    "in bak orig template tmpl tpl sample dist erb ejs hbs handlebars mustache j2 jinja jinja2 liquid njk"
    " nunjucks twig mako ep tt tt2 tx gotmpl eex heex leex gsp ftl"
).split()
# Copies, and templates that are HTML pages if the name before does not determine another kind.
_COPIES = frozenset("in bak orig sample dist".split())
_PAGES = frozenset("ejs hbs handlebars mustache j2 jinja jinja2 liquid njk nunjucks twig ep eex heex leex gsp".split())
# Ambiguous extensions, such as "1": a section of the manual, or a rotated log.
_SECTION = lazy(r"[1-9][a-z]{0,4}\Z")
_MANUAL = lazy(r"(?m)^[.'](?:TH|Dd|SH|\\\")")

# Patterns for the beginnings of sources whose names do not determine the kind.
_HEAD = 1024
_INTERPRETERS = {
    "sh": "shell", "bash": "shell", "dash": "shell", "zsh": "shell", "ksh": "shell", "fish": "shell",
    "tclsh": "shell", "wish": "shell", "python": "python", "pypy": "python", "perl": "perl", "ruby": "ruby",
    "node": "javascript", "nodejs": "javascript", "deno": "javascript", "bun": "javascript", "php": "php",
    "lua": "lua", "make": "makefile", "guile": "lisp", "emacs": "lisp", "sbcl": "lisp", "rscript": "r",
}  # fmt: skip
_MARKUP = lazy(r"\s*(?:<\?xml\b|<!doctype\s+(?P<html>html)\b|<(?P<tag>html)[\s>])", re.IGNORECASE)
# An HTML page, or a part of one.
_PAGE = lazy(
    r"<(?:!doctype|html|head|body|div|table|ul|ol|form|section|p|a|h[1-6]|span|img|link|script)[\s>]", re.IGNORECASE
)
# Modelines of Emacs and Vim.
# Matches: `-*- python -*-`, `-*- coding: utf-8; mode: C++; a: b -*-`, `vim: ft=python`, `vi: set sw=2 syntax=c`
# Does not match: `-*- coding: utf-8 -*-`, `vim: sw=2`, `ft=python`
_MODE = lazy(
    r"""
    -\*-\s* (?: .{0,200}?\bmode:\s* )? (?P<emacs> [a-z+-]+ ) \s*(?: ;.{0,200} )?-\*-
  | \bvim?: .{0,200}? \b(?: ft | filetype | syntax )=(?P<vim> [a-z+]+ )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MODES = {
    "sh": "shell", "shell-script": "shell", "cperl": "perl", "emacs-lisp": "lisp", "common-lisp": "lisp",
    "scheme": "lisp", "clojure": "lisp", "c++": "c", "cpp": "c", "cc": "c", "objc": "c", "js": "javascript",
    "typescript": "javascript", "conf": "ini", "dosini": "ini", "make": "makefile", "nroff": "roff", "tex": "latex",
    "plaintex": "latex", "bibtex": "latex", "nxml": "xml", "sgml": "xml", "conf-toml": "toml",
}  # fmt: skip

# RFC 4155 appendix A: "From " address "Thu Nov 24 18:22:48 1986", possibly with a zone, and then a header. Old archives
# of Pipermail copy the field Date instead (RFC 822 section 5.1: date-time). Some programs write no date: "From -", or
# an address and then a typical header field.
_CTIME = r"[^\s:][^\n]{0,200}? [A-Z][a-z]{2} +[0-9]{1,2} +[0-9]{1,2}:[0-9]{2}[^\n]{0,40}[0-9]{4}[^\n]{0,40}"
_ZONE = r"(?: +(?:[+-][0-9]{4}|[A-Z]{1,5}))?(?: +\([^()\n]{1,40}\))?"
# Matches: `jo@h.example Fri, 24 Sep 1999 14:14:56 -0400 (EDT)`, `jo at h.example 24 Sep 99 14:14`
# Does not match: `us, 24 Sep 1999 14:14`, `my notes, Fri, 24 Sep 1999 14:14`, `jo@h.example 24 Sep 1999 14:14 or later`
_DATE_TIME = (
    r"[^\s:,]{1,255}(?: at [^\s:,]{1,255})? +(?:[A-Z][a-z]{2}, +)?[0-9]{1,2} +[A-Z][a-z]{2} +[0-9]{2,4} +"
    rf"[0-9]{{1,2}}:[0-9]{{2}}(?::[0-9]{{2}})?{_ZONE}[ \t]*\r?"
)
# The colon of a field is not the one of a URL at the start of a line, before "//".
_ANY_FIELD = r"(?:>From |[!-9;-~]{1,80}[ \t]*:(?!//))"
_ADDRESS = r"[^\s:@]{1,100}@[^\s:@]{1,255}[ \t]*\r?"
_FIRST_NAMES = "return-path|received|delivered-to|from|to|date|subject|message-id|mime-version|x-[!-9;-~]{1,78}"
MBOX = rf"From (?=(?:{_CTIME}|{_DATE_TIME}|-[ \t]*\r?)\n{_ANY_FIELD}|{_ADDRESS}\n(?i:{_FIRST_NAMES})[ \t]*:)"
# The beginnings of files with many messages (`mail/split.py`), by their first characters.
_MAILBOXES = (
    ("mbox", "From ", lazy(MBOX)),
    ("mmdf", "\x01\x01\x01\x01", lazy(r"\x01\x01\x01\x01\r?\n")),
    ("babyl", "BABYL OPTIONS:", lazy(r"BABYL OPTIONS:")),
    ("rnews", "#! rnews ", lazy(r"#! rnews [0-9]+")),
)
# The length of the name of a field, with its colon.
_LONGEST_NAME = 81
_FIELD = lazy(r"(?P<name>[!-9;-~]{1,80}):(?>(?:[^\n]*\n[ \t])*)[^\n]*(?:\n|\Z)")
# Two of these fields, and only fields before the first blank line, are not a coincidence.
_FIELDS = frozenset(
    "from to cc date subject message-id received return-path delivered-to reply-to sender references in-reply-to"
    " newsgroups path mime-version content-type x-mailer list-id".split()
)
# The name of a message in a maildir: seconds, a unique name and a host.
_MAILDIR = lazy(r"(?:\A|/)(?:cur|new)/[0-9]{4,}\.[^/]+\Z")


def is_mail(head: str) -> bool:
    """Return whether the beginning of a text is a message header: only fields, and two of the common ones."""
    name, colon, _ = head[:_LONGEST_NAME].partition(":")
    if not colon or " " in name:  # most texts; the pattern is not needed for them
        return False
    position, names = 0, set()
    while (field := _FIELD.match(head, position)) is not None:
        names.add(field["name"].lower())
        position = field.end()
    return len(names & _FIELDS) > 1 and (position == len(head) or head.startswith(("\n", "\r\n"), position))


def _mailbox(head: str, *, in_maildir: bool) -> str:
    """Return the kind of a mailbox or message, or ""."""
    for kind, first, pattern in _MAILBOXES:
        if head.startswith(first) and pattern.match(head) is not None:
            return kind
    if is_mail(head) or (in_maildir and _FIELD.match(head) is not None):
        return "mail"
    return ""


def identify(path: str, head: str = "") -> str:
    r"""Return the kind of a source.

    Args:
        head: the first few thousand characters of its text; used if the name does not determine the kind, and to
            recognize mail in text files.

    >>> identify("a/index.HTML"), identify("README"), identify("notes.txt"), identify("Dockerfile.dev")
    ('html', 'plain', 'plain', 'dockerfile')
    >>> identify("configure", "#!/bin/sh\n"), identify("-", "<!DOCTYPE html><p>")
    ('shell', 'html')
    """
    path = path.replace("\\", "/")
    in_maildir = ("cur/" in path or "new/" in path) and _MAILDIR.search(path) is not None
    name = path.rpartition("/")[2].lower()
    name, suffix = _without_suffixes(name)
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, dot, end = name.rpartition(".")
    if dot:
        if end in _BY_EXTENSION and not in_maildir:
            kind = _BY_EXTENSION[end]
            # The archives of mailing lists have names of text files.
            if kind in ("plain", "mail") and head:
                return _mailbox(head, in_maildir=False) or kind
            return kind
        if stem in ("dockerfile", "containerfile", "makefile"):
            return _BY_NAME[stem]
        if _SECTION.match(end):
            if _MANUAL.search(head[:_HEAD]):
                return "roff"
            return "plain"
    if suffix in _PAGES or (suffix and suffix not in _COPIES and _PAGE.search(head[:_HEAD]) is not None):
        return "html"
    if head:
        return _mailbox(head, in_maildir=in_maildir) or _by_head(head[:_HEAD])
    return "plain"


def _without_suffixes(name: str) -> tuple[str, str]:
    """Return a name without the suffixes of templates and copies, and the innermost of these suffixes."""
    suffix = ""
    while True:
        stem, dot, end = name.rpartition(".")
        if name.endswith("~"):
            name = name.removesuffix("~")
        elif dot and stem and end in _TEMPLATES:
            name, suffix = stem, end
        else:
            return name, suffix


def _by_head(head: str) -> str:
    if head.startswith("HTTP/") and STATUS_LINE.match(head) is not None:
        return "http"
    if head.startswith("#!"):
        # "#!/usr/bin/env -S python3 -u": the first word that is the name of an interpreter
        words = [word.rpartition("/")[2].rstrip("0123456789.") for word in head[2:].partition("\n")[0].split()]
        return next((_INTERPRETERS[word] for word in words if word in _INTERPRETERS), "plain")
    if (markup := _MARKUP.match(head)) is not None:
        if markup["html"] or markup["tag"] or "<html" in head.lower():
            return "html"
        return "xml"
    first = "\n".join(head.split("\n", 2)[:2])
    if (mode := _MODE.search(first)) is not None:
        mode_name = (mode["emacs"] or mode["vim"]).lower().removesuffix("-mode")
        mode_name = _MODES.get(mode_name, mode_name)
        if mode_name in _BY_EXTENSION.values():
            return mode_name
    return "plain"


# Documents that record what changed; their references were right when they were written.
# Matches: `CHANGELOG.md`, `/HISTORY.rst`, `9-NEWS.md`, `release-notes/1.0.md`, `release/9.1.md`, `RELEASE_v1.2_A.md.in`
# Does not match: `changing.md`, `history/index.md`, `newsletter.md`, `release-process.md`
CHANGELOG = lazy(
    r"""
    (?: \A | / )
    (?: (?: (?: [0-9]+ | ancient | old | release | revision | version )[-_] )?
        (?: change(?:s|-?logs?) | history | news | release[-_]?notes? | whats?[-_]?new )
        (?: [-_.0-9].* )? | releases \.[a-z]+
      | (?: change(?:s|-?logs?) | release[-_]?notes? | whats?[-_]?new ) / .*
      | releases? [/_-] v? [0-9]+ (?: \. [0-9]+ )+ (?: [_-][^/]* )? (?: \. [a-z]+ )+
    ) \Z
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
# Copies of the documents of old versions, documents that were put aside, and reports of revdepcheck, a program for R:
# they are not edited. The path is in lower case.
# Matches: `versioned_docs/`, `/v1.4-docs/`, `/_archive/`, `/docs-old/`, `/versions/1.2.md`, `/minutes/2018-12`
# Does not match: `/next/`, `/3d/`, `v1/`, `0.77.md`, `/k-1.2/`, `archiver/`, `minutes/`, `old.md`, `/legacy-v1/`
FROZEN = lazy(
    r"""
    (?:\A|/)(?:
        (?: versioned_docs | version-[^/]+ | attic | (?: (?:\d+|docs?|notebooks?)?[-_] )? archive[ds]? | revdep
        | (?: docs?[-_] )? (?: old | outdated | legacy | retired ) (?: [-_](?:[a-z]+[-_])?docs? )?
        | (?: docs?[-_] )? v?[0-9]+\.[0-9x]+(?:\.[0-9x]+)* (?: [-_]docs? )? ) /
      | versions / v?[0-9]+\.[0-9]+(?:\.[0-9]+)*\.[a-z]+\Z
      | [^/]* (?: meetings? | minutes | meeting[-_]notes ) / (?:[^/]*/)? [^/]*\d{4}-\d\d
    )
    | \.orig\Z | [-_.]old\.[a-z]+\Z
    """,
    re.VERBOSE,
)
# The copy of a release of a program, a backup, a stub that repeats the documentation of a module, what a program has
# stored to find it again, such as a record on each line, and the text of a license, or a directory of these; a document
# is about the version in its name.
# Matches: `k-v3.0.1`, `y-3.6.0.js`, `.jsonl`, `.bak`, `.linkcache`, `LICENSE-2.0.txt`, `COPYING`, `LICENSES/`
# Does not match: `v3.0.1/k`, `y-1.2.js`, `3.0.1.js`, `o-3.0.1.md`, `cache.md`, `cache/k`, `license.py`, `licensing.md`
COPY = lazy(
    r"""
    [a-z][-_]v?[0-9]+\.[0-9]+\.[0-9]+ (?: \.(?! (?:txt|mdx?|rst|adoc|org|html?)\Z )[a-z]+ ){0,2} \Z
  | \.(?:pyi|jsonl|ndjson|bak)\Z | (?:\A|/) \.[^/]*cache (?:/|\Z)
  | (?:\A|/) (?i: licen[cs]es? | copying ) (?: [-_][^/.]* (?:\.[0-9]+)* )? (?: \.(?:txt|md|rst) )? \Z
  | (?:\A|/) (?i: licen[cs]es? ) /
    """,
    re.VERBOSE,
)
# Each path that a pattern matches contains one of these: compiling a pattern takes as long as reading a small file.
_SIGNS = {
    CHANGELOG: "change history news release what".split(),
    FROZEN: "version attic archive revdep old outdated legacy retired meet minutes 0 1 2 3 4 5 6 7 8 9 .orig".split(),
    COPY: ".pyi json .bak cache licen copying 0 1 2 3 4 5 6 7 8 9".split(),
}
# The names of directories with copies of other projects, which lack files that their packages do not have.
_VENDORED = frozenset(
    """
    3rd-party 3rd_party 3rdparty _vendor bower_components bundled dependencies deps dist dist-packages duniverse extern
    external external_lib external_libs externals godeps node_modules pods site-packages submodules subprojects
    third-party third_party thirdparty vendor vendored vendors
    """.split()
)
# Each sentence contains one of these, in lower case. To compile the pattern takes as long as to read a small file.
_WORDS = (
    "generated", "all uris are relative to *", "name | type | description | notes", "api schema definitions",
    "# api reference", "defined in: [", "//[",
)  # fmt: skip
_WRITTEN, _OPERATIONS, _PROPERTIES, _SCHEMAS, _REFERENCE, _SOURCE, _TRAIL = map(re.escape, _WORDS)
# A program that writes a section, such as the table of contents, forbids to edit only that.
_UNEDITED = r"\bdo(?:[ ]not|n['\u2019]t)[ ](?:edit|modify|change)\b(?![ ]this[ ]section)"
# Says that a program has written the document, so that it is not to be edited.
# Matches: `generated: do not edit`, `This file is generated`, `Package b contains API schema definitions`
# Does not match: `The files are generated.`, `generated: do not edit this section`, `| a | This file is generated`
_GENERATED = lazy(
    rf"""
    \b(?:auto)?{_WRITTEN}\b [^\0]{{0,200}}? {_UNEDITED}
    | {_UNEDITED} [^\0]{{0,200}}? \b(?:auto)?{_WRITTEN}\b
    | ^[^|\n]{{0,200}}? \bthis[ ](?:file|page|document|documentation)[ ]
      (?:is|was|has[ ]been)[ ](?:auto(?:matically)?[- ]?)?{_WRITTEN}\b
    | (?:^|<!--|>) [ \t>*_#/-]* (?:(?:documentation|book)[ ])? (?:auto(?:matically)?[- ]?)?
      {_WRITTEN}[ ](?:by|with|using|from)\b
    | ^{_OPERATIONS} | ^{_PROPERTIES}$ | ^{_WRITTEN}_?by:  # OpenAPI Generator; front matter
    # Programs that document the API of a Kubernetes operator.
    | ^Package[ ]\w{{1,50}}[ ]contains[ ]{_SCHEMAS}\b | ^{_REFERENCE}\s{{1,4}}(?:\#\#[ ])?Packages:?$
    | ^{_SOURCE}  # TypeDoc
    | ^{_TRAIL}[^\]\n]{{1,100}}\]\([^()\n]{{0,300}}\)/\[  # Dokka
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# HTML standard, section 4.2.5.1: the name "generator" "must not be used on pages whose markup is not generated by
# software". Editors, whose pages people edit again, write it, and so do templates.
# Matches: `<meta name="generator" content="Asciidoctor 2.0">`, `<META content=DocBook name=generator>`
# Does not match: `<meta name="generator" content="Microsoft Word 9">`, `<meta name="generator" content="{{ x }}">`
_GENERATOR = lazy(
    r"""
    <meta\b (?=[^<>]*\bname\s*=\s*["']?generator\b)
    (?! [^<>]*(?: [{]{2} | microsoft | word | office | frontpage | dreamweaver | golive | mozilla | netscape | composer
        | kompozer | nvu | amaya | bluefish | bbedit | emacs | vim | editor | tidy ) )
    [^<>]*+ >
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PAGE_HEAD, _MARGIN = 4000, 600  # characters at the beginning of a page, and at both ends of any document
_MOST_ELEMENTS = 5  # of HTML on a line of Markdown; a person writes fewer


def is_named(pattern: "re.Pattern[str]", path: str) -> bool:
    """Return whether the path of a document matches CHANGELOG, FROZEN or COPY."""
    lower = path.lower()
    return any(sign in lower for sign in _SIGNS[pattern]) and pattern.search(path) is not None


def is_vendored(path: str) -> bool:
    """Return whether a document belongs to a copy of another project."""
    folders = path.lower().split("/")[:-1]
    return any(folder in _VENDORED or folder.endswith((".egg-info", ".dist-info")) for folder in folders)


def is_generated(document: Document) -> bool:
    """Return whether a document says that a program has written it, and writes it again."""
    text = document.decoded
    if document.kind == "markdown" and text.count("</") > _MOST_ELEMENTS * (text.count("\n") + 1):
        return True
    if document.kind in ("html", "xml") and _GENERATOR.search(text, 0, _PAGE_HEAD) is not None:
        return True
    margins = (text[:_MARGIN] + text[-_MARGIN:]).lower()
    if all(words not in margins for words in _WORDS):
        return False
    return any(_GENERATED.search(text, *span) for span in ((0, _MARGIN), (max(len(text) - _MARGIN, 0), len(text))))
