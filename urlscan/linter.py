"""Run the enabled rules on URLs and locate their problems in the source."""

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from urlscan.data.schemes import REGISTERED
from urlscan.finder import Scanned
from urlscan.finder.local import Local
from urlscan.finder.wanted import Wanted
from urlscan.grammar.ordinary import ordinary
from urlscan.model import DELIMITED, Edit, Finding, Fix, Occurrence, Problem, Severity, in_text
from urlscan.patterns import lazy
from urlscan.redact import url_names_secret
from urlscan.rules import REGISTRY, entry_of, load
from urlscan.rules.selection import enabled_entries, enabled_rules, resolve_severities
from urlscan.schemes import accepts
from urlscan.settings import PROFILES, REFERENCE_KINDS, Settings, check_choice
from urlscan.text import Segment

# A text in which every URL is fast-accepted needs no rule, so their modules are not loaded for it.
if TYPE_CHECKING:
    from urlscan.rules.base import Rule, Spec, TextProblem
    from urlscan.rules.reported import RuleProblem
    from urlscan.url import Url

# How many distinct URLs are cached; the cache is cleared when it is full.
_REMEMBERED = 50_000
# Placeholders of f-strings, JavaScript and shells: "{number}", "${user.name}".
_NAMED = lazy(r"\$?\{[A-Za-z_][A-Za-z0-9_.]*\}")


