"""telnet, tn3270, rlogin, ssh, sftp and irc: sessions on another machine."""

from collections.abc import Iterator

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.grammar.rfc1630 import LOGIN as LOGIN_1630
from urlscan.uri.grammar.rfc1738 import LOGIN
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, REST, Fault, Scheme, after_authority, no_faults
from urlscan.uri.url import Detail, Url

# --- telnet, tn3270 and rlogin: an interactive session


class Login(Detail):
    """The login that a telnet URL suggests (RFC 1738 section 3.1), without escapes.

    Attributes:
        user, password: None if absent, "" if empty.
    """

    user: str | None
    password: str | None


def parse_telnet(url: Url) -> Login | None:
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
_RFC1738 = f"//{LOGIN}(?>/|)"

# RFC 1630, BNF for specific URL schemes:  telnetaddress = "telnet://" login
_RFC1630 = "//" + LOGIN_1630


def faults_telnet(url: Url, grammar: str) -> Iterator[Fault]:
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
    parse=parse_telnet,
    faults=faults_telnet,
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


# --- ssh and sftp: a session of an SSH server, and files on it


class SshTarget(Detail):
    """The target of an ssh or sftp URL, without escapes.

    Attributes:
        user: None if absent, "" if empty.
        parameters: name and value of those after ";" in the userinfo, such as a fingerprint.
        path: the path of the file with its first "/"; "" if absent.
    """

    user: str | None
    parameters: tuple[tuple[str, str], ...]
    path: str


def parse_ssh(url: Url) -> SshTarget | None:
    """Return user, connection parameters and path."""
    if url.authority is None:
        return None
    user, *parameters = (url.user or "").split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    return SshTarget(
        None if url.user is None else decoded(user),
        tuple((decoded(name), decoded(value)) for name, _, value in pairs),
        decoded(url.path),
    )


# draft-ietf-secsh-scp-sftp-ssh-uri-04 sections 3 and 4 (expired):
#   sshURI  = "ssh:"  hier-part            sftpURI = "sftp:" hier-part
#   ssh-info = [ userinfo ] [ ";" c-param *("," c-param) ]
# IANA registers both.  Only a host is required.
SSH = Scheme(
    name="ssh",
    title="a session of an SSH server",
    documents={"rfc3986": "RFC 3986 section 3.2"},
    patterns={"rfc3986": NET_LOCATION + REST},
    parse=parse_ssh,
    faults=no_faults,
    examples=("ssh://jo@h.example:2222/",),
)
SFTP = SSH._replace(name="sftp", title="a file of an SSH server", examples=("sftp://jo@h.example/a/b.txt",))


# --- irc, ircs and irc6: a channel or a user of Internet Relay Chat


class IrcTarget(Detail):
    """The target of an irc URL, without escapes.

    Attributes:
        target: a channel or a nickname; the "#" of a channel may be omitted.
        flags: such as isnick or needkey.
    """

    target: str
    flags: tuple[str, ...]


def parse_irc(url: Url) -> IrcTarget | None:
    """Return the target and its flags.

    The channel may also be in the fragment, as is common: `irc://h/#channel`.
    """
    if url.authority is None:
        return None
    name, *flags = url.path.removeprefix("/").split(",")
    if not name and url.fragment is not None:
        name = "#" + url.fragment
    return IrcTarget(decoded(name), tuple(flags))


# draft-butcher-irc-url-04 (expired):
#   ircURL = ircURI "://" location "/" [ entity ] [ flags ] [ options ]
# An empty host is the client's default server.  IANA registers the names.
IRC = Scheme(
    name="irc",
    title="a channel or user of Internet Relay Chat",
    documents={"rfc3986": "RFC 3986 section 3.2"},
    patterns={"rfc3986": "//(?s:.*)"},
    parse=parse_irc,
    faults=no_faults,
    examples=("irc://h.example/urlscan", "irc://h.example/jo,isnick"),
)
IRCS = IRC._replace(name="ircs", examples=("ircs://h.example/urlscan",))
IRC6 = IRC._replace(name="irc6", examples=("irc6://h.example/urlscan",))
