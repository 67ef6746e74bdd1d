"""How far the fixes of a URL's problems may be applied where the URL is.

A safe fix replaces a whole destination in markup: no template holds it or is in its line, no table divides the
line, and with all safe fixes together the URL is valid.  Everywhere else a fix needs `--unsafe-fixes`; and none is
offered that would leave the URL invalid, or that would write into code, a part of a string, or a template.
"""

import re

from urlscan.grammar.characters import escaped
from urlscan.grammar.templates import OPENER
from urlscan.model import Edit, Fix, Occurrence
from urlscan.patterns import lazy
from urlscan.schemes import accepts
from urlscan.text import Segment

# What begins an expression in the templates that pages, documents and programs are made by.
_TEMPLATE = lazy(rf"{OPENER}|%\{{")
_NON_ASCII = lazy(r"[\u00a0-\ud7ff\uf900-\uffef\U00010000-\U000efffd]+")
_REACH = 2000  # characters of the line around a URL that are looked at
# Kinds whose tables divide a line by bars.
_WITH_BARS = frozenset("markdown rst asciidoc org plain".split())


def applicable_fixes(
    fixes: list[Fix | None], occurrence: Occurrence, segment: Segment, profile: str
) -> list[Fix | None]:
    """Return the fixes of one URL's problems as they may be applied to this occurrence.

    Args:
        fixes: of each problem, in characters of the URL; None for a problem without one.
        occurrence: the URL where it is, with its context.
        segment: the text that it was found in.
        profile: the specification that the fixed URL must satisfy.
    """
    if not any(fixes):
        return fixes
    if occurrence.template or occurrence.context in ("fragment", "code"):
        return [None for _ in fixes]
    every = [fix for fix in fixes if fix is not None]
    if not _is_valid(_edited(occurrence.url, every), profile):
        return [None for _ in fixes]
    safe = [fix for fix in every if fix.applicability == "safe"]
    is_valid = bool(safe) and _is_valid(_edited(occurrence.url, safe), profile)
    if is_valid and _is_whole_destination(occurrence, segment):
        return fixes
    return [None if fix is None else fix._replace(applicability="unsafe") for fix in fixes]


def _is_valid(url: str, profile: str) -> bool:
    """Return whether the profile accepts the URL; by RFC 3986 also an IRI, which people write and browsers map."""
    if profile == "rfc3986" and not url.isascii():
        # RFC 3987 section 3.1 maps such a character to escapes; the grammar of IRIs takes 80 ms to compile.
        url = _NON_ASCII.sub(_escaped, url)
    return accepts(url, profile, "uri-reference")


def _escaped(match: re.Match[str]) -> str:
    return escaped(match[0])


def _edited(url: str, fixes: list[Fix]) -> str:
    """Return the URL with all edits applied; of two that overlap, the first."""
    parts, done = list[str](), 0
    for edit in sorted({edit for fix in fixes for edit in fix.edits}, key=_place):
        if edit.start >= done:
            parts += (url[done : edit.start], edit.text)
            done = edit.end
    return "".join((*parts, url[done:]))


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _is_whole_destination(occurrence: Occurrence, segment: Segment) -> bool:
    """Return whether the occurrence is a destination that nothing but the markup surrounds."""
    if occurrence.context != "link":
        return False
    text, start, end = segment.text, occurrence.start, occurrence.end
    first = max(text.rfind("\n", 0, start) + 1, start - _REACH)
    last = text.find("\n", end, end + _REACH)
    around = text[first:start] + " " + text[end : last if last >= 0 else end + _REACH]
    if _TEMPLATE.search(around) is not None:
        return False
    return "|" not in around or segment.kind not in _WITH_BARS
