#!/usr/bin/env python3
"""Score a program that finds URLs on the cases in this directory.

    python corpus/score.py [--only find] [-v] -- COMMAND [ARGUMENT]...

COMMAND is run once for each case, with the name of a file that contains the text of the case (UTF-8) as its last
argument.  It prints the URLs that it finds, one per line, in order of appearance, and nothing else.  A case is right
if they are exactly the expected ones.  The cases in fixes/ are scored on request (--only): COMMAND edits the file, and
the case is right if the file then has the expected contents; --unsafe expects the fixes that may change the meaning,
too.  The exit status is 0 if all cases are right, 1 if not, and 2 if the command cannot be run.  Needs only Python
3.11.
"""

import argparse
import concurrent.futures
import functools
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
FOLDERS = ("find", "rejoin", "documents", "schemeless", "defanged", "fixes", "rules", "targets", "anchors", "urls")
# Scored by default.  schemeless/, defanged/ and fixes/ are scored with --only; rules/ and targets/ are for linters,
# anchors/ and urls/ for libraries.
SCORED = ("find", "rejoin", "documents")
OPEN, CLOSE = "⟦", "⟧"
PROCESSES = 2


class Marked(NamedTuple):
    """A text without its marks, and the spans that were marked.

    Attributes:
        text: the input for a program.
        spans: start and end of each marked span, in characters of `text`.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


class Result(NamedTuple):
    """A case, its expected lines, and the lines that a command printed."""

    case: dict[str, Any]
    expected: list[str]
    got: list[str]


def unmarked(marked: str) -> Marked:
    """Return a text without its marks, and the marked spans.

    >>> unmarked("see ⟦http://h.example/a⟧.")
    Marked(text='see http://h.example/a.', spans=((4, 22),))
    """
    text = ""
    spans: list[tuple[int, int]] = []
    first, *rest = marked.split(OPEN)
    text = first
    for chunk in rest:
        url, closed, after = chunk.partition(CLOSE)
        if not closed or CLOSE in after:
            raise ValueError(f"marks do not match: {marked!r}")
        spans.append((len(text), len(text) + len(url)))
        text += url + after
    if CLOSE in first:
        raise ValueError(f"marks do not match: {marked!r}")
    return Marked(text, tuple(spans))


def expected(case: dict[str, Any]) -> list[str]:
    """Return the expected URLs: `urls`, or the marked texts if that is missing."""
    text, spans = unmarked(case["text"])
    urls: list[str] = case.get("urls", [text[start:end] for start, end in spans])
    return urls


def fixed_text(case: dict[str, Any], *, unsafe: bool = False) -> str:
    """Return the text of a case in fixes/ after fixing: `unsafe`, `fixed`, or the text if both are missing."""
    fixed: str = case.get("fixed", case["text"])
    return str(case.get("unsafe", fixed)) if unsafe else fixed


def files(folders: Sequence[str] = FOLDERS) -> Iterator[Path]:
    """Yield the files of the corpus, sorted by folder and name."""
    for folder in folders:
        yield from sorted((HERE / folder).glob("*.toml"))


def load(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file."""
    cases: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    return cases


def name(path: Path) -> str:
    """Return the name of a file with its folder: `find/hosts.toml`."""
    return f"{path.parent.name}/{path.name}"


def counts() -> str:
    """Return the table of README.md."""
    rows = ["| file | cases | what |", "| --- | ---: | --- |"]
    total = 0
    for path in files():
        number = len(load(path))
        total += number
        # The first line of a file is a comment that describes it.
        about = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
        about = about.replace("<", "&lt;").replace("|", "&#124;")
        rows.append(f"| {name(path)} | {number} | {about} |")
    return "\n".join([*rows, f"| together | {total} | |"]) + "\n"


