"""One URL, read at its colon: scheme backwards, what it stands in, how far it goes, what is wrong."""

import re

from urlscan.finder.anchors import BROKEN, COLON, known, scheme_before
from urlscan.finder.bare import bare_end, longer_end
from urlscan.finder.colon import has_shape
from urlscan.finder.delimiters import Opening, line_prefix, opening, scheme_head
from urlscan.finder.evidence import MOST_ALTERNATIVES, Evidence, hyphen_breaks, weigh_hyphens
from urlscan.finder.rejoin import Reading, breaks_off, read_angle, read_enclosed, without_soft_hyphens
from urlscan.grammar.placeholders import placeholder_spans
from urlscan.model import Alternative, Break, Fault, Occurrence
from urlscan.text import readable

# Schemes whose URLs may have an empty authority: "file:///etc/motd", "ldap:///o=x".
_EMPTY_AUTHORITY = frozenset("file ldap ldaps ldapi hdfs sqlite postgresql postgres mysql nfs afs dns cap".split())
# Every placeholder holds one of these; most URLs hold none.
_MAY_BE_TEMPLATE = re.compile(r"[{$<\[]|\*\*\*|%(?:[^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|0)|host(?:name)?:")
# How much of what follows the colon shows its shape.
_SHAPE = 256
_AUTHORITY = re.compile(r"//([^/?#]*)")
# An escape that a line end cuts, and what would complete it on the next line.
_CUT_ESCAPE = re.compile(r"%[0-9A-Fa-f]?\Z")
_CONTINUATION = re.compile(r"[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*(?:[>|][^\S\r\n]*)*(?P<hex>[0-9A-Fa-f]{1,2})")


def read(text: str, colon: int, kind: int | None, floor: int, rejoin: str, evidence: Evidence) -> Occurrence | None:
    """Return the URL whose scheme ends at text[colon], or None if there is none.

    Args:
        text: what is scanned.
        colon: the offset of the anchor's colon.
        kind: which branch of the anchor matched.
        floor: nothing before this offset belongs to the URL: an earlier one ends there.
        rejoin: never or wrapped.
        evidence: the URLs that stand unbroken in the text.
    """
    found = scheme_before(text, colon, floor)
    if found is None:
        return None
    start, scheme = found
    if kind == COLON and colon - start != len(scheme):
        return None
    if not known(scheme):
        # A line break may cut the scheme itself: "<h" newline "ttp://x".
        head = scheme_head(text, start, floor)
        if head is not None and known(head[1] + scheme):
            start, scheme = head[0], head[1] + scheme
    where = opening(text, start, floor)
    if kind == BROKEN and where.style not in ("wrapper", "angle"):
        return None
    if where.style in ("wrapper", "angle"):
        return _angle(text, start, colon, kind, scheme, where, rejoin, evidence)
    return _unwrapped(text, start, colon, kind, scheme, where, rejoin, evidence)


def _angle(
    text: str, start: int, colon: int, kind: int | None, scheme: str, where: Opening, rejoin: str, evidence: Evidence
) -> Occurrence | None:
    reading = read_angle(text, start, line_prefix(text, where.start))
    if reading is not None:
        reading = _without_outer_quote(text, where, reading)
        return _delimited(text, scheme, where, reading, rejoin, evidence)
    if kind == BROKEN:
        return None
    bare = _unwrapped(text, start, colon, kind, scheme, Opening("bare", start, ""), rejoin, evidence)
    # "jpegphoto:< file:///x.jpg" is LDIF, "a < http://x" a comparison: a wrapper stands close.
    loose = where.style == "angle" and text[where.start + 1] in " \t"
    if bare is None or loose or _said_twice(text, bare):
        return bare
    return bare._replace(faults=(Fault("unclosed-wrapper", where.start, bare.end), *bare.faults))


def _without_outer_quote(text: str, where: Opening, reading: Reading) -> Reading:
    """`"<http://x/shutil.py",> line 80`: a quotation that opens before "<" ends inside of it."""
    quote = text[where.start - 1 : where.start]
    if quote not in ('"', "'") or reading.gaps:
        return reading
    (start, end), *_ = reading.pieces
    cut = text.find(quote, start, end)
    return reading._replace(pieces=((start, cut),)) if cut > start else reading


def _said_twice(text: str, bare: Occurrence) -> bool:
    """`<URL <URL>>`: mail programs write a link's text and its target, the same URL twice."""
    rest = text[bare.end : bare.end + len(bare.url) + 200]
    match = re.match(r"[^<>]{0,150}<\s*", rest)
    return match is not None and rest.startswith(bare.url[:40], match.end())


