"""telnet, tn3270 and rlogin: an interactive session."""

from collections.abc import Iterator

from urlscan.uri.grammar.characters import decoded, maybe
from urlscan.uri.grammar.rfc1630 import LOGIN as LOGIN_1630
from urlscan.uri.grammar.rfc1738 import LOGIN
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority
from urlscan.uri.url import Detail, Url


class Login(Detail):
    """The login that a telnet URL suggests (RFC 1738 section 3.1), without escapes.

    Attributes:
        user, password: None if absent, "" if empty.
    """

    user: str | None
    password: str | None


def parse(url: Url) -> Login | None:
    """Return user and password."""
    if url.authority is None:
        return None
    user, password = url.user, url.password
    return Login(None if user is None else decoded(user), None if password is None else decoded(password))


# RFC 4248 section 2:  telnet://<user>:<password>@<host>:<port>/
#   "The final "/" character may be omitted."
# RFC 6270 section 2.1:  tn3270-URI = "tn3270:" "//" authority [ "/" ]
_TODAY = NET_LOCATION + "/?" + FRAGMENT


# RFC 1738 section 5:  telneturl = "telnet://" login [ "/" ]
_RFC1738 = "//" + LOGIN + maybe("/")


# RFC 1630, BNF for specific URL schemes:  telnetaddress = "telnet://" login
_RFC1630 = "//" + LOGIN_1630


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for text after the host: a session has no path and no query."""
    if url.authority is None:
        return
    text, start = after_authority(url)
    skip = 1 if text.startswith("/") and grammar != "rfc1630" else 0
    if text[skip:]:
        after = "the host" if not skip else 'the "/"'
        message = f"remove the text after {after}: a session has no path and no query"
        document = (TN3270 if (url.scheme or "").lower() == "tn3270" else TELNET).document(grammar)
        yield Fault("path", start + skip, start + len(text), message, document)


TELNET = Scheme(
    name="telnet",
    title="an interactive session",
    documents={
        "rfc3986": "RFC 4248 section 2",
        "rfc1738": "RFC 1738 section 3.8",
        "rfc1630": 'RFC 1630 section "Telnet, rlogin, tn3270"',
    },
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    examples=("telnet://h.example", "telnet://jo@h.example:2323"),
)
TN3270 = TELNET._replace(
    name="tn3270",
    title="an interactive session with a 3270 terminal",
    documents={"rfc3986": "RFC 6270 section 2.1"},
    patterns={"rfc3986": _TODAY},
    examples=("tn3270://h.example/",),
)
# RFC 1630 mentions it, but no document defines its grammar.
RLOGIN = TELNET._replace(
    name="rlogin",
    title="an interactive session by rlogin",
    documents={"rfc3986": 'RFC 1630 section "Telnet, rlogin, tn3270"'},
    patterns={"rfc3986": _TODAY},
    examples=("rlogin://h.example",),
)
