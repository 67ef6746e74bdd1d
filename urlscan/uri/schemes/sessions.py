"""telnet, tn3270, rlogin, ssh, sftp and irc: sessions on another machine."""

from urlscan.uri.grammar.characters import decoded, decoded_or_none
from urlscan.uri.grammar.generic import LOGIN, LOGIN_1630
from urlscan.uri.schemes.base import (
    AUTHORITY,
    FRAGMENT,
    LOGIN_AUTHORITY,
    NET_LOCATION,
    REST,
    Grammar,
    Mistake,
    Scheme,
    pairs,
)
from urlscan.uri.url import Detail, Url

# --- telnet, tn3270 and rlogin: an interactive session


class Login(Detail):
    """The login that a telnet URL suggests (RFC 1738 section 3.1), without escapes.

    Attributes:
        user, password: None if absent, "" if empty.
    """

    user: str | None
    password: str | None


# RFC 4248 section 2:  telnet://<user>:<password>@<host>:<port>/
#   "The final "/" character may be omitted."
# RFC 6270 section 2.1:  tn3270-URI = "tn3270:" "//" authority [ "/" ]
_TODAY = NET_LOCATION + "/?" + FRAGMENT

# RFC 1738 section 5:  telneturl = "telnet://" login [ "/" ]
_RFC1738 = f"//{LOGIN}(?>/|)"

# RFC 1630, BNF for specific URL schemes:  telnetaddress = "telnet://" login
_RFC1630 = "//" + LOGIN_1630


_AFTER_HOST = "remove the text after the host: a session has no path and no query"
_AFTER_SLASH = 'remove the text after the "/": a session has no path and no query'
_MISTAKES, _MISTAKES_1738 = (
    (Mistake("", rf"\A{authority}(?!/)(.+)", _AFTER_HOST), Mistake("", rf"\A{authority}/(.+)", _AFTER_SLASH))
    for authority in (AUTHORITY, LOGIN_AUTHORITY)
)
_MISTAKES_1630 = (Mistake("", rf"\A{AUTHORITY}(.+)", _AFTER_HOST),)
TELNET = Scheme(
    "an interactive session",
    {
        "rfc3986": Grammar("RFC 4248 section 2", _TODAY, "", _MISTAKES),
        "rfc1738": Grammar("RFC 1738 section 3.8", _RFC1738, "", _MISTAKES_1738),
        "rfc1630": Grammar('RFC 1630 section "Telnet, rlogin, tn3270"', _RFC1630, "", _MISTAKES_1630),
    },
    lambda url: Login(decoded_or_none(url.user), decoded_or_none(url.password)),
)
TN3270 = TELNET._replace(
    title="an interactive session with a 3270 terminal",
    grammars={"rfc3986": Grammar("RFC 6270 section 2.1", _TODAY, "", _MISTAKES)},
)
# RFC 1630 mentions it, but no document defines its grammar.
RLOGIN = TELNET._replace(
    title="an interactive session by rlogin",
    grammars={"rfc3986": Grammar('RFC 1630 section "Telnet, rlogin, tn3270"', _TODAY, "", _MISTAKES)},
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


def _ssh_target(url: Url) -> SshTarget:
    if url.user is None:
        return SshTarget(None, (), decoded(url.path))
    user, *parameters = url.user.split(";")
    return SshTarget(decoded(user), pairs(parameters), decoded(url.path))


# draft-ietf-secsh-scp-sftp-ssh-uri-04 sections 3 and 4 (expired):
#   sshURI  = "ssh:"  hier-part            sftpURI = "sftp:" hier-part
#   ssh-info = [ userinfo ] [ ";" c-param *("," c-param) ]
# IANA registers both.  Only a host is required.
SSH = Scheme(
    "a session of an SSH server",
    {"rfc3986": Grammar("RFC 3986 section 3.2", NET_LOCATION + REST)},
    _ssh_target,
)
SFTP = SSH._replace(title="a file of an SSH server")


# --- irc, ircs and irc6: a channel or a user of Internet Relay Chat


class IrcTarget(Detail):
    """The target of an irc URL, without escapes.

    Attributes:
        target: a channel or a nickname; the "#" of a channel may be omitted.
        flags: such as isnick or needkey.
    """

    target: str
    flags: tuple[str, ...]


def _irc_target(url: Url) -> IrcTarget:
    """Return the target and its flags.

    The channel may also be in the fragment, as is common: `irc://h/#channel`.
    """
    name, *flags = url.path.removeprefix("/").split(",")
    if not name and url.fragment is not None:
        name = "#" + url.fragment
    return IrcTarget(decoded(name), tuple(flags))


# draft-butcher-irc-url-04 (expired):
#   ircURL = ircURI "://" location "/" [ entity ] [ flags ] [ options ]
# An empty host is the client's default server.  IANA registers the names.
IRC = Scheme(
    "a channel or user of Internet Relay Chat",
    {"rfc3986": Grammar("RFC 3986 section 3.2", "//(?s:.*)")},
    _irc_target,
)
IRCS = IRC
IRC6 = IRC
