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
    found = list[RuleProblem]()
    for one in judged:
        if occurrence.context not in one.rule.contexts or _is_covered_by_fault(occurrence, one):
            continue
        problem = one.problem if one.rule.refine is None else one.rule.refine(one.problem, occurrence, document)
        if problem is not None:
            # A finding about a dead anchor has another place, and escaping a character would not repair the link.
            moved = (problem.start, problem.end) != (one.problem.start, one.problem.end)
            found.append(one._replace(problem=problem, fix=None if moved else one.fix))
    if occurrence.scheme == "data":
        # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most.
        return [one._replace(problem=one.problem._replace(severity=Severity.INFO)) for one in found[:1]]
    return _merged(found) if len(found) > 1 else found


def problems_in_pattern(judged: tuple[RuleProblem, ...]) -> tuple[RuleProblem, ...]:
    """Return the problems that are reported for a URL in a regular expression or a glob."""
    return tuple(one for one in judged if one.problem.code in _IN_PATTERNS)


def _merged(found: list[RuleProblem]) -> list[RuleProblem]:
    """Return the problems, with those of one rule about characters or escapes merged into one with all edits."""
    first = dict[str, RuleProblem]()
    for one in found:
        known = first.get(one.problem.code)
        if known is None or not one.problem.code.startswith(_REPEATED):
            first[one.problem.code if known is None else f"{one.problem.code} {one.problem.start}"] = one
            continue
        worst = max(known.problem.severity, one.problem.severity)
        known = known._replace(problem=known.problem._replace(severity=worst))
        if known.fix is not None and one.fix is not None:
            edits = tuple(dict.fromkeys((*known.fix.edits, *one.fix.edits)))
            safety = max(known.fix.applicability, one.fix.applicability)  # "unsafe" sorts after "safe"
            first[one.problem.code] = known._replace(fix=Fix(safety, edits))
        else:
            first[one.problem.code] = known._replace(fix=None)
    return list(first.values())


def _is_covered_by_fault(occurrence: Match, judged: RuleProblem) -> bool:
    """Return whether a fault of the surrounding text takes precedence over the problem."""
    if not judged.rule.defers_to_faults or not occurrence.faults:
        return False
    start, end = in_text(occurrence, judged.problem.start, judged.problem.end)
    names = judged.rule.defers_to_faults
    return any(f.name in names and start <= f.end and f.start <= end for f in occurrence.faults)
