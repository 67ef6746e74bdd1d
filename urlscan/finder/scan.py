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
# "x://y" after its first colon; what is shorter holds no second anchor.
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
    """Yield the URLs of `text` in order of appearance, not overlapping.

    Args:
        text: any string, lone surrogates and NUL included.
        rejoin: `never` reports the first piece of a broken URL, `wrapped` rejoins where a delimiter
            vouches for it (RFC 1738 appendix), `guess` also where a bare URL seems to go on in the next line.
        look_alikes: whether what only looks like a URL of http, https or ftp is one, for a linter:
            "http:/x.org", "http:www.x.org", "http:///x.org", "http://http://x.org".
        schemeless: whether hosts without a scheme are found: "www.x.org/a".
        emails: whether addresses are: "jo@x.org".
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
    """Return what `find` yields, before the records of the common case are made.

    Args:
        text: as of `find`.
        rejoin: as of `find`.
        look_alikes: as of `find`.
        start: no colon before it is looked at.
        stop: and none from here on; `cuts` says where a text may be divided.
        floor: where the last URL before `start` ends.
        evidence: that of the same text, if it is there already.
        ends: takes, when everything has been yielded, where the last URL ends.
        continuations: whether to look if a bare URL goes on in the next line, which "guess" does in any case.
        schemes: private ones, in lower case, which are known, too.
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
    # What is behind the last colon is looked at as far as the pattern takes it along, and no further.
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
                # What nearly always holds is asked here, without a call.
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
            # What the pattern took along may hold another: "http://a.org,http://b.org".
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
    """Return what `scan` yields and, between, hosts without a scheme and addresses.

    Args:
        found: what `scan` yields of the text.
        text: as of `scan`.
        start: as of `scan`.
        stop: as of `scan`.
        floor: as of `scan`.
        ends: as of `scan`.
        schemeless: whether hosts count.
        emails: whether addresses count.
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
    """Yield what `scan` yields and, between, what `others` finds from an offset to another, after where a URL ends."""
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
    """Return where the text can be divided into `parts` about equal ones: at blank lines.

    No URL goes over a blank line but over a page break, so that what `scan` finds in a part it finds
    whether or not it has gone over the parts before, as long as `floor` does not lie in it.
    """
    found: list[int] = []
    for number in range(1, parts):
        match = _BLANK_LINE.search(text, max(len(text) * number // parts, found[-1] if found else 0))
        if match is None:  # nor is there one further on
            break
        if match.end() < len(text) and match.end() not in found[-1:]:
            found.append(match.end())
    return found
