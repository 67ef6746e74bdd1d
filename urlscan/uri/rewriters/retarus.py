"""Retarus: `https://protection.retarus.com/v1?u=<escaped URL>&c=...&r=...&k=...&s=...`.

The other parameters are checksums.

Source: rewritten links in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("retarus", ("protection.retarus.com",), from_query("u"))
