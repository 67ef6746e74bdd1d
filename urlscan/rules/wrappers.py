"""Judge how a URL is delimited and broken in a text (U601 to U607 and U609 to U612)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Alternative, Edit, Fix, Match, Severity
from urlscan.core.secrets import redact
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, examples, faults_named, wrap_edits
from urlscan.rules.registry import ENTRIES

# --- U601 hyphen-at-break

_SECTION = "RFC 1738 appendix"


def check_hyphen_at_break_in_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for each hyphen before a line break, naming both readings."""
    removed = 0  # length of earlier breaks
    for break_ in occurrence.breaks:
        position = break_.offset - removed  # of the URL
        removed += break_.length
        if not break_.hyphen or break_.kind == "blank":
            continue
        # The text of a break is not part of the URL: a hyphen in it was dropped.
        dropped = occurrence.raw.startswith("-", break_.offset)
        hyphen = occurrence.start + break_.offset - (0 if dropped else 1)
        if dropped:
            other = occurrence.url[:position] + "-" + occurrence.url[position:]
        else:
            other = occurrence.url[: position - 1] + occurrence.url[position:]
        yield TextProblem(
            _message(redact(occurrence.url), redact(other), _evidence(occurrence.alternatives, other), dropped),
            hyphen,
            hyphen + 1,
            severity=Severity.WARNING if dropped else None,
            section=_SECTION,
            suggestion=occurrence.url,
        )


def _evidence(alternatives: tuple[Alternative, ...], url: str) -> int:
    return next((a.evidence for a in alternatives if a.url == url), 0)


def _message(url: str, other: str, evidence: int, dropped: bool) -> str:
    if dropped:
        return f"hyphen at a line break was dropped: {url} occurs unbroken elsewhere, {other} does not"
    times = {0: "nowhere else", 1: "once elsewhere"}.get(evidence, f"{evidence} times elsewhere")
    return f"hyphen at a line break was kept: {url}; without it, {other} occurs {times}"


HYPHEN_AT_BREAK = Rule(
    *ENTRIES["U601"],
    severity=Severity.INFO,
    summary="URL is broken after a hyphen that may not belong to it",
    why=(
        'RFC 1738 appendix: "some typesetters and printers may erroneously introduce a hyphen at the end of line'
        ' when breaking a line". RFC 3986 appendix C repeats this warning. A reader cannot tell which URL is meant.'
        " urlscan keeps the hyphen unless only the other reading occurs unbroken in the same text. In that case the"
        " finding is a warning."
    ),
    when_to_ignore="Where a program that never hyphenates wrote the text. The severity is info for this reason.",
    bad=examples("See <http://h.example/cgi-\nbin/x>."),
    good=examples("See <http://h.example/cgi-bin/\nx>.", "See <http://h.example/cgi-bin/x>."),
    check_text=check_hyphen_at_break_in_text,
    contexts=PARAGRAPHS,
)

# --- U602 broken-bare-url

# Text before a value in a table of lines: "name::", "key=", a cell's bar, a tab, a target of reStructuredText.
_FIELD = lazy(r"(?:::|=|\||\t|^[ \t]*\.\.[ \t][^\r\n]*:)[ \t]*\Z|\t|::")
# Quoting characters at the beginning of a line are not a field: "> ", "| ".
_QUOTE_MARKS = " \t>|:"
# The mark of an item of a list, with its indentation.
# Matches: `- `, `  * `
# Does not match: `-`, `> `, `a - `
_ITEM = lazy(r"[ \t]*[-*+\u2022][ \t]+")
# The head of a draft of the IETF, which a program has formatted.
_FORMATTED = lazy(r"^(?:Internet-Draft\b|.*[ ]{3}Internet-Draft$)", re.MULTILINE)
_HEAD_SIZE = 2000  # characters
_REACH = 400  # number of characters examined before the URL on its line


