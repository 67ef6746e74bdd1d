"""Mask the secrets of texts, matches and findings. Nothing is masked before it is rendered.

A secret is recognized by the URL that holds it, and by the text around it (`urlscan.core.secrets`).  Here it is
followed to every place where it is seen: over a line break in the text, and into other readings of the same URL.
"""

import bisect
import re
from collections.abc import Iterator
from itertools import accumulate

from urlscan.core.document import Document, readable
from urlscan.core.lazy import lazy, match_end
from urlscan.core.offsets import common_affixes
from urlscan.core.records import Break, Finding, Fix, Match, Problem, in_text, without_breaks
from urlscan.core.secrets import (
    MASK,
    Spans,
    mask,
    may_hold_secret,
    merge_spans,
    passwords,
    redact,
    secret_spans,
    url_secrets,
)

# Alternatives with the same characters, except a hyphen or a blank.
_SAME_CHARACTERS = ("hyphen-dropped", "hyphen-kept", "blank-escaped")
# Secrets are searched in so many characters around what is visible, and then in the rest of the line: tokens are long.
_AROUND, _LONGEST = 1 << 12, 1 << 16
# How far before a URL the head of a password in it may begin, and the words after it in which one may continue.
_REACH = 640
_AFTER_PASSWORD = lazy(rf"(?>(?:\S{{0,{_REACH}}}+\s[\s>|#*/;]{{0,40}}){{0,5}})\S{{0,{_REACH}}}")
# RFC 3676 section 4: a soft line break with DelSp=yes, and the quote marks and the stuffed space of the next line.
_SOFT_BREAK = lazy(r" \r?\n>* ?")
_QUOTED = lazy(r"\"([^\"]+)\"|'([^']+)'|`([^`]+)`")
_WORD = re.compile(r"\S+")
_PUNCTUATION = "\"'`()[]<>,;:."  # characters around a URL in messages
# Placeholders in messages for a character that cannot be shown, and for the rest of a long quotation.
_PLACEHOLDERS = lazy(r"<U\+[0-9A-F]{4,6}>|\.\.\.\Z")
_SHORT = 4  # a shorter secret is searched only between quotation marks
# The scheme and the host of a rewritten link; none of the services writes a userinfo.
_SERVICE = lazy(r"[^/\\?#@]*(?://|\\\\)[^/\\?#@\s]*[/\\]")


def secrets_in(document: Document, visible: Spans) -> Spans:
    """Return the spans of the decoded text to mask, in order: the secrets of its matches, and all that looks like one.

    Errs towards masking too much. `visible` are the spans of the decoded text of which a part is visible.
    """
    text, searched, spans = document.decoded, Spans(), Spans()
    for start, end in visible:
        first, most = max(start - _AROUND, 0), end + _AROUND + _LONGEST
        least = max(first - _LONGEST, 0)
        last = text.find("\n", end + _AROUND, most)
        if last < 0:
            last = most
        searched.append((max(text.rfind("\n", least, first), least), last))
    for low, high in merge_spans(searched):
        spans += [(low + start, low + end) for start, end in secret_spans(text[low:high])]
        if document.text is not document.decoded:
            # A replacement hides a secret of either text.
            low, high = _from_decoded(document, low), _from_decoded(document, high)
            secrets = secret_spans(document.text[low:high])
            spans += [document.to_decoded(low + start, low + end) for start, end in secrets]
    if document.soft == "delsp":
        spans += [document.to_decoded(*span) for span in document.computed(_divided_secrets)]
    for match in document.sensitive:
        own_spans = occurrence_secrets(match, document)
        spans += [document.to_decoded(*in_text(match, *span)) for span in own_spans]
        if match.alternatives:
            spans += [document.to_decoded(*span) for span in _joined_spans(match, document.text)]
    return merge_spans(spans)


