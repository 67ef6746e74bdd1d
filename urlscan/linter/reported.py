"""Select the problems that are reported at an occurrence: by context and surrounding text, one per cause."""

from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.records import DELIMITED, Finding, Fix, Match, Problem, Severity, in_text
from urlscan.core.settings import Settings
from urlscan.linter.judge import rule_set_for
from urlscan.rules import rule_of
from urlscan.uri.grammar.templates import looks_like_pattern

# Rules that may find many faults in one URL.
_REPEATED = ("U1", "U20")
# Rules about secrets, which also report in a regular expression or a glob.
IN_PATTERNS = ("U301", "U304")


def reported_problems(document: Document, occurrence: Match, problems: tuple[Problem, ...]) -> list[Problem]:
    """Return the problems that are reported at an occurrence, one per cause.

    A fault of the surrounding text takes precedence over a problem at the same place, and the problems of one rule
    about characters or escapes are one, with all edits.
    """
    reported = dict[str | int, Problem]()  # by cause
    for problem in problems:
        rule = rule_of(problem.code)
        start, end = in_text(occurrence, problem.start, problem.end)
        covering = (fault for fault in occurrence.faults if start <= fault.end and fault.start <= end)
        if occurrence.context not in rule.contexts or any(fault.name in rule.defers_to_faults for fault in covering):
            continue
        refined: Problem | None = problem
        if rule.refine is not None:
            refined = rule.refine(problem, occurrence, document)
        if refined is None:
            continue
        if (refined.start, refined.end) != (problem.start, problem.end):
            # A finding about a dead anchor has another span, and escaping a character would not repair the link.
            refined = refined._replace(fix=None)
        if occurrence.scheme == "data":
            # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most.
            return [refined._replace(severity=Severity.INFO)]
        if not rule.code.startswith(_REPEATED):
            reported[len(reported)] = refined
        elif rule.code in reported:
            reported[rule.code] = _merged(reported[rule.code], refined)
        else:
            reported[rule.code] = refined
    return list(reported.values())


def _merged(first: Problem, other: Problem) -> Problem:
    """Return the first of two problems with the edits of both, and the higher severity."""
    fix = None
    if first.fix is not None and other.fix is not None:
        edits = tuple(dict.fromkeys((*first.fix.edits, *other.fix.edits)))
        fix = Fix(max(first.fix.applicability, other.fix.applicability), edits)  # "unsafe" sorts after "safe"
    return first._replace(severity=max(first.severity, other.severity), fix=fix)


def is_pattern(document: Document, occurrence: Match) -> bool:
    """Return whether the URL is part of a regular expression or a glob, whose characters are not judged."""
    text = document.prose
    if occurrence.style == "markup":
        text = document.text
    return looks_like_pattern(text, occurrence.start, occurrence.end, delimited=occurrence.style in DELIMITED)


def unreported_problems(
    document: Document, occurrence: Match, settings: Settings, findings: Iterable[Finding]
) -> Iterator[tuple[Problem, str]]:
    """Yield the problems of a URL that are not reported at an occurrence, each with the reason.

    Args:
        findings: what is reported there.
    """
    rule_set = rule_set_for(settings)
    reported = {finding.code for finding in findings}
    context = document.context(occurrence.start, occurrence.end)
    for problem in rule_set.judge(occurrence.url, style=occurrence.style):
        rule = rule_of(problem.code)
        reasons = (
            (is_pattern(document, occurrence), "the URL is part of a regular expression or a glob"),
            (context not in rule.contexts, f'the rule does not report in the context "{context}"'),
            (rule.skips_templates and occurrence.template, "the URL has a placeholder"),
            (rule.skips_unknown_schemes and rule_set.is_unknown(occurrence.scheme), "unknown scheme"),
        )
        if problem.code not in reported:
            reason = next((reason for applies, reason in reasons if applies), "the text around the URL excuses it")
            yield problem, reason
