"""Judge user names, passwords and secrets (U301, U302 and U304)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import CONTEXTS, Match, Problem, Severity
from urlscan.core.secrets import MASK, redact, url_may_hold_secret, url_secrets
from urlscan.core.secrets.known import Parameter
from urlscan.core.secrets.values import parameter_values, tokens
from urlscan.rules.base import Example, Spec, is_in_program, quote, replacement, url_rule
from urlscan.rules.hosts import is_sample
from urlscan.uri.grammar.characters import run_of
from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.schemes import NO_USERINFO
from urlscan.uri.url import Url

# Each of these must match the entire value: "xpass1" may be a secret. They are compiled on first use, because most
# texts need none of them.
# Matches: `password`, `my_token`, `YOUR-PROJECT-SECRET`, `MyAccountPassword`, `API_SECRET`, `xxx`, `***`, `123456`
# Does not match: `xpass1`, `passwords`, `x`, `s3cr3t`, `MyS3cret`, `K7_QX9`
_HARMLESS = lazy(
    r"""
    (?: my | your | the | some | user | db | foo | bar )? [-_]?
    (?: pass | password | passwd | passwort | passphrase | pwd | pw | secret | token | word )
  | foo | bar | baz | changeme | redacted | masked | hidden | x{2,} | [*.•…_-]+
  # Default passwords of servers, and those of manuals.
  | admin | root | guest | test | demo | default | postgres | mysql | redis | rabbitmq | mongo
  # Words that name what belongs there.
  | your[-_][\w-]+ | (?-i: My (?:[A-Z][a-z]+)+ | [A-Z]+ (?:[-_][A-Z]+)+ )
  | 12345?6?7?8?9?0? | qwerty | letmein
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Matches: `user`, `your_user-name`, `foo`, `ghp_xxxx`, `https`
# Does not match: `jo`, `users`, `x`
_ANY_USER = lazy(
    r"""
    (?: my | your | the | some | foo | bar | db )? [-_]?
    (?: user | username | userid | user[-_]name | user[-_]id | usr | login | uid )
  | foo | bar | baz | name | x{2,} | [*.•…_-]+
  | [a-z]{2,12}[_-](?: x{3,} | \*{3,} | \.{3,} )
  # "http://mailto:jo@h.net": a second scheme
  | mailto | https? | ftp
    """,
    re.IGNORECASE | re.VERBOSE,
)
# One repeated character, a part of the alphabet, or a word for a token: nothing that a service would issue.
# Matches: `aaaa`, `0123`, `abcde`, `Secret`, `test_key`
# Does not match: `aaa`, `9f8a7b`, `keys`
_NOT_ISSUED = lazy(
    r"""
    (.)\1{3} | 0123 | 12345 | abcde
  | example | sample | dummy | fake | your | placeholder | redacted | secret | token | test_?key | changeme
  | p (?: a | @ | %40 ) ssw
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHORTEST = 4  # characters; "u:p@h" shows how a URL is written
_GENERATED = 8  # characters; generators of passwords write no shorter ones
# A digit within a word; "key_1234" and "jo2024" are words with a number.
# Matches: `k7Q`, `x8-b`
# Does not match: `key_1234`, `2024jo`
_MIXED = lazy(r"[A-Za-z][0-9]+[^0-9\s]*[A-Za-z]")


def looks_made_up(value: str) -> bool:
    """Return whether the characters of a token or password show that no service issued it."""
    return len(set(value)) < 6 or _NOT_ISSUED.search(value) is not None


def is_placeholder_login(url: Url, user: str, password: str, placeholders: frozenset[str] = frozenset()) -> bool:
    """Return whether user name, password or host shows that the login is not real.

    Args:
        placeholders: further placeholders, in lowercase.
    """
    if url.scheme is not None and url.scheme.lower() == "ftp" and user.lower() in ("anonymous", "ftp"):
        return True  # RFC 1738 section 3.2.1: the password is the user's mail address
    if not user and re.fullmatch("pserver:[a-z]+:?", password):
        return True  # the method and the user of a repository of CVS
    host = url.host or ""
    # A name without a dot belongs to a local network or a manual, and "@Header=Value" to a command.
    is_public = host.startswith("[") or ("." in host and host.isascii() and "=" not in host)
    return bool(
        (password and (len(password) < _SHORTEST or password.lower() == user.lower()))
        or _HARMLESS.fullmatch(password) is not None
        or _ANY_USER.fullmatch(user) is not None
        or not is_public
        or is_sample(host)
        or "(" in user + password  # "(bucket@h.example)" in a log: a generator writes no brackets
        or (url.port or "").isalpha()  # "http://user-name:pass-phrase@proxy.example:port" shows the form
        or not placeholders.isdisjoint((user.lower(), password.lower()))
        or any(placeholder_spans(value) == [(0, len(value))] for value in (password, user))
    )


# --- U301 password-in-url

# GitHub's tokens were forty hexadecimal digits before they had prefixes.
_HEX_TOKEN = r"[0-9a-f]{40}"  # noqa: S105 - a pattern, not a token
_BASIC = "x-oauth-basic"  # GitHub's password for a user name that is a token


def _refine_password_in_url(problem: Problem, occurrence: Match, document: Document) -> Problem:
    """Return the problem; as information for a word in a program, whose examples need logins."""
    if problem.severity == Severity.WARNING and is_in_program(occurrence, document):
        problem = problem._replace(severity=Severity.INFO, fix=None)
    return problem


def _problem(url: Url, spec: Spec, span: tuple[int, int], what: str, severity: Severity) -> Problem:
    start, end = span
    masked = redact(url.text[:start] + MASK + url.text[end:])
    userinfo = url.span("userinfo")
    assert userinfo is not None  # noqa: S101 - the span is in it
    # The password goes with its colon; the userinfo with its "@" if the user name is a token.
    first, last = start - 1, end
    if start == userinfo[0]:
        first, last = userinfo[0], userinfo[1] + 1
    fix = None
    # If a character that must be escaped divides the password, a part of it would remain in the text.
    if url_secrets(url.text, cut=True)[:1] == [span]:
        fix = replacement("unsafe", (first, last), "")  # programs that use the URL will ask for the password
    return password_in_url.problem(
        f"{what}: {masked}",
        "userinfo",
        span,
        section=spec.section("security"),
        suggestion=url.text[:first] + url.text[last:],
        syntax=False,
        severity=severity,
        fix=fix,
    )


def _token(url: Url, userinfo: tuple[int, int]) -> tuple[int, int] | None:
    """Return the span of a real token used as user name or password, or None."""
    if is_sample(url.host or ""):
        return None
    for token in tokens(url.text):
        inside = userinfo[0] <= token.start and token.end <= userinfo[1]
        value = url.text[token.start : token.end]
        if not inside or looks_made_up(value):
            continue
        is_basic = url.text[token.end : userinfo[1]].lower() == f":{_BASIC}"
        if token.token is not None or is_basic or re.fullmatch(_HEX_TOKEN, value):
            return token.start, token.end
    return None


@url_rule(
    "U301",
    Severity.ERROR,
    security_severity=7.5,
    bad=[
        "See <ftp://licensed:s3am8k@ftp.dominion.org/x>.",
        "See <postgres://licensed:s3am8k@db.dominion.org/x>.",
        "See <https://user:ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f@github.com/x>.",
        "See <https://ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f@github.com/x>.",
    ],
    good=[
        "See <ftp://licensed@ftp.dominion.org/x>.",
        "See <ftp://user:s3am8k@ftp.dominion.org/x>.",
        "See <ftp://jo:password@ftp.dominion.org/x>.",
        "See <ftp://jo:s3am8k@ftp.example.com/x>.",
        "See <ftp://anonymous:jo%40h.example@ftp.dominion.org/x>.",
        "See <ftp://jo:@ftp.dominion.org/x>.",
        "See <postgres://postgres:postgres@db.dominion.org/x>.",
        "See <amqp://jo:s3am8k@rabbitmq:5672/x>.",
        "See <https://ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx@github.com/x>.",
    ],
    refine=_refine_password_in_url,
    skips_allowed_hosts=True,
    options=("placeholders",),
    skips_templates=False,
    contexts=CONTEXTS,
)
def password_in_url(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains a password or a token.

    RFC 1738 section 6: the use of URLs containing passwords that should be secret "is clearly unwise". RFC 2396 section
    7 and RFC 3986 sections 3.2.1 and 7.5 give the reason: URLs are displayed, logged, quoted and archived. Databases
    and queues (`postgres:`, `mysql:`, `amqp:`, `redis:`, `mongodb:`) take credentials from URLs as well. The rule
    reports published tokens (`ghp_`, `glpat-`, ...) as user name or password, whatever the other part is. It accepts
    placeholders (`$PASS`, `<pw>`, `***`, `password`), user names such as `user`, passwords equal to the user name or
    shorter than four characters, default passwords of servers (`guest`, `root`), hosts reserved for examples, container
    hosts such as `db`, and anonymous ftp. A password that does not look generated (eight characters, with a digit
    between letters) is a warning, and information in programs, whose examples and tests need logins. urlscan
    never prints the password.

    When to ignore: Where the password is meant to be public.
    Fix: Removes the password, or the token with its "@" (unsafe). It has been published, so change it as well.
    """
    userinfo = url.span("userinfo")
    if not url.userinfo or userinfo is None:
        return
    if token := _token(url, userinfo):
        yield _problem(url, spec, token, "token in URL", Severity.ERROR)
        return
    user, _, password = url.userinfo.partition(":")
    if not password or is_placeholder_login(url, user, password, spec.placeholders):
        return
    if password.lower() != _BASIC:
        # Manuals and tests write words such as "s3cret".
        is_generated = len(password) >= _GENERATED and _MIXED.search(password) is not None
        severity = Severity.ERROR if is_generated and not looks_made_up(password) else Severity.WARNING
        span = (userinfo[0] + len(user) + 1, userinfo[1])
        yield _problem(url, spec, span, "password in URL", severity)


# --- U302 userinfo-not-allowed


@url_rule(
    "U302",
    Severity.INFO,
    security_severity=2.0,
    bad=("See <http://licensed@www.dominion.org/x>.", Example("See <gopher://licensed@h.example/1>.", "rfc1738")),
    good=[
        "See <ftp://licensed@ftp.dominion.org/x>.",
        "See <http://user@www.dominion.org/x>.",
        "See <http://licensed@www.example.com/x>.",
        "See <http://www.dominion.org/@licensed>.",
    ],
    skips_allowed_hosts=True,
    options=("placeholders",),
    defers_to=("U301", "U303", "U406"),
    contexts=CONTEXTS,
)
def userinfo_not_allowed(url: Url, spec: Spec) -> Iterator[Problem]:
    """User name in a URL whose scheme does not allow one.

    RFC 1738 sections 3.3 to 3.11: "No user name or password is allowed" for http and prospero; the syntax of gopher,
    nntp and wais has none either. RFC 9110 section 4.2.4 forbids sending http URLs with a userinfo and warns of
    received ones, because the userinfo hides where they lead. RFC 2396, 3986 and 3987 allow it, so the finding is
    advice. By RFC 1738 and RFC 1630 it is a syntax error. The rule accepts placeholders and hosts reserved for
    examples, as U301 does.

    When to ignore: Where a program takes its login from such URLs, as git does.
    """
    scheme = (url.scheme or "").lower()
    sections = NO_USERINFO.get(scheme)
    span = url.span("userinfo")
    if sections is None or span is None or url.userinfo is None:
        return
    # The grammars of RFC 1738 and RFC 1630 exclude it. By the others, only the text about the scheme does.
    syntax = spec.grammar in ("rfc1738", "rfc1630") and spec.grammar in sections
    if not syntax:
        user, _, password = url.userinfo.partition(":")
        if not url.userinfo or is_placeholder_login(url, user, password, spec.placeholders):
            return
        if re.fullmatch(run_of("rfc3987", "userinfo"), url.userinfo) is None:
            return  # other rules report characters that are not allowed here
    start, end = span
    # An empty userinfo is reported at its "@".
    part = (start, max(end, start + 1))
    yield userinfo_not_allowed.problem(
        f"{quote(url, part)} is not allowed: {scheme} URLs have no user name",
        "userinfo",
        part,
        section=sections.get(spec.grammar, sections["rfc3986"]),
        suggestion=url.text[:start] + url.text[end + 1 :],
        syntax=syntax,
    )


# --- U304 secret-in-query

# An access key id alone is only an identifier; with its signature it grants access.
_SIGNED = lazy(r"[?&;](?:Signature|Expires)=")
_KEY_IDS = ("AWS access key id", "OSS access key id")
# Parameters of one signed URL, which are one secret.
_OF_SIGNATURE = lazy(r"(?:X )?(?:Amz|Goog|Oss|Cos|AWS|OSS)\b.*|signature|sig")
# Matches: `xxxx`, `YOUR_API_KEY`, `api_key-1`, `<token>`, `${TOKEN}`, `[removed]`
# Does not match: `9f8a7b6c`, `x1`, `a<token>`
_NO_SECRET = lazy(
    r"""
    [x*.]+
  | (?: your | my | the | some | insert | example | test | dummy | fake | sample )[\w.-]*
  | (?: access_?token | api_?key | secret | token | changeme | redacted | placeholder | undefined | null )[\w.-]*
  | [<$%{\[].*
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Pages show the keys of Google Maps and Firebase to every visitor; Google restricts them to the sites of their owner.
_SHOWN_KEYS = ("maps.google.com", "maps.googleapis.com", "www.google.com", "identitytoolkit.googleapis.com")
# A signature of version 4 holds for 604,800 seconds at most (Amazon S3, "Authenticating Requests").
_SHORT_LIVED = lazy(r"(?:\A|&)X-Amz-Expires=[0-9]{1,6}(?:&|\Z)")
_GENERIC = 16  # shortest value of an ambiguous name


def _component(url: Url, position: int) -> str:
    for component in ("fragment", "query"):
        span = url.span(component)
        if span is not None and span[0] <= position:
            return component
    return "path"


def _is_secret(url: Url, parameter: Parameter, value: str, spec: Spec) -> bool:
    """Return whether the value of a parameter is probably a secret."""
    if parameter.name in _KEY_IDS and _SIGNED.search(url.text) is None:
        return False
    if value.lower() in spec.placeholders or _NO_SECRET.fullmatch(value) or placeholder_spans(value):
        return False
    if not any(map(str.isalpha, value)) or not any(map(str.isdigit, value)):  # a number, a word
        return False
    if parameter.shortest == 8:  # the name is unambiguous
        return True
    # Names such as "token" and "signature" are ambiguous: their values are masked but not reported.
    return len(value) >= 8 and parameter.shortest < _GENERIC and not looks_made_up(value)


@url_rule(
    "U304",
    Severity.ERROR,
    security_severity=7.0,
    bad=[
        "See http://www.dominion.org/a?access_token=s-5bu1A48An4g now.",
        "See http://www.dominion.org/a?Client-Secret=s-5bu1A48An4g now.",
        "See http://www.dominion.org/a?x=ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f now.",
        "See http://www.dominion.org/a?AWSAccessKeyId=AKIA923832926&Expires=1&Signature=mPRws2HD now.",
    ],
    good=[
        "See http://www.dominion.org/a?access_token=ACCESS_TOKEN now.",
        "See http://www.dominion.org/a?token=s-5bu1A48An4g now.",
        "See http://www.dominion.org/a?token=5bu1A48An4g7Qm2Zt9Lk now.",
        "See http://www.dominion.org/a?sig=0&token=abc now.",
        "See http://www.dominion.org/a?x=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx now.",
        "See http://h.example/a?access_token=s-5bu1A48An4g now.",
        "See http://www.dominion.org/a?access_token={token} now.",
    ],
    skips_allowed_hosts=True,
    options=("placeholders",),
    skips_templates=False,
    contexts=CONTEXTS,
)
def secret_in_query(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains a secret in its path, query or fragment.

    RFC 3986 section 7.5 and RFC 9110 section 17.9: URLs are displayed, logged, quoted and archived, and so are the
    secrets in them. Two published lists define secrets: parameters whose values grant access to a service
    (`access_token`, `client_secret`, `X-Amz-Signature`, ...), in any case and spelling, and tokens with a known prefix
    (`ghp_`, `xoxb-`, `AKIA`, ...), anywhere in the URL. The values of parameters are information: many are meant for
    every reader, such as the passcode of an invitation (`pwd`) and the key of a web page, and so are keys of Google
    Maps and Firebase, and key ids of AWS in signed URLs that hold for a week at most (`X-Amz-Expires`). Values of
    ambiguous parameters (`token`, `sig`, `auth`) are masked but not reported. The rule accepts placeholders, words,
    numbers and hosts reserved for examples.

    When to ignore: Where the secret has expired, or grants no access.
    """
    if not url_may_hold_secret(url.text) or is_sample(url.host or ""):
        return
    _, userinfo_end = url.span("userinfo") or (0, 0)  # U301 reports the userinfo
    secrets = []
    for token in tokens(url.text):
        if token.token is None or not token.token.reported or token.start < userinfo_end:
            continue
        if not looks_made_up(url.text[token.start : token.end]):
            message = f"token of {token.token.publisher} in URL: {MASK}"
            is_of_service = token.token.publisher == "Amazon Web Services"
            is_void = is_of_service and _SHORT_LIVED.search(url.query or "") is not None
            severity = Severity.INFO if is_void or url.host in _SHOWN_KEYS else Severity.ERROR
            secrets.append((token.start, token.end, message, severity))
    signed = False
    for value in parameter_values(url.text):
        if value.start < userinfo_end or any(start < value.end and value.start < end for start, end, *_ in secrets):
            continue
        of_signature = _OF_SIGNATURE.fullmatch(value.parameter.name) is not None
        if (signed and of_signature) or not _is_secret(url, value.parameter, url.text[value.start : value.end], spec):
            continue
        signed = signed or of_signature
        secrets.append((value.start, value.end, f'value of "{value.name}" is a secret: {MASK}', Severity.INFO))
    for start, end, message, severity in sorted(secrets):
        yield secret_in_query.problem(
            message,
            _component(url, start),
            (start, end),
            section=spec.section("security"),
            syntax=False,
            severity=severity,
        )
