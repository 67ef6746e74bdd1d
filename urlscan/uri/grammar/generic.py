"""The generic syntax: one pattern per profile and kind that matches a complete URL.

A profile is a specification, and a kind is what the string is checked as. To add a profile, write a
function that returns its patterns by kind, and register it in GRAMMARS.
"""

import functools
import re
from collections.abc import Callable

from urlscan.uri.grammar.characters import class_of, run_of

# --- hosts: IP literals and addresses, registered names, and the hostnames of RFC 1738

# RFC 3986 section 3.2.2:
#   dec-octet   = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
#   IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
# The boundary excludes a dot after the last octet.
IPV4_ADDRESS = r"(?a:(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.?\b){4})"

# RFC 3986 section 3.2.2:
#   h16         = 1*4HEXDIG
#   ls32        = ( h16 ":" h16 ) / IPv4address
#   IPv6address =                            6( h16 ":" ) ls32
#               /                       "::" 5( h16 ":" ) ls32
#               / [               h16 ] "::" 4( h16 ":" ) ls32
#               / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
#               / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
#               / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
#               / [ *4( h16 ":" ) h16 ] "::"              ls32
#               / [ *5( h16 ":" ) h16 ] "::"              h16
#               / [ *6( h16 ":" ) h16 ] "::"
# Without "::", six groups and ls32; with one "::", at most seven groups, of which an address at the end is two.
# Compiling takes half as long as with an alternative for each of the nine.
_H16 = r"[0-9A-Fa-f]{1,4}"
IPV6_ADDRESS = (
    rf"(?:(?:{_H16}:){{6}}(?:{_H16}:{_H16}|{IPV4_ADDRESS})"
    r"|(?=[\w:.]*::)(?![\w:.]*::[\w:.]*::)(?:::)?"
    rf"(?:(?:{_H16}(?:::?|(?![\w:.]))){{0,7}}(?<![^:]:)|(?:{_H16}::?){{0,5}}{IPV4_ADDRESS}))"
)

# RFC 3986 section 3.2.2:
#   IPvFuture   = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
#   IP-literal  = "[" ( IPv6address / IPvFuture ) "]"
# Literals in ABNF are case-insensitive, so "V" is accepted as well.
IPV_FUTURE = rf"[vV][0-9A-Fa-f]++\.{class_of('rfc3986', 'userinfo')}++"
IP_LITERAL = rf"\[(?:{IPV6_ADDRESS}|{IPV_FUTURE})\]"

# RFC 3986 section 3.2.2:
#   reg-name    = *( unreserved / pct-encoded / sub-delims )
#   host        = IP-literal / IPv4address / reg-name
# Every IPv4address is a reg-name as well.
REG_NAME = run_of("rfc3986", "reg-name")

# RFC 1738 section 5:
#   host        = hostname | hostnumber
#   hostname    = *[ domainlabel "." ] toplabel
#   domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
#   toplabel    = alpha | alpha *[ alphadigit | "-" ] alphadigit
#   hostnumber  = digits "." digits "." digits "." digits
DOMAINLABEL = "[A-Za-z0-9]++(?>(?:-++[A-Za-z0-9]++)*)"
TOPLABEL = rf"(?=[A-Za-z]){DOMAINLABEL}"
HOSTNAME = rf"(?>(?:{DOMAINLABEL}\.)*){TOPLABEL}"
HOSTNUMBER = r"[0-9]++\.[0-9]++\.[0-9]++\.[0-9]++"
HOST_1738 = rf"(?:{HOSTNUMBER}(?![A-Za-z0-9.-])|{HOSTNAME})"


