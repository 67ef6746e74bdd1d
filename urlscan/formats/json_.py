"""One JSON array of all records."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import Look, Result, shown
from urlscan.formats.records import array, dumps, finding_record


def render(results: Iterable[Result], look: Look) -> Iterator[str]:
    """Yield the array, a record a line."""
    records = (dumps(finding_record(*one)) for result in results for one in shown(result, look))
    yield from array(records)
