"""The record of a scheme: its grammars, and what is wrong with a URL that they reject."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from urlscan.core.lazy import repeat
from urlscan.core.record import NamedTuple
from urlscan.uri.grammar.characters import decoded, escaped
from urlscan.uri.url import Detail, Url


class Fault(NamedTuple):
    """A violation of a grammar.

    Attributes:
        start, end: characters of the URL; the character before the place of a missing part.
        message: the reason, in lowercase and without a period.
        section: the section that defines the part, or "".
        suggestion: what to write instead, or "".
    """

    start: int
    end: int
    message: str
    section: str = ""
    suggestion: str = ""


class Mistake(NamedTuple):
    """A mistake that the grammar of a scheme rejects, except those in hosts, ports and single characters.

    Attributes:
        part: a named part of the text after the colon, "" for all of it; or userinfo, port or fragment (with its "#").
        pattern: matches the part with the mistake. Its first group is reported, or the match; all matches are reported.
        message: the reason. "{0}" is replaced by the text of the mistake, "{1}" by its escapes, names by named groups.
        suggestion: what to write instead, with the same replacements.
        section: the section that defines the part; "" for that of the scheme.
    """

    part: str
    pattern: str
    message: str
    suggestion: str = ""
    section: str = ""


class Items(NamedTuple):
    """The items of a part, between separators, whose mistakes are searched in each."""

    part: str
    separator: str
    parts: str
    mistakes: "Mistakes"


Mistakes = tuple[Mistake | Items, ...]


class Grammar(NamedTuple):
    """The syntax of a scheme by one document.

    Attributes:
        document: the section that describes the scheme.
        pattern: the expression of the text after the scheme and its colon. Under RFC 1738 and RFC 1630 it is complete.
            The current one applies in addition to the generic syntax, which decides about characters.
        parts: an expression that divides the text after the colon, up to the fragment, into named parts.
        mistakes: the mistakes in a URL that the pattern rejects. Of those in one part, the first is reported.
    """

    document: str
    pattern: str
    parts: str = ""
    mistakes: Mistakes = ()


class Scheme(NamedTuple):
    """A scheme: its documents, its grammars and the functions for its URLs.

    Attributes:
        title: what its URLs designate.
        grammars: by name of the grammar; "rfc3986" means the current one.
        make_detail: returns the parts of a URL that are specific to the scheme, or None.
        normal: returns the URL with its scheme-specific components in normal form, in addition to the normalization
            of all schemes (RFC 3986 section 6.2.3); None if the scheme defines no normal form.
    """

    title: str
    grammars: Mapping[str, Grammar]
    make_detail: Callable[[Url], Detail | None]
    normal: Callable[[Url], Url] | None = None

    def document(self, grammar: str) -> str:
        """Return the section that describes the scheme by a grammar."""
        return self.grammars.get(grammar, self.grammars["rfc3986"]).document

    def faults(self, url: Url, grammar: str) -> Iterator[Fault]:
        """Yield the violations of a grammar whose pattern rejects the URL."""
        rules = self.grammars[grammar]
        text, start = after_scheme(url)
        for component in ("userinfo", "port", "fragment"):
            mistakes = tuple(mistake._replace(part="") for mistake in rules.mistakes if mistake.part == component)
            span = url.span(component)
            if mistakes and span is not None and url.authority is not None:
                first = span[0]
                if component == "fragment":
                    first -= 1  # its "#"
                yield from find_faults("", mistakes, url.text[first : span[1]], first, rules.document)
        yield from find_faults(rules.parts, rules.mistakes, text, start, rules.document)


def find_faults(parts: str, mistakes: Mistakes, text: str, start: int, section: str) -> Iterator[Fault]:
    """Yield the mistakes in `text`, which begins at `start` in its URL; the other arguments are those of `Grammar`."""
    division = re.fullmatch(parts, text, re.DOTALL)
    reported = set()
    for mistake in mistakes:
        part, position = text, 0
        if mistake.part:
            if division is None or division.groupdict().get(mistake.part) is None:
                continue
            part, position = division[mistake.part], division.start(mistake.part)
        if isinstance(mistake, Items):
            for item in part.split(mistake.separator):
                yield from find_faults(mistake.parts, mistake.mistakes, item, start + position, section)
                position += len(item) + len(mistake.separator)
            continue
        if mistake.part in reported:
            continue
        for match in re.finditer(mistake.pattern, part, re.DOTALL):
            reported.add(mistake.part)
            group = min(match.re.groups, 1)
            values = match[group], escaped(match[group])
            first = start + position + match.start(group)
            if not match[group]:
                first -= 1
            yield Fault(
                first,
                start + position + match.end(group),
                mistake.message.format(*values),
                mistake.section or section,
                mistake.suggestion.format(*values, **match.groupdict()),
            )


# RFC 9110 section 4.2.1: "A sender MUST NOT generate an "http" URI with an empty host identifier."  This applies to
# all schemes whose URLs name a host:  "//" [ userinfo "@" ] host [ ":" port ]
NET_LOCATION = r"//(?:[^/?#@]*+@)?[^/?#:@][^/?#@]*+"
# The same, valid or not. By RFC 1738 a user name or password may contain "?".
AUTHORITY = "//[^/?]*+"
LOGIN_AUTHORITY = "//(?>[^/]*@|)[^/?]*+"
# An optional fragment, and any path, query and fragment, whose characters the generic syntax decides about.
FRAGMENT = "(?:#(?s:.*))?"
REST = "(?:[/?#](?s:.*))?"
# paramchar, 1*( ... ), of RFC 3261 section 25.1 and RFC 3966 section 3; RFC 5870 section 3.3 leaves out "/".
PARAMCHARS = repeat(r"[A-Za-z0-9_.!~*'()\[\]/:&+$-]++|%[0-9A-Fa-f]{2}", 1)

# Delimiters, which the rules for single characters leave to the grammars.
_DELIMITERS = "!$&'()*+,-./:;=?@_"
# RFC 1738 section 5 requires a path before a query.
MISSING_SLASH = Mistake(
    "", rf"\A{AUTHORITY}(\?)", '"/" is missing between the host and "?"', "/?", "RFC 1738 section 5"
)


def stray(part: str, name: str, allowed: str) -> Mistake:
    """Return the mistake of a delimiter that is not in `allowed`; `name` is that of the part in messages."""
    characters = re.escape("".join(character for character in _DELIMITERS if character not in allowed))
    return Mistake(part, f"[{characters}]", f'"{{0}}" in the {name} must be escaped as {{1}}', "{1}")


def invalid_parameters(pattern: str) -> Items:
    """Return the parameters, separated by ";", of which each must match."""
    return Items("parameters", ";", "", (Mistake("", rf"\A(?!{pattern}\Z).*", "invalid parameter"),))


def pairs(items: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the decoded name and value of each "name=value"; empty items are left out."""
    parts = (item.partition("=") for item in items if item)
    return tuple((decoded(name), decoded(value)) for name, _, value in parts)


def after_scheme(url: Url) -> tuple[str, int]:
    """Return the text after the scheme's colon, up to the fragment, and its position."""
    start = 0 if url.scheme is None else len(url.scheme) + 1
    return url.text.removesuffix(f"#{url.fragment}")[start:], start


def after_authority(url: Url) -> str:
    """Return path and query as one string: RFC 1738 allows "?" in most paths (fsegment, psegment, xchar)."""
    return url.path if url.query is None else f"{url.path}?{url.query}"
