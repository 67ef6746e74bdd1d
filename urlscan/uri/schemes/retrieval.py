"""gopher, wais and prospero: documents, searches and directories."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import CHARACTERS, class_of, decoded, run_of
from urlscan.uri.grammar.rfc1630 import HOSTPORT as HOSTPORT_1630
from urlscan.uri.grammar.rfc1630 import PATH, SEARCH
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import (
    FRAGMENT,
    NET_LOCATION,
    REST,
    Fault,
    Scheme,
    after_authority,
    missing_slash,
    split_at,
    stray,
)
from urlscan.uri.url import Detail, Url

# --- gopher: items and directories of a Gopher server, including Gopher+


class GopherPlus(Detail):
    """The request of a gopher+_string (RFC 1738 sections 3.4.4 to 3.4.9).

    Attributes:
        kind: default-view ("+"), form ("?"), attributes ("!"), directory-attributes ("$"), view
            ("+application/postscript Es_ES"), ask (the values of a form), or other.
        attributes: the names after "!" or "$"; none means all.
        view, language: of an alternate view, or None.
        values: the answers to the form.
    """

    kind: str
    attributes: tuple[str, ...] = ()
    view: str | None = None
    language: str | None = None
    values: tuple[str, ...] = ()


class GopherPath(Detail):
    """The request of a gopher URL (RFC 1738 section 3.4.1), without escapes.

    Attributes:
        gophertype: one character; "1", a directory, if the path is empty.
        selector: the string to send; "" is the root of the server.
        search: the search string, or None.
        gopher_plus: the gopher+_string, or None.
    """

    gophertype: str
    selector: str
    search: str | None
    gopher_plus: GopherPlus | None


def parse_gopher(url: Url) -> GopherPath | None:
    """Return type, selector, search and Gopher+ string. No characters are reserved within the path."""
    if url.authority is None:
        return None
    text, _ = after_authority(url)
    path = text.removeprefix("/")
    if not path:
        return GopherPath("1", "", None, None)
    width = 3 if path.startswith("%") and len(path) > 2 else 1
    selector, *more = path[width:].split("%09", 2)
    search = decoded(more[0]) if more else None
    plus = _gopher_plus(decoded(more[1])) if len(more) > 1 else None
    return GopherPath(decoded(path[:width]), decoded(selector), search, plus)


def _gopher_plus(text: str) -> GopherPlus:
    if text in ("+", "?"):
        return GopherPlus("default-view" if text == "+" else "form")
    if text[:1] in ("!", "$"):
        kind = "attributes" if text[0] == "!" else "directory-attributes"
        return GopherPlus(kind, attributes=tuple(text[1:].split(" ")) if text[1:] else ())
    # Section 3.4.9:  +%091%0D%0A+-1%0D%0A<ask_item1_value>%0D%0A<ask_item2_value>%0D%0A.%0D%0A
    head, tail = "+\t1\r\n+-1\r\n", ".\r\n"
    if text.startswith(head) and text.endswith("\r\n" + tail):
        return GopherPlus("ask", values=tuple(text[len(head) : -len(tail)].split("\r\n")[:-1]))
    # Section 3.4.8:  +<view_name>%20<language_name>
    if text.startswith("+") and "\t" not in text:
        view, _, language = text[1:].partition(" ")
        return GopherPlus("view", view=view, language=language or None)
    return GopherPlus("other")


# RFC 4266 section 2.1:
#   gopher://<host>:<port>/<gopher-path>
#   <gopher-path> is <gophertype><selector>, <gophertype><selector>%09<search>, or
#   <gophertype><selector>%09<search>%09<gopher+_string>; the whole may be empty, with or without "/"
_GOPHER_TODAY = NET_LOCATION + REST

# RFC 1738 section 5:
#   gopherurl      = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ]]]]]
#   gtype          = xchar
#   selector       = *xchar
#   gopher+_string = *xchar
# "%09" is an xchar, so any sequence of xchars is one of these.
_GOPHER_RFC1738 = f"//{HOSTPORT}(?>/{run_of('rfc1738', 'xchar')}|)"

# RFC 1630, BNF for specific URL schemes:
#   gopheraddress = "gopher://" hostport [ "/" gtype [ gcommand ] ]
#   gtype         = xalpha
#   gcommand      = path
_GOPHER_RFC1630 = f"//{HOSTPORT_1630}(?>/(?>(?={SEARCH}){PATH}|)|)"


def faults_gopher(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for delimiters that RFC 1630 does not allow. The other grammars reserve none."""
    if grammar == "rfc1630":
        text, start = after_authority(url)
        yield from stray("path", text, start, CHARACTERS["rfc1630"]["xpalpha"] + "/", GOPHER.document(grammar))
        if text.startswith("//"):
            yield Fault("gophertype", start + 1, start + 2, "gopher type is missing", GOPHER.document(grammar))
    elif grammar == "rfc1738":
        yield from missing_slash(url)


GOPHER = Scheme(
    name="gopher",
    title="an item or directory of a Gopher server",
    documents={
        "rfc3986": "RFC 4266 section 2.1",
        "rfc1738": "RFC 1738 section 3.4.1",
        "rfc1630": 'RFC 1630 section "Gopher"',
    },
    patterns={"rfc3986": _GOPHER_TODAY, "rfc1738": _GOPHER_RFC1738, "rfc1630": _GOPHER_RFC1630},
    parse=parse_gopher,
    faults=faults_gopher,
    examples=("gopher://h.example", "gopher://h.example:70/", "gopher://h.example/00/weather%09rain"),
)


# --- wais: databases, searches and documents of a WAIS server


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


