"""Explain what `urlscan check` reports about the URLs of a line, and why something is not reported."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from urlscan.cli import output
from urlscan.cli.journal import Journal
from urlscan.core.errors import ConfigError
from urlscan.core.faults import Excuse
from urlscan.core.records import Finding, Severity
from urlscan.core.settings import Settings
from urlscan.formats.escape import escape
from urlscan.linter.reported import ADVICE
from urlscan.pipeline.baseline import Baseline
from urlscan.pipeline.explain import Explanation, explain
from urlscan.pipeline.read import ReadOptions
from urlscan.targets.anchor_excuses import ALL, ANCHOR_ADVICE

# Matches: `a.md:12`, `C:\\a.md:12:3`
# Does not match: `a.md`, `a.md:`, `a.md:0`
_POSITION = re.compile(r"(?P<path>.+?):(?P<line>[1-9][0-9]{0,8})(?::[0-9]{1,9})?")
_ADVICE = (*chain.from_iterable(ADVICE.values()), *ANCHOR_ADVICE)


def explain_line(
    position: str,
    settings: Settings,
    read_options: ReadOptions,
    baseline: Baseline | None,
    fail_on: Severity,
    journal: Journal,
) -> None:
    """Write an explanation of each URL on a line; `position` is FILE:LINE, as in findings.

    Raises:
        ConfigError: the position is malformed.
    """
    match = _POSITION.fullmatch(position)
    if match is None:
        raise ConfigError("--explain requires FILE:LINE", hint="write it as in docs/a.md:12")
    lines = list[str]()
    for explanation in journal.filter(explain(match["path"], int(match["line"]), settings, read_options)):
        lines += _lines(explanation, fail_on, baseline)
    journal.finish([match["path"]], read_options, "checked")
    if journal.has_read:
        output.write("".join(f"{line}\n" for line in lines or [f"{escape(position)}: no URL"]))


def _lines(explanation: Explanation, fail_on: Severity, baseline: Baseline | None) -> Iterator[str]:
    occurrence = explanation.occurrence
    position = f"{escape(explanation.path)}:{explanation.line}:{explanation.column}"
    yield f"{position}: {escape(explanation.url)}"
    template = ", with a placeholder" if occurrence.template else ""
    yield f"  context {occurrence.context}, style {occurrence.style}{template}"
    for problem, reason, advice in explanation.problems:
        if not reason and baseline is not None and isinstance(problem, Finding) and baseline.contains(problem):
            reason = "the baseline contains it"
        if reason:
            verdict = f"not reported: {reason}"
        elif problem.severity < fail_on:
            verdict = f"reported, below --fail-on {fail_on.label}"
        else:
            verdict = "reported"
        label = problem.severity.label
        if advice:
            label += f" ({_describe(advice, _ADVICE)})"
        yield f"  {problem.code} {label}, {verdict}"
        yield f"    {escape(problem.message)}"
    if explanation.excuses:
        yield from (f"  link not checked, {_describe(name, ALL)}" for name in explanation.excuses)
    elif not explanation.problems:
        yield "  no rule has a finding"


def _describe(name: str, excuses: Iterable[Excuse]) -> str:
    """Return the name of a reason, with the reason."""
    return next((f"{name}: {excuse.why}" for excuse in excuses if excuse.name == name), name)
