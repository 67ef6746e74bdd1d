"""The fast check: one short pattern per profile that accepts a subset of the valid URLs.

A URL that it accepts is valid by the specification of the profile, and only rules with `checks_fast_accepted` can
report it. A URL that it rejects may still be valid.
"""

import functools
import re
from collections.abc import Callable

from urlscan.data.ports import BAD_PORTS
from urlscan.uri.grammar.characters import CHARACTERS, many, maybe, one_of
from urlscan.uri.grammar.hosts import HOST_1738, IPV4_ADDRESS

# Escapes that no rule reports. Excluded are "%25", which may be an escaped escape (U202), %00 to %1F and %7F, which are
# controls (U203), and "%2E", which may belong to a dot segment (U207).
_ESCAPE = "%(?!25|2[Ee]|[01]|7[Ff])[0-9A-Fa-f]{2}"
# U209 and U803 check dots that are a complete segment.
_NO_DOTS = r"(?!\.\.?(?:[/?#]|\Z))"


def _run(characters: str) -> str:
    some = one_of(characters) + "*+"
    return some + many(_ESCAPE + some)


def _rfc3986() -> str:
    characters = CHARACTERS["rfc3986"]
    # A name with letters in its last label or a plain address, without a userinfo and without a port that another
    # service uses. U402, U403 and U501 check others.
    # U406 checks "http://https//x".
    # U402 checks labels that begin or end with a hyphen.
    labels = many(r"(?!-)[A-Za-z0-9_-]++(?<!-)[.]")
    host = r"(?!(?i:https?|ftp)(?:/|\Z))" + f"(?:{labels}[A-Za-z][A-Za-z0-9_-]*+(?<!-)|{IPV4_ADDRESS})"
    path = many("/" + _NO_DOTS + _run(characters["pchar"]))
    # ";type=" has its own grammar.
    ftp_path = many("/" + _NO_DOTS + _run(characters["pchar"].replace(";", "")))
    query, fragment = _run(characters["query"]), _run(characters["fragment"])
    bad_ports = "|".join(str(port) for port in sorted(BAD_PORTS) if port > 999)
    port = maybe(rf":(?!(?:{bad_ports})(?![0-9]))[1-5]?[1-9][0-9]{{3}}(?![0-9])")
    # RFC 6068:  mailtoURI = "mailto:" [ to ] [ hfields ];  addr-spec = dot-atom-text "@" dot-atom-text
    #            hfields   = "?" hfield *( "&" hfield );  hfield = hfname "=" hfvalue
    atom = "[A-Za-z0-9_+-]++"
    hfvalue = _run(characters["unreserved"] + "!$'()*+,;:@")
    hfields = maybe(r"\?[A-Za-z-]++=" + hfvalue + many("&[A-Za-z-]++=" + hfvalue))
    rest = maybe(r"\?" + query) + maybe("#" + fragment)
    return (
        "(?i:https?)://" + host + port + path + rest + "|(?i:ftp)://" + host + ftp_path + rest
        + "|(?i:mailto):" + atom + many(r"\." + atom) + "@" + host + hfields + "|" + _relative(path + rest)
    )  # fmt: skip


def _relative(rest: str) -> str:
    # RFC 3986 section 4.2:  relative-part = path-absolute / path-noscheme / path-empty
    # These are links between the documents of a project: "../guide/a.html#b", "#c".  They may begin with dot segments,
    # since U209 and U803 only check paths from the root. "//" begins a host.
    first = _run(CHARACTERS["rfc3986"]["unreserved"])
    return rf"(?!//|\Z){many(r'[.]{1,2}/')}{_NO_DOTS}{first}{rest}"


def _rfc1738() -> str:
    characters = CHARACTERS["rfc1738"]
    segment = _run(characters["uchar"] + ":@&=")
    hpath = _NO_DOTS + segment + many("/" + _NO_DOTS + segment)
    # "?" begins a query only in the grammar of http.
    return "(?i:http)://" + HOST_1738 + maybe("/" + hpath + maybe(r"\?" + segment))


_PATTERNS: dict[str, Callable[[], str]] = {
    "rfc3986": _rfc3986,
    "rfc3987": _rfc3986,
    "rfc2396": _rfc3986,
    "rfc1738": _rfc1738,
    # A pattern is not worthwhile: few URLs of this profile are in the subset, and few are checked by it.
    "rfc1630": lambda: "(?!)",
}


@functools.cache
def ordinary(profile: str) -> re.Pattern[str]:
    """Return the pattern whose `fullmatch` accepts a subset of the valid URLs of `profile`."""
    return re.compile(_PATTERNS[profile]())
