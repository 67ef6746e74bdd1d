"""Implement `urlscan config`: show the settings of a path and where each is set."""

import os
from collections.abc import Iterator
from typing import Any

from urlscan.cli import output
from urlscan.cli.parser import Parser, add_configuration, add_format
from urlscan.config import Configuration, inside
from urlscan.config.describe import DRAFTS, origins, schema_text
from urlscan.core.errors import ConfigError
from urlscan.core.records import SCHEMA_VERSION
from urlscan.core.secrets import redact
from urlscan.documents.identify import identify
from urlscan.formats.escape import escape
from urlscan.formats.records import Record, array, dumps
from urlscan.pipeline.targets import Targets

_EXAMPLES = """\
examples:
  urlscan config                    show the settings of the current directory
  urlscan config docs/index.md      show those of a file, which need not exist
  urlscan config --schema           show the JSON Schema of a configuration

The output is TOML and can be copied to urlscan.toml.
"""
_WIDTH = 40  # the column of the origin of a setting


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("config", "Show the settings of a path and where each is set.", _EXAMPLES)
    parser.conflicts = (("schema", "paths config isolated", "it is the same everywhere"),)
    parser.add_argument("paths", metavar="PATH", nargs="*", help="file or directory (default: the current directory)")
    add_format(parser, ("text", "json"), "output format: text (default) or json")
    add = parser.add_argument_group("other output").add_argument
    add("--schema", action="store_true", help="show the JSON Schema of a configuration")
    add("--pyproject", action="store_true", help="with --schema: that of a pyproject.toml")
    add("--draft", choices=DRAFTS, help="with --schema: draft 2020-12 (default), or 07 for editors")
    add_configuration(parser)
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    for name in ("draft", "pyproject"):
        if getattr(options, name) and not options.schema:
            raise ConfigError(f"--{name} requires --schema")
    if options.schema:
        output.write(schema_text(options.draft or DRAFTS[0], pyproject=options.pyproject))
        return 0
    configuration = Configuration(config=options.config, isolated=options.isolated)
    records = [_record(configuration, path) for path in options.paths or [os.curdir]]
    if options.format == "json":
        output.write("".join(array(dumps(record) for record in records)))
    else:
        output.write("\n".join("".join(f"{line}\n" for line in _page(record)) for record in records))
    return 0


def _record(configuration: Configuration, path: str) -> Record:
    member = inside(path)
    resolved = configuration.resolve(os.path.dirname(member))
    kind = None
    if not member.endswith(os.sep):
        kind = configuration.of(member).kind or identify(path)
    generator = None
    if (detected := Targets(configuration.project_root).generator(member)) is not None:
        generator = {"name": detected.kind.name, "file": detected.file, "anchors": detected.kind.preset or None}
    return {
        "schema_version": SCHEMA_VERSION,
        "path": _masked(path),
        "files": _masked([layer.where for layer in resolved.layers if layer.is_file]),
        "excluded": configuration.excludes(member),
        "relaxed": configuration.is_relaxed(member),
        "kind": kind,
        "generator": generator,
        "rules": sorted(configuration.codes(member)),
        "settings": {
            key: {"value": _masked(value), "from": _masked(where)} for key, (value, where) in origins(resolved).items()
        },
    }


def _masked(value: Any) -> Any:
    """Return a value with secrets masked in all its strings: a configuration may contain URLs."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(name): _masked(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return value


def _page(record: Record) -> Iterator[str]:
    heading = f"# {record['path']}"
    if record["kind"]:
        heading += f", {record['kind']}"
    if record["relaxed"]:
        heading += ", test data (relaxed-paths)"
    if record["excluded"]:
        heading += ", excluded"
    yield escape(heading)
    files: Any = record["files"]
    if files:
        yield escape(f"# configuration: {', over '.join(reversed(files))}")
    else:
        yield "# no configuration file"
    generator: Any = record["generator"]
    if generator is not None:
        yield escape(f"# site generator: {generator['name']} ({generator['file']})")
    settings: Any = record["settings"]
    for key, setting in settings.items():
        where = escape(", ".join(setting["from"]) or "default")
        if setting["value"] is None:
            yield f"# {key}: {where}"
        else:
            line = f"{key} = {_toml(setting['value'])}"
            yield f"{line:<{_WIDTH}} # {where}"
    rules: Any = record["rules"]
    yield f"# {len(rules)} rules: {' '.join(rules)}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        if not value:
            return "{}"
        return "{ " + ", ".join(f"{_toml(name)} = {_toml(entry)}" for name, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return dumps(value)
