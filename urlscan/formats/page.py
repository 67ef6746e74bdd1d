"""Build the HTML pages of `check --format html` and `report`: their frame, and the elements that both have.

A page is self-contained. Its content security policy allows one style sheet and one script, each by its hash, and
nothing else: no request, no form, no other script, no event handler in an attribute.
"""

import base64
import hashlib
import pkgutil
import time
from collections.abc import Iterable, Iterator
from html import escape as escape_html

from urlscan import __version__
from urlscan.core.document import readable
from urlscan.core.project import INDEX_PAGE, rule_page
from urlscan.formats.escape import escape
from urlscan.rules import ENTRIES, load

_LONG = 12  # a longer index scrolls


def text_of(text: str) -> str:
    """Return text escaped for the page: first unsafe characters, then the syntax of HTML."""
    return escape_html(escape(readable(text)))


def link(address: str, text: str) -> str:
    """Return a link to one of our own addresses; `text` is HTML."""
    return f'<a href="{escape_html(address)}" rel="noreferrer">{text}</a>'


def rule_cell(code: str) -> str:
    """Return the code of a rule as a link, with its name and summary."""
    entry = ENTRIES.get(code)
    if entry is None:
        return text_of(code)
    return f"{link(rule_page(code), code)} {entry.name}<small>{escape_html(load(entry.code).summary)}</small>"


def frame(title: str, main: Iterable[str], skip: tuple[str, str], bar: Iterable[str] = ()) -> Iterator[str]:
    """Yield a page; a link at its beginning leads to the element with the id and the name of `skip`."""
    style, script = _asset("page.css"), _asset("page.js")
    policy = (
        f"default-src 'none'; style-src {_source(style)}; script-src {_source(script)}; base-uri 'none';"
        " form-action 'none'; require-trusted-types-for 'script'"
    )
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n"
        f'<body id="top">\n<a class="skip" href="#{skip[0]}">Skip to the {skip[1]}</a>\n'
    )
    yield from bar
    yield '<main class="wrap">\n'
    yield from main
    yield f'</main>\n<footer class="wrap">Written by {link(INDEX_PAGE, f"urlscan {__version__}")}.</footer>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    """Return a file of the package as browsers see it, which hash line ends as LF."""
    data = pkgutil.get_data("urlscan.formats", name)
    assert data is not None  # noqa: S101 - part of the package
    return data.decode("utf-8").replace("\r\n", "\n")


def summary(title: str, written: float | None, facts: Iterable[str], tiles: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the heading, the time in seconds since 1970 with other facts, and tiles of a class and a counted noun."""
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(written))
    machine = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(written))
    line = " · ".join((f'<time datetime="{machine}">{when}</time>', *facts))
    yield f'<section>\n<h1>{title}</h1>\n<p class="facts">{line}</p>\n<ul class="tiles">\n'
    for name, tile in tiles:
        count, label = tile.split(" ", 1)
        yield f'<li class="{name}"><b>{count}</b><span>{label}</span></li>\n'
    yield "</ul>\n</section>\n"


def section(title: str, content: Iterable[str], name: str = "") -> Iterator[str]:
    """Yield a section; `name` is the id of its heading."""
    heading = f"<h2>{title}</h2>"
    if name:
        heading = f'<h2 id="{name}">{title}</h2>'
    yield f"<section>\n{heading}\n"
    yield from content
    yield "</section>\n"


def failures(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a section that lists what could not be read, or nothing if there are no lines."""
    items = [f"<li>{text_of(line)}</li>\n" for line in lines]
    if items:
        yield from section(title, ('<ul class="failed">\n', *items, "</ul>\n"))


def table(headings: Iterable[tuple[str, str]], rows: Iterable[str], *, attributes: str = "", scroll: str = "") -> str:
    """Return a table with the class and the text of each heading, and the cells of each row.

    A long one scrolls, also by keyboard, if `scroll` is the attribute that names it.
    """
    names = "".join(f'<th class="{name}">{text}</th>' for name, text in headings)
    lines = [f"<tr>{row}</tr>\n" for row in rows]
    box = '<div class="index">'
    if scroll and len(lines) > _LONG:
        box = f'<div class="index long" tabindex="0" role="region" {scroll}>'
    return f"{box}<table{attributes}><thead><tr>{names}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody></table></div>\n"