def parse_wais(url: Url) -> Wais | None:
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
_WAIS_TODAY = rf"{NET_LOCATION}/[^/?#]*+(?:\?[^#]*|/[^/?#]*+/[^?#]*)?{FRAGMENT}"

# RFC 1738 section 5:
#   waisurl      = waisdatabase | waisindex | waisdoc
#   waisdatabase = "wais://" hostport "/" database
#   waisindex    = "wais://" hostport "/" database "?" search
#   waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
#   database     = *uchar          wtype and wpath are the same
_UCHARS, _SEARCH = run_of("rfc1738", "uchar"), run_of("rfc1738", "hsegment")
_WAIS_RFC1738 = rf"//{HOSTPORT}/{_UCHARS}(?:\?{_SEARCH}|/{_UCHARS}/{_UCHARS})?"

# RFC 1630, BNF for specific URL schemes:
#   waisindex = "wais://" hostport "/" database [ "?" search ]
#   waisdoc   = "wais://" hostport "/" database "/" wtype "/" wpath
#   wpath     = digits "=" path ";" [ wpath ]
#   database  = xalphas            wtype is the same
_DOCUMENT = f"/{SEARCH}/{repeat(f'[0-9]++={PATH};', 1)}"
_WAIS_RFC1630 = rf"//{HOSTPORT_1630}/{SEARCH}(?:{_DOCUMENT}|(?>\?{SEARCH}|))"


def faults_wais(url: Url, grammar: str) -> Iterator[Fault]:
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
        position = start + 1
        for name, part in zip(("database", "wtype", "wpath"), parts, strict=False):
            yield from stray(name, part, position, allowed, document)
            position += len(part) + 1
        if url.query is not None and (span := url.span("query")):
            yield from stray("search", url.query, span[0], CHARACTERS["rfc1738"]["hsegment"], document)
    elif grammar == "rfc1630" and len(parts) > 2:
        position = start + 1 + len(parts[0]) + len(parts[1]) + 2
        if not re.fullmatch("(?:[0-9]+=[^;=]*;)+", parts[2]):
            message = 'the path of a document must consist of fields: digits, "=", a value and ";"'
            yield Fault("wpath", position - (not parts[2]), position + len(parts[2]), message, document)


WAIS = Scheme(
    name="wais",
    title="a database, a search or a document of a WAIS server",
    documents={
        "rfc3986": "RFC 4156 section 2",
        "rfc1738": "RFC 1738 section 3.9",
        "rfc1630": 'RFC 1630 section "WAIS"',
    },
    patterns={"rfc3986": _WAIS_TODAY, "rfc1738": _WAIS_RFC1738, "rfc1630": _WAIS_RFC1630},
    parse=parse_wais,
    faults=faults_wais,
    examples=("wais://h.example/db", "wais://h.example:210/db?word"),
)


# --- prospero: an object of the Prospero Directory Service


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


def parse_prospero(url: Url) -> Prospero | None:
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
_PROSPERO_TODAY = f"{NET_LOCATION}/[^;#]*+(?>(?:;[^;=#]*+=[^;#]*+)*){FRAGMENT}"

# RFC 1738 section 5:
#   prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]
#   ppath       = psegment *[ "/" psegment ]
#   psegment    = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#   fieldspec   = ";" fieldname "=" fieldvalue
#   fieldname   = *[ uchar | "?" | ":" | "@" | "&" ]       fieldvalue is the same
_PSEGMENT, _FIELDNAME = run_of("rfc1738", "fsegment"), run_of("rfc1738", "fieldname")
_PPATH = f"{_PSEGMENT}(?>(?:/{_PSEGMENT})*)"
_PROSPERO_RFC1738 = f"//{HOSTPORT}/{_PPATH}(?>(?:;{_FIELDNAME}={_FIELDNAME})*)"

# RFC 1630, BNF for specific URL schemes:
#   prosperolink = "prospero://" hostport "/" hsoname [ "%00" version [ attributes ] ]
#   hsoname      = path
#   version      = digits
#   attributes   = attribute [ attributes ]
#   attribute    = alphanums
_CHARACTERS = class_of("rfc1630", "xpalpha")[:-1] + "/]*+"
_HSONAME = f"{_CHARACTERS}(?>(?:(?!%00)%[0-9A-Fa-f]{{2}}{_CHARACTERS})*)"
_PROSPERO_RFC1630 = f"//{HOSTPORT_1630}/{_HSONAME}(?>%00[0-9]++[A-Za-z0-9]*+|)"


def faults_prospero(url: Url, grammar: str) -> Iterator[Fault]:
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
    for field, position in fields:
        if "=" not in field:
            message = 'a field must have a name, "=" and a value; escape ";" in a name as %3B'
            yield Fault("field", position - 1, position + len(field), message, document)
        elif grammar == "rfc1738":
            key, _, value = field.partition("=")
            allowed = CHARACTERS["rfc1738"]["fieldname"]
            yield from stray("field", key + " " + value, position, allowed, document)


PROSPERO = Scheme(
    name="prospero",
    title="an object of the Prospero Directory Service",
    documents={
        "rfc3986": "RFC 4157 section 2",
        "rfc1738": "RFC 1738 section 3.11",
        "rfc1630": "RFC 1630 BNF for specific URL schemes",
    },
    patterns={"rfc3986": _PROSPERO_TODAY, "rfc1738": _PROSPERO_RFC1738, "rfc1630": _PROSPERO_RFC1630},
    parse=parse_prospero,
    faults=faults_prospero,
    examples=("prospero://h.example//pros/name", "prospero://h.example:1525/name"),
)
