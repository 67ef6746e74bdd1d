"""Test HTML and XML: links, prose, and the map to the bytes."""

import html
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests import command
from tests.linear_time import assert_linear
from urlscan import finder
from urlscan.core.settings import Settings
from urlscan.documents import html as html_reader
from urlscan.documents import read_documents
from urlscan.documents.identify import identify
from urlscan.pipeline import check, read


def spans(case):
    """Return the text of a case, and the spans marked by ⟦ and ⟧."""
    text, expected = "", []
    for number, part in enumerate(case.replace("⟧", "⟦").split("⟦")):
        if number % 2:
            expected.append((len(text), len(text) + len(part)))
        text += part
    return text, expected


def found_and_expected(case, **options):
    """Return the spans found in the text of a case, and the expected ones."""
    text, expected = spans(case)
    return [(o.start, o.end) for o in urlscan.scan(text, kind="html", **options)], expected


# --- links


@pytest.mark.parametrize(
    "case",
    [
        '<a href="⟦http://h.example/a⟧">x</a>',
        "<a href='⟦http://h.example/a⟧'>x</a>",
        "<a href=⟦http://h.example/a⟧>x</a>",
        '<A HREF = "⟦http://h.example/a⟧">x</A>',
        '<a\n  class="b"\n  href="⟦http://h.example/a⟧">x</a>',
        '<a href="  ⟦http://h.example/a⟧\n">x</a>',
        '<a href="⟦http://h.example/?a=1&amp;b=2⟧">x</a>',
        '<img src="⟦http://h.example/a⟧" alt="b">',
        '<img srcset="⟦http://h.example/a⟧ 1x, ⟦http://h.example/b,c⟧ 2x">',
        '<a ping="⟦http://h.example/a⟧ ⟦http://h.example/b⟧">',
        '<form action="⟦http://h.example/a⟧">',
        '<blockquote cite="⟦http://h.example/a⟧">',
        '<video poster="⟦http://h.example/a⟧">',
        '<meta http-equiv="refresh" content="5; url=⟦http://h.example/a⟧">',
        "<meta http-equiv=refresh content='0;URL=⟦http://h.example/a⟧'>",
        '<p style="background: url(⟦http://h.example/a⟧)">',
        "<style>p { background: url('⟦http://h.example/a⟧') }</style>",
        '<base href="⟦http://h.example/⟧">',
        '<use xlink:href="⟦http://h.example/a.svg#b⟧"/>',
        '<a href="⟦mailto:jo@h.example⟧">',
        '<a title="x>y" href="⟦http://h.example/a⟧">',
        '<a href="⟦http://h.example/{id}⟧">',
    ],
)
def test_urls_in_attributes_are_found(case):
    found, expected = found_and_expected(case)
    assert found == expected


@pytest.mark.parametrize(
    "case",
    [
        "<p>See ⟦http://h.example/a⟧.</p>",
        "<p>See ⟦http://h.example/a⟧<br>or not</p>",
        "See ⟦http://h.example/?a=1&amp;b=2⟧, or not",
        "See &lt;⟦http://h.example/a⟧&gt;",
        "See &lt;URL:⟦http://h.example/a\nb⟧&gt;",
        "<!-- ⟦http://h.example/a⟧ -->",
        "<![CDATA[ ⟦http://h.example/a⟧ ]]>",
        '<script>var u = "⟦http://h.example/?a&b⟧";</script>',
        '<p title="⟦http://h.example/a⟧">',
        '<!DOCTYPE html PUBLIC "-//X" "⟦http://h.example/x.dtd⟧">',
        "a < b and ⟦http://h.example/a⟧ > c",
        "<b>⟦http://h.example/a⟧</b>",
    ],
)
def test_urls_in_prose_are_found(case):
    found, expected = found_and_expected(case)
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "<a href=\"javascript:open('http://h.example/')\">",
        '<html xmlns="http://www.w3.org/1999/xhtml">',
        '<a href="">',
        '<a href="../a">',
        "<p>http&#58;</p>",
        '<a class="http">',
        "<http://",
    ],
)
def test_other_texts_contain_no_url(text):
    assert list(urlscan.scan(text, kind="html")) == []


