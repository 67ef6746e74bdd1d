"""Which anchors a document has."""

import json

import pytest

from urlscan.targets.anchors import READERS, Anchors, anchors_of, reader_of
from urlscan.targets.kinds import base
from urlscan.targets.slugs import PRESETS


def names(text: str, kind: str = "markdown", preset: str = "github") -> list[str]:
    """Return the anchors of a document in order, by one algorithm or by all of them."""
    if preset == "auto" or kind == "html":
        return list(anchors_of(text, kind, "auto").lines)
    collector = base.Collector((PRESETS[preset],), is_auto=False)
    reader_of(kind)(text, collector)
    return list(collector.anchors().lines)


MARKDOWN = {
    "ATX heading": ("# A b\n", ["a-b"]),
    "closing sequence": ("## A b ##\n", ["a-b"]),
    "a hash that closes nothing": ("# C#\n", ["c"]),
    "no space after the hash": ("#a\n", []),
    "seven hashes": ("####### a\n", []),
    "setext heading": ("A b\n===\n", ["a-b"]),
    "setext heading of two lines": ("\nA\nb\n---\n", ["ab"]),
    "thematic break after a blank line": ("a\n\n---\n", []),
    "thematic break after a heading": ("# a\n---\n", ["a"]),
    "thematic break after a list item": ("- a\n---\n", []),
    "thematic break after a block quote": ("> a\n---\n", []),
    "heading in a block quote": ("> # a\n", ["a"]),
    "heading in a list item": ("1. # a\n\n   ## b\n", ["a", "b"]),
    "code fence": ("```\n# a\n```\n# b\n", ["b"]),
    "code fence without an end": ("# b\n~~~\n# a\n", ["b"]),
    "indented code": ("a\n\n    # b\n", []),
    "front matter": ("---\n# a\n---\n# b\n", ["b"]),
    "comment": ("<!--\n# a\n<a id=x>\n-->\n# b\n", ["b"]),
    "preformatted element": ("<pre id=p>\n# a\n</pre>\n# b\n", ["p", "b"]),
    "code span": ("# a `B_c *d*` e\n", ["a-b_c-d-e"]),
    "emphasis": ("# *a* __b__ ~~c~~ snake_case\n", ["a-b-c-snake_case"]),
    "link": ("# [a](b.md 'c') [d][e] [f]\n", ["a-d-f"]),
    "image": ("# a ![b](c.png) d\n", ["a--d"]),
    "image in a link": ("# a [![b](c.png)](d)\n", ["a-"]),
    "tag": ("# a <b>c</b> <br/>d\n", ["a-c-d"]),
    "entity": ("# a &amp; b &eacute;\n", ["a--b-é"]),
    "escape": ("# a \\_b\\_ \\*\n", ["a-_b_-"]),
    "escaped backtick before another": ("# a \\`` b\n", ["a--b"]),
    "shortcode": ("# a :white_check_mark:\n", ["a-white_check_mark"]),
    "emoji with a variation selector": ("# \u2699\ufe0f a\n", ["\ufe0f-a"]),
    "autolink": ("# <https://h.example/a>\n", ["httpshexamplea"]),
    "footnote reference": ("# a[^1]\n", ["a"]),
    "repeated heading": ("# a\n# a\n# a-1\n# a\n", ["a", "a-1", "a-1-1", "a-2"]),
    "id of an element": ('a <a id="B"></a> <i name=c>\n', ["B", "c"]),
    "id in a table cell": ("| a |\n| - |\n| <a name='b'></a> |\n", ["b"]),
    "id in JSX": ('<T a={1} id={"b"} />\n', ["b"]),
    "id in a code span": ("`<a id=b>`\n", []),
    "id in a code fence": ("```\n<a id=b>\n```\n", []),
    "id outside a tag": ("a id=b\n", []),
    "other attributes": ('<a data-id="b" :id="c" href="?id=d">\n', []),
    "attribute list": ("# a {#B}\n## c {: #d .e }\n### f {/* #g */}\n", ["B", "a-b", "d", "c--d-e-", "g", "f--g-"]),
    "attribute list of a span": ("a []{#b} [c]{.d #e}\n", ["b", "e"]),
    "heading in HTML": ("<h2 align=left>A <b>b</b></h2>\n", ["a-b"]),
    "label of MyST": ("(a-b)=\n# c\n", ["a-b", "c"]),
    "name of a directive of MyST": ("```{image} a.png\n:name: b\n```\n", ["b"]),
}


