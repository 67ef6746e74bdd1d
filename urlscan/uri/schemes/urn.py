"""urn: persistent names of resources."""

import re
from collections.abc import Iterator

from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme
from urlscan.uri.url import Detail, Url

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
_TODAY = rf"(?!urn:|uuid:(?!{_UUID}(?:[?#]|\Z))){_NAMESTRING}{FRAGMENT}"


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


def parse(url: Url) -> Urn | None:
    """Return namespace, name and components, or None without a namespace."""
    match = _NAME.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    return Urn(match["nid"].lower(), match["nss"], match["r"], match["q"], url.fragment)


def faults(url: Url, grammar: str) -> Iterator[Fault]:
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


def normal(url: Url) -> Url:
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
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("urn:example:animal:ferret", "urn:ietf:rfc:3986"),
    normal=normal,
)
