"""Reddit: `https://out.reddit.com/t3_<post>?url=<escaped URL>&token=...&app_name=...`.

The links of posts have this form.

Source: the pages of reddit.com, attribute `data-outbound-url`.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("reddit", ("out.reddit.com",), from_query("url"))
