"""What a scheme is, and what their files share."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from urlscan.url import Url

# The record of a scheme: a NamedTuple of its own.
Detail = tuple[Any, ...]


class Fault(NamedTuple):
    """What the grammar of a scheme rejects.

    Attributes:
        part: the scheme's own name of what is wrong, or that of the component.
        start, end: characters of the URL.
        message: the reason, a sentence without a full stop.
        section: where it is written.
        suggestion: what to write instead, or "".
    """

    part: str
    start: int
    end: int
    message: str
    section: str
    suggestion: str = ""


class Scheme(NamedTuple):
    """A scheme and all that is known of it.

    Attributes:
        name: as it stands before the colon, in lower case.
        title: what its URLs designate.
        documents: by grammar, the section that describes the scheme; "rfc3986" is today's.
        patterns: by grammar, a function that returns the expression of the whole URL.  Under RFC 1738
            and RFC 1630 it is all that decides; today's comes on top of the generic syntax, and
            leaves the characters to that.
        parse: returns the scheme's own parts of a URL that `split` has taken apart, or None.
        faults: yields what the grammar rejects; hosts, ports, whether there may be a userinfo, and
            single characters aside, which are judged for all schemes alike.
        examples: URLs that every grammar of `patterns` accepts.
        normal: returns the URL with the components that its document calls normal, beyond what holds for
            all schemes (RFC 3986 section 6.2.3); None if it calls none normal.
    """

    name: str
    title: str
    documents: Mapping[str, str]
    patterns: Mapping[str, Callable[[], str]]
    parse: Callable[[Url], Detail | None]
    faults: Callable[[Url, str], Iterator[Fault]]
    examples: tuple[str, ...]
    normal: Callable[[Url], Url] | None = None

    def document(self, grammar: str) -> str:
        """Return the section that describes the scheme for a grammar."""
        return self.documents.get(grammar, self.documents["rfc3986"])


# RFC 9110 section 4.2.1: "A sender MUST NOT generate an "http" URI with an empty host identifier."  So
# for all schemes whose URLs name a host:  "//" [ userinfo "@" ] host [ ":" port ]
NET_LOCATION = r"//(?:[^/?#@]*+@)?[^/?#:@][^/?#@]*+"

# What the rules for single characters leave to the grammars: the delimiters.
_DELIMITERS = frozenset("!$&'()*+,-./:;=?@_")


def decoded(text: str) -> str:
    """Return `text` with its escapes undone, once.

    Octets that are no UTF-8 become the surrogates of Python's surrogateescape, so that nothing is
    lost; a "%" that begins no escape stays.

    >>> decoded("%2Fetc")
    '/etc'
    """
    if "%" not in text:
        return text
    octets = text.encode("utf-8", "surrogatepass")
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), octets).decode("utf-8", "surrogateescape")


def after_scheme(url: Url) -> tuple[str, int]:
    """Return what follows the scheme's colon, up to the fragment, and where it begins."""
    start = 0 if url.scheme is None else len(url.scheme) + 1
    return url.text[start : _end(url)], start


def after_authority(url: Url) -> tuple[str, int]:
    """Return path and query as one string, and where it begins.

    RFC 1738 has "?" among the characters of most paths (fsegment, psegment, xchar).
    """
    span = url.span("path")
    start = span[0] if span is not None else 0
    return url.text[start : _end(url)], start


def _end(url: Url) -> int:
    return len(url.text) if url.fragment is None else len(url.text) - len(url.fragment) - 1


def stray(part: str, text: str, start: int, allowed: str, section: str) -> Iterator[Fault]:
    """Yield a fault for each delimiter in `text` that is not among the characters `allowed`."""
    for at, character in enumerate(text, start):
        if character in _DELIMITERS and character not in allowed:
            escape = f"%{ord(character):02X}"
            message = f'"{character}" in the {part} must be written {escape}'
            yield Fault(part, at, at + 1, message, section, escape)


def no_faults(_url: Url, _grammar: str) -> Iterator[Fault]:
    """Yield nothing: the generic syntax says all that there is to say."""
    yield from ()
