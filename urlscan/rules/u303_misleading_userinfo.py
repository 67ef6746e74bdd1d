"""U303 misleading-userinfo."""

from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Problem, Severity
from urlscan.rules.base import Example, Rule, Spec, is_secret, quote
from urlscan.rules.hosts import is_domain, is_ipv4
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes import NEEDS_HOST
from urlscan.uri.url import Url

# A login for these is often "first.last" or a mail address, and readers do not click on the URLs.
_SCHEMES = NEEDS_HOST - {"rlogin", "sftp", "ssh", "tn3270"}
# Two labels that end in one of these look like a host even without a port or path; "jo.kim" is a person.
_PLAIN_TOPS = frozenset("biz com edu gov info int mil net org".split())

_NAME = lazy(r"[\w-]+(?:\.[\w-]+)+")
_PORT = lazy(r":[0-9]{1,5}(?![\w.])")
# A path, a query or padding never begins with these; "jo.kim+tag" continues the name.
_NO_PATH = frozenset("._@+-~'!$*():")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a userinfo that looks like the host."""
    span = url.span("userinfo")
    host = url.span("host")
    if span is None or host is None or not url.userinfo or not url.host:
        return
    if "=" in url.host or (url.scheme is not None and url.scheme.lower() not in _SCHEMES):
        return  # "https://h.example@Header=Value" is the syntax of a command
    if not _misleads(url, decoded(url.userinfo), decoded(url.host).lower()):
        return
    subject = "userinfo" if is_secret(url, span) else f"user name {quote(url, span)}"
    yield RULE.problem(
        f"{subject} looks like the host; the URL leads to {quote(url, host)}",
        "userinfo",
        span,
        section=_SECTIONS.get(spec.grammar, "RFC 3986 section 7.6"),
        suggestion=url.text[: span[0]] + url.text[span[1] + 1 :],
        syntax=False,
    )


# RFC 3986 section 7.6 "Semantic Attacks" is the first to describe it.
_SECTIONS = {"rfc3987": "RFC 3987 section 8"}


def _misleads(url: Url, userinfo: str, host: str) -> bool:
    match = _NAME.match(userinfo)
    if match is None:
        return False
    name, rest = match[0].lower(), userinfo[match.end() :].removeprefix(".")
    if _is_same_site(name, host):
        return False
    last = name.rpartition(".")[2]
    if name.startswith("www.") and not last.isdecimal():
        return True
    if not (is_domain(name) or is_ipv4(name)):
        return False
    if rest:
        return _PORT.match(rest) is not None or not (rest[0].isalnum() or rest[0] in _NO_PATH)
    return (url.scheme or "").lower() in ("http", "https", "ftp") and (
        last in _PLAIN_TOPS or is_ipv4(name) or (name.count(".") > 1 and len(last) == 2)
    )


def _is_same_site(name: str, host: str) -> bool:
    """Return whether a login is the name of the site itself, as web hosting providers assign it."""
    site = ".".join(name.split(".")[-2:])
    return f".{host}".endswith(f".{name}") or name.endswith(f".{host}") or (len(site) > 7 and host.endswith(f".{site}"))


RULE = Rule(
    code="U303",
    name="misleading-userinfo",
    severity=Severity.ERROR,
    security_severity=6.5,
    summary="User name looks like the host of the URL",
    why=(
        'RFC 3986 section 7.6: the host of "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm" is'
        " 10.0.0.1, but readers mistake it for cnn.example.com. Such URLs are written to deceive. Text before the last"
        " @ of the authority is never the host. The rule reports a userinfo that, after decoding, begins with www., or"
        " with a name that has a top-level domain and continues like a URL."
    ),
    when_to_ignore="Where the text explains the trick.",
    bad=(
        Example("See <http://www.dominion.org@h.example/login>."),
        Example("See <http://dominion.org%2Flogin@192.0.2.7/>."),
    ),
    good=(
        Example("See <ssh://first.last@git.dominion.org/x>."),
        Example("See <http://first.li@h.example/>."),
        Example("See <ftp://jo%40mail.dominion.org@ftp.h.example/>."),
        Example("See <ftp://dominion.org@ftp.dominion.org/>."),
    ),
    check=check,
    skips_templates=True,
    defers_to=("U406",),
)
