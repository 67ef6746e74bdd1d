"""Test that the secrets of a row are found without reading the whole text."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from urlscan.masking import nearby
from urlscan.masking.nearby import secrets_near
from urlscan.masking.track import text_secrets
from urlscan.secrets import MASK, merge_spans

LENGTHS = st.sampled_from([0, 1, 7, 60, 250, 300, 700, 1100, 3000, 9000])
# Parts of texts: secrets, what hides them, what breaks them, and what is around them.
PARTS = [
    "ftp://jo:", "@ftp.mills.zz/", "@h", "//u:p", ":", "@", "http:/jo:", "sip:jo:pw@h", "<http://jo:pw", '"', "'", ">",
    "https://h.example/?token=", "?password=", "&api_key=", "#access_token=", "user[pass]=", "=", "&", ";", "?",
    "/ghp_", "=xoxb-1-", "://0123456789abcdef01234@h", ":x-oauth-basic@", "/eyJabcdefghijk.eyJabcdefghijk.",
    "%3A%2F%2Fjo%3A", "%40h.example", "%253Fpassword%253D", "%3Ftoken%3D", "%40", "%3A", "%23", "%2A", "%7C", "%25",
    "\n", "\r\n", " ", "\n> ", "\n > > ", "\t# ", "\n * ", " | ", "\u2028", "\x1c", "\n" * 9, " " * 50, "> " * 30,
    "http://h:8080/", "mailto:", "http://", "word", "a", "é", "[::1]:80", "localhost", ".example", "8080/",
]  # fmt: skip
part = st.sampled_from(PARTS) | st.builds(
    lambda text, n: text * n, st.sampled_from(["a", "x1", "%41", "a b "]), LENGTHS
)
texts = st.lists(part, max_size=25).map("".join)


def hidden(text: str, spans: list[tuple[int, int]], low: int, high: int) -> set[int]:
    """Return the offsets in a row that spans cover."""
    return {at for start, end in spans for at in range(max(start, low), min(end, high))}


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(texts, st.data())
@example("ftp://jo:" + "s" * 9000 + "@ftp.mills.zz/", None)
@example("http://h.example/?password=" + "s" * 9000, None)
@example(f"ftp://jo:pw\n> > > {'m' * 80}\n> > > {'r' * 80}\n> > > {'s' * 80}@ftp.mills.zz/", None)
@example("ftp://jo:pw\n%23 %23 %23 %23 %23 %23 %23 %23 %23 %23 %23 %23 %23 %23 %23 rest%40ftp.mills.zz/%3A", None)
def test_every_secret_of_a_row_is_found(text: str, data: st.DataObject | None) -> None:
    whole = text_secrets(text)
    for _ in range(4):
        if data is None:
            rows = [(at, min(at + 40, len(text))) for at in range(0, len(text), 37)]
        else:
            low = data.draw(st.integers(0, len(text)))
            rows = [(low, min(low + data.draw(st.sampled_from([0, 1, 20, 200, 700])), len(text)))]
        for is_first in (False, True):
            for low, high in rows:
                if is_first:  # nothing is known from the row before
                    nearby._nearby.cache_clear()
                found = merge_spans(sorted(secrets_near(text, low, high)))
                assert hidden(text, whole, low, high) <= hidden(text, found, low, high)


@pytest.mark.parametrize("length", [10, 1000, 5000, 100_000])
@pytest.mark.parametrize("around", ["", "x" * 3000 + "\n", "word " * 3000])
def test_a_secret_longer_than_the_window_is_masked(length: int, around: str) -> None:
    from urlscan.core.lines import LineIndex
    from urlscan.formats.excerpt import excerpt

    for before, after in (
        ("ftp://jo:", "@ftp.mills.zz/"),
        ("http://h.example/?password=", " "),
        ("http://h/ghp_", " "),
    ):
        secret = "5" * length if "ghp" not in before else "5" * max(length, 20)
        text = f"{around}{before}{secret}{after}{around}"
        start = text.index(secret)
        lines = LineIndex(text)
        for at in (start, start + len(secret) // 2, start + len(secret) - 1, start + len(secret)):
            line, column = lines.position(at)
            (row, *_) = excerpt(text, lines, (line, column), (line, column + 1), [])
            assert MASK in row.shown
            assert "55" not in row.shown


def test_only_the_text_around_a_row_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    find = nearby.secret_spans
    monkeypatch.setattr(nearby, "secret_spans", lambda text, cut: read.append(len(text)) or find(text, cut=cut))
    text = "Words of a line, and http://h.example/?a=b in it.\n" * 40_000
    for at in range(0, len(text), 100_000):
        assert secrets_near(text, at, at + 50) == []
    assert len(read) == len(range(0, len(text), 100_000))
    assert max(read) < 2000
    # Rows next to each other are read together.
    read.clear()
    for at in range(0, 100_000, 50):
        secrets_near(text, at, at + 50)
    assert len(read) < 30
    assert sum(read) < 2 * 100_000


@pytest.mark.parametrize("text", ["http://h.example/^%3D" * 5000, ("http://h/%3D" * 1500 + " %3D^" * 1000) * 4])
def test_long_words_are_read_a_few_times_only(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(nearby, "secret_spans", lambda text, cut: read.append(len(text)) or [])
    for at in range(0, len(text) - 300, 300):
        secrets_near(text, at, at + 600)
    assert sum(read) < 6 * len(text)
