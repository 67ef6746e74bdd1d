"""Write the settings of the extension for VS Code: those of the server and the keys of the configuration.

    python tools/editor_settings.py

rewrites `contributes.configuration` in `editors/vscode/package.json`. A test compares them.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from urlscan.config.keys import Key  # noqa: E402
from urlscan.server.settings import CONFIGURATION_KEYS, OPTIONS, camel_case  # noqa: E402

PACKAGE = ROOT / "editors" / "vscode" / "package.json"
# Settings of the extension itself.
_OWN: dict[str, dict[str, Any]] = {
    "urlscan.path": {
        "type": "array",
        "items": {"type": "string"},
        "default": ["urlscan"],
        "scope": "machine-overridable",
        "markdownDescription": 'The command and its first arguments, such as `["uvx", "--from", "urlscan-lint[lsp]", '
        '"urlscan"]`.',
    },
    "urlscan.trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "markdownDescription": "Show the messages of the protocol in the output; they contain whole documents.",
    },
}


def configuration() -> dict[str, Any]:
    """Return the settings as VS Code describes them."""
    properties = dict(_OWN)
    for option in OPTIONS:
        properties[f"urlscan.{camel_case(option.name)}"] = {
            **option.schema,
            "scope": "resource",
            "markdownDescription": _sentence(option.description),
        }
    for key in CONFIGURATION_KEYS:
        properties[f"urlscan.{camel_case(key.name)}"] = _property(key)
    return {"title": "urlscan", "properties": properties}


def _property(key: Key) -> dict[str, Any]:
    """Return a key of the configuration; null is the value in configuration files."""
    schema = {name: value for name, value in key.shape.schema.items() if name != "type"}
    kind = key.shape.schema.get("type", "string")
    if "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    items = schema.get("items", {})
    if "examples" in items:  # proposed by the editor
        rest = {name: value for name, value in items.items() if name != "examples"}
        schema["items"] = {"anyOf": [{"enum": items["examples"]}, rest]}
    description = _sentence(key.description) + " Takes precedence over configuration files."
    return {"type": [kind, "null"], **schema, "default": None, "scope": "resource", "markdownDescription": description}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def package_text() -> str:
    """Return `package.json` with the settings."""
    package = json.loads(PACKAGE.read_text(encoding="utf-8"))
    package["contributes"]["configuration"] = configuration()
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PACKAGE.write_text(package_text(), encoding="utf-8")
