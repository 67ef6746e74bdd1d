"""file: a file on a host, usually the local one."""

from collections.abc import Iterator

from urlscan.uri.grammar.characters import CHARACTERS, decoded, many, run_of
from urlscan.uri.grammar.hosts import HOST_1738
from urlscan.uri.grammar.rfc1630 import HOST as HOST_1630
from urlscan.uri.grammar.rfc1630 import PATH
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_authority, after_scheme, stray
from urlscan.uri.url import Detail, Url


class File(Detail):
    """The file that a file URL names (RFC 8089 section 2), without escapes.

    Attributes:
        host: the host of the file; None if absent; "" and "localhost" are the local machine.
        path: the path with its first "/"; after a drive letter, the path begins with the letter.
    """

    host: str | None
    path: str


def parse(url: Url) -> File:
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
_TODAY = r"(?://(?:\[[^]/?#@]*+\]|[^/?#@:]*+)/[^?#]*+|(?:[A-Za-z]:)?/(?!/)[^?#]*+)" + FRAGMENT


# RFC 1738 section 5:
#   fileurl  = "file://" [ host | "localhost" ] "/" fpath
#   fpath    = fsegment *[ "/" fsegment ]
#   fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
_FSEGMENT = run_of("rfc1738", "fsegment")
_RFC1738 = f"//(?:{HOST_1738})?/{_FSEGMENT}" + many("/" + _FSEGMENT)


# RFC 1630 has no production, only text: "The syntax is similar to the ftp syntax" and "A void host field is
# equivalent to "localhost"."
_RFC1630 = f"//(?:{HOST_1630})?/{PATH}"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
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


def normal(url: Url) -> Url:
    """Return the URL with an empty host in place of "localhost" or none (RFC 8089 section 2 and appendix B)."""
    if url.authority is None and not url.path.startswith("/"):
        return url  # a drive letter
    # "/." prevents a path that begins with "//" from being read as a host. It is not needed after a host.
    path = url.path[2:] if url.authority is None and url.path.startswith("/.//") else url.path
    here = url.authority is None or url.authority.lower() == "localhost"
    if here:
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
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    examples=("file:///etc/motd", "file://h.example/a/b"),
    normal=normal,
)
