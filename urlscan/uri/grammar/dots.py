"""Removal of dot segments, "." and "..", from paths."""

import re

from urlscan.core.record import NamedTuple

# RFC 3986 section 6.2.2.2: "%2E" and "." are equivalent.
_DOTS = re.compile(r"(?:\.|%2[Ee]){1,2}")


class Undotted(NamedTuple):
    """A path without dot segments, and the number of ".." that led above the root."""

    path: str
    above: int


def remove_dot_segments(path: str, *, escaped: bool = False, keep: bool = False) -> Undotted:
    """Return `path` without its dot segments, by RFC 3986 section 5.2.4.

    A path that does not begin with "/" is treated literally: "a/../b" becomes "/b". If `escaped`, "%2E" is a dot; if
    `keep`, a ".." that leads above the root is kept.

    >>> remove_dot_segments("/a/b/c/./../../g")
    Undotted(path='/a/g', above=0)
    >>> remove_dot_segments("/../g"), remove_dot_segments("/../g", keep=True)
    (Undotted(path='/g', above=1), Undotted(path='/../g', above=1))
    """
    if "." not in path and "%2" not in path:
        return Undotted(path, 0)
    above = 0
    while (first := path.partition("/"))[1] and first[0] and (dots := _dots(first[0], escaped)):  # steps A
        above += dots == 2
        path = first[2]
    if path and "/" not in path and (dots := _dots(path, escaped)):  # step D
        return Undotted("", above + (dots == 2))
    output: list[str] = []
    pieces = re.findall("/?[^/]*", path)[:-1]  # the last one is always empty
    for number, piece in enumerate(pieces, 1):
        dots = piece.startswith("/") and _dots(piece[1:], escaped)
        if not dots:  # step E
            output.append(piece)
            continue
        if dots == 2:  # step C
            if output and output[-1] != "/..":
                output.pop()
            else:
                above += 1
                if keep:
                    output.append("/..")
        if number == len(pieces):  # the end of steps B and C
            output.append("/")
    return Undotted("".join(output), above)


def _dots(segment: str, escaped: bool) -> int:
    """Return 1 for ".", 2 for "..", 0 for anything else."""
    if segment in (".", ".."):
        return len(segment)
    if escaped and "%" in segment and _DOTS.fullmatch(segment):
        return 1 + (len(segment) > 3)
    return 0
