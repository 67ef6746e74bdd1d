"""U502 explicit-default-port."""

from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.data.ports import DEFAULT_PORTS
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.uri.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a port that is the default of the scheme."""
    span = url.span("port")
    default = DEFAULT_PORTS.get((url.scheme or "").lower())
    if span is None or default is None or (url.port or "").lstrip("0") != str(default):
        return
    start, end = span[0] - 1, span[1]
    yield RULE.problem(
        f"port {default} is the default of {(url.scheme or '').lower()}; remove it",
        "port",
        (start, end),
        section=_SECTIONS.get(spec.grammar, "RFC 3986 section 6.2.3"),
        suggestion=url.text[:start] + url.text[end:],
        syntax=False,
    )


_SECTIONS = {"rfc1738": "RFC 1738 section 3.1", "rfc2396": "RFC 2396 section 6", "rfc3987": "RFC 3987 section 5.3.3"}


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Remove the port with its colon: the URL keeps its meaning."""
    return Fix("safe", (Edit(problem.start, problem.end, ""),))


RULE = Rule(
    code="U502",
    name="explicit-default-port",
    severity=Severity.WARNING,
    summary="Port is the default of the scheme",
    why=(
        'RFC 3986 sections 3.2.3 and 6.2.3: the port and its ":" should be omitted if the port is the scheme\'s'
        " default. Programs that compare URLs as strings treat the two forms as different."
    ),
    when_to_ignore="Where readers need to see the port, as in the documentation of a server.",
    bad=(Example("See <http://h.example:80/>."), Example("See <ftp://h.example:21/x>.")),
    good=(Example("See <http://h.example:8080/>."), Example("See <https://h.example:80/>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Removes the port.",
    contexts=ADDRESSES,
)
