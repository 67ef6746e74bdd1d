"""U301 password-in-url."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.userinfo import is_placeholder_host, is_placeholder_login, looks_made_up
from urlscan.secrets import MASK, redact, secret_spans
from urlscan.secrets.values import tokens, user_tokens
from urlscan.uri.url import Url

# GitHub's tokens were forty hexadecimal digits before they had prefixes.
_HEX_TOKEN = r"[0-9a-f]{40}"  # noqa: S105 - a pattern, not a token
_BASIC = "x-oauth-basic"  # GitHub's password for a user name that is a token


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a password that is not a placeholder, or for a token used as user name or password."""
    userinfo = url.span("userinfo")
    if not url.userinfo or userinfo is None:
        return
    if token := _token(url, userinfo):
        yield _problem(url, spec, token, "token in URL")
        return
    user, _, password = url.userinfo.partition(":")
    if not password or is_placeholder_login(url, user, password, spec.placeholders):
        return
    if password.lower() != _BASIC:
        yield _problem(url, spec, (userinfo[0] + len(user) + 1, userinfo[1]), "password in URL")


def _problem(url: Url, spec: Spec, place: tuple[int, int], what: str) -> Problem:
    start, end = place
    masked = redact(url.text[:start] + MASK + url.text[end:])
    return RULE.problem(
        f"{what}: {masked}",
        "userinfo",
        place,
        section=spec.section("security"),
        suggestion=_without(url, place),
        syntax=False,
    )


def _without(url: Url, place: tuple[int, int]) -> str:
    """Return the URL without the password and its colon, or without the userinfo if the user name is a token."""
    start, end = _dropped(url, place)
    return url.text[:start] + url.text[end:]


def _dropped(url: Url, place: tuple[int, int]) -> tuple[int, int]:
    userinfo = url.span("userinfo")
    assert userinfo is not None  # noqa: S101 - the place is in it
    if place[0] == userinfo[0]:
        return userinfo[0], userinfo[1] + 1
    return place[0] - 1, place[1]


def _token(url: Url, userinfo: tuple[int, int]) -> tuple[int, int] | None:
    """Return the place of a real token used as user name or password, or None."""
    if is_placeholder_host(url):
        return None
    for found in (*tokens(url.text), *user_tokens(url.text)):
        inside = userinfo[0] <= found.start and found.end <= userinfo[1]
        value = url.text[found.start : found.end]
        if not inside or looks_made_up(value):
            continue
        is_basic = url.text[found.end : userinfo[1]].lower() == f":{_BASIC}"
        if found.token is not None or is_basic or re.fullmatch(_HEX_TOKEN, value):
            return found.start, found.end
    return None


def fix(url: Url, problem: Problem) -> Fix | None:
    """Remove the password with its colon; unsafe, because programs that use the URL will then ask for it.

    None if a character that must be escaped divides the password: a part of it would remain in the text.
    """
    place = problem.start, problem.end
    if secret_spans(url.text)[:1] != [place]:
        return None
    start, end = _dropped(url, place)
    return Fix("unsafe", (Edit(start, end, ""),))


RULE = Rule(
    code="U301",
    name="password-in-url",
    severity=Severity.ERROR,
    security_severity=7.5,
    summary="URL contains a password or a token",
    why=(
        'RFC 1738 section 6: the use of URLs containing passwords that should be secret "is clearly unwise". RFC'
        " 2396 section 7 and RFC 3986 sections 3.2.1 and 7.5 give the reason: URLs are displayed, logged, quoted and"
        " archived. Databases and queues (`postgres:`, `mysql:`, `amqp:`, `redis:`, `mongodb:`) take credentials from"
        " URLs as well. The rule reports published tokens (`ghp_`, `glpat-`, ...) as user name or password, whatever"
        " the other part is. It accepts placeholders (`$PASS`, `<pw>`, `***`, `password`), user names such as `user`,"
        " passwords equal to the user name or shorter than four characters, default passwords of servers (`guest`,"
        " `root`), hosts reserved for examples, container hosts such as `db`, and anonymous ftp. urlscan never prints"
        " the password."
    ),
    when_to_ignore="Where the password is meant to be public.",
    bad=(
        Example("See <ftp://licensed:s3am8k@ftp.dominion.org/x>."),
        Example("See <postgres://licensed:s3am8k@db.dominion.org/x>."),
        Example("See <https://user:ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f@github.com/x>."),
        Example("See <https://ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f@github.com/x>."),
    ),
    good=(
        Example("See <ftp://licensed@ftp.dominion.org/x>."),
        Example("See <ftp://user:s3am8k@ftp.dominion.org/x>."),
        Example("See <ftp://jo:password@ftp.dominion.org/x>."),
        Example("See <ftp://jo:s3am8k@ftp.example.com/x>."),
        Example("See <ftp://anonymous:jo%40h.example@ftp.dominion.org/x>."),
        Example("See <ftp://jo:@ftp.dominion.org/x>."),
        Example("See <postgres://postgres:postgres@db.dominion.org/x>."),
        Example("See <amqp://jo:s3am8k@rabbitmq:5672/x>."),
        Example("See <https://ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx@github.com/x>."),
    ),
    check=check,
    skips_allowed_hosts=True,
    options=("placeholders",),
    fix=fix,
    fix_note='Removes the password, or the token with its "@" (unsafe). It has been published, so change it as well.',
)