def patterns_3986(profile: str = "rfc3986") -> dict[str, str]:
    """Return the expressions of RFC 3986 appendix A, or of RFC 3987 section 2.2, by kind."""
    # scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    scheme = rf"[A-Za-z]{class_of(profile, 'scheme')}*+"

    # host          = IP-literal / IPv4address / reg-name
    # authority     = [ userinfo "@" ] host [ ":" port ]
    # port          = *DIGIT
    # Every IPv4address is a reg-name as well.
    host = rf"(?:{IP_LITERAL}|{run_of(profile, 'reg-name')})"
    authority = rf"(?>{run_of(profile, 'userinfo')}@|){host}(?>:[0-9]*+|)"

    # segment       = *pchar
    # segment-nz    = 1*pchar
    # segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
    # path-abempty  = *( "/" segment )
    # path-absolute = "/" [ segment-nz *( "/" segment ) ]
    # path-noscheme = segment-nz-nc *( "/" segment )
    # path-rootless = segment-nz *( "/" segment )
    # path-empty    = 0<pchar>
    # hier-part     = "//" authority path-abempty / path-absolute / path-rootless / path-empty
    # relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty
    # A path is any text of pchar and "/". After an authority it begins with "/" or is empty, without one it does not
    # begin with "//", and without a scheme its first segment has no ":".
    path = rf"(?>//{authority}(?=[/?#]|\Z)|(?!//)){run_of(profile, 'path')}"

    # query         = *( pchar / "/" / "?" )
    # fragment      = *( pchar / "/" / "?" )
    query = rf"(?>\?{run_of(profile, 'query')}|)"
    fragment = f"(?>#{run_of(profile, 'fragment')}|)"

    # absolute-URI  = scheme ":" hier-part [ "?" query ]
    # URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
    # relative-ref  = relative-part [ "?" query ] [ "#" fragment ]
    # URI-reference = URI / relative-ref
    absolute = f"{scheme}:{path}{query}"
    reference = f"(?>{scheme}:|(?![^/?#:]*+:)){path}{query}{fragment}"
    return {"absolute-uri": absolute, "uri": absolute + fragment, "uri-reference": reference}


def patterns_2396() -> dict[str, str]:
    """Return the expressions of RFC 2396 appendix A, by kind."""
    # scheme        = alpha *( alpha | digit | "+" | "-" | "." )
    scheme = rf"[A-Za-z]{class_of('rfc2396', 'scheme')}*+"

    # authority     = server | reg_name
    # server        = [ [ userinfo "@" ] hostport ]
    # reg_name      = 1*( unreserved | escaped | "$" | "," | ";" | ":" | "@" | "&" | "=" | "+" )
    # reg_name includes all characters of a server, and a server may be empty.
    authority = run_of("rfc2396", "reg_name")

    # path_segments = segment *( "/" segment )
    # segment       = *pchar *( ";" param )
    # param         = *pchar
    # abs_path      = "/" path_segments
    # net_path      = "//" authority [ abs_path ]
    # rel_path      = rel_segment [ abs_path ]
    abs_path = "/" + run_of("rfc2396", "path_segments")
    net_path = f"//{authority}(?>{abs_path}|)"
    rel_path = f"{run_of('rfc2396', 'rel_segment', minimum=1)}(?>{abs_path}|)"

    # query         = *uric
    # fragment      = *uric
    urics = run_of("rfc2396", "uric")
    query, fragment = rf"(?>\?{urics}|)", f"(?>#{urics}|)"

    # hier_part     = ( net_path | abs_path ) [ "?" query ]
    # opaque_part   = uric_no_slash *uric
    # absoluteURI   = scheme ":" ( hier_part | opaque_part )
    # An abs_path could match what a net_path rejects in its authority: "//[::1]/" contains a bracket, which a path
    # cannot contain either, so the order does not matter.
    opaque_part = run_of("rfc2396", "uric_no_slash", minimum=1) + urics
    absolute = rf"{scheme}:(?:(?:{net_path}|{abs_path}){query}|{opaque_part})"

    # relativeURI   = ( net_path | abs_path | rel_path ) [ "?" query ]
    # URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]
    # Read literally, a reference cannot begin with "?".  Section 5.2 resolves such a reference, and appendix C.1 has
    # "?y" among its normal examples.
    relative = rf"(?:{net_path}|{abs_path}|{rel_path}|){query}"
    reference = rf"(?:{absolute}|{relative}){fragment}"
    # Section 4: "URI" does not include the fragment.
    return {"absolute-uri": absolute, "uri": absolute, "uri-reference": reference}


# --- RFC 1738 section 5, the form that all schemes share

