"""One line a finding: `path:line:column: CODE name severity: message`."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import Look, Result, shown
from urlscan.formats.headline import headline


def render(results: Iterable[Result], look: Look) -> Iterator[str]:
    """Yield a line for each finding."""
    for result in results:
        for finding, _ in shown(result, look):
            yield headline(finding, look) + "\n"
