"""Render the line with location and message, suggestions, and terminal colors."""

import os
import re

from urlscan.core.document import readable
from urlscan.core.project import rule_page
from urlscan.core.records import Finding, Severity, place_name
from urlscan.files.repository import absolute
from urlscan.formats.base import RenderOptions
from urlscan.formats.escape import escape

LONGEST = 200  # limit on the characters of a suggestion
BOLD, RED, YELLOW, CYAN, GREEN, BLUE = "1", "1;31", "1;33", "1;36", "1;32", "1;34"
SEVERITY = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}


def paint(text: str, style: str, options: RenderOptions) -> str:
    """Return `text` in a style if colors are used."""
    return f"\x1b[{style}m{text}\x1b[0m" if options.color and text else text


def rule_code(code: str, style: str, options: RenderOptions) -> str:
    """Return the code of a rule in a style, as a link to its page where the terminal has links (OSC 8)."""
    text = paint(code, style, options)
    return _link(text, rule_page(code)) if options.links else text


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


def suggested(finding: Finding) -> str:
    """Return the suggestion of a finding, truncated if it is long, or ""."""
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