@pytest.mark.parametrize(("text", "expected"), MARKDOWN.values(), ids=MARKDOWN)
def test_markdown(text: str, expected: list[str]) -> None:
    assert names(text) == expected
    assert names(text.replace("\n", "\r\n")) == expected


def test_footnotes_have_the_names_of_every_generator() -> None:
    assert {"fn-a", "fnref-a", "fn:a", "fnref:a", "footnote-a"} <= set(names("b[^a]\n\n[^a]: c\n"))


HTML = {
    "id of any element": ('<p id="a"><h2 ID = B>', ["a", "B"]),
    "name": ("<a name='a b'>", ["a b"]),
    "entities": ('<p id="a&amp;b">', ["a&b"]),
    "comment": ("<!-- <p id=a> --><p id=b>", ["b"]),
    "script": ("<script id=s>var a = '<p id=a>'</script><p id=b>", ["s", "b"]),
    "brackets in other attributes": ('<p title="a > b < c" id=d>', ["d"]),
    "text": ("<p>id=a</p> id=b", []),
    "headings have no slugs": ("<h1>a</h1>", []),
}


@pytest.mark.parametrize(("text", "expected"), HTML.values(), ids=HTML)
def test_html(text: str, expected: list[str]) -> None:
    assert names(text, "html") == expected


RST = {
    "title": ("A b\n===\n", ["a-b"]),
    "title with an overline": ("=====\n A b\n=====\n", ["a-b"]),
    "title after a target": (".. _c:\n\nA b\n---\n", ["c", "a-b"]),
    "repeated title": ("a\n=\n\nb\n=\n\na\n=\n", ["a", "b", "a-1"]),
    "title without ASCII letters": ("你好\n====\n", ["section-1"]),
    "inline markup": ("``A_b`` *c* :d:`e <f>` g_\n" + "=" * 30 + "\n", ["a-b-c-e-g"]),
    "title that is the name of a target": (".. _A b:\n\nA b\n===\n", ["a-b", "a-b-1"]),
    "transition": ("a\n\n----\n\nb\n", []),
    "text above a paragraph": ("a\nb\n===\n", []),
    "field": (":a: b\n=====\n", []),
    "literal block": ("a::\n\n   A b\n   ===\n", []),
    "phrase as target": (".. _`A: b`:\n", ["a-b"]),
    "target with a URI": (".. _a: b.html\n", []),
    "alias": (".. _a: b_\n", ["a"]),
    "inline target": ("a _`B c` d\n", ["b-c"]),
    "name of a directive": (".. image:: a.png\n   :name: B c\n", ["b-c"]),
    "footnote": (".. [1] a\n.. [#b] c\n.. [D20] e\n", ["footnote-1", "b", "d20"]),
}


@pytest.mark.parametrize(("text", "expected"), RST.values(), ids=RST)
def test_rst(text: str, expected: list[str]) -> None:
    assert names(text, "rst", "docutils") == expected
    assert names(text.replace("\n", "\r\n"), "rst", "docutils") == expected


def test_labels_of_rst_are_normalized_names() -> None:
    assert anchors_of(".. _A\\: B:\n\nC  D\n----\n", "rst", "sphinx").labels == {"a: b": 1, "c d": 3}


