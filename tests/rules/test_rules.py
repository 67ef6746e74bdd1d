"""Test every rule: its examples, its documentation, and its entry in the registry."""

import importlib
import pathlib
from datetime import datetime

import pytest

import urlscan.rules
from tests.trees import make_work_tree
from urlscan.api.texts import lint
from urlscan.config.statuses import dead_links, parse_statuses
from urlscan.core.document import Document
from urlscan.core.settings import PROFILES, Settings
from urlscan.finder import find
from urlscan.linter.judge import judge_url
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.rules import ENTRIES, REGISTRY, load
from urlscan.rules.base import Example, Rule, Spec

RULES = [load(entry.code) for entry in REGISTRY]
FOLDER = pathlib.Path(urlscan.rules.__file__).parent


def codes(example: Example, settings: Settings) -> set[str]:
    return {finding.code for finding in lint(example.text, path=example.path or None, settings=settings)}


def codes_in_tree(example: Example, settings: Settings, root: pathlib.Path) -> set[str]:
    """Return the codes of the findings about an example in a work tree with its other files."""
    make_work_tree(root, {**dict(example.files), example.path: example.text})
    results = check.check([str(root / example.path)], settings, ReadOptions(targets=Targets()))
    return {finding.code for result in results if isinstance(result, Document) for finding in result.findings}


def settings_for(rule, example) -> Settings:
    """Return settings that enable the default rules of the example's profile, and the rule itself."""
    statuses = dead_links(parse_statuses(example.statuses, datetime(2026, 11, 1)))
    return Settings(profile=example.profile, extend_select=(rule.code,), statuses=statuses)


# --- the registry


def test_registry_lists_exactly_the_rules_of_the_modules():
    modules = [importlib.import_module(f"urlscan.rules.{path.stem}") for path in FOLDER.glob("[a-z]*.py")]
    defined = [value for module in modules for value in vars(module).values() if isinstance(value, Rule)]
    assert sorted(rule.code for rule in defined) == [entry.code for entry in REGISTRY]


def test_codes_and_names_are_unique_and_codes_are_sorted():
    assert [entry.code for entry in REGISTRY] == sorted({entry.code for entry in REGISTRY})
    assert len({entry.name for entry in REGISTRY}) == len(REGISTRY)


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.code)
def test_entry_agrees_with_its_rule(entry):
    rule = load(entry.code)
    assert ENTRIES[rule.code] is ENTRIES[rule.name] is entry
    assert rule is load(rule.name)
    assert (rule.check is None) == (entry.may_report is None)
    assert not (rule.default and rule.checks_every_occurrence), "see linter.judge.RuleSet"


# --- documentation


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_is_documented(rule):
    for text in (rule.why, rule.when_to_ignore):
        assert text.strip() == text
        assert text.endswith(".")
    assert rule.summary.strip() == rule.summary
    assert not rule.summary.endswith(".")
    assert len(rule.summary) <= 72
    assert rule.code == "U901" or "RFC " in rule.why
    assert rule.code == "U901" or "section" in rule.why or "appendix" in rule.why
    assert rule.bad
    assert rule.good
    assert rule.check or rule.check_text or rule.check_target or rule.code == "U901"
    assert set(rule.profiles) <= set(PROFILES)


def test_only_rules_that_describe_their_fixes_have_some():
    for rule in (rule for rule in RULES if rule.check_target is None):
        for example in rule.bad:
            findings = lint(example.text, path=example.path or None, settings=settings_for(rule, example))
            assert rule.fix_note or all(finding.fix is None for finding in findings), rule.code


# --- examples


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, e) for rule in RULES if rule.check_target is None for e in rule.bad],
    ids=lambda v: getattr(v, "code", getattr(v, "text", "")),
)
def test_bad_example_is_reported_by_its_rule_only(rule, example):
    assert codes(example, settings_for(rule, example)) == {rule.code}


TARGET_RULES = [rule for rule in RULES if rule.check_target]


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, e) for rule in TARGET_RULES for e in rule.bad],
    ids=lambda v: getattr(v, "code", getattr(v, "text", "")),
)
def test_a_bad_example_in_a_tree_is_reported_by_its_rule_only(rule, example, tmp_path):
    assert codes_in_tree(example, settings_for(rule, example), tmp_path) == {rule.code}


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, e) for rule in TARGET_RULES for e in rule.good],
    ids=lambda v: getattr(v, "code", getattr(v, "text", "")),
)
def test_a_good_example_in_a_tree_is_not_reported(rule, example, tmp_path):
    assert rule.code not in codes_in_tree(example, settings_for(rule, example), tmp_path)


@pytest.mark.parametrize("rule", TARGET_RULES, ids=lambda rule: rule.code)
def test_a_text_without_a_tree_has_no_findings_about_targets(rule):
    assert not any(rule.code in codes(example, settings_for(rule, example)) for example in (*rule.bad, *rule.good))


@pytest.mark.parametrize(
    ("rule", "example"),
    [(rule, e) for rule in RULES for e in rule.good],
    ids=lambda v: getattr(v, "code", getattr(v, "text", "")),
)
def test_good_example_has_a_url_and_is_not_reported_by_its_rule(rule, example):
    assert example.path or list(find(example.text, look_alikes=True))
    assert rule.code not in codes(example, settings_for(rule, example))


# --- problems of single URLs


