"""Escape control characters and mask secrets in everything that is shown.

`redact` detects secrets in a URL and in the text around it. This module masks them wherever they appear: across a line
break in the text, in the message of a finding, in an alternative of the same URL.
"""

import bisect
import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.finder import Scanned, end_of, record
from urlscan.model import Alternative, Finding, Fix, Occurrence
from urlscan.patterns import lazy
from urlscan.redact import (
    MASK,
    Spans,
    mask,
    may_hold_password,
    merge_spans,
    names_secret,
    passwords,
    passwords_of,
    secret_spans,
    url_names_secret,
)
from urlscan.text import readable

_QUOTED = lazy(r"\"([^\"]+)\"|'([^']+)'|`([^`]+)`")
_WORD = re.compile(r"\S+")
_AROUND = "\"'`()[]<>,;:."  # characters around a URL in messages
# Placeholders in messages for a character that cannot be shown, and for the rest of a long quotation.
_PLACEHOLDERS = lazy(r"<U\+[0-9A-F]{4,6}>|\.\.\.\Z")
# Characters after a batch of URLs in which an "@" may turn the end of a URL into a password.
_LOOKAHEAD = 1 << 20
_SHORT = 4  # a shorter secret is searched only between quotation marks


# Alternatives with the same characters, except a hyphen or a blank.
_SAME_PLACE = ("hyphen-dropped", "hyphen-kept", "blank-escaped")
# Limit on the cached URLs that hold no secret.
_MOST_CACHED = 50_000


class Secrets(NamedTuple):
    """The secrets of one segment.

    Attributes:
        places: spans of the segment's text, in order.
        urls: spans in each URL that holds one.
    """

    places: Spans
    urls: dict[str, Spans]

    def add(self, others: "Secrets") -> None:
        """Add the secrets of another chunk of the segment."""
        self.places.extend(others.places)
        for url, spans in others.urls.items():
            self.urls[url] = merge_spans([*self.urls.get(url, []), *spans])


# Code points that act on a terminal, change the order of a text, cannot be encoded, or are invisible: C0 and C1, line
# and paragraph separators, bidirectional and format controls, interlinear annotations, tags, surrogates, and
# Default_Ignorable_Code_Point of DerivedCoreProperties.txt, except for joiners and variation selectors.
_UNSAFE = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Characters that joiners and variation selectors may modify: letters of most scripts outside Latin-1, and emoji.
_BASE = "\u0100-\u1fff\u2070-\ufaff\U00010000-\U0001ffff"

# A line that runners of GitHub and Gitea interpret as a workflow command; they skip white space and colors before it. A
# "::" at the end of a line is common in reStructuredText and is not a command.
_LINE_COMMAND = lazy(r"(?<![^\r\n])((?:[^\S\r\n]|\x1b\[[\d;]*m)*)::([^\r\n]*)")
# The second "#" of a command of Azure Pipelines or of older GitHub runners, which search whole lines.
COMMAND = lazy(r"(?<=#)#(?=\[|vso\[)", re.IGNORECASE)


@functools.cache
def unsafe() -> re.Pattern[str]:
    """Return the pattern of the characters that are always escaped.

    Joiners between two non-Latin letters and variation selectors after such a letter or an emoji are shown: Persian
    words and emoji are spelled with them.
    """
    base = f"[{_BASE}]"
    return re.compile(
        f"[{_UNSAFE}]|(?<![{_BASE}\ufe0e\ufe0f])[{_JOINERS}]|[{_JOINERS}](?!{base})|(?<!{base})[{_SELECTORS}]"
    )


def escape(text: str) -> str:
    r"""Return `text` with unsafe characters escaped as `\x1b`, `\u202e`; bytes of file names as `\xff`.

    The second character of a command of Azure Pipelines is escaped as well: `#\x23vso[`.
    """
    if "##" in text:
        text = COMMAND.sub(r"\\x23", text)
    return text if text.isascii() and text.isprintable() else unsafe().sub(_escaped, text)


def escape_commands(text: str) -> str:
    r"""Return lines of output with workflow commands escaped: "::" at the start of a line becomes `\x3a:`."""
    if "::" in text:
        text = _LINE_COMMAND.sub(_escaped_command, text)
    return COMMAND.sub(r"\\x23", text) if "##" in text else text


