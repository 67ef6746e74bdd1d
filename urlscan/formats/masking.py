"""What may be shown: control characters escaped, secrets as `***`.

A secret is known by the URL it stands in, and by the text around it (`redact`).  Here it is followed to
where it is seen: over a line break in the text, into a finding's words, into another reading of the
same URL.
"""

import bisect
import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.finder import Scanned, end_of, record
from urlscan.model import Finding, Fix, Occurrence
from urlscan.patterns import lazy
from urlscan.redact import (
    MASK,
    Spans,
    mask,
    may_hold_password,
    merged,
    names_secret,
    passwords,
    passwords_of,
    secret_spans,
    url_names_secret,
)
from urlscan.text import readable

_QUOTED = lazy(r"\"([^\"]+)\"|'([^']+)'|`([^`]+)`")
_WORD = re.compile(r"\S+")
_AROUND = "\"'`()[]<>,;:."  # what stands around a URL in our own words
# How the rules write a character that cannot be shown, and the rest of a long piece.
_STOOD_FOR = lazy(r"<U\+[0-9A-F]{4,6}>|\.\.\.\Z")
# Characters behind many URLs in which an "@" may make a password of what they end with.
_REACH = 1 << 20
_SHORT = 4  # a secret of fewer characters is only looked for between quotation marks


# Other readings of the same characters, a hyphen or a blank aside.
_SAME_PLACE = ("hyphen-dropped", "hyphen-kept", "blank-escaped")
# URLs that are remembered to hold no secret.
_MOST_HARMLESS = 50_000


class Secrets(NamedTuple):
    """Where the secrets of one segment stand.

    Attributes:
        places: spans of the segment's text, in order.
        urls: spans in each URL that holds one.
    """

    places: Spans
    urls: dict[str, Spans]

    def add(self, others: "Secrets") -> None:
        """Enter the secrets of another part of the segment."""
        self.places.extend(others.places)
        for url, spans in others.urls.items():
            self.urls[url] = merged([*self.urls.get(url, []), *spans])


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
# What joiners and variation selectors modify: letters of most scripts outside of Latin-1, and emoji.
_BASE = "\u0100-\u1fff\u2070-\ufaff\U00010000-\U0001ffff"

# How a line begins that runners of GitHub and Gitea take for a workflow command, which they look for after white space;
# colors are skipped as well.  A "::" that nothing follows is common in reStructuredText and no command.
_LINE_COMMAND = lazy(r"(?<![^\r\n])((?:[^\S\r\n]|\x1b\[[\d;]*m)*)::([^\r\n]*)")
# The second "#" of a command of Azure Pipelines or of older runners of GitHub, which find it anywhere in a line.
COMMAND = lazy(r"(?<=#)#(?=\[|vso\[)", re.IGNORECASE)


@functools.cache
def unsafe() -> re.Pattern[str]:
    """Return the pattern of the characters that are never shown as they are.

    Joiners between two letters that are not Latin, and variation selectors after such a letter or an emoji are shown:
    Persian words and emoji are spelled with them.
    """
    base = f"[{_BASE}]"
    return re.compile(
        f"[{_UNSAFE}]|(?<![{_BASE}\ufe0e\ufe0f])[{_JOINERS}]|[{_JOINERS}](?!{base})|(?<!{base})[{_SELECTORS}]"
    )


def escape(text: str) -> str:
    r"""Return `text` with what is unsafe to print written as `\x1b`, `\u202e`; a byte of a file name as `\xff`.

    The second character of a command of Azure Pipelines is escaped as well: `#\x23vso[`.
    """
    if "##" in text:
        text = COMMAND.sub(r"\\x23", text)
    return text if text.isascii() and text.isprintable() else unsafe().sub(_escaped, text)


def escape_commands(text: str) -> str:
    r"""Return lines of output without workflow commands: a "::" that begins a line is written as `\x3a:`."""
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


# --- where they stand


@functools.lru_cache(maxsize=64)
def url_secrets(url: str) -> Spans:
    """Return the spans of the secrets in one URL, well-formed or not; the list is shared and must not be changed.

    The findings of one URL follow each other, and each of them asks.
    """
    return secret_spans(url, cut=False)


@functools.lru_cache(maxsize=1)
def text_secrets(text: str) -> Spans:
    """Return the places of what looks like a secret in any text; rather too much than too little."""
    return secret_spans(text, cut=False)


@functools.lru_cache(maxsize=1)
def _text_passwords(text: str) -> Spans:
    return passwords(text)


