"""U301 password-in-url."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.redact import MASK, redact, secret_spans
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.userinfo import is_harmless
from urlscan.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a password that is no placeholder."""
    if url.userinfo is None or ":" not in url.userinfo:
        return
    user, _, password = url.userinfo.partition(":")
    if not password or is_harmless(url, user, password, spec.placeholders):
        return
    userinfo = url.span("userinfo")
    assert userinfo is not None  # noqa: S101 - it is not absent
    start, end = userinfo[0] + len(user) + 1, userinfo[1]
    masked = redact(url.text[:start] + MASK + url.text[end:])
    yield RULE.problem(
        f"a password is written out: {masked}",
        "userinfo",
        (start, end),
        section=spec.section("security"),
        suggestion=url.text[: start - 1] + url.text[end:],
        syntax=False,
    )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Drop the password with its colon; unsafe, because what used it will ask for it.

    None where a character that must be escaped cuts the password: a part of it would stay in the text.
    """
    if secret_spans(url.text)[:1] != [(problem.start, problem.end)]:
        return None
    return Fix("unsafe", (Edit(problem.start - 1, problem.end, ""),))


RULE = Rule(
    code="U301",
    name="password-in-url",
    severity=Severity.ERROR,
    summary="A URL with a password in it.",
    why=(
        'RFC 1738 section 6: the use of URLs containing passwords that should be secret "is clearly unwise". RFC 2396'
        " section 7 and RFC 3986 sections 3.2.1 and 7.5 say why: URLs are shown, logged, quoted and archived."
        " Placeholders (`$PASS`, `<pw>`, `***`, `password`), users like `user`, hosts reserved for examples and"
        " anonymous ftp are passed over. urlscan prints no password."
    ),
    when_to_ignore="Where the password is public, as some were meant to be.",
    bad=(Example("See <ftp://licensed:s3am8k@ftp.dominion.org/x>."),),
    good=(
        Example("See <ftp://licensed@ftp.dominion.org/x>."),
        Example("See <ftp://user:s3am8k@ftp.dominion.org/x>."),
        Example("See <ftp://jo:password@ftp.dominion.org/x>."),
        Example("See <ftp://jo:s3am8k@ftp.example.com/x>."),
        Example("See <ftp://anonymous:jo%40h.example@ftp.dominion.org/x>."),
        Example("See <ftp://jo:@ftp.dominion.org/x>."),
    ),
    check=check,
    quiet_at_allowed_hosts=True,
    options=("placeholders",),
    fix=fix,
    fix_note="Drops the password (unsafe). It has been published: change it.",
)
