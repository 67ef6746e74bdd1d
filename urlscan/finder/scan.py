"""Find the URLs of a document: those of its prose, and the links of its markup.

Several searches yield matches: URLs, look-alikes, hosts and addresses, defanged ones.  If two matches overlap,
delimiters included, the one that begins first wins; if both begin at the same place, the URL does.
"""

import functools
import re
from collections.abc import Callable, Iterator
from itertools import chain

from urlscan.core.document import MARKUP, Document, readable
from urlscan.core.lazy import lazy, repeat, start_or
from urlscan.core.records import Match, TextFault
from urlscan.core.settings import FindChanges, FindOptions
from urlscan.core.typing import Unpack
from urlscan.finder.anchors import DEFANGED, LONGEST, MAY_CONTINUE, REACH, SLASHES, TYPESET_HYPHENS
from urlscan.finder.anchors import anchor as anchor_pattern
from urlscan.finder.fast_path import LEAD, match_at, match_fast

_BLANK_LINE = lazy(r"\n\r?\n(?=\S)")
# Kinds whose text is prose.
_RUNNING = ("plain", "mail")
# Text that ends some URLs in programs and markup; without it, the context of a URL is not read.
_ODD = lazy(r"[|^{}<>\"`\\\[\]]|&(?:&|\Z)")


def find(text: str, **changes: Unpack[FindChanges]) -> Iterator[Match]:
    """Return an iterator over the URLs of a plain text, in order, without overlaps, by options of `FindOptions`."""
    return find_in_document(Document(text), FindOptions(**changes))


def restored(document: Document, options: FindOptions | None) -> Document:
    """Return the document to search: if the options ask for defanged URLs, with these restored."""
    if options is None or not options.defanged:
        return document
    from urlscan.finder.refang import refanged

    return refanged(document)


def find_in_document(document: Document, options: FindOptions) -> Iterator[Match]:
    """Return an iterator over the matches in a document, in order of position; the last one sets `document.end`."""
    document.end = document.floor
    matches: Iterator[Match] = iter(())
    is_loose = options.schemeless or options.emails or options.defanged
    if is_loose or ":" in document.prose or "//" in document.prose:  # in many documents, only markup holds URLs
        matches = _find_in_prose(document, options)
    if document.soft:
        from urlscan.finder.flowed import with_soft_breaks

        matches = with_soft_breaks(matches, document, joins=document.soft == "delsp" and options.rejoin != "never")
    if document.links.starts:
        matches = _with_links(matches, document, relative=options.relative)
    if options.unwrap:
        matches = map(_with_original, matches)
    return matches


def _find_in_prose(document: Document, options: FindOptions) -> Iterator[Match]:
    """Return an iterator over the matches in the prose of a document, without its links."""
    text = document.prose
    matches = _scan(document, options)
    if options.look_alikes and (sign := SLASHES.search(text, document.start, document.stop)):  # in few texts
        from urlscan.finder.look_alikes import look_alikes

        matches = _with_others(matches, functools.partial(look_alikes, text), document, sign)
    is_typeset = not text.isascii() and any(
        text.find(hyphen, document.start, document.stop) >= 0 for hyphen in TYPESET_HYPHENS
    )
    if options.continuations or options.rejoin == "guess" or is_typeset:
        matches = _with_continuations(matches, document, options)
    if options.schemeless or options.emails:
        from urlscan.finder.schemeless import hosts

        search = functools.partial(hosts, text, schemeless=options.schemeless, emails=options.emails)
        matches = _with_others(matches, search, document, None)
    if options.defanged:
        from urlscan.finder.refang import hosts as defanged_hosts

        matches = _with_others(matches, functools.partial(defanged_hosts, document), document, None)
    if document.kind not in _RUNNING:
        matches = _with_syntax_ends(matches, document)
    return matches


def _with_syntax_ends(matches: Iterator[Match], document: Document) -> Iterator[Match]:
    """Yield the matches; shorten bare URLs in code, comments and strings before a character that is not allowed."""
    for match in matches:
        if _ODD.search(match.url) is None or match.style not in ("bare", "quotes") or match.breaks:
            yield match
            continue
        from urlscan.finder.notation import without_foreign

        if (shortened := without_foreign(match, document)) is not None:
            yield shortened


