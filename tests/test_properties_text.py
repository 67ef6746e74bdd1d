"""`scan` finds the URLs that `wrap` writes, and no string makes a public function fail."""

import contextlib
import functools
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import urlscan
from tests import generated
from tests.generated import CASES
from tests.linear_time import assert_linear
from tests.strategies import examples
from urlscan import RefusedError, UrlscanError, scan, wrap
from urlscan.core.settings import PROFILES, REFERENCE_KINDS
from urlscan.uri.schemes import name_of
from urlscan.uri.transform.escapes import COMPONENTS
from urlscan.uri.transform.normal import LEVELS

# --- realistic URLs: `scan` finds each of these, so `wrap` must write it


def _joined(*parts):
    return st.tuples(*(part if isinstance(part, st.SearchStrategy) else st.just(part) for part in parts)).map("".join)


_labels = st.sampled_from(["h", "www", "a-b", "xn--bcher-kva", "x1", "ftp"])
_hosts = _joined(
    st.lists(_labels, min_size=1, max_size=3).map(".".join), st.sampled_from([".example", ".example.org", ".test"])
)
_words = st.sampled_from(
    "a index.html a-b-c long-segment-of-a-path %7Ejo %E4%B8%AD%e6%96%87 x_y ~jo 1994 a+b -".split()
)
_paths = st.lists(_words, max_size=16).map(lambda words: "/" + "/".join(words))
_queries = st.lists(_joined(_words, "=", _words), max_size=8).map(lambda pairs: "?" + "&".join(pairs) if pairs else "")
_fragments = st.sampled_from(["", "", "#top", "#section-2.1"])
plain_urls = st.one_of(
    _joined(
        st.sampled_from(["http://", "https://", "ftp://", "ftp://jo@", "wais://", "HTTP://", "sftp://", "x-new://"]),
        _hosts,
        st.sampled_from(["", ":8080"]),
        _paths,
        _queries,
        _fragments,
    ),
    _joined("gopher://", _hosts, st.sampled_from(["", "/", "/00/a%20b", "/7/find%09word%09+"])),
    _joined("telnet://", st.sampled_from(["", "jo@"]), _hosts, st.sampled_from(["", "/", ":23/"])),
    _joined("file:///", _words),
    _joined("mailto:", st.sampled_from(["jo", "jo.doe", "jo+x"]), "@", _hosts, st.sampled_from(["", "?subject=a%20b"])),
    _joined("news:", st.sampled_from(["comp.lang.misc", "gnu.g++.help"])),
    _joined(st.sampled_from(["news:", "mid:", "cid:"]), "1994-12.a$b@", _hosts),
    _joined("nntp://", _hosts, "/comp.lang.misc/", st.integers(1, 10**6).map(str)),
    _joined("urn:", st.sampled_from(["isbn:0451450523", "ietf:rfc:3986", "uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"])),
    st.sampled_from(["tel:+1-816-555-1212", "sip:jo@h.example", "doi:10.1000/182", "geo:48.2010,16.3695,183"]),
)
widths = st.integers(20, 200)
PREFIXES = ("# ", "> ", " * ", "", "  ", "// ", ";; ", ">> ")


def _urls_in(text):
    return [found.url for found in scan(text)]


def _check_lines(url, text, width):
    lines = text.split("\n")
    assert all(len(line) <= width for line in lines) or len(url) > 90 * (width - 16)
    for line in lines[:-1]:
        assert not line.endswith(("-", "\u2010", "\u00ad"))
        assert not re.search("%[0-9A-Fa-f]?$", line), line


@examples(300)
@given(plain_urls, widths)
def test_wrapped_url_is_found(url, width):
    text = wrap(url, width=width)
    assert text.startswith("<URL:")
    assert text.endswith(">")
    assert _urls_in(text) == [url]
    _check_lines(url, text, width)
    for prefix in PREFIXES:
        assert _urls_in("\n".join(prefix + line for line in text.split("\n"))) == [url], prefix


