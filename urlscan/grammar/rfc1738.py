"""RFC 1738 section 5, the form that every scheme has: expressions by kind, and pieces for the schemes."""

from urlscan.grammar.characters import class_of, maybe, run_of
from urlscan.grammar.hosts import HOST_1738

# port           = digits
# hostport       = host [ ":" port ]
HOSTPORT = HOST_1738 + maybe(":[0-9]++")

# user           = *[ uchar | ";" | "?" | "&" | "=" ]
# password       = *[ uchar | ";" | "?" | "&" | "=" ]
# login          = [ user [ ":" password ] "@" ] hostport
_USER = run_of("rfc1738", "user")
LOGIN = maybe(_USER + maybe(":" + run_of("rfc1738", "password")) + "@") + HOSTPORT


def patterns() -> dict[str, str]:
    """Return the expressions of genericurl, by kind."""
    # scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ]
    scheme = rf"{class_of('rfc1738', 'scheme')}++"

    # ip-schemepart  = "//" login [ "/" urlpath ]
    # urlpath        = *xchar
    urlpath = run_of("rfc1738", "xchar")
    ip_schemepart = "//" + LOGIN + maybe("/" + urlpath)

    # genericurl     = scheme ":" schemepart
    # schemepart     = *xchar | ip-schemepart
    # xchar has "/", so the first alternative lets any "//..." by; section 3.1 reserves the double
    # slash for the common Internet scheme syntax, and so do we.
    genericurl = rf"{scheme}:(?:{ip_schemepart}|(?!//){urlpath})"

    # A URL of RFC 1738 is absolute and has no fragment (section 2.2, appendix), whatever is asked.
    return {"absolute-uri": genericurl, "uri": genericurl, "uri-reference": genericurl}
