"""One URL, read at its colon: scheme backwards, what it stands in, how far it goes, what is wrong."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.core.records import Alternative, Break, Occurrence, TextFault
from urlscan.core.segment import MARKUP, readable
from urlscan.finder.anchors import BROKEN, COLON, LOOK_ALIKES, PLAIN, known, scheme_before
from urlscan.finder.bare import FIRST_LOOK, LONGEST, bare_end, longer_end, past_full_stop
from urlscan.finder.colon import has_shape
from urlscan.finder.delimiters import Opening, opening, scheme_head
from urlscan.finder.evidence import MOST_ALTERNATIVES, Evidence, hyphen_breaks, weigh_hyphens
from urlscan.finder.fast_path import is_masked
from urlscan.finder.look_alikes import explicit, intended_scheme, with_doubled_letter
from urlscan.finder.notation import notation_end
from urlscan.finder.rejoin import DelimitedUrl, breaks_off, read_angle, read_enclosed, without_soft_hyphens
from urlscan.uri.grammar.templates import expression_around, expression_end, placeholder_spans

# Schemes whose URLs may have an empty authority: "file:///etc/motd", "ldap:///o=x".
_EMPTY_AUTHORITY = frozenset("file ldap ldaps ldapi hdfs sqlite postgresql postgres mysql nfs afs dns cap".split())
# Whose URLs hold no "/" behind the address: RFC 6068, RFC 3261 section 25.1, RFC 3859, RFC 3860, RFC 7565.
_NO_PATH = frozenset("mailto sip sips im pres acct".split())
# "<URL:http://h.example/a>#top"
_FRAGMENT = lazy(r"#[A-Za-z][\w.:-]*")
# "http://strange<hostname>/x", "http://h<n>.h.example/": a placeholder completes the host.
_HOST_PLACEHOLDER = lazy(r"<(?!(?i:a|b|br|code|em|i|p|strong|tt|wbr)\b)[A-Za-z][\w .-]{0,40}>(?=[/.:\w-])")
# "<URL:gopher:h.example>"
_NAMED = lazy(r":\s*(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,31}):(?!:)")
# How much of what follows the colon shows its shape.
_SHAPE = 256
# A host has a letter or a digit before its port: "http://:80/" and "https://*:443" have none, and
# "http://[^/]+/", "https://[a-z0-9]+\.", "s3://.{1,99}" and "(s3://|http://)" are patterns.
_HOST = lazy(r"\[(?:[^\]^]*:|[0-9.]+(?:\]|\Z)|[vV][0-9A-Fa-f])|(?![\[|)^]|\.[*+?{])[^:]*[^\W_]")
_AUTHORITY = lazy(r"//([^/?#]*)")
# One that nothing can cut.
_PLAIN_AUTHORITY = lazy(r"(?<=//)[^\s/?#,|;(&\[<>\"`\\]{1,128}(?=/)")
# What may stand before the authority of a look-alike: a second scheme, or backslashes.
_SECOND_SCHEME = lazy(r"(?:https?|ftp)://+|\\{1,2}(?=[A-Za-z0-9])", re.IGNORECASE)
# Quoted-printable cuts a line with "=" ("h=" newline "ttp://x"), iCalendar begins the next with a blank.
_FOLDED = lazy(r"([A-Za-z]{1,5}|=)\r?\n[ \t]{0,12}\Z")
# An escape that a line end cuts, and what would complete it on the next line.
_CUT_ESCAPE = lazy(r"%[0-9A-Fa-f]?\Z")
_CONTINUATION = lazy(r"[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*(?:[>|][^\S\r\n]*)*(?P<hex>[0-9A-Fa-f]{1,2})")


class Candidate(NamedTuple):
    """Where a URL is being read.

    Attributes:
        text: what is scanned.
        start: the offset of the scheme.
        body: the offset of what follows "scheme:" or "scheme://".
        scheme: in lower case.
        rejoin: never or wrapped.
        evidence: the URLs that stand unbroken in the text.
        look_alikes: whether what only looks like a URL of http, https or ftp is one.
        schemes: private ones, which are known, too.
    """

    text: str
    start: int
    body: int
    scheme: str
    rejoin: str
    evidence: Evidence
    look_alikes: bool
    schemes: frozenset[str]


def read(
    text: str,
    colon: int,
    kind: int | None,
    floor: int,
    rejoin: str,
    evidence: Evidence,
    look_alikes: bool,
    schemes: frozenset[str],
) -> Occurrence | None:
    """Return the URL whose scheme ends at text[colon], or None if there is none.

    Args:
        text: what is scanned.
        colon: the offset of the anchor's colon.
        kind: which branch of the anchor matched.
        floor: nothing before this offset belongs to the URL: an earlier one ends there.
        rejoin: never or wrapped.
        evidence: the URLs that stand unbroken in the text.
        look_alikes: whether what only looks like a URL of http, https or ftp is one.
        schemes: private ones, which are known, too.
    """
    found = scheme_before(text, colon, floor, schemes)
    if found is None:
        if text[colon - 3 : colon].lower() == "url" and text[colon - 4 : colon - 3] in ("<", " ", "\t", "\n"):
            return _explicit(text, colon, floor, rejoin, evidence, look_alikes, schemes)
        return None
    start, scheme = found
    if kind == COLON and (colon - start != len(scheme) or _is_label(text, start, scheme)):
        return None
    if scheme in LOOK_ALIKES and text[start - 1 : start].isalpha():
        start = with_doubled_letter(text, start, colon, floor)
        scheme = text[start:colon].lower()
    if not known(scheme, schemes):
        if text[start - 1 : start] == "*" and text[start - 2 : start - 1].isalnum():
            return None  # "<h*ttp://h.example>" is an address that somebody hid
        start, scheme = _whole_scheme(text, start, scheme, floor, schemes)
        if (
            not look_alikes
            and kind is PLAIN
            and not known(scheme, schemes)
            and intended_scheme(text, colon, scheme) in LOOK_ALIKES
        ):
            return None
    where = opening(text, start, floor)
    candidate = Candidate(
        text, start, colon + (3 if kind is PLAIN else 1), scheme, rejoin, evidence, look_alikes, schemes
    )
    if where.style in ("wrapper", "angle"):
        reading = read_angle(text, start, colon, where.start)
        if reading is not None:
            return _delimited(candidate, where, _without_outer_quote(text, where, reading))
        return _unclosed(candidate, where, kind)
    if where.closer and breaks_off(text, candidate.body):
        quoted_printable = text.endswith("=3D", 0, where.start)
        reading = read_enclosed(text, start, where.closer, quoted_printable)
        if reading is not None and (occurrence := _delimited(candidate, where, reading)) is not None:
            return occurrence
    return _undelimited(candidate, where, kind)


def _is_label(text: str, start: int, scheme: str) -> bool:
    """Return whether a word before a path labels it: `log_file:/var/log/x`."""
    return scheme == "file" and text[start - 1 : start] in ("_", "-", ".")


def _whole_scheme(text: str, start: int, scheme: str, floor: int, schemes: frozenset[str]) -> tuple[int, str]:
    """Return the start and name of an unknown scheme, with its first part if a line break cuts it: `<h` newline `ttp://`."""
    head = scheme_head(text, start, floor)
    if head is not None and known(head[1] + scheme, schemes):
        return head[0], head[1] + scheme
    return start, scheme


def _unclosed(candidate: Candidate, where: Opening, kind: int | None) -> Occurrence | None:
    """Fall back to a bare URL: an unclosed wrapper never swallows text."""
    bare = _undelimited(candidate, Opening("bare", candidate.start, ""), kind)
    if bare is not None and bare.template and where.style == "angle" and candidate.text.startswith(">", bare.end):
        return bare._replace(style="angle", outer_start=where.start, outer_end=bare.end + 1)  # <http://h/<%= x %>>
    # "jpegphoto:< file:///x.jpg" is LDIF, "a < http://x" a comparison: a wrapper stands close.
    # "<<<https://h.example/" attributes a quotation in TiddlyWiki.
    loose = where.style == "angle" and (
        candidate.text[where.start + 1] in " \t" or candidate.text.endswith("<<", 0, where.start)
    )
    if bare is None or loose or _is_repeated(candidate.text, bare):
        return bare
    return bare._replace(faults=(TextFault("unclosed-wrapper", where.start, bare.end), *bare.faults))


def _is_repeated(text: str, bare: Occurrence) -> bool:
    """Whether it is `<URL <URL>>`: mail programs write a link's text and its target, the same URL twice."""
    rest = text[bare.end : bare.end + len(bare.url) + 200]
    match = re.match(r"(?:[^<>\r\n]|\r?\n(?![ \t]*\r?\n)){0,150}<\s*", rest)
    return match is not None and rest.startswith(bare.url[:40], match.end())


