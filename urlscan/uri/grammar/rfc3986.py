"""The generic syntax of RFC 3986, and that of RFC 3987 with more characters: expressions by kind."""

from urlscan.uri.grammar.characters import class_of, run_of
from urlscan.uri.grammar.hosts import IP_LITERAL


def patterns(profile: str = "rfc3986") -> dict[str, str]:
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
