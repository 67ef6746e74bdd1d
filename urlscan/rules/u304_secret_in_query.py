"""U304 secret-in-query."""

from collections.abc import Iterator

from urlscan.grammar.placeholders import placeholder_spans
from urlscan.model import Problem, Severity
from urlscan.patterns import lazy
from urlscan.redact import MASK
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.userinfo import is_reserved
from urlscan.url import Url

# The exact names by which services know a secret; "key", "sid", "sig" and "token" are too many other things.
_SECRET = lazy(
    r"(?<=[?&;])(?P<name>access_token|api_key|secret_token|AWSAccessKeyId|X-Amz-(?:Signature|Credential|Security-Token))"
    r"=(?P<value>[^&;#\s]*)"
)
# An access key by itself is an identifier; with its signature it opens the door.
_SIGNED = lazy(r"[?&;](?:Signature|Expires)=")
_SHORTEST = 8
_NO_SECRET = lazy(
    r"(?i)[x*.]+|(?:your|my|the|some|insert|example|test|dummy|fake|sample)[\w.-]*|(?:access_?token|api_?key|secret|token"
    r"|changeme|redacted|placeholder|undefined|null)[\w.-]*|<.*|\$.*|%.*|\{.*|\[.*|\.\.\."
)


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each value that a service takes for a secret."""
    query = url.span("query")
    if query is None or is_reserved(url):
        return
    for match in _SECRET.finditer(url.text, query[0] - 1, query[1]):
        value = match["value"]
        if match["name"] == "AWSAccessKeyId" and _SIGNED.search(url.text) is None:
            continue
        if len(value) < _SHORTEST or value.lower() in spec.placeholders:
            continue
        if _NO_SECRET.fullmatch(value) or placeholder_spans(value):
            continue
        yield RULE.problem(
            f'the value of "{match["name"]}" is a secret: {MASK}',
            "query",
            match.span("value"),
            section=spec.section("security"),
            syntax=False,
        )


RULE = Rule(
    code="U304",
    name="secret-in-query",
    severity=Severity.WARNING,
    summary="A query with a secret in it: an access token, a key, a signature.",
    why=(
        "RFC 3986 section 7.5 and RFC 9110 section 17.9: URLs are shown, logged, quoted and archived, and so is a"
        " secret in one. These names are what services give to values that open something: access_token, api_key,"
        " secret_token, AWSAccessKeyId with its signature, X-Amz-Signature and its like."
    ),
    when_to_ignore="Where the secret has expired, or opens nothing.",
    bad=(
        Example("See http://www.dominion.org/a?access_token=s-5bu1A48An4g now."),
        Example("See http://www.dominion.org/a?AWSAccessKeyId=AKIA923832926&Expires=1&Signature=mPRws2HD now."),
    ),
    good=(
        Example("See http://www.dominion.org/a?access_token=ACCESS_TOKEN now."),
        Example("See http://www.dominion.org/a?token=s-5bu1A48An4g now."),
        Example("See http://h.example/a?access_token=s-5bu1A48An4g now."),
        Example("See http://www.dominion.org/a?access_token={token} now."),
    ),
    check=check,
    quiet_at_allowed_hosts=True,
    options=("placeholders",),
)
