"""Check and fix texts that an editor holds, as `urlscan check` does with files.

Offsets count characters of the text.
"""

import bisect
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from urlscan.api.lint_files import CODEC, ERRORS, in_characters
from urlscan.config import NAMES, Configuration
from urlscan.config.keys import BY_NAME, KEYS, Key, checked
from urlscan.core.choices import Profile
from urlscan.core.document import Document, readable
from urlscan.core.errors import SourceError, UrlscanError
from urlscan.core.offsets import LineIndex, line_end
from urlscan.core.records import Alternative, Finding, Match, Occurrence
from urlscan.core.secrets import Spans, redact, url_secrets
from urlscan.core.settings import FindOptions, Settings
from urlscan.documents import KINDS, MAIL, read_text
from urlscan.documents.identify import identify
from urlscan.files.walk import STDIN, Source
from urlscan.finder import find_in_document
from urlscan.formats.base import suggested
from urlscan.formats.mask import mask_alternative, mask_finding, secrets_by_url
from urlscan.formats.mask_urls import mask_urls
from urlscan.linter.locate import find_options_for
from urlscan.pipeline.add_ignore import SuppressionWriter, takes_comments
from urlscan.pipeline.check import lint_document
from urlscan.pipeline.fix import fix_in_memory, fix_one
from urlscan.pipeline.read import LARGEST_DOCUMENT, ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.uri.url import COMPONENTS, split

__all__ = [
    "BY_NAME", "KEYS", "MOST_FINDINGS", "NAMES", "UNSAVED", "Analysis", "Buffer", "Key", "LineIndex", "Project",
    "Url", "checked", "line_end", "load_project",
]  # fmt: skip

# The path of a document that has never been saved.
UNSAVED = STDIN
# Limit on the findings of a document that are shown; the first editor with a limit of its own has the same one.
MOST_FINDINGS = 1_000
# Limit on the URLs that hovers and links know; the findings include those after them.
_MOST_URLS = 20_000
_HEAD = 1024
# Schemes that are opened without harm; an editor may execute what others name ("command:", "javascript:").
_HARMLESS = frozenset(("http", "https", "ftp", "mailto"))
# The names that editors give to kinds of documents, where they differ from ours.
_LANGUAGES = {
    "plaintext": "plain", "text": "plain", "restructuredtext": "rst", "tex": "latex", "shellscript": "shell",
    "sh": "shell", "bash": "shell", "cpp": "c", "csharp": "c", "objective-c": "c", "typescript": "javascript",
    "javascriptreact": "javascript", "typescriptreact": "javascript", "jsonc": "json", "scss": "css", "less": "css",
    "svg": "xml", "jupyter": "ipynb", "asciidoctor": "asciidoc", "emacs-lisp": "lisp", "clojure": "lisp",
    "kotlin": "java", "scala": "java", "viml": "vim", "dotenv": "ini", "gfm": "markdown", "eml": "mail",
}  # fmt: skip


class Project(NamedTuple):
    """The configuration and the trees of a workspace folder; why the chosen configuration file is not used, or ""."""

    configuration: Configuration
    targets: Targets
    error: str = ""


def load_project(folder: str, given: dict[str, object], chosen: str, read_open: Callable[[str], str | None]) -> Project:
    """Return the project of a workspace folder, by its absolute path; "" for documents outside of all folders.

    Keys of the configuration that are `given` take precedence over files. `chosen` is a configuration file, relative to
    the folder, in place of the closest one of each document; "" for none. `read_open` is that of `OpenTree`.
    """
    given_by = ("settings of the editor", folder or os.getcwd())
    files, error = list[str](), ""
    if chosen:
        files.append(os.path.normpath(os.path.join(folder, os.path.expanduser(chosen))))
    try:
        configuration = Configuration(given, files, given_by=given_by)
    except UrlscanError as failure:
        error = str(failure).replace("--config", "configuration")
        configuration = Configuration(given, given_by=given_by)
    if folder:
        configuration.walked = [folder]
    return Project(configuration, Targets(configuration.project_root, read_open=read_open), error)


