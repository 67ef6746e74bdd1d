"""wais: databases, searches and documents of a WAIS server."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import CHARACTERS, decoded, maybe, run_of, some_of
from urlscan.uri.grammar.rfc1630 import HOSTPORT as HOSTPORT_1630
from urlscan.uri.grammar.rfc1630 import PATH, SEARCH
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority, stray
from urlscan.uri.url import Detail, Url


class Wais(Detail):
    """The database, search or document that a wais URL names (RFC 1738 section 3.9), without escapes.

    Attributes:
        database: the name of the database.
        search: the search string, or None.
        wtype: the type of a document, or None.
        wpath: the identifier of a document, which only the server interprets, or None.
        fields: number and content of each `digits=path;` in an identifier as RFC 1630 writes it.
    """

    database: str
    search: str | None
    wtype: str | None
    wpath: str | None
    fields: tuple[tuple[int, str], ...]


_FIELD = re.compile("([0-9]+)=([^;]*);")


def parse(url: Url) -> Wais | None:
    """Return database, search, and the type and path of a document."""
    if url.authority is None:
        return None
    database, *document = url.path.removeprefix("/").split("/", 2)
    wpath = document[1] if len(document) > 1 else None
    return Wais(
        decoded(database),
        None if url.query is None else decoded(url.query),
        decoded(document[0]) if document else None,
        None if wpath is None else decoded(wpath),
        tuple((int(number[:9]), decoded(content)) for number, content in _FIELD.findall(wpath or "")),
    )


# RFC 4156 section 2:
#   wais://<host>:<port>/<database>
#   wais://<host>:<port>/<database>?<search>
#   wais://<host>:<port>/<database>/<wtype>/<wpath>
# "The WAIS document-id should be treated opaquely": a "/" in it is data, as in RFC 1630.
_TODAY = rf"{NET_LOCATION}/[^/?#]*+(?:\?[^#]*|/[^/?#]*+/[^?#]*)?{FRAGMENT}"

# RFC 1738 section 5:
#   waisurl      = waisdatabase | waisindex | waisdoc
#   waisdatabase = "wais://" hostport "/" database
#   waisindex    = "wais://" hostport "/" database "?" search
#   waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
#   database     = *uchar          wtype and wpath are the same
_UCHARS, _SEARCH = run_of("rfc1738", "uchar"), run_of("rfc1738", "hsegment")
_RFC1738 = rf"//{HOSTPORT}/{_UCHARS}(?:\?{_SEARCH}|/{_UCHARS}/{_UCHARS})?"

# RFC 1630, BNF for specific URL schemes:
#   waisindex = "wais://" hostport "/" database [ "?" search ]
#   waisdoc   = "wais://" hostport "/" database "/" wtype "/" wpath
#   wpath     = digits "=" path ";" [ wpath ]
#   database  = xalphas            wtype is the same
_NAME = some_of("rfc1630", "xpalpha")
_DOCUMENT = f"/{_NAME}/{repeat(f'[0-9]++={PATH};', 1)}"
_RFC1630 = f"//{HOSTPORT_1630}/{_NAME}(?:{_DOCUMENT}|" + maybe(r"\?" + SEARCH) + ")"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for a missing database, a type without a document, and stray delimiters."""
    if url.authority is None:
        return
    document = WAIS.document(grammar)
    text, start = after_authority(url)
    if not text.startswith("/"):
        yield Fault("database", max(start - 1, 0), start, '"/" and a database are missing after the host', document)
        return
    parts = url.path[1:].split("/", 2)
    if grammar == "rfc1630" and not parts[0]:
        yield Fault("database", start, start + 1, 'database after "/" is missing', document)
    if len(parts) == 2:
        first = start + 1 + len(parts[0]) + 1
        message = "a document must have a type and a path: /database/wtype/wpath"
        yield Fault("wtype", first - (not parts[1]), first + len(parts[1]), message, document)
    if len(parts) > 2 and url.query is not None:
        first = start + len(url.path)
        yield Fault("search", first, first + 1, "only a database can be searched, not a document", document, "%3F")
    if grammar == "rfc1738":
        allowed = CHARACTERS["rfc1738"]["uchar"]
        at = start + 1
        for name, part in zip(("database", "wtype", "wpath"), parts, strict=False):
            yield from stray(name, part, at, allowed, document)
            at += len(part) + 1
        if url.query is not None and (span := url.span("query")):
            yield from stray("search", url.query, span[0], CHARACTERS["rfc1738"]["hsegment"], document)
    elif grammar == "rfc1630" and len(parts) > 2:
        at = start + 1 + len(parts[0]) + len(parts[1]) + 2
        if not re.fullmatch("(?:[0-9]+=[^;=]*;)+", parts[2]):
            message = 'the path of a document must consist of fields: digits, "=", a value and ";"'
            yield Fault("wpath", at - (not parts[2]), at + len(parts[2]), message, document)


WAIS = Scheme(
    name="wais",
    title="a database, a search or a document of a WAIS server",
    documents={
        "rfc3986": "RFC 4156 section 2",
        "rfc1738": "RFC 1738 section 3.9",
        "rfc1630": 'RFC 1630 section "WAIS"',
    },
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    examples=("wais://h.example/db", "wais://h.example:210/db?word"),
)
