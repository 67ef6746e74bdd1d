"""U407 same-scheme-relative."""

from collections.abc import Iterator

from urlscan.grammar.generic import full_match
from urlscan.model import Problem, Severity
from urlscan.patterns import lazy
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.rules.hosts import SLASHED
from urlscan.schemes import pattern
from urlscan.url import Url

# "http:/x" and "http:\x" are U406's.
_SLASH = lazy(r"[/\\]")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a reference with a scheme and a relative path."""
    scheme = (url.scheme or "").lower()
    if scheme not in SLASHED or url.authority is not None or _SLASH.match(url.path):
        return
    if spec.grammar == "rfc1630" and scheme == "nntp":
        return  # RFC 1630:  nntpaddress = "nntp:" group "/" digits
    colon = len(scheme) + 1
    reference = url.text[colon:]
    shape = f'"{scheme}:" before a relative reference' if reference else f'nothing follows "{scheme}:"'
    yield RULE.problem(
        f'{shape}: some programs drop the scheme, for others this is no URL without "//" and a host',
        "path",
        (0, colon),
        section=spec.section("same-scheme"),
        suggestion=reference,
        syntax=_rejects(url, spec, scheme),
    )


def _rejects(url: Url, spec: Spec, scheme: str) -> bool:
    if spec.grammar == "rfc2396":
        # An opaque_part, which may not be empty.
        return (
            full_match("rfc2396", "uri").fullmatch(f"{scheme}:{'x' if url.path or url.query is not None else ''}")
            is None
        )
    return spec.grammar in ("rfc3986", "rfc3987") or pattern(scheme, spec.grammar, "uri") is not None


RULE = Rule(
    code="U407",
    name="same-scheme-relative",
    severity=Severity.WARNING,
    summary='A scheme before a relative reference: "http:g".',
    why=(
        'RFC 2396 section 5.2 step 3 and RFC 3986 section 5.2.2: RFC 1630 let "http:g" mean "g" on a page of http,'
        " and some programs still read it so; for a strict one it is an absolute URI, and one that the schemes' own"
        ' grammars have no place for. RFC 3986 says that its use should be avoided. Write "g".'
    ),
    when_to_ignore="Where the loophole itself is the subject.",
    bad=(Example("See <URL:http:g>."), Example("See <URL:http:a/b.html#c>.")),
    good=(Example("See <http://h.example/g>."), Example("See <mailto:jo@h.example>.")),
    check=check,
    skips_templates=True,
    defers_to=("U406",),
    contexts=ADDRESSES,
)
