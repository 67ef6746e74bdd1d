"""The schemes, by what they name. To add a scheme, read its neighbors, write it below them and register it here.

Properties that are needed for every URL are in this module, so that most of the files are never loaded.
"""

import functools
import importlib
import re

from urlscan.core.typing import TYPE_CHECKING
from urlscan.data.schemes import REGISTERED
from urlscan.uri.grammar.characters import escaped
from urlscan.uri.grammar.generic import FRAGMENTID, PREFIX, full_match, grammar_of
from urlscan.uri.grammar.simple import is_simple

if TYPE_CHECKING:
    from urlscan.uri.schemes.base import Scheme
    from urlscan.uri.url import Detail, Url

# The module of each scheme, relative to this package; the object has the name of the scheme in capitals.
_MODULES = {
    "calls": "sip sips tel",
    "files": "file ftp",
    "inline": "data geo",
    "mail": "cid mailto mid",
    "names": "doi magnet urn",
    "retrieval": "gopher ldap ldaps prospero wais",
    "sessions": "irc irc6 ircs rlogin sftp ssh telnet tn3270",
    "usenet": "news nntp snews",
    "web": "http https ws wss",
}
REGISTRY = {name: module for module, names in _MODULES.items() for name in names.split()}

# Schemes whose URLs begin with "//" and a host by all documents that describe them (RFC 1738 section 3.1 and the
# successors of its sections).  RFC 2396 section 5.2 step 3 calls them "known to always use the <hier_part> syntax".
# The host of a file may be empty, and irc has a default server.
NEEDS_HOST = frozenset("ftp gopher http https nntp prospero rlogin sftp ssh telnet tn3270 wais ws wss".split())
HIERARCHICAL = NEEDS_HOST | {"file", "irc", "irc6", "ircs", "ldap", "ldaps"}

# Schemes that do not allow a user name, with the section by grammar; "rfc3986" covers the other grammars.
# RFC 1738 has "No user name or password is allowed" for http and prospero, and a syntax without one for the others.
# RFC 9110 forbids senders to generate one, and warns of received ones.
_BNF_1630 = "RFC 1630 BNF for specific URL schemes"
NO_USERINFO: dict[str, dict[str, str]] = {
    "http": {"rfc3986": "RFC 9110 section 4.2.4", "rfc1738": "RFC 1738 section 3.3", "rfc1630": _BNF_1630},
    "https": {"rfc3986": "RFC 9110 section 4.2.4"},
    "gopher": {"rfc3986": "RFC 4266 section 2.1", "rfc1738": "RFC 1738 section 3.4.1", "rfc1630": _BNF_1630},
    "nntp": {"rfc3986": "RFC 1738 section 3.7", "rfc1738": "RFC 1738 section 3.7"},
    "wais": {"rfc3986": "RFC 4156 section 2", "rfc1738": "RFC 1738 section 3.9", "rfc1630": _BNF_1630},
    "prospero": {"rfc3986": "RFC 4157 section 2", "rfc1738": "RFC 1738 section 3.11", "rfc1630": _BNF_1630},
}

# RFC 1738 section 4: "The following scheme have been proposed at various times, but this document
# does not define their syntax or use at this time."
RESERVED_1738 = {
    "afs": "Andrew File System global file names",
    "mid": "Message identifiers for electronic mail",
    "cid": "Content identifiers for MIME body parts",
    "nfs": "Network File System (NFS) file names",
    "tn3270": "Interactive 3270 emulation sessions",
    "mailserver": "Access to data available from mail servers",
    "z39.50": "Access to ANSI Z39.50 services",
}


def status(name: str | None) -> list[str]:
    """Return the status of a scheme name: one or more of registered, reserved and experimental, or unknown.

    RFC 1738 section 4 reserves names without defining them, and calls names experimental that begin with "x-".
    The result for None, which is not a scheme, is empty.
    >>> status("afs"), status("x-foo"), status("HTTP"), status(None)
    (['registered', 'reserved'], ['experimental'], ['registered'], [])
    """
    if name is None:
        return []
    name = name.lower()
    statuses = {"registered": name in REGISTERED, "reserved": name in RESERVED_1738, "experimental": name[:2] == "x-"}
    return [key for key, holds in statuses.items() if holds] or ["unknown"]


def scheme(name: str) -> "Scheme | None":
    """Return the scheme of a name in lowercase, loading its file, or None if it has no grammar of its own."""
    if name not in REGISTRY:
        return None
    loaded: Scheme = getattr(importlib.import_module(f"urlscan.uri.schemes.{REGISTRY[name]}"), name.upper())
    return loaded


def detail_of(url: "Url") -> "Detail | None":
    """Return the parts of a URL that are specific to its scheme; None if it defines none, or a host is missing."""
    name = (url.scheme or "").lower()
    definition = scheme(name)
    # A file is also named without a host, and by RFC 1630 an nntp URL has none.
    if definition is None or (url.authority is None and name in HIERARCHICAL - {"file", "nntp"}):
        return None
    return definition.make_detail(url)


@functools.lru_cache(maxsize=1024)
def pattern(name: str, grammar: str, kind: str) -> re.Pattern[str] | None:
    """Return the pattern to match against a complete URL of a scheme, or None if only the generic syntax applies."""
    definition = scheme(name)
    if definition is None or grammar not in definition.grammars:
        return None
    source = f"(?i:{name}):(?:{definition.grammars[grammar].pattern})"
    if grammar == "rfc1630":
        source = PREFIX + source
        if kind != "absolute-uri":
            source += FRAGMENTID
    return re.compile(source)


def accepts(text: str, profile: str, kind: str) -> bool:
    """Return whether the grammar of `profile`, including that of the scheme, accepts the entire text.

    Under RFC 1738 and RFC 1630, the grammar of a scheme is complete. Current documents refine the generic syntax, so
    both must accept the text. RFC 2396 only has the generic syntax.
    """
    if kind.endswith("reference") and is_simple(text, profile):  # in a third of the time
        return True
    grammar, kind = grammar_of(profile, kind)
    name = name_of(text, grammar)
    if grammar in ("rfc1738", "rfc1630"):
        whole = pattern(name, grammar, kind) or full_match(grammar, kind)
        return whole.fullmatch(text) is not None
    if full_match(grammar, kind).fullmatch(text) is None:
        return False
    scheme_pattern = pattern(name, "rfc3986", kind)
    if grammar == "rfc2396" or scheme_pattern is None:
        return True
    # RFC 3987 section 3.1 maps an IRI to a URI, to which the grammar of the scheme applies.
    if not text.isascii():
        text = "".join([character if character.isascii() else escaped(character) for character in text])
    return scheme_pattern.fullmatch(text) is not None


def name_of(text: str, grammar: str = "rfc3986") -> str:
    """Return the scheme of a URL in lowercase, or "".

    >>> name_of("HTTP://h/"), name_of("url:http://h/", "rfc1630"), name_of("a/b:c")
    ('http', 'http', '')
    """
    if grammar == "rfc1630" and text[:4].lower() == "url:":  # prefixedurl = "url:" url
        text = text[4:]
    name, colon, _ = text.partition(":")
    if not colon or len(name) > 64 or not set("/?#").isdisjoint(name):
        return ""
    return name.lower()
