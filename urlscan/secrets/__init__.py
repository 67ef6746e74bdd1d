"""Find and mask secrets in URLs.

RFC 3986 section 7.5 requires that a password is masked wherever a URI is shown.  All output of urlscan passes through
this package; `scan`, `resolve` and `normalize` return the URL unchanged.

A secret is a password (`passwords`), the value of a parameter in the published table, or a published token (`values`,
`known`).  Secrets are also found inside escapes (`escapes`).
"""

import functools
from collections.abc import Iterator

from urlscan.secrets.escapes import has_escaped_delimiter, levels
from urlscan.secrets.known import PARAMETERS, TOKENS
from urlscan.secrets.passwords import Spans, may_hold_password, passwords
from urlscan.secrets.values import may_hold_value, parameter_values, tokens

__all__ = [
    "MASK",
    "PARAMETERS",
    "TOKENS",
    "Spans",
    "mask",
    "may_hold_password",
    "may_need_mask",
    "merge_spans",
    "names_secret",
    "passwords",
    "redact",
    "secret_spans",
    "url_names_secret",
]

MASK = "***"


def secret_spans(text: str, *, cut: bool = True) -> Spans:
    """Return the spans of secrets in `text`, in characters, in order, without overlaps.

    Args:
        text: a URL or any text.
        cut: whether the text may be a URL that ends inside a password.
    """
    return merge_spans([*passwords(text, cut=cut), *_values(text), *_escaped_secrets(text)])


def _values(text: str) -> Spans:
    spans = [(value.start, value.end) for value in parameter_values(text)]
    return spans + [(token.start, token.end) for token in tokens(text)]


def _escaped_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of secrets that are found after decoding escapes, in characters of `text`."""
    decoded = []
    for level in levels(text):
        decoded.append(level)
        # A URL that is cut has its "@" in the next line; before the last level, the "@" may still be escaped.
        cut = not has_escaped_delimiter(level.text)
        for start, end in [*passwords(level.text, cut=cut), *_values(level.text)]:
            for outer in reversed(decoded):
                start, end = outer.to_original(start), outer.to_original(end)
            yield start, end


def redact(text: str) -> str:
    """Return `text` with every secret in its URLs replaced by `***`."""
    return mask(text, secret_spans(text)) if may_need_mask(text) else text


def may_need_mask(text: str) -> bool:
    """Return whether `redact` may change `text`. This is a fast check, for subjects, Message-IDs, names of members."""
    return may_hold_password(text) or names_secret(text)


def mask(text: str, spans: Spans) -> str:
    """Return `text` with each span replaced by `***`. The spans are in order and do not overlap."""
    if not spans:
        return text
    parts, position = [], 0
    for start, end in spans:
        parts += [text[position:start], MASK]
        position = end
    return "".join([*parts, text[position:]])


def merge_spans(spans: Spans) -> Spans:
    """Return the spans in order, with those that overlap or touch merged."""
    if len(spans) < 2:
        return spans
    merged: Spans = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def names_secret(text: str) -> bool:
    """Return whether `text` may hold a secret other than an unescaped password. This is a fast check."""
    return may_hold_value(text) or (
        has_escaped_delimiter(text)
        and any(may_hold_value(level.text) or may_hold_password(level.text) for level in levels(text))
    )


# Masking and the rules query the same URL in turn.
url_names_secret = functools.lru_cache(maxsize=8)(names_secret)