# port           = digits
# hostport       = host [ ":" port ]
HOSTPORT = f"{HOST_1738}(?>:[0-9]++|)"

# user           = *[ uchar | ";" | "?" | "&" | "=" ]
# password       = *[ uchar | ";" | "?" | "&" | "=" ]
# login          = [ user [ ":" password ] "@" ] hostport
_USER, _PASSWORD = run_of("rfc1738", "user"), run_of("rfc1738", "password")
LOGIN = f"(?>{_USER}(?>:{_PASSWORD}|)@|){HOSTPORT}"


def patterns_1738() -> dict[str, str]:
    """Return the expressions of genericurl, by kind."""
    # scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ]
    scheme = rf"{class_of('rfc1738', 'scheme')}++"

    # ip-schemepart  = "//" login [ "/" urlpath ]
    # urlpath        = *xchar
    urlpath = run_of("rfc1738", "xchar")
    ip_schemepart = f"//{LOGIN}(?>/{urlpath}|)"

    # genericurl     = scheme ":" schemepart
    # schemepart     = *xchar | ip-schemepart
    # xchar includes "/", so the first alternative would accept any "//...".  Section 3.1 reserves the double slash for
    # the common Internet scheme syntax, and so does this pattern.
    genericurl = rf"{scheme}:(?:{ip_schemepart}|(?!//){urlpath})"

    # A URL of RFC 1738 is absolute and has no fragment (section 2.2, appendix), whichever kind is requested.
    return {"absolute-uri": genericurl, "uri": genericurl, "uri-reference": genericurl}


# --- RFC 1630, the form that all schemes share

# hostname       = ialpha [ "." hostname ]
# hostnumber     = digits "." digits "." digits "." digits
# host           = hostname | hostnumber
# port           = digits
# hostport       = host [ ":" port ]
# ialpha         = alpha [ xalphas ]
# xalpha includes "@" and ".".  "@" is excluded here, because a login could not be distinguished from a host.
HOSTNAME_1630 = "[A-Za-z]" + run_of("rfc1630", "local")
HOST_1630 = rf"(?:{HOSTNAME_1630}|{HOSTNUMBER})"
HOSTPORT_1630 = f"{HOST_1630}(?>:[0-9]++|)"

# user           = alphanum2 [ user ]
# password       = alphanum2 [ password ]
# login          = [ user [ ":" password ] "@" ] hostport
_ALPHANUM2 = class_of("rfc1630", "alphanum2") + "++"
LOGIN_1630 = f"(?>{_ALPHANUM2}(?>:{_ALPHANUM2}|)@|){HOSTPORT_1630}"

# path           = void | xpalphas [ "/" path ]
# Read literally, a path cannot begin with "/" or contain "//".  The URLs of all schemes do, and their BNF has segments
# that may be void.
SEGMENT = run_of("rfc1630", "xpalpha")
PATH = f"{SEGMENT}(?>(?:/{SEGMENT})*)"

# search         = xalphas [ "+" search ]
# In the BNF for specific schemes "safe" includes "+", so "+" is allowed anywhere.
SEARCH = run_of("rfc1630", "xpalpha", minimum=1)

# fragmentid     = xalphas
# Fragment-id: "A void fragment-id with or without the hash sign means that the URL refers to the
# whole object."
FRAGMENTID = f"(?>#{SEGMENT}|)"

# prefixedurl    = "url:" url
PREFIX = "(?>(?i:url:)|)"


def patterns_1630() -> dict[str, str]:
    """Return the expressions of the BNF of generic URI syntax, by kind."""
    # scheme          = ialpha
    scheme = "[A-Za-z]" + run_of("rfc1630", "scheme")

    # uri             = scheme ":" path [ "?" search ]
    # A login has a colon before its password and before the port, which a path cannot contain.
    search = rf"(?>\?{SEARCH}|)"
    login = f"//{LOGIN_1630}(?>/{PATH}|)"
    uri = f"{PREFIX}{scheme}:(?:{login}|{PATH}){search}"

    # fragmentaddress = uri [ "#" fragmentid ]
    # Partial form: "the latter must have a colon and that colon must occur before any slash".
    partial = rf"(?![^/?#:]*+:)(?:{login}|{PATH}){search}"
    return {"absolute-uri": uri, "uri": uri + FRAGMENTID, "uri-reference": rf"(?:{uri}|{partial}){FRAGMENTID}"}


