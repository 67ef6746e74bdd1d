"""Test the readers of all kinds: contiguous regions, exact offsets, linear time."""

import json
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import urlscan
from tests.command import urlscan as command
from tests.linear_time import assert_linear
from tests.replaced import is_replaced
from urlscan import finder
from urlscan.core.settings import Settings
from urlscan.documents import KINDS, MAIL, read_documents
from urlscan.documents.identify import _BY_EXTENSION, _BY_NAME, _INTERPRETERS, identify
from urlscan.documents.languages import LANGUAGES
from urlscan.documents.regions import Region, expand_nested, reader_of
from urlscan.pipeline import check, read

# Opening and closing delimiters of all kinds.
PIECES = st.sampled_from(
    [
        *"\" ' ` ''' \"\"\" \\ \\\" \\u0026 \\/ \\ud83d\\ude00 \\u{e9} \\n // #".split(" "),
        *"/* */ ; -- {- -} <# #> <!-- --> [[ ]]".split(" "),
        *"{ } [ ] ( ) , : | ? http://h.example/a http:// h.example mailto:jo@h.example &amp; &lt; é 🌾".split(" "),
        *"<a href=\" <style> </style> <script> </script> url( src=".split(" "),
        *"\\url{ \\% @uref{ @@ .UR [a](b) ``` --- ~~~~".split(" "),
        *'{"cells":[{"cell_type":"markdown","source":[ "a\\n" ]}]} .. raw:: html'.split(" "),
        "\nX-ALT-DESC;FMTTYPE=text/html:", "\n ", "\\,", "\\;",
        " ", "\n", "\n\n", "    ", "\t", "\r\n", "\udcff",
    ]
)  # fmt: skip
DOCUMENTS = st.lists(PIECES, max_size=40).map("".join)
NOTEBOOK = ('{"metadata": {}, "cells": [{"cell_type": "markdown", "source": ["', '"]}]}')


def everything(document):
    """Return all occurrences in a document."""
    return list(finder.find_in_document(document, finder.FindOptions(relative=True)))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in MAIL])
@given(DOCUMENTS)
@pytest.mark.slow
def test_regions_cover_the_document(kind, text):
    at = 0
    for region in expand_nested(text, reader_of(kind)(text, kind, "hosts"), "hosts"):
        assert at == region.start <= region.end
        covered = region.start
        for start, end, _ in region.replacements:
            assert covered <= start <= end <= region.end
            covered = end
        at = region.end
    assert at == len(text)


@pytest.mark.parametrize("kind", KINDS)
@given(DOCUMENTS)
@pytest.mark.slow
def test_occurrences_are_located_exactly(kind, text):
    _check(kind, text)


@given(DOCUMENTS)
@example(
    '"""\\u0026http://h.example/a'
)  # a string without visible characters, and one with fewer visible characters than its length
@example('<style>""')  # an empty document in a cell that ends with a character that is not shown
def test_occurrences_in_notebook_cells_are_located_exactly(text):
    _check("ipynb", json.dumps(text).join(('{"cells": [{"cell_type": "markdown", "source": ', "}]}")))
    _check("ipynb", text.join(NOTEBOOK))


