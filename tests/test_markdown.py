"""Markdown: what is a destination, what is code, what is prose, and where it stands in the bytes."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.test_html import spans
from urlscan import run
from urlscan.finder import record
from urlscan.settings import Settings
from urlscan.sources import segments
from urlscan.sources.identify import identify


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
def test_what_is_found(case):
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
def test_relative_destinations(case):
    text, expected = spans(case)
    assert [(o.start, o.end) for o in urlscan.scan(text, kind="markdown", relative=True)] == expected


def test_escapes_and_entities_are_undone():
    text = "[a](http://h.example/a\\_b?c&amp;d)"
    (one,) = urlscan.scan(text, kind="markdown")
    assert one.url == one.raw == "http://h.example/a_b?c&d"
    assert text[one.start : one.end] == "http://h.example/a\\_b?c&amp;d"


def test_code_is_found_and_not_judged():
    text = "`http://h.example/%zz/a` and http://h.example/%zz/a\n\n```\nhttp://h.example/%zz/b\n```\n"
    data = text.encode()
    (segment,) = segments(data, kind="markdown")
    found = [record(one) for one in run.found_in(segment, run.Wanted())]
    assert [segment.context(one.start, one.end) for one in found] == ["code", "prose", "code"]
    (result,) = run.check_source(run.Source("-", data, False), Settings(), run.ReadOptions("markdown"))
    assert [(f.code, f.column) for f in result.findings] == [("U201", 47)]


PIECES = [
    *"[a](§)§[§]§(§<§>§`§```\n§~~~\n§[a]: §\n§\n\n§\\§&amp;§http://h.example/a".split("§"),
    *' §"t"§é§<a href="§<!--§-->§> §- §    §\0'.split("§"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_the_places_hold_what_was_found(text):
    data = text.encode()
    (segment,) = segments(data, kind="markdown")
    assert len(segment.prose) == len(segment.text)
    for found in run.found_in(segment, run.Wanted(relative=True)):
        one = record(found)
        place = segment.locate(one.start, one.end)
        there = data[place.start : place.end].decode()
        assert one.raw == there or segment.is_replaced(one.start, one.end)
        assert text.split("\n")[place.line - 1][place.column - 1 :].startswith(there.split("\n")[0])


@pytest.mark.parametrize(
    "many",
    '[§](§[a](§[a](b§[a](<§`§` §``\n§```\n§~~~\n§<a §<a b="§<!--§[a]: §[a]:\n§\\§('.split("§"),
)
def test_reading_is_linear(many):
    before = time.process_time()
    (segment,) = segments((many * (200_000 // len(many))).encode(), kind="markdown")
    list(run.found_in(segment, run.Wanted()))
    assert time.process_time() - before < 5


def test_the_name_tells_the_kind():
    assert [identify(name) for name in ("README.md", "a.markdown", "a.mdx")] == ["markdown"] * 3
