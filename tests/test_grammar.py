"""The generic syntax by profile and kind, and what is no URL yet."""

import ipaddress
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.grammar.generic import GRAMMARS, full_match, ordinary
from urlscan.grammar.hosts import HOST_1738, IP_LITERAL, IPV4_ADDRESS, IPV6_ADDRESS
from urlscan.grammar.placeholders import placeholder_spans
from urlscan.settings import PROFILES, REFERENCE_KINDS


def accepts(text: str, kind: str = "uri-reference", profile: str = "rfc3986") -> bool:
    return full_match(profile, kind).fullmatch(text) is not None


def test_every_profile_of_the_settings_has_a_grammar_for_every_kind():
    assert set(GRAMMARS) == set(PROFILES)
    for profile in PROFILES:
        assert set(GRAMMARS[profile]()) == set(REFERENCE_KINDS)


# RFC 3986 section 1.1.2, its examples.
RFC3986_EXAMPLES = [
    "ftp://ftp.is.co.za/rfc/rfc1808.txt",
    "http://www.ietf.org/rfc/rfc2396.txt",
    "ldap://[2001:db8::7]/c=GB?objectClass?one",
    "mailto:John.Doe@example.com",
    "news:comp.infosystems.www.servers.unix",
    "tel:+1-816-555-1212",
    "telnet://192.0.2.16:80/",
    "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
]


@pytest.mark.parametrize("uri", RFC3986_EXAMPLES)
@pytest.mark.parametrize("kind", REFERENCE_KINDS)
def test_the_examples_of_rfc3986_are_of_every_kind(uri, kind):
    assert accepts(uri, kind)


@pytest.mark.parametrize(
    "reference", ["", "#f", "?q", "//h", "///p", "/", "./a:b", "a/b:c", "a", "..", "a@b", "a?b:c/d?", "%41/b:c"]
)
def test_relative_references_are_references_and_no_uris(reference):
    assert accepts(reference)
    assert not accepts(reference, "uri")
    assert not accepts(reference, "absolute-uri")


def test_a_fragment_makes_an_absolute_uri_a_plain_uri():
    assert accepts("http://h/#f", "uri")
    assert not accepts("http://h/#f", "absolute-uri")


@pytest.mark.parametrize(
    "uri", ["a:", "a:/", "a://", "a:///", "a:b:c", "a:?", "a:#", "a://@:", "a://h:", "a:b//c", "A+-.1:x"]
)
def test_parts_may_be_empty_in_rfc3986(uri):
    assert accepts(uri, "uri")


@pytest.mark.parametrize(
    "text",
    [
        ":",
        ":a",
        "1a:b",
        "a_b:c",
        "http://h:8o/",
        "http://a:b:80/",
        "http://a@b@c/",
        "http://[::1",
        "http://[::1]x/",
        "http://[1.2.3.4]/",
        "http://h/[x]",
        "http://h/?[x]",
        "http://h/#a#b",
        "http://h/%",
        "http://h/%4",
        "http://h/%4g",
        "http://h/a b",
        "http://h/ü",
        "http://h/a\n",
        "http://h/\x00",
        "http://[fe80::1%25en1]/",
    ],
)
def test_rfc3986_rejects(text):
    assert not any(accepts(text, kind) for kind in REFERENCE_KINDS)


@pytest.mark.parametrize("character", '<>"{}|\\^`')
@pytest.mark.parametrize("profile", PROFILES)
def test_unsafe_characters_are_legal_nowhere(character, profile):
    for text in ("http://h/a%sb", "http://h/?a%sb", "http://a%sb/", "http://a%sb@h/"):
        assert accepts(text % "x", profile=profile) or "?" in text
        assert not accepts(text % character, profile=profile)


# --- RFC 1738


@pytest.mark.parametrize(
    "url",
    [
        "http://h.example/a/b?c=d&e",
        "HTTP://h.example",
        "ftp://@host.com/",
        "ftp://host.com/%2Fetc/motd;type=a",
        "ftp://foo:@host.com/",
        "ftp://us?er;a&b=c:pa?ss@host.com:21/x",
        "telnet://1.2.3.4:23/",
        "file:///etc/motd",
        "mailto:jo@h.example",
        "news:*",
        "a+b.c-1:$-_.+!*'(),;/?:@&=%41",
        "1x:y",
        "gopher://h.example/11/x%09y",
    ],
)
def test_rfc1738_accepts(url):
    assert all(accepts(url, kind, "rfc1738") for kind in REFERENCE_KINDS)


@pytest.mark.parametrize(
    "url",
    [
        "http://h.example/~jo",
        "http://h.example/#f",
        "http://h.example/?a[b]",
        "http://h.example?q",
        "http://[::1]/",
        "http://h_.example/",
        "http://h-/",
        "http://h.example./",
        "http://1.2.3/",
        "http://h.1x/",
        "http://h:/",
        "http:///x",
        "ftp://a:b:c@h/",
        "/relative",
        "",
        "h.example",
        "http://h.example/%4",
    ],
)
def test_rfc1738_rejects(url):
    assert not any(accepts(url, kind, "rfc1738") for kind in REFERENCE_KINDS)


# --- hosts


