"""Yahoo: `https://r.search.yahoo.com/_ylt=.../RV=2/RE=.../RO=10/RU=<escaped URL>/RK=2/RS=...`.

Source: the result pages of search.yahoo.com.
"""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter
from urlscan.uri.url import Url


def _restore(url: Url) -> str | None:
    fields = (segment.partition("=") for segment in url.path.split("/"))
    return next((decoded(value) for name, _, value in fields if name == "RU"), None)


REWRITER = Rewriter("yahoo", ("*.search.yahoo.com",), _restore)
