"""U802 host-case."""

import re
from collections.abc import Iterator

from urlscan.core.choices import Applicability
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.uri.grammar.characters import ESCAPE
from urlscan.uri.url import Url

# U205 covers the digits of an escape.
_UPPER = re.compile(f"{ESCAPE}|([A-Z]+)")
# Schemes whose hosts are DNS names or addresses. Elsewhere a host may be a bucket or a container, whose server may
# be case-sensitive despite RFC 3986.
_DNS = frozenset(
    "acap dict finger ftp ftps git gopher http https imap imaps irc irc6 ircs ldap ldaps nfs nntp nntps pop pop3"
    " prospero rlogin rsync rtsp sftp smb smtp smtps snmp ssh svn telnet tn3270 vnc wais whois ws wss".split()
)


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for uppercase letters in a host."""
    span = url.span("host")
    # RFC 6874: a zone name, as in "[fe80::1%25En0]", belongs to the machine.
    if span is None or not url.host or (url.host.startswith("[") and "%" in url.host):
        return
    lower = _lower(url.host)
    if lower == url.host or is_secret(url, span):
        return
    yield RULE.problem(
        f'host contains uppercase letters; write "{lower[:60]}"',
        "host",
        span,
        section="RFC 3986 section 3.2.2",
        suggestion=lower,
        syntax=False,
    )


def _lower(host: str) -> str:
    return _UPPER.sub(lambda match: match[0].lower() if match[1] else match[0], host)


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the host in lowercase."""
    applicability: Applicability = "safe" if (url.scheme or "http").lower() in _DNS else "unsafe"
    return Fix(applicability, (Edit(problem.start, problem.end, _lower(url.text[problem.start : problem.end])),))


RULE = Rule(
    code="U802",
    name="host-case",
    severity=Severity.INFO,
    summary="Host contains uppercase letters",
    why=(
        "RFC 3986 sections 3.2.2 and 6.2.2.1: the host is case-insensitive, and registered names should be written"
        " in lowercase for uniformity. Programs that compare URLs as strings treat the two forms as different."
    ),
    when_to_ignore="Where capitals make the name easier to read.",
    bad=(Example("See <http://Mill.Example/>."),),
    good=(Example("See <http://mill.example/Wheel>."),),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes the host in lowercase (unsafe where the host is not a DNS name).",
    checks_plain=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
