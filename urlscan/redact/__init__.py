"""Secrets in URLs: where they are, and the text without them.

RFC 3986 section 7.5 asks that a password be masked wherever a URI is shown.  Everything that urlscan prints goes
through here; `scan`, `resolve` and `normalize` return the URL as it is.

A secret is a password (`passwords`), the value of a parameter with a name of the published table, or a published
token (`values`, `known`); each also where it is escaped (`escapes`).
"""

import functools
from collections.abc import Iterator

from urlscan.redact.escapes import has_escaped_delimiter, levels
from urlscan.redact.known import PARAMETERS, TOKENS
from urlscan.redact.passwords import Spans, may_hold_password, passwords, passwords_of
from urlscan.redact.values import may_hold_value, parameter_values, tokens, user_tokens

__all__ = [
    "MASK",
    "PARAMETERS",
    "TOKENS",
    "Spans",
    "mask",
    "may_hold_password",
    "merged",
    "names_secret",
    "passwords",
    "passwords_of",
    "redact",
    "secret_spans",
    "url_names_secret",
]

MASK = "***"


def secret_spans(text: str, *, cut: bool = True) -> Spans:
    """Return the places of secrets in `text`, in characters, in order, not overlapping.

    Args:
        text: a URL or any text.
        cut: whether the text may be a URL that ends in the middle of a password.
    """
    spans = [*passwords(text, cut=cut), *_values(text)]
    if has_escaped_delimiter(text):
        spans += _escaped_secrets(text)
    return merged(spans)


def _values(text: str) -> Spans:
    if not may_hold_value(text):
        return []
    found = [(value.start, value.end) for value in parameter_values(text)]
    return [*found, *((one.start, one.end) for one in (*tokens(text), *user_tokens(text)))]


def _escaped_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of secrets that are found where escapes are undone, in characters of `text`."""
    undone = []
    for level in levels(text):
        undone.append(level)
        # A URL that is cut has its "@" in the next line; before the last level it may be there, escaped.
        cut = not has_escaped_delimiter(level.text)
        for start, end in [*passwords(level.text, cut=cut), *_values(level.text)]:
            for one in reversed(undone):
                start, end = one.to_original(start), one.to_original(end)
            yield start, end


def redact(text: str) -> str:
    """Return `text` with every secret of a URL in it replaced by `***`."""
    return mask(text, secret_spans(text))


def mask(text: str, spans: Spans) -> str:
    """Return `text` with each of the spans, which are in order and do not overlap, as `***`."""
    if not spans:
        return text
    parts, done = [], 0
    for start, end in spans:
        parts += [text[done:start], MASK]
        done = end
    return "".join([*parts, text[done:]])


def merged(spans: Spans) -> Spans:
    """Return the spans in order, those that overlap or touch as one."""
    if len(spans) < 2:
        return spans
    found: Spans = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def names_secret(text: str) -> bool:
    """Return whether `text` may hold a secret other than a password that is not escaped; a quick look."""
    if may_hold_value(text):
        return True
    return has_escaped_delimiter(text) and any(
        may_hold_value(level.text) or may_hold_password(level.text) for level in levels(text)
    )


# One URL is asked about by what masks it and by the rules, one after the other.
url_names_secret = functools.lru_cache(maxsize=8)(names_secret)
