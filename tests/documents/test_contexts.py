"""Test the context of each URL; the path of a URL in these documents is its expected context."""

import json
from collections.abc import Iterator

import pytest

import urlscan
from urlscan.core.records import CONTEXTS
from urlscan.documents import KINDS, MAIL

U = "http://h.example/"

# A document of each kind with the contexts of that kind.
DOCUMENTS = {
    "plain": f"See {U}prose now, or <{U}prose/2>.\n",
    "html": f'<p>See <a href="{U}link">{U}prose</a> <!-- {U}comment --> <code>{U}code</code> <samp>{U}code/2</samp>'
    f"<kbd>{U}code/3</kbd> <pre>\n{U}code/4\n</pre>",
    "http": f"HTTP/1.1 200 OK\r\nLocation: {U}prose\r\nContent-Type: text/html\r\n\r\n<a href='{U}link'>a</a>",
    "xml": f'<?xml version="1.0"?><a href="{U}link">{U}string<!-- {U}comment --></a>',
    "markdown": f"[a]({U}link) <{U}link/2> {U}prose `{U}code` <!-- {U}comment -->\n\n    {U}code/2\n\n"
    f"```\n{U}code/3\n```\n\n[r]: {U}link/3\n",
    "rst": f"`a <{U}link>`_ {U}prose ``{U}code``\n\n.. _t: {U}link/2\n\n::\n\n    {U}code/2\n",
    "ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": [f"See [a]({U}link), {U}prose and `{U}code`."]},
                {"cell_type": "code", "source": [f"u = '{U}string'  # {U}comment\n", f"v = 'see {U}fragment'"]},
            ]
        }
    ),
    "asciidoc": f"{U}link[b] `{U}code`\n\n// {U}comment\n----\n{U}code/2\n----\nlink:{U}link/2[g]\n",
    "org": f"[[{U}link][b]] {U}prose ~{U}code~\n# {U}comment\n: {U}code/2\n",
    "latex": f"\\url{{{U}link}} {U}prose % {U}comment\n\\verb|{U}code|\n",
    "texinfo": f"@url{{{U}link}} {U}prose\n@c {U}comment\n@example\n{U}code\n@end example\n",
    "roff": f'.TH A 1\n.UR {U}link\n.UE\n{U}prose\n.\\" {U}comment\n',
    "css": f"a {{ b: url({U}link) }} /* {U}comment */",
    "csv": f'a,{U}string,"see {U}fragment"\n',
    "tsv": f"a\t{U}string\tsee {U}fragment\n",
    "json": f'{{"a": "{U}string", "b": "see {U}fragment", "c": ["{U}string/2"]}}',
    "jsonl": f'{{"a": "{U}string"}}\n{{"b": "see {U}fragment"}}\n',
    "yaml": f"a: {U}string # {U}comment\nb: see {U}fragment\nc:\n  - {U}string/2\n",
    "toml": f'a = "{U}string" # {U}comment\nb = "see {U}fragment"\n',
    "ini": f"[a]\na = {U}string\n; {U}comment\nb = see {U}fragment\n",
    "properties": f"a = {U}string\n# {U}comment\nb = see {U}fragment\n",
    "po": f'# {U}comment\nmsgid "{U}string"\nmsgstr "see {U}fragment"\n',
    "python": f'"""See {U}comment."""\nx = "{U}string"  # {U}comment/2\ny = "see {U}fragment"\n'
    f'def f():\n    """Return {U}comment/3."""\n    return ("{U}"\n            "string/2")\n',
    "javascript": f'x = "{U}string"; // {U}comment\ny = `see {U}fragment`;\n',
    "c": f'char *x = "{U}string"; /* {U}comment */\nchar *y = "see {U}fragment";\n#error {U}code\n',
    "shell": f'x="{U}string" # {U}comment\ncurl {U}code\ny="see {U}fragment"\n',
    "makefile": f"x = {U}code\n# {U}comment\n",
    "ics": f"BEGIN:VCALENDAR\nDESCRIPTION:see {U}prose\nEND:VCALENDAR\n",
    "vcf": f"BEGIN:VCARD\nNOTE:see {U}prose\nEND:VCARD\n",
}
_LEADERS = {"lisp": ";", "haskell": "--", "lua": "--", "sql": "--", "vim": '"'}
_HASH = ("dockerfile", "perl", "ruby", "r", "powershell")
for _kind in ("dockerfile", "go", "haskell", "java", "lisp", "lua", "perl", "php", "powershell", "r", "ruby", "rust",
              "sql", "vim"):  # fmt: skip
    _leader = _LEADERS.get(_kind, "#" if _kind in _HASH else "//")
    DOCUMENTS[_kind] = f'x = "{U}string"\n{_leader} {U}comment\ny = "see {U}fragment"\n {U}code\n'
