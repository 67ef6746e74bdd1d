"""Test the public functions for URLs, in addition to the cases in corpus/urls and to the property tests."""

import sys

import pytest

import urlscan
from urlscan import ConfigError, RefusedError

# --- parse


def test_parse_removes_and_reports_delimiters():
    url = urlscan.parse(" <URL:http://h.example/\n  a> ")
    assert (url.text, url.delimiters, url.ignored) == ("http://h.example/a", "<URL:>", 5)
    assert urlscan.parse('"http://h.example/"').delimiters == '""'
    assert urlscan.parse("URL:http://h.example/").delimiters == "URL:"
    nested = urlscan.parse('"< URL:http://h.example/ >"')
    assert (nested.text, nested.delimiters, nested.ignored) == ("http://h.example/", '"<URL:>"', 2)
    assert urlscan.parse("url:url:x:y").text == "x:y"
    assert (urlscan.parse("url:a", profile="rfc1630").text, urlscan.parse("url:a").text) == ("a", "url:a")
    assert urlscan.parse("url:http://h.example/", profile="rfc1630").scheme == "http"
    assert (urlscan.parse("http://h.example/").delimiters, urlscan.parse("http://h.example/").ignored) == ("", 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ftp://h/", (None, None)),
        ("ftp://@h/", ("", None)),
        ("ftp://foo@h/", ("foo", None)),
        ("ftp://foo:@h/", ("foo", "")),
        ("ftp://:x@h/", ("", "x")),
        ("ftp://foo:x:y@h/", ("foo", "x:y")),
    ],
)
def test_missing_and_empty_credentials_are_distinguished(text, expected):
    url = urlscan.parse(text)
    assert (url.user, url.password) == expected
    assert url.unparse() == text


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("h.example", "reg-name"),
        ("", "reg-name"),
        ("192.0.2.7", "ipv4"),
        ("192.0.2.256", "reg-name"),
        ("[2001:db8::1]", "ipv6"),
        ("[v1.x]", "ipvfuture"),
        ("[fe80::1%25e]", "invalid"),
    ],
)
def test_host_kind(host, kind):
    assert urlscan.parse(f"http://{host}/").host_kind == kind


def test_spans_match_the_components_of_a_parsed_url():
    url = urlscan.parse("ftp://jo:pw@h.example:21/a?b#c")
    assert list(url.spans) == ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]
    for name, (start, end) in url.spans.items():
        assert url.text[start:end] == getattr(url, name)
    assert url.text[slice(*url.span("user"))] == "jo"
    assert url.text[slice(*url.span("password"))] == "pw"
    assert list(urlscan.parse("a?").spans) == ["path", "query"]


def test_repr_of_records_masks_passwords():
    for text in ("telnet://jo:s3cret@h.example/", "sip:jo:s3cret@h.example"):
        url = urlscan.parse(text)
        assert "s3cret" not in repr(url) + repr(url.detail)
        assert url.detail.password == "s3cret"


# --- resolve


def test_refused_reference_is_reported():
    problems = []
    with pytest.raises(RefusedError):
        urlscan.resolve("http://a/b", "../../g", dots="refuse", problems=problems)
    assert [(p.code, p.component) for p in problems] == [("U209", "reference")]
    assert urlscan.resolve("http://a/b", "g", dots="refuse") == "http://a/g"


def test_resolve_returns_its_problems():
    problems = []
    assert urlscan.resolve("//a/b", "g", problems=problems) == "//a/g"
    assert [(p.code, p.component, p.syntax) for p in problems] == [("U401", "base", True)]
    problems = []
    assert urlscan.resolve("http://a/b", "http:g", problems=problems) == "http:g"
    assert [(p.code, p.component) for p in problems] == [("U407", "reference")]
    assert urlscan.resolve("http://a/b", "http:g", legacy_scheme=True) == "http://a/g"
    assert urlscan.resolve("mailto:a@h", "mailto:b@h", profile="rfc2396", legacy_scheme=True) == "mailto:b@h"


@pytest.mark.parametrize(
    "call",
    [
        lambda: urlscan.parse("a", profile="rfc9999"),
        lambda: urlscan.resolve("a", "b", dots="drop"),
        lambda: urlscan.normalize("a", level="all"),
        lambda: urlscan.quote("a", component="port"),
        lambda: urlscan.is_valid("a", kind="url"),
        lambda: urlscan.wrap("http://h/", width=8),
        lambda: urlscan.wrap("http://h/", width=20, indent=" " * 12),
    ],
)
def test_unknown_argument_is_an_error_with_a_hint(call):
    with pytest.raises(ConfigError) as caught:
        call()
    assert caught.value.hint


