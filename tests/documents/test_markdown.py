"""Test Markdown: destinations, code, prose, and the map to the bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.documents.test_html import spans
from tests.linear_time import assert_linear
from tests.replaced import is_replaced
from tests.strategies import examples
from urlscan import finder
from urlscan.core.settings import Settings
from urlscan.documents import read_documents
from urlscan.documents.identify import identify
from urlscan.pipeline import check, read


@pytest.mark.parametrize(
    "case",
    [
        "see [a](⟦http://h.example/a⟧), or not",
        "see ![a](⟦http://h.example/a.png⟧)",
        "see [a](<⟦http://h.example/a⟧>)",
        'see [a](⟦http://h.example/a⟧ "a title")',
        "see [a](⟦http://h.example/a⟧ 'a title')",
        "see [a](\n⟦http://h.example/a⟧\n(a title))",
        "see [a](⟦http://h.example/a_(b)⟧)",
        "see [a [b] c](⟦http://h.example/a⟧)",
        "see [![a](⟦http://h.example/a.png⟧)](⟦http://h.example/a⟧)",
        "see [a](⟦http://h.example/?a&amp;b⟧)",
        "see [a](⟦http://h.example/a\\_b⟧)",
        "[a]: ⟦http://h.example/a⟧",
        '[a]: ⟦http://h.example/a⟧ "a title"',
        "> [a]: <⟦http://h.example/a⟧>",
        "  [a]:\n  ⟦http://h.example/a⟧\n  'a title'",
        "see <⟦http://h.example/a⟧>",
        "see ⟦http://h.example/a⟧.",
        "see [a] (⟦http://h.example/a⟧)",
        "see [⟦http://h.example/a⟧](⟦http://h.example/b⟧)",
        '<a href="⟦http://h.example/?a&amp;b⟧">a</a>',
        "see `⟦http://h.example/a⟧`",
        "```sh\ncurl ⟦http://h.example/a⟧\n```\n",
        "| a | b |\n| - | - |\n| [a](⟦http://h.example/a⟧) | ⟦http://h.example/b⟧ |",
        "[^1]: ⟦http://h.example/a⟧",
        "---\nurl: ⟦http://h.example/a⟧\n---\n",
        "if i<n { [a](⟦http://h.example/a⟧) }",
    ],
)
def test_urls_are_found(case):
    text, expected = spans(case)
    assert [(o.start, o.end) for o in urlscan.scan(text, kind="markdown")] == expected


@pytest.mark.parametrize(
    "case",
    [
        "see [a](⟦../a.md⟧) and ![b](⟦b.png⟧)",
        "[a]: ⟦a.md#b⟧",
        "see [a](<⟦a b.md⟧>)",
        "see [a](⟦#top⟧) and [b]()",
        "a[i](⟦j⟧) is a link, `a[i](j)` none",
        "see \\[a](b)",
        "see [a]\n\n](b)",
        "```\n[a](b)\n```",
        "~~~~\n```\n[a](b)\n~~~~\n[c](⟦d⟧)",
        "``a ` [b](c)``",
    ],
)
def test_relative_destinations_are_found(case):
    text, expected = spans(case)
    assert [(o.start, o.end) for o in urlscan.scan(text, kind="markdown", relative=True)] == expected


def test_escapes_and_entities_are_decoded():
    text = "[a](http://h.example/a\\_b?c&amp;d)"
    (one,) = urlscan.scan(text, kind="markdown")
    assert one.url == one.raw == "http://h.example/a_b?c&d"
    assert text[one.start : one.end] == "http://h.example/a\\_b?c&amp;d"


def test_urls_in_code_are_found_but_not_checked():
    text = "`http://h.example/%zz/a` and http://h.example/%zz/a\n\n```\nhttp://h.example/%zz/b\n```\n"
    data = text.encode()
    (document,) = read_documents(data, kind="markdown")
    found = list(finder.find_in_document(document, finder.FindOptions()))
    assert [document.context(one.start, one.end) for one in found] == ["code", "prose", "code"]
    (result,) = check.check_source(read.Source("-", data), Settings(), read.ReadOptions("markdown"))
    assert [(f.code, f.column) for f in result.findings] == [("U201", 47)]


PIECES = [
    *"[a](§)§[§]§(§<§>§`§```\n§~~~\n§[a]: §\n§\n\n§\\§&amp;§http://h.example/a".split("§"),
    *' §"t"§é§<a href="§<!--§-->§> §- §    §\0'.split("§"),
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_located_bytes_equal_the_url(text):
    data = text.encode()
    (document,) = read_documents(data, kind="markdown")
    assert len(document.prose) == len(document.text)
    for found in finder.find_in_document(document, finder.FindOptions(relative=True)):
        one = found
        place = document.locate(one.start, one.end)
        located = data[place.start : place.end].decode()
        assert one.raw == located or is_replaced(document, one.start, one.end)
        assert text.split("\n")[place.line - 1][place.column - 1 :].startswith(located.split("\n")[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "many",
    '[§](§[a](§[a](b§[a](<§`§` §``\n§```\n§~~~\n§<a §<a b="§<!--§[a]: §[a]:\n§\\§('.split("§"),
)
def test_reading_markdown_takes_linear_time(many):
    def read(size):
        (document,) = read_documents((many * (size // len(many))).encode(), kind="markdown")
        list(finder.find_in_document(document, finder.FindOptions()))

    assert_linear(read, 200_000)


def test_kind_is_determined_by_the_name():
    assert [identify(name) for name in ("README.md", "a.markdown", "a.mdx")] == ["markdown"] * 3


@pytest.mark.parametrize(
    ("text", "links"),
    [
        # CommonMark 4.7: a definition may be in a list item, and its parentheses match.
        ("- [a]: b\n", ["b"]),
        ("1. [a]: b 'c'\n", ["b"]),
        ("[a]: (b\n", []),
        ("[a]: b)\n", []),
        ("[a]: (b)\n", ["(b)"]),
        ("[a]: b(c)'d'\n", ["b(c)'d'"]),
        # CommonMark 4.5: a fence ends with the list item or block quote that contains it.
        ("1. ```\n   x\n\n[a](b)\n", ["b"]),
        ("- x\n\n  ```\n  [a](c)\n\n[a](b)\n", ["b"]),
        ("> ```\n> [a](c)\n\n[a](b)\n", ["b"]),
        ("> ```\n```\n[a](c)\n", []),
        ("```\n\n[a](c)\n", []),
        # CommonMark 4.4: a thematic break ends a list item, and indented code follows.
        ("- a\n---\n\n    [b](c)\n", []),
        ("\n    [b](c)\n", []),
        # CommonMark 6.3: a destination in angle brackets contains none; a link ends with its paragraph.
        ("[a](<<b>)", []),
        (r"[a](<\<b>)", ["<b"]),
        ("[a](b\\\nc)", []),
        ("[a\n===\n](b)", []),
        ("[a\n- b](c)", []),
        ("``[a](b)\n===\n``", ["b"]),
        # CommonMark 6.6: empty comments.
        ("<!-->[a](b)<!-- c -->", ["b"]),
        # CommonMark 4.6: a comment at the beginning of a line extends to its end, and blocks in it are raw HTML.
        ("<!--\n[b]: c\n\n```\n\n    x\n\n[a](c)\n-->\n\n[a](b)\n", ["b"]),
        ("```\n<!--\n```\n\n[a](b)\n-->\n", ["b"]),
        # CommonMark 6.5: an address contains no parenthesis.
        ("<[a](b)c@h.example>", ["b"]),
    ],
)
def test_blocks_and_destinations_end_as_in_commonmark(text, links):
    assert [one.url for one in urlscan.scan(text, kind="markdown", relative=True) if one.style == "markup"] == links


@pytest.mark.parametrize(
    ("kind", "text", "links"),
    [
        ("markdown", "```\n[a](b)\n```\n\n[a](c)\n", ["c"]),
        ("markdown", "[a]: b\n\n[c]: d 'e'\n", ["b", "d"]),
        ("markdown", "x\n\n    [a](b)\n\n    [a](c)\n", []),
        ("markdown", "[a](\nb\n'c'\n)\n", ["b"]),
        ("rst", ".. image:: a\n\nb::\n\n   `c <d>`_\n\n`e <f>`_\n", ["a", "f"]),
        ("rst", ".. _a:\n   b\n", ["b"]),
        ("asciidoc", "----\nlink:a[b]\n----\n\nlink:c[d]\n", ["c"]),
        ("org", ": [[./a]]\n\n[[./b]]\n", ["./b"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_may_end_with_crlf(kind, text, links, end):
    found = urlscan.scan(text.replace("\n", end), kind=kind, relative=True)
    assert [one.url for one in found if one.style == "markup"] == links


SOURCES = [
    *PIECES,
    *"[§]§](§)§(§ §\n\n§\r\n\r\n§    §\t§- §1. §> §# §---\n§|§`a:b`§`[a](b)`§[`a`](b)§[a\nb](c)§[a]: b\n§x\\\n\n".split(
        "§"
    ),
    *"<b>§</b>§<pre>§</pre>§<code>§<style>§</style>§<!-- a -->§-->§<!-- a:b -->§<a title='a: b'>§&#58;§http:".split(
        "§"
    ),
    "<!--\n",
    *"a: b§a::b§std::a§[a](b: 'c')§[a](b:c)§mailto: jo@h.example§//§http//h.example§http:/h.example§{{§}}§{% a".split(
        "§"
    ),
    *"---\n§a: http:\\/\\/h.example\n§http://h.example/%zz§\\`§\\[§(a) b§![§www.h.example§ url(http:a)§~~~ §``".split(
        "§"
    ),
]


@pytest.mark.slow
@examples(600)
@given(st.lists(st.sampled_from(SOURCES), max_size=40).map("".join))
@pytest.mark.parametrize(
    "options", [finder.FindOptions(), finder.FindOptions(relative=True, look_alikes=True)], ids=["schemes", "links"]
)
def test_paragraphs_without_candidates_do_not_change_the_result(options, text):
    results = []
    for find_options in (options, None):
        (document,) = read_documents(text.encode(), kind="markdown", find_options=find_options)
        found = list(finder.find_in_document(document, options))
        results.append(
            [(one.url, document.locate(one.start, one.end), document.context(one.start, one.end)) for one in found]
        )
    assert results[0] == results[1]
