"""Templates, formats and patterns: the examples of the table hold, and what is built on it."""

import re
import time

import pytest

from urlscan.uri.grammar.notations import NOTATIONS
from urlscan.uri.grammar.templates import expression_around, looks_like_pattern, placeholder_spans


@pytest.mark.parametrize(
    ("notation", "text"), [pytest.param(n, text, id=f"{n.name}: {text}") for n in NOTATIONS for text in n.matches]
)
def test_a_notation_matches_its_examples(notation, text):
    assert re.fullmatch(notation.pattern, text)


@pytest.mark.parametrize(
    ("notation", "text"), [pytest.param(n, text, id=f"{n.name}: {text}") for n in NOTATIONS for text in n.others]
)
def test_a_notation_is_not_found_in_other_texts(notation, text):
    assert not re.search(notation.pattern, text)


def test_every_notation_has_examples():
    assert [n.name for n in NOTATIONS if not (n.matches or n.others)] == []


# --- in a URL


@pytest.mark.parametrize("url", ["http://h/%S", "http://h/img[1-9].png", "http://h/x{1,2}", "http://h/x[#part]"])
def test_some_notations_count_only_where_no_markup_delimits(url):
    assert placeholder_spans(url)
    assert placeholder_spans(url.replace("/%S", "/x/%S"), delimited=True) == []


@pytest.mark.parametrize("url", ["%U", "mailto:%w%W", "http://h/a?%S", "http://h/%S"])
def test_a_directive_that_is_all_of_a_component_counts_between_delimiters(url):
    assert placeholder_spans(url, delimited=True)


def test_elements_that_html_does_not_have_count_in_attributes():
    assert placeholder_spans('<TMPL_VAR NAME="R">/x', delimited=True) == [(0, 19)]
    assert placeholder_spans('<script type="text/javascript" src="x">', delimited=True) == []


# --- in the text around


def test_an_expression_goes_over_quotation_marks_and_blanks():
    text = 'get "https://h/#{@g["n"]}/x" now'
    assert expression_around(text, 5, text.index('"', 6), len(text)) == text.index("/x")
    assert expression_around(text, 5, text.rindex('"'), len(text)) == text.rindex('"')


# --- patterns: «...» is the URL


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
def test_what_belongs_to_a_pattern_looks_like_one(marked):
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
def test_what_is_none_does_not(marked):
    start = marked.index("«")
    end = marked.index("»") - 1
    assert not looks_like_pattern(marked.replace("«", "").replace("»", ""), start, end)


def test_between_delimiters_only_the_url_itself_counts():
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
def test_time_is_linear(many):
    text = "http://h/" + many * (100_000 // len(many))
    before = time.process_time()
    placeholder_spans(text)
    placeholder_spans(text, delimited=True)
    looks_like_pattern(text, 0, len(text))
    expression_around(text, 9, len(text) - 1, len(text))
    assert time.process_time() - before < 3
