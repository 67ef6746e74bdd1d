"""`urlscan parse`, `urlscan resolve` and `urlscan normalize` reveal no secrets, however broken the URL is."""

import pytest

from tests.cli.test_urls import by_command, record
from tests.command import urlscan
from tests.formats.test_secrets import run_here
from urlscan.formats.mask_urls import mask_urls, secrets_of


@pytest.mark.parametrize(
    "url",
    [
        "ftp://jo:KKKK@h.example/a", "telnet://jo:KKKK@h.example", "sip:jo:KKKK@h.example", "sips:jo:KK@KK@h.example",
        "<URL:sip:jo:KKKK@h.example>", "ftp://jo:KKKK@/", "http://h.example/?api_key=KKKKKKKKKK&a=b",
        "rlogin://jo:KKKK@h.example", "foo://jo:8080@h.example".replace("8080", "KKKK"), "ftp:/jo:KKKK@h.example/",
        "sip:jo@h.example:KKKK@h.example", "SIP:jo:KK%4B%4bK@h.example", "ssh://jo;x=y:KKKK@h.example/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("format", ["text", "json"])
@by_command
def test_secret_is_masked_unless_show_secrets_is_given(command: list[str], format: str, url: str) -> None:
    done = urlscan(*command, "--format", format, url)
    assert "***" in done.text
    assert "KK" not in done.text + done.err
    assert "%4" not in done.text + done.err
    assert format == "text" or '"redacted": true' in done.text
    done = urlscan(*command, "--format", format, "--show-secrets", url)
    assert "KK" in done.text
    assert "redacted" not in done.text


def test_spans_refer_to_the_unmasked_url() -> None:
    found = record("parse", "ftp://jo:KKKKKKKK@h.example/a")
    assert found["password"] == {"text": "***", "start": 9, "end": 17}
    assert found["host"] == {"text": "h.example", "start": 18, "end": 27}
    assert found["url"] == "ftp://jo:***@h.example/a"
    assert found["redacted"] is True


def test_carets_after_a_masked_secret_are_aligned() -> None:
    lines = urlscan("parse", "ftp://jo:KKKKKKKK@h.example/%zz").lines
    at = next(number for number, line in enumerate(lines) if line.endswith("^^^"))
    assert lines[at].index("^") == lines[at - 1].index("%zz")


def test_part_with_a_secret_is_masked_in_all_components() -> None:
    found = record("parse", "ftp://jo:KK/KKKK@h.example/a")
    assert found["url"] == "ftp://jo:***@h.example/a"
    assert found["port"] == {"text": "***", "start": 9, "end": 11}
    assert found["detail"] == {"cwd": ["***@h.example"], "name": "a", "typecode": None}


@pytest.mark.parametrize(
    ("base", "reference"),
    [
        ("ftp://jo:KKKK/KKKK@h.example/a", "/x"),
        ("ftp://jo:KKKK/KKKK@h.example/a", "../../x"),
        ("http://", "./jo:KKKK@h.example"),
        ("ftp://h.example/", "//jo:KKKK?KKKK@h.example/a"),
    ],
)
def test_resolving_and_normalizing_reveal_no_secret(base: str, reference: str) -> None:
    for format in ("text", "json"):
        done = urlscan("resolve", "--format", format, base, reference)
        assert "K" not in done.text.replace("KKKK", "" if "./jo" in reference and format == "json" else "KKKK")
    assert "K" not in urlscan("normalize", "ftp://jo:KKKK/KKKK@h.example/../..", "ftp://jo:KKKK/%2e%2e/KK@h/../..").text


@pytest.mark.parametrize(
    "url", ["ftp://jo:@h.example/", "http://h.example:8080/a@b", "sip:jo@h.example:5060", "mailto:a:b@h"]
)
def test_url_without_a_secret_is_not_masked(url: str) -> None:
    assert secrets_of(url) == []
    assert mask_urls(url) is None
    assert "***" not in urlscan("parse", url).text


STARTS = ["http://", "ftp://", "telnet://", "sip:", "sips:", "ssh://", "//", "foo://", "URL:sip:", "gopher://"]
TAILS = ["", "/", "/a/../..", "/^", "/%zz", "?q=%zz", "#a#b", ";type=q", "/../../..", "/a b", ":x", "/%09x"]


def test_masking_changes_only_the_secret() -> None:
    for url in (f"{start}jane:KKKKKKKK@h.example:2323{tail}" for start in STARTS for tail in TAILS):
        for command in (["normalize"], ["resolve", url]):
            shown = run_here(*command, "--", url.replace("KKKKKKKK", "P" * 8)).split("\n")[-2:]
            real = run_here(*command, "--show-secrets", "--", url).split("\n")[-2:]
            assert [line.replace("KKKKKKKK", "***") for line in real] == shown
