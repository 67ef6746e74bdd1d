"""DuckDuckGo: `https://duckduckgo.com/l/?uddg=<escaped URL>`.

The HTML and lite versions of the search engine link to their results in this way.

Source: the result pages of html.duckduckgo.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter(
    "duckduckgo", ("duckduckgo.com", "html.duckduckgo.com", "lite.duckduckgo.com"), from_query("uddg", path="/l/")
)
