"""U407 same-scheme-relative."""

from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.rules.hosts import SLASHED
from urlscan.uri.grammar.generic import full_match
from urlscan.uri.schemes import pattern
from urlscan.uri.url import Url

# U406 reports "http:/x" and "http:\x".
_SLASH = lazy(r"[/\\]")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme followed by a relative path."""
    scheme = (url.scheme or "").lower()
    if scheme not in SLASHED or url.authority is not None or _SLASH.match(url.path):
        return
    if spec.grammar == "rfc1630" and scheme == "nntp":
        return  # RFC 1630:  nntpaddress = "nntp:" group "/" digits
    colon = len(scheme) + 1
    reference = url.text[colon:]
    if reference:
        message = f'"{scheme}:" precedes a relative reference; remove the scheme, or write "//" and a host'
    else:
        message = f'nothing follows "{scheme}:"; write "//" and a host'
    yield RULE.problem(
        message,
        "path",
        (0, colon),
        section=spec.section("same-scheme"),
        suggestion=reference,
        syntax=_rejects(url, spec, scheme),
    )


def _rejects(url: Url, spec: Spec, scheme: str) -> bool:
    if spec.grammar == "rfc2396":
        # An opaque_part must not be empty.
        return (
            full_match("rfc2396", "uri").fullmatch(f"{scheme}:{'x' if url.path or url.query is not None else ''}")
            is None
        )
    return spec.grammar in ("rfc3986", "rfc3987") or pattern(scheme, spec.grammar, "uri") is not None


RULE = Rule(
    code="U407",
    name="same-scheme-relative",
    severity=Severity.WARNING,
    summary='Scheme precedes a relative reference, as in "http:g"',
    why=(
        'RFC 1630 let "http:g" mean "g" on a page of http, and some programs still read it so. RFC 2396 section 5.2'
        " step 3 and RFC 3986 section 5.2.2 allow this for compatibility. Strict programs read an absolute URI, which"
        ' the grammars of these schemes reject. RFC 3986 says that its use should be avoided. Write "g".'
    ),
    when_to_ignore="Where the text is about this loophole.",
    bad=(Example("See <URL:http:g>."), Example("See <URL:http:a/b.html#c>.")),
    good=(Example("See <http://h.example/g>."), Example("See <mailto:jo@h.example>.")),
    check=check,
    skips_templates=True,
    defers_to=("U406",),
    contexts=ADDRESSES,
    defers_to_faults=("look-alike",),
)
