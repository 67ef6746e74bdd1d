"""U207 encoded-dot-segment."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, quote
from urlscan.uri.url import Url

# RFC 3986 section 3.3:  "The path segments "." and "..", also known as dot-segments, are defined for
#   relative reference within the path name hierarchy."
_DOT = "%2[Ee]"
_ENCODED = lazy(rf"(?:\A|(?<=/))(?:{_DOT}(?:\.|{_DOT})?|\.{_DOT})(?=/|\Z)")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each segment that would be a dot segment after decoding."""
    # A gopher selector has no hierarchy (RFC 1738 section 3.4.1). Neither has a scheme without a slash.
    if (url.scheme is not None and not url.path.startswith("/")) or (url.scheme or "").lower() == "gopher":
        return
    path = url.span("path") or (0, 0)
    for match in _ENCODED.finditer(url.path):
        span = path[0] + match.start(), path[0] + match.end()
        dots = re.sub(_DOT, ".", match[0])
        yield RULE.problem(
            f'escaped dot segment {quote(url, span)} in the path is equivalent to "{dots}"',
            "path",
            span,
            section="RFC 3986 section 6.2.2.2" if spec.grammar == "rfc3986" else spec.section("escapes"),
            syntax=False,
        )


RULE = Rule(
    code="U207",
    name="encoded-dot-segment",
    severity=Severity.WARNING,
    summary='Path segment "." or ".." has an escaped dot',
    why=(
        "A check for dot segments before decoding accepts them, and a program that decodes later leaves the folder."
        " RFC 3986 section 2.3: an escaped unreserved character is equivalent to the character itself. Normal forms"
        " (section 6.2.2.2) decode it and then remove the segment, and browsers do so immediately."
    ),
    when_to_ignore="In texts about such attacks.",
    bad=(Example("See <http://h.example/a/%2e%2e/b>."),),
    good=(
        Example("See <http://h.example/a/..b/c>."),
        Example("See <http://h.example/a/%2Ehidden>."),
        Example("See <http://h.example/?a=/%2e%2e/b>."),
    ),
    check=check,
    contexts=ADDRESSES,
    skips_templates=True,
)
