"""RFC 1630, the form that all schemes share: expressions by kind, and parts for the schemes."""

from urlscan.uri.grammar.characters import class_of, run_of

# hostname       = ialpha [ "." hostname ]
# hostnumber     = digits "." digits "." digits "." digits
# host           = hostname | hostnumber
# port           = digits
# hostport       = host [ ":" port ]
# ialpha         = alpha [ xalphas ]
# xalpha includes "@" and ".".  "@" is excluded here, because a login could not be distinguished from a host.
HOSTNAME = "[A-Za-z]" + run_of("rfc1630", "local")
HOSTNUMBER = r"[0-9]++\.[0-9]++\.[0-9]++\.[0-9]++"
HOST = rf"(?:{HOSTNAME}|{HOSTNUMBER})"
HOSTPORT = f"{HOST}(?>:[0-9]++|)"

# user           = alphanum2 [ user ]
# password       = alphanum2 [ password ]
# login          = [ user [ ":" password ] "@" ] hostport
_ALPHANUM2 = class_of("rfc1630", "alphanum2") + "++"
LOGIN = f"(?>{_ALPHANUM2}(?>:{_ALPHANUM2}|)@|){HOSTPORT}"

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


def patterns() -> dict[str, str]:
    """Return the expressions of the BNF of generic URI syntax, by kind."""
    # scheme          = ialpha
    scheme = "[A-Za-z]" + run_of("rfc1630", "scheme")

    # uri             = scheme ":" path [ "?" search ]
    # A login has a colon before its password and before the port, which a path cannot contain.
    search = rf"(?>\?{SEARCH}|)"
    login = f"//{LOGIN}(?>/{PATH}|)"
    uri = f"{PREFIX}{scheme}:(?:{login}|{PATH}){search}"

    # fragmentaddress = uri [ "#" fragmentid ]
    # Partial form: "the latter must have a colon and that colon must occur before any slash".
    partial = rf"(?![^/?#:]*+:)(?:{login}|{PATH}){search}"
    return {"absolute-uri": uri, "uri": uri + FRAGMENTID, "uri-reference": rf"(?:{uri}|{partial}){FRAGMENTID}"}
