"""The settings of an editor: options of the server, and keys of the configuration that take precedence over files.

An editor sends them as `initializationOptions`, or as the section `urlscan` of its own settings. Names are those of
`urlscan.toml`; editors also write them in camel case (`extendSelect`).
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from urlscan import ConfigError
from urlscan.api.buffers import BY_NAME, KEYS, Key, checked

SECTION = "urlscan"
# Keys about the command line, and those that make sense in a file only.
_NOT_FOR_EDITORS = frozenset(("extend", "baseline", "decompress", "encoding", "fail-on", "output-format"))
CONFIGURATION_KEYS: tuple[Key, ...] = tuple(key for key in KEYS if key.name not in _NOT_FOR_EDITORS)


class Option(NamedTuple):
    """An option of the server.

    Attributes:
        name: its name.
        schema: the JSON Schema of its value, with the default.
        description: what it does.
    """

    name: str
    schema: dict[str, Any]
    description: str


OPTIONS: tuple[Option, ...] = (
    Option("enable", {"type": "boolean", "default": True}, "check the open documents"),
    Option(
        "configuration",
        {"type": "string", "default": ""},
        "a configuration file in place of the closest one; relative to the workspace folder",
    ),
    Option(
        "unsafe-fixes",
        {"type": "boolean", "default": True},
        "also offer the fixes that may change the meaning of a URL; they are marked as unsafe, and never part of"
        " `source.fixAll`",
    ),
    Option("document-links", {"type": "boolean", "default": True}, "make URLs and relative references links"),
    Option(
        "update-references",
        {"type": "boolean", "default": True},
        "update the references of Markdown, HTML and the like when a file or a directory is renamed",
    ),
)
# Settings of the extension for VS Code, which sends them as well.
_OF_THE_EDITOR = ("path", "trace")
_BY_NAME = {option.name: option for option in OPTIONS}
_EXPECTED: dict[str, tuple[type, str]] = {"boolean": (bool, "true or false"), "string": (str, "a string")}


class EditorSettings(NamedTuple):
    """The settings of an editor for one workspace folder.

    Attributes:
        enable: whether documents are checked.
        configuration: a configuration file for all documents; "" for the closest one of each.
        unsafe_fixes: whether unsafe fixes are offered.
        document_links: whether URLs are links.
        update_references: whether references are updated when files are renamed.
        given: the keys of the configuration that take precedence over files, with converted values.
    """

    enable: bool = True
    configuration: str = ""
    unsafe_fixes: bool = True
    document_links: bool = True
    update_references: bool = True
    given: dict[str, Any] = {}  # noqa: RUF012


def camel_case(name: str) -> str:
    """Return the name of a setting as editors write it: "extend-select" as "extendSelect"."""
    first, *rest = name.split("-")
    return first + "".join(word.capitalize() for word in rest)


def read_settings(value: Any) -> tuple[EditorSettings, list[str]]:
    """Return the settings that an editor sends, and a message for each invalid one, which is ignored.

    A null or an empty string means that the setting is not given, because editors send the defaults of all settings.
    """
    options: dict[str, Any] = {}
    given: dict[str, Any] = {}
    messages: list[str] = []
    if value is not None and not isinstance(value, dict):
        return EditorSettings(), ["settings: expected an object"]
    for name, entry in _flat(value or {}):
        if entry is None or entry == "" or name in _OF_THE_EDITOR:
            continue
        try:
            if name in _BY_NAME:
                expected, words = _EXPECTED[_BY_NAME[name].schema["type"]]
                if not isinstance(entry, expected):
                    raise ConfigError(f"{name}: expected {words}")
                options[name.replace("-", "_")] = entry
            elif name in _NOT_FOR_EDITORS:
                raise ConfigError(f"{name}: only allowed in configuration files")
            else:
                given.update(checked({name: entry}))
        except ConfigError as error:
            messages.append(f"settings: {error}")
    return EditorSettings(**options, given=given), messages


def _flat(settings: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the settings with their names in kebab case; those below "settings" and "urlscan" are included."""
    for name, value in settings.items():
        if name in ("settings", SECTION) and isinstance(value, dict):
            yield from _flat(value)
        else:
            plain = re.sub("[A-Z]", lambda match: "-" + match[0].lower(), str(name))
            if plain not in BY_NAME and plain not in _BY_NAME:
                plain = str(name)
            yield plain, value
