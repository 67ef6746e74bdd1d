"""Bytes to segments: one file a kind of source.

A kind is a function `segments(decoded: Decoded) -> Iterator[Segment]`.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from urlscan.errors import ConfigError
from urlscan.text import IdentityMap, Segment

# Commands that read no text ask for KINDS, too.
if TYPE_CHECKING:
    from urlscan.sources.decode import Decoded

# name of the kind: "module:object", loaded when it is used
KINDS = {
    "plain": "urlscan.sources.plain:segments",
    "html": "urlscan.sources.html:segments",
    "xml": "urlscan.sources.html:xml_segments",
    "markdown": "urlscan.sources.markdown:segments",
    "rst": "urlscan.sources.rst:segments",
}
# What the end of a name says of the kind; everything else is plain.
_BY_EXTENSION = {
    "html": "html", "htm": "html", "xhtml": "html", "xht": "html", "shtml": "html",
    "md": "markdown", "markdown": "markdown", "mkd": "markdown", "mdown": "markdown", "mdx": "markdown",
    "rst": "rst", "rest": "rst",
    "xml": "xml", "svg": "xml", "rss": "xml", "atom": "xml", "xsl": "xml", "xslt": "xml", "xsd": "xml", "dbk": "xml",
}  # fmt: skip


def segments(data: bytes, *, kind: str = "plain", encoding: str | None = None) -> Iterator[Segment]:
    """Yield the segments of a source.

    Args:
        data: the bytes of the source.
        kind: one of KINDS.
        encoding: the declared character encoding; None: a byte order mark, what the source declares, UTF-8.

    Raises:
        ConfigError: the kind or the encoding is not known.
    """
    reader = _reader(kind)
    from urlscan.sources.decode import decode

    return reader(decode(data, encoding, kind))


def segments_of_text(text: str, *, kind: str = "plain") -> Iterator[Segment]:
    """Yield the segments of a text; their source is the text itself.

    Raises:
        ConfigError: the kind is not known.
    """
    reader = _reader(kind)
    from urlscan.sources.decode import Decoded

    return reader(Decoded(text, IdentityMap(), ""))


def identify(path: str) -> str:
    """Return the kind of a source by its name.

    >>> identify("a/index.HTML"), identify("README"), identify("notes.txt")
    ('html', 'plain', 'plain')
    """
    name = path.rpartition("/")[2]
    return _BY_EXTENSION.get(name.rpartition(".")[2].lower(), "plain") if "." in name else "plain"


def check_kind(kind: str) -> None:
    """Raise ConfigError when `kind` is none of KINDS."""
    if kind not in KINDS:
        raise ConfigError(f"unknown kind {kind!r}", hint="known: " + ", ".join(KINDS))


def _reader(kind: str) -> "Callable[[Decoded], Iterator[Segment]]":
    check_kind(kind)
    import importlib

    module, _, name = KINDS[kind].partition(":")
    return cast("Callable[[Decoded], Iterator[Segment]]", getattr(importlib.import_module(module), name))
