"""The generic syntax: one full-match pattern for each profile and kind.

A profile is the specification that a URL is judged by, a kind what the string is taken for.  To add
a profile, write a function that returns its patterns by kind and enter it in GRAMMARS.
"""

import functools
import re
from collections.abc import Callable

from urlscan.grammar.characters import CHARACTERS, ESCAPE, many, maybe, one_of, run_of
from urlscan.grammar.hosts import HOST, HOST_1738


def _rfc3986() -> dict[str, str]:
    """RFC 3986 appendix A, by kind."""
    # scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    scheme = rf"[A-Za-z]{one_of(CHARACTERS['rfc3986']['scheme'])}*+"

    # authority     = [ userinfo "@" ] host [ ":" port ]
    # port          = *DIGIT
    authority = maybe(run_of("rfc3986", "userinfo") + "@") + HOST + maybe(":[0-9]*+")

    # segment       = *pchar
    # segment-nz    = 1*pchar
    # segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
    segment = run_of("rfc3986", "pchar")
    not_empty = rf"(?={one_of(CHARACTERS['rfc3986']['pchar'])}|{ESCAPE})"
    segment_nz = not_empty + segment
    segment_nz_nc = rf"{not_empty}(?![^/?#:]*+:){segment}"

    # path-abempty  = *( "/" segment )
    # path-absolute = "/" [ segment-nz *( "/" segment ) ]
    # path-noscheme = segment-nz-nc *( "/" segment )
    # path-rootless = segment-nz *( "/" segment )
    # path-empty    = 0<pchar>
    path_abempty = many("/" + segment)
    path_absolute = "/" + maybe(segment_nz + path_abempty)
    path_noscheme = segment_nz_nc + path_abempty
    path_rootless = segment_nz + path_abempty

    # hier-part     = "//" authority path-abempty / path-absolute / path-rootless / path-empty
    # relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty
    net_path = rf"//{authority}{path_abempty}"
    hier_part = rf"(?:{net_path}|{path_absolute}|{path_rootless}|)"

    # query         = *( pchar / "/" / "?" )
    # fragment      = *( pchar / "/" / "?" )
    query = maybe(r"\?" + run_of("rfc3986", "query"))
    fragment = maybe("#" + run_of("rfc3986", "fragment"))

    # absolute-URI  = scheme ":" hier-part [ "?" query ]
    # URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
    # relative-ref  = relative-part [ "?" query ] [ "#" fragment ]
    # URI-reference = URI / relative-ref
    absolute_uri = rf"{scheme}:{hier_part}{query}"
    # What begins with "//" is the same in both: written out for each, it would take twice as long to compile.
    uri_reference = (
        rf"(?:{maybe(scheme + ':')}{net_path}|{scheme}:(?:{path_absolute}|{path_rootless}|)"
        rf"|{path_absolute}|{path_noscheme}|){query}{fragment}"
    )
    return {"absolute-uri": absolute_uri, "uri": absolute_uri + fragment, "uri-reference": uri_reference}


def _rfc1738() -> dict[str, str]:
    """RFC 1738 section 5, the form that every scheme has, by kind."""
    # scheme         = 1*[ lowalpha | digit | "+" | "-" | "." ]
    scheme = rf"{one_of(CHARACTERS['rfc1738']['scheme'])}++"

    # login          = [ user [ ":" password ] "@" ] hostport
    # hostport       = host [ ":" port ]
    # port           = digits
    user, password = run_of("rfc1738", "user"), run_of("rfc1738", "password")
    hostport = HOST_1738 + maybe(":[0-9]++")
    login = maybe(user + maybe(":" + password) + "@") + hostport

    # ip-schemepart  = "//" login [ "/" urlpath ]
    # urlpath        = *xchar
    urlpath = run_of("rfc1738", "xchar")
    ip_schemepart = "//" + login + maybe("/" + urlpath)

    # fileurl        = "file://" [ host | "localhost" ] "/" fpath
    # The one scheme whose host may be void; without it the generic form would reject "file:///".
    void_host = rf"(?i:file):///{urlpath}"

    # genericurl     = scheme ":" schemepart
    # schemepart     = *xchar | ip-schemepart
    # xchar has "/", so the first alternative lets any "//..." by; section 3.1 reserves the double
    # slash for the common Internet scheme syntax, and so do we.
    genericurl = rf"(?:{void_host}|{scheme}:(?:{ip_schemepart}|(?!//){urlpath}))"

    # A URL of RFC 1738 is absolute and has no fragment (section 2.2, appendix), whatever is asked.
    return {"absolute-uri": genericurl, "uri": genericurl, "uri-reference": genericurl}


GRAMMARS: dict[str, Callable[[], dict[str, str]]] = {"rfc3986": _rfc3986, "rfc1738": _rfc1738}


@functools.cache
def full_match(profile: str, kind: str) -> re.Pattern[str]:
    """Return the pattern whose `fullmatch` is the grammar of `profile` for `kind`.

    Raises:
        KeyError: no such profile or kind.
    """
    return re.compile(GRAMMARS[profile]()[kind])


@functools.cache
def ordinary(profile: str) -> re.Pattern[str]:
    """Return a pattern for the URLs that are plainly good: a subset of the grammar, and faster.

    http, https and ftp, a dotted or single name of letters, digits and hyphens, no userinfo, no
    brackets, nothing but ASCII; mailto with one address of that kind.  What it rejects may still be right.
    """
    if profile == "rfc3986":
        host = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?"
        query = maybe(r"\?" + run_of(profile, "query"))
        rest = maybe("[/?]" + run_of(profile, "query")) + maybe("#" + run_of(profile, "fragment"))
    else:
        host = HOST_1738
        query = maybe(r"\?" + run_of(profile, "xchar"))
        rest = maybe("/" + run_of(profile, "xchar"))
    # RFC 6068:  mailtoURI = "mailto:" [ to ] [ hfields ];  addr-spec = dot-atom-text "@" dot-atom-text
    atom = "[A-Za-z0-9_+=-]++"
    return re.compile(
        "(?i:https?|ftp)://" + host + maybe(":[0-9]++") + rest
        + "|(?i:mailto):" + atom + many(r"\." + atom) + "@" + host + query
    )  # fmt: skip
