"""Count what a reader must know to follow one finding, and measure the style of the package.

    python benchmarks/ideas.py

checks a Markdown file of three lines and prints how many functions and modules of the package run and how deep they
call each other, then the size of the package and its rates per 1,000 lines. Comprehensions, lambdas and code that runs
on import are no functions here. `tests/test_ideas.py` holds the limits.
"""

import ast
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "urlscan"
_PAGE = "# A\n\nSee [b](http://h.example.org/a|b).\n"
# Names that a reader of another project would have to ask about.
_VAGUE = frozenset("found one some theirs others at place here done stop known wanted shown held own kept left".split())
_NEW_LOCALS = 1  # the flag of code objects of functions: CO_OPTIMIZED


class Trace(NamedTuple):
    """The functions and modules that run for one finding.

    Attributes:
        functions, modules: how many different ones of the package are called.
        depth: the most functions of the package on the stack.
        output: what the command printed.
    """

    functions: int
    modules: int
    depth: int
    output: str


class Style(NamedTuple):
    """Rates of the package.

    Attributes:
        lines: the lines of all modules.
        conditionals: conditional expressions per 1,000 lines of code.
        local_imports: imports in functions.
        vague_names: vague names per 1,000 names that are bound.
    """

    lines: int
    conditionals: float
    local_imports: int
    vague_names: float


def trace() -> Trace:
    """Check a page with one finding, and return the functions and modules that ran."""
    sys.path.insert(0, str(ROOT))
    called: set[tuple[str, str]] = set()
    depth = 0

    def is_function(frame: FrameType) -> bool:
        code = frame.f_code
        is_ours = code.co_filename.startswith(str(PACKAGE) + os.sep)
        return is_ours and bool(code.co_flags & _NEW_LOCALS) and not code.co_name.startswith("<")

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth
        if event != "call" or not is_function(frame):
            return
        called.add((frame.f_code.co_filename, frame.f_code.co_qualname))
        depth = max(depth, sum(map(is_function, callers(frame))))

    printed, directory = io.BytesIO(), os.getcwd()
    output = io.TextIOWrapper(printed, encoding="utf-8")
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(output):
        Path(name, "a.md").write_text(_PAGE)
        os.chdir(name)
        from urlscan.cli import main

        sys.setprofile(profile)
        try:
            main(["check", "--isolated", "a.md"])
        finally:
            sys.setprofile(None)
            os.chdir(directory)
    return Trace(len(called), len({module for module, _ in called}), depth, printed.getvalue().decode())


def callers(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def style() -> Style:
    """Measure the modules of the package."""
    lines = code = conditionals = local_imports = names = vague = 0
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        lines += source.count("\n")
        code += sum(1 for line in source.splitlines() if re.match(r"\s*[^\s#]", line))
        for node in ast.walk(ast.parse(source)):
            conditionals += isinstance(node, ast.IfExp)
            if isinstance(node, ast.FunctionDef):
                local_imports += sum(isinstance(child, ast.Import | ast.ImportFrom) for child in ast.walk(node))
            if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
                names += 1
                vague += (node.arg if isinstance(node, ast.arg) else node.id) in _VAGUE
    return Style(lines, 1000 * conditionals / code, local_imports, 1000 * vague / names)


def main() -> None:
    """Print both."""
    one, rates = trace(), style()
    print(f"one finding: {one.functions} functions in {one.modules} modules, depth {one.depth}")
    print(f"urlscan/: {rates.lines} lines, {rates.local_imports} imports in functions")
    print(f"per 1,000: {rates.conditionals:.1f} conditional expressions, {rates.vague_names:.1f} vague names")


if __name__ == "__main__":
    main()
