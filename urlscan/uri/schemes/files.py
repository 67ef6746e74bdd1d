"""file and ftp: files and directories."""

import re

from urlscan.uri.grammar.characters import CHARACTERS, decoded, run_of
from urlscan.uri.grammar.generic import HOST_1630, HOST_1738, LOGIN, LOGIN_1630, PATH
from urlscan.uri.schemes.base import (
    AUTHORITY,
    FRAGMENT,
    LOGIN_AUTHORITY,
    NET_LOCATION,
    Grammar,
    Mistake,
    Mistakes,
    Scheme,
    after_authority,
    stray,
)
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


_FSEGMENTS = CHARACTERS["rfc1738"]["fsegment"] + "/"
_XPALPHAS = CHARACTERS["rfc1630"]["xpalpha"] + "/"

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


def normal_file(url: Url) -> Url:
    """Return the URL with an empty host in place of "localhost" or none (RFC 8089 section 2 and appendix B)."""
    if url.authority is None and not url.path.startswith("/"):
        return url  # a drive letter
    # "/." prevents a path that begins with "//" from being read as a host. It is not needed after a host.
    if url.authority is None and url.path.startswith("/.//"):
        url = url._replace(path=url.path[2:])
    if url.authority is None or url.authority.lower() == "localhost":
        url = url._replace(authority="", userinfo=None, host="", port=None)
    return url


_FILE_PARTS = rf"(?:{AUTHORITY})?(?P<path>[^?]*)(?P<query>\?.*)?"
_FILE_PARTS_OLD = f"(?:{AUTHORITY})?(?P<path>.*)"
_FILE_MISTAKES: Mistakes = (
    Mistake("", r"\A//()(?:\?|\Z)", "path is missing"),
    Mistake("", rf"\A{AUTHORITY}()(?:\?|\Z)", '"/" is missing after the host'),
    Mistake("userinfo", r"\A.*", "a file URL cannot have a userinfo"),
    Mistake("port", r"\A.*", 'a file URL has no port; before a drive letter, write a third "/"'),
)
_FILE_MISTAKES_TODAY = (
    Mistake("", r"\A(?!/|[A-Za-z]:/)", 'the path of a file URL must begin with "/"', ":///"),
    Mistake("query", r"\A\?", 'a file URL has no query; write "?" as %3F', "%3F"),
)
_NO_SLASHES = Mistake("", r"\A(?!//)", '"//" is missing after the colon', "://")
_FILE_MISTAKES_1738 = (_NO_SLASHES, stray("path", "path", _FSEGMENTS))
_FILE_MISTAKES_1630 = (_NO_SLASHES, stray("path", "path", _XPALPHAS))
FILE = Scheme(
    "a file on a host",
    {
        "rfc3986": Grammar("RFC 8089 section 2", _FILE_TODAY, _FILE_PARTS, _FILE_MISTAKES + _FILE_MISTAKES_TODAY),
        "rfc1738": Grammar(
            "RFC 1738 section 3.10", _FILE_RFC1738, _FILE_PARTS_OLD, _FILE_MISTAKES + _FILE_MISTAKES_1738
        ),
        "rfc1630": Grammar(
            'RFC 1630 section "file"', _FILE_RFC1630, _FILE_PARTS_OLD, _FILE_MISTAKES + _FILE_MISTAKES_1630
        ),
    },
    lambda url: File(url.host, decoded(after_authority(url))),
    normal=normal_file,
)

# --- ftp: files and directories of an FTP server

# RFC 1738 section 3.2.2:  <cwd1>/<cwd2>/.../<cwdN>/<name>;type=<typecode>


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


def _ftp_path(url: Url) -> FtpPath:
    """Return the commands of the path.

    `/%2Fetc/motd` is "CWD /etc", "RETR motd"; `//etc/motd` is "CWD", "CWD etc", "RETR motd".
    """
    path, *typecode = re.split("(?i:;type=)", after_authority(url), maxsplit=1)
    *cwd, name = path.removeprefix("/").split("/")
    return FtpPath(tuple(map(decoded, cwd)), decoded(name), next(iter(typecode), None))


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


_FTP_PATH = f"(?P<path>{_PATH})(?:;(?i:type)=(?P<typecode>.*))?"


def _typecode(pattern: str, choices: str) -> Mistakes:
    return (
        Mistake("typecode", r"\A\Z", f"typecode after ;type= is missing; use {choices}"),
        Mistake("typecode", rf"\A(?!(?:{pattern})\Z).*", f"unknown typecode; use {choices}"),
    )


_TYPECODE = _typecode("[AIDaid]", "a, i or d")
FTP = Scheme(
    "a file or directory of an FTP server",
    {
        "rfc3986": Grammar("RFC 1738 section 3.2.2", _FTP_TODAY, AUTHORITY + _FTP_PATH, _TYPECODE),
        "rfc1738": Grammar(
            "RFC 1738 section 3.2.2",
            _FTP_RFC1738,
            LOGIN_AUTHORITY + _FTP_PATH,
            (
                Mistake("", rf"\A{LOGIN_AUTHORITY}(\?)", '"/" is missing between the host and "?"', "/?"),
                stray("path", "path", _FSEGMENTS),
                *_TYPECODE,
            ),
        ),
        "rfc1630": Grammar(
            'RFC 1630 section "FTP"',
            _FTP_RFC1630,
            AUTHORITY + _FTP_PATH,
            (
                Mistake("", rf"\A{AUTHORITY}()\Z", '"/" is missing after the host', "/"),
                stray("path", "path", _XPALPHAS),
                *_typecode("[AE][NTC]|I|L[0-9]+", "AN, AT, AC, EN, ET, EC, I, or L and digits"),
            ),
        ),
    },
    _ftp_path,
)
