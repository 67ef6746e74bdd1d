"""U301 password-in-url."""

import re
from collections.abc import Iterator

from urlscan.grammar.placeholders import placeholder_spans
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.redact import MASK, redact, secret_spans
from urlscan.rules.base import Example, Rule, Spec
from urlscan.url import Url

# All of these are held against the whole value, never against a part of it: "xpass1" may be a secret.
# They are compiled when they are first asked, which most texts never do.
_HARMLESS = (
    r"(?:my|your|the|some|user|db|foo|bar)?[-_]?"
    r"(?:pass|password|passwd|passwort|passphrase|pwd|pw|secret|token|word)"
    r"|foo|bar|baz|changeme|redacted|masked|hidden|x{2,}|[*.•…_-]+"
)
_NOBODY = (
    r"(?:my|your|the|some|foo|bar|db)?[-_]?(?:user|username|userid|user[-_]name|user[-_]id|usr|login|uid)"
    r"|foo|bar|baz|name|x{2,}|[*.•…_-]+"
    r"|mailto|https?|ftp"  # "http://mailto:jo@h.net": a second scheme
)
_NOWHERE = (
    # RFC 2606 and RFC 6761: example.com, example.net, example.org; .example .test .invalid .localhost
    r"(?:.*\.)?(?:example(?:\.[a-z]{2,10})?|test|invalid|localhost)\.?"
    # A single label that only says what stands there.
    r"|(?:my|your|the|some|foo|bar|db|mail|ftp|web|remote)?[-_]?(?:host|hostname|server|servername|machine)"
    r"|foo|bar|baz|domain|site|address"
    # Loopback, and the addresses for documentation of RFC 5737 and RFC 3849.
    r"|127(?:\.\d+){3}|\[::1\]|192\.0\.2\.\d+|198\.51\.100\.\d+|203\.0\.113\.\d+|\[2001:db8:.*\]"
)
_SECTIONS = {"rfc3986": "RFC 3986 section 7.5", "rfc1738": "RFC 1738 section 6"}


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a password that is no placeholder."""
    if url.userinfo is None or ":" not in url.userinfo:
        return
    user, _, password = url.userinfo.partition(":")
    if not password or _is_harmless(url, user, password):
        return
    userinfo = url.span("userinfo")
    assert userinfo is not None  # noqa: S101 - it is not absent
    start, end = userinfo[0] + len(user) + 1, userinfo[1]
    masked = redact(url.text[:start] + MASK + url.text[end:])
    yield RULE.problem(
        f"a password is written out: {masked}",
        "userinfo",
        (start, end),
        section=_SECTIONS[spec.profile],
        suggestion=url.text[: start - 1] + url.text[end:],
        syntax=False,
    )


def _is_harmless(url: Url, user: str, password: str) -> bool:
    """Whether user, password or host says that nothing secret stands here."""
    if url.scheme is not None and url.scheme.lower() == "ftp" and user.lower() in ("anonymous", "ftp"):
        return True  # RFC 1738 section 3.2.1: the password is the user's mail address
    return (
        re.fullmatch(_HARMLESS, password, re.IGNORECASE) is not None
        or re.fullmatch(_NOBODY, user, re.IGNORECASE) is not None
        or re.fullmatch(_NOWHERE, url.host or "", re.IGNORECASE) is not None
        or _is_placeholder(password)
        or _is_placeholder(user)
    )


def _is_placeholder(value: str) -> bool:
    return placeholder_spans(value) == [(0, len(value))] if value else False


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
    fix=fix,
    fix_note="Drops the password (unsafe). It has been published: change it.",
)
