"""Judge how a URL is delimited and broken in a text (U601 to U607 and U609 to U612)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import CONTEXTS, Edit, Fix, Match, Problem, Severity
from urlscan.core.secrets import redact
from urlscan.rules.base import Example, examples, faults_named, text_rule, wrap_edits
from urlscan.rules.extent import divided_escape

# --- U601 hyphen-at-break


def _message(url: str, other: str, evidence: int, dropped: bool) -> str:
    if dropped:
        return f"hyphen at a line break was dropped: {url} occurs unbroken elsewhere, {other} does not"
    times = {0: "nowhere else", 1: "once elsewhere"}.get(evidence, f"{evidence} times elsewhere")
    return f"hyphen at a line break was kept: {url}; without it, {other} occurs {times}"


@text_rule(
    "U601",
    Severity.INFO,
    bad=["See <http://h.example/cgi-\nbin/x>."],
    good=["See <http://h.example/cgi-bin/\nx>.", "See <http://h.example/cgi-bin/x>."],
)
def hyphen_at_break(occurrence: Match, _document: Document) -> Iterator[Problem]:
    """URL is broken after a hyphen that may not belong to it.

    RFC 1738 appendix: "some typesetters and printers may erroneously introduce a hyphen at the end of line when
    breaking a line". RFC 3986 appendix C repeats this warning. A reader cannot tell which URL is meant. urlscan keeps
    the hyphen unless only the other reading occurs unbroken in the same text. In that case the finding is a warning.

    When to ignore: Where a program that never hyphenates wrote the text. The severity is info for this reason.
    """
    removed = 0  # length of earlier breaks
    for break_ in occurrence.breaks:
        position = break_.offset - removed  # of the URL
        removed += break_.length
        if not break_.hyphen or break_.kind == "blank":
            continue
        # The text of a break is not part of the URL: a hyphen in it was dropped.
        dropped = occurrence.raw.startswith("-", break_.offset)
        hyphen, severity = occurrence.start + break_.offset, None
        if dropped:
            other = occurrence.url[:position] + "-" + occurrence.url[position:]
            severity = Severity.WARNING
        else:
            other = occurrence.url[: position - 1] + occurrence.url[position:]
            hyphen -= 1
        evidence = next((a.evidence for a in occurrence.alternatives if a.url == other), 0)
        yield hyphen_at_break.problem(
            _message(redact(occurrence.url), redact(other), evidence, dropped),
            "",
            (hyphen, hyphen + 1),
            severity=severity,
            section="RFC 1738 appendix",
            suggestion=occurrence.url,
        )


# --- U602 broken-bare-url

# Text before a value in a table of lines: "name::", "key=", "a;", "a @" (PEP 508), a cell's bar, a tab, a target of
# reStructuredText.
_FIELD = lazy(r"(?:::|=|;|[ ]@|\||\t|^[ \t]*\.\.[ \t][^\r\n]*:)[ \t]*\Z|\t|::")
# Quoting characters at the beginning of a line are not a field: "> ", "| ".
_QUOTE_MARKS = " \t>|:"
# A line that begins an item of a list, or describes an option.
# Matches: `- a`, `  * a`, `-x`, `--s`
# Does not match: `-`, `> a`, `a - b`, `-1`
_ITEM = lazy(r"[ \t]*(?:[-*+\u2022][ \t]+\S|--?[A-Za-z])")
_WORD = lazy(r"[ \t]*\S+[ \t]*")
# A line that begins with another URL, also after the mark of emphasis.
# Matches: `http://`, ` _https://`, `**https://`
# Does not match: `a http://`, `://`, `_a`
_URL = lazy(r"[ \t]*[*_/=~`'\"]{0,3}[A-Za-z][A-Za-z0-9+.-]{1,30}://")
# The head of a draft of the IETF, and that of a help text, which a program has formatted.
_FORMATTED = lazy(r"^(?:Internet-Draft\b|.*[ ]{3}Internet-Draft$)|\A\s*usage:\s", re.MULTILINE | re.IGNORECASE)
_HEAD_SIZE = 2000  # characters
_OPEN_END = "/-._=&?%"  # characters after which a URL may be broken on purpose
_REACH = 400  # number of characters examined before the URL on its line


def _is_complete(text: str, occurrence: Match, next_line: int) -> bool:
    """Return whether a URL ends at the end of its line, because the next line does not belong to it."""
    above, _, before = text[max(occurrence.start - _REACH, 0) : occurrence.start].replace("\r", "\n").rpartition("\n")
    above = above.rpartition("\n")[2]
    following = text[next_line : next_line + _REACH].lstrip("\r\n").partition("\n")[0]
    return any(
        (
            before.strip(_QUOTE_MARKS) and _FIELD.search(before.lstrip()) is not None,
            before.startswith("#"),  # a comment of a configuration file, which is copied rather than written
            above.startswith(".. _") and not before.strip(),  # a target of reStructuredText: ".. _name:"
            _ITEM.match(following) is not None,
            _URL.match(following) is not None,
            not before and _WORD.fullmatch(above) is not None and _WORD.fullmatch(following) is not None,  # a list
            "#" in occurrence.url and occurrence.url[-1] not in _OPEN_END,  # the name of an anchor
            _FORMATTED.search(text, 0, _HEAD_SIZE) is not None,
        )
    )


@text_rule(
    "U602",
    Severity.WARNING,
    bad=[
        "See http://h.example/papers/long-\nname.html for more.\n",
        "The papers of the mill are kept by the harbour office:\nhttp://h.example/cgi-bin/archive/harbour/mills/1994/\nmill.html\n",
    ],
    good=[
        "See <URL:http://h.example/papers/long-\nname.html> for more.\n",
        "See http://h.example/papers/\nThanks.\n",
        "http://h.example/a/\nhttp://h.example/b/\n",
    ],
    defers_to_faults=("break-in-escape",),
    contexts=("prose",),
)
def broken_bare_url(occurrence: Match, document: Document) -> Iterator[Problem]:
    """URL without delimiters seems to be broken over two lines.

    White space delimits a URL in text, and a line end is white space. A URL can only continue on the next line inside
    angle brackets or quotation marks (RFC 1738 appendix, RFC 3986 appendix C). Readers take the first line for the
    complete URL. The rule guesses, from the end of the URL, the beginning of the next line and the lengths of the lines
    around it. A help text and an Internet-Draft are formatted by a program, and an item of a list, an option and a line
    below a list of single words are not the rest of a URL.

    When to ignore: Where the next line does not belong to the URL.
    Fix: Writes <URL:...> around both lines (unsafe: the rule guesses) if the first ends with punctuation of a URL, or
    if the joined URL occurs elsewhere.
    """
    for fault in faults_named(occurrence, "goes-on"):
        if _is_complete(document.text, occurrence, fault.start):
            return
        joined, evidence = next(((a.url, a.evidence) for a in occurrence.alternatives if a.why == "joined"), ("", 0))
        fix = None  # a URL that was broken at a column may continue on further lines
        if evidence or occurrence.url[-1] in _OPEN_END:
            fix = Fix("unsafe", wrap_edits(occurrence.start, fault.end))
        yield broken_bare_url.problem(
            "URL seems to continue on the next line; enclose it in <URL:...>",
            "",
            (occurrence.start, fault.start),
            section="RFC 3986 appendix C",
            suggestion=f"<URL:{joined}>",
            fix=fix,
        )


# --- U603 unclosed-wrapper


@text_rule(
    "U603",
    Severity.ERROR,
    bad=["See <http://h.example/a\n\nNext paragraph.", "See <URL:http://h.example/a and so on."],
    good=["See <http://h.example/a>.", "See http://h.example/a and so on."],
)
def unclosed_wrapper(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Angle bracket before a URL is not closed.

    Angle brackets show where a URL ends (RFC 1738 appendix, RFC 3986 appendix C). Without the closing ">" a reader has
    to guess. urlscan then reads the URL as if it had no brackets: a line break ends it.

    When to ignore: Where "<" before a URL has another meaning, such as a redirection in a shell script. The rule is
    silent in tags and before a host without a dot.
    """
    _, slashes, rest = occurrence.url.partition("://")
    for fault in faults_named(occurrence, "unclosed-wrapper"):
        before = document.text[max(fault.start - 1, 0) : fault.start]
        # "<<<" quotes; "<a href=<http://h.example/" and "<http://onload=x/" are misspelled tags.
        if before not in ("<", "=") and (not slashes or "." in rest.partition("/")[0]):
            opener = document.text[fault.start : occurrence.start].strip() or "<"
            message = f'"{opener}" is not closed; write ">" after the URL'
            yield unclosed_wrapper.problem(
                message,
                "",
                (fault.start, fault.end),
                section="RFC 3986 appendix C",
                suggestion=f"{opener}{occurrence.url}>",
            )


