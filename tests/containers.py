"""Build compressed files and archives of all kinds with the standard library, and read them with urlscan."""

import bz2
import gzip
import io
import lzma
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import zstandard

from tests.command import clean_environment, urlscan
from urlscan import finder
from urlscan.pipeline import extract as pipeline_extract
from urlscan.pipeline import read

ROOT = Path(__file__).parent.parent
TEXT = b"See <URL:http://h.example/lo\nng>, http://h.example/a|b \xc3\xa9 \xff\r\nand ftp://h.example/c.\n"
URLS = ["http://h.example/long", "http://h.example/a|b", "ftp://h.example/c"]
PAGE = b'<!DOCTYPE html>\n<a href="http://h.example/?a=1&amp;b=2">here</a>\n'
BAD = b"http://h.example/%zz/a\n"


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def tar(members: dict[str, bytes], format: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


class Pipe(io.RawIOBase):
    """A stream that cannot be sought, so that `zipfile` writes the sizes after the data."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.data += bytes(data)
        return len(data)


def zipped_to_a_pipe(members: dict[str, bytes]) -> bytes:
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return pipe.data


COMPRESSED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zst}
ARCHIVED = {
    "a pax tar": tar,
    "a GNU tar": lambda members: tar(members, tarfile.GNU_FORMAT),
    "an ustar": lambda members: tar(members, tarfile.USTAR_FORMAT),
    "a zip": zipped,
    "a zip that stores": lambda members: zipped(members, zipfile.ZIP_STORED),
    "a zip by bzip2": lambda members: zipped(members, zipfile.ZIP_BZIP2),
    "a zip by LZMA": lambda members: zipped(members, zipfile.ZIP_LZMA),
    "a zip to a pipe": zipped_to_a_pipe,
}


def found(path, **options):
    """Read one file in this process; return (member, url, place) of every URL, and the messages."""

    def work(scanned, document, path):
        return [(document.member, one.url, document.locate(one.start, one.end)) for one in scanned]

    results = list(pipeline_extract.extract([str(path)], read.ReadOptions(**options), finder.FindOptions(), work))
    messages = [result for result in results if not isinstance(result, pipeline_extract.ExtractResult)]
    return [
        one for result in results if isinstance(result, pipeline_extract.ExtractResult) for one in result.result
    ], messages


def extract(*arguments, **more):
    return urlscan("extract", *arguments, **more)


LONG = b"".join(b"http://h.example/%d is the %dth of them\n" % (number, number * 7919 % 6151) for number in range(3000))


_MEASURED = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "urlscan", *sys.argv[1:]], capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, used.ru_maxrss, used.ru_utime + used.ru_stime)
sys.stdout.write(done.stderr.decode())
sys.stderr.write(str(len(done.stdout)))
"""


def measured(*arguments):
    """Return exit status, peak memory in KiB, seconds of processor time, and the lines on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *arguments],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    first, *messages = done.stdout.splitlines()
    status, memory, seconds = first.split()
    return int(status), int(memory), float(seconds), messages


def compressed_run(byte: bytes, size: int) -> bytes:
    """Return a gzip file of `size` equal bytes, compressed from one megabyte of them."""
    packer = zlib.compressobj(9, wbits=-15)
    megabyte = byte * (1 << 20)
    block = packer.compress(megabyte) + packer.flush(zlib.Z_FULL_FLUSH)
    crc = 0
    for _ in range(size >> 20):
        crc = zlib.crc32(megabyte, crc)
    trailer = struct.pack("<2I", crc, size & 0xFFFFFFFF)
    return b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + block * (size >> 20) + b"\3\0" + trailer
