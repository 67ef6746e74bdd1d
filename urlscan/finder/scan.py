"""Find the URLs of a plain text."""

import functools
import re
from collections.abc import Callable, Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Occurrence
from urlscan.finder.anchors import REACH
from urlscan.finder.anchors import anchor as anchor_pattern
from urlscan.finder.evidence import Evidence
from urlscan.finder.fast_path import (
    FRAGMENT,
    LEAD,
    FastMatchCache,
    UrlMatch,
    end_of,
    is_valid_at,
    match_fast,
    start_of,
    to_occurrence,
)
from urlscan.finder.read import TextSearch, read

_fast_matches = FastMatchCache(match_fast)
# The length of "://y": a shorter text contains no second anchor.
_SHORTEST = 4
_BLANK_LINE = lazy(r"\n\r?\n(?=\S)")


def find(
    text: str,
    *,
    rejoin: str = "wrapped",
    look_alikes: bool = False,
    schemeless: bool = False,
    emails: bool = False,
) -> Iterator[Occurrence]:
    """Yield the URLs of `text` in order of position, without overlaps.

    Args:
        text: any string, including lone surrogates and NUL.
        rejoin: `never` reports a broken URL up to its first break, `wrapped` joins URLs inside delimiters (RFC 1738
            appendix), `guess` also joins bare URLs that seem to continue on the next line.
        look_alikes: whether to include look-alikes of http, https and ftp URLs, for the linter:
            "http:/x.org", "http:www.x.org", "http:///x.org", "http://http://x.org".
        schemeless: whether to include hosts without a scheme: "www.x.org/a".
        emails: whether to include addresses: "jo@x.org".
    """
    found = scan(text, rejoin=rejoin, look_alikes=look_alikes)
    if schemeless or emails:
        found = with_hosts(found, text, schemeless=schemeless, emails=emails)
    for match in found:
        yield to_occurrence(match)


def scan(
    text: str,
    *,
    rejoin: str = "wrapped",
    look_alikes: bool = False,
    start: int = 0,
    stop: int | None = None,
    floor: int = 0,
    evidence: Evidence | None = None,
    ends: list[int] | None = None,
    continuations: bool = False,
    schemes: frozenset[str] = frozenset(),
) -> Iterator[UrlMatch]:
    """Return an iterator over the matches in a slice of a text, without creating their records.

    Args:
        text: as for `find`.
        rejoin: as for `find`.
        look_alikes: as for `find`.
        start: the offset of the first colon to check.
        stop: the offset after the last colon to check; `split_points` returns valid offsets.
        floor: the end of the last URL before `start`.
        evidence: the evidence of the same text, if it exists already.
        ends: receives the end of the last URL after everything has been yielded.
        continuations: whether to check if a bare URL continues on the next line; "guess" always does.
        schemes: private schemes in lower case, which count as known.
    """
    evidence = evidence or Evidence(text)
    ends = ends if ends is not None else []
    stop = len(text) if stop is None else stop
    found = _scan(TextSearch(text, rejoin, look_alikes, schemes, evidence), start, stop, floor, ends)
    if look_alikes:
        from urlscan.finder.look_alikes import look_alikes as find_look_alikes

        found = _with_others(found, functools.partial(find_look_alikes, text), start, stop, floor, ends)
    if rejoin != "guess" and not continuations:
        return found
    from urlscan.finder.joining import with_continuations

    return with_continuations(found, text, rejoin, evidence, ends)


