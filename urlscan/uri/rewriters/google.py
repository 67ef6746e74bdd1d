"""Google: `https://www.google.com/url?q=<escaped URL>&sa=...`.

Result pages have the parameter `url`, and `q` is the search. Meet and others link to `/linkredirect?dest=`. The hosts
of countries (`www.google.co.uk`) are included.

Source: the result pages of google.com, and links in mail from Google Docs and Google Groups.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query
from urlscan.uri.url import Url

_FROM_URL = from_query("q", "url", path="/url")
_FROM_REDIRECT = from_query("dest", path="/linkredirect")


def _restore(url: Url) -> str | None:
    return _FROM_URL(url) or _FROM_REDIRECT(url)


REWRITER = Rewriter("google", ("google.*", "www.google.*", "meet.google.com", "plus.url.google.com"), _restore)
