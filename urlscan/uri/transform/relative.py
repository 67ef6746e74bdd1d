"""The inverse of resolution: the reference that leads from a base to a target."""

from collections.abc import Iterator

from urlscan.uri.transform.resolve import resolved
from urlscan.uri.url import Url, recompose, split


def relative(base: str, target: str, profile: str) -> str:
    """Return the shortest reference that `profile` resolves against `base` to exactly `target`.

    It is never empty. It is the target itself if no shorter reference leads there.
    """
    # Among equally short references, prefer the one that depends less on the base.
    for reference in sorted(_candidates(split(base), split(target)), key=len):
        if reference and resolved(base, reference, profile) == target:
            return reference
    return target


def _candidates(base: Url, target: Url) -> Iterator[str]:
    """Yield the references that may lead to the target."""
    if base.scheme is None or target.scheme != base.scheme:
        return
    rest = (target.query, target.fragment)
    if target.authority == base.authority:
        if target.path == base.path:
            if target.query == base.query and target.fragment is not None:
                yield recompose(None, None, "", None, target.fragment)
            yield recompose(None, None, "", *rest)
        for path in _paths(base.path, target.path):
            yield recompose(None, None, path, *rest)
        if target.path.startswith("/") and not target.path.startswith("//"):
            yield recompose(None, None, target.path, *rest)
    if target.authority is not None:
        yield recompose(None, target.authority, target.path, *rest)


def _paths(base: str, target: str) -> Iterator[str]:
    """Yield the relative path from `base` to `target`, and forms of it with a safe beginning."""
    here, there = base.split("/")[:-1], target.split("/")
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    up = "../" * (len(here) - common)
    path = up + "/".join(there[common:])
    # An empty first segment would be read as the root, and one with a colon as a scheme.
    if path and not path.startswith("/") and ":" not in path.partition("/")[0]:
        yield path
    yield "./" + path
