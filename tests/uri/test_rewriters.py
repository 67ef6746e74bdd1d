"""Test how the targets of rewritten links are restored, on hostile and nested links; corpus/urls has the formats."""

import base64
import inspect
import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.test_corpus import score
from urlscan.uri import rewriters
from urlscan.uri.rewriters import MAX_DEPTH, REWRITERS, unwrapped

CASES = [case for path in score.files(("urls",)) if path.stem == "rewritten" for case in score.load(path)]


def test_table_is_sorted_and_names_the_form_and_the_source_of_links() -> None:
    assert [rewriter.name for rewriter in REWRITERS] == sorted(rewriter.name for rewriter in REWRITERS)
    table = inspect.getsource(rewriters).partition("REWRITERS: ")[2]
    assert len(re.findall(r"(?:^    # .+\n){2}    Rewriter\(", table, re.MULTILINE)) == len(REWRITERS)


def test_corpus_has_a_case_of_every_service() -> None:
    restored = {case["url"] for case in CASES if case["url"] != case["target"]}
    for rewriter in REWRITERS:
        alone = {host: [rewriter] for host in rewriter.hosts}
        hosts = [re.match(r"\w+://([^/:?]+)", url) for url in restored]
        names = {match[1].lower() for match in hosts if match is not None}
        assert any(_serves(host, name) for host in alone for name in names), rewriter.name


def _serves(host: str, name: str) -> bool:
    if host.startswith("*."):
        return name.endswith(host[1:])
    return name.startswith(host[:-1]) if host.endswith(".*") else name == host


def _google(url: str) -> str:
    return f"https://www.google.com/url?q={quote(url, safe='')}"


@pytest.mark.parametrize("depth", [1, 2, MAX_DEPTH])
def test_nested_links_are_unwrapped(depth: int) -> None:
    url = "http://h.example/a?b=c%20d#e"
    for _ in range(depth):
        url = _google(url)
    assert unwrapped(url) == "http://h.example/a?b=c%20d#e"


def test_depth_is_limited() -> None:
    url = "http://h.example/"
    for _ in range(4):
        url = _google(url)
    assert unwrapped(url, max_depth=3) == _google("http://h.example/")
    assert unwrapped(url, max_depth=0) == url


def test_too_deep_nesting_ends() -> None:
    url = "http://h.example/"
    for _ in range(MAX_DEPTH + 1):
        url = f"https://slack-redir.net/link?url={url}"
    assert unwrapped(url) == "https://slack-redir.net/link?url=http://h.example/"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://",
        "https://urldefense.com",
        "https://urldefense.com/v3/",
        "https://urldefense.com/v3/__*__;!",
        "https://urldefense.com/v3/__**__;!",
        "https://urldefense.com/v3/__http://h.example/**\u00e9__;Iw!",
        "https://urldefense.com/v3/__http://h.example/*__;\udcff!",
        "https://urldefense.proofpoint.com/v2/url?u=",
        "https://us.protection.sophos.com/?u=\u00fc",
        "https://us.protection.sophos.com/?u=" + base64.b64encode(b"http://h\xff").decode(),
        "https://secure-web.cisco.com/",
        "https://r.search.yahoo.com/RU=",
        "https://x.awstrack.me/L0/",
        "https://www.google.com/url?",
        "https://www.google.com/url?q=%",
        "https://www.google.com/url?q=http:%2F%2F%2F",
        "https://...../url?q=http://h.example/",
        "https://[::1]/url?q=http://h.example/",
        "https://l.facebook.com/l.php?u=data%3Atext%2Fhtml%2Cx",
        "https://l.facebook.com/l.php?u=file%3A%2F%2F%2Fetc%2Fpasswd",
    ],
)
def test_malformed_links_are_unchanged(url: str) -> None:
    assert unwrapped(url) == url


def test_deeply_nested_json_is_unchanged() -> None:
    value = base64.urlsafe_b64encode(b"[" * 40_000).decode()
    url = f"https://mandrillapp.com/track/click/1/h.example?p={value}"
    assert unwrapped(url) == url


def test_json_with_a_number_as_a_url_is_unchanged() -> None:
    value = base64.urlsafe_b64encode(json.dumps({"p": json.dumps({"url": 1})}).encode()).decode()
    url = f"https://mandrillapp.com/track/click/1/h.example?p={value}"
    assert unwrapped(url) == url


def test_very_long_link_is_unchanged() -> None:
    url = "https://www.google.com/url?q=http://h.example/" + "a" * (1 << 16)
    assert unwrapped(url) == url


def test_control_characters_of_a_target_are_escaped() -> None:
    target = unwrapped("https://www.google.com/url?q=http%3A%2F%2Fh.example%2F%1B%5B2J%E2%80%A8%00")
    assert target == "http://h.example/%1B[2J%E2%80%A8%00"


@given(st.sampled_from([case["url"] for case in CASES]), st.data())
def test_damaged_links_raise_nothing(url: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(url)))
    inserted = data.draw(st.text(alphabet=st.characters(), max_size=4))
    result = unwrapped(url[:at] + inserted + url[at + data.draw(st.integers(0, 4)) :])
    assert not re.search(r"[\x00-\x20\x7f]", result) or result.startswith(url[:at])


@given(st.text(max_size=60))
def test_target_is_restored_from_any_path(path: str) -> None:
    url = "http://h.example/" + quote(path, safe="")
    assert unwrapped(_google(url)) == url
    assert unwrapped(f"https://us.protection.sophos.com/?u={base64.b64encode(url.encode()).decode()}") == url


def test_page_lists_every_host() -> None:
    page = (Path(__file__).parents[2] / "docs" / "analysts.md").read_text(encoding="utf-8")
    services = page.split("## Rewritten links")[1].split("\n\n")[2]
    assert {host for rewriter in REWRITERS for host in rewriter.hosts} == set(re.findall("`([^`]+)`", services))