# A program in an unknown language, whose comments cannot be distinguished.
DOCUMENTS["source"] = f'x = "{U}string"\n{U}code\ny = "see {U}fragment"\n'


def contexts(text: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the expected and the actual context of each URL."""
    for occurrence in urlscan.scan(text, kind=kind):
        yield occurrence.url.removeprefix(U).partition("/")[0], occurrence.context


def test_documents_cover_every_kind_and_context() -> None:
    assert set(DOCUMENTS) == set(KINDS) - set(MAIL)
    covered = {word for text in DOCUMENTS.values() for word in CONTEXTS if U + word in text.replace("\\/", "/")}
    assert covered == set(CONTEXTS)


@pytest.mark.parametrize("kind", sorted(DOCUMENTS))
def test_urls_have_the_expected_context(kind: str) -> None:
    found = list(contexts(DOCUMENTS[kind], kind))
    assert found
    assert [actual for _, actual in found] == [expected for expected, _ in found]


EMBEDDED = {
    "a script in a page": ("html", f'<script>u = "{U}string"; // {U}comment\nf("see {U}fragment")</script>'),
    "data in a page": (
        "html",
        f'<script type="application/ld+json">{{"a": "{U}string", "b": "see {U}fragment"}}</script>',
    ),
    "a style in a page": ("html", f"<style>a {{ b: url({U}link) }} /* {U}comment */</style>"),
    "a style attribute": ("html", f'<p style="background: url({U}link)">{U}prose'),
    "front matter": ("markdown", f"---\nhome: {U}string # {U}comment\ntitle: see {U}fragment\n---\n{U}prose\n"),
    "HTML in Markdown": ("markdown", f'See <a href="{U}link">{U}prose</a> and <code>{U}code</code>.\n'),
}


@pytest.mark.parametrize("name", EMBEDDED)
def test_urls_in_embedded_documents_have_the_expected_context(name: str) -> None:
    kind, text = EMBEDDED[name]
    found = list(contexts(text, kind))
    assert len(found) == text.count(U)
    assert [actual for _, actual in found] == [expected for expected, _ in found]


UNCERTAIN = {
    "an unclosed code element": ("html", f"<p><code>a <p>{U}prose</p> <code>{U}code</code>"),
    "a code element that ends after its paragraph": ("html", f"<p><kbd>a</p><p>{U}prose</kbd></p>"),
    "an unclosed pre element": ("html", f"<pre>a\n\n<p>{U}prose\n"),
    "an unclosed code element in Markdown": ("markdown", f"<code>a\n\n{U}prose `{U}code`\n"),
    "an unpaired backtick": ("markdown", f"- a `b\n- {U}prose\n- `{U}code`\n"),
    "an unclosed listing in AsciiDoc": ("asciidoc", f"A title\n-------\n\nlink:{U}link[a] `{U}code`\n"),
    "a literal in a list in reStructuredText": ("rst", f"- ``{U}code``\n- {U}prose\n\n.. note::\n\n   {U}prose/2\n"),
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_unclosed_markup_does_not_affect_the_rest_of_the_document(name: str) -> None:
    kind, text = UNCERTAIN[name]
    found = list(contexts(text, kind))
    assert len(found) == text.count(U)
    assert [actual for _, actual in found] == [expected for expected, _ in found]


def test_mail_is_prose_and_html_parts_have_contexts() -> None:
    text = f'From: jo@h.example\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>{U}prose <a href="{U}link">x</a>\n'
    assert [*contexts(f"Subject: x\n\nSee {U}prose now.\n", "mail")] == [("prose", "prose")]
    found = [(one.url.removeprefix(U), one.context) for one in urlscan.scan(text, kind="mail") if one.url.startswith(U)]
    assert [actual for _, actual in found] == [expected for expected, _ in found]
    assert len(found) == 2
