"""Detect text that was meant as a link but is not one, or that leads nowhere as a link.

CommonMark 0.31 section 6.3: between "]" and "(" is no white space, and a destination has no blanks unless it is in
"<>". Any other form is shown as text. A link without text cannot be seen; one without a destination leads to its page.
docutils 0.22, "Embedded URIs and Aliases", removes white space from a URI.
"""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.faults import TargetFault
from urlscan.core.lazy import lazy
from urlscan.targets.cross_references import outside_comments
from urlscan.targets.link_references import is_defined, matches_in_text
from urlscan.targets.names import extension
from urlscan.uri.grammar.domains import is_top_level

_URL = r"(?: https?:// | www\. ) [^\s()<>\[\]]{1,2000}"
# Matches: `[a] (https://h.org/b)`, `[a b]  (www.h.org)`
# Does not match: `[a](https://h.org/b)`, `[ ] (https://h.org/b)`, `[1] (https://h.org/b)`, `[@a] (https://h.org/b)`
_APART = lazy(
    rf"""
    (?<! [\]!\\] ) \[ (?P<text> (?! @\w | [ xX\d^@] [^\[\]\n]{{0,3}} \] ) [^\[\]\n]{{1,300}} ) \] [ ]{{1,3}}
    \( (?P<url> {_URL} ) \)
    """,
    re.VERBOSE,
)
_APART_SIGN = lazy(r"\] {1,3}\((?:http|www)")
_REVERSED_SIGN = lazy(r"\)\[(?:http|www)")
# Matches: `(a)[https://h.org/b]`, `(a b)[www.h.org]`
# Does not match: `[a](https://h.org/b)`, `(a)[b]`, `(a) [https://h.org/b]`
_REVERSED = lazy(rf"(?<! \] ) \( (?P<text> [^()\n]{{1,200}} ) \) \[ (?P<url> {_URL} ) \] (?! \( )", re.VERBOSE)
_SWAPPED_SIGN = lazy(r"\[http[^\s\[\]]*\]\([A-Za-z]+,? ")
# With a blank it is no destination.
# Matches: `[https://h.org/b](A b)`, `[https://h.org/b](See the v1.2 docs.)`
# Does not match: `[https://h.org/b](c)`, `[https://h.org/b](c "a")`, `[https://h.org/b](c d.md)`
_SWAPPED = lazy(
    rf"""
    (?<!\\)\[ (?P<url> {_URL} )
    \]\( (?P<text> [A-Za-z]+ ,? (?: [ ] [^()/#<>"'\s]{{1,50}} ){{0,30}} [ ] [^()./#<>"'\s]{{1,50}} \.? ) \)
    """,
    re.VERBOSE,
)
# A second parenthesis at the end makes it a link again, whose destination begins with one (U401).
# Matches: `]((https://h.org/b)`
# Does not match: `](https://h.org/(b))`, `]((b))`, `]((https://h.org/b))`
_DOUBLED = lazy(rf"\]\( (?P<extra> \( ) (?P<url> {_URL} | /[^\s()<>\[\]]{{1,2000}} ) \)(?!\))", re.VERBOSE)
# Matches: `]([a](https://h.org/b))`
# Does not match: `](https://h.org/[a](b))`, `[a](https://h.org/b)`, `]([a](b))`
_NESTED = lazy(rf"\]\( (?P<extra> \[ [^\[\]\n]{{1,300}} \]\( {_URL} \) ) \)", re.VERBOSE)
# Code is no text here: the backticks are a part of the destination.
_QUOTED = lazy(r"\]\((?P<extra>`[^\s`()<>]{1,500}`)\)")
# A full-width parenthesis, which an input method for Chinese writes, closes no link.
# Matches: `](https://h.org/b）`
# Does not match: `](https://h.org/b)`, `](https://h.org/b（c）)`, `](b）`
_WIDE = lazy(r"\]\((?P<url>https?://[^\s()<>\uff08\uff09]{1,2000})(?P<extra>\uff09)")
# Matches: `](https://h.org/a b_(c))`, `](docs/a b.md)`, `](a - b.md)`, `](https://h.org/a b "c")`, `](/docs/a. md)`
# Does not match: `](https://h.org/ab "c")`, `](docs/ab.md)`, `](a b)`, `](a. md)`, `](/a.png =10x20)`, `](a -b c.md)`
_BLANK = lazy(
    r"""
    \]\( [ ]{0,9} (?P<url> (?! [ ] )
        https?:// [^\s()<>"'{}$]{1,1000}+ (?: [ ]{1,2} (?! = \d ) [^\s()<>"'{}$]{1,1000} ){1,9} (?: \([\w-]{1,100}\) )?
      | /[^\s()<>"'#={}$]{1,300}+ (?: [ ]{1,2} [^\s()<>"'={}$]{1,300} ){1,9}
      | (?! \w+: | @\w+[ ] ) [^\s()<>"'#={}$]{1,300}+ (?: [ ]{1,2} (?! -[^ ] ) [^\s()<>"'={}$]{1,300} ){1,9}
        \. [a-z]{2,5} (?: \# [^\s()<>]{0,300} )?
    ) [ ]? (?: "[^"\n]{0,300}" | '[^'\n]{0,300}' )? \)
    """,
    re.VERBOSE,
)
# Programs write the title of a document where the text of a link to one is empty.
# Matches: `[](https://h.org/b)`
# Does not match: `![](https://h.org/b.png)`, `[](b.md)`, `[](){#b}`, `[a](https://h.org/b)`
_WITHOUT_TEXT = lazy(r"\[\]\( (?<! [A-Za-z0-9_!\])\\] \[\]\( ) (?P<url> https?:// [^\s()<>]{1,2000} ) \)", re.VERBOSE)
# A name with its kind is a widget, whose page the site knows (Exercism, "Widgets").
# Matches: `[a]()`, `[a b]( )`, `[https://h.org/]()`
# Does not match: `f[a]()`, `[a](b)`, `![a]()`, `[concept:a/b]()`
_WITHOUT_URL = lazy(
    r"""
    (?<![A-Za-z0-9_!\])\\]) \[ (?P<text> (?! [a-z]{1,30} : (?!/) [^\s\[\]]{1,300} \] ) [^\[\]\n]{1,300} ) \]
    \( (?P<url>[ ]?) \)
    """,
    re.VERBOSE,
)
# In reStructuredText: no line break, which docutils removes for good reason, and no placeholder or substitution.
# Matches: `a b`, `../a b.html#c`
# Does not match: `ab`, `a\nb`, `{{ a }}`, `a\\ b`
_REMOVED_BLANK = lazy(r"(?=\S++ )[^\n{}|\\$<>]+")
# The end of a reference without "_", from its URL, and its beginning. A role has its name before or after it.
# Matches: `` <https://h.org/b>` ``
# Does not match: `` <https://h.org/b>`_ ``, `` <https://h.org/b>`:a: ``, `` <https://h.org/b>`s ``
_UNENDED = lazy(r"<https?://[^\s<>`{}]{1,2000}>(?:` {1,2}_(?=_?(?!\w))|`(?![`_:\w]))")
_TITLE = lazy(r"(?<![\w:`\\])`(?![\s`])[^`<>]{1,300}\s\Z")
_LONGEST_TITLE = 310
# A link of Markdown, which docutils shows as it is.
# Matches: `[a b](https://h.org/b)`
# Does not match: `[a](b)`, `[a] (https://h.org/b)`, `![a](https://h.org/b)`, `[[a](https://h.org/b)`
_OF_MARKDOWN = lazy(r"(?<![!\[\\`])\[(?P<text>[^\[\]`<>\n]{1,200})\]\((?P<url>https?://[^\s()<>]{1,2000})\)")
_PLANNED = lazy(r"(?i)\b(?:TODO|TBD|FIXME|WIP|coming[ ]soon)\b")  # words for what is not written yet
# An address of mail (RFC 5322 3.4.1), without quotation marks.
# Matches: `a@h.org`, `a.b+c@mail.h.org`
# Does not match: `a@h`, `@a/b`, `a@h.org/b`
_ADDRESS = lazy(r"[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,9}[A-Za-z]{2,24}")
# A host without a scheme, alone or before a path.
# Matches: `bit.ly`, `github.com`, `a.b.example`
# Does not match: `../a.b`, `a/b.c`, `v1.2`
_HOST = lazy(r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,9}(?P<tld>[A-Za-z]{2,24})(?=/|\Z)")


