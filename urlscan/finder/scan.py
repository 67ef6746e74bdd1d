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
from urlscan.finder.read import read

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
    found = _scan(text, rejoin, look_alikes, start, stop, floor, evidence, ends, schemes)
    if look_alikes:
        from urlscan.finder.look_alikes import look_alikes as find_look_alikes

        found = _with_others(found, functools.partial(find_look_alikes, text), start, stop, floor, ends)
    if rejoin != "guess" and not continuations:
        return found
    from urlscan.finder.joining import with_continuations

    return with_continuations(found, text, rejoin, evidence, ends)


def _scan(
    text: str,
    rejoin: str,
    look_alikes: bool,
    start: int,
    stop: int,
    floor: int,
    evidence: Evidence,
    ends: list[int],
    schemes: frozenset[str],
) -> Iterator[UrlMatch]:
    decisions = _fast_matches
    size, done = len(text), floor
    pattern = anchor_pattern(look_alikes)
    # The pattern may read up to REACH characters after the last colon.
    for match in pattern.finditer(text, start, stop + REACH):
        colon, end = match.span()
        if colon >= stop:
            break
        anchor: re.Match[str] | None = match
        while anchor is not None and end > done:
            if colon >= done:
                local = None
                if colon >= LEAD and end < size:
                    local = decisions[text[colon - LEAD : end + 1]]
                # The most frequent conditions are checked here, which saves a call.
                if local is not None and (
                    (
                        colon - LEAD > done
                        and (not local[6] or (local[6] == FRAGMENT and not text.startswith("#", colon + local[2] + 1)))
                    )
                    or is_valid_at(local, text, colon, done)
                ):
                    done = colon + local[2] + local[3]
                    yield colon, local
                else:
                    occurrence = read(text, colon, anchor.lastindex, done, rejoin, evidence, look_alikes, schemes)
                    if occurrence is not None:
                        done = occurrence.outer_end
                        yield colon, occurrence
            if done >= end or end - colon < _SHORTEST:
                break
            # The matched text may contain another anchor: "http://a.org,http://b.org".
            anchor = pattern.search(text, max(done, colon + 1), end)
            colon = anchor.start() if anchor is not None else end
            if colon >= stop:
                break
    ends.append(done)


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
