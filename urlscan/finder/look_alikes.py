"""Find look-alikes of URLs for the linter: text meant as a URL that no program recognizes.

    http//h  http;//h  http.//h  http//:h  http:://h  http：//h     the colon is missing, misplaced or another character
    http:// h  http: //h  http ://h  http:/ /h           a blank interrupts the URL

A recognizable host must follow.  Not matched: "http:// URLs", "case http: // the default", "lib/http//h.example",
"https?//h.example".  `explicit` reads the content of `<URL:...>`, which is always meant as a URL.
"""

import re
from collections.abc import Iterator

from urlscan.core.document import readable
from urlscan.core.lazy import lazy
from urlscan.core.records import Alternative, Break, Match, TextFault
from urlscan.finder.anchors import LOOK_ALIKES, SLASHES, is_known_scheme
from urlscan.finder.bare import bare_end
from urlscan.finder.delimiters import opening
from urlscan.finder.notation import notation_end
from urlscan.finder.rejoin import BreakSpan, break_at, read_angle
from urlscan.uri.grammar.domains import RESERVED, is_top_level
from urlscan.uri.grammar.misspellings import meant_scheme
from urlscan.uri.grammar.templates import placeholder_spans

# `SLASHES` finds the slashes; these patterns check the text before and after them.
_NAME = r"(?<![\w.+/\\@?-])(?P<scheme>(?i:https?|ftp))"
# The colon is missing, misplaced ("http//:h") or another character, such as the full-width one of East Asian keyboards.
_SIGN = lazy(rf"{_NAME}(?P<sign>(?:[;.,]|\uff1a|::+)?//|//:)(?=[^\s/:])")
# One or two blanks inside "://".
# Matches: `http ://`, `http: //`, `http:/ /`, `http:// `
# Does not match: `http://`, `gopher: //`, `http :/ /`
_BLANK = lazy(
    _NAME
    + r"""
    (?: (?P<a> [ \t]{1,2} ) ://
      | : (?P<b> [ \t]{1,2} ) //
      | :/ (?P<c> [ \t] ) /
      | :// (?P<d> [^\S\r\n]{1,2} )
    )
    (?= \S )
    """,
    re.VERBOSE,
)
# How many characters of a look-alike precede the second slash, and how many separate it from the host.
_LEAD, _REACH = 10, 3
_IPV4 = r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
_DOMAIN = r"(?:[\w-]+\.)+(?P<top>[^\W\d_]{2,24}|xn--[\w-]+)(?![\w.-]*\w)"
_WWW = r"(?i:www)\.[\w-]+(?:\.[\w-]+)+"
_USERINFO = r"[^\s/@<>\"]{1,64}"
# [ userinfo "@" ] host [ ":" port ] [ "/" ]
# Matches: `www.h.example`, `jo@h.example:80/`, `192.0.2.1`
# Does not match: `localhost`, `h.example.`, `192.0.2.1.5`
_HOST = lazy(rf"(?:{_USERINFO}@)?(?P<host>{_IPV4}(?![\w.])|{_WWW}|{_DOMAIN})(?P<end>:[0-9]+)?(?P<path>/)?")
# "http:// VB.NET" and "http:// config.py" are prose.
_FILES = frozenset("js md net pl pm ps py rs sh so zip".split())


def look_alikes(text: str, start: int, limit: int, floor: int) -> Iterator[Match]:
    """Yield the look-alikes of URLs whose slashes are in text[start:limit] and that begin after `floor`, in order."""
    consumed = floor
    for match in SLASHES.finditer(text, start, limit):
        begin, end = max(consumed, match.start() - _LEAD), match.end() + _REACH
        look_alike = None
        if (form := _SIGN.search(text, begin, end)) is not None:
            look_alike = _with_sign(text, form.start(), form.span("sign"), consumed)
        elif (form := _BLANK.search(text, begin, end)) is not None:
            blank = BreakSpan(*form.span(form.lastgroup or ""), "blank")
            look_alike = _rejoined(text, form.start(), blank, form.end(), form["scheme"].lower())
        if look_alike is not None:
            yield look_alike
            consumed = look_alike.outer_end


def _begins_with_host(text: str, offset: int, *, cut: bool) -> bool:
    """Return whether a host begins at text[offset]; after a blank (`cut`), names of files and programs need a path."""
    match = _HOST.match(text, offset)
    if match is None:
        return False
    top = match["top"]
    if top is None:
        return True
    if not (is_top_level(top.lower()) or top.lower() in RESERVED):
        return False
    doubtful = not top.islower() or (match["host"].count(".") == 1 and top in _FILES)
    return not (cut and doubtful and match["path"] is None)


def without_colon(url: str) -> tuple[int, int] | None:
    """Return the span of the text in place of "://" in a link destination: `https//www.h.example`; None if valid."""
    form = _SIGN.match(url)
    if form is None or not _begins_with_host(url, form.end(), cut=False):
        return None
    return form.span("sign")


def _with_sign(text: str, start: int, sign: tuple[int, int], floor: int) -> Match | None:
    """Return the look-alike with another sign in place of "://", or None; its scheme is ""."""
    if not _begins_with_host(text, sign[1], cut=False):
        return None
    opener = opening(text, start, floor)
    fault = TextFault("look-alike", *sign)
    if opener.style in ("wrapper", "angle"):
        delimited = read_angle(text, start, start, opener.start)
        if delimited is not None and delimited.prose < 0:
            return delimited.match(text, opener, "", (fault,))
    match = _bare_match(text, start, text[start : sign[1]], sign[1], "")
    return match and match._replace(faults=(fault,))