@examples(150)
@given(plain_urls, widths, st.sampled_from(PREFIXES), st.sampled_from(PREFIXES))
def test_wrapped_url_is_found_in_a_text(url, width, indent, prefix):
    text = f"See\n{wrap(url, width=width, indent=indent)}\nand so on."
    assert all(len(line) <= width for line in text.split("\n"))
    assert _urls_in(text) == [url]
    if not indent.strip():
        assert _urls_in("\n".join(prefix + line for line in text.split("\n"))) == [url]


@pytest.mark.parametrize("width", [20, 72, 200])
@pytest.mark.parametrize(
    "url", ["http://h.example/" + "a" * 20_000, "http://h.example/" + "a-" * 9_000, "http://h.example/" + "%41" * 6_000]
)
def test_very_long_url_is_found(url, width):
    text = wrap(url, width=width)
    assert _urls_in(text) == [url]
    _check_lines(url, text, width)


# URLs that `scan` does not find between "<URL:" and ">", and that `wrap` therefore refuses.
REFUSED = [
    "h.example/a",  # no scheme
    "//h.example/a",
    "http:a",
    "http://h.example/<a>",  # a delimiter
    "http://h.example/a b",  # white space, which is removed when the URL is read
    "http://h.example/a\nb",
    "http://h.example/\u3000b",
    "http://h.example/\u00ad" + "a" * 80,  # a soft hyphen at the end of a line
    "http://{host}/",  # a template, not a URL
    "http://.../x",
    "http://*/",  # a host without letters and digits
    "http:///a",
    "file:/etc/motd",  # schemes without "//" whose URLs have no recognizable shape
    "data:,a",
    "x:a",
    "nntp:comp.lang.misc/1",
    "snews:comp.lang.misc",
    "news:misc",  # a shape that occurs in prose as well
    "news:",
    "mailto:",
    "urn:ex:&",
    "magnet:x",
    "url://h.example/",  # the prefix itself
    "http://h.example/" + "a" * 70_000,  # longer than the limit of the finder
]


@pytest.mark.parametrize("url", REFUSED, ids=lambda url: ascii(url[:30]))
def test_url_that_would_not_be_found_is_refused(url):
    with contextlib.suppress(RefusedError):  # if `scan` finds more in a later version, there is nothing to refuse
        assert _urls_in(wrap(url)) == [url]


_KNOWN_BY_SLASHES = {"http", "https", "ftp", "gopher", "telnet", "wais", "prospero"}


@examples(300)
@given(st.sampled_from(CASES), st.data(), widths)
def test_url_that_is_not_refused_is_found(case, data, width):
    url = data.draw(generated.anything(*case))
    try:
        text = wrap(url, width=width)
    except RefusedError:
        # A URL is never refused if its host contains a letter or digit and nothing in it is a placeholder.
        host = urlscan.parse(url).authority or ""
        assume(name_of(url) in _KNOWN_BY_SLASHES and re.fullmatch(r"[a-z0-9.-]*[a-z0-9]", host.lower()))
        assert re.search(r"[^!-~]|[<>\\]|url:|\$[A-Za-z{]|%[^0-9A-Fa-f]|[{*]|\[", url, re.IGNORECASE), url
        return
    assert _urls_in(text) == [url]
    _check_lines(url, text, width)


# --- hostile input

_hostile = st.one_of(
    generated.likely,
    st.text(max_size=40),
    st.text(st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010), max_size=5),
    st.text("\x00\n\r\t :/?#[]@%<>\"'\\\ud800\udcff\u00ad\u2028\u202eé中\U0010ffff", max_size=20),
    st.builds(
        lambda start, many, end: start + many * (5_000 // len(many)) + end,
        st.sampled_from(["", *"http:// http://h/ mailto: news: urn: tel: sip: geo: data: <".split(), '"']),
        st.sampled_from([*generated.PIECES, "a", "1", "xn--", "xn--a.", "../", ";a=", "1,", "%f0%9f"]),
        st.sampled_from(["", ">", "\x00", "@h", "/"]),
    ),
)


