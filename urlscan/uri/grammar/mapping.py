"""The names that IDNA maps to ASCII: full-width letters, digits and dots, as input methods write them.

UTS #46 section 4 maps such characters to their compatibility equivalents before a host is looked up.  Names that need
Punycode are left to `transform/idn.py`, which has the tables.
"""

import re
import unicodedata

# The dots of UTS #46 section 2.3 besides ".": NFKC maps U+FF0E to ".", and U+FF61 to U+3002.
_IDEOGRAPHIC_FULL_STOP = "\u3002"
_NAME = re.compile(r"[A-Za-z0-9.-]+")


def mapped_to_ascii(host: str) -> str | None:
    r"""Return the ASCII name that IDNA maps `host` to; None if the host is ASCII already or has no such name.

    >>> mapped_to_ascii("\uff48\u3002example"), mapped_to_ascii("b\u00fccher.example")
    ('h.example', None)
    """
    if host.isascii():
        return None
    name = unicodedata.normalize("NFKC", host).replace(_IDEOGRAPHIC_FULL_STOP, ".").lower()
    return name if _NAME.fullmatch(name) else None
