"""Estimate the findings of a document after an edit, before the whole document is checked again.

Checking 1 MB takes some hundred milliseconds, which is too long for each keystroke. An edit mostly changes only the
findings of its paragraph, so the lines around it are checked alone. This is valid only where the text around has no
influence, which is tested: checking the same lines of the old text alone must give the findings that the check of the
whole document gave. Otherwise there is no estimate. The whole document is checked soon after in any case.
"""

from urlscan.core.records import Edit, Finding, Fix
from urlscan.server.analysis import Analysis, Checker, FoundUrl
from urlscan.server.changes import Change, change_between

# The text around an edit that is checked, and the longest such text.
_AROUND = 1 << 11
_LONGEST = 1 << 15
_ABOUT_TARGETS = "U91"


def estimate(base: Analysis, text: str, checker: Checker) -> Analysis | None:
    """Return the probable analysis of a text; None if only the whole document tells.

    Args:
        base: the analysis of an earlier version.
        text: the text.
        checker: checks texts of the document. Findings about targets and labels depend on the whole document: those
            outside of the edit are kept.

    Returns:
        The analysis. Its URLs are complete up to the edit only.
    """
    change = change_between(base.text, text)
    if change is None:
        return base
    window = _window(text, change)
    if window is None:
        return None
    alone = checker._replace(targets=None, language=base.kind)
    start, stop = window.start, window.old_end
    before = alone.check(base.text[start:stop])
    inside = [one for one in base.findings if one.start < stop and one.end > start and not _is_about_targets(one)]
    if [_key(one, start) for one in before.findings] != [_key(one, 0) for one in inside]:
        return None
    after = alone.check(text[start : window.new_end])
    if after.error or before.error or before.kind != base.kind or after.kind != base.kind:
        return None
    kept = [one for one in base.findings if one.end <= change.start and (one.end <= start or _is_about_targets(one))]
    later = [
        _moved(one, change.shift)
        for one in base.findings
        if one.start >= change.old_end and (one.start >= stop or _is_about_targets(one))
    ]
    new = [_moved(one, start) for one in after.findings]
    findings = sorted((*kept, *new, *later), key=lambda finding: (finding.start, finding.end))
    return base._replace(text=text, findings=tuple(findings), urls=_urls(base, after, window))


def _is_about_targets(finding: Finding) -> bool:
    return finding.code.startswith(_ABOUT_TARGETS)


def _key(finding: Finding, shift: int) -> tuple[int, int, str, str]:
    return finding.start + shift, finding.end + shift, finding.code, finding.message


def _window(new: str, change: Change) -> Change | None:
    """Return the span to check: some text around the change, up to blank lines; None if it is too long."""
    first = _blank_line_before(new, max(change.start - _AROUND, 0))
    last = _blank_line_after(new, min(change.new_end + _AROUND, len(new)))
    window = Change(first, last - change.shift, last)
    if window.new_end - first > _LONGEST or window.old_end - first > _LONGEST:
        return None
    return window


def _blank_line_before(text: str, at: int) -> int:
    found = max(text.rfind("\n\n", 0, at), text.rfind("\n\r\n", 0, at))
    return found + (2 if text.startswith("\n\n", found) else 3) if found >= 0 else 0


def _blank_line_after(text: str, at: int) -> int:
    found = [place for ends in ("\n\n", "\n\r\n") if (place := text.find(ends, at)) >= 0]
    return min(found) + 1 if found else len(text)


def _moved(finding: Finding, shift: int) -> Finding:
    """Return a finding elsewhere in the text. Its line and column are not used by the server."""
    fix = finding.fix
    if fix is not None:
        fix = Fix(fix.applicability, tuple(Edit(one.start + shift, one.end + shift, one.text) for one in fix.edits))
    return finding._replace(start=finding.start + shift, end=finding.end + shift, fix=fix)


def _urls(base: Analysis, after: Analysis, window: Change) -> tuple[FoundUrl, ...]:
    """Return the URLs up to the end of the window, and those after it that have findings."""
    before = (url for url in base.urls if url.occurrence.outer_end <= window.start)
    inside = (_moved_url(url, window.start) for url in after.urls)
    later: dict[int, FoundUrl] = {}
    for finding in base.findings:
        found = base.url_at(finding.start, finding.end) if finding.start >= window.old_end else None
        if found is not None and found.occurrence.outer_start >= window.old_end:
            later[found.occurrence.outer_start] = found
    return (*before, *inside, *(_moved_url(later[start], window.shift) for start in sorted(later)))


def _moved_url(found: FoundUrl, by: int) -> FoundUrl:
    one = found.occurrence
    moved = one._replace(
        start=one.start + by, end=one.end + by, outer_start=one.outer_start + by, outer_end=one.outer_end + by
    )
    return FoundUrl(moved, tuple((first + by, last + by) for first, last in found.pieces))
