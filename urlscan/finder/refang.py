r"""Restore the defanged URLs of a document, so that they are found like any others.

Analysts defang a URL so that no program turns it into a link: `hxxp://h[.]example/a`, `h[.]example`,
`jo[at]h[dot]example`. There is no standard; this module reads the forms that occur in reports. Brackets and "dot" also
occur in regular expressions, source code and prose, so that a form counts only where nothing else explains it:

- A scheme such as "hxxp" is evidence for everything after it.
- A host without one needs a dot in brackets and an existing top-level domain, and no syntax of a regular expression
  near it: `example[.]com/?$`.
"""

import bisect
import itertools
import re
from collections.abc import Iterator
from functools import partial

from urlscan.core.choices import Context, Style
from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy, match_end
from urlscan.core.offsets import ReplacedSpans, Spans, replaced
from urlscan.core.record import NamedTuple
from urlscan.core.records import Break, Match, without_breaks
from urlscan.finder.anchors import COLON_SCHEMES, is_known_scheme
from urlscan.finder.bare import bare_end
from urlscan.finder.schemeless import assumed_url, is_ipv4
from urlscan.uri.grammar.domains import RESERVED, is_top_level

# Start and end of a span, in characters, and the text that replaces it.
Replacement = tuple[int, int, str]


class Defanged(NamedTuple):
    """A defanged URL, host or address in a text.

    Attributes:
        start, end: the span of its scheme and authority, in characters; a path may follow.
        style: "bare" for a URL, "schemeless" for a host, "email" for an address.
        edits: the edits that restore it, in order, including those in its path.
        is_certain: whether the scheme or its colon is defanged, which is evidence in any context.
    """

    start: int
    end: int
    style: Style
    edits: tuple[Replacement, ...]
    is_certain: bool


_OPEN, _CLOSE = r"[\[({]", r"[\])}]"
_LABEL = r"(?!dot\b)[^\W_](?:[\w-]{0,61}\w)?"
# Matches: `[.]`, `(.)`, `{.}`, `[dot]`, ` [dot] `, `(DOT)`, `[ . ]`
# Does not match: `.`, `[]`, `[..]`, ` . `, `dot`, `[dots]`
_DOT = rf"(?:{_OPEN}[ ]?[.\u3002][ ]?{_CLOSE}|[ ]?{_OPEN}[ ]?(?i:dot)[ ]?{_CLOSE}[ ]?)"
# After a defanged scheme: also a half of the brackets, a backslash, and the word.
# Matches: `[.]`, `[.`, `.]`, `\.`, ` dot `
# Does not match: `dot`, `..`, ` . `
_ANY_DOT = rf"(?:{_DOT}|{_OPEN}[.]|[.]{_CLOSE}|\\[.]|[ ](?i:dot)[ ])"
# Matches: `[@]`, `(at)`, ` [AT] `
# Does not match: `@`, ` at `, `[atom]`
_AT = rf"(?:{_OPEN}[ ]?@[ ]?{_CLOSE}|[ ]?{_OPEN}[ ]?(?i:at)[ ]?{_CLOSE}[ ]?)"
# Matches: `[:]//`, `[://]`, `:[//]`, `[:/]/`, `[:][//]`, `(:)//`
# Does not match: `://`, `[:]`, `:`, `[/]`
_SEPARATOR = (
    rf"(?:{_OPEN}[ ]?:[ ]?{_CLOSE}(?://|{_OPEN}//{_CLOSE})|{_OPEN}://{_CLOSE}|:{_OPEN}//{_CLOSE}|{_OPEN}:/{_CLOSE}/)"
)
# After a defanged scheme: also spaces, backslashes, one slash, or low lines.
# Matches: `://`, ` : // `, `:\\`, `:/`, `__`, `[:]//`
# Does not match: `:`, `//`, `_`
_ANY_SEPARATOR = rf"(?:{_SEPARATOR}|[ ]?:[ ]?(?://|\\\\|/)[ ]?|_{{2,3}})"
_HXXP = r"h(?:xx|\*\*|x[tz]|t[xz]|zz)ps?|f(?:x|\*)ps?"
_USER = rf"(?:(?:[\w.+%~-]|\[[.]\]){{1,64}}(?::[^\s@/\[\]]{{0,64}})?(?:@|{_AT}))?"
_PORT = rf"(?:(?::|{_OPEN}:{_CLOSE})[0-9]{{1,5}}(?!\w))?"
_HOST = rf"{_LABEL}(?:(?:[.]|{_DOT}){_LABEL}){{0,30}}"
_ANY_HOST = rf"(?:{_LABEL}(?:(?:[.]|{_ANY_DOT}){_LABEL}){{0,30}}|\[[0-9A-Fa-f:.]{{2,45}}\])"
_COLON_SCHEMES = "|".join([*COLON_SCHEMES, "data", "javascript"])
# After a separator without a usual host; not the end of a word about "hxxp://".
_ANYTHING = r"(?=[^\s\"'<>,;.)`\]])"
# No part of a word, and nothing that is syntax of a regular expression, precedes a host or an address.
_BEFORE = r"(?<![\w.@\\^$*+?|)\]}%&#~-])(?<![^/]/)(?<!\A/)"

