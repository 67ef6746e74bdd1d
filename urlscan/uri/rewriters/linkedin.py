"""LinkedIn: `https://www.linkedin.com/redir/redirect?url=<escaped URL>&urlhash=...`.

Newer links have the path `/safety/go`.

Source: links of posts and messages on linkedin.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter(
    "linkedin", ("linkedin.com", "www.linkedin.com"), from_query("url", path=("/redir/redirect", "/safety/go"))
)
