"""The linter and the tables share one search; its matches are those of two searches."""

from pathlib import Path

import pytest

from tests.archive.tables import batches
from urlscan.archive import scan
from urlscan.core.chunk import Chunk
from urlscan.core.find_options import FindOptions
from urlscan.core.records import Occurrence
from urlscan.core.segment import Segment
from urlscan.core.settings import Settings
from urlscan.finder import UrlMatch, find_in_chunk, to_occurrence
from urlscan.linter.locate import find_options_for
from urlscan.pipeline.read import ReadOptions, Source, named, segments_of, sources

CORPUS = Path(__file__).parents[2] / "corpus"
WANTED = FindOptions(continuations=True)
# Texts in which a search for look-alikes finds other URLs than one without.
LOOK_ALIKES = [
    "See http:/www.h.example/a, http://h.example/.",
    "See http:www.h.example/a and http://h.example/b",
    "See http//www.h.example/a,http://h.example/b",
    "See http:///www.h.example/a",
    "See http://http://www.h.example/a",
    "See htpp://www.h.example/a",
    "See http://h.examplehttp://www.h.example/a",
    "<URL:www.h.example/a> <URL:gopher//h.example> <URL:x-y:z>",
    "<http:/h.example/a> <http://h.example/b>",
    "See http: //www.h.example/a",
    "<URL:http://_/>",
]


def records(matches: list[UrlMatch]) -> list[Occurrence]:
    return [to_occurrence(match) for match in matches]


def segments(path: Path) -> list[Segment]:
    options = ReadOptions()
    found = sources(named([str(path)], options), options)
    return [one for source in found if isinstance(source, Source) for one in segments_of(source, options)]


def assert_like_two_searches(segment: Segment, wanted: FindOptions) -> None:
    judged = find_options_for(segment.kind, Settings())
    found = scan._find(Chunk(segment), wanted, judged)
    assert found.judged is not None
    assert records(found.matches) == records(list(find_in_chunk(Chunk(segment), wanted)))
    assert records(found.judged) == records(list(find_in_chunk(Chunk(segment), judged)))


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_look_alikes_are_judged_and_not_listed(text: str) -> None:
    chunk = Chunk(Segment(text))
    with_them = list(find_in_chunk(chunk, FindOptions(look_alikes=True)))
    assert chunk.look_alikes.matter
    assert records(with_them) != records(list(find_in_chunk(Chunk(Segment(text)), FindOptions())))
    assert_like_two_searches(Segment(text), WANTED)


@pytest.mark.parametrize("folder", ["demo", "documents", "find", "rejoin", "rules"])
def test_shared_search_finds_what_two_searches_find(folder: str) -> None:
    for segment in segments(CORPUS / folder):
        assert_like_two_searches(segment, WANTED)
        assert_like_two_searches(segment, FindOptions(relative=True, continuations=True))


@pytest.mark.parametrize(
    ("text", "options", "searches"),
    [
        ("See http://h.example/a and <http://h.example/%zz>.", WANTED, 1),
        ("See http://h.example/a and http:/www.h.example/b.", WANTED, 2),
        ("See http://h.example/a and h.example/b.", FindOptions(continuations=True, schemeless=True), 2),
        ("See hxxp://h[.]example/a.", FindOptions(continuations=True, defanged=True), 2),
        ("See http://h.example/a.", FindOptions(), 2),
    ],
)
def test_text_is_searched_once_if_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, options: FindOptions, searches: int
) -> None:
    count = 0

    def counted(chunk: Chunk, options: FindOptions) -> object:
        nonlocal count
        count += 1
        return find_in_chunk(chunk, options)

    path = tmp_path / "a.txt"
    path.write_text(text)
    monkeypatch.setattr(scan, "find_in_chunk", counted)
    assert len(list(batches(path, scan.ScanOptions(find_options=options)))) == 1
    assert count == searches