ASCIIDOC = {
    "section": ("== A b\n", ["_a_b"]),
    "section with hashes": ("## A b\n", ["_a_b"]),
    "underlined section": ("A b\n---\n\nC de\n----\n\n== F\n", ["_a_b", "_c_de", "_f"]),
    "listing after a longer line": ("A longer line\n----\n== b\n----\n", []),
    "repeated section": ("== a\n== a\n== a\n", ["_a", "_a_2", "_a_3"]),
    "inline markup": ("== `A` *b* https://h.example[c] <<d,e>>\n", ["_a_b_c_e"]),
    "prefix and separator": (":idprefix:\n:idseparator: -\n\n== A b\n", ["a-b"]),
    "no ids": (":sectids!:\n\n== A b\n", []),
    "id of a section": ("[#c]\n== A b\n", ["c"]),
    "anchor above a section": ("[[c]]\n== A b\n", ["c"]),
    "named id": ("[id=c,role=d]\n== A\n", ["c"]),
    "id of a block": ("[quote#c,d]\na\n\n== B\n", ["c", "_b"]),
    "inline anchors": ("a [[b]]c anchor:d[] [#e]*f* [[[g]]] h\n", ["b", "d", "e", "g"]),
    "anchor in a title": ("== A [[b]]\n", ["_a", "b"]),
    "attribute": (":v: 2.0\n\n== A {v}\n", ["_a_2_0"]),
    "listing": ("----\n== a\n----\n== b\n", ["_b"]),
    "comment": ("////\n== a\n////\n// [[c]]\n", []),
    "passthrough": ("++++\n== a\n++++\n", []),
}


@pytest.mark.parametrize(("text", "expected"), ASCIIDOC.values(), ids=ASCIIDOC)
def test_asciidoc(text: str, expected: list[str]) -> None:
    assert names(text, "asciidoc", "asciidoctor") == expected
    assert names(text.replace("\n", "\r\n"), "asciidoc", "asciidoctor") == expected


def test_asciidoc_has_the_anchors_of_github_as_well() -> None:
    assert names("== A b\n", "asciidoc", "auto") == ["_a_b", "a-b"]


ORG = {
    "heading": ("* A b\n** C\n", ["a-b", "c"]),
    "tags": ("* A b :c:d:\n", ["a-b"]),
    "keyword": ("* TODO A b\n", ["a-b", "todo-a-b"]),
    "custom id": ("* A\n:PROPERTIES:\n:CUSTOM_ID: b\n:END:\n", ["a", "b"]),
    "target": ("a <<b c>> d\n", ["b c"]),
    "name": ("#+NAME: a\n| b |\n", ["a"]),
    "block": ("#+BEGIN_SRC sh\n* a\n#+END_SRC\n* b\n", ["b"]),
    "inline markup": ("* =A= *b* [[c][d]]\n", ["a-b-d"]),
}


@pytest.mark.parametrize(("text", "expected"), ORG.values(), ids=ORG)
def test_org(text: str, expected: list[str]) -> None:
    assert names(text, "org", "org") == expected


