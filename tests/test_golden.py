"""Test the comparison of two versions with two programs that take the place of urlscan."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

_FILE = Path(__file__).parents[1] / "benchmarks" / "golden.py"
# Reports one URL for each file, and one finding if the run is a check.
_PROGRAM = """
import json, os, pathlib, sys
command, *options = sys.argv[1:]
paths = options[options.index("--") + 1 :] if "--" in options else []
files = sorted(file for path in paths for file in pathlib.Path(path).rglob("*") if file.is_file())
for file in files if "--diff" not in options and "sarif" not in options else ():
    record = {"path": str(file), "start": 0, "line": 1, "url": file.read_text().split()[0]}
    if command == "check":
        record.update(code="U101", message=MESSAGE)
    print(json.dumps(record))
"""


def _load_golden() -> Any:
    spec = importlib.util.spec_from_file_location("golden", _FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


golden = _load_golden()


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Return the arguments for two versions that write different messages, and two texts."""
    for name in ("old", "new"):
        package = tmp_path / name / "urlscan"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(f"MESSAGE = {name!r}\n{_PROGRAM}")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "gold.jsonl").write_text('{"text": "http://h.example/a b", "suffix": ".md"}\n')
    return [str(tmp_path / name) for name in ("old", "new", "texts")]


def test_equal_versions_have_no_differences(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert golden.main([arguments[0], arguments[0], arguments[2]]) == 0
    assert capsys.readouterr().out == ""


def test_differences_are_grouped_by_what_changed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert golden.main([*arguments, "--only", "extract", "--only", "check"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("check: changed message (2): ")
    assert line.endswith("'old' -> 'new'")


def test_texts_in_records_are_read_as_files(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "texts" / "a.toml").write_text('[[case]]\npath = "b.py"\ntext = "# ⟦http://h.example⟧"\n')
    (tmp_path / "texts" / "other.toml").write_text("a = 1\n")
    folder = tmp_path / "snippets"
    folder.mkdir()
    assert golden.write_snippets([tmp_path / "texts"], folder) == 2
    texts = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert texts == {"gold-0/text.md": "http://h.example/a b", "a-0/b.py": "# http://h.example"}


def test_records_that_only_one_version_has_are_lost_or_new() -> None:
    old = [{"path": "a", "start": 1, "code": "U101"}, {"path": "a", "start": 5, "style": "bare", "url": "http://h"}]
    new = [{"path": "a", "start": 1, "code": "U102"}, {"path": "b", "start": 5, "style": "bare", "url": "http://h"}]
    groups = golden.differences(old, new)
    assert sorted(groups) == ["lost U101", "lost bare", "new U102", "new bare"]
    assert groups["new bare"] == ["b http://h"]


def test_sarif_and_diff_are_compared_by_result_and_hunk() -> None:
    log = (
        '{"runs": [{"tool": 1, "results": [{"ruleId": "U101", "locations": '
        '[{"physicalLocation": {"artifactLocation": {"uri": "a", "index": 3}}}]}]}]}'
    )
    _, whole, result = golden._records("sarif", 0, log.encode(), b"")
    assert whole == {"path": "SARIF", "tool": 1}
    assert (result["path"], result["code"]) == ("a", "U101")
    assert "index" not in result["locations"][0]["physicalLocation"]["artifactLocation"]
    diff = b"--- a\n+++ a\n@@ -1 +1 @@\n-b\n+c\n@@ -9 +9 @@\n-d\n+e\n"
    _, first, second = golden._records("fix", 1, diff, b"")
    assert [(hunk["path"], hunk["start"]) for hunk in (first, second)] == [("a", "-1 +1 @@"), ("a", "-9 +9 @@")]
