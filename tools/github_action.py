"""Run `urlscan check` for the GitHub action (`action.yml`): annotations, SARIF, and a table in the job's summary.

Inputs are the environment variables INPUT_PATHS, INPUT_CHANGED_ONLY, INPUT_ARGS, INPUT_SARIF_FILE and INPUT_SUMMARY;
GitHub sets GITHUB_EVENT_PATH, GITHUB_OUTPUT and GITHUB_STEP_SUMMARY. The exit status is that of `urlscan check`.

Run it with `python -I`, as the action does: the repository that is checked may contain a module of any name.
"""

import collections
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from urlscan.core.project import rule_page
from urlscan.formats.base import number

# SHA-1 or SHA-256; a new branch has zeros.
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_NO_COMMIT = re.compile("0+")


class InputError(Exception):
    """An input has no meaning."""


def main() -> int:
    """Run the check and return its exit status; 2 if an input is wrong."""
    try:
        return run(os.environ)
    except InputError as error:
        print(f"urlscan: {error}", file=sys.stderr)
        return 2


def run(environment: "os._Environ[str]") -> int:
    """Run the check with the inputs in the environment, and return its exit status."""
    paths = [line.strip() for line in environment.get("INPUT_PATHS", ".").splitlines() if line.strip()] or ["."]
    base = base_commit(environment) if is_true(environment, "INPUT_CHANGED_ONLY") else None
    names = b"\0".join(changed_files(base, paths) if base else map(os.fsencode, paths))
    if not names:
        print("urlscan: no changed files to check")
        write_outputs(environment, 0, "")
        return 0
    sarif = environment.get("INPUT_SARIF_FILE", "")
    with tempfile.TemporaryDirectory() as directory:
        records, names_file = Path(directory) / "findings.jsonl", Path(directory) / "names"
        names_file.write_bytes(names)
        command = [sys.executable, "-I", "-m", "urlscan", "check", "--format", "github"]
        command += ["--format", "jsonl", "--output-file", str(records)]
        command += ["--format", "sarif", "--output-file", sarif] if sarif else []
        command += [*arguments(environment.get("INPUT_ARGS", "")), "--files-from", str(names_file), "--null", "--"]
        status = subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode
        findings = list(read_records(records))
    if status in (0, 1):
        write_outputs(environment, len(findings), sarif)
    if is_true(environment, "INPUT_SUMMARY") and status in (0, 1):
        append(environment.get("GITHUB_STEP_SUMMARY"), summary(findings))
    return status


def is_true(environment: "os._Environ[str]", name: str) -> bool:
    """Return the value of an input that is true or false."""
    value = environment.get(name, "").strip().lower()
    if value not in ("true", "false", ""):
        raise InputError(f"{name.removeprefix('INPUT_').lower().replace('_', '-')} must be true or false")
    return value == "true"


def arguments(text: str) -> list[str]:
    """Return the options in a text that is quoted as in a shell."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise InputError(f"args: {error}") from None


def base_commit(environment: "os._Environ[str]") -> str | None:
    """Return the commit that the event compares with; None, with a notice, if all files must be checked."""
    try:
        event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    except (KeyError, OSError, ValueError):
        event = {}
    for keys in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        value = event
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        commit = value if isinstance(value, str) else ""
        if _COMMIT.fullmatch(commit) and not _NO_COMMIT.fullmatch(commit) and is_available(commit):
            return commit
    print("::notice title=urlscan::the base of the change is unknown, so that all files are checked")
    return None


def is_available(commit: str) -> bool:
    """Return whether git has a commit, after asking the origin for it: a checkout is shallow by default."""
    found = ["git", "cat-file", "-e", f"{commit}^{{commit}}"]
    fetch = ["git", "fetch", "--quiet", "--depth=1", "--no-tags", "origin", commit]
    return _succeeds(found) or (_succeeds(fetch) and _succeeds(found))


def changed_files(base: str, paths: Iterable[str]) -> list[bytes]:
    """Return the files below `paths` that differ from the base and exist, relative to the current directory."""
    # From the merge base if the history is known: what the base branch got since is not part of the change.
    merge_base = subprocess.run(["git", "merge-base", base, "HEAD"], capture_output=True, text=True, check=False)
    command = ["git", "diff", "--name-only", "--relative", "-z", "--diff-filter=d", "--no-renames", "--no-ext-diff"]
    command += [merge_base.stdout.strip() or base, "HEAD", "--", *paths]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise InputError(f"git diff failed: {done.stderr.decode(errors='replace').strip().splitlines()[-1]}")
    return [name for name in done.stdout.split(b"\0") if name]


def _succeeds(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the findings that `--format jsonl` wrote."""
    if path.exists():
        with path.open(encoding="utf-8") as lines:
            yield from (record for record in map(json.loads, lines) if "code" in record)


def summary(findings: list[dict[str, Any]]) -> str:
    """Return the findings by rule as a table in Markdown, without text from the files."""
    if not findings:
        return "### urlscan\n\nNo findings.\n"
    rules = collections.Counter((one["code"], one["name"], one["severity"]) for one in findings)
    files = len({one["path"] for one in findings})
    fixable = collections.Counter(one["code"] for one in findings if one.get("fix"))
    lines = [
        "### urlscan\n",
        f"{number(len(findings), 'finding')} in {number(files, 'file')}.\n",
        "| rule | severity | findings | with a fix |",
        "| --- | --- | ---: | ---: |",
    ]
    for (code, name, severity), count in rules.most_common():
        lines.append(f"| [{code} {name}]({rule_page(code)}) | {severity} | {count} | {fixable[code] or ''} |")
    return "\n".join(lines) + "\n"


def write_outputs(environment: "os._Environ[str]", findings: int, sarif: str) -> None:
    """Set the outputs of the step."""
    if "\n" in sarif or "\r" in sarif:
        raise InputError("sarif-file contains a line break")
    append(environment.get("GITHUB_OUTPUT"), f"findings={findings}\nsarif-file={sarif}\n")


def append(path: str | None, text: str) -> None:
    """Append a text to a file of GitHub's, where there is one."""
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    sys.exit(main())