# --- build


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ({"scheme": "http", "host": "h.example"}, "http://h.example"),
        ({"scheme": "http", "host": "2001:db8::1", "port": 80, "path": "/"}, "http://[2001:db8::1]:80/"),
        ({"scheme": "ftp", "userinfo": "jo@x", "host": "h.example", "path": "/a"}, "ftp://jo%40x@h.example/a"),
        ({"scheme": "http", "host": "h.example", "query": "", "fragment": ""}, "http://h.example?#"),
        ({"path": "a b", "query": "c#d"}, "a%20b?c%23d"),
        ({"scheme": "mailto", "path": "jo@h.example"}, "mailto:jo@h.example"),
        ({"scheme": "http", "host": "h.example", "path": "/a%2Fb%zz"}, "http://h.example/a%2Fb%25zz"),
        ({"scheme": "http", "host": "bücher.example", "path": "/ü"}, "http://xn--bcher-kva.example/%C3%BC"),
        ({"scheme": "http", "host": "bücher.example", "path": "/ü", "profile": "rfc3987"}, "http://bücher.example/ü"),
    ],
)
def test_build_joins_components(parts, url):
    assert urlscan.build(**parts) == url


@pytest.mark.parametrize(
    "parts",
    [
        {"scheme": "1http", "host": "h"},
        {"scheme": "ht tp", "host": "h"},
        {"scheme": "http", "host": "h", "path": "a"},
        {"scheme": "http", "host": "h", "port": "80a"},
        {"scheme": "http", "host": "h", "port": -1},
        {"scheme": "http", "host": "a/b"},
        {"scheme": "http", "host": "a@b"},
        {"scheme": "http", "host": "[::1"},
        {"scheme": "http", "host": "a:b"},
        {"scheme": "http", "host": ""},
        {"scheme": "http", "path": "/a"},
        {"scheme": "http", "port": 80},
        {"path": "a:b"},
        {"path": "//a"},
        {"scheme": "mailto", "path": "//a"},
        {"scheme": "mailto", "path": "jo"},
        {"scheme": "news", "path": "a b@@c"},
        {"scheme": "http", "host": "a" * 70 + "é.example"},
    ],
)
def test_build_refuses_impossible_components(parts):
    with pytest.raises(RefusedError):
        urlscan.build(**parts)


def test_refusal_masks_passwords():
    with pytest.raises(RefusedError) as caught:
        urlscan.build(scheme="nntp", userinfo="jo:s3cret", host="h.example", path="/")
    assert "s3cret" not in str(caught.value)


# --- wrap


def test_wrap_refuses_urls_that_would_not_be_found():
    for url in ("a/b", "http://h.example/a b", "http://h.example/<b>", "http://{host}/", "xy"):
        with pytest.raises(RefusedError):
            urlscan.wrap(url)


@pytest.mark.parametrize("url", ["http://h.example/a.", "http://h.example/a,", "wais://h.example/a=;"])
def test_url_that_ends_with_punctuation_is_wrapped(url):
    assert urlscan.wrap(url) == f"<URL:{url}>"


# --- internationalized hosts


def test_host_is_converted_in_both_directions():
    assert urlscan.to_ascii("Bücher.example") == "xn--bcher-kva.example"
    assert urlscan.to_unicode("xn--bcher-kva.example") == "bücher.example"
    assert urlscan.to_unicode("xn--a.example") == "xn--a.example"
    assert urlscan.to_ascii("h.example") == urlscan.to_unicode("h.example") == "h.example"


def test_iri_is_converted_in_both_directions():
    iri = "http://bücher.example/süß?q=ü#é"
    uri = "http://xn--bcher-kva.example/s%C3%BC%C3%9F?q=%C3%BC#%C3%A9"
    assert urlscan.to_uri(iri) == uri
    assert urlscan.to_iri(uri) == iri
    # RFC 3987 section 3.2: octets that are not UTF-8, reserved characters and bidi controls remain escaped.
    assert urlscan.to_iri("http://h/%FF%2F%E2%80%AE") == "http://h/%FF%2F%E2%80%AE"


def test_missing_idna_is_an_error_with_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "idna", None)
    with pytest.raises(ConfigError) as caught:
        urlscan.to_ascii("bücher.example")
    assert "urlscan-lint[idn]" in caught.value.hint
    assert urlscan.to_ascii("h.example") == "h.example"
