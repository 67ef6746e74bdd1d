"""Code actions: fixes of findings, comments that suppress them, and all fixes of a document at once."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from lsprotocol import types

from urlscan.core.records import Finding
from urlscan.core.segment import readable
from urlscan.server.analysis import Analysis, Checker
from urlscan.server.changes import edits_between
from urlscan.server.diagnostics import diagnostic_of, masked, range_of
from urlscan.server.text import Text

FIX_ALL = "source.fixAll.urlscan"
# Not below `source.fixAll`, which editors run when a file is saved.
FIX_ALL_UNSAFE = "source.urlscan.fixAllUnsafe"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL, FIX_ALL_UNSAFE)
# In larger documents a fix is not tried before it is offered, and other actions are left to editors that resolve them.
_LARGE = 200_000
_MOST_FIXES = 50
_LONGEST = 60


class Document(NamedTuple):
    """An open document.

    Attributes:
        uri: its address.
        version: the version that the editor has given its text.
        text: its text.
        analysis: the analysis of this text.
        checker: checks other texts of it.
    """

    uri: str
    version: int | None
    text: Text
    analysis: Analysis
    checker: Checker


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
        return not self.only or any(kind == one or kind.startswith(one + ".") for one in self.only)


def actions_of(document: Document, offer: Offer) -> list[types.CodeAction]:
    """Return the actions for a span of a document, those that are most likely wanted first."""
    found: list[types.CodeAction] = []
    if offer.wants(types.CodeActionKind.QuickFix):
        here = [
            finding
            for finding in document.analysis.findings
            if finding.start <= offer.end and finding.end >= offer.start
        ][:_MOST_FIXES]
        found += [action for finding in here if (action := _fix(document, finding, offer)) is not None]
        found += [action for finding in here if (action := _suppression(document, finding, offer)) is not None]
    found += _all_fixes(document, offer)
    return found


def _fix(document: Document, finding: Finding, offer: Offer) -> types.CodeAction | None:
    """Return the action that fixes one finding."""
    fix = finding.fix
    if fix is None or (fix.applicability != "safe" and not offer.unsafe):
        return None
    text = document.text
    if len(text.source) <= _LARGE and document.checker.fixed_one(text.source, finding) is None:
        return None  # the result would not read back as intended
    edits = [types.TextEdit(range_of(text, one.start, one.end), one.text) for one in fix.edits]
    is_safe = fix.applicability == "safe"
    return types.CodeAction(
        title=_title(finding) + ("" if is_safe else " (unsafe: may change the meaning)"),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic_of(finding, text)],
        edit=_workspace_edit(document, edits),
        is_preferred=is_safe or None,
    )


def _title(finding: Finding) -> str:
    suggestion = readable(masked(finding.suggestion, finding))
    shown = suggestion if len(suggestion) <= _LONGEST else suggestion[:_LONGEST] + "…"
    what = f"write {shown}" if shown and shown.isprintable() else "fix"
    return f"urlscan: {what} ({finding.name})"


def _suppression(document: Document, finding: Finding, offer: Offer) -> types.CodeAction | None:
    """Return the action that adds a comment which suppresses a finding."""
    action = types.CodeAction(
        title=f"urlscan: ignore {finding.code} ({finding.name}) on this line",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic_of(finding, document.text)],
    )
    data = {"do": "suppress", "code": finding.code, "start": finding.start}
    return _with_edit(document, action, data, offer.can_resolve)


def _all_fixes(document: Document, offer: Offer) -> Iterator[types.CodeAction]:
    """Yield the actions that fix a whole document, if they would fix something."""
    fixes = [finding.fix for finding in document.analysis.findings if finding.fix is not None]
    choices = [(FIX_ALL, "fix all problems that have a safe fix", any(fix.applicability == "safe" for fix in fixes))]
    if offer.unsafe:
        unsafe = any(fix.applicability != "safe" for fix in fixes)
        choices.append((FIX_ALL_UNSAFE, "fix all problems, also by unsafe fixes", unsafe))
    for kind, title, is_useful in choices:
        if is_useful and offer.wants(kind):
            # A request for this kind alone comes from an editor that is about to save.
            lazily = offer.can_resolve and not offer.only
            action = types.CodeAction(title=f"urlscan: {title}", kind=kind)
            done = _with_edit(document, action, {"do": kind}, lazily)
            if done is not None:
                yield done


def _with_edit(
    document: Document, action: types.CodeAction, data: dict[str, Any], can_resolve: bool
) -> types.CodeAction | None:
    """Return an action with its edit, or with the data from which `resolved` computes it; None if it does nothing."""
    action.data = {**data, "uri": document.uri, "version": document.version}
    if can_resolve:
        return action
    if len(document.text.source) > _LARGE and data["do"] == "suppress":
        return None
    done = resolved(document, action)
    return done if done.edit is not None else None


def resolved(document: Document, action: types.CodeAction) -> types.CodeAction:
    """Return an action with its edit; without one if it has no effect or the document has changed."""
    data = action.data if isinstance(action.data, dict) else {}
    if data.get("version") != document.version:
        return action
    text, what = document.text, data.get("do")
    new: str | None = None
    if what == "suppress":
        wanted = (data.get("code"), data.get("start"))
        finding = next((one for one in document.analysis.findings if (one.code, one.start) == wanted), None)
        if finding is not None:
            new = document.checker.suppressed(text.source, finding)
    elif what in (FIX_ALL, FIX_ALL_UNSAFE):
        new = document.checker.fixed(text.source, unsafe=what == FIX_ALL_UNSAFE)
    if new is not None and new != text.source:
        edits = [
            types.TextEdit(range_of(text, start, end), written)
            for start, end, written in edits_between(text.source, new)
        ]
        action.edit = _workspace_edit(document, edits)
    return action


def _workspace_edit(document: Document, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={document.uri: edits})