def check_broken_bare_url_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a URL in a paragraph that seems to continue on the next line."""
    for fault in faults_named(occurrence, "goes-on"):
        before = re.split(r"[\r\n]", document.text[max(occurrence.start - _REACH, 0) : occurrence.start])[-1]
        is_field = before.strip(_QUOTE_MARKS) and _FIELD.search(before.lstrip()) is not None
        following = document.text[fault.start : fault.start + _REACH].lstrip("\r\n")
        if (item := _ITEM.match(before)) is not None and following.startswith(item[0].rstrip()):
            return  # the next item of a list
        is_copied = before.startswith("#") or _FORMATTED.search(document.text, 0, _HEAD_SIZE) is not None
        if is_field or is_copied or _is_target(document.text, occurrence.start):
            return  # "#" begins a comment of a configuration file, which is copied rather than written
        edits = wrap_edits(occurrence.start, fault.end)
        joined = next((a.url for a in occurrence.alternatives if a.why == "joined"), "")
        yield TextProblem(
            "URL seems to continue on the next line; enclose it in <URL:...>",
            occurrence.start,
            fault.start,
            section="RFC 3986 appendix C",
            suggestion=f"<URL:{joined}>",
            fix=Fix("unsafe", edits),
        )


def _is_target(text: str, position: int) -> bool:
    """Return whether the line of text[at] continues a target of reStructuredText: ".. _name:"."""
    lines = re.split(r"\r\n?|\n", text[max(position - _REACH, 0) : position])
    return len(lines) > 1 and lines[-2].startswith(".. _") and not lines[-1].strip()


BROKEN_BARE_URL = Rule(
    *ENTRIES["U602"],
    severity=Severity.WARNING,
    summary="URL without delimiters seems to be broken over two lines",
    why=(
        "White space delimits a URL in text, and a line end is white space. A URL can only continue on the next line"
        " inside angle brackets or quotation marks (RFC 1738 appendix, RFC 3986 appendix C). Readers take the first"
        " line for the complete URL. The rule guesses, from the end of the URL, the beginning of the next line and"
        " the lengths of the lines around it."
    ),
    when_to_ignore="Where the next line does not belong to the URL.",
    bad=examples(
        "See http://h.example/papers/long-\nname.html for more.\n",
        "The papers of the mill are kept by the harbour office:\nhttp://h.example/cgi-bin/archive/harbour/mills/1994/\nmill.html\n",
    ),
    good=examples(
        "See <URL:http://h.example/papers/long-\nname.html> for more.\n",
        "See http://h.example/papers/\nThanks.\n",
        "http://h.example/a/\nhttp://h.example/b/\n",
    ),
    check_text=check_broken_bare_url_in_text,
    fix_note="Writes <URL:...> around both lines (unsafe: the rule guesses).",
    defers_to_faults=("break-in-escape",),
    contexts=("prose",),  # few maintainers act on one in a comment
)


# --- U603 unclosed-wrapper


def check_unclosed_wrapper_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a wrapper that is never closed."""
    for fault in occurrence.faults:
        if fault.name == "unclosed-wrapper" and not document.text.startswith("<", fault.start - 1):  # "<<<" quotes
            opener = document.text[fault.start : occurrence.start].strip() or "<"
            message = f'"{opener}" is not closed; write ">" after the URL'
            yield TextProblem(
                message, fault.start, fault.end, section="RFC 3986 appendix C", suggestion=f"{opener}{occurrence.url}>"
            )


UNCLOSED_WRAPPER = Rule(
    *ENTRIES["U603"],
    severity=Severity.ERROR,
    summary="Angle bracket before a URL is not closed",
    why=(
        'Angle brackets show where a URL ends (RFC 1738 appendix, RFC 3986 appendix C). Without the closing ">" a'
        " reader has to guess. urlscan then reads the URL as if it had no brackets: a line break ends it."
    ),
    when_to_ignore='Where "<" before a URL has another meaning, such as a redirection in a shell script.',
    bad=examples("See <http://h.example/a\n\nNext paragraph.", "See <URL:http://h.example/a and so on."),
    good=examples("See <http://h.example/a>.", "See http://h.example/a and so on."),
    check_text=check_unclosed_wrapper_in_text,
    contexts=PARAGRAPHS,
)


