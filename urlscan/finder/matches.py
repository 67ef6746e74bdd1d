"""Define the record of a URL that the finder yields."""

from urlscan.core.choices import Style
from urlscan.core.named_tuple import NamedTuple
from urlscan.core.records import Occurrence
from urlscan.finder.fast_path import FastMatch


class UrlMatch(NamedTuple):
    """A URL in a text.

    The complete record of a common URL is created by `to_occurrence`: most callers need its `url` only.

    Attributes:
        url: as in an occurrence.
        record: the complete record; None for a common URL, which has no breaks, faults, alternatives or placeholders.
        anchor: an offset in the text, for the finder.
        found: the URL, relative to `anchor` if `record` is None, for the finder.
    """

    url: str
    record: Occurrence | None
    anchor: int
    found: FastMatch | Occurrence


def match_of(occurrence: Occurrence) -> UrlMatch:
    """Return the match for an occurrence."""
    return UrlMatch(occurrence.url, occurrence, occurrence.start, occurrence)


def to_occurrence(match: UrlMatch) -> Occurrence:
    """Return the complete record of a match."""
    found = match.found
    return found.occurrence(match.anchor) if isinstance(found, FastMatch) else found


def outline_of(match: UrlMatch) -> tuple[tuple[int, int], tuple[int, int], Style]:
    """Return the span of a match, its span with the delimiters, and its style."""
    found = match.found
    if not isinstance(found, FastMatch):
        return (found.start, found.end), (found.outer_start, found.outer_end), found.style
    at, (_, start, end, outer_start, outer_end, _, style, _) = match.anchor, found
    return (at + start, at + end), (at + outer_start, at + outer_end), style


def start_of(match: UrlMatch) -> int:
    """Return the start of a match, including its delimiters."""
    found = match.found
    return match.anchor + found.outer_start if isinstance(found, FastMatch) else found.outer_start


def end_of(match: UrlMatch) -> int:
    """Return the end of a match, including its delimiters."""
    found = match.found
    return match.anchor + found.outer_end if isinstance(found, FastMatch) else found.outer_end
