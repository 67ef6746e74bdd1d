"""Read the header of an HTTP response: where its body begins, and how it is parsed and decoded."""

import re

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple

# Media type to kind, for types other than plain text.
KINDS = {
    "text/html": "html", "application/xhtml+xml": "html", "text/xml": "xml", "application/xml": "xml",
    "application/rss+xml": "xml", "application/atom+xml": "xml", "image/svg+xml": "xml", "text/markdown": "markdown",
    "text/x-markdown": "markdown", "text/css": "css", "text/csv": "csv", "application/json": "json",
    "text/calendar": "ics", "application/ics": "ics", "text/vcard": "vcf", "text/x-vcard": "vcf",
    "text/directory": "vcf", "text/tab-separated-values": "tsv", "text/javascript": "javascript",
    "application/javascript": "javascript",
}  # fmt: skip
# Types that are common on the Web and rare in mail.
_WEB_KINDS = {
    **KINDS, "application/x-javascript": "javascript", "application/ecmascript": "javascript",
    "text/ecmascript": "javascript", "text/x-javascript": "javascript", "text/json": "json",
    "application/x-ndjson": "jsonl", "application/jsonl": "jsonl", "application/yaml": "yaml", "text/yaml": "yaml",
    "application/toml": "toml", "application/x-sh": "shell", "text/x-python": "python",
}  # fmt: skip
# Types that are never text. Others are text if they contain no NUL, as files are.
_BINARY = ("image/", "video/", "audio/", "font/")
# RFC 9112 section 4: status-line = HTTP-version SP status-code SP [ reason-phrase ]; HTTP/2 has no minor version.
# Matches: `HTTP/1.1 200 OK`, `HTTP/2 301`
# Does not match: `HTTP/1.1`, `GET / HTTP/1.1`, `HTTP/1.1 2000`
STATUS_LINE = lazy(r"HTTP/[0-9](?:\.[0-9])?[ ]+[0-9]{3}(?:[ ][^\n]*)?(?=\r?\n|\Z)")
_END = lazy(r"\n\r?\n")
# The longest header; a longer one is not a header.
LONGEST_HEADER = 1 << 16
# Fields of the same name in one header are one list (RFC 9110 section 5.3).
# Matches: `\nContent-Type: text/html`, `\ncontent-encoding:gzip,\n br`
# Does not match: `\nX-Content-Type: a`, `Content-Type: a`
_FIELD = lazy(
    r"\n(content-type|content-encoding|transfer-encoding)[ \t]*:([^\n]*(?:\n[ \t][^\n]*){0,9})", re.IGNORECASE
)
# RFC 9110 section 8.3.1: parameter = token "=" ( token / quoted-string )
_CHARSET = lazy(r";\s*charset\s*=\s*[\"']?\s*([A-Za-z][\w.:-]{0,40})", re.IGNORECASE)
_TYPE = lazy(r"\s*([\w.+-]{1,80}/[\w.+-]{1,80})")


class ContentType(NamedTuple):
    """A media type and its encoding.

    Attributes:
        name: the type in lower case, without parameters, or "".
        charset: the declared encoding, or "".
    """

    name: str
    charset: str


class ResponseHeader(NamedTuple):
    """The fields of a response that determine how its body is read.

    Attributes:
        end: where the body begins, in characters.
        content_type: its media type.
        codings: the codings of the body, in the order in which they were applied (RFC 9110 section 8.4).
    """

    end: int
    content_type: ContentType
    codings: tuple[str, ...]


def content_type_of(value: str) -> ContentType:
    """Return the media type that a Content-Type field declares."""
    matches = _TYPE.match(value), _CHARSET.search(value)
    return ContentType(*("" if match is None else match[1].lower() for match in matches))


def response_header(text: str) -> ResponseHeader | None:
    r"""Return the header of a response; None if the text does not begin with a status line.

    A header without an empty line after it has no body.

    >>> response_header("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=Big5\r\n\r\n<p>")
    ResponseHeader(end=58, content_type=ContentType(name='text/html', charset='big5'), codings=())
    """
    if not text.startswith("HTTP/") or STATUS_LINE.match(text) is None:
        return None
    end = _END.search(text, 0, LONGEST_HEADER)
    size = min(len(text), LONGEST_HEADER)
    if end is not None:
        size = end.end()
    fields: dict[str, list[str]] = {}
    for field in _FIELD.finditer(text, 0, size):
        fields.setdefault(field[1].lower(), []).append(field[2].strip())
    codings = [
        coding.strip().lower()
        for name in ("content-encoding", "transfer-encoding")
        for coding in ",".join(fields.get(name, ())).split(",")
    ]
    return ResponseHeader(
        size,
        content_type_of(fields.get("content-type", [""])[0]),
        tuple(coding for coding in codings if coding not in ("", "identity")),
    )


def web_kind(name: str) -> str | None:
    """Return the kind of a media type; "" if its content must be examined, None if it is never text."""
    if name in _WEB_KINDS:
        return _WEB_KINDS[name]
    if name.endswith("+json"):
        return "json"
    if name.endswith("+xml"):
        return "xml"
    if name.startswith(_BINARY):
        return None
    if name.startswith("text/") or name == "application/warc-fields":
        return "plain"
    return ""
