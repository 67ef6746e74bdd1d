"""Render an HTML page that is self-contained and holds neither scripts nor links.

Untrusted text is escaped. URLs are not links, since a click may be what their author wants.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape as escape_html

from urlscan.core.records import Finding, Severity
from urlscan.core.segment import readable
from urlscan.formats.base import RenderOptions, Result, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.excerpt import ExcerptLine, excerpt_of
from urlscan.secrets import merge_spans

_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>urlscan</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em;
  color-scheme: light dark; display: flex; flex-direction: column }
header { order: -1 }
h1 { font-size: 1.4em } h2 { font-size: 1.05em; margin: 2em 0 .5em; overflow-wrap: anywhere }
article { border-left: .25em solid; margin: 0 0 .8em; padding: .1em 0 .1em .8em }
.error { border-color: #c33 } .warning { border-color: #c80 } .info { border-color: #39c }
p { margin: .2em 0; overflow-wrap: anywhere }
pre { margin: .3em 0; overflow-x: auto } mark { background: #fd6; color: #000 }
table { border-collapse: collapse } td, th { padding: .1em .8em; text-align: left } td:first-child { text-align: right }
small { opacity: .75 }
</style>
</head>
<body>
"""


def render(results: Iterable[Result], options: RenderOptions) -> Iterator[str]:
    """Yield the page; its summary comes last and is displayed first."""
    rules: Counter[tuple[str, str]] = Counter()
    severities: Counter[Severity] = Counter()
    last = None
    yield _HEAD
    for result in results:
        hidden = None if options.show_secrets else merge_spans(result.secrets.places)
        for finding, _ in masked_findings(result, options):
            if finding.where != last:
                yield f"<h2>{_text(finding.where)}</h2>\n"
                last = finding.where
            rules[finding.code, finding.name] += 1
            severities[finding.severity] += 1
            yield _article(finding, excerpt_of(finding, result.segment, hidden))
    yield from _summary(rules, severities)
    yield "</body>\n</html>\n"


def _text(text: str) -> str:
    """Return text escaped for the page: first unsafe characters, then HTML syntax."""
    return escape_html(escape(readable(text)))


def _article(finding: Finding, rows: list[ExcerptLine]) -> str:
    where = f"{finding.line}:{finding.column}"
    notes = [finding.section] if finding.section else []
    if finding.suggestion:
        notes.append(f"write {finding.suggestion}")
    if finding.fix is not None:
        notes.append(f"{finding.fix.applicability} fix")
    more = f"<p><small>{_text('; '.join(notes))}</small></p>" if notes else ""
    return (
        f'<article class="{finding.severity.label}">'
        f"<p><b>{where}</b> {finding.code} {finding.name} <small>{finding.severity.label}</small></p>"
        f"<p>{_text(finding.message)}</p><pre>{''.join(map(_row, rows))}</pre>{more}</article>\n"
    )


def _row(row: ExcerptLine) -> str:
    """Return a line of the excerpt, with the text above the carets highlighted."""
    if not row.number:
        return f"{_text(row.shown)}\n"
    runs: list[tuple[bool, str]] = []
    start = column = 0
    is_marked = False
    for at, character in enumerate(row.shown):
        width = 1
        if not character.isascii():
            width = 0 if unicodedata.category(character) in {"Mn", "Me"} else 1
            width += width and unicodedata.east_asian_width(character) in "WF"
        marked = row.carets[column : column + 1] == "^" if width else is_marked
        if marked != is_marked:
            runs.append((is_marked, row.shown[start:at]))
            start, is_marked = at, marked
        column += width
    runs.append((is_marked, row.shown[start:]))
    text = "".join(f"<mark>{_text(run)}</mark>" if marked else _text(run) for marked, run in runs if run)
    return f"{row.number:>6}  {text}\n"


def _summary(rules: Counter[tuple[str, str]], severities: Counter[Severity]) -> Iterator[str]:
    counts = ", ".join(f"{severities[one]} {one.label}{'s' * (severities[one] != 1)}" for one in sorted(Severity)[::-1])
    yield f"<header>\n<h1>urlscan</h1>\n<p>{counts}</p>\n<table>\n"
    for (code, name), count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
        yield f"<tr><td>{count}</td><td>{code}</td><td>{name}</td></tr>\n"
    yield "</table>\n</header>\n"