# --- U604 prose-in-wrapper


def check_prose_in_wrapper_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for text between the delimiters that is not part of the URL."""
    for fault in occurrence.faults:
        # In comments and source files, words after the URL are a label, as in Haddock.
        if fault.name == "prose-in-wrapper" and (occurrence.context == "prose" or occurrence.style == "wrapper"):
            opener = document.text[occurrence.outer_start : occurrence.start].strip()
            closer = document.text[occurrence.outer_end - 1 : occurrence.outer_end]
            yield TextProblem(
                "delimiters contain text after the URL; write it outside",
                fault.start,
                fault.end,
                section="RFC 3986 appendix C",
                suggestion=f"{opener}{occurrence.url}{closer}",
            )


PROSE_IN_WRAPPER = Rule(
    *ENTRIES["U604"],
    severity=Severity.ERROR,
    summary="Delimiters contain words or another URL besides the URL",
    why=(
        "White space between the delimiters is ignored, so that long URLs can be broken over lines (RFC 1738"
        " appendix, RFC 3986 appendix C). Programs that follow this read the words as part of the URL. Give each URL"
        " its own delimiters, and write the words outside."
    ),
    when_to_ignore="Where no program reads the text.",
    bad=examples(
        "See <URL:ftp://h.example/papers/horses.ps or horses.txt>.", "See <http://h.example/a http://h.example/b>."
    ),
    good=examples(
        "See <URL:ftp://h.example/papers/horses.ps> or horses.txt.", "See <http://h.example/a> <http://h.example/b>."
    ),
    check_text=check_prose_in_wrapper_in_text,
    contexts=PARAGRAPHS,
)


# --- U605 unwrapped-url


def check_unwrapped_url_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a URL in plain text without delimiters."""
    if document.kind in ("plain", "mail") and occurrence.style == "bare" and not occurrence.breaks:
        edits = wrap_edits(occurrence.start, occurrence.end)
        yield TextProblem(
            "URL has no delimiters, so readers have to guess its end; write <URL:...>",
            occurrence.start,
            occurrence.end,
            section="RFC 1738 appendix",
            suggestion=f"<URL:{occurrence.url}>",
            fix=Fix("safe", edits),
        )


UNWRAPPED_URL = Rule(
    *ENTRIES["U605"],
    severity=Severity.WARNING,
    summary="URL in plain text has no angle brackets",
    why=(
        "The appendix of RFC 1738 recommends `<URL:...>` in text: punctuation does not become part of the URL, and"
        " the URL may be broken over lines. RFC 3986 appendix C recommends `<...>`."
    ),
    when_to_ignore="Almost everywhere: bare URLs are common, so the rule is off by default.",
    bad=examples("See http://h.example/a, or not."),
    good=(Example("See <URL:http://h.example/a>, or not."), Example("See http://h.example/a, or not.", path="a.md")),
    check_text=check_unwrapped_url_in_text,
    checks_every_occurrence=True,
    fix_note="Writes <URL:...> around the URL (safe).",
    contexts=PARAGRAPHS,
)


# --- U606 missing-url-prefix


