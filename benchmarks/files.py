"""Time `urlscan check` and other tools on thousands of small files, as in a pre-commit hook.

usage: python benchmarks/files.py [--runs N] [--files N] [--jobs N] [FOLDER]

The 8,000 files of 8 KB consist of words and URLs of the corpus, in the formats that are common in repositories:
Markdown, Python, plain text, YAML, reStructuredText, JavaScript, HTML, JSON. One file in fifty contains a malformed
URL. Each tool is run on the folder, and then on the names in the batches of pre-commit. The tools take turns, and the
figures are the minima of the runs: total processor time, which depends less on other programs on the machine, and wall
time. Tools that are not installed are listed and skipped. The tools have different tasks: codespell and typos search
for misspelled words, and `ruff check` only parses Python, so it is only given Python files.
"""

import argparse
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from functools import partial

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from timing import ENVIRONMENT, HERE, Usage, in_turn, machine, missing, print_table, tool

import urlscan

SIZE = 8192
# The defaults of pre-commit on Linux: command lines of at most 128 KB, one process per processor.
ARGUMENTS = 1 << 17


def materials() -> tuple[list[str], list[str]]:
    """Return paragraphs of prose, and valid URLs."""
    prose, urls = [], []
    for path in sorted(HERE.parent.glob("*.md")):
        text = " ".join(path.read_text(encoding="utf-8").replace("`", "").split())
        prose += re.findall(r"[A-Z][^.<>|:\[\]]{40,200}\.(?= )", text)
    for path in sorted((HERE.parent / "corpus").glob("urls/*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            url = case.get("url", "")
            if url.startswith(("http://", "https://", "ftp://")) and url.isascii() and not urlscan.check(url):
                urls.append(url)
    return prose, [url for url in urls if not set(url) & set("()[]'\"*<>`")]


def build_file(kind: str, number: int, prose: list[str], urls: list[str]) -> str:
    """Return a file of the given kind with about 8 KB and a URL every 800 bytes, like documentation."""
    chance = random.Random(number)
    parts: list[str] = []
    size = 0
    while size < SIZE:
        url = f"https://www{chance.randrange(99)}.h.example/{chance.choice(WORDS)}/{number}"
        if chance.random() < 0.2:
            url = chance.choice(urls)
        if not parts and number % 50 == 0:
            url += "%"
        parts.append(MAKERS[kind](f"part_{len(parts)}", url, lambda: " ".join(chance.sample(prose, 2)), number))
        size += len(parts[-1])
    if kind == "json":
        return "{\n" + "".join(parts) + ' "end": 0\n}\n'
    return "\n".join(parts)


WORDS = "about blog docs guide reference issues tree/main/src releases wiki api/v2 static/img archive/2026 news".split()


def _markdown(name: str, url: str, some: Callable[[], str], _: int) -> str:
    return f"## {name}\n\n{some()}\n\n- {some()}\n- {some()}\n\n{some()} See [{name}]({url}).\n"


def _rst(name: str, url: str, some: Callable[[], str], _: int) -> str:
    return f"{name}\n{'=' * len(name)}\n\n{some()}\n\n{some()}\n\n* {some()}\n\nSee `{name} <{url}>`_.\n"


def _text(name: str, url: str, some: Callable[[], str], _: int) -> str:
    return f"{name}\n\n{some()}\n\n{some()}\n\n{some()}\n\nIt is at <{url}>.\n"


def _python(name: str, url: str, some: Callable[[], str], number: int) -> str:
    body = "".join(f"    total += len(values[{n}]) * {number} if {n} in values else fallback\n" for n in range(6))
    words = one_line(some()).replace("\\", "")
    return (
        f'def {name}(values: dict[int, str], fallback: int = {number}) -> str:\n    """{words}."""\n    total = 0\n'
        f'    # {one_line(some())}\n{body}    return f"{url}?total={{total}}"\n\n'
    )


def _javascript(name: str, url: str, some: Callable[[], str], number: int) -> str:
    body = "".join(f"  if (values[{n}] !== undefined) {{ total += values[{n}].length; }}\n" for n in range(6))
    return (
        f"// {one_line(some())}\n// {one_line(some())}\n"
        f"export async function {name}(values) {{\n  let total = {number};\n{body}"
        f'  return fetch("{url}", {{ total }});\n}}\n'
    )


def _yaml(name: str, url: str, some: Callable[[], str], number: int) -> str:
    steps = "".join(f"    - name: step {n}\n      run: make part-{n}\n      timeout: {number}\n" for n in range(8))
    return f"{name}:\n  # {one_line(some())}\n  on: [push, pull_request]\n  steps:\n{steps}  url: {url}\n"


def _html(name: str, url: str, some: Callable[[], str], _: int) -> str:
    words = [html(some()) for _ in range(3)]
    return (
        f'<section class="part">\n<h2 id="{name}">{name}</h2>\n<p>{words[0]}</p>\n<ul><li>{words[1]}</li>\n'
        f"<li><code>{name}</code>: {words[2]}</li></ul>\n"
        f'<p class="more"><a href="{html(url)}">{name}</a></p>\n</section>\n'
    )


def _json(name: str, url: str, some: Callable[[], str], number: int) -> str:
    values = ", ".join(f'"key_{n}": [{number}, true, "value {n}"]' for n in range(12))
    return f' "{name}": {{"title": "{one_line(some())}", {values}, "url": "{url}"}},\n'


MAKERS = {
    "md": _markdown, "py": _python, "txt": _text, "yaml": _yaml, "rst": _rst, "js": _javascript, "html": _html,
    "json": _json,
}  # fmt: skip


def one_line(text: str) -> str:
    """Return prose as a single line of a comment."""
    return " ".join(text.replace('"', "").split())[:110]


def html(text: str) -> str:
    """Return text as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def write_files(folder: pathlib.Path, many: int) -> list[str]:
    """Write the files into a folder, a hundred per directory, and return their names."""
    prose, urls = materials()
    names = []
    for number in range(many):
        kind = list(MAKERS)[number % len(MAKERS)]
        path = folder / f"d{number // 100:03}" / f"f{number}.{kind}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(build_file(kind, number, prose, urls), encoding="utf-8")
        names.append(str(path.relative_to(folder)))
    return names


def batches(names: list[str]) -> list[list[str]]:
    """Return the names in the batches of pre-commit: shuffled with a fixed seed, so that the kinds are mixed."""
    names = sorted(names)
    random.Random(1542676187).shuffle(names)
    found: list[list[str]] = [[]]
    size = 0
    for name in names:
        size += len(name) + 1
        if size > ARGUMENTS:
            found.append([])
            size = len(name) + 1
        found[-1].append(name)
    return found


def spent(commands: list[list[str]], folder: pathlib.Path, together: int) -> Usage:
    """Run commands, `together` at a time, and return what they took; their output is discarded."""
    begin, used = time.perf_counter(), processor_time()
    running: list[subprocess.Popen[bytes]] = []
    for command in commands:
        while len(running) == together:
            running.pop(0).wait()
        running.append(
            subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        )
    for process in running:
        process.wait()
    return Usage(processor_time() - used, time.perf_counter() - begin)


def processor_time() -> float:
    """Return the processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tools(jobs: str | None) -> dict[str, tuple[list[str], str]]:
    """Return the available commands, with the extension of the files they process."""
    wanted = {
        "urlscan check": (["urlscan", "check", *(["-j", jobs] if jobs else [])], ""),
        "codespell": (["codespell"], ""),
        "typos": (["typos"], ""),
        "ruff check (its Python)": (["ruff", "check", "--isolated", "--no-cache", "--select", "E,F,W"], ".py"),
    }
    return {
        name: ([where, *command[1:]], ending)
        for name, (command, ending) in wanted.items()
        if (where := tool(command[0])) is not None
    }


def main() -> None:
    """Write the files, time the tools, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--files", type=int, default=8000)
    parser.add_argument("--jobs", help="of urlscan alone")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="take the files below it, and make none")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as made_in:
        folder = pathlib.Path(options.folder or made_in)
        if options.folder:
            names = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
        else:
            names = write_files(folder, options.files)
        title = f"{len(names)} files, {sum((folder / name).stat().st_size for name in names) / 1e6:.1f} MB"
        whole, divided = dict[str, Callable[[], Usage]](), dict[str, Callable[[], Usage]]()
        for name, (command, ending) in tools(options.jobs).items():
            given = batches([one for one in names if one.endswith(ending)])
            whole[name] = partial(spent, [[*command, "."]], folder, 1)
            divided[name] = partial(spent, [[*command, *batch] for batch in given], folder, os.cpu_count() or 1)
        print_table(f"{title}, one folder", in_turn(options.runs, whole), "codespell")
        print_table(f"{title}, in batches", in_turn(options.runs, divided), "codespell")
    missing(("codespell", "typos", "ruff"))


if __name__ == "__main__":
    main()
