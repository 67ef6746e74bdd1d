"""FireEye, now Trellix: `https://protect2.fireeye.com/v1/url?k=...&q=1&e=...&u=<escaped URL>`.

Older links have the path `/url`, and some do not escape the URL.

Source: rewritten links in public archives of mailing lists (lore.kernel.org) and in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("fireeye", ("protect.fireeye.com", "protect2.fireeye.com", "protect3.fireeye.com"), from_query("u"))
