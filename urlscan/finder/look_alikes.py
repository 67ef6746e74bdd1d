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
from urlscan.finder.delimiters import Opening, opening
from urlscan.finder.notation import notation_end
from urlscan.finder.rejoin import DelimitedUrl, break_at, read_angle
from urlscan.uri.grammar.domains import RESERVED, is_top_level
from urlscan.uri.grammar.misspellings import meant_scheme
from urlscan.uri.grammar.templates import placeholder_spans

# `SLASHES` finds the slashes; these patterns check the text before and after them.
_NAME = r"(?<![\w.+/\\@?-])(?P<scheme>(?i:https?|ftp))"
# The colon is missing, misplaced ("http//:h") or another character, such as the full-width one of East Asian keyboards.
_SIGN = re.compile(rf"{_NAME}(?P<sign>(?:[;.,\uff1a]|::+)?//|//:)(?=[^\s/:])")
# One or two blanks inside "://".
# Matches: `http ://`, `http: //`, `http:/ /`, `http:// `
# Does not match: `http://`, `gopher: //`, `http :/ /`
_BLANK = re.compile(
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
        if match.start() < consumed:
            continue
        begin = max(consumed, match.start() - _LEAD)
        window = text[begin : match.end() + _REACH]
        # A match at the start of the window may be the tail of a longer name.
        form = _SIGN.search(window) or _BLANK.search(window)
        if form is None or (form.start() == 0 and begin > consumed):
            continue
        first = begin + form.start()
        if "sign" in form.groupdict():
            look_alike = _with_sign(text, first, form, consumed)
        else:
            look_alike = _with_blank(text, first, form)
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
    if "//" not in url:
        return None
    form = _SIGN.match(url)
    if form is not None and _begins_with_host(url, form.end(), cut=False):
        return form.span("sign")
    return None


def _with_sign(text: str, start: int, form: "re.Match[str]", floor: int) -> Match | None:
    """Return the look-alike whose colon is missing or misplaced, or None; its scheme is ""."""
    sign = (start + form.start("sign") - form.start(), start + form.end("sign") - form.start())
    if not _begins_with_host(text, sign[1], cut=False):
        return None
    where = opening(text, start, floor)
    fault = TextFault("look-alike", *sign)
    if where.style in ("wrapper", "angle"):
        reading = read_angle(text, start, start, where.start)
        if reading is not None and reading.prose < 0:
            return _delimited(text, where, reading, fault)
    end = notation_end(text, start, sign[1], bare_end(text, start, sign[1]))
    url = readable(text[start:end])
    template = _is_template(url, text[sign[1] : end])
    if template is None:
        return None
    return Match(url, url, start, end, start, end, "", "bare", template=template, faults=(fault,))


def _with_blank(text: str, start: int, form: "re.Match[str]") -> Match | None:
    """Return the look-alike that a blank interrupts, without the blank, or None."""
    group = form.lastgroup or ""
    brk = (start + form.start(group) - form.start(), start + form.end(group) - form.start())
    body = start + form.end() - form.start()
    if not _begins_with_host(text, body, cut=True):
        return None
    end = notation_end(text, start, body, bare_end(text, start, body))
    url = readable(text[start : brk[0]] + text[brk[1] : end])
    template = _is_template(url, text[body:end])
    if template is None:
        return None
    breaks = (Break("blank", brk[0] - start, brk[1] - brk[0], False),)
    raw, scheme = readable(text[start:end]), form["scheme"].lower()
    return Match(url, raw, start, end, start, end, scheme, "bare", breaks, joined="guess", template=template)


# A scheme and its slashes that a line end divides: "http:" newline "//h.example", "https://" newline "h.example".
_DIVIDED = lazy(r":(?P<before>/{0,2})(?=[ \t]{0,2}(?:\r\n?|\n))")


def divided_scheme(text: str, start: int, colon: int, *, is_joined: bool) -> Match | None:
    """Return the URL whose "://" a line end divides before text[start:colon] and a host; None if there is none."""
    divided = _DIVIDED.match(text, colon)
    brk = break_at(text, divided.end(), start) if divided is not None else None
    if divided is None or brk is None or brk.kind in ("blank", "page-break"):
        return None
    slashes = "//"[len(divided["before"]) :]
    body = brk.end + len(slashes)
    if not text.startswith(slashes, brk.end) or not _begins_with_host(text, body, cut=True):
        return None
    end = notation_end(text, start, body, bare_end(text, start, body))
    url = readable(text[start : brk.start] + text[brk.end : end])
    template = _is_template(url, text[body:end])
    if template is None:
        return None
    breaks = (Break(brk.kind, brk.start - start, brk.end - brk.start, False),)
    faults = () if is_joined else (TextFault("goes-on", brk.start, end),)
    alternatives = () if is_joined else (Alternative(url, "joined"),)
    raw, scheme = readable(text[start:end]), text[start:colon].lower()
    return Match(url, raw, start, end, start, end, scheme, "bare", breaks, alternatives, "guess", template, faults)


def _is_template(url: str, rest: str) -> bool | None:
    """Return whether `url` contains a placeholder; None if its authority, at the start of `rest`, contains one."""
    if not placeholder_spans(url):
        return False
    return None if placeholder_spans("x://" + re.split(r"[/?#]", rest, maxsplit=1)[0]) else True


def _delimited(text: str, where: Opening, reading: DelimitedUrl, fault: TextFault) -> Match:
    """Return the occurrence without a scheme between angle brackets."""
    start, end = reading.spans[0][0], reading.spans[-1][1]
    breaks = reading.breaks_in(text)
    return Match(
        readable(reading.text(text)),
        readable(text[start:end]),
        start,
        end,
        where.start,
        reading.outer_end,
        "",
        "wrapper" if where.style == "wrapper" else "angle",
        breaks=breaks,
        joined="delimited" if breaks else "none",
        faults=(fault,),
    )


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
    offset = content.end()
    match = _NO_COLON.match(text, offset)
    name, span = "look-alike", (match.span("sign") if match is not None else (0, 0))
    if match is not None and not is_known_scheme(match["scheme"].lower(), frozenset()):
        match = None
    if match is None:
        match = _NO_SCHEME.match(text, offset) or _NO_URL.match(text, offset)
        name, span = "missing-scheme", (match.span("host") if match is not None else (0, 0))
    if match is None:
        return None
    start = match.start("host") if name == "missing-scheme" else offset
    where = opening(text, start, floor)
    if where.style != "wrapper":
        return None
    reading = read_angle(text, start, start, where.start)
    if reading is None or reading.prose >= 0:
        return None
    return _delimited(text, where, reading, TextFault(name, *span))


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
