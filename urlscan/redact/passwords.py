"""Passwords in the userinfo of URLs, well-formed or not.

RFC 3986 section 3.2.1: a password stands after the first ":" of the userinfo, up to the "@".  People
write passwords that hold a raw "/", "?", "#", "@", quotation mark or blank, and mail programs break
them over lines.  So after "//user:" everything is taken for the password up to the *last* "@" before
the next white space, and over a few breaks where no host has come yet, unless

- what follows the colon is a port ("http://h:8080/@user", "http://h:80 joe@h"), or
- the userinfo is well-formed and a whole host follows, so that it ends there.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# Each pattern stops where its next match may begin, or is bounded, so that time is linear.
# CPython before 3.11.5 loses its way in possessive groups (gh-106052): those are atomic.
_USER = r"[^\s/?#:<>\"]*+(?>(?:(?:[<>\"](?=\w)|>(?=:))[^\s/?#:<>\"]*+)*)"
_NO_PORT = r"(?!\d{1,5}(?:[/?#\s]|\Z))(?=\S)"
_HEAD = rf"//(?!/)(?P<user>{_USER}):{_NO_PORT}"
# "http:/u:p@h", "http:u:p@h", "http:\\u:p@h": RFC 3986 has no userinfo there, but people do.
_SLOPPY = rf":(?<=[a-zA-Z]:)(?!//[^/\\])(?=[/\\]{{0,8}}+(?P<user>[^\s/?#:<>\"\\]*+):{_NO_PORT})"
_SLOPPY_SCHEME = (
    r"(?i)(?<![\w+.-])(?:https?|ftps?|sftp|ssh|telnet|gopher|nntp|wais|imaps?|smtps?|ldaps?|wss?|rtsp|redis|amqps?"
    r"|mysql|postgres(?:ql)?|mongodb|smb|(?P<sip>sips?))\Z"
)
# RFC 3261 section 25.1:  userinfo = ( user / telephone-subscriber ) [ ":" password ] "@"
# Without its "@", what follows the colon of "sip:h:5060;lr" is a port.
_SIP_USERINFO = r"[^\s<>\"@]{1,256}@"
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*+:"
_BEFORE = rf"(?P<opener>[\"'`<(\[{{])?(?:(?i:url):\s?)?(?<![A-Za-z0-9+.-]){_SCHEME}\Z"
_CLOSER = {'"': '"', "'": "'", "`": "`", "<": ">", "(": ")", "[": "]", "{": "}"}
# "//[::1]:80/", and with a user: the colons of an address begin no password.
_IP_LITERAL = r"(?:[^\s/?#@]*@)?\[[\w:.%~-]*\](?::\d{0,5})?(?![\w@:.%-])"
# RFC 3986 section 3.2.2, what shows that it is one: a name with a dot, an address, a port.
_HOST = (
    r"(?:(?:(?>(?:[\w-]++\.)+)[A-Za-z][\w-]++\.?|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:.]*\])(?::\d{0,5})?"
    r"|[\w-]++:\d{1,5})(?![\w:%@-])"
)
_BREAK = r"\s[\s>|#*/;]{0,40}"
# The next word is the rest of a password if it goes on up to an "@" at once.
_WORD_AT = r"[^\s<>\"'@/:]{1,256}@[\w\[]"
_GOES_ON = rf"(?:[\"'<>`),;\]}}|]|{_BREAK})(?!{_SCHEME}){_WORD_AT}"
_PATH_GOES_ON = rf"[\"'<>`](?!{_SCHEME}){_WORD_AT}"
_WHOLE = rf"{_HOST}(?:[/?#][^\s<>\"'`@]*+(?!{_PATH_GOES_ON})|(?!{_GOES_ON}))(?=[\s<>\"'`),;\]}}|]|\Z)"
_PORT = r"\d{1,5}(?:[/?#\\`\s]|\Z|[\"<>](?![\w.%+-]{1,256}@)|[^\w\s@]{1,8}(?:\s|\Z)|[,;|][A-Za-z][A-Za-z0-9+.-]{1,15}:)"
# A port of too many digits, which is no password unless an "@" follows.
_LARGE_PORT = r"\d{6,}(?:[/?#\s]|\Z)"
# Said of a URL by itself: "http://h:$PORT/", "http://h:8o/" have no password that was cut.
_ODD_PORT = r"(?:\{[^{}\s]*\}+|\$\w+|\$\{\w+\}|<[\w .-]{1,40}>|%[sd]|(?i:port)|\d\w{0,2})(?=[/?#]|\Z)"
_ODD_PORT_STARTS = frozenset("0123456789{$<%pP\"'`>)]}")
# What is shorter than a piece of a password that would tell something.
_SOME_HOST = rf"{_HOST}|[\w-]{{1,3}}(?:[/?#]|\Z)"
# How a host begins that has no letter first: an IP literal, a label of a service, a placeholder.
_HOST_STARTS = "[_{$<%*"
_SCHEMES_AS_USER = frozenset(("http", "https", "ftp", "gopher", "file"))
_MOST_BREAKS = 3
# The word behind a break that begins a URL is not the rest of another.
_NEW_URL = rf"[\"'(<\[]*(?:{_SCHEME}//|(?i:mailto|sips?|xmpp|news|acct):)"

Spans = list[tuple[int, int]]


class _Head(NamedTuple):
    """What stands before a password: "//user:".

    Attributes:
        start: where its "//" or, without that, the colon of its scheme stands.
        user: the user's name.
        end: where the password begins.
        crosses: whether it may go on over a break.
    """

    start: int
    user: str
    end: int
    crosses: bool


_compiled = functools.cache(re.compile)


def may_hold_password(url: str) -> bool:
    """Return whether `passwords` may find something in `url`: a "//user:" that no port follows. A quick look."""
    return _compiled(_HEAD).search(url) is not None or _compiled(_SLOPPY).search(url) is not None


def passwords(text: str, start: int = 0, stop: int | None = None, *, cut: bool = False) -> Spans:
    """Return the places of passwords that begin behind a "//user:" in text[start:stop], in order.

    One may end behind `stop`, and hold the beginning of another.
    """
    if not cut and text.find("@", start) < 0:
        return []
    return _passwords(_Reader(text, cut), text, start, len(text) if stop is None else stop)


def passwords_of(text: str, places: Iterable[tuple[int, int]]) -> Iterator[Spans]:
    """Yield what `passwords` returns of each of many places, which come in order, after one pass over the text."""
    reader = _Reader(text, cut=False)
    return (_passwords(reader, text, start, stop) for start, stop in places)


def _passwords(reader: "_Reader", text: str, start: int, stop: int) -> Spans:
    spans = []
    for head in _heads(text, start, stop):
        end = reader.end(head)
        if end > head.end:
            spans.append((head.end, end))
    return spans


def _heads(text: str, start: int, stop: int) -> list[_Head]:
    """Return what stands before a password may, in order."""
    reach = min(len(text), stop + 1024)  # what is looked ahead for
    found = []
    for match in _compiled(_HEAD).finditer(text, start, reach):
        if match.start() >= stop:
            break
        found.append(_Head(match.start(), match["user"], match.end(), _is_behind_scheme(text, match.start())))
    scheme, sloppy = _compiled(_SLOPPY_SCHEME), []
    for match in _compiled(_SLOPPY).finditer(text, start, reach):
        at = match.start()
        if at >= stop:
            break
        slash = text[at + 1] in "/\\"  # "ssh:joe@h:x" without one has no password
        if not (slash or "@" not in match["user"]):
            continue
        named = scheme.search(text[max(at - 12, 0) : at])
        if named is None or (named["sip"] and not _compiled(_SIP_USERINFO).match(text, match.end("user") + 1)):
            continue
        sloppy.append(_Head(at, match["user"], match.end("user") + 1, slash))
    if sloppy:
        known = {head.end for head in found}
        found += [head for head in sloppy if head.end not in known]
        found.sort(key=lambda head: head.end)
    return found


def _is_behind_scheme(text: str, at: int) -> bool:
    """Return whether text[at] follows a ":", slashes aside, or a delimiter, which no comment of a program does."""
    return text[max(at - 8, 0) : at].rstrip("/\\").endswith((":", "<", '"'))


class _Cursor:
    """The next match of a pattern; asked for in rising order, it costs one pass over the text in all."""

    __slots__ = ("_found", "_search", "_text")

    def __init__(self, pattern: str, text: str) -> None:
        self._search = _compiled(pattern).search
        self._text = text
        self._found = -1

    def behind(self, offset: int) -> int:
        """Return where the first match at or behind `offset` begins, or the end of the text."""
        if self._found < offset:
            match = self._search(self._text, offset)
            self._found = match.start() if match is not None else len(self._text)
        return self._found


class _Reader:
    """Finds the ends of passwords, in rising order; what has been looked for is remembered."""

    __slots__ = ("_at", "_blank", "_broken", "_closers", "_cut", "_last", "_stop", "_text")

    def __init__(self, text: str, cut: bool) -> None:
        self._text = text
        self._cut = cut
        self._at = _Cursor("@", text)
        self._blank = _Cursor(r"\s", text)
        self._stop = _Cursor(r"[\s/?#<>\"]", text)
        self._closers: dict[str, _Cursor] = {}
        self._last = (-1, -1)
        self._broken = (-1, -1)

    def end(self, head: _Head) -> int:
        """Return where the password behind `head` ends; -1 if there is none."""
        text, (first, user, start, crosses) = self._text, head
        if self._is_host(user, start) or _compiled(_PORT).match(text, start):
            return -1
        if not self._cut and self._at.behind(start) == len(text):
            return -1
        limit = self._blank.behind(start)
        if text[start] in _ODD_PORT_STARTS and self._is_odd_port(first, start, limit):
            return -1
        # "http://h:999999/ jo@h" has a port that is too large.
        crosses = crosses and text[start] not in "/?#" and not _compiled(_LARGE_PORT).match(text, start)
        # "ssh://git@github.com:org/repo.git@v1" is no URL, but no password either.
        end = self._in_run(start, limit, only_userinfo=user.startswith(("git@", "hg@")))
        if crosses and (end < 0 or self._goes_on(end + 1)) and not user.startswith(("git@", "hg@")):
            end = max(end, self._over_breaks(limit))
        if self._cut and limit == len(text) and self._is_cut(start, end, user):
            return limit
        return end

    def _is_host(self, user: str, start: int) -> bool:
        """Return whether `user`, up to text[start - 1], is a host, a drive or a scheme and no user."""
        text = self._text
        if "[" in user and _compiled(_IP_LITERAL).match(text, start - 1 - len(user)):
            return True
        # "file://c:/x", "http://http://x/@y"
        drive = len(user) == 1 and user.isalpha() and text[start] == "/"
        return drive or (text.startswith("//", start) and user.lower() in _SCHEMES_AS_USER)

    def _is_odd_port(self, first: int, start: int, limit: int) -> bool:
        """Return whether what opened right before the URL closes behind a port: `"http://h:$PORT","joe@h"`."""
        text = self._text
        before = _compiled(_BEFORE).search(text[max(first - 48, 0) : first + text.startswith(":", first)])
        opener = before["opener"] if before is not None else None
        if opener is None:
            return False
        cursor = self._closers.get(opener)
        if cursor is None:
            closer = re.escape(_CLOSER[opener])
            cursor = self._closers[opener] = _Cursor(rf"{closer}(?=[\s,;:.()\[\]{{}}<>\"'\\]|\Z)", text)
        closed = cursor.behind(start)
        if closed >= min(limit, self._at.behind(start)):
            return False
        port = text[start : min(closed, start + 64)]
        return not port or port.isdecimal() or _compiled(_ODD_PORT).match(port) is not None

    def _in_run(self, start: int, limit: int, *, only_userinfo: bool) -> int:
        """Return where a password ends that goes on up to an "@" before `limit`, or -1."""
        text, at = self._text, self._at.behind(start)
        if at >= limit:
            return -1
        stop = self._stop.behind(start)
        if at < stop:
            if at == start:  # an empty one, unless another "@" stands in the authority
                last = text.rfind("@", start, min(stop, limit))
                return last if last > start else start
            if _compiled(_WHOLE).match(text, at + 1):
                return at
        elif only_userinfo:
            return -1
        if self._last[0] != limit:
            self._last = (limit, text.rfind("@", start, limit))
        return self._last[1]

    def _goes_on(self, at: int) -> bool:
        """Return whether what follows the "@" before `at` is no host that would end the URL."""
        text = self._text
        if _compiled(_WHOLE).match(text, at):
            return False
        host = _compiled(_HOST).match(text, at)
        return host is None or _compiled(_GOES_ON).match(text, host.end()) is not None

    def _over_breaks(self, limit: int) -> int:
        """Return the last "@" that a password reaches over the break at `limit`, or -1."""
        if self._broken[0] == limit:
            return self._broken[1]
        text, found, at = self._text, -1, limit
        for _ in range(_MOST_BREAKS):
            gap = _compiled(_BREAK).match(text, at)
            if gap is None or _compiled(_NEW_URL).match(text, gap.end()):
                break
            blank = _compiled(r"\s|\Z").search(text, gap.end())
            at = blank.start() if blank is not None else len(text)
            last = text.rfind("@", gap.end(), at)
            after = _compiled(_BREAK).match(text, last + 1)  # in flowed text the host may be in the next line
            host = last + 1 if after is None else after.end()
            first = text[host : host + 1]
            if last >= 0 and (first.isalnum() or (first and first in _HOST_STARTS)):
                found = last
                if not self._goes_on(last + 1):
                    break
        self._broken = (limit, found)
        return found

    def _is_cut(self, start: int, end: int, user: str) -> bool:
        """Return whether a URL that ends the text may end in a password."""
        text = self._text
        if user.startswith(("git@", "hg@")) or text[start] in "/?#":
            return False
        if end < 0:
            # Of "http://jo:123456" the rest may be missing; a host with a dot has a port.
            digits = _compiled(_LARGE_PORT).match(text, start)
            if digits is not None and ("." in user or digits.end() < len(text)):
                return False
            return _compiled(_ODD_PORT).match(text, start) is None
        return end > start and _compiled(_SOME_HOST).match(text, end + 1) is None
