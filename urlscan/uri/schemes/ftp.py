"""ftp: files and directories of an FTP server."""

import re
from collections.abc import Iterator

from urlscan.uri.grammar.characters import CHARACTERS, decoded, many, maybe, run_of
from urlscan.uri.grammar.rfc1630 import LOGIN as LOGIN_1630
from urlscan.uri.grammar.rfc1630 import PATH
from urlscan.uri.grammar.rfc1738 import LOGIN
from urlscan.uri.schemes.base import FRAGMENT, NET_LOCATION, Fault, Scheme, after_authority, stray
from urlscan.uri.url import Detail, Url

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


def parse(url: Url) -> FtpPath | None:
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
_FSEGMENT = run_of("rfc1738", "fsegment")
_RFC1738 = "//" + LOGIN + maybe("/" + _FSEGMENT + many("/" + _FSEGMENT) + maybe("(?i:;type=)[AIDaid]"))

# RFC 1630, BNF for specific URL schemes:
#   ftpaddress = "ftp://" login "/" path [ ftptype ]
#   ftptype    = "A" formcode | "E" formcode | "I" | "L" digits
#   formcode   = "N" | "T" | "C"
# The text writes ";type=" before the code: "THE SPACE IS OMITTED FROM THE URL".
_RFC1630 = "//" + LOGIN_1630 + "/" + PATH + maybe("(?i:;type=)(?:[AE][NTC]|I|L[0-9]++)")

# RFC 1738 has no successor for ftp: its typecode applies, with the characters of RFC 3986.
_PATH = "[^;#]*+" + many("(?!;(?i:type=));[^;#]*+")
_TODAY = NET_LOCATION + maybe("[/?]" + _PATH + maybe("(?i:;type=)[AIDaid]")) + FRAGMENT


def faults(url: Url, grammar: str) -> Iterator[Fault]:
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
        known = "AN, AT, AC, EN, ET, EC, I, or L and digits" if grammar == "rfc1630" else "a, i or d"
        message = "typecode after ;type= is missing" if match.end() == len(text) else "unknown typecode"
        yield Fault("typecode", min(first, len(url.text) - 1), start + len(text), f"{message}; use {known}", document)


FTP = Scheme(
    name="ftp",
    title="a file or directory of an FTP server",
    documents={"rfc3986": "RFC 1738 section 3.2.2", "rfc1630": 'RFC 1630 section "FTP"'},
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    examples=("ftp://h.example/a/b", "ftp://jo@h.example/%2Fetc/motd"),
)
