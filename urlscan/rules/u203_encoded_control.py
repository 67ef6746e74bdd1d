"""U203 encoded-control."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, is_secret, quote
from urlscan.uri.url import Url

# RFC 2396 section 2.4.3:  control = <US-ASCII coded characters 00-1F and 7F hexadecimal>
_CONTROL = "%(?:[01][0-9A-Fa-f]|7[Ff])"
_CONTROLS = re.compile(f"(?:{_CONTROL})+")
_NAMES = {"00": "NUL", "09": "TAB", "0A": "LF", "0D": "CR", "1B": "ESC", "7F": "DEL"}

# Protocols whose commands are lines: a line end in a name begins another command.
_COMMANDS = frozenset(("ftp", "telnet", "gopher"))
# Schemes whose path is the resource itself, which may contain any octet.
_DATA = frozenset(("data", "javascript"))

# RFC 1738 section 3.4.9, the gopher+ string of a form that is filled in:
#   +%091%0D%0A+-1%0D%0A<ask_item1_value>%0D%0A<ask_item2_value>%0D%0A.%0D%0A
_END = "%0[Dd]%0[Aa]"
_ASK = lazy(rf"\+%091{_END}\+-1{_END}(?:(?:[^%]|(?!{_CONTROL})%)*{_END})*?\.{_END}")
# RFC 6068 section 5:  "line breaks in the body of a message MUST be encoded with "%0D%0A""
_BODY = lazy(r"(?:\A|[&;?])body=([^&]*)", re.IGNORECASE)
_IN_BODY = lazy(f"{_END}|%09")
# RFC 5092 section 5, a search of imap:  "quoted strings and non-synchronizing literals are allowed in the
#   <enc-search> content" - "{14+}" and a line end before 14 octets.
_LITERAL = lazy(rf"(?:\{{|%7[Bb])[0-9]{{1,10}}\+(?:\}}|%7[Dd])({_END})")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of escaped control characters."""
    scheme = (url.scheme or "").lower()
    if scheme in _DATA:
        return
    legal: set[int] | None = None
    for component, sequence in find_in_components(url, _CONTROLS):
        if legal is None:
            legal = _legal(url, scheme, spec)
        for span in _without(sequence, legal):
            found = RULE.problem(
                f"escaped control character {in_component(component)}: {quote(url, span)}{_which(url, span)}",
                component,
                span,
                section=spec.section("controls"),
                syntax=False,
            )
            yield found._replace(severity=Severity.ERROR) if scheme in _COMMANDS else found


def _which(url: Url, span: tuple[int, int]) -> str:
    if is_secret(url, span):
        return ""
    octets = dict.fromkeys(url.text[at + 1 : at + 3].upper() for at in range(*span, 3))
    names = [_NAMES[octet] for octet in octets if octet in _NAMES]
    return f" ({', '.join(names)})" if names else ""


def _without(sequence: tuple[int, int], legal: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sequence of escapes that contain no legal escape."""
    start: int | None = None
    for at in range(*sequence, 3):
        if at not in legal:
            start = at if start is None else start
        elif start is not None:
            yield start, at
            start = None
    if start is not None:
        yield start, sequence[1]


def _legal(url: Url, scheme: str, spec: Spec) -> set[int]:
    """Return the positions of escapes that the scheme itself requires."""
    query_end = len(url.text) if url.fragment is None else len(url.text) - len(url.fragment) - 1
    path = url.span("path") or (0, 0)
    if scheme == "gopher":
        return _legal_in_gopher(url.text, path[0], query_end)
    if scheme == "mailto" and url.query is not None:
        start = query_end - len(url.query)
        bodies = [match.span(1) for match in _BODY.finditer(url.query)]
        return {
            at
            for first, last in bodies
            for match in _IN_BODY.finditer(url.text, start + first, start + last)
            for at in range(*match.span(), 3)
        }
    if scheme == "imap" and url.query is not None:
        literals = _LITERAL.finditer(url.text, query_end - len(url.query), query_end)
        return {at for match in literals for at in range(*match.span(1), 3)}
    if scheme == "prospero" and spec.profile == "rfc1630":
        # RFC 1630, Prospero: the version number "is separated from the host specific object name by the
        #   characters "%00""
        return {url.text.find("%00", *path)}
    return set()


def _legal_in_gopher(text: str, start: int, end: int) -> set[int]:
    # RFC 1738 section 3.4, RFC 4266 section 2:  <gophertype><selector>%09<search>%09<gopher+_string>
    tabs = [match.start() for match in re.finditer("%09", text[start:end])][:2]
    legal = {start + at for at in tabs}
    if len(tabs) == 2 and _ASK.fullmatch(text, start + tabs[1] + 3, end):
        controls = re.finditer(_CONTROL, text[start + tabs[1] :])
        legal.update(start + tabs[1] + match.start() for match in controls)
    return legal


RULE = Rule(
    code="U203",
    name="encoded-control",
    severity=Severity.INFO,
    summary="URL contains an escaped control character",
    why=(
        "RFC 1738 section 6: encoded delimiters of a protocol, such as CR and LF for telnet, must not be decoded"
        " before transmission, because they could simulate an extra operation. RFC 3986 section 7.3: %00 should be"
        " rejected where raw data is not expected. The severity is error in ftp, telnet and gopher, whose commands"
        " are lines. The rule accepts tabs and forms of gopher (RFC 1738 section 3.4), bodies of mailto URLs (RFC"
        " 6068 section 5), literals of imap searches (RFC 5092) and data URLs."
    ),
    when_to_ignore="Where a form sends text of several lines in its query.",
    bad=(
        Example("See <ftp://h.example/a%0D%0ADELE%20b>."),
        Example("See <http://h.example/a%00.html>."),
    ),
    good=(
        Example("See <gopher://h.example/7/find%09mill>."),
        Example("See <mailto:jo@h.example?body=one%0D%0Atwo>."),
        Example("See <http://h.example/a%20b>."),
    ),
    check=check,
    skips_templates=True,
    contexts=DESTINATIONS,
)
