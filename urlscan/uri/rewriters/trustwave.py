"""Trustwave MailMarshal: `https://scanmail.trustwave.com/?c=...&d=...&u=<escaped URL>`.

Dots and other unreserved characters of the URL are escaped, too.

Source: rewritten links in public archives of mailing lists (lore.kernel.org) and in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("trustwave", ("scanmail.trustwave.com",), from_query("u"))
