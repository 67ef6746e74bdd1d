"""Test templates, formats and patterns: the examples of the table, and the functions based on it."""

import re

import pytest

from tests.linear_time import assert_linear
from urlscan.uri.grammar.notations import NOTATIONS
from urlscan.uri.grammar.templates import expression_around, looks_like_pattern, placeholder_spans


@pytest.mark.parametrize(
    ("notation", "text"), [pytest.param(n, text, id=f"{n.name}: {text}") for n in NOTATIONS for text in n.matches]
)
def test_notation_matches_its_examples(notation, text):
    assert re.fullmatch(notation.pattern, text)


@pytest.mark.parametrize(
    ("notation", "text"), [pytest.param(n, text, id=f"{n.name}: {text}") for n in NOTATIONS for text in n.others]
)
def test_notation_does_not_match_other_texts(notation, text):
    assert not re.search(notation.pattern, text)


def test_every_notation_has_examples():
    assert [n.name for n in NOTATIONS if not (n.matches or n.others)] == []


# --- in a URL


@pytest.mark.parametrize("url", ["http://h/%S", "http://h/img[1-9].png", "http://h/x{1,2}", "http://h/x[#part]"])
def test_some_notations_are_ignored_in_delimited_urls(url):
    assert placeholder_spans(url)
    assert placeholder_spans(url.replace("/%S", "/x/%S"), delimited=True) == []


@pytest.mark.parametrize("url", ["%U", "mailto:%w%W", "http://h/a?%S", "http://h/%S"])
def test_directive_is_recognized_as_a_complete_component(url):
    assert placeholder_spans(url, delimited=True)


def test_unknown_elements_in_attributes_are_placeholders():
    assert placeholder_spans('<TMPL_VAR NAME="R">/x', delimited=True) == [(0, 19)]
    assert placeholder_spans('<script type="text/javascript" src="x">', delimited=True) == []


# --- expressions


def test_expression_includes_quotation_marks_and_blanks():
    text = 'get "https://h/#{@g["n"]}/x" now'
    assert expression_around(text, 5, text.index('"', 6), len(text)) == text.index("/x")
    assert expression_around(text, 5, text.rindex('"'), len(text)) == text.rindex('"')


# --- patterns: «...» marks the URL


@pytest.mark.parametrize(
    "marked",
    [
        'x = re.compile("«https://h/[0-9]+»")',
        "x =~ %r{«https://h/[^/]*/x»}",
        'x.match("^«http://h/»")',
        r'grep "«http://h»\.example/"',
        "s|«http://a/»|http://b/|i",
        "/(http|«https://h/»)/",
        "string.match(url, '^«urn:x:»(%w+)')",
        "location ~ ^«https://h/»(.*)$",
        '"src/«http://h/»**/x.png"',
        r"regEx('^«https://(»[^.]+).github.com')",
        r"«http://h/»\d{4}/x",
    ],
)
def test_url_in_a_pattern_is_recognized(marked):
    start = marked.index("«")
    end = marked.index("»") - 1
    assert looks_like_pattern(marked.replace("«", "").replace("»", ""), start, end)


@pytest.mark.parametrize(
    "marked",
    [
        "See «http://h/a|b» (and more)*.",
        "Run s and then «http://h/a|b», which is it.",
        r"The path «file:///C:\docs\data» is there.",
        "«http://h/?q=St.+Louis|x»",
        "<«http://h/x[draft-2]/y»>",
        "what? («http://h/a^b»)",
        "match(«http://h/a|b»)"[6:],
    ],
)
def test_url_in_other_text_is_not_a_pattern(marked):
    start = marked.index("«")
    end = marked.index("»") - 1
    assert not looks_like_pattern(marked.replace("«", "").replace("»", ""), start, end)


def test_text_outside_the_delimiters_is_ignored():
    text = '<a href="http://h/a|b">.*</a>'
    assert not looks_like_pattern(text, 9, 21, delimited=True)
    assert looks_like_pattern('<a href="http://h/[^/]/b">', 9, 24, delimited=True)


# --- time


@pytest.mark.parametrize(
    "many",
    [
        "{{ a ",
        "{% a ",
        "<% a ",
        "<?a ",
        "${a ",
        "${a{b}",
        "$(a ",
        "#{a ",
        "[% a ",
        "{$ ",
        "<!--#a ",
        "<x:a b ",
        "{a( ",
        "%A",
        "@A",
    ],
)
@pytest.mark.slow
def test_templates_take_linear_time(many):
    def search(size):
        text = "http://h/" + many * (size // len(many))
        placeholder_spans(text)
        placeholder_spans(text, delimited=True)
        looks_like_pattern(text, 0, len(text))
        expression_around(text, 9, len(text) - 1, len(text))

    assert_linear(search, 100_000)
