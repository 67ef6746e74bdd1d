"""Domain names: the top-level domains of IANA, those that RFCs reserve, and names that IDNA maps to ASCII."""

import functools
import unicodedata

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


# --- The names that IDNA maps to ASCII: full-width letters, digits and dots, as input methods write them
#
# UTS #46 section 4 maps such characters to their compatibility equivalents before a host is looked up.  Names that need
# Punycode are left to `transform/idn.py`, which has the tables.

# The dots of UTS #46 section 2.3 besides ".": NFKC maps U+FF0E to ".", and U+FF61 to U+3002.
_IDEOGRAPHIC_FULL_STOP = "\u3002"
_NAME = lazy(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.?")


def mapped(host: str) -> str:
    r"""Return `host` as IDNA maps it, without Punycode.

    >>> mapped("\uff48\u3002example"), mapped("\uff0541.example")
    ('h.example', '%41.example')
    """
    return unicodedata.normalize("NFKC", host).replace(_IDEOGRAPHIC_FULL_STOP, ".").lower()


def mapped_to_ascii(host: str) -> str | None:
    r"""Return the ASCII name that IDNA maps `host` to; None if the host is ASCII already or has no such name.

    >>> mapped_to_ascii("\uff48\u3002example"), mapped_to_ascii("b\u00fccher.example")
    ('h.example', None)
    """
    if host.isascii():
        return None
    name = mapped(host)
    if _NAME.fullmatch(name) is None:
        return None
    return name
