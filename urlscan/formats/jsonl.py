"""One JSON record a line."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import Look, Result, shown
from urlscan.formats.records import dumps, finding_record


def render(results: Iterable[Result], look: Look) -> Iterator[str]:
    """Yield the record of each finding."""
    for result in results:
        for finding, masked in shown(result, look):
            yield dumps(finding_record(finding, masked)) + "\n"
