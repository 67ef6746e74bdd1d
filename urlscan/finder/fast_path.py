"""Match common URLs by a short key.

Nine of ten URLs are http, https or ftp URLs of common characters that end at white space or at their quotation mark.
The key is the text from a few characters before the scheme to the character after the URL.  The result is relative to
the colon, so that it is computed once for all URLs with the same key.  `read.py` handles all others.
"""

import functools
import re

from urlscan.core.document import MARKUP
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import Style
from urlscan.finder.anchors import ANOTHER, COMPOUND, DELIMITER_REFERENCE, PREFIX, STOP_AT_LINE_END
from urlscan.uri.grammar.simple import GLUED_PATTERN

# How many characters of the key precede the colon: "mailto" and two more.
LEAD = 8

# RFC 3986 section 3.2, 3.3:  host [ ":" port ] [ path-abempty ] [ "?" query ] [ "#" fragment ]
# of unreserved and common reserved characters; `_is_special` checks "%".
# Matches: `h.example`, `h.example:80/a?b=c#d`, `192.0.2.1/%20`
# Does not match: `-h`, `h.example/(a)`, `h.example/{a}`, `jo@h.example`
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
_MOST_KEYS = 1 << 15
# A "%" that begins no escape, or that may begin a format ("%04d").
_ODD_PERCENT = lazy(r"%(?![0-9A-Fa-f]{2})|%0[1-9]")
_REFERENCE = lazy(DELIMITER_REFERENCE)
_SECOND = lazy(rf"[,;](?:{ANOTHER})|{GLUED_PATTERN}")
# Archives of mailing lists mask every "@", even in URLs: "https://lists.h.example/a at b.example/1.html".  An address
# has a fast part, so " at " after "/" is prose.
_MASKED = lazy(r" at (?<!/ at )[\w.-]+/[^\s/]")
_CLOSERS = {"<": ">", '"': '"', "'": "'", "(": ")", "[": "]"}
# The closers that the pattern of anchors consumes with the URL; only punctuation may follow them.
_CONSUMED_CLOSERS = frozenset("'([")
# Punctuation after a URL, characters directly before one, and those directly after one besides white space.
_TAIL = ".,:;!?"
_BEFORE = frozenset(" \t\r\n,;=>|*([" + MARKUP)
_AFTER = "<>)]" + MARKUP
# Characters before white space that open nothing for the URL after it.
_OPENS_NOTHING = frozenset(".,)!?-=\"'])}")
# White space, and the marks of quotations and comments, before which an opener may be on the line before.
_MARKS = " \t\r\n\f\v\x1c\x1d\x1e\x1f\x85\xa0>|#*;%/"
# How many characters before a URL are searched for an opener.
_WINDOW = 80
# The characters that a placeholder may follow: "http://h/<id>".
_BEFORE_PLACEHOLDER = frozenset("/=&?+:;,._%~-")

_new = tuple.__new__  # calling the class takes three times as long
# The context that a match depends on.
BESIDE, TAG = 1, 2


class FastMatch(NamedTuple):
    """A common URL, relative to its colon.

    Attributes:
        url: as in a match.
        start, end: the span of the URL, in characters after the colon; `start` is negative.
        outer_start, outer_end: the same with the delimiters.
        scheme, style: as in a match.
        needs_context: BESIDE if the match is valid only without an opener before the preceding white space and without
            a masked "@" or a file extension after the URL; TAG if only before a closing tag; the sum of both;
            otherwise 0.
    """

    url: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    scheme: str
    style: Style
    needs_context: int


