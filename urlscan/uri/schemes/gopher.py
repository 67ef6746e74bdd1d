"""gopher: items and directories of a Gopher server, including Gopher+."""

from collections.abc import Iterator

from urlscan.uri.grammar.characters import CHARACTERS, decoded, maybe, run_of, some_of
from urlscan.uri.grammar.rfc1630 import HOSTPORT as HOSTPORT_1630
from urlscan.uri.grammar.rfc1630 import PATH
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import NET_LOCATION, REST, Fault, Scheme, after_authority, missing_slash, stray
from urlscan.uri.url import Detail, Url


class GopherPlus(Detail):
    """The request of a gopher+_string (RFC 1738 sections 3.4.4 to 3.4.9).

    Attributes:
        kind: default-view ("+"), form ("?"), attributes ("!"), directory-attributes ("$"), view
            ("+application/postscript Es_ES"), ask (the values of a form), or other.
        attributes: the names after "!" or "$"; none means all.
        view, language: of an alternate view, or None.
        values: the answers to the form.
    """

    kind: str
    attributes: tuple[str, ...] = ()
    view: str | None = None
    language: str | None = None
    values: tuple[str, ...] = ()


class GopherPath(Detail):
    """The request of a gopher URL (RFC 1738 section 3.4.1), without escapes.

    Attributes:
        gophertype: one character; "1", a directory, if the path is empty.
        selector: the string to send; "" is the root of the server.
        search: the search string, or None.
        gopher_plus: the gopher+_string, or None.
    """

    gophertype: str
    selector: str
    search: str | None
    gopher_plus: GopherPlus | None


def parse(url: Url) -> GopherPath | None:
    """Return type, selector, search and Gopher+ string. No characters are reserved within the path."""
    if url.authority is None:
        return None
    text, _ = after_authority(url)
    path = text.removeprefix("/")
    if not path:
        return GopherPath("1", "", None, None)
    width = 3 if path.startswith("%") and len(path) > 2 else 1
    selector, *more = path[width:].split("%09", 2)
    search = decoded(more[0]) if more else None
    plus = _gopher_plus(decoded(more[1])) if len(more) > 1 else None
    return GopherPath(decoded(path[:width]), decoded(selector), search, plus)


def _gopher_plus(text: str) -> GopherPlus:
    if text in ("+", "?"):
        return GopherPlus("default-view" if text == "+" else "form")
    if text[:1] in ("!", "$"):
        kind = "attributes" if text[0] == "!" else "directory-attributes"
        return GopherPlus(kind, attributes=tuple(text[1:].split(" ")) if text[1:] else ())
    # Section 3.4.9:  +%091%0D%0A+-1%0D%0A<ask_item1_value>%0D%0A<ask_item2_value>%0D%0A.%0D%0A
    head, tail = "+\t1\r\n+-1\r\n", ".\r\n"
    if text.startswith(head) and text.endswith("\r\n" + tail):
        return GopherPlus("ask", values=tuple(text[len(head) : -len(tail)].split("\r\n")[:-1]))
    # Section 3.4.8:  +<view_name>%20<language_name>
    if text.startswith("+") and "\t" not in text:
        view, _, language = text[1:].partition(" ")
        return GopherPlus("view", view=view, language=language or None)
    return GopherPlus("other")


# RFC 4266 section 2.1:
#   gopher://<host>:<port>/<gopher-path>
#   <gopher-path> is <gophertype><selector>, <gophertype><selector>%09<search>, or
#   <gophertype><selector>%09<search>%09<gopher+_string>; the whole may be empty, with or without "/"
_TODAY = NET_LOCATION + REST


# RFC 1738 section 5:
#   gopherurl      = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ]]]]]
#   gtype          = xchar
#   selector       = *xchar
#   gopher+_string = *xchar
# "%09" is an xchar, so any sequence of xchars is one of these.
_RFC1738 = "//" + HOSTPORT + maybe("/" + run_of("rfc1738", "xchar"))


# RFC 1630, BNF for specific URL schemes:
#   gopheraddress = "gopher://" hostport [ "/" gtype [ gcommand ] ]
#   gtype         = xalpha
#   gcommand      = path
_RFC1630 = "//" + HOSTPORT_1630 + maybe("/" + maybe(rf"(?={some_of('rfc1630', 'xpalpha')}){PATH}"))


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for delimiters that RFC 1630 does not allow. The other grammars reserve none."""
    if grammar == "rfc1630":
        text, start = after_authority(url)
        yield from stray("path", text, start, CHARACTERS["rfc1630"]["xpalpha"] + "/", GOPHER.document(grammar))
        if text.startswith("//"):
            yield Fault("gophertype", start + 1, start + 2, "gopher type is missing", GOPHER.document(grammar))
    elif grammar == "rfc1738":
        yield from missing_slash(url)


GOPHER = Scheme(
    name="gopher",
    title="an item or directory of a Gopher server",
    documents={
        "rfc3986": "RFC 4266 section 2.1",
        "rfc1738": "RFC 1738 section 3.4.1",
        "rfc1630": 'RFC 1630 section "Gopher"',
    },
    patterns={"rfc3986": _TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse,
    faults=faults,
    examples=("gopher://h.example", "gopher://h.example:70/", "gopher://h.example/00/weather%09rain"),
)
