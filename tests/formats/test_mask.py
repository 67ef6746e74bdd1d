"""Test where the secrets of documents are."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import examples
from urlscan import lint, render
from urlscan.core.document import Document
from urlscan.core.secrets import secret_spans
from urlscan.core.settings import Settings
from urlscan.formats.base import RenderOptions, renderer
from urlscan.formats.mask import secrets_in
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions

SECRETS = [
    "ftp://jo:s3cret@ftp.mills.zz/", "https://h.example/?token=0123456789abcdef", "<//jo:s3\ncret@h.example/x>",
    "http://h.example/?u=ftp%3A%2F%2Fjo%3As3cret%40ftp.mills.zz", f"http://h.example/?password={'s' * 9000}",
    "ftp://jo:pw\n> rest@ftp.mills.zz/", "http://h.example/%zz", "word " * 50, "\n\n",
]  # fmt: skip


@examples(200)
@given(st.lists(st.sampled_from(SECRETS), min_size=2, max_size=12), st.integers(0, 9))
def test_what_is_shown_is_masked_as_in_the_whole_text(paragraphs: list[str], number: int) -> None:
    text = "\n\n".join(paragraphs)
    start = len("\n\n".join(paragraphs[: number % len(paragraphs)]))
    end = start + len(paragraphs[number % len(paragraphs)]) + 2
    around = secrets_in(Document(text), [(start, end)])
    assert {span for span in around if start <= span[0] and span[1] <= end} == {
        span for span in secret_spans(text) if start <= span[0] and span[1] <= end
    }


def test_only_the_text_around_what_is_shown_is_searched() -> None:
    text = "ftp://jo:s3cret@ftp.mills.zz/\n\n" * 10_000
    spans = secrets_in(Document(text), [(len(text) // 2, len(text) // 2 + 1000)])
    assert 250 < len(spans) < 350
    assert {text[start:end] for start, end in spans} == {"s3cret"}


def test_copies_of_a_document_are_masked_by_their_own_findings(tmp_path: Path) -> None:
    words = "some words of a long text\n\n" * 4000
    text = f"?access_token=0123456789abcdef http://g.mills.zz/%zz\n\n{words}?access_token=fedcba9876543210 http://g.mills.zz/%zz\n"
    (tmp_path / "a.txt").write_text(text)
    results = check.check([str(tmp_path / "a.txt")], Settings(), ReadOptions())
    (document,) = (result for result in results if isinstance(result, Document))
    copies = [document.with_findings([finding]) for finding in document.findings]
    report = "".join(renderer("full")(copies, RenderOptions()))
    assert report.count("http://g.mills.zz/%zz") == 2
    assert report.count("***") == 2


def test_the_end_of_a_long_token_is_masked() -> None:
    text = f"GET /a?access_token=eyJ{'Ab0' * 3000} http://g.mills.zz/%zz\n"
    report = "".join(render(lint(text), "full"))
    assert "http://g.mills.zz/%zz" in report
    assert "Ab0" not in report


def test_secret_over_line_breaks_is_masked_in_reports_of_the_library() -> None:
    secret = "QQQQQQQQ"
    text = f"<URL:http://g.mills.zz/?access_token={secret}\n  {secret}\n  {secret}&x=^> http://h.example/%zz"
    for format in ("full", "html"):
        assert secret not in "".join(render(lint(text), format))


def test_missing_delimiter_is_not_masked_as_a_part_of_the_secret_after_it() -> None:
    text = "[a](https:www.mills.zz/?api_key=QyvT7rWk2LmP9xZa4Bd)"
    report = "".join(render(lint(text, kind="markdown"), "concise"))
    assert '"https:" must be "https://"' in report
    assert "QyvT7" not in report
