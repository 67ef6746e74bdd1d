"""Fuzz urlscan, guided by coverage and by comparison with other readers of the same documents.

usage: python -m tests.fuzzing [--minutes N] [--state DIR] [--seeds DIR]... [TARGET]...

Set-up (Linux): `pip install 'urlscan-lint[fuzz]'`, and for AsciiDoc `npm install @asciidoctor/core` with NODE_PATH set
to its `node_modules`. Targets whose reader is missing are skipped with a message.

The time is divided among the targets, each of which runs in a process of its own: properties of any text (find, lint,
kinds, line-ends, fix, command), and comparisons with lxml (html, xml), markdown-it-py (markdown), docutils (rst),
Asciidoctor (asciidoc) and the email package (mail). DIR keeps the inputs that increased the coverage, so that another
run continues from them, and `log.jsonl` with the executions of each run. `--seeds` names directories with real
documents; the corpus of the project is always used.

A failing input is reduced, printed and kept in DIR; the exit status is 1. If urlscan is wrong, add a case to the
corpus; if the difference is intended, add an entry with the reason to `differences.py`. `python -m
tests.fuzzing.survey` collects many failures of a target at once, without coverage.
"""

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzzing import inputs
from tests.fuzzing.survey import fails, reduced
from tests.fuzzing.targets import TARGETS, Target

_ROOT = Path(__file__).parents[2]
_NEEDS = {"html": "lxml", "xml": "lxml", "markdown": "markdown_it", "rst": "docutils"}


def main(arguments: list[str]) -> int:
    """Run the targets one after the other; return the exit status."""
    options = _parser().parse_args(arguments)
    if importlib.util.find_spec("atheris") is None:
        print("fuzzing needs atheris: pip install 'urlscan-lint[fuzz]'", file=sys.stderr)
        return 2
    names = [name for name in options.targets or TARGETS if _is_available(name)]
    state = Path(options.state or tempfile.mkdtemp(prefix="urlscan-fuzz-"))
    failed = 0
    for name in names:
        result = _run(name, state, [_ROOT / "corpus", *map(Path, options.seeds)], 60 * options.minutes / len(names))
        with (state / "log.jsonl").open("a") as log:
            log.write(json.dumps(result) + "\n")
        failed += bool(result["failure"])
        print("{target:10} {executions:>9} executions in {seconds:.0f} s  {counts}".format(**result), flush=True)
        if result["failure"]:
            print(f"{name} failed: {result['failure']}", flush=True)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--minutes", type=float, default=60, help="total time (default: 60)")
    parser.add_argument("--state", metavar="DIR", help="directory for inputs and failures (default: a new one)")
    parser.add_argument("--seeds", metavar="DIR", action="append", default=[], help="directory of real documents")
    return parser


def _is_available(name: str) -> bool:
    """Return whether the reader that a target needs is installed; print a message if it is not."""
    needed = _NEEDS.get(name)
    if (needed is not None and importlib.util.find_spec(needed) is None) or (
        name == "asciidoc" and not (shutil.which("node") and os.environ.get("NODE_PATH"))
    ):
        print(f"{name} is skipped: {needed or 'node with @asciidoctor/core'} is not installed", file=sys.stderr)
        return False
    return True


def _run(name: str, state: Path, folders: list[Path], seconds: float) -> dict[str, object]:
    """Fuzz one target for some seconds; return the record for the log."""
    folder, target = state / name, TARGETS[name]
    if not folder.exists():
        folder.mkdir(parents=True)
        for number, seed in enumerate(inputs.seeds(target.kinds, folders, target.prefix, len(target.tokens))):
            (folder / f"seed-{number}").write_bytes(seed)
    (state / f"{name}.dict").write_text(inputs.dictionary(target.tokens))
    counts = state / f"{name}.counts"
    counts.unlink(missing_ok=True)
    before, begun = _failures(state, name), time.monotonic()
    limits = [f"-max_total_time={int(seconds)}", "-max_len=400", "-len_control=20", "-timeout=30", "-verbosity=0"]
    paths = [f"-dict={state / name}.dict", f"-artifact_prefix={state / name}-"]
    command = [sys.executable, "-m", "tests.fuzzing.worker", name, str(counts), *limits, *paths, str(folder)]
    done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    (state / f"{name}.stderr").write_bytes(done.stderr[-100_000:])
    seen = json.loads(counts.read_text()) if counts.exists() else {}
    failure = ""
    if done.returncode:
        new = sorted(_failures(state, name) - before)
        failure = _explained(target, new[0]) if new else f"exit status {done.returncode}, see {name}.stderr"
    executions = seen.pop("executions", 0)
    elapsed = round(time.monotonic() - begun)
    return {"target": name, "executions": executions, "seconds": elapsed, "counts": seen, "failure": failure}


def _failures(state: Path, name: str) -> set[Path]:
    return {path for kind in ("crash", "timeout", "oom") for path in state.glob(f"{name}-{kind}-*")}


def _explained(target: Target, path: Path) -> str:
    """Return how an input fails, after reducing it."""
    data = path.read_bytes()
    failure_ = fails(target.check, data) if "-crash-" in path.name else ""
    if not failure_:
        return f"{path.name}, which does not fail on its own"
    small = reduced(target.check, data, failure_)
    try:
        target.check(small)
    except Exception as error:
        return f"{small!r}: {type(error).__name__}: {error}"
    return path.name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
