"""Add suppression comments for findings at the end of their lines.

A comment must change nothing except what is reported, and that must be provable. So comments are added only in programs
whose comments and strings `documents/code` reads completely, after code, and after comments that no tool publishes.
Python and TOML are parsed before and after as well. Everything else is refused: the baseline records it.
"""

import ast
import bisect
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.offsets import line_end
from urlscan.core.record import NamedTuple
from urlscan.core.records import Edit, Finding, Fix
from urlscan.core.settings import Settings
from urlscan.documents.languages import LANGUAGES
from urlscan.documents.regions import Region, reader_of
from urlscan.files.atomic_write import Original, write
from urlscan.files.random_access import OpenFile
from urlscan.files.walk import Source
from urlscan.finder import FindOptions, find_in_document
from urlscan.formats.base import number
from urlscan.linter import suppressions
from urlscan.linter.edits import apply
from urlscan.pipeline.baseline import Baseline
from urlscan.pipeline.check import check_source
from urlscan.pipeline.read import Note, Notice, ReadOptions, SkippedSource, pass_through, read_sources, walk_sources

# Findings about suppression comments cannot be suppressed.
_ABOUT_COMMENTS = frozenset({"U901"})
# How often a source is read again to isolate the comments that change something.
_MOST_TRIES = 200
_MOST_LINES = 5  # line numbers in a message
_ALL = FindOptions(relative=True, look_alikes=True)
# The kinds whose comments and strings are read completely, with the suffixes of their files.
_SUFFIXES = {"python": ("",), "toml": ("",), "go": (".go",), "c": (".c", ".h"), "java": (".java",)}
# The kinds in which no tool publishes comments; elsewhere they may be documentation.
_PRIVATE_COMMENTS = ("python", "toml")
# A raw string of C++, which the reader does not know.
_RAW_STRING = 'R"'
_NOT_ADDED = "comments are added to Python, TOML, Go, C and Java only"
_NO_PLACE = "no comment fits at the end of the line"
_CHANGES = "a comment would change more than what is reported"


def add_suppressions(
    paths: Iterable[str],
    settings: Settings,
    read_options: ReadOptions,
    stdout: Callable[[bytes], object],
    baseline: Baseline | None,
) -> Iterator[Document | Notice]:
    """Check every source, add suppression comments, and yield what remains.

    Args:
        stdout: receives the bytes of standard input with its comments.
        baseline: contains findings that need no comment.
    """
    for item in walk_sources(paths, read_options):
        for source in read_sources(item, read_options, editing=True):
            if isinstance(source, Source) and not isinstance(source.content, OpenFile):
                yield from SuppressionWriter(source, settings, read_options, baseline).run(stdout)
                continue
            if isinstance(source, SkippedSource):
                pass_through(source.source, stdout)
            if isinstance(source, Source):  # only mailboxes are read in chunks here
                pass_through(source, stdout)
                source.close()
                yield Note(source.path, _message(None, "suppression comments in mail are not honored", []))
            else:
                yield source
        if read_options.progress is not None:
            read_options.progress.finish(item)


def takes_comments(kind: str, path: str) -> bool:
    """Return whether comments may be added to a file."""
    return kind in _SUFFIXES and path.endswith(_SUFFIXES[kind])


def _message(number: int | None, why: str, lines: list[int]) -> str:
    """Return the message about findings for which no comment was added."""
    which = {None: "findings", 1: "1 finding"}.get(number, f"{number} findings")
    where = ""
    if lines:
        numbers = list(map(str, lines[:_MOST_LINES]))
        if len(lines) > _MOST_LINES:
            numbers.append("...")
        noun = "line" if len(lines) == 1 else "lines"
        where = f" ({noun} {', '.join(numbers)})"
    return f"{which}{where} not suppressed: {why}; --write-baseline FILE records them"


@dataclass(slots=True)
class _Comment:
    """A suppression comment to add, or codes to add to an existing one.

    Attributes:
        offset: where it is inserted, in characters of the document.
        template: its text, with "{}" for the codes.
        codes: the codes that it suppresses.
        findings: the findings for which it is added.
    """

    offset: int
    template: str
    codes: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)


