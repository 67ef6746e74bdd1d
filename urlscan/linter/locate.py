"""Find the problems of the URLs in a text, and locate them in the source."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from urlscan.core.document import Document
from urlscan.core.records import DELIMITED, Edit, Finding, Fix, Match, Problem, Severity, in_text
from urlscan.core.settings import Settings
from urlscan.data.schemes import REGISTERED
from urlscan.finder import FindOptions, find_in_document
from urlscan.linter.judge import RuleSet, rule_set_for
from urlscan.linter.selection import enabled_entries
from urlscan.rules import entry_of, load

# A text of plain URLs needs no rule, so their modules are not loaded for it.
if TYPE_CHECKING:
    from urlscan.core.targets import TargetChecker, TargetFault
    from urlscan.linter.reported import RuleProblem
    from urlscan.rules.base import Rule, TextProblem


def findings(
    document: Document, occurrences: Iterable[Match], settings: Settings, path: str = "-"
) -> Iterator[Finding]:
    """Yield the findings of each occurrence, in order of position.

    Offsets and edits are in units of the document's source. `url` is not masked; the message holds no secret.
    """
    return findings_of(document, occurrences, settings, path)


def find_options_for(kind: str, settings: Settings) -> FindOptions:
    """Return what the rules need to find in a text of a kind; continued URLs matter only in plain text and mail."""
    continuations = kind in ("plain", "mail") and rule_set_for(settings).needs_continuations
    return FindOptions(
        relative=True, look_alikes=True, continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes
    )


def find_for_linter(document: Document, settings: Settings) -> Iterator[Match]:
    """Return an iterator over the matches in a document, look-alikes and continuations included."""
    return find_in_document(document, find_options_for(document.kind, settings))


def findings_of(
    document: Document,
    matches: Iterable[Match],
    settings: Settings,
    path: str = "-",
    targets: "TargetChecker | None" = None,
) -> Iterator[Finding]:
    """Yield the findings for matches of the finder.

    Args:
        matches: the matches in the text, in order.
        settings: the rules and options.
        targets: checks the targets of relative references; None not to check them.
    """
    rule_set = rule_set_for(settings)
    known, checks_every = rule_set.judged, rule_set.checks_every_occurrence
    for occurrence in matches:
        url, _, _, _, _, _, scheme, style, breaks, _, _, template, faults, *_ = occurrence
        # The lookup saves a call for most URLs.
        judged = None if template else known.get(url)
        if judged is None:
            judged = rule_set.judge(url, template=template, style=style)
        has_faults = breaks or faults
        is_reference = targets is not None and not scheme and style == "markup"
        if not (judged or has_faults or checks_every or is_reference):
            continue
        if judged and scheme and not (scheme in REGISTERED or scheme in rule_set.schemes):
            judged = tuple(one for one in judged if not one.rule.skips_unknown_schemes)
        some = (
            _findings_of(rule_set, document, occurrence, judged, path) if judged or has_faults or checks_every else []
        )
        # One cause, one finding.
        if is_reference and targets and not some and (target_faults := targets.check_reference(occurrence, document)):
            some = _target_findings(rule_set, document, occurrence, target_faults, path)
        yield from some


def document_findings(document: Document, settings: Settings, path: str, targets: "TargetChecker") -> list[Finding]:
    """Return the findings about the link references of a document, in order of position."""
    rule_set = rule_set_for(settings)
    found: list[Finding] = []
    for fault in targets.check_document(document):
        start, end = fault.start, fault.end
        label = Match(fault.url, fault.url, start, end, start, end, "", "markup", context="link")
        found += _target_findings(rule_set, document, label, [fault], path)
    return found


def _target_findings(
    rule_set: RuleSet, document: Document, occurrence: Match, faults: "list[TargetFault]", path: str
) -> list[Finding]:
    """Return the findings for faults of a target by the enabled rules."""
    found = []
    for fault in faults:
        rule = rule_set.rule_named(fault.name)
        if rule is not None and rule.check_target is not None and occurrence.context in rule.contexts:
            found.append(_from_text(rule_set, document, occurrence, rule, rule.check_target(fault), path))
    return found


def _findings_of(
    rule_set: RuleSet, document: Document, occurrence: Match, judged: "tuple[RuleProblem, ...]", path: str
) -> list[Finding]:
    from urlscan.linter.reported import problems_in_pattern, reported_problems

    if (judged or occurrence.faults) and _is_pattern(document, occurrence):
        judged, occurrence = problems_in_pattern(judged), occurrence._replace(faults=())
    context = document.context(occurrence.start, occurrence.end)
    if occurrence.context != context:
        occurrence = occurrence._replace(context=context)
    left = reported_problems(document, occurrence, judged) if judged else []
    fixes = _applicable(rule_set, document, occurrence, [one.fix for one in left])
    found = [
        _from_problem(rule_set, document, occurrence, one._replace(fix=fix), path)
        for one, fix in zip(left, fixes, strict=True)
    ]
    if occurrence.breaks or occurrence.faults or rule_set.checks_every_occurrence:
        faults = {fault.name for fault in occurrence.faults}
        for rule in rule_set.text_rules:
            if rule.check_text is None or context not in rule.contexts or not faults.isdisjoint(rule.defers_to_faults):
                continue
            for problem in rule.check_text(occurrence, document):
                found.append(_from_text(rule_set, document, occurrence, rule, problem, path))
    found.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return found


def _applicable(rule_set: RuleSet, document: Document, occurrence: Match, fixes: list[Fix | None]) -> list[Fix | None]:
    """Return the fixes that are applicable to this occurrence."""
    if not any(fixes):
        return fixes
    from urlscan.linter.applicability import applicable_fixes

    return applicable_fixes(fixes, occurrence, document, rule_set.spec.profile)


def _is_pattern(document: Document, occurrence: Match) -> bool:
    """Return whether the URL is part of a regular expression or a glob, whose characters are not judged."""
    from urlscan.uri.grammar.templates import looks_like_pattern

    text = document.text if occurrence.style == "markup" else document.prose
    return looks_like_pattern(text, occurrence.start, occurrence.end, delimited=occurrence.style in DELIMITED)


def _from_problem(
    rule_set: RuleSet, document: Document, occurrence: Match, judged: "RuleProblem", path: str
) -> Finding:
    problem = judged.problem
    severity = rule_set.severities.get(problem.code, problem.severity)
    head = (problem.code, problem.name, severity)
    place = in_text(occurrence, problem.start, problem.end)
    return _finding(document, occurrence, path, head, problem, place, _url_fix(document, occurrence, judged.fix))


def _from_text(
    rule_set: RuleSet, document: Document, occurrence: Match, rule: "Rule", problem: "TextProblem", path: str
) -> Finding:
    severity = rule.severity if problem.severity is None else problem.severity
    head = (rule.code, rule.name, rule_set.severities.get(rule.code, severity))
    place = (problem.start, problem.end)
    fix = problem.fix
    if fix is not None and occurrence.context != "link":
        fix = fix._replace(applicability="unsafe")
    return _finding(document, occurrence, path, head, problem, place, _source_fix(document, occurrence, fix))


def _finding(
    document: Document,
    occurrence: Match,
    path: str,
    head: tuple[str, str, Severity],
    problem: "Problem | TextProblem",
    place: tuple[int, int],
    fix: Fix | None,
) -> Finding:
    """Return a finding at a span of the text; `head` is its code, name and severity."""
    location = document.locate(*place)
    return Finding(
        *head,
        problem.message,
        occurrence.url,
        path,
        *location,
        component=problem.component,
        section=problem.section,
        suggestion=problem.suggestion,
        fix=fix,
        member=document.member,
        mail=document.origin.mail(location.start) if document.origin is not None else None,
        shown=document.to_decoded(*place) if document.origin is not None else None,
        context=occurrence.context,
    )


def unused_suppressions(
    document: Document, unused: Iterable[tuple[tuple[int, int], str, str]], settings: Settings, path: str
) -> list[Finding]:
    """Return the findings about unused and malformed suppression comments.

    Args:
        document: the text that holds them.
        unused: the span of each in the document, the rule that it names or "", and why it is malformed or "".
        settings: the settings; a disabled rule does not make its comment unused.
    """
    entries = enabled_entries(settings)
    on = next((entry for entry in entries if entry.code == "U901"), None)
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
        line, column = document.lines.position(place[0])
        end_line, end_column = document.lines.position(place[1])
        found.append(
            Finding(
                rule.code,
                rule.name,
                rule_set_for(settings).severities.get(rule.code, rule.severity),
                f"unused suppression comment: {what}",
                "",
                path,
                line,
                column,
                end_line,
                end_column,
                *document.map.to_source(*place),
                member=document.member,
            )
        )
    return found


def _url_fix(document: Document, occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix in units of the source; None if an edit would cover a break."""
    if fix is None:
        return None
    edits = []
    for edit in fix.edits:
        start, end = in_text(occurrence, edit.start, edit.end)
        if end - start != edit.end - edit.start:
            return None
        edits.append(Edit(start, end, edit.text))
    return _source_fix(document, occurrence, Fix(fix.applicability, tuple(edits)))


def _source_fix(document: Document, occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix as the source writes it; None if it cannot."""
    # Mail may be signed; neither mail nor archives are edited.
    if fix is None or document.origin is not None or document.packed:
        return None
    edits: list[Edit] = []
    for edit in fix.edits:
        # Text inserted after the URL has the syntactic context of its last character.
        at = edit.start - (edit.start == edit.end > occurrence.start)
        written = document.edits(edit.start, edit.end, edit.text, at)
        if written is None or (edits and written[0][0] < edits[-1].end):
            return None
        edits += (Edit(*one) for one in written)
    return Fix(fix.applicability, tuple(edits), fix.edits)
