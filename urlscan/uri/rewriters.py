"""Restore the targets of rewritten links, without a network connection.

Mail filters, mailers and sites replace the links of a text by links to themselves. If the target is part of the
rewritten link, it can be read from there. Many services store or encrypt the target: the links of Mimecast, SendGrid
and HubSpot, and short links, cannot be restored.

A host is compared as a whole, because anyone can write `https://h.example/urldefense.com/v3/__http://a.example__;!`.
"""

import binascii
import functools
import json
import re
import string
from collections.abc import Callable

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.transform.escapes import escape_match
from urlscan.uri.url import Url, split

# How many rewritten links are unwrapped from one URL. A link that passes three filters is nested three times.
MAX_DEPTH = 10
# A longer URL is data.
_LONGEST = 1 << 16
# The host of a rewritten link. None of the services writes a userinfo, or a port other than that of the scheme.
_HOST = re.compile(r"https?://([A-Za-z0-9.-]{3,253})(?::(?:80|443)?)?(?=[/?])", re.IGNORECASE)
# Google has the second-level domains "co.uk" and "com.au", and domains such as "google.de".
_COUNTRY = re.compile(r"(?:com?\.)?[a-z]{2}|com")
# A target is an absolute URL with a host, or an address. "javascript:" and relative references are not restored.
_TARGET = lazy(r"(?:https?|ftp)://[^/?#\s]|mailto:[^\s?]", re.IGNORECASE)
# RFC 3986 section 2 allows no control characters and no space; octets that are not UTF-8 have no characters.
_ESCAPED = lazy("[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Rewriter(NamedTuple):
    """A service that rewrites links.

    Attributes:
        name: its name.
        hosts: the hosts of rewritten links. "*.h.example" includes the subdomains and "h.example"; "h.*" includes the
            top-level domains of countries.
        restore: returns the target of a rewritten link, not yet checked; "" for another URL of the host.
    """

    name: str
    hosts: tuple[str, ...]
    restore: Callable[[Url], str]


def unwrapped(url: str, max_depth: int = MAX_DEPTH) -> str:
    """Return the target of a link that was rewritten at most `max_depth` times; another URL as it is."""
    for _ in range(max_depth):
        target = _target(url)
        if not target:
            break
        url = target
    return url


def _target(url: str) -> str:
    """Return the target of a link that was rewritten once, or ""."""
    if len(url) > _LONGEST or (match := _HOST.match(url)) is None:
        return ""
    parts = split(url)
    targets = (_checked(rewriter.restore(parts)) for rewriter in _rewriters_of(match[1].lower()))
    target = next(filter(None, targets), "")
    # RFC 9110 section 10.2.2: a redirect to a URL without a fragment inherits that of the link.
    if target and parts.fragment and "#" not in target:
        target = f"{target}#{parts.fragment}"
    return target


@functools.lru_cache(maxsize=4096)
def _rewriters_of(host: str) -> tuple[Rewriter, ...]:
    """Return the services that rewrite links to this host, in lowercase."""
    labels = host.split(".")
    names = [host]
    names += [f"*.{'.'.join(labels[number:])}" for number in range(len(labels))]
    names += [f"{'.'.join(labels[:n])}.*" for n in range(1, len(labels)) if _COUNTRY.fullmatch(".".join(labels[n:]))]
    return tuple(rewriter for name in names for rewriter in REWRITERS if name in rewriter.hosts)


def _checked(target: str) -> str:
    """Return a target with spaces, controls and invalid octets escaped; "" if it is not an absolute URL."""
    target = target.strip(" \t\r\n")
    if _TARGET.match(target) is None:
        return ""
    return _ESCAPED.sub(escape_match, target)


# --- links with the target in a parameter


def _from_query(*names: str, paths: tuple[str, ...] = ()) -> Callable[[Url], str]:
    """Return a function that takes the target from the first of these parameters that holds one.

    `paths` are those of rewritten links, which may end with a slash; () for every path.
    """

    def restore(url: Url) -> str:
        if paths and url.path.rstrip("/") not in paths:
            return ""
        for name in names:
            value = _parameter(url, name)
            if ":/" not in value:  # in a URL that was inserted without being escaped, "+" represents itself
                value = value.replace("+", " ")
            target = decoded(value)
            if _checked(target):
                return target
        return ""

    return restore


def _parameter(url: Url, name: str) -> str:
    """Return the first value of a parameter as written, or ""; an `&amp;` from HTML separates parameters, too."""
    for field in (url.query or "").split("&"):
        key, _, value = field.removeprefix("amp;").partition("=")
        if key == name and value:
            return value
    return ""


def _from_base64(value: str) -> str:
    """Return the text that a value encodes in base64 (RFC 4648 section 4 or 5), or ""; padding may be missing."""
    octets = value.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    try:
        return binascii.a2b_base64(octets + "=" * (-len(octets) % 4), strict_mode=True).decode()
    except ValueError:  # binascii.Error, UnicodeError, or characters that are not ASCII
        return ""


# --- links of a form of their own

# Matches: `/L0/https:%2F%2Fh.example%2F/1/`, `/CL0/http:%2F%2Fh.example/2/`
# Does not match: `/L0/https://h.example/1/`, `/I0/https:%2F%2Fh.example/1/`
_AMAZON_SES = lazy(r"/C?L[0-9]/(?P<url>[a-z]+(?::|%3A)%2F%2F[^/]+)/[0-9]+/", re.IGNORECASE)
# A region may precede the URL. The URL is not escaped, or only its colon is. Some programs remove one of two slashes.
# Matches: `/v2/___http://h.example/a?b___`, `/v2/r01/___https%3A//h.example/___`
# Does not match: `/v2/http://h.example/`, `/v2/___http://h.example/`
_CHECK_POINT = lazy(r"/v[0-9]/(?:r[0-9]+/)?___(?P<scheme>[A-Za-z]+)(?::|%3[Aa])/{1,2}(?P<rest>.+?)___(?=[.?#]|\Z)")
_PROOFPOINT_2 = str.maketrans("-_", "%/")
# Matches: `/v3/__http://h.example/a?b=*__;Iw!`, `/v3/__https:/h.example/__;!`
# Does not match: `/v2/__http://h.example/__;!`, `/v3/__http://h.example/`
_PROOFPOINT_3 = lazy(r"/v3/__(?P<url>.+?)__;(?P<characters>[A-Za-z0-9_+/=-]*)!")
_TOKEN = lazy(r"\*(?:\*(.))?")
_COUNTS = {
    sign: count for count, sign in enumerate(f"{string.ascii_uppercase}{string.ascii_lowercase}{string.digits}-_", 2)
}
# Some programs remove one of two adjacent slashes from a path.
_ONE_SLASH = lazy(r"([A-Za-z][A-Za-z0-9+.-]*:/)(?=[^/])")


def _amazon_ses(url: Url) -> str:
    match = _AMAZON_SES.match(url.path)
    if match is None:
        return ""
    return decoded(match["url"])


def _bing(url: Url) -> str:
    value = _parameter(url, "u")
    if url.path != "/ck/a" or not value.startswith("a1"):
        return ""
    return _from_base64(value[2:])


def _check_point(url: Url) -> str:
    match = _CHECK_POINT.search(url.text, len(f"{url.scheme}://{url.authority}"))
    if match is None:
        return ""
    return f"{match['scheme']}://{match['rest']}"


def _cisco(url: Url) -> str:
    # The slashes of the target are escaped; a link without a target has a token only.
    _, *targets = url.path.removeprefix("/").split("/")
    if len(targets) != 1:
        return ""
    return decoded(targets[0])


def _mandrill(url: Url) -> str:
    if not url.path.startswith("/track/click/"):
        return ""
    value = _from_base64(decoded(_parameter(url, "p")))
    # JSON whose member `p` is again JSON, in a string; the slashes are escaped once for each of the two.
    try:
        return str(json.loads(json.loads(value)["p"])["url"]).replace("\\/", "/")
    except (ValueError, TypeError, LookupError, RecursionError):  # not JSON, not an object, or nested too deeply
        return ""


def _proofpoint(url: Url) -> str:
    """Restore a link of version 1, or of version 2, in which "-" replaces "%", and "_" replaces "/"."""
    value = _parameter(url, "u")
    if url.path == "/v2/url":
        value = value.translate(_PROOFPOINT_2)
    elif url.path != "/v1/url":
        return ""
    import html  # for its large table of entities

    # The target is escaped for HTML first, and then for the query.
    return html.unescape(decoded(value))


def _proofpoint_3(url: Url) -> str:
    """Restore a link of version 3.

    In the URL, "*" represents one of the characters after "__;", which are encoded in base64. "**" and a letter, digit,
    hyphen or low line represent several of them: "**A" two, "**B" three.
    """
    match = _PROOFPOINT_3.search(url.text, len(f"{url.scheme}://{url.authority}"))
    if match is None:
        return ""
    characters = _from_base64(match["characters"])
    if match["characters"] and not characters:
        return ""
    pieces, used = list[str](), 0
    end, text = 0, decoded(_ONE_SLASH.sub(r"\1/", match["url"], count=1))
    for token in _TOKEN.finditer(text):
        count = 1 if token[1] is None else _COUNTS.get(token[1], 0)
        if count == 0 or used + count > len(characters):
            return ""  # it was truncated
        pieces += text[end : token.start()], characters[used : used + count]
        used += count
        end = token.end()
    return "".join(pieces) + text[end:]


def _yahoo(url: Url) -> str:
    fields = (segment.partition("=") for segment in url.path.split("/"))
    return next((decoded(value) for name, _, value in fields if name == "RU"), "")


# --- the services; above each the form of its links, and the source

_SAFE_LINKS = ("*.safelinks.protection.outlook.com", "*.safelinks.protection.office365.us")
_META = (
    "l.facebook.com", "lm.facebook.com", "l.instagram.com", "l.messenger.com", "l.threads.com", "l.threads.net",
    "l.wl.co",
)  # fmt: skip
_GOOGLE = "google.*", "www.google.*", "meet.google.com", "plus.url.google.com"
_VADE = "antiphishing.vadesecure.com", "gws.eu.vadesecure.com", "m365.eu.vadesecure.com", "m365.us.vadesecure.com"

REWRITERS: tuple[Rewriter, ...] = (
    # https://<id>.r.<region>.awstrack.me/L0/<URL with escaped slashes>/1/<message>/<checksum>
    # Amazon Simple Email Service, "Monitoring using event publishing"; mail of Reddit
    Rewriter("amazon-ses", ("*.awstrack.me", "click.redditmail.com"), _amazon_ses),
    # https://linkprotect.cudasvc.com/url?a=<escaped URL>&c=...
    # Barracuda Campus, "Link Protection"
    Rewriter("barracuda", ("linkprotect.cudasvc.com",), _from_query("a")),
    # https://www.bing.com/ck/a?!&&p=...&u=a1<URL in base64>&ntb=1
    # the result pages of bing.com
    Rewriter("bing", ("bing.com", "www.bing.com"), _bing),
    # Harmony Email, formerly Avanan: https://url.avanan.click/v2/___<URL>___.<token>
    # public archives of mailing lists and public repositories
    Rewriter("check-point", ("url.avanan.click", "protect.checkpoint.com"), _check_point),
    # Secure Email, formerly IronPort: https://secure-web.cisco.com/<token>/<escaped URL>
    # Cisco, "User Guide for AsyncOS for Cisco Secure Email Gateway", "Redirecting URLs"
    Rewriter("cisco", ("secure-web.cisco.com",), _cisco),
    # https://duckduckgo.com/l/?uddg=<escaped URL>
    # the result pages of html.duckduckgo.com
    Rewriter(
        "duckduckgo", ("duckduckgo.com", "html.duckduckgo.com", "lite.duckduckgo.com"),
        _from_query("uddg", paths=("/l",)),
    ),
    # https://link.edgepilot.com/s/<id>/<token>?u=<URL, only "&" escaped>
    # public repositories
    Rewriter("edgepilot", ("link.edgepilot.com",), _from_query("u")),
    # Libraesva URLSand: https://urlsand.esvalabs.com/?u=<escaped URL>&e=...&h=...
    # public archives of mailing lists (lore.kernel.org) and public repositories
    Rewriter("esva", ("urlsand.esvalabs.com",), _from_query("u")),
    # https://l.facebook.com/l.php?u=<escaped URL>&h=...
    # Facebook Security, "Link Shim - Protecting the People who Use Facebook from Malicious URLs" (2012)
    Rewriter("facebook", _META, _from_query("u")),
    # now Trellix: https://protect2.fireeye.com/v1/url?k=...&q=1&e=...&u=<URL, not always escaped>
    # public archives of mailing lists (lore.kernel.org) and public repositories
    Rewriter(
        "fireeye", ("protect.fireeye.com", "protect2.fireeye.com", "protect3.fireeye.com"), _from_query("u"),
    ),
    # https://www.google.com/url?q=<escaped URL>&sa=..., on result pages `url`: `q` is the search there
    # the result pages of google.com, and mail from Google Docs and Google Groups
    Rewriter("google", _GOOGLE, _from_query("q", "url", paths=("/url",))),
    # https://meet.google.com/linkredirect?dest=<escaped URL>
    # Google Meet
    Rewriter("google-meet", _GOOGLE, _from_query("dest", paths=("/linkredirect",))),
    # https://www.linkedin.com/redir/redirect?url=<escaped URL>&urlhash=..., newer links /safety/go
    # posts and messages on linkedin.com
    Rewriter(
        "linkedin", ("linkedin.com", "www.linkedin.com"),
        _from_query("url", paths=("/redir/redirect", "/safety/go")),
    ),
    # https://mandrillapp.com/track/click/<user>/<host>?p=<{"p": "{\"url\": \"<URL>\"}"} in base64>
    # public repositories
    Rewriter("mandrill", ("mandrillapp.com",), _mandrill),
    # https://www.pinterest.com/offsite/?token=...&url=<escaped URL>
    # pins on pinterest.com
    Rewriter("pinterest", ("pinterest.com", "www.pinterest.com"), _from_query("url", paths=("/offsite",))),
    # URL Defense: https://urldefense.proofpoint.com/v1/url?u=<escaped URL>&k=..., and /v2/url
    # Proofpoint, "How do I decode a rewritten URL?", and the decoder that the page offers (help.proofpoint.com)
    Rewriter("proofpoint", ("urldefense.proofpoint.com", "urldefense.com", "urldefense.us"), _proofpoint),
    # https://urldefense.com/v3/__<URL>__;<characters>!!<token>!<signature>$
    # the same
    Rewriter("proofpoint-v3", ("urldefense.com", "urldefense.proofpoint.com", "urldefense.us"), _proofpoint_3),
    # https://out.reddit.com/t3_<post>?url=<escaped URL>&token=...&app_name=...
    # the pages of reddit.com, attribute `data-outbound-url`
    Rewriter("reddit", ("out.reddit.com",), _from_query("url")),
    # https://protection.retarus.com/v1?u=<escaped URL>&c=...&r=...&k=...&s=...
    # public repositories
    Rewriter("retarus", ("protection.retarus.com",), _from_query("u")),
    # https://<region>.safelinks.protection.outlook.com/?url=<escaped URL>&data=..., in Office documents /ap/...
    # Microsoft Learn, "Complete Safe Links overview for Microsoft Defender for Office 365"
    Rewriter("safe-links", (*_SAFE_LINKS, "statics.teams.cdn.office.net"), _from_query("url")),
    # https://slack-redir.net/link?url=<escaped URL>
    # Slack Engineering and help pages on "slack-redir.net"
    Rewriter("slack", ("slack-redir.net",), _from_query("url")),
    # https://<region>.protection.sophos.com/?d=<host>&u=<URL in base64>&i=...&t=...&h=...&s=...
    # public repositories
    Rewriter("sophos", ("*.protection.sophos.com",), lambda url: _from_base64(decoded(_parameter(url, "u")))),
    # https://steamcommunity.com/linkfilter/?url=<URL>, newer links `u`
    # comments on steamcommunity.com
    Rewriter("steam", ("steamcommunity.com",), _from_query("url", "u", paths=("/linkfilter",))),
    # https://clicktime.symantec.com/<token>?h=...&u=<escaped URL>, older links /a/1/<token>
    # public archives of mailing lists (lore.kernel.org) and public repositories
    Rewriter("symantec", ("clicktime.symantec.com",), _from_query("u")),
    # https://<tenant>-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=<escaped URL>&umid=...
    # public archives of mailing lists (lore.kernel.org) and public repositories
    Rewriter("trend-micro", ("*.trendmicro.com",), _from_query("url", paths=("/wis/clicktime/v1/query",))),
    # MailMarshal: https://scanmail.trustwave.com/?c=...&d=...&u=<escaped URL>
    # public archives of mailing lists (lore.kernel.org) and public repositories
    Rewriter("trustwave", ("scanmail.trustwave.com",), _from_query("u")),
    # https://t.umblr.com/redirect?z=<escaped URL>&t=...
    # posts on tumblr.com
    Rewriter("tumblr", ("t.umblr.com",), _from_query("z")),
    # GMX, WEB.DE, mail.com: https://deref-gmx.net/mail/client/<token>/dereferrer/?redirectUrl=<escaped URL>
    # public repositories
    Rewriter(
        "united-internet", ("deref-gmx.com", "deref-gmx.net", "deref-mail.com", "deref-web.de"),
        _from_query("redirectUrl"),
    ),
    # https://antiphishing.vadesecure.com/v4?f=...&i=...&k=...&r=...&s=...&u=<escaped URL>, other hosts /safeproxy/v4
    # public repositories
    Rewriter("vade", _VADE, _from_query("u")),
    # https://vk.com/away.php?to=<escaped URL>
    # posts on vk.com
    Rewriter("vk", ("away.vk.com", "m.vk.com", "vk.com"), _from_query("to", paths=("/away.php",))),
    # https://r.search.yahoo.com/_ylt=.../RV=2/RE=.../RO=10/RU=<escaped URL>/RK=2/RS=...
    # the result pages of search.yahoo.com
    Rewriter("yahoo", ("*.search.yahoo.com",), _yahoo),
    # https://www.youtube.com/redirect?event=...&redir_token=...&q=<escaped URL>
    # descriptions and comments on youtube.com
    Rewriter("youtube", ("m.youtube.com", "www.youtube.com", "youtube.com"), _from_query("q", paths=("/redirect",))),
    # https://link.zhihu.com/?target=<escaped URL>
    # answers on zhihu.com
    Rewriter("zhihu", ("link.zhihu.com",), _from_query("target")),
)  # fmt: skip
