"""U921 malformed-link."""

from urlscan.core.records import Edit, Fix, Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, target_problem

_MESSAGES = {
    "form": "this is no link; write [text](URL) without a space",
    "parenthesis": 'the second "(" makes this no link; remove it',
    "blank": "a space ends the destination, so that this is no link; write %20, or <...> around the destination",
}


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a text that has nearly the form of a link."""
    problem = target_problem(fault, _MESSAGES[fault.wanted], section="CommonMark 0.31 section 6.3")
    if fault.wanted == "parenthesis":
        return problem._replace(fix=Fix("unsafe", (Edit(fault.start, fault.end, ""),)))
    return problem


RULE = Rule(
    code="U921",
    name="malformed-link",
    severity=Severity.WARNING,
    summary="Text that was meant as a link is not one",
    why=(
        "In Markdown a link is `[text](URL)` without white space between the brackets, and its destination has no"
        " spaces unless it is enclosed in `<...>` (CommonMark 0.31 section 6.3; RFC 3986 allows no space in a URL)."
        " Readers see the brackets otherwise."
    ),
    when_to_ignore="Where another program reads the document.",
    bad=(
        Example("See [the guide] (https://dominion.org/guide).\n", path="a.md"),
        Example("See (the guide)[https://dominion.org/guide].\n", path="a.md"),
        Example("See [the guide](https://dominion.org/the guide).\n", path="a.md"),
        Example("See [the guide]((https://dominion.org/guide).\n", path="a.md"),
    ),
    good=(
        Example("See [the guide](https://dominion.org/guide), `[a] (https://dominion.org/)`.\n", path="a.md"),
        Example('- [ ] (https://dominion.org/a) and [a](<b c.md> "d")\n', path="a.md", files=(("b c.md", ""),)),
        Example("See [guide] (https://dominion.org/).\n\n[guide]: https://dominion.org/guide\n", path="a.md"),
    ),
    contexts=("link",),
    check_target=check_target,
    fix_note="Writes the link (unsafe: it may be meant as text).",
)
