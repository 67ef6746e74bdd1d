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
    own = secret_spans(reading, cut=bool(spans) and spans[-1][1] == len(url))
    if spans and reading[: url.find(":") + 1] == url[: url.find(":") + 1]:
        own = own + list(carried_over(reading, own, url, spans))
    elif spans and url in reading:
        at = reading.index(url)
        own = own + [(start + at, end + at) for start, end in spans]
    return mask(reading, merge_spans([span for span in own if span[0] < span[1]]))


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
        mail=finding.mail and mask_mail(finding.mail),
    )
    return shown, shown != finding


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
    pieces = [piece for start, end in secrets for piece in _pieces_of(url[start:end])]
    message, suggestion = problem.message, problem.suggestion
    for piece in pieces:
        message, suggestion = message.replace(piece, MASK), suggestion.replace(piece, MASK)
    finding = Finding(
        problem.code, problem.name, problem.severity, message, url, "", 1, 1, 1, 1, 0, 0, suggestion=suggestion
    )  # fmt: skip
    masked, _ = mask_finding(finding, Secrets([], {url: secrets}))
    shown = problem._replace(message=masked.message, suggestion=masked.suggestion)
    return shown, shown != problem


def _pieces_of(secret: str) -> list[str]:
    """Return a secret that white space or a delimiter divides, with its longer parts; the longest first."""
    if not re.search(r"[\s/?#@:\[\]]", secret):
        return []
    return sorted({secret, *re.findall(r"\w{3,}", secret)}, key=len, reverse=True)


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