def _scan(search: TextSearch, start: int, stop: int, floor: int, ends: list[int]) -> Iterator[UrlMatch]:
    """Yield the matches whose colons are in text[start:stop]."""
    fast_matches, text = _fast_matches, search.text
    size, done = len(text), floor
    # The pattern may read up to REACH characters after the last colon.
    for match in anchor_pattern(search.look_alikes).finditer(text, start, stop + REACH):
        colon, end = match.span()
        if colon >= stop:
            break
        if end <= done:
            continue
        anchor: re.Match[str] | None = match
        if colon >= max(LEAD, done) and end < size:
            fast = fast_matches[text[colon - LEAD : end + 1]]
            # The most frequent conditions are checked here, which saves a call.
            if fast is not None and (
                (
                    colon - LEAD > done
                    and (not fast[6] or (fast[6] == FRAGMENT and not text.startswith("#", colon + fast[2] + 1)))
                )
                or is_valid_at(fast, text, colon, done)
            ):
                done = colon + fast[2] + fast[3]
                yield colon, fast
                # The matched text may contain another anchor: "http://a.org,http://b.org".
                anchor = match.re.search(text, done, end) if done < end else None
        if anchor is not None:
            for found in _matches_in(search, anchor, end, stop, done):
                yield found
                done = end_of(found)
    ends.append(done)


def _matches_in(search: TextSearch, anchor: re.Match[str], end: int, stop: int, floor: int) -> Iterator[UrlMatch]:
    """Yield the matches at an anchor and at those after it in the text that one anchor consumed.

    Args:
        search: the text and the options.
        anchor: the first anchor.
        end: the end of the consumed text.
        stop: the offset after the last colon to check.
        floor: the end of the last URL.
    """
    text, done = search.text, floor
    following: re.Match[str] | None = anchor
    while following is not None and (colon := following.start()) < stop and done < end:
        if colon >= done:
            fast = _fast_matches[text[colon - LEAD : end + 1]] if colon >= LEAD and end < len(text) else None
            if fast is not None and is_valid_at(fast, text, colon, done):
                done = colon + fast.end + fast.outer
                yield colon, fast
            elif (occurrence := read(search, colon, following.lastindex, done)) is not None:
                done = occurrence.outer_end
                yield colon, occurrence
        if end - colon < _SHORTEST:
            break
        following = anchor.re.search(text, max(done, colon + 1), end)


def with_hosts(
    found: Iterator[UrlMatch],
    text: str,
    *,
    schemeless: bool,
    emails: bool,
    start: int = 0,
    stop: int | None = None,
    floor: int = 0,
    ends: list[int] | None = None,
) -> Iterator[UrlMatch]:
    """Return an iterator over the matches and, between them, hosts without a scheme and addresses.

    Args:
        found: the matches in the text.
        text: as for `scan`.
        start: as for `scan`.
        stop: as for `scan`.
        floor: as for `scan`.
        ends: as for `scan`.
        schemeless: whether to include hosts.
        emails: whether to include addresses.
    """
    from urlscan.finder.schemeless import hosts

    others = functools.partial(hosts, text, schemeless=schemeless, emails=emails)
    return _with_others(found, others, start, len(text) if stop is None else stop, floor, ends)


def _with_others(
    found: Iterator[UrlMatch],
    others: Callable[[int, int, int], Iterator[Occurrence]],
    start: int,
    stop: int,
    floor: int,
    ends: list[int] | None,
) -> Iterator[UrlMatch]:
    """Yield the matches and, between them, the results of `others`, which takes start, stop and floor."""
    done = floor
    for match in found:
        begin = start_of(match)
        for one in others(start, min(begin, stop), done):
            yield one.start, one
            done = one.outer_end
        if begin >= done:
            yield match
            done = end_of(match)
        start = max(start, done)
    for one in others(start, stop, done):
        yield one.start, one
        done = one.outer_end
    if ends is not None:
        ends.append(done)


def split_points(text: str, parts: int) -> list[int]:
    """Return the offsets, at blank lines, that divide the text into about `parts` chunks of equal length.

    Only a page break continues a URL over a blank line.  So `scan` finds the same URLs in a chunk whether or not it has
    searched the chunks before, unless `floor` is inside the chunk.
    """
    found: list[int] = []
    for number in range(1, parts):
        match = _BLANK_LINE.search(text, max(len(text) * number // parts, found[-1] if found else 0))
        if match is None:  # no blank line follows
            break
        if match.end() < len(text) and match.end() not in found[-1:]:
            found.append(match.end())
    return found
