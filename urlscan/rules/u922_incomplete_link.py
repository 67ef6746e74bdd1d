"""U922 incomplete-link."""

from urlscan.core.records import Edit, Fix, Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text

_EMPTY = {
    "text": "the link has no text, so that readers cannot see it",
    "destination": "the link has no destination, and leads to its own page",
}


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a link without text, destination or scheme."""
    severity = Severity.INFO if fault.is_advisory else None
    if not fault.target:
        section = "CommonMark 0.31 section 6.3"
        return TextProblem(_EMPTY[fault.wanted], fault.start, fault.end, severity, section=section)
    message = f"{quote_text(fault.wanted)} is read as a file of the repository; write {fault.target} before it"
    return TextProblem(
        message,
        fault.start,
        fault.end,
        severity,
        section="RFC 3986 section 4.2",
        suggestion=fault.target + fault.wanted,
        fix=Fix("unsafe", (Edit(fault.start, fault.start, fault.target),)),
    )


RULE = Rule(
    code="U922",
    name="incomplete-link",
    severity=Severity.WARNING,
    summary="Link has no text, no destination, or no scheme",
    why=(
        "A reference without a scheme is relative (RFC 3986 section 4.2): `[a](dominion.org/b)` and"
        " `[a](jo@dominion.org)` lead to files of these names. A link without text cannot be seen, and one without a"
        " destination leads to its own page (CommonMark 0.31 section 6.3)."
    ),
    when_to_ignore="Where a program completes the links.",
    bad=(
        Example("See [a](dominion.org/b).\n", path="a.md"),
        Example("Ask [Jo](jo@dominion.org).\n", path="a.md"),
        Example("See [](https://dominion.org/b).\n", path="a.md"),
        Example("See [the guide]().\n", path="a.md"),
    ),
    good=(
        Example(
            "See [a](https://dominion.org/b), [Jo](mailto:jo@dominion.org), ![](a.png).\n",
            path="a.md",
            files=(("a.png", ""),),
        ),
        Example(
            "See [a](setup.py), [b](socket.io/a.md).\n", path="a.md", files=(("setup.py", ""), ("socket.io/a.md", ""))
        ),
        Example("`f[a]()`, f[a]()\n", path="a.md"),
    ),
    contexts=("link",),
    check_target=check_target,
    fix_note="Writes `mailto:` or `https://` (unsafe: the scheme may be another).",
)