def occurrence_secrets(occurrence: Occurrence, text: str, found: Spans | None = None) -> Spans:
    """Return the places of the secrets in an occurrence's `url`, one that the URL's end cuts included.

    Args:
        occurrence: the URL.
        text: where it was found.
        found: the passwords that begin in the occurrence, and any others, if they are known.
    """
    url = occurrence.url
    # Of a relative reference the markup says where it ends, and what it ends in may be half a password.
    spans = url_secrets(url) if occurrence.scheme else secret_spans(url)
    if may_end_password(occurrence):
        spans = [*spans, *_in_runs(occurrence, _password_runs(text))]
    for reading in occurrence.alternatives:
        if reading.url.startswith(url):  # what it goes on with may be the rest of a password
            spans = spans + [(start, min(end, len(url))) for start, end in url_secrets(reading.url) if start < len(url)]
        elif reading.why in _SAME_PLACE and (theirs := url_secrets(reading.url)):
            # A token in which a hyphen is kept, or a blank, is none by its characters.
            spans = spans + list(_carried_over(url, url_secrets(url), reading.url, theirs))
    if url.count(":") > 1:
        begun = _beginning_in(occurrence, _text_passwords(text) if found is None else found)
        spans = spans + [(_in_url(occurrence, start), _in_url(occurrence, end)) for start, end in begun]
    return merged([span for span in spans if span[0] < span[1]])


@functools.lru_cache(maxsize=1)
def _password_runs(text: str) -> Spans:
    return merged(passwords(text))


def may_end_password(occurrence: Occurrence) -> bool:
    """Return whether an address or a reference without a scheme may be the end of one: "ftp://jo:pw<pw@h.example"."""
    return "@" in occurrence.url and (bool(occurrence.assumed) or occurrence.style == "markup")


def _in_runs(occurrence: Occurrence, runs: Spans) -> Iterator[tuple[int, int]]:
    """Yield where in `url` stands what of an occurrence is in one of the runs, also when it has been resolved."""
    start, end = occurrence.start, occurrence.end
    at = max(bisect.bisect_right(runs, (start, start)) - 1, 0)
    while at < len(runs) and runs[at][0] < end:
        piece = occurrence.raw[max(runs[at][0] - start, 0) : max(runs[at][1] - start, 0)]
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
    """Return the offset in `url` of a place in the text, of one in a gap that of what follows the gap."""
    offset = raw = min(at, occurrence.end) - occurrence.start
    for gap in occurrence.breaks:
        if gap.offset >= raw:
            break
        offset -= min(gap.length, raw - gap.offset)
    return offset


def masked_urls_of(scanned: list[Scanned], text: str) -> list[str]:
    """Return the URLs of many occurrences as they may be shown; next to nothing is done for each."""
    urls = [found[0] for _, found in scanned]
    block = "\n".join(urls)
    start, end = scanned[0][0] if scanned else 0, end_of(scanned[-1]) if scanned else 0
    start = max(0, start - _REACH)
    suspects = _suspects(scanned, urls) if text.find("@", start, end + _REACH) >= 0 else set()
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
    """Return the numbers of those, whose URLs are `urls`, that may hold a password."""
    suspects = {number for number, url in enumerate(urls) if _colons(url) > 1 and may_hold_password(url)}
    suspects.update(n for n, (_, one) in enumerate(scanned) if type(one) is Occurrence and one.alternatives)
    return suspects


def _colons(url: str) -> int:
    """Return how many colons a URL has; a relative reference has none before its host, but could."""
    return url.count(":") + url.startswith("//")


def escape_lines(lines: list[str]) -> list[str]:
    """Return many lines safe to print; next to nothing is done for each."""
    block = "".join(lines)
    is_safe = block.isascii() and block.isprintable() and "##" not in block
    return lines if is_safe else [escape(line) for line in lines]


def track_secrets(scanned: Iterable[Scanned], text: str, secrets: Secrets) -> Iterator[Scanned]:
    """Pass on what `finder.scan` yields and enter the secrets of it in `secrets`."""
    harmless: set[str] = set()
    for one in scanned:
        found = one[1]
        url = found.url
        alternatives = found.alternatives if isinstance(found, Occurrence) else ()
        if url in harmless and not alternatives:
            yield one
            continue
        # Of most URLs with a port the quick look shows that it is one.
        looks_so = url_names_secret(url) or (_colons(url) > 1 and (may_hold_password(url) or alternatives))
        looks_so = looks_so or (isinstance(found, Occurrence) and may_end_password(found))
        looks_so = looks_so or any(names_secret(reading.url) for reading in alternatives)
        if looks_so or alternatives:
            occurrence = record(one)
            spans = occurrence_secrets(occurrence, text) if looks_so else []
            if spans:
                secrets.urls[url] = merged([*secrets.urls.get(url, []), *spans])
            secrets.places.extend(_places(occurrence, spans))
            if alternatives:
                secrets.places.extend(_joined_places(occurrence, text))
        elif len(harmless) < _MOST_HARMLESS:
            harmless.add(url)
        yield one


def _places(occurrence: Occurrence, spans: Spans) -> Spans:
    start = occurrence.start
    return [(occurrence.in_raw(first) + start, occurrence.in_raw(last - 1) + 1 + start) for first, last in spans]


