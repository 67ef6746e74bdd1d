"""Test links of markup: those that a pattern accepts as a whole are read as all others are."""

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from urlscan.core.document import Document
from urlscan.core.offsets import Spans
from urlscan.finder import FindOptions, find_in_document, scan

PIECES = (
    "a b / // . .. # ? = & + - _ www. WWW. x xxxxxxxx XXXX- http ftp :// : ; , @ { } %20 % ~ < > index.html host:"
    " \u00e9 ( ) [ ] $ ! ' * \\ ` h.example mailto"
).split(" ")


@examples(600)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join))
def test_common_links_are_read_as_all_others(link):
    text = f"<{link}> {link}"
    spans = Spans(len(text))
    spans.append(1, 1 + len(link))
    document = Document(text, kind="markdown")
    document.links, document.prose = spans, "\x1a" * len(text)
    (found,) = find_in_document(document, FindOptions(relative=True))
    assert found == scan._read_link(text, 1, 1 + len(link))