@pytest.mark.parametrize(
    ("text", "links"),
    [
        # HTML standard, section 13.2.5.43: "<!-->" and "<!--->" are whole comments.
        ('<!--><a href="a">', ["a"]),
        ('<!---><a href="a">', ["a"]),
        # Section 13.2.5.51: "--!>" ends a comment.
        ('<!-- b --!><a href="a">', ["a"]),
        # Section 13.2.5.7: "</" and no letter begin a bogus comment.
        ('</ <a href="a"><a href="b">', ["b"]),
        # Section 13.2.6.4: the content of a raw text element contains no tags.
        ('<title><a href="a"></title><a href="b">', ["b"]),
        ('<textarea><a href="a"></textarea><a href="b">', ["b"]),
        ('<iframe><a href="a"></iframe><a href="b">', ["b"]),
        ('<plaintext><a href="a"></plaintext><a href="b">', []),
        ('<script></script-x><a href="a"></script ><a href="b">', ["b"]),
        # Section 13.2.5.32: the name of an attribute may begin with "=".
        ('<p =x><a =b href="a">', ["a"]),
        # "Parse a srcset attribute": a comma in parentheses is not a separator.
        ('<img srcset="a (b,c) 2x, d">', ["a", "d"]),
        # "Shared declarative refresh steps": only a quotation mark at the start of the URL requires a closing one.
        ('<meta http-equiv=refresh content="0;url=a\'b">', ["a'b"]),
        ("<meta http-equiv=refresh content=\"0;url='a'b\">", ["a"]),
        ('<meta http-equiv=refresh content="0; url=">', []),
    ],
)
def test_tags_comments_and_raw_text_end_as_in_the_html_standard(text, links):
    assert [one.url for one in urlscan.scan(text, kind="html", relative=True)] == links


@pytest.mark.parametrize("element", ["title", "textarea", "iframe", "plaintext"])
def test_raw_text_elements_of_html_contain_markup_in_xml(element):
    text = f'<r><{element}><a href="a"/></{element}></r>'
    assert [one.url for one in urlscan.scan(text, kind="xml", relative=True)] == ["a"]


def test_entities_of_a_title_are_decoded():
    (found,) = urlscan.scan("<title>http://h.example/?a&amp;b</title>", kind="html")
    assert found.url == "http://h.example/?a&b"


def test_quotation_mark_at_the_start_of_a_page_does_not_hide_the_first_link():
    found = urlscan.scan("/`<a href='`-->\"'>", kind="html", relative=True)
    assert [one.url for one in found] == ['`-->"']


@pytest.mark.parametrize("value", ["http://h.example/a 1x{}", "{}", "http://h.example/a 1x, {}"])
@pytest.mark.parametrize("many", [",", " ", ", "])
@pytest.mark.slow
def test_long_separators_take_linear_time(value, many):
    def read(size):
        list(urlscan.scan(f'<img srcset="{value.format(many * size)}">', kind="html", relative=True))

    assert_linear(read, 40_000, within=0.08)


@pytest.mark.parametrize("relative", [False, True])
def test_end_of_a_declaration_is_not_a_quote_mark(relative):
    text = "<!DOCTYPE html\nPUBLIC>&lt;http://h.example/a\nb&gt;"
    assert [one.url for one in urlscan.scan(text, kind="html", relative=relative)] == ["http://h.example/ab"]


def test_empty_script_element_of_xml_has_no_content():
    text = '<svg><script href="http://h.example/s"/><a href="http://h.example/?a&amp;b">x</a></svg>'
    assert [one.url for one in urlscan.scan(text, kind="xml")] == ["http://h.example/s", "http://h.example/?a&b"]


def test_relative_references_are_found_on_request():
    found, expected = found_and_expected('<a href="⟦../a b⟧"><img src=⟦x.png⟧> <a href="⟦#top⟧">', relative=True)
    assert found == expected
    (one,) = urlscan.scan('<a href="a">', kind="html", relative=True)
    assert (one.url, one.scheme, one.style) == ("a", "", "markup")


@pytest.mark.parametrize(
    "text",
    [
        '<p class="a">x</p><a href="⟦b.html⟧">y</a>',
        '<p title="a b">x <br/>y</p><img alt="" src="⟦b.png⟧"><a href="⟦c⟧">y</a>',
        "<ul class=c><li>One: two. <li id=x><!-- - -- --><a class='b' href='⟦d.html#e⟧'>y</a></ul>",
        '<p class="a">x</p>' * 1500 + '<a href="⟦b.html⟧">y</a>',
        f"<p {'data-x=1 ' * 1500}>x <a href=⟦b.html⟧>y</a>",
        f"<!--{'- ' * 1500}--><a href=⟦b.html⟧>y</a>",
    ],
    ids=["attribute", "empty elements", "list", "many elements", "many attributes", "long comment"],
)
def test_markup_before_a_link_does_not_hide_it(text):
    found, expected = found_and_expected(text, relative=True)
    assert found == expected


# --- entities and offsets


def test_entities_are_decoded_and_mapped_to_the_source():
    data = "\ufeff<p>é http://h.example/?a=1&amp;b=%zz</p>".encode()
    (document,) = read_documents(data, kind="html")
    (one,) = list(finder.find_in_document(document, finder.FindOptions()))
    assert one.url == "http://h.example/?a=1&b=%zz"
    place = document.locate(one.start, one.end)
    assert data[place.start : place.end].decode() == "http://h.example/?a=1&amp;b=%zz"
    assert (place.line, place.column) == (1, 6)


