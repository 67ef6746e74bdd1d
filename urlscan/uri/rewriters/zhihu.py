"""Zhihu: `https://link.zhihu.com/?target=<escaped URL>`.

The links of answers have this form.

Source: links of answers on zhihu.com.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("zhihu", ("link.zhihu.com",), from_query("target"))
