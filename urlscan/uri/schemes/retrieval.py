"""gopher, wais, prospero and ldap: documents, searches and directories."""

import re

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import CHARACTERS, class_of, decoded, decoded_or_none, run_of
from urlscan.uri.grammar.generic import HOSTPORT, HOSTPORT_1630, PATH, SEARCH
from urlscan.uri.schemes.base import (
    AUTHORITY,
    FRAGMENT,
    MISSING_SLASH,
    NET_LOCATION,
    REST,
    Grammar,
    Mistake,
    Mistakes,
    Scheme,
    after_authority,
    pairs,
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


def _gopher_path(url: Url) -> GopherPath:
    """Return type, selector, search and Gopher+ string. No characters are reserved within the path."""
    path = after_authority(url).removeprefix("/")
    if not path:
        return GopherPath("1", "", None, None)
    width = 3 if path.startswith("%") and len(path) > 2 else 1
    selector, *more = path[width:].split("%09", 2)
    search, plus = [*map(decoded, more), None, None][:2]
    return GopherPath(decoded(path[:width]), decoded(selector), search, None if plus is None else _gopher_plus(plus))


_REQUESTS = {"+": "default-view", "?": "form", "!": "attributes", "$": "directory-attributes"}


def _gopher_plus(text: str) -> GopherPlus:
    if text in _REQUESTS:
        return GopherPlus(_REQUESTS[text])
    if text[:1] in ("!", "$"):
        return GopherPlus(_REQUESTS[text[0]], attributes=tuple(text[1:].split(" ")))
    # Section 3.4.9:  +%091%0D%0A+-1%0D%0A<ask_item1_value>%0D%0A<ask_item2_value>%0D%0A.%0D%0A
    head, tail = "+\t1\r\n+-1\r\n", ".\r\n"
    if text.startswith(head) and text.endswith("\r\n" + tail):
        return GopherPlus("ask", values=tuple(text[len(head) : -len(tail)].split("\r\n")[:-1]))
    # Section 3.4.8:  +<view_name>%20<language_name>
    if text.startswith("+") and "\t" not in text:
        view, _, language = text[1:].partition(" ")
        return GopherPlus("view", view=view, language=language or None)
    return GopherPlus("other")


_XPALPHA = CHARACTERS["rfc1630"]["xpalpha"]

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


_GOPHER_PARTS = rf"{AUTHORITY}(?P<path>.*)"
_GOPHER_MISTAKES_1630 = (
    stray("path", "path", _XPALPHA + "/"),
    Mistake("", rf"\A{AUTHORITY}/(/)", "gopher type is missing"),
)
GOPHER = Scheme(
    "an item or directory of a Gopher server",
    {
        "rfc3986": Grammar("RFC 4266 section 2.1", _GOPHER_TODAY),
        "rfc1738": Grammar("RFC 1738 section 3.4.1", _GOPHER_RFC1738, _GOPHER_PARTS, (MISSING_SLASH,)),
        "rfc1630": Grammar('RFC 1630 section "Gopher"', _GOPHER_RFC1630, _GOPHER_PARTS, _GOPHER_MISTAKES_1630),
    },
    _gopher_path,
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


def _wais(url: Url) -> Wais:
    database, *document = url.path.removeprefix("/").split("/", 2)
    wtype, wpath = [*document, None, None][:2]
    return Wais(
        decoded(database),
        decoded_or_none(url.query),
        decoded_or_none(wtype),
        decoded_or_none(wpath),
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
_UCHAR = CHARACTERS["rfc1738"]["uchar"]
_UCHARS, _SEARCH = run_of("rfc1738", "uchar"), run_of("rfc1738", "hsegment")
_WAIS_RFC1738 = rf"//{HOSTPORT}/{_UCHARS}(?:\?{_SEARCH}|/{_UCHARS}/{_UCHARS})?"

# RFC 1630, BNF for specific URL schemes:
#   waisindex = "wais://" hostport "/" database [ "?" search ]
#   waisdoc   = "wais://" hostport "/" database "/" wtype "/" wpath
#   wpath     = digits "=" path ";" [ wpath ]
#   database  = xalphas            wtype is the same
_DOCUMENT = f"/{SEARCH}/{repeat(f'[0-9]++={PATH};', 1)}"
_WAIS_RFC1630 = rf"//{HOSTPORT_1630}/{SEARCH}(?:{_DOCUMENT}|(?>\?{SEARCH}|))"


_WAIS_PARTS = (
    rf"{AUTHORITY}/(?P<database>[^/?]*)(?:/(?P<wtype>[^/?]*)(?:/(?P<wpath>[^?]*))?)?(?P<query>\?(?P<search>.*))?"
)
_WAIS_MISTAKES: Mistakes = (
    Mistake("", rf"\A{AUTHORITY}(?!/)()", '"/" and a database are missing after the host'),
    Mistake(
        "", rf"\A{AUTHORITY}/[^/?]*/([^/?]*)(?:\?|\Z)", "a document must have a type and a path: /database/wtype/wpath"
    ),
    Mistake("", rf"\A{AUTHORITY}/[^/?]*/[^/?]*/[^?]*(\?)", "only a database can be searched, not a document", "%3F"),
)
_WAIS_MISTAKES_1738 = tuple(stray(part, part, _UCHAR) for part in ("database", "wtype", "wpath"))
_WAIS_MISTAKES_1738 += (stray("search", "search", CHARACTERS["rfc1738"]["hsegment"]),)
_WAIS_MISTAKES_1630 = (
    Mistake("database", r"\A\Z", 'database after "/" is missing'),
    Mistake(
        "wpath",
        r"\A(?!(?:[0-9]+=[^;=]*;)+\Z).*",
        'the path of a document must consist of fields: digits, "=", a value and ";"',
    ),
)
WAIS = Scheme(
    "a database, a search or a document of a WAIS server",
    {
        "rfc3986": Grammar("RFC 4156 section 2", _WAIS_TODAY, _WAIS_PARTS, _WAIS_MISTAKES),
        "rfc1738": Grammar("RFC 1738 section 3.9", _WAIS_RFC1738, _WAIS_PARTS, _WAIS_MISTAKES + _WAIS_MISTAKES_1738),
        "rfc1630": Grammar('RFC 1630 section "WAIS"', _WAIS_RFC1630, _WAIS_PARTS, _WAIS_MISTAKES + _WAIS_MISTAKES_1630),
    },
    _wais,
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


def _prospero(url: Url) -> Prospero:
    name, *fields = after_authority(url).removeprefix("/").split(";")
    version = re.search("%00([0-9]*)", name)
    if version is not None and version[1]:
        return Prospero(decoded(name[: version.start()]), pairs(fields), version[1])
    return Prospero(decoded(name), pairs(fields), None)


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


_PROSPERO_PARTS = rf"{AUTHORITY}(?P<name>/[^;]*)(?P<fields>(?P<values>;.*))?"
_NO_NAME = Mistake("", rf"\A{AUTHORITY}(?!/)()", '"/" and a name are missing after the host')
_NO_FIELD = Mistake(
    "fields", r";[^;=]*(?=;|\Z)", 'a field must have a name, "=" and a value; escape ";" in a name as %3B'
)
# A "/" or "=" besides the first "=".
_STRAY_IN_FIELD = Mistake(
    "values", r";(?=[^;]*=)[^;/=]*+(?>=[^;/=]*+|)([/=])", '"{0}" in the field must be escaped as {1}', "{1}"
)
PROSPERO = Scheme(
    "an object of the Prospero Directory Service",
    {
        "rfc3986": Grammar("RFC 4157 section 2", _PROSPERO_TODAY, _PROSPERO_PARTS, (_NO_NAME, _NO_FIELD)),
        "rfc1738": Grammar(
            "RFC 1738 section 3.11",
            _PROSPERO_RFC1738,
            _PROSPERO_PARTS,
            (_NO_NAME, stray("name", "hsoname", CHARACTERS["rfc1738"]["fsegment"] + "/"), _NO_FIELD, _STRAY_IN_FIELD),
        ),
        "rfc1630": Grammar(
            "RFC 1630 BNF for specific URL schemes",
            _PROSPERO_RFC1630,
            rf"{AUTHORITY}(?P<name>/.*)",
            (
                _NO_NAME,
                stray("name", "hsoname", _XPALPHA + "/"),
                Mistake(
                    "",
                    rf"\A{AUTHORITY}.*?(%00)(?![0-9]+[A-Za-z0-9]*\Z)",
                    "digits are missing after the %00 of a version",
                ),
            ),
        ),
    },
    _prospero,
)


# --- ldap and ldaps: an entry, or a search, of an LDAP directory


class LdapSearch(Detail):
    """The search of an ldap URL (RFC 4516 section 2), without escapes.

    Attributes:
        dn: the distinguished name at which the search begins.
        attributes: the attributes to return; none means all.
        scope: base, one or sub.
        filter: the default is "(objectClass=*)".
        extensions: as written.
    """

    dn: str
    attributes: tuple[str, ...]
    scope: str
    filter: str
    extensions: tuple[str, ...]


def _ldap_search(url: Url) -> LdapSearch:
    """Return the parts, with defaults for omitted ones (RFC 4516 section 3)."""
    attributes, scope, condition, extensions = [*(url.query or "").split("?"), "", "", ""][:4]
    return LdapSearch(
        decoded(url.path.removeprefix("/")),
        tuple(decoded(name) for name in attributes.split(",") if name),
        scope.lower() or "base",
        decoded(condition) or "(objectClass=*)",
        tuple(item for item in extensions.split(",") if item),
    )


# RFC 4516 section 2:
#   ldapurl    = scheme COLON SLASH SLASH [host [COLON port]]
#                [SLASH dn [QUESTION [attributes] [QUESTION [scope] [QUESTION [filter] [QUESTION extensions]]]]]
#   scope      = "base" / "one" / "sub"
_LDAP_QUERY = r"(?:\?(?:[^,?#]+(?:,[^,?#]+)*)?(?:\?(?i:base|one|sub)?(?:\?[^?#]*(?:\?[^?#]+)?)?)?)?"
_LDAP_PARTS = rf"{AUTHORITY}[^?]*\?(?P<attributes>[^?]*)(?:\?(?P<scope>[^?]*)(?:\?[^?]*(?:\?(?P<extensions>.*))?)?)?"
_LDAP_MISTAKES: Mistakes = (
    Mistake("", r"\A(?!//)", '"//" is missing after the colon'),
    Mistake("userinfo", r"\A.*", "an LDAP URL cannot have a userinfo"),
    Mistake("fragment", r"\A#(.*)", "an LDAP URL cannot have a fragment"),
    Mistake("", rf"\A{AUTHORITY}(\?)", '"/" is missing between the host and "?"', "/?"),
    Mistake("attributes", r"\A(?=,|.*,,|.*,\Z).*", "attribute name is empty"),
    Mistake("scope", r"\A(?!(?i:base|one|sub)\Z).+", "scope must be base, one or sub"),
    Mistake("extensions", r"\A[^?]*(\?)", 'too many "?"; the query has four parts at most', "%3F"),
    Mistake("extensions", r"\A\Z", 'extensions after the last "?" are missing'),
)


LDAP = Scheme(
    "an entry or a search of an LDAP directory",
    {"rfc3986": Grammar("RFC 4516 section 2", f"//[^/?#@]*+(?:/[^?#]*{_LDAP_QUERY})?", _LDAP_PARTS, _LDAP_MISTAKES)},
    _ldap_search,
)
# Registered because it is in use; no document describes it.
LDAPS = LDAP
