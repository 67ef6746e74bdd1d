"""Test settings of the library: severities, private schemes, allowed hosts and placeholders."""

import pytest

import urlscan
from urlscan import ConfigError, Settings
from urlscan.core.settings import is_listed


def findings(text: str, **settings) -> list[str]:
    return [f"{f.code} {f.severity.label}" for f in urlscan.lint(text, settings=Settings(**settings))]


# --- severity


@pytest.mark.parametrize(
    ("severity", "expected"),
    [
        ((), "error"),
        ((("U201", "info"),), "info"),
        ((("bad-escape", "warning"),), "warning"),
        ((("ALL", "info"),), "info"),
        ((("U201", "info"), ("U2", "warning"), ("ALL", "error")), "info"),
        ((("U2", "info"), ("U20", "warning")), "warning"),
        ((("U1", "info"),), "error"),
    ],
    ids=["none", "code", "name", "all", "code before prefix", "longest prefix", "other rules"],
)
def test_most_specific_selector_sets_the_severity(severity, expected: str) -> None:
    assert findings("See http://h.example/%zz/a now.", severity=severity) == [f"U201 {expected}"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("See <http://h.example/a-\nb>.", "U601"),  # a rule about breaks
        ("See <http://h.example/a.>", "U609"),  # a rule about faults
        ("See http://h.example/ # urlscan: ignore[U201]", "U901"),  # the rule about suppression comments
    ],
)
def test_severity_applies_to_all_rules(text: str, code: str) -> None:
    assert findings(text, severity=((code, "error"),)) == [f"{code} error"]


@pytest.mark.parametrize("pair", [("U201", "off"), ("U201", "ERROR"), ("X1", "error")])
def test_unknown_severity_is_an_error(pair) -> None:
    with pytest.raises(ConfigError):
        findings("See http://h.example/%zz/a now.", severity=(pair,))


# --- private schemes


def test_private_scheme_is_not_reported_as_misspelled() -> None:
    text = "See htpp://h.example/ now."
    assert findings(text) == ["U405 warning"]
    assert findings(text, schemes=frozenset({"htpp"})) == []


def test_private_scheme_is_checked_like_a_registered_one() -> None:
    text = "See <x-foo://a..h.example/b>."
    assert findings(text) == []
    assert findings(text, schemes=frozenset({"x-foo"})) == ["U402 warning"]


def test_private_scheme_with_a_known_suffix_is_found_completely() -> None:
    text = "See <x-http://h.example/%zz/a>."
    (alone,) = urlscan.lint(text)
    (whole,) = urlscan.lint(text, settings=Settings(schemes=frozenset({"x-http"})))
    assert (alone.url, whole.url) == ("http://h.example/%zz/a", "x-http://h.example/%zz/a")


# --- allowed hosts


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://jo:s3am8k@ftp.dominion.org/x", "U301"),
        ("http://licensed@ftp.dominion.org/x", "U302"),
        ("http://ftp.dominion.org/a?access_token=s-5bu1A48An4g", "U304"),
        ("http://ftp.dominion.org:25/", "U501"),
    ],
)
@pytest.mark.parametrize("allowed", ["ftp.dominion.org", "*.dominion.org", "*.org"])
def test_rules_about_hosts_skip_allowed_hosts(url: str, code: str, allowed: str) -> None:
    assert [line[:4] for line in findings(f"See <{url}>.")] == [code]
    assert findings(f"See <{url}>.", allowed_hosts=frozenset({allowed})) == []


def test_syntax_of_urls_with_allowed_hosts_is_checked() -> None:
    assert findings("See <http://h.example/100%>.", allowed_hosts=frozenset({"h.example"})) == ["U201 error"]


def test_invalid_host_can_be_allowed() -> None:
    text = "See <http://h_.example/>."
    assert findings(text, profile="rfc1738") == ["U402 warning"]
    assert findings(text, profile="rfc1738", allowed_hosts=frozenset({"h_.example"})) == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("h.example", True), ("H.Example.", True), ("www.h.example", False), ("xh.example", False),
        ("a.b.test", True), ("A.TEST", True), ("test", False), ("", False), ("." * 200_000, False),
    ],
)  # fmt: skip
def test_allowed_hosts_match_names_and_subdomains(host: str, expected: bool) -> None:
    assert is_listed(host, frozenset({"h.example", "*.test"})) is expected


# --- placeholders


@pytest.mark.parametrize(
    "text",
    [
        "See <ftp://jo:hunter2@ftp.dominion.org/x>.",
        "See <ftp://hunter2:s3am8k@ftp.dominion.org/x>.",
        "See <http://hunter2@www.dominion.org/x>.",
        "See <http://www.dominion.org/a?access_token=hunter2hunter2>.",
    ],
)
def test_placeholder_matches_a_complete_value(text: str) -> None:
    assert findings(text) != []
    assert findings(text, placeholders=frozenset({"Hunter2", "hunter2hunter2"})) == []


def test_placeholder_does_not_match_a_part_of_a_value() -> None:
    assert findings("See <ftp://jo:hunter22@ftp.dominion.org/x>.", placeholders=frozenset({"hunter2"})) == [
        "U301 warning"
    ]
