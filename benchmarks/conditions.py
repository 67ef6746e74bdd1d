"""Measure what each condition of the finder does: switch off one at a time.

    python benchmarks/conditions.py [--cases PATTERN] [--texts DIRECTORY]... [--module NAME]... [--show]

The modules of `urlscan/finder/` are loaded with each condition replaced: an operand of `and` is true, an operand of
`or` false, the test of an `if` or of a conditional expression false. A condition is *decisive* in a text if it has the
other value there. The cases of `corpus/` and the files of the directories (UTF-8 text, by their names) are searched
with several sets of options, with all conditions and without each that is decisive.

A condition that is decisive in no text, or changes no match in any, is printed with --show; it needs a case in
`corpus/`, a comment that states the type or the time that it guards, or it can be deleted. `fast_path.py` is left out:
its conditions save time and change no match.
"""

import argparse
import ast
import importlib.util
import signal
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FINDER = ROOT / "urlscan" / "finder"
# Modules whose conditions only save time, and those without conditions.
_LEFT_OUT = frozenset(("__init__", "fast_path"))
# How many bytes of a file are searched, and how many texts of the directories decide about one condition.
_LONGEST, _MOST_TEXTS = 1 << 16, 60
# A search without a condition may not end.
_MOST_SECONDS = 3.0


class Condition(NamedTuple):
    """A condition of the finder.

    Attributes:
        module: the name of its module.
        line: its line there.
        source: the condition as written.
        neutral: the value that switches it off.
    """

    module: str
    line: int
    source: str
    neutral: bool


class Text(NamedTuple):
    """A text to search.

    Attributes:
        name: the case or the file.
        kind: the kind of text.
        text: its contents.
        is_case: whether it is a case of the corpus.
    """

    name: str
    kind: str
    text: str
    is_case: bool


