"""Read a relative reference, and normalize its path against the path of its document (RFC 3986 section 5.2)."""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple

# Longer paths are data.
_LONGEST = 4096
_MOST_PARTS = 200
# Beginnings of aliases of bundlers ("@site/a", "~/a"), labels of Documenter.jl ("@ref") and items of rustdoc.
# Matches: `crate#`, `@site/`, `@ref`, `~`
# Does not match: `a@b`, `@jo`
_ALIAS = lazy(r"@(?:[^/]*/|(?:ext)?ref|id|cite)|[~!:?]|//|crate#")
# Characters of templates, patterns, items of rustdoc ("a::B") and shortcodes, by the first one. "%BF%" is an escape.
# Matches: `{`, `::`, `[[`, `%A%`
# Does not match: `a:b`, `[a`, `%BF%`
_DOUBTFUL = lazy(
    r"""
    [{}<>|\\^`*"$\x00-\x1f\x7f\ufffd\ud800-\udfff:\[%]
    (?: (?<! [:\[%]) | (?<=:) : | (?<=\[) \[ | (?<=%) (?! [A-Fa-f]{2}% ) [A-Za-z_]+% )
    """,
    re.VERBOSE,
)
_CONTROL = lazy(r"[\x00-\x1f\x7f]")
# The text before a destination in Markdown, and in HTML. Each pattern begins with a literal, which makes the search ten
# times faster than one pattern with alternatives.
IN_MARKDOWN = rb"\](?:\(|: )<?"
_IN_HTML = rb"=(?:(?<=href=)|(?<=src=))[\"']?"
# Text in place of a reference in instructions.
# Matches: `url`, `...`, `path/to/a.md`, `../path/to/a`, `your-page.md`, `docs/file.md`, `docs/vX.Y.md`, `baseUrl`
# Does not match: `urls.md`, `docs`, `curl`, `a/path/to`, `a/file-a.md`
PLACEHOLDER = lazy(
    r"""
    (?: \.{3,} | \u2026 | true | false | none | null | undefined
      | (?:the[-_])?(?:urls?|links?|uri|href|src|here|xxx+|insert[-_].*) | (?-i: [a-z]+U(?:rl|RL|ri|RI) )
      | (?:\.{0,2}/)? path/to\b.* | (?:your|my)[-_].* | (?:[^/]+/){0,9}file\.\w+ | \#+
      | (?-i: \S*?\bv?X\.Y\b\S* )
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Reference(NamedTuple):
    """A relative reference.

    Attributes:
        path: its path, decoded; "" for the same document.
        raw_path: its path as written.
        fragment: its fragment as written; None without one.
        fragment_start: the offset of the fragment.
    """

    path: str
    raw_path: str
    fragment: str | None
    fragment_start: int


def read_reference(url: str) -> Reference | None:
    """Return a relative reference; None for one that is doubtful: a template, a pattern, an alias, a placeholder."""
    if len(url) > _LONGEST or not url or _ALIAS.match(url) is not None or _DOUBTFUL.search(url) is not None:
        return None
    rest, hash_, fragment = url.partition("#")
    raw_path = rest.partition("?")[0]
    if raw_path.count("/") > _MOST_PARTS:
        return None
    path = decoded(raw_path)
    if path is None:
        return None
    return Reference(path, raw_path, fragment if hash_ else None, len(rest) + 1)


def is_relative(reference: Reference) -> bool:
    """Return whether a reference has a path that begins at the document."""
    return bool(reference.path) and ":" not in reference.path and not reference.path.startswith("/")


def reference_within(url: str, start: int, end: int) -> Reference | None:
    """Return the relative reference in a part of a URL or macro, whose offsets are those of the whole."""
    reference = read_reference(url[start:end])
    return reference and reference._replace(
        raw_path=url[: start + len(reference.raw_path)], fragment_start=start + reference.fragment_start
    )


def decoded(text: str) -> str | None:
    """Return a text without percent-encoding; None if it has control characters then, or is no UTF-8."""
    if "%" not in text:
        return text
    from urlscan.uri.transform.escapes import unquote_to_bytes

    try:
        result = unquote_to_bytes(text).decode("utf-8")
    except UnicodeDecodeError:
        return None
    if _CONTROL.search(result) is not None:
        return None
    return result


def normalized(directory: str, path: str) -> str | None:
    """Return the path that a decoded path leads to from a directory of a tree; None if it leaves the tree."""
    parts: list[str] = []
    for part in (*directory.split("/"), *path.split("/")):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def destinations(
    data: bytes, beginning: bytes = b"", openings: tuple[bytes, ...] = (IN_MARKDOWN, _IN_HTML)
) -> Iterator[bytes]:
    """Yield the destinations in a document that begin with some characters, as they are written."""
    for opening in openings:
        yield from _destination_pattern(opening, beginning).findall(data)


@functools.cache
def _destination_pattern(opening: bytes, beginning: bytes) -> "re.Pattern[bytes]":
    return re.compile(opening + b"(" + re.escape(beginning) + rb"[^\s()<>\"']{1,500})")
