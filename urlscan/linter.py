"""Run the rules: which are on, what they say of a URL, and where that stands in a source."""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.data.schemes import REGISTERED
from urlscan.errors import ConfigError
from urlscan.grammar.generic import ordinary
from urlscan.grammar.placeholders import placeholder_spans
from urlscan.model import Edit, Finding, Fix, Occurrence, Problem, Severity
from urlscan.rules import REGISTRY, Entry, load
from urlscan.rules.base import Rule, Spec
from urlscan.settings import PROFILES, REFERENCE_KINDS, Settings
from urlscan.text import Segment
from urlscan.url import Url, split

# Distinct URLs whose judgement is remembered; then all are forgotten, so that memory stays bounded.
_REMEMBERED = 50_000


class Judged(NamedTuple):
    """A problem and the edits that mend it, in characters of the URL."""

    problem: Problem
    fix: Fix | None
    rule: Rule


class Bench(NamedTuple):
    """The rules of a run, sorted by what they ask for, and what has been judged.

    Attributes:
        spec: what every URL is judged by.
        always: rules for every URL.
        suspects: rules for the URLs that `ordinary` does not accept.
        in_text: rules for occurrences with breaks or faults.
        ordinary: accepts the plainly good URL.
        judged, templates: what was said of each URL, and of each that holds placeholders.
    """

    spec: Spec
    always: tuple[Rule, ...]
    suspects: tuple[Rule, ...]
    in_text: tuple[Rule, ...]
    ordinary: re.Pattern[str]
    judged: dict[str, tuple[Judged, ...]]
    templates: dict[str, tuple[Judged, ...]]


# --- which rules are on


def enabled(settings: Settings) -> tuple[Rule, ...]:
    """Return the rules that are on, in the order of their codes, as ruff chooses them.

    `select` replaces the default set and the profile's, `extend_select` adds, `ignore` comes last.
    Each takes codes, names, prefixes of codes (`U`, `U1`) and `ALL`.

    Raises:
        ConfigError: a selector that fits no rule, or an unknown profile.

    >>> [rule.code for rule in enabled(Settings(select=("U1",), ignore=("space-in-url", "U10")))]
    []
    """
    return tuple(load(entry) for entry in _chosen(settings))


@functools.lru_cache(maxsize=64)
def _chosen(settings: Settings) -> tuple[Entry, ...]:
    check_choice("profile", settings.profile, PROFILES)
    if settings.select is None:
        chosen = {entry for entry in REGISTRY if entry.default or settings.profile in entry.profiles}
    else:
        chosen = _selected(settings.select)
    chosen |= _selected(settings.extend_select)
    chosen -= _selected(settings.ignore)
    return tuple(entry for entry in REGISTRY if entry in chosen)


def _selected(selectors: Iterable[str]) -> set[Entry]:
    return {entry for selector in selectors for entry in _matches(selector)}


def _matches(selector: str) -> list[Entry]:
    if selector == "ALL":
        return list(REGISTRY)
    is_prefix = re.fullmatch("U[0-9]{0,3}", selector) is not None
    found = [e for e in REGISTRY if selector == e.name or (is_prefix and e.code.startswith(selector))]
    if not found:
        known = ["ALL", *(e.code[:2] for e in REGISTRY), *(e.code for e in REGISTRY), *(e.name for e in REGISTRY)]
        raise ConfigError(f'no rule is called "{selector}"', hint=_did_you_mean(selector, known))
    return found


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    import difflib

    known = list(known)
    by_upper = {name.upper(): name for name in known}
    near = difflib.get_close_matches(word.upper(), by_upper, n=1, cutoff=0.6)
    if near:
        return f"did you mean {by_upper[near[0]]}?"
    return "`urlscan rules` lists them"


