"""Determine the context of a span of a document: link, prose, comment, string, fragment or code.

A reader gives each region its role. A URL in a string or a data value is a `string` if it is the whole value and a
`fragment` otherwise. The map is built on first use: most documents have nothing to report.
"""

import bisect
import re
from array import array

from urlscan.core.choices import Context
from urlscan.core.lazy import lazy
from urlscan.documents.segments import Region

# Roles whose context does not depend on the URL.
_CONTEXTS: dict[str, Context] = {
    "link": "link", "base": "link", "autolink": "link", "prose": "prose", "markup": "prose", "comment": "comment",
    "code": "code", "program": "code",
}  # fmt: skip
# How many characters around a URL are searched for the ends of a value.
_WINDOW = 200
# The text before a value on its line: list markers, a key and its separator, or the separator of a list.
# Matches: `a: "`, `- `, `a = `, `- a: `, `, `
# Does not match: `see `, `a: b `, `"a`
_BEFORE_VALUE = lazy(
    r"""
    (?: (?: ^ | [\r\n] ) [ \t]* (?: - [ \t]+ )* (?: [\w.$/"'-] [\w.$ /"'-]{0,80}? [ \t]* [:=]>? [ \t]* )?
      | [,;|\[{\t>] [ \t]*
    )
    ["']? \Z
    """,
    re.VERBOSE,
)
# The text after a value: the end of the line, a comment, the next separator, or closing brackets before one of these.
# Matches: `", `, `]}`, ` # x`
# Does not match: `]a`, ` a`
_AFTER_VALUE = lazy(r"[\"']?[ \t]*(?:\Z|[\r\n,;|\t<#]|[\]}][\]} \t]*(?:\Z|[\r\n,;#]))")


class ContextMap:
    """The contexts of a document, up to the last region that was added.

    Args:
        document: the decoded text of the source.
    """

    def __init__(self, document: str) -> None:
        self._document = document
        self._starts = array("q")
        self._ends = array("q")
        self._roles: list[str] = []

    def add(self, region: Region) -> None:
        """Add the next region; none is skipped."""
        # Strings, values and links stay separate; other adjacent regions of one role are merged.
        if self._roles and self._roles[-1] == region.role and region.role not in ("string", "value", "link"):
            self._ends[-1] = region.end
            return
        self._starts.append(region.start)
        self._ends.append(region.end)
        self._roles.append(region.role)

    def context(self, start: int, end: int) -> Context:
        """Return the context of document[start:end], in characters."""
        number = bisect.bisect_right(self._starts, start) - 1
        if number < 0:
            return "prose"
        role = self._roles[number]
        if role == "string":
            last = max(bisect.bisect_right(self._starts, end - 1) - 1, number)
            is_whole = self._covers(start, end, self._starts[number], self._ends[last])
            return "string" if is_whole and self._roles[last] == "string" else "fragment"
        if role == "value":
            return "string" if self._covers(start, end, self._starts[number], self._ends[number]) else "fragment"
        if role == "data":
            return "string" if self._is_value(start, end) else "fragment"
        return _CONTEXTS.get(role, "prose")

    def _covers(self, start: int, end: int, first: int, last: int) -> bool:
        """Return whether document[start:end] is all of document[first:last] but white space and quotation marks."""
        if start - first + last - end >= _WINDOW:  # a long string may hold many URLs
            return False
        around = self._document[first:start] + self._document[end:last]
        return not around.strip("\"' \t\r\n")

    def _is_value(self, start: int, end: int) -> bool:
        """Return whether document[start:end] is a whole value of a data format."""
        text = self._document
        after = _AFTER_VALUE.match(text, end, end + _WINDOW)
        return after is not None and _BEFORE_VALUE.search(text[max(start - _WINDOW, 0) : start]) is not None
