"""nntp: a newsgroup, or an article by its number, on one server."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded, maybe, run_of
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority, after_scheme
from urlscan.uri.url import Detail, Url


class Article(Detail):
    """The group or article that an nntp URL names on its server, without escapes.

    Attributes:
        group: the newsgroup.
        article_number: the number as written, or None.
    """

    group: str
    article_number: str | None


def parse(url: Url) -> Article:
    """Return group and article number."""
    text, _ = after_authority(url)
    group, slash, number = text.removeprefix("/").partition("/")
    return Article(decoded(group), number if slash else None)


# RFC 5538 section 3:
#   nntpURL        = "nntp:" server "/" group [ "/" article-number ]
#   server         = "//" authority
#   group          = 1*( group-char / pct-encoded )
#   article-number = 1*16DIGIT
#   group-char     = ALPHA / DIGIT / "-" / "+" / "_" / "."
_GROUP = repeat("[A-Za-z0-9+_.-]++|%[0-9A-Fa-f]{2}", 1)
_TODAY = rf"{NET_LOCATION}/{_GROUP}(?:/[0-9]{{1,16}})?{FRAGMENT}"

# RFC 1738 section 5:
#   nntpurl = "nntp://" hostport "/" group [ "/" digits ]
#   group   = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
_RFC1738 = "//" + HOSTPORT + "/[A-Za-z][A-Za-z0-9.+_-]*+" + maybe("/[0-9]++")

# RFC 1630, BNF for specific URL schemes:
#   nntpaddress = "nntp:" group "/" digits
#   group       = ialpha [ "." group ]
_RFC1630 = rf"[A-Za-z]{run_of('rfc1630', 'group')}/[0-9]++"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid group or article number."""
    document = NNTP.document(grammar)
    if grammar == "rfc1630":
        text, start = after_scheme(url)
        if url.authority is not None:
            yield Fault("group", start, start + 2, "this nntp URL has no server; write nntp:group/number", document)
            return
        path = "/" + text
    else:
        if url.authority is None:
            return
        path, start = after_authority(url)
        start += 1
    if len(path) < 2 or not path.startswith("/") or path.startswith("//"):
        yield Fault("group", max(start - 1, 0), start, 'newsgroup after "/" is missing', document)
        return
    group, slash, number = path[1:].partition("/")
    pattern = "[A-Za-z0-9+_.%-]" if grammar == "rfc3986" else "[A-Za-z0-9+_.-]"
    for at, character in enumerate(group, start):
        if "!" <= character <= "~" and not re.match(pattern, character) and grammar != "rfc1630":
            message = f'"{character}" is not allowed in a newsgroup; use letters, digits, ".", "+", "-" and "_"'
            yield Fault("group", at, at + 1, message, document)
            break
    if grammar != "rfc3986" and not (group[0].isascii() and group[0].isalpha()):
        yield Fault("group", start, start + 1, "the name of a newsgroup must begin with a letter", document)
    first = start + len(group) + 1
    if not slash:
        if grammar == "rfc1630":
            yield Fault("article-number", first - 2, first - 1, "article number is missing", document)
    elif not re.fullmatch("[0-9]{1,16}" if grammar == "rfc3986" else "[0-9]+", number):
        message = "article number has more than 16 digits" if number.isdecimal() else "article number is not a number"
        yield Fault("article-number", first - (not number), first + len(number), message, document)


NNTP = Scheme(
    name="nntp",
    title="a newsgroup or an article on one server",
    documents={
        "rfc3986": "RFC 5538 section 3",
        "rfc1738": "RFC 1738 section 3.7",
        "rfc1630": "RFC 1630 BNF for specific URL schemes",
    },
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    # By RFC 1630 the URLs have no host; by the others every URL has one.
    examples=(),
)
