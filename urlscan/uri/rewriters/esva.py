"""Libraesva URLSand: `https://urlsand.esvalabs.com/?u=<escaped URL>&e=...&h=...`.

The other parameters are checksums and flags.

Source: rewritten links in public archives of mailing lists (lore.kernel.org) and in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("esva", ("urlsand.esvalabs.com",), from_query("u"))
