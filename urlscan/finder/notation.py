"""Find the end of a URL from the surrounding notation.

UTS #58 does not cover notation around a URL: the bar of a table cell or a wiki label, the marks that close an
emphasis, the bracket of a label after a host (`notation_end`), a quotation on one line (`quotation_end`), and code
around the URL, whose operators are no characters of URLs (`without_foreign`).
"""

import re

from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy, match_end
from urlscan.core.records import Match
from urlscan.finder.anchors import COMPOUND
from urlscan.finder.bare import trimmed
from urlscan.uri.grammar.templates import expression_end, line_expression_around, placeholder_spans

# How many characters around a URL are searched for notation, on its line.
_REACH = 400
# The end of a line, or of the text of a document.
_LINE_END = re.compile("\r\n?|[\n\x1a]")
# Marks that may close an emphasis: "**", "_", "~~".
_EMPHASIS = lazy(r"(?P<run>\*{1,3}|_{1,3}|~{1,2})\Z")
# A command line that pipes a download into a shell: "curl http://h.example/install|sh".
_FETCH = lazy(r"(?:^|[\s;&|`(])(?:curl|wget|fetch|aria2c|lynx|iwr|irm)\s")
# RFC 3986 section 3.2.2: brackets in a host only enclose an address.
# A label contains a word or nothing ("http://h.example[]" in AsciiDoc); "[.]" and "h[x].example" are parts of an
# elided host.
_LABEL = lazy(r"[^/?#\[\]]+(\[)(?![0-9A-Fa-f:.]*:)(?=\]|[^\]\r\n]*\w)(?![^\]\r\n]*\][./:@-]*\w)")
# A destination in Markdown, whatever the kind of the text: "[a](http://h.example/b?)".
_REST_OF_DESTINATION = lazy(r"[.,:;!?]{1,3}(?=\))")
# A template expression that is open at the end of a URL: "https://h.example/${" at a line end, "https://h.example/$(curl".
_OPEN_EXPRESSION = lazy(r"\$[({][^(){}\s]*+(?:\s|\Z)")

# A footnote or a reference: "http://h.example/[1]".  RFC 3986 section 3.3: no segment of a path contains a bracket.
_FOOTNOTE = lazy(r"(?<=/)\[[0-9]{1,3}\]\Z")

# Marks of emphasis and dashes after a host, which ends with a letter or a digit (RFC 1123 section 2.1).
_AFTER_HOST = lazy(r"(?<=[^\W_])[-*_~]+\Z")
# The rest of an attribute value and its tag after a complete host: "http://h.example'/>".
_APOSTROPHE = lazy(r"[^/?#'@]*\.[A-Za-z]{2,}(?::[0-9]+)?(?='(?!\w))")


def notation_end(text: str, start: int, body: int, end: int) -> int:
    """Return the end of the bare URL text[start:end], with its body at text[body], by the notation around it."""
    if text.startswith("//", body - 2):
        end = _host_end(text, body, end)
    if text.endswith("](", 0, start) and (rest := _REST_OF_DESTINATION.match(text, end)) is not None:
        return rest.end()
    url = text[body:end]
    if "$" in url:
        expression = _OPEN_EXPRESSION.match(text, text.rindex("$", body, end), end + 2)
        if expression is not None and expression.end() > end:
            return trimmed(text, start, body, expression.start())
    if "|" in url and _divides(text, start, end):
        return trimmed(text, start, body, text.index("|", body, end))
    if "[" in url and text.startswith("//", body - 2):
        label = _LABEL.match(text, body, end + _REACH)
        if label is not None and label.start(1) < end:
            return trimmed(text, start, body, label.start(1))
        if (footnote := _FOOTNOTE.search(url)) is not None:
            return body + footnote.start()
    if (
        url[-1:] in ("*", "_", "~")
        and (run := _EMPHASIS.search(url)) is not None
        and len(run[0]) < len(url)
        and closes_emphasis(text, start, run[0])
    ):
        return trimmed(text, start, body, end - len(run[0]))
    return end


def _host_end(text: str, body: int, end: int) -> int:
    """Return the end of the URL whose authority begins at text[body], without notation directly after its host.

    The host keeps a hyphen before a line end, which may break the URL.
    """
    if (apostrophe := _APOSTROPHE.match(text, body, end)) is not None:
        return apostrophe.end()
    host = text[body:end]
    if "/" in host or "?" in host or "#" in host:
        return end
    if (compound := COMPOUND.search(host)) is not None:
        return body + compound.start("added")
    marks = _AFTER_HOST.search(host)
    if marks is None or ("-" in marks[0] and text[end : end + _REACH].lstrip(" \t")[:1] in ("\r", "\n")):
        return end
    return body + marks.start()


def closes_emphasis(text: str, start: int, run: str) -> bool:
    """Return whether the marks `run`, after a URL that begins at `start`, close an emphasis opened before it."""
    before = _LINE_END.split(text[max(start - _REACH, 0) : start])[-1]
    return re.search(rf"(?:^|[\s(\[>\"'*_~]){re.escape(run)}(?=[^\s*_~])", before + text[start]) is not None


