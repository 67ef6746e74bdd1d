"""Read the documents for users: their code blocks, and the parts that are generated.

`python -m tests.pages` rewrites the generated parts: the output of commands, the tables of rules and keys, and the page
of each rule.
"""

import html
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import textwrap
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.command import clean_environment, git
from tests.reference import reference
from tools.editor_settings import PACKAGE, package_text
from tools.terminal_svg import SESSION, draw
from urlscan.archive.functions import FUNCTIONS
from urlscan.archive.queries import queries
from urlscan.archive.schema import STORED
from urlscan.cli.man import man_page
from urlscan.cli.spark import create_parser
from urlscan.cli.usage import command
from urlscan.config.describe import FILES as SCHEMAS
from urlscan.config.describe import schema_text
from urlscan.config.keys import BY_NAME, KEYS
from urlscan.config.relaxed import RELAXED_PATHS
from urlscan.data.records import RECORDS
from urlscan.rules import REGISTRY, load
from urlscan.rules.base import Example, Rule
from urlscan.server.settings import CONFIGURATION_KEYS, OPTIONS, camel_case
from urlscan.targets.advice import ADVICE, UNEDITED
from urlscan.targets.anchor_excuses import ANCHOR_ADVICE, ANCHORS
from urlscan.targets.excuses import DOCUMENTS, DOUBTS, FILES, PLACES

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
RULES = ROOT / "docs" / "rules"
MAN_PAGE = ROOT / "docs" / "urlscan.1"
REFERENCE = ROOT / "docs" / "reference.md"
CORPUS_README = ROOT / "corpus" / "README.md"
PICTURE = ROOT / "docs" / "images" / "terminal.svg"
# Documents whose console blocks are run. The pages of rules are generated entirely.
SITE = sorted({*(ROOT / "docs").rglob("*.md")} - {REFERENCE, *RULES.glob("U*.md")})
PAGES = [README, ROOT / "CONTRIBUTING.md", *SITE]


class Block(NamedTuple):
    """A fenced code block.

    Attributes:
        page: the document that contains it.
        language: the word after its fence.
        text: its content.
        line: the number of its first line, 1-based.
    """

    page: Path
    language: str
    text: str
    line: int

    def __str__(self) -> str:
        """Return the position of the block, as the id of a test."""
        return f"{self.page.relative_to(ROOT)} line {self.line}"


def blocks(language: str, page: Path = README, text: str | None = None) -> list[Block]:
    """Return the code blocks of a language in a document, in order."""
    text = page.read_text(encoding="utf-8") if text is None else text
    found = re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    every = [Block(page, match[1], match[2], text.count("\n", 0, match.start()) + 2) for match in found]
    return [block for block in every if block.language == language]


def all_blocks(language: str) -> list[Block]:
    """Return the code blocks of a language in all documents."""
    return [block for page in PAGES for block in blocks(language, page)]


def snippets(page: Path) -> list[Block]:
    """Return the blocks of a document that are interactive sessions."""
    return [block for block in blocks("python", page) if block.text.startswith(">>>")]


def programs(page: Path) -> list[Block]:
    """Return the blocks of a document that are complete programs."""
    return [block for block in blocks("python", page) if not block.text.startswith(">>>")]


def commands(block: Block) -> list[str]:
    """Return the commands of a console block."""
    return [line.removeprefix("$ ") for line in block.text.splitlines() if line.startswith("$ ")]


def run(block: Block, directory: Path) -> str:
    """Return a console block with the current output of its commands, run by one shell in an empty directory."""
    for name in ("corpus", "tools"):
        shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__"))
    script = "".join(f"(exit $status)\n{command}\nstatus=$?; printf '\\0'\n" for command in commands(block))
    done = subprocess.run(
        ["bash", "-c", script], cwd=directory, env=environment(directory), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False,
    )  # fmt: skip
    outputs = done.stdout.decode().split("\0")
    assert len(outputs) == len(commands(block)) + 1, done.stdout.decode()
    assert not re.search(rb"internal error|Traceback", done.stdout), done.stdout.decode()
    return "".join(f"$ {command}\n{output}" for command, output in zip(commands(block), outputs, strict=False))


