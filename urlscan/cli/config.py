"""`urlscan config`: show what holds for a path, and who says so."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from urlscan.cli import output
from urlscan.cli.options import Parser, add_configuration
from urlscan.config import Configuration, inside
from urlscan.errors import ConfigError
from urlscan.formats.masking import escape
from urlscan.formats.records import Record, array, dumps
from urlscan.model import SCHEMA_VERSION
from urlscan.redact import redact
from urlscan.sources.identify import identify

if TYPE_CHECKING:  # the schema is shown without them
    from urlscan.config.origins import SettingOrigin

_EXAMPLES = """\
examples:
  urlscan config                    what holds for the current directory
  urlscan config docs/index.md      for a file, which need not exist
  urlscan config --schema           the JSON Schema of a configuration

The text is TOML: what it says can be put into urlscan.toml.
"""
_WIDTH = 40  # of a setting, before who says it


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    parser = Parser("config", "Show which settings hold for a path, and where each comes from.", _EXAMPLES)
    parser.add_argument("paths", metavar="PATH", nargs="*", help="a file or a directory; the current one without")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (the default) or json")
    parser.add_argument("--schema", action="store_true", help="show the JSON Schema of a configuration")
    add_configuration(parser)
    options = parser.read(arguments)
    if "" in options.paths:
        raise ConfigError("an empty PATH names nothing", hint="the current directory is .")
    if options.schema:
        from urlscan.config.keys import schema_text

        output.write(schema_text())
        return 0
    configuration = Configuration(config=options.config, isolated=options.isolated)
    records = [_record(configuration, path) for path in options.paths or [os.curdir]]
    if options.format == "json":
        output.write("".join(array(dumps(record) for record in records)))
    else:
        output.write("\n".join("".join(f"{line}\n" for line in _page(record)) for record in records))
    return 0


def _record(configuration: Configuration, path: str) -> Record:
    from urlscan.config.origins import origins

    place = inside(path)
    resolved = configuration.scope(os.path.dirname(place)).resolved
    file_settings = configuration.of(place)
    return {
        "schema_version": SCHEMA_VERSION,
        "path": _masked(path),
        "files": _masked([layer.where for layer in resolved.layers if layer.is_file]),
        "excluded": configuration.excludes(place),
        "relaxed": configuration.is_relaxed(place),
        "kind": None if place.endswith(os.sep) else file_settings.kind or identify(path),
        "rules": sorted(configuration.codes(place)),
        "settings": {said.key: _shown(said) for said in origins(resolved)},
    }


def _shown(said: "SettingOrigin") -> Record:
    return {"value": _masked(said.value), "from": _masked(list(said.where))}


def _masked(value: Any) -> Any:
    """Return strings, lists and tables without secrets: whatever a URL is good for, it may stand in a configuration."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(name): _masked(said) for name, said in value.items()}
    return [_masked(one) for one in value] if isinstance(value, list) else value


def _page(record: Record) -> Iterator[str]:
    kind = f", {record['kind']}" if record["kind"] else ""
    relaxed = ", test data (relaxed-paths)" if record["relaxed"] else ""
    yield escape(f"# {record['path']}{kind}{relaxed}{', passed over' if record['excluded'] else ''}")
    files: Any = record["files"]
    yield escape(f"# by {', over '.join(reversed(files))}" if files else "# by no configuration file")
    settings: Any = record["settings"]
    for key, said in settings.items():
        where = escape(", ".join(said["from"]) or "default")
        if said["value"] is None:
            yield f"# {key}: {where}"
        else:
            line = f"{key} = {_toml(said['value'])}"
            yield f"{line:<{_WIDTH}} # {where}"
    rules: Any = record["rules"]
    yield f"# {len(rules)} rules: {' '.join(rules)}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_toml(name)} = {_toml(said)}" for name, said in value.items()) + " }" if value else "{}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return dumps(value)
