"""Find the encoding that a source declares.

Used if nothing else determines the encoding and the bytes are not ASCII.  Unknown encodings, and those that the bytes
contradict, are ignored.
"""

import re

from urlscan.files.media_types import LONGEST_HEADER, response_header

# XML 1.0 section 4.3.3:  EncodingDecl ::= S 'encoding' Eq ('"' EncName '"' | "'" EncName "'" )
_XML = re.compile(rb"\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z][\w.:-]{0,40})[\"']")
# HTML standard section 13.2.3.2, "prescan a byte stream": in the first 1024 bytes.
_META = re.compile(rb"<meta\b[^>]{0,300}?\bcharset\s*=\s*[\"']?\s*([A-Za-z][\w.:-]{0,40})", re.IGNORECASE)
_PRESCAN = 1024
# PEP 263: in a comment on one of the first two lines; Emacs has it between "-*-" there, too.
_PEP_263 = re.compile(
    rb"[ \t\f]*(?:#|//|/\*|;|%|--|<!--|\.\\\"|\"|dnl\b|REM\b).{0,200}?\bcoding[:=][ \t]*([-\w.]{1,40})"
)
# Vim: a modeline in the first or last five lines.
_VIM = re.compile(rb"\bvim?:[^\r\n]{0,200}?\b(?:fileencoding|fenc)=([-\w.]{1,40})")
_LINES = 5
_LINE = 1024


def declared(data: bytes, kind: str) -> str | None:
    """Return the encoding that the source declares, or None. It may be unknown."""
    match, start = None, 0
    if kind == "http":
        header = response_header(data[:LONGEST_HEADER].decode("latin-1"))
        if header is not None and header.content_type.charset:  # RFC 9110 section 8.3.2
            return header.content_type.charset
        kind, start = "html", header.end if header is not None else 0
    if kind in ("xml", "html"):
        match = _XML.match(data, start, start + _PRESCAN)
    if match is None and kind == "html":
        match = _META.search(data, start, start + _PRESCAN)
    if match is None:
        match = _in_comments(data)
    if match is None:
        return None
    name = match[1].decode("ascii").lower()
    # Emacs appends the type of line ends; both editors have their own name for Latin-1.
    name = re.sub(r"-(?:unix|dos|mac)\Z", "", name)
    return {"latin1": "latin-1", "latin-1": "latin-1"}.get(name, name)


def _in_comments(data: bytes) -> re.Match[bytes] | None:
    beginning, end = data[: _LINES * _LINE], data[-_LINES * _LINE :]
    # Most files are not divided into lines: each declaration contains one of these words.
    if not any(word in part for part in (beginning, end) for word in (b"coding", b"fenc")):
        return None
    head = beginning.splitlines()[:_LINES]
    for line in head[:2]:
        if (match := _PEP_263.match(line)) is not None:
            return match
    for line in [*head, *end.splitlines()[-_LINES:]]:
        if (match := _VIM.search(line)) is not None:
            return match
    return None
