"""Match common URLs by a short key, and cache the results.

Nine of ten URLs are http, https or ftp URLs of common characters that end at white space or at their quotation mark.
The key is the text from a few characters before the scheme to the character after the URL.  The result is relative to
the colon, so that it is computed once for all URLs with the same key.  `read.py` handles all others.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.core.records import Occurrence
from urlscan.core.segment import MARKUP
from urlscan.finder.bare import ANOTHER, STOP_AT_LINE_END
from urlscan.finder.notation import COMPOUND

# How many characters of the key precede the colon: "mailto" and two more.
LEAD = 8

# RFC 3986 section 3.2, 3.3:  host [ ":" port ] [ path-abempty ] [ "?" query ] [ "#" fragment ]
# of unreserved and common reserved characters; `_is_special` checks "%".
_INERT = re.compile(r"(?=[A-Za-z0-9])[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9._~/?=&;#+:@!,%-]*)?")
_ORDINARY_MAILTO = lazy(r"[A-Za-z0-9._+=-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?:\?[a-z]+=[A-Za-z0-9._~=&%-]*)?")
# By the last three letters of a scheme: its offset in the key, its name, the offset of its body and its pattern.
_SCHEMES = {
    "ttp": (LEAD - 4, "http", LEAD + 3, _INERT),
    "tps": (LEAD - 5, "https", LEAD + 3, _INERT),
    "ftp": (LEAD - 3, "ftp", LEAD + 3, _INERT),
    "lto": (LEAD - 6, "mailto", LEAD + 1, _ORDINARY_MAILTO),
}
_NONE = (0, "", 0, _INERT)
_MOST_DECISIONS = 1 << 15
# A "%" that begins no escape, or that may begin a format ("%04d").
_ODD_PERCENT = lazy(r"%(?![0-9A-Fa-f]{2})|%0[1-9]")
_ENTITY = lazy(r"&(?:[lg]t|quot|nbsp);")
_SECOND = lazy(rf"[,;](?:{ANOTHER})")
# Archives of mailing lists mask every "@", even in URLs: "https://lists.h.example/a at b.example/1.html".  An address
# has a local part, so " at " after "/" is prose.
_MASKED = lazy(r" at (?<!/ at )[\w.-]+/[^\s/]")
_CLOSERS = {"<": ">", '"': '"', "'": "'", "(": ")", "[": "]"}
_TAIL = ".,:;!?"
_BEFORE = frozenset(" \t\r\n,;=>|*([" + MARKUP)
_AFTER = "<>)]" + MARKUP
# Characters before white space that open nothing for the URL after it.
_OPENS_NOTHING = frozenset(".,)!?-=\"'])}")
_MARKS = " \t\r\n\f\v\x1c\x1d\x1e\x1f\x85\xa0>|#*;%/"
_WINDOW = 80
# The characters that a placeholder may follow: "http://h/<id>".
_BEFORE_PLACEHOLDER = frozenset("/=&?+:;,._%~-")

# The context that a match depends on.
FRAGMENT, BESIDE = 1, 2


class FastMatch(NamedTuple):
    """A decision, relative to the colon.

    Attributes:
        url: as in an occurrence.
        start, end: of the URL, in characters after the colon; `start` is negative.  Of a link, after its beginning.
        outer: how far its delimiters reach beyond it on either side, in characters (0 or 1).
        scheme, style: as in an occurrence.
        look_around: FRAGMENT if it holds only where none follows its delimiter, BESIDE if only where nothing opens
            before the white space before it, and no mask and no line that may be its extension follow; else 0.
    """

    url: str
    start: int
    end: int
    outer: int
    scheme: str
    style: str
    needs_context: int

    def occurrence(self, colon: int) -> Occurrence:
        """Return the record of the URL whose colon is at text[colon]."""
        start, end = colon + self.start, colon + self.end
        outer = self.outer
        # Passing the fields by name takes three times as long.
        fields = (self.url, self.url, start, end, start - outer, end + outer, self.scheme, self.style)
        context = "link" if self.style == "markup" else "prose"
        return tuple.__new__(Occurrence, (*fields, (), (), "none", False, (), "", context))


class FastMatchCache(dict[str, FastMatch | None]):
    """Decisions by what they are made of, kept for all texts alike, and forgotten together when there are too many.

    Args:
        decide: makes one.
    """

    def __init__(self, match_fast: Callable[[str], FastMatch | None]) -> None:
        super().__init__()
        self._match_fast = match_fast

    def __missing__(self, key: str) -> FastMatch | None:
        """Compute and store the match."""
        if len(self) >= _MOST_DECISIONS:
            self.clear()
        local = self[key] = self._match_fast(key)
        return local


def match_fast(key: str) -> FastMatch | None:
    """Decide the URL whose colon is key[LEAD]; None if its surroundings must be read."""
    at, scheme, begin, ordinary = _SCHEMES.get(key[LEAD - 3 : LEAD], _NONE)
    if not at or key[at:LEAD] != scheme or not key.startswith("://"[: begin - LEAD], LEAD):
        return None
    before, after = key[at - 1], key[-1]
    body = key[begin:-1]
    closer = _CLOSERS.get(before, "")
    if closer and before not in '<"':
        # The pattern takes these along; what follows the closer is the sentence's.
        body, found, rest = body.partition(closer)
        if not found or rest.strip(_TAIL):
            return None
        after = closer
    if ordinary.fullmatch(body) is None or _is_special(body):
        return None
    end = begin + len(body)
    if before in "<\"'":
        if after != closer or body[-1] in ".,;":
            return None
        style = "angle" if before == "<" else "quotes"
        # Of "<http://h.example/a>#top" what stands behind must be looked at.
        return FastMatch(key[at:end], at - LEAD, end - LEAD, 1, scheme, style, FRAGMENT if style == "angle" else 0)
    if before not in _BEFORE or not (after.isspace() or after in _AFTER):
        return None
    # "http://mill<hostname>/x": what follows a host may complete it.
    if (after == "<" and (body[-1] in _BEFORE_PLACEHOLDER or "/" not in body)) or (before == "=" == body[-1]):
        return None
    if body[-1] in _TAIL:
        end -= len(body) - len(body.rstrip(_TAIL))
    opened = before in _MARKS and not (key[at - 2].isalnum() or key[at - 2] in _OPENS_NOTHING)
    # Of "https://lists.h.example/a at b.example/1.html" what follows must be looked at.
    masked = after == " " and end == len(key) - 1
    stopped = after in "\r\n" and key[end:-1] == "."
    return FastMatch(
        key[at:end], at - LEAD, end - LEAD, 0, scheme, "bare", BESIDE if opened or masked or stopped else 0
    )


def _is_special(body: str) -> bool:
    """Return whether the text may be several URLs, a template or another special case."""
    return (
        ("%" in body and _ODD_PERCENT.search(body) is not None)
        or "---" in body
        or ("&" in body and _ENTITY.search(body) is not None)
        or (":" in body and _SECOND.search(body) is not None)
        or ("host" in body and "port" in body)
        or ("@" in body and body.count("@") > 1)
        or body.endswith(("...", "_", "~", "&", "-"))
        or ("-" in body and "/" not in body and COMPOUND.search(body) is not None)
    )


def is_masked(text: str, end: int) -> bool:
    """Return whether a masked "@" follows the URL that ends at text[end]."""
    return text.startswith(" at ", end) and _MASKED.match(text, end) is not None


def is_valid_at(local: FastMatch, text: str, colon: int, floor: int) -> bool:
    """Return whether the match is valid at this colon: it begins after `floor`, and its context changes nothing."""
    start = colon + local.start
    if start - local.outer < floor:
        return False
    if not local.needs_context:
        return True
    if local.needs_context == FRAGMENT:
        return not text.startswith("#", colon + local.end + 1)
    end = colon + local.end
    # This check saves two calls for most URLs.
    if text.startswith((" at ", "."), end) and (is_masked(text, end) or STOP_AT_LINE_END.match(text, end)):
        return False
    window = text[max(0, start - _WINDOW) : start]
    left = window.rstrip(_MARKS)
    if left[-4:].lower() == "url:":
        return left[-5:-4].isalnum() or left[-5:-4] == "-"
    return not left.endswith("<") and (left != "" or start < _WINDOW)


# The offset of a colon, or of a link, and the match or record there; field 0 of both is the URL.
UrlMatch = tuple[int, FastMatch | Occurrence]


def to_occurrence(match: UrlMatch) -> Occurrence:
    """Return the record of a match."""
    colon, found = match
    return found.occurrence(colon) if isinstance(found, FastMatch) else found


def start_of(match: UrlMatch) -> int:
    """Return the start of a match, including its delimiters."""
    colon, found = match
    return colon + found.start - found.outer if isinstance(found, FastMatch) else found.outer_start


def end_of(match: UrlMatch) -> int:
    """Return the end of a match, including its delimiters."""
    colon, found = match
    return colon + found.end + found.outer if isinstance(found, FastMatch) else found.outer_end
