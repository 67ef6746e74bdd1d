"""The form in which the appendixes want a URL in text: `<URL:...>`, over several lines if it is long."""

from urlscan.errors import ConfigError, RefusedError
from urlscan.finder import find
from urlscan.redact import redact

_OPENER, _CLOSER = "<URL:", ">"
# A line breaks best behind these: what follows is visibly more of the same URL.
_GOOD = "/?&;"
# Never behind a hyphen (RFC 1738 appendix: it "may or may not actually be part of the URL").
_HYPHENS = "-\u2010\u00ad"
# A line had better not begin with what could pass for a quote mark, a comment leader or a bullet.
_BAD_STARTS = "#*/;|>%-!:.,+\\"
# What a reader of broken URLs puts together again: `finder` joins no more pieces than this.
_MOST_LINES = 90


def wrap(url: str, width: int, indent: str) -> str:
    """Return `url` as a wrapper that `scan` reads back.

    Raises:
        ConfigError: no room is left between indent and width.
        RefusedError: what comes out would not be read as this URL.
    """
    room = width - len(indent)
    if room < len(_OPENER) + 4:
        raise ConfigError(f"a width of {width} leaves no room for a URL", hint="the least is 9 more than the indent")
    # A URL of very many lines is not put together again, so a very long one has longer lines.
    room = max(room, len(url) // _MOST_LINES + 16)
    lines = _folded(url, room, at_good=True)
    if len(lines) > _MOST_LINES:
        lines = _folded(url, room, at_good=False)
    text = "\n".join(indent + line for line in lines)
    found = list(find(text))
    if len(found) != 1 or found[0].url != url or found[0].style != "wrapper" or found[0].faults:
        raise RefusedError(
            f"{redact(url)} would not be read back as this URL", hint="urlscan.check tells what is wrong with it"
        )
    return text


def _folded(url: str, room: int, *, at_good: bool) -> list[str]:
    """Return the lines, without indent."""
    lines: list[str] = []
    line, at = _OPENER, 0
    first = url.find("://") + 3 if "://" in url[:64] else url.find(":") + 1
    while len(line) + len(url) - at + len(_CLOSER) > room:
        most = at + room - len(line)
        cut = _cut(url, max(at, first), most, at_good)
        if cut >= len(url):
            break
        lines.append(line + url[at:cut])
        line, at = "", cut
    return [*lines, line + url[at:] + _CLOSER]


def _cut(url: str, least: int, most: int, at_good: bool) -> int:
    """Return where to cut, behind `least` and not behind `most` if there is such a place."""
    places = range(min(most, len(url) - 1), least, -1)
    if at_good:
        for at in places:
            if url[at - 1] in _GOOD and _may(url, at) and url[at] not in _BAD_STARTS:
                return at
    for at in places:
        if _may(url, at) and url[at] not in _BAD_STARTS:
            return at
    for at in places:
        if _may(url, at):
            return at
    return next((at for at in range(max(most, least) + 1, len(url)) if _may(url, at)), len(url))


def _may(url: str, at: int) -> bool:
    """Whether a line may end before url[at]: not behind a hyphen, not inside an escape."""
    return url[at - 1] not in _HYPHENS and "%" not in url[max(at - 2, 0) : at]
