"""Judge paths, and the "#" after them (U106, U207, U209, U803 and U804)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.offsets import common_affixes
from urlscan.core.records import Match, Problem, Severity
from urlscan.data.schemes import REGISTERED
from urlscan.rules.base import DESTINATIONS, Example, Spec, is_secret, quote, replacement, url_rule
from urlscan.uri.grammar.dots import remove_dot_segments
from urlscan.uri.url import Url

# --- U207 encoded-dot-segment

# RFC 3986 section 3.3:  "The path segments "." and "..", also known as dot-segments, are defined for
#   relative reference within the path name hierarchy."
_DOT = "%2[Ee]"
_ENCODED = lazy(rf"(?:\A|(?<=/))(?:{_DOT}(?:\.|{_DOT})?|\.{_DOT})(?=/|\Z)")


@url_rule(
    "U207",
    Severity.INFO,
    bad=["See <http://h.example/a/%2e%2e/b>."],
    good=[
        "See <http://h.example/a/..b/c>.",
        "See <http://h.example/a/%2Ehidden>.",
        "See <http://h.example/?a=/%2e%2e/b>.",
    ],
)
def encoded_dot_segment(url: Url, spec: Spec) -> Iterator[Problem]:
    """Path segment "." or ".." has an escaped dot.

    A check for dot segments before decoding accepts them, and a program that decodes later leaves the folder. RFC 3986
    section 2.3: an escaped unreserved character is equivalent to the character itself. Normal forms (section 6.2.2.2)
    decode it and then remove the segment, and browsers do so immediately.

    When to ignore: In texts about such attacks.
    """
    # A gopher selector has no hierarchy (RFC 1738 section 3.4.1). Neither has a scheme without a slash.
    if (url.scheme is not None and not url.path.startswith("/")) or (url.scheme or "").lower() == "gopher":
        return
    path = url.span("path") or (0, 0)
    for match in _ENCODED.finditer(url.path):
        span = path[0] + match.start(), path[0] + match.end()
        dots = re.sub(_DOT, ".", match[0])
        yield encoded_dot_segment.problem(
            f'escaped dot segment {quote(url, span)} in the path is equivalent to "{dots}"',
            "path",
            span,
            section=spec.section("escapes", rfc3986="RFC 3986 section 6.2.2.2"),
            syntax=False,
        )


# --- U209 dots-above-root

_SEGMENTS = lazy("/([^/]*)")


def _resolves_dots(url: Url, spec: Spec) -> bool:
    """Return whether programs resolve "." and ".." in the path of a URL.

    RFC 1738 section 3.4.1: a gopher selector may contain any octets. Section 3.2.2: in ftp each segment is the argument
    of a CWD, which begins at the login directory and may climb. A scheme of one program, such as "webpack", means what
    that program says.
    """
    scheme = (url.scheme or "http").lower()
    if not url.path.startswith("/") or (scheme not in REGISTERED and scheme not in spec.schemes):
        return False
    return scheme != "gopher" and (scheme != "ftp" or spec.profile != "rfc1738")


def _above_root(path: str) -> tuple[int, int] | None:
    """Return the place of the first ".." without a segment before it to remove."""
    depth = 0
    for match in _SEGMENTS.finditer(path):
        if match[1] == "..":
            if depth == 0:
                return match.span(1)
            depth -= 1
        elif match[1] != ".":
            depth += 1
    return None


@url_rule(
    "U209",
    Severity.WARNING,
    bad=["See <http://h.example/a/../../b>."],
    good=[
        "See <webpack://mill/../src/a.js>.",
        "See <http://h.example/a/../b>.",
        "See <http://h.example/?a=/../b>.",
        "See <http://h.example/a/...>.",
    ],
)
def dots_above_root(url: Url, spec: Spec) -> Iterator[Problem]:
    """Path contains a ".." that goes above the root.

    RFC 2396 section 5.2 step 6g: such a reference is an error, and programs may keep the dots, remove them or reject
    the URL. RFC 3986 section 5.2.4 removes them. The URL therefore leads to different places in different programs. The
    usual cause is one step too many. A scheme that is not registered is not judged.

    When to ignore: In texts about resolving references.
    """
    # The base decides how far a relative reference may climb.
    if (url.scheme is None and url.authority is None) or "/.." not in url.path or not _resolves_dots(url, spec):
        return
    span = _above_root(url.path)
    if span is None:
        return
    start = (url.span("path") or (0, 0))[0]
    yield dots_above_root.problem(
        '".." in the path goes above the root; remove it',
        "path",
        (start + span[0], start + span[1]),
        section=spec.section("resolution", rfc1738="RFC 2396 section 5.2"),
        syntax=False,
    )


# --- U803 dot-segments

_DOTS = lazy(r"(?<=/)\.\.?(?=/|\Z)")


@url_rule(
    "U803",
    Severity.INFO,
    bad=["See <http://h.example/a/../b/./c>."],
    good=["See <http://h.example/a/.b/..c>.", "See <http://h.example/b/c?a=/../b>."],
    defers_to=("U209",),
)
def dot_segments(url: Url, spec: Spec) -> Iterator[Problem]:
    """Path of an absolute URL contains "." or ".." segments.

    RFC 3986 section 6.2.2.3: dot segments are for relative references, and normal forms have none. Most clients remove
    them before the request. Programs that compare URLs as strings treat the two forms as different.

    When to ignore: Where URLs are not compared as strings.
    Fix: Removes the segments, unless one goes above the root.
    """
    places = [match.span() for match in _DOTS.finditer(url.path)]
    if not url.scheme or not places or not _resolves_dots(url, spec):
        return
    path, above = remove_dot_segments(url.path)
    # RFC 3986 section 3.3: without an authority the path cannot begin with "//".
    if url.authority is None and path.startswith("//"):
        path = "/." + path
    if path == url.path:
        return
    start, end = url.span("path") or (0, 0)
    fix = None
    if not above and not is_secret(url, (start, end)):  # programs disagree about what is above the root (U209)
        # Edit only what changes, so that other fixes of the same path still apply.
        before, after = common_affixes(url.path, path)
        fix = replacement("safe", (start + before, end - after), path[before : len(path) - after])
    message = "path contains dot segments, which are for relative references; remove them"
    yield dot_segments.problem(
        message,
        "path",
        (start + places[0][0], start + places[-1][1]),
        section="RFC 3986 section 6.2.2.3",
        syntax=False,
        fix=fix,
    )


# --- U804 empty-path

# RFC 9110 section 4.2.3:  "an empty path component is equivalent to an absolute path of "/"";  RFC 6455
# section 3 refers to it.  Not ftp: RFC 1738 section 3.2.2 distinguishes "/" from an empty path.
_SCHEMES = frozenset(("http", "https", "ws", "wss"))


@url_rule(
    "U804",
    Severity.INFO,
    bad=["See <http://h.example>.", "See <http://h.example:8080?q=mill>."],
    good=["See <http://h.example/>.", "See <ftp://h.example>."],
)
def empty_path(url: Url, _spec: Spec) -> Iterator[Problem]:
    """URL of http or ws has no "/" after its host.

    RFC 3986 section 6.2.3 and RFC 9110 section 4.2.3: an empty path is equivalent to /, which is the normal form.
    Programs that compare URLs as strings treat the two forms as different, and some fail if a query follows.

    When to ignore: Where URLs are not compared as strings.
    Fix: Adds the slash.
    """
    if (url.scheme or "").lower() not in _SCHEMES or not url.host or url.path:
        return
    host = url.span("host")
    assert host is not None  # noqa: S101 - it is not empty
    span = host[0], (url.span("port") or host)[1]
    if is_secret(url, span):  # "http://h:pass#word@h/" has no port
        return
    message = 'path is empty; write "/" after the host'
    yield empty_path.problem(
        message,
        "host",
        span,
        section="RFC 3986 section 6.2.3",
        suggestion=url.text[slice(*span)] + "/",
        syntax=False,
        fix=replacement("safe", (span[1], span[1]), "/"),
    )


# --- U106 unencoded-hash

# The names of channels begin with "#" or "##", and clients take them as they are ("irc://irc.h.example/##c").
_CHANNELS = frozenset("irc irc6 ircs".split())


# Matches: `/`, `!`, `ircs://`
# Does not match: `a#b`, `a/b#c`
_READ_BY_PROGRAM = lazy(r"[/!]|[A-Za-z][A-Za-z0-9+.-]{0,30}://")
# A numeric character reference, which Markdown decodes (CommonMark section 2.5).
_REFERENCE = lazy(r"&#(?:[0-9]{1,7}|[xX][0-9A-Fa-f]{1,6});")
# Matches: `L170-#L195`
# Does not match: `L170#L195`, `L170-L195`
_LINES = lazy(r"L[0-9]+-#L[0-9]+\Z")


def _keep_unless_named(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem, or None for a channel of IRC, for nothing at all, for a parameter of TeX and a "&#61;".

    Markdown has no tooltips; `[kbps](## "1000 bits/sec")` is the usual way to write one.
    """
    is_parameter = document.kind == "latex" and occurrence.url[problem.end : problem.end + 1].isdecimal()
    is_channel = occurrence.url.partition(":")[0].lower() in _CHANNELS
    is_decoded = document.kind == "markdown" and _REFERENCE.match(occurrence.url, problem.start - 1) is not None
    if is_parameter or is_channel or is_decoded or occurrence.url == "##":
        return None
    return problem


