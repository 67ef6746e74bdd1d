"""Render the parts of an HTML report that surround its findings: head, filters, summary and indexes.

The page is self-contained. Its content security policy allows one style sheet and one script, each by its hash, and
nothing else: no request, no form, no other script, no event handler in an attribute.
"""

import base64
import hashlib
import pkgutil
import time
from collections import Counter
from collections.abc import Iterator
from html import escape as escape_html
from typing import NamedTuple

from urlscan import __version__
from urlscan.core.document import readable
from urlscan.core.project import INDEX_PAGE, rule_page
from urlscan.core.records import Severity
from urlscan.formats.base import RunInfo
from urlscan.formats.escape import escape
from urlscan.rules import REGISTRY, entry_of, load
from urlscan.secrets import redact

_LONG = 12  # a longer index scrolls
_SEVERITIES = sorted(Severity, reverse=True)


class FileCounts(NamedTuple):
    """How many findings a file has: a row of the index.

    Attributes:
        name: the path, with the member of an archive.
        found: the number of findings by severity.
    """

    name: str
    found: Counter[Severity]

    @classmethod
    def of(cls, name: str) -> "FileCounts":
        """Return the row of a file without findings so far."""
        return cls(name, Counter())


class Totals:
    """The numbers of a report.

    Attributes:
        files: those with findings, in order.
        rules: the number of findings by code.
        severities: the number of findings by severity.
        highest: the highest severity by code.
        fixed: the number of fixed findings.
        fixable: the number of findings with a fix.
    """

    def __init__(self) -> None:
        self.files: list[FileCounts] = []
        self.rules: Counter[str] = Counter()
        self.severities: Counter[Severity] = Counter()
        self.highest: dict[str, Severity] = {}
        self.fixed = 0
        self.fixable = 0

    def add(self, code: str, severity: Severity, *, has_fix: bool) -> None:
        """Count a finding of the last file."""
        self.files[-1].found[severity] += 1
        self.rules[code] += 1
        self.severities[severity] += 1
        self.highest[code] = max(severity, self.highest.get(code, severity))
        self.fixable += has_fix


def text_of(text: str) -> str:
    """Return text escaped for the page: first unsafe characters, then the syntax of HTML."""
    return escape_html(escape(readable(text)))


def link(address: str, text: str) -> str:
    """Return a link to one of our own addresses; `text` is HTML."""
    return f'<a href="{escape_html(address)}" rel="noreferrer">{text}</a>'


def document_head(title: str, style: str, script: str) -> str:
    """Return a page up to its body, which may use one style sheet and one script, and nothing else.

    Args:
        title: the title, as HTML.
        style: the text of the style sheet, which is part of the head.
        script: the text of the script, which the page must contain.
    """

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    policy = (
        f"default-src 'none'; style-src {source(style)}; script-src {source(script)}; base-uri 'none';"
        " form-action 'none'; require-trusted-types-for 'script'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n"
    )


def head(totals: Totals, run: RunInfo) -> Iterator[str]:
    """Yield the page up to the first finding."""
    title = f"urlscan: {number(totals.severities.total(), 'finding')}"
    yield document_head(title, asset("html.css"), asset("html.js"))
    yield '<body id="top">\n<a class="skip" href="#findings">Skip to the findings</a>\n'
    if totals.files:
        yield from _bar(totals)
    yield '<main class="wrap">\n'
    yield from _summary(totals, run)
    if totals.files:
        yield '<div class="indexes">\n'
        yield from _rule_index(totals)
        yield from _file_index(totals)
        yield "</div>\n"
        yield '<section aria-labelledby="findings">\n<h2 id="findings" tabindex="-1">Findings</h2>\n'
        yield '<p class="none" id="empty" hidden>No finding matches the filters.</p>\n'


def tail(totals: Totals) -> Iterator[str]:
    """Yield the page after the last finding."""
    yield "</section>\n" if totals.files else ""
    yield f'</main>\n<footer class="wrap">Written by {link(INDEX_PAGE, f"urlscan {__version__}")}.</footer>\n'
    yield f"<script>{asset('html.js')}</script>\n</body>\n</html>\n"


def asset(name: str, package: str = "urlscan.formats") -> str:
    """Return a file of a package as browsers see it, which hash line ends as LF."""
    data = pkgutil.get_data(package, name)
    assert data is not None  # noqa: S101 - part of the package
    return data.decode("utf-8").replace("\r\n", "\n")


