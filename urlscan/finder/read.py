"""Read one URL at its anchor: the scheme, the delimiters, the end, and the faults of the surrounding text."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document, readable
from urlscan.core.lazy import lazy, match_end
from urlscan.core.record import NamedTuple
from urlscan.core.records import Alternative, Match, TextFault
from urlscan.core.settings import FindOptions
from urlscan.core.typing import Style
from urlscan.finder.anchors import (
    BROKEN,
    COLON,
    DEFANGED,
    LONGEST,
    LOOK_ALIKES,
    PLAIN,
    has_shape,
    is_known_scheme,
    scheme_before,
)
from urlscan.finder.bare import FIRST_LOOK, end_within, is_complete, longer_end, past_full_stop
from urlscan.finder.delimiters import Opening, opening, scheme_head
from urlscan.finder.fast_path import is_masked
from urlscan.finder.look_alikes import divided_scheme, explicit, intended_scheme, with_doubled_letter
from urlscan.finder.notation import end_in_quotation, notation_end, quotation_end
from urlscan.finder.rejoin import (
    MOST_ALTERNATIVES,
    DelimitedUrl,
    Evidence,
    breaks_off,
    read_angle,
    read_enclosed,
    weigh_hyphens,
    without_typeset_hyphens,
)
from urlscan.uri.grammar.templates import first_placeholder, placeholder_spans

# Schemes whose URLs may have an empty authority: "file:///etc/motd", "ldap:///o=x".
_EMPTY_AUTHORITY = frozenset(
    "file ldap ldaps ldapi hdfs sqlite postgresql postgres mysql redis unix smb nfs afs dns cap".split()
)
# Schemes whose URLs have no "/" after the address: RFC 6068, RFC 3261 section 25.1, RFC 3859, RFC 3860, RFC 7565.
_NO_PATH = frozenset("mailto sip sips im pres acct".split())
# "<URL:http://h.example/a>#top"
_FRAGMENT = lazy(r"#[A-Za-z][\w.:-]*")
# "http://strange<hostname>/x", "http://h<n>.h.example/": a placeholder completes the host.
_HOST_PLACEHOLDER = lazy(r"<(?!(?i:a|b|br|code|em|i|p|strong|tt|wbr)\b)[A-Za-z][\w .-]{0,40}>(?=[/.:\w-])")
# A backslash after the authority of a pattern: "http://h\\.example/", but not "http://h\\n".
_HOST_PATTERN = lazy(r"\\(?![^\W_]|['\"\\]|\Z)")
# "<URL:gopher:h.example>"
_NAMED = lazy(r":\s*(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,31}):(?!:)")
# A label before a path, "log_file:/var/log/x", or a segment whose slashes a server merged: "/proxy/http:/h.example/".
_PART_OF_NAME = lazy(r"(?i:[_.-]file|\w/(?:https?|ftp))\Z")
# How many characters after the colon are checked for the shape of a scheme.
_SHAPE = 256
# A host has a letter or a digit before its port, unlike "http://:80/" and "https://*:443"; "http://[^/]+/",
# "https://[a-z0-9]+\.", "s3://.{1,99}" and "(s3://|http://)" are patterns.
_HOST = lazy(r"\[(?:[^\]^]*:|[0-9.]+(?:\]|\Z)|[vV][0-9A-Fa-f])|(?![\[|)^]|\.[*+?{])[^:]*[^\W_]")
_AUTHORITY = lazy(r"//[^/?#]*")
# An authority that ends at a slash and contains no character that may end the URL.
_PLAIN_AUTHORITY = lazy(r"(?<=//)[^\s/?#,|;(&\[<>\"`\\]{1,128}(?=/)")
# A second scheme or backslashes before the authority of a look-alike.
_SECOND_SCHEME = lazy(r"(?i:https?|ftp)://+|\\{1,2}(?=[A-Za-z0-9])")
# Quoted-printable breaks a line with "=" ("h=" newline "ttp://x"), iCalendar with a blank on the next line.
_FOLDED = lazy(r"([A-Za-z]{1,5}|=)\r?\n[ \t]{0,12}\Z")
_MARKS = "\u061c\u200e\u200f"  # of direction
# An escape that a line end interrupts, and its rest on the next line.
_CUT_ESCAPE = lazy(r"%[0-9A-Fa-f]?\Z")
_CONTINUATION = lazy(r"[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*(?:[>|][^\S\r\n]*)*(?P<hex>[0-9A-Fa-f]{1,2})")


class Candidate(NamedTuple):
    """A possible URL in a document: the offsets of its scheme and after "scheme:" or "scheme://", and the scheme."""

    document: Document
    options: FindOptions
    start: int
    body: int
    scheme: str


def read(document: Document, options: FindOptions, colon: int, kind: int | None, floor: int) -> Match | None:
    """Return the URL whose scheme ends at text[colon] and that begins after `floor`, or None if there is none.

    `kind` is the branch of the anchor pattern that matched.
    """
    text = document.prose
    prefix = _scheme_at(text, options, colon, kind, floor)
    if prefix is None:
        if text[colon - 3 : colon].lower() == "url":
            return _explicit(document, options, colon, floor)
        return None
    start, scheme = prefix
    opener = opening(text, start, floor)
    candidate = Candidate(document, options, start, colon + len("://" if kind is PLAIN else ":"), scheme)
    if opener.style in ("wrapper", "angle"):
        delimited = read_angle(text, start, colon, opener.start)
        if delimited is not None:
            return _delimited(candidate, opener, delimited)
        return _unclosed(candidate, opener, kind)
    if opener.closer and breaks_off(text, candidate.body):
        quoted_printable = text.endswith("=3D", 0, opener.start)
        delimited = read_enclosed(text, start, opener.closer, quoted_printable)
        if delimited is not None and (match := _delimited(candidate, opener, delimited)) is not None:
            return match
    joins = options.rejoin == "guess"
    if scheme in LOOK_ALIKES and (joins or options.look_alikes):
        match = divided_scheme(text, start, colon, is_joined=joins)
        if match is not None:
            return match
    return _undelimited(candidate, opener, kind)


def _scheme_at(text: str, options: FindOptions, colon: int, kind: int | None, floor: int) -> tuple[int, str] | None:
    """Return the start and the name of the scheme before text[colon]; None if no URL begins with it."""
    schemes = options.schemes
    prefix = scheme_before(text, colon, floor, schemes)
    if prefix is None:
        return None
    start, scheme = prefix
    if kind == COLON and _PART_OF_NAME.search(text, max(start - 2, 0), colon) is not None:
        return None
    start = with_doubled_letter(text, start, colon, floor)
    scheme = text[start:colon].lower()
    if is_known_scheme(scheme, schemes):
        return start, scheme
    if text[start - 1 : start] == "*":
        return None  # "<h*ttp://h.example>": an obfuscated URL
    head = scheme_head(text, start, floor)  # the part before a line break: "<h" newline "ttp://"
    if head is not None and is_known_scheme(head[1] + scheme, schemes):
        return head[0], head[1] + scheme
    if kind is PLAIN and not options.look_alikes and intended_scheme(text, colon, scheme) in LOOK_ALIKES:
        return None
    return start, scheme


def _unclosed(candidate: Candidate, opener: Opening, kind: int | None) -> Match | None:
    """Return the bare URL after an unclosed bracket."""
    bare = _undelimited(candidate, Opening("bare", candidate.start, ""), kind)
    if bare is not None and bare.template and candidate.document.prose.startswith(">", bare.end):
        return bare._replace(style="angle", outer_start=opener.start, outer_end=bare.end + 1)  # <http://h/<%= x %>>
    # "jpegphoto:< file:///x.jpg" is LDIF, "a < http://x" a comparison: an opener is directly before the URL.
    text = candidate.document.prose
    loose = text[opener.start + 1] in " \t"
    if bare is None or loose or _is_repeated(text, bare):
        return bare
    return bare._replace(faults=(TextFault("unclosed-wrapper", opener.start, bare.end), *bare.faults))


def _is_repeated(text: str, bare: Match) -> bool:
    """Return whether the same URL follows in brackets, `<URL <URL>>`: a link text and its target in mail."""
    rest = text[bare.end : bare.end + 2 * len(bare.url) + 200]
    match = re.match(r"(?:[^<>\r\n]|\r?\n(?![ \t]*\r?\n)){0,150}<\s*", rest)
    if match is None or not rest.startswith(bare.url[:40], match.end()):
        return False
    return ">" in rest[match.end() : match.end() + len(bare.url) + 2]


def _delimited(candidate: Candidate, opener: Opening, delimited: DelimitedUrl) -> Match | None:
    """Return the match between delimiters; None if the text is not a URL."""
    text = candidate.document.prose
    alternatives: list[Alternative] = []
    if delimited.breaks:
        delimited, alternatives = _rejoined(candidate, delimited)
    url = delimited.text(text)
    in_angles = opener.style in ("wrapper", "angle")
    template = _template(candidate.scheme, url, candidate.options.look_alikes, delimited=in_angles)
    if template is None:
        if delimited.breaks or _is_form(text, candidate.body) or not _is_intended(candidate, opener.style, url):
            return None
        template = False
    outer_end = delimited.outer_end
    if delimited.prose >= 0 and text.find(":", delimited.prose, outer_end) >= 0:
        outer_end = delimited.prose  # the prose may contain another URL
    faults: tuple[TextFault, ...] = ()
    if in_angles:
        faults = tuple(_faults(text, opener, delimited, url, outer_end))
    match = delimited.match(text, opener, candidate.scheme, faults)
    most = tuple(alternatives[:MOST_ALTERNATIVES])
    return match._replace(outer_end=outer_end, alternatives=most, template=template)


def _rejoined(candidate: Candidate, delimited: DelimitedUrl) -> tuple[DelimitedUrl, list[Alternative]]:
    """Return a URL with breaks as it is reported, joined unless the options exclude that, and its alternatives."""
    text = candidate.document.prose
    delimited = without_typeset_hyphens(text, delimited)
    alternatives = _blank_escaped(text, delimited)
    if candidate.options.rejoin == "never":
        joined = Alternative(delimited.text(text), "joined")
        return delimited.until(1, delimited.prose), [joined, *alternatives]
    delimited, hyphenated = weigh_hyphens(text, delimited, candidate.document.computed(Evidence))
    return delimited, hyphenated + alternatives


# "<http:/intranet/x>", unlike the XML element "<http:conduit>".
_WITH_SLASH = lazy(r"[A-Za-z]+:/{1,3}\w")
# "<URL:mailto:...>" is a placeholder.
_ELISION = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:(?://)?(?:\.{2,}|\u2026|/?[\[^$*])")


def _is_intended(candidate: Candidate, style: str, url: str) -> bool:
    """Return whether the delimiters confirm a URL that lacks the shape of its scheme.

    "<URL:" always marks a URL.  Look-alikes of http, https and ftp are for the linter; between other angle brackets
    they must begin with a slash.
    """
    if _ELISION.match(url) or DEFANGED.match(url):
        return False
    if candidate.scheme in LOOK_ALIKES:
        return candidate.options.look_alikes and (style == "wrapper" or _WITH_SLASH.match(url) is not None)
    options = candidate.options
    return style == "wrapper" and (options.look_alikes or is_known_scheme(candidate.scheme, options.schemes))


def _explicit(document: Document, options: FindOptions, colon: int, floor: int) -> Match | None:
    """Return the content of `<URL:...>` if it has no other anchor: a scheme without "//", or no URL."""
    text = document.prose
    named = _NAMED.match(text, colon)
    if named is None:
        if not options.look_alikes:
            return None
        return explicit(text, colon, floor)
    scheme, start, end = named["scheme"].lower(), named.start("scheme"), named.end("scheme")
    if text.startswith("//", end + 1) or not (is_known_scheme(scheme, options.schemes) or options.look_alikes):
        return None
    opener = opening(text, start, floor)
    if opener.style != "wrapper" or (delimited := read_angle(text, start, end, opener.start)) is None:
        return None
    return _delimited(Candidate(document, options, start, end + 1, scheme), opener, delimited)


def _faults(text: str, opener: Opening, delimited: DelimitedUrl, url: str, outer_end: int) -> Iterator[TextFault]:
    """Yield the faults of angle brackets and of their other content."""
    end = delimited.spans[-1][1]
    if delimited.prose >= 0:
        yield TextFault("prose-in-wrapper", delimited.prose, delimited.outer_end - 1)
    elif url[-1] in ".,;" and not url.endswith(".."):
        yield TextFault("punctuation-in-wrapper", end - 1, end)
    if "#" not in url and text.startswith("#", outer_end) and (fragment := _FRAGMENT.match(text, outer_end)):
        yield TextFault("fragment-outside", outer_end, fragment.end())
    if text.endswith("//", opener.start, delimited.spans[0][0]):  # "<URL://http://h.example/>"
        yield TextFault("missing-scheme", delimited.spans[0][0] - 2, delimited.spans[0][0])


def _blank_escaped(text: str, delimited: DelimitedUrl) -> list[Alternative]:
    """Return the alternative in which blanks are data, except after the scheme: `<URL:gopher://h/Old Mill Papers>`."""
    url = text[slice(*delimited.spans[0])]
    for brk, (start, end) in zip(delimited.breaks, delimited.spans[1:], strict=True):
        if brk.kind == "blank" and url.rstrip("/")[-1:] != ":":
            url += "%20"
        url += text[start:end]
    if url == delimited.text(text):
        return []
    return [Alternative(url, "blank-escaped")]


def _undelimited(candidate: Candidate, opener: Opening, kind: int | None) -> Match | None:
    """Return the match in a quotation, after `URL:` or without delimiters, on a single line; else None."""
    document, options, start, body, scheme = candidate
    text = document.prose
    if kind in BROKEN or _is_form(text, body):
        return None
    if kind == COLON:
        if not has_shape(scheme, text[body : body + _SHAPE]):
            return None
        before = text[max(start - 2, 0) : start]
        is_name = before[-1:] in ("+", "-", ".") or (before.endswith(":") and not before[:-1].isalnum())
        if scheme in LOOK_ALIKES and is_name:  # of a setting or a remote, ":http:name", or a package, "mill-http:1.2"
            return None
    style, end, outer_start, outer_end = _extent(candidate, opener)
    url = text[start:end]
    template = _template(scheme, url, options.look_alikes)
    if template is None or _continues_otherwise(text, body, end):
        return None
    alternatives: tuple[Alternative, ...] = ()
    if style == "bare" and not text[end - 1 : end + 1].isascii():
        longer = longer_end(text, start, body)
        if longer > end:
            alternatives = (Alternative(readable(text[start:longer]), "longer"),)
    url = readable(url)
    return Match(
        url, url, start, end, outer_start, outer_end, scheme, style,
        alternatives=alternatives, template=template, faults=_undelimited_faults(candidate, end),
    )  # fmt: skip


def _extent(candidate: Candidate, opener: Opening) -> tuple[Style, int, int, int]:
    """Return the style of a URL on one line, its end, and its start and end with the delimiters."""
    text, start, body = candidate.document.prose, candidate.start, candidate.body
    if opener.style == "quotes":
        close = quotation_end(text, body, opener.closer)
        end = _bare_end(candidate, close)
        if close < 0 or (end < close - 1 and text[end] in ",|"):  # GOPROXY="https://proxy.example.org,direct"
            return "bare", end, start, end
        end = end_in_quotation(text, body, close)
        # In text from right to left, a mark after the URL shows its last character in its place.
        if text[end - 1] in _MARKS and candidate.document.context(start, end) in ("code", "prose"):
            end = body + len(text[body:end].rstrip(_MARKS))
        return "quotes", end, opener.start, close + 1
    end = _bare_end(candidate, -1)
    if opener.style == "bracket":
        return "bare", end, start, end
    if text.startswith(".", end):
        end = past_full_stop(text, end)
    if opener.style == "prefix":
        return "prefix", end, opener.start, end
    return "bare", end, start, end


def _undelimited_faults(candidate: Candidate, end: int) -> tuple[TextFault, ...]:
    """Return the faults of the URL that ends at `end` on a single line."""
    document, options, start, _, scheme = candidate
    text, faults = document.prose, list[TextFault]()
    if not is_known_scheme(scheme, options.schemes):  # it may continue a folded line
        head = _FOLDED.search(text[max(0, start - 20) : start])
        if head is not None and (head[1] == "=" or is_known_scheme(head[1].lower() + scheme, options.schemes)):
            faults = [TextFault("scheme-cut", start - 1, start)]
    if (cut := _cut_escape(text, start, end)) is not None:
        faults = [cut]
    if end - start >= LONGEST:
        faults.append(TextFault("too-long", start, end))
    return tuple(faults)


def _bare_end(candidate: Candidate, close: int) -> int:
    """Return the end of the URL by its characters; text[close] ends the surrounding quotation, -1 for none."""
    document, options, start, body, scheme = candidate
    text, look_alikes, second = document.prose, options.look_alikes, body
    if look_alikes:
        second = match_end(_SECOND_SCHEME, text, body)
    first_look = FIRST_LOOK
    if close >= 0:
        first_look = close - second
    end, is_open = end_within(first_look, text, start, second, glued=look_alikes)
    # Each condition bounds the time: a long text of URLs without blanks would be read again from each of them.  A
    # bar or a bracket may end the URL; the characters after it change nothing.
    if (
        is_open
        and close < 0
        and _slash_after_address(candidate, end) < 0
        and notation_end(text, start, second, end) == end
        and _template(scheme, text[start:end], look_alikes) is not None
    ):
        end, _ = end_within(LONGEST, text, start, second, glued=look_alikes)
    offset = _slash_after_address(candidate, end)
    if offset > 0:
        return offset  # "users/sip:jo@h.example/index"
    return notation_end(text, start, second, end)


def _slash_after_address(candidate: Candidate, end: int) -> int:
    """Return the offset of the first "/" after an address and before its header fields; -1 for none."""
    text, body = candidate.document.prose, candidate.body
    if candidate.scheme not in _NO_PATH or text[body - 1] != ":":
        return -1
    address = max(text.find("@", body, end), body)
    if (fields := text.find("?", body, end)) >= 0:
        end = fields
    return text.find("/", address, end)


def _continues_otherwise(text: str, body: int, end: int) -> bool:
    """Return whether the text after a bare URL excludes it: a pattern, a masked or elided URL, a part of a host."""
    if text.startswith(("\\", "<", "…"), end) and text.find("/", body, end) < 0:
        if _HOST_PATTERN.match(text, end) or _HOST_PLACEHOLDER.match(text, end):
            return True
        if text[end] == "…" and not is_complete(text[body:end]):
            return True  # "https://t.m…"
    return is_masked(text, end)


def _is_form(text: str, body: int) -> bool:
    """Return whether the authority contains a placeholder: a fast check, since templates contain many of them."""
    authority = _PLAIN_AUTHORITY.match(text, body)
    return authority is not None and bool(placeholder_spans(f"x://{authority[0]}"))


def _template(scheme: str, url: str, look_alikes: bool, *, delimited: bool = False) -> bool | None:
    """Return whether `url` contains a placeholder; None if its authority does, or is elided, so that it is not a URL.

    Only its first characters are checked, so that a long text is not read again from its next colon.
    """
    if DEFANGED.match(url, 0, FIRST_LOOK):
        return None
    rest = url[len(scheme) + 1 : FIRST_LOOK]
    placeholder = first_placeholder(url, delimited=delimited)
    if not rest.startswith("//"):
        if not has_shape(scheme, rest):
            return None
        return placeholder >= 0
    authority = rest[2 : match_end(_AUTHORITY, rest, 0)]
    if not authority:
        path = rest[2:]
        local = scheme.rpartition("+")[2] in _EMPTY_AUTHORITY and re.match(r"/{1,2}[\w%~.(-]", path)  # "git+file:///a"
        if not local and not (scheme in LOOK_ALIKES and has_shape(scheme, path) and look_alikes):
            return None
    elif "\\" in authority or not _HOST.match(authority.rpartition("@")[2]) or authority.endswith(("...", "…")):
        return None
    if 0 <= placeholder < len(scheme) + 3 + len(authority):
        return None
    return placeholder >= 0


# A variable of a batch file: "%name%".
_VARIABLE = lazy(r"%[A-Za-z_]\w*%\Z")


def _cut_escape(text: str, start: int, end: int) -> TextFault | None:
    """Return the fault of an escape that a line end interrupts: "%2" newline "0Utah"."""
    if "%" not in text[max(start, end - 2) : end]:  # the patterns are compiled for few texts
        return None
    head = _CUT_ESCAPE.search(text, max(start, end - 2), end)
    tail = _CONTINUATION.match(text, end)
    if head is None or tail is None or len(head[0]) - 1 + len(tail["hex"]) < 2:
        return None
    if _VARIABLE.search(text, start, end) is not None:
        return None
    return TextFault("break-in-escape", end - len(head[0]), tail.start("hex") + 3 - len(head[0]))
