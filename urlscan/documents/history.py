"""Recognize documents that record the past, and are not edited any more, by their paths."""

import re

from urlscan.core.lazy import lazy

# Documents that record what changed; their references were right when they were written.
# Matches: `CHANGELOG.md`, `docs/HISTORY.rst`, `89-NEWS.md`, `release-notes/1.0.md`, `release/9.1.md`
# Does not match: `changing.md`, `history/index.md`, `newsletter.md`, `release-process.md`
_CHANGELOG = lazy(
    r"""
    (?: .*/ )?
    (?: (?: [0-9]+[-_] )? (?: change(?:s|-?logs?) | history | news | release[-_]?notes? | whats?[-_]?new )
        (?: [-_.0-9].* )? | releases \.[a-z]+
      | (?: change(?:s|-?logs?) | release[-_]?notes? | whats?[-_]?new ) / .*
      | releases? / v? [0-9]+ (?: \. [0-9]+ )+ \. [a-z]+
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Copies of the documents of old versions, and documents that were put aside, which are not edited.
# Matches: `versioned_docs/`, `/0.77/`, `/v2.1/`, `/version-3.x/`, `/attic/`, `minutes/2018-12`, `.orig`
# Does not match: `/next/`, `/3d/`, `v1/`, `0.77.md`, `archiver/`, `minutes/`
_FROZEN = lazy(
    r"""
    (?:\A|/)(?:
        (?: versioned_docs | version-[^/]+ | v?[0-9]+\.[0-9x]+(?:\.[0-9x]+)* | attic | archives ) /
      | (?: meetings? | minutes | meeting[-_]notes ) / (?:[^/]*/)? [^/]*\d{4}-\d\d
    )
    | \.orig\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The copy of a release of a program; a document is about the version in its name.
# Matches: `k-v3.0.1`, `y-3.6.0.min.js`
# Does not match: `v3.0.1/k`, `y-1.2.js`, `3.0.1.js`, `o-3.0.1.md`
_RELEASE = lazy(r"[a-z][-_]v?[0-9]+\.[0-9]+\.[0-9]+(?:\.(?!(?:txt|mdx?|rst|adoc|org|html?)\Z)[a-z]+){0,2}\Z")


def is_changelog(path: str) -> bool:
    """Return whether a document records changes, so that its references need not lead anywhere today."""
    return _CHANGELOG.fullmatch(path) is not None


def is_frozen(path: str) -> bool:
    """Return whether a document is the copy of an old version, or was put aside, and is kept as it was."""
    return _FROZEN.search(path) is not None


def is_kept(path: str) -> bool:
    """Return whether a file is kept as it was: in an old version or an archive, or the copy of a release."""
    return any(pattern.search(path) is not None for pattern in (_FROZEN, _RELEASE))
