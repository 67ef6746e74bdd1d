"""Which problems of a URL are reported where the URL is: by context, by the text around it, one for each cause."""

from typing import NamedTuple

from urlscan.model import Fix, Occurrence, Problem, Severity, in_text
from urlscan.rules.base import Rule
from urlscan.text import Segment

# Rules whose fault may occur many times in one URL.
_REPEATED = ("U1", "U20")
# What is reported in a regular expression or a glob, too: secrets.
_IN_PATTERNS = ("U301", "U304")


class RuleProblem(NamedTuple):
    """A problem with its rule and its fix, whose edits are in characters of the URL."""

    problem: Problem
    fix: Fix | None
    rule: Rule


def reported_problems(segment: Segment, occurrence: Occurrence, judged: tuple[RuleProblem, ...]) -> list[RuleProblem]:
    """Return the problems that are reported where the URL is, one for each cause."""
    found = list[RuleProblem]()
    for one in judged:
        if occurrence.context not in one.rule.contexts or _said_by_fault(occurrence, one):
            continue
        problem = one.problem if one.rule.refine is None else one.rule.refine(one.problem, occurrence, segment)
        if problem is not None:
            # A finding about a dead anchor has another place; writing an escape would leave the anchor dead.
            moved = (problem.start, problem.end) != (one.problem.start, one.problem.end)
            found.append(one._replace(problem=problem, fix=None if moved else one.fix))
    if occurrence.scheme == "data":
        # Browsers pass over what data URLs must not hold; nobody acts on more than a note.
        return [one._replace(problem=one.problem._replace(severity=Severity.INFO)) for one in found[:1]]
    return _merged(found) if len(found) > 1 else found


def problems_in_pattern(judged: tuple[RuleProblem, ...]) -> tuple[RuleProblem, ...]:
    """Return the problems that are reported where the URL belongs to a regular expression or a glob."""
    return tuple(one for one in judged if one.problem.code in _IN_PATTERNS)


def _merged(found: list[RuleProblem]) -> list[RuleProblem]:
    """Return the problems with those of one rule about characters or escapes as one, and all of their edits."""
    first = dict[str, RuleProblem]()
    for one in found:
        known = first.get(one.problem.code)
        if known is None or not one.problem.code.startswith(_REPEATED):
            first[one.problem.code if known is None else f"{one.problem.code} {one.problem.start}"] = one
        elif known.fix is not None and one.fix is not None:
            edits = tuple(dict.fromkeys((*known.fix.edits, *one.fix.edits)))
            safety = max(known.fix.applicability, one.fix.applicability)  # "unsafe" comes after "safe"
            first[one.problem.code] = known._replace(fix=Fix(safety, edits))
        else:
            first[one.problem.code] = known._replace(fix=None)
    return list(first.values())


def _said_by_fault(occurrence: Occurrence, judged: RuleProblem) -> bool:
    """Whether a fault of the text around says better what the problem says: one fault, one finding."""
    if not judged.rule.defers_to_faults or not occurrence.faults:
        return False
    start, end = in_text(occurrence, judged.problem.start, judged.problem.end)
    names = judged.rule.defers_to_faults
    return any(f.name in names and start <= f.end and f.start <= end for f in occurrence.faults)
