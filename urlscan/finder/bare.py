"""Find the end of a URL without delimiters.

UTS #58 (Unicode Link Detection): soft punctuation at the end is excluded, brackets match, hard characters end the URL.
Real text adds these rules: a quotation mark or CJK punctuation ends the URL, and so does a letter of a script written
without spaces directly after an ASCII letter or digit ("index.htmlを参照").
"""

import functools
import re

from urlscan.core.document import MARKUP
from urlscan.core.lazy import lazy, match_end
from urlscan.core.typing import TYPE_CHECKING
from urlscan.data.link_end import OPENING, SOFT
from urlscan.finder.anchors import ANOTHER, DELIMITER_REFERENCE, EXTENSIONS, LONGEST, STOP_AT_LINE_END
from urlscan.finder.line_prefixes import line_start, paragraph
from urlscan.uri.grammar.domains import RESERVED, is_top_level, top_level_domains
from urlscan.uri.grammar.simple import GLUED
from urlscan.uri.grammar.templates import LONGEST_EXPRESSION, expression_end, line_expression_around

if TYPE_CHECKING:
    import regex

# The number of characters that are read first.
FIRST_LOOK = 2048
# The maximum number of brackets that are matched, so that a text of brackets takes linear time.
_MOST_BRACKETS = 64

