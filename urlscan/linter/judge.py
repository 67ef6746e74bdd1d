"""Run the rules: which are on, and what they report of a URL."""

import functools
import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from urlscan.core.choices import Profile, ReferenceKind
from urlscan.core.lazy import lazy
from urlscan.core.record import Record
from urlscan.core.records import DELIMITED, Problem, Severity
from urlscan.core.settings import PROFILES, REFERENCE_KINDS, Settings, check_choice
from urlscan.linter.selection import enabled_entries, enabled_rules, resolve_severities
from urlscan.rules import REGISTRY, Entry, load
from urlscan.secrets import url_names_secret
from urlscan.uri.grammar.simple import is_simple, is_suspect

# A text in which every URL is fast-accepted needs no rule, so their modules are not loaded for it.
if TYPE_CHECKING:
    from urlscan.linter.reported import RuleProblem
    from urlscan.rules.base import Rule, Spec
    from urlscan.uri.url import Url


# How many distinct URLs are cached; the cache is cleared when it is full.
_REMEMBERED = 50_000
# Placeholders of f-strings, JavaScript and shells: "{number}", "${user.name}".
_NAMED = lazy(r"\$?\{[A-Za-z_][A-Za-z0-9_.]*\}")


class RuleSet:
    """The enabled rules, each loaded on first use, and a cache of their problems.

    Attributes:
        profile: the specification by which URLs are judged.
        schemes: private schemes.
        judged, templates, delimited: the problems by URL: of URLs without placeholders, of templates, and of templates
            between delimiters, where fewer characters count as placeholders.
    """

    def __init__(self, settings: Settings) -> None:
        self._chosen = enabled_entries(settings)
        self._settings = settings
        self._judging = [entry for entry in self._chosen if entry.checks_urls]
        self.profile = settings.profile
        self._needs = sorted({entry.needs for entry in self._judging})
        self._suspects: dict[tuple[bool, ...], list[Rule]] = {}
        self._in_text: dict[tuple[frozenset[str], bool], list[Rule]] = {}
        self.schemes = settings.schemes
        self.judged: dict[str, tuple[RuleProblem, ...]] = {}
        self.templates: dict[str, tuple[RuleProblem, ...]] = {}
        self.delimited: dict[str, tuple[RuleProblem, ...]] = {}

    @functools.cached_property
    def spec(self) -> "Spec":
        """The specification by which every URL is judged."""
        placeholders = frozenset(value.lower() for value in self._settings.placeholders)
        return check_spec(self._settings.profile, "uri-reference")._replace(
            schemes=self.schemes,
            hosts=self._settings.allowed_hosts,
            placeholders=placeholders,
            insecure_hosts=self._settings.insecure_hosts,
        )

    @functools.cached_property
    def severities(self) -> dict[str, Severity]:
        """The configured severities by code."""
        return resolve_severities(self._settings.severity)

    @functools.cached_property
    def always(self) -> "tuple[Rule, ...]":
        """The rules that check every URL."""
        return tuple(load(entry) for entry in self._chosen if entry.checks_fast_accepted)

    def suspects(self, url: str) -> "list[Rule]":
        """Return the rules that may report a URL that `ordinary` does not accept."""
        held = tuple([needs in url for needs in self._needs])
        rules = self._suspects.get(held)
        if rules is None:
            found = {needs for needs, is_held in zip(self._needs, held, strict=True) if is_held}
            rules = self._suspects[held] = [load(entry) for entry in self._judging if entry.needs in found]
        return rules

    def rules_for(self, url: str) -> "Sequence[Rule]":
        """Return the rules that may report a URL without placeholders."""
        if not _is_fast_accepted(url, self.profile):
            return self.suspects(url)
        return self._triggered(url) if _has_trigger(url) else self.always

    def _triggered(self, url: str) -> "list[Rule]":
        """Return the rules that may report a fast-accepted URL with a trigger."""
        return [
            load(entry)
            for entry in self._judging
            if entry.checks_fast_accepted or any(trigger in url for trigger in entry.triggers)
        ]

    @functools.cached_property
    def places(self) -> bool:
        """Whether a rule checks every occurrence."""
        return any(entry.checks_every_occurrence for entry in self._chosen)

    @property
    def continuations(self) -> bool:
        """Whether a rule needs to know if a bare URL continues in the next line."""
        return any(entry.needs_continuations for entry in self._chosen)

    def in_text(self, faults: frozenset[str], *, has_breaks: bool) -> "Sequence[Rule]":
        """Return the rules that may report the text around an occurrence with these faults."""
        rules = self._in_text.get((faults, has_breaks))
        if rules is None:
            entries = (
                entry
                for entry in self._chosen
                if entry.checks_every_occurrence
                or (entry.checks_breaks and has_breaks)
                or not faults.isdisjoint(entry.faults)
            )
            rules = self._in_text[faults, has_breaks] = [load(entry) for entry in entries]
        return rules

    @functools.cached_property
    def for_targets(self) -> dict[str, Entry]:
        """The entries of the rules that report the targets of references, by name."""
        return {entry.name: entry for entry in self._chosen if entry.checks_targets}


