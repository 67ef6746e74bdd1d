"""Return the registered domain of a host by the Public Suffix List.

The list is the one that the package publicsuffixlist contains; it is never fetched. Its PRIVATE section is included:
the registered domain of `a.b.github.io` is `b.github.io`, since strangers own its neighbors.
"""

import functools
import re
from typing import Any

from urlscan.archive.schema import import_package

# A host whose last label is numeric is an address, or meant as one (WHATWG URL, "ends in a number").
_ADDRESS = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9A-Fa-f]*)\.?", re.DOTALL)
_LONGEST = 253  # characters of a name in the DNS (RFC 1035 section 2.3.4)


@functools.lru_cache(maxsize=1 << 14)
def domain_of(host: str) -> tuple[str | None, str | None]:
    """Return the registered domain and the public suffix of a host in ASCII, in lower case.

    A public suffix has no registered domain; addresses and hosts that are no names have neither.

    Raises:
        ConfigError: publicsuffixlist is not installed.
    """
    name = host.lower().removesuffix(".")
    if not name or len(name) > _LONGEST or name[0] in "[." or ".." in name or _ADDRESS.fullmatch(name):
        return None, None
    suffix = _suffixes().publicsuffix(name)  # `privatesuffix` looks it up again: twice the time
    if suffix is None or suffix == name:
        return None, suffix
    return name[name.rfind(".", 0, -len(suffix) - 1) + 1 :], suffix


@functools.cache
def _suffixes() -> Any:
    return import_package("publicsuffixlist").PublicSuffixList()
