"""The generic syntax of RFC 2396: expressions by kind."""

from urlscan.uri.grammar.characters import class_of, run_of


def patterns() -> dict[str, str]:
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