def _joined_places(occurrence: Occurrence, text: str) -> Spans:
    """Return where the secrets stand of a URL whose pieces were not joined, up to its closer."""
    joined = next((reading.url for reading in occurrence.alternatives if reading.why == "joined"), None)
    spans = url_secrets(joined) if joined is not None else []
    if joined is None or not spans:
        return []
    # What is joined stands there in this order, with marks of the lines in between that may look
    # like it: seen from both ends, a place is at least as long as it is.
    there = text[occurrence.start : occurrence.outer_end]
    places = []
    for first, last in spans:
        start = _walked(there, joined[: first + 1]) - 1
        end = len(there) - _walked(there[::-1], joined[: last - 2 : -1]) + 1
        places.append((occurrence.start + start, occurrence.start + max(start, end)))
    return places


def _walked(text: str, characters: str) -> int:
    """Return the offset in `text` behind all the characters, in order, others in between."""
    at = 0
    for character in characters:
        at = text.find(character, at) + 1 or at + 1
    return at


# --- what is shown


def mask_alternative(reading: str, url: str, spans: Spans) -> str:
    """Mask another reading of `url`, one that may be cut inside the secret or lack a part of it.

    What it has in common with `url` at both ends stands where it stands there; what is in between
    is of the secret if that is where the two differ.
    """
    # Where the secret goes on behind `url`, it may do so behind the reading.
    own = secret_spans(reading, cut=bool(spans) and spans[-1][1] == len(url))
    if spans and reading[: url.find(":") + 1] == url[: url.find(":") + 1]:
        own = own + list(_carried_over(reading, own, url, spans))
    elif spans and url in reading:
        at = reading.index(url)
        own = own + [(start + at, end + at) for start, end in spans]
    return mask(reading, merged([span for span in own if span[0] < span[1]]))


def _carried_over(reading: str, own: Spans, url: str, spans: Spans) -> Iterator[tuple[int, int]]:
    shorter = min(len(reading), len(url))
    before = next((at for at in range(shorter) if reading[at] != url[at]), shorter)
    behind = next((at for at in range(shorter - before) if reading[~at] != url[~at]), shorter - before)
    shift = len(reading) - len(url)
    for start, end in spans:
        yield start, min(end, before)
        yield max(start, len(url) - behind) + shift, end + shift
        ends_in_reading = end == len(url) and any(first <= start < last for first, last in own)
        if start <= len(url) - behind and before <= end and not ends_in_reading:
            yield before, len(reading) - behind


def mask_url(url: str, secrets: Secrets) -> str:
    """Return the URL of a finding without its secrets."""
    return mask(url, secrets.urls.get(url) or url_secrets(url))


def mask_finding(finding: Finding, secrets: Secrets) -> tuple[Finding, bool]:
    """Return the finding as it may be shown, and whether something in it was masked."""
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
    """Return words of ours about a URL without its secrets, whole or in part."""
    if not spans:
        return mask(text, url_secrets(text)) if text else text
    text = _WORD.sub(lambda word: _word_without(word[0], url, spans), text)
    for secret in sorted({url[start:end] for start, end in spans}, key=len, reverse=True):
        if len(secret) >= _SHORT or text == secret:
            text = text.replace(secret, MASK)
    return _QUOTED.sub(lambda quoted: _quote_without(quoted[0], url, spans), text)


def _word_without(word: str, url: str, spans: Spans) -> str:
    """Return one word without secrets, if it is a URL, however it is put in quotation marks and brackets."""
    if len(word) < _SHORT:
        return word
    if url in word:
        return mask_alternative(word, url, spans)
    core = word.strip(_AROUND)
    shown = mask_alternative(core, url, spans)
    return word.replace(core, shown, 1) if shown != core else word


def _part_without(part: str, url: str, spans: Spans) -> str:
    """Return what is to be written, the URL or a part of it, without secrets."""
    shown = _without(part, url, spans)
    return MASK if len(shown) >= _SHORT and spans and _is_secret(shown, url, spans) else shown


def _quote_without(quoted: str, url: str, spans: Spans) -> str:
    """Return a piece of the URL in quotation marks, or a mask if it has something of a secret."""
    pieces = [piece for piece in _STOOD_FOR.split(quoted[1:-1]) if len(piece) > 1]
    # Of one character the rule's name tells as much.
    if any(_is_secret(piece, url, spans) for piece in pieces):
        return quoted[0] + MASK + quoted[-1]
    return quoted


def _is_secret(piece: str, url: str, spans: Spans) -> bool:
    """Return whether a piece of the URL stands in it where a secret is."""
    at = url.find(piece)
    while at >= 0:
        if any(start < at + len(piece) and at < end for start, end in spans):
            return True
        at = url.find(piece, at + 1)
    return False
