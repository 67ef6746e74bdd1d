"""Sophos Email: `https://<region>.protection.sophos.com/?d=<host>&u=<URL in base64>&i=...&t=...&h=...&s=...`.

Source: rewritten links in public repositories.
"""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter, from_base64, parameter
from urlscan.uri.url import Url


def _restore(url: Url) -> str | None:
    value = parameter(url, "u")
    return from_base64(decoded(value)) if value is not None else None


REWRITER = Rewriter("sophos", ("*.protection.sophos.com",), _restore)
