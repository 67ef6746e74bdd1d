"""Symantec Click-time Protection: `https://clicktime.symantec.com/<token>?h=...&u=<escaped URL>`.

Older links have the path `/a/1/<token>` and the parameter `d`.

Source: rewritten links in public archives of mailing lists (lore.kernel.org) and in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("symantec", ("clicktime.symantec.com",), from_query("u"))
