"""Test properties of all URLs and strings with the grammars of the RFCs (`bnf/`, `grammars.py`)."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import generated
from tests.command import urlscan as command_line
from tests.generated import CASES, NOWHERE, is_plain
from tests.strategies import examples
from urlscan import check, equivalent, is_valid, normalize, parse, quote, relative, resolve, unquote, unquote_to_bytes
from urlscan.core.settings import PROFILES
from urlscan.uri.grammar.dots import remove_dot_segments
from urlscan.uri.grammar.generic import grammar_of
from urlscan.uri.schemes import REGISTRY, name_of
from urlscan.uri.transform.escapes import COMPONENTS
from urlscan.uri.transform.normal import LEVELS

cases = st.sampled_from(CASES)
profiles = st.sampled_from(PROFILES)
URI_KINDS = ("absolute-uri", "uri", "uri-reference")


# --- exactly the strings that the grammars generate are valid


@pytest.mark.slow
@examples(300)
@given(cases, st.data())
def test_urls_generated_from_the_generic_syntax_are_valid(case, data):
    profile, kind = case
    assert is_valid(data.draw(generated.generic(profile, kind)), profile=profile, kind=kind)


SCHEMES = [(grammar, name) for grammar, starts in generated.SCHEMES.items() for name in starts]


@pytest.mark.parametrize(("grammar", "scheme"), SCHEMES)
@examples(20)
@given(data=st.data())
def test_urls_generated_from_the_grammar_of_a_scheme_are_valid(grammar, scheme, data):
    url = data.draw(generated.of(generated.SCHEMES[grammar][scheme]))
    for kind in ("uri", "uri-reference"):
        assert is_valid(url, profile=grammar, kind=kind)
    assert is_valid(url.partition("#")[0], profile=grammar, kind="absolute-uri")


@pytest.mark.slow
@examples(500)
@given(cases, st.data())
def test_a_url_is_valid_if_and_only_if_the_generic_syntax_matches_it(case, data):
    profile, kind = case
    url = data.draw(generated.anything(profile, kind))
    grammar, uri_kind = grammar_of(profile, kind)
    # "url:" is the prefix of RFC 1630, which `unwrap` removes; it is no scheme.
    assume(name_of(url, grammar) not in REGISTRY and not url.lower().startswith("url:"))
    start = generated.GENERIC[grammar, uri_kind]
    assert generated.grammar(start.files).matches(start.production, url) == is_valid(url, profile=profile, kind=kind)


# The other productions accept less than urlscan does; their files give the reasons.
EXACT = [
    *(("rfc1738", name) for name in generated.SCHEMES["rfc1738"] if name != "mailto"),
    *(("rfc1630", name) for name in generated.SCHEMES["rfc1630"] if name not in ("", "prospero")),
    *(("rfc3986", name) for name in ("nntp", "news", "http")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("grammar", "scheme"), EXACT)
@examples(40)
@given(data=st.data())
def test_a_url_is_valid_if_and_only_if_the_grammar_of_its_scheme_matches_it(grammar, scheme, data):
    start = generated.SCHEMES[grammar][scheme]
    url = data.draw(generated.changed(generated.of(start)))
    assume(name_of(url, "rfc3986") == scheme and "#" not in url)
    assert generated.grammar(start.files).matches(start.production, url) == is_valid(url, profile=grammar)


# --- a single wrong character is located


def _all(url, profile, kind="uri-reference"):
    return check(url, profile=profile, kind=kind, select=["ALL"])


@examples(400)
@given(profiles, st.data())
def test_illegal_character_is_located(profile, data):
    url = data.draw(generated.urls(profile, "uri-reference"))
    at = data.draw(st.integers(0, len(url)))
    wrong = url[:at] + data.draw(st.sampled_from(NOWHERE[profile])) + url[at:]
    assume(is_plain(wrong))
    assert not is_valid(wrong, profile=profile)
    found = [problem for problem in _all(wrong, profile) if problem.syntax]
    assert any(problem.start <= at < problem.end for problem in found), found


@examples(400)
@given(profiles, st.data())
def test_percent_sign_without_digits_is_located(profile, data):
    url = data.draw(generated.urls(profile, "uri-reference"))
    at = data.draw(st.integers(0, len(url)))
    wrong = url[:at] + data.draw(st.sampled_from(["%", "%a", "%4", "%g", "%%", "%x1"])) + url[at:]
    assume(is_plain(wrong))
    bad = [match.start() for match in re.finditer("%(?![0-9A-Fa-f]{2})", wrong)]
    assume(bad)
    assert not is_valid(wrong, profile=profile)
    found = [problem for problem in _all(wrong, profile) if problem.syntax]
    for offset in bad:
        assert any(problem.start <= offset < problem.end for problem in found), (wrong, offset, found)


# --- a URL is invalid if and only if it has a syntax problem


@examples(1200)
@given(cases, st.data())
def test_url_is_valid_if_and_only_if_it_has_no_syntax_problem(case, data):
    profile, kind = case
    url = data.draw(generated.anything(profile, kind))
    assume(is_plain(url))
    found = _all(url, profile, kind)
    assert is_valid(url, profile=profile, kind=kind) == (not [p for p in found if p.syntax]), found
    for problem in found:
        assert 0 <= problem.start <= problem.end <= len(url), problem
        assert problem.start < problem.end or not url, problem


@examples(300)
@given(profiles, st.data())
def test_all_functions_agree_on_validity(profile, data):
    url = data.draw(st.one_of(generated.urls(profile, "uri-reference"), generated.anything(profile, "uri-reference")))
    parsed = parse(url, profile=profile)
    valid = is_valid(parsed.text, profile=profile)
    assert valid == (not [problem for problem in parsed.problems if problem.syntax])
    assert valid == (not [problem for problem in check(url, profile=profile) if problem.syntax])
    assert valid == (not [problem for problem in _all(url, profile) if problem.syntax])
    if valid:
        assert is_valid(normalize(url, profile=profile), profile=profile)


@examples(60)
@given(profiles, st.data())
def test_commands_agree_with_the_functions(profile, data):
    url = data.draw(generated.anything(profile, "uri-reference"))
    assume(url.isprintable() and url.strip() and url != "-")
    status = 0 if is_valid(parse(url, profile=profile).text, profile=profile) else 1
    for command in ("parse", "normalize"):
        assert command_line(command, "--profile", profile, "--", url).status == status, command


@examples(300)
@given(cases, generated.likely)
def test_spans_lie_within_the_input(case, text):
    for problem in check(text, profile=case[0], kind=case[1], select=["ALL"]):
        assert 0 <= problem.start <= problem.end <= len(text), problem


# --- components


# Lone surrogates cannot be escaped; `test_properties_text.py` covers them.
strings = generated.likely.filter(lambda text: "\ud800" not in text) | st.text(max_size=30)


@examples(300)
@given(profiles, strings)
def test_unparse_restores_the_text(profile, text):
    assert parse(text, profile=profile).unparse() == parse(text, profile=profile).text


# RFC 2396 appendix B and RFC 3986 appendix B.
APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)


@examples(300)
@given(profiles, strings)
def test_components_equal_those_of_appendix_b(profile, text):
    url = parse(text, profile=profile)
    match = APPENDIX_B.fullmatch(url.text)
    assert (url.scheme, url.authority, url.path, url.query, url.fragment) == match.group(2, 4, 5, 7, 9)


@examples(300)
@given(profiles, strings)
def test_spans_match_the_components(profile, text):
    url = parse(text, profile=profile)
    for name in ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"):
        span = url.span(name)
        assert (span is None) == (getattr(url, name) is None)
        if span is not None:
            assert url.text[slice(*span)] == getattr(url, name)


# --- normal forms


@examples(400)
@given(profiles, st.data())
def test_normal_form_is_stable_at_its_level_and_below(profile, data):
    url = data.draw(generated.anything(profile, "uri-reference"))
    assume(is_plain(url))
    forms = [normalize(url, level=level, profile=profile) for level in LEVELS]
    for number, form in enumerate(forms):
        assume(is_plain(form))
        for level in LEVELS[: number + 1]:
            assert normalize(form, level=level, profile=profile) == form, level
    assert forms[0] == url


@examples(400)
@given(profiles, generated.odd)
def test_normal_form_is_stable_for_unusual_authorities(profile, url):
    forms = {level: normalize(url, level=level, profile=profile) for level in LEVELS}
    for number, (level, form) in enumerate(forms.items()):
        assert parse(form, profile=profile).text == form
        assert parse(form, profile=profile).unparse() == form
        for lower in LEVELS[: number + 1]:
            assert normalize(form, level=lower, profile=profile) == form, (level, lower)
            assert normalize(forms[lower], level=level, profile=profile) == form, (level, lower)
            assert equivalent(url, forms[lower], level=level, profile=profile), (level, lower)


@examples(300)
@given(profiles, generated.odd | generated.likely)
def test_unwrapping_is_idempotent(profile, text):
    url = parse(text, profile=profile).text
    assert parse(url, profile=profile).text == url
    assert normalize(text, level="simple", profile=profile) == url


@examples(400)
@given(cases, st.data())
def test_normalizing_keeps_valid_urls_valid(case, data):
    profile, kind = case
    url = data.draw(generated.urls(profile, kind))
    assume(is_plain(url))
    for level in LEVELS:
        assert is_valid(normalize(url, level=level, profile=profile), profile=profile, kind=kind), level


def _delimiters(url, which="/?#@:[]"):
    return [character for character in url if character in which]


@examples(400)
@given(profiles, st.data())
def test_normalizing_creates_no_delimiter(profile, data):
    url = data.draw(generated.urls(profile, "uri-reference") | generated.likely)
    assume(is_plain(url))
    for level in ("case", "percent"):
        assert _delimiters(normalize(url, level=level, profile=profile)) == _delimiters(url)
    whole = parse(normalize(url, level="percent"), profile=profile)
    last = parse(normalize(url, profile=profile), profile=profile)
    for name in ("userinfo", "query", "fragment"):
        assert _delimiters(getattr(last, name) or "") == _delimiters(getattr(whole, name) or "")
    if (
        whole.path
        and remove_dot_segments(whole.path, escaped=True).path == whole.path
        and not whole.path.startswith("//")
    ):
        assert _delimiters(last.path) == _delimiters(whole.path)


@examples(200)
@given(profiles, st.sampled_from(LEVELS), st.data())
def test_equivalence_is_reflexive_and_symmetric(profile, level, data):
    one = data.draw(generated.anything(profile, "uri-reference"))
    other = data.draw(st.sampled_from([normalize(one, level=level, profile=profile), one.upper(), one + "/"]))
    assert equivalent(one, one, level=level, profile=profile)
    same = equivalent(one, other, level=level, profile=profile)
    assert same == equivalent(other, one, level=level, profile=profile)


# --- relative references


@examples(600)
@given(profiles, st.data())
def test_relative_reference_resolves_to_its_target(profile, data):
    # Guaranteed for each absolute target that resolves to itself: no dot segments, and no form that resolution repairs.
    base = data.draw(generated.urls(profile, "uri"))
    target = data.draw(generated.urls(profile, "uri") | generated.beside(base))
    assume(is_plain(base) and is_plain(target))
    assume(resolve(base, target, profile=profile) == target and parse(target).scheme)
    reference = relative(base, target, profile=profile)
    assert reference
    assert resolve(base, reference, profile=profile) == target, reference


# --- escapes


@examples(300)
@given(st.text(max_size=20), st.sampled_from(COMPONENTS), profiles)
def test_quoting_data_can_be_undone(text, component, profile):
    assert unquote(quote(text, component=component, profile=profile, raw=True)) == text


@examples(300)
@given(st.binary(max_size=20), st.sampled_from(COMPONENTS), profiles)
def test_quoting_octets_can_be_undone(octets, component, profile):
    assert unquote_to_bytes(quote(octets, component=component, profile=profile)) == octets


@examples(300)
@given(strings, st.sampled_from(COMPONENTS), profiles)
def test_quoting_is_idempotent(text, component, profile):
    quoted = quote(text, component=component, profile=profile)
    assert quote(quoted, component=component, profile=profile) == quoted


# A URL of the generic syntax with a component; RFC 1738 and RFC 1630 do not have all of them.
_URLS = {
    "userinfo": "x://{}@h/", "user": "x://{}@h/", "password": "x://u:{}@h/", "host": "x://{}/", "path": "x://h/{}",
    "segment": "x://h/a/{}/b", "query": "x://h/?{}", "parameter": "x://h/?a={}&b", "fragment": "x://h/#{}",
}  # fmt: skip
_MISSING_COMPONENTS = {
    "rfc1738": ("host", "fragment", "query", "parameter"),
    "rfc1630": ("userinfo", "user", "password", "host", "parameter"),
}


@examples(400)
@given(strings, st.sampled_from(COMPONENTS), profiles)
def test_quoted_text_is_valid_in_its_component(text, component, profile):
    quoted = quote(text, component=component, profile=profile)
    assume(component not in _MISSING_COMPONENTS.get(profile, ()) and (quoted or profile != "rfc1630"))
    url = _URLS[component].format(quoted)
    assert is_valid(url, profile=profile), url
    slashes = {"segment": 3, "path": 1 + text.count("/")}.get(component, 1)
    # RFC 1738 section 5: a login may contain "?", which `parse` takes for the beginning of a query.
    is_cut = profile == "rfc1738" and component in ("userinfo", "user", "password") and "?" in quoted
    assert is_cut or parse(url).path.count("/") == slashes


# --- regressions found by these properties


@pytest.mark.parametrize("url", ["ftp://a?b@h.example/", "ftp://?@h/", "x://:?@h/", "news://;/@h"])
def test_login_of_rfc1738_may_contain_a_question_mark(url):
    # RFC 1738 section 5:  user    = *[ uchar | ";" | "?" | "&" | "=" ]
    #                      article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
    assert is_valid(url, profile="rfc1738")
    assert not [problem for problem in _all(url, "rfc1738") if problem.syntax]
    assert normalize(url, level="scheme", profile="rfc1738") == url


def test_wrong_character_after_wrong_slashes_is_located():
    found = check("http:/</h.example/", select=["ALL"])
    assert any(problem.start <= 6 < problem.end for problem in found)


@pytest.mark.parametrize(
    ("url", "profile"),
    [
        ("telnet://h", "rfc1630"),  # no "/" may follow a login
        ("x:%2E", "rfc2396"),
        ("x:.", "rfc2396"),  # an opaque_part must not be empty
        ("nntp://h/a%7Eb", "rfc3986"),  # "~" is not a group-char
        ("news:a%7Eb", "rfc3986"),
        ("mailto:a%2E@h", "rfc3986"),  # a dot is only allowed between atoms
    ],
)
def test_normal_form_of_a_valid_url_is_valid(url, profile):
    assert is_valid(url, profile=profile)
    for level in LEVELS:
        assert is_valid(normalize(url, level=level, profile=profile), profile=profile), level


@pytest.mark.parametrize(
    "url",
    [
        "http://h/%%341",  # the stray "%" and the decoded "4" must not form an escape
        "file:/.//a",
        "urn:x%2Fa:b",
        "ftp://h::",  # without its empty port, it would have another one
        "http://h:a:80",
        "//H:ü:",
        "url:url:http://h/",
        "\"'http://h/'\"",
        "ftp://\n:21",
        "tel:/./:",  # "tel://:" names a host
    ],
)
def test_normal_form_is_stable(url):
    form = normalize(url)
    assert [normalize(form, level=level) for level in LEVELS] == [form] * len(LEVELS)
    assert "%41" not in form


def test_newsgroup_of_rfc1630_may_contain_a_plus():
    # RFC 1630, BNF for specific URL schemes:  safe = $ | - | _ | @ | . | & | + | -
    assert is_valid("nntp:gnu.g++.help/1", profile="rfc1630")
