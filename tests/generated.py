"""Hypothesis strategies for URLs, generated from the grammars by profile and kind, valid and with one error."""

import functools
import re
from typing import NamedTuple

from hypothesis import strategies as st

from tests.grammars import Grammar
from urlscan.core.settings import PROFILES, REFERENCE_KINDS
from urlscan.uri.grammar.generic import grammar_of
from urlscan.uri.schemes import REGISTRY, name_of


class Start(NamedTuple):
    """A production to start with.

    Attributes:
        files: of `bnf/`; later files override earlier ones.
        production: its name.
    """

    files: tuple[str, ...]
    production: str


# By the profile of the deciding grammar and the kind, in terms of URIs.
GENERIC = {
    ("rfc3986", "absolute-uri"): Start(("rfc3986",), "absolute-URI"),
    ("rfc3986", "uri"): Start(("rfc3986",), "URI"),
    ("rfc3986", "uri-reference"): Start(("rfc3986",), "URI-reference"),
    ("rfc3987", "absolute-uri"): Start(("rfc3986", "rfc3987"), "absolute-IRI"),
    ("rfc3987", "uri"): Start(("rfc3986", "rfc3987"), "IRI"),
    ("rfc3987", "uri-reference"): Start(("rfc3986", "rfc3987"), "IRI-reference"),
    ("rfc2396", "absolute-uri"): Start(("rfc2396",), "absoluteURI"),
    # Section 4: "URI" does not include the fragment.
    ("rfc2396", "uri"): Start(("rfc2396",), "absoluteURI"),
    ("rfc2396", "uri-reference"): Start(("rfc2396",), "URI-reference"),
    ("rfc1630", "absolute-uri"): Start(("rfc1630-generic",), "uri"),
    ("rfc1630", "uri"): Start(("rfc1630-generic",), "fragmentaddress"),
    ("rfc1630", "uri-reference"): Start(("rfc1630-generic",), "reference"),
    # A URL of RFC 1738 is absolute and has no fragment (section 2.2, appendix), whatever the kind.
    **{("rfc1738", kind): Start(("rfc1738",), "otherurl") for kind in ("absolute-uri", "uri", "uri-reference")},
}
_OLD_1738 = "http ftp file gopher mailto news nntp telnet wais prospero".split()
_OLD_1630 = "http ftp file gopher mailto news nntp telnet wais mid cid".split()
# URLs by the grammar of their scheme, fragments included.
CURRENT = {
    "mailto": Start(("rfc3986", "rfc6068"), "mailtoURI"),
    "news": Start(("rfc3986", "rfc5538"), "newsURL"),
    "nntp": Start(("rfc3986", "rfc5538"), "nntpURL"),
    "file": Start(("rfc3986", "rfc8089"), "file-URI"),
    "urn": Start(("rfc3986", "rfc8141"), "namestring"),
    "mid": Start(("rfc3986", "rfc2392"), "mid-url"),
    "cid": Start(("rfc3986", "rfc2392"), "cid-url"),
    "http": Start(("rfc3986", "today"), "http-URI"),
    "ftp": Start(("rfc3986", "today"), "ftp-URL"),
    "gopher": Start(("rfc3986", "today"), "gopher-URL"),
    "telnet": Start(("rfc3986", "today"), "telnet-URL"),
    "wais": Start(("rfc3986", "today"), "wais-URL"),
    "prospero": Start(("rfc3986", "today"), "prospero-URL"),
}
SCHEMES = {
    "rfc3986": CURRENT,
    "rfc3987": CURRENT,
    "rfc2396": {},
    "rfc1738": {name: Start(("rfc1738",), f"{name}url") for name in _OLD_1738},
    "rfc1630": {
        **{name: Start(("rfc1630-schemes",), f"{name}address") for name in _OLD_1630},
        "prospero": Start(("rfc1630-schemes",), "prosperolink"),
        "": Start(("rfc1630-schemes",), "prefixedurl"),
    },
}
CASES = [(profile, kind) for profile in PROFILES for kind in REFERENCE_KINDS]

# Parts of URLs, and characters that end up in URLs by accident.
PIECES = [
    *"abhZ019-._~!$&'()*+,;=:@/?#[]%", "%41", "%2F", "%00", "%e4", "//", "/../", "/./", "..", ";type=a", "@h", ":80",
    "h.example", "[::1]", "http:", "ftp://", "mailto:", "news:", "file:", "urn:x-a:", "url:", "x:", "?q=", "#f",
    *'<>"{}|\\^` ', "\t", "\n", "\x00", "\x7f", "ü", "中", "\ue000", "\ufdd0", "\ud800", "%2", "%g1", "%%",
]  # fmt: skip
likely = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


