"""U302 userinfo-not-allowed."""

import re
from collections.abc import Iterator

from urlscan.grammar.characters import run_of
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import Example, Rule, Spec, quote
from urlscan.rules.userinfo import is_placeholder_login
from urlscan.schemes import NO_USERINFO
from urlscan.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for the userinfo of a scheme that has none."""
    scheme = (url.scheme or "").lower()
    sections = NO_USERINFO.get(scheme)
    span = url.span("userinfo")
    if sections is None or span is None or url.userinfo is None:
        return
    # The grammars of these two are the schemes' own; of the others, a scheme narrows the generic one by its text.
    syntax = spec.grammar in ("rfc1738", "rfc1630") and spec.grammar in sections
    if not syntax and not _is_somebody(url, url.userinfo, spec.placeholders):
        return
    start, end = span
    # An empty userinfo is its "@".
    place = (start, max(end, start + 1))
    yield RULE.problem(
        f"{quote(url, place)}: {scheme} has no user name",
        "userinfo",
        place,
        section=sections.get(spec.grammar, sections["rfc3986"]),
        suggestion=url.text[:start] + url.text[end + 1 :],
        syntax=syntax,
    )


def _is_somebody(url: Url, userinfo: str, placeholders: frozenset[str]) -> bool:
    """Whether advice is due: somebody's name stands there, and nothing else is wrong with it."""
    user, _, password = userinfo.partition(":")
    if not userinfo or is_placeholder_login(url, user, password, placeholders):
        return False
    # A character that may not stand there is said by its own rule.
    return re.fullmatch(run_of("rfc3987", "userinfo"), userinfo) is not None


def fix(url: Url, _problem: Problem) -> Fix | None:
    """Drop the userinfo with its "@"; unsafe, because a server may have asked for it."""
    span = url.span("userinfo")
    return None if span is None else Fix("unsafe", (Edit(span[0], span[1] + 1, ""),))


RULE = Rule(
    code="U302",
    name="userinfo-not-allowed",
    severity=Severity.INFO,
    summary="A user name in a URL whose scheme has none: http, https, gopher, nntp, wais, prospero.",
    why=(
        'RFC 1738 sections 3.3 to 3.11: "No user name or password is allowed" for http and prospero, and gopher, nntp'
        " and wais have a syntax without one. RFC 9110 section 4.2.4 lets nobody send http URLs with a userinfo, and"
        " warns of those that come from elsewhere, because it hides where they lead. By RFC 2396, 3986 and 3987 alone"
        " it is allowed, so that this is advice; by RFC 1738 and 1630 it is an error of syntax."
        " Placeholders and hosts reserved for examples are passed over, as by U301."
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
    fix_note="Drops user name and password (unsafe: the server may ask for them).",
    skips_templates=True,
    defers_to=("U301", "U303", "U406"),
)
