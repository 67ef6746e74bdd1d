"""Start-up is a feature: what is loaded, and how long it takes."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import clean_environment
from urlscan.rules import REGISTRY, Entry, load

# Each of these takes longer to load than a small file takes to check, or is only wanted now and then.
HEAVY = set(
    "asyncio concurrent csv ctypes dataclasses difflib email hashlib http inspect json logging multiprocessing pathlib"
    " pickle random regex shutil socket sqlite3 ssl subprocess tempfile tomllib unittest urllib xml zipfile".split()
)
_PROBE = """
import sys
before = set(sys.modules)
from urlscan.cli import main
status = main(sys.argv[1:])
print(status, *sorted(set(sys.modules) - before), file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """The modules that a command loads; its status must be 0."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, *arguments], env=clean_environment(), capture_output=True, text=True, check=True
    )
    status, *modules = done.stderr.split()
    assert status == "0", done.stderr
    return set(modules)


def tops(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def test_version_loads_next_to_nothing() -> None:
    modules = loaded("--version")
    assert not tops(modules) & (HEAVY | {"argparse"})
    assert {name for name in modules if name.startswith("urlscan")} == {
        "urlscan", "urlscan.cli", "urlscan.cli.output", "urlscan.core", "urlscan.core.errors",
    }  # fmt: skip


def test_importing_the_package_loads_nothing_else_of_it() -> None:
    code = "import sys, urlscan; print(*[name for name in sys.modules if name.startswith('urlscan.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("command", ["check", "extract"])
def test_a_small_good_file_loads_nothing_heavy(tmp_path: Path, command: str) -> None:
    path = tmp_path / "small.txt"
    path.write_text("See http://h.example/ok and <URL:ftp://h.example/a>.\n")
    modules = loaded(command, str(path))
    assert not tops(modules) & HEAVY
    # Nor what only findings, fixes and exclusions need.
    assert not modules & {
        "urlscan.formats.excerpt",
        "urlscan.linter.edits",
        "urlscan.files.atomic_write",
        "urlscan.files.exclude",
    }


_COMPILED = """
import re, sys
compiled, compile = [], re.compile
re.compile = lambda *given: compiled.append(given) or compile(*given)
from urlscan.cli import main
main(sys.argv[1:])
print(len(compiled), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("small.txt", "See http://h.example/ok and <URL:ftp://h.example/a>.\n"),
        ("small.md", "See [a](http://h.example/ok), [b](../b.md#c) and <http://h.example/>.\n"),
        ("small.py", "# See http://h.example/ok\nA = f'http://h.example/{name}'\n"),
    ],
)
def test_few_expressions_are_compiled_for_a_small_good_file(tmp_path: Path, name: str, text: str) -> None:
    """A tenth of a millisecond each; there are more than two hundred."""
    path = tmp_path / name
    path.write_text(text)
    command = [sys.executable, "-c", _COMPILED, "check", str(path)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    assert 5 < int(done.stderr.split()[-1]) < 60, done.stderr


def rules_loaded(tmp_path: Path, text: str, name: str = "small.txt") -> set[str]:
    path = tmp_path / name
    path.write_text(text)
    modules = loaded("check", "--exit-zero", str(path))
    return {name.split(".")[2][:4].upper() for name in modules if re.match(r"urlscan\.rules\.u[0-9]", name)}


@pytest.mark.parametrize("text", ["http://h.example/ok", "<URL:ftp://h.example/a%20b>", "mailto:jo.doe@h.example"])
def test_plainly_good_urls_need_no_rule(tmp_path: Path, text: str) -> None:
    assert rules_loaded(tmp_path, text) == set()


def test_nor_do_links_between_documents(tmp_path: Path) -> None:
    text = "[a](b.md) [c](../d/e.html#f) [g](#h) [i](/j/k?l=m) [n](./o) [p](q/)\n"
    assert rules_loaded(tmp_path, text, "small.md") == set()


@pytest.mark.parametrize("url", ["http://h.example/100%", "http://jo@h.example/%252520", "http://h.example/a|b?c=d"])
def test_a_suspect_url_needs_the_rules_of_urls_that_are_on_and_may_speak_of_it(tmp_path: Path, url: str) -> None:
    expected = {entry.code for entry in REGISTRY if entry.default and entry.checks_urls and entry.needs in url}
    assert rules_loaded(tmp_path, url) == expected


def test_a_broken_url_needs_the_rules_of_breaks(tmp_path: Path) -> None:
    expected = {entry.code for entry in REGISTRY if entry.default and entry.checks_text}
    assert rules_loaded(tmp_path, "<http://h.example/a\nb>") == expected


@pytest.mark.parametrize("entry", REGISTRY, ids=lambda entry: entry.code)
def test_the_registry_knows_what_a_rule_judges(entry: Entry) -> None:
    rule = load(entry)
    assert entry.checks_urls == (rule.check is not None)
    assert entry.checks_text == (rule.check_text is not None)
    assert entry.checks_fast_accepted == rule.checks_fast_accepted
    assert entry.checks_every_occurrence == rule.checks_every_occurrence
    assert all("=" in mark or ";" in mark or "--" in mark for mark in entry.triggers), "see linter.judge._is_plain"


_CYCLES = """
import gc, os, sys
gc.disable()
from urlscan.cli import main
sys.stdout = open(os.devnull, "w")
main(["check", *sys.argv[1:]])
print(gc.collect(), file=sys.stderr)
"""


def test_no_source_leaves_cycles_behind(tmp_path: Path) -> None:
    """`urlscan.cli.entry` switches the search for them off."""

    def cycles(count: int) -> int:
        paths = [str(tmp_path / f"{number}.txt") for number in range(count)]
        for path in paths:
            Path(path).write_text("See <http://h.example/a|b\nc>, http://h.example/100% and <http://h.example/Ü\n")
        missing = [path + ".missing" for path in paths]
        command = [sys.executable, "-c", _CYCLES, *paths, *missing, "--format", "concise"]
        done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
        return int(done.stderr.split()[-1])

    assert cycles(20) == cycles(2)


def _best_of(times: int, command: list[str]) -> float:
    best = 60.0
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run(command, env=clean_environment(), capture_output=True, check=False)
        best = min(best, time.perf_counter() - began)
    return best


def test_a_small_file_is_checked_soon(tmp_path: Path) -> None:
    """Far from the budget, which a benchmark watches: something heavy fails this, a slow machine does not."""
    path = tmp_path / "small.txt"
    path.write_text("See http://h.example/ok\n")
    nothing = _best_of(5, [sys.executable, "-c", "import regex"])
    assert _best_of(5, [sys.executable, "-m", "urlscan", "check", str(path)]) < 8 * nothing
