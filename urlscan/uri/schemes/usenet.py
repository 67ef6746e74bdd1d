"""news, snews and nntp: newsgroups and articles."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded, run_of
from urlscan.uri.grammar.hosts import HOST_1738
from urlscan.uri.grammar.rfc1630 import HOST as HOST_1630
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority, after_scheme
from urlscan.uri.url import Detail, Url

# --- news and snews: newsgroups and articles, on any server


class News(Detail):
    """The groups or the article that a news URL names, without escapes.

    Attributes:
        group: the newsgroup; "*" or a pattern with "*" for several, "" for all groups of a server.
        article: the Message-ID without angle brackets.
    """

    group: str | None
    article: str | None


def parse_news(url: Url) -> News:
    """Return group or article. A name with "@" is an article (RFC 1738 section 3.6, RFC 5538 section 2.2)."""
    name = url.path.removeprefix("/") if url.authority is not None else after_scheme(url)[0]
    return News(None, decoded(name)) if "@" in name else News(decoded(name), None)


# RFC 5536 section 3.1.3, RFC 5538 section 4:
#   newsURL     = "news:" [ server "/" ] ( article / newsgroups )
#   server      = "//" authority
#   article     = msg-id-core                       ; id-left "@" id-right
#   newsgroups  = *( group-char / pct-encoded / "*" )
#   group-char  = ALPHA / DIGIT / "-" / "+" / "_" / "."
#   id-left     = dot-atom-text
#   id-right    = dot-atom-text / no-fold-literal   ; its brackets escaped
# Identifiers are read more liberally, because RFC 5538 wants them "as is": any pchar that is not reserved.  The only
# escape that they cannot contain is "%3E".  An empty server is the reader's default.
_ID = repeat(r"[A-Za-z0-9!$&'()*+,;=._~-]++|(?!%3[Ee])%[0-9A-Fa-f]{2}", 1)
_NEWSGROUPS = repeat(r"[A-Za-z0-9+_.*-]++|%[0-9A-Fa-f]{2}")

_NEWS_TODAY = rf"(?://[^/?#]*+/)?(?:{_ID}@{_ID}|{_NEWSGROUPS}){FRAGMENT}"

# RFC 1738 section 5:
#   newsurl   = "news:" grouppart
#   grouppart = "*" | group | article
#   group     = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
#   article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
_ARTICLE_1738 = run_of("rfc1738", "article", minimum=1)
_NEWS_RFC1738 = rf"\*|{_ARTICLE_1738}@{HOST_1738}|[A-Za-z][A-Za-z0-9.+_-]*+"

# RFC 1630, BNF for specific URL schemes:
#   newsaddress = "news:" groupart
#   groupart    = "*" | group | article
#   group       = ialpha [ "." group ]
#   article     = xalphas "@" host
# ialpha includes "@"; a name with "@" is an article.
_ARTICLE_1630 = run_of("rfc1630", "local", minimum=1)
_NEWS_RFC1630 = rf"\*|{_ARTICLE_1630}@{HOST_1630}|[A-Za-z]{run_of('rfc1630', 'local')}"


def faults_news(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault if the name is neither a group nor an article."""
    document = NEWS.document(grammar)
    name, start = after_scheme(url)
    old = grammar in ("rfc1738", "rfc1630")
    if old and name.startswith("//") and "@" not in name:
        end = start + 2 + len(name[2:].partition("/")[0])
        yield Fault("server", start, end, "a news URL has no server; write an nntp URL", document)
        return
    if url.authority is not None:
        span = url.span("authority")
        assert span is not None  # noqa: S101 - it is not absent
        path = url.span("path")
        name, start = name[span[1] + 1 - start :], min(span[1] + 1, len(url.text))
        if path is None or path[0] == path[1]:
            yield Fault("server", span[0] - 2, span[1], '"/" is missing after the server', document)
    if old and not name:
        yield Fault("group", start - 1, start, 'group is missing; write "*" for all groups', document)
    elif "@" in name:
        yield from _article(name, start, grammar, document)
    else:
        yield from _group(name, start, grammar, document)


def _group(name: str, start: int, grammar: str, document: str) -> Iterator[Fault]:
    allowed = {"rfc3986": r"[A-Za-z0-9+_.*%-]", "rfc1738": r"[A-Za-z0-9+_.%-]"}.get(grammar, "[^/:;=?]")
    for match in re.finditer(f"(?!{allowed})[!-~]", name):
        first = start + match.start()
        message = f'"{match[0]}" is not allowed in a newsgroup; use letters, digits, ".", "+", "-" and "_"'
        yield Fault("group", first, first + 1, message, document)
        return
    if grammar != "rfc3986" and name and name != "*" and not (name[0].isascii() and name[0].isalpha()):
        yield Fault("group", start, start + 1, "the name of a newsgroup must begin with a letter", document)
    elif grammar == "rfc1738" and "%" in name:
        position = start + name.index("%")
        yield Fault("group", position, position + 1, "the name of a newsgroup cannot contain escapes", document)


