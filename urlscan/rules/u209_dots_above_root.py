"""U209 dots-above-root."""

from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.uri.url import Url

_SEGMENTS = lazy("/([^/]*)")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for the first ".." that has no segment to remove."""
    # The base decides how far a relative reference may climb.
    if (url.scheme is None and url.authority is None) or "/.." not in url.path or not url.path.startswith("/"):
        return
    scheme = (url.scheme or "").lower()
    # RFC 1738 section 3.4.1: a gopher selector may contain any octets.  Section 3.2.2: in ftp each segment is
    # the argument of a CWD, which begins at the login directory and may climb.
    if scheme == "gopher" or (scheme == "ftp" and spec.profile == "rfc1738"):
        return
    span = _above_root(url.path)
    if span is None:
        return
    start = (url.span("path") or (0, 0))[0]
    yield RULE.problem(
        '".." in the path goes above the root; remove it',
        "path",
        (start + span[0], start + span[1]),
        section="RFC 2396 section 5.2" if spec.grammar == "rfc1738" else spec.section("resolution"),
        syntax=False,
    )


def _above_root(path: str) -> tuple[int, int] | None:
    """Return the place of the first ".." without a segment before it to remove."""
    depth = 0
    for match in _SEGMENTS.finditer(path):
        if match[1] == "..":
            if depth == 0:
                return match.span(1)
            depth -= 1
        elif match[1] != ".":
            depth += 1
    return None


RULE = Rule(
    code="U209",
    name="dots-above-root",
    severity=Severity.WARNING,
    summary='Path contains a ".." that goes above the root',
    why=(
        "RFC 2396 section 5.2 step 6g: such a reference is an error, and programs may keep the dots, remove them or"
        " reject the URL. RFC 3986 section 5.2.4 removes them. The URL therefore leads to different places in"
        " different programs. The usual cause is one step too many."
    ),
    when_to_ignore="In texts about resolving references.",
    bad=(Example("See <http://h.example/a/../../b>."),),
    good=(
        Example("See <http://h.example/a/../b>."),
        Example("See <http://h.example/?a=/../b>."),
        Example("See <http://h.example/a/...>."),
    ),
    check=check,
    skips_templates=True,
    contexts=ADDRESSES,
)
