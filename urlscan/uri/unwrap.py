"""Extraction of a URL from input with delimiters around it and line breaks in it (RFC 2396 appendix E)."""

import re
from collections.abc import Sequence

from urlscan.core.record import NamedTuple

# RFC 3986 appendix C: "Using <> angle brackets around each URI is especially recommended [...] The
# prefix "URL:" (with or without a trailing space) was formerly recommended as a way to help
# distinguish a URI from other bracketed designators."
_ENCLOSED = re.compile(
    r"<(?P<prefix>url:\s*+)?(?P<angle>[^<>]*)>|\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'", re.IGNORECASE | re.DOTALL
)
_NAMES = {"angle": ("<", ">"), "double": ('"', '"'), "single": ("'", "'")}
# RFC 1738 appendix: "URL:" before a URL without brackets; it is not a scheme if a scheme follows.
_PREFIX = re.compile(r"(?:url:\s*+)+(?=[a-z][a-z0-9+.-]*+:)", re.IGNORECASE)
# RFC 1630 has no scheme "url":  prefixedurl = "url:" url
_PREFIX_1630 = re.compile("url:", re.IGNORECASE)
# "... line-breaks, etc. may have to be added to break a long URI across lines.  The whitespace should
# be ignored when the URI is extracted."  U102 reports spaces within a line.
_LINE_BREAK = re.compile(r"[ \t]*+[\r\n]\s*")
_WHITE = " \t\r\n"


class Unwrapped(NamedTuple):
    """A URL extracted from input.

    Attributes:
        url: without delimiters and line breaks.
        offsets: the offset in the input of each character of the URL.
        delimiters: the delimiters removed around the URL, such as "<URL:>", or "".
        ignored: the number of white space characters removed.
    """

    url: str
    offsets: Sequence[int]
    delimiters: str
    ignored: int

    def span_in_input(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the input of a span of the URL."""
        if not self.offsets:
            return start, end
        first = self.offsets[start] if start < len(self.offsets) else self.offsets[-1] + 1
        return first, self.offsets[end - 1] + 1 if end > start else first


class _Layer(NamedTuple):
    """One pair of delimiters, with the start and end of the text inside."""

    start: int
    end: int
    opener: str
    closer: str


def unwrap(text: str, profile: str = "rfc3986") -> Unwrapped:
    r"""Return the URL in `text` without delimiters. The result is idempotent: `unwrap(unwrap(text).url).url`.

    Args:
        profile: the specification; in rfc1630 "url:" is a prefix before any text.

    >>> unwrap("<URL:http://h.example/\na>").url
    'http://h.example/a'
    """
    if text[:1].isalnum() and text[:4].lower() != "url:" and text[-1] not in _WHITE:
        return Unwrapped(text, range(len(text)), "", 0)
    url, opener, closer = text, "", ""
    offsets: Sequence[int] = range(len(text))
    while (layer := _outermost(url, profile)) is not None:
        offsets = [offsets[number] for number in _without_breaks(url, layer)]
        url = "".join([text[number] for number in offsets])
        opener, closer = opener + layer.opener, layer.closer + closer
    delimiters = opener + closer
    return Unwrapped(url, offsets, delimiters, len(text) - len(url) - len(delimiters))


def _outermost(text: str, profile: str) -> _Layer | None:
    """Return the outermost delimiters of `text`, or its surrounding white space, or None without either."""
    start, end = _stripped(text, 0, len(text))
    if match := _ENCLOSED.fullmatch(text, start, end):
        name = match.lastgroup or ""
        opener, closer = _NAMES[name]
        prefix = "URL:" if match["prefix"] else ""
        return _Layer(*_stripped(text, *match.span(name)), opener + prefix, closer)
    prefixed = _PREFIX.match(text, start, end)
    if prefixed is None and profile == "rfc1630":
        prefixed = _PREFIX_1630.match(text, start, end)
    if prefixed is not None:
        return _Layer(prefixed.end(), end, "URL:" * prefixed[0].lower().count("url:"), "")
    if end - start == len(text):
        return None
    return _Layer(start, end, "", "")


def _without_breaks(text: str, layer: _Layer) -> Sequence[int]:
    """Return the offsets of the characters in a layer, if it has a closer without those of line breaks."""
    offsets = list(range(layer.start, layer.end))
    if not layer.closer:
        return offsets
    for break_ in reversed(list(_LINE_BREAK.finditer(text, layer.start, layer.end))):
        del offsets[break_.start() - layer.start : break_.end() - layer.start]
    return offsets


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _WHITE:
        start += 1
    while end > start and text[end - 1] in _WHITE:
        end -= 1
    return start, end
