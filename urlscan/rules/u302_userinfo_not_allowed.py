"""U302 userinfo-not-allowed."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import Example, Rule, Spec, quote
from urlscan.rules.userinfo import is_placeholder_login
from urlscan.uri.grammar.characters import run_of
from urlscan.uri.schemes import NO_USERINFO
from urlscan.uri.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a userinfo in a scheme that does not allow one."""
    scheme = (url.scheme or "").lower()
    sections = NO_USERINFO.get(scheme)
    span = url.span("userinfo")
    if sections is None or span is None or url.userinfo is None:
        return
    # The grammars of RFC 1738 and RFC 1630 exclude it. By the others, only the text about the scheme does.
    syntax = spec.grammar in ("rfc1738", "rfc1630") and spec.grammar in sections
    if not syntax and not _is_real_login(url, url.userinfo, spec.placeholders):
        return
    start, end = span
    # An empty userinfo is reported at its "@".
    place = (start, max(end, start + 1))
    yield RULE.problem(
        f"{quote(url, place)} is not allowed: {scheme} URLs have no user name",
        "userinfo",
        place,
        section=sections.get(spec.grammar, sections["rfc3986"]),
        suggestion=url.text[:start] + url.text[end + 1 :],
        syntax=syntax,
    )


def _is_real_login(url: Url, userinfo: str, placeholders: frozenset[str]) -> bool:
    """Return whether the userinfo is a real login that no other rule reports."""
    user, _, password = userinfo.partition(":")
    if not userinfo or is_placeholder_login(url, user, password, placeholders):
        return False
    # Other rules report characters that are not allowed here.
    return re.fullmatch(run_of("rfc3987", "userinfo"), userinfo) is not None


def fix(url: Url, _problem: Problem) -> Fix | None:
    """Remove the userinfo with its "@"; unsafe, because the server may require it."""
    span = url.span("userinfo")
    return None if span is None else Fix("unsafe", (Edit(span[0], span[1] + 1, ""),))


RULE = Rule(
    code="U302",
    name="userinfo-not-allowed",
    severity=Severity.INFO,
    security_severity=2.0,
    summary="User name in a URL whose scheme does not allow one",
    why=(
        'RFC 1738 sections 3.3 to 3.11: "No user name or password is allowed" for http and prospero; the syntax of'
        " gopher, nntp and wais has none either. RFC 9110 section 4.2.4 forbids sending http URLs with a userinfo and"
        " warns of received ones, because the userinfo hides where they lead. RFC 2396, 3986 and 3987 allow it, so"
        " the finding is advice. By RFC 1738 and RFC 1630 it is a syntax error. The rule accepts placeholders and"
        " hosts reserved for examples, as U301 does."
    ),
    when_to_ignore="Where a program takes its login from such URLs, as git does.",
    bad=(
        Example("See <http://licensed@www.dominion.org/x>."),
        Example("See <gopher://licensed@h.example/1>.", "rfc1738"),
    ),
    good=(
        Example("See <ftp://licensed@ftp.dominion.org/x>."),
        Example("See <http://user@www.dominion.org/x>."),
        Example("See <http://licensed@www.example.com/x>."),
        Example("See <http://www.dominion.org/@licensed>."),
    ),
    check=check,
    skips_allowed_hosts=True,
    options=("placeholders",),
    fix=fix,
    fix_note="Removes user name and password (unsafe: the server may require them).",
    skips_templates=True,
    defers_to=("U301", "U303", "U406"),
)
