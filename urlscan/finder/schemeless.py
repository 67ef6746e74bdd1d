r"""Find hosts without a scheme, and addresses: `www.h.example/a`, `jo@h.example`.

UTS #58 section 3 does not define the start of a link without a scheme.  Here it begins with a host whose last label is
in the list of top-level domains (RFC 1123 section 2.1, RFC 5890), and ends like a bare URL.  Names of programs and
files are not hosts: `setup.py`, `os.name`, `HTTP::Request`, `C:\x.com`.
"""

import heapq
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, match_end
from urlscan.core.records import Match
from urlscan.core.typing import TYPE_CHECKING
from urlscan.finder.anchors import PREFIX
from urlscan.finder.bare import GLUED_SCRIPT, GLUED_TO_SCRIPT, SPACELESS_SCRIPTS, bare_end, script_pattern
from urlscan.finder.delimiters import opening
from urlscan.finder.line_prefixes import line_start
from urlscan.finder.notation import closes_emphasis
from urlscan.finder.rejoin import read_angle
from urlscan.uri.grammar.domains import RESERVED, is_top_level

if TYPE_CHECKING:
    import regex

# RFC 1123 section 2.1, RFC 5890 section 2.3.2.3: letters, digits and marks of any script, hyphens inside.
_LABEL = r"[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\u200c\u200d\u0f0b_-]{0,61}[\p{L}\p{N}\p{M}])?+"
_DOT = "[.\u3002]"
# In prose, a label does not mix letters of scripts written without spaces with ASCII letters: "访问example.com查看"
# contains one host.
_UNSPACED = SPACELESS_SCRIPTS
_TEXT_LABEL = (
    rf"(?:[[\p{{L}}\p{{N}}]--[{_UNSPACED}]](?:[[\p{{L}}\p{{N}}\p{{M}}\u200c\u200d\u0f0b_\-]--[{_UNSPACED}]]{{0,61}}"
    rf"[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]])?+"
    rf"|[{_UNSPACED}](?:[{_UNSPACED}0-9\p{{M}}\u30fc\u200c\u200d\u0f0b\-]{{0,61}}[{_UNSPACED}0-9\p{{M}}\u30fc])?+)"
)
# UTS #46 section 2: registries have sold labels of symbols, "www.☕.example"; between dots one is no bullet.
_SYMBOLS = r"[\p{So}\p{M}\u200d]{1,63}+(?=\.)"
# The ideographic full stop is a dot (RFC 3490 section 3.1), unless ASCII text or a host follows: it ends a sentence.
_FULL_STOP = rf"\u3002(?![A-Za-z0-9-]{{1,63}}+\.[A-Za-z0-9]){_TEXT_LABEL}(?![A-Za-z0-9])"
# The registries that sold such labels; elsewhere, and as an emoji, a symbol directly before a host is a bullet.
_SYMBOL_HOST = (
    rf"[\p{{So}}--\p{{Emoji_Presentation}}]{{1,8}}+(?:{_TEXT_LABEL})?\.(?:cf|ga|gq|ml|tk|to|ws)(?![\p{{L}}\p{{N}}.-])"
)
_TEXT_HOST = rf"(?P<host>{_SYMBOL_HOST}|{_TEXT_LABEL}(?:\.(?:{_TEXT_LABEL}|{_SYMBOLS})|{_FULL_STOP}){{1,20}}+)"
# After these characters a host is the tail of a path or a value, unless it begins with "www".
_NOT_BEFORE = frozenset("/\\=&?#%~$+:")
# "//h.example" is a network-path reference at the start of a value, and the tail of a path elsewhere.
_NOT_BEFORE_SLASHES = _NOT_BEFORE - {"="}
# RFC 5322 section 3.2.3, RFC 6531 section 3.3:  atext
_ATOM = r"[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~\u00b7-]++"
# RFC 5321 section 4.1.2:  Quoted-string = DQUOTE *QcontentSMTP DQUOTE; without escapes, which the RFC discourages
_QUOTED = r"""\"[^\"\\\p{Cc}\p{Cs}]++\""""
# The characters that a quoted string may follow; after others, a quotation ends before the "@".
_BEFORE_QUOTED = r"(?<![^\s<(\[{,;:])"
# RFC 5321 section 4.1.3:  address-literal, not followed by a letter or a digit
_LITERAL = r"(?P<literal>\[(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|IPv6:[0-9A-Fa-f:.]{2,45})\])(?![\p{L}\p{N}@])"
# RFC 6068 section 2: the characters to escape in an address of a mailto URL.
_ESCAPED = re.compile(r"(?![\w.~!$'()*+,:@-])[\x00-\x7f]")
# "--to=jo@h.example" is an option of a command, "-jo@h.example" an item of a list, "to='jo@h.example'" an assignment.
_OPTION = re.compile(r"-+(?:[A-Za-z][\w-]*=)?|[A-Za-z][\w-]*=(?P<quote>['`])")
# Marks of emphasis around an address.
_MARKS = re.compile("_+|~+")
# RFC 3986 section 3.2.1:  userinfo = user ":" password; white space may divide it from "://".
_USER = re.compile(r"(?P<slashes>://\s{0,60}[^\s/@]{0,63})?\w:\Z")
_PORT = re.compile(r":[0-9]")
# An emphasis may open before the host and close after it: "_h.example_".
_OPENER = rf"(?:(?<![\p{{L}}\p{{N}}\p{{M}}_@.-])|(?<=[{_UNSPACED}])(?=[A-Za-z0-9]))_{{0,3}}"
_CLOSER = r"(?P<closer>_{1,3})(?![\p{L}\p{N}\p{M}_@.-])"
# RFC 1591 section 2: the generic top-level domains, which do not occur in names of packages, files or identifiers.
_GENERIC = frozenset("com edu gov int mil net org".split())
# Those that are open to all; "big.Int" is a type.
_OPEN = frozenset("com net org".split())
# The rest of a compound after a host: "the h.example-based index".
_COMPOUND = re.compile(r"[a-z]+(?:-[a-z]+)*")
# RFC 3986 section 3.2.2:  dec-octet = DIGIT / ... / "25" %x30-35 ; 0-255
_OCTET = re.compile(r"[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5]")
# RFC 4632 section 3.1, or the older form with a mask: "192.0.2.0/24" is a network.
_NETWORK = re.compile(r"/[0-9.]+(?![\w-])")
# "first.in+tag@h.example": "first.in" is part of the local part of an address.
_LOCAL_REST = re.compile(r"[!$%&'*+=^`{|}~-][^\s/?#@<>()\[\],;:\"]{0,64}@[\w\[]")
# A dot or a full stop between labels, or the colon after "localhost": a fast search for it skips most of a text.
_AFTER_LABEL = lazy(
    r"[.:\u3002](?:(?<=[A-Za-z0-9\x80-\U0010ffff]\.)(?=[A-Za-z0-9\x80-\U0010ffff])|(?<=\u3002)|(?<=localhost:)(?=[0-9]))"
)
_IN_LABEL = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
_IN_LOCAL = _IN_LABEL + "!#$%&'*+/=?^`{|}~."
_LONGEST_START = 80  # characters before that: three marks of emphasis, eight symbols and a label
_LONGEST_HOST = 512  # twice what RFC 1123 section 2.1 allows, and room for what follows
_LONGEST_LOCAL = 64  # RFC 5321 section 4.5.3.1.1


