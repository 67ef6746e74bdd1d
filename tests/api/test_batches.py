"""Read sources batch by batch."""

from pathlib import Path

import pytest

from urlscan import FindOptions
from urlscan.api import batches
from urlscan.api.batches import Batch, Contents, Reader, Source

ROOT = Path(__file__).parents[2]
MAIL = b"From jo@h.example Thu Aug 22 12:26:25 2002\nMessage-ID: <%d@h.example>\n\nSee http://h.example/%d.\n\n"
# Searched without and with look-alikes, the ends and the number of these differ.
LOOK_ALIKES = [
    "http://http://h.example/a", "http:/h.example", "http:// h.example/a", "http//h.example", "ttp://www.h.example/a",
    "http:///h.example/a", "http://h.example/ahttp://h.example/b", "<URL:h.example>", "http:\n//h.example/a",
]  # fmt: skip


def contents_of(reader: Reader, data: bytes, name: str = "a.txt", **options: int) -> list[Contents]:
    (source,) = reader.sources(Source(name, content=data))
    assert isinstance(source, Source)
    return [contents for step in reader.batches(source, list, **options) for contents in step.result]  # type: ignore[arg-type]


def test_messages_and_urls_of_a_mailbox() -> None:
    data = b"".join(MAIL % (number, number) for number in range(2))
    reader = Reader()
    (source,) = reader.sources(Source("a.mbox", content=data))
    assert isinstance(source, Source)

    def work(batch: Batch) -> list[object]:
        messages = [message.message_id for message in batch.messages()]
        return [*messages, *(found.message_start for contents in batch for found in contents.occurrences)]

    (step,) = reader.batches(source, work)
    assert step.result == ["0@h.example", "1@h.example", 0, len(MAIL % (0, 0))]
    assert step.position == (1, len(data), 0)


def test_nothing_is_searched_that_is_not_requested() -> None:
    text = b"See <http://h.example/a|b>."
    (found,) = contents_of(Reader(judges=False), text)
    assert (len(found.occurrences), found.findings) == (1, [])
    (found,) = contents_of(Reader(find_options=None), text)
    assert (found.occurrences, len(found.findings)) == ([], 1)


@pytest.mark.parametrize("text", LOOK_ALIKES)
@pytest.mark.parametrize("around", ["{}", "See http://h.example/c and {}, (http://h.example/d)\n"])
def test_occurrences_do_not_depend_on_the_linter(text: str, around: str) -> None:
    data = around.format(text).encode()
    assert_independent(data, "a.txt")
    assert_independent(f"<p>{data.decode()}</p>".encode(), "a.html")


@pytest.mark.parametrize("path", sorted((ROOT / "corpus" / "rules").iterdir()), ids=lambda path: path.name)
def test_occurrences_of_the_corpus_do_not_depend_on_the_linter(path: Path) -> None:
    assert_independent(path.read_bytes(), path.name)


def assert_independent(data: bytes, name: str) -> None:
    (both,) = contents_of(Reader(), data, name)
    (occurrences,) = contents_of(Reader(judges=False), data, name)
    (findings,) = contents_of(Reader(find_options=None), data, name)
    assert both == Contents(occurrences.occurrences, findings.findings)


@pytest.mark.parametrize("options", [FindOptions(continuations=True), FindOptions(continuations=True, relative=True)])
def test_one_search_is_enough_without_look_alikes(options: FindOptions, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    find = batches.find_in_document
    monkeypatch.setattr(batches, "find_in_document", lambda *arguments: searches.append(1) or find(*arguments))
    contents_of(Reader(options), b'<a href="../a">http://h.example/</a> mailto:jo@h.example', "a.html")
    assert len(searches) == 1


def test_rows_do_not_depend_on_the_division_of_a_text() -> None:
    data = b"See http://h.example/a\n\n" * 200_000
    reader = Reader(judges=False)
    expected = [found.start for contents in contents_of(reader, data) for found in contents.occurrences]
    assert [found.start for contents in contents_of(reader, data, jobs=2) for found in contents.occurrences] == expected
