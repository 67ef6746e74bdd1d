"""Explain what `urlscan check` reports about the URLs of a line, and why something is not reported."""

import re
from collections.abc import Iterator

from urlscan.cli import output
from urlscan.core.errors import ConfigError
from urlscan.core.records import Severity
from urlscan.core.settings import Settings
from urlscan.formats.escape import escape
from urlscan.pipeline.explain import Explanation, explain
from urlscan.pipeline.read import ReadOptions

# Matches: `a.md:12`, `C:\\a.md:12:3`
# Does not match: `a.md`, `a.md:`, `a.md:0`
_POSITION = re.compile(r"(?P<path>.+?):(?P<line>[1-9][0-9]{0,8})(?::[0-9]{1,9})?")


def explain_line(position: str, settings: Settings, read_options: ReadOptions, fail_on: Severity) -> int:
    """Write an explanation of each URL on a line, and return the exit status; `position` is FILE:LINE, as in findings.

    Raises:
        ConfigError: the position is malformed.
    """
    match = _POSITION.fullmatch(position)
    if match is None:
        raise ConfigError("--explain requires FILE:LINE", hint="write it as in docs/a.md:12")
    results = list(explain(match["path"], int(match["line"]), settings, read_options))
    status = 0
    for result in results:
        if isinstance(result, Explanation):
            output.write("".join(f"{line}\n" for line in _lines(result, fail_on)))
        else:
            output.complain(str(result))
            status = 2
    if not results:
        output.write(f"{escape(position)}: no URL\n")
    return status


def _lines(explanation: Explanation, fail_on: Severity) -> Iterator[str]:
    occurrence = explanation.occurrence
    position = f"{escape(explanation.path)}:{explanation.line}:{explanation.column}"
    yield f"{position}: {escape(explanation.url)}"
    template = ", with a placeholder" if occurrence.template else ""
    yield f"  context {occurrence.context}, style {occurrence.style}{template}"
    for problem, reason, advice in explanation.problems:
        if reason:
            verdict = f"not reported: {reason}"
        elif problem.severity < fail_on:
            verdict = f"reported, below --fail-on {fail_on.label}"
        else:
            verdict = "reported"
        label = problem.severity.label
        if advice:
            label += f" ({advice})"
        yield f"  {problem.code} {label}, {verdict}"
        yield f"    {escape(problem.message)}"
    if explanation.excuses:
        yield f"  link not checked: {', '.join(explanation.excuses)}"
    elif not explanation.problems:
        yield "  no rule has a finding"