# Schemes, and authorities that no grammar generates: empty and repeated ports, stray brackets, escaped delimiters,
# IDNs.
_SCHEMES = [
    *"http: HTTP: ftp: file: x: mailto: news: nntp: urn: tel: gopher: telnet: ws: mid: sip: url: URL:".split(),
    "",
]
_ODD = [
    *": :: :80 :21 :080 :443 :0x50 :port @ jo@ jo:pw@ %40 [ ] [::1] [::FFFF:1.2.3.4] [v1.A] [fe80::1%25en0]".split(),
    *"h H.Example localhost 127.0.0.1 %2F %2e %41 %7E %3a %C3%BC %e2%80%8e %ff % %4 %%341".split(),
    *"ü Ü 中 XN--A %75%72%6c:".split(),
    *"/ // . .. /./ /../ /.// ? ?a=%7e # #a ; , < > \" '".split(), " ", "\n", "",
]  # fmt: skip
_parts = st.sampled_from(_ODD)
odd = st.builds(
    lambda scheme, slashes, authority, rest: "".join([scheme, slashes, *authority, *rest]),
    st.sampled_from(_SCHEMES),
    st.sampled_from(["//", "//", "/", ""]),
    st.lists(_parts, max_size=4),
    st.lists(_parts, max_size=3).map(lambda parts: ["/", *parts] if parts else parts),
)


@functools.cache
def grammar(files: tuple[str, ...]) -> Grammar:
    """Return the grammar of some files; each is read once."""
    return Grammar(*files)


@functools.cache
def of(start: Start) -> st.SearchStrategy[str]:
    """Return a strategy of the strings of a production."""
    return grammar(start.files).strings(start.production)


@functools.cache
def generic(profile: str, kind: str) -> st.SearchStrategy[str]:
    """Return a strategy of URLs by the generic syntax, for schemes without a grammar of their own."""
    decides, kind = grammar_of(profile, kind)
    # "url:" is a prefix in RFC 1630, and removed by `unwrap` in every profile.
    return of(GENERIC[decides, kind]).filter(
        lambda url: name_of(url, decides) not in REGISTRY and not url.lower().startswith("url:")
    )


@functools.cache
def of_schemes(profile: str, kind: str) -> st.SearchStrategy[str]:
    """Return a strategy of URLs by the grammars of the schemes, or by the generic syntax if the profile has none."""
    starts = SCHEMES[grammar_of(profile, kind)[0]].values()
    if not starts:
        return generic(profile, kind)
    found = st.one_of(*(of(start) for start in starts))
    return found.map(lambda url: url.partition("#")[0]) if kind == "absolute-uri" else found


@functools.cache
def urls(profile: str, kind: str) -> st.SearchStrategy[str]:
    """Return a strategy of URLs that `profile` allows for `kind`."""
    return generic(profile, kind) | of_schemes(profile, kind)


@st.composite
def changed(draw: st.DrawFn, strategy: st.SearchStrategy[str]) -> str:
    """Return a strategy of URLs in which something is inserted, deleted or replaced."""
    url = draw(strategy)
    at = draw(st.integers(0, len(url)))
    deleted = draw(st.integers(0, 2))
    return url[:at] + draw(st.sampled_from(["", *PIECES])) + url[at + deleted :]


@functools.cache
def anything(profile: str, kind: str) -> st.SearchStrategy[str]:
    """Return a strategy of valid and invalid URLs, and of strings of their characters."""
    return changed(urls(profile, kind)) | urls(profile, kind) | likely


@st.composite
def beside(draw: st.DrawFn, base: str) -> str:
    """Return a strategy of URLs with a prefix of `base`."""
    slashes = [at + 1 for at, character in enumerate(base) if character in "/?#:"]
    start = draw(st.sampled_from([0, *slashes, len(base)]))
    documents = st.lists(st.sampled_from(["", "a", "b:c", ";p", "@", "%2E", "...", "x.y"]), max_size=4).map("/".join)
    return base[:start] + draw(documents) + draw(st.sampled_from(["", "", "?", "?q", "#", "#f", "?q#f"]))


# Characters that no component of a URL allows, by the profile of the deciding grammar.
_ILLEGAL = '<>{}|\\^`\x00\x01\x1f\x7f\x80'  # fmt: skip
NOWHERE = {
    "rfc3986": _ILLEGAL + ' "é中\ue000\ud800',
    "rfc3987": _ILLEGAL + ' "\ufdd0\ud800\uffff',
    "rfc2396": _ILLEGAL + ' "[]é中\ud800',
    "rfc1738": _ILLEGAL + ' "[]~é中\ud800',
    # RFC 1630 allows the quotation mark in "extra".
    "rfc1630": _ILLEGAL + " []~é中\ud800",
}


def is_plain(url: str) -> bool:
    """Return whether `url` has no delimiters or white space around it to be removed (RFC 2396 appendix E)."""
    if url[:1] in " \t\r\n" or url[-1:] in " \t\r\n" or url[:4].lower() == "url:":
        return False
    return re.fullmatch("<.*>|\".*\"|'.*'", url, re.DOTALL) is None