def _without_outer_quote(text: str, where: Opening, reading: DelimitedUrl) -> DelimitedUrl:
    """Cut where a quotation that opens before "<" ends inside of it: `"<http://x/shutil.py",> line 80`."""
    quote = text[where.start - 1 : where.start]
    if quote not in ('"', "'") or reading.breaks:
        return reading
    (start, end), *_ = reading.spans
    cut = text.find(quote, start, end)
    return reading._replace(spans=((start, cut),)) if cut > start else reading


def _delimited(candidate: Candidate, where: Opening, reading: DelimitedUrl) -> Occurrence | None:
    """Return the occurrence that delimiters vouch for."""
    text = candidate.text
    alternatives: list[Alternative] = []
    if reading.breaks:
        reading = without_soft_hyphens(text, reading)
        alternatives = _blank_escaped(text, reading)
        if candidate.rejoin == "never":
            alternatives = [Alternative(reading.text(text), "joined"), *alternatives]
            reading = reading.until(1, reading.prose)
        elif hyphen_breaks(text, reading):
            reading, others = weigh_hyphens(text, reading, candidate.evidence)
            alternatives = others + alternatives
    url = reading.text(text)
    template = _template(candidate.scheme, url, candidate.look_alikes, delimited=where.style in ("wrapper", "angle"))
    if template is None:
        if reading.breaks or _is_form(text, candidate.body) or not _is_intended(candidate, where.style, url):
            return None
        template = False
    start, end = reading.spans[0][0], reading.spans[-1][1]
    outer_end = reading.outer_end
    if reading.prose >= 0 and text.find(":", reading.prose, outer_end) >= 0:
        outer_end = reading.prose  # another URL may stand in it, and is not lost
    breaks = tuple(
        [
            Break(brk.kind, brk.start - start, brk.end - brk.start, "-" in text[brk.start - 1 : brk.start + 1])
            for brk in reading.breaks
        ]
    )
    return Occurrence(
        readable(url),
        readable(text[start:end]),
        start,
        end,
        where.start,
        outer_end,
        candidate.scheme,
        "bare" if where.style == "bracket" else where.style,
        breaks,
        tuple(alternatives[:MOST_ALTERNATIVES]),
        "delimited" if breaks else "none",
        template,
        tuple(_faults(text, where, reading, url, outer_end)) if where.style in ("wrapper", "angle") else (),
    )


