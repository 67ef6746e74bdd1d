"""Write a URL so that no program turns it into a link.

There is no standard. The forms are those that most analysts write: "hxxp" and "fxp" in place of "http" and "ftp", and
brackets around dots, at signs, and the "://" of other schemes. `urlscan.finder.refang` reads them.
"""

import re

from urlscan.core.lazy import lazy

_SAFE = frozenset(("hxxp", "hxxps", "fxp", "fxps"))
_DEFANGED = {"http": "hxxp", "https": "hxxps", "ftp": "fxp", "ftps": "fxps"}
# The colon before "//", with the last part of the scheme: "https" in "git+https".
_SLASHES = lazy(r"([A-Za-z0-9]*)(?<!\[)://")
# RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ), without "//"; also a host with a port
_COLON = lazy(r"([A-Za-z][A-Za-z0-9+.-]*):(?!//)")
# A dot inside a name, in a path, too: programs make links of "/?next=h.example". RFC 3490 section 3.1: the four dots
_DOT = lazy(r"(?<=[^\s./\[])([.\u3002\uff0e\uff61])(?=[^\s./\]])")
_AT = lazy(r"(?<!\[)@(?!\])")


def defang(url: str) -> str:
    """Return a URL, a host or an address that no program turns into a link. The result is idempotent.

    >>> defang("https://www.h.example/a.php?b=c"), defang("jo@h.example"), defang("gopher://h.example/")
    ('hxxps://www[.]h[.]example/a[.]php?b=c', 'jo[@]h[.]example', 'gopher[://]h[.]example/')
    """
    url = without_schemes(url)
    if (colon := _COLON.match(url)) is not None:
        url = f"{colon[1]}[:]{url[colon.end() :]}"
    return _AT.sub("[@]", _DOT.sub(r"[\1]", url))


def without_schemes(text: str) -> str:
    """Return a text in which every scheme before "//" is defanged."""
    return _SLASHES.sub(_scheme, text)


def _scheme(match: re.Match[str]) -> str:
    scheme = match[1].lower()
    if scheme in _SAFE:
        return match[0]
    if scheme not in _DEFANGED:
        return f"{match[1]}[://]"
    if match[1].isupper():
        return f"{_DEFANGED[scheme].upper()}://"
    return f"{_DEFANGED[scheme]}://"
