"""The common case, decided by the characters around it alone.

Nine URLs in ten are of http, https or ftp, hold ordinary characters, and end where their line's white
space or their quotation does.  Such a place is decided by a short key, the text from a few characters
before the scheme to the one after the URL, and decided once: what comes back is relative to the
colon.  Everything else, and everything that depends on more of the text, is `read.py`'s.
"""

import re
from typing import NamedTuple

# How many characters of the key stand before the colon: "mailto" and two more.
LEAD = 8

# The offset in the key at which each scheme begins, and what follows its colon.
_SCHEMES = ((4, "http", "//"), (3, "https", "//"), (2, "mailto", ""), (5, "ftp", "//"))
# hostport [ "/" ... ] of unreserved and ordinary reserved characters and escapes that are no format.
_ORDINARY = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]{1,5})?"
    r"(?:[/?#](?:[A-Za-z0-9._~/?=&;#+:@!,-]|%(?!0[1-9])[0-9A-Fa-f]{2})*)?"
)
_ORDINARY_MAILTO = re.compile(
    r"[A-Za-z0-9._+=-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?:\?[a-z]+=(?:[A-Za-z0-9._~=&-]|%(?!0[1-9])[0-9A-Fa-f]{2})*)?"
)
_ENTITY = re.compile(r"&(?:[lg]t|quot|nbsp);")
_SECOND = re.compile(r"[,;][A-Za-z][A-Za-z0-9+.-]*://")
_CLOSERS = {"<": ">", '"': '"', "'": "'", "(": ")", "[": "]"}
_TAIL = ".,:;!?"
_BEFORE = frozenset(" \t\r\n,;=>|*([")
# What stands before white space and opens nothing for the URL after it.
_OPENS_NOTHING = frozenset(".,)!?-=\"'])}")
_MARKS = " \t\r\n>|#*;%/"
_WINDOW = 80


class Local(NamedTuple):
    """A decision, relative to the colon.

    Attributes:
        start, end: of the URL.
        outer: how far its delimiters reach beyond it on either side, in characters (0 or 1).
        url, scheme, style: as in an occurrence.
        look_left: whether it holds only if nothing opens before the white space before it.
    """

    start: int
    end: int
    outer: int
    url: str
    scheme: str
    style: str
    look_left: bool


def decide(key: str) -> Local | None:
    """Decide the URL whose colon is key[LEAD]; None if its surroundings must be read."""
    for at, scheme, slashes in _SCHEMES:
        if key[at:LEAD] == scheme:
            break
    else:
        return None
    before, after = key[at - 1], key[-1]
    body = key[LEAD + 1 + len(slashes) : -1]
    closer = _CLOSERS.get(before, "")
    if closer and before not in '<"':
        # The pattern takes these along; what follows the closer is the sentence's.
        body, found, rest = body.partition(closer)
        if not found or rest.strip(_TAIL):
            return None
        after = closer
    if (_ORDINARY if slashes else _ORDINARY_MAILTO).fullmatch(body) is None or _is_special(body):
        return None
    end = LEAD + 1 + len(slashes) + len(body)
    if before in "<\"'":
        style = "angle" if before == "<" else "quotes"
        if after != closer or body[-1] in ".,":
            return None
        return Local(at - LEAD, end - LEAD, 1, key[at:end], scheme, style, False)
    if before not in _BEFORE or not (after.isspace() or after in "<>\")]"):
        return None
    if body[-1] in _TAIL:
        end -= len(body) - len(body.rstrip(_TAIL))
    look_left = before in " \t\r\n" and not (key[at - 2].isalnum() or key[at - 2] in _OPENS_NOTHING)
    return Local(at - LEAD, end - LEAD, 0, key[at:end], scheme, "bare", look_left)


def _is_special(body: str) -> bool:
    """Whether it holds a rule drawn with hyphens, an entity of markup, a placeholder or a second URL."""
    return (
        "---" in body
        or ("&" in body and _ENTITY.search(body) is not None)
        or ("://" in body and _SECOND.search(body) is not None)
        or body.startswith("host:")
    )


def opens_nothing(text: str, start: int) -> bool:
    """Whether neither "<" nor "URL:" stands before the white space and the marks before text[start]."""
    window = text[max(0, start - _WINDOW) : start]
    left = window.rstrip(_MARKS)
    return not left.endswith("<") and left[-4:].lower() != "url:" and (left != "" or start < _WINDOW)
