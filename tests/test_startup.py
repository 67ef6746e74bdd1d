"""Limit start-up time: the modules that commands load, and how long a small run takes."""

import importlib
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import clean_environment
from urlscan.cli.options import options_without_parser
from urlscan.rules import REGISTRY

# Each of these takes longer to load than it takes to check a small file, or is rarely needed.
HEAVY = set(
    "asyncio concurrent csv ctypes dataclasses difflib email hashlib http inspect json logging multiprocessing pathlib"
    " pickle random regex shutil socket sqlite3 ssl subprocess tempfile tomllib typing unittest urllib xml"
    " zipfile".split()
)
_PROBE = """
import sys
before = set(sys.modules)
from urlscan.cli import main
status = main(sys.argv[1:])
print(status, *sorted(set(sys.modules) - before), file=sys.stderr)
"""


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a command loads; its exit status must be 0."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, *arguments], env=clean_environment(), capture_output=True, text=True, check=True
    )
    status, *modules = done.stderr.split()
    assert status == "0", done.stderr
    return set(modules)


def tops(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def test_version_loads_almost_nothing() -> None:
    modules = loaded("--version")
    assert not tops(modules) & (HEAVY | {"argparse"})
    assert {name for name in modules if name.startswith("urlscan")} == {
        "urlscan", "urlscan.cli", "urlscan.cli.output", "urlscan.core", "urlscan.core.errors", "urlscan.core.typing",
    }  # fmt: skip


def test_importing_urlscan_loads_no_submodule() -> None:
    code = "import sys, urlscan; print(*[name for name in sys.modules if name.startswith('urlscan.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("command", ["check", "extract"])
def test_small_clean_file_loads_nothing_heavy(tmp_path: Path, command: str) -> None:
    path = tmp_path / "small.txt"
    path.write_text("See http://h.example/ok and <URL:ftp://h.example/a>.\n")
    modules = loaded(command, "--isolated", str(path))
    assert not tops(modules) & HEAVY
    # Modules needed for findings, fixes and exclusions only.
    assert not modules & {
        "urlscan.formats.excerpt",
        "urlscan.linter.edits",
        "urlscan.files.atomic_write",
        "urlscan.files.patterns",
    }


@pytest.mark.parametrize("command", ["check", "extract"])
def test_common_urls_load_no_general_path(tmp_path: Path, command: str) -> None:
    """Switches need no parser, and common URLs are neither read nor judged by the general code."""
    path = tmp_path / "small.txt"
    path.write_text("See http://h.example/ok and https://www.h.example/a.html for more.\n")
    modules = loaded(command, "--isolated", str(path))
    assert not modules & {
        "argparse", "gettext", "locale", "urlscan.cli.parser", "urlscan.finder.bare", "urlscan.finder.look_alikes",
        "urlscan.finder.read", "urlscan.finder.rejoin", "urlscan.pipeline.progress",
        "urlscan.uri.grammar.generic", "urlscan.uri.grammar.templates",
        "urlscan.uri.schemes",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("clean.txt", "See http://h.example/ok for more.\n", 84),
        ("clean.md", "# A\n\nSee [a](http://h.example/ok) for more.\n", 108),
        ("finding.txt", "See http://h.example/a|b for more.\n", 155),
    ],
)
def test_small_file_loads_few_modules(tmp_path: Path, name: str, text: str, most: int) -> None:
    """Loading a module takes a tenth of a millisecond or more."""
    path = tmp_path / name
    path.write_text(text)
    modules = {name for name in loaded("check", "--exit-zero", str(path)) if name.startswith("urlscan")}
    assert 40 < len(modules) <= most


@pytest.mark.parametrize("command", ["check", "extract"])
def test_defaults_are_those_of_the_parser(command: str) -> None:
    module = importlib.import_module(f"urlscan.cli.{command}")
    switches = ["-q", "--quiet", "-v", "--verbose", "--isolated", "--no-progress", "--show-secrets"]
    for arguments in ([], ["a", "-"], *(["a", switch, "-"] for switch in switches), switches):
        without = options_without_parser(arguments, **module._DEFAULTS)
        assert without is not None
        assert vars(without) == vars(module.create_parser().read(arguments))
    assert options_without_parser(["a", "-j1"]) is None
    assert options_without_parser(["--", "a"]) is None


_QUOTED = """
import sys, typing
quoted, init = [], typing.ForwardRef.__init__
typing.ForwardRef.__init__ = lambda self, arg, *rest, **more: quoted.append(arg) or init(self, arg, *rest, **more)
from urlscan.cli import main
main(sys.argv[1:])
print(quoted, file=sys.stderr)
"""