def check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise ConfigError, naming the choices, unless `value` is one of them."""
    if value not in choices:
        raise ConfigError(f'there is no {what} "{value}"', hint=f"choose one of {', '.join(choices)}")


def check_spec(profile: str, kind: str) -> Spec:
    """Return profile and kind as a Spec.

    Raises:
        ConfigError: one of them is unknown.
    """
    check_choice("profile", profile, PROFILES)
    check_choice("kind", kind, REFERENCE_KINDS)
    return Spec(profile, kind)


# --- one URL


def problems(url: str, spec: Spec, rules: Iterable[Rule]) -> list[Problem]:
    """Return what `rules` say of `url`, in order of position."""
    return [judged.problem for judged in _judge(split(url), spec, rules)]


def _judge(url: Url, spec: Spec, rules: Iterable[Rule], template: bool = False) -> tuple[Judged, ...]:
    silent = _template_components(url) if template else frozenset()
    found = []
    for rule in rules:
        if rule.check is None:
            continue
        for problem in rule.check(url, spec):
            if silent and rule.quiet_in_templates and (problem.component in silent or not problem.component):
                continue
            found.append(Judged(problem, rule.fix(url, problem) if rule.fix else None, rule))
    found.sort(key=lambda judged: (judged.problem.start, judged.problem.end, judged.problem.code))
    return tuple(found)


def _template_components(url: Url) -> frozenset[str]:
    """Return the components that hold a placeholder, or a piece of one."""
    silent = set()
    for start, end in placeholder_spans(url.text):
        for component in ("scheme", "userinfo", "host", "port", "path", "query", "fragment"):
            span = url.span(component)
            if span is not None and span[0] < end and start < span[1]:
                silent.add(component)
    return frozenset(silent)


@functools.lru_cache(maxsize=16)
def _bench(settings: Settings) -> Bench:
    rules = enabled(settings)
    on_urls = [rule for rule in rules if rule.check is not None]
    return Bench(
        spec=Spec(settings.profile, "uri-reference"),
        always=tuple(rule for rule in on_urls if rule.judges_ordinary),
        suspects=tuple(on_urls),
        in_text=tuple(rule for rule in rules if rule.check_text is not None),
        ordinary=ordinary(settings.profile),
        judged={},
        templates={},
    )


def _judged(bench: Bench, url: str, template: bool) -> tuple[Judged, ...]:
    """Judge a URL, once."""
    known = bench.templates if template else bench.judged
    if (said := known.get(url)) is not None:
        return said
    rules = bench.always if bench.ordinary.fullmatch(url) else bench.suspects
    said = _judge(split(url), bench.spec, rules, template) if rules else ()
    if len(known) >= _REMEMBERED:
        known.clear()
    known[url] = said
    return said


# --- the URLs of a text


def findings(
    segment: Segment, occurrences: Iterable[Occurrence], settings: Settings, path: str = "-"
) -> Iterator[Finding]:
    """Yield what is wrong with each occurrence, in order of position.

    Offsets and edits are in units of the segment's source.  `url` is as it was found; the message
    holds no secret.
    """
    bench = _bench(settings)
    for occurrence in occurrences:
        judged = _judged(bench, occurrence.url, occurrence.template)
        if judged and occurrence.scheme not in REGISTERED:
            judged = tuple(one for one in judged if not one.rule.quiet_for_unknown_schemes)
        if judged or occurrence.breaks or occurrence.faults:
            yield from _findings_of(bench, segment, occurrence, judged, path)


def _findings_of(
    bench: Bench, segment: Segment, occurrence: Occurrence, judged: tuple[Judged, ...], path: str
) -> list[Finding]:
    found = [_from_problem(segment, occurrence, one, path) for one in judged if not _said_by_fault(occurrence, one)]
    if occurrence.breaks or occurrence.faults:
        for rule in bench.in_text:
            found += _from_text(segment, occurrence, rule, path)
    found.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return found


def _said_by_fault(occurrence: Occurrence, judged: Judged) -> bool:
    """Whether a fault of the text around says better what the problem says: one fault, one finding."""
    if not judged.rule.quiet_at_faults or not occurrence.faults:
        return False
    start, end = in_text(occurrence, judged.problem.start, judged.problem.end)
    names = judged.rule.quiet_at_faults
    return any(f.name in names and start <= f.end and f.start <= end for f in occurrence.faults)


def _from_problem(segment: Segment, occurrence: Occurrence, judged: Judged, path: str) -> Finding:
    problem = judged.problem
    start, end = in_text(occurrence, problem.start, problem.end)
    return Finding(
        problem.code,
        problem.name,
        problem.severity,
        problem.message,
        occurrence.url,
        path,
        *segment.locate(start, end),
        component=problem.component,
        section=problem.section,
        suggestion=problem.suggestion,
        fix=_url_fix(segment, occurrence, judged.fix),
    )


def _from_text(segment: Segment, occurrence: Occurrence, rule: Rule, path: str) -> Iterator[Finding]:
    assert rule.check_text is not None  # noqa: S101 - that is why it is here
    faults = {fault.name for fault in occurrence.faults}
    if faults.intersection(rule.quiet_at_faults):
        return
    for problem in rule.check_text(occurrence, segment):
        severity: Severity = rule.severity if problem.severity is None else problem.severity
        yield Finding(
            rule.code,
            rule.name,
            severity,
            problem.message,
            occurrence.url,
            path,
            *segment.locate(problem.start, problem.end),
            component=problem.component,
            section=problem.section,
            suggestion=problem.suggestion,
            fix=_source_fix(segment, problem.fix),
        )


# --- from the URL to the text, and to the source


def in_text(occurrence: Occurrence, start: int, end: int) -> tuple[int, int]:
    """Return where url[start:end] stands in the text: the smallest run, gaps in between included."""
    if not occurrence.breaks:
        return occurrence.start + start, occurrence.start + end
    first = occurrence.start + _in_raw(occurrence, start)
    if end <= start:
        return first, first
    return first, occurrence.start + _in_raw(occurrence, end - 1) + 1


def _in_raw(occurrence: Occurrence, offset: int) -> int:
    """Return the offset in `raw` of the character at url[offset]."""
    for gap in occurrence.breaks:
        if gap.offset > offset:
            break
        offset += gap.length
    return offset


def _url_fix(segment: Segment, occurrence: Occurrence, fix: Fix | None) -> Fix | None:
    """Return the fix in units of the source; None where an edit would swallow a break."""
    if fix is None:
        return None
    edits = []
    for edit in fix.edits:
        start, end = in_text(occurrence, edit.start, edit.end)
        if end - start != edit.end - edit.start:
            return None
        edits.append(Edit(start, end, edit.text))
    return _source_fix(segment, Fix(fix.applicability, tuple(edits)))


def _source_fix(segment: Segment, fix: Fix | None) -> Fix | None:
    if fix is None:
        return None
    to_source = segment.map.to_source
    return Fix(fix.applicability, tuple(Edit(*to_source(e.start, e.end), e.text) for e in fix.edits))
