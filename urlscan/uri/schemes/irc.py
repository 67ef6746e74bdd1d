"""irc, ircs and irc6: a channel or a user of Internet Relay Chat."""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import Scheme, no_faults
from urlscan.uri.url import Detail, Url


class IrcTarget(Detail):
    """The target of an irc URL, without escapes.

    Attributes:
        target: a channel or a nickname; the "#" of a channel may be omitted.
        flags: such as isnick or needkey.
    """

    target: str
    flags: tuple[str, ...]


def parse(url: Url) -> IrcTarget | None:
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
    parse=parse,
    faults=no_faults,
    examples=("irc://h.example/urlscan", "irc://h.example/jo,isnick"),
)
IRCS = IRC._replace(name="ircs", examples=("ircs://h.example/urlscan",))
IRC6 = IRC._replace(name="irc6", examples=("irc6://h.example/urlscan",))
