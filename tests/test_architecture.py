"""The picture in ARCHITECTURE.md is true: it is read, and held against the imports."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "urlscan"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
# Entry points, which hold no logic, stand above the table.
ENTRIES = {"urlscan", "urlscan.__main__"}
# Folders whose files are of one kind, and never import each other; what they share stands in these.
KINDS = {
    "urlscan.rules": {
        "urlscan.rules", "urlscan.rules.applicability", "urlscan.rules.base", "urlscan.rules.extent",
        "urlscan.rules.fragments", "urlscan.rules.hosts", "urlscan.rules.reported", "urlscan.rules.selection",
        "urlscan.rules.userinfo",
    },
    "urlscan.schemes": {"urlscan.schemes", "urlscan.schemes.base"},
    "urlscan.formats": {
        "urlscan.formats", "urlscan.formats.base", "urlscan.formats.excerpt", "urlscan.formats.fingerprint",
        "urlscan.formats.headline", "urlscan.formats.location",
        "urlscan.formats.masking", "urlscan.formats.records",
    },
}  # fmt: skip
LONGEST = 500
# Where files and directories may be touched, and where something may be printed or the process ended.
FILES = {
    "urlscan.sources.walk",
    "urlscan.sources.exclude",
    "urlscan.sources.opening",
    "urlscan.sources.git.settings",
    "urlscan.sources.git.worktree",
    "urlscan.files.atomic_write",
    "urlscan.files.directory",
    "urlscan.files.lock",
    "urlscan.files.metadata",
    "urlscan.files.repository",
    "urlscan.run",
    "urlscan.run.baseline",
    "urlscan.suppress",
    "urlscan.config",
    "urlscan.config.files",
    "urlscan.config.relaxed",
}
GENERATORS = {"urlscan.data.generate"}  # run by hand; no other module imports them
TALKING = "urlscan.cli"
NETWORK = set("socket ssl http urllib ftplib smtplib imaplib poplib asyncio requests httpx xmlrpc".split())
# Processes and the pipes to them; a child must end without returning into its parent's code.
PROCESSES = {
    "open", "os.pipe", "os.fork", "os.waitpid", "os.kill", "os._exit", "os.cpu_count", "os.sched_getaffinity",
    "os.read", "os.getpid",
}  # fmt: skip
FILE_MODULES = {"pathlib", "shutil", "tempfile", "glob", "fileinput"}
# No other program is ever started: what is checked could say which.
PROGRAM_MODULES = {"subprocess", "webbrowser", "pty", "multiprocessing", "_posixsubprocess"}
PROGRAM_CALLS = re.compile(r"os\.(?:exec|spawn|posix_spawn|system|popen|startfile).*")
# All of `os` but what only computes, or works on what is open already.
FILE_CALLS = re.compile(
    r"open|(?:io|codecs)\.open|os\.(?!environ|fs|strerror|dup2|close|path\.(?:join|normpath|basename|dirname)\b).*"
)


class Row(NamedTuple):
    """A row of the table: layer, and the modules and folders of it."""

    layer: int
    names: tuple[str, ...]


def table() -> list[Row]:
    rows = []
    for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].isdecimal():
            rows.append(Row(int(cells[0]), tuple(re.findall(r"`([\w./]+)`", cells[1]))))
    return rows


TABLE = table()


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def entry_of(module: str) -> tuple[int, str] | None:
    """The layer and the entry of the table that a module belongs to."""
    for row in TABLE:
        for name in row.names:
            entry = "urlscan." + name.rstrip("/").removesuffix(".py").replace("/", ".")
            if module == entry or (name.endswith("/") and module.startswith(entry + ".")):
                return row.layer, name
    return None


def imports(path: Path) -> set[str]:
    """What a module imports, wherever it does; of `from x import y` both x and x.y where that is a module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in inner if name in NAMES}
            found |= modules
            if len(modules) < len(inner):
                found.add(str(node.module))
    return found


NAMES = {name_of(path) for path in MODULES}


def test_there_is_a_table() -> None:
    assert [row.layer for row in TABLE] == list(range(len(TABLE)))
    assert len(TABLE) >= 9
    assert all(row.names for row in TABLE)