def check_missing_url_prefix_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for angle brackets without "URL:"."""
    if document.kind in ("plain", "mail") and occurrence.style == "angle":
        opener = occurrence.outer_start
        yield TextProblem(
            'angle bracket without "URL:"; write "<URL:"',
            opener,
            opener + 1,
            section="RFC 1738 appendix",
            suggestion="<URL:",
            fix=Fix("safe", (Edit(opener + 1, opener + 1, "URL:"),)),
        )


MISSING_URL_PREFIX = Rule(
    *ENTRIES["U606"],
    severity=Severity.INFO,
    summary='Angle brackets in plain text lack the prefix "URL:"',
    why=(
        'The appendix of RFC 1738 writes "URL:" inside the brackets. RFC 3986 appendix C no longer recommends it.'
        " The rule is for authors who follow the older document."
    ),
    when_to_ignore="Almost everywhere, so the rule is off by default.",
    bad=examples("See <http://h.example/a>."),
    good=(Example("See <URL:http://h.example/a>."), Example("See <http://h.example/a>.", path="a.md")),
    check_text=check_missing_url_prefix_in_text,
    checks_every_occurrence=True,
    fix_note='Writes "URL:" (safe).',
    contexts=PARAGRAPHS,
)

# --- U607 break-in-escape

# The parts of "%" HEXDIG HEXDIG before and after a break.
_HEAD = lazy(r"%[0-9A-Fa-f]?\Z")
_TAIL = lazy(r"[0-9A-Fa-f]{1,2}")


def check_break_in_escape_in_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for each escape that a break divides."""
    for fault in faults_named(occurrence, "break-in-escape"):
        joined = next((a.url for a in occurrence.alternatives if a.why == "joined"), "")
        yield _problem(fault.start, fault.end, joined)
    raw = occurrence.raw
    for break_ in occurrence.breaks:
        head = _HEAD.search(raw, max(0, break_.offset - 2), break_.offset)
        tail = _TAIL.match(raw, break_.offset + break_.length)
        if head is None or tail is None:
            continue
        missing = 3 - len(head[0])
        if len(tail[0]) >= missing:
            end = occurrence.start + tail.start() + missing
            yield _problem(occurrence.start + head.start(), end, occurrence.url)


def _problem(start: int, end: int, suggestion: str) -> TextProblem:
    message = 'break divides an escape; break the URL before "%" or after both digits'
    return TextProblem(message, start, end, section="RFC 3986 section 2.1", suggestion=suggestion)


BREAK_IN_ESCAPE = Rule(
    *ENTRIES["U607"],
    severity=Severity.ERROR,
    summary="Line break or space divides an escape",
    why=(
        'An escape consists of "%" and two hexadecimal digits (RFC 3986 section 2.1), which belong together. A'
        " reader who does not join the lines gets a malformed URL, and a reader who joins them cannot be sure of the"
        " result."
    ),
    when_to_ignore="In archives of mail, whose lines must not be changed.",
    bad=examples("See http://h.example/State%20of%\n20Utah today.", "See <http://h.example/State%2\n0of>."),
    good=examples("See <http://h.example/State\n%20of>.", "See http://h.example/State%20of"),
    check_text=check_break_in_escape_in_text,
    contexts=PARAGRAPHS,
)


# --- U609 punctuation-in-wrapper


def check_punctuation_in_wrapper_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a period, a comma or a semicolon before the closing bracket."""
    for fault in faults_named(occurrence, "punctuation-in-wrapper"):
        character = document.text[fault.start : fault.end]
        yield TextProblem(
            f'"{character}" before ">" is part of the URL; write punctuation after the bracket',
            fault.start,
            fault.end,
            section="RFC 3986 appendix C",
            suggestion=occurrence.url[:-1],
            fix=Fix("unsafe", (Edit(fault.start, fault.end, ""),)),
        )


PUNCTUATION_IN_WRAPPER = Rule(
    *ENTRIES["U609"],
    severity=Severity.WARNING,
    summary="Punctuation before the closing bracket becomes part of the URL",
    why=(
        "Angle brackets delimit the URL (RFC 1738 appendix, RFC 3986 appendix C), so a period before the closing"
        " bracket belongs to it: `<http://h.example/a.>` names the resource `/a.`, which rarely exists."
    ),
    when_to_ignore="Where the URL really ends with the character.",
    bad=(
        Example("See <URL:http://h.example/a.>"),
        Example("See <http://h.example/a,> or not."),
        Example("See `a <http://h.example/a.>`__.", path="a.rst"),
    ),
    good=examples("See <URL:http://h.example/a>.", "See <http://h.example/a...>."),
    check_text=check_punctuation_in_wrapper_in_text,
    fix_note="Removes the punctuation (unsafe: the URL may end with it).",
)


# --- U610 too-long


def check_too_long_in_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a URL of which only the beginning was read."""
    for fault in faults_named(occurrence, "too-long"):
        message = "URL is longer than 65,536 characters; only its beginning was checked"
        yield TextProblem(message, fault.start, fault.end, section="RFC 9110 section 4.1")


