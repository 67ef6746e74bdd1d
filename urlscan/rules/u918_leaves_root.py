"""U918 leaves-root."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a reference that leads out of its repository."""
    message = f"{quote_text(fault.wanted)} leads out of the repository"
    return TextProblem(message, fault.start, fault.end, section="RFC 3986 section 5.2.4")


RULE = Rule(
    code="U918",
    name="leaves-root",
    severity=Severity.WARNING,
    summary="Relative reference leaves the root of the repository",
    why=(
        "With more `..` than directories a reference depends on where the repository is published (RFC 3986 section"
        " 5.2.4). On GitHub `../../issues` leads to the issues; in a checkout it leads to no file of the repository."
    ),
    when_to_ignore="Where the documents are published at a known place.",
    bad=(Example("See [other](../other/README.md).\n", path="a.md"),),
    good=(Example("See [a](docs/../a.md).\n", path="a.md", files=(("docs/b.md", ""),)),),
    default=False,
    contexts=("link",),
    check_target=check_target,
)
