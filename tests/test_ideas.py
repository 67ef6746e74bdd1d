"""Limit how many ideas a reader must know: the limits are the state, and only fall."""

import subprocess
import sys

from benchmarks import ideas
from tests.command import clean_environment


def test_one_finding_runs_few_functions_of_few_modules() -> None:
    done = subprocess.run(
        [sys.executable, ideas.__file__], env=clean_environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("one finding: ")
    functions, modules, depth = (
        int(word.rstrip(",")) for word in done.stdout.split("\n")[0].split() if word[0].isdigit()
    )
    assert functions <= 190
    assert modules <= 46
    assert depth <= 19


def test_package_keeps_its_style() -> None:
    style = ideas.style()
    assert style.lines <= 53_943
    assert style.conditionals <= 7.94
    assert style.local_imports <= 108
    assert style.vague_names <= 1.33
