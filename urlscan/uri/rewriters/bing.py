"""Bing: `https://www.bing.com/ck/a?!&&p=...&u=a1<URL in base64>&ntb=1`.

Source: the result pages of bing.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_base64, parameter
from urlscan.uri.url import Url


def _restore(url: Url) -> str | None:
    value = parameter(url, "u") if url.path == "/ck/a" else None
    return from_base64(value[2:]) if value is not None and value.startswith("a1") else None


REWRITER = Rewriter("bing", ("bing.com", "www.bing.com"), _restore)