def malformed_links(segment: Document, *, allows_blanks: bool, links_code: bool) -> Iterator[TargetFault]:
    """Yield the texts in a Markdown document that have nearly the form of a link; a program may allow some forms."""
    text = segment.text
    # A search that begins with a literal tells whether the longer patterns are needed.
    for sign, pattern in ((_APART_SIGN, _APART), (_REVERSED_SIGN, _REVERSED), (_SWAPPED_SIGN, _SWAPPED)):
        if sign.search(text) is not None:
            for match in matches_in_text(pattern, segment):
                if not any(is_defined(label, segment) for label in match.group("text", "url")):
                    written = f"[{match['text']}]({match['url']})"
                    yield TargetFault("malformed-link", *match.span(), variant="form", suggestion=written)
    variants = (
        ("]((", _DOUBLED, "parenthesis"),
        ("]([", _NESTED, "nested"),
        ("](`", _QUOTED, "code"),
        ("\uff09", _WIDE, "wide"),
    )
    for literal, pattern, variant in variants:
        if literal in text and not (links_code and variant == "code"):
            for match in matches_in_text(pattern, segment):
                yield TargetFault("malformed-link", *match.span("extra"), variant=variant)
    if allows_blanks:
        return
    for match in matches_in_text(_BLANK, segment):
        host = match["url"].partition("://")[2].partition("/")[0]
        if host or extension(match["url"].partition("#")[0].replace(" ", "")):
            yield TargetFault("malformed-link", *match.span("url"), variant="host" if " " in host else "blank")


