"""Test settings of the library: severities, private schemes, allowed hosts, placeholders."""

import pytest

import urlscan
from urlscan import ConfigError, Settings
from urlscan.rules.base import Spec


def said(text: str, **settings) -> list[str]:
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
    ids=["none", "code", "name", "all", "code before prefix", "the longer prefix", "of other rules"],
)
def test_what_says_most_about_a_rule_decides_how_loud_it_is(severity, expected: str) -> None:
    assert said("See http://h.example/%zz/a now.", severity=severity) == [f"U201 {expected}"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("See <http://h.example/a-\nb>.", "U601"),  # about breaks
        ("See <http://h.example/a.>", "U609"),  # about faults
        ("See http://h.example/ # urlscan: ignore[U201]", "U901"),  # about suppression comments
    ],
)
def test_the_severity_holds_for_rules_of_every_kind(text: str, code: str) -> None:
    assert said(text, severity=((code, "error"),)) == [f"{code} error"]


@pytest.mark.parametrize("pair", [("U201", "off"), ("U201", "ERROR"), ("X1", "error")])
def test_a_severity_that_is_none_is_an_error(pair) -> None:
    with pytest.raises(ConfigError):
        said("See http://h.example/%zz/a now.", severity=(pair,))


# --- private schemes


def test_a_private_scheme_is_no_slip() -> None:
    text = "See htpp://h.example/ now."
    assert said(text) == ["U405 warning"]
    assert said(text, schemes=frozenset({"htpp"})) == []


def test_a_private_scheme_is_judged_as_a_registered_one() -> None:
    text = "See <x-foo://a..h.example/b>."
    assert said(text) == []
    assert said(text, schemes=frozenset({"x-foo"})) == ["U402 warning"]


def test_a_private_scheme_that_ends_like_another_is_found_whole() -> None:
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
def test_nothing_is_said_of_where_an_allowed_host_leads(url: str, code: str, allowed: str) -> None:
    assert [line[:4] for line in said(f"See <{url}>.")] == [code]
    assert said(f"See <{url}>.", allowed_hosts=frozenset({allowed})) == []


def test_what_is_wrong_with_the_url_itself_is_said_of_an_allowed_host_too() -> None:
    assert said("See <http://h.example/100%>.", allowed_hosts=frozenset({"h.example"})) == ["U201 error"]


def test_a_host_that_is_none_may_be_allowed() -> None:
    text = "See <http://h_.example/>."
    assert said(text, profile="rfc1738") == ["U402 warning"]
    assert said(text, profile="rfc1738", allowed_hosts=frozenset({"h_.example"})) == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("h.example", True), ("H.Example.", True), ("www.h.example", False), ("xh.example", False),
        ("a.b.test", True), ("A.TEST", True), ("test", False), ("", False), ("." * 200_000, False),
    ],
)  # fmt: skip
def test_which_hosts_are_allowed(host: str, expected: bool) -> None:
    assert Spec("rfc3986", "uri", hosts=frozenset({"h.example", "*.test"})).allows(host) is expected


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
def test_a_whole_value_can_be_said_to_be_no_secret(text: str) -> None:
    assert said(text) != []
    assert said(text, placeholders=frozenset({"Hunter2", "hunter2hunter2"})) == []


def test_a_part_of_a_value_says_nothing() -> None:
    assert said("See <ftp://jo:hunter22@ftp.dominion.org/x>.", placeholders=frozenset({"hunter2"})) == ["U301 error"]