# A text without any of these contains no defanged URL; each form contains one.
# Matches: `hxxp`, `h**ps`, `fxp`, `[.`, `(:`, `{ dot`, `[http]:`, ` dot `
# Does not match: `http`, `dot`, `[a`, `()`
_ANCHOR = lazy(
    rf"(?:{_HXXP})|{_OPEN} ?(?:[.:@/\u3002]|(?:dot|at)(?!\w)|(?:https?|ftp){_CLOSE}:)|[ ]dot[ ]", re.IGNORECASE
)
# Matches: `hxxp://h.example`, `http[:]//h.example`, `[http]://h.example`, `jo[@]h.example`, `h[.]example:80`
# Does not match: `http:/h.example`, `h..example`, `[.]`
_FORM = lazy(
    rf"""
    (?<![A-Za-z0-9])(?P<hxxp>{_HXXP})(?:{_ANY_SEPARATOR})(?P<any_authority>{_USER}{_ANY_HOST}{_PORT})
    | (?<![A-Za-z0-9])(?P<alone>{_HXXP})(?:{_SEPARATOR}|://){_ANYTHING}
    | {_OPEN}(?P<boxed>https?|ftp|{_HXXP}){_CLOSE}://(?P<boxed_authority>{_USER}{_ANY_HOST}{_PORT})
    | (?<![A-Za-z0-9+.-])(?P<scheme>[A-Za-z][A-Za-z0-9+-]{{1,20}})
      (?P<separator>{_SEPARATOR}|://)(?P<authority>{_USER}{_HOST}{_PORT})
    | (?<![A-Za-z0-9+.-])(?P<other>[A-Za-z][A-Za-z0-9+-]{{1,20}}){_SEPARATOR}{_ANYTHING}
    | (?<![A-Za-z0-9])(?P<colon>{_COLON_SCHEMES}){_OPEN}:{_CLOSE}(?=\S)
    | {_BEFORE}(?P<local>(?:[\w.+%'~-]|\[[.]\]){{1,64}})(?:@|{_AT})(?P<domain>{_HOST})
    | {_BEFORE}(?P<words>(?:{_LABEL}[ ]dot[ ]){{2,20}}(?:com|edu|example|gov|info|int|mil|net|org)\b)
    | {_BEFORE}(?P<host>{_HOST}){_PORT}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MARKER = lazy(rf"{_DOT}|{_AT}|{_OPEN}:{_CLOSE}", re.IGNORECASE)
_ANY_MARKER = lazy(rf"{_ANY_DOT}|{_AT}|{_OPEN}:{_CLOSE}", re.IGNORECASE)
_BETWEEN_LABELS = lazy(rf"{_ANY_DOT}|[.]", re.IGNORECASE)
# In a path or a query: signs in brackets, and the schemes of other URLs.
_REST = lazy(r"[^\s<>\"]*")
_REST_MARKER = lazy(rf"{_OPEN}(?:[.:@/]|dot|at){_CLOSE}|(?<![A-Za-z0-9])(?:{_HXXP})(?=:)", re.IGNORECASE)
_HXXP_AT_END = lazy(rf"(?:{_HXXP})\Z", re.IGNORECASE)
_WORD = lazy(" dot ", re.IGNORECASE)
# Syntax of regular expressions in the same word.
# Matches: `\.`, `\?`, `\d`, `.*`, `]+`, `)?`, `(?`, `[^`, `[a-z`, `|(`, `(a|`, `$)`, `s?:`
# Does not match: `[.]`, `(a)`, `a/b?c=d`, `$`
_REGEX = lazy(r"\\(?:[wdsbBSWDAZ]|[^\w\s\\])|[.\])}][*+]|[\])}][?{]|\(\?|\[\^|\[\w-\w|\$[)'\"/]|\|\(|\(\w+\||\w\?:")
_AT_WORD_END = lazy(r"\A[(\"'/]*\^|\$\Z")
# After a host: a call, an assignment, an operator of a regular expression, or more of the word.
# Matches: `(`, `=`, `*`, `:x`, `)+`
# Does not match: `)`, `?x`, `/`, `:`
_NO_HOST_BEFORE = lazy(r"[\w*+\\^$|({~@%&=-]|\?(?![\w%\s]|\Z)|:\w|\[(?![:/])|\.\w|[\])}'\"]+[*+?{$|]")
_GENERIC = frozenset("com edu gov info int mil net org".split()) | RESERVED
# Top-level domains that are extensions of source files, too: "setup[.]py" is a pattern.
_EXTENSIONS = frozenset("bat bz cab cc cfg java md mk ml mm mov pl pm ps py rs sh so st tf ts zip".split())
_LAST_LABEL = lazy(r"[\w-]+")
_AROUND = 400  # how far the authority extends from its anchor at most, in characters
_LINE = re.compile(r"[^\r\n]*")
_SCHEMES = {"f": "ftp", "h": "http"}
# The signs that are written in brackets, by their forms; others are dots.
_SIGNS = {"@": ("@", "at"), ":": (":",), "/": ("/",)}


def defanged(text: str) -> Iterator[Defanged]:
    """Yield the defanged URLs, hosts and addresses of a text, in order, without overlaps."""
    consumed = 0
    for anchor in _ANCHOR.finditer(text):
        if anchor.start() < consumed:
            continue
        # The authority is in the line of the anchor, which is read up to a limit.
        offset = max(consumed, anchor.start() - _AROUND)
        before = text[offset : anchor.start()]
        offset += max(before.rfind("\n"), before.rfind("\r")) + 1
        last = match_end(_LINE, text, anchor.start(), anchor.start() + _AROUND)
        while offset < last and (match := _FORM.search(text, offset, last)) is not None:
            form = _read(text, match)
            if form is not None:
                yield form
                offset = max(form.end, form.edits[-1][1])
            elif match["scheme"] or match["hxxp"]:
                offset = match_end(_REST, text, match.end())  # a usual URL, whose path may contain brackets
            else:
                offset = match.end()
        consumed = max(offset, last)


def _read(text: str, match: re.Match[str]) -> Defanged | None:
    """Return what was matched; None if it is not defanged, or if it may be something else."""
    start, end = match.span()
    if match["hxxp"] or match["boxed"]:
        return _after_defanged_scheme(text, match)
    if match["scheme"]:
        return _after_scheme(text, match)
    if match["alone"]:
        return _whole(text, match, f"{_scheme(match['alone'])}://")
    if match["other"]:
        return _whole(text, match, f"{match['other']}://") if _is_scheme(match["other"]) else None
    if match["colon"]:
        return _whole(text, match, f"{match['colon']}:")
    if match["words"]:
        words = tuple((*word.span(), ".") for word in _WORD.finditer(text, start, end))
        return Defanged(start, end, "schemeless", words, False)
    edits = [_edit(text, *marker.span()) for marker in _MARKER.finditer(text, start, end)]
    if not edits or _is_pattern(text, start, end):
        return None
    has_path = text[end : end + 1] in ("/", "?", "#") or text[end : end + 2] in ("[/", "(/", "{/")
    if match["local"]:
        if not _is_host(match["domain"], is_evident=True):
            return None
        return Defanged(start, end, "email", tuple(edits), False)
    is_evident = "[" in match["host"] or "dot" in match["host"].lower()
    if not _is_host(match["host"], is_evident=is_evident, has_path=has_path):
        return None
    if has_path:
        edits += _rest(text, end)
    return Defanged(start, end, "schemeless", tuple(edits), False)


def _whole(text: str, match: re.Match[str], replacement: str) -> Defanged:
    """Return a URL whose scheme and separator are replaced as a whole."""
    start, end = match.span()
    return Defanged(start, end, "bare", ((start, end, replacement), *_rest(text, end)), True)


def _after_defanged_scheme(text: str, match: re.Match[str]) -> Defanged:
    """Return a URL whose scheme is defanged: "hxxp://h.example"."""
    scheme = _scheme(match["hxxp"] or match["boxed"])
    first, end = match.span("any_authority" if match["hxxp"] else "boxed_authority")
    if " dot " in match[0].lower() and not _has_top_level(_labels(text[first:end])):
        end = first + text[first:end].lower().index(" dot ")  # the word belongs to the sentence
    markers = (_edit(text, *marker.span()) for marker in _ANY_MARKER.finditer(text, first, end))
    return Defanged(
        match.start(), end, "bare", ((match.start(), first, f"{scheme}://"), *markers, *_rest(text, end)), True
    )


def _after_scheme(text: str, match: re.Match[str]) -> Defanged | None:
    """Return a URL whose separator or host is defanged: "http[:]//h.example", "http://h[.]example"."""
    start, end = match.span()
    edits = [_edit(text, *marker.span()) for marker in _MARKER.finditer(text, match.start("authority"), end)]
    is_certain = match["separator"] != "://"
    if is_certain and not _is_scheme(match["scheme"]):
        return None
    name = _HXXP_AT_END.search(match["scheme"])  # "git+hxxp"
    if name is not None:
        edits.insert(0, (start + name.start(), start + name.end(), _scheme(name[0])))
    if is_certain:
        edits.insert(name is not None, (*match.span("separator"), "://"))
    elif not edits or _is_pattern(text, start, end):
        return None
    return Defanged(start, end, "bare", (*edits, *_rest(text, end)), is_certain)


def _is_scheme(name: str) -> bool:
    """Return whether a URL with this scheme may have a host; "data[:]//n" divides a slice."""
    base = _HXXP_AT_END.sub("", name).rstrip("+") or name
    return name.lower() != "data" and is_known_scheme(base.lower(), frozenset())


def _scheme(written: str) -> str:
    """Return the scheme that a defanged one represents, in upper case if it is: "HXXPS"."""
    scheme = _SCHEMES[written[0].lower()]
    if written.lower().endswith("s"):
        scheme += "s"
    if written.isupper():
        return scheme.upper()
    return scheme


def _edit(text: str, start: int, end: int) -> Replacement:
    """Return the edit that restores a sign in brackets, or the word for it."""
    marker = text[start:end].lower()
    signs = (sign for sign, forms in _SIGNS.items() if any(form in marker for form in forms))
    return start, end, next(signs, ".")


def _rest(text: str, start: int) -> Iterator[Replacement]:
    """Yield the edits in the path, the query and the fragment after an authority."""
    for marker in _REST_MARKER.finditer(text, start, match_end(_REST, text, start)):
        if marker[0][0].lower() in _SCHEMES:
            yield *marker.span(), _scheme(marker[0])
        else:
            yield _edit(text, *marker.span())


def _is_pattern(text: str, start: int, end: int) -> bool:
    """Return whether the word around a span seems to be a regular expression, a call or an assignment."""
    before = re.split(r"\s", text[max(start - 80, 0) : start])[-1]
    word = before + text[start : min(match_end(_REST, text, end), end + 80)]
    return bool(_NO_HOST_BEFORE.match(text, end) or _REGEX.search(word) or _AT_WORD_END.search(word))


def _labels(host: str) -> list[str]:
    return [label.lower() for label in _BETWEEN_LABELS.split(host.rpartition("@")[2])]


def _has_top_level(labels: list[str]) -> bool:
    return len(labels) > 1 and (labels[-1] in RESERVED or is_top_level(labels[-1]))


def _is_host(host: str, *, is_evident: bool, has_path: bool = False) -> bool:
    """Return whether the top-level domain of a host exists, or whether it is an IPv4 address.

    The notation of a host is evident if it has no other use, unlike "f(.)is" and "{.}name".
    """
    labels = _labels(host)
    if is_ipv4(labels):
        return True
    last = _LAST_LABEL.findall(host)[-1]
    if not _has_top_level(labels) or not (last.islower() or host.upper() == host or not last.isascii()):
        return False
    is_domain = labels[-1] not in _EXTENSIONS and (is_evident or labels[-1] in _GENERIC)
    return has_path or len(labels) > 2 or is_domain


# Kinds of texts and data. Other kinds are programs, in which a host in brackets counts in comments only: a string that
# contains one is a regular expression.
_TEXTS = frozenset(
    "plain mail html xml markdown rst ipynb csv tsv ics vcf asciidoc latex org texinfo json jsonl yaml toml ini".split()
)
# RFC 4632 section 3.1: "192.0.2.0/24" is a network.
_NETWORK = lazy(r"/[0-9]{1,2}(?![\w/])")


class RefangedDocument(Document):
    """A document in which defanged URLs are restored: `hxxp://h[.]example` is `http://h.example`.

    All offsets are mapped through the document with the text as written, so that locations and contexts are those of
    the source. The spans of the defanged hosts and addresses, in order, are those in the restored text.
    """

    __slots__ = ("_view", "hosts", "written")

    def __init__(self, written: Document, text: str, edits: ReplacedSpans, hosts: tuple[Defanged, ...]) -> None:
        super().__init__(text, written.map, kind=written.kind, encoding=written.encoding, whole=written.whole)
        for name in ("base", "decoded", "document_map", "member", "note", "origin", "packed", "path", "soft"):
            setattr(self, name, getattr(written, name))
        self.make_lines = lambda: written.lines
        self.written, self.hosts = written, hosts
        self._view = Document(text)
        self._view.replacements = edits

    def to_written(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the text as written that text[start:end] shows."""
        return self._view.to_decoded(start, end)

    def from_written(self, offset: int) -> int:
        """Return the offset that shows an offset of the text as written; the end of an edit if that is inside it."""
        return bisect.bisect_left(range(len(self.text)), offset, key=lambda start: self.to_written(start, start)[0])

    def to_decoded(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the document that text[start:end] shows, in characters."""
        return self.written.to_decoded(*self.to_written(start, end))

    def context(self, start: int, end: int) -> Context:
        """Return the context of a URL at text[start:end]."""
        return self.written.context(*self.to_written(start, end))

    def as_written(self, match: Match) -> Match:
        """Return a match with the text as written in `raw`, and in `original` without breaks if it differs."""
        start, end = self.to_written(match.start, match.end)
        raw = self.written.text[start:end]
        if match.faults:
            spans = (self.to_written(fault.start, fault.end) for fault in match.faults)
            faults = zip(match.faults, spans, strict=True)
            moved = tuple(fault._replace(start=first, end=last) for fault, (first, last) in faults)
            match = match._replace(faults=moved)
        if raw == match.raw:
            return match
        breaks = list[Break]()
        for gap in match.breaks:
            offset = match.start + gap.offset
            first, last = self.to_written(offset, offset + gap.length)
            breaks.append(gap._replace(offset=first - start, length=last - first))
        return match._replace(raw=raw, breaks=tuple(breaks), original=without_breaks(raw, tuple(breaks)))


def refanged(document: Document) -> Document:
    """Return the document with its defanged URLs restored; the same one if there are none."""
    forms = [form for form in map(partial(_visible, document), defanged(document.text)) if form is not None]
    if not forms:
        return document
    edits = [edit for form in forms for edit in form.edits]
    ends = [end for _, end, _ in edits]
    shifts = [0, *itertools.accumulate(len(replacement) - (end - start) for start, end, replacement in edits)]

    def moved(offset: int) -> int:
        return offset + shifts[bisect.bisect_right(ends, offset)]

    size = 2 * len(document.text)  # edits may lengthen the text
    spans, links, regions = ReplacedSpans(size), Spans(size), Spans(size)
    for start, end, replacement in edits:
        spans.append(moved(end) - len(replacement), moved(end))
        spans.originals.append(start, end)
    for start, end in document.links:
        links.append(moved(start), moved(end))
    for (start, end), role in zip(document.regions, document.regions.roles, strict=True):
        regions.add_region(moved(start), moved(end), document.regions.names[role])
    text = replaced(document.text, edits)
    written = [form for form in forms if form.style != "bare"]
    hosts = tuple(form._replace(start=moved(form.start), end=moved(form.end)) for form in written)
    restored = RefangedDocument(document, text, spans, hosts)
    restored.links, restored.regions = links, regions
    if document.prose is not document.text:
        hidden = ((start, end, _hidden(document, start, end, replacement)) for start, end, replacement in edits)
        restored.prose = replaced(document.prose, hidden)
    restored.start, restored.stop, restored.floor = map(
        restored.from_written, (document.start, document.stop, document.floor)
    )
    return restored


def _visible(document: Document, form: Defanged) -> Defanged | None:
    """Return a defanged URL with its visible edits; None if it is in markup, or if a program explains its notation."""
    start, end = form.start, form.end
    if document.prose[start:end] != document.text[start:end]:
        link = document.links.index(start)
        if form.style != "bare" or link < 0 or document.links[link][1] < end:
            return None
        last = document.links[link][1]
        return form._replace(edits=tuple(edit for edit in form.edits if edit[1] <= last))
    if not form.is_certain and document.kind not in _TEXTS and document.context(start, end) not in ("comment", "prose"):
        return None
    prose, text = document.prose, document.text
    return form._replace(
        edits=tuple(edit for edit in form.edits if prose[edit[0] : edit[1]] == text[edit[0] : edit[1]])
    )


def _hidden(document: Document, start: int, end: int, replacement: str) -> str:
    """Return what the prose contains in place of an edit."""
    if document.prose[start:end] == document.text[start:end]:
        return replacement
    return MARKUP * len(replacement)


def refang(text: str) -> str:
    """Return a text with its defanged URLs restored."""
    return refanged(Document(text)).text


def hosts(document: Document, start: int, limit: int, floor: int) -> Iterator[Match]:
    """Yield the defanged hosts and addresses that begin in text[start:limit], and not before `floor`."""
    if not isinstance(document, RefangedDocument):
        return
    text, first = document.text, bisect.bisect_left(document.hosts, (max(start, floor),))
    for begin, end, style, *_ in itertools.islice(document.hosts, first, None):
        if begin >= limit:
            return
        if begin < floor:
            continue  # in the query of the last one
        if style == "schemeless" and text[end : end + 1] in ("/", "?", "#") and _NETWORK.match(text, end) is None:
            end = max(bare_end(text, begin, end), end)
        url = text[begin:end]
        floor = end
        assumed = assumed_url(url) if style == "schemeless" else "mailto:" + url.replace("%", "%25")
        yield Match(url, url, begin, end, begin, end, "", style, assumed=assumed)
