"""Restore the defanged URLs of a document, so that they are found like any others."""

import bisect
import itertools
from collections.abc import Iterator
from functools import partial

from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy
from urlscan.core.offsets import Regions, ReplacedSpans, Spans
from urlscan.core.records import Match
from urlscan.core.refanged import DefangedHost, RefangedDocument
from urlscan.finder.bare import bare_end
from urlscan.finder.defanged import Defanged, Edit, defanged
from urlscan.finder.schemeless import assumed_url

# Kinds of texts and data. Other kinds are programs, in which a host in brackets counts in comments only: a string that
# contains one is a regular expression.
_TEXTS = frozenset(
    "plain mail html xml markdown rst ipynb csv tsv ics vcf asciidoc latex org texinfo json jsonl yaml toml ini".split()
)
# RFC 4632 section 3.1: "192.0.2.0/24" is a network.
_NETWORK = lazy(r"/[0-9]{1,2}(?![\w/])")


class _Shifts:
    """Maps offsets of a text to offsets of the same text with edits."""

    def __init__(self, edits: list[Edit]) -> None:
        self._ends = [end for _, end, _ in edits]
        sizes = (len(replacement) - (end - start) for start, end, replacement in edits)
        self._shifts = [0, *itertools.accumulate(sizes)]

    def __call__(self, offset: int) -> int:
        """Return the offset with all edits before it applied; it must not be inside an edit."""
        return offset + self._shifts[bisect.bisect_right(self._ends, offset)]


def refanged(document: Document) -> Document:
    """Return the document with its defanged URLs restored; the same one if there are none."""
    forms = [form for form in map(partial(_visible, document), defanged(document.text)) if form is not None]
    if not forms:
        return document
    edits = [edit for form in forms for edit in form.edits]
    moved = _Shifts(edits)
    size = 2 * len(document.text)  # edits may lengthen the text
    spans, links, regions = ReplacedSpans(size), Spans(size), Regions(size)
    for start, end, replacement in edits:
        spans.add(moved(end) - len(replacement), moved(end), start, end)
    for start, end in document.links:
        links.append(moved(start), moved(end))
    for (start, end), role in zip(document.regions, document.regions.roles, strict=True):
        regions.add(moved(start), moved(end), document.regions.names[role])
    text = _applied(document.text, edits)
    prose = text
    if document.prose is not document.text:
        hidden = ((start, end, _hidden(document, start, end, replacement)) for start, end, replacement in edits)
        prose = _applied(document.prose, list(hidden))
    written = [form for form in forms if form.style != "bare"]
    hosts = tuple(DefangedHost(moved(form.start), moved(form.end), form.style == "email") for form in written)
    restored = RefangedDocument(document, text, prose, spans, links=links, regions=regions, hosts=hosts)
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
    return replacement if document.prose[start:end] == document.text[start:end] else MARKUP * len(replacement)


def _applied(text: str, edits: list[Edit]) -> str:
    pieces, copied = list[str](), 0
    for start, end, replacement in edits:
        pieces += text[copied:start], replacement
        copied = end
    return "".join([*pieces, text[copied:]])


def refang(text: str) -> str:
    """Return a text with its defanged URLs restored."""
    return refanged(Document(text)).text


def hosts(document: Document, start: int, limit: int, floor: int) -> Iterator[Match]:
    """Yield the defanged hosts and addresses that begin in text[start:limit], and not before `floor`."""
    text, forms = document.text, document.hosts if isinstance(document, RefangedDocument) else ()
    first = bisect.bisect_left(forms, (max(start, floor),))
    for begin, end, is_address in itertools.islice(forms, first, None):
        if begin >= limit:
            return
        if begin < floor:
            continue  # in the query of the last one
        if not is_address and text[end : end + 1] in ("/", "?", "#") and _NETWORK.match(text, end) is None:
            end = max(bare_end(text, begin, end), end)
        url = text[begin:end]
        floor = end
        if is_address:
            assumed = "mailto:" + url.replace("%", "%25")
            yield Match(url, url, begin, end, begin, end, "", "email", assumed=assumed)
        else:
            yield Match(url, url, begin, end, begin, end, "", "schemeless", assumed=assumed_url(url))
