"""Define what every format receives, and the parts of a finding that several formats render."""

import importlib
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator

from urlscan.core.document import Document, readable
from urlscan.core.project import rule_page
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding, Problem, Severity, place_name
from urlscan.core.typing import cast
from urlscan.files.repository import absolute
from urlscan.formats import FORMATS
from urlscan.formats.escape import escape

# Limit on the failures that a report names.
_MOST_FAILURES = 1_000
LONGEST = 200  # limit on the characters of a suggestion
BOLD, RED, YELLOW, CYAN, GREEN, BLUE = "1", "1;31", "1;33", "1;36", "1;32", "1;34"
SEVERITY = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}


class RunInfo:
    """Facts about a run, for reports. They are complete when the results end.

    Attributes:
        started: when the run began, in seconds since the epoch.
        files: how many files were read.
        urls, links: the sums of the results.
        failures: why files could not be read, at most 1,000 of them.
    """

    def __init__(self) -> None:
        self.started = time.time()
        self.files, self.urls, self.links = 0, 0, 0
        self.failures: list[str] = []

    def fail(self, message: str) -> None:
        """Record why a file could not be read."""
        if len(self.failures) < _MOST_FAILURES:
            self.failures.append(message)


def report_time(started: float) -> float:
    """Return the time of a report, or that of SOURCE_DATE_EPOCH, which makes reports reproducible."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed.isascii() and fixed.isdigit() and len(fixed) < 12:
        return float(fixed)
    return started


class RenderOptions(NamedTuple):
    """How findings are rendered.

    Attributes:
        color: whether to use terminal colors.
        show_secrets: whether secrets are shown unmasked.
        quiet: whether to omit the summary.
        run: the run that the results come from; None if they come from the library.
        links: whether the terminal shows links to files and the pages of rules.
        show_fixes: whether the summary lists the fixes.
    """

    color: bool = False
    show_secrets: bool = False
    quiet: bool = False
    run: RunInfo | None = None
    links: bool = False
    show_fixes: bool = False


Renderer = Callable[[Iterable[Document], RenderOptions], Iterator[str]]


def renderer(name: str) -> Renderer:
    """Return the renderer of a format; `name` is a key of FORMATS or "module:function"."""
    module, _, function = FORMATS.get(name, name).partition(":")
    return cast("Renderer", getattr(importlib.import_module(module), function))


def number(count: int, noun: str) -> str:
    """Return a count with its noun, such as "1,024 files"."""
    if count == 1:
        return f"1 {noun}"
    if noun.endswith("x"):
        noun += "e"
    return f"{count:,} {noun}s"


def masked_findings(document: Document, options: RenderOptions) -> Iterator[tuple[Finding, bool]]:
    """Yield each finding with its secrets masked, and whether something was masked."""
    from urlscan.formats.mask import mask_finding, secrets_by_url  # loaded with the first finding

    secrets = secrets_by_url(document)
    for finding in document.findings:
        is_masked = False
        if not options.show_secrets:
            finding, is_masked = mask_finding(finding, secrets)
        yield finding._replace(url=readable(finding.url)), is_masked


def paint(text: str, style: str, options: RenderOptions) -> str:
    """Return `text` in a style if colors are used."""
    if options.color and text:
        return f"\x1b[{style}m{text}\x1b[0m"
    return text


def rule_code(code: str, style: str, options: RenderOptions) -> str:
    """Return the code of a rule in a style, as a link to its page where the terminal has links (OSC 8)."""
    text = paint(code, style, options)
    if options.links:
        return _link(text, rule_page(code))
    return text


def source_name(finding: Finding, options: RenderOptions) -> str:
    """Return the name of the source of a finding, as a link to its file where the terminal has links."""
    text = paint(escape(place_name(finding.path, finding.member)), BOLD, options)
    if not options.links or finding.path == "-":  # standard input has no file
        return text
    path = os.fsencode(absolute(finding.path).replace(os.sep, "/").lstrip("/"))
    escaped = re.sub(rb"[^\w/.~:-]", lambda octet: b"%%%02X" % ord(octet[0]), path)  # RFC 3986 section 2.1
    return _link(text, f"file:///{escaped.decode('ascii')}")


def _link(text: str, url: str) -> str:
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"


def headline(finding: Finding, options: RenderOptions) -> str:
    """Return `path:line:column: CODE name severity: message`."""
    style = SEVERITY[finding.severity]
    where = f"{source_name(finding, options)}:{finding.line}:{finding.column}:"
    what = f"{rule_code(finding.code, style, options)} {finding.name} {paint(finding.severity.label, style, options)}:"
    return f"{where} {what} {escape(readable(finding.message))}"


def suggested(finding: Finding | Problem) -> str:
    """Return the suggestion of a finding or a problem, truncated if it is long, or ""."""
    text = readable(finding.suggestion or "")
    if len(text) > LONGEST:
        text = text[:LONGEST] + "…"
    return text


def advice(finding: Finding) -> str:
    """Return the message with suggestion and section, for formats that show nothing else."""
    text = readable(finding.message)
    suggestion = suggested(finding)
    if suggestion and not text.endswith(suggestion):
        text += f"; write {suggestion}"
    if finding.section:
        text += f" ({finding.section})"
    return text
