"""Render counts per rule in place of findings: `--statistics`."""

from collections import Counter
from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.records import Finding
from urlscan.formats.base import SEVERITY, RenderOptions, rule_code
from urlscan.formats.records import array, dumps


def render(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield a line for each rule: count, code, whether --fix fixes all or some of them, name."""
    counts = _counts(documents)
    width = max((len(str(count)) for _, count, _, _ in counts), default=0)
    for finding, count, safe, _ in counts:
        mark = {0: "[ ]", count: "[*]"}.get(safe, "[-]")
        code = rule_code(finding.code, SEVERITY[finding.severity], options)
        yield f"{count:>{width}}  {code} {mark} {finding.name}\n"
    if not options.quiet and (all_safe := sum(safe for _, _, safe, _ in counts)):
        all_findings = sum(count for _, count, _, _ in counts)
        yield f"\n{all_safe} of {all_findings} fixable with --fix ([*] all, [-] some).\n"


def render_json(documents: Iterable[Document], _options: RenderOptions) -> Iterator[str]:
    """Yield an array of records."""
    yield from array(_records(documents))


def render_jsonl(documents: Iterable[Document], _options: RenderOptions) -> Iterator[str]:
    """Yield one record per line."""
    for record in _records(documents):
        yield record + "\n"


def _records(documents: Iterable[Document]) -> Iterator[str]:
    for finding, count, safe, fixable in _counts(documents):
        yield dumps(
            {
                "code": finding.code,
                "name": finding.name,
                "count": count,
                "fixable": safe,
                "fixable_unsafe": fixable - safe,
            }
        )


def _counts(documents: Iterable[Document]) -> list[tuple[Finding, int, int, int]]:
    """Return a finding of each rule, how many it has, and how many have a safe fix or any; the most frequent first."""
    last: dict[str, Finding] = {}
    counts, safe, fixable = Counter[str](), Counter[str](), Counter[str]()
    for document in documents:
        for finding in (*document.findings, *document.hidden):
            last[finding.code] = finding
            counts[finding.code] += 1
            fixable[finding.code] += finding.fix is not None
            safe[finding.code] += finding.fix is not None and finding.fix.applicability == "safe"
    codes = sorted(counts, key=lambda code: (-counts[code], code))
    return [(last[code], counts[code], safe[code], fixable[code]) for code in codes]
