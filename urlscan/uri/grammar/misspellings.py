"""Misspelled schemes: find the well-known scheme that an unknown name probably means.

`htp://www.h.example/`, `fftp://ftp.h.example/`, `hrrp://h.example/` are found;
`hkp://`, `at://` and `halt://` are not misspelled.
"""

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.domains import is_domain

# In order of preference among equally close candidates.
_KNOWN = ("http", "https", "ftp", "gopher", "telnet")
# In use but not registered.
IN_USE = frozenset(
    "at docker ftps ftpes fsp gtp hftp hkp hkps hsftp httpa httpc httpg httpmu httpr httpu httpx lftp shttp utp".split()
)
# Words within two edits of "http".
_WORDS = frozenset("halt hasp heap heat help hemp here hint hits hoop hope host htop hulp hump".split())
_DOTTED = lazy(r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*\.?")
_REPEATED = lazy(r"(.)\1")


def meant_scheme(name: str, host: str, *, has_path: bool) -> str:
    """Return the scheme that an unknown one probably misspells, or ""; both names are in lowercase.

    >>> meant_scheme("htp", "www.h.example", has_path=True), meant_scheme("fftp", "h.example", has_path=True)
    ('http', 'ftp')
    >>> meant_scheme("hope", "www.h.example", has_path=False), meant_scheme("htp", "host", has_path=True)
    ('', '')
    """
    if len(name) < 3 or not (name.isascii() and name.isalpha()) or name in IN_USE:
        return ""
    # "ttps://www.examp" occurs in dumps of messages.
    if _DOTTED.fullmatch(host) is None or not (has_path or is_domain(host)):
        return ""
    # "htts" and "hptts" are as close to "http", but their "s" was typed.
    known = ("https", "http", *_KNOWN[2:]) if "s" in name else _KNOWN
    # One edit is weak evidence for "ftp", because many names have three letters.
    is_ftp = host.startswith("ftp.") or sorted(name) == sorted("ftp") or _REPEATED.sub(r"\1", name) == "ftp"
    for scheme in known:
        if distance(name, scheme) == 1 and (scheme != "ftp" or is_ftp):
            return scheme
    is_web = host.startswith("www.") or is_domain(host)
    if name[0] == "h" and is_web and name not in _WORDS:
        return next((scheme for scheme in known[:2] if distance(name, scheme) == 2), "")
    return ""


def distance(word: str, other: str) -> int:
    """Return the number of insertions, deletions, changes and transpositions between two words, at most 3."""
    if abs(len(word) - len(other)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(word, 1):
        older, before = before, row
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == word[i - 2]:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return min(row[-1], 3)
