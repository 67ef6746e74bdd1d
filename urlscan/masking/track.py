"""Where the secrets of a text are.

A secret is recognized by the URL that holds it, and by the text around it (`urlscan.secrets`).  Here it is
followed to every place where it is seen: over a line break in the text, and into other readings of the same URL.
"""

import bisect
import functools
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from urlscan.core.affixes import common_affixes
from urlscan.core.document import Document, readable
from urlscan.core.named_tuple import NamedTuple
from urlscan.core.records import Match
from urlscan.secrets import (
    Spans,
    head_places,
    mask,
    may_hold_password,
    merge_spans,
    names_secret,
    password_search,
    passwords,
    passwords_of,
    secret_places,
    secret_spans,
    url_names_secret,
)

# Number of characters after a batch of URLs that are searched for the "@" after a password.
_LOOKAHEAD = 1 << 20


# Alternatives with the same characters, except a hyphen or a blank.
_SAME_PLACE = ("hyphen-dropped", "hyphen-kept", "blank-escaped")
# Limits on the URLs of `_harmless`: their number, and the length of each.
_MOST_CACHED = 1 << 15
_LONGEST_CACHED = 512


# URLs that hold no secret by themselves, whatever their context; most URLs of a mailbox or a site occur many times.
_harmless: set[str] = set()


class Secrets(NamedTuple):
    """The secrets of one document.

    Attributes:
        places: spans of the document's text, in order.
        urls: spans in each URL that holds one.
    """

    places: Spans
    urls: dict[str, Spans]

    def add(self, others: "Secrets") -> None:
        """Add the secrets of another chunk of the document."""
        self.places.extend(others.places)
        for url, spans in others.urls.items():
            self.urls[url] = merge_spans([*self.urls.get(url, []), *spans])


@functools.lru_cache(maxsize=64)
def url_secrets(url: str) -> Spans:
    """Return the spans of the secrets in one URL, valid or not. The list is shared and must not be changed.

    The cache serves consecutive findings of the same URL.
    """
    return secret_spans(url, cut=False)


def text_secrets(text: str) -> Spans:
    """Return the spans of everything in a text that looks like a secret. Errs towards masking too much."""
    return secret_spans(text, cut=False)


def document_secrets(document: Document) -> Spans:
    """Return `text_secrets` of the text of a document, for `Document.computed`."""
    return text_secrets(document.text)


def _passwords(document: Document) -> Spans:
    return passwords(document.text)


def _merged_passwords(document: Document) -> Spans:
    return merge_spans(document.computed(_passwords))


def occurrence_secrets(occurrence: Match, document: Document, found: Spans | None = None) -> Spans:
    """Return the spans of the secrets in an occurrence's `url`, including one that the end of the URL truncates.

    Args:
        document: the document in which it was found.
        found: the passwords that begin in the occurrence, and possibly others, if they are known.
    """
    url = occurrence.url
    if occurrence.original:  # it was unwrapped, and has nothing in common with the text
        return merge_spans(url_secrets(url))
    # Markup determines the end of a relative reference, which may divide a password.
    spans = url_secrets(url) if occurrence.scheme else secret_spans(url)
    if may_end_password(occurrence):
        spans = [*spans, *_in_spans(occurrence, document.computed(_merged_passwords))]
    for reading in occurrence.alternatives:
        if reading.url.startswith(url):  # the rest of a password may follow in the alternative
            spans = spans + [(start, min(end, len(url))) for start, end in url_secrets(reading.url) if start < len(url)]
        elif reading.why in _SAME_PLACE and (theirs := url_secrets(reading.url)):
            # With a hyphen or a blank kept, the characters may no longer be those of a token.
            spans = spans + list(carried_over(url, url_secrets(url), reading.url, theirs))
    if url.count(":") > 1:
        starting = _spans_starting_in(occurrence, document.computed(_passwords) if found is None else found)
        spans = spans + [(_in_url(occurrence, start), _in_url(occurrence, end)) for start, end in starting]
    return merge_spans([span for span in spans if span[0] < span[1]])


