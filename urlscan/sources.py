"""Bytes or text to segments, of any kind, mail included."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from urlscan.core.errors import ConfigError
from urlscan.core.maps import IdentityMap
from urlscan.core.segment import Segment
from urlscan.core.settings import check_choice
from urlscan.documents import contexts_factory, regions_of, writing_factory
from urlscan.documents.readers import FILES, TABLES

# Commands that read no text ask for KINDS, too.
if TYPE_CHECKING:
    from urlscan.files.decode import Decoded


# Messages, one or many, each of which makes segments of its own.
MAIL = ("mail", "mbox", "mmdf", "babyl", "rnews")
# Every kind of source, by name.
KINDS = {**FILES, **dict.fromkeys(MAIL, "urlscan.mail.mailbox:segments"), **TABLES}


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
        from urlscan.files.decode import codec_name
        from urlscan.mail import mailbox
        from urlscan.mail.parts import PARTS, MailOptions

        check_choice("parts", parts, PARTS)
        mail_options = MailOptions(parts, codec_name(encoding) if encoding is not None else None, schemes_only)
        return mailbox.segments(data, kind, mail_options)
    from urlscan.files.decode import decode

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
        from urlscan.mail import mailbox

        return mailbox.segments_of_text(text, kind, schemes_only=schemes_only)
    from urlscan.files.decode import Decoded

    return iter((_segment(Decoded(text, IdentityMap(), ""), kind, schemes_only=schemes_only),))


def check_kind(kind: str) -> None:
    """Raise ConfigError when `kind` is none of KINDS."""
    if kind not in KINDS:
        raise ConfigError(f"unknown kind {kind!r}", hint="known: " + ", ".join(KINDS))


def _segment(decoded: "Decoded", kind: str, *, schemes_only: bool) -> Segment:
    if kind == "plain":  # without a copy
        return Segment(decoded.text, decoded.map, kind=kind, encoding=decoded.encoding, whole=decoded.whole)
    from urlscan.documents.segments import build_segment

    text = decoded.text
    regions = regions_of(text, kind, schemes_only=schemes_only)
    return build_segment(decoded, kind, regions, writing_factory(text, kind), contexts_factory(text, kind))