@pytest.mark.parametrize(
    ("code", "url", "expected"),
    [
        ("U101", "http://h/a|b", ["|"]),
        ("U101", "http://h/a|^b|", ["|^", "|"]),
        ("U101", "http://h/[x]?[y]#[z]", ["[", "]"]),
        ("U101", "http://[::1]/", []),
        ("U101", 'http://h/"?<#>', ['"', "<", ">"]),
        ("U101", "http://h\\x/a\\b", ["\\", "\\"]),
        ("U102", "http://h/a  b c", ["  "]),
        ("U103", "http://h/\x00a\x1b\x9f", ["\x00", "\x1b\x9f"]),
        ("U103", "http://h/\u00a0", []),
        ("U104", "http://h/Zürich/中文", ["ü", "中文"]),
        ("U104", "http://h/\x85", []),
        ("U105", "http://h/~a~~b", ["~", "~~"]),
        ("U106", "http://h/#a##b#c", ["##"]),
        ("U106", "http://h/#a/b?c", []),
        ("U107", "http://h/[x]?[y]#[z]", ["[", "]", "[", "]"]),
        ("U201", "http://h/%zz%4%", ["%zz", "%4", "%"]),
        ("U201", "http://h/%%3D", ["%"]),
        ("U201", "http://h/%%%", ["%%%"]),
        ("U201", "http://h/%4?%a#%", ["%4", "%a", "%"]),
        ("U201", "http://h/%41%fF", []),
        ("U301", "ftp://jo:s3c:ret@h.net/", ["s3c:ret"]),
        ("U301", "ftp://jo:@h.net/", []),
        ("U301", "ftp://jo@h.net/", []),
        ("U301", "//jo:s3cret@h.net/", ["s3cret"]),
        ("U301", "ftp://jo:s3cret@h/", []),
    ],
)
def test_problems_cover_the_offending_characters(code, url, expected):
    rule = load(code)
    found = judge_url(url, Spec("rfc3986", "uri-reference"), [rule])
    assert [url[p.start : p.end] for p in found] == expected


@pytest.mark.parametrize(
    ("url", "kind", "component", "expected"),
    [
        (":a", "uri-reference", "scheme", ":"),
        ("1a:b", "uri-reference", "scheme", "1"),
        ("a_b:c", "uri-reference", "scheme", "_"),
        ("ht%74p://h/", "uri-reference", "scheme", "%"),
        ("//h/", "uri", "scheme", "/"),
        ("a@b@c://h/", "uri", "scheme", "@"),
        ("http://a@b@h/", "uri", "userinfo", "@"),
        ("http://a[b@h/", "uri", "userinfo", "["),
        ("http://h/#f", "absolute-uri", "fragment", "#f"),
    ],
)
def test_u401_reports_component_and_span(url, kind, component, expected):
    (problem,) = judge_url(url, Spec("rfc3986", kind), RULES_WITHOUT_ADVICE)
    assert (problem.code, problem.component, url[problem.start : problem.end]) == ("U401", component, expected)


@pytest.mark.parametrize(
    ("url", "component"),
    [
        ("/relative", "scheme"),
        ("http://h?q", "query"),
        ("ftp://a:b:c@h/", "userinfo"),
    ],
)
def test_u401_reports_components_that_rfc1738_rejects(url, component):
    (problem,) = [p for p in judge_url(url, Spec("rfc1738", "uri"), RULES) if p.syntax]
    assert (problem.code, problem.component) == ("U401", component)


RULES_WITHOUT_ADVICE = [rule for rule in RULES if rule.code not in ("U105", "U106", "U301", "U504")]


# --- U301: exemptions apply only to the entire value


@pytest.mark.parametrize(
    "url",
    [
        "ftp://jo:$PASS@h.net/",
        "ftp://jo:${PASS}@h.net/",
        "ftp://jo:{{ pass }}@h.net/",
        "ftp://jo:<pw>@h.net/",
        "ftp://jo:***@h.net/",
        "ftp://jo:password@h.net/",
        "ftp://jo:PASSWD@h.net/",
        "ftp://jo:my-secret@h.net/",
        "ftp://jo:xxx@h.net/",
        "ftp://jo:...@h.net/",
        "ftp://%s:%s@h.net/",
        "ftp://username:x1y2@h.net/",
        "imaps://foouser:foopass@h.net/",
        "http://mailto:jo@h.net",
        "ftp://jo:x1y2@ftp.example.com/",
        "ftp://jo:x1y2@a.test/",
        "ftp://jo:x1y2@localhost:21/",
        "ftp://jo:x1y2@somehost/",
        "ftp://jo:x1y2@127.0.0.1/",
        "ftp://anonymous:jo@h.net/",
        "ftp://ftp:jo@h.net/",
    ],
)
def test_placeholders_are_not_passwords(url):
    assert judge_url(url, Spec("rfc3986", "uri"), [load("U301")]) == ()


@pytest.mark.parametrize(
    "url",
    [
        "ftp://jo:password1@h.net/",
        "ftp://jo:xpassx@h.net/",
        "ftp://jo:s3cr$et@h.net/",
        "ftp://users:x1y2@h.net/",
        "ftp://jo:x1y2@example.com.evil.net/",
        "ftp://jo:x1y2@notexample.com/",
        "ftp://jo:x1y2@myhost.net/",
        "http://anonymous:x1y2@h.net/",
    ],
)
def test_password_that_contains_a_placeholder_word_is_reported(url):
    (problem,) = judge_url(url, Spec("rfc3986", "uri"), [load("U301")])
    assert url[problem.start : problem.end] not in problem.message
    assert not problem.syntax


# --- secrets


@pytest.mark.parametrize("fault", ["|", "%zz", "ü", "[", "\x01", "^|<"])
def test_messages_reveal_no_character_of_a_password(fault):
    url = f"ftp://jo:s3{fault}cret@h.net/"
    found = judge_url(url, Spec("rfc3986", "uri"), RULES)
    assert found
    for problem in found:
        assert fault not in problem.message
        assert "s3" not in problem.message
        assert problem.code == "U301" or "s3" not in problem.suggestion