def _with_continuations(matches: Iterator[Match], document: Document, options: FindOptions) -> Iterator[Match]:
    """Yield the matches, those without a closing delimiter with the lines on which they continue."""
    text, consumed = document.prose, 0  # up to the end of the last match, which may have been joined
    for match in matches:
        if match.start < consumed:
            continue
        if match.outer_start < consumed:  # its delimiter is part of a joined URL
            match = match._replace(outer_start=match.start, outer_end=match.end, style="bare")
        if match.style in ("bare", "prefix") and (
            (not text[match.end : match.end + 3].isprintable() and MAY_CONTINUE.match(text, match.end))
            or text.startswith(TYPESET_HYPHENS, match.end)
        ):
            from urlscan.finder.continuation import continued

            match = continued(match, document, options)
        consumed = match.outer_end
        yield match
    document.end = max(document.end, consumed)


def _scan(document: Document, options: FindOptions) -> Iterator[Match]:
    """Yield the matches whose colons are in the document."""
    text, limit = document.prose, document.stop
    size, floor, new = len(text), document.floor, tuple.__new__
    # The pattern may read up to REACH characters after the last colon.
    for match in anchor_pattern(options.look_alikes).finditer(text, document.start, limit + REACH):
        colon, end = match.span()
        if colon >= limit:
            break
        if colon >= floor and colon >= LEAD and end < size:
            fast = match_fast(text[colon - LEAD : end + 1])
            if fast is not None and (fast[7] or colon - LEAD <= floor):  # the condition saves a call for most URLs
                fast = match_at(fast, text, colon, floor)
            if fast is not None:  # only punctuation follows it up to `end`
                url, first, last, outer_first, outer_last, scheme, style, _ = fast
                floor = colon + outer_last
                yield new(  # calling the class takes three times as long
                    Match,
                    (
                        url, url, colon + first, colon + last, colon + outer_first, floor, scheme, style,
                        (), (), "none", False, (), "", "prose", "",
                    ),
                )  # fmt: skip
                continue
        for read_match in _matches_in(document, options, match, end, floor):
            yield read_match
            floor = read_match.outer_end
    document.end = max(document.end, floor)


def _matches_in(
    document: Document, options: FindOptions, anchor: re.Match[str], end: int, floor: int
) -> Iterator[Match]:
    """Yield the matches at an anchor and at those after it up to `end`, to which the anchor consumed the text."""
    from urlscan.finder.read import read

    consumed, limit = floor, document.stop
    following: re.Match[str] | None = anchor
    while following is not None and (colon := following.start()) < limit and consumed < end:
        if colon >= consumed:
            match = read(document, options, colon, following.lastindex, consumed)
            if match is not None:
                consumed = match.outer_end
                yield match
        following = anchor.re.search(document.prose, max(consumed, colon + 1), end)


def _with_others(
    matches: Iterator[Match], search: Callable[..., Iterator[Match]], document: Document, sign: re.Match[str] | None
) -> Iterator[Match]:
    """Yield the matches, and between them those of a search by start, stop and floor, from the first sign on."""
    start, limit, floor, next_sign = document.start, document.stop, document.floor, start_or(sign, -1)
    for match in chain(matches, (None,)):
        begin = limit if match is None else match.outer_start
        if sign is not None and next_sign < start < begin:
            next_sign = start_or(sign.re.search(document.prose, start, limit), limit)
        if next_sign < begin and start < begin:
            for other in search(start, min(begin, limit), floor):
                yield other
                floor = other.outer_end
        if match is not None and begin >= floor:
            yield match
            floor = match.outer_end
        start = max(start, floor)
    document.end = max(document.end, floor)


