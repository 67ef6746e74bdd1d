"""urn, doi and magnet: names of resources, without a location."""

import re

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import FRAGMENT, Grammar, Mistake, Mistakes, Scheme, after_scheme, pairs
from urlscan.uri.url import Detail, Url

# --- urn: persistent names of resources

# RFC 8141 section 2:
#   namestring    = assigned-name [ rq-components ] [ "#" f-component ]
#   assigned-name = "urn" ":" NID ":" NSS
#   NID           = (alphanum) 0*30(ldh) (alphanum)
#   NSS           = pchar *(pchar / "/")
#   rq-components = [ "?+" r-component ] [ "?=" q-component ]
#   r-component   = pchar *( pchar / "/" / "?" )
#   q-component   = pchar *( pchar / "/" / "?" )
#   f-component   = fragment
_NID = "[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]"
_NAME = re.compile(r"(?P<nid>[^:/?#]*):(?P<nss>[^?#]*)(?:\?\+(?P<r>(?:(?!\?=).)*))?(?:\?=(?P<q>.*))?", re.DOTALL)
# RFC 9562 section 4:  UUID = 8hexOctet-digits "-" 4 "-" 4 "-" 4 "-" 12
_UUID = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_NAMESTRING = rf"{_NID}:(?!/)[^?#]++(?:\?\+(?![/?])(?:(?!\?=)[^#])+)?(?:\?=(?![/?#])[^#]++)?"
_URN_TODAY = rf"(?!urn:|uuid:(?!{_UUID}(?:[?#]|\Z))){_NAMESTRING}{FRAGMENT}"


class Urn(Detail):
    """The parts of a URN (RFC 8141 section 2), with their escapes.

    Attributes:
        nid: the namespace identifier, in lowercase.
        nss: the name in the namespace.
        r_component, q_component, f_component: None if absent.
    """

    nid: str
    nss: str
    r_component: str | None
    q_component: str | None
    f_component: str | None


def _urn(url: Url) -> Urn | None:
    match = _NAME.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    return Urn(match["nid"].lower(), match["nss"], match["r"], match["q"], url.fragment)


def normal_urn(url: Url) -> Url:
    """Return the URN with its namespace in lowercase (RFC 8141 section 3.1), as is a UUID (RFC 9562 section 4)."""
    nid, colon, nss = url.path.partition(":")
    if not re.fullmatch(_NID, nid):
        return url
    if nid.lower() == "uuid" and re.fullmatch(_UUID, nss):
        nss = nss.lower()
    return url._replace(path=nid.lower() + colon + nss)


_URN_PARTS = r"(?!//)(?P<nid>[^:/?]*):(?P<nss>[^?]*)(?P<query>\?.*)?"
_NO_NAME = "a namespace and a name must follow the colon: urn:<NID>:<NSS>"
_URN_MISTAKES: Mistakes = (
    Mistake("", r"\A//", _NO_NAME),
    Mistake("", r"\A(?![^:/?]*:).*", _NO_NAME),
    Mistake("nid", rf"\A(?!{_NID}\Z).*", "a namespace must have 2 to 32 letters, digits and inner hyphens"),
    Mistake("nid", r"\A(?i:urn)\Z", '"urn" is not allowed as a namespace', section="RFC 8141 section 5.1"),
    Mistake(
        "",
        rf"\A(?i:uuid):(?!{_UUID}(?:\?|\Z))([^?]+)",
        "a UUID must have 32 hexadecimal digits in groups of 8-4-4-4-12",
        section="RFC 9562 section 4",
    ),
    Mistake("nss", r"\A(?:/|\Z)", 'a name that does not begin with "/" must follow the namespace'),
    Mistake("query", r"\A\?(?![+=](?![/?])[^#])", '"?" after a name must begin a component with "?+" or "?="', "%3F"),
)
URN = Scheme(
    "a name in a namespace",
    # RFC 1630 reserves the prefix, but its example has a form that no current namespace uses.
    {"rfc3986": Grammar("RFC 8141 section 2", _URN_TODAY, _URN_PARTS, _URN_MISTAKES)},
    _urn,
    normal=normal_urn,
)

# --- doi: a digital object, by its DOI name

# ISO 26324, DOI Handbook section 2.2:  a DOI name is <prefix>/<suffix>.  The prefix is "10." and the code of the
# registrant, which may contain dots; the suffix is any string.
_PREFIX = r"10\.[0-9]+(?:\.[0-9]+)*"


class Doi(Detail):
    """A DOI name, without escapes.

    Attributes:
        prefix: "10." and the code of the registrant.
        suffix: the registrant's identifier of the object.
    """

    prefix: str
    suffix: str


def _doi(url: Url) -> Doi | None:
    prefix, slash, suffix = after_scheme(url)[0].partition("/")
    return Doi(decoded(prefix), decoded(suffix)) if slash else None


_NO_PREFIX = 'a DOI must begin with "10.", the code of the registrant and "/"'
_DOI_MISTAKES: Mistakes = (
    # A web address, or another "doi:", is often written before the name.
    Mistake("", rf"\A(?!{_PREFIX}(?:/|\Z))(?=([^/]*))(?=.*?(?P<doi>{_PREFIX}/.+))", _NO_PREFIX, "doi:{doi}"),
    Mistake("", rf"\A(?!{_PREFIX}(?:/|\Z))[^/]*", _NO_PREFIX),
    Mistake("", r"\A[^/]*/?\Z", 'suffix after "/" is missing'),
)
DOI = Scheme(
    "a digital object",
    {"rfc3986": Grammar("ISO 26324 section 4.2", f"{_PREFIX}/[^#]+{FRAGMENT}", "", _DOI_MISTAKES)},
    _doi,
)


# --- magnet: a file, by its content


class Magnet(Detail):
    """The parts of a magnet URL, without escapes.

    Attributes:
        topics: the values of "xt", "xt.1" and so on: URNs with a hash of the content.
        name: the suggested name ("dn"), or None.
        trackers: the values of "tr".
        parameters: all names and values, in order.
    """

    topics: tuple[str, ...]
    name: str | None
    trackers: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]


def _magnet(url: Url) -> Magnet:
    parameters = pairs((url.query or "").split("&"))
    return Magnet(
        tuple(value for name, value in parameters if name.split(".")[0] == "xt"),
        next((value for name, value in parameters if name == "dn"), None),
        tuple(value for name, value in parameters if name.split(".")[0] == "tr"),
        parameters,
    )


# No RFC; the name is registered, and the form is the one in use:
#   magnet:?<name>=<value>&<name>=<value>...
_MAGNET_TODAY = r"\?[^&=#]+=(?s:.*)"


_MAGNET_MISTAKES = (Mistake("", r"\A(?!\?.+=).*", '"?" and parameters must follow the colon: magnet:?xt=urn:...'),)
MAGNET = Scheme(
    "a file, by its content", {"rfc3986": Grammar("RFC 3986 section 3.4", _MAGNET_TODAY, "", _MAGNET_MISTAKES)}, _magnet
)