@pytest.mark.parametrize("entity", ["&#x26;", "&#38;", "&amp;"])
def test_ampersand_is_decoded_in_every_notation(entity):
    (one,) = urlscan.scan(f'<a href="http://h.example/?a{entity}b">', kind="html")
    assert one.url == "http://h.example/?a&b"


PIECES = [
    *"<a href=§\"§'§>§<§&amp;§&lt;§&#64;§http://h.example/a§ §\n§é§<!--§-->§<style>§url(§)".split("§"),
    *"</style>§<script>§</script>§src=§/§?x=1§&eacute;§</a>§\0".split("§"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_located_bytes_decode_to_the_url(text):
    data = text.encode()
    for document in read_documents(data, kind="html"):
        assert len(document.prose) == len(document.text)
        for found in finder.find_in_document(document, finder.FindOptions(relative=True)):
            one = found
            place = document.locate(one.start, one.end)
            located = data[place.start : place.end].decode()
            shown = html.unescape(located)
            assert one.raw in (located, shown, shown.replace("\n", ""))  # line ends in a link are ignored
            assert text.split("\n")[place.line - 1][place.column - 1 :].startswith(located.split("\n")[0])


def test_document_without_entities_equals_its_text():
    text = '<p title="a">http://h.example/ <a href="b">c</a>'
    (document,) = read_documents(text.encode(), kind="html")
    assert document.text == document.decoded == text
    assert not document.replacements


@pytest.mark.parametrize(
    "many", ["<", "<a", "<a ", "<a b=", '<a b="', "<!--", "&", "&amp;", "<style>url(", "<script>", "a=b ", "'", "</"]
)
@pytest.mark.slow
def test_reading_html_takes_linear_time(many):
    def read(size):
        (document,) = read_documents((many * (size // len(many))).encode(), kind="html")
        list(finder.find_in_document(document, finder.FindOptions()))

    assert_linear(read, 300_000)


# --- findings and fixes


def test_findings_are_located_in_the_source():
    text = '<p>\n<a href="http://h.example/?a&amp;b=|">x</a>'
    (finding,) = findings(text)
    assert (finding.code, finding.line, finding.column) == ("U101", 2, 36)
    assert text.encode()[finding.start : finding.end] == b"|"


def findings(text: str):
    (document,) = read_documents(text.encode(), kind="html")
    (result,) = check.check_source(read.Source("-", text.encode()), Settings(), read.ReadOptions("html"))
    assert result.decoded == document.decoded
    return result.findings


def test_relative_reference_is_checked_as_a_reference():
    assert [f.code for f in findings('<a href="a b">')] == ["U102"]
    assert findings('<a href="../a#b">') == []


def test_fix_replaces_a_complete_entity():
    (finding,) = findings('<a href="http://h.example/a&#124;b">')
    assert finding.code == "U101"
    assert finding.fix.edits == (urlscan.Edit(27, 33, "%7C"),)


def test_password_with_an_entity_is_masked(tmp_path, capsys):
    from urlscan.cli import main

    page = tmp_path / "a.html"
    page.write_text('<p>&amp;</p><a href="ftp://jo:s3cret&amp;x@h.net/a|b">')
    assert main(["check", str(page)]) == 1
    shown = capsys.readouterr().out
    assert "s3cret" not in shown
    assert "***" in shown


def test_kind_is_determined_by_the_name():
    assert [identify(name) for name in ("a.html", "A.HTM", "b.svg", "c.txt", "html", ".html")] == [
        "html", "html", "xml", "plain", "plain", "html",
    ]  # fmt: skip


# --- resolved references


PAGE = '<base href="/b/?a=1&amp;b"><a href="../c">x</a> <img src="http://g.example/d"> http://p.example/'


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--base", "http://h.example/a"], ["http://h.example/b/?a=1&b", "http://h.example/c"]),
        ([], ["/b/?a=1&b", "/c"]),
    ],
)
def test_relative_references_are_resolved_against_the_base(arguments, expected):
    done = command.urlscan("extract", "--as", "html", "--resolve", *arguments, stdin=PAGE.encode())
    assert done.lines == [*expected, "http://g.example/d", "http://p.example/"]


def test_resolved_reference_keeps_the_raw_text():
    done = command.urlscan(
        "extract", "--as", "html", "--resolve", "--base=http://h.example/a/", "--format=jsonl", "--schemes=http",
        stdin=b'<a href="../c">',
    )  # fmt: skip
    (record,) = map(json.loads, done.lines)
    assert (record["url"], record["raw"], record["scheme"], record["relative"]) == (
        "http://h.example/c", "../c", "http", True,
    )  # fmt: skip


def test_base_without_resolve_is_an_error():
    assert command.urlscan("extract", "--base", "http://h.example/").status == 2


def test_needless_delimiters_are_removed(tmp_path):
    page = tmp_path / "a.html"
    page.write_text('<a href="<URL:http://h.example/>">é</a>', encoding="utf-8")
    assert command.urlscan("check", "--fix", str(page)).status == 0
    assert page.read_text(encoding="utf-8") == '<a href="http://h.example/">é</a>'


TAG_TEXTS = """<a href="http://h.example/a">|<p>|</p>|<td width="1" height=2>|<font color=red size=+1>|text
    |a.b|a. b|a: b|http:|mailto:|jo@h.example|//h.example/b|. |: |x
    |www.h.example/a|<td style="a: b">|<td style="b: url(http://h.example/s)">|<td value=http://h.example/v>
    |<td alt='x'>|<pre>|</pre>|<code class="a">|</code>|<kbd title='<pre>'>|<li>|<code/>|<!-- <pre> -->
    |<img src=a width=1>|<td title=jo@h.example>|http://h.example/t|<a width=http://h.example/w|>|<td width=|<|&amp;
    |<td nowrap align = left>|<script>|</script>|<TD WIDTH=1 HREF=b>|<td width="1|'|"|<!-- -->|=|&nbsp;|&#46;|&#160;
    |&|&lt;|&gt;|<o:p>|</o:p >|<!-- a.b|<!-- http:|--| -->|<meta http-equiv=refresh content="1; url=b">|content=b|>
    |<a href='b'>|<a href=b/>|<a href="b"/>|<a href='b"|<a HREF=http://h.example/a>|<a hrefs=b>|<a href="a&amp;b">
    |<img srcset="a 1x, b 2x" src=c>|<a ping="a b">|<base href=c>|<P STYLE="a: b(c)">|<p style='a: "b"' href=d>
    |style=|<a href=javascript:a>|<a href="blob:a" src=b>|<br/>|<br / >|<![CDATA[|]]>|<!DOCTYPE a>|<? ?>|&#58;
    |&colon;|&#x03A;|<a href="x: y">|<a alt="x: y" href='http://h.example/&#47;?a=1&b'>|<a ="a>b">|<a="a>b">
    |<a b ="c"="d>e">|<a b= href="http://h.example/a">|<p style='a:b' src=cid:a>|<p style="a\\3a//b">
    |<a href=mailto:jo@h.example>|<a data-href="http://h.example/a">|<a href="mailto: jo@h.example">|ftp: //h.example/a
    |http//h.example|http:/h.example|http:www.h.example|<p title="http//h.example">|<p title="http:h.example" id=b>
    |<p title="a: b/c. d">|&lt;URL: www.h.example&gt;|<URL:|&#47;|&sol;|http ://h.example|&#112;
    |<meta content="1; url=b">|<a title="b: c" href=d>|<p title="http: //h.example">
    |<p style="a: rgb(0,0,0)">|<p style='a: URL(b)'>
    |<svg xmlns="http://h.example/">|<a href="a?b&c=d">|<a href="a&amp;b" id=c>|a/b|<p title='a/b:'>|<p alt=a/b>|\
    |</ a>|</3>|<xmp>|</xmp>|<!-->|<!--->|--!>|<title>|</title>|<textarea>|</textarea>|<iframe>|</iframe>|<p =a>"""
TAGS = st.lists(st.sampled_from(re.split(r"\n {4}\||\|", TAG_TEXTS))).map("".join)
NEVER = re.compile("(?P<url>)(?!)|")
OPTIONS = [
    finder.FindOptions(relative=True, schemeless=True, emails=True),
    finder.FindOptions(relative=True, look_alikes=True),
    finder.FindOptions(),
]


@pytest.mark.parametrize("options", OPTIONS, ids=["all URLs", "links", "URLs with schemes"])
@given(text=TAGS)
def test_skipping_markup_does_not_change_the_result(options, text):
    def found():
        (document,) = read_documents(text.encode(), kind="html", find_options=options)
        records = list(finder.find_in_document(document, options))
        return [
            (
                document.to_source(one.start, one.end),
                document.to_source(one.outer_start, one.outer_end),
                *(one.url, one.raw, one.style, one.scheme, [fault.name for fault in one.faults]),
                *(document.context(one.start, one.end), document.edits(one.start, one.end, "a&b", one.start)),
            )
            for one in records
        ]

    fast = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_reader, "skip_pattern", lambda *_: NEVER)
        patch.setattr(html_reader, "inert_attributes", lambda: re.compile(""))
        assert found() == fast
