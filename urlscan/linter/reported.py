"""Select the problems that are reported at an occurrence: by context and surrounding text, one per cause."""

from urlscan.core.document import Document
from urlscan.core.named_tuple import NamedTuple
from urlscan.core.records import Fix, Match, Problem, Severity, in_text
from urlscan.rules.base import Rule

# Rules that may find many faults in one URL.
_REPEATED = ("U1", "U20")
# Rules about secrets, which also report in a regular expression or a glob.
_IN_PATTERNS = ("U301", "U304")


class RuleProblem(NamedTuple):
    """A problem with its rule and its fix, whose edits are in characters of the URL."""

    problem: Problem
    fix: Fix | None
    rule: Rule


def reported_problems(document: Document, occurrence: Match, judged: tuple[RuleProblem, ...]) -> list[RuleProblem]:
    """Return the problems that are reported at an occurrence, one per cause."""
    reported = list[RuleProblem]()
    for item in judged:
        if occurrence.context not in item.rule.contexts or _is_covered_by_fault(occurrence, item):
            continue
        if item.rule.refine is not None:
            problem = item.rule.refine(item.problem, occurrence, document)
            if problem is None:
                continue
            if (problem.start, problem.end) != (item.problem.start, item.problem.end):
                # A finding about a dead anchor has another span, and escaping a character would not repair the link.
                item = item._replace(fix=None)
            item = item._replace(problem=problem)
        reported.append(item)
    if occurrence.scheme == "data":
        # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most.
        return [item._replace(problem=item.problem._replace(severity=Severity.INFO)) for item in reported[:1]]
    return _merged(reported)


def problems_in_pattern(judged: tuple[RuleProblem, ...]) -> tuple[RuleProblem, ...]:
    """Return the problems that are reported for a URL in a regular expression or a glob."""
    return tuple(item for item in judged if item.problem.code in _IN_PATTERNS)


def _merged(reported: list[RuleProblem]) -> list[RuleProblem]:
    """Return the problems, with those of one rule about characters or escapes merged into one with all edits."""
    merged = list[RuleProblem]()
    index = dict[str, int]()  # of the first problem of each of these rules
    for item in reported:
        code = item.problem.code
        number = index.setdefault(code, len(merged))
        if number == len(merged) or not code.startswith(_REPEATED):
            merged.append(item)
            continue
        first = merged[number]
        fix = None
        if first.fix is not None and item.fix is not None:
            edits = tuple(dict.fromkeys((*first.fix.edits, *item.fix.edits)))
            fix = Fix(max(first.fix.applicability, item.fix.applicability), edits)  # "unsafe" sorts after "safe"
        worst = max(first.problem.severity, item.problem.severity)
        merged[number] = first._replace(problem=first.problem._replace(severity=worst), fix=fix)
    return merged


def _is_covered_by_fault(occurrence: Match, judged: RuleProblem) -> bool:
    """Return whether a fault of the surrounding text takes precedence over the problem."""
    if not judged.rule.defers_to_faults or not occurrence.faults:
        return False
    start, end = in_text(occurrence, judged.problem.start, judged.problem.end)
    names = judged.rule.defers_to_faults
    return any(f.name in names and start <= f.end and f.start <= end for f in occurrence.faults)
