"""Resolve references against a base by each specification, and find the reference that leads to a target."""

import re
from collections.abc import Callable, Iterator

from urlscan.core.choices import Dots
from urlscan.core.errors import RefusedError
from urlscan.core.offsets import common_affixes
from urlscan.core.record import NamedTuple
from urlscan.core.typing import get_args
from urlscan.uri.grammar.dots import remove_dot_segments
from urlscan.uri.schemes import HIERARCHICAL
from urlscan.uri.url import Url, recompose, split

DOTS: tuple[Dots, ...] = get_args(Dots)
# RFC 3986 section 5.2.4 strips it; RFC 2396 section 5.2 step 6g allows several ways, and its examples keep it.
_DEFAULT_DOTS = {"rfc3986": "strip", "rfc3987": "strip", "rfc2396": "keep", "rfc1738": "strip", "rfc1630": "keep"}


class Misstep(NamedTuple):
    """A problem during resolution, although there is a result.

    Attributes:
        name: the rule that reports it: dots-above-root, same-scheme-relative or invalid-for-scheme.
        component: "base" or "reference", in whose characters the span is.
        syntax: whether the specification calls it an error in the reference.
    """

    name: str
    message: str
    component: str
    start: int
    end: int
    syntax: bool


class Options(NamedTuple):
    """How to treat dots above the root, and whether "http:g" may be relative."""

    dots: str
    legacy_scheme: bool


def resolve(
    base: Url, reference: Url, profile: str, dots: str | None, legacy_scheme: bool, missteps: list[Misstep]
) -> str:
    """Return the target, and append problems to `missteps`; a ".." that is to be refused raises RefusedError."""
    options = Options(dots or _DEFAULT_DOTS[profile], legacy_scheme)
    if base.scheme is None:
        message = "base has no scheme; only an absolute base yields an absolute URL"
        missteps.append(Misstep("invalid-for-scheme", message, "base", 0, min(1, len(base.text)), True))
    name = _shared_scheme(base, reference)
    if name in HIERARCHICAL and reference.authority is None and not reference.path.startswith("/"):
        message = f'"{reference.scheme}:" without "//" is resolved as absolute, not relative to the base'
        if legacy_scheme:
            message = f'"{reference.scheme}:" precedes a relative reference'
        end = len(reference.scheme or "") + 1
        missteps.append(Misstep("same-scheme-relative", message, "reference", 0, end, profile == "rfc2396"))
    return _ALGORITHMS[profile](base, reference, options, missteps)


def _shared_scheme(base: Url, reference: Url) -> str | None:
    """Return the scheme that the reference repeats from the base (RFC 2396 section 5.2 step 3), in lowercase."""
    if base.scheme is None or reference.scheme is None or reference.scheme.lower() != base.scheme.lower():
        return None
    return base.scheme.lower()


# --- RFC 3986 section 5.2.2, and the equivalent RFC 3987 section 6.5


def _rfc3986(base: Url, ref: Url, options: Options, missteps: list[Misstep]) -> str:
    scheme = ref.scheme
    # "if ((not strict) and (R.scheme == Base.scheme)) then undefine(R.scheme)"
    if options.legacy_scheme and _shared_scheme(base, ref) is not None:
        scheme = None
    if scheme is not None or ref.authority is not None:
        path = _undotted(ref.path, ref, options, missteps)
        return _joined(scheme or base.scheme, ref.authority, path, ref.query, ref.fragment)
    if not ref.path:
        query = ref.query
        if query is None:
            query = base.query
        return recompose(base.scheme, base.authority, base.path, query, ref.fragment)
    path = _undotted(_merged(base, ref.path), ref, options, missteps)
    return _joined(base.scheme, base.authority, path, ref.query, ref.fragment)


def _merged(base: Url, path: str) -> str:
    # RFC 3986 section 5.2.3
    if path.startswith("/"):
        return path
    if base.authority is not None and not base.path:
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def _undotted(path: str, ref: Url, options: Options, missteps: list[Misstep]) -> str:
    # Sections 2.3 and 6.2.2.2: "%2E" is equivalent to ".", and browsers treat it so.
    remaining, above = remove_dot_segments(path, escaped=True, keep=options.dots == "keep")
    if above:
        _above_root(ref, options, missteps, syntax=False)
    return remaining


def _above_root(ref: Url, options: Options, missteps: list[Misstep], *, syntax: bool) -> None:
    start, end = ref.span("path") or (0, 0)
    if match := re.search(r"(?:^|/)((?:\.|%2[Ee]){2})(?:/|$)", ref.path):
        start, end = start + match.start(1), start + match.end(1)
    missteps.append(Misstep("dots-above-root", '".." leads above the root', "reference", start, end, syntax))
    if options.dots == "refuse":
        raise RefusedError('".." leads above the root', hint='dots="strip" removes it, dots="keep" keeps it')


