"""Identify compressed files and archives by their first bytes."""

import functools
import re

from urlscan.files.random_access import Memory, OpenFile

_MAGICS = (b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK", b"WARC/")
_SKIPPED = b"*M\x18"
_TAR_BLOCK = 512
# The extensions of web archives, and of the texts and the metadata extracted from them.
_WEB_ARCHIVES = (".warc", ".wet", ".wat")
# APPNOTE 4.3.16: the signature and the size of the end of central directory record, and its longest comment.
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 0xFFFF


def container_of(head: bytes, name: str = "", data: bytes | OpenFile = b"") -> str:
    r"""Return the format of a compressed file or an archive (gz, bz2, xz, zst, zip, tar, warc), or "" for other data.

    A file whose name says that it is a web archive is one, even if its beginning is damaged, and so is a binary file
    whose name says that it is a zip archive. A program may precede a zip archive, whose directory is at its end; it is
    searched in `data`, the whole of it.

    >>> container_of(b"WARC/1.1\r\nWARC-Type: response"), container_of(b"cut off", "crawl.warc")
    ('warc', 'warc')
    >>> container_of(b"\x1f\x8b\x08\0"), container_of(b"BZh9, wrote Jo"), container_of(b"PK\x03\x04")
    ('gz', '', 'zip')
    """
    if head.startswith(_MAGICS) or head[1:4] == _SKIPPED:
        return next((format for format, magic in _magics().items() if magic.match(head)), "")
    # A tar header contains NULs. In V7, there is no other distinctive content.
    if b"\0" in head[:_TAR_BLOCK]:
        from urlscan.files.archives.tars import is_header

        if is_header(head[:_TAR_BLOCK]):
            return "tar"
    if b"\0" in head:
        reader = Memory(data) if isinstance(data, bytes) else data
        if name.lower().endswith(".zip") or end_of_zip(reader) >= 0:
            return "zip"
    return "warc" if head and name.lower().endswith(_WEB_ARCHIVES) else ""


def end_of_zip(reader: OpenFile, *, is_damaged: bool = False) -> int:
    """Return the offset of the end of central directory record of a zip archive, or -1.

    The same bytes may occur in the archive comment, which must extend to the end of the data.

    Args:
        is_damaged: whether to return the last record if the comment of none extends to the end.
    """
    first = max(reader.size - _END_SIZE - _LONGEST_COMMENT, 0)
    tail = reader.read(first, reader.size)
    record = last = tail.rfind(_END, 0, max(len(tail) - _END_SIZE + 4, 0))
    while record >= 0 and record + _END_SIZE + int.from_bytes(tail[record + 20 : record + 22], "little") != len(tail):
        record = tail.rfind(_END, 0, record + 3)
    if record < 0 and is_damaged:
        record = last
    return first + record if record >= 0 else -1


@functools.cache
def _magics() -> dict[str, re.Pattern[bytes]]:
    expressions = {
        "gz": rb"\x1f\x8b\x08[\x00-\x1f]",  # RFC 1952 section 2.3.1; three flags are reserved
        "bz2": rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",  # pi or its square root, in decimal digits
        "xz": rb"\xfd7zXZ\x00",
        # RFC 8878 section 3.1; the output of pzstd begins with a skippable frame
        "zst": rb"(?:[\x50-\x5f]\*M\x18\x04\x00{3}.{4})?\x28\xb5\x2f\xfd",
        "warc": rb"WARC/1\.[01]\r?\n",  # ISO 28500; also the records of text that are called WET
        "zip": rb"PK(?:\x03\x04|\x05\x06|\x07\x08PK)",  # also empty archives, and spanned ones in one piece
    }
    return {name: re.compile(magic, re.DOTALL) for name, magic in expressions.items()}