class SuppressionWriter:
    """Adds suppression comments to one source."""

    def __init__(
        self, source: Source, settings: Settings, read_options: ReadOptions, baseline: Baseline | None = None
    ) -> None:
        self._source = source
        self._settings = settings
        self._reading = read_options
        self._baseline = baseline
        self._refused: dict[str, list[Finding]] = {}
        self._tries = 0

    def run(self, stdout: Callable[[bytes], object]) -> Iterator[Document | Notice]:
        """Add the comments, write the source, and yield what remains."""
        before = self._check(self._source.data)
        unknown = self._unknown(before)
        data, after, added = self._source.data, before, 0
        if unknown:
            data, after, added = self._with_comments(before, unknown)
        if added and not self._source.is_stdin:
            try:
                original = Original(self._source.data, self._source.state, self._source.root)
                write(self._source.path, data, "written", original=original)
            except SourceError as error:
                yield error.as_result()
                after, added = before, 0
        if self._source.is_stdin:
            stdout(data)
        if added:
            yield Note(self._source.path, f"{number(added, 'suppression comment')} added")
        for why, findings in self._refused.items():
            lines = sorted({finding.line for finding in findings})
            yield Note(self._source.path, _message(len(findings), why, lines))
        yield from after

    def commented(self, is_wanted: Callable[[Finding], bool]) -> bytes | None:
        """Return the source with comments for some findings; None if none was added."""
        before = self._check(self._source.data)
        unknown = [finding for finding in self._unknown(before) if is_wanted(finding)]
        if not unknown:
            return None
        data, _, added = self._with_comments(before, unknown)
        if not added:
            return None
        return data

    def _check(self, data: bytes) -> list[Document]:
        return check_source(self._source._replace(content=data, kind=""), self._settings, self._reading)

    def _unknown(self, results: list[Document]) -> list[Finding]:
        """Return the findings that need a comment."""
        if self._baseline is not None:
            results = self._baseline.unknown(results)
        findings = [finding for checked in results for finding in checked.findings]
        return [finding for finding in findings if finding.code not in _ABOUT_COMMENTS]

    def _refuse(self, why: str, findings: Iterable[Finding]) -> None:
        self._refused.setdefault(why, []).extend(findings)

    def _with_comments(self, before: list[Document], findings: list[Finding]) -> tuple[bytes, list[Document], int]:
        """Return the source with its comments, the remaining findings, and the number of comments that were added."""
        data = self._source.data
        document = before[0]
        if len(before) != 1 or not suppressions.are_honored(document):
            self._refuse("suppression comments are not honored here", findings)
            return data, before, 0
        decoded = document.decoded
        if not takes_comments(document.kind, self._source.path) or (document.kind == "c" and _RAW_STRING in decoded):
            self._refuse(_NOT_ADDED, findings)
            return data, before, 0
        state = _State(before[0], Counter(map(_alike, self._unknown(before))), _urls(document))
        return self._accepted(state, self._planned(document, findings))

    def _planned(self, document: Document, findings: list[Finding]) -> list[_Comment]:
        """Return a comment for each line that needs one; refuse findings without a place."""
        existing = {
            comment.line: comment.end
            for comment in suppressions.suppression_comments(document)
            if comment.directive == "ignore"
        }
        line_ends = _LineEnds(document)
        comments: dict[int, _Comment] = {}
        for finding in findings:
            lines = range(finding.line, finding.end_line + 1)
            comment = next((_Comment(existing[line], ", {}") for line in lines if line in existing), None)
            comment = comment or next(filter(None, map(line_ends.comment_at, lines)), None)
            if comment is None:
                self._refuse(_NO_PLACE, [finding])
                continue
            comment = comments.setdefault(comment.offset, comment)
            comment.codes.add(finding.code)
            comment.findings.append(finding)
        return list(comments.values())

    def _accepted(self, state: "_State", comments: list[_Comment]) -> tuple[bytes, list[Document], int]:
        """Return the source with as many of the comments as possible that change nothing else, found by bisection."""
        accepted: list[_Comment] = []
        data, after = self._source.data, [state.checked]
        groups = [comments]
        while groups:
            group = groups.pop()
            if not group:
                break
            tried = self._tried(state, [*accepted, *group])
            if tried is not None:
                data, after = tried
                accepted += group
            elif len(group) > 1:
                middle = len(group) // 2
                groups += [group[middle:], group[:middle]]
            else:
                self._refuse(_CHANGES, group[0].findings)
        return data, after, len(accepted)

    def _tried(self, state: "_State", comments: list[_Comment]) -> tuple[bytes, list[Document]] | None:
        """Return the source with comments and its remaining findings; None if they change something else."""
        self._tries += 1
        if self._tries > _MOST_TRIES:
            return None
        document = state.checked
        edits = []
        for comment in sorted(comments, key=lambda comment: comment.offset):
            text = comment.template.format(", ".join(sorted(comment.codes)))
            edits.append(Edit(*document.map.to_source(comment.offset, comment.offset), text))
        carrier = comments[0].findings[0]._replace(fix=Fix("safe", tuple(edits)))
        data, applied = apply(self._source.data, [carrier], document)
        if not applied:
            return None
        after = self._check(data)
        expected = state.wanted - Counter(_alike(finding) for comment in comments for finding in comment.findings)
        if len(after) != 1 or Counter(map(_alike, self._unknown(after))) != expected:
            return None
        if _unused(after[0]) > _unused(state.checked) or _urls(after[0]) != state.urls:
            return None
        if not _is_same_program(document, after[0]):
            return None
        return data, after


