"""Steam: `https://steamcommunity.com/linkfilter/?url=<URL>`.

Newer links have the parameter `u`.

Source: links of comments on steamcommunity.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("steam", ("steamcommunity.com",), from_query("url", "u", path="/linkfilter/"))
