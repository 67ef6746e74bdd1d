"""Shorten bare URLs in code, comments and strings to the characters that a URL may contain."""

from collections.abc import Iterator

from urlscan.core.choices import Style
from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.finder.bare import trimmed
from urlscan.finder.quotations import is_attribute
from urlscan.uri.grammar.templates import placeholder_spans

# RFC 3986 section 2: characters that are not allowed outside an address; and the separators of shell commands.
_FOREIGN = lazy(r"[|^{}<>\"`\\]|&&|&\Z")
_BRACKET = lazy(r"[\[\]]")
# Backslashes typed for the slashes before a host: the whole text is reported.
_BACKSLASHES = lazy(r"[A-Za-z][\w+.-]*:\\\\(?=\w)[^|^{}<>\"`\\\[\]&*]*\Z")
_ODD = lazy(r"[|^{}<>\"`\\\[\]&*]")


def with_syntax_ends(matches: Iterator[Match], document: Document) -> Iterator[Match]:
    """Yield the matches; shorten bare URLs in code, comments and strings before a character that is not allowed."""
    for match in matches:
        if _ODD.search(match.url) is None or match.style not in ("bare", "quotes", "prefix") or match.breaks:
            yield match
            continue
        context = document.context(match.start, match.end)
        in_attribute = match.style == "quotes" and is_attribute(document.prose, match.outer_start)
        if context in ("prose", "link") or in_attribute:
            yield match
            continue
        if context in ("comment", "string") and _BACKSLASHES.match(match.url) is not None:
            yield match
            continue
        cut = _without_foreign(document.prose, match)
        if cut is not None:
            yield cut


def _without_foreign(text: str, match: Match) -> Match | None:
    """Return the occurrence up to the first character of the surrounding syntax; None if no URL is left."""
    url = match.url
    offset = _foreign(url)
    if offset < 0:
        return match
    body = url.find(":") + 1
    body += 2 if url.startswith("//", body) else 0
    if offset <= body:
        return None
    end = trimmed(text, match.start, match.start + body, match.start + offset)
    url = url[: end - match.start]
    if len(url) <= body or not any(character.isalnum() for character in url[body:].partition("/")[0]):
        return None
    template = bool(placeholder_spans(url)) if match.template else False
    start = match.outer_start if match.style == "prefix" else match.start
    style: Style = "prefix" if match.style == "prefix" else "bare"
    return match._replace(
        url=url, raw=match.raw[: end - match.start], end=end, outer_start=start, outer_end=end, style=style,
        template=template, alternatives=(), faults=(),
    )  # fmt: skip


def _foreign(url: str) -> int:
    """Return the offset of the first character outside placeholders that is not allowed in a URL; -1 for none."""
    holes = placeholder_spans(url)
    for match in _FOREIGN.finditer(url):
        if not any(first <= match.start() < last for first, last in holes):
            offset = match.start()
            break
    else:
        offset = -1
    # Brackets are common in queries, and enclose an IP address.
    query = url.find("?")
    host = url.find("//") + 2
    path = url.find("/", host)
    host = max(host, url.rfind("@", host, path if path >= 0 else len(url)) + 1)
    for match in _BRACKET.finditer(url, 0, query if query >= 0 else len(url)):
        position = match.start()
        if (
            (0 <= offset < position)
            or position == host
            or (url.startswith("[", host) and position == url.find("]", host))
        ):
            continue
        if not any(first <= position < last for first, last in holes):
            return position
    return offset