@given(
    st.ip_addresses(v=6).map(str)
    | st.from_regex(r"\A[0-9a-f:.]{2,20}\Z")
    | st.from_regex(r"\A([0-9a-f]{0,4}:){2,8}[0-9a-f]{0,5}\Z")
)
def test_ipv6_addresses_are_those_of_the_standard_library(text):
    try:
        ipaddress.IPv6Address(text)
        right = True
    except ValueError:
        right = False
    assert (re.fullmatch(IPV6_ADDRESS, text) is not None) == right


@pytest.mark.parametrize(
    ("address", "right"),
    [("0.0.0.0", True), ("255.255.255.255", True), ("256.1.1.1", False), ("1.2.3", False), ("01.2.3.4", False)],
)
def test_ipv4_addresses_count_to_255_without_leading_zeros(address, right):
    assert (re.fullmatch(IPV4_ADDRESS, address) is not None) == right


@pytest.mark.parametrize(
    ("literal", "right"), [("[v1.x:y]", True), ("[VF.a]", True), ("[v.a]", False), ("[v1.]", False), ("[]", False)]
)
def test_ipvfuture_has_a_version_and_something(literal, right):
    assert (re.fullmatch(IP_LITERAL, literal) is not None) == right


@pytest.mark.parametrize(
    ("host", "right"),
    [
        ("a", True),
        ("a-b.c--d", True),
        ("1a.b", True),
        ("1.2.3.4", True),
        ("999.1.1.1", True),
        ("a.1", False),
        ("a..b", False),
        ("-a", False),
        ("a-", False),
        ("1.2.3.4.a", True),
    ],
)
def test_hostnames_of_rfc1738_end_in_a_toplabel_or_are_four_numbers(host, right):
    assert (re.fullmatch(HOST_1738, host) is not None) == right


# --- what holds for all of them


@given(st.sampled_from(PROFILES), st.text("htps:/.@%41?#[]-a", max_size=20).map("http://h".__add__))
def test_ordinary_is_a_part_of_the_grammar(profile, url):
    if ordinary(profile).fullmatch(url):
        assert accepts(url, "uri", profile)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("start", ["", "http://", "http://h/", "http://h/?", "http://h/#", "//", "a"])
@pytest.mark.parametrize(
    "many", ["a", "/", ":", "@", "-", ".", "a-", "a.", "%41", "%", "?", "#", "1.", "[", "::", "a@", "a:"]
)
def test_matching_is_linear(profile, start, many):
    text = start + many * (200_000 // len(many)) + "\x00"
    before = time.perf_counter()
    for kind in REFERENCE_KINDS:
        full_match(profile, kind).fullmatch(text)
    ordinary(profile).fullmatch(text)
    assert time.perf_counter() - before < 1


# --- placeholders: «...» marks what is one


@pytest.mark.parametrize(
    "marked",
    [
        "http://h/«{id}»?a=«%s»",
        "pep-«%04d»/",
        "/«%d»x«%d».png",
        "?price=«%5.2f»",
        "?qt=«%%q%%»&cn=",
        "/proxyip/«%{REMOTE_HOST}»/vhost/«$1»",
        "https://«${hostname}»[:«${port}»]/",
        "http://«<host>»:«<port>»/«<path>»?«<search part>»",
        "http://«[user@]»machine/path",
        "http://h«[:port]»/",
        "/«{ShortName}»#«{SubName}»",
        "dns-query«{?dns}»",
        "/Go«{{.Version}}»+x",
        "/«%(name)s»/x",
        "/«[documentpath]»",
        "ftp.«***».com",
        "http://jo@«host:port»/",
        "/«$HOME»/x",
    ],
)
def test_placeholders_are_found_where_they_stand(marked):
    inner = re.split("[«»]", marked)
    text = "".join(inner)
    assert [text[start:end] for start, end in placeholder_spans(text)] == inner[1::2]


@pytest.mark.parametrize(
    "text",
    [
        "http://h/a%20dog",  # an escape and a letter
        "http://h/x%3Dy",
        "http://h/%5d",
        "gopher://h/7%09dog",  # a tab and a search
        "http://h/EMP?name%%3Ddobbins",  # RFC 1630's slip
        "http://h/100%",
        "http://[fe80::a%en1]/",
        "http://h/#%_sec_6.2",
        "http://h/?filter[x][0]=1",
        "http://h/[ST_rn=ps]/x",
        "http://[2001:db8::1]/",
        "http://[v1.x]/",
        "news:antqgu$qq3$1@h.example",
        "http://h/x.nsf/$FILE/y",
        "http://h/odata?$top=5",
        "http://h/{6D5140C1-7436-11CE-8034-00AA006009FA}",
        "http://h/<br>",
        "http://h/a<b",
        "http://h/**",
    ],
)
def test_data_is_no_placeholder(text):
    assert placeholder_spans(text) == []


def test_formats_count_only_where_they_are_asked_for():
    assert placeholder_spans("http://h/%s/{id}", formats=False) == [(12, 16)]


@pytest.mark.parametrize("many", ["{", "{a", "<a ", "[a", "%", "%%a", "$", "${", "*", "host", "%(", "{{"])
def test_looking_for_placeholders_is_linear(many):
    text = many * (200_000 // len(many))
    before = time.perf_counter()
    placeholder_spans(text)
    assert time.perf_counter() - before < 2
