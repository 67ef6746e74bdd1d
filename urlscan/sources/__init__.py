"""Bytes to segments: one file a kind of source, but where a table says all of several.

A kind is a function `pieces(document: str, kind: str) -> Iterator[Piece]` that cuts a document into pieces
(`views.py`); plain text is one piece.  Mail is not one document but many: `mailbox.py` has its own way.
"""

import functools
import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from urlscan.errors import ConfigError
from urlscan.settings import check_choice
from urlscan.text import IdentityMap, Segment

# Commands that read no text ask for KINDS, too.
if TYPE_CHECKING:
    from urlscan.sources.decode import Decoded
    from urlscan.sources.views import Piece, Reader
    from urlscan.text import Contexts, Writing

_CODE = "urlscan.sources.code:pieces"
_FORMS = "urlscan.sources.forms:pieces"
# Messages, one or many, each of which makes segments of its own.
MAIL = ("mail", "mbox", "mmdf", "babyl", "rnews")
# name of the kind: "module:function", loaded when it is used
KINDS = {
    "plain": "urlscan.sources.plain:pieces",
    "html": "urlscan.sources.html:pieces",
    "xml": "urlscan.sources.html:pieces",
    "markdown": "urlscan.sources.markdown:pieces",
    "rst": "urlscan.sources.rst:pieces",
    "ipynb": "urlscan.sources.ipynb:pieces",
    "csv": "urlscan.sources.separated:pieces",
    "tsv": "urlscan.sources.separated:pieces",
    "ics": "urlscan.sources.folded:pieces",
    "vcf": "urlscan.sources.folded:pieces",
    **dict.fromkeys(MAIL, "urlscan.sources.mail.mailbox:segments"),
    # one table of link forms: forms.py
    **dict.fromkeys("asciidoc css latex org roff texinfo".split(), _FORMS),
    # one table of languages: languages.py; `source` is any of them
    **dict.fromkeys(
        "source c dockerfile go haskell ini java javascript json jsonl lisp lua makefile perl php po powershell"
        " properties python r ruby rust shell sql toml vim yaml".split(),
        _CODE,
    ),
}


def segments(
    data: bytes, *, kind: str = "plain", encoding: str | None = None, parts: str = "all", schemes_only: bool = False
) -> Iterator[Segment]:
    """Return the segments of a source.

    Args:
        data: the bytes of the source.
        kind: one of KINDS.
        encoding: the declared character encoding; None: a byte order mark, what the source declares, UTF-8.  In mail,
            that of parts that declare none.
        parts: what is read of a multipart/alternative: all, plain or html.
        schemes_only: whether nothing without a scheme is wanted: no relative references, no hosts, no addresses.  Then
            a segment need not tell them.

    Raises:
        ConfigError: the kind, the encoding or the parts are not known.
    """
    check_kind(kind)
    if kind in MAIL:
        from urlscan.sources.decode import codec_name
        from urlscan.sources.mail import mailbox
        from urlscan.sources.mail.parts import PARTS, MailOptions

        check_choice("parts", parts, PARTS)
        mail_options = MailOptions(parts, codec_name(encoding) if encoding is not None else None, schemes_only)
        return mailbox.segments(data, kind, mail_options)
    from urlscan.sources.decode import decode

    return iter((_segment(decode(data, encoding, kind), kind, schemes_only=schemes_only),))


def segments_of_text(text: str, *, kind: str = "plain", schemes_only: bool = False) -> Iterator[Segment]:
    """Return the segments of a text; their source is the text itself.

    Args:
        text: the text.
        kind: as of `segments`.
        schemes_only: as of `segments`.

    Raises:
        ConfigError: the kind is not known.
    """
    check_kind(kind)
    if kind in MAIL:
        from urlscan.sources.mail import mailbox

        return mailbox.segments_of_text(text, kind, schemes_only=schemes_only)
    from urlscan.sources.decode import Decoded

    return iter((_segment(Decoded(text, IdentityMap(), ""), kind, schemes_only=schemes_only),))


def check_kind(kind: str) -> None:
    """Raise ConfigError when `kind` is none of KINDS."""
    if kind not in KINDS:
        raise ConfigError(f"unknown kind {kind!r}", hint="known: " + ", ".join(KINDS))


def _segment(decoded: "Decoded", kind: str, *, schemes_only: bool) -> Segment:
    if kind == "plain":  # without a copy
        return Segment(decoded.text, decoded.map, kind=kind, encoding=decoded.encoding, whole=decoded.whole)
    from urlscan.sources.views import view_of

    text = decoded.text
    pieces = pieces_of(text, kind, schemes_only=schemes_only)
    return view_of(decoded, kind, pieces, functools.partial(_writing, text, kind), contexts_of(text, kind))


def pieces_of(document: str, kind: str, *, schemes_only: bool) -> "Iterator[Piece]":
    """Return the pieces of a document, and of those in it; `schemes_only` as of `segments`."""
    from urlscan.sources.views import expanded

    reader = reader_of(kind, "pieces_with_schemes" if schemes_only else "")
    return expanded(document, reader(document, kind), reader_of)


@functools.lru_cache(maxsize=1)
def _writing(document: str, kind: str) -> "Writing":
    """Return how the document writes what it shows, found when a fix asks for it."""
    from urlscan.sources.writing import writing_of

    return writing_of(_every_piece(document, kind))


def contexts_of(document: str, kind: str) -> "Callable[[], Contexts]":
    """Return what makes the contexts of a document's places when the first question comes."""
    return functools.partial(_contexts, document, kind)


@functools.lru_cache(maxsize=2)
def _contexts(document: str, kind: str) -> "Contexts":
    from urlscan.sources.contexts import ContextMap

    return ContextMap(document, _every_piece(document, kind))


def _every_piece(document: str, kind: str) -> "Iterator[Piece]":
    """Yield the exact pieces of a document and of those in it."""
    from urlscan.sources.views import expanded

    def reader(kind: str) -> "Reader":
        return reader_of(kind, "every_piece")

    return expanded(document, reader(kind)(document, kind), reader)


@functools.cache
def reader_of(kind: str, better: str = "") -> "Reader":
    """Return the reader of a kind, or the `better` one if it has that."""
    name, _, function = KINDS[kind].partition(":")
    module = importlib.import_module(name)
    return cast("Reader", getattr(module, better, None) or getattr(module, function))