def check_spec(profile: Profile, kind: ReferenceKind) -> "Spec":
    """Return profile and kind as a Spec.

    Raises:
        ConfigError: one of them is unknown.
    """
    check_choice("profile", profile, PROFILES)
    check_choice("kind", kind, REFERENCE_KINDS)
    from urlscan.rules.base import Spec

    return Spec(profile, kind)


class RuleContext(Record):
    """The rules for a URL outside any text.

    Attributes:
        spec: profile and kind.
        rules: the enabled rules.
        always: the rules that check even those.
    """

    spec: "Spec"
    rules: "tuple[Rule, ...]"
    always: "tuple[Rule, ...]"


@functools.lru_cache(maxsize=64)
def rule_context(profile: Profile, kind: ReferenceKind, select: tuple[str, ...] | None) -> RuleContext:
    """Return the rules for a URL outside any text.

    Raises:
        ConfigError: unknown profile, kind or rule.
    """
    spec = check_spec(profile, kind)
    rules = enabled_rules(Settings(profile=profile, select=select))
    return RuleContext(spec, rules, tuple(rule for rule in rules if rule.checks_fast_accepted))


def problems(url: str, spec: "Spec", rules: "Iterable[Rule]") -> list[Problem]:
    """Return the problems that `rules` report for `url`, in order of position."""
    return [judged.problem for judged in _judge(url, spec, rules)]


@functools.cache
def _trigger_pattern() -> "re.Pattern[str]":
    return re.compile("|".join(re.escape(trigger) for entry in REGISTRY for trigger in entry.triggers))


def _is_plain(url: str, profile: str) -> bool:
    """Return whether a URL is fast-accepted and contains no trigger of a rule."""
    return not _has_trigger(url) and _is_fast_accepted(url, profile)


def _has_trigger(url: str) -> bool:
    # Each trigger contains one of these three strings; most URLs contain none.
    return ("=" in url or ";" in url or "--" in url) and _trigger_pattern().search(url) is not None


def _is_fast_accepted(url: str, profile: str) -> bool:
    """Return whether only rules with `checks_fast_accepted`, or with a trigger in the URL, can report a URL."""
    return (is_simple(url, profile) or _is_ordinary(url, profile)) and not url_names_secret(url)


def _is_ordinary(url: str, profile: str) -> bool:
    """Return whether the fast check accepts a URL; its pattern takes 3 ms to compile."""
    if is_suspect(url):
        return False
    from urlscan.uri.grammar.ordinary import ordinary

    return ordinary(profile).fullmatch(url) is not None


def _is_plain_template(url: str, profile: str, delimited: bool) -> bool:
    """Return whether a URL is fast-accepted once names replace its placeholders, which must be names in braces."""
    from urlscan.uri.grammar.templates import placeholder_spans

    pieces, done = list[str](), 0
    for start, end in placeholder_spans(url, delimited=delimited):
        if _NAMED.fullmatch(url, start, end) is None:
            return False
        pieces += url[done:start], "x"
        done = end
    return _is_plain("".join((*pieces, url[done:])), profile)


def problems_if_plain(url: str, rule_context: RuleContext) -> list[Problem] | None:
    """Return the problems of a fast-accepted URL, mostly none; None if the URL must be judged by all rules."""
    spec = rule_context.spec
    # The fast check accepts references. The other kinds restrict the scheme and the fragment.
    if not (spec.kind.endswith("reference") and _is_plain(url, spec.profile)):
        return None
    return problems(url, spec, rule_context.always) if rule_context.always else []


