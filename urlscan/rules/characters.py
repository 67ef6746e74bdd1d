"""Judge the characters of a URL (U101 to U105 and U107)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Match, Problem, Severity
from urlscan.core.typing import Applicability
from urlscan.rules.base import (
    DESTINATIONS,
    Example,
    Spec,
    find_in_components,
    is_secret,
    name_characters,
    replacement,
    url_rule,
)
from urlscan.rules.extent import OPENING, divided_escape, keep_if_delimited, mark_before_scheme
from urlscan.uri.grammar.characters import BRACKETS, IPRIVATE, SURROGATE, UCSCHAR, UNSAFE, escaped
from urlscan.uri.grammar.domains import mapped_to_ascii
from urlscan.uri.url import COMPONENTS, Url

# --- U101 unsafe-character

# RFC 1738 section 2.2:  "Other characters are unsafe because gateways and other transport agents are
#   known to sometimes modify such characters. [...] All unsafe characters must always be encoded
#   within a URL."
_UNSAFE = lazy(f"[{re.escape(UNSAFE)}]+")
# RFC 3986 section 3.2.2:  "This is the only place where square bracket characters are allowed in the
#   URI syntax" - brackets in the authority belong to U401, those in query and fragment to U107.
_UNSAFE_IN_PATH = lazy(f"[{re.escape(UNSAFE + BRACKETS)}]+")

# Escaping these keeps the meaning. A backslash may have been intended as "/"; the others are more often stray markup
# than data.
_ESCAPABLE = frozenset("^|{}[]")
# A substitution that was not made, "/|version|/", or TeX notation, "^^". Escaping these would hide the mistake.
_NOTATION = lazy(r"\|[\w -]{1,64}\||\^\^")
# The version in a canonical URL (HL7 FHIR, "canonical"), which is a name.
_VERSION = lazy(r"\|v?[0-9]+(?:\.[0-9]+)*(?:-[\w.]+)?\Z")
# WHATWG URL Standard, "path state", "query state" and "fragment state": browsers send these as they are or escape them.
_REPAIRED = frozenset('"|^{}[]`')


def _judge(
    url: Url, component: str, span: tuple[int, int], paired: set[str], applicability: Applicability, is_open: bool
) -> tuple[Severity, Fix | None]:
    """Return the severity, INFO where every browser makes a valid URL of these characters, and the fix."""
    start, end = span
    characters = url.text[start:end]
    if component not in ("path", "query", "fragment"):
        return Severity.ERROR, None
    if _VERSION.match(url.text, start):
        return Severity.INFO, None
    if component == "path":
        # A range of versions, "/tailwindcss@^1.0/"; brackets in pairs, "/dependabot[bot]", which browsers send as is.
        is_name = characters[0] in BRACKETS and component in paired
        is_repaired = is_name or url.text[start - 1 : end] == "@^"
    else:
        # One quotation mark is the end of an attribute.
        is_repaired = component in paired and _REPAIRED.issuperset(characters)
        is_repaired = is_repaired or (component == "fragment" and characters == ">" and "<" not in url.text)
    severity, fix = Severity.ERROR, None
    if is_repaired:
        severity = Severity.INFO
    elif set(characters) == {">"}:
        severity = Severity.WARNING  # browsers escape it
    if not is_open and _ESCAPABLE.issuperset(characters):
        fix = replacement(applicability, span, escaped(characters))
    return severity, fix


# Matches: `[bot]`, `[%E9%80%86]`, `[]`
# Does not match: `[a](`, `[](`, `[a/b]`, `[a][b`
_PAIR = lazy(r"\[[^][(/]*\](?![(\[])")
# Text that replaces a part of the URL, or that markup left in it: a tag of HTML, or the end of one whose quotation
# mark is not closed. Braces around a segment are those of a template, unless they enclose an identifier.
# Matches: `[...]`, `https://h/a…`, `<a`, `</em`, `a b>c</a`, `a>b</a`, `/a/{1.md}`
# Does not match: `https://h/…`, `#a…`, `/a...`, `a>b`, `a b>c`, `<name>`, `a<b`, `<a>/<b>`, `/a{1}`, `/{1F-2}`
_FOREIGN = lazy(
    r"""
    (?P<elision> \[(?: \u2026 | \.\.\. )\] )
  | \A [^?\#]*/ (?P<braces> \{ (?! [0-9A-Fa-f-]+\} ) [^{}/?\#]+ \} ) (?= [/?\#] | \Z )
  | \A [a-z]+:// [^#]* [A-Za-z0-9] (?P<cut> \u2026 ) \Z
  | (?P<tag> </?(?: a | abbr | b | br | code | em | font | i | img | span | strong | su[bp] | tt | u | wbr )(?=[\s/>]) )
  | \A [^<>]*+ (?P<quotation> > ) [^<>]*+ </?[a-z]
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_FOREIGN_SIGNS = frozenset("[{<>\u2026")
_FOREIGN_MESSAGES = {
    **dict.fromkeys(("cut", "elision"), '"{}" replaces a part of the URL; write it in full'),
    "braces": "braces around a segment are left over from a template; replace the placeholder, or remove them",
    "tag": 'the tag "{}" becomes part of the URL',
    "quotation": 'closing quotation mark is missing before "{}"',
}
# Closing characters, each with the opening one.
_PAIRS = {">": "<", '"': '"', "'": "'", "`": "`", ")": "(", "]": "["}
_MOST_STRAY = 4  # characters at the end of one URL
# What is left of a tag of HTML after the URL in it, or of an embedded URI of reStructuredText ("a>`_.").
# Matches: `">label`, `">uwsgi.`
# Does not match: `>label`, `">a<b`, `">a>`
_LEFT_OVER = lazy(r"\">[^<>]+\Z|>`__?\W*\Z")


def _stray_end(url: str) -> int:
    """Return where markup begins that ends the URL and that nothing in it opens: `a.html>`, `a.html">label`."""
    rest = _LEFT_OVER.search(url)
    if rest is not None and "<" not in url and url.count('"', 0, rest.start()) % 2 == 0:
        return rest.start()
    end = len(url)
    while end > max(len(url) - _MOST_STRAY, 1) and (opener := _PAIRS.get(url[end - 1])):
        surplus = url.count(url[end - 1], 0, end) - url.count(opener, 0, end)
        if surplus < 0 or (surplus == 0 and (opener != url[end - 1] or url.count(opener, 0, end) % 2 == 0)):
            break
        end -= 1
    return end


@url_rule(
    "U101",
    Severity.ERROR,
    bad=(
        "See <http://h.example/a|b>.",
        "See <http://h.example/[draft=1]/x>.",
        'See <http://h.example/a">.',
        Example("See <http://h.example/a^b>.", "rfc1738"),
    ),
    good=[
        "See <http://h.example/a%7Cb>.",
        "See <http://[2001:db8::1]/>.",
        "See <http://h.example/?filter[x]=1>.",
        "See <http://h.example/{name}>.",
    ],
    defers_to=("U406",),
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
def unsafe_character(url: Url, spec: Spec) -> Iterator[Problem]:
    r"""URL contains a character that must be escaped.

    Gateways, mail programs and typesetters delimit URLs with these characters or change them, so that the URL ends
    early or arrives damaged. The characters are < > " { } | \ ^ ` and, in a path, square brackets. RFC 1738 section 2.2
    calls them unsafe, RFC 2396 section 2.4.3 calls them delimiters and unwise, and RFC 3986 section 2 does not allow
    them. Square brackets may only enclose an IP literal (RFC 3986 section 3.2.2). U107 covers brackets in a query or a
    fragment. Brackets, quotation marks and backticks at the end that nothing opens, and a tag of HTML, belong to the
    text around; an ellipsis (U+2026) at the end of a word shows that the URL was cut off.
    Characters that browsers repair are information: paired quotation marks, bars, braces, "^" and "`" in a query or a
    fragment, ">" without "<" in a fragment, and a range of versions (`@^1.0`) or brackets around a name
    (`dependabot[bot]`) in a path, which the name of a file may lack (`operator[].md`); and so is the bar before the
    version of a canonical URL of FHIR (`|4.0.1`). Another ">" is a warning. Braces around a segment of a path are left
    over from a template.

    When to ignore: Where only browsers read the URL: they escape most of these characters.
    Fix: Escapes ^ | { } and the brackets of a path (safe) if they are paired, and removes what ends the URL and nothing
    in it opens (unsafe). Other characters have no fix.
    """
    # Brackets and quotation marks around a destination are one fault, which U401 reports.
    if url.text[:1] in "[(" or (url.text[0] in OPENING and mark_before_scheme(url)):
        return
    section = spec.section("characters")
    if not _FOREIGN_SIGNS.isdisjoint(url.text) and (foreign := _FOREIGN.search(url.text)) is not None:
        group = foreign.lastgroup or ""
        message = _FOREIGN_MESSAGES[group].format(foreign[group])
        is_syntax = spec.grammar != "rfc3987" or foreign[0] != "\u2026"
        yield unsafe_character.problem(message, "", foreign.span(group), section=section, syntax=is_syntax)
        return
    end = len(url.text)
    if ">" in url.text or url.text[-1] in _PAIRS:
        end = _stray_end(url.text)
    places = [
        *find_in_components(url, _UNSAFE, ("scheme", "userinfo", "host", "port")),
        *find_in_components(url, _UNSAFE_IN_PATH, ("path",)),
        *find_in_components(url, _UNSAFE, ("query", "fragment")),
    ]
    applicability: Applicability = "safe" if _NOTATION.search(url.text) is None else "unsafe"
    # A bracket that nothing opens belongs to the text around.
    is_open = any(url.text.count(closing) > url.text.count(opening) for opening, closing in ("[]", "{}"))
    texts = {name: url.text[slice(*(url.span(name) or (0, 0)))] for name in ("query", "fragment")}
    paired = {name for name, text in texts.items() if text.count('"') % 2 == 0}
    # Brackets without a name, "operator[].md", are those of a file; in an absolute URL they are left over from a link.
    is_file = url.scheme is None and url.authority is None
    if set(BRACKETS).isdisjoint(_PAIR.sub("", url.path)) and (is_file or "[]" not in url.path):
        paired.add("path")
    is_page = (url.scheme or "http").lower() in ("http", "https", "ftp")  # others escape with a backslash
    for component, span in places:
        characters = url.text[slice(*span)]
        if spec.grammar == "rfc1630" and set(characters) == {'"'}:
            continue  # RFC 1630:  extra = "!" | "*" | <"> | "'" | "(" | ")" | ","
        severity, fix = _judge(url, component, span, paired, applicability, is_open)
        message = f"{name_characters(url, span)} must be escaped in the {component}"
        suggestion = escaped(characters) if "\\" not in characters and component != "userinfo" else ""
        if "\\" in characters and (url.scheme or "").lower() == "file":
            message = 'a file URL has "/" in place of "\\", and "file:///" before a drive letter'
        elif characters == "\\" and component == "path" and is_page and url.text[span[1] : span[1] + 1].isalnum():
            message, suggestion = 'a path has "/" in place of "\\"', "/"
        is_stray = span[1] > end and not (component == "fragment" and severity == Severity.INFO)
        if is_stray:
            span, severity, suggestion = (end, len(url.text)), Severity.ERROR, url.text[:end]
            message = f"nothing in the URL opens {name_characters(url, (end, end + 1))}; the URL ends before it"
            fix = replacement("unsafe", span, "")
        yield unsafe_character.problem(
            message, component, span, section=section, suggestion=suggestion, severity=severity, fix=fix
        )
        if is_stray:
            return


# --- U102 space-in-url

_AT_DELIMITER = lazy(r" [ /?#&=]|[/?#&=] ")
_AFTER_SCHEME = "separates the scheme from the rest"
# Places in which a space is never data, and what is wrong with it.
_NEVER_DATA = (
    (lazy(r"% [0-9A-Fa-f]{2}"), "divides an escape"),
    (lazy(r"^[A-Za-z][A-Za-z0-9+. -]*: */ */ *[^ ]|^[A-Za-z][A-Za-z0-9+.-]*: +[^ ]"), _AFTER_SCHEME),
)
_URL_AFTER = lazy(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
# Browsers escape the space, and an author sees whether the image is shown.
_SHOWN = lazy(r"(?i)(?:<(?:img|source)\b[^<>]{0,400}\bsrc\s*=\s*|\burl\()[\"']?\Z")
_REACH = 440


def refine(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem where the extent of the URL is known; a comment holds other things than URLs.

    CommonMark 6.3 writes a destination with spaces as `<a b.md>`, and renderers escape them; its target is checked.
    """
    is_enclosed = document.text.startswith("<", occurrence.start - 1)
    if document.kind == "markdown" and occurrence.context == "link" and (is_enclosed or not occurrence.scheme):
        return None
    if occurrence.context not in DESTINATIONS:
        return None
    if _SHOWN.search(document.text, max(occurrence.start - _REACH, 0), occurrence.start) is not None:
        problem = problem._replace(severity=Severity.INFO)
    return keep_if_delimited(problem, occurrence, document)


# A form rather than a URL: "<git:// url>".
_NO_HOST = lazy(r"[A-Za-z][A-Za-z0-9+-]*://\s+[A-Za-z]+")


def check_space_in_url_in_text(occurrence: Match, _document: Document) -> Iterator[Problem]:
    """Yield one problem for the first space between delimiters: it is ignored, but may be data."""
    for blank in occurrence.breaks:
        # In a placeholder of a template, as in `<http://h.example/{{ name }}>`, blanks are data.
        is_in_braces = occurrence.raw.rfind("{{", 0, blank.offset) > occurrence.raw.rfind("}}", 0, blank.offset)
        if blank.kind == "blank" and divided_escape(occurrence, blank) is None and not is_in_braces:
            break
    else:
        return
    start = occurrence.start + blank.offset
    end = start + blank.length
    section, suggestion, fix = "RFC 3986 appendix C", occurrence.url, None
    if occurrence.style == "bare":
        message, section = "a blank splits the URL in two", "RFC 3986 section 3"
        fix = Fix("unsafe", (Edit(start, end, ""),))
    elif occurrence.context == "comment" or _NO_HOST.fullmatch(occurrence.raw) is not None:
        return
    elif escaped := [other.url for other in occurrence.alternatives if other.why == "blank-escaped"]:
        message, suggestion = "space between the delimiters is ignored; write %20 if it belongs to the URL", escaped[0]
    else:
        message = f"space {_AFTER_SCHEME}; remove it"
    yield space_in_url.problem(message, "", (start, end), section=section, suggestion=suggestion, fix=fix)


@url_rule(
    "U102",
    Severity.ERROR,
    bad=[
        "See <http://h.example/ TR/xml>.",
        "See <URL:gopher://h.example/Remote Information Services>.",
        "See http:// www.dominion.org/x there.",
    ],
    good=[
        "See <http://h.example/TR/xml>.",
        "See < http://h.example/TR/xml >.",
        "See <http://h.example/TR/\nxml>.",
        "It fetches http:// and ftp:// addresses, such as <http://h.example/>.",
    ],
    check_text=check_space_in_url_in_text,
    defers_to_faults=("prose-in-wrapper",),
    contexts=(*DESTINATIONS, "comment"),
    refine=refine,
)
def space_in_url(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains a space.

    A URL cannot contain a space (RFC 1738 section 2.2, RFC 3986 section 2). White space between delimiters is ignored,
    so that long URLs can be broken over lines (RFC 3986 appendix C). A space within one line was inserted by accident,
    or it belongs to a name and readers get another URL. It is information in the query of a page: browsers escape it.

    When to ignore: Where the text shows a URL as a person would type it.
    Fix: Writes %20 in markup (unsafe), but not before the host or in it. Between <...> there is no fix: remove the
    space or write %20.
    """
    blank = re.search(" +", url.text)
    if blank is None or _FOREIGN.search(url.text) is not None:
        return
    start, end = blank.span()
    component = next((c for c in COMPONENTS if (span := url.span(c)) and span[0] <= start < span[1]), "")
    section, fix = spec.section("characters"), None
    for pattern, fault in _NEVER_DATA:
        divided = pattern.search(url.text)
        if divided is not None and divided.start() < start < divided.end():
            text = url.text[: divided.start()] + divided[0].replace(" ", "") + url.text[divided.end() :]
            message = f"space {fault}; remove it"
            yield space_in_url.problem(message, "", divided.span(), section=section, suggestion=text)
            return
    message = ""
    if component in ("host", "port"):
        message = f"space in the {component}, which cannot contain one"
    elif component in ("path", "fragment") and _URL_AFTER.match(url.text, end) is not None:
        message = "another URL follows the space; a link has one destination"
    if message:
        yield space_in_url.problem(message, component, (start, end), section=section)
        return
    message = f"space in the {component or 'URL'} must be escaped; write %20"
    is_page = (url.scheme or "http").lower() in ("http", "https")
    severity = Severity.INFO if component == "query" and is_page else Severity.ERROR
    # Two adjacent spaces: a line of the source was wrapped inside the URL and indented, and no escape restores the
    # intended URL ("name-       based.html"). One next to a delimiter was inserted by accident ("h.example/a/ b").
    is_data = component in ("path", "query", "fragment") and _AT_DELIMITER.search(url.text) is None
    if is_data:
        edits = (Edit(space.start(), space.end(), "%20") for space in re.finditer(" ", url.text))
        fix = Fix("unsafe", tuple(edits))  # they may have been inserted by accident
    text = url.text.replace(" ", "%20")
    yield space_in_url.problem(
        message, component, (start, end), section=section, suggestion=text, severity=severity, fix=fix
    )


# --- U103 control-character

# RFC 2396 section 2.4.3:  control = <US-ASCII coded characters 00-1F and 7F hexadecimal>
# C1 (U+0080 to U+009F) are the control characters of ISO 6429; RFC 3987's ucschar leaves them out too.
_CONTROL = lazy(r"[\x00-\x1f\x7f-\x9f]+")


@url_rule(
    "U103",
    Severity.ERROR,
    bad=["See <http://h.example/a\x01b>.", "See <http://h.example/a\x7fb>."],
    good=["See <http://h.example/a%01b>.", "\x1b[32m<http://h.example/ab>\x1b[m"],
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
def control_character(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains a control character.

    Control characters have no graphic form and must be encoded (RFC 1738 section 2.2); RFC 3986 section 2 does not
    allow them. Some programs end the URL at such a character, others drop it, and terminals execute it.

    When to ignore: In test data that needs control characters.
    """
    for component, span in find_in_components(url, _CONTROL):
        message = "control character in a secret"
        if not is_secret(url, span):
            message = f"control character {name_characters(url, span)} in the {component}"
        yield control_character.problem(message, component, span, section=spec.section("characters"))


# --- U104 non-ascii-character

# From U+00A0 upwards: U103 reports the control characters below.
_NON_ASCII = lazy(r"[^\x00-\x9f]+")


def _not_in_iris(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of characters that RFC 3987 does not allow either."""
    for component in COMPONENTS:
        allowed = UCSCHAR
        if component == "query":
            allowed += IPRIVATE
        elif component in ("scheme", "port"):
            allowed = ""
        for _, span in find_in_components(url, re.compile(f"[^\x00-\x9f{allowed}]+"), (component,)):
            message = f"{name_characters(url, span)} in the {component} is not allowed in an IRI"
            yield non_ascii_character.problem(message, component, span, section=spec.section("characters"))


def _escapes(url: Url, component: str, span: tuple[int, int]) -> str:
    """Return the escapes of RFC 3987 section 3.1; "" in an authority (hosts use IDNA) and for surrogates."""
    characters = url.text[slice(*span)]
    if component == "host" and mapped_to_ascii(url.host or "") is not None:
        return mapped_to_ascii(characters) or ""
    if component not in ("path", "query", "fragment") or SURROGATE.search(characters):
        return ""
    return escaped(characters)


@url_rule(
    "U104",
    Severity.ERROR,
    bad=("See <http://h.example/wiki/Zürich>.", Example("See <http://h.example/wiki/Zürich>.", "rfc1738")),
    good=("See <http://h.example/wiki/Z%C3%BCrich>.", Example("See <http://h.example/wiki/Zürich>.", "rfc3987")),
    contexts=DESTINATIONS,
)
def non_ascii_character(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains a non-ASCII character.

    A URI is a sequence of ASCII characters (RFC 1738 section 2.2, RFC 3986 section 2). Other characters are written as
    the escapes of their octets in UTF-8 (RFC 3986 section 2.5, RFC 3987 section 3.1). Browsers and people accept IRIs;
    protocols and old programs do not.

    When to ignore: Where IRIs are accepted. Under RFC 3987 the rule only reports characters that no IRI may contain.
    Fix: Writes the escapes of the UTF-8 octets (safe), in a host only as IDNA maps it to ASCII.
    """
    if spec.grammar == "rfc3987":
        yield from _not_in_iris(url, spec)
        return
    for component, span in find_in_components(url, _NON_ASCII):
        message = f"{name_characters(url, span)} in the {component}: a URI may only contain ASCII characters"
        escapes, fix = _escapes(url, component, span), None
        if escapes:
            fix = replacement("safe", span, escapes)
        yield non_ascii_character.problem(
            message, component, span, section=spec.section("characters"), suggestion=escapes, fix=fix
        )


# --- U105 unencoded-tilde

# RFC 1738 section 5:  national = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"
_TILDES = lazy("~+")
# RFC 1630 lists it among the national characters, which "do not appear in any productions".
_OLD = ("rfc1738", "rfc1630")


@url_rule(
    "U105",
    Severity.ERROR,
    bad=(Example("See <http://h.example/~jo/>.", "rfc1738"),),
    good=(Example("See <http://h.example/%7Ejo/>.", "rfc1738"), Example("See <http://h.example/jo/>.", "rfc1738")),
    contexts=DESTINATIONS,
)
def unencoded_tilde(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains an unescaped tilde.

    RFC 1738 section 2.2 counts the tilde among the unsafe characters, which must always be encoded: keyboards and
    gateways of its time lacked it. RFC 2396 section 2.3 and RFC 3986 section 2.3 allow it.

    When to ignore: Outside RFC 1738 and RFC 1630. The rule is on by default only in their profiles.
    Fix: Writes %7E (safe).
    """
    for component, span in find_in_components(url, _TILDES):
        escapes = "%7E" * (span[1] - span[0])
        is_fixed = component not in ("scheme", "host", "port")
        yield unencoded_tilde.problem(
            f'"~" (U+007E) must be escaped in the {component}; write %7E',
            component,
            span,
            section=spec.section("characters") if spec.grammar in _OLD else "RFC 1738 section 2.2",
            suggestion=escapes,
            syntax=spec.grammar in _OLD,
            fix=replacement("safe", span, escapes) if is_fixed else None,
        )


# --- U107 bracket-in-query

_BRACKETS = lazy(f"[{re.escape(BRACKETS)}]+")


@url_rule(
    "U107",
    Severity.ERROR,
    bad=(Example("See <http://h.example/?filter[x]=1>.", "rfc1738"),),
    good=(Example("See <http://h.example/?filter%5Bx%5D=1>.", "rfc1738"),),
    contexts=DESTINATIONS,
)
def bracket_in_query(url: Url, spec: Spec) -> Iterator[Problem]:
    """Query or fragment contains a square bracket.

    RFC 1738 section 2.2 counts brackets among the unsafe characters, and RFC 3986 section 3.2.2 only allows them around
    an IP literal. `?filter[x]=1` and `#egg=a[b]` are common nevertheless, and all browsers and servers accept them.

    When to ignore: Almost always. The rule is on by default only in the profiles of older specifications.
    Fix: Writes %5B and %5D (safe).
    """
    for component, span in find_in_components(url, _BRACKETS, ("query", "fragment")):
        message = f"{name_characters(url, span)} must be escaped in the {component}"
        escapes = escaped(url.text[slice(*span)])
        yield bracket_in_query.problem(
            message,
            component,
            span,
            section=spec.section("brackets"),
            suggestion=escapes,
            fix=replacement("safe", span, escapes),
        )
