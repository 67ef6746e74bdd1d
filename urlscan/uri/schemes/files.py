"""file and ftp: files and directories."""

import re
from collections.abc import Iterator

from urlscan.uri.grammar.characters import CHARACTERS, decoded, run_of
from urlscan.uri.grammar.hosts import HOST_1738
from urlscan.uri.grammar.rfc1630 import HOST as HOST_1630
from urlscan.uri.grammar.rfc1630 import LOGIN as LOGIN_1630
from urlscan.uri.grammar.rfc1630 import PATH
from urlscan.uri.grammar.rfc1738 import LOGIN
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority, after_scheme, stray
from urlscan.uri.url import Detail, Url

# --- file: a file on a host, usually the local one


class File(Detail):
    """The file that a file URL names (RFC 8089 section 2), without escapes.

    Attributes:
        host: the host of the file; None if absent; "" and "localhost" are the local machine.
        path: the path with its first "/"; after a drive letter, the path begins with the letter.
    """

    host: str | None
    path: str


def parse_file(url: Url) -> File:
    """Return host and path."""
    path = after_authority(url)[0] if url.authority is not None else after_scheme(url)[0]
    return File(url.host, decoded(path))


# RFC 8089 section 2, with the drive letters of appendix E.2:
#   file-URI       = file-scheme ":" file-hier-part
#   file-hier-part = ( "//" auth-path ) / local-path
#   auth-path      = [ file-auth ] path-absolute
#   file-auth      = "localhost" / host
#   local-path     = [ drive-letter ] path-absolute
#   drive-letter   = ALPHA ":"
# path-absolute does not begin with "//". After a host, "//" begins the path of a share (appendix E.3.2), and programs
# create it from "/" and "/etc".  It is accepted as written.
_FILE_TODAY = r"(?://(?:\[[^]/?#@]*+\]|[^/?#@:]*+)/[^?#]*+|(?:[A-Za-z]:)?/(?!/)[^?#]*+)" + FRAGMENT

# RFC 1738 section 5:
#   fileurl  = "file://" [ host | "localhost" ] "/" fpath
#   fpath    = fsegment *[ "/" fsegment ]
#   fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
_FSEGMENT = run_of("rfc1738", "fsegment")
_FPATH = f"{_FSEGMENT}(?>(?:/{_FSEGMENT})*)"
_FILE_RFC1738 = f"//(?:{HOST_1738})?/{_FPATH}"

# RFC 1630 has no production, only text: "The syntax is similar to the ftp syntax" and "A void host field is
# equivalent to "localhost"."
_FILE_RFC1630 = f"//(?:{HOST_1630})?/{PATH}"


