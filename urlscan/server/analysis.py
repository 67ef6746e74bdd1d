"""Check the text of an open document as `urlscan check` checks the file.

The text goes through the same functions as a file: it is encoded, and what they return is given in characters again.
"""

import bisect
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.find_options import FindOptions
from urlscan.core.records import Edit, Finding, Fix, Match
from urlscan.core.settings import FileSettings, Settings, SettingsProvider
from urlscan.documents import KINDS, MAIL
from urlscan.documents.identify import identify
from urlscan.files.walk import STDIN
from urlscan.finder import find_in_document
from urlscan.formats.base import CheckResult
from urlscan.masking.show import mask_finding
from urlscan.masking.track import Secrets
from urlscan.pipeline.add_ignore import with_suppressions
from urlscan.pipeline.check import check_source
from urlscan.pipeline.fix import fix_in_memory, fix_one
from urlscan.pipeline.read import LARGEST_DOCUMENT, ReadOptions, Source, documents_of
from urlscan.pipeline.targets import Targets

# Limit on the findings of a document that are shown; the first editor with a limit of its own has the same one.
MOST_FINDINGS = 1_000
# Limit on the URLs that hovers and links know; the findings include those after them.
_MOST_URLS = 20_000
# A larger mailbox has no hovers and links: its URLs would have to be searched twice.
_LARGEST_MAIL = 1 << 22
_HEAD = 1024
# The names that editors give to kinds of documents, where they differ from ours.
_LANGUAGES = {
    "plaintext": "plain", "text": "plain", "restructuredtext": "rst", "tex": "latex", "shellscript": "shell",
    "sh": "shell", "bash": "shell", "cpp": "c", "csharp": "c", "objective-c": "c", "typescript": "javascript",
    "javascriptreact": "javascript", "typescriptreact": "javascript", "jsonc": "json", "scss": "css", "less": "css",
    "svg": "xml", "jupyter": "ipynb", "asciidoctor": "asciidoc", "emacs-lisp": "lisp", "clojure": "lisp",
    "kotlin": "java", "scala": "java", "viml": "vim", "dotenv": "ini", "gfm": "markdown", "eml": "mail",
}  # fmt: skip


class FoundUrl(NamedTuple):
    """A URL of a document.

    Attributes:
        occurrence: the URL; its offsets count characters of the document.
        pieces: the spans of its text between line breaks, in characters of the document.
    """

    occurrence: Match
    pieces: tuple[tuple[int, int], ...]


class Analysis(NamedTuple):
    """The findings and the URLs of one version of a document. Offsets count characters of its text.

    Attributes:
        text: the text.
        findings: the findings, in order of position.
        urls: the URLs, in order of position.
        error: why it could not be checked, or "".
        left_out: the number of findings beyond MOST_FINDINGS.
    """

    text: str
    findings: tuple[Finding, ...] = ()
    urls: tuple[FoundUrl, ...] = ()
    error: str = ""
    left_out: int = 0

    def url_at(self, start: int, end: int | None = None) -> FoundUrl | None:
        """Return the URL that overlaps a span, or touches an offset; None if there is none."""
        if end is None:
            end = start
        number = bisect.bisect_right(self.urls, end, key=lambda url: url.occurrence.outer_start)
        for url in reversed(self.urls[max(number - 3, 0) : number]):
            if url.occurrence.outer_end >= start:
                return url
        return None


class Checker(NamedTuple):
    """Checks the text of one document.

    Attributes:
        path: the absolute path of the document; "-" for one that has never been saved.
        language: the name that the editor gives to its kind, or "".
        provider: provides its settings.
        targets: the index of the trees that relative references lead to.
    """

    path: str
    language: str
    provider: SettingsProvider
    targets: Targets | None

    def check(self, text: str) -> Analysis:
        """Return the analysis of a text. An invalid configuration is an error of the analysis."""
        try:
            return self._checked(text)
        except SourceError as error:
            return Analysis(text, error=str(error))

    def _checked(self, text: str) -> Analysis:
        if self.path != STDIN and self.provider.excludes(self.path, None):
            return Analysis(text)
        source, options, units = self._encoded(text)
        results = [item for item in check_source(source, Settings(), options) if isinstance(item, CheckResult)]
        if source.kind in MAIL:
            documents = documents_of(source, options) if len(text) < _LARGEST_MAIL else iter(())
        else:
            documents = (result.document for result in results)
        all_findings = [_masked(finding, result.secrets) for result in results for finding in result.findings]
        findings = sorted(all_findings, key=_span)[:MOST_FINDINGS]
        units.prepare(offset for finding in findings for offset in _offsets_of(finding))
        settings = self.provider.of(self.path).settings
        urls = islice(self._urls(documents, settings, units), _MOST_URLS)
        return Analysis(
            text,
            tuple(sorted(map(units.finding, findings), key=_span)),
            tuple(sorted(urls, key=lambda url: url.occurrence.outer_start)),
            left_out=len(all_findings) - len(findings),
        )

    def fixed(self, text: str, *, unsafe: bool) -> str:
        """Return the text with its fixes applied."""
        source, options, units = self._encoded(text)
        if source.kind in MAIL:
            return text
        return units.decoded(fix_in_memory(source, Settings(), options, unsafe=unsafe).data)

    def fixed_one(self, text: str, finding: Finding) -> str | None:
        """Return the text with one finding fixed; None if the result would not read back as intended."""
        source, options, units = self._encoded(text)
        if source.kind in MAIL:
            return None
        identity = _identity(finding)  # messages and suggestions are masked
        data = fix_one(source, Settings(), options, lambda candidate: _identity(units.finding(candidate)) == identity)
        return units.decoded(data) if data is not None else None

    def suppressed(self, text: str, finding: Finding) -> str | None:
        """Return the text with a comment that suppresses a finding; None if there is no place for one."""
        source, options, units = self._encoded(text)
        if source.kind in MAIL:
            return None

        def is_selected(candidate: Finding) -> bool:
            return (candidate.code, candidate.line) == (finding.code, finding.line)

        data = with_suppressions(source, Settings(), options, is_selected)
        return units.decoded(data) if data is not None else None

    def kind_of(self, text: str) -> str:
        """Return the kind of a text: the configured one, or by its path, the language of the editor, its beginning."""
        configured = self.provider.of(self.path).kind
        kind = configured or identify(self.path if self.path != STDIN else "", text[:_HEAD])
        if configured is None and kind == "plain" and "." not in self.path.rpartition("/")[2]:
            language = self.language.lower()
            language = _LANGUAGES.get(language, language)
            if language in KINDS:
                kind = language
        if len(text) > LARGEST_DOCUMENT and kind not in MAIL:
            return "plain"
        return kind

    def _encoded(self, text: str) -> "tuple[Source, ReadOptions, Units]":
        kind = self.kind_of(text)
        units = Units(text, is_mail=kind in MAIL)
        options = ReadOptions(kind, units.codec, provider=_OwnEncoding(self.provider), targets=self.targets)
        return Source(self.path, units.data, False, kind=kind), options, units

    def _urls(self, documents: Iterable[Document], settings: Settings, units: "Units") -> Iterator[FoundUrl]:
        options = FindOptions(relative=True, continuations=True).for_settings(settings)
        for document in documents:
            for match in find_in_document(document, options):
                occurrence = match
                if occurrence.scheme or not document.base:  # a base URL that is declared leads elsewhere
                    yield _found_url(document, occurrence, units)


