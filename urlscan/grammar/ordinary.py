"""The plainly good URL: a subset of the grammars that one short pattern recognizes.

What it accepts is right by every specification of its profile, and none of the rules for URLs but
those that say so (`checks_fast_accepted`) has a word about it; what it rejects may still be right.
"""

import functools
import re
from collections.abc import Callable

from urlscan.data.ports import BAD_PORTS
from urlscan.grammar.characters import CHARACTERS, many, maybe, one_of
from urlscan.grammar.hosts import HOST_1738, IPV4_ADDRESS

# Escapes that no rule looks at twice: "%25" may be an escape escaped (U202), %00 to %1F and %7F are
# controls (U203), "%2E" may be half of a dot segment (U207).
_ESCAPE = "%(?!25|2[Ee]|[01]|7[Ff])[0-9A-Fa-f]{2}"
# Dots that are a segment of their own are for U209 and U803.
_NO_DOTS = r"(?!\.\.?(?:[/?#]|\Z))"


def _run(characters: str) -> str:
    some = one_of(characters) + "*+"
    return some + many(_ESCAPE + some)


def _rfc3986() -> str:
    characters = CHARACTERS["rfc3986"]
    # A name with letters in its last label or a plain address, no userinfo, no port that a service of its own
    # has: the others are for U402, U403, U501.
    # "http://https//x": U406.
    host = r"(?!(?i:https?|ftp)(?:/|\Z))" + f"(?:{many(r'[A-Za-z0-9_-]++[.]')}[A-Za-z][A-Za-z0-9_-]*+|{IPV4_ADDRESS})"
    path = many("/" + _NO_DOTS + _run(characters["pchar"]))
    # ";type=" has a grammar of its own.
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
    # Such are the links from one document of a project to the next, "../guide/a.html#b", "#c".  Dot segments may lead
    # them (U209 and U803 are about those of what begins at the root), and "//" is for a host.
    first = _run(CHARACTERS["rfc3986"]["unreserved"])
    return rf"(?!//|\Z){many(r'[.]{1,2}/')}{_NO_DOTS}{first}{rest}"


def _rfc1738() -> str:
    characters = CHARACTERS["rfc1738"]
    segment = _run(characters["uchar"] + ":@&=")
    hpath = _NO_DOTS + segment + many("/" + _NO_DOTS + segment)
    # Only the grammar of http tells what "?" begins.
    return "(?i:http)://" + HOST_1738 + maybe("/" + hpath + maybe(r"\?" + segment))


_PATTERNS: dict[str, Callable[[], str]] = {
    "rfc3986": _rfc3986,
    "rfc3987": _rfc3986,
    "rfc2396": _rfc3986,
    "rfc1738": _rfc1738,
    # So few of its URLs are plainly good, and so few are judged by it, that a pattern would not pay.
    "rfc1630": lambda: "(?!)",
}


@functools.cache
def ordinary(profile: str) -> re.Pattern[str]:
    """Return the pattern whose `fullmatch` accepts the URLs that are plainly good by `profile`."""
    return re.compile(_PATTERNS[profile]())
