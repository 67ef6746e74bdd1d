"""urn, doi and magnet: names of resources, without a location."""

import re
from collections.abc import Iterator

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme, pairs
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
_NAME = re.compile(
    r"(?P<nid>[^:/?#]*):(?P<nss>[^?#]*)(?:\?\+(?P<r>(?:(?!\?=).)*))?(?:\?=(?P<q>.*))?", re.DOTALL
)  # fmt: skip
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


def parse_urn(url: Url) -> Urn | None:
    """Return namespace, name and components, or None without a namespace."""
    match = _NAME.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    return Urn(match["nid"].lower(), match["nss"], match["r"], match["q"], url.fragment)


def faults_urn(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid namespace or name."""
    document = URN.document(grammar)
    text, start = after_scheme(url)
    match = _NAME.fullmatch(text)
    if url.authority is not None or match is None:
        end = start + len(text)
        where = (start, min(start + 2, end)) if url.authority is not None else (start - (not text), end)
        yield Fault("NID", *where, "a namespace and a name must follow the colon: urn:<NID>:<NSS>", document)
        return
    nid, nss = match["nid"], match["nss"]
    first = start + len(nid) + 1
    if not re.fullmatch(_NID, nid):
        message = "a namespace must have 2 to 32 letters, digits and inner hyphens"
        yield Fault("NID", start - (not nid), start + len(nid), message, document)
    elif nid.lower() == "urn":
        yield Fault("NID", start, first - 1, '"urn" is not allowed as a namespace', "RFC 8141 section 5.1")
    elif nid.lower() == "uuid" and nss and not re.fullmatch(_UUID, nss):
        message = "a UUID must have 32 hexadecimal digits in groups of 8-4-4-4-12"
        yield Fault("NSS", first, first + len(nss), message, "RFC 9562 section 4")
    if not nss or nss.startswith("/"):
        end = first + (1 if nss else 0)
        yield Fault(
            "NSS", min(first, end - 1), end, 'a name that does not begin with "/" must follow the namespace', document
        )
    if url.query is not None and not re.match(r"[+=](?![/?])[^#]", url.query):
        span = url.span("query")
        assert span is not None  # noqa: S101 - it is not absent
        message = '"?" after a name must begin a component with "?+" or "?="'
        yield Fault("query", span[0] - 1, span[0], message, document, "%3F")


def normal_urn(url: Url) -> Url:
    """Return the URN with its namespace in lowercase (RFC 8141 section 3.1), as is a UUID (RFC 9562 section 4)."""
    nid, colon, nss = url.path.partition(":")
    if not re.fullmatch(_NID, nid):
        return url
    if nid.lower() == "uuid" and re.fullmatch(_UUID, nss):
        nss = nss.lower()
    return url._replace(path=nid.lower() + colon + nss)


URN = Scheme(
    name="urn",
    title="a name in a namespace",
    documents={"rfc3986": "RFC 8141 section 2"},
    # RFC 1630 reserves the prefix, but its example has a form that no current namespace uses.
    patterns={"rfc3986": _URN_TODAY},
    parse=parse_urn,
    faults=faults_urn,
    examples=("urn:example:animal:ferret", "urn:ietf:rfc:3986"),
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


def parse_doi(url: Url) -> Doi | None:
    """Return prefix and suffix, or None without a "/"."""
    prefix, slash, suffix = after_scheme(url)[0].partition("/")
    return Doi(decoded(prefix), decoded(suffix)) if slash else None


def faults_doi(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid prefix or a missing suffix."""
    document = DOI.document(grammar)
    text, start = after_scheme(url)
    prefix, slash, suffix = text.partition("/")
    if not re.fullmatch(_PREFIX, prefix):
        message = 'a DOI must begin with "10.", the code of the registrant and "/"'
        yield Fault("prefix", start - (not prefix), start + len(prefix), message, document, _corrected(text))
    elif not slash or not suffix:
        yield Fault("suffix", start, start + len(text), 'suffix after "/" is missing', document)


def _corrected(text: str) -> str:
    """Return the text without a web address or another "doi:", which are often written before the name."""
    match = re.search(_PREFIX + "/.+", text, re.DOTALL)
    return "doi:" + match[0] if match else ""


DOI = Scheme(
    name="doi",
    title="a digital object",
    documents={"rfc3986": "ISO 26324 section 4.2"},
    patterns={"rfc3986": f"{_PREFIX}/[^#]+{FRAGMENT}"},
    parse=parse_doi,
    faults=faults_doi,
    examples=("doi:10.1000/182", "doi:10.1000.10/123456"),
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


def parse_magnet(url: Url) -> Magnet:
    """Return topics, name and trackers."""
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


def faults_magnet(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault if no list of parameters follows the colon."""
    start = len(url.scheme or "")
    if url.path or url.authority is not None or url.query is None or "=" not in url.query[1:]:
        message = '"?" and parameters must follow the colon: magnet:?xt=urn:...'
        yield Fault("query", start, len(url.text), message, MAGNET.document(grammar))


MAGNET = Scheme(
    name="magnet",
    title="a file, by its content",
    documents={"rfc3986": "RFC 3986 section 3.4"},
    patterns={"rfc3986": _MAGNET_TODAY},
    parse=parse_magnet,
    faults=faults_magnet,
    examples=("magnet:?xt=urn:sha1:YNCKHTQCWBTRNJIV4WNAE52SJUQCZO5C&dn=letter.txt",),
)
