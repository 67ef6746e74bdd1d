"""U401 invalid-for-scheme: report what a grammar rejects unless another rule reports it."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Spec, is_secret, name_characters, url_rule
from urlscan.rules.extent import mark_before_scheme
from urlscan.rules.hosts import SLASHED, has_authority
from urlscan.uri.grammar.characters import BAD_PERCENT, CHARACTERS, UCSCHAR, UNSAFE, WRONG_ANYWHERE
from urlscan.uri.grammar.generic import HOST_1630, HOST_1738, IP_LITERAL, REG_NAME
from urlscan.uri.schemes import HIERARCHICAL, NEEDS_HOST, NO_USERINFO, REGISTRY, accepts, pattern, scheme
from urlscan.uri.schemes.base import find_faults, stray
from urlscan.uri.url import COMPONENTS, Url

_OLD = ("rfc1738", "rfc1630")
# Words in capitals name what belongs there.
# Matches: `wss://YOUR-ID:YOUR_SECRET@`
# Does not match: `wss://JO:s3cret@`
_PLACEHOLDERS = lazy(r"[a-z]+://[A-Z:_-]+@")
# Matches: `?to=`, `&to=`, `;to=`
# Does not match: `to=`, `?to=a`
_PARAMETER = lazy(r"[?&;][\w.-]{1,40}=\Z")
# Faults that U1xx and U201 report, whether or not they are on. A component with such a fault is left to them.
_BY_GRAMMAR = {
    "rfc1738": WRONG_ANYWHERE + "|~",
    # RFC 1630's "extra" includes the quotation mark.
    "rfc1630": rf"[{re.escape(UNSAFE.replace(chr(34), ''))}]|[^!-~]|{BAD_PERCENT}|~",
    "rfc3987": rf"[{re.escape(UNSAFE)}]|[^!-~{UCSCHAR}]|{BAD_PERCENT}",
}
_HOSTS = {
    "rfc3986": rf"{IP_LITERAL}|{REG_NAME}",
    "rfc3987": rf"{IP_LITERAL}|[^\[\]:/?#@]*",
    "rfc2396": r"[^\[\]]*",
    "rfc1738": HOST_1738,
    "rfc1630": HOST_1630,
}


# Delimiters that are wrong in a component, and that U101, U106 and U107 report.
_DELIMITERS = {"path": r"|[\[\]]", "query": r"|[\[\]]", "fragment": r"|[\[\]#]"}


def _keep_destination(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem; None for a mailto URL in a query, and for a file URL that is no destination.

    A value of a query ends at "&", and its own delimiters are escaped. The program that reads a file URL decides. A
    name such as `a::b` is an item of a program, which rustdoc and other generators link.
    """
    if occurrence.url.find("::") == occurrence.url.find(":"):
        return None
    before = document.text[max(occurrence.start - 80, 0) : occurrence.start]
    if occurrence.scheme == "mailto" and _PARAMETER.search(before) is not None:
        return None
    if problem.component == "userinfo" and _PLACEHOLDERS.match(occurrence.url) is not None:
        return None
    if occurrence.url.lower().startswith(("sip://", "sips://")) and occurrence.context not in DESTINATIONS:
        return problem._replace(severity=Severity.INFO)  # programs document and read this form
    if occurrence.scheme == "file" and occurrence.context != "link" and occurrence.style != "wrapper":
        return None
    return problem


def _is_reported_elsewhere(url: Url, spec: Spec) -> bool:
    """Return whether another rule reports a fault: in characters, escapes, host, port or authority."""
    grammar = spec.grammar
    if grammar == "rfc1738" and url.fragment is not None:
        return True
    for component, span in url.spans.items():
        wrong = _BY_GRAMMAR.get(grammar, WRONG_ANYWHERE) + _DELIMITERS.get(component, "")
        if re.search(wrong, url.text[slice(*span)]):
            return True
    return _is_authority_reported_elsewhere(url, grammar)


def _is_authority_reported_elsewhere(url: Url, grammar: str) -> bool:
    """Return whether U402, U403, U404, U406 or U407 reports the authority or its absence."""
    name = (url.scheme or "").lower()
    if not url.host and name in NEEDS_HOST and grammar != "rfc2396":
        return url.authority is not None or name in SLASHED
    if not has_authority(url):
        return False
    if grammar == "rfc1630" and pattern(name, grammar, "uri") is None:
        return False  # a path that begins with "//"
    if url.host and re.fullmatch(_HOSTS[grammar], url.host) is None:
        return True
    if url.port is not None and grammar != "rfc2396" and re.fullmatch("[0-9]*", url.port) is None:
        return True
    return grammar in _OLD and (url.port == "" or (url.userinfo is not None and grammar in NO_USERINFO.get(name, ())))


