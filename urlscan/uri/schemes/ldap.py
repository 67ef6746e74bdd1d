"""ldap and ldaps: an entry, or a search, of an LDAP directory."""

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import AUTHORITY, Grammar, Mistake, Mistakes, Scheme
from urlscan.uri.url import Detail, Url


class LdapSearch(Detail):
    """The search of an ldap URL (RFC 4516 section 2), without escapes.

    Attributes:
        dn: the distinguished name at which the search begins.
        attributes: the attributes to return; none means all.
        scope: base, one or sub.
        filter: the default is "(objectClass=*)".
        extensions: as written.
    """

    dn: str
    attributes: tuple[str, ...]
    scope: str
    filter: str
    extensions: tuple[str, ...]


def _search(url: Url) -> LdapSearch:
    """Return the parts, with defaults for omitted ones (RFC 4516 section 3)."""
    attributes, scope, condition, extensions = [*(url.query or "").split("?"), "", "", ""][:4]
    return LdapSearch(
        decoded(url.path.removeprefix("/")),
        tuple(decoded(name) for name in attributes.split(",") if name),
        scope.lower() or "base",
        decoded(condition) or "(objectClass=*)",
        tuple(item for item in extensions.split(",") if item),
    )


# RFC 4516 section 2:
#   ldapurl    = scheme COLON SLASH SLASH [host [COLON port]]
#                [SLASH dn [QUESTION [attributes] [QUESTION [scope] [QUESTION [filter] [QUESTION extensions]]]]]
#   scope      = "base" / "one" / "sub"
_QUERY = r"(?:\?(?:[^,?#]+(?:,[^,?#]+)*)?(?:\?(?i:base|one|sub)?(?:\?[^?#]*(?:\?[^?#]+)?)?)?)?"
_PARTS = rf"{AUTHORITY}[^?]*\?(?P<attributes>[^?]*)(?:\?(?P<scope>[^?]*)(?:\?[^?]*(?:\?(?P<extensions>.*))?)?)?"
_MISTAKES: Mistakes = (
    Mistake("", r"\A(?!//)", '"//" is missing after the colon'),
    Mistake("userinfo", r"\A.*", "an LDAP URL cannot have a userinfo"),
    Mistake("fragment", r"\A#(.*)", "an LDAP URL cannot have a fragment"),
    Mistake("", rf"\A{AUTHORITY}(\?)", '"/" is missing between the host and "?"', "/?"),
    Mistake("attributes", r"\A(?=,|.*,,|.*,\Z).*", "attribute name is empty"),
    Mistake("scope", r"\A(?!(?i:base|one|sub)\Z).+", "scope must be base, one or sub"),
    Mistake("extensions", r"\A[^?]*(\?)", 'too many "?"; the query has four parts at most', "%3F"),
    Mistake("extensions", r"\A\Z", 'extensions after the last "?" are missing'),
)


LDAP = Scheme(
    "ldap",
    "an entry or a search of an LDAP directory",
    {"rfc3986": Grammar("RFC 4516 section 2", f"//[^/?#@]*+(?:/[^?#]*{_QUERY})?", _PARTS, _MISTAKES)},
    _search,
    ("ldap://h.example/c=GB?objectClass?one", "ldap:///o=University%20of%20Michigan,c=US"),
    needs_authority=True,
)
# Registered because it is in use; no document describes it.
LDAPS = LDAP._replace(name="ldaps", examples=("ldaps://h.example/c=GB",))
