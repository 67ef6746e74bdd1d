"""Code actions: fixes of findings, comments that suppress them, and all fixes of a document at once.

An edit is tried before it is given to the editor: the document is checked before and after it. So `actions_of` lists
actions without their edits, and `resolved` computes the edit of the one that is chosen.
"""

from collections.abc import Iterator
from posixpath import commonprefix
from typing import Any, NamedTuple

from lsprotocol import types

from urlscan import Finding
from urlscan.api.buffers import Analysis, Buffer
from urlscan.server.diagnostics import diagnostic_of, range_of
from urlscan.server.text import Text

FIX_ALL = "source.fixAll.urlscan"
# Not below `source.fixAll`, which editors run when a file is saved.
FIX_ALL_UNSAFE = "source.urlscan.fixAllUnsafe"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL, FIX_ALL_UNSAFE)
# Limits on the findings with actions in one request. Where the edits are requested with the actions, the number falls
# with the size of the document, so that the total time stays linear.
_MOST_FINDINGS, _FEWEST_FINDINGS = 50, 3
_CHARACTERS_TRIED = 100_000
_LONGEST = 60


class CheckedDocument(NamedTuple):
    """An open document.

    Attributes:
        uri: its address.
        version: the version that the editor has given its text.
        text: its text.
        analysis: the analysis of this text.
        check: the number of the check that it comes from.
        buffer: checks other texts of it.
    """

    uri: str
    version: int | None
    text: Text
    analysis: Analysis
    check: int
    buffer: Buffer


class Offer(NamedTuple):
    """A request for code actions.

    Attributes:
        start, end: the span, in characters of the text.
        only: the kinds of actions; empty for all.
        can_resolve: whether the edit of an action may be computed when it is chosen.
        unsafe: whether unsafe fixes are offered.
    """

    start: int
    end: int
    only: tuple[str, ...]
    can_resolve: bool
    unsafe: bool

    def wants(self, kind: str) -> bool:
        """Return whether actions of a kind are wanted: kinds form a hierarchy by dots."""
        return not self.only or any(kind == parent or kind.startswith(parent + ".") for parent in self.only)

    def needs_edit(self, action: types.CodeAction) -> bool:
        """Return whether an action must have its edit: the editor does not ask for it, or is about to save."""
        return not self.can_resolve or (bool(self.only) and action.kind != types.CodeActionKind.QuickFix)


def actions_of(document: CheckedDocument, offer: Offer) -> list[types.CodeAction]:
    """Return the actions for a span of a document without their edits, those that are most likely wanted first."""
    actions: list[types.CodeAction] = []
    if offer.wants(types.CodeActionKind.QuickFix):
        most = _MOST_FINDINGS
        if not offer.can_resolve:
            most = max(_FEWEST_FINDINGS, min(most, _CHARACTERS_TRIED // max(len(document.text.source), 1)))
        findings = [
            finding
            for finding in document.analysis.findings
            if finding.start <= offer.end and finding.end >= offer.start
        ][:most]
        for finding in findings:
            is_safe = finding.fix is not None and finding.fix.applicability == "safe"
            if is_safe or (finding.fix is not None and offer.unsafe):
                title = _title(finding)
                if not is_safe:
                    title += " (unsafe: may change the meaning)"
                actions.append(_quick_fix(document, finding, title, "fix", is_preferred=is_safe))
        if document.buffer.takes_comments(document.text.source):
            for finding in findings:
                title = f"urlscan: ignore {finding.code} ({finding.name}) on this line"
                actions.append(_quick_fix(document, finding, title, "suppress", is_preferred=False))
    return [*actions, *_all_fixes(document, offer)]


def _title(finding: Finding) -> str:
    suggestion = finding.suggestion
    if len(suggestion) > _LONGEST:
        suggestion = suggestion[:_LONGEST] + "…"
    if not suggestion or not suggestion.isprintable():
        return f"urlscan: fix ({finding.name})"
    return f"urlscan: write {suggestion} ({finding.name})"


def _quick_fix(
    document: CheckedDocument, finding: Finding, title: str, verb: str, *, is_preferred: bool
) -> types.CodeAction:
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic_of(finding, document.text)],
        is_preferred=is_preferred or None,
        data=_data(document, verb) | {"code": finding.code, "start": finding.start},
    )


def _data(document: CheckedDocument, verb: str) -> dict[str, Any]:
    return {"do": verb, "uri": document.uri, "version": document.version}


def _all_fixes(document: CheckedDocument, offer: Offer) -> Iterator[types.CodeAction]:
    """Yield the actions that fix a whole document, if there is something to fix."""
    fixes = [finding.fix for finding in document.analysis.findings if finding.fix is not None]
    choices = [(FIX_ALL, "fix all problems that have a safe fix", any(fix.applicability == "safe" for fix in fixes))]
    if offer.unsafe:
        unsafe = any(fix.applicability != "safe" for fix in fixes)
        choices.append((FIX_ALL_UNSAFE, "fix all problems, also by unsafe fixes", unsafe))
    for kind, title, is_useful in choices:
        if is_useful and offer.wants(kind):
            yield types.CodeAction(title=f"urlscan: {title}", kind=kind, data=_data(document, kind))


def resolved(document: CheckedDocument, action: types.CodeAction) -> types.CodeAction:
    """Return an action with its edit; without one if it has no effect or the document has changed."""
    data = action.data
    if not isinstance(data, dict) or data.get("version") != document.version:
        return action
    text, verb, key = document.text, data.get("do"), (data.get("code"), data.get("start"))
    finding = next((finding for finding in document.analysis.findings if (finding.code, finding.start) == key), None)
    new: str | None = None
    if verb == "fix" and finding is not None:
        new = document.buffer.fixed_one(text.source, finding)
    elif verb == "suppress" and finding is not None:
        new = document.buffer.suppressed(text.source, finding)
    elif verb in (FIX_ALL, FIX_ALL_UNSAFE):
        new = document.buffer.fixed(text.source, unsafe=verb == FIX_ALL_UNSAFE)
    if new is not None and new != text.source:
        edits = [types.TextEdit(range_of(text, start, end), part) for start, end, part in _edits(text.source, new)]
        action.edit = types.WorkspaceEdit(changes={document.uri: edits})
    return action


def _edits(old: str, new: str) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that turn one text into another: start, end, text; by line if no line is added or removed."""
    before, after = old.split("\n"), new.split("\n")
    if len(before) != len(after):
        before, after = [old], [new]
    offset = 0
    for line, other in zip(before, after, strict=True):
        if line != other:
            start = len(commonprefix((line, other)))
            end = len(commonprefix((line[start:][::-1], other[start:][::-1])))
            yield offset + start, offset + len(line) - end, other[start : len(other) - end]
        offset += len(line) + 1
