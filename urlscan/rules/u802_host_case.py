"""U802 host-case."""

import re
from collections.abc import Iterator

from urlscan.grammar.characters import ESCAPE
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.url import Url

# The digits of an escape are U205's.
_UPPER = re.compile(f"{ESCAPE}|([A-Z]+)")
# Their hosts are names of the DNS, or addresses.  Elsewhere a host may be a bucket or a container, whose
# keeper tells cases apart whatever RFC 3986 says.
_DNS = frozenset(
    "acap dict finger ftp ftps git gopher http https imap imaps irc irc6 ircs ldap ldaps nfs nntp nntps pop pop3"
    " prospero rlogin rsync rtsp sftp smb smtp smtps snmp ssh svn telnet tn3270 vnc wais whois ws wss".split()
)


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a host with letters in upper case."""
    span = url.span("host")
    # RFC 6874: the name of a zone, "[fe80::1%25En0]", is the machine's own.
    if span is None or not url.host or (url.host.startswith("[") and "%" in url.host):
        return
    lower = _lower(url.host)
    if lower == url.host or is_secret(url, span):
        return
    yield RULE.problem(
        f'the host is written in lower case: "{lower[:60]}"',
        "host",
        span,
        section="RFC 3986 section 3.2.2",
        suggestion=lower,
        syntax=False,
    )


def _lower(host: str) -> str:
    return _UPPER.sub(lambda match: match[0].lower() if match[1] else match[0], host)


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write it in lower case."""
    how = "safe" if (url.scheme or "http").lower() in _DNS else "unsafe"
    return Fix(how, (Edit(problem.start, problem.end, _lower(url.text[problem.start : problem.end])),))


RULE = Rule(
    code="U802",
    name="host-case",
    severity=Severity.INFO,
    summary="A host with letters in upper case.",
    why=(
        "RFC 3986 sections 3.2.2 and 6.2.2.1: the host is case-insensitive, and registered names should be written in"
        " lower case for the sake of uniformity. Programs that compare URLs as strings take the two for different ones."
    ),
    when_to_ignore="Where the capitals help people to read the name.",
    bad=(Example("See <http://Mill.Example/>."),),
    good=(Example("See <http://mill.example/Wheel>."),),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes it in lower case (unsafe where the host is no name of the DNS).",
    checks_fast_accepted=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
