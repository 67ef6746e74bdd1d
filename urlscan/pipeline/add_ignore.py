"""Add suppression comments for findings: at the end of their line, or on a line above it.

A comment must change nothing except what is reported. `documents/comments` proposes places; then the source with its
comments is read again. A comment is kept only if its finding is gone, no other finding appears, every URL is unchanged,
and everything outside comments reads as before. Findings without such a place are refused, and that is reported.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.records import Edit, Finding, Fix
from urlscan.core.settings import Settings
from urlscan.documents.comments.commenter import Commenter, CommentPosition, NoCommentError, commenter_of
from urlscan.files.atomic_write import write
from urlscan.finder import FindOptions, find_in_document
from urlscan.linter import suppressions
from urlscan.linter.edits import apply
from urlscan.pipeline.check_source import check_source
from urlscan.pipeline.read import Large, Note, Notice, ReadOptions, SkippedSource, Source, named, pass_through, sources
from urlscan.pipeline.results import CheckResult
from urlscan.pipeline.same_meaning import same_meaning

# Findings about suppression comments cannot be suppressed.
_ABOUT_COMMENTS = frozenset({"U901"})
# How often a source is read again to isolate the comments that change something.
_MOST_TRIES = 200
_MOST_LINES = 5  # line numbers in a message
_ALL = FindOptions(relative=True, look_alikes=True)
_NO_PLACE = "no comment fits at the end of the line or above it"
_CHANGES = "a comment would change more than what is reported"


class AddIgnoreOptions(NamedTuple):
    """Where the results of `--add-ignore` go.

    Attributes:
        stdout: receives the bytes of standard input with its comments.
        unknown: returns the results of a source without the findings that need no comment.
    """

    stdout: Callable[[bytes], object]
    unknown: Callable[[list[CheckResult]], list[CheckResult]]


def add_suppressions(
    paths: Iterable[str], settings: Settings, read_options: ReadOptions, marking: AddIgnoreOptions
) -> Iterator[CheckResult | Notice]:
    """Check every source, add suppression comments, and yield what remains."""
    for source in sources(named(paths, read_options), read_options, editing=True):
        if isinstance(source, Source):
            yield from _SuppressionWriter(source, settings, read_options, marking).run()
            continue
        if isinstance(source, Large):  # only mailboxes are read in chunks here
            pass_through(source, marking.stdout)
            source.file.__exit__()
            yield Note(source.path, _message(None, "suppression comments in mail are not honored", []))
        if isinstance(source, SkippedSource):
            pass_through(source, marking.stdout)
        if isinstance(source, SkippedSource | Note | SourceError):
            yield source


def with_suppressions(
    source: Source, settings: Settings, read_options: ReadOptions, is_wanted: Callable[[Finding], bool]
) -> bytes | None:
    """Return a source with comments that suppress some findings; None if no comment was added.

    Args:
        source: the source.
        settings: how it is judged, unless `read_options.provider` overrides it.
        read_options: how it is read.
        is_wanted: returns whether a finding is one to suppress; a comment suppresses all of one rule on a line.
    """
    marking = AddIgnoreOptions(_discard, list)
    return _SuppressionWriter(source, settings, read_options, marking).commented(is_wanted)


def _discard(_: bytes) -> None:
    pass


def _message(number: int | None, why: str, lines: list[int]) -> str:
    """Return the message about findings for which no comment was added."""
    which = "findings" if number is None else "1 finding" if number == 1 else f"{number} findings"
    where = ""
    if lines:
        some = ", ".join(map(str, lines[:_MOST_LINES])) + (", ..." if len(lines) > _MOST_LINES else "")
        where = f" (line{'s' if len(lines) > 1 else ''} {some})"
    return f"{which}{where} not suppressed: {why}; --write-baseline FILE records them"


@dataclass(slots=True)
class _Comment:
    """A suppression comment to add, or codes to add to an existing one.

    Attributes:
        line: the line of the finding, from 0.
        places: possible places, the best first, each with the words around the codes.
        codes: the codes that it suppresses.
        findings: the findings for which it is added.
    """

    line: int
    places: list[tuple[CommentPosition, str]]
    codes: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)

    def edit(self) -> tuple[int, str]:
        """Return the offset in the document and the text of the comment at its best remaining place."""
        place, words = self.places[0]
        codes = ", ".join(sorted(self.codes))
        return place.at, f"{place.before}{words.format(codes)}{place.after}"


class _SuppressionWriter:
    """Adds suppression comments to one source."""

    def __init__(
        self, source: Source, settings: Settings, read_options: ReadOptions, marking: AddIgnoreOptions
    ) -> None:
        self._source = source
        self._settings = settings
        self._reading = read_options
        self._marking = marking
        self._refused: dict[str, list[Finding]] = {}
        self._tries = 0

    def run(self) -> Iterator[CheckResult | Notice]:
        """Add the comments, write the source, and yield what remains."""
        before = self._check(self._source.data)
        wanted = self._unknown(before)
        data, after, added = self._source.data, before, 0
        if wanted:
            data, after, added = self._with_comments(before, wanted)
        if added and not self._source.is_stdin:
            try:
                write(self._source.path, data, "written", original=self._source.original())
            except SourceError as error:
                yield error.as_result()
                after, added = before, 0
        if self._source.is_stdin:
            self._marking.stdout(data)
        if added:
            what = "1 suppression comment" if added == 1 else f"{added} suppression comments"
            yield Note(self._source.path, f"{what} added")
        for why, findings in self._refused.items():
            lines = sorted({finding.line for finding in findings})
            yield Note(self._source.path, _message(len(findings), why, lines))
        yield from after

    def commented(self, is_wanted: Callable[[Finding], bool]) -> bytes | None:
        """Return the source with comments for some findings; None if none was added."""
        before = self._check(self._source.data)
        wanted = [finding for finding in self._unknown(before) if is_wanted(finding)]
        data, _, added = self._with_comments(before, wanted) if wanted else (b"", [], 0)
        return data if added else None

    def _check(self, data: bytes) -> list[CheckResult]:
        results = check_source(self._source._replace(data=data, kind=""), self._settings, self._reading)
        return [result for result in results if isinstance(result, CheckResult)]

    def _unknown(self, results: list[CheckResult]) -> list[Finding]:
        """Return the findings that need a comment."""
        some = [finding for checked in self._marking.unknown(results) for finding in checked.findings]
        return [finding for finding in some if finding.code not in _ABOUT_COMMENTS]

    def _refuse(self, why: str, findings: Iterable[Finding]) -> None:
        self._refused.setdefault(why, []).extend(findings)

    def _with_comments(self, before: list[CheckResult], wanted: list[Finding]) -> tuple[bytes, list[CheckResult], int]:
        """Return the source with its comments, the remaining findings, and the number of comments that were added."""
        data = self._source.data
        document = before[0].document
        if (
            len(before) != 1
            or document.origin is not None
            or not suppressions.are_honored(document.kind, packed=document.packed)
        ):
            self._refuse("suppression comments are not honored here", wanted)
            return data, before, 0
        urls = _urls(document)
        try:
            commenter = commenter_of(document.decoded, document.kind, self._source.path, [place for place, _ in urls])
        except NoCommentError as why:
            self._refuse(str(why), wanted)
            return data, before, 0
        comments = self._planned(document, commenter, wanted)
        state = _State(before[0], Counter(map(_alike, self._unknown(before))), [url for _, url in urls])
        return self._accepted(state, comments)

    def _planned(self, document: Document, commenter: Commenter, wanted: list[Finding]) -> list[_Comment]:
        """Return a comment for each line that needs one; refuse findings without a place."""
        existing = {
            mark.line + (mark.what == "ignore-next-line"): mark.end
            for mark in suppressions.suppression_comments(document.decoded)
            if mark.what in ("ignore", "ignore-next-line")
        }
        comments: dict[tuple[int, int], _Comment] = {}
        for finding in wanted:
            comment = _comment_for(finding, existing, commenter)
            if not comment.places:
                self._refuse(_NO_PLACE, [finding])
                continue
            comment = comments.setdefault((comment.line, comment.places[0][0].at), comment)
            comment.codes.add(finding.code)
            comment.findings.append(finding)
        return list(comments.values())

    def _accepted(self, state: "_State", comments: list[_Comment]) -> tuple[bytes, list[CheckResult], int]:
        """Return the source with as many of the comments as possible that change nothing else, found by bisection."""
        done: list[_Comment] = []
        data, after = self._source.data, [state.checked]
        groups = [comments] if comments else []
        while groups:
            group = groups.pop()
            tried = self._tried(state, [*done, *group])
            if tried is not None:
                data, after = tried
                done += group
            elif len(group) > 1:
                middle = len(group) // 2
                groups += [group[middle:], group[:middle]]
            elif len(group[0].places) > 1:
                del group[0].places[0]
                groups.append(group)
            else:
                self._refuse(_CHANGES, group[0].findings)
        return data, after, len(done)

    def _tried(self, state: "_State", comments: list[_Comment]) -> tuple[bytes, list[CheckResult]] | None:
        """Return the source with comments and its remaining findings; None if they change something else."""
        self._tries += 1
        if self._tries > _MOST_TRIES:
            return None
        document = state.checked.document
        texts: dict[int, str] = {}
        for at, text in sorted(comment.edit() for comment in comments):
            texts[at] = texts.get(at, "") + text
        edits = tuple(Edit(*document.map.to_source(at, at), text) for at, text in texts.items())
        carrier = comments[0].findings[0]._replace(fix=Fix("safe", edits))
        data, applied = apply(self._source.data, [carrier], document)
        if not applied:
            return None
        after = self._check(data)
        expected = state.wanted - Counter(_alike(finding) for comment in comments for finding in comment.findings)
        if len(after) != 1 or Counter(map(_alike, self._unknown(after))) != expected:
            return None
        if _unused(after[0]) > _unused(state.checked) or [url for _, url in _urls(after[0].document)] != state.urls:
            return None
        return (data, after) if same_meaning(document, after[0].document, texts) else None


class _State(NamedTuple):
    """A source before comments are added: its result, the findings that need comments, and its URLs."""

    checked: CheckResult
    wanted: "Counter[tuple[str, str]]"
    urls: list[tuple[str, str, str]]


def _comment_for(finding: Finding, existing: dict[int, int], commenter: Commenter) -> _Comment:
    """Return an existing comment to extend, or a new one; its `places` are empty if no comment fits."""
    for line in range(finding.line, finding.end_line + 1):
        if line in existing:
            return _Comment(line - 1, [(CommentPosition(existing[line], ", ", ""), "{}")])
    places: list[tuple[CommentPosition, str]] = []
    for line in range(finding.line, finding.end_line + 1):
        if (place := commenter.at_end(line - 1)) is not None:
            places.append((place, "urlscan: ignore[{}]"))
            break
    if (place := commenter.above(finding.line - 1)) is not None:
        places.append((place, "urlscan: ignore-next-line[{}]"))
    return _Comment(finding.line - 1, places)


def _alike(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.url


def _unused(checked: CheckResult) -> int:
    return sum(finding.code in _ABOUT_COMMENTS for finding in checked.findings)


def _urls(document: Document) -> list[tuple[tuple[int, int], tuple[str, str, str]]]:
    """Return the span of each URL in the document with its delimiters, and its text."""
    found: list[tuple[tuple[int, int], tuple[str, str, str]]] = []
    for match in find_in_document(document, _ALL):
        one = match
        place = document.to_decoded(match.outer_start, match.outer_end)
        found.append((place, (one.url, one.raw, one.style)))
    return found