def _bare_match(text: str, start: int, head: str, body: int, scheme: str) -> Match | None:
    """Return the match of `head` and the bare URL from text[body] on; None if a placeholder is in its authority."""
    end = notation_end(text, start, body, bare_end(text, start, body))
    url, authority = readable(head + text[body:end]), re.split(r"[/?#]", text[body:end], maxsplit=1)[0]
    template = bool(placeholder_spans(url))
    if template and placeholder_spans(f"x://{authority}"):
        return None
    return Match(url, readable(text[start:end]), start, end, start, end, scheme, "bare", template=template)


def _rejoined(text: str, start: int, brk: BreakSpan, body: int, scheme: str) -> Match | None:
    """Return the URL with a break before its body; None if no host begins there."""
    if not _begins_with_host(text, body, cut=True):
        return None
    match = _bare_match(text, start, text[start : brk.start] + text[brk.end : body], body, scheme)
    break_ = Break(brk.kind, brk.start - start, brk.end - brk.start, False)
    return match and match._replace(breaks=(break_,), joined="guess")


# A scheme and its slashes that a line end divides: "http:" newline "//h.example", "https://" newline "h.example".
_DIVIDED = lazy(r":(?P<before>/{0,2})(?=[ \t]{0,2}(?:\r\n?|\n))")


def divided_scheme(text: str, start: int, colon: int, *, is_joined: bool) -> Match | None:
    """Return the URL whose "://" a line end divides before text[start:colon] and a host; None if there is none."""
    divided = _DIVIDED.match(text, colon)
    if divided is None or (brk := break_at(text, divided.end(), start)) is None or brk.kind in ("blank", "page-break"):
        return None
    slashes = "//"[len(divided["before"]) :]
    if not text.startswith(slashes, brk.end):
        return None
    match = _rejoined(text, start, brk, brk.end + len(slashes), text[start:colon].lower())
    if match is None or is_joined:
        return match
    faults = (TextFault("goes-on", brk.start, match.end),)
    return match._replace(alternatives=(Alternative(match.url, "joined"),), faults=faults)


# --- "<URL:...>"

# "<URL:telnet//h.example>": a scheme without its colon.
_NO_COLON = lazy(r"(?P<scheme>[A-Za-z][A-Za-z0-9+-]{1,15})(?P<sign>[;.,\uff1a]?//|//:)(?=[^\s/:>])")
# "<URL:www.h.example/a>" and "<URL://www.h.example/a>": a certain host begins with "www." or is an address, or a
# delimiter follows.
# Matches: `www.h.example`, `//www.h.example`, `h.example`, `192.0.2.1`
# Does not match: `h`, `localhost`, `/a`
_NO_SCHEME = lazy(
    r"""
    (?: // )?
    (?P<host> (?i: www ) \. [A-Za-z0-9-]+ (?: \. [A-Za-z0-9-]+ )*
      | (?: [A-Za-z0-9-]+ \. )+ [A-Za-z]{2,}
      | (?: [0-9]{1,3} \. ){3} [0-9]{1,3}
      | localhost (?= [:/] )
    )
    (?= [/>\s?#:] )
    """,
    re.VERBOSE,
)
# "<URL:jo@h.example>" and "<URL:../a.html>"; a single word is a placeholder ("<URL:url>").
_NO_URL = lazy(r"(?P<host>[\w.+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?=[>\s?])|(?:\.{1,2})?/\w[^\s<>]*)")
_CONTENT = lazy(r":\s*(?=\S)")


def explicit(text: str, colon: int, floor: int) -> Match | None:
    """Return the content of `<URL:...>`, after its first colon, that is not a URL; None for a URL or a placeholder."""
    content = _CONTENT.match(text, colon)
    if content is None:
        return None
    start = content.end()
    match = _NO_COLON.match(text, start)
    if match is not None and is_known_scheme(match["scheme"].lower(), frozenset()):
        fault = TextFault("look-alike", *match.span("sign"))
    else:
        match = _NO_SCHEME.match(text, start) or _NO_URL.match(text, start)
        if match is None:
            return None
        fault = TextFault("missing-scheme", *match.span("host"))
        start = match.start("host")
    opener = opening(text, start, floor)
    if opener.style != "wrapper":
        return None
    delimited = read_angle(text, start, start, opener.start)
    if delimited is None or delimited.prose >= 0:
        return None
    return delimited.match(text, opener, "", (fault,))


# --- schemes that are misspelled

_AUTHORITY = lazy(r"://(?:[^\s/?#@<>\"]*@)?(?P<host>[^\s/?#:<>\"'`|\\)]*)(?P<path>/)?")


def intended_scheme(text: str, colon: int, scheme: str) -> str:
    """Return the known scheme of which `scheme`, before text[colon], is a misspelling, or ""."""
    authority = _AUTHORITY.match(text, colon)
    if authority is None:
        return ""
    return meant_scheme(scheme, authority["host"].lower(), has_path=authority["path"] is not None)


def with_doubled_letter(text: str, start: int, colon: int, floor: int) -> int:
    r"""Return the start of a scheme whose first letters are doubled (`fftp://`, `hhttp://`); otherwise `start`.

    After a backslash the letter is an escape: "\fftp://".
    """
    before = text[max(floor, start - 3) : start]
    word = before[len(before.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")) :]
    scheme = text[start:colon].lower()
    first = start - len(word)
    if not word or not scheme.startswith(word.lower()) or text[first - 1 : first] in ("\\", "_", "%"):
        return start
    if first > floor and text[first - 1].isalnum():
        return start
    if intended_scheme(text, colon, word.lower() + scheme) in LOOK_ALIKES:
        return first
    return start
