"""What may be shown: control characters escaped, secrets as `***`.

A secret is known by the URL it stands in (`redact.secret_spans`).  Here it is followed to where it is
seen: over a line break in the text, into a finding's words, into another reading of the same URL.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.model import Break, Finding, Fix, Occurrence
from urlscan.redact import MASK, secret_spans
from urlscan.text import readable

# A URL that ends where a password may have been cut: "http://joe:pass" with "word@host" behind a
# break or a character that ended it.  What does not look like a port is taken for one if there is an
# "@" before a host anywhere near; after digits, only if nothing but them stands before it.
_CUT = re.compile(r"//[^\s/?#:@]{0,256}:(?P<start>\d+|(?!\d*(?:[/?#]|\Z))[^\s@]+)\Z")
_GOES_ON = re.compile(r"[^@]{0,256}@(?=[\w\[.-])")
_GOES_ON_AT_ONCE = re.compile(r"[^\s/?#@]{1,99}@(?=[\w\[.-])")
_MAY_BE_CUT = re.compile(r"(?m)//[^\s/?#:@]*:(?:\d+|(?!\d*(?:[/?#]|$))[^\s@]+)$")
_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'|`([^`]+)`")
# One of these stands in every query parameter that `redact` takes for a secret.
SECRET_NAMES = ("access_token=", "api_key=", "secret_token=", "Signature=", "X-Amz-")
_SHORT = 4  # a secret of fewer characters is only looked for between quotation marks
_CONTEXT = 256  # characters behind a URL in which a cut password may go on

Spans = list[tuple[int, int]]


class Secrets(NamedTuple):
    """Where the secrets of one segment stand.

    Attributes:
        places: spans of the segment's text, in order.
        urls: spans in each URL that holds one.
    """

    places: Spans
    urls: dict[str, Spans]


@functools.cache
def unsafe() -> re.Pattern[str]:
    """Match what acts on a terminal or lies about the order of a text.

    C0, C1, line and paragraph separators, bidirectional controls, interlinear marks, tags; and what
    no encoding can write.
    """
    return re.compile(
        "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufff9-\ufffb"
        "\U000e0000-\U000e007f]"
    )


@functools.cache
def _wild() -> re.Pattern[str]:
    """Match a password that holds what no userinfo may hold."""
    return re.compile(
        r"//[^\s/?#:@]{0,256}:(?!\d*(?:[/?#]|$))(?P<secret>[^\s@]{1,1024}(?:@[^\s@/?#]{1,256})*)@(?=[\w\[.-])"
    )


@functools.cache
def _broken() -> re.Pattern[str]:
    """Match a password that is broken by white space, where nothing says that it is in a URL."""
    return re.compile(
        r"(?<=:)//+[^\s/?#:@]{0,256}:(?P<secret>(?!\d*(?:[/?#\s]|$))[^\s@]{1,256}"
        r"(?:\s[\s>|#*/;]{0,40}[^\s@]{1,256}){0,3})@(?=[\w\[.-])"
    )


@functools.cache
def _sloppy() -> re.Pattern[str]:
    """Match a userinfo without its "//": RFC 3986 has none there, but people and passwords do."""
    return re.compile(
        r"(?i)(?<![\w+.-])(?:https?|ftps?|sftp|ssh|telnet|gopher|nntp|wais|imaps?|smtps?|ldaps?)"
        r":(?:[/\\]|\\\\|//[/\\]+)?(?![/\\])[^\s/?#:@<>\"]{0,256}:(?P<secret>[^\s/?#<>\"]{1,256})@"
    )


def escape(text: str) -> str:
    r"""Return `text` with what is unsafe to print written as `\x1b`, `\u202e`; a byte of a file name as `\xff`."""
    return text if text.isprintable() else unsafe().sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def url_secrets(url: str) -> Spans:
    """Return the places of the secrets in one URL, well-formed or not."""
    spans = secret_spans(url)
    if "@" in url and ":" in url:
        spans += [match.span("secret") for pattern in (_wild(), _sloppy()) for match in pattern.finditer(url)]
    return merged(spans) if len(spans) > 1 else spans


def text_secrets(text: str) -> Spans:
    """Return the places of what looks like a secret in any text; rather too much than too little."""
    if "@" not in text:
        return url_secrets(text)
    return merged([*url_secrets(text), *(match.span("secret") for match in _broken().finditer(text))])


def occurrence_secrets(occurrence: Occurrence, text: str) -> Spans:
    """Return the places of the secrets in an occurrence's `url`, one that the URL's end cuts included."""
    url = occurrence.url
    spans = url_secrets(url)
    if (cut := _CUT.search(url)) is not None and _goes_on(cut["start"], text, occurrence.end) is not None:
        spans = merged([*spans, cut.span("start")])
    return spans


def _goes_on(start: str, text: str, end: int) -> re.Match[str] | None:
    """Return the rest of a password that begins with `start` and is cut at `end`, up to its "@"."""
    is_port = start.isdecimal() and len(start) <= 5
    return (_GOES_ON_AT_ONCE if is_port else _GOES_ON).match(text, end, end + _CONTEXT)


def shown_urls(occurrences: list[Occurrence], text: str) -> list[str]:
    """Return the URLs of many occurrences as they may be shown; next to nothing is done for each."""
    urls = [occurrence.url for occurrence in occurrences]
    block = "\n".join(urls)
    cut = {block[block.rfind("\n", 0, match.start()) + 1 : match.end()] for match in _MAY_BE_CUT.finditer(block)}
    if cut:
        urls = [mask(o.url, occurrence_secrets(o, text)) if o.url in cut else o.url for o in occurrences]
    if any(name in block for name in SECRET_NAMES):
        urls = [mask(url, url_secrets(url)) if "@" in url or "=" in url else url for url in urls]
    elif "@" in block:
        # Before a password stand two colons; a mail address has the scheme's alone.
        urls = [mask(url, url_secrets(url)) if "@" in url and url.count(":") > 1 else url for url in urls]
    return urls if block.isascii() else [readable(url) for url in urls]


def escape_all(lines: list[str]) -> list[str]:
    """Return many lines safe to print; next to nothing is done for each."""
    return lines if "".join(lines).isprintable() else [escape(line) for line in lines]


def watched(occurrences: Iterable[Occurrence], text: str, secrets: Secrets) -> Iterator[Occurrence]:
    """Pass the occurrences on and enter their secrets in `secrets`."""
    for occurrence in occurrences:
        spans = occurrence_secrets(occurrence, text)
        if spans:
            secrets.urls[occurrence.url] = merged([*secrets.urls.get(occurrence.url, []), *spans])
            secrets.places.extend(_places(occurrence, spans, text))
        yield occurrence


def _places(occurrence: Occurrence, spans: Spans, text: str) -> Spans:
    found = []
    for start, end in spans:
        first = in_raw(start, occurrence.breaks) + occurrence.start
        # The character behind the last, were it one of the URL, may stand behind a break.
        last = in_raw(end - 1, occurrence.breaks) + 1 + occurrence.start
        if end == len(occurrence.url):
            goes_on = _goes_on(occurrence.url[start:], text, last)
            last = goes_on.end() - 1 if goes_on is not None else last
        found.append((first, last))
    return found


def in_raw(offset: int, breaks: tuple[Break, ...]) -> int:
    """Return where in `raw` the character of `url` at `offset` stands."""
    for gap in breaks:
        if gap.offset > offset:
            break
        offset += gap.length
    return offset


def merged(spans: Spans) -> Spans:
    """Return the spans in order, those that overlap as one."""
    found: Spans = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def mask(text: str, spans: Spans) -> str:
    """Return `text` with each of the spans, which do not overlap, as `***`."""
    for start, end in reversed(spans):
        text = text[:start] + MASK + text[end:]
    return text


def mask_reading(reading: str, url: str, spans: Spans) -> str:
    """Mask another reading of `url`, one that may be cut inside the secret."""
    own = url_secrets(reading)
    for start, _ in spans:
        if reading[:start] == url[:start] and not any(first <= start < last for first, last in own):
            at = reading.find("@", start)
            own.append((start, at if at >= 0 else len(reading)))
    return mask(reading, merged([span for span in own if span[0] < span[1]]))


def mask_finding(finding: Finding, secrets: Secrets) -> tuple[Finding, bool]:
    """Return the finding as it may be shown, and whether something in it was masked."""
    url = finding.url
    spans = secrets.urls.get(url) or url_secrets(url)
    fix = finding.fix
    if fix is not None:
        edits = (edit._replace(text=_without(mask_reading(edit.text, url, spans), url, spans)) for edit in fix.edits)
        fix = Fix(fix.applicability, tuple(edits))
    shown = finding._replace(
        url=mask(url, spans),
        message=_without(finding.message, url, spans),
        suggestion=_without(mask_reading(finding.suggestion, url, spans), url, spans),
        fix=fix,
    )
    return shown, shown != finding


def _without(text: str, url: str, spans: Spans) -> str:
    """Return words of ours about a URL without its secrets, whole or in part."""
    text = mask(text, url_secrets(text))
    for secret in sorted({url[start:end] for start, end in spans}, key=len, reverse=True):
        if len(secret) >= _SHORT or text == secret:
            text = text.replace(secret, MASK)
    return _QUOTED.sub(lambda quoted: _quote_without(quoted[0], url, spans), text) if spans else text


def _quote_without(quoted: str, url: str, spans: Spans) -> str:
    """Return a piece of the URL in quotation marks without what it has of a secret."""
    piece = quoted[1:-1]
    at = url.find(piece) if len(piece) > 1 else -1  # of one character the rule's name tells as much
    while at >= 0:
        hidden = [(max(start - at, 0), min(end - at, len(piece))) for start, end in spans]
        hidden = [(start, end) for start, end in hidden if start < end]
        if hidden:
            return quoted[0] + mask(piece, hidden) + quoted[-1]
        at = url.find(piece, at + 1)
    return quoted