def split_points(text: str, parts: int) -> list[int]:
    """Return the offsets, at blank lines, that divide the text into about `parts` chunks of equal length.

    Only a page break continues a URL over a blank line.  So `scan` finds the same URLs in a chunk whether or not it has
    searched the chunks before, unless `floor` is inside the chunk.
    """
    points = [0]
    for number in range(1, parts):
        match = _BLANK_LINE.search(text, max(len(text) * number // parts, points[-1]))
        if match is None:  # no blank line follows
            break
        if points[-1] < match.end() < len(text):
            points.append(match.end())
    return points[1:]


# --- links

# RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Delimiters inside delimiters: href="<URL:http://h.example/>"; but not an element: href="<a:b/>".
_WRAPPER = lazy(r"<\s*+(?:url:\s*+)?((?![^<>/]*/\s*>)[^<>\s]++)\s*+>", re.IGNORECASE)
# Meant as a host, but resolved by browsers as a relative reference.
_HOST = lazy(r"www\.[\w-]+\.[\w.-]+(?:[/?#:]|\Z)", re.IGNORECASE)
# A common URL without placeholders, delimiters and punctuation at the end.
_USUAL_CHARACTERS = repeat(r"[A-Za-z0-9./?=&;#+@_~,!-]++|%(?!0[1-9])[0-9A-Fa-f]{2}|:(?=[0-9])|\*(?!\*)")
# Matches: `http://h.example:80/a%20b?c=*`, `ftp://h.example/`, `mailto:jo@h.example`
# Does not match: `http://h.example/{id}`, `http://h.example/a.`, `http://h.example/%01d`, `gopher://h.example/`
_USUAL = lazy(rf"(?:(https?|ftp)://{_USUAL_CHARACTERS}|(mailto):[A-Za-z0-9._+-]++@[A-Za-z0-9.-]++)(?<![.,;])")
# A common relative reference: no colon, placeholder or host, and no two slashes, which look-alikes have. The scheme is
# an empty group.
# Matches: `a/b.html`, `../a#b`, `/a?b=c`, `#a_b`
# Does not match: `a:b`, `//h.example`, `a{b}`, `a.`, `www.h.example`, `jo@h.example`
_USUAL_REFERENCE = lazy(rf"()(?!(?i:www\.)){repeat(r'[A-WYZa-wyz0-9._#?=&+-]++|[xX](?![xX]{7})|/(?!/)', 1)}(?<![.,;])")
# Addresses that are masked against programs that collect them.
# Matches: `mailto:jo at h`, `mailto:jo (at) h`, `mailto:jo_AT_h`, `mailto:jo a.t h`, `mailto:jo%20at%20h`
# Does not match: `mailto:jo@h at h`, `mailto:jo h`, `mailto:jo oat h`, `mailto:jo-at-h@a`, `mailto:?body=a%20at%20b`
_MASK = lazy(r"(?i:mailto:(?![^@?]*@)[^\s?]{1,100}?(?:\s|%20|[([{_-]){1,9}a\.?t(?:\s|%20|[)\]}_-])[^@?]+)")


def _with_links(matches: Iterator[Match], document: Document, *, relative: bool) -> Iterator[Match]:
    """Yield the matches in the prose of a document and its links, `relative` ones if requested, in order."""
    text, new = document.text, tuple.__new__
    match = next(matches, None)
    for first, last in document.links:
        if not document.start <= first < document.stop or last - first > LONGEST:  # a longer one is data
            continue
        url = text[first:last]
        if usual := _USUAL.fullmatch(url) or _USUAL_REFERENCE.fullmatch(url):
            scheme = usual[usual.lastindex or 0]
            if not (scheme or relative):
                continue
            fields = (url, url, first, last, first, last, scheme, "markup", (), (), "none", False, (), "", "link", "")
            link = new(Match, fields)  # calling the class takes three times as long
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


def _read_link(text: str, first: int, last: int) -> Match:
    """Return the match for the link text[first:last]."""
    from urlscan.uri.grammar.templates import expression_end, placeholder_spans

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
    if scheme is None or not raw.startswith("//", scheme.end()):
        from urlscan.finder.look_alikes import without_colon

        if (sign := without_colon(raw)) is not None:
            faults = (*faults, TextFault("look-alike", start + sign[0], start + sign[1]))
    name = ""
    if scheme is not None:
        name = scheme[1].lower()
    template = bool(placeholder_spans(raw, delimited=True))
    return Match(raw, raw, start, end, first, last, name, "markup", template=template, faults=faults, context="link")


def _with_original(match: Match) -> Match:
    """Return a match whose link was rewritten with the original in place of the URL, and the URL as `original`."""
    from urlscan.uri.rewriters import unwrapped

    link = match.assumed or match.url
    url = unwrapped(link)
    if url == link:
        return match
    readings = (reading._replace(url=unwrapped(reading.url)) for reading in match.alternatives)
    alternatives = tuple(reading for reading in readings if reading.url != url)
    return match._replace(
        url=url, scheme=url.partition(":")[0].lower(), assumed="", original=match.url, alternatives=alternatives
    )