def environment(directory: Path) -> dict[str, str]:
    """Return an environment in which `urlscan` and `python` are the interpreter and package under test."""
    shims = directory / ".shims"
    shim(shims / "python", sys.executable)
    shim(shims / "urlscan", f"{sys.executable} -m urlscan")
    names = {f"GIT_{role}_{key}": "jo@h.example" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    return clean_environment(PATH=f"{shims}{os.pathsep}{os.environ['PATH']}", **names)


def shim(path: Path, command: str) -> None:
    """Write a program that runs a command."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)


# --- generated parts


def cell(text: str) -> str:
    """Return plain text as Markdown in a table."""
    return re.sub(r"[\\|`*_\[\]]", r"\\\g<0>", html.escape(text, quote=False))


def cell_with_code(text: str) -> str:
    """Return text with code spans as Markdown in a table."""
    return "".join(part if n % 2 else cell(part) for n, part in enumerate(re.split(r"(`[^`]*`)", text)))


def code(text: str) -> str:
    """Return text as a code span, or "" if it is empty."""
    return f"`{text}`" if text else ""


def severity(rule: Rule) -> str:
    """Return the severity of a rule; for a rule that is off by default, include the profiles that enable it."""
    if rule.default:
        return rule.severity.label
    return f"off ({', '.join(rule.profiles)}: {rule.severity.label})" if rule.profiles else "off"


def rule_table() -> str:
    """Return the table of rules."""
    rows = ["| code | name | severity | fix | description |", "| --- | --- | --- | --- | --- |"]
    for entry in REGISTRY:
        rule = load(entry.code)
        fix = "yes" if rule.fix_note else ""
        summary = cell(rule.summary)
        rows.append(f"| [{rule.code}]({rule.code}.md) | {rule.name} | {severity(rule)} | {fix} | {summary} |")
    return "\n".join(rows) + "\n"


def rule_page(rule: Rule) -> str:
    """Return the page of a rule."""
    status = "On by default" if rule.default else "Off by default"
    if rule.profiles:
        status += f", on in the profile {', '.join(rule.profiles)}"
    lines = [f"# {rule.name} ({rule.code})", "", prose_with_code(rule.summary) + ".", ""]
    lines += [f"{status}. Severity: {rule.severity.label}. Contexts: {', '.join(rule.contexts)}.", ""]
    if rule.code in RECORDS:
        useful, pedantic, false = RECORDS[rule.code]
        lines += [f"In judged repositories: {useful} useful, {pedantic} pedantic, {false} false.", ""]
    lines += [
        "## Why",
        "",
        prose_with_code(rule.why),
        "",
        "## When to ignore it",
        "",
        prose_with_code(rule.when_to_ignore),
        "",
    ]
    if rule.fix_note:
        lines += ["## Fix", "", prose_with_code(rule.fix_note), ""]
    keys = [*(["allowed-hosts"] if rule.skips_allowed_hosts else []), *rule.options]
    if keys:
        lines += [
            "## Configuration",
            "",
            *(f"- `{key}`: {prose_with_code(BY_NAME[key].description)}" for key in keys),
            "",
        ]
    lines += ["## Reported", "", *examples(rule.bad), "## Not reported", "", *examples(rule.good)]
    return "\n".join(lines).rstrip() + "\n"


def prose(text: str) -> str:
    """Return plain text as a paragraph of Markdown."""
    return re.sub(r"[\\*_\[\]<>`|]", r"\\\g<0>", text)


def examples(given: tuple[Example, ...]) -> list[str]:
    """Return examples as code blocks, with profile and file name where these differ from those of the block before."""
    lines: list[str] = []
    before = ""
    for example in given:
        notes = [f"profile {example.profile}"] if example.profile != "rfc3986" else []
        notes += [f"`{example.path}`"] if example.path else []
        note = f"In {', '.join(notes or ['a text'])}:"
        lines += [note, ""] if note != before and (notes or before) else []
        before = note
        text = "".join(repr(c)[1:-1] if ord(c) < 32 and c not in "\n\t" else c for c in example.text)
        lines += ["````text", *text.rstrip("\n").split("\n"), "````", ""]
    return lines


def key_table() -> str:
    """Return the table of configuration keys."""
    rows = ["| key | value | default | description | example |", "| --- | --- | --- | --- | --- |"]
    for key in KEYS:
        default = "the list below" if key.name == "relaxed-paths" else code(key.default)
        cells = [
            cell(key.name),
            cell_with_code(key.shape.words),
            default,
            cell_with_code(key.description),
            code(key.example),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def excuse_table() -> str:
    """Return the table of the reasons for which a reference that leads nowhere is not reported."""
    rows = ["| reason | applies to | because |", "| --- | --- | --- |"]
    groups = {"all": (*PLACES, *DOCUMENTS), "files": FILES, "files: doubt": DOUBTS, "anchors": ANCHORS}
    groups |= {"all: information": UNEDITED, "files: information": ADVICE, "anchors: information": ANCHOR_ADVICE}
    for what, entries in groups.items():
        rows += [f"| `{one.name}` | {what} | {cell(one.why)} |" for one in entries]
    return "\n".join(rows) + "\n"


def relaxed_paths() -> str:
    """Return the default of `relaxed-paths` as TOML."""
    lines = textwrap.wrap(", ".join(f'"{pattern}"' for pattern in RELAXED_PATHS), 112, break_on_hyphens=False)
    return "\n".join(["```toml", "relaxed-paths = [", *(f"    {line}" for line in lines), "]", "```"]) + "\n"


def option_table(names: tuple[str, ...], groups: tuple[str, ...]) -> str:
    """Return the table of the options in some groups (or in all) of commands that share them."""
    rows = ["| option | effect |", "| --- | --- |"]
    every = [{option.names: option for option in command(name).options} for name in names]
    for option in {written: option for options in every for written, option in options.items()}.values():
        if (option.group in groups or not groups) and "--help" not in option.names:
            value = f" {option.value}" if option.value else ""
            shown = [f"`{name}{value}`" for name in option.names if name != "--output-format"]
            written = ", ".join(shown).replace("|", "\\|")
            helps = {name: options[option.names].help for name, options in zip(names, every, strict=True)
                     if option.names in options}  # fmt: skip
            same = len(helps) == len(names) and len({*helps.values()}) == 1
            help = option.help if same else "; ".join(f"{name}: {help}" for name, help in helps.items())
            rows.append(f"| {written} | {cell_with_code(help)} |")
    return "\n".join(rows) + "\n"


def archive_tables() -> str:
    """Return the tables of an archive, column by column."""
    lines = []
    for table in STORED:
        key = ", ".join(code(name) for name in table.key)
        lines += [f"## {table.name}", "", f"{prose_with_code(table.description)} Key: {key}.", ""]
        lines += ["| column | type | description |", "| --- | --- | --- |"]
        for column in table.columns:
            nullable = "" if not column.nullable else ", may be missing"
            lines.append(f"| {code(column.name)} | {column.type}{nullable} | {cell_with_code(column.description)} |")
        lines.append("")
    return "\n".join(lines)


def query_table() -> str:
    """Return the table of the questions to a database."""
    rows = ["| name | question | parameters |", "| --- | --- | --- |"]
    for query in queries().values():
        parameters = "; ".join(
            f"`{given.name}={given.default}` {cell(given.description)}".removesuffix(" number of rows")
            for given in query.parameters
        )
        rows.append(f"| {query.name} | {cell(query.description)} | {parameters} |")
    return "\n".join(rows) + "\n"


def function_table() -> str:
    """Return the table of the functions of columns."""
    rows = ["| function | result |", "| --- | --- |"]
    for function in FUNCTIONS:
        result = function.description.removeprefix("Return ").removesuffix(".")
        if function.fields:
            result += ": a list of structs of " + ", ".join(code(field.name) for field in function.fields)
        rows.append(f"| `{function.name}({function.parameter})` | {result} |")
    return "\n".join(rows) + "\n"


def spark_options() -> str:
    """Return the table of the options of `python -m urlscan.spark`."""
    rows = ["| option | effect |", "| --- | --- |"]
    for action in create_parser()._actions:
        if action.option_strings and action.dest != "help":
            value = action.metavar or "|".join(map(str, action.choices or ()))
            names = (f"{name} {value}" if action.nargs != 0 else name for name in action.option_strings)
            written = ", ".join(f"`{name}`".replace("|", "\\|") for name in names)
            rows.append(f"| {written} | {cell_with_code(action.help or '')} |")
    return "\n".join(rows) + "\n"


def spark_cost() -> str:
    """Return the table of what jobs of Spark cost."""
    table: str = runpy.run_path(str(ROOT / "benchmarks" / "spark_cost.py"))["table"]()
    return table


def prose_with_code(text: str) -> str:
    """Return text with code spans as a paragraph of Markdown."""
    parts = re.split(r"(`[^`\s](?:[^`]*[^`\s])?`)", text)
    return "".join(part if n % 2 else prose(part) for n, part in enumerate(parts))


SHARED_GROUPS = ("reading", "configuration", "output")
OPTION_STORED = {
    "options archive": (("archive",), ("database",)),
    "options extract": (("extract",), ("listing",)),
    "options check": (("check",), ("rules", "reporting", "fixing")),
    "options shared": (("extract", "check"), SHARED_GROUPS),
    "options urls": (("parse", "resolve", "normalize"), ()),
    "options settings": (("rules", "config"), ()),
    "options report": (("report",), ()),
}


def editor_settings() -> str:
    """Return the table of the settings of editors."""
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for option in OPTIONS:
        default = code(json.dumps(option.schema["default"]))
        rows.append(f"| {camel_case(option.name)} | {default} | {cell_with_code(option.description)} |")
    names = ", ".join(code(camel_case(key.name)) for key in CONFIGURATION_KEYS)
    return "\n".join(rows) + f"\n\nThe keys of the configuration are {names}.\n"


def action_inputs() -> str:
    """Return the table of the inputs of the GitHub action."""
    import yaml  # not at the top, because tests that need no action run without it

    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    rows = [f"| `{name}` | `{value['default']}` | {value['description']} |" for name, value in inputs.items()]
    return "\n".join(("| input | default | description |", "| --- | --- | --- |", *rows, "")).replace("| `` |", "|  |")


GENERATED = {
    "rules": rule_table,
    "keys": key_table,
    "relaxed-paths": relaxed_paths,
    "excuses": excuse_table,
    "tables": archive_tables,
    "queries": query_table,
    "functions": function_table,
    "options spark": spark_options,
    "spark cost": spark_cost,
    "editor settings": editor_settings,
    "action": action_inputs,
    **{name: partial(option_table, *given) for name, given in OPTION_STORED.items()},
}


def rewritten(page: Path) -> str:
    """Return a document with updated command output and tables."""
    text = page.read_text(encoding="utf-8")
    for block in blocks("console", page, text):
        with tempfile.TemporaryDirectory() as directory:
            fresh = run(block, Path(directory))
        text = text.replace(f"```console\n{block.text}```", f"```console\n{fresh}```", 1)
    return with_tables(text)


def with_tables(text: str) -> str:
    """Return a document with updated tables."""
    for name, table in GENERATED.items():
        pattern = rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)"
        text = re.sub(pattern, lambda _, table=table: table(), text, flags=re.DOTALL)
    return text


def picture() -> str:
    """Return the picture of a terminal in the README, in which the commands are run now."""
    with tempfile.TemporaryDirectory() as directory:
        tree = shutil.copytree(ROOT / "corpus" / "lighthouse", Path(directory) / "lighthouse")
        git(tree, "init")
        colored = {**environment(Path(directory)), "FORCE_COLOR": "1"}
        shown = []
        for line in SESSION:
            done = subprocess.run(
                ["bash", "-c", line], cwd=tree, env=colored, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, check=False,
            )  # fmt: skip
            shown.append(f"\x1b[1;36m$\x1b[0m {line}\n{done.stdout.decode()}")
    return draw("\n".join(shown))


def rule_pages() -> dict[Path, str]:
    """Return the page of each rule, by path."""
    return {RULES / f"{entry.code}.md": rule_page(load(entry.code)) for entry in REGISTRY}


def corpus_readme() -> str:
    """Return corpus/README.md with updated counts of cases."""
    counts: str = runpy.run_path(str(ROOT / "corpus" / "score.py"))["counts"]()
    text = CORPUS_README.read_text(encoding="utf-8")
    return text[: text.rindex("\n\n", 0, text.rindex("\n| ---")) + 2] + counts


if __name__ == "__main__":
    CORPUS_README.write_text(corpus_readme(), encoding="utf-8")
    for draft, name in SCHEMAS.items():
        (ROOT / "urlscan" / "data" / name).write_text(schema_text(draft), encoding="utf-8")
    REFERENCE.write_text(reference(), encoding="utf-8")
    MAN_PAGE.write_text(man_page(), encoding="utf-8")
    PACKAGE.write_text(package_text(), encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
    for path in PAGES:
        path.write_text(rewritten(path), encoding="utf-8")
    for path, content in rule_pages().items():
        path.write_text(content, encoding="utf-8")
    for path in set(RULES.glob("U*.md")) - set(rule_pages()):
        path.unlink()
