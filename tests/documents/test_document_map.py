"""Test the map of a document that is read as far as it is needed."""

import pickle
from collections.abc import Iterator

import pytest

from tests.documents.test_contexts import DOCUMENTS
from urlscan.documents.regions import DocumentMap, Region


def test_regions_after_a_finding_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def regions(*_: str) -> Iterator[Region]:
        yield Region("markup", 0, 1)
        yield Region("comment", 1, 5, encode=(str.upper,))
        raise AssertionError("read too far")

    monkeypatch.setattr("urlscan.documents.regions.reader_of", lambda *_: regions)
    document_map = DocumentMap("<abcd>", "html")
    assert document_map.context(2, 5) == "comment"
    assert document_map.encode(2, 4, 2, "x") == "X"


def test_map_that_was_read_can_be_pickled() -> None:
    document_map = DocumentMap("<!-- http://h.example -->", "html")
    assert document_map.context(5, 6) == "comment"
    assert pickle.loads(pickle.dumps(document_map)).context(5, 6) == "comment"


@pytest.mark.parametrize("kind", sorted(DOCUMENTS))
def test_answers_do_not_depend_on_what_was_read_before(kind: str) -> None:
    text = DOCUMENTS[kind]
    whole = DocumentMap(text, kind)
    whole.context(len(text), len(text))  # reads everything
    for start in range(len(text)):
        for end in (start, start + 1, min(start + 20, len(text))):
            assert DocumentMap(text, kind).context(start, end) == whole.context(start, end)
            assert DocumentMap(text, kind).encode(start, end, start, "a&b") == whole.encode(start, end, start, "a&b")
