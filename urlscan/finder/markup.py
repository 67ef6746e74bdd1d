"""The URLs that markup names as such, beside those that are found in its prose."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, repeat
from urlscan.core.records import Occurrence, TextFault
from urlscan.core.segment import Segment, readable
from urlscan.finder.fast_path import FastMatch, FastMatchCache, UrlMatch
from urlscan.finder.look_alikes import without_colon
from urlscan.uri.grammar.templates import expression_end, placeholder_spans

# RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Delimiters inside of delimiters: href="<URL:http://h.example/>".
_WRAPPER = lazy(r"<\s*(?:url:)?\s*([^<>\s]+)\s*>", re.IGNORECASE)
# What everybody takes for a host, and a browser for a file.
_HOST = lazy(r"www\.[\w-]+\.[\w.-]+(?:[/?#:]|\Z)", re.IGNORECASE)
# A URL of which nothing more is to be known: no placeholder, no delimiter, no punctuation of a sentence.
_USUAL = lazy(
    r"(?:(https?|ftp)://"
    + repeat(r"[A-Za-z0-9./?=&;#+@_~,!-]++|%(?!0[1-9])[0-9A-Fa-f]{2}|:(?=[0-9])|\*(?!\*)")
    + r"|(mailto):[A-Za-z0-9._+-]++@[A-Za-z0-9.-]++)(?<![.,;])"
)
# "joe at h.example" is a mask, written so against those who collect addresses.
_MASK = lazy(r"mailto:\S{1,100}\s+at\s+\S", re.IGNORECASE)
# A reference longer than this is data.
_LONGEST = 65536
# Of longer links no decision is kept.
_SHORT = 1024


def with_links(
    found: Iterator[UrlMatch], segment: Segment, start: int = 0, stop: int | None = None, *, relative: bool
) -> Iterator[UrlMatch]:
    """Yield the URLs of a part of a segment in order of position: those of its prose, and its links.

    Args:
        found: what `finder.scan` yields of the part of the prose.
        segment: what is scanned.
        start: where in segment.text the first link may begin.
        stop: where none begins any more; None: at its end.
        relative: whether references without a scheme count.
    """
    if not segment.links:
        return found
    end = len(segment.text) if stop is None else stop
    return _merged(found, _links(segment, start, end, relative))


def _merged(found: Iterator[UrlMatch], links: Iterator[UrlMatch]) -> Iterator[UrlMatch]:
    """Yield what is in either, in order; most pages have many links, and hardly a URL beside them."""
    link = next(links, None)
    for one in found:
        start = _start(one)
        while link is not None and _start(link) < start:
            yield link
            link = next(links, None)
        yield one
    if link is not None:
        yield link
        yield from links


def _links(segment: Segment, start: int, stop: int, relative: bool) -> Iterator[UrlMatch]:
    text, decisions = segment.text, _fast_matches
    for first, last in segment.links:
        if not start <= first < stop:
            continue
        if last - first <= _SHORT:
            local = decisions[text[first:last]]
            if local is not None:
                yield first, local
                continue
        if last - first <= _LONGEST:
            occurrence = _occurrence(text, first, last)
            if (occurrence.scheme or relative) and not _MASK.match(occurrence.url):
                yield first, occurrence


def _match_fast(url: str) -> FastMatch | None:
    """Decide a link by its characters alone; None if more must be looked at."""
    usual = _USUAL.fullmatch(url)
    return FastMatch(url, 0, len(url), 0, usual[1] or usual[2], "markup", 0) if usual is not None else None


_fast_matches = FastMatchCache(_match_fast)


def _occurrence(text: str, first: int, last: int) -> Occurrence:
    """Return the link that text[first:last] is."""
    start, end = first, last
    faults: tuple[TextFault, ...] = ()
    wrapper = _WRAPPER.fullmatch(text, start, end)
    if wrapper is not None and expression_end(text, start, end) == start:  # "<%=submitUrl%>"
        faults = (TextFault("needless-wrapper", start, end),)
        start, end = wrapper.span(1)
    raw = readable(text[start:end])
    scheme = _SCHEME.match(raw)
    # Angle brackets of reStructuredText and Markdown, in which a sentence left its punctuation.
    if raw[-1:] in (".", ",", ";") and not raw.endswith("..") and text[start - 1 : start] + text[end : end + 1] == "<>":
        faults = (*faults, TextFault("punctuation-in-wrapper", end - 1, end))
    if _HOST.match(raw):
        faults = (*faults, TextFault("missing-scheme", start, end))
    if (sign := without_colon(raw)) is not None:
        faults = (*faults, TextFault("look-alike", start + sign[0], start + sign[1]))
    return Occurrence(
        raw,
        raw,
        start,
        end,
        first,
        last,
        scheme[1].lower() if scheme else "",
        "markup",
        template=bool(placeholder_spans(raw, delimited=True)),
        faults=faults,
        context="link",
    )


def _start(one: UrlMatch) -> int:
    colon, found = one
    return colon + found.start if isinstance(found, FastMatch) else found.start