def _from_decoded(document: Document, offset: int) -> int:
    """Return the offset in the text of an offset in the decoded text."""
    offsets = range(len(document.text))
    return bisect.bisect_left(offsets, offset, key=lambda offset: document.to_decoded(offset, offset)[0])


def secrets_by_url(document: Document) -> dict[str, Spans]:
    """Return the spans of the secrets in each URL of a document that holds some."""
    secrets = dict[str, Spans]()
    for match in document.sensitive:
        if spans := occurrence_secrets(match, document):
            secrets[match.url] = merge_spans([*secrets.get(match.url, []), *spans])
    return secrets


def _divided_secrets(document: Document) -> Spans:
    """Return the spans of the secrets that matches may divide: passwords, and all in lines that DelSp=yes joins."""
    breaks = [match.span() for match in _SOFT_BREAK.finditer(document.text)]
    starts = [0, *(end for _, end in breaks)]
    # The spans of the lines of flowed text, without soft line breaks.
    lines = list(zip(starts, [*(start for start, _ in breaks), len(document.text)], strict=True))
    ends = list(accumulate(end - start for start, end in lines))

    def in_document(offset: int) -> int:
        number = bisect.bisect_right(ends, offset)
        return offset + lines[number][1] - ends[number]

    joined = secret_spans("".join([document.text[start:end] for start, end in lines]))
    return merge_spans([*passwords(document.text), *((in_document(a), in_document(b - 1) + 1) for a, b in joined)])


def occurrence_secrets(match: Match, document: Document) -> Spans:
    """Return the spans of the secrets in the URL of a match, including one that the end of the URL truncates."""
    if not document.is_sensitive(match):
        return []
    url = match.url
    may_end_password = "@" in url and (bool(match.assumed) or match.style == "markup")
    is_flowed = document.soft == "delsp"  # a secret continues over lines that are no URL together
    if match.original:  # it was unwrapped, and has nothing in common with the text
        return url_secrets(url)
    # Markup determines the end of a relative reference, which may divide a password.
    own_spans = url_secrets(url) if match.scheme else secret_spans(url, cut=True)
    spans = own_spans.copy()
    if is_flowed:
        spans += _spans_within(match, document.computed(_divided_secrets))
    for reading in match.alternatives:
        if reading.url.startswith(url):  # the rest of a password may follow in the alternative
            spans += [(start, min(end, len(url))) for start, end in url_secrets(reading.url) if start < len(url)]
        elif reading.why in _SAME_CHARACTERS:
            # With a hyphen or a blank kept, the characters may no longer be those of a token.
            spans += carried_over(url, own_spans, reading.url, url_secrets(reading.url))
    # The text after the URL decides whether a password that begins in it is one: "ftp://jo:pw<pw@h.example".
    if url.count(":") > 1 or may_end_password:
        text, first, least = document.text, max(match.start - _REACH, 0), 0 if may_end_password else match.start
        last = match_end(_AFTER_PASSWORD, text, match.end)
        around = passwords(text[first:last], cut=text[last : last + 1].strip() != "")
        around = merge_spans([(a + first, b + first) for a, b in around if a + first >= least])
        spans += _spans_within(match, around)
    return merge_spans([span for span in spans if span[0] < span[1]])


def _spans_within(match: Match, spans: Spans) -> Iterator[tuple[int, int]]:
    """Yield the spans in `url` of the parts of a match that are in one of the spans, even if it is resolved."""
    unbroken = without_breaks(match.raw, match.breaks)
    shift = match.url.find(unbroken)
    number = max(bisect.bisect_right(spans, (match.start, match.start)) - 1, 0)
    while number < len(spans) and spans[number][0] < match.end:
        offsets = (min(max(offset, match.start), match.end) - match.start for offset in spans[number])
        start, end = (_without_breaks(offset, match.breaks) for offset in offsets)
        position = start + shift if shift >= 0 else match.url.find(unbroken[start:end])
        if position >= 0:
            yield position, position + end - start
        number += 1


