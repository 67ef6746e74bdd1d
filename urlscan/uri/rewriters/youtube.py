"""YouTube: `https://www.youtube.com/redirect?event=...&redir_token=...&q=<escaped URL>`.

The links of descriptions and comments have this form.

Source: links of descriptions on youtube.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("youtube", ("m.youtube.com", "www.youtube.com", "youtube.com"), from_query("q", path="/redirect"))
