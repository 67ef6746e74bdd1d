"""The records that `Url.detail` can be, one per scheme or family of schemes.

>>> import urlscan
>>> from urlscan.details import FtpPath, Mail
>>> for text in ("ftp://h.example/pub/a.txt;type=i", "mailto:jo@h.example?subject=hi"):
...     match urlscan.parse(text).detail:
...         case FtpPath(cwd, name):
...             print("file", name, "in", "/".join(cwd))
...         case Mail(addresses=addresses):
...             print("mail to", *addresses)
file a.txt in pub
mail to jo@h.example
"""

from urlscan.uri.schemes.calls import SipAddress, Telephone
from urlscan.uri.schemes.files import File, FtpPath
from urlscan.uri.schemes.inline import Data, GeoLocation
from urlscan.uri.schemes.mail import Mail, MessagePart
from urlscan.uri.schemes.names import Doi, Magnet, Urn
from urlscan.uri.schemes.retrieval import GopherPath, GopherPlus, LdapSearch, Prospero, Wais
from urlscan.uri.schemes.sessions import IrcTarget, Login, SshTarget
from urlscan.uri.schemes.usenet import Article, News
from urlscan.uri.schemes.web import HttpSelector, ResourceName
from urlscan.uri.url import Detail

__all__ = [
    "Article", "Data", "Detail", "Doi", "File", "FtpPath", "GeoLocation", "GopherPath", "GopherPlus", "HttpSelector",
    "IrcTarget", "LdapSearch", "Login", "Magnet", "Mail", "MessagePart", "News", "Prospero", "ResourceName",
    "SipAddress", "SshTarget", "Telephone", "Urn", "Wais",
]  # fmt: skip
