"""EdgePilot: `https://link.edgepilot.com/s/<id>/<token>?u=<URL>`.

The URL is not escaped, except for its "&".

Source: rewritten links in public repositories.
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("edgepilot", ("link.edgepilot.com",), from_query("u"))