def _bar(totals: Totals) -> Iterator[str]:
    """Yield the bar with the filters, which only the script shows."""
    yield (
        '<header class="bar" id="bar" hidden><div class="wrap">\n<p class="shown" id="shown" role="status"></p>\n'
        '<form id="filters" role="search" aria-label="Filter findings" autocomplete="off">\n'
        '<input type="search" name="text" aria-label="Search paths, messages and excerpts" placeholder="Search">\n'
        '<button type="button" id="toggle" class="toggle" aria-expanded="false" aria-controls="more">Filters</button>\n'
        '<div id="more" class="more">\n<select name="rule" aria-label="Rule"><option value="">All rules</option>'
    )
    for code, count in sorted(totals.rules.items()):
        yield f'<option value="{code}">{code} {_name(code)} ({count:,})</option>'
    yield "</select>\n"
    for severity in _SEVERITIES:
        if totals.severities[severity]:
            yield (
                f'<label class="chip"><input type="checkbox" name="severity" value="{severity.label}" checked>'
                f"{severity.label.title()}s</label>\n"
            )
    hidden = "" if totals.fixable else " hidden"
    yield (
        f'<label class="chip"{hidden}><input type="checkbox" name="fixable">Fixable</label>\n'
        '<button type="reset" id="clear" hidden>Reset</button>\n</div>\n</form>\n</div></header>\n'
    )


def _summary(totals: Totals, run: RunInfo) -> Iterator[str]:
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(run.started))
    machine = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(run.started))
    facts = [f'<time datetime="{machine}">{when}</time>']
    if run.files:
        facts.append(f"{number(run.files, 'file')} read")
    if totals.fixed:
        facts.append(f"{number(totals.fixed, 'finding')} fixed")
    if totals.fixable:
        facts.append(f"{number(totals.fixable, 'finding')} fixable with <code>--fix</code>")
    yield f'<section>\n<h1>urlscan report</h1>\n<p class="facts">{" · ".join(facts)}</p>\n<ul class="tiles">\n'
    for severity in _SEVERITIES:
        count = totals.severities[severity]
        label = severity.label if count == 1 else f"{severity.label}s"
        yield f'<li class="{severity.label}"><b>{count:,}</b><span>{label}</span></li>\n'
    files = len(totals.files)
    yield f'<li class="files"><b>{files:,}</b><span>file{"s" * (files != 1)} with findings</span></li>\n'
    yield "</ul>\n</section>\n"
    if not totals.files:
        yield '<section class="none"><h2>No findings</h2></section>\n'
    if run.failures:
        yield '<section>\n<h2>Files that could not be read</h2>\n<ul class="failed">\n'
        yield from (f"<li>{text_of(redact(failure))}</li>\n" for failure in run.failures)
        yield "</ul>\n</section>\n"


def _rule_index(totals: Totals) -> Iterator[str]:
    yield (
        f'<section>\n<h2 id="by-rule">Rules</h2>\n{_index(len(totals.rules), "by-rule")}'
        '<table id="rules"><thead><tr><th class="number">Findings</th><th>Rule</th><th class="action">'
        "Filter</th></tr></thead>\n<tbody>\n"
    )
    summaries = {entry.code: load(entry).summary for entry in REGISTRY if entry.code in totals.rules}
    for code, count in sorted(totals.rules.items(), key=lambda one: (-totals.highest[one[0]], -one[1], one[0])):
        severity = totals.highest[code].label
        summary = escape_html(summaries.get(code, ""))
        yield (
            f'<tr><td class="number">{count:,}</td><td><span class="dot {severity}" title="{severity}"></span>'
            f"{link(rule_page(code), code)} {_name(code)}<small>{summary}</small></td>"
            f'<td class="action"><button type="button" data-rule="{code}" hidden'
            f' aria-label="Show only {code}">Show only</button></td></tr>\n'
        )
    yield "</tbody></table></div>\n</section>\n"


def _file_index(totals: Totals) -> Iterator[str]:
    yield (
        f'<section>\n<h2 id="by-file">Files</h2>\n{_index(len(totals.files), "by-file")}'
        '<table id="files"><thead><tr><th>File</th>'
    )
    yield from (f'<th class="number">{severity.label.title()}s</th>' for severity in _SEVERITIES)
    yield "</tr></thead>\n<tbody>\n"
    for number, file in enumerate(totals.files, 1):
        yield f'<tr><td><a href="#f{number}">{text_of(file.name)}</a></td>'
        for severity in _SEVERITIES:
            count = file.found[severity]
            yield f'<td class="number{"" if count else " zero"}">{count:,}</td>'
        yield "</tr>\n"
    yield "</tbody></table></div>\n</section>\n"


def _index(rows: int, label: str) -> str:
    """Return the opening tag of an index; a long one scrolls, also by keyboard."""
    return (
        f'<div class="index long" tabindex="0" role="region" aria-labelledby="{label}">'
        if rows > _LONG
        else '<div class="index">'
    )


def _name(code: str) -> str:
    entry = entry_of(code)
    return entry.name if entry is not None else ""


def number(count: int, noun: str) -> str:
    """Return a count with its noun, such as "1,024 files"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
