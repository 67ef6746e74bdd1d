"""Test the public functions for URLs, in addition to the cases in corpus/urls and to the property tests."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    url = urlscan.parse("http://h.example/ghp_0123456789abcdefghij?password=S3cretPw99&a=b")
    assert repr(url.detail) == "HttpSelector(segments=('***',), searchpart='password=***&a=b')"
    assert url.detail.searchpart == "password=S3cretPw99&a=b"
    url = urlscan.parse("http://h.example/a:b@c/ghp?pass=a")
    assert repr(url.detail) == "HttpSelector(segments=('a:b@c', 'ghp'), searchpart='pass=a')"
    with pytest.raises(urlscan.RefusedError, match=r'\A"jo:\*\*\*@h" is not a host'):
        urlscan.build(scheme="http", host="jo:S3cretPw99@h")


# --- resolve


def resolved(base, reference, **options):
    result = urlscan.resolve_with_problems(base, reference, **options)
    return result.target, [(p.code, p.component, p.syntax) for p in result.problems]


def test_refused_reference_is_reported():
    with pytest.raises(RefusedError):
        urlscan.resolve("http://a/b", "../../g", dots="refuse")
    target, problems = resolved("http://a/b", "../../g", dots="refuse")
    assert target is None
    assert problems == [("U209", "reference", False)]
    assert urlscan.resolve("http://a/b", "g", dots="refuse") == "http://a/g"


def test_resolve_with_problems_returns_its_problems():
    assert resolved("//a/b", "g") == ("//a/g", [("U401", "base", True)])
    assert resolved("http://a/b", "http:g") == ("http:g", [("U407", "reference", False)])
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
    assert "[idn]" in caught.value.hint
    assert urlscan.to_ascii("h.example") == "h.example"


# --- Url


def test_url_is_a_string_when_it_is_printed():
    text = "http://jo:pw@h.example/a"
    assert str(urlscan.parse(text)) == f"{urlscan.parse(text)}" == text


@pytest.mark.parametrize(
    ("text", "parts", "expected"),
    [
        ("http://h.example/a", {"host": "www.h.example"}, "http://www.h.example/a"),
        ("http://h.example/a", {"host": "::1", "port": 8080}, "http://[::1]:8080/a"),
        ("http://jo@h.example:80/", {"userinfo": None, "port": None}, "http://h.example/"),
        ("http://h.example/a|b?c|d", {"fragment": "e f"}, "http://h.example/a|b?c|d#e%20f"),
        ("http://h.example", {"path": "/a b%20c"}, "http://h.example/a%20b%20c"),
        ("http://h.example/?a", {"query": None}, "http://h.example/"),
        ("http://h.example/", {"query": "a=1&b=ü"}, "http://h.example/?a=1&b=%C3%BC"),
        ("http://h.example/", {"query": [("a", "1&2"), ("a", "50%"), ("b", "+ ")]},
         "http://h.example/?a=1%262&a=50%25&b=%2B%20"),
        ("http://h.example/", {"query": {}}, "http://h.example/?"),
        ("mailto:jo@h.example", {"path": "al@h.example"}, "mailto:al@h.example"),
        ("http://h.example/a", {"scheme": "https"}, "https://h.example/a"),
        ("//h.example/a", {"host": None}, "/a"),
    ],
)  # fmt: skip
def test_replace_changes_only_the_named_components(text, parts, expected):
    url = urlscan.parse(text, profile="rfc3987").replace(**parts)
    assert str(urlscan.parse(text).replace(**parts)) == expected
    assert url.profile == "rfc3987"
    assert url == urlscan.parse(url.text, profile="rfc3987")


@pytest.mark.parametrize(
    "parts",
    [{"host": "a/b"}, {"port": "x"}, {"path": "a"}, {"scheme": "1"}, {"host": None}, {"host": "h:1"}],
)
def test_replace_refuses_components_that_no_url_can_have(parts):
    with pytest.raises(RefusedError):
        urlscan.parse("http://h.example:80/a").replace(**parts)


def test_replace_names_the_components_when_one_is_misspelled():
    with pytest.raises(TypeError, match=r"hots.*scheme, userinfo, host"):
        urlscan.parse("http://h.example/").replace(hots="a")


QUERIES = ["a=1&b=c d", {"a": "1&2", "b": "50%"}, [("a", "+ "), ("a", "ü")], [["a", "1"]], {}, "", None,
    urlscan.QueryParams([("a", "1"), ("a", "2")])]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_build_takes_the_queries_that_replace_takes(query):
    built = urlscan.build(scheme="http", host="h.example", path="/", query=query)
    assert built == str(urlscan.parse("http://h.example/").replace(query=query))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"query": 5}, "a query must be a mapping or pairs of strings, not int"),
        ({"query": b"a"}, "the names and values of a query must be pairs of strings"),
        ({"query": {"a": 1}}, "the names and values of a query must be pairs of strings"),
        ({"query": [("a", "b", "c")]}, "the names and values of a query must be pairs of strings"),
        ({"host": b"h.example"}, "the host of a URL must be a str, not bytes"),
        ({"path": 1}, "the path of a URL must be a str, not int"),
        ({"port": 80.0}, "the port of a URL must be an int or a str, not float"),
        ({"scheme": 1}, "the scheme of a URL must be a str, not int"),
        ({"fragment": 1}, "the fragment of a URL must be a str, not int"),
        ({"userinfo": ("a", "b")}, "the userinfo of a URL must be a str, not tuple"),
    ],
)
def test_part_of_another_type_is_explained(parts, message):
    with pytest.raises(TypeError, match=message):
        urlscan.build(**{"scheme": "http", "host": "h.example", **parts})
    with pytest.raises(TypeError, match=message):
        urlscan.parse("http://h.example/").replace(**parts)


def test_none_removes_a_path():
    assert str(urlscan.parse("http://h.example/a?b").replace(path=None)) == "http://h.example?b"


def test_parameters_are_made_of_pairs_or_a_mapping():
    params = urlscan.QueryParams([("a", "1"), ("a", "2")])
    assert urlscan.QueryParams(params) == params
    assert urlscan.QueryParams({"a": "1"}).multi_items() == [("a", "1")]
    with pytest.raises(TypeError, match="not str"):
        urlscan.QueryParams("a=1")


@given(st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9))))
def test_parameters_survive_a_round_trip(pairs):
    url = urlscan.parse("http://h.example/").replace(query=pairs)
    assert url.params.multi_items() == [pair for pair in pairs if pair != ("", "")] or ("", "") in pairs
    assert url.replace(query=url.params).params == url.params


def test_parameters_are_a_mapping_with_several_values():
    params = urlscan.parse("http://h.example/?a=1&b=x+y&a=%32&c&&=z").params
    assert dict(params) == {"a": "1", "b": "x y", "c": "", "": "z"}
    assert params.get_list("a") == ["1", "2"]
    assert len(params) == len(list(params)) == 4
    assert "d" not in params
    with pytest.raises(KeyError):
        params["d"]
    assert urlscan.parse("mailto:jo@h.example").params == urlscan.QueryParams()


def test_representation_of_parameters_masks_secrets():
    params = urlscan.parse("http://h.example/?access_token=abcdefgh12345678&a=b").params
    assert repr(params) == "QueryParams([('access_token', '***'), ('a', 'b')])"
    assert params["access_token"] == "abcdefgh12345678"


def test_details_are_narrowed_by_their_class():
    from urlscan import details

    assert isinstance(urlscan.parse("ftp://h.example/a").detail, details.FtpPath)
    assert isinstance(urlscan.parse("mailto:jo@h.example").detail, details.Detail)
    assert urlscan.parse("unknown:a").detail is None