# `script_pattern` compiles these: a host with its port, the local part of an address, and its domain.
_HOST = (
    rf"{_OPENER}(?:(?P<local>localhost)(?=:[0-9])|{_TEXT_HOST})"
    rf"(?:{_CLOSER}|(?![[\p{{L}}\p{{N}}\p{{M}}_@\\]--[{_UNSPACED}]]|-[\p{{L}}\p{{N}}]|\.[\p{{L}}\p{{N}}])"
    r"(?P<port>:[0-9]{1,5}(?![A-Za-z0-9_.]))?(?P<rest>[/?#])?)"
)
_LOCAL_PART = (
    rf"(?:(?<![\p{{L}}\p{{N}}\p{{M}}_.@])(?!\")|{_BEFORE_QUOTED}(?=\"))"
    rf"(?:(?:{_ATOM}|{_QUOTED})\.)*+(?:{_ATOM}|{_QUOTED})\Z"
)
_DOMAIN = (
    rf"(?P<host>{_LABEL}(?:{_DOT}{_LABEL}){{1,20}}+)"
    rf"(?:{_CLOSER}|(?![\p{{L}}\p{{N}}\p{{M}}_@\\]|-[\p{{L}}\p{{N}}]|:[^\s\d]\S))|{_LITERAL}"
)
# Top-level domains that, after a single label, are more often a file extension or an attribute.
_FALSE_FRIENDS = frozenset(
    "bar bat bz cab call cc cfg data date foo host id is java la link lol map md mk mm mov name new next now open page"
    " pm prof ps pub py rs run sh show so style swift target tf then top total ts type vi watch zip zone".split()
)


