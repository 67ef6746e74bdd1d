"""Test the generic syntax by profile and kind, and placeholders."""

import ipaddress
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.linear_time import assert_linear
from urlscan.core.secrets import url_may_hold_secret
from urlscan.core.settings import PROFILES, REFERENCE_KINDS, Settings
from urlscan.linter.judge import default_rule_set, enabled_entries, judge_url
from urlscan.rules import load
from urlscan.uri.grammar.generic import GRAMMARS, HOST_1738, IP_LITERAL, IPV4_ADDRESS, IPV6_ADDRESS, full_match
from urlscan.uri.grammar.simple import is_simple
from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.schemes import REGISTRY, pattern
from urlscan.uri.schemes import accepts as accepts_with_scheme

URI_KINDS = ("absolute-uri", "uri", "uri-reference")
IRI_KINDS = ("iri", "iri-reference")


def accepts(text: str, kind: str = "uri-reference", profile: str = "rfc3986") -> bool:
    return full_match(profile, kind).fullmatch(text) is not None


def test_every_profile_has_a_grammar_for_every_kind():
    assert set(GRAMMARS) == set(PROFILES)
    assert set(REFERENCE_KINDS) == {*URI_KINDS, *IRI_KINDS}
    for profile in PROFILES:
        assert set(GRAMMARS[profile]()) == set(URI_KINDS)
        for kind in REFERENCE_KINDS:
            assert accepts("x-a:/b", kind, profile)


# Examples of RFC 3986 section 1.1.2.
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
def test_examples_of_rfc3986_match_every_kind(uri, kind):
    assert accepts(uri, kind)


@pytest.mark.parametrize(
    "reference", ["", "#f", "?q", "//h", "///p", "/", "./a:b", "a/b:c", "a", "..", "a@b", "a?b:c/d?", "%41/b:c"]
)
def test_relative_references_are_not_uris(reference):
    assert accepts(reference)
    assert not accepts(reference, "uri")
    assert not accepts(reference, "absolute-uri")


def test_absolute_uri_has_no_fragment():
    assert accepts("http://h/#f", "uri")
    assert not accepts("http://h/#f", "absolute-uri")


@pytest.mark.parametrize(
    "uri", ["a:", "a:/", "a://", "a:///", "a:b:c", "a:?", "a:#", "a://@:", "a://h:", "a:b//c", "A+-.1:x"]
)
def test_components_may_be_empty_in_rfc3986(uri):
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
    assert not any(accepts(text, kind) for kind in URI_KINDS)
    assert not any(accepts(text, kind) for kind in IRI_KINDS) or not text.isascii()


# RFC 1630 lists the quotation mark as "extra".
@pytest.mark.parametrize(
    ("profile", "character"), [(p, c) for p in PROFILES for c in '<>"{}|\\^`' if (p, c) != ("rfc1630", '"')]
)
def test_unsafe_characters_are_illegal_in_every_component(character, profile):
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
        "mailto:jo@h.example",
        "news:*",
        "a+b.c-1:$-_.+!*'(),;/?:@&=%41",
        "1x:y",
        "gopher://h.example/11/x%09y",
    ],
)
def test_rfc1738_accepts(url):
    assert all(accepts(url, kind, "rfc1738") for kind in REFERENCE_KINDS)


def test_only_file_urls_may_have_an_empty_host_in_rfc1738():
    assert not accepts("x-file:///etc/motd", profile="rfc1738")
    assert not accepts("file:///etc/motd", profile="rfc1738")  # the generic syntax does not distinguish schemes
    assert accepts_with_scheme("file:///etc/motd", "rfc1738", "uri")


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


# --- RFC 2396


