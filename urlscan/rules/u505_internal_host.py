"""U505 internal-host."""

from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, quote
from urlscan.rules.hosts import is_internal
from urlscan.uri.url import Url


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a host that is only reached from its own machine or network."""
    span = url.span("host")
    if span is None or not url.host or not is_internal(url.host):
        return
    yield RULE.problem(
        f"{quote(url, span)} is only reached from its own machine or network",
        "host",
        span,
        section="RFC 6890 section 2.2.2" if url.host[-1] in "0123456789]" else "RFC 6761 section 6",
        syntax=False,
    )


RULE = Rule(
    code="U505",
    name="internal-host",
    severity=Severity.WARNING,
    summary="Host is only reached from its own machine or network",
    why=(
        "Readers elsewhere cannot follow the link, and the name shows how a network is built. Reported are localhost;"
        " loopback, private, shared and link-local addresses (RFC 6890, RFC 1918, RFC 3927, RFC 4193, RFC 6598); and"
        " names in `.local` (RFC 6762), `.internal`, `.home.arpa` (RFC 8375), `.localdomain`, `.intranet`,"
        " `.private`, `.corp`, `.home` and `.lan` (RFC 6762 appendix G). The rule is a policy: enable it for what is"
        " published."
    ),
    when_to_ignore=(
        "In texts about local servers, such as instructions for a development server: name the host in `allowed-hosts`."
    ),
    bad=(
        Example("See <http://wiki.corp/plan>."),
        Example("Open <http://localhost:8000/>."),
        Example("See <https://[fd00::12]/> and <http://10.0.4.1/>."),
    ),
    good=(Example("See <http://mill.org/internal/> and <http://corp.mill.org/>."), Example("See <http://192.0.2.1/>.")),
    default=False,
    check=check,
    checks_plain=True,
    skips_templates=True,
    skips_allowed_hosts=True,
    contexts=ADDRESSES,
)
