"""The common case, decided by the characters around it alone.

Nine URLs in ten are of http, https or ftp, hold ordinary characters, and end where their line's white
space or their quotation does.  Such a place is decided by a short key, the text from a few characters
before the scheme to the one after the URL, and decided once: what comes back is relative to the
colon.  Everything else, and everything that depends on more of the text, is `read.py`'s.
"""

import re
from typing import NamedTuple

# How many characters of the key stand before the colon: "https" and two more.
LEAD = 7
LONGEST_KEY = 600

_SCHEMES = ((3, "http"), (2, "https"), (4, "ftp"))
# hostport [ "/" ... ] of unreserved and ordinary reserved characters and escapes that are no format.
_ORDINARY = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]{1,5})?"
    r"(?:[/?#](?:[A-Za-z0-9._~/?=&;#+:@!,-]|%(?!0)[0-9A-Fa-f]{2}(?![A-Za-z]))*)?"
)
_TAIL = ".,:;!?"
_AROUND = frozenset(" \t\r\n,;=>|*")


class Local(NamedTuple):
    """A decision, relative to the colon.

    Attributes:
        start, end: of the URL.
        outer: how far its delimiters reach beyond it on either side, in characters (0 or 1).
        url, scheme, style: as in an occurrence.
    """

    start: int
    end: int
    outer: int
    url: str
    scheme: str
    style: str


def decide(key: str) -> Local | None:
    """Decide the URL whose colon is key[LEAD]; None if its surroundings must be read."""
    for at, scheme in _SCHEMES:
        if key[at:LEAD] == scheme:
            break
    else:
        return None
    before, after = key[at - 1], key[-1]
    body = key[LEAD + 3 : -1]
    ordinary = _ORDINARY.fullmatch(body)
    if ordinary is None or "host:" in body or "---" in body:
        return None
    if before in "\"'" or before == "<":
        closed = after == (">" if before == "<" else before)
        if not closed or body[-1] in ".,":
            return None
        return Local(at - LEAD, len(key) - 1 - LEAD, 1, key[at:-1], scheme, "angle" if before == "<" else "quotes")
    if before not in _AROUND or (before in " \t\r\n" and not _is_text(key[at - 2])):
        return None
    if not (after.isspace() or after in "<>\"") or "://" in body:
        return None
    url = key[at:-1].rstrip(_TAIL)
    return Local(at - LEAD, at - LEAD + len(url), 0, url, scheme, "bare") if len(url) > LEAD - at + 3 else None


def _is_text(char: str) -> bool:
    """Whether this, before the white space before a scheme, can open nothing for the URL."""
    return char.isalnum() or char in ".,)!?-=\"'"