# "<http:/intranet/x>" is no element of XML ("<http:conduit>").
_WITH_SLASH = lazy(r"[A-Za-z]+:/{1,3}\w")
# "<URL:mailto:...>" says what is to be written there.
_ELISION = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:(?://)?(?:\.{2,}|\u2026|/?[\[^$*])")


def _is_intended(candidate: Candidate, style: str, url: str) -> bool:
    """Return whether delimiters vouch for a URL that has not the shape of its scheme.

    "<URL:" says that a URL is meant, whatever follows. Look-alikes of http, https and ftp are for linters; between
    other angle brackets, one that begins with a slash.
    """
    if _ELISION.match(url):
        return False
    if candidate.scheme in LOOK_ALIKES:
        return candidate.look_alikes and (
            style == "wrapper" or (style == "angle" and _WITH_SLASH.match(url) is not None)
        )
    if style != "wrapper":
        return False
    return candidate.look_alikes or (
        known(candidate.scheme, candidate.schemes) and not url.startswith("//", len(candidate.scheme) + 1)
    )


def _explicit(
    text: str,
    colon: int,
    floor: int,
    rejoin: str,
    evidence: Evidence,
    look_alikes: bool,
    schemes: frozenset[str],
) -> Occurrence | None:
    """Return what stands in `<URL:...>` if no other colon leads to it: a scheme without "//", or no URL."""
    named = _NAMED.match(text, colon)
    if named is None:
        return explicit(text, colon, floor) if look_alikes else None
    scheme, start, end = named["scheme"].lower(), named.start("scheme"), named.end("scheme")
    if text.startswith("//", end + 1) or not (known(scheme, schemes) or look_alikes):
        return None
    where = opening(text, start, floor)
    reading = read_angle(text, start, end, where.start) if where.style == "wrapper" else None
    if reading is None:
        return None
    return _delimited(Candidate(text, start, end + 1, scheme, rejoin, evidence, look_alikes, schemes), where, reading)


def _faults(text: str, where: Opening, reading: DelimitedUrl, url: str, outer_end: int) -> Iterator[TextFault]:
    """Yield what is wrong with angle brackets and what stands beside the URL in them."""
    end = reading.spans[-1][1]
    if reading.prose >= 0:
        yield TextFault("prose-in-wrapper", reading.prose, reading.outer_end - 1)
    elif url[-1] in ".,;" and not url.endswith(".."):
        yield TextFault("punctuation-in-wrapper", end - 1, end)
    if "#" not in url and text.startswith("#", outer_end) and (fragment := _FRAGMENT.match(text, outer_end)):
        yield TextFault("fragment-outside", outer_end, fragment.end())
    if text.endswith("//", where.start, reading.spans[0][0]):  # "<URL://http://h.example/>"
        yield TextFault("missing-scheme", reading.spans[0][0] - 2, reading.spans[0][0])


def _blank_escaped(text: str, reading: DelimitedUrl) -> list[Alternative]:
    """Return the reading in which a blank is data: `<URL:gopher://h/Remote Information Services>`."""
    if all(brk.kind != "blank" for brk in reading.breaks):
        return []
    joints = ["%20" if brk.kind == "blank" else "" for brk in reading.breaks] + [""]
    spans = [text[start:end] for start, end in reading.spans]
    return [Alternative("".join(a + b for a, b in zip(spans, joints, strict=True)), "blank-escaped")]


def _undelimited(candidate: Candidate, where: Opening, kind: int | None) -> Occurrence | None:
    """Return the occurrence in a quotation, after `URL:` or by itself, all within its line."""
    text, start, body, scheme, *_ = candidate
    if kind == BROKEN or (kind == COLON and not has_shape(scheme, text[body : body + _SHAPE])):
        return None
    if _is_form(text, body):
        return None
    end = _bare_end(candidate, where.closer if where.style == "quotes" else "")
    style, outer_start, outer_end = "bare", start, end
    if where.style in ("bare", "prefix") and text.startswith(".", end):
        end = outer_end = past_full_stop(text, end)
    if where.style == "prefix":
        style, outer_start = "prefix", where.start
    elif where.style == "quotes" and (close := _quoted_end(text, body, end, where.closer)) is not None:
        end, style, outer_start, outer_end = close[0], "quotes", where.start, close[1]
    url = text[start:end]
    template = _template(scheme, url, candidate.look_alikes)
    if template is None or (style == "bare" and _continues_otherwise(text, body, end)):
        return None
    alternatives: tuple[Alternative, ...] = ()
    if style == "bare" and not text.isascii() and not text[end - 1 : end + 1].isascii():
        longer = longer_end(text, start, body)
        if longer > end:
            alternatives = (Alternative(readable(text[start:longer]), "longer"),)
    faults: tuple[TextFault, ...] = ()
    if not known(scheme, candidate.schemes) and _is_cut(text, start, scheme, candidate.schemes):
        faults = (TextFault("scheme-cut", start - 1, start),)
    if "%" in url[-2:] and (cut := _cut_escape(text, end, url)):
        faults = (cut,)
    if end - start >= LONGEST:
        faults = (*faults, TextFault("too-long", start, end))
    url = readable(url)
    fields = (url, url, start, end, outer_start, outer_end, scheme, style, (), alternatives, "none", template, faults)
    return Occurrence(*fields)


def _bare_end(candidate: Candidate, closer: str) -> int:
    """Return where the URL ends by itself; `closer` ends the quotation that it is in, or is ""."""
    text, start, body, scheme, *_ = candidate

    def slash(end: int) -> int:
        return _slash(text, body, end) if scheme in _NO_PATH and text[body - 1] == ":" else -1

    def continues(end: int) -> bool:
        # A quotation that closes early decides where the URL ends.
        is_open = not closer or _quoted_end(text, body, end, closer) is None
        return is_open and slash(end) < 0 and _template(scheme, text[start:end], candidate.look_alikes) is not None

    second = _second_body(text, body) if candidate.look_alikes else body
    end = bare_end(text, start, second, glued=candidate.look_alikes, continues=continues)
    at = slash(end)
    if at > 0:
        return at  # "users/sip:jo@h.example/index"
    return notation_end(text, start, second, end)


# What no URL in a quotation holds.  The escapes of TeX ("\~", "\_") were copied with the URL, and are reported.
_NOT_QUOTED = lazy(rf"[\s<>{MARKUP}]|\\(?![~_%#&])|[,|;]\w{{2,16}}://")
_QUOTATION = 2048


def _slash(text: str, body: int, end: int) -> int:
    """Return where the first "/" stands behind the address, before the header fields; -1 for none."""
    at = text.find("@", body, end)
    fields = text.find("?", body, end)
    return text.find("/", max(at, body), fields if fields >= 0 else end)


def _quoted_end(text: str, body: int, end: int, closer: str) -> tuple[int, int] | None:
    """Return where the URL and its quotation end, if the quotation holds nothing but the URL.

    Inside quotation marks a bracket, a semicolon or a question mark at the end is the URL's; a full
    stop or a comma is the sentence's.  `end` is where the URL would end by itself.
    """
    limit = body + _QUOTATION
    begun, stop = body, text.find(closer, body, limit)
    while stop >= 0:
        after = expression_around(text, begun, stop, limit)  # "http://h/#{x["a"]}"
        if after > stop:
            begun, stop = after, text.find(closer, after, limit)
        elif closer == "'" and text[stop + 1 : stop + 2].isascii() and text[stop + 1 : stop + 2].isalnum():
            begun, stop = stop, text.find(closer, stop + 1, limit)  # the apostrophe of "Bob's"
        else:
            break
    if stop <= body or _leaves_quotation(text, body, stop):
        return None
    if end < stop - 1 and text[end] in ",|":  # GOPROXY="https://proxy.example.org,direct"
        return None
    end = body + len(text[body:stop].rstrip(".")) if text[stop - 1] == "." else stop - (text[stop - 1] == ",")
    return end if end > body else stop, stop + 1


def _leaves_quotation(text: str, body: int, stop: int) -> bool:
    """Return whether text[body:stop] holds what no URL in a quotation does, outside of expressions of templates."""
    at = body
    while (match := _NOT_QUOTED.search(text, at, stop)) is not None:
        at = expression_around(text, at, match.start(), stop)
        if at <= match.start():
            at = expression_end(text, match.start(), stop)
        if at <= match.start():
            return True
    return False


def _continues_otherwise(text: str, body: int, end: int) -> bool:
    """Return whether what follows the bare URL shows that it is none: a pattern, a masked URL, half of a host."""
    if text.startswith("\\", end) and _is_pattern(text, body, end):
        return True
    if text.startswith("<", end) and _HOST_PLACEHOLDER.match(text, end) and text.find("/", body, end) < 0:
        return True
    return is_masked(text, end)


def _is_pattern(text: str, body: int, end: int) -> bool:
    r"""Whether a backslash in the authority shows a pattern: `http://h\.example/`, and not `http://h\n`."""
    return (
        not text[end + 1 : end + 2].isalnum()
        and text[end + 1 : end + 2] not in ("'", '"', "\\", "")
        and (text.find("/", body, end) < 0)
    )


def _is_cut(text: str, start: int, scheme: str, schemes: frozenset[str]) -> bool:
    """Whether what stands before an unknown scheme may be its beginning: markup, or a line that was folded."""
    before = text[max(0, start - 2) : start]
    if before.endswith(">") or (before.endswith("*") and before[0].isalnum()):  # a glob: "h*ttps://"
        return True
    head = _FOLDED.search(text[max(0, start - 20) : start])
    return head is not None and (head[1] == "=" or known(head[1].lower() + scheme, schemes))


def _second_body(text: str, body: int) -> int:
    """Return where the authority begins if a second scheme stands before it: `http://http://x.org`."""
    second = _SECOND_SCHEME.match(text, body)
    return second.end() if second else body


def _is_form(text: str, body: int) -> bool:
    """Whether a placeholder stands in the authority: a quick look, for those that stand row by row in templates."""
    authority = _PLAIN_AUTHORITY.match(text, body)
    return authority is not None and bool(placeholder_spans(f"x://{authority[0]}"))


def _template(scheme: str, url: str, look_alikes: bool, *, delimited: bool = False) -> bool | None:
    """Return whether `url` holds a placeholder; None if it is no URL but a form of one, or an elision.

    That its beginning shows: what has been read at length is not read again from the next colon on.
    """
    rest = url[len(scheme) + 1 : FIRST_LOOK]
    spans = placeholder_spans(url, delimited=delimited)
    if not rest.startswith("//"):
        return bool(spans) if has_shape(scheme, rest) else None
    match = _AUTHORITY.match(rest)
    authority = match[1] if match else ""
    if not authority:
        path = rest[2:]
        # RFC 8089 appendix B: "file:///" is the root directory.
        is_root = scheme == "file" and path == "/"
        if (
            not is_root
            and not (scheme in _EMPTY_AUTHORITY and re.match(r"/[\w%~.(-]", path))
            and not (look_alikes and scheme in LOOK_ALIKES and has_shape(scheme, path))
        ):
            return None
    elif "\\" in authority or not _HOST.match(authority.rpartition("@")[2]) or authority.endswith(("...", "…")):
        return None
    reach = len(scheme) + 3 + len(authority)
    if any(first < reach for first, _ in spans):
        return None
    return bool(spans)


def _cut_escape(text: str, end: int, url: str) -> TextFault | None:
    """Return the fault of an escape that a line end cuts: "%2" newline "0Utah"."""
    head = _CUT_ESCAPE.search(url)
    tail = _CONTINUATION.match(text, end)
    if head is None or tail is None or len(head[0]) - 1 + len(tail["hex"]) < 2:
        return None
    return TextFault("break-in-escape", end - len(head[0]), tail.start("hex") + 3 - len(head[0]))
