"""prospero: an object of the Prospero Directory Service."""

import re
from collections.abc import Iterator

from urlscan.uri.grammar.characters import CHARACTERS, class_of, decoded, many, maybe, run_of
from urlscan.uri.grammar.rfc1630 import HOSTPORT as HOSTPORT_1630
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority, split_at, stray
from urlscan.uri.url import Detail, Url


class Prospero(Detail):
    """The object that a prospero URL names (RFC 1738 section 3.11), without escapes.

    Attributes:
        hsoname: the host-specific object name; it often begins with "/".
        fields: names and values, in order.
        version: the number after "%00", as RFC 1630 writes it, or None.
    """

    hsoname: str
    fields: tuple[tuple[str, str], ...]
    version: str | None


def parse(url: Url) -> Prospero | None:
    """Return name, fields and version."""
    if url.authority is None:
        return None
    text, _ = after_authority(url)
    name, *fields = text.removeprefix("/").split(";")
    name, mark, rest = name.partition("%00")
    version = re.match("[0-9]+", rest) if mark else None
    return Prospero(
        decoded(name if version else name + mark + rest),
        tuple((decoded(key), decoded(value)) for key, _, value in (field.partition("=") for field in fields)),
        version[0] if version else None,
    )


# RFC 4157 section 2:  prospero://<host>:<port>/<hsoname>;<field>=<value>
#   'The semicolon ";" is reserved and may not appear without quoting in the <hsoname>.'
_TODAY = NET_LOCATION + "/[^;#]*+" + many(";[^;=#]*+=[^;#]*+") + FRAGMENT

# RFC 1738 section 5:
#   prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]
#   ppath       = psegment *[ "/" psegment ]
#   psegment    = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#   fieldspec   = ";" fieldname "=" fieldvalue
#   fieldname   = *[ uchar | "?" | ":" | "@" | "&" ]       fieldvalue is the same
_PSEGMENT, _FIELDNAME = run_of("rfc1738", "fsegment"), run_of("rfc1738", "fieldname")
_RFC1738 = "//" + HOSTPORT + "/" + _PSEGMENT + many("/" + _PSEGMENT) + many(f";{_FIELDNAME}={_FIELDNAME}")

# RFC 1630, BNF for specific URL schemes:
#   prosperolink = "prospero://" hostport "/" hsoname [ "%00" version [ attributes ] ]
#   hsoname      = path
#   version      = digits
#   attributes   = attribute [ attributes ]
#   attribute    = alphanums
_CHARACTERS = class_of("rfc1630", "xpalpha")[:-1] + "/]*+"
_HSONAME = _CHARACTERS + many("(?!%00)%[0-9A-Fa-f]{2}" + _CHARACTERS)
_RFC1630 = f"//{HOSTPORT_1630}/{_HSONAME}" + maybe("%00[0-9]++[A-Za-z0-9]*+")


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for invalid fields and for stray delimiters."""
    if url.authority is None:
        return
    document = PROSPERO.document(grammar)
    text, start = after_authority(url)
    if not text.startswith("/"):
        yield Fault("hsoname", max(start - 1, 0), start, '"/" and a name are missing after the host', document)
        return
    if grammar == "rfc1630":
        yield from stray("hsoname", text, start, CHARACTERS["rfc1630"]["xpalpha"] + "/", document)
        version = re.search("%00(?![0-9]+[A-Za-z0-9]*$)", text)
        if version:
            first = start + version.start()
            yield Fault("version", first, first + 3, "digits are missing after the %00 of a version", document)
        return
    (name, _), *fields = split_at(text, ";", start)
    if grammar == "rfc1738":
        yield from stray("hsoname", name, start, CHARACTERS["rfc1738"]["fsegment"] + "/", document)
    for field, at in fields:
        if "=" not in field:
            message = 'a field must have a name, "=" and a value; escape ";" in a name as %3B'
            yield Fault("field", at - 1, at + len(field), message, document)
        elif grammar == "rfc1738":
            key, _, value = field.partition("=")
            allowed = CHARACTERS["rfc1738"]["fieldname"]
            yield from stray("field", key + " " + value, at, allowed, document)


PROSPERO = Scheme(
    name="prospero",
    title="an object of the Prospero Directory Service",
    documents={
        "rfc3986": "RFC 4157 section 2",
        "rfc1738": "RFC 1738 section 3.11",
        "rfc1630": "RFC 1630 BNF for specific URL schemes",
    },
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    examples=("prospero://h.example//pros/name", "prospero://h.example:1525/name"),
)
