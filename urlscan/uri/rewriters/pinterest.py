"""Pinterest: `https://www.pinterest.com/offsite/?token=...&url=<escaped URL>`.

The links of pins have this form.

Source: links of pins on pinterest.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("pinterest", ("pinterest.com", "www.pinterest.com"), from_query("url", path="/offsite/"))
