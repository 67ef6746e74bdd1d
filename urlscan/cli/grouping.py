"""Count URLs by host, registered domain or scheme, for `urlscan extract --by`."""

from collections import Counter
from collections.abc import Callable

from urlscan.api.masked import host_of
from urlscan.archive.domains import domain_of
from urlscan.uri.schemes import name_of
from urlscan.uri.transform.idn import host_names
from urlscan.uri.url import split


def groups(counts: Counter[str], by: str) -> list[tuple[str | None, int, int]]:
    """Return the hosts, domains or schemes, the most frequent first, with the number of occurrences and of URLs.

    The key of URLs without a host or scheme is None. Domains raise ConfigError if publicsuffixlist is not installed.
    """
    key_of = KEYS[by]
    occurrences, urls = Counter[str | None](), Counter[str | None]()
    for url, count in counts.items():
        key = key_of(url)
        occurrences[key] += count
        urls[key] += 1
    return [(key, count, urls[key]) for key, count in occurrences.most_common()]


def registered_domain_of(url: str) -> str | None:
    """Return the registered domain of the host by the Public Suffix List, or the host if it has none."""
    host, ascii = host_names(split(url).host or "")
    domain, _ = domain_of(ascii or host)
    if domain is not None:
        (host, _) = host_names(domain)
    return host or None


KEYS: dict[str, Callable[[str], str | None]] = {
    "host": host_of,
    "domain": registered_domain_of,
    "scheme": lambda url: name_of(url) or None,
}
