"""Describe a configuration: the value of each key and where it was set, and the JSON Schema of its files.

The schema has two drafts: 2020-12 is the current one, and editors (taplo, Even Better TOML) read draft 07; for them, it
also proposes the values of keys.
"""

import json
import tomllib

from urlscan.config.keys import KEYS, Key
from urlscan.config.layers import ADDED, Layer, ResolvedConfig, selection
from urlscan.core.project import REPOSITORY
from urlscan.core.typing import Any

DRAFTS = ("2020-12", "07")
_META_SCHEMAS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "07": "http://json-schema.org/draft-07/schema#",
}
# The files in the package.
FILES = {"2020-12": "config.schema.json", "07": "config.draft-07.schema.json"}
CONFIGURATION_PAGE = f"{REPOSITORY}/blob/main/docs/configuration.md"
_CHOOSING = ("select", "extend-select", "ignore")
_ADDING = frozenset(("extend-exclude", *ADDED))


def origins(resolved: ResolvedConfig) -> dict[str, tuple[Any, list[str]]]:
    """Return the values of all keys but `extend` and where they were set, in the order of the table of keys.

    A value consists of strings, lists and tables of them, as in TOML; it is None if it is not set and has no default.
    After it come the names of the layers that set it, the closest last; none for the default.
    """
    settings = {}
    for key in KEYS:
        if key.name != "extend":
            layers = _saying(key.name, resolved.layers)
            value = None
            if layers:
                value = _value(key.name, layers, resolved)
            elif key.default:
                value = tomllib.loads(f"it = {key.default}")["it"]
            settings[key.name] = value, list(dict.fromkeys(layer.where for layer in layers))
    return settings


def _saying(key: str, layers: tuple[Layer, ...]) -> list[Layer]:
    """Return the layers that contribute to a key."""
    if key in _CHOOSING:  # `select` starts over
        first = max((number for number, layer in enumerate(layers) if "select" in layer.values), default=0)
        return [layer for layer in layers[first:] if key in layer.values]
    saying = [layer for layer in layers if key in layer.values]
    if key in _ADDING or any(isinstance(layer.values[key], dict) for layer in saying):
        return saying
    return saying[-1:]


def _value(key: str, layers: list[Layer], resolved: ResolvedConfig) -> Any:
    if key in _CHOOSING:
        chosen = selection(resolved.layers)[_CHOOSING.index(key)]
        if chosen is None:
            return None
        return list(chosen)
    merged: Any = None
    for layer in layers:
        value = layer.values[key]
        if isinstance(value, dict):
            merged = {name: entry for name, entry in (merged or {}).items() if name not in value}
            merged |= {name: list(entry) if isinstance(entry, tuple) else entry for name, entry in value.items()}
        elif isinstance(value, tuple):
            merged = list(dict.fromkeys([*(merged or []), *value]))
        else:
            merged = value
    return merged


# --- JSON Schema


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


def schema_text(draft: str = DRAFTS[0], *, pyproject: bool = False) -> str:
    """Return the JSON Schema as text: that of its file in `urlscan/data/`, or of a pyproject.toml with the table."""
    described = schema(draft)
    if pyproject:
        tool = {"type": "object", "properties": {"urlscan": described}}
        described = {"$schema": described.pop("$schema"), "type": "object", "properties": {"tool": tool}}
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"


def _property(key: Key, *, for_editors: bool) -> dict[str, Any]:
    described = {"description": f"{key.description[:1].upper()}{key.description[1:]}.", **key.shape.schema}
    if not for_editors:
        return described
    if examples := described.get("items", {}).get("examples"):  # editors propose an enumeration
        rest = {name: value for name, value in described["items"].items() if name != "examples"}
        described["items"] = {"anyOf": [{"enum": examples}, rest]}
    if "enum" in described:
        described["type"] = "string"
    return {**described, "x-taplo": {"links": {"key": f"{CONFIGURATION_PAGE}#keys"}}}
