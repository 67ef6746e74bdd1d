"""U401 invalid-for-scheme, by the generic syntax: what the grammar rejects and no other rule names."""

import re
from collections.abc import Iterator

from urlscan.grammar.characters import BAD_PERCENT, CHARACTERS, UNSAFE, one_of
from urlscan.grammar.generic import full_match
from urlscan.grammar.hosts import HOST_1738, IP_LITERAL, REG_NAME
from urlscan.model import Problem, Severity
from urlscan.rules.base import Example, Rule, Spec, is_secret, named, shown
from urlscan.url import COMPONENTS, Url

# What the rules U1xx and U201 say, whether or not they are on: a component with such a fault is theirs.
_ANYWHERE = rf"{one_of(UNSAFE)}|[^!-~]|{BAD_PERCENT}"
# Patterns as they are written: compiled when a URL of the profile is to be diagnosed.
_SAID_ELSEWHERE = {
    "rfc3986": {
        **dict.fromkeys(COMPONENTS, _ANYWHERE),
        "path": rf"{_ANYWHERE}|[\[\]]",
        "query": rf"{_ANYWHERE}|[\[\]]",
        "fragment": rf"{_ANYWHERE}|[\[\]#]",
    },
    "rfc1738": {
        **dict.fromkeys(COMPONENTS, rf"{_ANYWHERE}|~"),
        "path": rf"{_ANYWHERE}|[\[\]~]",
        "query": rf"{_ANYWHERE}|[\[\]~]",
        "fragment": "",  # its "#" alone is one
    },
}
_SCHEME_SECTION = {"rfc3986": "RFC 3986 section 3.1", "rfc1738": "RFC 1738 section 2.1"}
_USERINFO_SECTION = {"rfc3986": "RFC 3986 section 3.2.1", "rfc1738": "RFC 1738 section 3.1"}
_HOST_SECTION = {"rfc3986": "RFC 3986 section 3.2.2", "rfc1738": "RFC 1738 section 3.1"}
_PORT_SECTION = {"rfc3986": "RFC 3986 section 3.2.3", "rfc1738": "RFC 1738 section 3.1"}


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each component that the generic syntax rejects."""
    # No grammar takes a character that is wrong anywhere; most URLs that come here hold one.
    if not re.search(_ANYWHERE, url.text) and full_match(spec.profile, spec.kind).fullmatch(url.text):
        return
    said = False
    others = _SAID_ELSEWHERE[spec.profile]
    for component in COMPONENTS:
        span = url.span(component)
        if span is not None and re.search(others[component], url.text[slice(*span)]):
            said = True
            continue
        for problem in _CHECKS[component](url, spec):
            said = True
            yield problem
    if not said:
        yield RULE.problem(
            f"no {spec.kind} by the grammar of {spec.profile.upper()}",
            "",
            (0, len(url.text)),
            section={"rfc3986": "RFC 3986 appendix A", "rfc1738": "RFC 1738 section 5"}[spec.profile],
        )


def _scheme(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    # RFC 1738 section 5:    scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]
    section = _SCHEME_SECTION[spec.profile]
    if url.scheme is None:
        if url.path.startswith(":") and url.authority is None:
            yield RULE.problem('the scheme before ":" is empty', "scheme", (0, 1), section=section)
        elif spec.profile == "rfc1738" or spec.kind != "uri-reference":
            yield RULE.problem("there is no scheme", "scheme", (0, min(1, len(url.text))), section=section)
        return
    allowed = CHARACTERS[spec.profile]["scheme"]
    wrong = next((at for at, character in enumerate(url.scheme) if character not in allowed), None)
    if wrong is not None:
        message = f"{named(url, (wrong, wrong + 1))} in the scheme: it has letters, digits, + - and . only"
        yield RULE.problem(message, "scheme", (wrong, wrong + 1), section=section)
    elif spec.profile == "rfc3986" and not url.scheme[0].isalpha():
        yield RULE.problem(f"{named(url, (0, 1))}: a scheme begins with a letter", "scheme", (0, 1), section=section)


def _userinfo(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 3.2.1:  userinfo = *( unreserved / pct-encoded / sub-delims / ":" )
    # RFC 1738 section 3.1:    'Within the user and password field, any ":", "@", or "/" must be encoded.'
    span = url.span("userinfo")
    if span is None:
        return
    start, end = span
    allowed = CHARACTERS[spec.profile]["userinfo" if spec.profile == "rfc3986" else "password"] + "%"
    colons = 0
    for at in range(start, end):
        character = url.text[at]
        colons += character == ":"
        if character in allowed or (character == ":" and colons == 1):
            continue
        message = f'"{character}" in the userinfo must be written %{ord(character):02X}'
        if character in "[]" and is_secret(url, (at, at + 1)):
            message = "a bracket in the userinfo must be escaped"
        yield RULE.problem(message, "userinfo", (at, at + 1), section=_USERINFO_SECTION[spec.profile])
        return


def _host(url: Url, spec: Spec) -> Iterator[Problem]:
    span = url.span("host")
    if span is None or url.host is None:
        return
    # RFC 3986 section 3.2.2:  host = IP-literal / IPv4address / reg-name
    pattern = IP_LITERAL if url.host.startswith("[") else REG_NAME
    if re.fullmatch(pattern if spec.profile == "rfc3986" else HOST_1738, url.host):
        return
    section = _HOST_SECTION[spec.profile]
    if spec.profile == "rfc1738":
        if url.host or (url.scheme or "").lower() != "file":
            rule = "labels of letters, digits and inner hyphens, the last beginning with a letter"
            message = f"{shown(url, span)} is no host name: {rule}" if url.host else "there is no host"
            yield RULE.problem(message, "host", span, section=section)
    elif url.host.startswith("["):
        yield RULE.problem(f"{shown(url, span)} is no IPv6 address in brackets", "host", span, section=section)
    elif ":" in url.host:
        message = f'{shown(url, span)}: a host holds no ":"; an IPv6 address stands in brackets'
        yield RULE.problem(message, "host", span, section=section)
    else:
        wrong = next((at for at in range(*span) if url.text[at] in "[]"), span[0])
        message = f"{named(url, (wrong, wrong + 1))} in the host: brackets only enclose an IP literal"
        yield RULE.problem(message, "host", (wrong, wrong + 1), section=section)


def _port(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 3.2.3:  port = *DIGIT
    # RFC 1738 section 5:      port = digits
    span = url.span("port")
    if span is None or url.port is None:
        return
    section = _PORT_SECTION[spec.profile]
    if not url.port:
        if spec.profile == "rfc1738":
            yield RULE.problem('the port after ":" is empty', "port", (span[0] - 1, span[1]), section=section)
    elif not (url.port.isascii() and url.port.isdigit()):
        # What is no number may be the beginning of a password.
        port = "" if is_secret(url, span) else f" {shown(url, span)}"
        yield RULE.problem(f"the port{port} is not a number", "port", span, section=section)


def _path(_url: Url, _spec: Spec) -> Iterator[Problem]:
    # Every character that a path may not hold has a rule of its own.
    yield from ()


def _query(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 1738 section 5:  ip-schemepart = "//" login [ "/" urlpath ]
    if spec.profile == "rfc1738" and url.authority is not None and url.query is not None and not url.path:
        before = len(url.text) - len(url.text.split("?", 1)[1]) - 1
        message = '"?" right after the host: there must be a "/" between'
        yield RULE.problem(message, "query", (before, before + 1), section="RFC 1738 section 5")


def _fragment(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 4.3:  absolute-URI = scheme ":" hier-part [ "?" query ]
    span = url.span("fragment")
    if span is not None and spec.profile == "rfc3986" and spec.kind == "absolute-uri":
        message = "an absolute-URI has no fragment"
        yield RULE.problem(message, "fragment", (span[0] - 1, span[1]), section="RFC 3986 section 4.3")


_CHECKS = {
    "scheme": _scheme,
    "userinfo": _userinfo,
    "host": _host,
    "port": _port,
    "path": _path,
    "query": _query,
    "fragment": _fragment,
}

RULE = Rule(
    code="U401",
    name="invalid-for-scheme",
    severity=Severity.ERROR,
    summary="A URL that the grammar rejects for more than a single character: scheme, userinfo, host, port.",
    why=(
        "Who reads the URL takes it apart by the grammar (RFC 3986 appendix A, RFC 1738 section 5); where it does not"
        " fit, programs differ in what they make of it, and some differences are holes. The message names the"
        " component. Single characters and escapes have rules of their own, U101 to U201."
    ),
    when_to_ignore="Where the text shows what a URL must not be.",
    bad=(
        Example("See <http://h.example:8o/>."),
        Example("See <http://[::1/>."),
        Example("See <http://[2001:db8::1::2]/>."),
        Example("See <http://jo@h.example@h2.example/>."),
        Example("See <http://h_.example/>.", "rfc1738"),
    ),
    good=(
        Example("See <http://h.example:80/>."),
        Example("See <http://h.example:/>."),
        Example("See <http://[2001:db8::2]/>."),
        Example("See <http://h_.example/>."),
        Example("See <http://jo%40h.example@h2.example/>."),
        Example("Python's logging has <cfg://handlers.email[subject]>."),
    ),
    check=check,
    quiet_in_templates=True,
    quiet_for_unknown_schemes=True,
)
