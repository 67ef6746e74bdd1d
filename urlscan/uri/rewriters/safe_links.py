"""Microsoft Safe Links: `https://<region>.safelinks.protection.outlook.com/?url=<escaped URL>&data=...`.

In Office documents the path is `/ap/...`. Teams has a page on another host.

Source: Microsoft Learn, "Complete Safe Links overview for Microsoft Defender for Office 365".
"""

from urlscan.uri.rewriters.base import Rewriter, from_query

REWRITER = Rewriter(
    "safe-links",
    ("*.safelinks.protection.outlook.com", "*.safelinks.protection.office365.us", "statics.teams.cdn.office.net"),
    from_query("url"),
)
