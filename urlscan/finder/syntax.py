"""Shorten bare URLs in code, comments and strings to the characters that a URL may contain."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.finder.bare import trimmed
from urlscan.finder.quotations import is_attribute
from urlscan.uri.grammar.templates import placeholder_spans

# RFC 3986 section 2: characters that are not allowed outside an address; and the separators of shell commands.
_FOREIGN = lazy(r"[|^{}<>\"`\\\[\]]|&&|&\Z")
_LITERAL = lazy(r"[A-Za-z][\w+.-]*://(?:[^/?#\[\]]*@)?\[[^/\]]*\]")
# Backslashes typed for the slashes before a host: the whole text is reported.
_BACKSLASHES = lazy(r"[A-Za-z][\w+.-]*:\\\\(?=\w)[^|^{}<>\"`\\\[\]&*]*\Z")
_ODD = lazy(r"[|^{}<>\"`\\\[\]&*]")


def with_syntax_ends(matches: Iterator[Match], document: Document) -> Iterator[Match]:
    """Yield the matches; shorten bare URLs in code, comments and strings before a character that is not allowed."""
    for match in matches:
        if _ODD.search(match.url) is None or match.style not in ("bare", "quotes") or match.breaks:
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
        yield from _without_foreign(document.prose, match)


def _without_foreign(text: str, match: Match) -> Iterator[Match]:
    """Yield the match up to the first character of the surrounding syntax, if a URL is left."""
    url = match.url
    length = _foreign(url)
    body = url.find(":") + (3 if "://" in url else 1)
    if length < 0:
        yield match
    elif length > body:
        end = trimmed(text, match.start, match.start + body, match.start + length)
        url = url[: end - match.start]
        template = match.template and bool(placeholder_spans(url))
        yield match._replace(
            url=url, raw=match.raw[: len(url)], end=end, outer_start=match.start, outer_end=end, style="bare",
            template=template, alternatives=(), faults=(),
        )  # fmt: skip


def _foreign(url: str) -> int:
    """Return the offset of the first character outside placeholders that is not allowed in a URL; -1 for none.

    Brackets are common in queries, and enclose an IP address.
    """
    holes = placeholder_spans(url)
    literal, query = _LITERAL.match(url), url.find("?")
    for match in _FOREIGN.finditer(url, literal.end() if literal is not None else 0):
        offset = match.start()
        is_in_query = match[0] in "[]" and 0 <= query < offset
        if not is_in_query and not any(first <= offset < last for first, last in holes):
            return offset
    return -1
