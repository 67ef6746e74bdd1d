"""Write web archives byte by byte, without the library that reads them."""

import gzip
import zlib

from urlscan.files.archives.streams import ByteRange, DamagedError
from urlscan.files.archives.warcs import entries
from urlscan.files.random_access import Memory

PAGE = b"<a href='http://h.example/a?x=1&amp;y=2'>x</a> See http://h.example/b."
URLS = ["http://h.example/a?x=1&y=2", "http://h.example/b"]


def record(type: str, uri: str, block: bytes, content_type: str = "application/http", **fields: str) -> bytes:
    """Return a record; `fields` replace those of its header, and an empty one removes a field."""
    header = {
        "WARC-Type": type,
        "WARC-Record-ID": f"<urn:uuid:{zlib.crc32(uri.encode(errors='surrogateescape'))}>",
        "WARC-Date": "2020-01-02T03:04:05Z",
        "WARC-Target-URI": uri,
        "Content-Type": content_type,
        "Content-Length": str(len(block)),
        **{name.replace("_", "-"): value for name, value in fields.items()},
    }
    lines = [f"{name}: {value}" for name, value in header.items() if value]
    return "\r\n".join(["WARC/1.1", *lines, "", ""]).encode("utf-8", "surrogateescape") + block + b"\r\n\r\n"


def http(body: bytes = PAGE, content_type: str = "text/html", *fields: str) -> bytes:
    """Return a response with additional header fields."""
    return "\r\n".join(["HTTP/1.1 200 OK", f"Content-Type: {content_type}", *fields, "", ""]).encode() + body


def response(uri: str, body: bytes = PAGE, content_type: str = "text/html", *fields: str) -> bytes:
    return record("response", uri, http(body, content_type, *fields))


def chunked(data: bytes, size: int = 7) -> bytes:
    """Return a chunked body (RFC 9112 section 7.1)."""
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    return b"".join(b"%x;ext\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def gz(*records: bytes) -> bytes:
    """Return records as members of a gzip file, as crawlers write them."""
    return b"".join(map(gzip.compress, records))


def read(data: bytes) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Return the name and content of each record, and the notes and errors."""
    found: list[tuple[str, bytes]] = []
    notes: list[str] = []
    try:
        for entry in entries(ByteRange(Memory(data), 0, len(data)), lambda stream: stream):
            content = b""
            try:
                while piece := entry.stream.read(100):
                    content += piece
            except DamagedError as error:
                notes.append(error.message)
            if entry.skip_reason:
                notes.append(entry.skip_reason)
            else:
                found.append((entry.name, content))
    except DamagedError as error:
        notes.append(error.message)
    return found, notes
