"""Decode the shifted sequences of UTF-7, between "+" and "-".

RFC 2152:  "+" begins octets of UTF-16 in the alphabet of base64 without padding; "-", which belongs to it, or any
           other character outside the alphabet ends it; "+-" represents "+".
"""

import re
from collections.abc import Iterator

from urlscan.documents.replacements import AnyReplacements, Replacement, collect

# The codec, for each name that declares it.
UTF_7 = "utf-7"
LABELS = ("utf-7", "utf7", "unicode-1-1-utf-7", "unicode-2-0-utf-7", "x-unicode-2-0-utf-7", "csunicode11utf7")
_SHIFTED = re.compile(r"\+(?:-|[A-Za-z0-9+/]+-?)")


def shifted(text: str) -> AnyReplacements:
    """Return the decoded text of each shifted sequence, in order; undecodable ones are left as they are.

    >>> shifted("http://h.example/+AH4-jo?a+AD0-b")
    ((17, 22, '~'), (26, 31, '='))
    """
    return collect(_shifted(text))


def _shifted(text: str) -> Iterator[Replacement]:
    for match in _SHIFTED.finditer(text):
        try:
            decoded = match[0].encode("ascii").decode(UTF_7)
        except UnicodeDecodeError:
            continue
        yield match.start(), match.end(), decoded