class Url(NamedTuple):
    """A URL of a document, and the spans of its text between line breaks."""

    occurrence: Occurrence
    pieces: tuple[tuple[int, int], ...]

    @property
    def full_url(self) -> str:
        """The URL with the scheme that is assumed for it."""
        return self.occurrence.assumed or self.occurrence.url

    @property
    def address(self) -> str | None:
        """The URL to open; None if it must not be opened, or would show a secret."""
        url = self.full_url
        if self.occurrence.template or self.occurrence.scheme not in _HARMLESS:
            return None
        if redact(url) != url or not url.isprintable():
            return None
        return url

    def reading(self, alternative: Alternative) -> str:
        """Return another reading with its secrets masked."""
        url = self.occurrence.url
        return readable(mask_alternative(alternative.url, url, url_secrets(url)))

    def components(self, profile: Profile) -> tuple[str, list[tuple[str, str]]]:
        """Return the URL and its components by name, with its secrets masked."""
        url = masked = self.full_url
        secret = mask_urls(url)
        if secret is not None:
            url = secret.texts[0]
            masked = secret.mask(url)
        parts = split(url, profile)
        rows = []
        for name in COMPONENTS:
            value = getattr(parts, name)
            if value is not None and (value or name != "path"):
                rows.append((name, readable(value if secret is None else secret.show_masks(value))))
        return readable(masked), rows


class Analysis(NamedTuple):
    """The findings and the URLs of one version of a document, in order of position.

    Attributes:
        findings: their messages and suggestions show no secret.
        error: why it could not be checked, or "".
        left_out: the number of findings beyond MOST_FINDINGS.
    """

    text: str
    findings: tuple[Finding, ...] = ()
    urls: tuple[Url, ...] = ()
    error: str = ""
    left_out: int = 0

    def url_at(self, start: int, end: int | None = None) -> Url | None:
        """Return the URL that overlaps a span, or touches an offset; None if there is none."""
        if end is None:
            end = start
        number = bisect.bisect_right(self.urls, end, key=lambda url: url.occurrence.outer_start)
        candidates = reversed(self.urls[max(number - 3, 0) : number])
        return next((url for url in candidates if url.occurrence.outer_end >= start), None)


