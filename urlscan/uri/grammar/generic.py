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

# --- the sections of the specifications by topic and grammar

_GRAMMARS = ("rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630")
# The sections of RFC 1630 have names and no numbers.
_GENERIC, _SPECIFIC = "BNF of generic URI syntax", "BNF for specific URL schemes"
_PARTIAL = 'section "Partial (relative) form"'
# A section for each of the grammars. RFC 3987 repeats the generic syntax and refers to RFC 3986 for the meaning of the
# components.
_SECTIONS = {
    "grammar": ("appendix A", "2.2", "appendix A", "5", _GENERIC),
    "characters": ("2", "2.2", "2.4.3", "2.2", _GENERIC),
    "escapes": ("2.1", "2.2", "2.4.1", "2.2", 'section "Encoding reserved characters"'),
    "scheme": ("3.1", "2.2", "3.1", "2.1", _GENERIC),
    "authority": ("3.2", "2.2", "3.2", "3.1", _SPECIFIC),
    "userinfo": ("3.2.1", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "host": ("3.2.2", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "port": ("3.2.3", "2.2", "3.2.2", "3.1", _SPECIFIC),
    "path": ("3.3", "2.2", "3.3", "3.1", 'section "Reserved characters"'),
    "query": ("3.4", "2.2", "3.4", "3.3", 'section "Reserved characters"'),
    "fragment": ("3.5", "2.2", "4.1", "2.2", 'section "Fragment-id"'),
    "brackets": ("3.2.2", "2.2", "2.4.3", "2.2", _GENERIC),
    "absolute": ("4.3", "2.2", "4", "2.1", _PARTIAL),
    "resolution": ("5.2.4", "5.3.2.4", "5.2", "2.3", _PARTIAL),
    "same-scheme": ("5.2.2", "6.5", "5.2", "2.1", _PARTIAL),
    "security": ("7.5", "8", "7", "6", 'section "Security considerations"'),
    "controls": ("7.3", "8", "7", "6", 'section "Security considerations"'),
}


def section(grammar: str, topic: str) -> str:
    """Return the section of `grammar` about `topic`.

    >>> section("rfc3986", "port"), section("rfc1630", "host")
    ('RFC 3986 section 3.2.3', 'RFC 1630 BNF for specific URL schemes')
    """
    number = dict(zip(_GRAMMARS, _SECTIONS[topic], strict=True))[grammar]
    return f"RFC {grammar.removeprefix('rfc')} {'section ' if number[0].isdigit() else ''}{number}"


# --- the patterns


def grammar_of(profile: str, kind: str) -> tuple[str, str]:
    """Return the grammar that applies, and the kind by its name for URIs.

    RFC 3987 has the kinds of RFC 3986 with more characters. It applies to IRIs in both profiles. The older
    specifications have no IRIs, so a URI is required.

    >>> grammar_of("rfc3986", "iri-reference"), grammar_of("rfc1738", "iri")
    (('rfc3987', 'uri-reference'), ('rfc1738', 'uri'))
    """
    if kind in ("iri", "iri-reference"):
        kind = kind.replace("iri", "uri")
        if profile == "rfc3986":
            profile = "rfc3987"
    return profile, kind


@functools.cache
def full_match(profile: str, kind: str) -> re.Pattern[str]:
    """Return the pattern that matches a complete `kind` of `profile` by `fullmatch`."""
    grammar, kind = grammar_of(profile, kind)
    return re.compile(GRAMMARS[grammar]()[kind])