def may_end_password(occurrence: Match) -> bool:
    """Return whether a URL without a scheme may be the end of a password: "ftp://jo:pw<pw@h.example"."""
    return "@" in occurrence.url and (bool(occurrence.assumed) or occurrence.style == "markup")


def _in_spans(occurrence: Match, spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the spans in `url` of the parts of an occurrence that are in one of the spans, even if it is resolved."""
    start, end = occurrence.start, occurrence.end
    at = max(bisect.bisect_right(spans, (start, start)) - 1, 0)
    while at < len(spans) and spans[at][0] < end:
        piece = occurrence.raw[max(spans[at][0] - start, 0) : max(spans[at][1] - start, 0)]
        first = occurrence.url.find(piece)
        if first >= 0:
            yield first, first + len(piece)
        at += 1


def _spans_starting_in(occurrence: Match, found: Spans) -> Iterator[tuple[int, int]]:
    at = bisect.bisect_left(found, (occurrence.start,))
    while at < len(found) and found[at][0] < occurrence.end:
        yield found[at]
        at += 1


def _in_url(occurrence: Match, at: int) -> int:
    """Return the offset in `url` of an offset in the text; in a break, the offset of what follows it."""
    offset = raw = min(at, occurrence.end) - occurrence.start
    for gap in occurrence.breaks:
        if gap.offset >= raw:
            break
        offset -= min(gap.length, raw - gap.offset)
    return offset


def masked_urls_of(matches: list[Match], document: Document) -> list[str]:
    """Return the masked URLs of many occurrences; the checks run on all new URLs at once."""
    text = document.text
    urls = [match.url for match in matches]
    start, end = matches[0].outer_start if matches else 0, (matches[-1]).outer_end if matches else 0
    has_at = text.find("@", max(0, start - _LOOKAHEAD), end + _LOOKAHEAD) >= 0
    suspects = _suspects(urls, passwords_too=has_at)
    if has_at:
        suspects.update(number for number, match in enumerate(matches) if match.alternatives)
    suspects.update(number for number, match in enumerate(matches) if may_end_password(match))
    if suspects:
        occurrences = [(number, matches[number]) for number in sorted(suspects)]
        found = passwords_of(text, ((one.start, one.end) for _, one in occurrences))
        for (number, occurrence), theirs in zip(occurrences, found, strict=True):
            urls[number] = mask(urls[number], occurrence_secrets(occurrence, document, theirs))
    return [url if url.isascii() else readable(url) for url in urls]


def _suspects(urls: list[str], *, passwords_too: bool) -> set[int]:
    """Return the indexes of the URLs that may hold a secret.

    Args:
        passwords_too: whether to include those that may hold an unescaped password.
    """
    new = [number for number, url in enumerate(urls) if url not in _harmless]
    if not new:
        return set()
    block = "\n".join([urls[number] for number in new])
    starts = list(accumulate([len(urls[number]) + 1 for number in new], initial=0))
    suspects = {new[place] for place in _numbers(secret_places(block), starts) if names_secret(urls[new[place]])}
    with_password = {new[place] for place in _numbers(head_places(block), starts) if _has_password(urls[new[place]])}
    _add_harmless(urls[number] for number in new if number not in suspects and number not in with_password)
    return suspects | with_password if passwords_too else suspects


def _has_password(url: str) -> bool:
    return _colons(url) > 1 and may_hold_password(url)


def _add_harmless(urls: Iterable[str]) -> None:
    if len(_harmless) >= _MOST_CACHED:
        _harmless.clear()
    _harmless.update(url for url in urls if len(url) <= _LONGEST_CACHED)


def mask_original(match: Match, shown: str) -> str:
    """Return the URL of a match masked: its own secrets if it was unwrapped, `shown` if not."""
    return readable(mask(match.url, url_secrets(match.url))) if match.original else shown


def _numbers(places: Iterable[int], starts: list[int]) -> set[int]:
    """Return the indexes of the spans that contain the places; `starts` are the offsets of the spans."""
    return {bisect.bisect_right(starts, place) - 1 for place in places}


def _colons(url: str) -> int:
    """Return the number of colons in a URL; "//" counts as one, since a scheme may precede it."""
    return url.count(":") + url.startswith("//")


def track_secrets(matches: Iterable[Match], document: Document, secrets: Secrets) -> Iterator[Match]:
    """Yield the matches, which are in order of position, and add their secrets to `secrets`."""
    search: Callable[[int, int], Spans] | None = None
    for match in matches:
        url, alternatives = match.url, match.alternatives
        if url in _harmless and not alternatives and match.scheme:
            yield match
            continue
        may_hold_secret = _may_hold_secret(match)
        if may_hold_secret or alternatives:
            if search is None:
                search = password_search(document.text)
            found = search(match.start, match.end) if url.count(":") > 1 else []
            spans = occurrence_secrets(match, document, found) if may_hold_secret else []
            if spans:
                secrets.urls[url] = merge_spans([*secrets.urls.get(url, []), *spans])
            secrets.places.extend(_places(match, spans))
            if alternatives:
                secrets.places.extend(_joined_places(match, document.text))
        yield match


def may_hold_secret(url: str) -> bool:
    """Return whether a URL must be parsed to find its secrets, whatever its context. This is a fast check."""
    if url in _harmless:
        return False
    # For most URLs with a port the second check is sufficient.
    if url_names_secret(url) or _has_password(url):
        return True
    _add_harmless((url,))
    return False


def _may_hold_secret(match: Match) -> bool:
    """Return whether a match must be parsed to find its secrets."""
    return (
        may_hold_secret(match.url)
        or (bool(match.alternatives) and _colons(match.url) > 1)
        or may_end_password(match)
        or any(names_secret(alternative.url) for alternative in match.alternatives)
    )


def _places(occurrence: Match, spans: Spans) -> Spans:
    start = occurrence.start
    return [(occurrence.in_raw(first) + start, occurrence.in_raw(last - 1) + 1 + start) for first, last in spans]


def _joined_places(occurrence: Match, text: str) -> Spans:
    """Return the spans of the secrets of a URL whose pieces were not joined, up to its closer."""
    joined = next((reading.url for reading in occurrence.alternatives if reading.why == "joined"), None)
    spans = url_secrets(joined) if joined is not None else []
    if joined is None or not spans:
        return []
    # The joined URL occurs here in this order, with line markers in between that may look like part of it. Searched
    # from both ends, the span covers at least the secret.
    text_here = text[occurrence.start : occurrence.outer_end]
    places = []
    for first, last in spans:
        start = _end_of_subsequence(text_here, joined[: first + 1]) - 1
        end = len(text_here) - _end_of_subsequence(text_here[::-1], joined[: last - 2 : -1]) + 1
        places.append((occurrence.start + start, occurrence.start + max(start, end)))
    return places


def _end_of_subsequence(text: str, characters: str) -> int:
    """Return the offset in `text` after all the characters, found in order with others in between."""
    at = 0
    for character in characters:
        at = text.find(character, at) + 1 or at + 1
    return at


def carried_over(reading: str, own: Spans, url: str, spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the spans in a reading of the secrets of `url`."""
    before, after = common_affixes(reading, url)
    shift = len(reading) - len(url)
    for start, end in spans:
        yield start, min(end, before)
        yield max(start, len(url) - after) + shift, end + shift
        ends_in_reading = end == len(url) and any(first <= start < last for first, last in own)
        if start <= len(url) - after and before <= end and not ends_in_reading:
            yield before, len(reading) - after
