"""Slack: `https://slack-redir.net/link?url=<escaped URL>`.

Links in messages have this form when they are opened.

Source: Slack Engineering and help pages on "slack-redir.net".
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter("slack", ("slack-redir.net",), from_query("url"))
