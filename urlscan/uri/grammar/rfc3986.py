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
    segment = run_of(profile, "pchar")
    segment_nz = run_of(profile, "pchar", minimum=1)
    segment_nz_nc = rf"(?![^/?#:]*+:){segment_nz}"

    # path-abempty  = *( "/" segment )
    # path-absolute = "/" [ segment-nz *( "/" segment ) ]
    # path-noscheme = segment-nz-nc *( "/" segment )
    # path-rootless = segment-nz *( "/" segment )
    # path-empty    = 0<pchar>
    path_abempty = f"(?>(?:/{segment})*)"
    path_absolute = f"/(?>{segment_nz}{path_abempty}|)"
    path_noscheme = segment_nz_nc + path_abempty
    path_rootless = segment_nz + path_abempty

    # hier-part     = "//" authority path-abempty / path-absolute / path-rootless / path-empty
    # relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty
    net_path = rf"//{authority}{path_abempty}"
    hier_part = rf"(?:{net_path}|{path_absolute}|{path_rootless}|)"

    # query         = *( pchar / "/" / "?" )
    # fragment      = *( pchar / "/" / "?" )
    query = rf"(?>\?{run_of(profile, 'query')}|)"
    fragment = f"(?>#{run_of(profile, 'fragment')}|)"

    # absolute-URI  = scheme ":" hier-part [ "?" query ]
    # URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
    # relative-ref  = relative-part [ "?" query ] [ "#" fragment ]
    # URI-reference = URI / relative-ref
    absolute = rf"{scheme}:{hier_part}{query}"
    # The part after "//" is the same in both. Compiling takes twice as long if it is repeated in each.
    reference = (
        rf"(?:(?>{scheme}:|){net_path}|{scheme}:(?:{path_absolute}|{path_rootless}|)"
        rf"|{path_absolute}|{path_noscheme}|){query}{fragment}"
    )
    return {"absolute-uri": absolute, "uri": absolute + fragment, "uri-reference": reference}