def _delimited(
    text: str, scheme: str, where: Opening, reading: Reading, rejoin: str, evidence: Evidence
) -> Occurrence | None:
    """The occurrence that delimiters vouch for."""
    reading = without_soft_hyphens(text, reading)
    alternatives: list[Alternative] = []
    whole = reading.text(text)
    if reading.gaps:
        alternatives += _other_readings(text, reading)
        if rejoin == "never":
            first = reading.until(1, reading.prose)
            alternatives = [Alternative(whole, "joined"), *alternatives]
            reading = first
        elif hyphen_breaks(text, reading):
            reading, others = weigh_hyphens(text, reading, evidence)
            alternatives = others + alternatives
    url = reading.text(text)
    template = _template(scheme, url)
    if template is None:
        return None
    start, end = reading.pieces[0][0], reading.pieces[-1][1]
    faults = (Fault("prose-in-wrapper", reading.prose, reading.outer_end - 1),) if reading.prose >= 0 else ()
    return Occurrence(
        url=readable(url),
        raw=readable(text[start:end]),
        start=start,
        end=end,
        outer_start=where.start,
        outer_end=reading.outer_end,
        scheme=scheme,
        style="bare" if where.style == "bracket" else where.style,
        breaks=tuple(
            Break(gap.kind, gap.start - start, gap.end - gap.start, text[gap.start - 1] == "-" or text[gap.start] == "-")
            for gap in reading.gaps
        ),
        alternatives=tuple(alternatives[:MOST_ALTERNATIVES]),
        joined="delimited" if reading.gaps else "none",
        template=template,
        faults=faults,
    )


def _other_readings(text: str, reading: Reading) -> list[Alternative]:
    """The reading in which a blank is data: `<URL:gopher://h/Remote Information Services>`."""
    if all(gap.kind != "blank" for gap in reading.gaps):
        return []
    joints = ["%20" if gap.kind == "blank" else "" for gap in reading.gaps] + [""]
    pieces = [text[start:end] for start, end in reading.pieces]
    return [Alternative("".join(a + b for a, b in zip(pieces, joints, strict=True)), "blank-escaped")]


def _unwrapped(
    text: str, start: int, colon: int, kind: int | None, scheme: str, where: Opening, rejoin: str, evidence: Evidence
) -> Occurrence | None:
    """The occurrence in a quotation, in a bracket, after `URL:` or by itself."""
    body = colon + 1 if kind == COLON else colon + 3
    if kind == COLON and not has_shape(scheme, text[body : body + _SHAPE]):
        return None
    if where.closer and breaks_off(text, body):
        quoted_printable = text.endswith("=3D", 0, where.start)
        reading = read_enclosed(text, start, where.closer, line_prefix(text, where.start), quoted_printable)
        if reading is not None:
            return _delimited(text, scheme, where, reading, rejoin, evidence)
    end = bare_end(text, start, body)
    style, outer_start, outer_end = "bare", start, end
    if where.style == "prefix":
        style, outer_start = "prefix", where.start
    elif where.style == "quotes" and (close := _quoted_end(text, body, end, where.closer)) is not None:
        end, style, outer_start, outer_end = close[0], "quotes", where.start, close[1]
    url = text[start:end]
    template = _template(scheme, url)
    if template is None:
        return None
    alternatives = ()
    if not url.isascii() or not text[end : end + 1].isascii():
        longer = longer_end(text, start, body)
        if longer > end and style == "bare":
            alternatives = (Alternative(readable(text[start:longer]), "longer"),)
    faults = ()
    if "%" in url[-2:] and (cut := _cut_escape(text, end, url)):
        faults = (cut,)
    return Occurrence(
        readable(url), readable(url), start, end, outer_start, outer_end, scheme, style, (), alternatives, "none", template, faults
    )  # fmt: skip


def _quoted_end(text: str, body: int, end: int, closer: str) -> tuple[int, int] | None:
    """Return where the URL and its quotation end, if the quotation holds nothing but the URL.

    Inside quotation marks a bracket, a semicolon or a question mark at the end is the URL's; a full
    stop or a comma is the sentence's.
    """
    stop = text.find(closer, end, end + 200)
    if stop < 0 or re.search(r"[\s<>\\]|[,|;]\w{2,16}://", text[end:stop]) or text[end : end + 1] in (",", "|"):
        if stop != end and not (stop == end + 1 and text[end] in ",."):
            return None
    url_end = stop - 1 if text[stop - 1] in ".," and stop - 1 > body else stop
    return url_end, stop + 1


def _template(scheme: str, url: str) -> bool | None:
    """Return whether `url` holds a placeholder; None if it is no URL but a form of one, or an elision."""
    rest = url[len(scheme) + 1 :]
    spans = placeholder_spans(url) if _MAY_BE_TEMPLATE.search(url) else []
    if not rest.startswith("//"):
        return bool(spans) if has_shape(scheme, rest) else None
    match = _AUTHORITY.match(rest)
    authority = match[1] if match else ""
    if not authority:
        path = rest[2:]
        if not (scheme in _EMPTY_AUTHORITY and re.match(r"/[\w%~.(]", path)):
            return None
    elif "\\" in authority or not re.search(r"[^\W_]", authority) or authority.endswith(("...", "…")):
        return None
    reach = len(scheme) + 3 + len(authority)
    if any(first < reach for first, _ in spans):
        return None
    return bool(spans)


def _cut_escape(text: str, end: int, url: str) -> Fault | None:
    """Return the fault of an escape that a line end cuts: "%2" newline "0Utah"."""
    head = _CUT_ESCAPE.search(url)
    tail = _CONTINUATION.match(text, end)
    if head is None or tail is None or len(head[0]) - 1 + len(tail["hex"]) < 2:
        return None
    return Fault("break-in-escape", end - len(head[0]), tail.start("hex") + 3 - len(head[0]))
