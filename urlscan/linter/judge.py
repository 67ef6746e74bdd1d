"""Run the rules: which are on, and what they report of a URL."""

import functools
from collections.abc import Collection, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from urlscan.core.choices import Profile, ReferenceKind
from urlscan.core.records import DELIMITED, Problem
from urlscan.core.secrets import url_may_hold_secret
from urlscan.core.settings import PROFILES, REFERENCE_KINDS, Settings, check_choice
from urlscan.data.schemes import REGISTERED
from urlscan.linter.selection import enabled_entries, is_excluded, parse_exclusion, resolve_severities
from urlscan.rules import load
from urlscan.uri.grammar.simple import PLAIN_PROFILES, is_simple

# A text of plain URLs needs no rule, so their modules are not loaded for it.
if TYPE_CHECKING:
    from urlscan.core.records import Finding
    from urlscan.rules.base import Rule, Spec
    from urlscan.uri.url import Url

# Registered schemes with authorities that are no host and port: an identifier ("at://did:plc:x/"), and a URI with
# commas in place of its slashes ("pack://application:,,,/").
_SPECIAL_AUTHORITIES = ("at", "pack")
# The first digits of rules whose severity is the same everywhere: secrets, deception, and targets, which have excuses.
KEPT_SEVERITIES = "379"
# How many distinct URLs are cached; the cache is cleared when it is full.
_MOST_CACHED = 50_000


class RuleSet:
    """The enabled rules, each loaded when a URL needs it, and a cache of their problems by URL.

    Attributes:
        profile: the specification by which URLs are judged.
        enabled: the codes and the names of the rules.
        about_targets: the names of those about the targets of relative references, and about labels.
        severities: the configured severities by code.
        checks_every_occurrence: whether a rule checks the text around every occurrence.
        judged: the problems of URLs without placeholders. For templates the key is a pair of the URL and whether
            delimiters surround it, where fewer characters count as placeholders.

    Args:
        kind: what a string is judged as.
    """

    def __init__(self, settings: Settings, kind: ReferenceKind = "uri-reference") -> None:
        check_choice("kind", kind, REFERENCE_KINDS)
        self._entries = enabled_entries(settings)
        self._settings = settings
        self._exclusions = tuple(map(parse_exclusion, settings.exclude_urls))
        self._kind = kind
        self.profile = settings.profile
        self.enabled = frozenset(key for entry in self._entries for key in (entry.code, entry.name))
        self.about_targets = frozenset(entry.name for entry in self._entries if entry.code.startswith(("U91", "U92")))
        self._optional = tuple(entry for entry in self._entries if not entry.default)
        # Older specifications, and kinds that restrict the scheme or the fragment, reject what the fast check accepts.
        self._is_current = self.profile in PLAIN_PROFILES and kind.endswith("reference")
        self.severities = resolve_severities(settings.severity)
        self.checks_every_occurrence = any(load(entry.code).checks_every_occurrence for entry in self._optional)
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

    def without_excluded(self, findings: "list[Finding]") -> "list[Finding]":
        """Return the findings without those about excluded URLs."""
        if not self._exclusions:
            return findings
        return [finding for finding in findings if not is_excluded(finding.url, finding.code, self._exclusions)]

    @property
    def url_rules(self) -> "list[Rule]":
        """The enabled rules that check URLs."""
        return [load(entry.code) for entry in self._entries if entry.needs is not None]

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
        """Return the problems of a URL, from the cache if it was judged before.

        Args:
            style: how the text delimits it.
        """
        delimited = style in DELIMITED
        key = (url, delimited) if template else url
        problems = self.judged.get(key)
        if problems is not None:
            return problems
        if not self._is_current:
            rules = self.url_rules
        else:
            entries = self._optional if not template and self.is_plain(url) else self._entries
            rules = [load(entry.code) for entry in entries if entry.needs is not None and entry.needs.search(url)]
        problems = judge_url(url, self.spec, rules, template, delimited) if rules else ()
        if len(self.judged) >= _MOST_CACHED:
            self.judged.clear()
        self.judged[key] = problems
        return problems


rule_set_for = functools.lru_cache(maxsize=64)(RuleSet)


@functools.lru_cache(maxsize=64)
def rule_set_of(profile: Profile, kind: ReferenceKind, select: tuple[str, ...] | None = None) -> RuleSet:
    """Return the rules for single URLs; raise ConfigError for an unknown profile, kind or rule."""
    return rule_set_for(Settings(profile=profile, select=select), kind)


def check_spec(profile: Profile, kind: ReferenceKind) -> "Spec":
    """Return profile and kind as a Spec.

    Raises:
        ConfigError: one of them is unknown.
    """
    check_choice("profile", profile, PROFILES)
    check_choice("kind", kind, REFERENCE_KINDS)
    from urlscan.rules.base import Spec

    return Spec(profile, kind)


def diagnosis(url: str, profile: Profile, kind: ReferenceKind) -> list[Problem]:
    """Return the problems that the enabled rules report for `url`, and the syntax problems of all other rules.

    A disabled rule gives no advice, but an invalid URL always has a reason.

    Raises:
        ConfigError: unknown profile or kind.
    """
    enabled = rule_set_of(profile, kind)
    problems = list(enabled.judge(url))
    if enabled.is_plain(url):
        return problems
    from urlscan.uri.schemes import accepts

    if accepts(url, profile, kind):
        return problems
    every = rule_set_of(profile, kind, ("ALL",))
    return [problem for problem in every.judge(url) if problem.syntax or problem.code in enabled.enabled]


def judge_url(
    text: str, spec: "Spec", rules: "Collection[Rule]", template: bool = False, delimited: bool = False
) -> tuple[Problem, ...]:
    """Return the problems that `rules` report for a URL, in order of position."""
    from urlscan.uri.url import split

    url = split(text, spec.profile)
    skipped = template and _template_components(url, delimited)
    allowed = bool(spec.hosts) and url.host is not None and spec.allows(url.host)
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
