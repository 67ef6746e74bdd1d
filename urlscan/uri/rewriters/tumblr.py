"""Tumblr: `https://t.umblr.com/redirect?z=<escaped URL>&t=...`.

Links of posts have this form.

Source: links of posts on tumblr.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("tumblr", ("t.umblr.com",), from_query("z"))