def hosts(text: str, start: int, limit: int, floor: int, *, schemeless: bool, emails: bool) -> Iterator[Match]:
    """Yield the hosts (`schemeless`) and addresses that begin in text[start:limit] and after `floor`, in order."""
    searches = list[Iterator[Match]]()
    if schemeless:
        searches.append(_domains(text, start, limit))
    if emails:
        searches.append(_addresses(text, start, limit, floor))
    consumed = max(start, floor)
    for result in heapq.merge(*searches, key=lambda result: (result.start, -result.end)):
        if result.start >= consumed:
            yield result
            consumed = result.end


def _domains(text: str, start: int, limit: int) -> Iterator[Match]:
    """Yield the hosts that begin in text[start:limit]."""
    offset = start
    while (match := _next_host(text, offset, limit)) is not None and match.start() < limit:
        result = _host(text, match)
        if match["host"] and "\u3002" in match["host"] and not _is_domain(re.split(_DOT, match["host"])):
            # The full stop ends the sentence: "www.h.example。次".
            end = match.start("host") + match["host"].index("\u3002")
            first = script_pattern(_HOST).match(text, match.start(), end)
            result = first and _host(text, first)
        offset = max(match.end("local"), match.end("host"))
        if result is not None:
            yield result
            offset = result.end


def _next_host(text: str, offset: int, limit: int) -> "regex.Match[str] | None":
    """Return the first match of a host at or after an offset."""
    pattern, position = script_pattern(_HOST), offset
    while (mark := _AFTER_LABEL.search(text, position, limit + _LONGEST_HOST)) is not None:
        position = mark.end()
        start = max(offset, mark.start() - _LONGEST_START)
        before = text[start : mark.start()]
        # The pattern reads no further than the longest host, so that the time is linear.
        if not before.isascii():
            return pattern.search(text, start, limit + _LONGEST_HOST)
        # Only the first character of the label before the dot may begin a host.
        if (match := pattern.match(text, start + len(before.rstrip(_IN_LABEL)), limit + _LONGEST_HOST)) is not None:
            return match
    return None


def _host(text: str, match: "regex.Match[str]") -> Match | None:
    """Return the matched host with its port and path; None if it is not a host."""
    end = _host_end(text, match)
    if end is None:
        return None
    start = max(match.start("local"), match.start("host"))
    opened = text[match.start() : start]
    if opened and not match["closer"] and not text.startswith(opened, end):
        return None  # an identifier: "_data.org"
    if match["closer"] and not closes_emphasis(text, start, match["closer"]):
        return None
    # RFC 3986 section 3.2.3: only digits are a port; a name that begins with "www" is a host whatever the colon begins.
    assigns = "=" if text[start:end].lower().startswith("www.") else ":="
    if (text[end : end + 1] == "(" and not match["rest"]) or (
        text[end : end + 1] in tuple(assigns) and text[end + 1 : end + 2].strip() not in ("", "/")
    ):
        return None  # a call, an assignment, "host:path" of scp
    if not match["rest"] and _LOCAL_REST.match(text, end):
        return None
    url = text[start:end]
    if (broken := _broken(text, start, end)) is not None:
        return broken._replace(assumed=assumed_url(broken.url))
    return Match(url, url, start, end, start, end, "", "schemeless", assumed=assumed_url(url))


