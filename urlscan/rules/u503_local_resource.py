"""U503 local-resource."""

from collections.abc import Iterator

from urlscan.model import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.url import Url

# Scheme: what is said of it, where, and where RFC 1630 says it.
_LOCAL = {
    "file": ("a file is found on its own machine alone", "RFC 1738 section 3.10", 'RFC 1630 section "file"'),
    "nntp": (
        "most news servers serve local clients alone; news: names articles for everybody",
        "RFC 1738 section 3.7",
        'RFC 1630 section "NNTP"',
    ),
    "cid": (
        "a body part is found in its own message alone",
        "RFC 2392 section 1",
        'RFC 1630 section "Content-Id"',
    ),
}


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme whose resources are not for everybody."""
    if url.scheme is None or url.scheme.lower() not in _LOCAL:
        return
    message, section, section_1630 = _LOCAL[url.scheme.lower()]
    yield RULE.problem(
        f"{url.scheme}: {message}",
        "scheme",
        (0, len(url.scheme)),
        section=section_1630 if spec.grammar == "rfc1630" else section,
        syntax=False,
    )


RULE = Rule(
    code="U503",
    name="local-resource",
    severity=Severity.INFO,
    summary="A file, nntp or cid URL: it does not lead everybody to the resource.",
    why=(
        "RFC 1738 section 3.10: a file URL does not designate a resource that is universally accessible over the"
        " Internet. Section 3.7: most NNTP servers allow access from local clients only, and the news form is"
        " preferred. A cid URL is for references between the parts of one message (RFC 2392 section 1)."
    ),
    when_to_ignore="In texts that stay where they are: settings of a machine, messages with their parts.",
    bad=(Example("See <file:///srv/mill/plan.txt>."), Example("See <nntp://h.example/comp.mills/12>.")),
    good=(Example("See <http://h.example/plan.txt>."), Example("See <news:comp.mills>.")),
    default=False,
    check=check,
    contexts=ADDRESSES,
)