@pytest.mark.parametrize("kind", LANGUAGES)
@given(DOCUMENTS)
@pytest.mark.slow
def test_skipping_inert_code_does_not_change_the_regions(kind, text):
    from urlscan.documents import code

    fast = list(code.regions(text, kind, "hosts"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code, "_inert", lambda *_, **__: None)
        complete = list(code.regions(text, kind, "hosts"))
    assert [region for region in fast if region.replacements] == [region for region in complete if region.replacements]


def _check(kind, text):
    data = text.encode("utf-8", "surrogateescape")
    for document in read_documents(data, kind=kind):
        assert len(document.prose) == len(document.text)
        last = 0
        for one in everything(document):
            assert last <= one.outer_start <= one.start <= one.end <= one.outer_end
            last = one.outer_end
            place = document.locate(one.start, one.end)
            located = data[place.start : place.end]
            # The bytes are those of the smallest aligned span.
            start, end = document.to_decoded(one.start, one.end)
            assert located == document.decoded[start:end].encode("utf-8", "surrogateescape")
            if not is_replaced(document, one.start, one.end):
                assert located.decode("utf-8", "surrogateescape") == document.text[one.start : one.end]


# The beginnings of what the readers of kinds look for the end of.
REPEATED = (
    *"\" ' ` \"\"\" \\ /* # // -- {- [[ <# <! {\" [ ]( [a]( \\url{ \\url{{ \\begin{verbatim}".split(" "),
    *"@uref{ url( url(\" .UR ---- @example".split(" "),
    "\n    a\n\n", "\\u0026", "link:", "link:++", "\n#+begin_src\n", "~a ", '"",', ',"""', "- a\n\n      b\n\n",
    "\\verb|", "<style>/*",
    "a\n\n\tb\n", "> ", "\n1. ", "+++\n", "'\"", "\"' \n", "@import \"",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_reading_each_kind_takes_linear_time(kind):
    for many in REPEATED:

        def read(size, many=many):
            (document,) = read_documents((many * (size // len(many))).encode(), kind=kind)
            everything(document)

        assert_linear(read, 60_000)


def test_nesting_of_documents_is_limited(monkeypatch):
    read = []

    def reader(text, kind, scope):
        read.append(text)
        return iter([Region("prose", 0, len(text), kind=kind)])

    monkeypatch.setattr("urlscan.documents.regions.reader_of", lambda *_: reader)
    assert [region.role for region in expand_nested("a", reader("a", "html", "hosts"), "hosts")] == ["prose"]
    assert read == ["a"] * 8


def test_every_language_is_a_kind():
    assert set(LANGUAGES) == {kind for kind, entry in KINDS.items() if entry.reader == "code"}


def test_file_names_map_to_known_kinds():
    assert set(_BY_EXTENSION.values()) | set(_BY_NAME.values()) | set(_INTERPRETERS.values()) <= set(KINDS)
    reached = {*_BY_EXTENSION.values(), *_BY_NAME.values()}
    assert set(KINDS) - reached == {"http", "rnews"}


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.py", "", "python"),
        ("a.PY", "<html>", "python"),
        ("a.py.in", "", "python"),
        ("a.rst.jinja", "", "rst"),
        ("a.md.j2", "", "markdown"),
        ("a.html.erb", "", "html"),
        ("a.xml.twig", "", "xml"),
        ("a.txt.tx", "<p>", "plain"),
        ("nginx.conf.in.j2", "", "ini"),
        ("a.hbs", "", "html"),
        ("a.tpl", "{{ x }}\n<table class='y'>", "html"),
        ("a.tpl", "#!/bin/sh\n", "shell"),
        ("a.in", "<p>", "plain"),
        ("a.txt", "#!/bin/sh\n", "plain"),
        ("Makefile", "", "makefile"),
        ("sub/Dockerfile.dev", "", "dockerfile"),
        (".vimrc", "", "vim"),
        ("CMakeLists.txt", "", "makefile"),
        ("ls.1", '.\\" the manual\n.TH LS 1', "roff"),
        ("syslog.1", "Jan 1 00:00:00 h syslogd", "plain"),
        ("run", "#!/usr/bin/env python3\n", "python"),
        ("run", "#! /usr/bin/perl -w\n", "perl"),
        ("run", "#!/usr/bin/env -S bash -e\n", "shell"),
        ("run", "#!/opt/x/unheard-of\n", "plain"),
        ("-", "<!DOCTYPE html>\n<p>", "html"),
        ("-", '<?xml version="1.0"?>\n<feed>', "xml"),
        ("-", '<?xml version="1.0"?>\n<html xmlns="x">', "html"),
        ("notes", "-*- mode: org; fill-column: 70 -*-\n", "org"),
        ("notes", "; -*- emacs-lisp -*-\n", "lisp"),
        ("notes", "# vim: set ft=sh :\n", "shell"),
        ("README", "A mill.\n", "plain"),
        ("", "", "plain"),
    ],
)
def test_kind_is_identified(name, head, kind):
    assert identify(name, head) == kind


def test_byte_order_mark_does_not_hide_the_kind(tmp_path):
    (tmp_path / "page").write_bytes('<!DOCTYPE html><a href="http://h.example/?a&amp;b">'.encode("utf-16"))
    assert command("extract", "page", cwd=tmp_path).lines == ["http://h.example/?a&b"]


def test_as_overrides_the_name(tmp_path):
    (tmp_path / "a.txt").write_text(r'u = "http:\/\/h.example/a"')
    assert command("extract", "a.txt", cwd=tmp_path).lines == []
    assert command("extract", "--as", "javascript", "a.txt", cwd=tmp_path).lines == ["http://h.example/a"]
    assert command("extract", "--as", "c++", "a.txt", cwd=tmp_path).status == 2


def test_fix_replaces_complete_escapes():
    data = rb'u = "http:\/\/h.example\u003a\/a"'
    (result,) = check.check_source(read.Source("a.js", data), Settings(select=("U404",)), read.ReadOptions())
    (finding,) = result.findings
    assert (finding.code, data[finding.start : finding.end]) == ("U404", rb"\u003a")
    assert finding.fix is not None
    data = b'<a href="http://h.example/a&#124;b|c">x</a>'
    (result,) = check.check_source(read.Source("a.html", data), Settings(), read.ReadOptions())
    (finding,) = result.findings
    assert (finding.code, data[finding.start : finding.end]) == ("U101", b"&#124;")
    assert finding.fix is not None
    assert [(data[edit.start : edit.end], edit.text) for edit in finding.fix.edits] == [
        (b"&#124;", "%7C"),
        (b"|", "%7C"),
    ]


def test_finding_in_a_notebook_is_located_in_the_file():
    data = json.dumps({"cells": [{"cell_type": "code", "source": ["# é\n", 'u = "http://h.example:99999/"']}]}).encode()
    (result,) = check.check_source(read.Source("a.ipynb", data), Settings(), read.ReadOptions())
    assert [(f.code, data[f.start : f.end]) for f in result.findings] == [("U403", b"99999")]


def test_scan_reads_every_kind():
    kinds = get_args(urlscan.TextKind)
    assert [o.url for kind in kinds for o in urlscan.scan("http://h.example/a", kind=kind)] == [
        "http://h.example/a"
    ] * len(kinds)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        # AsciiDoc Language: a macro has its text in brackets, and a preceding backslash escapes it.
        ("link:a[b]", ["a"]),
        ("link:a[b\nc]", ["a"]),
        ("link:a[b", []),
        ("link:a[b\n\nc]", []),
        ("\\link:a[b]", []),
        ("\\http://h.example/a[b]", []),
        # "Cross references": without an extension or a fragment, the target is an anchor.
        ("xref:a[b]", []),
        ("xref:a.adoc[b], xref:c#d[e], xref:#f[]", ["a.adoc", "c#d", "#f"]),
        ("link:a[b\\]", []),
        ("link:a[b\\]c]", ["a"]),
        # "Monospace": a code span neither begins nor ends with a blank.
        ("a `link:a[b]` c", []),
        ("a `b link:a[b] ` c", ["a"]),
        # "URLs and quotation marks".
        ('"http://h.example/a[b]"', ["http://h.example/a"]),
        # "Comment blocks".
        ("////\nlink:a[b]\n////\n\nlink:c[d]\n", ["c"]),
        ("////\nlink:a[b]\n", ["a"]),
    ],
)
def test_macros_are_read_as_by_asciidoctor(text, links):
    found = urlscan.scan(text, kind="asciidoc", relative=True)
    assert [one.url for one in found if one.style == "markup"] == links