class _OwnEncoding(NamedTuple):
    """Provides settings without an encoding: the text of the editor is decoded."""

    provider: SettingsProvider

    def of(self, path: str) -> FileSettings:
        """Return the settings of a source."""
        return self.provider.of(path)._replace(encoding=None, kind=None)

    def is_relaxed(self, path: str) -> bool:
        """Return whether a source is test data."""
        return path != STDIN and self.provider.is_relaxed(path)

    def excludes(self, path: str, root: str | None) -> bool:
        """Return False: whether the document is excluded was decided before."""
        return False


class Units:
    """The bytes that represent a text, and the map from them back to its characters.

    Args:
        is_mail: whether it is mail, which is read as UTF-8 where it declares nothing else.
    """

    def __init__(self, text: str, *, is_mail: bool) -> None:
        self.codec: str | None = None
        self._codec, self._width = "utf-8", 1
        self._characters: dict[int, int] | None = None  # by offset, where the width varies
        if is_mail:
            if not text.isascii():
                self._characters = {}
        elif text.isascii():
            self.codec = "utf-8"
        else:
            self.codec = self._codec = "utf-32-le"
            self._width = 4
        self.data = text.encode(self._codec, "surrogatepass")

    def prepare(self, offsets: Iterable[int]) -> None:
        """Compute the characters of some offsets together, which takes one pass over the text."""
        if self._characters is None:
            return
        start = count = 0
        for offset in sorted(set(offsets) - self._characters.keys()):
            count += len(self.data[start:offset].decode("utf-8", "replace"))
            self._characters[offset] = count
            start = offset

    def character(self, offset: int) -> int:
        """Return the number of the character at an offset in the bytes."""
        if self._characters is None:
            return offset // self._width
        if offset not in self._characters:
            self.prepare([offset])
        return self._characters[offset]

    def decoded(self, data: bytes) -> str:
        """Return the text of other bytes."""
        return data.decode(self._codec, "surrogatepass")

    def finding(self, finding: Finding) -> Finding:
        """Return a finding with offsets in characters."""
        fix = finding.fix
        if fix is not None:
            edits = (Edit(self.character(edit.start), self.character(edit.end), edit.text) for edit in fix.edits)
            fix = Fix(fix.applicability, tuple(edits))
        return finding._replace(start=self.character(finding.start), end=self.character(finding.end), fix=fix)


def _masked(finding: Finding, secrets: Secrets) -> Finding:
    """Return a finding whose message and suggestion show no secret of its document; its fix is complete."""
    masked, _ = mask_finding(finding, secrets)
    return finding._replace(message=masked.message, suggestion=masked.suggestion)


def _span(finding: Finding) -> tuple[int, int]:
    return finding.start, finding.end


def _identity(finding: Finding) -> tuple[str, int, int, Fix | None]:
    """Return what identifies a finding of a document."""
    return finding.code, finding.start, finding.end, finding.fix


def _offsets_of(finding: Finding) -> Iterator[int]:
    yield from (finding.start, finding.end)
    if finding.fix is not None:
        for edit in finding.fix.edits:
            yield from (edit.start, edit.end)


def _found_url(document: Document, occurrence: Match, units: Units) -> FoundUrl:
    """Return a URL with its spans in characters of the document."""
    spans, position = [], 0
    for gap in occurrence.breaks:
        spans.append((position, gap.offset))
        position = gap.offset + gap.length
    spans.append((position, len(occurrence.raw)))
    start = occurrence.start
    source_spans = [document.to_source(start + first, start + last) for first, last in spans if first < last]
    outer = document.to_source(occurrence.outer_start, occurrence.outer_end)
    units.prepare(offset for span in (*source_spans, outer) for offset in span)
    pieces = tuple((units.character(first), units.character(last)) for first, last in source_spans)
    return FoundUrl(
        occurrence._replace(
            start=pieces[0][0],
            end=pieces[-1][1],
            outer_start=units.character(outer[0]),
            outer_end=units.character(outer[1]),
            context=document.context(occurrence.start, occurrence.end),
        ),
        pieces,
    )