def faults_file(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for a path that is not absolute, and for a query, userinfo or port, which a file does not have."""
    document = FILE.document(grammar)
    old = grammar in ("rfc1738", "rfc1630")
    if url.authority is None:
        text, start = after_scheme(url)
        if old:
            yield Fault("authority", start - 1, start, '"//" is missing after the colon', document, "://")
        elif not text.startswith("/") and not (text[1:3] == ":/" and text[0].isalpha()):
            yield Fault("path", start - 1, start, 'the path of a file URL must begin with "/"', document, ":///")
    else:
        text, start = after_authority(url)
        if not text.startswith("/"):
            message = '"/" is missing after the host' if url.host else "path is missing"
            yield Fault("path", max(start - 1, 0), start, message, document)
        for component in ("userinfo", "port"):
            span = url.span(component)
            if span is not None:
                yield Fault(component, *span, f"a file URL cannot have a {component}", document)
    query = url.span("query")
    if not old and query is not None:
        yield Fault("query", query[0] - 1, query[0], 'a file URL has no query; write "?" as %3F', document, "%3F")
    if grammar == "rfc1738":
        yield from stray("path", text, start, CHARACTERS["rfc1738"]["fsegment"] + "/", document)
    elif grammar == "rfc1630":
        yield from stray("path", text, start, CHARACTERS["rfc1630"]["xpalpha"] + "/", document)


def normal_file(url: Url) -> Url:
    """Return the URL with an empty host in place of "localhost" or none (RFC 8089 section 2 and appendix B)."""
    if url.authority is None and not url.path.startswith("/"):
        return url  # a drive letter
    # "/." prevents a path that begins with "//" from being read as a host. It is not needed after a host.
    path = url.path[2:] if url.authority is None and url.path.startswith("/.//") else url.path
    is_local = url.authority is None or url.authority.lower() == "localhost"
    if is_local:
        url = url._replace(authority="", userinfo=None, host="", port=None)
    return url._replace(path=path)


FILE = Scheme(
    name="file",
    title="a file on a host",
    documents={
        "rfc3986": "RFC 8089 section 2",
        "rfc1738": "RFC 1738 section 3.10",
        "rfc1630": 'RFC 1630 section "file"',
    },
    patterns={"rfc3986": _FILE_TODAY, "rfc1738": _FILE_RFC1738, "rfc1630": _FILE_RFC1630},
    parse=parse_file,
    faults=faults_file,
    examples=("file:///etc/motd", "file://h.example/a/b"),
    normal=normal_file,
)

# --- ftp: files and directories of an FTP server

# RFC 1738 section 3.2.2:  <cwd1>/<cwd2>/.../<cwdN>/<name>;type=<typecode>
_TYPE = re.compile(";type=", re.IGNORECASE)
_TYPECODES = {
    "rfc1630": re.compile("[AE][NTC]|I|L[0-9]+"),
    "rfc1738": re.compile("[AIDaid]"),
    "rfc3986": re.compile("[AIDaid]"),
}


class FtpPath(Detail):
    """The commands that an ftp URL represents (RFC 1738 section 3.2.2), without escapes.

    Attributes:
        cwd: the arguments of the CWD commands, in order; an empty argument is a command as well.
        name: the argument of RETR, or of NLST if the typecode is "d"; "" if the path ends in "/".
        typecode: "a", "i" or "d" as written, or None.
    """

    cwd: tuple[str, ...]
    name: str
    typecode: str | None


def parse_ftp(url: Url) -> FtpPath | None:
    """Return the commands of the path.

    `/%2Fetc/motd` is "CWD /etc", "RETR motd"; `//etc/motd` is "CWD", "CWD etc", "RETR motd".
    """
    if url.authority is None:
        return None
    text, _ = after_authority(url)
    match = _TYPE.search(text)
    typecode = text[match.end() :] if match else None
    *cwd, name = (text[: match.start()] if match else text).removeprefix("/").split("/")
    return FtpPath(tuple(map(decoded, cwd)), decoded(name), typecode)


# RFC 1738 section 5:
#   ftpurl   = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
#   fpath    = fsegment *[ "/" fsegment ]
#   fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
#   ftptype  = "A" | "I" | "D" | "a" | "i" | "d"
_FTP_RFC1738 = f"//{LOGIN}(?>/{_FPATH}(?>(?i:;type=)[AIDaid]|)|)"

# RFC 1630, BNF for specific URL schemes:
#   ftpaddress = "ftp://" login "/" path [ ftptype ]
#   ftptype    = "A" formcode | "E" formcode | "I" | "L" digits
#   formcode   = "N" | "T" | "C"
# The text writes ";type=" before the code: "THE SPACE IS OMITTED FROM THE URL".
_FTP_RFC1630 = f"//{LOGIN_1630}/{PATH}(?>(?i:;type=)(?:[AE][NTC]|I|L[0-9]++)|)"

# RFC 1738 has no successor for ftp: its typecode applies, with the characters of RFC 3986.
_PATH = "[^;#]*+(?>(?:(?!;(?i:type=));[^;#]*+)*)"
_FTP_TODAY = f"{NET_LOCATION}(?>[/?]{_PATH}(?>(?i:;type=)[AIDaid]|)|){FRAGMENT}"


def faults_ftp(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid typecode, and for delimiters that older grammars do not allow."""
    if url.authority is None:
        return
    text, start = after_authority(url)
    match = _TYPE.search(text)
    end = match.start() if match else len(text)
    document = FTP.document(grammar)
    if grammar == "rfc1738":
        if text.startswith("?"):
            message = '"/" is missing between the host and "?"'
            yield Fault("path", start, start + 1, message, document, "/?")
        yield from stray("path", text[:end], start, CHARACTERS["rfc1738"]["fsegment"] + "/", document)
    elif grammar == "rfc1630":
        yield from stray("path", text[:end], start, CHARACTERS["rfc1630"]["xpalpha"] + "/", document)
        if not text:
            yield Fault("path", start, start, '"/" is missing after the host', document, "/")
    if match and not _TYPECODES.get(grammar, _TYPECODES["rfc3986"]).fullmatch(text, match.end()):
        first = start + match.end()
        choices = "AN, AT, AC, EN, ET, EC, I, or L and digits" if grammar == "rfc1630" else "a, i or d"
        message = "typecode after ;type= is missing" if match.end() == len(text) else "unknown typecode"
        yield Fault("typecode", min(first, len(url.text) - 1), start + len(text), f"{message}; use {choices}", document)


FTP = Scheme(
    name="ftp",
    title="a file or directory of an FTP server",
    documents={"rfc3986": "RFC 1738 section 3.2.2", "rfc1630": 'RFC 1630 section "FTP"'},
    patterns={"rfc3986": _FTP_TODAY, "rfc1738": _FTP_RFC1738, "rfc1630": _FTP_RFC1630},
    parse=parse_ftp,
    faults=faults_ftp,
    examples=("ftp://h.example/a/b", "ftp://jo@h.example/%2Fetc/motd"),
)
