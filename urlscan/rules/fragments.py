"""Fragments that refer to the same page: a problem matters only if no anchor has the name.

HTML standard, "Navigating to a fragment": a browser compares the fragment with the names as written, and then with
its escapes decoded. A space that the anchor also contains is harmless; a name without an anchor is a dead link.
"""

import re

from urlscan.core.document import Document
from urlscan.core.records import Match, Problem

_KINDS = ("html", "xml")
_ANCHOR = re.compile(r"\b(?:id|name)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))", re.IGNORECASE)


def refine_page_fragment(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Report a problem in the fragment of a reference to the same page as a dead link.

    Returns None if an anchor of the page has this name. Other problems are returned unchanged, and so are problems
    with a tag in the fragment, which a generator left there.
    """
    if problem.component != "fragment" or not occurrence.url.startswith("#") or document.kind not in _KINDS:
        return problem
    if "<" in occurrence.url[problem.start : problem.end]:
        return problem
    name = occurrence.url[1:]
    if name in document.computed(_anchors):
        return None
    printable = "".join(character if character.isprintable() else " " for character in name[:60])
    message = f'no anchor on this page is named "{printable}{"..." if len(name) > 60 else ""}"; {problem.message}'
    return problem._replace(message=message, start=1, end=len(occurrence.url), suggestion="")


def _anchors(document: Document) -> frozenset[str]:
    """Return the names of the anchors of a page."""
    import html  # its table of entities takes 1 ms to load

    values = (match[1] or match[2] or match[3] or "" for match in _ANCHOR.finditer(document.decoded))
    return frozenset(html.unescape(value) if "&" in value else value for value in values)