def assumed_url(url: str) -> str:
    """Return a URL that begins with its host with the scheme that is meant."""
    return ("ftp://" if url[:4].lower() == "ftp." else "http://") + url


def _broken(text: str, start: int, end: int) -> Match | None:
    """Return the joined host that a line break interrupts in angle brackets (RFC 1738 appendix), or None."""
    if text[end : end + 80].lstrip(" \t")[:1] not in ("\r", "\n"):
        return None
    opener = opening(text, start, 0)
    if opener.style not in ("wrapper", "angle"):
        return None
    delimited = read_angle(text, start, start, opener.start)
    if delimited is None or delimited.prose >= 0 or any(brk.kind == "blank" for brk in delimited.breaks):
        return None
    return delimited.match(text, opener, "")._replace(style="schemeless", joined="delimited")


def _host_end(text: str, match: "regex.Match[str]") -> int | None:
    """Return the end of the matched host with its port and path; None if it is not a host."""
    if match["local"]:
        return _numeric_end(text, match, match.start("local"))
    start, labels = match.start("host"), re.split(_DOT, match["host"])
    if is_ipv4(labels):
        return _numeric_end(text, match, start)
    is_www = labels[0].lower().startswith("www") and len(labels) > 2
    if not is_www and _is_tail(text, start):
        return None
    if not is_www and not _is_domain(labels) and not (match["rest"] and labels[-1] == "example"):
        top, _, added = labels[-1].partition("-")
        if top.lower() not in _GENERIC or _COMPOUND.fullmatch(added) is None:
            return None
        return match.end("host") - len(added) - 1
    if match["rest"]:
        end = max(match.end("host"), match.end("port"))
        return max(bare_end(text, start, end), end)
    if not is_www and len(labels) == 2 and labels[1].lower() in _FALSE_FRIENDS:
        return None
    return max(match.end("host"), match.end("port"))


def _is_tail(text: str, start: int) -> bool:
    """Return whether the text at `start` is the tail of a path or a value, and no network-path reference.

    RFC 3986 section 4.2:  relative-part = "//" authority path-abempty / ...
    """
    before = text[max(start - 3, 0) : start]
    if before.endswith("//"):
        return before[:-2].isalnum() or before[:-2] in _NOT_BEFORE_SLASHES or before[:-2] == "_"
    if before.endswith("~~") or PREFIX.search(text[max(start - 8, 0) : start]) is not None:
        return False
    return before[-1:] in _NOT_BEFORE


def is_ipv4(labels: list[str]) -> bool:
    """Return whether the labels of a host are an IPv4 address; zeros may precede its numbers."""
    return len(labels) == 4 and all(map(_OCTET.fullmatch, labels))


def _numeric_end(text: str, match: "regex.Match[str]", start: int) -> int | None:
    """Return the end of an IPv4 address or `localhost` with its port and path; None if it has neither.

    Without them, four numbers may be a version, and `localhost` is a word of a sentence.
    """
    if _is_tail(text, start):
        return None
    end = max(match.end("port"), match.end("local"), match.end("host"))
    if not match["rest"] and not match["port"]:
        return None
    if not match["rest"]:
        return end
    if not match["port"] and (match["rest"] != "/" or _NETWORK.match(text, end)):
        return None
    return max(bare_end(text, start, end), end)