def _escaped_command(match: re.Match[str]) -> str:
    before, rest = match.groups()
    return match[0] if before and "::" not in rest else rf"{before}\x3a:{rest}"


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# --- detecting secrets


@functools.lru_cache(maxsize=64)
def url_secrets(url: str) -> Spans:
    """Return the spans of the secrets in one URL, valid or not. The list is shared and must not be changed.

    The cache serves consecutive findings of the same URL.
    """
    return secret_spans(url, cut=False)


@functools.lru_cache(maxsize=1)
def text_secrets(text: str) -> Spans:
    """Return the spans of everything in a text that looks like a secret. Errs towards masking too much."""
    return secret_spans(text, cut=False)


@functools.lru_cache(maxsize=1)
def _text_passwords(text: str) -> Spans:
    return passwords(text)


def occurrence_secrets(occurrence: Occurrence, text: str, found: Spans | None = None) -> Spans:
    """Return the spans of the secrets in an occurrence's `url`, including one that the end of the URL truncates.

    Args:
        occurrence: the URL.
        text: the text in which it was found.
        found: the passwords that begin in the occurrence, and possibly others, if they are known.
    """
    url = occurrence.url
    # Markup determines the end of a relative reference, which may divide a password.
    spans = url_secrets(url) if occurrence.scheme else secret_spans(url)
    if may_end_password(occurrence):
        spans = [*spans, *_in_spans(occurrence, _password_spans(text))]
    for reading in occurrence.alternatives:
        if reading.url.startswith(url):  # the rest of a password may follow in the alternative
            spans = spans + [(start, min(end, len(url))) for start, end in url_secrets(reading.url) if start < len(url)]
        elif reading.why in _SAME_PLACE and (theirs := url_secrets(reading.url)):
            # With a hyphen or a blank kept, the characters may no longer be those of a token.
            spans = spans + list(_carried_over(url, url_secrets(url), reading.url, theirs))
    if url.count(":") > 1:
        begun = _beginning_in(occurrence, _text_passwords(text) if found is None else found)
        spans = spans + [(_in_url(occurrence, start), _in_url(occurrence, end)) for start, end in begun]
    return merge_spans([span for span in spans if span[0] < span[1]])


@functools.lru_cache(maxsize=1)
def _password_spans(text: str) -> Spans:
    return merge_spans(passwords(text))


def may_end_password(occurrence: Occurrence) -> bool:
    """Return whether a URL without a scheme may be the end of a password: "ftp://jo:pw<pw@h.example"."""
    return "@" in occurrence.url and (bool(occurrence.assumed) or occurrence.style == "markup")