@pytest.mark.parametrize("text", ["See http://h.example/ok for more.\n", "See http://h.example/a|b for more.\n"])
def test_small_file_compiles_no_quoted_annotation(tmp_path: Path, text: str) -> None:
    """The first one in a `typing.NamedTuple` takes 1 ms, because it initializes the compiler of Python."""
    path = tmp_path / "small.txt"
    path.write_text(text)
    command = [sys.executable, "-c", _QUOTED, "check", str(path)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


_TUPLES = """
import collections, sys
created, namedtuple = [], collections.namedtuple
collections.namedtuple = lambda name, *rest, **more: created.append(name) or namedtuple(name, *rest, **more)
from urlscan.cli import main
main(sys.argv[1:])
print(len(created), file=sys.stderr)
"""


@pytest.mark.parametrize("text", ["See http://h.example/ok for more.\n", "See http://h.example/a|b for more.\n"])
def test_small_file_creates_few_tuples_of_the_standard_library(tmp_path: Path, text: str) -> None:
    """Creating one takes 0.1 ms, ten times as long as one of `urlscan.core.record`."""
    path = tmp_path / "small.txt"
    path.write_text(text)
    command = [sys.executable, "-c", _TUPLES, "check", str(path)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    assert int(done.stderr.split()[-1]) <= 4


_COMPILED = """
import re, sys
compiled, compile = [], re.compile
re.compile = lambda *given: compiled.append(given) or compile(*given)
from urlscan.cli import main
main(sys.argv[1:])
print(len(compiled), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("common.txt", "See http://h.example/ok for more.\n", 10),
        ("small.txt", "See http://h.example/ok and <URL:ftp://h.example/a>.\n", 40),
        ("small.md", "See [a](http://h.example/ok), [b](../b.md#c) and <http://h.example/>.\n", 60),
        ("small.py", "# See http://h.example/ok\nA = f'http://h.example/{name}'\n", 60),
        ("finding.txt", "See http://h.example/a|b for more.\n", 108),
    ],
)
def test_small_file_compiles_few_patterns(tmp_path: Path, name: str, text: str, most: int) -> None:
    """Compiling a pattern takes a tenth of a millisecond, and there are more than two hundred."""
    path = tmp_path / name
    path.write_text(text)
    command = [sys.executable, "-c", _COMPILED, "check", str(path)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, text=True, check=True)
    assert 5 < int(done.stderr.split()[-1]) <= most, done.stderr


def rules_loaded(tmp_path: Path, text: str, name: str = "small.txt") -> set[str]:
    """Return the modules of rules that a check of the text loads."""
    path = tmp_path / name
    path.write_text(text)
    modules = loaded("check", "--isolated", "--exit-zero", str(path))
    return modules & {f"urlscan.rules.{entry.module}" for entry in REGISTRY}


@pytest.mark.parametrize("text", ["http://h.example/ok", "<URL:ftp://h.example/a%20b>", "mailto:jo.doe@h.example"])
def test_fast_accepted_urls_load_no_rule(tmp_path: Path, text: str) -> None:
    assert rules_loaded(tmp_path, text) == set()


def test_links_between_documents_load_no_rule(tmp_path: Path) -> None:
    text = "# h\n\n[a](b.md) [c](../d/e.html#f) [g](#h) [i](/j/k?l=m) [n](./o) [p](q/)\n"
    assert rules_loaded(tmp_path, text, "small.md") == set()


@pytest.mark.parametrize(
    ("url", "modules"),
    [
        ("http://h.example/100%", "escapes"),
        ("http://h.example/a|b?c=d", "characters"),
        ("http://jo@h.example/", "authority credentials host_syntax policy scheme_syntax schemes"),
        ("http://h/%252520", "authority decoding escapes host_syntax policy scheme_syntax schemes"),
    ],
)
def test_other_urls_load_the_rules_that_may_report_them(tmp_path: Path, url: str, modules: str) -> None:
    assert rules_loaded(tmp_path, url) == {f"urlscan.rules.{module}" for module in modules.split()}


_CYCLES = """
import gc, os, sys
gc.disable()
from urlscan.cli import main
sys.stdout = open(os.devnull, "w")
main([*sys.argv[1:], "--isolated"])
print(gc.collect(), file=sys.stderr)
"""


_BROKEN_URLS = "See <http://h.example/a|b\nc>, http://h.example/100% and <http://h.example/Ü\n"
_MAILBOX = f"From a@h.example Thu Jan  1 00:00:00 1970\nMessage-ID: <1@h.example>\n\n{_BROKEN_URLS}\n" * 2


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("check --format concise", _BROKEN_URLS),
        ("check --format jsonl", _MAILBOX),
        ("extract --format jsonl", _MAILBOX),
    ],
)
def test_no_command_creates_reference_cycles(command: str, text: str, tmp_path: Path) -> None:
    """The data of each source are freed without the cyclic garbage collector."""

    def cycles(count: int) -> int:
        paths = [str(tmp_path / f"{number}.txt") for number in range(count)]
        for path in paths:
            Path(path).write_text(text)
        missing = [path + ".missing" for path in paths]
        arguments = [sys.executable, "-c", _CYCLES, *command.split(), *paths, *missing]
        done = subprocess.run(arguments, env=clean_environment(), capture_output=True, text=True, check=True)
        return int(done.stderr.split()[-1])

    assert cycles(20) == cycles(2)


def _processor_time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _best_of(times: int, command: list[str]) -> float:
    best = 60.0
    for _ in range(times):
        began = _processor_time_of_children()
        subprocess.run(command, env=clean_environment(), capture_output=True, check=False)
        best = min(best, _processor_time_of_children() - began)
    return best


def test_small_file_is_checked_quickly(tmp_path: Path) -> None:
    """The limit is far above the budget that a benchmark tracks: a heavy import exceeds it, a slow machine does not."""
    path = tmp_path / "small.txt"
    path.write_text("See http://h.example/ok\n")
    nothing = _best_of(5, [sys.executable, "-c", "import regex"])
    assert _best_of(5, [sys.executable, "-m", "urlscan", "check", "--isolated", str(path)]) < 8 * nothing
