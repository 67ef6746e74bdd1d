"""Read the index of a git work tree: the tracked files and the submodules.

The format is that of gitformat-index(5), versions 2 to 4, with SHA-1 or SHA-256 names. Only names and modes are read,
no object of the repository.
"""

import os
from typing import NamedTuple

from urlscan.files.safe_open import read_regular

_LARGEST = 1 << 28  # bytes; the index of the largest public repositories has about 1 << 26
_LONGEST_NAME = 4096
_HASH_SIZES = (20, 32)
# The upper four bits of a mode's 16: a regular file, a symbolic link, a submodule, a directory (sparse index).
_GITLINK, _DIRECTORY = 0xE, 0x4


class Index(NamedTuple):
    """The entries of an index, relative to the top of the work tree, with "/".

    Attributes:
        files: the tracked files and symbolic links.
        gitlinks: the directories of submodules.
    """

    files: frozenset[bytes]
    gitlinks: frozenset[bytes]


class _IndexFile(NamedTuple):
    """The entries of one file, and the name of the shared index it refers to, or ""."""

    files: set[bytes]
    gitlinks: set[bytes]
    shared: str


def read_index(git_dir: str) -> Index:
    """Return the entries of a repository's index; none for a repository without an index.

    A split index yields the union of both its files: an entry deleted since the shared file was written is still
    included.

    Raises:
        OSError: it cannot be read, is not a regular file, or is too large.
        ValueError: it is not an index.
    """
    try:
        parsed = _parse(read_regular(os.path.join(git_dir, "index"), _LARGEST))
    except FileNotFoundError:
        return Index(frozenset(), frozenset())
    files, gitlinks, shared = parsed
    if shared:
        base = _parse(read_regular(os.path.join(git_dir, f"sharedindex.{shared}"), _LARGEST))
        files |= base.files
        gitlinks |= base.gitlinks
    return Index(frozenset(files), frozenset(gitlinks))


def _parse(data: bytes) -> _IndexFile:
    """Return the entries of one file; its hash size is not recorded, so try each until one fits."""
    if data[:4] != b"DIRC" or data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3", b"\0\0\0\4"):
        raise ValueError("not a git index of version 2, 3 or 4")
    for hash_size in _HASH_SIZES:
        try:
            return _parse_entries(data, hash_size)
        except (ValueError, IndexError):
            continue
    raise ValueError("damaged git index")


def _parse_entries(data: bytes, hash_size: int) -> _IndexFile:
    is_compressed = data[7] == 4
    fixed = 40 + hash_size + 2  # times, numbers and mode; the object's name; flags
    parsed = _IndexFile(set(), set(), "")
    files, gitlinks = parsed.files, parsed.gitlinks
    at, name, total = 12, b"", 0
    for _ in range(int.from_bytes(data[8:12], "big")):
        flags = data[at + fixed - 2] << 8 | data[at + fixed - 1]
        start = at + fixed + (2 if flags & 0x4000 else 0)
        kept = b""
        if is_compressed:
            removed, start = _varint(data, start)
            if removed > len(name):
                raise ValueError("invalid prefix length of a name")
            kept = name[: len(name) - removed]
        end = data.index(0, start)
        name = kept + data[start:end]
        total += len(name)
        # The length in the flags confirms the assumed size of the hash.
        if (flags & 0xFFF) != min(len(name), 0xFFF) or len(name) > _LONGEST_NAME or total > 8 * len(data):
            raise ValueError("invalid length of a name")
        kind = data[at + 26] >> 4
        if kind == _GITLINK:
            gitlinks.add(name)
        elif kind != _DIRECTORY and name:  # a split index omits the names that are in the shared index
            files.add(name)
        at = end + 1 if is_compressed else at + ((end - at + 8) & ~7)
    return parsed._replace(shared=_shared(data, at, hash_size))


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the variable-length number at an offset (encoded as in pack offsets), and its end."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
        if value > _LONGEST_NAME:
            raise ValueError("invalid length of a name")
    return value, at + 1


def _shared(data: bytes, at: int, hash_size: int) -> str:
    """Return the hexadecimal name in the extension `link`, or ""; raise ValueError if the extensions do not fit."""
    end, shared = len(data) - hash_size, ""
    while at + 8 <= end:
        size = int.from_bytes(data[at + 4 : at + 8], "big")
        if data[at : at + 4] == b"link":
            name = data[at + 8 : at + 8 + hash_size]
            shared = name.hex() if any(name) else ""
        at += 8 + size
    if at != end:
        raise ValueError("the extensions do not end at the end of the file")
    return shared
