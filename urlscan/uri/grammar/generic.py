"""The generic syntax: one pattern per profile and kind that matches a complete URL.

A profile is a specification, and a kind is what the string is checked as. To add a profile, write its file, which
returns its patterns by kind, and register it in GRAMMARS.
"""

import functools
import re
from collections.abc import Callable

from urlscan.uri.grammar import rfc1630, rfc1738, rfc2396, rfc3986

# By grammar. The grammar is the profile, unless an IRI is requested (`grammar_of`).
GRAMMARS: dict[str, Callable[[], dict[str, str]]] = {
    "rfc3986": rfc3986.patterns,
    "rfc3987": lambda: rfc3986.patterns("rfc3987"),
    "rfc2396": rfc2396.patterns,
    "rfc1738": rfc1738.patterns,
    "rfc1630": rfc1630.patterns,
}


def grammar_of(profile: str, kind: str) -> tuple[str, str]:
    """Return the grammar that applies, and the kind by its name for URIs.

    RFC 3987 has the kinds of RFC 3986 with more characters. It applies to IRIs in both profiles. The older
    specifications have no IRIs, so a URI is required.

    >>> grammar_of("rfc3986", "iri-reference"), grammar_of("rfc1738", "iri")
    (('rfc3987', 'uri-reference'), ('rfc1738', 'uri'))
    """
    if kind in ("iri", "iri-reference"):
        return "rfc3987" if profile == "rfc3986" else profile, kind.replace("iri", "uri")
    return profile, kind


@functools.cache
def full_match(profile: str, kind: str) -> re.Pattern[str]:
    """Return the pattern that matches a complete `kind` of `profile` by `fullmatch`.

    Raises:
        KeyError: unknown profile or kind.
    """
    grammar, kind = grammar_of(profile, kind)
    return re.compile(GRAMMARS[grammar]()[kind])
