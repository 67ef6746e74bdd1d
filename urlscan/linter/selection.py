"""Selection and severity of rules."""

import functools
import re
from collections.abc import Iterable

from urlscan.core.errors import ConfigError
from urlscan.core.record import NamedTuple
from urlscan.core.records import Severity
from urlscan.core.secrets import redact
from urlscan.core.settings import PROFILES, REJOIN, Settings, check_choice
from urlscan.rules import REGISTRY, Entry

# Labels of severities, from the most severe to the least.
SEVERITIES = tuple(severity.label for severity in sorted(Severity, reverse=True))


def check_settings(settings: Settings) -> None:
    """Raise ConfigError as `enabled_entries` does, or for an unknown value."""
    check_choice("rejoin", settings.rejoin, REJOIN)
    enabled_entries(settings)
    resolve_severities(settings.severity)
    for entry in settings.exclude_urls:
        parse_exclusion(entry)


def resolve_selector(selector: str) -> list[str]:
    """Return the codes that a code, prefix, name or ALL selects. Raises ConfigError if it selects none."""
    return [entry.code for entry in _matches(selector)]


@functools.cache
def codes_for_test_data() -> frozenset[str]:
    """Return the codes of the rules that report in test data, where other faults are deliberate.

    These rules report secrets, deception, and suppression comments without effect.
    """
    return frozenset(
        code for selector in ("U301", "U303", "U304", "U70", "U901") for code in resolve_selector(selector)
    )


def resolve_severities(pairs: tuple[tuple[str, str], ...]) -> dict[str, Severity]:
    """Return the configured severities by rule code. Raises ConfigError for an unknown severity."""
    severities: dict[str, Severity] = {}
    # The most specific selector wins: ALL comes first, then prefixes from short to long, then rules.
    for selector, label in sorted(pairs, key=lambda pair: pair[0] != "ALL" and min(len(pair[0]), 4)):
        check_choice("severity", label, SEVERITIES)
        severities.update(dict.fromkeys(resolve_selector(selector), Severity[label.upper()]))
    return severities


@functools.lru_cache(maxsize=64)
def enabled_entries(settings: Settings) -> tuple[Entry, ...]:
    """Return the entries of the enabled rules in the order of their codes, selected as in ruff.

    `select` replaces the default set and that of the profile, `extend_select` adds to it, and `ignore` removes from
    it. Each accepts codes, names, prefixes of codes (`U`, `U1`) and `ALL`.

    Raises:
        ConfigError: a selector matches no rule, or the profile is unknown.

    >>> [entry.code for entry in enabled_entries(Settings(select=("U1",), ignore=("space-in-url", "U10")))]
    []
    """
    check_choice("profile", settings.profile, PROFILES)
    if settings.select is None:
        on = {entry for entry in REGISTRY if entry.default or settings.profile in entry.profiles}
    else:
        on = {entry for selector in settings.select for entry in _matches(selector)}
    on.update(entry for selector in settings.extend_select for entry in _matches(selector))
    on.difference_update(entry for selector in settings.ignore for entry in _matches(selector))
    return tuple(entry for entry in REGISTRY if entry in on)


def enabled_codes(settings: Settings) -> frozenset[str]:
    """Return the codes of the enabled rules."""
    return frozenset(entry.code for entry in enabled_entries(settings))


def _matches(selector: str) -> list[Entry]:
    if selector == "ALL":
        return list(REGISTRY)
    is_prefix = re.fullmatch("U[0-9]{0,3}", selector) is not None
    matches = [e for e in REGISTRY if selector == e.name or (is_prefix and e.code.startswith(selector))]
    if not matches:
        selectors = ["ALL", *(e.code[:2] for e in REGISTRY), *(e.code for e in REGISTRY), *(e.name for e in REGISTRY)]
        raise ConfigError(f'unknown rule "{redact(selector)}"', hint=_did_you_mean(selector, selectors))
    return matches


def _did_you_mean(word: str, names: list[str]) -> str:
    import difflib

    by_upper = {name.upper(): name for name in names}
    # Codes differ in one digit, so that a similar code is another rule.
    cutoff = 1 if re.fullmatch("[Uu][0-9]+", word) else 0.6
    matches = difflib.get_close_matches(word.upper(), by_upper, n=1, cutoff=cutoff)
    if matches:
        return f"did you mean {by_upper[matches[0]]}?"
    return "run `urlscan rules` for a list"


# --- exclude-urls


class Exclusion(NamedTuple):
    """One entry of `exclude-urls`.

    Attributes:
        parts: the parts of the pattern between its asterisks.
        codes: the codes of the rules that it applies to; None for all.
    """

    parts: tuple[str, ...]
    codes: frozenset[str] | None


def parse_exclusion(entry: str) -> Exclusion:
    """Return an entry, a pattern after an optional selector of rules: "U304 https://h.example/*".

    A URL contains no space, so that a space always ends a selector.

    Raises:
        ConfigError: the selector matches no rule.
    """
    selector, _, pattern = entry.strip().rpartition(" ")
    codes = frozenset(resolve_selector(selector.strip())) if selector else None
    return Exclusion(tuple(pattern.split("*")), codes)


def is_excluded(url: str, code: str, exclusions: Iterable[Exclusion]) -> bool:
    """Return whether an entry excludes the findings of a rule about a URL."""
    return any((entry.codes is None or code in entry.codes) and matches(url, entry.parts) for entry in exclusions)


def matches(url: str, parts: tuple[str, ...]) -> bool:
    """Return whether a URL consists of the parts with any text between them.

    The leftmost occurrence of each part leaves the most text for the others, so that nothing is tried twice and the
    time is linear in the URL for each part.

    >>> matches("http://h/a/b", ("http://h/", "")), matches("http://h/a", ("/a",)), matches("aba", ("ab", "ba"))
    (True, False, False)
    """
    first, *middle = parts
    if not middle:
        return url == first
    last = middle.pop()
    if not url.startswith(first) or not url.endswith(last) or len(url) < len(first) + len(last):
        return False
    position, end = len(first), len(url) - len(last)
    for part in middle:
        position = url.find(part, position, end)
        if position < 0:
            return False
        position += len(part)
    return True
