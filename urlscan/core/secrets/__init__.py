"""Find and mask secrets in URLs.

RFC 3986 section 7.5 requires that a password is masked wherever a URI is shown.  All output of urlscan passes through
this package; `scan`, `resolve` and `normalize` return the URL unchanged.

A secret is a password (`passwords`), the value of a parameter in the published table, or a published token (`values`,
`known`).

Secrets are also found inside escapes, which are decoded level by level, with a map back to the original text.
A URL in a parameter of another URL is escaped, perhaps several times, and perhaps partially: `quote(url)` keeps "/",
`quote(url, safe=":/")` keeps the delimiters of the scheme.  Secrets in it are found after decoding.
"""

import bisect
import functools
from array import array
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.offsets import replaced
from urlscan.core.secrets.checks import LONG_USER, NAME_END, TOKEN_START
from urlscan.core.secrets.passwords import Spans, may_hold_password, passwords

__all__ = [
    "MASK", "Spans", "mask", "may_hold_password", "may_hold_secret", "merge_spans", "passwords", "redact",
    "secret_spans", "url_may_hold_secret", "url_secrets",
]  # fmt: skip

MASK = "***"
# A delimiter of a URL, or a letter of a name, that is escaped once or more often. Without one, decoding escapes reveals
# nothing new. ":" "/" "@" "=" "?" "&" "#" ";" "[" "-" "_", "." of hosts, and the letters.
_DELIMITER = lazy("%(?:25){0,6}(?:3[AaDdFfBb]|2[FfDdEe36]|4[0-9A-Fa-f]|5[0-9AaBbFf]|6[1-9A-Fa-f]|7[0-9Aa])")
# Printable ASCII without the space, quotation marks and brackets, which end a URL in a text.
_ESCAPE = lazy(r"%(2[134-9A-Fa-f]|3[0-9ABDFabdf]|[46][0-9A-Fa-f]|5[0-9ABDEFabdef]|7[0-9A-Ea-e])")
_MOST_LEVELS = 6
_LONGEST_CACHED = 512


def secret_spans(text: str, *, cut: bool = False) -> Spans:
    """Return the spans of secrets in `text`, in characters, in order, without overlaps; `cut` as for `passwords`."""
    if not may_hold_secret(text):
        return []
    return merge_spans([*passwords(text, cut=cut), *_values(text), *_escaped_secrets(text)])


def may_hold_secret(text: str) -> bool:
    """Return whether `secret_spans` may find something in `text`. This is a fast check."""
    for _ in range(_MOST_LEVELS + 1):
        if ("=" in text and NAME_END.search(text) is not None) or TOKEN_START.search(text) is not None:
            return True
        if ("@" in text and LONG_USER.search(text) is not None) or may_hold_password(text):
            return True
        if "%" not in text or _DELIMITER.search(text) is None:
            return False
        text = _decode(text)
    return False


# The rules and masking ask about the same URL, and most URLs of a mailbox or a site occur many times. Long URLs are
# not cached, so that memory is bounded.
# Consecutive findings are about the same URL. The lists are shared and must not be changed.
url_secrets = functools.lru_cache(maxsize=64)(secret_spans)


def url_may_hold_secret(url: str) -> bool:
    """Return whether a URL may hold a secret that `secret_spans` finds, or the beginning of one."""
    return len(url) > _LONGEST_CACHED or _may_begin_secret(url)


@functools.lru_cache(maxsize=1 << 15)
def _may_begin_secret(url: str) -> bool:
    # "http://h/jo:pw" may be the beginning of "http://h/jo:pw^pw@h.example".
    return may_hold_secret(url) or url.rfind(":") > url.find("/", url.find("//") + 2) > 0


def _values(text: str) -> Spans:
    from urlscan.core.secrets.values import parameter_values, tokens  # most texts hold none

    spans = [(value.start, value.end) for value in parameter_values(text)]
    return spans + [(token.start, token.end) for token in tokens(text)]


def _escaped_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of secrets that are found after decoding escapes, in characters of `text`."""
    levels = list["array[int]"]()  # the offsets of the decoded characters in the text of each level
    while len(levels) < _MOST_LEVELS and _DELIMITER.search(text) is not None:
        escapes = _ESCAPE.finditer(text)
        levels.append(array("Q", (match.start() - 2 * number for number, match in enumerate(escapes))))
        text = _decode(text)
        # A URL that is cut has its "@" in the next line; before the last level, the "@" may still be escaped.
        cut = _DELIMITER.search(text) is None
        for start, end in [*passwords(text, cut=cut), *_values(text)]:
            for offsets in reversed(levels):  # each escape is two characters longer than its character
                start += 2 * bisect.bisect_left(offsets, start)
                end += 2 * bisect.bisect_left(offsets, end)
            yield start, end


def redact(text: str) -> str:
    """Return `text` with every secret in its URLs replaced by `***`."""
    return mask(text, secret_spans(text, cut=True))


def mask(text: str, spans: Spans) -> str:
    """Return `text` with each span replaced by `***`. The spans are in order and do not overlap."""
    if not spans:
        return text
    return replaced(text, ((start, end, MASK) for start, end in spans))


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


def _decode(text: str) -> str:
    """Return a text with one level of its escapes decoded."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