# Base and examples of appendix C.1.
@pytest.mark.parametrize(
    "reference", ["http://a/b/c/d;p?q", "g:h", "g;x=1/./y", "//g", "?y", "g?y#s", ";x", "#s", "../.."]
)
def test_examples_of_rfc2396_are_references(reference):
    assert accepts(reference, "uri-reference", "rfc2396")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://h/~jo", True),
        ("http:g", True),
        ("mailto:jo@h.example?a=b", True),
        ("a:?", True),
        ("x://", True),
        ("x://a:b:c@d@e/", True),  # a reg_name
        ("a:", False),
        ("http://[::1]/", False),
        ("http://h/a[b]", False),
        ("http://h/a#b", False),  # section 4: "URI" does not include the fragment
    ],
)
def test_uri_of_rfc2396_is_absolute_and_has_no_fragment(text, expected):
    assert [accepts(text, kind, "rfc2396") for kind in ("absolute-uri", "uri", "iri")] == [expected] * 3


# --- RFC 1630


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://h.example/a/b?c+d", True),
        ("URL:http://h.example/", True),
        ("magic://a/b/c//d/e/f", True),  # section "Partial (relative) form"
        ('x:"a"', True),
        ("x://jo:pw@h.example:80/a", True),
        ("a$b:c", True),
        ("x:/~jo", False),
        ("x:/a;b", False),
        ("x:/?", False),
        ("x://h:/", False),
        ("x:/[a]", False),
        ("/a/b", False),
    ],
)
def test_uri_of_rfc1630_has_a_path_and_a_search(text, expected):
    assert accepts(text, "absolute-uri", "rfc1630") == expected
    assert accepts(text + "#", "uri", "rfc1630") == expected


def test_partial_form_of_rfc1630_has_no_colon_before_slashes():
    assert all(accepts(text, "uri-reference", "rfc1630") for text in ("/a", "../a", "//h/a", "", "?a", "#a"))
    assert not accepts("1:b", "uri-reference", "rfc1630")


# --- RFC 3987


@pytest.mark.parametrize("iri", ["http://ü.example/ü?ü#ü", "x:ü", "x://ü@h/", "http://h/?\ue000"])
def test_iri_is_accepted_by_profile_or_kind(iri):
    assert accepts(iri, "uri", "rfc3987")
    assert accepts(iri, "iri", "rfc3986")
    assert not accepts(iri, "uri", "rfc3986")
    assert not any(accepts(iri, "iri", profile) for profile in ("rfc2396", "rfc1738", "rfc1630"))


@pytest.mark.parametrize("text", ["ü:x", "http://h/\ue000", "http://h/#\ue000", "http://h/\ufdd0", "http://h/\ud800"])
def test_private_characters_are_allowed_only_in_queries(text):
    assert not accepts(text, "iri-reference", "rfc3987")


# --- hosts


@given(
    st.ip_addresses(v=6).map(str)
    | st.from_regex(r"\A[0-9a-f:.]{2,20}\Z")
    | st.from_regex(r"\A([0-9a-f]{0,4}:){2,8}[0-9a-f]{0,5}\Z")
)
def test_ipv6_addresses_equal_those_of_the_standard_library(text):
    try:
        ipaddress.IPv6Address(text)
        expected = True
    except ValueError:
        expected = False
    assert (re.fullmatch(IPV6_ADDRESS, text) is not None) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [("0.0.0.0", True), ("255.255.255.255", True), ("256.1.1.1", False), ("1.2.3", False), ("01.2.3.4", False)],
)
def test_ipv4_addresses_have_four_numbers_up_to_255(address, expected):
    assert (re.fullmatch(IPV4_ADDRESS, address) is not None) == expected


@pytest.mark.parametrize(
    ("literal", "expected"), [("[v1.x:y]", True), ("[VF.a]", True), ("[v.a]", False), ("[v1.]", False), ("[]", False)]
)
def test_ipvfuture_has_a_version_and_an_address(literal, expected):
    assert (re.fullmatch(IP_LITERAL, literal) is not None) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
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
def test_hostnames_of_rfc1738_end_with_a_toplabel_or_are_four_numbers(host, expected):
    assert (re.fullmatch(HOST_1738, host) is not None) == expected


