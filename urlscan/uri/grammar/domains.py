"""Domain names: the top-level domains of IANA, and those that RFCs reserve."""

import functools

from urlscan.core.lazy import lazy

# RFC 2606, RFC 6761, RFC 6762 and RFC 9476: names that are reserved and are not top-level domains.
RESERVED = frozenset("alt example internal invalid lan local localhost onion test".split())
_LABEL = lazy(r"(?!-)[\w-]{1,63}")


def is_domain(text: str) -> bool:
    """Return whether `text` is a name with an existing top-level domain.

    >>> is_domain("h.example.org."), is_domain("archive.tar"), is_domain("org")
    (True, False, False)
    """
    labels = text.lower().removesuffix(".").split(".")
    return len(labels) > 1 and all(map(_LABEL.fullmatch, labels)) and is_top_level(labels[-1])


def is_top_level(label: str) -> bool:
    """Return whether `label`, in lowercase, is a top-level domain in any script."""
    if not label.isascii():
        try:
            label = f"xn--{label.encode('punycode').decode()}"
        except UnicodeError:
            return False
    return label in top_level_domains()


@functools.cache
def top_level_domains() -> frozenset[str]:
    """Return the top-level domains, in lowercase, those in other scripts as A-labels."""
    from urlscan.data.tlds import TLDS  # deferred: several kilobytes that most runs never need

    return TLDS
