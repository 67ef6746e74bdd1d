"""RFC 1738 section 5, the form that all schemes share: expressions by kind, and parts for the schemes."""

from urlscan.uri.grammar.characters import class_of, run_of
from urlscan.uri.grammar.hosts import HOST_1738

# port           = digits
# hostport       = host [ ":" port ]
HOSTPORT = f"{HOST_1738}(?>:[0-9]++|)"

# user           = *[ uchar | ";" | "?" | "&" | "=" ]
# password       = *[ uchar | ";" | "?" | "&" | "=" ]
# login          = [ user [ ":" password ] "@" ] hostport
_USER, _PASSWORD = run_of("rfc1738", "user"), run_of("rfc1738", "password")
LOGIN = f"(?>{_USER}(?>:{_PASSWORD}|)@|){HOSTPORT}"


def patterns() -> dict[str, str]:
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
