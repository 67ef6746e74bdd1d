"""Replace links that were rewritten by their originals."""

from collections.abc import Iterator

from urlscan.core.records import Match
from urlscan.uri.rewriters import unwrapped
from urlscan.uri.schemes import name_of


def with_originals(matches: Iterator[Match]) -> Iterator[Match]:
    """Yield the matches; the `url` of a rewritten link is its original, and `original` the URL as written."""
    for match in matches:
        written = match.assumed or match.url
        url = unwrapped(written)
        yield match if url == written else _unwrapped(match, url)


def _unwrapped(occurrence: Match, url: str) -> Match:
    readings = (reading._replace(url=unwrapped(reading.url)) for reading in occurrence.alternatives)
    return occurrence._replace(
        url=url,
        scheme=name_of(url),
        assumed="",
        original=occurrence.url,
        alternatives=tuple(reading for reading in readings if reading.url != url),
    )
