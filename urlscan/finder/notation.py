"""Find the end of a bare URL from the surrounding notation.

UTS #58 does not cover notation around a URL: the bar of a table cell or a wiki label, the marks that close an
emphasis, the bracket of a label after a host.
"""

import re

from urlscan.core.lazy import lazy
from urlscan.finder.bare import trimmed
from urlscan.finder.shapes import COMPOUND

# How many characters around a URL are searched for notation, on its line.
_REACH = 400
# The end of a line, or of the text of a document.
_LINE_END = re.compile("[\r\n\x1a]")
# Marks that may close an emphasis: "**", "_", "~~".
_EMPHASIS = lazy(r"(?P<run>\*{1,3}|_{1,3}|~{1,2})\Z")
# A command line that pipes a download into a shell: "curl http://h.example/install|sh".
_FETCH = lazy(r"(?:^|[\s;&|`(])(?:curl|wget|fetch|aria2c|lynx|iwr|irm)\s")
_INTO = lazy(r"\|(?:sudo\b|[\w/]*sh\b|python\w*|perl\b|ruby\b|node\b|php\b|tar\b|jq\b|iex\b)")
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
    """Return the end of the bare URL text[start:end] after applying the rules of notation.

    Args:
        text: the text to search.
        start: the offset of the URL.
        body: the offset after its "//" or ":".
        end: the end of the URL by its characters.
    """
    if text.startswith("//", body - 2):
        end = _host_end(text, body, end)
    if text.endswith("](", 0, start) and (rest := _REST_OF_DESTINATION.match(text, end)) is not None:
        return rest.end()
    url = text[body:end]
    if "$" in url:
        expression = _OPEN_EXPRESSION.match(text, text.rindex("$", body, end), end + 2)
        if expression is not None and expression.end() > end:
            return trimmed(text, start, body, expression.start())
    if "|" in url:
        bar = text.index("|", body, end)
        if _divides(text, start, end):
            return trimmed(text, start, body, bar)
    if "[" in url and text.startswith("//", body - 2):
        label = _LABEL.match(text, body, end + _REACH)
        if label is not None and label.start(1) < end:
            return trimmed(text, start, body, label.start(1))
        if (footnote := _FOOTNOTE.search(url)) is not None:
            return body + footnote.start()
    run = _EMPHASIS.search(url) if url[-1:] in ("*", "_", "~") else None
    if run is not None and len(run[0]) < len(url) and closes_emphasis(text, start, run[0]):
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
    first = max(start - _REACH, 0)
    before = _LINE_END.split(text[first:start])[-1]
    if before.endswith(("[", "{", "<")):
        return True
    if _FETCH.search(before) is not None and _INTO.match(text, text.index("|", start, end)) is not None:
        return True
    after = _LINE_END.split(text[end : end + _REACH], maxsplit=1)[0]
    # A single bar at the margin is a quote mark; a table row also ends in a bar.
    return "|" in before.lstrip()[1:] or "|" in after or (before.lstrip().startswith("|") and text[end - 1] == "|")
