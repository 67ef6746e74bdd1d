"""Decide whether a string is a template, a format or a pattern rather than a URL.

`notations.py` has the table of notations.
"""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, match_end
from urlscan.uri.grammar.notations import NOTATIONS

# Each notation contains one of these; most URLs contain none.  A class finds a character of each: the last of `host:`.
# Matches: `{`, `***`, `%s`, `%A`, `%0`, `%AB_C%`, `@X@`, `@a(`, `xxxxxxxx-xxxx-`, `' +`
# Does not match: `a`, `%20`, `%AB`, `jo@h`, `/~jo`, `it's`
_MAY_HOLD = lazy(
    r"""
    [{$<\[(\\`*%:~@xX']
    (?: (?<=[{$<\[(\\`]) | (?<=')[ ]\+ | (?<=\*)\*\* | (?: (?<=host:) | (?<=hostname:) )port | (?<=:~) | (?<=//~)
      | (?<=%)(?: [^0-9A-Fa-f] | [0-9A-Fa-f](?![0-9A-Fa-f]) | 0 | [A-Z]{2}[A-Z0-9_-]*% )
      | (?<=@)(?: [A-Z][A-Z0-9_]*@ | (?<=[/=?&-]@)[a-z] | [\w.]*\( ) | (?<=[xX])(?i: x{7}-x{4}- )
    )
    """,
    re.VERBOSE,
)
# RFC 3986 appendix B: path, query and fragment.
_COMPONENTS = lazy(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?/?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)

# The notations of each scope in one expression.
_PATTERNS = {
    scope: "|".join(n.pattern for n in NOTATIONS if n.scope == scope) for scope in sorted({n.scope for n in NOTATIONS})
}

_EXPRESSION = lazy(_PATTERNS["expression"])
_ELEMENT = lazy(_PATTERNS["attribute"])
_COMPONENT = lazy(f"(?:{_PATTERNS['component']})+")
_PATTERN_SIGN = lazy(_PATTERNS["pattern"])
_BARE_PATTERN_SIGN = lazy(f"{_PATTERNS['pattern']}|{_PATTERNS['bare pattern']}")


_ANYWHERE = "|".join([_PATTERNS["expression"], _PATTERNS["field"], _PATTERNS["directive"]])
_IN_TEXT = f"{_PATTERNS['undelimited']}|{_PATTERNS['component']}"
# All placeholders, tried only at their first characters; at last those of URLs with or without delimiters only, which
# begin differently from the others or, like elements and words in angle brackets, end where these do.
# Matches: `{{ x }}`, `{id}`, `%s`, `[1-9]`, `%S`, `<x:var a="b"/>`, `host:port`
# Does not match: `%20`, `{6D5140C1-7436-11CE-8034-00AA006009FA}`, `<br>`
_PLACEHOLDER = lazy(
    rf"(?=[{{$<\[(%@*~`'\\#hxX])(?:{_ANYWHERE}|(?:{_IN_TEXT})(?P<text>)|{_PATTERNS['attribute']}(?P<markup>))"
)


def _find_placeholders(text: str, *, delimited: bool) -> Iterator[tuple[int, int]]:
    """Yield the spans of placeholders; `delimited` as in `placeholder_spans`."""
    excluded, end = "text" if delimited else "markup", 0
    while (match := _PLACEHOLDER.search(text, end)) is not None:
        start, end = match.span()
        if match.lastgroup != excluded:
            yield start, end
        else:
            end = start + 1


def placeholder_spans(text: str, *, delimited: bool = False) -> list[tuple[int, int]]:
    """Return the spans of placeholders in `text`, in characters, in order, not overlapping.

    Args:
        delimited: whether markup fixes the extent of the URL, so that `[1-9]` and `%x` belong to it.

    >>> placeholder_spans("http://h/{id}?a=%s")
    [(9, 13), (16, 18)]
    >>> placeholder_spans("http://h/a%20dog?x%3Dy&z%%3D1")
    []
    >>> placeholder_spans("http://h/%S/x"), placeholder_spans("http://h/%S/x", delimited=True)
    ([(9, 11)], [])
    """
    if _MAY_HOLD.search(text) is None:
        return []
    spans = list(_find_placeholders(text, delimited=delimited))
    if delimited and "%" in text and (components := _COMPONENTS.fullmatch(text)) is not None:
        for number in (1, 2, 3):  # path, query and fragment, if they consist only of `%x` and the like
            start, end = components.span(number)
            is_free = not any(first < end and start < last for first, last in spans)
            if components[number] and is_free and _COMPONENT.fullmatch(components[number]):
                spans.append((start, end))
    return sorted(spans)


def first_placeholder(url: str, *, delimited: bool = False) -> int:
    """Return the offset of the first placeholder in `url`, or -1; `delimited` as in `placeholder_spans`.

    Undelimited text is read up to there only: it may be long.
    """
    if delimited:
        return next((start for start, _ in placeholder_spans(url, delimited=True)), -1)
    if _MAY_HOLD.search(url) is None:
        return -1
    return next((start for start, _ in _find_placeholders(url, delimited=False)), -1)


# --- expressions in the text around a URL