def _article(name: str, start: int, grammar: str, document: str) -> Iterator[Fault]:
    local, _, right = name.rpartition("@")
    if "@" in local:
        position = start + local.index("@")
        yield Fault("article", position, position + 1, 'more than one "@" in a Message-ID; write %40', document, "%40")
    elif not local or not right:
        side = "before" if not local else "after"
        position = start + len(local)
        yield Fault("article", position, position + 1, f'text {side} the "@" of the Message-ID is missing', document)
    elif grammar == "rfc3986":
        closer = re.search("%3[Ee]", name)
        if closer is not None:
            first, last = start + closer.start(), start + closer.end()
            yield Fault("article", first, last, 'a Message-ID cannot contain ">", not even escaped', document)
        for match in re.finditer("[/?:]", name):
            escape = f"%{ord(match[0]):02X}"
            message = f'"{match[0]}" in a Message-ID must be escaped as {escape}'
            yield Fault("article", start + match.start(), start + match.end(), message, document, escape)
    elif not re.fullmatch(HOST_1738 if grammar == "rfc1738" else HOST_1630, right):
        first = start + len(local) + 1
        yield Fault(
            "article", first, first + len(right), 'text after the "@" of the Message-ID is not a host', document
        )


NEWS = Scheme(
    name="news",
    title="newsgroups, or an article",
    documents={
        "rfc3986": "RFC 5538 section 4",
        "rfc1738": "RFC 1738 section 3.6",
        "rfc1630": 'RFC 1630 section "News"',
    },
    patterns={"rfc3986": _NEWS_TODAY, "rfc1738": _NEWS_RFC1738, "rfc1630": _NEWS_RFC1630},
    parse=parse_news,
    faults=faults_news,
    examples=("news:*", "news:comp.lang.misc", "news:1994.12a@h.example"),
)
SNEWS = NEWS._replace(
    name="snews",
    title="newsgroups, or an article, over TLS",
    documents={"rfc3986": "RFC 5538 section 4"},
    patterns={"rfc3986": _NEWS_TODAY},
    examples=("snews:comp.lang.misc",),
)


# --- nntp: a newsgroup, or an article by its number, on one server


class Article(Detail):
    """The group or article that an nntp URL names on its server, without escapes.

    Attributes:
        group: the newsgroup.
        article_number: the number as written, or None.
    """

    group: str
    article_number: str | None


def parse_nntp(url: Url) -> Article:
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
_NNTP_TODAY = rf"{NET_LOCATION}/{_GROUP}(?:/[0-9]{{1,16}})?{FRAGMENT}"

# RFC 1738 section 5:
#   nntpurl = "nntp://" hostport "/" group [ "/" digits ]
#   group   = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
_NNTP_RFC1738 = f"//{HOSTPORT}/[A-Za-z][A-Za-z0-9.+_-]*+(?>/[0-9]++|)"

# RFC 1630, BNF for specific URL schemes:
#   nntpaddress = "nntp:" group "/" digits
#   group       = ialpha [ "." group ]
_NNTP_RFC1630 = rf"[A-Za-z]{run_of('rfc1630', 'group')}/[0-9]++"


def faults_nntp(url: Url, grammar: str) -> Iterator[Fault]:
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
    for position, character in enumerate(group, start):
        if "!" <= character <= "~" and not re.match(pattern, character) and grammar != "rfc1630":
            message = f'"{character}" is not allowed in a newsgroup; use letters, digits, ".", "+", "-" and "_"'
            yield Fault("group", position, position + 1, message, document)
            break
    if grammar != "rfc3986" and not (group[0].isascii() and group[0].isalpha()):
        yield Fault("group", start, start + 1, "the name of a newsgroup must begin with a letter", document)
    first = start + len(group) + 1
    if not slash:
        if grammar == "rfc1630":
            yield Fault("article-number", first - 2, first - 1, "article number is missing", document)
    elif not re.fullmatch("[0-9]+", number) or (grammar == "rfc3986" and len(number) > 16):
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
    patterns={"rfc3986": _NNTP_TODAY, "rfc1738": _NNTP_RFC1738, "rfc1630": _NNTP_RFC1630},
    parse=parse_nntp,
    faults=faults_nntp,
    # By RFC 1630 the URLs have no host; by the others every URL has one.
    examples=(),
)
