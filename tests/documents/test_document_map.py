"""Test the map of a document that is read as far as it is needed."""

from collections.abc import Iterator

import pytest

from tests.documents.test_contexts import DOCUMENTS
from urlscan.documents import map_factory
from urlscan.documents.document_map import LazyDocumentMap
from urlscan.documents.segments import Region


def test_regions_after_a_finding_are_not_read() -> None:
    def regions() -> Iterator[Region]:
        yield Region("markup", 0, 1)
        yield Region("comment", 1, 5, encode=(str.upper,))
        raise AssertionError("read too far")

    document_map = LazyDocumentMap("<abcd>", regions())
    assert document_map.context(2, 5) == "comment"
    assert document_map.encode(2, 4, 2, "x") == "X"


@pytest.mark.parametrize("kind", sorted(DOCUMENTS))
def test_answers_do_not_depend_on_what_was_read_before(kind: str) -> None:
    text = DOCUMENTS[kind]
    whole = map_factory(text, kind)()
    whole.context(len(text), len(text))  # reads everything
    for start in range(len(text)):
        for end in (start, start + 1, min(start + 20, len(text))):
            lazy = map_factory(text, kind)()
            assert lazy.context(start, end) == whole.context(start, end)
            lazy = map_factory(text, kind)()
            assert lazy.encode(start, end, start, "a&b") == whole.encode(start, end, start, "a&b")