TOO_LONG = Rule(
    *ENTRIES["U610"],
    severity=Severity.WARNING,
    summary="URL is longer than 65,536 characters",
    why=(
        "No specification sets a limit. RFC 9110 section 4.1 asks programs to support at least 8,000 octets, and few"
        " support more than 65,536. urlscan reads no further, so that a hostile text cannot make it read without end."
    ),
    when_to_ignore="Where the URL contains data on purpose.",
    bad=examples("http://h.example/" + "a" * 70_000),
    good=examples("http://h.example/" + "a" * 60_000),
    check_text=check_too_long_in_text,
    contexts=PARAGRAPHS,
)


# --- U611 needless-wrapper


def check_needless_wrapper_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for delimiters inside other delimiters."""
    for fault in faults_named(occurrence, "needless-wrapper"):
        opener = document.text[fault.start : occurrence.start].strip()
        edits = (Edit(fault.start, occurrence.start, ""), Edit(occurrence.end, fault.end, ""))
        yield TextProblem(
            f'"{opener}" and ">" become part of the URL; remove them, since the markup delimits it',
            fault.start,
            fault.end,
            section="RFC 3986 appendix C",
            suggestion=occurrence.url,
            fix=Fix("safe", edits),
        )


NEEDLESS_WRAPPER = Rule(
    *ENTRIES["U611"],
    severity=Severity.WARNING,
    summary="Angle brackets around a URL that markup already delimits",
    why=(
        "Angle brackets and `URL:` separate a URL from prose (RFC 1738 appendix, RFC 3986 appendix C). An attribute"
        " has quotation marks for this purpose. Everything between them is the URL, and `<URL:http://h.example/>` is"
        " not a valid one."
    ),
    when_to_ignore="Never.",
    bad=examples('<a href="<URL:http://h.example/>">a</a>', path="a.html"),
    good=(
        Example('<a href="http://h.example/">a</a>', path="a.html"),
        Example("See [a](<http://h.example/>).", path="a.md"),
        Example("See <URL:http://h.example/>."),
    ),
    check_text=check_needless_wrapper_in_text,
    fix_note="Removes the delimiters (safe).",
)


# --- U612 fragment-outside-wrapper


def check_fragment_outside_wrapper_in_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a fragment immediately after the closing bracket."""
    for fault in faults_named(occurrence, "fragment-outside"):
        fragment = document.text[fault.start : fault.end]
        edits = (Edit(occurrence.end, occurrence.end, fragment), Edit(fault.start, fault.end, ""))
        yield TextProblem(
            f'"{fragment}" after the bracket is not read as part of the URL; write it inside',
            fault.start,
            fault.end,
            component="fragment",
            section="RFC 3986 appendix C",
            suggestion=occurrence.url + fragment,
            fix=Fix("safe", edits),
        )


FRAGMENT_OUTSIDE_WRAPPER = Rule(
    *ENTRIES["U612"],
    severity=Severity.WARNING,
    summary="Fragment follows the angle brackets that enclose the URL",
    why=(
        "The appendix of RFC 1738 writes the fragment outside, because it was not part of the URL:"
        ' "<URL:http://h/x>#frag". Since RFC 3986 section 3.5 it is part of the URL, and appendix C writes it inside.'
        " Programs that read the brackets lose a fragment outside."
    ),
    when_to_ignore="Where the text follows RFC 1738.",
    bad=examples("See <URL:http://h.example/a>#top."),
    good=examples("See <URL:http://h.example/a#top>.", "See <URL:http://h.example/a> #1."),
    check_text=check_fragment_outside_wrapper_in_text,
    fix_note="Moves the fragment inside (safe).",
    contexts=PARAGRAPHS,
)
