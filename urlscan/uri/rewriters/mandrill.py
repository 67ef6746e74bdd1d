r"""Mandrill: `https://mandrillapp.com/track/click/<user>/<host>?p=<base64>`.

The parameter is JSON whose member `p` is again JSON, in a string: `{"s": "...", "v": 1, "p": "{\"url\": \"<URL>\"}"}`.

Source: rewritten links in public repositories.
"""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter, from_base64, parameter
from urlscan.uri.url import Url


def _restore(url: Url) -> str | None:
    value = parameter(url, "p") if url.path.startswith("/track/click/") else None
    target = _member(_member(from_base64(decoded(value)), "p"), "url") if value is not None else None
    # The slashes are escaped once for each of the two layers.
    return target.replace("\\/", "/") if target is not None else None


def _member(text: str | None, name: str) -> str | None:
    """Return a member of a JSON object, if it is a string."""
    import json

    try:
        value = json.loads(text or "").get(name)
    except (ValueError, AttributeError, RecursionError):  # not JSON, not an object, or nested too deeply
        return None
    return value if isinstance(value, str) else None


REWRITER = Rewriter("mandrill", ("mandrillapp.com",), _restore)