def _calls(one, other, profile, kind, component, level):
    """Yield a call of each public function that accepts untrusted strings."""
    yield lambda: list(scan(one))
    yield lambda: list(scan(one, rejoin="never"))
    yield lambda: urlscan.lint(one)
    yield lambda: urlscan.check(one, profile=profile, kind=kind, select=["ALL"])
    yield lambda: urlscan.is_valid(one, profile=profile, kind=kind)
    yield lambda: repr(urlscan.parse(one, profile=profile))
    yield lambda: urlscan.resolve(one, other, profile=profile, dots="refuse")
    yield lambda: urlscan.resolve_with_problems(one, other, profile=profile, dots="refuse")
    yield lambda: urlscan.resolve(one, other, profile=profile, legacy_scheme=True)
    yield lambda: urlscan.relative(one, other, profile=profile)
    yield lambda: urlscan.normalize(one, level=level, profile=profile)
    yield lambda: urlscan.equivalent(one, other, level=level, profile=profile)
    yield lambda: urlscan.unquote(one, component=component, profile=profile)
    yield lambda: wrap(one)
    yield lambda: wrap(one, width=len(other) + 20, indent=other)
    yield lambda: urlscan.to_unicode(one)
    yield lambda: urlscan.to_iri(one)
    yield lambda: urlscan.to_ascii(one)
    yield lambda: urlscan.to_uri(one)
    yield lambda: urlscan.quote(one, component=component, profile=profile)
    yield lambda: urlscan.quote(one, component=component, profile=profile, raw=True)
    yield lambda: urlscan.unquote_to_bytes(one)
    yield lambda: urlscan.build(path=one, query=one, profile=profile)
    yield lambda: urlscan.build(scheme=one, host=one, userinfo=one, port=one, fragment=one, profile=profile)
    yield lambda: urlscan.build(scheme="x", host=one, userinfo=one, path="/" + one, profile=profile)


@pytest.mark.slow
@examples(250)
@given(
    _hostile,
    _hostile,
    st.sampled_from(PROFILES),
    st.sampled_from(REFERENCE_KINDS),
    st.sampled_from(COMPONENTS),
    st.sampled_from(LEVELS),
)
def test_no_string_raises_an_unexpected_exception(one, other, profile, kind, component, level):
    for call in _calls(one, other, profile, kind, component, level):
        with contextlib.suppress(UrlscanError):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: urlscan.quote("\ud800"),
        lambda: urlscan.unquote_to_bytes("\ud800"),
        lambda: urlscan.build(path="\ud800"),
    ],
    ids=["quote", "unquote_to_bytes", "build"],
)
def test_lone_surrogate_raises_no_unexpected_exception(call):
    with contextlib.suppress(UrlscanError):
        call()


# Repeated to 200,000 characters, these could make a pattern backtrack or a loop quadratic.
_MANY = [
    *"a / : @ - . ../ /. a. %41 % %%41 ? # [ :: 1. ;a= & = \\ < xn-- $ {a { * ( , %2e%2e/ // http:// a@b,".split(),
    *" \n\u00e9\u00ad",
]


_STARTS = ["", "http://h/", "http://", "mailto:", "urn:a-b:"]


def _assert_each_linear(calls, start, many):
    def run(call, size):
        with contextlib.suppress(UrlscanError):
            call(start + many * (size // len(many)) + "|")

    for call in calls:
        assert_linear(functools.partial(run, call), 200_000, within=2)


@pytest.mark.slow
@pytest.mark.parametrize("many", _MANY, ids=ascii)
def test_transformations_take_linear_time(many):
    calls = (
        urlscan.is_valid,
        urlscan.normalize,
        lambda text: urlscan.resolve("http://h/a/b", text),
        lambda text: urlscan.resolve(text, "../../g"),
        lambda text: urlscan.relative("http://h/a/b", text),
        wrap,
    )
    for start in _STARTS:
        _assert_each_linear(calls, start, many)


@pytest.mark.slow
@pytest.mark.parametrize("many", _MANY, ids=ascii)
def test_check_takes_linear_time(many):
    # Creating a hundred thousand problems takes some seconds, so that one start is enough.
    for start in ["http://h/"] if many in ("{a", "%%41", "%2e%2e/") else _STARTS:
        _assert_each_linear((urlscan.parse, lambda text: urlscan.check(text, select=["ALL"])), start, many)
