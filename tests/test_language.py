"""Keep docstrings, comments, messages and documents in plain technical English.

A list of words is searched in every text that a reader of the project sees, names of tests included.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("urlscan", "corpus", "benchmarks", "tools")
DOCUMENTS = ("*.md", "docs/**/*.md", "corpus/README.md")

# Each pattern is followed by what to write instead.
WORDS = {
    r"stands?|stood|standing": "is, represents",
    r"behind": "after",
    r"heard|hears?|hearing": "reported, read",
    r"(?<!a)mend(?:s|ed|ing)?": "fix",
    r"vouch(?:es|ed)?": "confirm",
    r"(?:is|are|was|were|be) (?:told|said|spoken)": "is detected, is reported",
    r"(?:says?|said|speaks?|spoke) (?:of|so|it|more|no more)": "report, describe",
    r"(?:goes|go|went|going) on": "continue",
    r"veil(?:s|ed|ing)?": "mask",
    r"swaps?": "replacement",
    r"loud(?:er|est)?|how loud": "severity",
    r"silenc(?:e|es|ed|ing)": "suppress",
    r"obey(?:s|ed|ing)?": "honor, apply",
    r"nobody|somebody|whoever": "name the subject",
    r"thereof|thereby|herein|hence|whence": "write a plain sentence",
    r"shall": "must, will",
    r"lets? (?:pass|through)": "accept",
    r"passed over": "skipped",
    r"(?:left|leaves?|let) alone": "not changed",
    r"taken for|takes? (?:it|them|this|that) for": "read as",
    r"leads? back": "is mapped to",
    r"anew|all the same|none the less": "write a plain sentence",
    r"told|speaks?|spoke|spoken": "reported, name",
    r"(?<!there )(?:is|are) (?-i:none)": "is not a ...",
    r"trouble": "error, problem",
    r"stretch(?:es)?": "chunk",
    r"gaps?": "break",
    r"becomes? of|makes? of": "write a plain sentence",
    r"go(?:es)? by|looked at": "use, examine",
    r"obvious(?:ly)?|simply|just": "leave it out",
    r"(?:is|are|was) no (?:more|longer) \w+ than": "write a plain sentence",
    r"by itself alone|and no other": "only",
    r"none the (?:fewer|same)|somebody else's|ends? too early|which is not here": "write a plain sentence",
    r"neighbour|colour|behaviour|recognis\w+|normalis\w+|favour|labelled|licen[c]e|judgement": "American spelling",
}
WORD = re.compile(rf"(?<![\w`-])(?:{'|'.join(WORDS)})(?![\w`-])", re.IGNORECASE)
# A sentence that opens with a relative clause ("What is not ASCII is found by ...") or with an inversion ("Of two
# that overlap ..."), unless it is a question.
OPENER = re.compile(r"(?:^|[.:!?]\s+)((?:What|Who|Whose|Of (?:a|an|the|two|many|what))\b(?![^.?!]*\?)[^.?!]{0,40})")
# Code between backticks, quoted text, and addresses are not our words.
QUOTED = re.compile(r"```.*?```|`[^`\n]*`|\"[^\"\n]*\"|<[^>\n]*>|https?://\S+", re.DOTALL)


class Text(NamedTuple):
    """A piece of text to check, with the line of the file that it begins at (1-based)."""

    line: int
    value: str


def comments(source: str) -> Iterator[Text]:
    """Yield each block of comments as one text."""
    lines: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        row = token.start[0]
        if lines and row != last + 1:
            yield Text(first, " ".join(lines))
            lines = []
        if not lines:
            first = row
        lines.append(token.string.lstrip("#: "))
        last = row
    if lines:
        yield Text(first, " ".join(lines))


def strings(tree: ast.AST) -> Iterator[Text]:
    """Yield the string constants that hold words: docstrings, messages, help texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield Text(node.lineno, node.value)


def docstrings(tree: ast.AST) -> Iterator[Text]:
    """Yield the docstrings only: strings in tests and tables are mostly data."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            value = ast.get_docstring(node)
            if value is not None:
                yield Text(node.body[0].lineno, value)


def names_of_tests(tree: ast.AST) -> Iterator[Text]:
    """Yield the names of tests as sentences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield Text(node.lineno, node.name.removeprefix("test_").replace("_", " "))


def texts_of(path: Path) -> Iterator[Text]:
    """Yield the texts of a Python file or a Markdown document that are written for readers."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield Text(1, source)
        return
    yield from comments(source)
    tree = ast.parse(source)
    if {"tests", "data"} & set(path.relative_to(ROOT).parts):
        yield from docstrings(tree)
        yield from names_of_tests(tree)
    else:
        yield from strings(tree)


def problems_of(text: Text) -> Iterator[str]:
    """Yield "LINE: words" for each word of the list and each inverted sentence."""
    value = QUOTED.sub(lambda match: re.sub(r"[^\n]", "_", match[0]), text.value)
    for pattern, group in ((WORD, 0), (OPENER, 1)):
        for match in pattern.finditer(value):
            line = text.line + value.count("\n", 0, match.start(group))
            yield f"{line}: {match[group]}"


def files() -> Iterator[Path]:
    """Yield the Python files and the Markdown documents of the project."""
    for folder in (*CODE, "tests"):
        yield from sorted((ROOT / folder).rglob("*.py"))
    for pattern in DOCUMENTS:
        yield from sorted(ROOT.glob(pattern))


def name_of(path: Path) -> str:
    """Return the path relative to the project, with slashes."""
    return path.relative_to(ROOT).as_posix()


def problems_in(path: Path) -> list[str]:
    """Return "PATH:LINE: words" for each problem of a file."""
    return [f"{name_of(path)}:{problem}" for text in texts_of(path) for problem in problems_of(text)]


def test_language_is_plain() -> None:
    """No text contains a word of the list."""
    checked = [path for path in files() if path != Path(__file__)]
    assert len(checked) > 300
    assert [problem for path in checked for problem in problems_in(path)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The closer stands at the end.", ["1: stands"]),
        ("What is not ASCII is found by two passes.", ["1: What is not ASCII is found by two passes"]),
        ("Of two that overlap, the first.", ["1: Of two that overlap, the first"]),
        ("First.\nBehind it\nnobody looks.", ["2: Behind", "3: nobody"]),
        ("What is a URL? We understand amended `behind` names.", []),
        ('The message says "stands".', []),
    ],
)
def test_word_list(text: str, found: list[str]) -> None:
    """The patterns find the words of the list and no others."""
    assert list(problems_of(Text(1, text))) == found
