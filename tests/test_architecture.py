"""Compare the table of ARCHITECTURE.md with the imports in the code."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.batches import run_each
from urlscan.formats import FORMATS
from urlscan.rules import REGISTRY

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "urlscan"
# Entry points without logic are not in the table.
ENTRIES = {"urlscan", "urlscan.__main__", "urlscan.spark.__main__", "urlscan.spark.command"}
LONGEST = 500
# Limit on the number of imports in functions, and the modules imported by them; ARCHITECTURE.md gives the reason.
LIMIT = 112
DEFERRED = set(
    (
        "archive.arrow archive.functions archive.parquet spark.functions"
        " api.urls cli.failures cli.parser cli.signals config config.files config.statuses data.tlds"
        " documents.html documents.regions files.archives.tars files.archives.unpack files.archives.warcs"
        " files.atomic_write files.chunks files.decode files.patterns"
        " files.work_tree"
        " cli.explaining cli.fixing cli.grouping cli.progress finder.refang"
        " finder.continuation finder.flowed finder.look_alikes finder.notation finder.read finder.rejoin"
        " finder.schemeless formats.diff formats.escape formats.excerpt formats.mask"
        " linter.judge linter.reported"
        " documents.mail.mailbox documents.mail.parts"
        " pipeline.add_ignore pipeline.baseline pipeline.children pipeline.fix pipeline.progress pipeline.read"
        " pipeline.referrers"
        " rules.base core.faults core.secrets core.secrets.values server.features targets.checker targets.index"
        " spark.source uri.grammar.misspellings"
        " uri.grammar.templates uri.rewriters uri.schemes uri.transform.defang uri.transform.escapes uri.unwrap uri.url"
    ).split()
)
# Modules that touch files and directories.
FILES = set(
    (
        "archive.files config.configuration config.files config.layers config.relaxed config.statuses"
        " files.atomic_write files.patterns files.work_tree files.lock"
        " files.random_access files.repository files.safe_open files.tree files.walk pipeline.baseline api.buffers"
    ).split()
)
PRINTING = "urlscan.cli"
PROCESSES_MODULES = {"urlscan.pipeline.children", "urlscan.pipeline.processes"}
NETWORK = set("socket ssl http urllib ftplib smtplib imaplib poplib asyncio requests httpx xmlrpc".split())
# The language server waits for messages of the editor, on standard input only.
SERVER = {"urlscan.server.session": {"asyncio"}}
# Processes and the pipes to them; a child must end without returning into its parent's code.
PROCESSES = {
    "open", "os.pipe", "os.fork", "os.waitpid", "os.kill", "os._exit", "os.cpu_count", "os.sched_getaffinity",
    "os.read", "os.write", "os.getpid", "os.getppid",
}  # fmt: skip
FILE_MODULES = {"pathlib", "shutil", "tempfile", "glob", "fileinput"}
# No other program is ever started: the sources under check could decide which.
PROGRAM_MODULES = {"subprocess", "webbrowser", "pty", "multiprocessing", "_posixsubprocess"}
PROGRAM_CALLS = re.compile(r"os\.(?:exec|spawn|posix_spawn|system|popen|startfile).*")
# All of `os`, except for functions that only compute or work on open files.
FILE_CALLS = re.compile(
    r"open|(?:io|codecs)\.open|os\.(?!environ|fs|strerror|dup2|close|path\.(?:join|normpath|basename|dirname)\b).*"
)


# The packages on top, which import from each other, `urlscan/api/` and the public names only.
ON_TOP = ("archive", "report", "server", "spark")


class Row(NamedTuple):
    """A row of the table of packages.

    Attributes:
        layer: its number.
        package: its name, or that of a single module.
        doors: the modules that other packages may import; empty if all are allowed.
    """

    layer: int
    package: str
    doors: frozenset[str]


class Import(NamedTuple):
    """An import of a module of this package.

    Attributes:
        module: the importing module.
        imported: the imported module, or the one that a name is imported from.
        deferred: whether the import is inside a function.
    """

    module: str
    imported: str
    deferred: bool


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in PATHS.items()}


def cells() -> Iterator[list[str]]:
    for line in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def table() -> dict[str, Row]:
    """Return the rows of the table of packages by package."""
    rows = {}
    for row in cells():
        if row[0].isdecimal():
            package = row[1].strip("`/").removesuffix(".py")
            rows[package] = Row(int(row[0]), package, frozenset(re.findall(r"`([\w.]+)`", row[2])))
    return rows


TABLE = table()


def names_in(module: str) -> set[str]:
    """Return the names that a module binds at top level."""
    names = set()
    for node in TREES[module].body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
    return names


def imports_of(module: str) -> Iterator[Import]:
    tree = TREES[module]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inner = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in TREES:
                    yield Import(module, alias.name, id(node) in inner)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: a relative import"
            for alias in node.names if node.module in TREES else ():
                full = f"{node.module}.{alias.name}"
                is_module = full in TREES and alias.name not in names_in(str(node.module))
                yield Import(module, full if is_module else str(node.module), id(node) in inner)


IMPORTS = [one for module in TREES for one in imports_of(module)]


def package_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_table_is_parsed() -> None:
    assert len(TABLE) >= 15


def test_table_lists_every_package() -> None:
    assert set(TABLE) == {package_of(module) for module in TREES if module not in ENTRIES}


@pytest.mark.parametrize("package", TABLE)
def test_package_imports_from_lower_layers(package: str) -> None:
    layer = TABLE[package].layer
    for one in IMPORTS:
        other = package_of(one.imported)
        if package_of(one.module) == package != other and one.module not in ENTRIES and one.imported != "urlscan":
            assert TABLE[other].layer < layer, f"{one.module} (layer {layer}) imports {one.imported}"


@pytest.mark.parametrize("package", TABLE)
def test_package_is_imported_through_its_doors(package: str) -> None:
    doors = TABLE[package].doors
    used = set()
    for one in IMPORTS:
        if package_of(one.imported) == package != package_of(one.module):
            name = one.imported.removeprefix("urlscan.")
            assert not doors or name in doors, f"{one.module} imports {one.imported}"
            used.add(name)
    assert doors <= used, "no package imports it"


@pytest.mark.parametrize("package", ON_TOP)
def test_packages_on_top_import_public_names(package: str) -> None:
    modules = {one.imported for one in IMPORTS if package_of(one.module) == package and one.module not in ENTRIES}
    assert {module for module in modules - {"urlscan"} if package_of(module) not in {"api", *ON_TOP}} == set()


def test_no_modules_import_each_other() -> None:
    """Reject cycles, including those through imports in functions and for type checking."""
    targets: dict[str, set[str]] = {module: set() for module in TREES}
    for one in IMPORTS:
        if one.imported not in {"urlscan", one.module}:
            targets[one.module].add(one.imported)
    free: set[str] = set()
    while found := {module for module in targets if module not in free and targets[module] <= free}:
        free |= found
    assert free == set(TREES), "these modules import each other, or depend on modules that do"


# The names of what makes the finder and the readers of documents fast.
FAST_PATH = re.compile(r"\b(?:\w*[Ff]ast_?[Mm]atch\w*|\w*schemes_only|html_skip|match_at)\b")


def test_fast_paths_are_known_to_their_package_only() -> None:
    modules = [module for module in PATHS if package_of(module) not in {"finder", "documents"}]
    assert [module for module in modules if FAST_PATH.search(PATHS[module].read_text(encoding="utf-8"))] == []


def test_imports_in_functions_are_few_and_listed() -> None:
    deferred = [one for one in IMPORTS if one.deferred and one.imported != "urlscan"]
    assert {one.imported.removeprefix("urlscan.") for one in deferred} <= DEFERRED
    assert len(deferred) <= LIMIT


def files_of_a_kind(folder: str) -> set[str]:
    """Return the modules of a folder that each define a theme of rules, a format, a scheme or a command."""
    shared = {"base"} if folder == "urlscan.uri.schemes" else set()
    modules = {name for name in TREES if name.rpartition(".")[0] == folder and name.rpartition(".")[2] not in shared}
    if folder == "urlscan.rules":
        return {f"urlscan.rules.{entry.module}" for entry in REGISTRY}
    if folder == "urlscan.formats":
        return {function.partition(":")[0] for function in FORMATS.values()}
    function = {"urlscan.cli": "run"}.get(folder)
    return {name for name in modules if function is None or function in names_in(name)}


@pytest.mark.parametrize("folder", ["urlscan.rules", "urlscan.formats", "urlscan.uri.schemes", "urlscan.cli"])
def test_files_of_one_kind_do_not_import_each_other(folder: str) -> None:
    files = files_of_a_kind(folder)
    assert len(files) > 4
    assert not [one for one in IMPORTS if one.module in files and one.imported in files]


def test_modules_are_short() -> None:
    lengths = {module: path.read_text(encoding="utf-8").count("\n") for module, path in PATHS.items()}
    assert {module: length for module, length in lengths.items() if length >= LONGEST} == {}


def called(module: str) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(TREES[module]) if isinstance(node, ast.Call)}


def packages_imported(module: str) -> set[str]:
    """Return the top-level names of all imported modules."""
    names = set()
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module))
    return {name.partition(".")[0] for name in names}


def test_network_is_unused_and_files_and_output_are_confined() -> None:
    run_each(PATHS, str, check_calls)


def check_calls(module: str) -> None:
    """Assert that a module imports and calls only what it may."""
    tops = packages_imported(module)
    assert not tops & (NETWORK | PROGRAM_MODULES) - SERVER.get(module, set())
    assert not [call for call in called(module) if PROGRAM_CALLS.fullmatch(call)]
    if module.removeprefix("urlscan.") not in FILES:
        assert not tops & FILE_MODULES
        touching = {call for call in called(module) if FILE_CALLS.fullmatch(call)}
        if module in PROCESSES_MODULES:
            touching -= PROCESSES
        if module == PRINTING:  # end the process without freeing all objects
            touching -= {"os._exit"}
        # If standard output is closed, the command line opens /dev/null in its place.
        terminal = {"open", "os.dup", "os.open", "os.write", "os.get_terminal_size"}
        assert touching <= (terminal if module == "urlscan.cli.output" else set())
    if not (module == PRINTING or module.startswith(PRINTING + ".")):
        ending = set() if module in PROCESSES_MODULES else {"os._exit"}
        assert not called(module) & {"print", "input", "exit", "quit", "sys.exit", *ending}
        code = ast.unparse(TREES[module])
        assert "sys.stdout" not in code
        assert "sys.stderr" not in code


def test_modules_that_touch_files_exist() -> None:
    assert {f"urlscan.{name}" for name in FILES} <= set(PATHS)


def registered(module: str, registry: str) -> set[str]:
    """Return the "module:object" of each entry of a registry."""
    values = getattr(importlib.import_module(module), registry).values()
    if registry == "KINDS":
        return {f"{module}.{kind.reader}" for kind in values if kind.reader}
    return {where for value in values for where in re.findall(r"\burlscan\.[\w.]+(?::\w+)?", str(value))}


@pytest.mark.parametrize(
    ("module", "registry", "function"),
    [
        ("urlscan.documents", "KINDS", "regions"),
        ("urlscan.formats", "FORMATS", "render"),
        ("urlscan.cli", "COMMANDS", "run"),
    ],
)
def test_registry_names_modules_that_exist(module: str, registry: str, function: str) -> None:
    for where in registered(module, registry):
        name, _, thing = where.partition(":")
        assert hasattr(importlib.import_module(name), thing or function), where


@pytest.mark.parametrize(
    ("module", "registry", "folder", "function"),
    [
        ("urlscan.documents", "KINDS", "urlscan.documents", "regions"),
        ("urlscan.cli", "COMMANDS", "urlscan.cli", "run"),
    ],
)
def test_registry_names_every_module_of_its_kind(module: str, registry: str, folder: str, function: str) -> None:
    modules = {where.partition(":")[0] for where in registered(module, registry)}
    named = {name for name in modules if name.rpartition(".")[0] == folder}
    defined = {name for name in TREES if name.rpartition(".")[0] == folder and function in names_in(name)}
    assert defined == named