def malformed_references(segment: Document) -> Iterator[TargetFault]:
    """Yield the references in reStructuredText without "_", as in Markdown, or with a blank, which docutils removes."""
    for match in _outside_comments(_UNENDED, segment):
        title = _TITLE.search(segment.text, max(match.start() - _LONGEST_TITLE, 0), match.start())
        if title is not None:
            written = title[0] + match[0].partition("`")[0] + "`_"
            yield TargetFault("malformed-link", title.start(), match.end(), variant="underscore", suggestion=written)
    for match in _outside_comments(_OF_MARKDOWN, segment):
        written = f"`{match['text']} <{match['url']}>`_"
        yield TargetFault("malformed-link", *match.span(), variant="markdown", suggestion=written)
    for start, end in segment.links:
        first, last = segment.to_decoded(start, end)
        if last - first > end - start and _REMOVED_BLANK.fullmatch(segment.decoded, first, last) is not None:
            yield TargetFault("malformed-link", start, end, variant="removed")


def _outside_comments(pattern: "re.Pattern[str]", segment: Document) -> Iterator["re.Match[str]"]:
    """Return the matches that are neither in code nor in a comment."""
    return outside_comments(segment.text, ((match.start(), match) for match in matches_in_text(pattern, segment)))


def empty_links(segment: Document, *, fills_text: bool) -> Iterator[TargetFault]:
    """Yield the links in a Markdown document that have no text, unless a program fills it, or no destination."""
    text = segment.text
    if "[](" in text and not fills_text:
        for match in matches_in_text(_WITHOUT_TEXT, segment):
            yield TargetFault("incomplete-link", *match.span(), variant="text")
    if "]()" not in text and "]( )" not in text:
        return
    for match in matches_in_text(_WITHOUT_URL, segment):
        fault = TargetFault("incomplete-link", *match.span(), variant="destination")
        if _PLANNED.search(match["text"]) is not None:
            fault = fault._replace(advice="placeholder")
        yield fault


def missing_prefix(path: str) -> str:
    """Return what must precede a relative reference that is an address or begins with a host; "" for another."""
    if _ADDRESS.fullmatch(path) is not None:
        return "mailto:"
    match, name = _HOST.match(path), path.rstrip("/")
    if match is None or (match.end() == len(name) and extension(name)):
        return ""
    if is_top_level(match["tld"]):  # "Site" in "wheel.Site" is no domain
        return "https://"
    return ""
