"""U916 duplicate-definition."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a second definition of a link label."""
    message = f"the link label {quote_text(fault.wanted)} is defined above with another URL, which applies"
    if not fault.is_certain:
        message = f"the link label {quote_text(fault.wanted)} is defined above for the same page"
    severity = Severity.WARNING if fault.is_certain and not fault.is_advisory else Severity.INFO
    return TextProblem(message, fault.start, fault.end, severity, section="CommonMark 0.31 section 4.7")


RULE = Rule(
    code="U916",
    name="duplicate-definition",
    severity=Severity.WARNING,
    summary="Link label is defined twice",
    why=(
        "The first definition of a label applies, and others are ignored (CommonMark 0.31 section 4.7), so that some"
        " links do not lead where their author wanted (RFC 3986 section 4.1). Case and white space do not distinguish"
        " labels. If the URLs lead to the same page (`http` and `https`, a closing slash, `stable` and `nightly`), the"
        " finding is an info."
    ),
    when_to_ignore="Where documents are joined and divided by a program.",
    bad=(Example("See [a].\n\n[a]: http://h.example/1\n[A]: http://h.example/2\n", path="a.md"),),
    good=(
        Example("See [a], [b].\n\n[a]: http://h.example/1\n[b]: http://h.example/2\n", path="a.md"),
        Example("See [^a].\n\n[^a]: http://h.example/1\n[//]: # (a)\n[//]: # (b)\n", path="a.md"),
    ),
    contexts=("link",),
    check_target=check_target,
)
