"""U504 insecure-scheme."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.rules.hosts import is_example, is_internal
from urlscan.uri.url import Url

# RFC 9110 section 4.2.2, RFC 6455 section 3.
_SECURE = {"http": "https", "ws": "wss"}
# URLs that are names of XML namespaces, schemas and document types. Changing one changes the name.
# Matches: `http://www.w3.org/1999/`, `http://purl.org/`, `http://mill.org/plan.dtd`
# Does not match: `http://www.w3.org/TR/xml/`, `http://maven.apache.org/guides/`, `http://mill.org/schemas.html`
_IDENTIFIER = lazy(
    r"""http://
    (?: www\.w3\.org/ (?: (?:19|20)[0-9]{2}/ | ns/ | XML/1998/namespace | Graphics/SVG/ | Math/DTD/ )
      | (?: schemas\. | ns\. | xmlns\. )[^/]+/
      | (?: (?:www\.)?purl\.org | xmlns\.com | ogp\.me | (?:www\.)?schema\.org | www\.opengis\.net ) (?: [/\#] | \Z )
      | (?: java\.sun\.com/ (?: xml/ns | dtd | JSP ) | maven\.apache\.org/ [A-Z]+/ [0-9.]+ | json-schema\.org/draft-
          | docbook\.org/ns/ | relaxng\.org/ns/ | www\.springframework\.org/schema/ | www\.sitemaps\.org/schemas/
          | www\.topografix\.com/GPX/ | a9\.com/-/spec/ | search\.yahoo\.com/mrss | www\.itunes\.com/dtds/
          | www\.apple\.com/DTDs/ | (?: www | earth )\.google\.com/kml/ | www\.inkscape\.org/namespaces/
          | sodipodi\.sourceforge\.net/DTD/ | creativecommons\.org/ns | web\.resource\.org/cc/
          | docs\.oasis-open\.org/ns/ | www\.oasis-open\.org/docbook/ )
      | [^?\#\s]* \. (?: dtd | xsd ) \Z
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme that has a secure counterpart."""
    scheme, host = (url.scheme or "").lower(), url.host or ""
    if scheme not in _SECURE or not host or is_internal(host) or is_example(host):
        return
    if spec.allows_insecure(host) or _IDENTIFIER.match(url.text) or is_secret(url, (0, len(scheme))):
        return
    yield RULE.problem(
        f"{scheme} sends everything unencrypted; write {_SECURE[scheme]}",
        "scheme",
        (0, len(scheme)),
        section="RFC 9110 section 4.2.2" if scheme == "http" else "RFC 6455 section 11.1.2",
        suggestion=_SECURE[scheme] if _changes_scheme_only(url) else "",
        syntax=False,
    )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the secure scheme, unless a port is given, which belongs to the insecure one."""
    if not _changes_scheme_only(url):
        return None
    return Fix("unsafe", (Edit(problem.start, problem.end, _SECURE[url.text[problem.start : problem.end].lower()]),))


def _changes_scheme_only(url: Url) -> bool:
    return not url.port


RULE = Rule(
    code="U504",
    name="insecure-scheme",
    severity=Severity.WARNING,
    summary="URL of http or ws, although https or wss is wanted",
    why=(
        "RFC 9110 section 17.1 and RFC 6455 section 10.6: anyone on the way can read and change what http and ws"
        " transfer. The rule is a policy: enable it where every link should be secure. It does not report local hosts"
        " and private addresses (see U505), example domains (RFC 2606), documentation addresses (RFC 5737, RFC 3849),"
        " and URLs that are names, which must not change: XML namespaces, schemas, document types."
    ),
    when_to_ignore="For servers that offer no https: name them in `insecure-hosts`.",
    bad=(Example("See <http://mill.org/plan>."), Example("See <ws://mill.org:8080/live>.")),
    good=(
        Example("See <https://mill.org/plan>."),
        Example("See <http://localhost:8000/>, <http://mill.example/> and <http://192.168.0.1/>."),
        Example('<svg xmlns:x="http://www.w3.org/1999/xlink"/> names "http://www.w3.org/2000/svg".', path="a.md"),
    ),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes the secure scheme, unless the URL has a port. Whether the server offers it is not tried.",
    checks_plain=True,
    skips_templates=True,
    options=("insecure-hosts",),
    contexts=ADDRESSES,
)
