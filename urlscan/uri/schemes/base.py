"""The record of a scheme, and helpers for the schemes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from urlscan.core.lazy import repeat
from urlscan.core.record import NamedTuple
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.url import Detail, Url


class Fault(NamedTuple):
    """A violation of the grammar of a scheme.

    Attributes:
        part: the scheme's name for the invalid part, or that of the component.
        start, end: characters of the URL.
        message: the reason, in lowercase and without a period.
        section: the section that defines the part.
        suggestion: what to write instead, or "".
    """

    part: str
    start: int
    end: int
    message: str
    section: str
    suggestion: str = ""


class Scheme(NamedTuple):
    """A scheme: its documents, its grammars and the functions that parse and check its URLs.

    Attributes:
        name: the scheme before the colon, in lowercase.
        title: what its URLs designate.
        documents: by grammar, the section that describes the scheme; "rfc3986" means the current one.
        patterns: by grammar, the expression of the text after the scheme and its colon. Under RFC 1738 and RFC 1630
            it is complete. The current one applies in addition to the generic syntax, which decides about characters.
        parse: returns the parts of a URL that are specific to the scheme, or None.
        faults: yields the violations of the grammar, except those in hosts, ports, the presence of a userinfo and
            single characters, which are checked in the same way for all schemes.
        examples: URLs that every grammar of `patterns` accepts.
        normal: returns the URL with its scheme-specific components in normal form, in addition to the normalization
            of all schemes (RFC 3986 section 6.2.3); None if the scheme defines no normal form.
    """

    name: str
    title: str
    documents: Mapping[str, str]
    patterns: Mapping[str, str]
    parse: Callable[[Url], Detail | None]
    faults: Callable[[Url, str], Iterator[Fault]]
    examples: tuple[str, ...]
    normal: Callable[[Url], Url] | None = None

    def document(self, grammar: str) -> str:
        """Return the section that describes the scheme by a grammar."""
        return self.documents.get(grammar, self.documents["rfc3986"])


# RFC 9110 section 4.2.1: "A sender MUST NOT generate an "http" URI with an empty host identifier."  This applies to
# all schemes whose URLs name a host:  "//" [ userinfo "@" ] host [ ":" port ]
NET_LOCATION = r"//(?:[^/?#@]*+@)?[^/?#:@][^/?#@]*+"
# An optional fragment, and any path, query and fragment, whose characters the generic syntax decides about.
FRAGMENT = "(?:#(?s:.*))?"
REST = "(?:[/?#](?s:.*))?"
# paramchar, 1*( ... ), of RFC 3261 section 25.1 and RFC 3966 section 3; RFC 5870 section 3.3 leaves out "/".
PARAMCHARS = repeat(r"[A-Za-z0-9_.!~*'()\[\]/:&+$-]++|%[0-9A-Fa-f]{2}", 1)

# Delimiters, which the rules for single characters leave to the grammars.
_DELIMITERS = frozenset("!$&'()*+,-./:;=?@_")


def pairs(items: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the decoded name and value of each "name=value"; empty items are left out."""
    parts = (item.partition("=") for item in items if item)
    return tuple((decoded(name), decoded(value)) for name, _, value in parts)


def split_at(text: str, separator: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the parts of `text` between separators, with their positions; `start` is that of the text."""
    for part in text.split(separator):
        yield part, start
        start += len(part) + len(separator)


def after_scheme(url: Url) -> tuple[str, int]:
    """Return the text after the scheme's colon, up to the fragment, and its position."""
    start = 0 if url.scheme is None else len(url.scheme) + 1
    return url.text[start : _end(url)], start


def after_authority(url: Url) -> tuple[str, int]:
    """Return path and query as one string, and its position.

    RFC 1738 allows "?" in most paths (fsegment, psegment, xchar).
    """
    span = url.span("path")
    start = span[0] if span is not None else 0
    return url.text[start : _end(url)], start


def _end(url: Url) -> int:
    if url.fragment is None:
        return len(url.text)
    return len(url.text) - len(url.fragment) - 1


def stray(part: str, text: str, start: int, allowed: str, section: str) -> Iterator[Fault]:
    """Yield a fault for each delimiter in `text` that is not in `allowed`."""
    for offset, character in enumerate(text, start):
        if character in _DELIMITERS and character not in allowed:
            escape = f"%{ord(character):02X}"
            message = f'"{character}" in the {part} must be escaped as {escape}'
            yield Fault(part, offset, offset + 1, message, section, escape)


def invalid_parameters(text: str, start: int, pattern: str, section: str) -> Iterator[Fault]:
    """Yield a fault for each of the parameters that does not match; each begins with ";"."""
    if not text:
        return
    for parameter, first in split_at(text[1:], ";", start + 1):
        if not re.fullmatch(pattern, parameter):
            yield Fault("parameter", first - (not parameter), first + len(parameter), "invalid parameter", section)


def missing_slash(url: Url) -> Iterator[Fault]:
    """Yield a fault if "?" follows the host, which the grammar of RFC 1738 section 5 does not allow."""
    span = url.span("query")
    if url.authority is not None and not url.path and span is not None:
        message = '"/" is missing between the host and "?"'
        yield Fault("query", span[0] - 1, span[0], message, "RFC 1738 section 5", "/?")


def no_faults(_url: Url, _grammar: str) -> Iterator[Fault]:
    """Yield nothing: only the generic syntax applies."""
    yield from ()
