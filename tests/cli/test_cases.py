"""Run urlscan on the examples in `cases/`, one folder each.

Input: `args` (arguments in shell syntax), `stdin` (default: /dev/null) and `files/` (the current directory). Expected:
`output`, `errors` (default: empty), `status` and `files-after/` (default: unchanged). `python -m tests.cli.test_cases`
writes the current results; review them before you commit.
"""

import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from tests.command import Result, urlscan

FOLDER = Path(__file__).parents[1] / "cases"
CASES = sorted(path.parent for path in FOLDER.glob("*/args"))


def run(case: Path, directory: Path) -> Result:
    if (case / "files").exists():
        shutil.copytree(case / "files", directory, dirs_exist_ok=True)
    stdin = (case / "stdin").read_bytes() if (case / "stdin").exists() else None
    return urlscan(*shlex.split((case / "args").read_text()), stdin=stdin, cwd=directory)


def contents(directory: Path) -> dict[str, bytes]:
    """Return the content of each file."""
    paths = (path.relative_to(directory) for path in sorted(directory.rglob("*")) if path.is_file())
    return {str(path): (directory / path).read_bytes() for path in paths}


def test_cases_are_found() -> None:
    assert len(CASES) >= 10
    assert sorted(FOLDER.iterdir()) == CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_command_gives_the_expected_results(case: Path, tmp_path: Path) -> None:
    done = run(case, tmp_path)
    assert done.text == (case / "output").read_text()
    assert done.err == ((case / "errors").read_text() if (case / "errors").exists() else "")
    assert done.status == int((case / "status").read_text())
    before = case / "files-after" if (case / "files-after").exists() else case / "files"
    assert contents(tmp_path) == (contents(before) if before.exists() else {})


def write() -> None:
    for case in CASES:
        with tempfile.TemporaryDirectory() as directory:
            done = run(case, Path(directory))
            (case / "output").write_bytes(done.out)
            (case / "status").write_text(f"{done.status}\n")
            (case / "errors").unlink(missing_ok=True)
            if done.err:
                (case / "errors").write_text(done.err)
            shutil.rmtree(case / "files-after", ignore_errors=True)
            before = contents(case / "files") if (case / "files").exists() else {}
            if contents(Path(directory)) != before:
                shutil.copytree(directory, case / "files-after")


if __name__ == "__main__":
    sys.exit(write())
