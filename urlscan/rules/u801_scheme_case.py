"""U801 scheme-case."""

from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.uri.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for uppercase letters in a scheme."""
    scheme = url.scheme
    # RFC 3986 section 3.1:  "An implementation should [...] only produce lowercase scheme names for consistency."
    if scheme is None or not scheme.isascii() or scheme == scheme.lower() or is_secret(url, (0, len(scheme))):
        return
    yield RULE.problem(
        f'scheme contains uppercase letters; write "{scheme.lower()[:60]}"',
        "scheme",
        (0, len(scheme)),
        section="RFC 3986 section 6.2.2.1" if spec.grammar in ("rfc1630", "rfc3987") else spec.section("scheme"),
        suggestion=scheme.lower(),
        syntax=False,
    )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the scheme in lowercase."""
    return Fix("safe", (Edit(problem.start, problem.end, url.text[problem.start : problem.end].lower()),))


RULE = Rule(
    code="U801",
    name="scheme-case",
    severity=Severity.INFO,
    summary="Scheme contains uppercase letters",
    why=(
        "RFC 3986 section 3.1: schemes are case-insensitive, their normal form is lowercase, and programs should"
        " only produce that. RFC 1738 section 2.1 defines lowercase letters and asks programs to accept uppercase"
        " letters as well, which not all do."
    ),
    when_to_ignore="Where URLs are not compared as strings.",
    bad=(Example("See <HTTP://h.example/>."),),
    good=(Example("See <http://h.example/HTTP>."),),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes the scheme in lowercase.",
    checks_plain=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
