"""Find passwords in the userinfo of URLs, well-formed or not.

RFC 3986 section 3.2.1: the password is between the first ":" of the userinfo and the "@".  Passwords in practice
contain an unescaped "/", "?", "#", "@", quotation mark or space, and mail programs break them over lines.  After
"//user:" everything is therefore treated as a password up to the *last* "@" before the next white space, and over a
few line breaks if no host was found, unless

- a port follows the colon ("http://h:8080/@user", "http://h:80 joe@h"), or
- the userinfo is well-formed and a complete host follows, so that the password ends there.

Two forms have no "//" before the user: "/user:password@host" in the path of a URL, as proxies and mirrors write it, and
"jdbc:oracle:thin:user/password@".
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import match_end, start_or
from urlscan.core.record import NamedTuple

# Each pattern stops where its next match may begin, or is bounded, so that time is linear.
# CPython before 3.11.5 mishandles possessive quantifiers in groups (gh-106052): those groups are atomic.
_USER = r"[^\s/?#:<>\"]*+(?>(?:(?:[<>\"](?=\w)|>(?=:))[^\s/?#:<>\"]*+)*)"
_NO_PORT = r"(?!\d{1,5}(?:[/?#\s]|\Z))(?=\S)"
# "file:///C:\\a": the letter of a drive is no user.
_DRIVE = r"(?:(?<=(?i:file)://)|(?<=(?i:file):///))[A-Za-z]:\\"
# It begins with a literal, without which the search of a text takes ten times as long.
_HEAD = rf"//(?!/|{_DRIVE})(?P<user>{_USER}):{_NO_PORT}"
# "http:/u:p@h", "http:u:p@h", "http:\\u:p@h": RFC 3986 has no userinfo here, but these forms occur.  The schemes below
# end in one of seven letters.
_SLOPPY = (
    r":(?=\S)(?!//[^/\\])(?<=[bhlprstBHLPRST]:)"
    rf"(?=[/\\]{{0,8}}+(?P<user>[^\s/?#:<>\"\\]*+):{_NO_PORT})"
)
# Matches: `http`, `HTTPS`, `postgresql`, `sips`
# Does not match: `xhttp`, `urn`, `http:`
_SLOPPY_SCHEME = r"""(?ix)
    (?<![\w+.-])
    (?: https? | ftps? | sftp | ssh | telnet | gopher | nntp | wais | imaps? | smtps? | ldaps? | wss? | rtsp | redis
      | amqps? | mysql | postgres(?:ql)? | mongodb | smb | (?P<sip> sips? )
    )\Z
