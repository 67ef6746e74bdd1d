"""Proofpoint URL Defense, versions 1 and 2.

- `https://urldefense.proofpoint.com/v1/url?u=<escaped URL>&k=...`
- `https://urldefense.proofpoint.com/v2/url?u=<URL>&d=...&c=...`, in which "-" replaces "%", and "_" replaces "/".

Source: Proofpoint, "How do I decode a rewritten URL?", and the decoder that the page offers (help.proofpoint.com).
"""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter, parameter
from urlscan.uri.url import Url

_VERSION_2 = str.maketrans("-_", "%/")


def _restore(url: Url) -> str | None:
    value = parameter(url, "u")
    if value is None or url.path not in ("/v1/url", "/v2/url"):
        return None
    import html  # for its large table of entities

    # The target is escaped for HTML first, and then for the query.
    return html.unescape(decoded(value.translate(_VERSION_2) if url.path == "/v2/url" else value))


REWRITER = Rewriter("proofpoint", ("urldefense.proofpoint.com", "urldefense.com"), _restore)
