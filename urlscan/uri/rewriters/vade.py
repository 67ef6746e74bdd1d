"""Vade Secure: `https://antiphishing.vadesecure.com/v4?f=...&i=...&k=...&r=...&s=...&u=<escaped URL>`.

The proxies for Microsoft 365 and Google Workspace have hosts of their own and the path `/safeproxy/v4`.

Source: rewritten links in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter(
    "vade",
    ("antiphishing.vadesecure.com", "gws.eu.vadesecure.com", "m365.eu.vadesecure.com", "m365.us.vadesecure.com"),
    from_query("u"),
)
