"""Decide whether a character belongs to a URL or to the surrounding text.

The delimiters of a destination in markup and of a URL in angle brackets show where it ends; a character that is not
allowed there is an error. The end of a URL in running text follows a convention (UTS #58), and such a character may
belong to the text: a table's bar, a wiki's bracket, the glob of a command.
"""

import re

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Break, Match, Problem
from urlscan.data.schemes import REGISTERED
from urlscan.rules.base import quote_text
from urlscan.rules.hosts import SLASHED
from urlscan.uri.url import Url

# Data rather than notation between two characters of a URL: "find?a|b", "100%/x", "a^b".
_DATA = lazy(r"[|^%\x00-\x20\x7f][0-9A-Za-z%]{0,2}")
_WORD = lazy(r"[\w/.~=&+:@%-]")
_ANCHOR = lazy(r"\b(?:id|name)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))", re.IGNORECASE)
# Brackets and quotation marks, with those of word processors and of East Asian keyboards.
OPENING = frozenset("([<{\"'\u2018\u201c\u201e\u00ab\uff08\u300a\u300c\u3010")
# Blanks in a reference of reStructuredText, which are ignored.
_MOST_BLANKS = 3
# How much of the line on either side is searched for bars and brackets of the text, in characters.
_REACH = 400


def mark_before_scheme(url: Url) -> str:
    """Return the opening bracket or quotation mark that is read as a part of a common scheme; "" without one."""
    scheme = url.scheme or ""
    if scheme[:1] in OPENING and scheme[1:].lower() in SLASHED:
        return scheme[:1]
    return ""


# "%" HEXDIG HEXDIG with a break after the first or the second character.
_HEAD = lazy(r"%[0-9A-Fa-f]?\Z")
_TAIL = lazy(r"[0-9A-Fa-f]{1,2}")


def divided_escape(occurrence: Match, break_: Break) -> tuple[int, int] | None:
    """Return the span of an escape that a break divides, in characters of the text, or None; U607 reports it."""
    head = _HEAD.search(occurrence.raw, max(0, break_.offset - 2), break_.offset)
    tail = _TAIL.match(occurrence.raw, break_.offset + break_.length)
    if head is None or tail is None or len(head[0]) + len(tail[0]) < 3:
        return None
    return occurrence.start + head.start(), occurrence.start + tail.start() + 3 - len(head[0])


def keep_if_delimited(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem if its characters belong to the URL, or None if they may belong to the text.

    A reference may use a notation of the program that reads the document. URLs never begin with a backtick, a bar or a
    backslash, but names in documentation tools (`Enum.map/2`, |filename|) and commands of TeX do; in HTML a backslash
    escapes nothing. A path with backslashes in XML that is not a page is a Windows path. Words before a colon that are
    no scheme select what a program looks up ("xref:List``1").
    """
    url, scheme = occurrence.url, occurrence.scheme
    if document.kind == "rst" and not scheme and occurrence.raw.count(" ") > _MOST_BLANKS:
        message = 'a paragraph after ".. _name:" is read as a link; a directive ends in "::"'
        return problem._replace(message=message, start=0, end=len(url), suggestion="")
    if occurrence.context != "link":
        if _is_delimited(problem, occurrence, document):
            return problem
        return None
    if "\\" in url and "\\ " not in url and document.kind in ("asciidoc", "latex"):
        return None  # an escape of AsciiDoc, or a command or a parameter that TeX replaces; "\\ " makes a blank
    if len(scheme) > 1:  # "C:\a" has the scheme of a drive
        is_foreign = scheme not in REGISTERED and not url.startswith("//", len(scheme) + 1)
    elif scheme:
        is_foreign = url[2:3] not in ("/", "\\")  # a parameter and its type: "[T](g:T=>T)"
    else:
        is_foreign = url.startswith(("`", "|")) or (url.startswith("\\") and document.kind != "html")
        is_foreign = is_foreign or (document.kind == "xml" and "\\" in url)
    if is_foreign:
        return None
    is_anchor = problem.component == "fragment" and url.startswith("#") and document.kind in ("html", "xml")
    if is_anchor and "<" not in url[problem.start : problem.end]:  # a tag was left there by a generator
        if url[1:] in document.computed(_anchors):
            return None
        message = f"no anchor on this page is named {quote_text(url[1:], 60)}; {problem.message}"
        return problem._replace(message=message, start=1, end=len(url), suggestion="")
    return problem


def _anchors(document: Document) -> frozenset[str]:
    """Return the names that a browser compares with a fragment (HTML standard, "Navigating to a fragment")."""
    import html  # its table of entities takes 1 ms to load

    values = (match[1] or match[2] or match[3] or "" for match in _ANCHOR.finditer(document.decoded))
    return frozenset(html.unescape(value) if "&" in value else value for value in values)


def _is_delimited(problem: Problem, occurrence: Match, document: Document) -> bool:
    if document.kind == "markdown" and occurrence.url[problem.start : problem.end] == "\\":
        return False  # CommonMark 2.4: an escape, as in "\<http://h/a\>"
    before = document.text[max(occurrence.outer_start - 1, 0) : occurrence.outer_start]
    if occurrence.style in ("wrapper", "angle") and before == '"' == occurrence.url[problem.start : problem.end]:
        return False  # a program has made a link of a quotation: '"<http://h.example/a",>'
    if occurrence.style in ("wrapper", "angle"):
        # In a table cell over several lines, the bars between the lines belong to the table.
        return "|" not in occurrence.url[problem.start : problem.end] or not (
            occurrence.breaks and any("|" in line for line in _around(document.text, occurrence))
        )
    url, start, end = occurrence.url, problem.start, problem.end
    if occurrence.style == "quotes" and url[start:end] == "\\":
        return True  # an escape of TeX that was copied with the URL ("\\~"); no other one is found in a quotation
    if not 0 < start < end or _DATA.fullmatch(url, start, end) is None:
        return False
    # The two characters after a "%" belong to the URL, whatever they are.
    following = start + 1 if url[start] == "%" else end
    if _WORD.match(url, start - 1) is None or _WORD.match(url, following) is None:
        return False
    if url.count("|") > 1 and document.kind != "rst":
        return False  # a substitution such as "/|version|/"; reStructuredText makes none in a URL
    # A bar may separate table cells, or a link from its label.
    before, after = _around(document.text, occurrence)
    is_syntax = "|" in before + after or before.endswith(("[", "{", "<")) or after.startswith(("]", "}", ">"))
    return "|" not in url[start:end] or not is_syntax


def _around(text: str, occurrence: Match) -> tuple[str, str]:
    """Return the text before the URL on its first line and after it on its last line."""
    start, end = occurrence.start, occurrence.end
    before, after = text[max(start - _REACH, 0) : start], text[end : end + _REACH]
    return re.split(r"[\r\n]", before)[-1], re.split(r"[\r\n]", after, maxsplit=1)[0]
