"""U503 local-resource."""

from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.uri.url import Url

# Scheme: message, section, and section of RFC 1630.
_LOCAL = {
    "file": ("file URLs only work on their own machine", "RFC 1738 section 3.10", 'RFC 1630 section "file"'),
    "nntp": (
        "most news servers only serve local clients; write a news URL",
        "RFC 1738 section 3.7",
        'RFC 1630 section "NNTP"',
    ),
    "cid": (
        "cid URLs only work inside their own message",
        "RFC 2392 section 1",
        'RFC 1630 section "Content-Id"',
    ),
}


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme whose resources are local."""
    if url.scheme is None or url.scheme.lower() not in _LOCAL:
        return
    message, section, section_1630 = _LOCAL[url.scheme.lower()]
    yield RULE.problem(
        message,
        "scheme",
        (0, len(url.scheme)),
        section=section_1630 if spec.grammar == "rfc1630" else section,
        syntax=False,
    )


RULE = Rule(
    code="U503",
    name="local-resource",
    severity=Severity.INFO,
    summary="URL names a local resource: a file, nntp or cid URL",
    why=(
        "RFC 1738 section 3.10: a file URL does not designate a resource that is universally accessible over the"
        " Internet. Section 3.7: most NNTP servers allow access from local clients only, so the news form is"
        " preferred. A cid URL refers to another part of the same message (RFC 2392 section 1)."
    ),
    when_to_ignore="In texts that are only used locally: settings of a machine, messages with their parts.",
    bad=(Example("See <file:///srv/mill/plan.txt>."), Example("See <nntp://h.example/comp.mills/12>.")),
    good=(Example("See <http://h.example/plan.txt>."), Example("See <news:comp.mills>.")),
    default=False,
    check=check,
    contexts=ADDRESSES,
)