def test_every_entry_of_the_table_exists() -> None:
    for row in TABLE:
        for name in row.names:
            assert (PACKAGE / name).exists(), name


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_stands_in_one_row_and_imports_from_the_rows_above(path: Path) -> None:
    module = name_of(path)
    if module in ENTRIES:
        return
    entry = entry_of(module)
    assert entry is not None, "it is not in the table of ARCHITECTURE.md"
    for imported in imports(path):
        if not imported.startswith("urlscan.") or imported in ENTRIES:
            continue
        other = entry_of(imported)
        assert other is not None, imported
        assert other == entry or other[0] < entry[0], f"layer {entry[0]} imports {imported} of layer {other[0]}"


@pytest.mark.parametrize("folder", KINDS)
def test_a_file_of_a_kind_imports_no_other_of_that_kind(folder: str) -> None:
    shared = KINDS[folder]
    files = [path for path in MODULES if name_of(path).startswith(folder + ".") and name_of(path) not in shared]
    assert files
    for path in files:
        others = {name for name in imports(path) if name.startswith(folder + ".")} - shared
        assert not others, f"{path.name} imports {others}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) < LONGEST


def called(path: Path) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_network_is_used_nowhere_files_here_and_output_there(path: Path) -> None:
    module = name_of(path)
    tops = {name.partition(".")[0] for name in imports(path)}
    assert not tops & (NETWORK | PROGRAM_MODULES)
    assert not [call for call in called(path) if PROGRAM_CALLS.fullmatch(call)]
    if module not in FILES | GENERATORS:
        assert not tops & FILE_MODULES
        touching = {call for call in called(path) if FILE_CALLS.fullmatch(call)}
        if module == "urlscan.processes":
            touching -= PROCESSES
        # The command line gives up standard output by opening /dev/null in its place.
        assert touching <= ({"open", "os.open"} if module == "urlscan.cli.output" else set())
    if not (module == TALKING or module.startswith(TALKING + ".") or module in GENERATORS):
        ending = {"os._exit"} if module != "urlscan.processes" else set()
        assert not called(path) & {"print", "input", "exit", "quit", "sys.exit", *ending}
        code = ast.unparse(ast.parse(path.read_text()))
        assert "sys.stdout" not in code
        assert "sys.stderr" not in code


def test_nothing_imports_a_generator() -> None:
    for path in MODULES:
        assert not imports(path) & GENERATORS


@pytest.mark.parametrize(
    ("module", "registry"),
    [("urlscan.sources", "KINDS"), ("urlscan.formats", "FORMATS"), ("urlscan.cli", "COMMANDS")],
)
def test_registries_name_what_there_is_and_all_of_it(module: str, registry: str) -> None:
    import importlib

    values = getattr(importlib.import_module(module), registry).values()
    wheres = [value[0] if isinstance(value, tuple) else value for value in values]
    for where in wheres:
        name, _, thing = where.partition(":")
        assert hasattr(importlib.import_module(name), thing or "run"), where
    helpers = {
        "urlscan.sources": {
            "ahead",
            "code_elements",
            "comments",
            "kind_layouts",
            "layout",
            "shell",
            "syntax",
            "contexts",
            "declared",
            "decode",
            "escapes",
            "exclude",
            "identify",
            "languages",
            "opening",
            "passing",
            "readers",
            "replacements",
            "stretches",
            "views",
            "writing",
            "walk",
        },
        "urlscan.schemes": {"urlscan.schemes", "urlscan.schemes.base"},
        "urlscan.formats": {
            "base",
            "diff",
            "excerpt",
            "fingerprint",
            "headline",
            "location",
            "masking",
            "occurrences",
            "records",
            "statistics",
        },
        "urlscan.cli": {
            "baselines",
            "failures",
            "journal",
            "mending",
            "reports",
            "options",
            "output",
            "signals",
            "tables",
            "urls",
        },
    }[module]
    folder = PACKAGE / module.partition(".")[2]
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"} - helpers
    named = {where.partition(":")[0].removeprefix(f"{module}.") for where in wheres}
    assert files == {name for name in named if "." not in name}  # a folder is many files for one kind
