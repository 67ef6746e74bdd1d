"""Test how a string is split into components."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import urlscan
from urlscan.uri.url import COMPONENTS, Url, split

# RFC 3986 appendix B (and RFC 2396), unchanged; with DOTALL every string matches.
APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)
ANY = st.text(max_size=30) | st.text("a1:/?#[]@%.\n", max_size=20)


@given(ANY)
@example("\n")
@example("a:b\n#c\n")
def test_split_equals_appendix_b_for_any_string(text):
    match = APPENDIX_B.match(text)
    assert match is not None
    url = split(text)
    assert (url.scheme, url.authority, url.path, url.query, url.fragment) == match.group(2, 4, 5, 7, 9)


@given(ANY)
def test_joined_components_equal_the_string(text):
    url = split(text)
    authority = ""
    if url.authority is not None:
        assert url.host is not None
        userinfo = "" if url.userinfo is None else url.userinfo + "@"
        port = "" if url.port is None else ":" + url.port
        assert userinfo + url.host + port == url.authority
        authority = "//" + url.authority
    scheme = "" if url.scheme is None else url.scheme + ":"
    query = "" if url.query is None else "?" + url.query
    fragment = "" if url.fragment is None else "#" + url.fragment
    assert scheme + authority + url.path + query + fragment == text


@given(ANY)
def test_spans_match_the_components_in_order(text):
    url = split(text)
    last = 0
    for component in COMPONENTS:
        span = url.span(component)
        value = getattr(url, component)
        assert (span is None) == (value is None)
        if span is not None:
            assert text[slice(*span)] == value
            assert span[0] >= last
            last = span[1]
    authority = url.span("authority")
    assert authority is None or text[slice(*authority)] == url.authority


@pytest.mark.parametrize(
    ("text", "userinfo", "host", "port"),
    [
        ("http://h", None, "h", None),
        ("http://h:", None, "h", ""),
        ("http://@h", "", "h", None),
        ("http://u:p@h:80", "u:p", "h", "80"),
        ("http://u@v@h", "u@v", "h", None),
        ("http://a:b:80", None, "a:b", "80"),
        ("http://[::1]", None, "[::1]", None),
        ("http://[::1]:80", None, "[::1]", "80"),
        ("http://[::1", None, "[::1", None),
        ("http://u:[@h:1", "u:[", "h", "1"),
        ("http://", None, "", None),
    ],
)
def test_authority_is_split_at_the_last_at_sign_and_colon(text, userinfo, host, port):
    url = split(text)
    assert (url.userinfo, url.host, url.port) == (userinfo, host, port)


def test_missing_components_equal_none_and_empty_ones_the_empty_string():
    assert split("a:") == Url("a:", "a", None, None, None, None, "", None, None)
    assert split("//?#") == Url("//?#", None, "", None, "", None, "", "", "")


def test_repr_masks_the_password():
    assert repr(split("ftp://jo:s3cret@h/")) == "urlscan.parse('ftp://jo:***@h/')"


@pytest.mark.parametrize("profile", ["rfc3986", "rfc1738"])
def test_repr_can_be_pasted(profile):
    url = urlscan.parse("http://h/~jo?a=%27", profile=profile)
    assert eval(repr(url), {"urlscan": urlscan}) == url
