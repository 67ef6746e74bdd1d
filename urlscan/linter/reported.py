"""Select the problems that are reported at an occurrence: by context and surrounding text, one per cause."""

from urlscan.core.document import Document
from urlscan.core.records import Fix, Match, Problem, Severity, in_text
from urlscan.rules import rule_of

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