"""
# JDBC Developer's Guide of Oracle:  jdbc:oracle:driver_type:[username/password]@database_specifier
_ORACLE = r"jdbc:oracle:\w{1,8}:(?P<user>[^\s/@\"]{1,64})/(?=[^\s@])"
# RFC 3261 section 25.1:  userinfo = ( user / telephone-subscriber ) [ ":" password ] "@"
# Without "@", the text after the colon of "sip:h:5060;lr" is a port.
_SIP_USERINFO = r"[^\s<>\"@]{1,256}@"
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*+:"
_BEFORE = rf"(?P<opener>[\"'`<(\[{{])?(?:(?i:url):\s?)?(?<![A-Za-z0-9+.-]){_SCHEME}\Z"
_CLOSER = {'"': '"', "'": "'", "`": "`", "<": ">", "(": ")", "[": "]", "{": "}"}
# "//[::1]:80/", possibly with a user: a password does not begin at a colon of an address.
_IP_LITERAL = r"(?:[^\s/?#@]*@)?\[[\w:.%~-]*\](?::\d{0,5})?(?![\w@:.%-])"
# RFC 3986 section 3.2.2; recognizable hosts: a name with a dot, an address, a port.
_NAME = r"(?>(?:[\w-]++\.)+)[A-Za-z][\w-]++"
_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}|\[[0-9A-Fa-f:.]*\]"
# Matches: `h.example`, `h.example:80`, `localhost:`, `192.0.2.1`, `[::1]:80`, `h:80`
# Does not match: `h`, `h.example@`, `h.1`, `h:port`
_HOST = rf"(?:(?:{_NAME}|localhost|{_ADDRESS})(?::\d{{0,5}})?|[\w-]++:\d{{1,5}})(?![\w:%@-])"
# A second userinfo, in the path of a URL, before a recognizable host. It is found from its colon, since few colons have
# an "@" after them. The user is not the scheme of an address. There is one in `/joe:s3cret@h.example/`, but not in
# `//joe:s@h.example`, `/mailto:joe@h.example`, `/nginx:1.2@sha256:0a1b`, `/Talk:Joe@Home` and `/@joe:h`.
# A quotation mark or an angle bracket may divide the password, if a word continues.
_IN_PATH = r"[^\s/?#@<>\"]{1,256}+(?:[<>\"](?=\w)[^\s/?#@<>\"]{1,256}+)?@"
_COLON = rf":(?<!/:)(?<!(?i:mailto):)(?={_IN_PATH})"
_ADDRESS_SCHEMES = "acct|cid|e-?mail|h323|im|mailto|mid|news|pres|sips?|xmpp"
_USER_IN_PATH = rf"(?<!/)/(?!(?i:{_ADDRESS_SCHEMES}):)(?P<user>[^\s/?#:@<>\"]{{1,64}}):\Z"
_PASSWORD_IN_PATH = rf"{_IN_PATH}(?:{_HOST}|{_NAME}(?=:[^@]))"  # a malformed port makes a name no other thing
_BREAK = r"\s[\s>|#*/;]{0,40}"
# The next word is the rest of a password if it continues up to an "@" without interruption.
_WORD_AT = r"[^\s<>\"'@/:]{1,256}@[\w\[]"
_CONTINUES = rf"(?:[\"'<>`),;\]}}|]|{_BREAK})(?!{_SCHEME}){_WORD_AT}"
_PATH_GOES_ON = rf"[\"'<>`](?!{_SCHEME}){_WORD_AT}"
_WHOLE = rf"{_HOST}(?:[/?#][^\s<>\"'`@]*+(?!{_PATH_GOES_ON})|(?!{_CONTINUES}))(?=[\s<>\"'`),;\]}}|]|\Z)"
_AFTER_PORT = r"[/?#\\`\s]|\Z|[\"<>](?![\w.%+-]{1,256}@)|[^\w\s@]{1,8}(?:\s|\Z)|[,;|][A-Za-z][A-Za-z0-9+.-]{1,15}:"
# Matches: `80`, `80/`, `80, `, `80|http:`
# Does not match: `8o`, `80x@`, `123456`
_PORT = rf"\d{{1,5}}(?:{_AFTER_PORT})"
# A port of too many digits, which is no password unless an "@" follows.
_LARGE_PORT = r"\d{6,}(?:[/?#\s]|\Z)"
# For a single URL: "http://h:$PORT/" and "http://h:8o/" do not contain a password that was cut.
_ODD_PORT = r"(?:\{[^{}\s]*\}+|\$\w+|\$\{\w+\}|<[\w .-]{1,40}>|%[sd]|(?i:port)|\d\w{0,2})(?=[/?#]|\Z)"
_ODD_PORT_STARTS = frozenset("0123456789{$<%pP\"'`>)]}")
# Too short for a part of a password that reveals anything.
_SOME_HOST = rf"{_HOST}|[\w-]{{1,3}}(?:[/?#]|\Z)"
# Beginnings of hosts other than letters: an IP literal, a label of a service, a placeholder.
_HOST_STARTS = "[_{$<%*"
_SCHEMES_AS_USER = frozenset(("http", "https", "ftp", "gopher", "file"))
_MOST_BREAKS = 3
# A word after a break that begins a URL is not the rest of another URL.
_NEW_URL = rf"[\"'(<\[]*(?:{_SCHEME}//|(?i:mailto|sips?|xmpp|news|acct):)"

# The patterns of `may_hold_password`.
_HEADS = (_HEAD, _SLOPPY, _COLON, _ORACLE)

Spans = list[tuple[int, int]]


class _Head(NamedTuple):
    """The text before a password: "//user:".

    Attributes:
        start: the offset of its "//" or, without one, of the colon of its scheme.
        user: the name of the user.
        end: the offset at which the password begins.
        crosses: whether it may continue over a break.
    """

    start: int
    user: str
    end: int
    crosses: bool


_compiled = functools.cache(re.compile)


def may_hold_password(url: str) -> bool:
    """Return whether `passwords` may find something in `url`: a "//user:" without a port. This is a fast check."""
    if url.count(":") < 2 and "//" not in url.partition(":")[0]:  # the only colon is that of the scheme
        return False
    return any(_compiled(pattern).search(url) is not None for pattern in _HEADS)


def passwords(text: str, *, cut: bool = False) -> Spans:
    """Return the spans of passwords that begin after a "//user:", in order. One may contain the beginning of another.

    `cut` tells whether the text may be a URL that ends inside a password.
    """
    if not cut and "@" not in text:
        return []
    reader = _Reader(text, cut)
    spans = [(head.end, reader.end(head)) for head in _heads(text)]
    return [span for span in spans if span[0] < span[1]]


def _heads(text: str) -> list[_Head]:
    """Return the heads of possible passwords, in order."""
    heads: dict[int, _Head] = {}
    for head in (*_sloppy_heads(text), *_path_heads(text)):
        heads.setdefault(head.end, head)
    for match in _compiled(_ORACLE).finditer(text):
        heads.setdefault(match.end(), _Head(match.start(), match["user"], match.end(), False))
    for match in _compiled(_HEAD).finditer(text):
        # The "//" follows a ":", apart from slashes, or a delimiter. That of a comment of a program does not.
        before = text[max(match.start() - 8, 0) : match.start()].rstrip("/\\")
        crosses = before.endswith((":", "<", '"'))
        heads[match.end()] = _Head(match.start(), match["user"], match.end(), crosses)
    return [heads[end] for end in sorted(heads)]


def _sloppy_heads(text: str) -> Iterator[_Head]:
    """Yield the heads of passwords of URLs without "//"."""
    for match in _compiled(_SLOPPY).finditer(text):
        colon = match.start()
        has_slash = text[colon + 1] in "/\\"
        if not has_slash and "@" in match["user"]:  # "ssh:joe@h:x" without a slash has no password
            continue
        scheme = _compiled(_SLOPPY_SCHEME).search(text[max(colon - 12, 0) : colon])
        if scheme is None or (scheme["sip"] and not _compiled(_SIP_USERINFO).match(text, match.end("user") + 1)):
            continue
        yield _Head(colon, match["user"], match.end("user") + 1, has_slash)


def _path_heads(text: str) -> Iterator[_Head]:
    """Yield the heads of passwords in paths."""
    position, scheme = 0, -1  # the colon of the scheme, or "www.", of the URL that contains text[position], or -1
    for match in _compiled(_COLON).finditer(text):
        colon = match.start()
        user = _compiled(_USER_IN_PATH).search(text[max(colon - 66, 0) : colon + 1])
        if user is None or _compiled(_PASSWORD_IN_PATH).match(text, colon + 1) is None:
            continue
        last = max(text.rfind("://", position, colon), text.rfind("www.", position, colon))
        if last >= 0:
            position, scheme = last, last
        if _compiled(r"\s").search(text, position, colon) is not None:
            scheme = -1
        position = colon
        if scheme >= 0:
            yield _Head(scheme, user["user"], colon + 1, False)


class _Cursor:
    """The next match of a pattern. Queries in ascending order take one pass over the text in total."""

    __slots__ = ("_next", "_search", "_text")

    def __init__(self, pattern: str, text: str) -> None:
        self._search = _compiled(pattern).search
        self._text = text
        self._next = -1

    def next_at(self, offset: int) -> int:
        """Return the start of the first match at or after `offset`, or the end of the text."""
        if self._next < offset:
            self._next = start_or(self._search(self._text, offset), len(self._text))
        return self._next


class _Reader:
    """Find the ends of passwords in ascending order, remembering the results of searches."""

    __slots__ = ("_at", "_blank", "_broken", "_closers", "_cut", "_delimiter", "_last", "_text")

    def __init__(self, text: str, cut: bool) -> None:
        self._text = text
        self._cut = cut
        self._at = _Cursor("@", text)
        self._blank = _Cursor(r"\s", text)
        self._delimiter = _Cursor(r"[\s/?#<>\"]", text)
        self._closers: dict[str, _Cursor] = {}
        self._last = (-1, -1)
        self._broken = (-1, -1)

    def end(self, head: _Head) -> int:
        """Return the end of the password after `head`, or -1 if there is none."""
        text, first, user, start, crosses = self._text, head.start, head.user, head.end, head.crosses
        if self._is_host(user, start) or _compiled(_PORT).match(text, start):
            return -1
        if not self._cut and self._at.next_at(start) == len(text):
            return -1
        limit = self._blank.next_at(start)
        if text[start] in _ODD_PORT_STARTS and self._is_odd_port(first, start, limit):
            return -1
        # "http://h:999999/ jo@h" has a port that is out of range.
        crosses = crosses and text[start] not in "/?#" and not _compiled(_LARGE_PORT).match(text, start)
        # "ssh://git@github.com:org/repo.git@v1" is not a URL, but does not contain a password either.
        end = self._in_run(start, limit, only_userinfo=user.startswith(("git@", "hg@")))
        if crosses and (end < 0 or self._continues(end + 1)) and not user.startswith(("git@", "hg@")):
            end = max(end, self._over_breaks(limit))
        is_complete = end >= 0 and not head.crosses
        if self._cut and limit == len(text) and not is_complete and self._is_cut(start, end, user):
            return limit
        return end

    def _is_host(self, user: str, start: int) -> bool:
        """Return whether `user`, up to text[start - 1], is a host, a drive or a scheme rather than a user."""
        text = self._text
        if "[" in user and _compiled(_IP_LITERAL).match(text, start - 1 - len(user)):
            return True
        # "file://c:/x", "http://http://x/@y"
        drive = len(user) == 1 and user.isalpha() and text[start] == "/"
        return drive or (text.startswith("//", start) and user.lower() in _SCHEMES_AS_USER)

    def _is_odd_port(self, first: int, start: int, limit: int) -> bool:
        """Return whether the delimiter opened before the URL closes after a port: `"http://h:$PORT","joe@h"`."""
        text = self._text
        before = _compiled(_BEFORE).search(text[max(first - 48, 0) : first + text.startswith(":", first)])
        if before is None or (opener := before["opener"]) is None:
            return False
        cursor = self._closers.get(opener)
        if cursor is None:
            closer = re.escape(_CLOSER[opener])
            cursor = self._closers[opener] = _Cursor(rf"{closer}(?=[\s,;:.()\[\]{{}}<>\"'\\]|\Z)", text)
        closed = cursor.next_at(start)
        if closed >= min(limit, self._at.next_at(start)):
            return False
        port = text[start : min(closed, start + 64)]
        return not port or port.isdecimal() or _compiled(_ODD_PORT).match(port) is not None

    def _in_run(self, start: int, limit: int, *, only_userinfo: bool) -> int:
        """Return the end of a password that continues up to an "@" before `limit`, or -1."""
        text, at_sign = self._text, self._at.next_at(start)
        if at_sign >= limit:
            return -1
        delimiter = self._delimiter.next_at(start)
        if at_sign < delimiter:
            if at_sign == start:  # an empty password, unless the authority contains another "@"
                return text.rfind("@", start, min(delimiter, limit))
            if _compiled(_WHOLE).match(text, at_sign + 1):
                return at_sign
        elif only_userinfo:
            return -1
        if self._last[0] != limit:
            self._last = (limit, text.rfind("@", start, limit))
        return self._last[1]

    def _continues(self, start: int) -> bool:
        """Return whether the text after the "@" before `start` is not a host that would end the URL."""
        text = self._text
        if _compiled(_WHOLE).match(text, start):
            return False
        host = _compiled(_HOST).match(text, start)
        return host is None or _compiled(_CONTINUES).match(text, host.end()) is not None

    def _over_breaks(self, limit: int) -> int:
        """Return the last "@" that a password reaches over the break at `limit`, or -1."""
        if self._broken[0] == limit:
            return self._broken[1]
        text, end, position = self._text, -1, limit
        for _ in range(_MOST_BREAKS):
            break_ = _compiled(_BREAK).match(text, position)
            if break_ is None or _compiled(_NEW_URL).match(text, break_.end()):
                break
            position = start_or(_compiled(r"\s").search(text, break_.end()), len(text))
            last = text.rfind("@", break_.end(), position)
            # In flowed text the host may be on the next line.
            host = match_end(_compiled(_BREAK), text, last + 1)
            first = text[host : host + 1]
            if last >= 0 and (first.isalnum() or (first and first in _HOST_STARTS)):
                end = last
                if not self._continues(last + 1):
                    break
        self._broken = (limit, end)
        return end

    def _is_cut(self, start: int, end: int, user: str) -> bool:
        """Return whether a URL at the end of the text may end inside a password."""
        text = self._text
        if user.startswith(("git@", "hg@")) or text[start] in "/?#":
            return False
        if end < 0:
            # The rest of "http://jo:123456" may be missing; a host with a dot has a port.
            digits = _compiled(_LARGE_PORT).match(text, start)
            if digits is not None and ("." in user or digits.end() < len(text)):
                return False
            return _compiled(_ODD_PORT).match(text, start) is None
        return end > start and _compiled(_SOME_HOST).match(text, end + 1) is None
