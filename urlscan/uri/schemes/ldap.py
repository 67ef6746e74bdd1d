"""ldap and ldaps: an entry, or a search, of an LDAP directory."""

from collections.abc import Iterator

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import Fault, Scheme
from urlscan.uri.url import Detail, Url

_SCOPES = ("base", "one", "sub")


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


def parse(url: Url) -> LdapSearch | None:
    """Return the parts, with defaults for omitted ones (RFC 4516 section 3)."""
    if url.authority is None:
        return None
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
_PARTS = r"(?:\?(?:[^,?#]+(?:,[^,?#]+)*)?(?:\?(?i:base|one|sub)?(?:\?[^?#]*(?:\?[^?#]+)?)?)?)?"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for invalid parts of the query, and for a userinfo or fragment."""
    document = LDAP.document(grammar)
    if url.authority is None:
        start = len(url.scheme or "")
        yield Fault("authority", start, start + 1, '"//" is missing after the colon', document)
        return
    for component in ("userinfo", "fragment"):
        span = url.span(component)
        if span is not None:
            yield Fault(component, *span, f"an LDAP URL cannot have a {component}", document)
    span = url.span("query")
    if span is None:
        return
    if not url.path:
        yield Fault("dn", span[0] - 1, span[0], '"/" is missing between the host and "?"', document, "/?")
    parts = (url.query or "").split("?")
    if parts[0] and "" in parts[0].split(","):
        yield Fault("attributes", span[0], span[0] + len(parts[0]), "attribute name is empty", document)
    if len(parts) > 1 and parts[1] and parts[1].lower() not in _SCOPES:
        start = span[0] + len(parts[0]) + 1
        yield Fault("scope", start, start + len(parts[1]), "scope must be base, one or sub", document)
    if len(parts) > 4:
        start = span[0] + sum(map(len, parts[:4])) + 3
        yield Fault("extensions", start, start + 1, 'too many "?"; the query has four parts at most', document, "%3F")
    elif len(parts) == 4 and not parts[3]:
        yield Fault("extensions", span[1] - 1, span[1], 'extensions after the last "?" are missing', document)


LDAP = Scheme(
    name="ldap",
    title="an entry or a search of an LDAP directory",
    documents={"rfc3986": "RFC 4516 section 2"},
    patterns={"rfc3986": f"//[^/?#@]*+(?:/[^?#]*{_PARTS})?"},
    parse=parse,
    faults=faults,
    examples=("ldap://h.example/c=GB?objectClass?one", "ldap:///o=University%20of%20Michigan,c=US"),
)
# Registered because it is in use; no document describes it.
LDAPS = LDAP._replace(name="ldaps", examples=("ldaps://h.example/c=GB",))
