"""Judge percent escapes (U201, U203 to U206)."""

import functools
import itertools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Spec, find_in_components, is_secret, quote, replacement, url_rule
from urlscan.rules.extent import keep_if_delimited
from urlscan.uri.grammar.characters import ALPHA, BAD_PERCENT, CHARACTERS, DIGIT, ESCAPE
from urlscan.uri.url import Url

# --- U201 bad-escape

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
# Include the two characters that should have been digits. A "%" among them may begin a valid escape.
_BAD = lazy(rf"(?:{BAD_PERCENT})+[^%]{{0,2}}")


@url_rule(
    "U201",
    Severity.ERROR,
    bad=["See <http://h.example/100%>.", "See <http://h.example/EMP?name%%3Ddobbins>."],
    good=[
        "See <http://h.example/100%25>.",
        'get("http://h.example/%s")',
        "Broken at a line end, U607: http://h.example/a%2\n0b.",
    ],
    defers_to_faults=("break-in-escape",),
    defers_to=("U102",),
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
def bad_escape(url: Url, spec: Spec) -> Iterator[Problem]:
    """Percent sign does not begin a valid escape.

    RFC 1738 section 2.2 and RFC 3986 section 2.1: "%" begins an escape and has no other use. The character itself is
    written as %25. Servers answer such a request with status 400, or read the URL in different ways.

    When to ignore: Where the program that reads the URL accepts it, as browsers do in fragments.
    Fix: Writes %25 (unsafe: a digit may have been lost instead).
    """
    for component, span in find_in_components(url, _BAD):
        message = f'invalid escape {quote(url, span)} in the {component}; write "%" as %25'
        text = url.text[slice(*span)]
        # U702 removes the invisible characters, a few of them, that divide an escape.
        visible = "".join(filter(str.isprintable, url.text[span[0] : span[1] + 8]))
        is_divided = not text.isprintable() and re.match(ESCAPE, visible) is not None
        percents = (position for position in range(*span) if url.text[position] == "%")
        edits = (Edit(position, position + 1, "%25") for position in percents)
        yield bad_escape.problem(
            message,
            component,
            span,
            section=spec.section("escapes"),
            suggestion="%25",
            fix=None if is_divided else Fix("unsafe", tuple(edits)),  # a digit may have been lost instead
        )


# --- U203 encoded-control

# RFC 2396 section 2.4.3:  control = <US-ASCII coded characters 00-1F and 7F hexadecimal>
_CONTROL = "%(?:[01][0-9A-Fa-f]|7[Ff])"
_CONTROLS = lazy(f"(?:{_CONTROL})+")
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


def _which(url: Url, span: tuple[int, int]) -> str:
    if is_secret(url, span):
        return ""
    octets = dict.fromkeys(url.text[position + 1 : position + 3].upper() for position in range(*span, 3))
    names = [_NAMES[octet] for octet in octets if octet in _NAMES]
    if not names:
        return ""
    return f" ({', '.join(names)})"


def _without(sequence: tuple[int, int], legal: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sequence of escapes that contain no legal escape."""
    for is_legal, positions in itertools.groupby(range(*sequence, 3), legal.__contains__):
        if not is_legal:
            escapes = list(positions)
            yield escapes[0], escapes[-1] + 3


def _legal(url: Url, scheme: str, spec: Spec) -> set[int]:
    """Return the positions of escapes that the scheme itself requires."""
    query_end = len(url.text)
    if url.fragment is not None:
        query_end -= len(url.fragment) + 1
    path = url.span("path") or (0, 0)
    if scheme == "gopher":
        return _legal_in_gopher(url.text, path[0], query_end)
    if scheme == "mailto" and url.query is not None:
        start = query_end - len(url.query)
        bodies = [match.span(1) for match in _BODY.finditer(url.query)]
        return {
            position
            for first, last in bodies
            for match in _IN_BODY.finditer(url.text, start + first, start + last)
            for position in range(*match.span(), 3)
        }
    if scheme == "imap" and url.query is not None:
        literals = _LITERAL.finditer(url.text, query_end - len(url.query), query_end)
        return {position for match in literals for position in range(*match.span(1), 3)}
    if scheme == "prospero" and spec.profile == "rfc1630":
        # RFC 1630, Prospero: the version number "is separated from the host specific object name by the
        #   characters "%00""
        return {url.text.find("%00", *path)}
    return set()


def _legal_in_gopher(text: str, start: int, end: int) -> set[int]:
    # RFC 1738 section 3.4, RFC 4266 section 2:  <gophertype><selector>%09<search>%09<gopher+_string>
    tabs = [start + match.start() for match in re.finditer("%09", text[start:end])][:2]
    legal = set(tabs)
    if len(tabs) == 2 and _ASK.fullmatch(text, tabs[1] + 3, end):
        legal.update(tabs[1] + match.start() for match in re.finditer(_CONTROL, text[tabs[1] :]))
    return legal


@url_rule(
    "U203",
    Severity.INFO,
    bad=["See <ftp://h.example/a%0D%0ADELE%20b>.", "See <http://h.example/a%00.html>."],
    good=[
        "See <gopher://h.example/7/find%09mill>.",
        "See <mailto:jo@h.example?body=one%0D%0Atwo>.",
        "See <http://h.example/a%20b>.",
    ],
    contexts=DESTINATIONS,
)
def encoded_control(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains an escaped control character.

    RFC 1738 section 6: encoded delimiters of a protocol, such as CR and LF for telnet, must not be decoded before
    transmission, because they could simulate an extra operation. RFC 3986 section 7.3: %00 should be rejected where raw
    data is not expected. The severity is error in ftp, telnet and gopher, whose commands are lines. The rule accepts
    tabs and forms of gopher (RFC 1738 section 3.4), bodies of mailto URLs (RFC 6068 section 5), literals of imap
    searches (RFC 5092) and data URLs.

    When to ignore: Where a form sends text of several lines in its query.
    """
    scheme = (url.scheme or "").lower()
    if scheme in _DATA:
        return
    legal = _legal(url, scheme, spec)
    for component, sequence in find_in_components(url, _CONTROLS):
        for span in _without(sequence, legal):
            message = f"escaped control character in the {component}: {quote(url, span)}{_which(url, span)}"
            yield encoded_control.problem(
                message,
                component,
                span,
                section=spec.section("controls"),
                syntax=False,
                severity=Severity.ERROR if scheme in _COMMANDS else None,
            )


# --- U204 not-utf-8-escape

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
_ESCAPES = lazy(f"(?:{ESCAPE})+")
# surrogateescape decodes an octet that is not UTF-8 to one of these.
_STRAY = lazy("[\udc80-\udcff]+")


def _stray(octets: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sequence of octets that is not UTF-8."""
    text = octets.decode("utf-8", "surrogateescape")
    position = consumed = 0
    for match in _STRAY.finditer(text):
        # A valid character may take several octets; each stray octet is one character.
        position += len(text[consumed : match.start()].encode())
        yield position, position + len(match[0])
        position += len(match[0])
        consumed = match.end()


@url_rule(
    "U204",
    Severity.INFO,
    bad=["See <http://h.example/M%FChle>."],
    good=["See <http://h.example/M%C3%BChle>.", "See <http://h.example/a%20b>."],
    contexts=DESTINATIONS,
)
def not_utf_8_escape(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Escaped octets are not valid UTF-8.

    RFC 3986 section 2.5: characters are escaped as their octets in UTF-8, unless the scheme says otherwise. Section
    3.2.2 requires this of hosts. Other octets cannot be shown as text, and RFC 3987 section 3.2 leaves them escaped.

    When to ignore: Where the server uses Latin-1 or another charset for its names, or octets that are not text.
    """
    if (url.scheme or "").lower() == "data":  # the octets are the resource itself
        return
    for component, sequence in find_in_components(url, _ESCAPES):
        escapes = url.text[slice(*sequence)]
        for first, last in _stray(bytes.fromhex(escapes.replace("%", ""))):
            span = sequence[0] + 3 * first, sequence[0] + 3 * last
            message = f"{quote(url, span)} in the {component} is not valid UTF-8"
            yield not_utf_8_escape.problem(message, component, span, section="RFC 3986 section 2.5", syntax=False)


# --- U205 lowercase-hex

# RFC 3986 section 6.2.2.1:  "the hexadecimal digits within a percent-encoding triplet (e.g., "%3a" versus
#   "%3A") are case-insensitive and therefore should be normalized to use uppercase letters"
_LOWER = lazy("(?:%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f]))+")


@url_rule(
    "U205",
    Severity.INFO,
    bad=["See <http://h.example/a%2fb>."],
    good=["See <http://h.example/a%2Fb>.", "See <http://h.example/a%20b>."],
    contexts=DESTINATIONS,
)
def lowercase_hex(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Escape has lowercase hexadecimal digits.

    RFC 3986 section 2.1: uppercase and lowercase digits are equivalent, and programs should write uppercase for
    consistency. Programs that compare URLs as strings treat the two forms as different (section 6.2.2.1).

    When to ignore: Where URLs are not compared as strings.
    Fix: Writes the digits in uppercase.
    """
    for component, span in find_in_components(url, _LOWER):
        if not is_secret(url, span):  # the message would mask it, but a fix would reveal it
            escapes = url.text[slice(*span)].upper()
            yield lowercase_hex.problem(
                f"escape with lowercase digits in the {component}: {quote(url, span)}; write uppercase digits",
                component,
                span,
                section="RFC 3986 section 6.2.2.1",
                suggestion=escapes,
                syntax=False,
                fix=replacement("safe", span, escapes),
            )


# --- U206 needless-escape

_DOTS = lazy(r"(?:\A|(?<=/))(?:\.|%2[Ee]){1,2}(?=/|\Z)")
_COMPONENTS = ("userinfo", "host", "path", "query", "fragment")


@functools.cache
def _pattern(grammar: str) -> re.Pattern[str]:
    # "+" and "*" of RFC 1738 are excluded: forms write "+" for a space, and "news:*" means all groups. RFC 1630 has no
    # such production; its "safe" includes "@" and "&", which later schemes reserve.
    unreserved = ALPHA + DIGIT + "-_."
    if grammar != "rfc1630":
        unreserved = CHARACTERS[grammar.replace("rfc3987", "rfc3986")]["unreserved"]
    escapes = "|".join(f"{ord(character):02X}" for character in unreserved if character not in "+*")
    return re.compile(f"(?:%(?i:{escapes}))+")


@url_rule(
    "U206",
    Severity.INFO,
    bad=["See <http://h.example/%7Ejo/%6Dill>."],
    good=["See <http://h.example/~jo/a%20b>.", "See <http://h.example/a%2Fb>."],
    contexts=DESTINATIONS,
)
def needless_escape(url: Url, spec: Spec) -> Iterator[Problem]:
    """Escape of a character that needs no escape.

    RFC 3986 sections 2.3 and 6.2.2.2: an escaped unreserved character is equivalent to the character itself and should
    not be created. Such escapes hide the meaning of a URL, and senders of spam use them for this purpose. The profile
    decides which characters are unreserved. The rule accepts %2E where it would become a dot segment (U207).

    When to ignore: Where escapes protect mail addresses or names from harvesting.
    Fix: Replaces the escapes with the characters.
    """
    dots: set[int] | None = None
    for component, span in find_in_components(url, _pattern(spec.grammar), _COMPONENTS):
        # After a "%" that does not begin an escape, the decoded characters would become its digits.
        if "%" in url.text[max(span[0] - 2, 0) : span[0]] or is_secret(url, span):
            continue
        if dots is None:  # the positions in segments that would be "." or ".." after decoding
            segments = _DOTS.finditer(url.path)
            start = (url.span("path") or (0, 0))[0]
            dots = {start + position for match in segments for position in range(*match.span())}
        if component == "path" and span[0] in dots:
            continue
        characters = bytes.fromhex(url.text[slice(*span)].replace("%", "")).decode("ascii")
        yield needless_escape.problem(
            f"needless escape {quote(url, span)} in the {component}; write the character itself",
            component,
            span,
            section=spec.section("unreserved"),
            suggestion=characters,
            syntax=False,
            fix=replacement("safe", span, characters),
        )
