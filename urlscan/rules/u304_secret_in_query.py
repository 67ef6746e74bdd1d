"""U304 secret-in-query."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Problem, Severity
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.userinfo import is_placeholder_host, looks_made_up
from urlscan.secrets import MASK, url_names_secret
from urlscan.secrets.known import Parameter
from urlscan.secrets.values import parameter_values, tokens
from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.url import Url

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
_GENERIC = 16  # shortest value of an ambiguous name


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each published token and for each value that a service treats as a secret."""
    if not url_names_secret(url.text) or is_placeholder_host(url):
        return
    userinfo = url.span("userinfo")
    done = userinfo[1] if userinfo is not None else 0  # U301 reports the userinfo
    found = []
    for token in tokens(url.text):
        if token.token is None or not token.token.reported or token.start < done:
            continue
        if not looks_made_up(url.text[token.start : token.end]):
            message = f"token of {token.token.publisher} in URL: {MASK}"
            found.append((token.start, token.end, message))
    signed = False
    for value in parameter_values(url.text):
        if value.start < done or any(start < value.end and value.start < end for start, end, _ in found):
            continue
        of_signature = _OF_SIGNATURE.fullmatch(value.parameter.name) is not None
        if (signed and of_signature) or not _is_secret(url, value.parameter, url.text[value.start : value.end], spec):
            continue
        signed = signed or of_signature
        found.append((value.start, value.end, f'value of "{value.name}" is a secret: {MASK}'))
    for start, end, message in sorted(found):
        yield RULE.problem(
            message, _component(url, start), (start, end), section=spec.section("security"), syntax=False
        )


def _component(url: Url, at: int) -> str:
    for component in ("fragment", "query"):
        span = url.span(component)
        if span is not None and span[0] <= at:
            return component
    return "path"


def _is_secret(url: Url, parameter: Parameter, value: str, spec: Spec) -> bool:
    """Return whether the value of a parameter is probably a secret."""
    if parameter.name in _KEY_IDS and _SIGNED.search(url.text) is None:
        return False
    if value.lower() in spec.placeholders or _NO_SECRET.fullmatch(value) or placeholder_spans(value):
        return False
    letters = sum(character.isalpha() for character in value)
    digits = sum(character.isdigit() for character in value)
    if not letters or not digits:  # a word, a number
        return False
    if parameter.shortest == 8:  # the name is unambiguous
        return True
    if looks_made_up(value) or len(value) < 8:
        return False
    # Names such as "token" and "signature" are ambiguous: their values are masked but not reported.
    return parameter.shortest < _GENERIC


RULE = Rule(
    code="U304",
    name="secret-in-query",
    severity=Severity.WARNING,
    security_severity=7.0,
    summary="URL contains a secret in its path, query or fragment",
    why=(
        "RFC 3986 section 7.5 and RFC 9110 section 17.9: URLs are displayed, logged, quoted and archived, and so are"
        " the secrets in them. Two published lists define secrets: parameters whose values grant access to a service"
        " (`access_token`, `client_secret`, `X-Amz-Signature`, ...), in any case and spelling, and tokens with a"
        " known prefix (`ghp_`, `xoxb-`, `AKIA`, ...), anywhere in the URL. Values of ambiguous parameters (`token`,"
        " `sig`, `auth`) are masked but not reported. The rule accepts placeholders, words, numbers and hosts"
        " reserved for examples."
    ),
    when_to_ignore="Where the secret has expired, or grants no access.",
    bad=(
        Example("See http://www.dominion.org/a?access_token=s-5bu1A48An4g now."),
        Example("See http://www.dominion.org/a?Client-Secret=s-5bu1A48An4g now."),
        Example("See http://www.dominion.org/a?x=ghp_5bu1A48An4g7Qm2Zt9LkW3xR8vB1cD6f now."),
        Example("See http://www.dominion.org/a?AWSAccessKeyId=AKIA923832926&Expires=1&Signature=mPRws2HD now."),
    ),
    good=(
        Example("See http://www.dominion.org/a?access_token=ACCESS_TOKEN now."),
        Example("See http://www.dominion.org/a?token=s-5bu1A48An4g now."),
        Example("See http://www.dominion.org/a?token=5bu1A48An4g7Qm2Zt9Lk now."),
        Example("See http://www.dominion.org/a?sig=0&token=abc now."),
        Example("See http://www.dominion.org/a?x=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx now."),
        Example("See http://h.example/a?access_token=s-5bu1A48An4g now."),
        Example("See http://www.dominion.org/a?access_token={token} now."),
    ),
    check=check,
    skips_allowed_hosts=True,
    options=("placeholders",),
)