def _addresses(text: str, start: int, limit: int, floor: int) -> Iterator[Match]:
    consumed = floor
    reach = limit + _LONGEST_LOCAL + 1
    offset = text.find("@", start, reach)
    while offset >= 0:
        result = _address(text, max(consumed, offset - _LONGEST_LOCAL - 1), offset)
        if result is not None and start <= result.start < limit:
            yield result
            consumed = result.end
        offset = text.find("@", offset + 1, reach)


def _address(text: str, floor: int, offset: int) -> Match | None:
    """Return the address with the "@" text[offset] that does not begin before `floor`, or None."""
    limit = offset + 1 + _LONGEST_HOST
    glued = None
    if not text[offset + 1 : limit].isascii():  # a letter of a script written without spaces ends the domain
        glued = script_pattern(GLUED_SCRIPT).search(text, offset + 1, limit)
    before, first = text[floor:offset], 0
    if before.isascii() and '"' not in before:
        first = len(before.rstrip(_IN_LOCAL))
    local = script_pattern(_LOCAL_PART).search(before, first)
    domain = script_pattern(_DOMAIN).match(text, offset + 1, glued.start() if glued else len(text))
    if local is None or domain is None or offset - floor - local.start() > _LONGEST_LOCAL:
        return None
    host, end = domain["host"], max(domain.end("literal"), domain.end("host"))
    start = _local_start(text, floor + local.start(), offset, end)
    if start == offset or (domain["closer"] and not closes_emphasis(text, start, domain["closer"])):
        return None
    # `"a b"@h.example` is an address; in `{"to": "@h.example"}` the quotation mark opens a string.
    line = line_start(text, offset)
    if text[offset - 1] == '"' and (line < 0 or text.count('"', line, offset) % 2):
        return None
    if _is_part(text, start, domain):
        return None
    if text.count("}", start, offset) > text.count("{", start, offset):
        return None  # "{jo,al}@h.example" abbreviates two addresses
    labels = re.split(_DOT, host or "")
    if host and (labels[-1] not in RESERVED or labels[-1] == "invalid") and not _is_domain(labels):
        return None
    url = text[start:end]
    assumed = "mailto:" + _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", url)
    return Match(url, url, start, end, start, end, "", "email", assumed=assumed)


def _local_start(text: str, start: int, offset: int, end: int) -> int:
    """Return the start of the local part in text[start:offset], without the punctuation around text[start:end]."""
    if not text[start:offset].isascii():
        glued = script_pattern(GLUED_TO_SCRIPT).finditer(text, start, offset)
        start = max((match.start() for match in glued), default=start)
    start += len(text[start:offset]) - len(text[start:offset].lstrip("'`*{}|/="))
    option = _OPTION.match(text, start, offset)
    if option is not None and (not option["quote"] or text.startswith(option["quote"], end)):
        start = option.end()
    marks = match_end(_MARKS, text, start, offset)
    if text.startswith(text[start:marks], end):
        return marks
    return start


def _is_part(text: str, start: int, domain: "regex.Match[str]") -> bool:
    r"""Return whether the address at text[start] is part of a longer name: `jo\+a@h.example`, `jo:pw@www.h.example`.

    A backslash escapes punctuation. A colon divides userinfo after "://", or of a host with a port or "www".
    """
    if text[start - 1 : start] == "\\":
        return not text[start].isalnum()
    user = _USER.search(text, max(start - 2 * _LONGEST_LOCAL, 0), start)
    is_host = (domain["host"] or "").lower().startswith("www.") or _PORT.match(text, domain.end()) is not None
    return user is not None and (is_host or user["slashes"] is not None)


def _is_domain(labels: list[str]) -> bool:
    """Return whether the last label is a top-level domain in consistent letter case."""
    last, first = labels[-1], "".join(labels[:-1])
    if not is_top_level(last.lower()):
        return False
    # "end.In the" and "System.Net" are not hosts; "EXAMPLE.COM" and "h.ORG" are (RFC 4343).
    is_open = last.lower() in _OPEN and first == first.lower()
    return not last.isascii() or last.islower() or is_open or (first + last).isupper()