def _divides(text: str, start: int, end: int) -> bool:
    """Return whether a bar in text[start:end] separates table cells, commands, or a URL from its label."""
    *above, before = _LINE_END.split(text[max(start - _REACH, 0) : start])
    if before.endswith(("[", "{", "<", "{@link ")) or _FETCH.search(before) is not None:
        return True
    after, *below = _LINE_END.split(text[end : end + _REACH])
    if "|" in before.lstrip()[1:] or "|" in after:  # a single bar at the margin is a quote mark
        return True
    # Each line of a list has an address and a path, "http://h/a|b/c"; in a query a bar is common.
    address, _, path = text[start:end].partition("|")
    is_entry = not before.strip() and "?" not in address and "/" in path
    return is_entry and any("|" in line for line in (*above[-1:], *below[:1]))


# Characters that no URL in a quotation contains.  Escapes of TeX ("\~", "\_") belong to the URL and are reported.
_NOT_QUOTED = lazy(rf"[\s<>{MARKUP}]|\\(?![~_%#&])|[,|;]\w{{2,16}}://")
# HTML section 13.1.2.3: a backslash is a character of a value, "?\frac{1}{2}"; "\n" may be an escape of code around it.
_NOT_IN_ATTRIBUTE = lazy(rf"[\s<>{MARKUP}]|\\(?![~_%#&]|[A-Za-z]{{2}})|[,|;]\w{{2,16}}://")
_ATTRIBUTES = ("href=", "src=", "HREF=", "SRC=")
_QUOTATION = 2048  # its maximum length in characters


def quotation_end(text: str, body: int, closer: str) -> int:
    """Return the offset of the mark that closes the quotation; -1 if the quotation contains more than the URL."""
    limit = body + _QUOTATION
    first, close = body, text.find(closer, body, limit)
    while close >= 0:
        after = line_expression_around(text, first, close, limit)  # "http://h/#{x["a"]}"
        if after > close:
            first, close = after, text.find(closer, after, limit)
        elif closer == "'" and text[close + 1 : close + 2].isascii() and text[close + 1 : close + 2].isalnum():
            first, close = close, text.find(closer, close + 1, limit)  # the apostrophe of "Bob's"
        else:
            break
    excluded = _NOT_IN_ATTRIBUTE if is_attribute(text, text.rfind(closer, 0, body)) else _NOT_QUOTED
    if close <= body or _leaves_quotation(text, body, close, excluded):
        return -1
    return close


def end_in_quotation(text: str, body: int, close: int) -> int:
    """Return the end of the URL in a quotation that ends at text[close].

    A bracket, a semicolon or a question mark before the closing quotation mark belongs to the URL; a full stop or comma
    does not.
    """
    end = close
    if text[close - 1] == ".":
        end = body + len(text[body:close].rstrip("."))
    elif text[close - 1] == ",":
        end -= 1
    if end <= body:
        return close
    return end


def is_attribute(text: str, quote: int) -> bool:
    """Return whether the quotation mark text[quote] opens the value of an attribute that holds a URL."""
    return text.endswith(_ATTRIBUTES, 0, max(quote, 0))


def _leaves_quotation(text: str, body: int, close: int, excluded: "re.Pattern[str]") -> bool:
    """Return whether text[body:close] has an excluded character outside template expressions."""
    offset = body
    while (match := excluded.search(text, offset, close)) is not None:
        offset = line_expression_around(text, offset, match.start(), close)
        if offset <= match.start():
            offset = expression_end(text, match.start(), close)
        if offset <= match.start():
            return True
    return False


# RFC 3986 section 2: characters that are not allowed outside an address; and the separators of shell commands.
_FOREIGN = lazy(r"[|^{}<>\"`\\\[\]]|&&|&\Z")
_LITERAL = lazy(r"[A-Za-z][\w+.-]*://(?:[^/?#\[\]]*@)?\[[^/\]]*\]")
# Backslashes typed for the slashes before a host: the whole text is reported.
_BACKSLASHES = lazy(r"[A-Za-z][\w+.-]*:\\\\(?=\w)[^|^{}<>\"`\\\[\]&*]*\Z")


def without_foreign(match: Match, document: Document) -> Match | None:
    """Return a match in a program or markup up to the first character of its syntax; None if no URL is left."""
    text, url = document.prose, match.url
    query, filled_in = url.find("?"), {offset for span in placeholder_spans(url) for offset in range(*span)}
    offsets = (
        foreign.start()
        for foreign in _FOREIGN.finditer(url, match_end(_LITERAL, url, 0))
        # Brackets are common in queries, and enclose an IP address.
        if not (foreign[0] in "[]" and 0 <= query < foreign.start()) and foreign.start() not in filled_in
    )
    length = next(offsets, -1)
    if length < 0:
        return match
    context = document.context(match.start, match.end)
    in_attribute = match.style == "quotes" and is_attribute(text, match.outer_start)
    has_backslashes = context in ("comment", "string") and _BACKSLASHES.match(url) is not None
    if context in ("prose", "link") or in_attribute or has_backslashes:
        return match
    body = url.find(":") + len("://" if "://" in url else ":")
    if length <= body:
        return None
    end = trimmed(text, match.start, match.start + body, match.start + length)
    url = url[: end - match.start]
    template = bool(placeholder_spans(url))
    return match._replace(
        url=url, raw=match.raw[: len(url)], end=end, outer_start=match.start, outer_end=end, style="bare",
        template=template, alternatives=(), faults=(),
    )  # fmt: skip
