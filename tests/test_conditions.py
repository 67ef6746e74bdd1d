"""Refuse conditions in place of numbers: a text that is multiplied by one, and a sequence that is indexed by one."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("urlscan", "tools", "benchmarks", "corpus", "tests")
SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.parent != ROOT / "urlscan/data"
}
BUILT_IN = {"bool", "isinstance", "issubclass", "hasattr", "callable", "any", "all", "startswith", "endswith"}


def flags_of(tree: ast.AST) -> set[str]:
    """Return the names of parameters, fields and functions that are annotated as bool only."""
    annotations = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            annotations[node.arg].add(ast.unparse(node.annotation))
        elif isinstance(node, ast.AnnAssign):
            annotations[ast.unparse(node.target).removeprefix("self.")].add(ast.unparse(node.annotation))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            annotations[node.name].add(ast.unparse(node.returns))
    return {name for name, types in annotations.items() if types == {"bool"}}


def is_condition(node: ast.expr, flags: set[str]) -> bool:
    """Return whether the value of an expression is True or False."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(is_condition(value, flags) for value in values)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in flags | BUILT_IN or name.startswith(("is_", "has_"))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in flags or name.startswith(("is_", "has_"))
    return False


def tricks_in(tree: ast.AST, flags: set[str]) -> Iterator[ast.AST]:
    """Yield the products with a condition, and the values that a condition selects as an index or a slice."""
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                numbers = [left, right]
            case ast.AugAssign(op=ast.Mult(), value=factor):
                numbers = [factor]
            case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper)):
                numbers = [bound for bound in (lower, upper) if bound is not None]
            case ast.Subscript(slice=index):
                numbers = [index]
            case _:
                numbers = []
        if any(is_condition(number, flags) for number in numbers):
            yield node


TREES = {name: ast.parse(source) for name, source in SOURCES.items()}
FLAGS = flags_of(ast.Module([statement for tree in TREES.values() for statement in tree.body], []))


def test_no_condition_is_used_as_a_number() -> None:
    tricks = [
        f"{name}:{node.lineno}: {ast.unparse(node)}" for name, tree in TREES.items() for node in tricks_in(tree, FLAGS)
    ]
    assert tricks == []


@pytest.mark.parametrize(
    "expression",
    [
        '"s" * (count != 1)',
        '(not follow) * "a"',
        '", ..." * bool(more)',
        '"=" * name.startswith("--")',
        "new * (is_known and not quiet)",
        '("a", "b")[count > 1]',
        "checks[not template]",
        "pattern[is_negated:]",
        'text *= name == ""',
        '"original" * options.with_original',
        "first * has_first(1)",
        "patterns[flag]",
    ],
)
def test_condition_as_a_number_is_detected(expression: str) -> None:
    flags = flags_of(ast.parse("flag: bool\ndef check(with_original: bool): ..."))
    assert list(tricks_in(ast.parse(expression), flags)) != []


@pytest.mark.parametrize(
    "expression",
    [
        '" " * width',
        "2 * (count or 1)",
        "[0] * len(names)",
        "counts[name]",
        "patterns[number > 0 or name]",
        '"s" if count != 1 else ""',
        "sum(count > 1 for count in counts)",
        '"=" * (-len(octets) % 4)',
    ],
)
def test_numbers_are_no_conditions(expression: str) -> None:
    flags = flags_of(ast.parse("count: int\ndef name() -> bool: ...\nname: str"))
    assert list(tricks_in(ast.parse(expression), flags)) == []
