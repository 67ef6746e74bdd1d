"""Read bytes or text of any kind, mail included, as segments."""

from collections.abc import Iterator

from urlscan.core.errors import ConfigError
from urlscan.core.find_options import FindOptions
from urlscan.core.segment import Segment
from urlscan.core.settings import check_choice
from urlscan.documents.readers import FILES, TABLES

# Other modules are imported in functions: commands that read no text use KINDS, too.
# Kinds of one or more messages; each message has segments of its own.
MAIL = ("mail", "mbox", "mmdf", "babyl", "rnews")
# All kinds of sources: the functions that read each.
KINDS = {**FILES, **dict.fromkeys(MAIL, ("urlscan.mail.mailbox:segments",)), **TABLES}


def segments(
    data: bytes,
    *,
    kind: str = "plain",
    encoding: str | None = None,
    parts: str = "all",
    find_options: FindOptions | None = None,
) -> Iterator[Segment]:
    """Return the segments of a source.

    Args:
        data: the bytes of the source.
        kind: one of KINDS.
        encoding: the declared character encoding; None: from a byte order mark or the source's declaration, else UTF-8.
            In mail, the encoding of parts that declare none.
        parts: which alternatives of a multipart/alternative are read: all, plain or html.
        find_options: what will be searched for in the segments, which may omit anything else; None for everything.

    Raises:
        ConfigError: the kind, the encoding or the parts are unknown.
    """
    check_kind(kind)
    if kind in MAIL:
        from urlscan.files.decode import codec_name
        from urlscan.mail import mailbox
        from urlscan.mail.parts import PARTS, MailOptions

        check_choice("parts", parts, PARTS)
        mail_options = MailOptions(parts, codec_name(encoding) if encoding is not None else None, find_options)
        return mailbox.segments(data, kind, mail_options)
    from urlscan.files.decode import decode

    return iter((_with_markup(decode(data, encoding, kind), find_options),))


def segments_of_text(text: str, *, kind: str = "plain", find_options: FindOptions | None = None) -> Iterator[Segment]:
    """Return the segments of a text, with offsets in characters of the text.

    Args:
        text: the text.
        kind: as for `segments`.
        find_options: as for `segments`.

    Raises:
        ConfigError: the kind is unknown.
    """
    check_kind(kind)
    if kind in MAIL:
        from urlscan.mail import mailbox

        return mailbox.segments_of_text(text, kind, find_options)
    return iter((_with_markup(Segment(text, kind=kind), find_options),))


def check_kind(kind: str) -> None:
    """Raise ConfigError if `kind` is not in KINDS."""
    if kind not in KINDS:
        import difflib

        matches = difflib.get_close_matches(kind[:60].lower(), KINDS, n=1)
        hint = f"did you mean {matches[0]}?" if matches else "known: " + ", ".join(KINDS)
        raise ConfigError(f"unknown kind {kind[:60]!r}", hint=hint)


def _with_markup(segment: Segment, find_options: FindOptions | None) -> Segment:
    if segment.kind == "plain":
        return segment
    from urlscan.documents.segments import read_markup

    return read_markup(segment, find_options)
