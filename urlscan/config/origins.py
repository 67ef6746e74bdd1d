"""List the value of each key and where it was set."""

import tomllib
from typing import Any, NamedTuple

from urlscan.config.keys import KEYS
from urlscan.config.layers import ADDED, Layer, ResolvedConfig, selection

_CHOOSING = ("select", "extend-select", "ignore")
_ADDING = frozenset(("extend-exclude", *ADDED))


class SettingOrigin(NamedTuple):
    """The value of one key and where it was set.

    Attributes:
        key: its name.
        value: strings, lists and tables of them, as in TOML; None if it is not set and has no default.
        where: the names of the layers that set it, the closest last; empty for the default.
    """

    key: str
    value: Any
    where: tuple[str, ...]


def origins(resolved: ResolvedConfig) -> list[SettingOrigin]:
    """Return the values of all keys but `extend`, in the order of the table of keys."""
    known_origins = []
    for key in KEYS:
        if key.name != "extend":
            layers = _saying(key.name, resolved.layers)
            value = _value(key.name, layers, resolved)
            if not layers:
                value = tomllib.loads(f"it = {key.default}")["it"] if key.default else None
            known_origins.append(SettingOrigin(key.name, value, tuple(dict.fromkeys(layer.where for layer in layers))))
    return known_origins


def _saying(key: str, layers: tuple[Layer, ...]) -> list[Layer]:
    """Return the layers that contribute to a key."""
    if key in _CHOOSING:  # `select` starts over
        first = max((number for number, layer in enumerate(layers) if "select" in layer.values), default=0)
        return [layer for layer in layers[first:] if key in layer.values]
    saying = [layer for layer in layers if key in layer.values]
    is_added = key in _ADDING or any(isinstance(layer.values[key], dict) for layer in saying)
    return saying if is_added else saying[-1:]


def _value(key: str, layers: list[Layer], resolved: ResolvedConfig) -> Any:
    if key in _CHOOSING:
        chosen = selection(resolved.layers)[_CHOOSING.index(key)]
        return None if chosen is None else list(chosen)
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