def _in_spans(occurrence: Occurrence, spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the spans in `url` of the parts of an occurrence that are in one of the spans, even if it is resolved."""
    start, end = occurrence.start, occurrence.end
    at = max(bisect.bisect_right(spans, (start, start)) - 1, 0)
    while at < len(spans) and spans[at][0] < end:
        piece = occurrence.raw[max(spans[at][0] - start, 0) : max(spans[at][1] - start, 0)]
        first = occurrence.url.find(piece)
        if first >= 0:
            yield first, first + len(piece)
        at += 1


def _beginning_in(occurrence: Occurrence, found: Spans) -> Iterator[tuple[int, int]]:
    at = bisect.bisect_left(found, (occurrence.start,))
    while at < len(found) and found[at][0] < occurrence.end:
        yield found[at]
        at += 1


def _in_url(occurrence: Occurrence, at: int) -> int:
    """Return the offset in `url` of an offset in the text; in a break, the offset of what follows it."""
    offset = raw = min(at, occurrence.end) - occurrence.start
    for gap in occurrence.breaks:
        if gap.offset >= raw:
            break
        offset -= min(gap.length, raw - gap.offset)
    return offset


def masked_urls_of(scanned: list[Scanned], text: str) -> list[str]:
    """Return the masked URLs of many occurrences; the checks run on all of them at once."""
    urls = [found[0] for _, found in scanned]
    block = "\n".join(urls)
    start, end = scanned[0][0] if scanned else 0, end_of(scanned[-1]) if scanned else 0
    start = max(0, start - _LOOKAHEAD)
    suspects = _suspects(scanned, urls) if text.find("@", start, end + _LOOKAHEAD) >= 0 else set()
    if "@" in block:
        suspects.update(n for n, (_, one) in enumerate(scanned) if type(one) is Occurrence and may_end_password(one))
    if names_secret(block):
        suspects.update(number for number, url in enumerate(urls) if names_secret(url))
    occurrences = [(number, record(scanned[number])) for number in sorted(suspects)]
    found = passwords_of(text, ((one.start, one.end) for _, one in occurrences))
    for (number, occurrence), theirs in zip(occurrences, found, strict=True):
        urls[number] = mask(urls[number], occurrence_secrets(occurrence, text, theirs))
    return urls if block.isascii() else [readable(url) for url in urls]


def _suspects(scanned: list[Scanned], urls: list[str]) -> set[int]:
    """Return the indexes of the occurrences that may hold a password; `urls` are their URLs."""
    suspects = {number for number, url in enumerate(urls) if _colons(url) > 1 and may_hold_password(url)}
    suspects.update(n for n, (_, one) in enumerate(scanned) if type(one) is Occurrence and one.alternatives)
    return suspects


def _colons(url: str) -> int:
    """Return the number of colons in a URL; "//" counts as one, since a scheme may precede it."""
    return url.count(":") + url.startswith("//")


def escape_lines(lines: list[str]) -> list[str]:
    """Return many lines escaped; the check runs on all of them at once."""
    block = "".join(lines)
    is_safe = block.isascii() and block.isprintable() and "##" not in block
    return lines if is_safe else [escape(line) for line in lines]


def track_secrets(scanned: Iterable[Scanned], text: str, secrets: Secrets) -> Iterator[Scanned]:
    """Yield what `finder.scan` yields, and add its secrets to `secrets`."""
    harmless: set[str] = set()
    for one in scanned:
        found = one[1]
        url = found.url
        alternatives = found.alternatives if isinstance(found, Occurrence) else ()
        if url in harmless and not alternatives:
            yield one
            continue
        may_hold_secret = _may_hold_secret(found, url, alternatives)
        if may_hold_secret or alternatives:
            occurrence = record(one)
            spans = occurrence_secrets(occurrence, text) if may_hold_secret else []
            if spans:
                secrets.urls[url] = merge_spans([*secrets.urls.get(url, []), *spans])
            secrets.places.extend(_places(occurrence, spans))
            if alternatives:
                secrets.places.extend(_joined_places(occurrence, text))
        elif len(harmless) < _MOST_CACHED:
            harmless.add(url)
        yield one


def _may_hold_secret(found: object, url: str, alternatives: tuple[Alternative, ...]) -> bool:
    """Return whether a closer look at a URL is needed."""
    # For most URLs with a port the second check is sufficient.
    return (
        url_names_secret(url)
        or (_colons(url) > 1 and (may_hold_password(url) or bool(alternatives)))
        or (isinstance(found, Occurrence) and may_end_password(found))
        or any(names_secret(alternative.url) for alternative in alternatives)
    )


def _places(occurrence: Occurrence, spans: Spans) -> Spans:
    start = occurrence.start
    return [(occurrence.in_raw(first) + start, occurrence.in_raw(last - 1) + 1 + start) for first, last in spans]


def _joined_places(occurrence: Occurrence, text: str) -> Spans:
    """Return the spans of the secrets of a URL whose pieces were not joined, up to its closer."""
    joined = next((reading.url for reading in occurrence.alternatives if reading.why == "joined"), None)
    spans = url_secrets(joined) if joined is not None else []
    if joined is None or not spans:
        return []
    # The joined URL occurs here in this order, with line markers in between that may look like part of it. Searched
    # from both ends, the span covers at least the secret.
    there = text[occurrence.start : occurrence.outer_end]
    places = []
    for first, last in spans:
        start = _walked(there, joined[: first + 1]) - 1
        end = len(there) - _walked(there[::-1], joined[: last - 2 : -1]) + 1
        places.append((occurrence.start + start, occurrence.start + max(start, end)))
    return places


def _walked(text: str, characters: str) -> int:
    """Return the offset in `text` after all the characters, found in order with others in between."""
    at = 0
    for character in characters:
        at = text.find(character, at) + 1 or at + 1
    return at


# --- masking


def mask_alternative(reading: str, url: str, spans: Spans) -> str:
    """Mask an alternative of `url`, which may end inside the secret or lack a part of it.

    The common prefix and suffix with `url` are masked as in `url`; the text in between is masked if the difference is
    inside the secret.
    """
    # If the secret continues after `url`, it may continue after the alternative.
    own = secret_spans(reading, cut=bool(spans) and spans[-1][1] == len(url))
    if spans and reading[: url.find(":") + 1] == url[: url.find(":") + 1]:
        own = own + list(_carried_over(reading, own, url, spans))
    elif spans and url in reading:
        at = reading.index(url)
        own = own + [(start + at, end + at) for start, end in spans]
    return mask(reading, merge_spans([span for span in own if span[0] < span[1]]))


def _carried_over(reading: str, own: Spans, url: str, spans: Spans) -> Iterator[tuple[int, int]]:
    shorter = min(len(reading), len(url))
    before = next((at for at in range(shorter) if reading[at] != url[at]), shorter)
    after = next((at for at in range(shorter - before) if reading[~at] != url[~at]), shorter - before)
    shift = len(reading) - len(url)
    for start, end in spans:
        yield start, min(end, before)
        yield max(start, len(url) - after) + shift, end + shift
        ends_in_reading = end == len(url) and any(first <= start < last for first, last in own)
        if start <= len(url) - after and before <= end and not ends_in_reading:
            yield before, len(reading) - after


def mask_url(url: str, secrets: Secrets) -> str:
    """Return the URL of a finding with its secrets masked."""
    return mask(url, secrets.urls.get(url) or url_secrets(url))


def mask_finding(finding: Finding, secrets: Secrets) -> tuple[Finding, bool]:
    """Return the finding with its secrets masked, and whether something was masked."""
    url = finding.url
    spans = secrets.urls.get(url) or url_secrets(url)
    fix = finding.fix
    if fix is not None:
        edits = (edit._replace(text=_part_without(edit.text, url, spans)) for edit in fix.edits)
        fix = Fix(fix.applicability, tuple(edits))
    shown = finding._replace(
        url=mask(url, spans),
        message=_without(finding.message, url, spans),
        suggestion=_part_without(finding.suggestion, url, spans),
        fix=fix,
    )
    return shown, shown != finding


def _without(text: str, url: str, spans: Spans) -> str:
    """Return a message about a URL with its secrets, complete or partial, masked."""
    if not spans:
        return mask(text, url_secrets(text)) if text else text
    text = _WORD.sub(lambda word: _word_without(word[0], url, spans), text)
    for secret in sorted({url[start:end] for start, end in spans}, key=len, reverse=True):
        if len(secret) >= _SHORT or text == secret:
            text = text.replace(secret, MASK)
    return _QUOTED.sub(lambda quoted: _quote_without(quoted[0], url, spans), text)


def _word_without(word: str, url: str, spans: Spans) -> str:
    """Return one word with secrets masked if it is a URL, possibly in quotation marks or brackets."""
    if len(word) < _SHORT:
        return word
    if url in word:
        return mask_alternative(word, url, spans)
    core = word.strip(_AROUND)
    shown = mask_alternative(core, url, spans)
    return word.replace(core, shown, 1) if shown != core else word


def _part_without(part: str, url: str, spans: Spans) -> str:
    """Return a suggestion, the URL or a part of it, with secrets masked."""
    shown = _without(part, url, spans)
    return MASK if len(shown) >= _SHORT and spans and _is_secret(shown, url, spans) else shown


def _quote_without(quoted: str, url: str, spans: Spans) -> str:
    """Return a quoted part of the URL, masked if it overlaps a secret."""
    pieces = [piece for piece in _PLACEHOLDERS.split(quoted[1:-1]) if len(piece) > 1]
    # A single character reveals no more than the rule's name.
    if any(_is_secret(piece, url, spans) for piece in pieces):
        return quoted[0] + MASK + quoted[-1]
    return quoted


def _is_secret(piece: str, url: str, spans: Spans) -> bool:
    """Return whether a part of the URL overlaps a secret where it occurs in the URL."""
    at = url.find(piece)
    while at >= 0:
        if any(start < at + len(piece) and at < end for start, end in spans):
            return True
        at = url.find(piece, at + 1)
    return False