# By grammar. The grammar is the profile, unless an IRI is requested (`grammar_of`).
GRAMMARS: dict[str, Callable[[], dict[str, str]]] = {
    "rfc3986": patterns_3986,
    "rfc3987": lambda: patterns_3986("rfc3987"),
    "rfc2396": patterns_2396,
    "rfc1738": patterns_1738,
    "rfc1630": patterns_1630,
}

# --- the sections of the specifications by topic and grammar

# The sections of RFC 1630 have names and no numbers.
_GENERIC, _SPECIFIC = "BNF of generic URI syntax", "BNF for specific URL schemes"
_PARTIAL = 'section "Partial (relative) form"'
# A section for each of GRAMMARS. RFC 3987 repeats the generic syntax and refers to RFC 3986 for the meaning of the
# components.
_SECTIONS = {
    "grammar": ("appendix A", "2.2", "appendix A", "5", _GENERIC),
    "characters": ("2", "2.2", "2.4.3", "2.2", _GENERIC),
    "escapes": ("2.1", "2.2", "2.4.1", "2.2", 'section "Encoding reserved characters"'),
    "unreserved": ("6.2.2.2", "5.3.2.3", "2.3", "2.2", 'section "Encoding reserved characters"'),
    "scheme": ("3.1", "2.2", "3.1", "2.1", _GENERIC),
    "authority": ("3.2", "2.2", "3.2", "3.1", _SPECIFIC),
    "userinfo": ("3.2.1", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "host": ("3.2.2", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "port": ("3.2.3", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "path": ("3.3", "2.2", "3.3", "3.1", 'section "Reserved characters"'),
    "query": ("3.4", "2.2", "3.4", "3.3", 'section "Reserved characters"'),
    "fragment": ("3.5", "2.2", "4.1", "2.2", 'section "Fragment-id"'),
    "brackets": ("3.2.2", "2.2", "2.4.3", "2.2", _GENERIC),
    "absolute": ("4.3", "2.2", "4", "2.1", _PARTIAL),
    "resolution": ("5.2.4", "5.3.2.4", "5.2", "2.3", _PARTIAL),
    "same-scheme": ("5.2.2", "6.5", "5.2", "2.1", _PARTIAL),
    "security": ("7.5", "8", "7", "6", 'section "Security considerations"'),
    "controls": ("7.3", "8", "7", "6", 'section "Security considerations"'),
}


def section(grammar: str, topic: str) -> str:
    """Return the section of `grammar` about `topic`.

    >>> section("rfc3986", "port"), section("rfc1630", "host")
    ('RFC 3986 section 3.2.3', 'RFC 1630 BNF for specific URL schemes')
    """
    number = dict(zip(GRAMMARS, _SECTIONS[topic], strict=True))[grammar]
    return f"RFC {grammar.removeprefix('rfc')} {'section ' if number[0].isdigit() else ''}{number}"


# --- the patterns


def grammar_of(profile: str, kind: str) -> tuple[str, str]:
    """Return the grammar that applies, and the kind by its name for URIs.

    RFC 3987 has the kinds of RFC 3986 with more characters. It applies to IRIs in both profiles. The older
    specifications have no IRIs, so a URI is required.

    >>> grammar_of("rfc3986", "iri-reference"), grammar_of("rfc1738", "iri")
    (('rfc3987', 'uri-reference'), ('rfc1738', 'uri'))
    """
    if kind in ("iri", "iri-reference"):
        kind = kind.replace("iri", "uri")
        if profile == "rfc3986":
            profile = "rfc3987"
    return profile, kind


@functools.cache
def full_match(profile: str, kind: str) -> re.Pattern[str]:
    """Return the pattern that matches a complete `kind` of `profile` by `fullmatch`."""
    grammar, kind = grammar_of(profile, kind)
    return re.compile(GRAMMARS[grammar]()[kind])
