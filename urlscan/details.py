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

from urlscan.uri.schemes.data import Data
from urlscan.uri.schemes.doi import Doi
from urlscan.uri.schemes.file import File
from urlscan.uri.schemes.ftp import FtpPath
from urlscan.uri.schemes.geo import GeoLocation
from urlscan.uri.schemes.gopher import GopherPath, GopherPlus
from urlscan.uri.schemes.http import HttpSelector
from urlscan.uri.schemes.irc import IrcTarget
from urlscan.uri.schemes.ldap import LdapSearch
from urlscan.uri.schemes.magnet import Magnet
from urlscan.uri.schemes.mailto import Mail
from urlscan.uri.schemes.mid import MessagePart
from urlscan.uri.schemes.news import News
from urlscan.uri.schemes.nntp import Article
from urlscan.uri.schemes.prospero import Prospero
from urlscan.uri.schemes.sip import SipAddress
from urlscan.uri.schemes.ssh import SshTarget
from urlscan.uri.schemes.tel import Telephone
from urlscan.uri.schemes.telnet import Login
from urlscan.uri.schemes.urn import Urn
from urlscan.uri.schemes.wais import Wais
from urlscan.uri.schemes.ws import ResourceName
from urlscan.uri.url import Detail

__all__ = [
    "Article",
    "Data",
    "Detail",
    "Doi",
    "File",
    "FtpPath",
    "GeoLocation",
    "GopherPath",
    "GopherPlus",
    "HttpSelector",
    "IrcTarget",
    "LdapSearch",
    "Login",
    "Magnet",
    "Mail",
    "MessagePart",
    "News",
    "Prospero",
    "ResourceName",
    "SipAddress",
    "SshTarget",
    "Telephone",
    "Urn",
    "Wais",
]
