"""Identify compressed files and archives by their first bytes."""

import functools
import re

_MAGICS = (b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK", b"WARC/")
_SKIPPED = b"*M\x18"
_TAR_BLOCK = 512
# The extensions of web archives, and of the texts and the metadata extracted from them.
_WEB_ARCHIVES = (".warc", ".wet", ".wat")


def container_of(head: bytes, name: str = "") -> str:
    r"""Return the format of a compressed file or an archive (gz, bz2, xz, zst, zip, tar, warc), or "" for other data.

    A file whose name says that it is a web archive is one, even if its beginning is damaged.

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

        return "tar" if is_header(head[:_TAR_BLOCK]) else _by_name(head, name)
    return _by_name(head, name)


def _by_name(head: bytes, name: str) -> str:
    return "warc" if head and name.lower().endswith(_WEB_ARCHIVES) else ""


@functools.cache
def _magics() -> dict[str, re.Pattern[bytes]]:
    found = {
        "gz": rb"\x1f\x8b\x08[\x00-\x1f]",  # RFC 1952 section 2.3.1; three flags are reserved
        "bz2": rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",  # pi or its square root, in decimal digits
        "xz": rb"\xfd7zXZ\x00",
        # RFC 8878 section 3.1; the output of pzstd begins with a skippable frame
        "zst": rb"(?:[\x50-\x5f]\*M\x18\x04\x00{3}.{4})?\x28\xb5\x2f\xfd",
        "warc": rb"WARC/1\.[01]\r?\n",  # ISO 28500; also the records of text that are called WET
        "zip": rb"PK(?:\x03\x04|\x05\x06|\x07\x08PK)",  # also empty archives, and spanned ones in one piece
    }
    return {name: re.compile(magic, re.DOTALL) for name, magic in found.items()}
