"""U915 undefined-reference."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a link reference whose label has no definition."""
    message = f"no definition of the link label {quote_text(fault.wanted)}; the brackets are shown as text"
    severity = Severity.INFO if fault.is_advisory else None
    return TextProblem(message, fault.start, fault.end, severity, section="CommonMark 0.31 section 6.3")


RULE = Rule(
    code="U915",
    name="undefined-reference",
    severity=Severity.WARNING,
    summary="Link label has no definition",
    why=(
        "Markdown takes `[text][label]` and `[label][]` for links to the URL that `[label]: URL` defines (CommonMark"
        " 0.31 section 6.3; the URL may be any reference of RFC 3986 section 4.1). Without the definition readers see"
        " the brackets. A lone `[label]` is often plain text and is not reported. Where most labels of a document or a"
        " tree are not defined, a program resolves them, and none is reported."
    ),
    when_to_ignore="Where a program adds definitions later.",
    bad=(
        Example("See [the guide][guide].\n\n[guid]: http://h.example/\n", path="a.md"),
        Example("See [Python][].\n", path="a.md"),
    ),
    good=(
        Example("See [the guide][Guide], [guide][].\n\n[guide]: http://h.example/\n", path="a.md"),
        Example("`a[i][j]`, x[i][j], [ ][ ], [0][1], [note][^1], [class][package.Class]\n", path="a.md"),
    ),
    contexts=("link",),
    check_target=check_target,
)
