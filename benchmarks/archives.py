"""Compare our archive readers with `tarfile` and `zipfile`, in time and memory, on ordinary and hostile archives.

usage: python -m benchmarks.archives

Each archive is listed in a separate process, on Linux. `tarfile` reads it as a stream ("r|"). The times are processor
times.
"""

import io
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path


def tar_of(count: int) -> bytes:
    """Return a tar with empty members."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for number in range(count):
            archive.addfile(tarfile.TarInfo(f"member-{number}"))
    return data.getvalue()


def header(kind: bytes, size: int) -> bytes:
    """Return the header of a member."""
    info = tarfile.TarInfo("name")
    info.type, info.size = kind, size
    return info.tobuf(tarfile.USTAR_FORMAT)


def long_header() -> bytes:
    """Return a tar with a pax header of 256 MiB: one name."""
    size = 1 << 28
    record = f"{size} path=".encode()
    return header(b"x", size) + record + b"a" * (size - len(record) - 1) + b"\n" + header(b"0", 0) + bytes(1024)


def nested_headers() -> bytes:
    """Return a tar with 100,000 long-name headers in a row."""
    return (header(b"L", 2) + b"a\0".ljust(512, b"\0")) * 100_000 + header(b"0", 0) + bytes(1024)


def zip_of(count: int) -> bytes:
    """Return a zip with empty members."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for number in range(count):
            archive.writestr(f"member-{number}", b"")
    return data.getvalue()


def cut_off() -> bytes:
    """Return a zip without its end."""
    return zip_of(1000)[:-200]


def many_names() -> bytes:
    """Return a zip of 300,000 empty members, whose directory has 17 MB."""
    record = struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0) + b"aaaaaaaaaa"
    count = 300_000
    end = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, count * len(record), 0)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, count * len(record), 1)
    return (
        record * count + end + locator + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, *(0xFFFF,) * 2, *(0xFFFFFFFF,) * 2, 0)
    )


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "tar: 100,000 members": lambda: tar_of(100_000),
    "tar: a header of 256 MiB": long_header,
    "tar: 100,000 headers for one member": nested_headers,
    "zip: 100,000 members": lambda: zip_of(100_000),
    "zip: 300,000 members in the directory": many_names,
    "zip: cut off": cut_off,
}


def ours(path: str, kind: str) -> Iterator[str]:
    """Yield the names of the members as listed by our reader."""
    from urlscan.files.archives import tars, zips
    from urlscan.files.archives.streams import ByteRange
    from urlscan.files.random_access import OpenFile

    with OpenFile(open(path, "rb"), path) as file:
        entries = tars.entries(ByteRange(file, 0, file.size)) if kind == "tar" else zips.entries(file)
        yield from (entry.name for entry in entries)


def library(path: str, kind: str) -> Iterator[str]:
    """Yield the names of the members as listed by the standard library."""
    if kind == "tar":
        with tarfile.open(path, "r|") as archive:
            yield from (member.name for member in archive)
    else:
        with zipfile.ZipFile(path) as archive:
            yield from archive.namelist()


def peak() -> int:
    """Return the peak memory of this process in KiB, as reported by Linux."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def measure(reader: str, path: str, kind: str) -> None:
    """List an archive and print the number of members, the time, and the additional memory."""
    before, start, count, error = peak(), time.process_time(), 0, ""
    try:
        for _ in {"ours": ours, "library": library}[reader](path, kind):
            count += 1
    except Exception as failure:
        error = f", {type(failure).__name__}"
    taken, memory = time.process_time() - start, peak() - before
    print(f"{reader:8} {count:9,} members {taken:7.2f} s {memory / 1024:7.0f} MiB{error}")


def main() -> None:
    """Create each archive and list it with both readers."""
    for title, make in ARCHIVES.items():
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "archive")
            path.write_bytes(make())
            print(f"{title} ({path.stat().st_size / 1e6:.0f} MB)", flush=True)
            for reader in ("ours", "library"):
                subprocess.run([sys.executable, "-m", "benchmarks.archives", reader, path, title[:3]], check=True)


if __name__ == "__main__":
    main() if len(sys.argv) == 1 else measure(*sys.argv[1:])