@functools.lru_cache(_MOST_KEYS)
def match_fast(key: str) -> FastMatch | None:
    """Return the match of the URL whose colon is key[LEAD]; None if `read` must read its context."""
    start, scheme, begin, inert = _SCHEMES.get(key[LEAD - 3 : LEAD], _NONE)
    if not start or key[start:LEAD] != scheme or not key.startswith("://"[: begin - LEAD], LEAD):
        return None
    before, body, after = key[start - 1], key[begin:-1], key[-1]
    if before in _CONSUMED_CLOSERS:
        closer = _CLOSERS[before]
        body, is_closed, rest = body.partition(closer)
        is_destination = key.startswith("](", start - 2) and body.endswith(tuple(_TAIL))
        if not is_closed or rest.strip(_TAIL) or is_destination:
            return None
        after = closer
    if inert.fullmatch(body) is None or _is_special(body):
        return None
    if before not in "<\"'":
        return _match_bare(key, start, scheme, begin, body, after)
    end = begin + len(body)
    if after != _CLOSERS[before] or key[end - 1] in ".,;":
        return None
    first, last = start - LEAD, end - LEAD
    style: Style = "angle" if after == ">" else "quotes"
    return _new(FastMatch, (key[start:end], first, last, first - 1, last + 1, scheme, style, 0))


def _match_bare(key: str, start: int, scheme: str, begin: int, body: str, after: str) -> FastMatch | None:
    """Return the match of the bare URL at key[start] whose `body` is at key[begin], or None."""
    before, end = key[start - 1], begin + len(body)
    if before not in _BEFORE or not (after.isspace() or after in _AFTER):
        return None
    if before == "=" == body[-1]:
        return None
    if body[-1] in _TAIL:
        end -= len(body) - len(body.rstrip(_TAIL))
    opened = before in _MARKS and not (key[start - 2].isalnum() or key[start - 2] in _OPENS_NOTHING)
    # "https://lists.h.example/a at b.example/1.html"
    masked = after == " " and end == len(key) - 1
    stopped = after in "\r\n" and key[end:-1] == "."
    needs_context = BESIDE if opened or masked or stopped else 0
    # "http://mill<hostname>/x": a placeholder may complete the host.
    if after == "<" and (body[-1] in _BEFORE_PLACEHOLDER or "/" not in body):
        needs_context += TAG
    first, last = start - LEAD, end - LEAD
    return _new(FastMatch, (key[start:end], first, last, first, last, scheme, "bare", needs_context))


def _is_special(body: str) -> bool:
    """Return whether the text may be several URLs, a template or another special case."""
    return (
        ("/," in body)
        or ("%" in body and _ODD_PERCENT.search(body) is not None)
        or "---" in body
        or ("&" in body and _REFERENCE.search(body) is not None)
        or (":" in body and _SECOND.search(body) is not None)
        or ("host" in body and "port" in body)
        or body.count("@") > 1
        or body.endswith(("...", "_", "~", "&", "-"))
        or ("-" in body and "/" not in body and COMPOUND.search(body) is not None)
    )


def is_masked(text: str, end: int) -> bool:
    """Return whether a masked "@" follows the URL that ends at text[end]."""
    return text.startswith(" at ", end) and _MASKED.match(text, end) is not None


def match_at(fast: FastMatch, text: str, colon: int, floor: int) -> FastMatch | None:
    """Return the match at this colon; None if it begins before `floor`, or if `read` must read its context."""
    if colon + fast.outer_start < floor:
        return None
    needs_context, start, end = fast.needs_context, colon + fast.start, colon + fast.end
    if needs_context & TAG and not text.startswith("</", end):
        return None
    if not needs_context & BESIDE:
        return fast
    # This check saves two calls for most URLs.
    if text.startswith((" at ", "."), end) and (is_masked(text, end) or STOP_AT_LINE_END.match(text, end)):
        return None
    window = text[max(0, start - _WINDOW) : start]
    context = window.rstrip(_MARKS)
    if context[-4:].lower() == "url:":
        return _match_prefixed(fast, window, context, start - floor)
    if context.endswith("<") or (not context and start >= _WINDOW):
        return None
    return fast


def _match_prefixed(fast: FastMatch, window: str, context: str, longest: int) -> FastMatch | None:
    """Return the match after `URL:`, which ends the `window` but for white space; None if `read` must read it."""
    if context[:-4].rstrip()[-1:] in ("<", ""):
        return None
    prefix = PREFIX.search(window)
    if prefix is None:
        return fast
    if len(prefix[0]) > longest:
        return None
    return fast._replace(outer_start=fast.start - len(prefix[0]), style="prefix")