def test_notebook_has_the_anchors_of_its_cells() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A b\n", "\n", "```\n", "<a id='c'>\n"]},
        {"cell_type": "code", "source": ["# d\n"]},
        {"cell_type": "markdown", "source": "## E\n\n<a id='f'></a>"},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4}, indent=1)
    lines = text.split("\n")
    anchors = anchors_of(text, "ipynb", "auto").lines
    assert {"a-b", "A-b", "e", "f"} <= set(anchors)
    assert not {"c", "d"} & set(anchors)
    assert "# A b" in lines[anchors["a-b"] - 1]
    assert "## E" in lines[anchors["e"] - 1]


INCOMPLETE = {
    "markdown": [
        "--8<-- 'a.md'\n",
        "{% include a.md %}\n",
        "{{#include a.md}}\n",
        "::: a.b\n",
        "<i id='{{ a }}'></i>\n",
    ],
    "rst": [".. include:: a.rst\n", ".. automodule:: a\n", ".. py:function:: a\n"],
    "asciidoc": ["include::a.adoc[]\n", "== {unknown}\n"],
    "org": ["#+INCLUDE: a.org\n"],
}
COMPLETE = {
    "markdown": ["::: tip\na\n:::\n", "```\n{% include a.md %}\n```\n"],
    "rst": [".. note:: a\n", ".. |a| image:: b.png\n"],
    "asciidoc": ["== {empty}a\n"],
    "org": ["#+BEGIN_SRC org\n#+INCLUDE: a.org\n#+END_SRC\n"],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in INCOMPLETE.items() for text in texts])
def test_some_documents_have_more_anchors_than_can_be_known(kind: str, text: str) -> None:
    anchors = anchors_of(text, kind)
    assert not anchors.is_complete or anchors.inclusions


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in COMPLETE.items() for text in texts])
def test_other_documents_are_known_completely(kind: str, text: str) -> None:
    assert anchors_of(text, kind).is_complete


def test_lines_are_those_of_the_first_element() -> None:
    anchors = anchors_of("a\n\nB\n-\n# c {#d}\n<a id=e>\n# b\n<b id=e>\n", "markdown", "github")
    assert anchors.lines == {"b": 3, "d": 5, "c-d": 5, "e": 6, "b-1": 7}


def test_fragments_of_hosts_lead_to_the_anchor_without_their_prefix() -> None:
    anchors = Anchors({"a": 3, "user-content-b": 4}, {}, is_complete=True)
    assert anchors.line_of("user-content-a") == 3
    assert anchors.line_of("user-content-b") == 4
    assert anchors.line_of("b") is None


def test_a_template_in_an_id_makes_the_anchors_incomplete() -> None:
    assert anchors_of("<p id='a'>", "html").is_complete
    assert not anchors_of("<p id='a-{{ b }}'>", "html").is_complete


@pytest.mark.parametrize("fragment", ["", "top", "TOP", "readme", "L1", "L10-L20", "L1C2-L3C4", "L3-5", ":~:text=a,b"])
def test_some_fragments_need_no_anchor(fragment: str) -> None:
    assert anchors_of("", "markdown").has_place(fragment)


@pytest.mark.parametrize("fragment", ["a", "tops", "L", "Lx", "l-1", "readme-first", "L1-"])
def test_other_fragments_need_one(fragment: str) -> None:
    assert not anchors_of("", "markdown").has_place(fragment)


@pytest.mark.parametrize("kind", READERS)
def test_an_empty_document_has_no_anchors(kind: str) -> None:
    anchors = anchors_of("", kind)
    assert (anchors.lines, anchors.labels, anchors.is_complete, anchors.inclusions) == ({}, {}, True, [])


def test_a_kind_without_anchors_has_none() -> None:
    assert anchors_of("# a", "python") is None


@pytest.mark.parametrize("text", ["# a\n" * 30, "".join(f"<a id=a{n}>" for n in range(60))])
def test_a_document_with_too_many_anchors_is_incomplete(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_MOST", 50)
    monkeypatch.setattr(base, "_MOST_HEADINGS", 20)
    anchors = anchors_of(text, "markdown", "github")
    assert not anchors.is_complete
    assert len(anchors.lines) in (20, 50)


def test_a_heading_with_an_attribute_list_has_its_own_slug_unless_the_generator_knows_such_lists() -> None:
    assert names("## A {#b}\n", preset="mkdocs") == ["b"]
    assert names("## A {#b}\n", preset="github") == ["b", "a-b"]
    assert set(names("## A {#b}\n", preset="auto")) == {"b", "a", "a-b"}


def test_escapes_in_attribute_lists_are_undone() -> None:
    assert names("# A {#b\\_c}\n\n# D \\{#e}\n\n[]{#f\\-g}\n", preset="docusaurus") == ["b_c", "e", "f-g"]
