"""Mask the secrets in alternatives, URLs and findings."""

import re

from urlscan.core.document import MailLocation
from urlscan.core.lazy import lazy
from urlscan.core.records import Finding, Fix, Problem
from urlscan.masking.track import Secrets, carried_over, url_secrets
from urlscan.secrets import MASK, Spans, mask, may_need_mask, merge_spans, redact, secret_spans

_QUOTED = lazy(r"\"([^\"]+)\"|'([^']+)'|`([^`]+)`")
_WORD = re.compile(r"\S+")
_AROUND = "\"'`()[]<>,;:."  # characters around a URL in messages
# Placeholders in messages for a character that cannot be shown, and for the rest of a long quotation.
_PLACEHOLDERS = lazy(r"<U\+[0-9A-F]{4,6}>|\.\.\.\Z")
_SHORT = 4  # a shorter secret is searched only between quotation marks


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


def mask_url(url: str, secrets: Secrets) -> str:
    """Return the URL of a finding with its secrets masked."""
    return mask(url, secrets.urls.get(url) or url_secrets(url))


def mask_finding(finding: Finding, secrets: Secrets) -> tuple[Finding, bool]:
    """Return the finding with its secrets masked, and whether something was masked."""
    url = finding.url
    spans = secrets.urls.get(url) or url_secrets(url)
    fix = finding.fix
    if fix is not None:
        edits = (edit._replace(text=_mask_part(edit.text, url, spans)) for edit in fix.edits)
        fix = Fix(fix.applicability, tuple(edits))
    masked = finding._replace(
        url=mask(url, spans),
        message=_mask_message(finding.message, url, spans),
        suggestion=_mask_part(finding.suggestion, url, spans),
        fix=fix,
        mail=finding.mail and mask_mail(finding.mail),
    )
    return masked, masked != finding


def mask_mail(mail: MailLocation) -> MailLocation:
    """Return a location in a message with the secrets of its Message-ID and of its field name masked."""
    if not may_need_mask(f"{mail.message_id}\n{mail.part}"):
        return mail
    return mail._replace(message_id=mail.message_id and redact(mail.message_id), part=mail.part and redact(mail.part))


def mask_problem(problem: Problem, url: str, secrets: Spans) -> tuple[Problem, bool]:
    """Return a problem of a URL without delimiters, its secrets masked, and whether something was masked."""
    if not secrets:
        return problem, False
    # Masking in a text works by word and by the beginning of a URL; here a secret may have several words, and its URL
    # no scheme.
    message, suggestion = problem.message, problem.suggestion
    for start, end in secrets:
        for piece in _pieces_of(url[start:end]):
            message, suggestion = message.replace(piece, MASK), suggestion.replace(piece, MASK)
    masked = problem._replace(
        message=_mask_message(message, url, secrets), suggestion=_mask_part(suggestion, url, secrets)
    )
    return masked, masked != problem


def _pieces_of(secret: str) -> list[str]:
    """Return a secret that white space or a delimiter divides, with its longer parts; the longest first."""
    if not re.search(r"[\s/?#@:\[\]]", secret):
        return []
    return sorted({secret, *re.findall(r"\w{3,}", secret)}, key=len, reverse=True)


def _mask_message(text: str, url: str, spans: Spans) -> str:
    """Return a message about a URL with its secrets, complete or partial, masked."""
    if not spans:
        return mask(text, url_secrets(text))
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
    core = word.strip(_AROUND)
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
