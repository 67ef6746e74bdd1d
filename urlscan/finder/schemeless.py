r"""Hosts without a scheme, and addresses: `www.h.example/a`, `jo@h.example`; found when they are asked for.

UTS #58 section 3 leaves to an implementation how a link without a scheme begins.  Here it begins with a host whose
last label is a top-level domain (RFC 1123 section 2.1, RFC 5890; a look-up, never a pattern), and ends as any
other.  What programs and files are called is none: `setup.py`, `os.name`, `HTTP::Request`, `C:\x.com`.
"""

import functools
import heapq
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from urlscan.finder.bare import bare_end
from urlscan.model import Occurrence

if TYPE_CHECKING:
    import regex

# RFC 1123 section 2.1, RFC 5890 section 2.3.2.3: letters, digits and marks of any script, hyphens inside.
_LABEL = r"[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\u200c\u200d\u0f0b_-]{0,61}[\p{L}\p{N}\p{M}])?+"
_DOT = "[.\u3002]"
# After these it is the tail of a path or the value of something, unless it says "www".
_NOT_BEFORE = frozenset("/\\=&?#%~$+:")
# RFC 5321 section 4.1.2 without quoted strings, RFC 6531: atoms divided by dots.
_ATOM = r"[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~\u00b7-]"
_LONGEST_HOST = 512  # twice what RFC 1123 section 2.1 allows, and room for what follows
_LONGEST_LOCAL = 64  # RFC 5321 section 4.5.3.1.1


class _Patterns(NamedTuple):
    """What is looked for; made for those who ask."""

    host: "regex.Pattern[str]"
    local: "regex.Pattern[str]"
    domain: "regex.Pattern[str]"


@functools.cache
def _patterns() -> _Patterns:
    import regex  # for the properties

    hosts = rf"(?P<host>{_LABEL}(?:{_DOT}{_LABEL}){{1,20}}+)"
    return _Patterns(
        regex.compile(
            rf"(?<![\p{{L}}\p{{N}}\p{{M}}_@.-]){hosts}(?![\p{{L}}\p{{N}}\p{{M}}_@\\]|-[\p{{L}}\p{{N}}]|\.[\p{{L}}\p{{N}}])"
            r"(?P<port>:[0-9]{1,5}(?![\w.]))?(?P<rest>[/?#])?"
        ),
        regex.compile(rf"(?<![\p{{L}}\p{{N}}\p{{M}}_.@])(?:{_ATOM}++\.)*+{_ATOM}++\Z"),
        regex.compile(rf"{hosts}(?![\p{{L}}\p{{N}}\p{{M}}_@\\]|-[\p{{L}}\p{{N}}]|:[^\s\d]\S)"),
    )


# Top-level domains that are, of two labels, rather the end of a file's name or an attribute of a program.
_FALSE_FRIENDS = frozenset(
    "bar bat bz cab call cc cfg data date foo host id is java la link lol map md mk mm mov name new next now open page"
    " pm prof ps pub py rs run sh show so style swift target tf then top total ts type vi watch zip zone".split()
)


def hosts(text: str, start: int, stop: int, floor: int, *, schemeless: bool, emails: bool) -> Iterator[Occurrence]:
    """Yield what begins in text[start:stop], in order; it may end behind.

    Args:
        text: what is scanned.
        start: in characters.
        stop: in characters.
        floor: where the last URL ends, of which nothing is part of another.
        schemeless: whether hosts count.
        emails: whether addresses count.
    """
    found = [_domains(text, start, stop)] if schemeless else []
    if emails:
        found.append(_addresses(text, start, stop, floor))
    done = max(start, floor)
    for one in heapq.merge(*found, key=lambda one: (one.start, -one.end)):
        if one.start >= done:
            yield one
            done = one.end


def _domains(text: str, start: int, stop: int) -> Iterator[Occurrence]:
    at = start
    pattern = _patterns().host
    # A gap between two URLs must not cost more than its length.
    while (match := pattern.search(text, at, stop + _LONGEST_HOST)) is not None and match.start() < stop:
        one = _host(text, match)
        if one is not None:
            yield one
        at = one.end if one is not None else match.end("host")


def _host(text: str, match: "regex.Match[str]") -> Occurrence | None:
    host, start = match["host"], match.start()
    labels = re.split(_DOT, host)
    is_www = labels[0].lower().startswith("www") and len(labels) > 2
    if not is_www and text[start - 1 : start] in _NOT_BEFORE and start:
        return None
    if not is_www and not _is_domain(labels):
        return None
    end = match.end("port") if match["port"] else match.end("host")
    if match["rest"]:
        end = max(bare_end(text, start, end), end)
    elif len(labels) == 2 and labels[1].lower() in _FALSE_FRIENDS:
        return None
    if (text[end : end + 1] == "(" and not match["rest"]) or (
        text[end : end + 1] in (":", "=") and text[end + 1 : end + 2].strip() not in ("", "/")
    ):
        return None  # a call, an assignment, "host:path" of scp
    url = text[start:end]
    scheme = "ftp" if labels[0].lower() == "ftp" else "http"
    fields = (url, url, start, end, start, end, "", "schemeless")
    return Occurrence(*fields, assumed=f"{scheme}://{url}")


def _addresses(text: str, start: int, stop: int, floor: int) -> Iterator[Occurrence]:
    done = floor
    behind = stop + _LONGEST_LOCAL + 1
    at = text.find("@", start, behind)
    while at >= 0:
        one = _address(text, max(done, at - _LONGEST_LOCAL - 1), at)
        if one is not None and start <= one.start < stop:
            yield one
            done = one.end
        at = text.find("@", at + 1, behind)


def _address(text: str, floor: int, at: int) -> Occurrence | None:
    """Return the address whose "@" is text[at] and that begins behind `floor`."""
    local, domain = _patterns().local.search(text[floor:at]), _patterns().domain.match(text, at + 1)
    if local is None or domain is None or at - floor - local.start() > _LONGEST_LOCAL:
        return None
    start = floor + local.start()
    start += len(local[0]) - len(local[0].lstrip("'`*{|/="))  # what stands around an address
    if start == at or not _is_domain(re.split(_DOT, domain["host"])):
        return None
    end = domain.end("host")
    url = text[start:end]
    return Occurrence(url, url, start, end, start, end, "", "email", assumed=f"mailto:{url}")


def _is_domain(labels: list[str]) -> bool:
    """Whether the last label is a top-level domain, and written as one."""
    last = labels[-1]
    if last.isascii():
        known = last.lower() in _tlds()
        # "end.In the" and "System.Map" are no hosts; "EXAMPLE.COM" is.
        return known and (last.islower() or "".join(labels).isupper() or (last[:2].lower() == "xn"))
    try:
        return "xn--" + last.lower().encode("punycode").decode("ascii") in _tlds()
    except UnicodeError:
        return False


@functools.cache
def _tlds() -> frozenset[str]:
    from urlscan.data.tlds import TLDS

    return TLDS
