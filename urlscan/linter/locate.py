"""Find the problems of the URLs in a text, and locate them in the source."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from urlscan.core.document import Document
from urlscan.core.records import Edit, Finding, Fix, Match, Problem, in_text
from urlscan.core.settings import Settings
from urlscan.finder import FindOptions, find_in_document
from urlscan.linter.judge import RuleSet, rule_set_for
from urlscan.linter.selection import enabled_entries
from urlscan.rules import entry_of, load, rule_of

# A text of plain URLs needs no rule, so their modules are not loaded for it.
if TYPE_CHECKING:
    from urlscan.core.targets import TargetFault
    from urlscan.rules.base import Rule, TextProblem


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
    references: list[Match] | None = None,
) -> Iterator[Finding]:
    """Yield the findings for matches of the finder.

    Offsets and edits are in units of the document's source. `url` is not masked; the message holds no secret.

    Args:
        matches: the matches in the text, in order.
        settings: the rules and options.
        references: receives the relative references without findings; None for no one.
    """
    rule_set = rule_set_for(settings)
    cached, checks_every = rule_set.judged, rule_set.checks_every_occurrence
    for occurrence in matches:
        url, _, _, _, _, _, scheme, style, breaks, _, _, template, faults, _, _, _ = occurrence
        # The lookup saves a call for most URLs.
        judged = cached.get(url)
        if judged is None or template:
            judged = rule_set.judge(url, template=template, style=style)
        findings: list[Finding] = []
        if judged or breaks or faults or checks_every:
            if rule_set.is_unknown(scheme):
                judged = tuple(problem for problem in judged if not rule_of(problem.code).skips_unknown_schemes)
            findings = _findings_of(rule_set, document, occurrence, judged)
        # One cause, one finding.
        if findings:
            yield from rule_set.reported(findings)
        elif not scheme and style == "markup" and references is not None:
            references.append(occurrence)


def target_findings(
    document: Document, faults: "Iterable[tuple[Match, TargetFault]]", settings: Settings
) -> list[Finding]:
    """Return the findings about the targets of references and about the labels of a document."""
    rule_set = rule_set_for(settings)
    findings: list[Finding] = []
    for occurrence, fault in faults:
        rule = rule_set.rule_named(fault.name)
        if rule is not None and rule.check_target is not None and occurrence.context in rule.contexts:
            findings.append(_from_text(rule_set, document, occurrence, rule, rule.check_target(fault)))
    return rule_set.reported(findings)


def _findings_of(
    rule_set: RuleSet, document: Document, occurrence: Match, judged: tuple[Problem, ...]
) -> list[Finding]:
    from urlscan.linter.reported import IN_PATTERNS, applicable_fixes, is_pattern, reported_problems

    if (judged or occurrence.faults) and is_pattern(document, occurrence):
        judged = tuple(problem for problem in judged if problem.code in IN_PATTERNS)
        occurrence = occurrence._replace(faults=())
    context = document.context(occurrence.start, occurrence.end)
    if occurrence.context != context:
        occurrence = occurrence._replace(context=context)
    reported = reported_problems(document, occurrence, judged)
    fixes = applicable_fixes([problem.fix for problem in reported], occurrence, document, rule_set.spec.profile)
    findings = []
    for problem, fix in zip(reported, fixes, strict=True):
        span = in_text(occurrence, problem.start, problem.end)
        rule, fix = rule_of(problem.code), _source_fix(document, occurrence, _url_fix(occurrence, fix))
        findings.append(_finding(rule_set, document, occurrence, rule, problem, span, fix))
    if occurrence.breaks or occurrence.faults or rule_set.checks_every_occurrence:
        faults = {fault.name for fault in occurrence.faults}
        for rule in rule_set.text_rules:
            if rule.check_text is None or context not in rule.contexts or not faults.isdisjoint(rule.defers_to_faults):
                continue
            findings += [
                _from_text(rule_set, document, occurrence, rule, problem)
                for problem in rule.check_text(occurrence, document)
            ]
    findings.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return findings


def _from_text(
    rule_set: RuleSet, document: Document, occurrence: Match, rule: "Rule", problem: "TextProblem"
) -> Finding:
    fix = problem.fix
    if fix is not None and occurrence.context != "link":
        fix = fix._replace(applicability="unsafe")
    fix = _source_fix(document, occurrence, fix)
    return _finding(rule_set, document, occurrence, rule, problem, (problem.start, problem.end), fix)


def _finding(
    rule_set: RuleSet,
    document: Document,
    occurrence: Match,
    rule: "Rule",
    problem: "Problem | TextProblem",
    span: tuple[int, int],
    fix: Fix | None,
) -> Finding:
    """Return the finding of a rule at a span of the text; `fix` is as the source writes it."""
    location = document.locate(*span)
    severity = rule.severity if problem.severity is None else problem.severity
    mail = decoded_span = None
    if document.origin is not None:
        mail, decoded_span = document.origin.mail(location.start), document.to_decoded(*span)
    return Finding(
        rule.code,
        rule.name,
        rule_set.severities.get(rule.code, severity),
        problem.message,
        occurrence.url,
        document.path,
        *location,
        component=problem.component,
        section=problem.section,
        suggestion=problem.suggestion,
        fix=fix,
        member=document.member,
        mail=mail,
        shown=decoded_span,
        context=occurrence.context,
    )


def unused_suppressions(
    document: Document, unused: Iterable[tuple[tuple[int, int], str, str]], settings: Settings
) -> list[Finding]:
    """Return the findings about unused and malformed suppression comments.

    Args:
        document: the text that holds them.
        unused: the span of each in the document, the rule that it names or "", and why it is malformed or "".
        settings: the settings; a disabled rule does not make its comment unused.
    """
    entries = enabled_entries(settings)
    unused_suppression = next((entry for entry in entries if entry.code == "U901"), None)
    if unused_suppression is None:
        return []
    findings: list[Finding] = []
    for span, name, why in unused:
        entry = entry_of(name)
        if entry is not None and entry not in entries:
            continue
        if name and not any(map(str.isalnum, name)):  # "ignore[...]" in prose about suppression comments
            continue
        if why:
            reason = why
        elif entry is not None:
            reason = f"{name} is not reported here"
        elif re.fullmatch("ALL|U[0-9]{0,2}", name):
            reason = f'"{name}" selects several rules; name each of them'
        else:
            reason = f'unknown rule "{name}"'
        rule = load(unused_suppression)
        line, column = document.lines.position(span[0])
        end_line, end_column = document.lines.position(span[1])
        findings.append(
            Finding(
                rule.code,
                rule.name,
                rule_set_for(settings).severities.get(rule.code, rule.severity),
                f"unused suppression comment: {reason}",
                "",
                document.path,
                line,
                column,
                end_line,
                end_column,
                *document.map.to_source(*span),
                member=document.member,
            )
        )
    return findings


def _url_fix(occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix of a URL in characters of the text; None if an edit would cover a break."""
    if fix is None:
        return None
    edits = []
    for edit in fix.edits:
        start, end = in_text(occurrence, edit.start, edit.end)
        if end - start != edit.end - edit.start:
            return None
        edits.append(Edit(start, end, edit.text))
    return Fix(fix.applicability, tuple(edits))


def _source_fix(document: Document, occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix as the source writes it; None if it cannot."""
    # Mail may be signed; neither mail nor archives are edited.
    if fix is None or document.origin is not None or document.packed:
        return None
    edits: list[Edit] = []
    for edit in fix.edits:
        # Text inserted after the URL has the syntactic context of its last character.
        context = edit.start - (edit.start == edit.end > occurrence.start)
        written = document.edits(edit.start, edit.end, edit.text, context)
        if written is None or (edits and written[0][0] < edits[-1].end):
            return None
        edits += (Edit(*item) for item in written)
    return Fix(fix.applicability, tuple(edits), fix.edits)
