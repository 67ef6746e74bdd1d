"""Barracuda Link Protection: `https://linkprotect.cudasvc.com/url?a=<escaped URL>&c=...`.

The other parameters are a checksum and the kind of link.

Source: Barracuda Campus, "Link Protection".
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("barracuda", ("linkprotect.cudasvc.com",), from_query("a"))
