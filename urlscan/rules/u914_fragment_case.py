"""U914 fragment-case."""

from urlscan.core.records import Severity
from urlscan.core.targets import TargetFault
from urlscan.rules.base import Example, Rule, TextProblem, quote_text, target_problem
from urlscan.uri.grammar.characters import decoded


def check_target(fault: TargetFault) -> TextProblem:
    """Return the problem of a fragment whose letter case differs from that of the anchor."""
    where = f" of {quote_text(fault.target)}" if fault.target else ""
    wanted, actual = quote_text("#" + fault.wanted), quote_text("#" + decoded(fault.suggestion))
    message = f"the letter case of {wanted} is wrong; the anchor{where} is {actual}"
    return target_problem(fault, message, section="RFC 3986 section 3.5")


RULE = Rule(
    code="U914",
    name="fragment-case",
    severity=Severity.INFO,
    summary="Fragment has another letter case than the anchor",
    why=(
        "Identifiers are compared with their letter case (RFC 3986 section 3.5, HTML standard). Anchors of headings are"
        " in lower case; a browser does not find `#Setup`. GitHub's own pages find it by a script, which is why this is"
        " not an error."
    ),
    when_to_ignore="Where the documents are only read on a site that ignores case.",
    bad=(Example("See [below](#Setting-Up).\n\n## Setting up\n", path="a.md"),),
    good=(Example('See [below](#setting-up), [A](#API).\n\n## Setting up\n\n<a id="API"></a>\n', path="a.md"),),
    contexts=("link",),
    options=("anchors",),
    check_target=check_target,
    fix_note="Writes the anchor (unsafe: the page may define its own).",
)