# --- all grammars


@given(st.sampled_from(PROFILES), st.text("htps:/.@%41?#[]-a", max_size=20).map("http://h".__add__))
def test_simple_urls_match_the_grammar(profile, url):
    # The pattern is for references only: whether a fragment is allowed depends on the kind.
    if is_simple(url, profile) and not url_may_hold_secret(url):
        assert accepts_with_scheme(url, profile, "uri-reference")


_REFERENCES = st.text("abht:/.@?#%2E5e1-_~=&;+é|", max_size=12) | st.lists(
    st.sampled_from(
        "http: https: // / . .. ./ ../ a b.md c@d :80 :8080 :443 ? # %2e %25 %20 ; = ~ www.h.example localhost"
        " 192.0.2.1 10. 0 mailto:jo@h.example ?subject=".split()
    ),
    max_size=6,
).map("".join)


@given(st.sampled_from(PROFILES), _REFERENCES)
def test_simple_references_have_no_problems(profile, url):
    rules = [load(entry.code) for entry in enabled_entries(Settings(profile=profile)) if entry.default]
    if is_simple(url, profile) and not url_may_hold_secret(url):
        assert accepts_with_scheme(url, profile, "uri-reference")
        assert not judge_url(url, default_rule_set(profile, "uri-reference").spec, rules)


@pytest.mark.parametrize(
    ("profile", "url"),
    [
        ("rfc3986", "../a/b.html#c"),
        ("rfc3986", "#a"),
        ("rfc2396", "/a/?b=c"),
        ("rfc3986", "https://www.h.example/a/b.html?c=d#e"),
        ("rfc3987", "mailto:jo.doe@h.example"),
        ("rfc2396", "ftp://h.example/a%20b"),
        ("rfc3986", "http://192.0.2.1:8080/a"),
        ("rfc3986", "mailto:jo@h.example?subject=help"),
    ],
)
def test_common_urls_are_simple(profile, url):
    assert is_simple(url, profile)
    assert not is_simple(url + "|", profile)
    assert not is_simple(url, "rfc1738")


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("start", ["", "http://", "http://h/", "http://h/?", "http://h/#", "//", "a"])
def test_matching_takes_linear_time(profile, start):
    for many in ["a", "/", ":", "@", "-", ".", "a-", "a.", "%41", "%", "?", "#", "1.", "[", "::", "a@", "a:"]:

        def match(size, many=many):
            text = start + many * (size // len(many)) + "\x00"
            for kind in URI_KINDS:
                full_match(profile, kind).fullmatch(text)
            is_simple(text, profile)

        assert_linear(match, 200_000, within=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["rfc3986", "rfc1738", "rfc1630"])
@pytest.mark.parametrize("start", ["", "//", "//h.example/", "jo@h", "?"])
@pytest.mark.parametrize("scheme", REGISTRY)
def test_matching_the_grammar_of_a_scheme_takes_linear_time(scheme, start, profile):
    own = pattern(scheme, profile, "uri")
    if own is None:
        return

    def match(size):
        for many in "a / : @ - . a- a. %41 % ? # 1. 1, ;a= ;a &a= ,a@h = %40 %00 %22 (".split():
            own.fullmatch(f"{scheme}:{start}{many * (size // len(many))}\x00")

    assert_linear(match, 50_000, within=2)


# --- placeholders, marked by «...»


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
def test_placeholders_are_located(marked):
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
        "http://h/EMP?name%%3Ddobbins",  # a misprint in RFC 1630
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
def test_data_is_not_a_placeholder(text):
    assert placeholder_spans(text) == []


@pytest.mark.parametrize("many", ["{", "{a", "<a ", "[a", "%", "%%a", "$", "${", "*", "host", "%(", "{{"])
@pytest.mark.slow
def test_finding_placeholders_takes_linear_time(many):
    assert_linear(lambda size: placeholder_spans(many * (size // len(many))), 200_000)