class Buffer(NamedTuple):
    """A document of an editor, whose text changes.

    Attributes:
        path: its absolute path; UNSAVED for one that has never been saved.
        language: the name that the editor gives to its kind, or "".
        targets: the trees that its relative references lead to; None not to check them.
    """

    path: str
    language: str
    configuration: Configuration
    targets: Targets | None

    def check(self, text: str) -> Analysis:
        """Return the analysis of a text. An invalid configuration is an error of the analysis."""
        try:
            if self.path != UNSAVED and self.configuration.excludes(self.path):
                return Analysis(text)
            file_settings = self.configuration.of(self.path)
            settings = file_settings.settings
            documents = list(read_text(text, kind=self.kind_of(text), find_options=find_options_for("", settings)))
            findings: list[Finding] = []
            for document in documents:
                document.path = self.path
                lint_document(document, file_settings, self._options())
                secrets = secrets_by_url(document)
                findings += (_shown(finding, secrets) for finding in document.findings)
        except SourceError as error:
            return Analysis(text, error=str(error))
        findings.sort(key=lambda finding: (finding.start, finding.end))
        urls = sorted(islice(_urls(documents, settings), _MOST_URLS), key=lambda url: url.occurrence.outer_start)
        left_out = max(len(findings) - MOST_FINDINGS, 0)
        return Analysis(text, tuple(findings[:MOST_FINDINGS]), tuple(urls), left_out=left_out)

    def _options(self, kind: str | None = None) -> ReadOptions:
        """Return how the document is read; one without a file is no test data, wherever the server runs."""
        if self.path == UNSAVED:
            return ReadOptions(kind, CODEC, targets=self.targets)
        return ReadOptions(kind, CODEC, provider=self.configuration, targets=self.targets)

    def kind_of(self, text: str) -> str:
        """Return the kind of a text: the configured one, or by its path, the language of the editor, its beginning."""
        kind = self.configuration.of(self.path).kind
        if kind is None:
            kind = identify("" if self.path == UNSAVED else self.path, text[:_HEAD])
            language = self.language.lower()
            language = _LANGUAGES.get(language, language)
            if kind == "plain" and language in KINDS and "." not in os.path.basename(self.path):
                kind = language
        if len(text) > LARGEST_DOCUMENT and kind not in MAIL:
            return "plain"
        return kind

    def takes_comments(self, text: str) -> bool:
        """Return whether suppression comments may be added to a text."""
        return takes_comments(self.kind_of(text), self.path)

    def fixed(self, text: str, *, unsafe: bool) -> str | None:
        """Return the text with its fixes applied; None for mail."""
        return self._edited(
            text, lambda source, settings, options: fix_in_memory(source, settings, options, unsafe=unsafe).data
        )

    def fixed_one(self, text: str, finding: Finding) -> str | None:
        """Return the text with one finding fixed; None if the result would not read back as intended."""

        def is_same(candidate: Finding) -> bool:
            other = in_characters(candidate)  # messages and suggestions are masked
            return all(getattr(other, name) == getattr(finding, name) for name in ("code", "start", "end", "fix"))

        return self._edited(text, lambda source, settings, options: fix_one(source, settings, options, is_same))

    def suppressed(self, text: str, finding: Finding) -> str | None:
        """Return the text with a comment that suppresses a finding; None if there is no place for one."""

        def is_same(candidate: Finding) -> bool:
            return (candidate.code, candidate.line) == (finding.code, finding.line)

        return self._edited(
            text, lambda source, settings, options: SuppressionWriter(source, settings, options).commented(is_same)
        )

    def _edited(self, text: str, edit: Callable[[Source, Settings, ReadOptions], bytes | None]) -> str | None:
        """Return the text after an edit of its bytes, four for each character; None if there is none."""
        kind = self.kind_of(text)
        if kind in MAIL:
            return None
        source = Source(self.path, text.encode(CODEC, ERRORS), kind=kind)
        data = edit(source, self.configuration.of(self.path).settings, self._options(kind))
        if data is None:
            return None
        return data.decode(CODEC, ERRORS)


def _shown(finding: Finding, secrets: dict[str, Spans]) -> Finding:
    """Return a finding whose message and suggestion can be shown; its fix is complete."""
    masked, _ = mask_finding(finding, secrets)
    suggestion = mask_alternative(suggested(masked), finding.url, url_secrets(finding.url))
    return finding._replace(message=readable(masked.message), suggestion=suggestion)


def _urls(documents: Iterable[Document], settings: Settings) -> Iterator[Url]:
    options = FindOptions(relative=True, continuations=True).for_settings(settings)
    for document in documents:
        for match in find_in_document(document, options):
            if match.scheme or not document.base:  # a base URL that is declared leads elsewhere
                yield _url(document, match)


def _url(document: Document, match: Match) -> Url:
    """Return a URL with its spans in characters of the source."""
    spans, position = [], match.start
    for gap in match.breaks:
        spans.append((position, match.start + gap.offset))
        position = match.start + gap.offset + gap.length
    spans.append((position, match.start + len(match.raw)))
    pieces = tuple(document.to_source(start, end) for start, end in spans if start < end)
    outer_start, outer_end = document.to_source(match.outer_start, match.outer_end)
    occurrence = match._replace(
        start=pieces[0][0],
        end=pieces[-1][1],
        outer_start=outer_start,
        outer_end=outer_end,
        context=document.context(match.start, match.end),
    )
    return Url(Occurrence(*occurrence), pieces)