# The rest of the opener of an expression, after its first character, which a class finds.
OPENER = r"(?<=\$)[{(]|(?<=#)\{|(?<=\{)[{%#$]|(?<=<)(?:[%?:]|!--#)|(?<=\[)%|(?<=\\)\("
_OPENER = lazy(rf"[$#{{<\[\\`](?:{OPENER}|(?<=\{{)[$@*.]{{0,2}}[A-Za-z_]|(?<=`))")
_OPENER_IN_ATTRIBUTE = lazy(rf"[$#{{<\[\\](?:{OPENER}|(?<=\{{)[$@*.]{{0,2}}[A-Za-z_]|(?<=<)/?[A-Za-z])")
_BEGINS_EXPRESSION = frozenset("{<[$#`\\")
# Longer expressions are not followed.
LONGEST_EXPRESSION = 2000
# An expression in an attribute value, which a reader treats as one character.
OPAQUE = f"(?:{_PATTERNS['expression']}|{_PATTERNS['attribute']})"


def expression_end(
    text: str, start: int, limit: int, *, attribute: bool = False, longest: int = LONGEST_EXPRESSION
) -> int:
    """Return the end of the expression that begins at text[start], or `start` if there is none.

    `attribute` tells whether it is in an attribute value, where elements are expressions as well.
    """
    if text[start : start + 1] not in _BEGINS_EXPRESSION:
        return start
    end = match_end(_EXPRESSION, text, start, limit := min(limit, start + longest))
    if attribute and end == start:
        return match_end(_ELEMENT, text, start, limit)
    return end


def expression_around(text: str, start: int, position: int, limit: int, *, attribute: bool = False) -> int:
    """Return the end of the expression that begins in text[start:position] and includes `position`, or that.

    Only an expression may include the character at `position`, a space or a quotation mark.
    """
    pattern = _OPENER_IN_ATTRIBUTE if attribute else _OPENER
    while (opener := pattern.search(text, start, position)) is not None:
        end = expression_end(text, opener.start(), limit, attribute=attribute)
        if end > position:
            return end
        start = max(end, opener.start() + 1)
    return position


def line_expression_around(text: str, start: int, position: int, limit: int) -> int:
    """Return the end of the expression around text[position], as `expression_around`, if it is part of a URL in a text.

    An expression that extends over lines, or that contains a URL of its own, is code:
    `"https://h.example/$(curl -s https://h.example/latest | grep a)"`.
    """
    end = expression_around(text, start, position, limit)
    if text.find("\n", position, end) >= 0 or text.find("://", position, end) >= 0:
        return position
    return end


# --- patterns

# How much of the line before and after a URL shows whether it is a pattern, in characters.
_BEFORE, _AFTER = 80, 80
_TOKEN = lazy(r"[^\s<>]*")
# An argument of a function for patterns, or text that begins with an anchor.
# Matches: `re.compile(r"^`, `preg_match('`, `%r{`, `=~ m/`, `^(?:`, `(http|`, `\A`
# Does not match: `x = "`, `print("`, `a^`, `match`
_HANDED = lazy(
    r"""
    (?: \b (?: re\.(?: compile | match | search | sub | subn | split | findall | finditer | fullmatch )
            | [Rr]eg[Ee]x[Pp]?\w* | preg_\w+ | regcomp | gsub!? | fnmatch | glob | (?: g | string\. )?match
          ) \s*\(\s* [rRuUbBL@]{0,2} ["'`/#~]?
      | %r[{(\[<|!/]
      | \bqr[{(\[<|!/\#,~%]
      | [=!]~\s* m?["'/{|!\#,~%]?
      | ~~\s*
    ) [\^(]{0,3}(?:\?:)?\Z
  | (?<![\[\w])\^(?: \(\??:? | \[ )?\Z
  | \(\w{2,8}\|(?: \w{2,8}\|? ){0,6}\Z
  | \\A\Z
    """,
    re.VERBOSE,
)
# sed and Perl: "s|http://a/|http://b/|i".
_SUBSTITUTION = lazy(r"(?:\A|[\s'\"`;({=~])(?:s|y|tr)(?P<mark>[|!,#%@~;+])[^\n]{0,60}\Z")
_ANCHORED = lazy(r"\$\)?[\"'`/|]")
# Each of these but a substitution contains one of these characters; "qr" begins a pattern of Perl.
_SIGNS = frozenset("[({*+%$~^\\q")


def looks_like_pattern(text: str, start: int, end: int, *, delimited: bool = False) -> bool:
    r"""Return whether the URL at text[start:end] is, or belongs to, a regular expression or a glob.

    Only the line is examined, with at most 80 characters on either side.

    Args:
        delimited: whether markup fixes its extent; then only the URL itself is examined.

    >>> text = 'x = re.compile("https://h/[0-9]+")'
    >>> looks_like_pattern(text, 16, 31)
    True
    """
    if delimited:
        return _PATTERN_SIGN.search(text, start, end) is not None
    last = match_end(_TOKEN, text, end, end + _AFTER)
    before = text[text.rfind("\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE) : start]
    if not _SIGNS.isdisjoint(before + text[start:last]) and (
        _BARE_PATTERN_SIGN.search(text, start, last) is not None
        or _HANDED.search(before) is not None
        or _ANCHORED.search(text, max(end - 1, start), last) is not None
    ):
        return True
    mark = _SUBSTITUTION.search(before)
    newline = text.find("\n", end, end + _AFTER)
    rest = text[start : newline if newline >= 0 else end + _AFTER]
    return mark is not None and mark["mark"] in rest
