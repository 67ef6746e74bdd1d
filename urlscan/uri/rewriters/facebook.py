"""Meta: `https://l.facebook.com/l.php?u=<escaped URL>&h=...`.

Facebook, Instagram, Messenger, Threads and WhatsApp have a host each.

Source: Facebook Security, "Link Shim - Protecting the People who Use Facebook from Malicious URLs" (2012).
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter(
    "facebook",
    (
        "l.facebook.com",
        "lm.facebook.com",
        "l.instagram.com",
        "l.messenger.com",
        "l.threads.com",
        "l.threads.net",
        "l.wl.co",
    ),
    from_query("u"),
)
