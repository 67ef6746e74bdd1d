"""Words in place of the secrets of URLs, for results that are computed from them."""

import re
from collections.abc import Callable

from urlscan.core.record import NamedTuple
from urlscan.core.secrets import MASK, Spans, mask, merge_spans, url_secrets
from urlscan.uri.unwrap import unwrap
from urlscan.uri.url import split

# RFC 3261 section 25.1: userinfo = ( user / telephone-subscriber ) [ ":" password ] "@". In a text `redact` ends a
# password at the end of a word. Here the whole argument is one URL, and a sip URL has no "@" after the password, so
# that the last "@" ends it.
_SIP = re.compile(r"(?:\A[^\w+.-]*(?i:sips?):[^:]*|(?<![\w+.-])(?i:sips?):[^:@/?#\s]*):")
# Delimiters in a secret are kept, so that the other components keep their place.
_BETWEEN_DELIMITERS = re.compile(r"[^/?#:@\[\]\\]+")
_DOTS = re.compile(r"(?:\.|%2[Ee]){1,2}")


class MaskedUrls(NamedTuple):
    """URLs in which a word replaces each secret, or each part of a divided one.

    Every result computed from them is free of secrets.

    Attributes:
        texts: the URLs.
        word: letters and digits that do not occur in the URLs otherwise.
    """

    texts: list[str]
    word: str

    def mask(self, text: str) -> str:
        """Return a URL that was computed from these, masked."""
        return self.show_masks(mask(text, secrets_of(text)))

    def show_masks(self, text: str) -> str:
        """Return a part of these URLs with masks in place of the words."""
        if self.word not in text.lower():
            return text
        return re.sub(rf"(?i:{self.word}|{re.escape(MASK)})+", MASK, text)


def secrets_of(url: str) -> Spans:
    """Return the spans of the secrets in one URL without delimiters: passwords, valid or not, and values."""
    # The argument is one URL: white space, which ends a password in a text, belongs to the password here.
    spans = merge_spans([*url_secrets(url), *url_secrets(re.sub(r"\s", "_", url))])
    if ":" not in url or "@" not in url:
        return spans
    sip, last = _SIP.search(url), url.rfind("@")
    if sip is not None and sip.end() < last:
        spans = [*spans, (sip.end(), last)]
    parts = split(url)
    if parts.password and (password := parts.span("password")) is not None:
        spans = [*spans, password]
    return merge_spans(spans)


def mask_urls(*arguments: str) -> MaskedUrls | None:
    """Return the arguments with words in place of their secrets; None if they have none."""
    # No operation on URLs changes the word, which does not occur in them.
    lower, number = "\n".join(arguments).lower(), 0
    while f"secret{number}x" in lower:
        number += 1
    word = f"secret{number}x"
    texts, has_secret = [], False
    for text in arguments:
        unwrapped = unwrap(text)
        for start, end in reversed(secrets_of(unwrapped.url)):  # from the end, so that earlier offsets stay valid
            first, last = unwrapped.offsets[start], unwrapped.offsets[end - 1] + 1
            text = text[:first] + _replace_words(unwrapped.url[start:end], word) + text[last:]
            has_secret = True
        texts.append(text)
    if has_secret:
        return MaskedUrls(texts, word)
    return None


def mask_result(result: str, make: Callable[..., str], arguments: list[str]) -> tuple[str, bool]:
    """Return a result that `make` computes from URLs, masked, and whether something was masked."""
    masked_urls = mask_urls(*arguments)
    if masked_urls is not None:
        return masked_urls.mask(make(*masked_urls.texts)), True
    emerged = secrets_of(result)  # a relative path may have become an authority with userinfo
    return mask(result, emerged), bool(emerged)


def _replace_words(secret: str, word: str) -> str:
    """Return a replacement for a secret: words, with its delimiters and dot segments kept."""
    if "/" not in secret:
        return _BETWEEN_DELIMITERS.sub(word, secret)
    return "/".join(
        piece if _DOTS.fullmatch(piece) else _BETWEEN_DELIMITERS.sub(word, piece) for piece in secret.split("/")
    )
