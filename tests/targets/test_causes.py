"""One cause has few findings."""

from collections import Counter
from pathlib import Path

import urlscan
from urlscan.core.records import Finding


def test_further_references_for_one_cause_are_information(tmp_path: Path) -> None:
    """A directory that is gone, and a document without the anchors of a list, are one cause each."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "mill.md").write_text("# Mill\n")
    lines = [f"[a](gone/{n}.md) [b](mill.md#{n}-wheels) [c](mill{n}.md)\n\n" for n in range(23)]
    (tmp_path / "a.md").write_text("".join(lines))
    findings = [f for f in urlscan.lint_paths([tmp_path / "a.md"]) if isinstance(f, Finding)]
    counts = Counter((f.code, f.severity.label) for f in findings)
    assert any("as for 22 other references" in f.message for f in findings)
    assert counts["U912", "info"] == 3  # of the directory only
    assert counts["U911", "error"] == 1
    assert counts["U911", "info"] == 22
