"""Check Point Harmony Email, formerly Avanan: `https://url.avanan.click/v2/___<URL>___.<token>`.

A region may precede the URL (`/v2/r01/___`). The URL is not escaped, or only its colon is. Some programs remove one of
the two slashes after it.

Source: rewritten links in public archives of mailing lists and in public repositories.
"""

from urlscan.core.lazy import lazy
from urlscan.uri.rewriters.base import Rewriter
from urlscan.uri.url import Url

# Matches: `/v2/___http://h.example/a?b___`, `/v2/r01/___https%3A//h.example/___`
# Does not match: `/v2/http://h.example/`, `/v2/___http://h.example/`
_FORM = lazy(r"/v[0-9]/(?:r[0-9]+/)?___(?P<scheme>[A-Za-z]+)(?::|%3[Aa])/{1,2}(?P<rest>.+?)___(?=[.?#]|\Z)")


def _restore(url: Url) -> str | None:
    found = _FORM.search(url.text, len(f"{url.scheme}://{url.authority}"))
    return f"{found['scheme']}://{found['rest']}" if found is not None else None


REWRITER = Rewriter("check-point", ("url.avanan.click", "protect.checkpoint.com"), _restore)
