"""news, snews and nntp: newsgroups and articles."""

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded, run_of
from urlscan.uri.grammar.generic import HOST_1630, HOST_1738, HOSTPORT
from urlscan.uri.schemes.base import (
    AUTHORITY,
    FRAGMENT,
    NET_LOCATION,
    Grammar,
    Mistake,
    Mistakes,
    Scheme,
    after_authority,
    after_scheme,
)
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


def _news(url: Url) -> News:
    """Return group or article. A name with "@" is an article (RFC 1738 section 3.6, RFC 5538 section 2.2)."""
    name = after_scheme(url)[0]
    if url.authority is not None:
        name = url.path.removeprefix("/")
    if "@" in name:
        return News(None, decoded(name))
    return News(decoded(name), None)


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


# A Message-ID with one "@" is an article; one with several, or with nothing on one side, is not well-formed.
_NEWS_PARTS = r"(?:(?P<article>(?P<identifier>[^@]+@[^@]+))|(?P<message_id>.*@.*)|(?P<group>.*))"
_NEWS_PARTS_TODAY = rf"(?:{AUTHORITY}.?)?{_NEWS_PARTS}"
_NO_LETTER = Mistake("group", r"\A(?!\*\Z)[^A-Za-z]", "the name of a newsgroup must begin with a letter")
_MESSAGE_ID: Mistakes = (
    Mistake("message_id", r"\A[^@]*(@).*@", 'more than one "@" in a Message-ID; write %40', "%40"),
    Mistake("message_id", r"\A@", 'text before the "@" of the Message-ID is missing'),
    Mistake("message_id", r"@\Z", 'text after the "@" of the Message-ID is missing'),
)


def _wrong_character(allowed: str) -> Mistake:
    message = '"{0}" is not allowed in a newsgroup; use letters, digits, ".", "+", "-" and "_"'
    return Mistake("group", rf"\A.*?((?!{allowed})[!-~])", message)


def _news_mistakes(allowed: str, host: str) -> Mistakes:
    """Return the mistakes by the older grammars, which have no server."""
    return (
        Mistake("", r"\A(//[^/@]*)(?=[^@]*\Z)", "a news URL has no server; write an nntp URL"),
        Mistake("", r"\A\Z", 'group is missing; write "*" for all groups'),
        *_MESSAGE_ID,
        Mistake("article", rf"@(?!{host}\Z)(.*)", 'text after the "@" of the Message-ID is not a host'),
        _wrong_character(allowed),
        _NO_LETTER,
    )


_NEWS_MISTAKES_TODAY = (
    Mistake("", r"\A(//[^/?]*+)(?!/)", '"/" is missing after the server'),
    *_MESSAGE_ID,
    Mistake("identifier", r"\A.*?(%3[Ee])", 'a Message-ID cannot contain ">", not even escaped'),
    Mistake("article", "[/?:]", '"{0}" in a Message-ID must be escaped as {1}', "{1}"),
    _wrong_character(r"[A-Za-z0-9+_.*%-]"),
)
_NEWS_MISTAKES_1738 = (
    *_news_mistakes(r"[A-Za-z0-9+_.%-]", HOST_1738),
    Mistake("group", "\\A[^%]*(%)", "the name of a newsgroup cannot contain escapes"),
)
_PARTS_OLD = rf"(?!//[^@]*\Z){_NEWS_PARTS}"
NEWS = Scheme(
    "newsgroups, or an article",
    {
        "rfc3986": Grammar("RFC 5538 section 4", _NEWS_TODAY, _NEWS_PARTS_TODAY, _NEWS_MISTAKES_TODAY),
        "rfc1738": Grammar("RFC 1738 section 3.6", _NEWS_RFC1738, _PARTS_OLD, _NEWS_MISTAKES_1738),
        "rfc1630": Grammar('RFC 1630 section "News"', _NEWS_RFC1630, _PARTS_OLD, _news_mistakes("[^/:;=?]", HOST_1630)),
    },
    _news,
)
SNEWS = NEWS._replace(title="newsgroups, or an article, over TLS", grammars={"rfc3986": NEWS.grammars["rfc3986"]})


# --- nntp: a newsgroup, or an article by its number, on one server


class Article(Detail):
    """The group or article that an nntp URL names on its server, without escapes.

    Attributes:
        group: the newsgroup.
        article_number: the number as written, or None.
    """

    group: str
    article_number: str | None


def _article(url: Url) -> Article:
    group, slash, number = after_authority(url).removeprefix("/").partition("/")
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


_NNTP_PARTS = rf"{AUTHORITY}/(?P<group>[^/]+)(?:/(?P<number>.*))?"
_NO_GROUP = 'newsgroup after "/" is missing'
_NO_GROUP_AFTER_HOST = Mistake("", rf"\A{AUTHORITY}(\?|/(?=/|\Z)|\Z)", _NO_GROUP)
_NO_NUMBER = Mistake("number", r"\A(?![0-9]+\Z).*", "article number is not a number")
_NNTP_MISTAKES_TODAY = (
    _NO_GROUP_AFTER_HOST,
    _wrong_character(r"[A-Za-z0-9+_.%-]"),
    Mistake("number", r"\A[0-9]{17,}\Z", "article number has more than 16 digits"),
    _NO_NUMBER,
)
_NNTP_MISTAKES_1738 = (_NO_GROUP_AFTER_HOST, _wrong_character(r"[A-Za-z0-9+_.-]"), _NO_LETTER, _NO_NUMBER)
_NNTP_MISTAKES_1630 = (
    Mistake("", r"\A//", "this nntp URL has no server; write nntp:group/number"),
    Mistake("", r"\A(?=/|\Z)", _NO_GROUP),
    Mistake("", r"\A[^/]*([^/])\Z", "article number is missing"),
    _NO_LETTER,
    _NO_NUMBER,
)
NNTP = Scheme(
    "a newsgroup or an article on one server",
    {
        "rfc3986": Grammar("RFC 5538 section 3", _NNTP_TODAY, _NNTP_PARTS, _NNTP_MISTAKES_TODAY),
        "rfc1738": Grammar("RFC 1738 section 3.7", _NNTP_RFC1738, _NNTP_PARTS, _NNTP_MISTAKES_1738),
        "rfc1630": Grammar(
            "RFC 1630 BNF for specific URL schemes",
            _NNTP_RFC1630,
            "(?P<group>[^/]+)(?:/(?P<number>.*))?",
            _NNTP_MISTAKES_1630,
        ),
    },
    _article,
)
