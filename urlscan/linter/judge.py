"""Run the rules: which are on, with which severity, and what they report of a URL."""

import functools
import re
from collections.abc import Callable, Collection, Iterable
from itertools import islice

from urlscan.core.errors import ConfigError, did_you_mean
from urlscan.core.record import NamedTuple
from urlscan.core.records import DELIMITED, Finding, Problem, Severity
from urlscan.core.secrets import redact, url_may_hold_secret
from urlscan.core.settings import PROFILES, REFERENCE_KINDS, REJOIN, Settings, check_choice, is_listed
from urlscan.core.typing import TYPE_CHECKING, Profile, ReferenceKind
from urlscan.data.schemes import REGISTERED
from urlscan.rules import REGISTRY, Entry, load
from urlscan.uri.grammar.simple import PLAIN_PROFILES, is_simple

# A text of plain URLs needs no rule, so their modules are not loaded for it.
if TYPE_CHECKING:
    from urlscan.rules.base import Rule, Spec
    from urlscan.uri.url import Url

# Registered schemes with authorities that are no host and port: an identifier ("at://did:plc:x/"), and a URI with
# commas in place of its slashes ("pack://application:,,,/").
_SPECIAL_AUTHORITIES = ("at", "pack")
# The codes of rules whose severity is the same everywhere: secrets, deception, and targets, which have excuses.
KEPT_SEVERITIES = ("U3", "U701", "U9")
# How many distinct URLs are cached; the cache is cleared when it is full.
_MOST_CACHED = 50_000
# Labels of severities, from the most severe to the least.
SEVERITIES = tuple(severity.label for severity in sorted(Severity, reverse=True))


# --- selection


def resolve_selector(selector: str) -> list[str]:
    """Return the codes that a code, prefix, name or ALL selects. Raises ConfigError if it selects none."""
    return [entry.code for entry in _matches(selector)]


@functools.cache
def codes_for_test_data() -> frozenset[str]:
    """Return the codes that are reported in test data: secrets, deception, suppression comments without effect."""
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
        names = ["ALL", *(name for e in REGISTRY for name in (e.code[:2], e.code, e.name))]
        # Codes differ in one digit, so that a similar code is another rule.
        cutoff = 1 if re.fullmatch("[Uu][0-9]+", selector) else 0.6
        hint = did_you_mean(selector, names, "run `urlscan rules` for a list", cutoff)
        raise ConfigError(f'unknown rule "{redact(selector)}"', hint=hint)
    return matches


# --- exclude-urls


class Exclusion(NamedTuple):
    """One entry of `exclude-urls`.

    Attributes:
        pattern: the URLs that it applies to.
        codes: the codes of the rules that it applies to; None for all.
    """

    pattern: re.Pattern[str]
    codes: frozenset[str] | None


def parse_exclusion(entry: str) -> Exclusion:
    """Return an entry, a pattern after an optional selector of rules: "U304 https://h.example/*".

    A URL contains no space, so that a space always ends a selector.

    Raises:
        ConfigError: the selector matches no rule.
    """
    selector, _, pattern = entry.strip().rpartition(" ")
    codes = frozenset(resolve_selector(selector.strip())) if selector else None
    parts = [re.escape(part) for part in pattern.split("*")]
    if len(parts) > 1:
        # The leftmost occurrence of a part leaves the most text for the others, so that nothing is tried twice.
        parts[1:] = [*(f"(?>.*?{part})" for part in parts[1:-1]), f".*{parts[-1]}"]
    return Exclusion(re.compile("".join(parts), re.DOTALL), codes)


def is_excluded(url: str, code: str, exclusions: Iterable[Exclusion]) -> bool:
    """Return whether an entry excludes the findings of a rule about a URL."""
    return any((codes is None or code in codes) and pattern.fullmatch(url) for pattern, codes in exclusions)


# --- the enabled rules