def _authority(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield problems with the "//" of schemes that the host rules do not cover."""
    name, grammar = (url.scheme or "").lower(), spec.grammar
    is_known = pattern(name, _grammar_of_schemes(spec), spec.kind) is not None
    colon = len(url.scheme or "")
    if url.authority is None:
        if is_known and grammar != "rfc2396" and name in HIERARCHICAL - SLASHED - {"file", "ldap", "ldaps"}:
            where = (min(colon, len(url.text) - 1), colon + 1)
            message = f'"//" is missing after "{name}:"'
            yield invalid_for_scheme.problem(
                message, "authority", where, section=spec.section("authority"), suggestion="://"
            )
        return
    if is_known or (url.scheme is None and grammar not in _OLD):
        return
    start = 0
    if url.scheme is not None:
        start = colon + 1
    if not url.host and grammar in _OLD and name not in NEEDS_HOST:
        message = 'host is missing after "//"'
        yield invalid_for_scheme.problem(message, "host", (start, start + 2), section=spec.section("authority"))
    elif not has_authority(url) and not accepts(url.text, spec.profile, spec.kind):
        message = f'text after "//" is not a host; {name} URLs have none'
        yield invalid_for_scheme.problem(message, "authority", (start, start + 2), section=spec.section("authority"))


# --- the scheme's own grammar


def _grammar_of_schemes(spec: Spec) -> str:
    """Return the grammar that the patterns of schemes belong to: today's, unless the specification has its own."""
    return spec.grammar.replace("rfc3987", "rfc3986")


def _own(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield problems by the grammar of the scheme."""
    name = (url.scheme or "").lower()
    grammar = _grammar_of_schemes(spec)
    if name not in REGISTRY or grammar == "rfc2396":
        return
    expression, definition = pattern(name, grammar, spec.kind), scheme(name)
    if definition is None or expression is None or expression.fullmatch(url.text):
        return
    if url.authority is None and name in NEEDS_HOST and not (grammar == "rfc1630" and name == "nntp"):
        return  # reported by U406 or U407
    for fault in definition.faults(url, grammar):
        # A missing part has no characters: report the character before or after its place.
        start = min(fault.start, len(url.text) - 1)
        yield invalid_for_scheme.problem(
            fault.message,
            _component(url, start),
            (start, max(start + 1, min(fault.end, len(url.text)))),
            section=fault.section,
            suggestion=fault.suggestion,
        )


def _component(url: Url, position: int) -> str:
    """Return the component of the generic syntax that contains a position."""
    for component in COMPONENTS:
        span = url.span(component)
        # Include the delimiter before it, such as the "?" of a query that is not allowed.
        if span is not None and span[0] - (component in ("query", "fragment")) <= position < span[1]:
            return component
    return "path"


# --- the generic syntax


def _scheme(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    # RFC 1738 section 5:    scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]
    # RFC 1630:              scheme = ialpha
    section = spec.section("scheme")
    if url.scheme is None:
        if url.path.startswith(":") and url.authority is None:
            yield invalid_for_scheme.problem('scheme before ":" is empty', "scheme", (0, 1), section=section)
        elif spec.grammar == "rfc1738" or not spec.kind.endswith("reference"):
            yield invalid_for_scheme.problem("scheme is missing", "scheme", (0, min(1, len(url.text))), section=section)
        return
    if mark_before_scheme(url):
        mark = name_characters(url, (0, 1))
        message = f"{mark} before the URL is read as a part of it; remove the brackets or quotation marks"
        yield invalid_for_scheme.problem(message, "scheme", (0, len(url.text)), section=section)
        return
    if re.search(WRONG_ANYWHERE, url.scheme):
        return
    allowed = CHARACTERS[_grammar_of_schemes(spec)]["scheme"]
    if spec.grammar == "rfc1630":
        allowed += "%"
    wrong = next((position for position, character in enumerate(url.scheme) if character not in allowed), None)
    if wrong is not None:
        character = name_characters(url, (wrong, wrong + 1))
        message = f'{character} is not allowed in a scheme; use letters, digits, "+", "-" and "."'
        yield invalid_for_scheme.problem(message, "scheme", (wrong, wrong + 1), section=section)
    elif spec.grammar != "rfc1738" and not url.scheme[0].isalpha():
        message = f"{name_characters(url, (0, 1))}: a scheme must begin with a letter"
        yield invalid_for_scheme.problem(message, "scheme", (0, 1), section=section)


def _userinfo(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 3.2.1:  userinfo = *( unreserved / pct-encoded / sub-delims / ":" )
    # RFC 1738 section 3.1:    'Within the user and password field, any ":", "@", or "/" must be encoded.'
    # RFC 1630:                user = alphanum2 [ user ];  password = alphanum2 [ password ]
    # RFC 2396 section 3.2.1:  a reg_name allows what a userinfo does not.
    span, grammar = url.span("userinfo"), spec.grammar
    if span is None or re.search(_BY_GRAMMAR.get(grammar, WRONG_ANYWHERE), url.userinfo or ""):
        return
    if grammar in NO_USERINFO.get((url.scheme or "").lower(), ()) and grammar in _OLD:
        return  # reported by U302
    if grammar == "rfc1630" and "" in (url.user, url.password):
        what = "password"
        if url.user == "":
            what = "user name"
        where = (span[0], span[1] + 1)
        yield invalid_for_scheme.problem(
            f'{what} before "@" is empty', "userinfo", where, section=spec.section("userinfo")
        )
        return
    allowed = {
        "rfc2396": CHARACTERS["rfc2396"]["reg_name"] + "%",
        "rfc1738": CHARACTERS["rfc1738"]["password"] + "%~",
        "rfc1630": CHARACTERS["rfc1630"]["alphanum2"] + "~",
    }.get(grammar, CHARACTERS["rfc3986"]["userinfo"] + "%")
    colons = 0
    for position in range(*span):
        character = url.text[position]
        colons += character == ":"
        if character in allowed or not character.isascii() or (character == ":" and colons == 1):
            continue
        yield _in_userinfo(url, spec, position)
        return


def _in_userinfo(url: Url, spec: Spec, position: int) -> Problem:
    character, escape = url.text[position], ""
    if spec.grammar == "rfc1630":
        message = 'only letters, digits, "-", "_", "." and "+" are allowed in a user name or password'
    else:
        message = f'"{character}" in the userinfo must be escaped as %{ord(character):02X}'
        if not is_secret(url, (position, position + 1)):
            escape = f"%{ord(character):02X}"
        elif character in "[]":
            message = "bracket in the userinfo must be escaped"
    return invalid_for_scheme.problem(
        message, "userinfo", (position, position + 1), section=spec.section("userinfo"), suggestion=escape
    )


def _rest(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield problems with delimiters in the path and query of an unknown scheme."""
    name, grammar = (url.scheme or "").lower(), spec.grammar
    if pattern(name, _grammar_of_schemes(spec), spec.kind) is not None:
        return
    if grammar == "rfc1738" and url.authority is not None and url.query is not None and not url.path:
        # RFC 1738 section 5:  ip-schemepart = "//" login [ "/" urlpath ]
        before = len(url.text) - len(url.text.split("?", 1)[1]) - 1
        message = '"/" is missing between the host and "?"'
        yield invalid_for_scheme.problem(message, "query", (before, before + 1), section="RFC 1738 section 5")
    if grammar == "rfc1630":
        query = url.span("query")
        if query is not None and query[0] == query[1]:
            where = (query[0] - 1, query[0])
            yield invalid_for_scheme.problem('query after "?" is empty', "query", where, section=spec.section("query"))
        for component, more in (("authority", ":"), ("path", "/"), ("query", "")):
            yield from _stray(url, spec, component, CHARACTERS["rfc1630"]["xpalpha"] + more)
    if grammar == "rfc2396" and url.scheme is not None and url.authority is None and not url.path + (url.query or ""):
        # RFC 2396 section 3:  absoluteURI = scheme ":" ( hier_part | opaque_part )
        where = (len(url.scheme), len(url.scheme) + 1)
        yield invalid_for_scheme.problem("nothing follows the scheme", "path", where, section="RFC 2396 section 3")


def _fragment(url: Url, spec: Spec) -> Iterator[Problem]:
    # RFC 3986 section 4.3:  absolute-URI = scheme ":" hier-part [ "?" query ]
    # RFC 2396 section 4:    "the fragment identifier is not part of a URI"
    span = url.span("fragment")
    if span is None or spec.grammar == "rfc1738":
        return
    if spec.kind == "absolute-uri" or (spec.grammar == "rfc2396" and spec.kind in ("uri", "iri")):
        subject = {"uri": "a URI", "iri": "an iri"}.get(spec.kind, "an absolute-URI")
        message = f"{subject} cannot have a fragment"
        yield invalid_for_scheme.problem(message, "fragment", (span[0] - 1, span[1]), section=spec.section("absolute"))
    if spec.grammar == "rfc1630":
        yield from _stray(url, spec, "fragment", CHARACTERS["rfc1630"]["xpalpha"])


def _stray(url: Url, spec: Spec, component: str, allowed: str) -> Iterator[Problem]:
    """Yield problems with delimiters in a component that are not in `allowed`."""
    span = url.span(component) or (0, 0)
    mistakes, text = (stray("", component, allowed),), url.text[slice(*span)]
    for fault in find_faults("", mistakes, text, span[0], spec.section(component)):
        where = (fault.start, fault.end)
        yield invalid_for_scheme.problem(
            fault.message, component, where, section=fault.section, suggestion=fault.suggestion
        )


@url_rule(
    "U401",
    Severity.ERROR,
    bad=(
        "See <ftp://h.example/a;type=q>.",
        "See <news:12a@13b@h.example>.",
        "See <nntp://h.example/comp.lang.c/12a>.",
        "See <mailto:jo@h.example@g.example>.",
        "See <telnet://h.example/login>.",
        "See <wais://h.example/db/TEXT>.",
        "See <http://jo@h.org@g.example/>.",
        Example("See <http://h.example/find?a/b>.", "rfc1738"),
    ),
    good=[
        "See <ftp://h.example/a;type=i>.",
        "See <news:comp.lang.c>.",
        "See <nntp://h.example/comp.lang.c/12>.",
        "See <mailto:jo%40h.example>.",
        "See <telnet://h.example/>.",
        "See <wais://h.example/db/TEXT/1=a;2=b;>.",
        "See <ftp://jo%40h.example@g.example/>.",
        "See <http://[2001:db8::2]/>.",
        "Python's logging has <cfg://handlers.email[subject]>.",
    ],
    skips_unknown_schemes=True,
    refine=_keep_destination,
    defers_to_faults=("look-alike",),
)
def invalid_for_scheme(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL does not match the grammar of its scheme.

    Each scheme defines the form of its URLs (RFC 1738 section 3 and the documents that replaced its sections). RFC 3986
    appendix A defines the generic form. Programs disagree about URLs that do not match, and some of these disagreements
    are security holes. The message names the part and the document. Characters and escapes have their own rules (U101
    to U201), and so do host and port (U402 and U403). Brackets or quotation marks around a destination in markup become
    a part of it; in text, as in `<(http://h.example)>`, they delimit the URL, and nothing is wrong.

    When to ignore: Where the text shows invalid URLs on purpose.
    """
    # Search for wrong characters first: many URLs that are checked here contain one, and no grammar accepts it.
    wrong = _BY_GRAMMAR.get(spec.grammar, WRONG_ANYWHERE)
    if re.search(wrong, url.text) is None and accepts(url.text, spec.profile, spec.kind):
        return
    reported = _is_reported_elsewhere(url, spec)
    severity = Severity.ERROR
    # Programs interpret file URLs in their own ways, and maintainers do not act on the finding.
    if (url.scheme or "").lower() == "file":
        severity = Severity.INFO
        if "\\" in url.text:
            return  # U101 says how a path of Windows is written
    for part in (_scheme, _userinfo, _authority, _own, _rest, _fragment):
        for problem in part(url, spec):
            reported = True
            yield problem._replace(severity=severity)
    if not reported and not accepts(url.text, spec.profile, spec.kind):
        name = (url.scheme or "").lower()
        what, section = spec.kind.replace("uri", "URI").replace("iri", "IRI"), spec.section("grammar")
        if pattern(name, _grammar_of_schemes(spec), spec.kind) and (definition := scheme(name)):
            what, section = f"{name} URL", definition.document(spec.grammar)
        problem = invalid_for_scheme.problem(
            f"not a valid {what} by {section}", "", (0, len(url.text)), section=section
        )
        yield problem._replace(severity=severity)
