"""U804 empty-path."""

from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.uri.url import Url

# RFC 9110 section 4.2.3:  "an empty path component is equivalent to an absolute path of "/"";  RFC 6455
# section 3 refers to it.  Not ftp: RFC 1738 section 3.2.2 distinguishes "/" from an empty path.
_SCHEMES = frozenset(("http", "https", "ws", "wss"))


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a host that no path follows."""
    if (url.scheme or "").lower() not in _SCHEMES or not url.host or url.path:
        return
    host, port = url.span("host"), url.span("port")
    assert host is not None  # noqa: S101 - it is not empty
    span = host[0], port[1] if port else host[1]
    if is_secret(url, span):  # "http://h:pass#word@h/" has no port
        return
    yield RULE.problem(
        'path is empty; write "/" after the host',
        "host",
        span,
        section="RFC 3986 section 6.2.3",
        suggestion=url.text[slice(*span)] + "/",
        syntax=False,
    )


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Add the slash."""
    return Fix("safe", (Edit(problem.end, problem.end, "/"),))


RULE = Rule(
    code="U804",
    name="empty-path",
    severity=Severity.INFO,
    summary='URL of http or ws has no "/" after its host',
    why=(
        "RFC 3986 section 6.2.3 and RFC 9110 section 4.2.3: an empty path is equivalent to /, which is the normal"
        " form. Programs that compare URLs as strings treat the two forms as different, and some fail if a query"
        " follows."
    ),
    when_to_ignore="Where URLs are not compared as strings.",
    bad=(Example("See <http://h.example>."), Example("See <http://h.example:8080?q=mill>.")),
    good=(Example("See <http://h.example/>."), Example("See <ftp://h.example>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Adds the slash.",
    checks_plain=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