class _State(NamedTuple):
    """A source before comments are added: its result, the findings that need comments, and its URLs."""

    checked: Document
    wanted: "Counter[tuple[str, str]]"
    urls: list[tuple[str, str, str]]


class _LineEnds:
    """The ends of lines after which a comment may be added."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._regions = list(reader_of(document.kind)(document.decoded, document.kind, "exact"))
        self._starts = [region.start for region in self._regions]

    def comment_at(self, line: int) -> _Comment | None:
        """Return an empty comment for the end of a line, by its number from 1; None if none is safe there."""
        decoded, kind = self._document.decoded, self._document.kind
        start = self._document.lines.offset(line, 1)
        end = line_end(decoded, start)
        code_end = start + len(decoded[start:end].rstrip())
        if code_end == start or decoded[code_end - 1] == "\\":
            return None
        region = self._region_at(code_end - 1)
        if self._region_at(end) is not region and end < len(decoded) and self._region_at(end).role == "string":
            return None
        leader = LANGUAGES[kind].comments[0]
        is_comment = region.role == "comment" and decoded.startswith(leader, region.start)
        if is_comment and kind not in _PRIVATE_COMMENTS and not decoded[start : region.start].strip():
            return None
        if not (is_comment or region.role in ("code", "data") or region.end <= code_end):
            return None
        space = {"#": "  "}.get(leader, " ")
        return _Comment(code_end, f"{space}{leader} urlscan: ignore[{{}}]")

    def _region_at(self, offset: int) -> Region:
        return self._regions[bisect.bisect_right(self._starts, offset) - 1]


def _is_same_program(before: Document, after: Document) -> bool:
    """Return whether a program has the same code and strings with comments as without."""
    if before.encoding != after.encoding or _tokens(before) != _tokens(after):
        return False
    try:
        if before.kind == "toml":
            return tomllib.loads(before.decoded) == tomllib.loads(after.decoded)
        if before.kind == "python":
            return ast.dump(ast.parse(before.decoded)) == ast.dump(ast.parse(after.decoded))
    except (SyntaxError, ValueError, RecursionError):  # written for another version of Python, or invalid
        return False
    return True


def _tokens(document: Document) -> list[tuple[str, list[str]]]:
    """Return the code and the strings of a program in order, without white space and comments."""
    tokens = list[tuple[str, list[str]]]()
    for region in reader_of(document.kind)(document.decoded, document.kind, "exact"):
        words = document.decoded[region.start : region.end].split()
        if region.role == "comment" or not words:
            continue
        if tokens and tokens[-1][0] == region.role:
            tokens[-1][1].extend(words)
        else:
            tokens.append((region.role, words))
    return tokens


def _alike(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.url


def _unused(checked: Document) -> int:
    return sum(finding.code in _ABOUT_COMMENTS for finding in checked.findings)


def _urls(document: Document) -> list[tuple[str, str, str]]:
    """Return the text of each URL in the document."""
    return [(match.url, match.raw, match.style) for match in find_in_document(document, _ALL)]
