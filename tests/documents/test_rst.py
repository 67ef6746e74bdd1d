"""Test reStructuredText: targets, literals, prose, and the map to the bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.documents.test_html import spans
from tests.linear_time import assert_linear
from tests.replaced import is_replaced
from tests.strategies import examples
from urlscan import finder
from urlscan.documents import read_documents
from urlscan.documents.identify import identify
from urlscan.targets.cross_references import cross_references


@pytest.mark.parametrize(
    "case",
    [
        ".. _a: ⟦http://h.example/a⟧",
        ".. _a b: ⟦http://h.example/a⟧",
        ".. _`a: b`: ⟦http://h.example/a⟧",
        ".. _a\\: b: ⟦http://h.example/a⟧",
        ".. __: ⟦http://h.example/a⟧",
        "__ ⟦http://h.example/a⟧",
        ".. _a: ⟦../a.html⟧",
        ".. _a: ⟦http://h.example/a/\n   b/c⟧",
        ".. _a:\n   ⟦http://h.example/a⟧",
        "see `a <⟦http://h.example/a⟧>`_ there",
        "see `a <⟦http://h.example/a⟧>`__ there",
        "see `a\nb <⟦http://h.example/a⟧>`_",
        "see `a <⟦a b.html⟧>`_",
        "see `<⟦a.html⟧>`_",
        ".. image:: ⟦http://h.example/a.png⟧\n   :alt: a",
        ".. |a| image:: ⟦a.png⟧",
        ".. figure:: ⟦a.png⟧\n   :target: ⟦http://h.example/a⟧",
        "see ⟦http://h.example/a⟧.",
        "see <⟦http://h.example/a⟧>",
        "see ``⟦http://h.example/a⟧``",
        "see::\n\n   ⟦http://h.example/a⟧\n\nand",
        ".. code-block:: sh\n\n   curl ⟦http://h.example/a⟧\n",
        ".. a comment with ⟦http://h.example/a⟧",
        # names of other targets
        ".. _a: b_",
        ".. _a: `b c`_",
        "see `a <b_>`_ and `c`_ and d_",
        ".. _a:\n\nA title",
    ],
)
def test_urls_are_found(case):
    text, expected = spans(case)
    assert [(o.start, o.end) for o in urlscan.scan(text, kind="rst", relative=True)] == expected


def test_white_space_and_escapes_of_a_uri_are_removed():
    text = ".. _a: http://h.example/a/\n   b\\_c"
    (one,) = urlscan.scan(text, kind="rst")
    assert one.url == "http://h.example/a/b_c"
    assert text[one.start : one.end] == "http://h.example/a/\n   b\\_c"


def test_literals_are_code():
    text = "``http://h.example/a`` and::\n\n  http://h.example/b\n\nhttp://h.example/c"
    (document,) = read_documents(text.encode(), kind="rst")
    found = list(finder.find_in_document(document, finder.FindOptions()))
    assert [(one.url[-1], document.context(one.start, one.end)) for one in found] == [
        ("a", "code"),
        ("b", "code"),
        ("c", "prose"),
    ]


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        (r"`a <http://h.example/?\\>`_", True),  # the first backslash escapes the second
        (r"`a <http://h.example/?\>`_", False),  # the backslash escapes the bracket
        ("`a <http://h.example/a|\n b|c>`_", True),
        ("| `a <http://h.example/ |\n| b>`_            |", True),
    ],
)
def test_embedded_uri_ends_at_its_bracket(text, is_link):
    (document,) = read_documents(text.encode(), kind="rst")
    assert (document.links.index(text.index("http")) >= 0) is is_link


PIECES = [
    *".. _a: §__ §`§``§<§>`_§>`__§::\n§\n§\n\n§   §http://h.example/a§\\§ §é".split("§"),
    *".. image:: §:target: §.. code::\n\n   x\n§_§`a`:§\t§.. §|a| §\0".split("§"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_located_bytes_equal_the_url(text):
    data = text.encode()
    (document,) = read_documents(data, kind="rst")
    assert len(document.prose) == len(document.text)
    for found in finder.find_in_document(document, finder.FindOptions(relative=True)):
        one = found
        place = document.locate(one.start, one.end)
        located = data[place.start : place.end].decode()
        assert (
            one.raw == located
            or is_replaced(document, one.start, one.end)
            or any(one.start <= start <= one.end for start, _ in document.replacements)
        )
        assert text.split("\n")[place.line - 1][place.column - 1 :].startswith(located.split("\n")[0])


SOURCES = [
    *PIECES,
    *"``§ §a: b§`a:b`§:ref:`a`§:pep:`1`§`a\n\n <b:c>`_§a:b§//§mailto:§mailto: §http//h.example".split("§"),
    *"<URL:§http:\n//h.example§``http://h.example/``§`b <http://h.example/>`_§.. include:: a".split("§"),
    *"\n  §  §- §\r\n§\n \n§.. raw:: html\n\n  <a href='h:b'>\n§.. a§: ".split("§"),
]


@examples(600)
@given(st.lists(st.sampled_from(SOURCES), max_size=40).map("".join))
@pytest.mark.parametrize(
    "options", [finder.FindOptions(), finder.FindOptions(relative=True, look_alikes=True)], ids=["schemes", "links"]
)
def test_paragraphs_without_candidates_do_not_change_the_result(options, text):
    results = []
    for find_options in (options, None):
        (document,) = read_documents(text.encode(), kind="rst", find_options=find_options)
        found = list(finder.find_in_document(document, options))
        results.append(
            (
                [(one.url, document.locate(one.start, one.end), document.context(one.start, one.end)) for one in found],
                list(cross_references(document)) if options.relative else [],
            )
        )
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "many", "`§``§` <§`a <§.. _a: §.. _a:§.. _§__ §::\n§::\n\n  a\n§<§\\§:target: §.. image:: §.. |a§a:§`a".split("§")
)
@pytest.mark.slow
def test_reading_rst_takes_linear_time(many):
    def read(size):
        for options in (None, finder.FindOptions()):
            (document,) = read_documents((many * (size // len(many))).encode(), kind="rst", find_options=options)
            list(finder.find_in_document(document, finder.FindOptions()))

    assert_linear(read, 200_000)


def test_kind_is_determined_by_the_name():
    assert identify("pep-0001.rst") == "rst"


@pytest.mark.parametrize(
    ("text", "links"),
    [
        # "Images": white space in the argument is ignored; the argument may begin and continue on the next line.
        (".. image:: a b.png\n", ["ab.png"]),
        (".. image::\n   a.png\n   :target: b\n", ["a.png", "b"]),
        (".. figure:: a/\n   b.png\n", ["a/b.png"]),
        (".. image:: a\n   :alt: b\n", ["a"]),
        # "Anonymous Hyperlinks": the URI may begin on the next line.
        ("__\n   a\n", ["a"]),
        (".. _a: \u00e9_\n", []),
        (".. image:: a\n   :target: `b <c>`_\n", ["a"]),
        # An image has no alias.
        (".. image:: a_\n", ["a_"]),
        (".. image:: a.png\n   :target: b_\n", ["a.png"]),
        # "Hyperlink Targets": the name of another target, in backquotes.
        (".. __: `a <b>`_\n", []),
        # "Inline Markup Recognition Rules": characters allowed around inline markup.
        ("a`b <c>`_", []),
        ("`b <c>`_a", []),
        ("(`b <c>`_), \u00ab`d <e>`__\u00bb", ["c", "e"]),
        ("\u4e2d`b <c>`_", []),
        # Inline markup ends with its paragraph.
        ("`a\nb <c>`_", ["c"]),
        ("`a\n\nb <c>`_", []),
        ("`a <b\n\nc>`_", []),
        ("\u4e2d\\ `b <c>`_\\ \u4e2d", ["c"]),
    ],
)
def test_images_and_embedded_uris_are_read_as_by_docutils(text, links):
    assert [one.url for one in urlscan.scan(text, kind="rst", relative=True) if one.style == "markup"] == links


def test_uri_in_a_cell_beside_a_wide_one():
    line, first, second = "-" * 1500, "x" * 1500, "y" * 1500
    text = f"+----------------------+{line}+\n| `a <http://h.example/|{first}|\n| b>`_                |{second}|\n"
    assert [one.url for one in urlscan.scan(text, kind="rst")] == ["http://h.example/b"]
