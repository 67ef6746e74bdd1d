"""Restore the targets of rewritten links, without a network connection; one file per service.

Mail filters, mailers and sites replace the links of a text by links to themselves. If the target is part of the
rewritten link, it can be read from there. Many services store or encrypt the target: the links of Mimecast, SendGrid
and HubSpot, and short links, cannot be restored.

A host is compared as a whole, because anyone can write `https://h.example/urldefense.com/v3/__http://a.example__;!`.
"""

import functools
import re

from urlscan.uri.rewriters import (
    amazon_ses,
    barracuda,
    bing,
    check_point,
    cisco,
    duckduckgo,
    edgepilot,
    esva,
    facebook,
    fireeye,
    google,
    linkedin,
    mandrill,
    pinterest,
    proofpoint,
    proofpoint_v3,
    reddit,
    retarus,
    safe_links,
    slack,
    sophos,
    steam,
    symantec,
    trend_micro,
    trustwave,
    tumblr,
    united_internet,
    vade,
    vk,
    yahoo,
    youtube,
    zhihu,
)
from urlscan.uri.rewriters.base import Rewriter, checked
from urlscan.uri.url import split

REWRITERS: tuple[Rewriter, ...] = (
    amazon_ses.REWRITER,
    barracuda.REWRITER,
    bing.REWRITER,
    check_point.REWRITER,
    cisco.REWRITER,
    duckduckgo.REWRITER,
    edgepilot.REWRITER,
    esva.REWRITER,
    facebook.REWRITER,
    fireeye.REWRITER,
    google.REWRITER,
    linkedin.REWRITER,
    mandrill.REWRITER,
    pinterest.REWRITER,
    proofpoint.REWRITER,
    proofpoint_v3.REWRITER,
    reddit.REWRITER,
    retarus.REWRITER,
    safe_links.REWRITER,
    slack.REWRITER,
    sophos.REWRITER,
    steam.REWRITER,
    symantec.REWRITER,
    trend_micro.REWRITER,
    trustwave.REWRITER,
    tumblr.REWRITER,
    united_internet.REWRITER,
    vade.REWRITER,
    vk.REWRITER,
    yahoo.REWRITER,
    youtube.REWRITER,
    zhihu.REWRITER,
)

# How many rewritten links are unwrapped from one URL. A link that passes three filters is nested three times.
MAX_DEPTH = 10
# A longer URL is data.
_LONGEST = 1 << 16
# The host of a rewritten link. None of the services writes a userinfo, or a port other than that of the scheme.
_HOST = re.compile(r"https?://([A-Za-z0-9.-]{3,253})(?::(?:80|443)?)?(?=[/?])", re.IGNORECASE)
# Google has the second-level domains "co.uk" and "com.au", and domains such as "google.de".
_COUNTRY = re.compile(r"(?:com?\.)?[a-z]{2}|com")


def unwrapped(url: str, max_depth: int = MAX_DEPTH) -> str:
    """Return the target of a rewritten link, also if it was rewritten several times; another URL as it is.

    Args:
        url: any string.
        max_depth: how many layers are unwrapped; the result may be a rewritten link if there are more.
    """
    for _ in range(max_depth):
        target = _target(url)
        if target is None:
            break
        url = target
    return url


def _target(url: str) -> str | None:
    """Return the target of a link that was rewritten once, or None."""
    if len(url) > _LONGEST or (match := _HOST.match(url)) is None:
        return None
    for rewriter in _rewriters_of(match[1].lower()):
        parts = split(url)
        target = checked(rewriter.restore(parts))
        if target is not None:
            # RFC 9110 section 10.2.2: a redirect to a URL without a fragment inherits that of the link.
            inherits = parts.fragment and "#" not in target
            return f"{target}#{parts.fragment}" if inherits else target
    return None


@functools.cache
def _hosts() -> dict[str, list[Rewriter]]:
    found: dict[str, list[Rewriter]] = {}
    for rewriter in REWRITERS:
        for host in rewriter.hosts:
            found.setdefault(host, []).append(rewriter)
    return found


@functools.lru_cache(maxsize=4096)
def _rewriters_of(host: str) -> tuple[Rewriter, ...]:
    """Return the services that rewrite links to this host, in lowercase."""
    hosts = _hosts()
    labels = host.split(".")
    names = [host]
    names += [f"*.{'.'.join(labels[number:])}" for number in range(len(labels))]
    names += [f"{'.'.join(labels[:n])}.*" for n in range(1, len(labels)) if _COUNTRY.fullmatch(".".join(labels[n:]))]
    return tuple(rewriter for name in names for rewriter in hosts.get(name, ()))
