"""Find the links of markup, and merge them with the URLs of its prose."""

import re
from collections.abc import Iterator

from urlscan.core.document import MARKUP, Document, readable
from urlscan.core.lazy import lazy, repeat
from urlscan.core.records import Match, TextFault
from urlscan.finder.anchors import DEFANGED
from urlscan.finder.look_alikes import without_colon
from urlscan.uri.grammar.templates import expression_end, placeholder_spans

# RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Delimiters inside delimiters: href="<URL:http://h.example/>".
_WRAPPER = lazy(r"<\s*(?:url:)?\s*([^<>\s]+)\s*>", re.IGNORECASE)
# Meant as a host, but resolved by browsers as a relative reference.
_HOST = lazy(r"www\.[\w-]+\.[\w.-]+(?:[/?#:]|\Z)", re.IGNORECASE)
# A common URL without placeholders, delimiters and punctuation at the end.
_USUAL_CHARACTERS = repeat(r"[A-Za-z0-9./?=&;#+@_~,!-]++|%(?!0[1-9])[0-9A-Fa-f]{2}|:(?=[0-9])|\*(?!\*)")
# Matches: `http://h.example:80/a%20b?c=*`, `ftp://h.example/`, `mailto:jo@h.example`
# Does not match: `http://h.example/{id}`, `http://h.example/a.`, `http://h.example/%01d`, `gopher://h.example/`
_USUAL = lazy(rf"(?:(https?|ftp)://{_USUAL_CHARACTERS}|(mailto):[A-Za-z0-9._+-]++@[A-Za-z0-9.-]++)(?<![.,;])")
# A common relative reference: no colon, placeholder or host, and no two slashes, which look-alikes have.
# Matches: `a/b.html`, `../a#b`, `/a?b=c`, `#a_b`
# Does not match: `a:b`, `//h.example`, `a{b}`, `a.`, `www.h.example`, `jo@h.example`
_USUAL_REFERENCE = lazy(rf"(?!(?i:www\.)){repeat(r'[A-WYZa-wyz0-9._#?=&+-]++|[xX](?![xX]{7})|/(?!/)', 1)}(?<![.,;])")
# "joe at h.example" is masked against address harvesting.
_MASK = lazy(r"mailto:\S{1,100}\s+at\s+\S", re.IGNORECASE)
# A longer reference is data.
_LONGEST = 65536
# Longer links are not cached, and more are not kept.
_SHORT, _MOST_LINKS = 1024, 1 << 15


def with_links(matches: Iterator[Match], document: Document, *, relative: bool) -> Iterator[Match]:
    """Yield the matches in the prose of a document and its links, `relative` ones if requested, in order."""
    text, common_schemes, new = document.text, _common_schemes, tuple.__new__
    match = next(matches, None)
    for first, last in document.links:
        if not document.start <= first < document.stop or last - first > _LONGEST:
            continue
        url = text[first:last]
        scheme = common_schemes[url] if last - first <= _SHORT else ""
        if scheme:  # calling the class takes three times as long
            fields = (url, url, first, last, first, last, scheme, "markup", (), (), "none", False, (), "", "link", "")
            link = new(Match, fields)
        elif last - first <= _SHORT and _USUAL_REFERENCE.fullmatch(url) is not None:
            if not relative:
                continue
            link = Match(url, url, first, last, first, last, "", "markup", context="link")
        else:
            link = _read_link(text, first, last)
            if not (link.scheme or relative) or _MASK.match(link.url) or DEFANGED.match(link.url):
                continue
        while match is not None and match.start <= link.start:
            yield match
            match = next(matches, None)
        yield link
    if match is not None:
        yield match
        yield from matches


class _CommonSchemes(dict[str, str]):
    """The schemes of common links, "" for a link that needs a closer look; emptied when it is full."""

    def __missing__(self, url: str) -> str:
        """Compute and store the scheme."""
        if len(self) >= _MOST_LINKS:
            self.clear()
        usual = _USUAL.fullmatch(url)
        scheme = self[url] = (usual[1] or usual[2]) if usual is not None else ""
        return scheme


_common_schemes = _CommonSchemes()


def _read_link(text: str, first: int, last: int) -> Match:
    """Return the match for the link text[first:last]."""
    start, end = first, last
    if (nul := text.find(MARKUP, start, end)) >= 0:  # as the readers of mail show NUL
        end = nul
    faults: tuple[TextFault, ...] = ()
    wrapper = _WRAPPER.fullmatch(text, start, end)
    if wrapper is not None and expression_end(text, start, end) == start:  # "<%=submitUrl%>"
        faults = (TextFault("needless-wrapper", start, end),)
        start, end = wrapper.span(1)
    raw = readable(text[start:end])
    scheme = _SCHEME.match(raw)
    # Punctuation of the sentence inside the angle brackets of reStructuredText and Markdown.
    if raw[-1:] in (".", ",", ";") and not raw.endswith("..") and text[start - 1 : start] + text[end : end + 1] == "<>":
        faults = (*faults, TextFault("punctuation-in-wrapper", end - 1, end))
    if _HOST.match(raw):
        faults = (*faults, TextFault("missing-scheme", start, end))
    is_usual = scheme is not None and raw.startswith("//", scheme.end())
    if not is_usual and (sign := without_colon(raw)) is not None:
        faults = (*faults, TextFault("look-alike", start + sign[0], start + sign[1]))
    return Match(
        raw,
        raw,
        start,
        end,
        first,
        last,
        scheme[1].lower() if scheme else "",
        "markup",
        template=bool(placeholder_spans(raw, delimited=True)),
        faults=faults,
        context="link",
    )
