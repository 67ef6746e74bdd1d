"""Test the cases of corpus/urls/ through the public functions; corpus/README.md describes the keys."""

from pathlib import Path
from typing import Any

import pytest

from tests.batches import each
from tests.test_corpus import score
from urlscan import (
    RefusedError,
    check,
    equivalent,
    is_valid,
    normalize,
    parse,
    quote,
    relative,
    resolve,
    resolve_with_problems,
    unquote,
    unquote_to_bytes,
    unwrap_redirect,
)
from urlscan.core.settings import PROFILES
from urlscan.uri.url import COMPONENTS

# Files whose cases test other functions, by the first word of the name.
OTHER = ("parse", "resolve", "relative", "normalize", "quote", "rewritten")
CASES = [(path, case) for path in score.files(("urls",)) for case in score.load(path)]

REQUIRED = {"id", "section", "why"}
KEYS = {
    "validity": ({"url"}, {"kind", "valid", "invalid"}),
    "parse": ({"url", "path"}, {*COMPONENTS, "profile", "text", "spans", "detail"}),
    "resolve": ({"base", "reference"}, {"target", "dots", "legacy_scheme", "problems", "refused"}),
    "relative": ({"base", "target", "reference"}, {"profile"}),
    "normalize": (set(), {"url", "urls", "level", "normal", "equivalent", "profile"}),
    "rewritten": ({"url", "target"}, set()),
    "quote": ({"escaped"}, {"data", "octets", "component", "profile", "raw", "way"}),
}


def _about(path: Path) -> str:
    first = path.stem.partition("-")[0]
    return first if first in OTHER else "validity"


def cases(about: str) -> list[tuple[Path, dict[str, Any]]]:
    return [(path, case) for path, case in CASES if _about(path) == about]


# --- the corpus itself


def test_url_corpus_is_not_empty() -> None:
    assert len(CASES) >= 350
    assert {_about(path) for path, _ in CASES} == set(KEYS)


def test_url_cases_have_known_keys() -> None:
    for path, case in CASES:
        required, optional = KEYS[_about(path)]
        assert REQUIRED | required <= case.keys() <= REQUIRED | required | optional, case["id"]
        assert all(case[key] for key in REQUIRED), case["id"]


def test_url_cases_are_unique() -> None:
    seen: set[str] = set()
    for _, case in CASES:
        content = repr(sorted((key, value) for key, value in case.items() if key not in REQUIRED))
        assert content not in seen, case["id"]
        seen.add(content)


def test_every_profile_accepts_and_rejects() -> None:
    for verdict in ("valid", "invalid"):
        judged = [profile for _, case in CASES for profile in case.get(verdict, ())]
        assert min(judged.count(profile) for profile in PROFILES) >= 50


# --- validity


@each(cases("validity"))
def test_validity(case: dict[str, Any]) -> None:
    valid, invalid = case.get("valid", []), case.get("invalid", [])
    assert valid or invalid
    assert not set(valid) & set(invalid)
    kind = case.get("kind", "uri-reference")
    verdicts = {profile: is_valid(case["url"], profile=profile, kind=kind) for profile in valid + invalid}
    assert verdicts == {**dict.fromkeys(valid, True), **dict.fromkeys(invalid, False)}, case["why"]
    for profile in valid + invalid:  # the rules agree with the grammar, and no rule fails
        found = check(case["url"], profile=profile, kind=kind, select=["ALL"])
        # `check` ignores white space around a URL, and a word as port is a placeholder.
        lenient = case["id"] in ("a line end after a url", "a word for a port")
        assert lenient or any(problem.syntax for problem in found) == (profile in invalid), profile


# --- components


@each(cases("parse"))
def test_components(case: dict[str, Any]) -> None:
    url = parse(case["url"], profile=case.get("profile", "rfc3986"))
    assert url.text == case.get("text", case["url"])
    assert {name: getattr(url, name) for name in COMPONENTS} == {name: case.get(name) for name in COMPONENTS}
    for name, span in case.get("spans", {}).items():
        assert url.span(name) == tuple(span), name
    if "detail" in case:
        assert _plain(url.detail) == case["detail"], case["why"]


def _plain(value: Any) -> Any:
    """Return a record as a table without missing values and empty lists, with lists in place of tuples."""
    if hasattr(value, "_asdict"):
        table = {key: _plain(part) for key, part in value._asdict().items()}
        return {key: part for key, part in table.items() if part is not None and part != []}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


# --- references


@each(cases("resolve"))
def test_resolution(case: dict[str, Any]) -> None:
    options = {key: case[key] for key in ("dots", "legacy_scheme") if key in case}
    targets, expected = case.get("target", {}), case.get("problems", {})
    assert targets or expected or case.get("refused")
    for profile in targets.keys() | expected.keys():
        result = resolve_with_problems(case["base"], case["reference"], profile=profile, **options)
        assert result.target == targets.get(profile, result.target), case["why"]
        codes = [problem.code for problem in result.problems]
        assert codes == expected.get(profile, codes), case["why"]
    for profile in case.get("refused", ()):
        with pytest.raises(RefusedError):
            resolve(case["base"], case["reference"], profile=profile, **options)


@each(cases("relative"))
def test_relative_reference(case: dict[str, Any]) -> None:
    profile = case.get("profile", "rfc3986")
    assert relative(case["base"], case["target"], profile=profile) == case["reference"], case["why"]


# --- normal forms


@each(cases("normalize"))
def test_normal_form(case: dict[str, Any]) -> None:
    profile = case.get("profile", "rfc3986")
    if "urls" in case:
        assert equivalent(*case["urls"], profile=profile) is case["equivalent"], case["why"]
        return
    once = normalize(case["url"], level=case["level"], profile=profile)
    assert once == case["normal"], case["why"]
    assert normalize(once, level=case["level"], profile=profile) == once


# --- escapes


@each(cases("quote"))
def test_escapes(case: dict[str, Any]) -> None:
    profile, way = case.get("profile", "rfc3986"), case.get("way", "quote")
    data = bytes.fromhex(case["octets"]) if "octets" in case else case["data"]
    if way in ("quote", "both"):
        escaped = quote(data, component=case["component"], profile=profile, raw=case.get("raw", False))
        assert escaped == case["escaped"], case["why"]
    if way in ("unquote", "both"):
        # With a component, the escapes of its delimiters are kept; in a single value, all escapes are decoded.
        whole = case.get("component") if way == "unquote" else None
        back = unquote_to_bytes(case["escaped"]) if "octets" in case else unquote(case["escaped"], component=whole)
        assert back == data, case["why"]


# --- rewritten links


@each(cases("rewritten"))
def test_rewritten_link(case: dict[str, Any]) -> None:
    assert unwrap_redirect(case["url"]) == case["target"]
