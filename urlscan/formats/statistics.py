"""Render counts per rule in place of findings: `--statistics`."""

from collections import Counter
from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.records import Severity
from urlscan.formats.base import SEVERITY, RenderOptions, rule_code
from urlscan.formats.records import array, dumps


class _Counts:
    """The findings of a run, counted by rule."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.rules: dict[str, tuple[str, Severity]] = {}
        self.found: Counter[str] = Counter()
        self.safe: Counter[str] = Counter()
        self.fixable: Counter[str] = Counter()
        for document in documents:
            for finding in (*document.findings, *document.hidden):
                self.rules[finding.code] = (finding.name, finding.severity)
                self.found[finding.code] += 1
                if finding.fix is not None:
                    self.fixable[finding.code] += 1
                    self.safe[finding.code] += finding.fix.applicability == "safe"

    def in_order(self) -> list[str]:
        """Return the codes, the most frequent first."""
        return sorted(self.found, key=lambda code: (-self.found[code], code))


def render(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield a line for each rule: count, code, whether --fix fixes all or some of them, name."""
    counts = _Counts(documents)
    width = max((len(str(count)) for count in counts.found.values()), default=0)
    for code in counts.in_order():
        count, safe = counts.found[code], counts.safe[code]
        mark = {0: "[ ]", count: "[*]"}.get(safe, "[-]")
        name, severity = counts.rules[code]
        yield f"{count:>{width}}  {rule_code(code, SEVERITY[severity], options)} {mark} {name}\n"
    if counts.safe.total() and not options.quiet:
        safe = counts.safe.total()
        yield f"\n{safe} of {counts.found.total()} fixable with --fix ([*] all, [-] some).\n"


def render_json(documents: Iterable[Document], _options: RenderOptions) -> Iterator[str]:
    """Yield an array of records."""
    yield from array(_records(documents))


def render_jsonl(documents: Iterable[Document], _options: RenderOptions) -> Iterator[str]:
    """Yield one record per line."""
    for record in _records(documents):
        yield record + "\n"


def _records(documents: Iterable[Document]) -> Iterator[str]:
    counts = _Counts(documents)
    for code in counts.in_order():
        yield dumps(
            {
                "code": code,
                "name": counts.rules[code][0],
                "count": counts.found[code],
                "fixable": counts.safe[code],
                "fixable_unsafe": counts.fixable[code] - counts.safe[code],
            }
        )