def fix(command: Sequence[str], case: dict[str, Any], file: Path, timeout: float, *, unsafe: bool) -> Result:
    """Run the command on one case of fixes/, and return what it made of `file`."""
    file.write_bytes(case["text"].encode())
    options = [f"--profile={case['profile']}"] if "profile" in case else []
    options += [f"--extend-select={','.join(case['extend'])}"] if "extend" in case else []
    try:
        subprocess.run([*command, *options, str(file)], capture_output=True, timeout=timeout, check=False)
        got = file.read_bytes().decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        got = f"(nothing within {timeout:g} s)"
    return Result(case, [fixed_text(case, unsafe=unsafe)], [got])


def run(command: Sequence[str], case: dict[str, Any], file: Path, timeout: float) -> Result:
    """Run the command on one case, whose text is written to `file`, and return what it printed."""
    file.write_bytes(unmarked(case["text"]).text.encode())
    try:
        done = subprocess.run([*command, str(file)], capture_output=True, timeout=timeout, check=False)
        lines = done.stdout.decode("utf-8", "replace").split("\n")
        got = [line.removesuffix("\r") for line in lines if line.strip()]
    except subprocess.TimeoutExpired:
        got = [f"(nothing within {timeout:g} s)"]
    return Result(case, expected(case), got)


def _path_for(directory: str, case: dict[str, Any], name: str) -> Path:
    """Return the path for the text of a case: in a folder of its own if its name determines its kind."""
    if "path" not in case:
        return Path(directory, f"{name}.txt")
    folder = Path(directory, name)
    folder.mkdir()
    return folder / case["path"]


def report(path: Path, results: Sequence[Result], verbose: bool) -> int:
    """Print the score of a file; return how many of its cases are right."""
    right = sum(result.expected == result.got for result in results)
    print(f"{name(path):28}{right:4} of {len(results)}")
    for case, wanted, got in results if verbose else ():
        if wanted != got:
            print(f"    {case['id']}: {case['why']}")
            print(f"        text     {unmarked(case['text']).text!r}")
            print(f"        expected {wanted}")
            print(f"        got      {got}")
    return right


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a command; return the exit status."""
    parser = argparse.ArgumentParser(
        description="Score a program that finds URLs.", usage="%(prog)s [options] -- COMMAND [ARGUMENT]..."
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="a folder or a file: find, find/hosts.toml")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the cases that are wrong")
    parser.add_argument("--timeout", type=float, default=20, metavar="SECONDS", help="for each case (default: 20)")
    parser.add_argument("--unsafe", action="store_true", help="expect fixes that may change the meaning, too")
    parser.add_argument("--counts", action="store_true", help="print the table of README.md and exit")
    parser.add_argument("command", nargs="*", help="finds or fixes URLs in the file named by its last argument")
    options = parser.parse_args(arguments)
    if options.counts:
        print(counts(), end="")
        return 0
    asked = (*SCORED, "schemeless", "defanged", "fixes") if options.only else SCORED
    chosen = [p for p in files(asked) if not options.only or {name(p), p.parent.name, p.stem} & set(options.only)]
    if not options.command or not chosen:
        parser.error("give a command after --" if chosen else f"no file is called {' or '.join(options.only)}")
    right = total = 0
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        for path in chosen:
            cases = load(path)
            places = [_path_for(directory, case, f"{path.stem}-{number}") for number, case in enumerate(cases)]
            score = functools.partial(fix, unsafe=options.unsafe) if path.parent.name == "fixes" else run
            jobs = [
                pool.submit(score, options.command, case, place, options.timeout)
                for case, place in zip(cases, places, strict=True)
            ]
            try:
                results = [job.result() for job in jobs]
            except OSError as error:
                print(f"{parser.prog}: cannot run {options.command[0]}: {error.strerror}", file=sys.stderr)
                return 2
            right += report(path, results, options.verbose)
            total += len(cases)
    print(f"{'together':28}{right:4} of {total}")
    return 0 if right == total else 1


if __name__ == "__main__":
    sys.exit(main())
