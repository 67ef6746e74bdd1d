"""Cisco Secure Email, formerly IronPort: `https://secure-web.cisco.com/<token>/<escaped URL>`.

Source: Cisco, "User Guide for AsyncOS for Cisco Secure Email Gateway", "Redirecting URLs", and rewritten links in
public archives of mailing lists.
"""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.rewriters.base import Rewriter
from urlscan.uri.url import Url


def _restore(url: Url) -> str | None:
    _, _, target = url.path.removeprefix("/").partition("/")
    # The slashes of the target are escaped; a link without a target has a token only.
    return decoded(target) if "/" not in target else None


REWRITER = Rewriter("cisco", ("secure-web.cisco.com",), _restore)
