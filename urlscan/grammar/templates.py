"""Where a string is a template, a format or a pattern, and not yet a URL.

The table of notations is in `notations.py`.
"""

import functools
import re

from urlscan.grammar.notations import NOTATIONS, Scope
from urlscan.patterns import lazy

# Every notation has one of these; most URLs have none.
_MAY_HOLD = lazy(
    r"[{$<\[(\\]|`|\*\*\*|%(?:[^0-9A-Fa-f]|[0-9A-Fa-f](?![0-9A-Fa-f])|0|[A-Z]{2}[A-Z0-9_-]*%)"
    r"|host(?:name)?:|(?::|//)~|@[A-Z][A-Z0-9_]*@|[/=?&-]@[a-z]|(?i:x{8}-x{4}-)"
)
_IN_ANY_URL: tuple[Scope, ...] = ("expression", "field")
# RFC 3986 appendix B: path, query and fragment.
_COMPONENTS = lazy(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?/?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


# What a placeholder begins with, but for words.
_FIRST = "{$<[(%@*~`\\#"


@functools.cache
def _any_of(*scopes: Scope) -> str:
    return "|".join(notation.pattern for scope in scopes for notation in NOTATIONS if notation.scope == scope)


@functools.cache
def _compiled(*scopes: Scope) -> re.Pattern[str]:
    return re.compile(_any_of(*scopes))


@functools.cache
def _placeholder(*scopes: Scope) -> re.Pattern[str]:
    """Return the pattern of the notations of some scopes, which tries those with a mark only where one is."""
    marked: list[str] = []
    words: list[str] = []
    for scope in scopes:
        for notation in NOTATIONS:
            if notation.scope == scope:
                begins = notation.matches[0][0] if notation.matches else _FIRST[0]
                (marked if begins in _FIRST else words).append(notation.pattern)
    return re.compile("|".join((rf"(?=[{re.escape(_FIRST)}])(?:{'|'.join(marked)})", *words)))


def placeholder_spans(text: str, *, formats: bool = True, delimited: bool = False) -> list[tuple[int, int]]:
    """Return the spans of placeholders in `text`, in characters, in order, not overlapping.

    Args:
        text: a URL, or a piece of one.
        formats: whether printf's directives count; they do in sources and in quoted strings.
        delimited: whether markup fixes the extent of the URL, so that `[1-9]` and `%x` are its own characters.

    >>> placeholder_spans("http://h/{id}?a=%s")
    [(9, 13), (16, 18)]
    >>> placeholder_spans("http://h/a%20dog?x%3Dy&z%%3D1")
    []
    >>> placeholder_spans("http://h/%S/x"), placeholder_spans("http://h/%S/x", delimited=True)
    ([(9, 11)], [])
    """
    if _MAY_HOLD.search(text) is None:
        return []
    scopes: tuple[Scope, ...] = ("expression", "attribute", "field") if delimited and "<" in text else _IN_ANY_URL
    if formats:
        scopes += ("directive",)
    if not delimited:
        scopes += ("undelimited", "component") if formats else ("undelimited",)
    spans = [match.span() for match in _placeholder(*scopes).finditer(text)]
    if delimited and "%" in text:
        spans = sorted({*spans, *(span for span in _whole_components(text) if not _overlaps(span, spans))})
    return spans


def _whole_components(url: str) -> list[tuple[int, int]]:
    """Return the path, query and fragment that consist of nothing but `%x` and the like."""
    match = _COMPONENTS.fullmatch(url)
    whole = _repeated_components()
    return [] if match is None else [match.span(n) for n in (1, 2, 3) if match[n] and whole.fullmatch(match[n])]


@functools.cache
def _repeated_components() -> re.Pattern[str]:
    return re.compile(f"(?:{_any_of('component')})+")


def _overlaps(span: tuple[int, int], spans: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in spans)


# --- expressions in the text around a URL

# What begins an expression.
OPENER = r"\$?\{[{%#$]|<[%?:]|<!--#|\[%|[$#]\{|\$\(|\\\("
_OPENER = lazy(rf"{OPENER}|\{{[$@*.]{{0,2}}[A-Za-z_]|`")
_OPENER_IN_ATTRIBUTE = lazy(rf"{OPENER}|\{{[$@*.]{{0,2}}[A-Za-z_]|</?[A-Za-z]")
_BEGINS_EXPRESSION = frozenset("{<[$#`\\")
# Longer ones are not followed.
LONGEST_EXPRESSION = 2000


def opaque() -> str:
    """Return the pattern of an expression in the value of an attribute, which a reader takes as one character."""
    return f"(?:{_any_of('expression', 'attribute')})"


def expression_end(
    text: str, start: int, stop: int, *, attribute: bool = False, longest: int = LONGEST_EXPRESSION
) -> int:
    """Return where the expression ends that begins at text[start]; `start` if none does.

    Args:
        text: any text.
        start: where it may begin.
        stop: where it must have ended.
        attribute: whether it is in the value of an attribute, where elements are expressions, too.
        longest: how many characters it may have.
    """
    if text[start : start + 1] not in _BEGINS_EXPRESSION:
        return start
    pattern = _compiled("expression", "attribute") if attribute else _compiled("expression")
    match = pattern.match(text, start, min(stop, start + longest))
    return match.end() if match is not None else start


def expression_around(text: str, start: int, at: int, stop: int, *, attribute: bool = False) -> int:
    """Return where the expression ends that begins in text[start:at] and goes over `at`; `at` if none does.

    Args:
        text: any text.
        start: where it may begin, at the earliest.
        at: a place that only an expression may go over: a blank, a quotation mark.
        stop: where it must have ended.
        attribute: as of `expression_end`.
    """
    here, pattern = start, _OPENER_IN_ATTRIBUTE if attribute else _OPENER
    while (opener := pattern.search(text, here, at)) is not None:
        end = expression_end(text, opener.start(), stop, attribute=attribute)
        if end > at:
            return end
        here = max(end, opener.start() + 1)
    return at


# --- patterns

# How much of the line before and after a URL tells whether it is a pattern.
_BEFORE, _AFTER = 80, 80
_TOKEN = lazy(r"[^\s<>]*")
# What is handed to a function for patterns, or begins with an anchor.
_HANDED = lazy(
    r"(?:\b(?:re\.(?:compile|match|search|sub|subn|split|findall|finditer|fullmatch)|[Rr]eg[Ee]x[Pp]?\w*|preg_\w+"
    r"|regcomp|gsub!?|fnmatch|glob|(?:g|string\.)?match)\s*\(\s*[rRuUbBL@]{0,2}[\"'`/#~]?"
    r"|%r[{(\[<|!/]|\bqr[{(\[<|!/#,~%]|[=!]~\s*m?[\"'/{|!#,~%]?|~~\s*)[\^(]{0,3}(?:\?:)?\Z"
    r"|(?<![\[\w])[\^](?:\(\??:?|\[)?\Z|\(\w{2,8}\|(?:\w{2,8}\|?){0,6}\Z|\\A\Z"
)
# sed and Perl: "s|http://a/|http://b/|i".
_SUBSTITUTION = lazy(r"(?:\A|[\s'\"`;({=~])(?:s|y|tr)(?P<mark>[|!,#%@~;+])[^\n]{0,60}\Z")
_ANCHORED = lazy(r"\$\)?[\"'`/|]")


def looks_like_pattern(text: str, start: int, end: int, *, delimited: bool = False) -> bool:
    r"""Return whether the URL at text[start:end] is, or belongs to, a regular expression or a glob.

    Only the line is examined, and of it at most 80 characters on either side.

    Args:
        text: what the URL is part of.
        start: where the URL begins.
        end: where it ends.
        delimited: whether markup fixes its extent; then nothing but the URL itself is examined.

    >>> text = 'x = re.compile("https://h/[0-9]+")'
    >>> looks_like_pattern(text, 16, 31)
    True
    """
    if delimited:
        return _compiled("pattern").search(text, start, end) is not None
    after = _TOKEN.match(text, end, end + _AFTER)
    last = after.end() if after is not None else end
    if _compiled("pattern", "bare pattern").search(text, start, last) is not None:
        return True
    before = text[text.rfind("\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE) : start]
    if _HANDED.search(before) is not None or _ANCHORED.search(text, max(end - 1, start), last) is not None:
        return True
    mark = _SUBSTITUTION.search(before)
    newline = text.find("\n", end, end + _AFTER)
    rest = text[start : newline if newline >= 0 else end + _AFTER]
    return mark is not None and mark["mark"] in rest