def _without_breaks(offset: int, breaks: tuple[Break, ...]) -> int:
    """Return an offset in `raw` as one in the same text without its breaks; in a break, that of what follows it."""
    return offset - sum(min(gap.length, offset - gap.offset) for gap in breaks if gap.offset < offset)


def masked_url(match: Match, document: Document) -> str:
    """Return the URL of a match, with its secrets masked."""
    return readable(mask(match.url, occurrence_secrets(match, document)))


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
        between = reading[before : len(reading) - after].strip(":/")  # delimiters are no secret
        if between and start <= len(url) - after and before <= end and not ends_in_reading:
            yield before, len(reading) - after


# --- findings


def mask_alternative(reading: str, url: str, spans: Spans) -> str:
    """Mask an alternative of `url`, which may end inside the secret or lack a part of it.

    The common prefix and suffix with `url` are masked as in `url`; the text in between is masked if the difference is
    inside the secret.
    """
    # If the secret continues after `url`, it may continue after the alternative.
    own_spans = secret_spans(reading, cut=bool(spans) and spans[-1][1] == len(url))
    scheme_end = url.find(":") + 1
    shared: Spans = []
    if spans and reading[:scheme_end] == url[:scheme_end]:
        shared = list(carried_over(reading, own_spans, url, spans))
    elif spans and url in reading:
        shift = reading.index(url)
        shared = [(start + shift, end + shift) for start, end in spans]
    return mask(reading, merge_spans([(start, end) for start, end in (*own_spans, *shared) if start < end]))


def mask_url(url: str, secrets: dict[str, Spans]) -> str:
    """Return the URL of a finding with its secrets (`secrets_by_url`) masked."""
    return mask(url, secrets.get(url) or url_secrets(url))


def mask_finding(finding: Finding, secrets: dict[str, Spans]) -> tuple[Finding, bool]:
    """Return the finding with its secrets (`secrets_by_url`) masked, and whether something was masked."""
    url, fix, mail = finding.url, finding.fix, finding.mail
    spans = secrets.get(url) or url_secrets(url)
    edits = fix.edits if fix is not None else ()
    fields = (mail.message_id or "", mail.part or "") if mail is not None else ()
    texts = (finding.message, finding.suggestion, *(edit.text for edit in edits), *fields)
    if not spans and not may_hold_secret("\n".join(texts)):
        return finding, False
    if fix is not None:
        fix = Fix(fix.applicability, tuple(edit._replace(text=_mask_part(edit.text, url, spans)) for edit in edits))
    if mail is not None:
        mail = mail._replace(
            message_id=mail.message_id and redact(mail.message_id), part=mail.part and redact(mail.part)
        )
    masked = finding._replace(
        url=mask(url, spans),
        message=_mask_message(finding.message, url, spans),
        suggestion=_mask_part(finding.suggestion, url, spans),
        fix=fix,
        mail=mail,
    )
    return masked, masked != finding


def mask_problem(problem: Problem, url: str, secrets: Spans) -> Problem:
    """Return a problem of a URL without delimiters, its secrets masked."""
    if not secrets:
        return problem
    # Masking in a text works by word and by the beginning of a URL; here a secret may have several words, and its URL
    # no scheme.
    message, suggestion = problem.message, problem.suggestion
    for start, end in secrets:
        secret = url[start:end]
        if re.search(r"[\s/?#@:\[\]]", secret):  # its parts may be shown, too
            for piece in sorted({secret, *re.findall(r"\w{3,}", secret)}, key=len, reverse=True):
                message, suggestion = message.replace(piece, MASK), suggestion.replace(piece, MASK)
    return problem._replace(
        message=_mask_message(message, url, secrets), suggestion=_mask_part(suggestion, url, secrets)
    )


