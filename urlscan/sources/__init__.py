"""Bytes to segments: one file a kind of source.

A kind is a function `segments(data: bytes, encoding: str | None) -> Iterator[Segment]`.
"""

from collections.abc import Callable, Iterator
from typing import cast

from urlscan.errors import ConfigError
from urlscan.text import Segment

# name of the kind: "module:object", loaded when it is used
KINDS = {
    "plain": "urlscan.sources.plain:segments",
}


def segments(data: bytes, *, kind: str = "plain", encoding: str | None = None) -> Iterator[Segment]:
    """Yield the segments of a source.

    Args:
        data: the bytes of the source.
        kind: one of KINDS.
        encoding: the declared character encoding; None: a byte order mark, else UTF-8.

    Raises:
        ConfigError: the kind or the encoding is not known.
    """
    check_kind(kind)
    import importlib

    module, _, name = KINDS[kind].partition(":")
    reader = cast("Callable[[bytes, str | None], Iterator[Segment]]", getattr(importlib.import_module(module), name))
    return reader(data, encoding)


def check_kind(kind: str) -> None:
    """Raise ConfigError when `kind` is none of KINDS."""
    if kind not in KINDS:
        raise ConfigError(f"unknown kind {kind!r}", hint="known: " + ", ".join(KINDS))