# --- U604 prose-in-wrapper


@text_rule(
    "U604",
    Severity.ERROR,
    bad=["See <URL:ftp://h.example/papers/horses.ps or horses.txt>.", "See <http://h.example/a http://h.example/b>."],
    good=[
        "See <URL:ftp://h.example/papers/horses.ps> or horses.txt.",
        "See <http://h.example/a> <http://h.example/b>.",
    ],
)
def prose_in_wrapper(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Delimiters contain words or another URL besides the URL.

    White space between the delimiters is ignored, so that long URLs can be broken over lines (RFC 1738 appendix, RFC
    3986 appendix C). Programs that follow this read the words as part of the URL. Give each URL its own delimiters, and
    write the words outside.

    When to ignore: Where no program reads the text.
    """
    for fault in occurrence.faults:
        # In comments and source files, words after the URL are a label, as in Haddock.
        if fault.name == "prose-in-wrapper" and (occurrence.context == "prose" or occurrence.style == "wrapper"):
            opener = document.text[occurrence.outer_start : occurrence.start].strip()
            closer = document.text[occurrence.outer_end - 1 : occurrence.outer_end]
            yield prose_in_wrapper.problem(
                "delimiters contain text after the URL; write it outside",
                "",
                (fault.start, fault.end),
                section="RFC 3986 appendix C",
                suggestion=f"{opener}{occurrence.url}{closer}",
            )


# --- U605 unwrapped-url


@text_rule(
    "U605",
    Severity.WARNING,
    bad=["See http://h.example/a, or not."],
    good=("See <URL:http://h.example/a>, or not.", Example("See http://h.example/a, or not.", path="a.md")),
    checks_every_occurrence=True,
)
def unwrapped_url(occurrence: Match, document: Document) -> Iterator[Problem]:
    """URL in plain text has no angle brackets.

    The appendix of RFC 1738 recommends `<URL:...>` in text: punctuation does not become part of the URL, and the URL
    may be broken over lines. RFC 3986 appendix C recommends `<...>`.

    When to ignore: Almost everywhere: bare URLs are common, so the rule is off by default.
    Fix: Writes <URL:...> around the URL (safe).
    """
    if document.kind in ("plain", "mail") and occurrence.style == "bare" and not occurrence.breaks:
        edits = wrap_edits(occurrence.start, occurrence.end)
        yield unwrapped_url.problem(
            "URL has no delimiters, so readers have to guess its end; write <URL:...>",
            "",
            (occurrence.start, occurrence.end),
            section="RFC 1738 appendix",
            suggestion=f"<URL:{occurrence.url}>",
            fix=Fix("safe", edits),
        )


# --- U606 missing-url-prefix


@text_rule(
    "U606",
    Severity.INFO,
    bad=["See <http://h.example/a>."],
    good=("See <URL:http://h.example/a>.", Example("See <http://h.example/a>.", path="a.md")),
    checks_every_occurrence=True,
)
def missing_url_prefix(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Angle brackets in plain text lack the prefix "URL:".

    The appendix of RFC 1738 writes "URL:" inside the brackets. RFC 3986 appendix C no longer recommends it. The rule is
    for authors who follow the older document.

    When to ignore: Almost everywhere, so the rule is off by default.
    Fix: Writes "URL:" (safe).
    """
    if document.kind in ("plain", "mail") and occurrence.style == "angle":
        opener = occurrence.outer_start
        yield missing_url_prefix.problem(
            'angle bracket without "URL:"; write "<URL:"',
            "",
            (opener, opener + 1),
            section="RFC 1738 appendix",
            suggestion="<URL:",
            fix=Fix("safe", (Edit(opener + 1, opener + 1, "URL:"),)),
        )


# --- U607 break-in-escape


@text_rule(
    "U607",
    Severity.ERROR,
    bad=["See http://h.example/State%20of%\n20Utah today.", "See <http://h.example/State%2\n0of>."],
    good=["See <http://h.example/State\n%20of>.", "See http://h.example/State%20of"],
)
def break_in_escape(occurrence: Match, _document: Document) -> Iterator[Problem]:
    """Line break or space divides an escape.

    An escape consists of "%" and two hexadecimal digits (RFC 3986 section 2.1), which belong together. A reader who
    does not join the lines gets a malformed URL, and a reader who joins them cannot be sure of the result.

    When to ignore: In archives of mail, whose lines must not be changed.
    """
    for fault in faults_named(occurrence, "break-in-escape"):
        joined = next((a.url for a in occurrence.alternatives if a.why == "joined"), "")
        yield _break_problem((fault.start, fault.end), "newline", joined)
    for break_ in occurrence.breaks:
        if (span := divided_escape(occurrence, break_)) is not None:
            yield _break_problem(span, break_.kind, occurrence.url)


def _break_problem(span: tuple[int, int], kind: str, suggestion: str) -> Problem:
    message = 'break divides an escape; break the URL before "%" or after both digits'
    if kind == "blank":
        message = "space divides an escape; remove it"
    return break_in_escape.problem(message, "", span, section="RFC 3986 section 2.1", suggestion=suggestion)


# --- U609 punctuation-in-wrapper

# Matches: `?q=org.mill.`, `#Section_6.14.`, `?a=b&separator=;`
# Does not match: `/a.b.`, `#section.`, `?a=b;`, `/a=.`
_NAME_OR_SIGN = lazy(r"[?#][^\s]*(?:\w\.[\w.-]+\.|=[.,;:])\Z")


@text_rule(
    "U609",
    Severity.WARNING,
    bad=(
        "See <URL:http://h.example/a.>",
        "See <http://h.example/a,> or not.",
        Example("See `a <http://h.example/a.>`__.", path="a.rst"),
    ),
    good=["See <URL:http://h.example/a>.", "See <http://h.example/a...>."],
    contexts=CONTEXTS,
)
def punctuation_in_wrapper(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Punctuation before the closing bracket becomes part of the URL.

    Angle brackets delimit the URL (RFC 1738 appendix, RFC 3986 appendix C), so a period before the closing bracket
    belongs to it: `<http://h.example/a.>` names the resource `/a.`, which rarely exists. A text
    fragment (`#:~:text=`) quotes a page, with its punctuation, a name with periods in a query or a fragment may end
    with one, and the value of a parameter may be a sign (`?separator=;`).

    When to ignore: Where the URL really ends with the character.
    Fix: Removes the punctuation (unsafe: the URL may end with it).
    """
    for fault in faults_named(occurrence, "punctuation-in-wrapper"):
        if not occurrence.scheme or ":~:text=" in occurrence.url or _NAME_OR_SIGN.search(occurrence.url) is not None:
            return  # words, which may end a sentence, names, and a sign as a value
        character = document.text[fault.start : fault.end]
        yield punctuation_in_wrapper.problem(
            f'"{character}" before ">" is part of the URL; write punctuation after the bracket',
            "",
            (fault.start, fault.end),
            section="RFC 3986 appendix C",
            suggestion=occurrence.url[:-1],
            fix=Fix("unsafe", (Edit(fault.start, fault.end, ""),)),
        )


# --- U610 too-long


@text_rule(
    "U610",
    Severity.WARNING,
    bad=["http://h.example/" + "a" * 70_000],
    good=["http://h.example/" + "a" * 60_000],
)
def too_long(occurrence: Match, _document: Document) -> Iterator[Problem]:
    """URL is longer than 65,536 characters.

    No specification sets a limit. RFC 9110 section 4.1 asks programs to support at least 8,000 octets, and few support
    more than 65,536. urlscan reads no further, so that a hostile text cannot make it read without end.

    When to ignore: Where the URL contains data on purpose.
    """
    for fault in faults_named(occurrence, "too-long"):
        message = "URL is longer than 65,536 characters; only its beginning was checked"
        yield too_long.problem(message, "", (fault.start, fault.end), section="RFC 9110 section 4.1")


# --- U611 needless-wrapper


@text_rule(
    "U611",
    Severity.WARNING,
    bad=examples('<a href="<URL:http://h.example/>">a</a>', path="a.html"),
    good=(
        Example('<a href="http://h.example/">a</a>', path="a.html"),
        Example("See [a](<http://h.example/>).", path="a.md"),
        "See <URL:http://h.example/>.",
    ),
    contexts=CONTEXTS,
)
def needless_wrapper(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Angle brackets around a URL that markup already delimits.

    Angle brackets and `URL:` separate a URL from prose (RFC 1738 appendix, RFC 3986 appendix C). An attribute has
    quotation marks for this purpose. Everything between them is the URL, and `<URL:http://h.example/>` is not a valid
    one.

    When to ignore: Never.
    Fix: Removes the delimiters (safe).
    """
    for fault in faults_named(occurrence, "needless-wrapper"):
        opener = document.text[fault.start : occurrence.start].strip()
        edits = (Edit(fault.start, occurrence.start, ""), Edit(occurrence.end, fault.end, ""))
        yield needless_wrapper.problem(
            f'"{opener}" and ">" become part of the URL; remove them, since the markup delimits it',
            "",
            (fault.start, fault.end),
            section="RFC 3986 appendix C",
            suggestion=occurrence.url,
            fix=Fix("safe", edits),
        )


# --- U612 fragment-outside-wrapper


@text_rule(
    "U612",
    Severity.WARNING,
    bad=["See <URL:http://h.example/a>#top."],
    good=["See <URL:http://h.example/a#top>.", "See <URL:http://h.example/a> #1."],
)
def fragment_outside_wrapper(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Fragment follows the angle brackets that enclose the URL.

    The appendix of RFC 1738 writes the fragment outside, because it was not part of the URL: "<URL:http://h/x>#frag".
    Since RFC 3986 section 3.5 it is part of the URL, and appendix C writes it inside. Programs that read the brackets
    lose a fragment outside.

    When to ignore: Where the text follows RFC 1738.
    Fix: Moves the fragment inside (safe).
    """
    for fault in faults_named(occurrence, "fragment-outside"):
        fragment = document.text[fault.start : fault.end]
        edits = (Edit(occurrence.end, occurrence.end, fragment), Edit(fault.start, fault.end, ""))
        yield fragment_outside_wrapper.problem(
            f'"{fragment}" after the bracket is not read as part of the URL; write it inside',
            "fragment",
            (fault.start, fault.end),
            section="RFC 3986 appendix C",
            suggestion=occurrence.url + fragment,
            fix=Fix("safe", edits),
        )
