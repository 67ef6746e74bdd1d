"""Where the secrets of a text are.

A secret is recognized by the URL that holds it, and by the text around it (`urlscan.secrets`).  Here it is
followed to every place where it is seen: over a line break in the text, and into other readings of the same URL.
"""

import bisect
import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate

from urlscan.core.affixes import common_affixes
from urlscan.core.document import Document, readable
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.records import Match, in_text, without_breaks
from urlscan.secrets import Spans, mask, may_hold_password, merge_spans, passwords, secret_spans, url_names_secret

# Alternatives with the same characters, except a hyphen or a blank.
_SAME_CHARACTERS = ("hyphen-dropped", "hyphen-kept", "blank-escaped")
# Longer URLs are not cached, so that memory is bounded.
_LONGEST_CACHED = 512
# How much of the text around a chunk is searched; no occurrence is longer.
_AROUND_CHUNK = 1 << 16
# How many characters after the beginning of a password the patterns of `may_hold_password` inspect.
_REACH = 512
# RFC 3676 section 4: a soft line break with DelSp=yes, and the quote marks and the stuffed space of the next line.
_SOFT_BREAK = lazy(r" \r?\n>* ?")


class Secrets(NamedTuple):
    """The secrets of the matches in one document, whose URLs may be broken.

    Attributes:
        spans: spans of the decoded text.
        urls: spans in each URL that holds one.
    """

    spans: Spans
    urls: dict[str, Spans]

    def in_document(self, document: Document) -> Spans:
        """Return the spans of the decoded text to mask, in order: these, and everything that looks like a secret.

        Errs towards masking too much.
        """
        low, high = max(document.start - _AROUND_CHUNK, 0), min(document.stop + _AROUND_CHUNK, len(document.text))
        spans = [document.to_decoded(low + start, low + end) for start, end in text_secrets(document.text[low:high])]
        if document.text is not document.decoded:
            # A replacement hides a secret of either text.
            low, high = document.to_decoded(low, high)
            spans += [(low + start, low + end) for start, end in text_secrets(document.decoded[low:high])]
        if document.soft:
            spans += [document.to_decoded(*span) for span in document.computed(_divided_secrets)]
        return merge_spans([*spans, *self.spans])


@functools.lru_cache(maxsize=64)
def url_secrets(url: str) -> Spans:
    """Return the spans of the secrets in one URL, valid or not. The list is shared and must not be changed.

    The cache serves consecutive findings of the same URL.
    """
    return secret_spans(url, cut=False)


def text_secrets(text: str) -> Spans:
    """Return the spans of everything in a text that looks like a secret. Errs towards masking too much."""
    return secret_spans(text, cut=False)


def _passwords(document: Document) -> Spans:
    return passwords(document.text)


def _divided_secrets(document: Document) -> Spans:
    """Return the spans of the secrets that matches may divide: passwords, and all in lines that DelSp=yes joins."""
    spans = document.computed(_passwords)
    if document.soft != "delsp":
        return merge_spans(spans)
    lines = _flowed_lines(document.text)
    ends = list(accumulate(end - start for start, end in lines))

    def in_document(offset: int) -> int:
        number = bisect.bisect_right(ends, offset)
        return offset + lines[number][1] - ends[number]

    joined = text_secrets("".join([document.text[start:end] for start, end in lines]))
    return merge_spans([*spans, *((in_document(start), in_document(end - 1) + 1) for start, end in joined)])


def _flowed_lines(text: str) -> list[tuple[int, int]]:
    """Return the spans of the lines of flowed text, without soft line breaks."""
    breaks = [match.span() for match in _SOFT_BREAK.finditer(text)]
    starts, ends = [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)]
    return list(zip(starts, ends, strict=True))


@functools.lru_cache(maxsize=1 << 15)
def _may_hold_secret(url: str) -> bool:
    """Return whether a URL may hold a secret or begin one. Most URLs of a mailbox or a site occur many times."""
    # "http://h/jo:pw" may be the beginning of "http://h/jo:pw^pw@h.example".
    return url.rfind(":") > url.find("/", url.find("//") + 2) > 0 or may_hold_password(url) or url_names_secret(url)