class Conditions(ast.NodeTransformer):
    """Replaces the conditions of modules by calls, and evaluates these.

    Attributes:
        conditions: all of them.
        disabled: the number of the condition that is off, or -1.
        decisive: the numbers of the conditions that had the other value since this was cleared.
    """

    def __init__(self) -> None:
        self.conditions: list[Condition] = []
        self.disabled = -1
        self.decisive: set[int] = set()
        self._module = ""

    def evaluate(self, number: int, value: Any) -> Any:
        """Return the value of a condition, or the neutral value if it is switched off."""
        neutral = self.conditions[number].neutral
        if bool(value) is not neutral:
            self.decisive.add(number)
        return neutral if number == self.disabled else value

    def transform(self, source: str, module: str) -> ast.Module:
        """Return the syntax tree of a module with calls in place of its conditions."""
        self._module = module
        tree = ast.parse(source)
        return ast.fix_missing_locations(self.visit(tree))

    def _call(self, node: ast.expr, *, neutral: bool) -> ast.expr:
        self.conditions.append(Condition(self._module, node.lineno, ast.unparse(node), neutral))
        number = ast.Constant(len(self.conditions) - 1)
        inner = self.visit(node)
        call = ast.Call(ast.Name("__condition__", ast.Load()), [number, inner], [])
        return ast.copy_location(call, node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Replace the operands."""
        neutral = isinstance(node.op, ast.And)
        # An assignment in an operand has to take place.
        node.values = [
            self.visit(value) if _assigns(value) else self._call(value, neutral=neutral) for value in node.values
        ]
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        """Replace the test."""
        return self._with_test(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Replace the test."""
        return self._with_test(node)

    def _with_test(self, node: Any) -> Any:
        if _assigns(node.test):
            return self.generic_visit(node)
        test, node.test = node.test, ast.Constant(True)
        self.generic_visit(node)
        node.test = self._call(test, neutral=False)
        return node


def _assigns(node: ast.expr) -> bool:
    return any(isinstance(child, ast.NamedExpr) for child in ast.walk(node))


class _Loader(SourceFileLoader):
    """Loads a module of the finder with calls in place of its conditions."""

    def __init__(self, name: str, path: str, conditions: Conditions) -> None:
        super().__init__(name, path)
        self._conditions = conditions

    def get_code(self, fullname: str) -> Any:
        """Return the compiled module; the bytecode on disk is not used."""
        source = Path(self.path).read_text(encoding="utf-8")
        return compile(self._conditions.transform(source, Path(self.path).stem), self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        module.__dict__["__condition__"] = self._conditions.evaluate
        super().exec_module(module)


class _Importer(MetaPathFinder):
    """Finds the modules of the finder."""

    def __init__(self, conditions: Conditions) -> None:
        self._conditions = conditions

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return the specification of a module of the finder, or None for others."""
        package, _, name = fullname.rpartition(".")
        if package != "urlscan.finder" or name in _LEFT_OUT:
            return None
        file = str(FINDER / f"{name}.py")
        return importlib.util.spec_from_file_location(fullname, file, loader=_Loader(fullname, file, self._conditions))


def _interrupt(*_: object) -> None:
    raise TimeoutError


class Search:
    """Searches texts with a finder whose conditions can be switched off."""

    def __init__(self) -> None:
        self.conditions = Conditions()
        signal.signal(signal.SIGVTALRM, _interrupt)
        sys.meta_path.insert(0, _Importer(self.conditions))
        sys.path.insert(0, str(ROOT))
        for path in sorted(FINDER.glob("*.py")):
            importlib.import_module(f"urlscan.finder.{path.stem}")
        self._modules = [module for name, module in sys.modules.items() if name.startswith("urlscan.finder.")]

    def search(self, text: Text) -> list[Any]:
        """Return the matches of a text with all sets of options; an exception counts as a result."""
        from urlscan.api.texts import scan_document
        from urlscan.finder import FindOptions

        modes = [FindOptions(look_alikes=True, continuations=True), FindOptions(rejoin="guess")]
        if text.is_case:
            loose = FindOptions(schemeless=True, emails=True)
            modes += [FindOptions(), loose, FindOptions(rejoin="never"), FindOptions(defanged=True)]
            modes += [loose._replace(defanged=True, rejoin="guess")]
        results = []
        for options in modes:
            self._clear_caches()
            signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
            try:
                results.append(list(scan_document(text.text, text.kind, options)))
            except Exception as error:  # a condition may guard a type, or the end of a loop
                results.append([type(error).__name__])
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return results

    def _clear_caches(self) -> None:
        """Clear what depends on conditions: the fast matches, and the prefixes of lines."""
        from urlscan.finder import fast_path, line_prefixes

        for cache in (
            fast_path.match_fast,
            line_prefixes._comment_leader,
            line_prefixes._quote_prefix,
            line_prefixes._rare_quote_prefix,
        ):
            cache.cache_clear()


class Effects(NamedTuple):
    """The effects of switching a condition off.

    Attributes:
        decisive: how many texts it is decisive in.
        changed: the names of the first texts whose matches change.
    """

    decisive: int
    changed: tuple[str, ...]


def cases(pattern: str) -> Iterator[Text]:
    """Yield the cases with a text in those files of the corpus that match a pattern."""
    from urlscan.documents.identify import identify

    for path in sorted((ROOT / "corpus").glob(pattern)):
        if path.parent.name in ("anchors", "targets", "urls"):
            continue
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            text = case["text"].replace("⟦", "").replace("⟧", "")
            kind = identify(case["path"], text) if "path" in case else "plain"
            yield Text(f"{path.parent.name}/{path.stem}: {case['id']}", kind, text, True)


def files(directories: Sequence[Path]) -> Iterator[Text]:
    """Yield the texts of directories, in slices."""
    from urlscan.documents.identify import identify

    for directory in directories:
        for path in sorted(path for path in directory.rglob("*") if path.is_file()):
            text = path.read_bytes().decode("utf-8", "replace")
            kind = identify(path.name, text[:1024])
            for start in range(0, len(text), _LONGEST):
                yield Text(f"{path}:{start}", kind, text[start : start + _LONGEST], False)


def measure(search: Search, texts: Sequence[Text], modules: Sequence[str]) -> dict[Condition, Effects]:
    """Return the effects of switching off each condition."""
    conditions, usual = search.conditions, []
    decisive: defaultdict[int, list[int]] = defaultdict(list)
    for number, text in enumerate(texts):
        conditions.decisive.clear()
        usual.append(search.search(text))
        for condition in conditions.decisive:
            decisive[condition].append(number)
    effects = {}
    for number, condition in enumerate(conditions.conditions):
        if modules and condition.module not in modules:
            continue
        conditions.disabled = number
        changed = []
        in_cases = [each for each in decisive[number] if texts[each].is_case]
        in_files = [each for each in decisive[number] if not texts[each].is_case]
        step = len(in_files) // _MOST_TEXTS + 1
        for each in (*in_cases, *in_files[::step]):
            if search.search(texts[each]) != usual[each]:
                changed.append(texts[each].name)
                break
        effects[condition] = Effects(len(decisive[number]), tuple(changed))
        conditions.disabled = -1
    return effects


def table(effects: dict[Condition, Effects]) -> Iterator[str]:
    """Yield the lines of a table of the modules."""
    yield "| module | conditions | never decisive | decisive, changes no match | changes matches |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    rows: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for condition, effect in effects.items():
        row = rows[condition.module]
        row[2 if effect.changed else 1 if effect.decisive else 0] += 1
    for module, (unreached, same, changing) in sorted(rows.items()):
        yield f"| {module} | {unreached + same + changing} | {unreached} | {same} | {changing} |"
    columns = list(zip(*rows.values(), strict=True))
    unreached, same, changing = (sum(column) for column in columns)
    yield f"| all | {unreached + same + changing} | {unreached} | {same} | {changing} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", metavar="DIRECTORY", action="append", type=Path, default=[])
    parser.add_argument("--cases", metavar="PATTERN", default="*/*.toml", help="which files of corpus/ are searched")
    parser.add_argument("--module", metavar="NAME", action="append", default=[])
    parser.add_argument("--show", action="store_true", help="print the conditions that change no match")
    options = parser.parse_args()
    search = Search()
    effects = measure(search, [*cases(options.cases), *files(options.texts)], options.module)
    print("\n".join(table(effects)))
    if options.show:
        for condition, effect in effects.items():
            if not effect.changed:
                state = f"decisive in {effect.decisive}" if effect.decisive else "never decisive"
                print(f"{condition.module}:{condition.line}: {condition.source} ({state})")


if __name__ == "__main__":
    main()
