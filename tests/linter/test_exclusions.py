"""URLs that the configuration excludes are not judged."""

from pathlib import Path

import pytest

import urlscan
from tests.command import urlscan as run
from tests.linear_time import assert_linear
from urlscan.linter.judge import parse_exclusion

TEXT = "See <http://h.example/a b/%zz> and <http://w.example/%zz>.\n"


def codes(*patterns: str) -> list[tuple[str, str]]:
    settings = urlscan.Settings(exclude_urls=patterns)
    return [(finding.url.split("/")[2], finding.code) for finding in urlscan.lint(TEXT, settings=settings)]


def test_without_patterns() -> None:
    assert codes() == [("h.example", "U102"), ("h.example", "U201"), ("w.example", "U201")]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        pytest.param("http://h.example/*", [("w.example", "U201")], id="all URLs of a host"),
        pytest.param("U201 *", [("h.example", "U102")], id="all URLs, for one rule"),
        pytest.param("U2 *h.example*", [("h.example", "U102"), ("w.example", "U201")], id="a group of rules"),
        pytest.param("h.example", codes(), id="a pattern covers the whole URL"),
    ],
)
def test_pattern(pattern: str, left: list[tuple[str, str]]) -> None:
    assert codes(pattern) == left


@pytest.mark.parametrize(
    ("url", "pattern", "expected"),
    [("abcbc", "a*bc", True), ("ab", "a*b*b", False), ("abb", "a*b*b", True), ("a", "*", True), ("", "*", True)],
)
def test_matches(url: str, pattern: str, expected: bool) -> None:
    assert (parse_exclusion(pattern).pattern.fullmatch(url) is not None) is expected


@pytest.mark.slow
def test_linear() -> None:
    pattern = parse_exclusion("*a*a*a*a*a*b*").pattern
    assert_linear(lambda size: pattern.fullmatch("a" * size), 1 << 20)


def test_unknown_rule_in_a_pattern_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a\n")
    (tmp_path / "urlscan.toml").write_text('exclude-urls = ["U999 http://h.example/*"]\n')
    result = run("check", "a.md", cwd=tmp_path)
    assert result.status == 2
    assert 'unknown rule "U999"' in result.err