def occurrence_secrets(match: Match, document: Document) -> Spans:
    """Return the spans of the secrets in the URL of a match, including one that the end of the URL truncates."""
    url = match.url
    may_end_password = "@" in url and (bool(match.assumed) or match.style == "markup")
    is_flowed = document.soft == "delsp"  # a secret continues over lines that are no URL together
    may_hold = len(url) > _LONGEST_CACHED or _may_hold_secret(url)
    if not (may_hold or may_end_password or match.alternatives or is_flowed):
        return []
    if match.original:  # it was unwrapped, and has nothing in common with the text
        return url_secrets(url)
    # Markup determines the end of a relative reference, which may divide a password.
    own_spans = url_secrets(url) if match.scheme else secret_spans(url)
    spans = own_spans.copy()
    if may_end_password or is_flowed:  # "ftp://jo:pw<pw@h.example"
        spans += _spans_within(match, document.computed(_divided_secrets))
    for reading in match.alternatives:
        if reading.url.startswith(url):  # the rest of a password may follow in the alternative
            spans += [(start, min(end, len(url))) for start, end in url_secrets(reading.url) if start < len(url)]
        elif reading.why in _SAME_CHARACTERS:
            # With a hyphen or a blank kept, the characters may no longer be those of a token.
            spans += carried_over(url, own_spans, reading.url, url_secrets(reading.url))
    # The text after the URL decides whether a password that begins in it is one; most texts need not be searched.
    if url.count(":") > 1 and may_hold_password(document.text[match.start : match.end + _REACH]):
        passwords_in_text = document.computed(_passwords)
        number = bisect.bisect_left(passwords_in_text, (match.start,))
        while number < len(passwords_in_text) and passwords_in_text[number][0] < match.end:
            start, end = passwords_in_text[number]
            spans.append((_offset_in_url(match, start), _offset_in_url(match, end)))
            number += 1
    return merge_spans([span for span in spans if span[0] < span[1]])


def _spans_within(match: Match, spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the spans in `url` of the parts of a match that are in one of the spans, even if it is resolved."""
    unbroken = without_breaks(match.raw, match.breaks)
    shift = match.url.find(unbroken)
    number = max(bisect.bisect_right(spans, (match.start, match.start)) - 1, 0)
    while number < len(spans) and spans[number][0] < match.end:
        start, end = (_offset_in_url(match, max(offset, match.start)) for offset in spans[number])
        position = start + shift if shift >= 0 else match.url.find(unbroken[start:end])
        if position >= 0:
            yield position, position + end - start
        number += 1


def _offset_in_url(match: Match, offset: int) -> int:
    """Return the offset in `url` of an offset in the text; in a break, the offset of what follows it."""
    in_url = in_raw = min(offset, match.end) - match.start
    for gap in match.breaks:
        if gap.offset >= in_raw:
            break
        in_url -= min(gap.length, in_raw - gap.offset)
    return in_url


def masked_url(match: Match, document: Document) -> str:
    """Return the URL of a match, with its secrets masked."""
    spans = occurrence_secrets(match, document)
    return readable(mask(match.url, spans) if spans else match.url)


def mask_original(match: Match, masked: str) -> str:
    """Return the URL of a match masked: its own secrets if it was unwrapped, `masked` if not."""
    return readable(mask(match.url, url_secrets(match.url))) if match.original else masked


def track_secrets(
    matches: Iterable[Match], document: Document, secrets: Secrets, schemes: Counter[str]
) -> Iterator[Match]:
    """Yield the matches, in order of position; add their secrets to `secrets`, and count them in `schemes`.

    A relative reference has the scheme "".
    """
    for match in matches:
        schemes[match.scheme] += 1
        spans = occurrence_secrets(match, document)
        if spans:
            secrets.urls[match.url] = merge_spans([*secrets.urls.get(match.url, []), *spans])
            secrets.spans.extend(document.to_decoded(*in_text(match, *span)) for span in spans)
        if match.alternatives:
            secrets.spans.extend(document.to_decoded(*span) for span in _joined_spans(match, document.text))
        yield match


def _joined_spans(match: Match, text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the secrets of a URL whose pieces were not joined, up to its closer."""
    joined = next((reading.url for reading in match.alternatives if reading.why == "joined"), "")
    # The joined URL occurs here in this order, with line markers in between that may look like part of it. Searched
    # from both ends, the span covers at least the secret.
    pieces = text[match.start : match.outer_end]
    for first, last in url_secrets(joined):
        start = match.start + _end_of_subsequence(pieces, joined[: first + 1]) - 1
        end = match.outer_end + 1 - _end_of_subsequence(pieces[::-1], joined[: last - 2 : -1])
        yield start, max(start, end)


def _end_of_subsequence(text: str, characters: str) -> int:
    """Return the offset in `text` after all the characters, in order with others in between."""
    offset = 0
    for character in characters:
        offset = text.find(character, offset) + 1 or offset + 1
    return offset


def carried_over(reading: str, own_spans: Spans, url: str, spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the spans in a reading of the secrets of `url`; `own_spans` are those that the reading has itself."""
    before, after = common_affixes(reading, url)
    shift = len(reading) - len(url)
    for start, end in spans:
        yield start, min(end, before)
        yield max(start, len(url) - after) + shift, end + shift
        ends_in_reading = end == len(url) and any(first <= start < last for first, last in own_spans)
        if start <= len(url) - after and before <= end and not ends_in_reading:
            yield before, len(reading) - after