# Characters that end every bare URL: white space, controls, quotation marks.  A backslash begins an escape of the
# surrounding code; Markdown and man pages quote with "`".
_HARD = r"\s\x00-\x1f\x7f-\x9f<>\"`\\"
_WIDE = (
    "\u2018-\u201f\u2039\u203a\u00ab\u00bb\u2026\u2014\u2015"
    "\u3000-\u3004\u3008-\u3020\u3030\u303d-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufe10-\ufe1f\ufe30-\ufe4f"
    "\ud800-\udfff\ufffc\ufffd\ufffe\uffff"
)
# bare-url = 1*( plain / middle-dot / ampersand / separator / bracket )
_PLAIN = rf"[^{_HARD}{_WIDE},|;(&\[\u30fb]+"
_MIDDLE_DOT = rf"(?<=\w)\u30fb(?=\w)(?!{ANOTHER})"
_AMPERSAND = rf"(?!{DELIMITER_REFERENCE})&"
# RFC 3986 section 3.3: a comma delimits the parameters of a segment; an empty one has none: "http://h.example/,2016-02".
_SEPARATOR = rf"(?!(?<=/),\w)[,|;(](?!{ANOTHER})"
_SQUARE_BRACKET = rf"\[(?!/(?i:url|img|link)\]|{ANOTHER})"
_OTHERS = rf"{_AMPERSAND}|{_SEPARATOR}|{_SQUARE_BRACKET}"
# Matches: `h.example/a`, `h,b`, `a(b)`, `a&amp;b`, `a[b]`
# Does not match: `a b`, `a,http://b`, `a&lt;b`, `a[/url]`, `a"b`
_URL_CHARACTERS = lazy(rf"(?:{_PLAIN}|{_MIDDLE_DOT}|{_OTHERS})+")
_ASCII_URL_CHARACTERS = lazy(rf"(?:[^{_HARD},|;(&\[]+|{_OTHERS})+")  # compiled in half the time
# <name> inside a URL is a placeholder, unless it is an HTML tag.
_TAGS = (
    "a|abbr|address|b|big|blockquote|body|br|center|cite|code|dd|div|dl|dt|em|font|form|h[1-6r]|head|html|i|img|input|"
    "li|link|meta|ol|p|pre|s|script|small|span|strong|style|sub|sup|table|tbody|td|th|title|tr|tt|u|ul|url|wbr"
)
_PLACEHOLDER = lazy(rf"(?<=[/=&?+:;,._%~-])<(?!(?i:(?:{_TAGS})>))[A-Za-z][\w .:-]{{0,40}}>")
_BRACKETS = frozenset(character for pair in OPENING.items() for character in pair if character not in "<>")
_BRACKET = lazy(f"[{re.escape(''.join(sorted(_BRACKETS)))}]")
_CLOSING = {opening: closing for closing, opening in OPENING.items()}
_OPTIONAL = frozenset(f"[{first}" for first in "#@/?:.&")
# Quotation marks that occur in pairs at the end of a URL; TeX opens with a grave accent and closes with "'".
_OPENER = {
    quote: lazy(rf"(?<![^\s(\[{{<>=:,;])(?P<opens>[{quote}`]+)(?![\s{quote}`])|(?<=[^\s{quote}`])[{quote}`]+(?!\w)")
    for quote in "'\""
}
# A longer sequence of quotation marks closes nothing; checking each of them would take quadratic time.
_MOST_QUOTES = 8
# How many characters before a URL are searched for an opener.
_LINE = 400
# Opening brackets, the hyphens of typesetters, and invisible characters (U+200B to U+200F, bidirectional controls).
_TRAILING = (
    "|([{\u00ad\u061c\u2010\u200b\u200c\u200d\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_AUTHORITY = lazy(r"[^/?#]*")
# The text before a genitive "'s": a host, a slash, or a file name.
_WHOLE = lazy(r"\A[^/]*\Z|/\Z|\.[A-Za-z0-9]{2,5}\Z")
# The end of a remark, on the same line and in the same region of text.
_CLOSED = lazy(rf"[^\n){MARKUP}]*+\)")
_SECOND_URL = lazy(r"(?:https?|ftp)://", re.IGNORECASE)
# RFC 6068 section 2:  to = addr-spec *("," addr-spec ).  A list before a comma that no address follows.
_ADDRESSES = lazy(r"[^?#,@]++@[^?#,]++(?:,[^?#,@]++@[^?#,]++)*(?=,(?![^?#,@]++@))")
# Scripts that are written without spaces between words, and their letters.
SPACELESS_SCRIPTS = "".join(
    rf"\p{{Script={name}}}" for name in "Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar".split()
)
_SPACELESS = rf"[[{SPACELESS_SCRIPTS}]--\p{{P}}]"
_FIRST_SPACELESS = "\u0e00"  # Thai has the first block of them
_IP_LITERAL = lazy(r"\[[0-9A-Fa-f:.]{2,45}\]")
_COMPLETE_HOST = lazy(r"(?:[^/?#,|\s]*\.[A-Za-z]{2,}|[0-9.]{7,15}|\[[0-9A-Fa-f:.]+\]|localhost)(?::[0-9]*)?")


# A letter of such a script right after an ASCII letter or digit.  を is only used as the object particle, which may
# follow a URL but never begins a word.
GLUED_SCRIPT = rf"(?<=[A-Za-z0-9]){_SPACELESS}|(?<=[/?#=&])を"
_GLUED_SCRIPT_IN_FTP = rf"{GLUED_SCRIPT}|(?<=/)(?<!://){_SPACELESS}"
GLUED_TO_SCRIPT = rf"(?<={_SPACELESS})[A-Za-z0-9]"


@functools.cache
def script_pattern(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern with properties of characters, for a text that has letters outside ASCII."""
    import regex

    return regex.compile(pattern, regex.V1)


def bare_end(text: str, start: int, body: int, *, glued: bool = False) -> int:
    """Return the end of the bare URL that begins at text[start], and its body, after "//" or ":", at text[body].

    A second URL directly after a letter or digit belongs to this one if it is `glued`.
    """
    end, is_open = end_within(FIRST_LOOK, text, start, body, glued=glued)
    if is_open:
        end, _ = end_within(LONGEST, text, start, body, glued=glued)
    return end


def end_within(length: int, text: str, start: int, body: int, *, glued: bool) -> tuple[int, bool]:
    """Return the end of a bare URL within the first characters of its body, and whether it may extend beyond these.

    A short prefix is read first: in a long sequence of URLs without blanks, each is read separately.
    """
    limit = min(len(text), body + length)
    run = _url_characters_end(text, body, limit)
    end = _cut_end(text, body, run, scripts=True, glued=glued)
    return trimmed(text, start, body, end), end == limit < len(text)


def longer_end(text: str, start: int, body: int) -> int:
    """Return the end of a bare URL if a script written without spaces does not end it."""
    run = _url_characters_end(text, body, min(len(text), body + FIRST_LOOK))
    return trimmed(text, start, body, _cut_end(text, body, run, scripts=False, glued=False))


def _cut_end(text: str, body: int, run: int, *, scripts: bool, glued: bool) -> int:
    """Return the end of the URL within its characters text[body:run]."""
    end = _authority_end(text, body, run, glued=glued)
    url = text[body:end]
    if scripts and not url.isascii() and max(url) >= _FIRST_SPACELESS:
        end = _script_end(text, body, end)
    cut = _matched_end(text, body, end)
    # Brackets in an expression are not matched: "https://h/$(cat /etc/x)".
    while cut < end and (after := line_expression_around(text, body, cut, end)) > cut:
        cut = _matched_end(text, after, end)
    return cut


def _script_end(text: str, body: int, end: int) -> int:
    """Return the end before a letter of a script that is written without spaces, if text continues there.

    A host may mix scripts, so that only a complete one ends before such a letter: "http://jpドメイン.jp/", and
    "http://h.example请". In the path of an FTP URL, which is no IRI, such a letter is text after a slash, too.
    """
    last = match_end(_AUTHORITY, text, body, end)
    label = text[body:last].rpartition(".")[2].partition(":")[0].lower()
    first = body
    if label in RESERVED or is_top_level(label):
        first = match_end(_COMPLETE_HOST, text, body, last)
    pattern = GLUED_SCRIPT
    if text[max(body - 6, 0) : body].lower() == "ftp://":
        pattern = _GLUED_SCRIPT_IN_FTP
    letter = script_pattern(pattern).search(text, first, end)
    if letter is not None:
        return letter.start()
    return end


def _url_characters_end(text: str, body: int, limit: int) -> int:
    """Return the end of the characters that a bare URL may contain, including template expressions."""
    first = offset = body
    characters = _ASCII_URL_CHARACTERS if text.isascii() else _URL_CHARACTERS
    while True:
        offset = match_end(characters, text, offset, limit)
        if text.startswith('"', offset) and _belongs_to_url(text, body, offset):
            offset += 1
            continue
        if (after := _expression_end(text, first, offset, limit)) > offset:
            first = offset = after
            continue
        if not text.startswith("<", offset) or (after := match_end(_PLACEHOLDER, text, offset, limit)) == offset:
            return offset
        offset = after


def _expression_end(text: str, first: int, offset: int, limit: int) -> int:
    """Return the end of the template expression around text[offset], on the same line; `offset` without one."""
    if offset >= limit or text[offset] in "\r\n":  # as for most URLs, which saves the search
        return offset
    last = min(limit, offset + LONGEST_EXPRESSION)
    if (newline := text.find("\n", offset, last)) >= 0:
        last = newline
    if text.startswith(("<", "\\"), offset) and (end := expression_end(text, offset, last)) > offset:
        return end
    return line_expression_around(text, max(first, offset - LONGEST_EXPRESSION), offset, last)


def _belongs_to_url(text: str, body: int, offset: int) -> bool:
    """Return whether the quotation mark text[offset] belongs to the URL (soft in UTS #58) and closes no quotation.

    It is inside a word of the path, or closes a pair that opened inside one: `http://h.example/the_"old"_mill`.
    Elsewhere it is a delimiter (RFC 1738 section 2.2): `http://h.example"ds`, `http://h.example/a?b=c"d e`.
    """
    path = text.find("/", body, offset)
    if path < 0 or text.find("?", path, offset) >= 0:
        return False
    begin = line_start(text, offset)
    if not (text[offset - 1].isalnum() or text[offset - 1] == "_"):
        return False
    first = text.find('"', max(begin, text.rfind(MARKUP, begin, offset) + 1), offset)
    if first < 0:
        return text[offset + 1 : offset + 2].isalnum()
    return first > body


def _authority_end(text: str, body: int, end: int, *, glued: bool) -> int:
    """Return the end at a "," or "|" after a complete host or address (`PROXY=https://h.example,direct`), or a URL."""
    if not text.endswith("//", 0, body):  # "mailto:a@h,b@h" continues, "mailto:a@hhttp://x" does not
        second = _SECOND_URL.search(text, body, end)
        if second is not None and text.find("?", body, second.start()) < 0:
            return second.start()
        addresses = _ADDRESSES.match(text, body, end)
        if addresses is not None:
            return addresses.end()
        return end
    last = match_end(_AUTHORITY, text, body, end)
    if text.startswith("[", body):
        literal = match_end(_IP_LITERAL, text, body, last)
        if body < literal < last and text[literal] != ":":
            return literal  # "?base=coap://[2001:db8::1]&d=x": only a port follows a literal
    host = _COMPLETE_HOST.match(text, body, last)
    if host and host.end() < last and text[host.end()] in ",|" and is_complete(host[0]):
        return host.end()
    if not glued and (second := _SECOND_URL.match(text, body, end) or GLUED.search(text, body, end)):
        return second.start()
    return end


def is_complete(host: str) -> bool:
    """Return whether a host ends in a top-level domain; "www.leonardo,net" is a typing error."""
    label = (host.rpartition(":")[0] or host).rpartition(".")[2].lower()
    return not label.isalpha() or label in RESERVED or label in top_level_domains()


def _matched_end(text: str, body: int, end: int) -> int:
    """Return the end before an unmatched closing bracket, or before a remark directly after the URL.

    "(see http://a/b)", "http://x/Paxos_(computer_science)", "survey.html(en anglais)".  UTS #58: brackets
    match within one segment of the path, one name or value of the query, one part of the fragment.
    """
    if _BRACKETS.isdisjoint(text[body:end]):
        return end
    opened: list[int] = []
    for count, match in enumerate(_BRACKET.finditer(text, body, end)):
        char, offset = match[0], match.start()
        if count == _MOST_BRACKETS:
            break
        if char in _CLOSING:
            opened.append(offset)
        elif opened and text[opened[-1]] == OPENING[char] and not _divides(text, body, opened[-1], offset):
            opened.pop()
        else:
            end = offset
            break
    if text[end : end + 1] in OPENING:  # a bracket that only matches in another component
        return end
    opened = [offset for offset in opened if offset < end]
    # A bracket that closes after the URL on the same line encloses a remark.
    if opened and text[opened[0]] == "(" and _CLOSED.match(text, end, end + 200) is not None:
        return opened[0]
    return end


def _divides(text: str, body: int, start: int, end: int) -> bool:
    """Return whether text[start:end] contains a delimiter of URL components."""
    inside = text[start:end]
    if inside[0] == "{" or inside[:2] in _OPTIONAL:  # RFC 6570: "{?name,size}"; a synopsis: "path[#revision]"
        return False
    before = text[body:start]
    if "#" in before:
        return ":~:" in inside
    return "#" in inside or any(character in inside for character in ("&=" if "?" in before else "/?"))


def _closes_pair(text: str, start: int, body: int, end: int) -> bool:
    """Return whether the quotation mark before text[end] closes one of the URL's own: `http://h.example/''Old_Mill''`.

    It does not if a quotation mark before the URL on its line is still open.
    """
    quote = text[end - 1]
    path = text.find("/", body, end)
    opener = _OPENER[quote]
    if not text[max(end - _MOST_QUOTES, 0) : end].strip(quote):
        return False
    if path < 0 or text.count(quote, path, end) % 2:
        return False
    before = text[max(line_start(text, start), start - _LINE, 0) : start]
    last = max(opener.finditer(before), key=re.Match.start, default=None)
    return last is None or last["opens"] is None


def trimmed(text: str, start: int, body: int, end: int) -> int:
    """Return `end` without the punctuation, emphasis and rules of the surrounding text."""
    while end > body:
        last = text[end - 1]
        if last in _OPENER and _closes_pair(text, start, body, end):
            return end
        if last in SOFT or last in _TRAILING or (last in "*_~" and last == text[start - 1 : start]):
            end -= 1
        elif text[end - 3 : end] in ("---", "===", "___", "~~~"):
            end = body + len(text[body:end].rstrip(last))
        elif text[end - 3 : end] in ("*++", "_++") and text[end - 3] == text[start - 1 : start]:
            end -= 2  # a line break of scdoc after emphasis
        elif last in "sS" and text[end - 2] in "'’" and _WHOLE.search(text[body : end - 2]):
            end -= 2  # "http://h.example's", and not "http://h.example/it's"
        else:
            return end
    return end


def past_full_stop(text: str, end: int) -> int:
    """Return the end of a bare URL that ends before text[end], including a full stop at which the line was wrapped.

    The full stop belongs to the URL if the next line is a file extension and this line is exactly as long as the
    longest other line of the paragraph: then the line was wrapped at a column, and no sentence ends there.
    """
    match = STOP_AT_LINE_END.match(text, end)
    begin = line_start(text, end)
    if match is None or match[1].lower() not in EXTENSIONS or begin < 0:
        return end
    first, last = paragraph(text, end)
    above, below = text[first:begin], text[match.end() : last]
    longest = max(len(line.rstrip("\r")) for line in (*above.split("\n"), *below.split("\n")))
    if longest == end + 1 - begin:
        return end + 1
    return end
