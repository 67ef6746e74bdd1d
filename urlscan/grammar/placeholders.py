"""Placeholders: where a string is a template and not yet a URL.

`http://h/{id}`, `http://h/%s` and `http://<host>:<port>/` stand for URLs that a program or a reader
makes of them; no specification but RFC 6570 gives them a grammar, so the forms below are those that
sources and documentation use.  Every form has a bounded length, so that the search is linear.
"""

import functools
import re

# What an HTML tag would be: "http://h/<br>" ends there, "http://h/<id>" goes on.
_TAGS = (
    r"(?:a|b|big|blockquote|br|center|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong"
    r"|sub|sup|table|td|th|tr|tt|u|ul|wbr)"
)
_PLAIN_FORMS = (
    # {{x}} {{ .Version }} {{ x|urlencode }}
    r"\{\{[^{}\r\n]{0,80}\}\}",
    # ${X} ${X:-y} %{x}
    r"[$%]\{[^{}\s]{1,80}\}",
    # {x} {0} {} {x:04d} {0.port} {?dns} {+path}; "{6D5140C1-7436-...}" is a GUID, and data.
    r"\{(?![0-9A-Fa-f]{8}-)(?:\d{0,3}(?:[.!:\[][^{}\s]{0,60})?|[+#./;?&=,|!@$]?[A-Za-z_][^{}\s<>\"\\^`]{0,80})\}",
    # {x["a"]} {x.get('a', 1)}, which the end of a quotation or a blank may have cut
    r"\{[A-Za-z_][\w.]{0,80}(?:\Z|[\[(][^{}\r\n]{0,200}(?:\}|\Z))",
    # (a|b|c) [..]
    r"\([\w.-]{1,40}(?:\|[\w.-]{1,40}){1,20}\)|\[\.{2,3}\]",
    # %(x)s
    r"%\([^()\s]{1,80}\)[A-Za-z]?",
    # %%x%%; "name%%3Ddobbins" is the slip of RFC 1630, a bad escape.
    r"%%[A-Za-z_]\w{0,63}+%%",
    # $X $1 after something that is no word: "antqgu$qq3$1@h" is a message identifier.  OData writes
    # "?$top=5", Lotus Domino "/$FILE/", and both mean themselves.
    r"(?<![\w$])\$(?!(?i:FILE)/)(?:[A-Za-z_]\w{0,63}+(?!=)|\d\b)",
    # <x> <relative url>
    rf"<(?!{_TAGS}[\s/>])[A-Za-z][\w .|+-]{{0,63}}>",
    # [x], but not "filter[x]=1" nor the "[v1.x]" of RFC 3986 section 3.2.2; [:port] [user@]
    r"(?<![\w\]%])\[(?!v[0-9A-Fa-f]+\.)[A-Za-z][\w .-]{0,63}\]",
    r"\[:<?[A-Za-z]{1,20}>?\]|\[[A-Za-z]{1,20}@\]",
    r"\*{3,64}",
    # host:port somehost:aport
    r"(?<![\w.-])[a-z]{0,10}host(?:name)?:[a-z]{0,4}port\b",
)
# printf's directives, where they cannot be an escape: two hexadecimal digits after "%" are one
# ("%3D", "%20d", "%5d"), unless a zero flag shows the format ("%04d"; %01 to %09 are controls).
_FORMATS = (
    r"%0[1-9]\d?(?:ll?)?[diouxX](?![A-Za-z0-9])",
    r"%(?:s|d(?![0-9A-Fa-f]))",
    r"%[-+#]\d{0,3}(?:\.\d{1,3})?[a-z]",
    r"%(?:ll?|hh?|z)[diux](?![A-Za-z0-9])",
    r"%(?:[1-9]?\.\d{1,3}[dfgs]|[1-9]?[giorsuvqx])(?![A-Za-z0-9])",
)


@functools.cache
def _pattern(formats: bool) -> re.Pattern[str]:
    return re.compile("|".join(_PLAIN_FORMS + (_FORMATS if formats else ())))


def placeholder_spans(text: str, *, formats: bool = True) -> list[tuple[int, int]]:
    """Return the places of placeholders in `text`, in characters, in order, not overlapping.

    Args:
        text: a URL, or a piece of one.
        formats: whether printf's directives count; they do in sources and in quoted strings.

    >>> placeholder_spans("http://h/{id}?a=%s")
    [(9, 13), (16, 18)]
    >>> placeholder_spans("http://h/a%20dog?x%3Dy&z%%3D1")
    []
    """
    return [match.span() for match in _pattern(formats).finditer(text)]