def diagnosis(url: str, profile: Profile, kind: ReferenceKind) -> list[Problem]:
    """Return the problems that the enabled rules report for `url`, and the syntax problems of all other rules.

    A disabled rule gives no advice, but an invalid URL always has a reason.

    Raises:
        ConfigError: unknown profile or kind.
    """
    own = rule_context(profile, kind, None)
    if (plain := problems_if_plain(url, own)) is not None:
        return plain
    from urlscan.uri.schemes import accepts

    if accepts(url, profile, kind):
        return problems(url, own.spec, own.rules)
    on = {rule.code for rule in own.rules}
    every = rule_context(profile, kind, ("ALL",))
    return [p for p in problems(url, every.spec, every.rules) if p.syntax or p.code in on]


def _judge(
    text: str, spec: "Spec", rules: "Iterable[Rule]", template: bool = False, delimited: bool = False
) -> "tuple[RuleProblem, ...]":
    from urlscan.linter.reported import RuleProblem
    from urlscan.uri.url import split

    url = split(text, spec.profile)
    skipped = _template_components(url, delimited) if template else frozenset()
    allowed = bool(spec.hosts) and url.host is not None and spec.allows(url.host)
    # Each finding shows the URL: without a limit the output would grow with the square of the URL's length.
    max_problems = max(10, min(200, 100_000 // max(len(text), 1)))
    found = []
    for rule in rules:
        if rule.check is None or (allowed and rule.skips_allowed_hosts):
            continue
        problems: Iterable[Problem] = rule.check(url, spec)
        if skipped and rule.skips_templates:
            problems = (problem for problem in problems if problem.component and problem.component not in skipped)
        for problem in islice(problems, max_problems):
            found.append(RuleProblem(problem, rule.fix(url, problem) if rule.fix else None, rule))
    found = _most_specific(found)
    found.sort(key=lambda judged: (judged.problem.start, judged.problem.end, judged.problem.code))
    return tuple(found)


def _most_specific(found: "list[RuleProblem]") -> "list[RuleProblem]":
    """Return the problems without those for which a more specific rule reports the same span."""
    if not any(judged.rule.defers_to for judged in found):
        return found
    by_code: dict[str, list[Problem]] = {}
    for judged in found:
        by_code.setdefault(judged.problem.code, []).append(judged.problem)
    return [judged for judged in found if not _is_superseded(judged, by_code)]


def _is_superseded(judged: "RuleProblem", by_code: dict[str, list[Problem]]) -> bool:
    """Return whether a more specific rule reports the same span: one fault, one finding."""
    problem = judged.problem
    return any(
        other.start < problem.end
        and problem.start < other.end
        and other.syntax >= problem.syntax  # advice does not replace a syntax problem
        for code in judged.rule.defers_to
        for other in by_code.get(code, ())
    )


def _template_components(url: "Url", delimited: bool) -> frozenset[str]:
    """Return the components that hold a placeholder or a part of one."""
    from urlscan.uri.grammar.templates import placeholder_spans

    found = set()
    for start, end in placeholder_spans(url.text, delimited=delimited):
        for component in ("scheme", "userinfo", "host", "port", "path", "query", "fragment"):
            span = url.span(component)
            if span is not None and span[0] < end and start < span[1]:
                found.add(component)
    return frozenset(found)


rule_set_for = functools.lru_cache(maxsize=16)(RuleSet)


def judge_once(rule_set: RuleSet, url: str, template: bool, style: str = "bare") -> "tuple[RuleProblem, ...]":
    """Return the problems of a URL from the cache, or judge it."""
    delimited = template and style in DELIMITED
    known = rule_set.delimited if delimited else rule_set.templates if template else rule_set.judged
    if (problems := known.get(url)) is not None:
        return problems
    if not template:
        rules = rule_set.rules_for(url)
    else:
        is_plain = _is_plain_template(url, rule_set.profile, delimited)
        rules = rule_set.always if is_plain else rule_set.suspects(url)
    problems = _judge(url, rule_set.spec, rules, template, delimited) if rules else ()
    if len(known) >= _REMEMBERED:
        known.clear()
    known[url] = problems
    return problems
