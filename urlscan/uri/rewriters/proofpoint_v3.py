"""Proofpoint URL Defense, version 3: `https://urldefense.com/v3/__<URL>__;<characters>!!<token>!<signature>$`.

In the URL, "*" represents one of the characters after "__;", which are encoded in base64. "**" and a letter, digit,
hyphen or low line represent several of them: "**A" two, "**B" three.

Source: Proofpoint, "How do I decode a rewritten URL?", and the decoder that the page offers (help.proofpoint.com).
"""

import string

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter, from_base64
from urlscan.uri.url import Url

# Matches: `/v3/__http://h.example/a?b=*__;Iw!`, `/v3/__https:/h.example/__;!`
# Does not match: `/v2/__http://h.example/__;!`, `/v3/__http://h.example/`
_FORM = lazy(r"/v3/__(?P<url>.+?)__;(?P<characters>[A-Za-z0-9_+/=-]*)!")
_TOKEN = lazy(r"\*(?:\*(.))?")
_COUNTS = {
    mark: count for count, mark in enumerate(f"{string.ascii_uppercase}{string.ascii_lowercase}{string.digits}-_", 2)
}
# Some programs remove one of two adjacent slashes from a path.
_ONE_SLASH = lazy(r"([A-Za-z][A-Za-z0-9+.-]*:/)(?=[^/])")


def _restore(url: Url) -> str | None:
    found = _FORM.search(url.text, len(f"{url.scheme}://{url.authority}"))
    characters = from_base64(found["characters"]) if found is not None else None
    if found is None or characters is None:
        return None
    shown, used = list[str](), 0
    done, text = 0, decoded(_ONE_SLASH.sub(r"\1/", found["url"], count=1))
    for token in _TOKEN.finditer(text):
        count = 1 if token[1] is None else _COUNTS.get(token[1], 0)
        if count == 0 or used + count > len(characters):
            return None  # it was truncated
        shown += text[done : token.start()], characters[used : used + count]
        used += count
        done = token.end()
    return "".join(shown) + text[done:]


REWRITER = Rewriter("proofpoint-v3", ("urldefense.com", "urldefense.proofpoint.com", "urldefense.us"), _restore)