class RuleSet:
    """The enabled rules, each loaded on first use, and a cache of their problems.

    Attributes:
        ordinary: the pattern of fast-accepted URLs.
        schemes: private schemes.
        judged, templates, delimited: the problems by URL: of URLs without placeholders, of templates, and of templates
            between delimiters, where fewer characters count as placeholders.
    """

    def __init__(self, settings: Settings) -> None:
        self._chosen = enabled_entries(settings)
        self._settings = settings
        self._judging = [entry for entry in self._chosen if entry.checks_urls]
        self.schemes = settings.schemes
        self.ordinary = ordinary(settings.profile)
        self.judged: dict[str, tuple[RuleProblem, ...]] = {}
        self.templates: dict[str, tuple[RuleProblem, ...]] = {}
        self.delimited: dict[str, tuple[RuleProblem, ...]] = {}

    @functools.cached_property
    def spec(self) -> "Spec":
        """The specification by which every URL is judged."""
        placeholders = frozenset(value.lower() for value in self._settings.placeholders)
        return check_spec(self._settings.profile, "uri-reference")._replace(
            schemes=self.schemes, hosts=self._settings.allowed_hosts, placeholders=placeholders
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
        return [load(entry) for entry in self._judging if entry.needs in url]

    @functools.cached_property
    def places(self) -> bool:
        """Whether a rule checks every occurrence."""
        return any(entry.checks_every_occurrence for entry in self._chosen)

    @property
    def continuations(self) -> bool:
        """Whether a rule needs to know if a bare URL continues in the next line."""
        return any(entry.needs_continuations for entry in self._chosen)

    @functools.cached_property
    def in_text(self) -> "tuple[Rule, ...]":
        """The rules that check occurrences with breaks or faults."""
        return tuple(load(entry) for entry in self._chosen if entry.checks_text)


# --- rules and specification


def check_spec(profile: str, kind: str) -> "Spec":
    """Return profile and kind as a Spec.

    Raises:
        ConfigError: one of them is unknown.
    """
    check_choice("profile", profile, PROFILES)
    check_choice("kind", kind, REFERENCE_KINDS)
    from urlscan.rules.base import Spec

    return Spec(profile, kind)


class RuleContext(NamedTuple):
    """The rules for a URL outside any text.

    Attributes:
        spec: profile and kind.
        rules: the enabled rules.
        ordinary: the pattern of fast-accepted URLs.
        always: the rules that check even those.
    """

    spec: "Spec"
    rules: "tuple[Rule, ...]"
    ordinary: re.Pattern[str]
    always: "tuple[Rule, ...]"


@functools.lru_cache(maxsize=64)
def rule_context(profile: str, kind: str, select: tuple[str, ...] | None) -> RuleContext:
    """Return the rules for a URL outside any text.

    Raises:
        ConfigError: unknown profile, kind or rule.
    """
    spec = check_spec(profile, kind)
    rules = enabled_rules(Settings(profile=profile, select=select))
    # The pattern accepts references. The other kinds restrict the scheme and the fragment.
    plain = ordinary(profile) if kind.endswith("reference") else re.compile("(?!)")
    return RuleContext(spec, rules, plain, tuple(rule for rule in rules if rule.checks_fast_accepted))


# --- one URL


def problems(url: str, spec: "Spec", rules: "Iterable[Rule]") -> list[Problem]:
    """Return the problems that `rules` report for `url`, in order of position."""
    return [judged.problem for judged in _judge(url, spec, rules)]


@functools.cache
def _trigger_pattern() -> "re.Pattern[str]":
    return re.compile("|".join(re.escape(trigger) for entry in REGISTRY for trigger in entry.triggers))


def _is_plain(url: str, ordinary: re.Pattern[str]) -> bool:
    """Return whether a URL is fast-accepted and contains no marker that a rule checks in addition."""
    # Each marker contains one of these three strings; most URLs contain none.
    triggered = ("=" in url or ";" in url or "--" in url) and _trigger_pattern().search(url) is not None
    return ordinary.fullmatch(url) is not None and not triggered and not url_names_secret(url)


def _is_plain_template(url: str, ordinary: re.Pattern[str], delimited: bool) -> bool:
    """Return whether a URL is fast-accepted once names replace its placeholders, which must be names in braces."""
    from urlscan.grammar.templates import placeholder_spans

    pieces, done = list[str](), 0
    for start, end in placeholder_spans(url, delimited=delimited):
        if _NAMED.fullmatch(url, start, end) is None:
            return False
        pieces += url[done:start], "x"
        done = end
    return _is_plain("".join((*pieces, url[done:])), ordinary)


def problems_if_plain(url: str, rule_context: RuleContext) -> list[Problem] | None:
    """Return the problems of a fast-accepted URL, mostly none; None if the URL must be judged by all rules."""
    if not _is_plain(url, rule_context.ordinary):
        return None
    return problems(url, rule_context.spec, rule_context.always) if rule_context.always else []


def diagnosis(url: str, profile: str, kind: str) -> list[Problem]:
    """Return the problems that the enabled rules report for `url`, and the syntax problems of all other rules.

    A disabled rule gives no advice, but an invalid URL always has a reason.

    Raises:
        ConfigError: unknown profile or kind.
    """
    own = rule_context(profile, kind, None)
    if (plain := problems_if_plain(url, own)) is not None:
        return plain
    if accepts(url, profile, kind):
        return problems(url, own.spec, own.rules)
    on = {rule.code for rule in own.rules}
    every = rule_context(profile, kind, ("ALL",))
    return [p for p in problems(url, every.spec, every.rules) if p.syntax or p.code in on]


def _judge(
    text: str, spec: "Spec", rules: "Iterable[Rule]", template: bool = False, delimited: bool = False
) -> "tuple[RuleProblem, ...]":
    from urlscan.rules.reported import RuleProblem
    from urlscan.url import split

    url = split(text, spec.profile)
    skipped = _template_components(url, delimited) if template else frozenset()
    allowed = bool(spec.hosts) and url.host is not None and spec.allows(url.host)
    # Each finding shows the URL: without a limit the output would grow with the square of the URL's length.
    most = max(10, min(200, 100_000 // max(len(text), 1)))
    found = []
    for rule in rules:
        if rule.check is None or (allowed and rule.skips_allowed_hosts):
            continue
        problems: Iterable[Problem] = rule.check(url, spec)
        if skipped and rule.skips_templates:
            problems = (problem for problem in problems if problem.component and problem.component not in skipped)
        for problem in islice(problems, most):
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
    from urlscan.grammar.templates import placeholder_spans

    found = set()
    for start, end in placeholder_spans(url.text, delimited=delimited):
        for component in ("scheme", "userinfo", "host", "port", "path", "query", "fragment"):
            span = url.span(component)
            if span is not None and span[0] < end and start < span[1]:
                found.add(component)
    return frozenset(found)


_rule_set = functools.lru_cache(maxsize=16)(RuleSet)


def _judged(rule_set: RuleSet, url: str, template: bool, style: str = "bare") -> "tuple[RuleProblem, ...]":
    """Return the problems of a URL from the cache, or judge it."""
    delimited = template and style in DELIMITED
    known = rule_set.delimited if delimited else rule_set.templates if template else rule_set.judged
    if (problems := known.get(url)) is not None:
        return problems
    is_plain = _is_plain_template(url, rule_set.ordinary, delimited) if template else _is_plain(url, rule_set.ordinary)
    rules = rule_set.always if is_plain else rule_set.suspects(url)
    problems = _judge(url, rule_set.spec, rules, template, delimited) if rules else ()
    if len(known) >= _REMEMBERED:
        known.clear()
    known[url] = problems
    return problems


# --- the URLs of a text


def findings(
    segment: Segment, occurrences: Iterable[Occurrence], settings: Settings, path: str = "-"
) -> Iterator[Finding]:
    """Yield the findings of each occurrence, in order of position.

    Offsets and edits are in units of the segment's source. `url` is not masked; the message holds no secret.
    """
    return findings_of(segment, ((0, occurrence) for occurrence in occurrences), settings, path)


def wanted(kind: str, settings: Settings) -> Wanted:
    """Return what the rules need to find in a text of a kind; continued URLs matter only in plain text and mail."""
    continuations = kind in ("plain", "mail") and _rule_set(settings).continuations
    return Wanted(
        relative=True, look_alikes=True, continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes
    )


def findings_of(segment: Segment, scanned: Iterable[Scanned], settings: Settings, path: str = "-") -> Iterator[Finding]:
    """Yield the findings for what `finder.scan` yields; occurrences without findings become no records."""
    rule_set = _rule_set(settings)
    known = rule_set.judged
    for colon, found in scanned:
        if isinstance(found, Local):  # it has no breaks, faults or placeholders
            judged = known.get(found.url)
            if judged is None:
                judged = _judged(rule_set, found.url, template=False)
            if not judged and not rule_set.places:
                continue
            occurrence = found.occurrence(colon)
        else:
            occurrence = found
            judged = _judged(rule_set, found.url, found.template, found.style)
            if not (judged or found.breaks or found.faults or rule_set.places):
                continue
        if (
            judged
            and occurrence.scheme
            and not (occurrence.scheme in REGISTERED or occurrence.scheme in rule_set.schemes)
        ):
            judged = tuple(one for one in judged if not one.rule.skips_unknown_schemes)
        yield from _findings_of(rule_set, segment, occurrence, judged, path)


def _findings_of(
    rule_set: RuleSet, segment: Segment, occurrence: Occurrence, judged: "tuple[RuleProblem, ...]", path: str
) -> list[Finding]:
    from urlscan.rules.reported import problems_in_pattern, reported_problems

    if (judged or occurrence.faults) and _is_pattern(segment, occurrence):
        judged, occurrence = problems_in_pattern(judged), occurrence._replace(faults=())
    context = segment.context(occurrence.start, occurrence.end)
    occurrence = occurrence._replace(context=context)
    left = reported_problems(segment, occurrence, judged) if judged else []
    fixes = _applicable(rule_set, segment, occurrence, [one.fix for one in left])
    found = [
        _from_problem(rule_set, segment, occurrence, one._replace(fix=fix), path)
        for one, fix in zip(left, fixes, strict=True)
    ]
    if occurrence.breaks or occurrence.faults or rule_set.places:
        faults = {fault.name for fault in occurrence.faults}
        for rule in rule_set.in_text:
            if rule.check_text is None or context not in rule.contexts:
                continue
            if faults.isdisjoint(rule.defers_to_faults):
                for problem in rule.check_text(occurrence, segment):
                    found.append(_from_text(rule_set, segment, occurrence, rule, problem, path))
    found.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return found


def _applicable(
    rule_set: RuleSet, segment: Segment, occurrence: Occurrence, fixes: list[Fix | None]
) -> list[Fix | None]:
    """Return the fixes that are applicable to this occurrence."""
    if not any(fixes):
        return fixes
    from urlscan.rules.applicability import applicable_fixes

    return applicable_fixes(fixes, occurrence, segment, rule_set.spec.profile)


def _is_pattern(segment: Segment, occurrence: Occurrence) -> bool:
    """Return whether the URL is part of a regular expression or a glob, whose characters are not judged."""
    from urlscan.grammar.templates import looks_like_pattern

    text = segment.text if occurrence.style == "markup" else segment.prose
    return looks_like_pattern(text, occurrence.start, occurrence.end, delimited=occurrence.style in DELIMITED)


def _from_problem(
    rule_set: RuleSet, segment: Segment, occurrence: Occurrence, judged: "RuleProblem", path: str
) -> Finding:
    problem = judged.problem
    severity = rule_set.severities.get(problem.code, problem.severity)
    head = (problem.code, problem.name, severity)
    place = in_text(occurrence, problem.start, problem.end)
    return _finding(segment, occurrence, path, head, problem, place, _url_fix(segment, occurrence, judged.fix))


def _from_text(
    rule_set: RuleSet, segment: Segment, occurrence: Occurrence, rule: "Rule", problem: "TextProblem", path: str
) -> Finding:
    severity = rule.severity if problem.severity is None else problem.severity
    head = (rule.code, rule.name, rule_set.severities.get(rule.code, severity))
    place = (problem.start, problem.end)
    fix = problem.fix
    if fix is not None and occurrence.context != "link":
        fix = fix._replace(applicability="unsafe")
    return _finding(segment, occurrence, path, head, problem, place, _source_fix(segment, occurrence, fix))


def _finding(
    segment: Segment,
    occurrence: Occurrence,
    path: str,
    head: tuple[str, str, Severity],
    problem: "Problem | TextProblem",
    place: tuple[int, int],
    fix: Fix | None,
) -> Finding:
    """Return a finding at a span of the text; `head` is its code, name and severity."""
    location = segment.locate(*place)
    if segment.origin is not None:
        fix = None  # mail may be signed and is not edited
    return Finding(
        *head,
        problem.message,
        occurrence.url,
        path,
        *location,
        component=problem.component,
        section=problem.section,
        suggestion=problem.suggestion,
        fix=None if segment.packed else fix,  # archives are not edited
        member=segment.member,
        mail=segment.origin.mail(location.start) if segment.origin is not None else None,
        shown=segment.to_document(*place) if segment.origin is not None else None,
        context=occurrence.context,
    )


def unused_suppressions(
    segment: Segment, unused: Iterable[tuple[tuple[int, int], str, str]], settings: Settings, path: str
) -> list[Finding]:
    """Return the findings about unused and malformed suppression comments.

    Args:
        segment: the text that holds them.
        unused: the span of each in the document, the rule that it names or "", and why it is malformed or "".
        settings: the settings; a disabled rule does not make its comment unused.
        path: the name of the source.
    """
    entries = enabled_entries(settings)
    on = next((entry for entry in entries if entry.reports_suppressions), None)
    found: list[Finding] = []
    for place, name, why in unused if on is not None else ():
        entry = entry_of(name)
        if on is None or (entry is not None and entry not in entries):
            continue
        if name and not any(map(str.isalnum, name)):  # "ignore[...]" in prose about suppression comments
            continue
        rule = load(on)
        what = why or (f"{name} is not reported here" if entry is not None else f'unknown rule "{name}"')
        if entry is None and re.fullmatch("ALL|U[0-9]{0,2}", name):
            what = f'"{name}" selects several rules; name each of them'
        line, column = segment.lines.position(place[0])
        end_line, end_column = segment.lines.position(place[1])
        found.append(
            Finding(
                rule.code,
                rule.name,
                _rule_set(settings).severities.get(rule.code, rule.severity),
                f"unused suppression comment: {what}",
                "",
                path,
                line,
                column,
                end_line,
                end_column,
                *segment.map.to_source(*place),
                member=segment.member,
            )
        )
    return found


# --- from the URL to the text and to the source


def _url_fix(segment: Segment, occurrence: Occurrence, fix: Fix | None) -> Fix | None:
    """Return the fix in units of the source; None if an edit would cover a break."""
    if fix is None:
        return None
    edits = []
    for edit in fix.edits:
        start, end = in_text(occurrence, edit.start, edit.end)
        if end - start != edit.end - edit.start:
            return None
        edits.append(Edit(start, end, edit.text))
    return _source_fix(segment, occurrence, Fix(fix.applicability, tuple(edits)))


def _source_fix(segment: Segment, occurrence: Occurrence, fix: Fix | None) -> Fix | None:
    """Return the fix as the source writes it; None if it cannot."""
    if fix is None:
        return None
    edits: list[Edit] = []
    for edit in fix.edits:
        # Text inserted after the URL has the syntactic context of its last character.
        at = edit.start - (edit.start == edit.end > occurrence.start)
        written = segment.edits(*edit, at)
        if written is None or (edits and written[0][0] < edits[-1].end):
            return None
        edits += (Edit(*one) for one in written)
    return Fix(fix.applicability, tuple(edits), fix.edits)