class RuleSet:
    """The enabled rules, each loaded when a URL needs it, and a cache of their problems by URL.

    Attributes:
        profile: the specification by which URLs are judged.
        enabled: the codes and the names of the rules.
        about_targets: the names of those about the targets of relative references, and about labels.
        severities: the configured severities by code.
        exclusions: the entries of `exclude-urls`.
        checks_every_occurrence: whether a rule checks the text around every occurrence.
        judged: the problems of URLs without placeholders. For templates the key is a pair of the URL and whether
            delimiters surround it, where fewer characters count as placeholders.

    Args:
        kind: what a string is judged as.
    """

    def __init__(self, settings: Settings, kind: ReferenceKind = "uri-reference") -> None:
        check_choice("kind", kind, REFERENCE_KINDS)
        check_choice("rejoin", settings.rejoin, REJOIN)
        self._entries = enabled_entries(settings)
        self._settings = settings
        self.exclusions = tuple(map(parse_exclusion, settings.exclude_urls))
        self._kind = kind
        self.profile = settings.profile
        self.enabled = frozenset(key for entry in self._entries for key in (entry.code, entry.name))
        self.about_targets = frozenset(entry.name for entry in self._entries if entry.code.startswith(("U91", "U92")))
        # The codes of rules by the check that tells whether they may report a URL: of all, and of those off by default.
        self._checks: dict[Callable[[str], object], list[str]] = {}
        self._optional_checks: dict[Callable[[str], object], list[str]] = {}
        for entry in self._entries:
            if entry.may_report is not None:
                self._checks.setdefault(entry.may_report, []).append(entry.code)
                if not entry.default:
                    self._optional_checks.setdefault(entry.may_report, []).append(entry.code)
        # Older specifications, and kinds that restrict the scheme or the fragment, reject what the fast check accepts.
        self._is_current = self.profile in PLAIN_PROFILES and kind.endswith("reference")
        self.severities = resolve_severities(settings.severity)
        optional = (load(entry.code) for entry in self._entries if not entry.default)
        self.checks_every_occurrence = any(rule.checks_every_occurrence for rule in optional)
        self.judged: dict[str | tuple[str, bool], tuple[Problem, ...]] = {}

    @functools.cached_property
    def spec(self) -> "Spec":
        """The specification by which every URL is judged."""
        from urlscan.rules.base import Spec

        return Spec(
            self.profile,
            self._kind,
            schemes=self._settings.schemes,
            hosts=self._settings.allowed_hosts,
            placeholders=frozenset(value.lower() for value in self._settings.placeholders),
            insecure_hosts=self._settings.insecure_hosts,
            statuses=self._settings.statuses,
        )

    def without_excluded(self, findings: list[Finding]) -> list[Finding]:
        """Return the findings without those about excluded URLs."""
        return [finding for finding in findings if not is_excluded(finding.url, finding.code, self.exclusions)]

    @functools.cached_property
    def text_rules(self) -> "tuple[Rule, ...]":
        """The enabled rules that check the text around a URL."""
        rules = (load(entry.code) for entry in self._entries if entry.code[1] != "9")
        return tuple(rule for rule in rules if rule.check_text is not None)

    def is_unknown(self, scheme: str) -> bool:
        """Return whether a scheme is given, but not one whose URLs are known to have the generic syntax."""
        is_generic = scheme in REGISTERED and scheme not in _SPECIAL_AUTHORITIES
        return scheme != "" and not is_generic and scheme not in self._settings.schemes

    def is_plain(self, url: str) -> bool:
        """Return whether only rules that are off by default may report a URL without placeholders."""
        return self._is_current and is_simple(url, self.profile) and not url_may_hold_secret(url)

    def judge(self, url: str, *, template: bool = False, style: str = "bare") -> tuple[Problem, ...]:
        """Return the problems of a URL, from the cache if it was judged before."""
        delimited = style in DELIMITED
        key = (url, delimited) if template else url
        problems = self.judged.get(key)
        if problems is not None:
            return problems
        checks = self._checks
        if not template and self.is_plain(url):
            checks = self._optional_checks
        rules = [load(code) for check in checks if not self._is_current or check(url) for code in checks[check]]
        problems = judge_url(url, self.spec, rules, template, delimited) if rules else ()
        if len(self.judged) >= _MOST_CACHED:
            self.judged.clear()
        self.judged[key] = problems
        return problems


rule_set_for = functools.lru_cache(maxsize=64)(RuleSet)


@functools.lru_cache(maxsize=64)
def default_rule_set(profile: Profile, kind: ReferenceKind, select: tuple[str, ...] | None = None) -> RuleSet:
    """Return the rules for single URLs; raise ConfigError for an unknown profile, kind or rule."""
    return rule_set_for(Settings(profile=profile, select=select), kind)


def diagnosis(url: str, profile: Profile, kind: ReferenceKind) -> list[Problem]:
    """Return the problems that the enabled rules report for `url`, and the syntax problems of all other rules.

    A disabled rule gives no advice, but an invalid URL always has a reason.

    Raises:
        ConfigError: unknown profile or kind.
    """
    enabled = default_rule_set(profile, kind)
    problems = list(enabled.judge(url))
    if enabled.is_plain(url):
        return problems
    from urlscan.uri.schemes import accepts

    if accepts(url, profile, kind):
        return problems
    every = default_rule_set(profile, kind, ("ALL",))
    return [problem for problem in every.judge(url) if problem.syntax or problem.code in enabled.enabled]


def judge_url(
    text: str, spec: "Spec", rules: "Collection[Rule]", template: bool = False, delimited: bool = False
) -> tuple[Problem, ...]:
    """Return the problems that `rules` report for a URL, in order of position."""
    from urlscan.uri.url import split

    url = split(text, spec.profile)
    skipped = template and _template_components(url, delimited)
    allowed = bool(spec.hosts) and url.host is not None and is_listed(url.host, spec.hosts)
    # Each finding shows the URL: without a limit the output would grow with the square of the URL's length.
    max_problems = max(10, min(200, 100_000 // max(len(text), 1)))
    by_code: dict[str, list[Problem]] = {}
    for rule in rules:
        if rule.check is None or (allowed and rule.skips_allowed_hosts):
            continue
        problems: Iterable[Problem] = rule.check(url, spec)
        if skipped and rule.skips_templates:
            problems = (problem for problem in problems if problem.component and problem.component not in skipped)
        for problem in islice(problems, max_problems):
            by_code.setdefault(rule.code, []).append(problem)
    reported = [
        problem
        for rule in rules
        for problem in by_code.get(rule.code, ())
        if by_code.keys().isdisjoint(rule.defers_to) or not _is_superseded(problem, rule, by_code)
    ]
    reported.sort(key=lambda problem: (problem.start, problem.end, problem.code))
    return tuple(reported)


def _is_superseded(problem: Problem, rule: "Rule", by_code: dict[str, list[Problem]]) -> bool:
    """Return whether a more specific rule reports the same span: one fault, one finding."""
    return any(
        other.start < problem.end
        and problem.start < other.end
        and other.syntax >= problem.syntax  # advice does not replace a syntax problem
        for code in rule.defers_to
        for other in by_code.get(code, ())
    )


def _template_components(url: "Url", delimited: bool) -> frozenset[str]:
    """Return the components that hold a placeholder or a part of one."""
    from urlscan.uri.grammar.templates import placeholder_spans

    components = set()
    for start, end in placeholder_spans(url.text, delimited=delimited):
        for component in ("scheme", "userinfo", "host", "port", "path", "query", "fragment"):
            span = url.span(component)
            if span is not None and span[0] < end and start < span[1]:
                components.add(component)
    return frozenset(components)