@url_rule(
    "U106",
    Severity.ERROR,
    bad=(
        "See <http://h.example/a#b#c>.",
        Example("[mill](http://h.example/#/rooms/#mill)", path="a.md"),
        Example("See <http://h.example/a#b>.", "rfc1738"),
    ),
    good=(
        "See <http://h.example/a#b%23c>.",
        "See <irc://irc.h.example/##mill>.",
        Example('[mill](## "a place where flour is made")', path="a.md"),
        Example("See <http://h.example/a%23b>.", "rfc1738"),
    ),
    refine=_keep_unless_named,
    contexts=DESTINATIONS,
)
def unencoded_hash(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL contains a "#" that must be escaped.

    RFC 3986 section 3.5: the first "#" begins the fragment, which cannot hold another one. Programs disagree on a URL
    with two: some look for an anchor of that name, some escape the second, some refuse the URL. By RFC 1738 section 2.2
    a URL has no fragment at all: the character "should always be encoded because it is used in World Wide Web and in
    other systems to delimit a URL from a fragment/anchor identifier that might follow it". A fragment that begins with
    "/" or "!" is a route, which a program in the page reads, as it reads a URL (`#ircs://h/#mill`): there the finding
    is information, and so it is in a reference within the page (`url(#default#VML)`). A range of lines (`#L1-#L2`) is a
    warning, and information on GitHub: other forges show only the first line.

    When to ignore: Where a program reads the fragment itself and wants it unescaped.
    Fix: Removes the second of two adjacent "#", and that in a range of lines (unsafe).
    """
    span = url.span("fragment")
    if span is None:
        return
    start, end = span
    # RFC 1738 section 2.2: "#" is unsafe; a URL has no fragment.
    if spec.grammar == "rfc1738":
        message = 'a URL has no "#": write %23, or leave the fragment out'
        yield unencoded_hash.problem(
            message, "fragment", (start - 1, start), section="RFC 1738 section 2.2", suggestion=url.text[: start - 1]
        )
        return
    # RFC 3986 section 3.5:  fragment = *( pchar / "/" / "?" )
    position = url.text.find("#", start, end)
    if position < 0:
        return
    # A program in the page reads a route, and nothing else does; U911 checks anchors of the same page.
    after = end - len(url.text[position:end].lstrip("#"))
    is_doubled, is_range = position == start and after < end, _LINES.match(url.text, start, end) is not None
    is_local = (start == 1 and not is_doubled) or _READ_BY_PROGRAM.match(url.text, start, end) is not None
    # The script of GitHub reads the numbers after "L" and "#L" (its `parseBlobRange`).
    is_local |= is_range and url.host == "github.com"
    if url.text[0] in "[(":
        return  # brackets around a destination are one fault, which U401 reports
    message, suggestion, fix = 'a URL has one fragment: write one of the two, or %23 for a "#" in it', "", None
    severity = unencoded_hash.severity
    if is_range:
        severity = Severity.WARNING
    if (position == start or is_range) and "#" not in url.text[after:end]:
        message, fix = 'a URL has at most one fragment; write one "#"', replacement("unsafe", (position, after), "")
        suggestion = url.text[:position] + url.text[after:]
    yield unencoded_hash.problem(
        message,
        "fragment",
        (position, after),
        section=spec.section("fragment"),
        suggestion=suggestion,
        severity=severity,
        is_advice=is_local,
        fix=fix,
    )
