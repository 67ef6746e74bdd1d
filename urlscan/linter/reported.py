"""Select the problems that are reported at an occurrence: by context and surrounding text, one per cause."""

from urlscan.core.document import Document
from urlscan.core.records import Fix, Match, Problem, Severity, in_text
from urlscan.rules import rule_of
from urlscan.rules.base import Rule

# Rules that may find many faults in one URL.
_REPEATED = ("U1", "U20")
# Rules about secrets, which also report in a regular expression or a glob.
_IN_PATTERNS = ("U301", "U304")


def reported_problems(document: Document, occurrence: Match, problems: tuple[Problem, ...]) -> list[Problem]:
    """Return the problems that are reported at an occurrence, one per cause."""
    reported = list[Problem]()
    for problem in problems:
        rule = rule_of(problem.code)
        if occurrence.context not in rule.contexts or _is_covered_by_fault(occurrence, problem, rule):
            continue
        refined: Problem | None = problem
        if rule.refine is not None:
            refined = rule.refine(problem, occurrence, document)
        if refined is None:
            continue
        if (refined.start, refined.end) != (problem.start, problem.end):
            # A finding about a dead anchor has another span, and escaping a character would not repair the link.
            refined = refined._replace(fix=None)
        reported.append(refined)
    if occurrence.scheme == "data":
        # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most.
        return [problem._replace(severity=Severity.INFO) for problem in reported[:1]]
    return _merged(reported)


def problems_in_pattern(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Return the problems that are reported for a URL in a regular expression or a glob."""
    return tuple(problem for problem in problems if problem.code in _IN_PATTERNS)


def _merged(reported: list[Problem]) -> list[Problem]:
    """Return the problems, with those of one rule about characters or escapes merged into one with all edits."""
    merged = list[Problem]()
    index = dict[str, int]()  # of the first problem of each of these rules
    for problem in reported:
        number = index.setdefault(problem.code, len(merged))
        if number == len(merged) or not problem.code.startswith(_REPEATED):
            merged.append(problem)
            continue
        first = merged[number]
        fix = None
        if first.fix is not None and problem.fix is not None:
            edits = tuple(dict.fromkeys((*first.fix.edits, *problem.fix.edits)))
            fix = Fix(max(first.fix.applicability, problem.fix.applicability), edits)  # "unsafe" sorts after "safe"
        merged[number] = first._replace(severity=max(first.severity, problem.severity), fix=fix)
    return merged


def _is_covered_by_fault(occurrence: Match, problem: Problem, rule: Rule) -> bool:
    """Return whether a fault of the surrounding text takes precedence over the problem."""
    names = rule.defers_to_faults
    if not names or not occurrence.faults:
        return False
    start, end = in_text(occurrence, problem.start, problem.end)
    return any(f.name in names and start <= f.end and f.start <= end for f in occurrence.faults)