def _joined(scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    """Return the composed URL; a path that lost its beginning keeps its meaning.

    RFC 3986 section 3.3: without an authority a path cannot begin with "//"; "/." before it keeps it a path.
    Section 4.2: a first segment with a colon would be a scheme; "./" before it makes it a path.
    """
    if authority is None and path.startswith("//"):
        path = "/." + path
    if scheme is None and authority is None and ":" in path.partition("/")[0]:
        path = "./" + path
    return recompose(scheme, authority, path, query, fragment)


# --- RFC 2396 section 5.2


def _rfc2396(base: Url, ref: Url, options: Options, missteps: list[Misstep]) -> str:
    # Step 2: "it is a reference to the current document and we are done".  The base names this document; the fragment
    # of the base is not part of a URI (section 4).
    if not ref.path and ref.scheme is None and ref.authority is None and ref.query is None:
        return recompose(base.scheme, base.authority, base.path, base.query, ref.fragment)
    # Step 3, with its exception "if it matches that of the base URI and the scheme is known to always
    # use the <hier_part> syntax".
    is_relative = options.legacy_scheme and _shared_scheme(base, ref) in HIERARCHICAL
    if ref.scheme is not None and not is_relative:
        return ref.text
    if ref.authority is not None:  # step 4
        return recompose(base.scheme, ref.authority, ref.path, ref.query, ref.fragment)
    path = ref.path
    if not path.startswith("/"):  # steps 5 and 6
        # Steps 6a and 6b.  A base without a path has no slash to keep: "http://a" and "g" would become "http://ag".
        # RFC 3986 section 5.2.3 corrected this.
        path, above = _reduced(_merged(base, path), options.dots)
        if above:
            _above_root(ref, options, missteps, syntax=True)
    return _joined(base.scheme, base.authority, path, ref.query, ref.fragment)


def _reduced(path: str, dots: str) -> tuple[str, int]:
    """Remove dot segments from the buffer (steps 6c to 6g), with a stack, which RFC 2396 calls equivalent."""
    root = "/" if path.startswith("/") else ""
    stack: list[str] = []
    for segment in path[len(root) :].split("/"):
        ends_open = segment in (".", "..")
        if segment == ".":
            continue
        if segment == ".." and stack and stack[-1] != "..":
            stack.pop()
        else:
            ends_open = False
            stack.append(segment)
    above = stack.count("..")  # they are the first
    if dots == "strip":
        stack = stack[above:]
    if ends_open and stack:
        stack.append("")
    return root + "/".join(stack), above


# --- RFC 1630, partial form


def _rfc1630(base: Url, ref: Url, options: Options, missteps: list[Misstep]) -> str:
    # "An absolute form [...] must have a colon and that colon must occur before any slash characters."
    if ref.scheme is not None:
        return ref.text
    whole = base.text.partition("#")[0]
    # "A void fragment-id with or without the hash sign means that the URL refers to the whole object."
    if not ref.text.partition("#")[0]:
        return whole + ref.text
    slashes = len(ref.text) - len(ref.text.lstrip("/"))
    if slashes:
        # "everything from the context URI up to (but not including) the first occurrence of exactly the
        # same number of consecutive slashes which has no greater number of consecutive slashes anywhere
        # to the right of it".  By the letter, "/g" in "magic://a/b/c//d/e/f" would be "magic://a/b/c//d/g";
        # the text's own example has "magic://a/g", and so has this function: the first occurrence decides.
        match = re.search(rf"(?<!/)/{{{slashes}}}(?!/)", whole.partition("?")[0])
        if match is not None:
            return whole[: match.start()] + ref.text
        return recompose(base.scheme, None, ref.text, None, None)
    # "The last part of the path of the context URI (anything following the rightmost slash) is removed,
    # and the given partial URI appended in its place, and then: Within the result, all occurrences of
    # "xxx/../" or "/." are recursively removed".  A ".." at the end counts, as in all later specifications.
    path, above = _reduced(_merged(base, ref.path), options.dots)
    if above:
        _above_root(ref, options, missteps, syntax=False)
    return _joined(base.scheme, base.authority, path, ref.query, ref.fragment)


_ALGORITHMS: dict[str, Callable[[Url, Url, Options, list[Misstep]], str]] = {
    "rfc3986": _rfc3986,
    "rfc3987": _rfc3986,
    "rfc2396": _rfc2396,
    # RFC 1738 section 2.3 leaves relative forms to other documents: to RFC 1808, and so to its successors.
    "rfc1738": _rfc3986,
    "rfc1630": _rfc1630,
}


# --- The inverse of resolution: the reference that leads from a base to a target


def relative(base: str, target: str, profile: str) -> str:
    """Return the shortest reference that `profile` resolves against `base` to exactly `target`.

    It is never empty. It is the target itself if no shorter reference leads there.
    """
    base_url = split(base)
    # Among equally short references, prefer the one that depends less on the base.
    for reference in sorted(_candidates(base_url, split(target)), key=len):
        if reference and resolve(base_url, split(reference), profile, None, False, []) == target:
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
    base_segments, target_segments = base.split("/")[:-1], target.split("/")
    common, _ = common_affixes(base_segments, target_segments[:-1])
    up = "../" * (len(base_segments) - common)
    path = up + "/".join(target_segments[common:])
    # An empty first segment would be read as the root, and one with a colon as a scheme.
    if path and not path.startswith("/") and ":" not in path.partition("/")[0]:
        yield path
    yield "./" + path
