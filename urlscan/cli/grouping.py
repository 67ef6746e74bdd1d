"""Count URLs by host, registered domain or scheme, for `urlscan extract --by`."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from urlscan.archive.domains import domain_of
from urlscan.core.errors import UrlscanError
from urlscan.uri.schemes import name_of
from urlscan.uri.transform.idn import to_ascii, to_unicode
from urlscan.uri.url import split


class Group(NamedTuple):
    """URLs that have a host, domain or scheme in common.

    Attributes:
        key: what they have in common; None for URLs without a host or scheme.
        occurrences: the number of their occurrences.
        urls: the number of distinct URLs.
    """

    key: str | None
    occurrences: int
    urls: int


def groups(counts: Counter[str], by: str) -> list[Group]:
    """Return the groups of URLs, the most frequent first.

    Args:
        counts: the number of occurrences of each URL.
        by: host, domain or scheme.

    Raises:
        ConfigError: by is domain, and publicsuffixlist is not installed.
    """
    key_of = KEYS[by]
    occurrences, urls = Counter[str | None](), Counter[str | None]()
    for url, count in counts.items():
        key = key_of(url)
        occurrences[key] += count
        urls[key] += 1
    return [Group(key, count, urls[key]) for key, count in occurrences.most_common()]


def scheme_of(url: str) -> str | None:
    """Return the scheme in lower case, or None."""
    return name_of(url) or None


def host_of(url: str) -> str | None:
    """Return the host in lower case and, if idna is installed, in Unicode; None without one."""
    host = (split(url).host or "").lower().removesuffix(".")
    try:
        return to_unicode(host) or None
    except UrlscanError:  # idna is not installed, or the name is invalid
        return host or None


def registered_domain_of(url: str) -> str | None:
    """Return the registered domain of the host by the Public Suffix List, or the host if it has none."""
    host = host_of(url)
    if host is None:
        return None
    try:
        domain = domain_of(to_ascii(host).lower()).registered
    except UrlscanError:
        domain = domain_of(host).registered
    return host if domain is None else host_of(f"//{domain}/")


KEYS: dict[str, Callable[[str], str | None]] = {
    "host": host_of,
    "domain": registered_domain_of,
    "scheme": scheme_of,
}
