"""GMX, WEB.DE, mail.com: `https://deref-gmx.net/mail/client/<token>/dereferrer/?redirectUrl=<escaped URL>`.

The web mail of United Internet links in this way, so that no page receives the address of the mailbox.

Source: rewritten links in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter(
    "united-internet", ("deref-gmx.com", "deref-gmx.net", "deref-mail.com", "deref-web.de"), from_query("redirectUrl")
)
