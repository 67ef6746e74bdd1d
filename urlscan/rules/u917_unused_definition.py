"""U917 unused-definition."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a link label that is not used."""
    message = f"the link label {quote_text(fault.wanted)} is defined but not used"
    return TextProblem(message, fault.start, fault.end, section="CommonMark 0.31 section 4.7")


RULE = Rule(
    code="U917",
    name="unused-definition",
    severity=Severity.INFO,
    summary="Link label is defined but not used",
    why=(
        "A definition that no link uses shows nothing (CommonMark 0.31 section 4.7). It often remains when a text is"
        " removed, or belongs to a misspelled label; its URL (RFC 3986 section 4.1) is maintained in vain."
    ),
    when_to_ignore="Where definitions are shared by several documents.",
    bad=(Example("See [a].\n\n[a]: http://h.example/1\n[b]: http://h.example/2\n", path="a.md"),),
    good=(
        Example("See [a], [x][b], [c][].\n\n[a]: http://h.example/1\n[b]: /2\n[c]: /3\n", path="a.md"),
        Example("![a]\n\n[a]: http://h.example/1\n[//]: # (a comment)\n", path="a.md"),
    ),
    default=False,
    contexts=("link",),
    check_target=check_target,
)
