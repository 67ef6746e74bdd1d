"""Trend Micro: `https://<tenant>-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=<escaped URL>&umid=...`.

The tenant depends on the product.

Source: rewritten links in public archives of mailing lists (lore.kernel.org) and in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("trend-micro", ("*.trendmicro.com",), from_query("url", path="/wis/clicktime/v1/query"))
