"""Keep docstrings, comments, messages and documents in plain technical English.

A list of words is searched in every text that a reader of the project sees.  `NOT_YET` names the packages that are
still to be rewritten; an entry is removed with the last word that it excuses.
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

NOT_YET = ("tests/",)

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
    r"(?:is|are|was) no (?:more|longer) \w+ than": "write a plain sentence",
    r"by itself alone|and no other": "only",
    r"neighbour|colour|behaviour|recognis\w+|normalis\w+|favour": "American spelling",
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
    """Yield the docstrings alone: strings of tests are mostly data."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            value = ast.get_docstring(node)
            if value is not None:
                yield Text(node.body[0].lineno, value)


def texts_of(path: Path) -> Iterator[Text]:
    """Yield the texts of a Python file or a Markdown document that are written for readers."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield Text(1, source)
        return
    yield from comments(source)
    tree = ast.parse(source)
    yield from docstrings(tree) if "tests" in path.relative_to(ROOT).parts else strings(tree)


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
    """Rewritten packages contain no word of the list."""
    checked = [path for path in files() if not name_of(path).startswith(NOT_YET) and path != Path(__file__)]
    assert checked
    assert [problem for path in checked for problem in problems_in(path)] == []


@pytest.mark.parametrize("prefix", NOT_YET)
def test_allow_list_shrinks(prefix: str) -> None:
    """Each entry of the allow-list still excuses something; otherwise it must be removed."""
    assert any(
        next(problems_of(text), None) for path in files() if name_of(path).startswith(prefix) for text in texts_of(path)
    )


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