def _mask_message(text: str, url: str, spans: Spans) -> str:
    """Return a message about a URL with its secrets, complete or partial, masked."""
    if not spans:
        return mask(text, secret_spans(text))
    text = _WORD.sub(lambda word: _mask_word(word[0], url, spans), text)
    for secret in sorted({url[start:end] for start, end in spans}, key=len, reverse=True):
        if len(secret) >= _SHORT or text == secret:
            text = text.replace(secret, MASK)
    return _QUOTED.sub(lambda quotation: _mask_quotation(quotation[0], url, spans), text)


def _mask_word(word: str, url: str, spans: Spans) -> str:
    """Return one word with secrets masked if it is a URL, possibly in quotation marks or brackets."""
    if len(word) < _SHORT:
        return word
    if url in word:
        return mask_alternative(word, url, spans)
    core = word.strip(_PUNCTUATION)
    return word.replace(core, mask_alternative(core, url, spans), 1)


def _mask_part(part: str, url: str, spans: Spans) -> str:
    """Return a suggestion, the URL or a part of it, with secrets masked."""
    masked = _mask_message(part, url, spans)
    if len(masked) >= _SHORT and _is_secret(masked, url, spans):
        return MASK
    return masked


def _mask_quotation(quotation: str, url: str, spans: Spans) -> str:
    """Return a quoted part of the URL, masked if it overlaps a secret."""
    # A single character reveals no more than the rule's name.
    pieces = [piece for piece in _PLACEHOLDERS.split(quotation[1:-1]) if len(piece) > 1]
    if any(_is_secret(piece, url, spans) for piece in pieces):
        return quotation[0] + MASK + quotation[-1]
    return quotation


def _is_secret(piece: str, url: str, spans: Spans) -> bool:
    """Return whether a part of the URL overlaps a secret where it occurs in the URL."""
    for start, end in spans:
        # The first occurrence that ends after the start of the secret.
        position = url.find(piece, max(start - len(piece) + 1, 0))
        if 0 <= position < end:
            return True
    return False


# --- the text as written


def _raw_spans(occurrence: Match, spans: Spans) -> Spans:
    """Return the spans in `raw` of spans in `url`, with breaks; for a resolved URL, of the text that both share."""
    raw, url = occurrence.raw, occurrence.url
    if occurrence.breaks or url == raw:
        return [(occurrence.in_raw(start), occurrence.in_raw(end - 1) + 1) for start, end in spans]
    # The text differs from the URL, which was resolved.
    pieces = {url[start:end] for start, end in spans}
    return merge_spans([match.span() for piece in pieces for match in re.finditer(re.escape(piece), raw)])


def masked_written(occurrence: Match, written: Match, document: Document, secrets: Spans) -> tuple[str, str]:
    """Return `raw` and `original` with their secrets masked; `secrets` are those of `url`.

    `written` is the same occurrence in the text as written.
    """
    if occurrence.original and secrets:  # the secrets are escaped or encoded in the rewritten link
        return _masked_link(written.raw), _masked_link(written.original)
    if occurrence.original:
        occurrence = occurrence._replace(url=occurrence.original, original="", alternatives=())
        secrets = occurrence_secrets(occurrence, document)
    spans = _raw_spans(occurrence, secrets)
    if not written.original:
        return mask(written.raw, spans), ""
    if written.raw != occurrence.raw:
        first, _ = document.to_written(occurrence.start, occurrence.end)
        written_spans = (document.to_written(occurrence.start + start, occurrence.start + end) for start, end in spans)
        spans = merge_spans([(start - first, end - first) for start, end in written_spans])
    unbroken = [(_without_breaks(start, written.breaks), _without_breaks(end, written.breaks)) for start, end in spans]
    return mask(written.raw, spans), mask(written.original, unbroken)


def _masked_link(link: str) -> str:
    """Return a rewritten link with everything after its host masked."""
    service = _SERVICE.match(link)
    if service is None:
        return MASK
    return service[0] + MASK
