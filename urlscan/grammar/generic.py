"""The generic syntax: one full-match pattern for each profile and kind.

A profile is the specification that a URL is judged by, a kind what the string is taken for.  To add
a profile, write its file, which returns its patterns by kind, and enter it in GRAMMARS.
"""

import functools
import re
from collections.abc import Callable

from urlscan.grammar import rfc1630, rfc1738, rfc2396, rfc3986

# By the grammar, which is the profile but where an IRI is asked for (`grammar_of`).
GRAMMARS: dict[str, Callable[[], dict[str, str]]] = {
    "rfc3986": rfc3986.patterns,
    "rfc3987": lambda: rfc3986.patterns("rfc3987"),
    "rfc2396": rfc2396.patterns,
    "rfc1738": rfc1738.patterns,
    "rfc1630": rfc1630.patterns,
}


def grammar_of(profile: str, kind: str) -> tuple[str, str]:
    """Return the grammar to judge by and the kind by its name for URIs.

    RFC 3987 has the kinds of RFC 3986 with a wider alphabet, so an IRI is judged by it whichever of
    the two is the profile; the older specifications know no IRIs, and judge a URI.

    >>> grammar_of("rfc3986", "iri-reference"), grammar_of("rfc1738", "iri")
    (('rfc3987', 'uri-reference'), ('rfc1738', 'uri'))
    """
    if kind in ("iri", "iri-reference"):
        return "rfc3987" if profile == "rfc3986" else profile, kind.replace("iri", "uri")
    return profile, kind


@functools.cache
def full_match(profile: str, kind: str) -> re.Pattern[str]:
    """Return the pattern whose `fullmatch` is the grammar of `profile` for `kind`.

    Raises:
        KeyError: no such profile or kind.
    """
    grammar, kind = grammar_of(profile, kind)
    return re.compile(GRAMMARS[grammar]()[kind])
