"""Write a URL as the appendixes of the RFCs recommend: `<URL:...>`, over several lines if it is long."""

from urlscan.core.errors import ConfigError, RefusedError
from urlscan.core.secrets import redact
from urlscan.finder.scan import find

_OPENER, _CLOSER = "<URL:", ">"
# Preferred ends of lines: the next line visibly continues the URL.
_GOOD = "/?&;"
# A line never ends with a hyphen (RFC 1738 appendix: it "may or may not actually be part of the URL").
_HYPHENS = "-\u2010\u00ad"
# A line should not begin with a character that looks like a quote mark, a comment leader or a bullet.
_BAD_STARTS = "#*/;|>%-!:.,+\\"
# The maximum number of lines that `finder` joins.
_MOST_LINES = 90


def wrap(url: str, width: int, indent: str) -> str:
    """Return `url` as a wrapper that `scan` reads back; raise RefusedError if it would not."""
    available = width - len(indent)
    if available < len(_OPENER) + 4:
        raise ConfigError(f"a width of {width} leaves no room for a URL", hint="use at least 9 more than the indent")
    # The finder only joins a limited number of lines, so the lines of a very long URL are longer.
    available = max(available, len(url) // _MOST_LINES + 16)
    lines = _folded(url, available, at_good=True)
    if len(lines) > _MOST_LINES:
        lines = _folded(url, available, at_good=False)
    text = "\n".join(indent + line for line in lines)
    matches = list(find(text))
    # Punctuation at the end is reported as suspicious, but it is read as part of the URL.
    faults = {fault.name for match in matches for fault in match.faults} - {"punctuation-in-wrapper"}
    if len(matches) != 1 or matches[0].url != url or matches[0].style != "wrapper" or faults:
        raise RefusedError(
            f"{redact(url)} would not be read back as this URL", hint="urlscan.check reports the problems"
        )
    return text


def _folded(url: str, available: int, *, at_good: bool) -> list[str]:
    """Return the lines without indent."""
    lines: list[str] = []
    line, offset = _OPENER, 0
    first = url.find("://") + 3 if "://" in url[:64] else url.find(":") + 1
    while len(line) + len(url) - offset + len(_CLOSER) > available:
        last = offset + available - len(line)
        cut = _cut_end(url, max(offset, first), last, at_good)
        if cut >= len(url):
            break
        lines.append(line + url[offset:cut])
        line, offset = "", cut
    return [*lines, line + url[offset:] + _CLOSER]


def _cut_end(url: str, first_cut: int, last: int, at_good: bool) -> int:
    """Return where to cut, after `first_cut` and not after `last` if possible."""
    places = range(min(last, len(url) - 1), first_cut, -1)
    allowed = [offset for offset in places if _can_break(url, offset)]
    after_good = [offset for offset in allowed if at_good and url[offset - 1] in _GOOD]
    for offset in (*after_good, *allowed):
        if url[offset] not in _BAD_STARTS:
            return offset
    if allowed:
        return allowed[0]
    return next((offset for offset in range(max(last, first_cut) + 1, len(url)) if _can_break(url, offset)), len(url))


def _can_break(url: str, offset: int) -> bool:
    """Return whether a line may end before url[offset]: not after a hyphen, not inside an escape."""
    return url[offset - 1] not in _HYPHENS and "%" not in url[max(offset - 2, 0) : offset]
