"""Replace links that were rewritten by their originals."""

from collections.abc import Iterator

from urlscan.core.records import Occurrence
from urlscan.finder.matches import UrlMatch, match_of, to_occurrence
from urlscan.uri.rewriters import unwrapped
from urlscan.uri.schemes import name_of


def with_originals(matches: Iterator[UrlMatch]) -> Iterator[UrlMatch]:
    """Yield the matches; the `url` of a rewritten link is its original, and `original` the URL as written."""
    for match in matches:
        record = match.record
        written = record.assumed if record is not None and record.assumed else match.url
        url = unwrapped(written)
        yield match if url == written else match_of(_unwrapped(to_occurrence(match), url))


def _unwrapped(occurrence: Occurrence, url: str) -> Occurrence:
    readings = (reading._replace(url=unwrapped(reading.url)) for reading in occurrence.alternatives)
    return occurrence._replace(
        url=url,
        scheme=name_of(url),
        assumed="",
        original=occurrence.url,
        alternatives=tuple(reading for reading in readings if reading.url != url),
    )
