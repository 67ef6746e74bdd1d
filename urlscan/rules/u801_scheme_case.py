"""U801 scheme-case."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme with letters in upper case."""
    scheme = url.scheme
    # RFC 3986 section 3.1:  "An implementation should [...] only produce lowercase scheme names for consistency."
    if scheme is None or not scheme.isascii() or scheme == scheme.lower() or is_secret(url, (0, len(scheme))):
        return
    yield RULE.problem(
        f'the scheme is written in lower case: "{scheme.lower()[:60]}"',
        "scheme",
        (0, len(scheme)),
        section="RFC 3986 section 6.2.2.1" if spec.grammar in ("rfc1630", "rfc3987") else spec.section("scheme"),
        suggestion=scheme.lower(),
        syntax=False,
    )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write it in lower case."""
    return Fix("safe", (Edit(problem.start, problem.end, url.text[problem.start : problem.end].lower()),))


RULE = Rule(
    code="U801",
    name="scheme-case",
    severity=Severity.INFO,
    summary="A scheme with letters in upper case.",
    why=(
        "RFC 3986 section 3.1: schemes are case-insensitive, their normal form is lower case, and only that should be"
        " produced. RFC 1738 section 2.1 has lower case letters alone, and asks programs to take the others for"
        " them, which not all of them do."
    ),
    when_to_ignore="Where nobody compares the URLs.",
    bad=(Example("See <HTTP://h.example/>."),),
    good=(Example("See <http://h.example/HTTP>."),),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes it in lower case.",
    checks_fast_accepted=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
