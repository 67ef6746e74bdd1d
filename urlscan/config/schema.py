"""Generate the JSON Schema of a configuration, in two drafts.

Draft 2020-12 is the current one. Editors (taplo, Even Better TOML) read draft 07; for them, the schema also proposes
the values of keys.
"""

import json
from typing import Any

from urlscan.config.keys import KEYS, Key
from urlscan.core.project import REPOSITORY

DRAFTS = ("2020-12", "07")
_META_SCHEMAS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "07": "http://json-schema.org/draft-07/schema#",
}
# The files in the package.
FILES = {"2020-12": "config.schema.json", "07": "config.draft-07.schema.json"}
CONFIGURATION_PAGE = f"{REPOSITORY}/blob/main/docs/configuration.md"


def schema(draft: str = DRAFTS[0]) -> dict[str, Any]:
    """Return the JSON Schema of a configuration."""
    return {
        "$schema": _META_SCHEMAS[draft],
        "$id": f"{REPOSITORY}/raw/main/urlscan/data/{FILES[draft]}",
        "title": "Configuration",
        "description": "The contents of urlscan.toml, of .urlscan.toml, and of [tool.urlscan] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: _property(key, for_editors=draft == "07") for key in KEYS},
    }


def pyproject_schema(draft: str = DRAFTS[0]) -> dict[str, Any]:
    """Return the JSON Schema of a pyproject.toml of which only [tool.urlscan] is described."""
    table = schema(draft)
    tool = {"type": "object", "properties": {"urlscan": table}}
    return {"$schema": table.pop("$schema"), "type": "object", "properties": {"tool": tool}}


def schema_text(draft: str = DRAFTS[0], *, pyproject: bool = False) -> str:
    """Return the JSON Schema as text: without `pyproject`, that of its file in `urlscan/data/`."""
    return json.dumps((pyproject_schema if pyproject else schema)(draft), indent=2, ensure_ascii=False) + "\n"


def _property(key: Key, *, for_editors: bool) -> dict[str, Any]:
    described = {"description": f"{key.description[:1].upper()}{key.description[1:]}.", **key.shape.schema}
    if not for_editors:
        return described
    if "items" in described:
        described["items"] = _with_proposals(described["items"])
    if "enum" in described:
        described["type"] = "string"
    return {**described, "x-taplo": {"links": {"key": f"{CONFIGURATION_PAGE}#keys"}}}


def _with_proposals(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an entry with its examples as an enumeration, which is what editors propose."""
    if "examples" not in entry:
        return entry
    rest = {name: value for name, value in entry.items() if name != "examples"}
    return {"anyOf": [{"enum": entry["examples"]}, rest]}
