"""Read bytes or text of any kind, mail included, as documents.

There is one file for each kind, or one table for several similar kinds (`kinds.py`). The reader of a kind is a function
`regions(text: str, kind: str, scope: Scope) -> Iterator[Region]`, from whose regions `regions.py` sets what a document
shows; plain text is one region.
"""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.errors import ConfigError, did_you_mean
from urlscan.core.settings import FindOptions
from urlscan.documents.kinds import KINDS, MAIL

# The readers are imported in functions: no run needs all of them.
__all__ = ["KINDS", "MAIL", "read_documents", "read_text", "unknown_kind"]


def read_documents(
    data: bytes,
    *,
    kind: str = "plain",
    encoding: str | None = None,
    parts: str = "all",
    find_options: FindOptions | None = None,
) -> Iterator[Document]:
    """Return the documents of a source.

    Args:
        data: the bytes of the source.
        kind: one of KINDS.
        encoding: the declared character encoding; None: from a byte order mark or the source's declaration, else UTF-8.
            In mail, the encoding of parts that declare none.
        parts: which alternatives of a multipart/alternative are read: all, plain or html.
        find_options: what will be searched for in the documents, which may omit anything else; None for everything.

    Raises:
        ConfigError: the kind, the encoding or the parts are unknown.
    """
    if kind not in KINDS:
        raise unknown_kind(kind)
    from urlscan.files.decode import codec_name, decode

    if kind in MAIL:
        from urlscan.documents.mail.mailbox import read_mail

        if encoding is not None:
            encoding = codec_name(encoding)
        return read_mail(data, kind, parts, encoding, find_options)
    return iter((_with_markup(decode(data, encoding, kind), find_options),))


def read_text(text: str, *, kind: str = "plain", find_options: FindOptions | None = None) -> Iterator[Document]:
    """Return the documents of a text, with offsets in its characters; the arguments are those of `read_documents`."""
    if kind not in KINDS:
        raise unknown_kind(kind)
    if kind in MAIL:
        from urlscan.documents.mail.mailbox import read_mail_text

        return read_mail_text(text, kind, find_options)
    return iter((_with_markup(Document(text, kind=kind), find_options),))


def _with_markup(document: Document, find_options: FindOptions | None) -> Document:
    """Set what a document shows, and return it."""
    if document.kind == "plain":
        return document
    from urlscan.documents.regions import read_markup

    return read_markup(document, find_options)


def unknown_kind(kind: str) -> ConfigError:
    """Return the error for a kind that is not in KINDS."""
    return ConfigError(f"unknown kind {kind[:60]!r}", hint=did_you_mean(kind, KINDS))
