"""Read the settings of git that decide what belongs to a work tree, and the paths of its submodules.

The settings are `core.excludesFile`, `core.ignoreCase` and `core.sparseCheckout`. They are read from the files that git
reads, by a small parser of git-config(1)'s syntax. No other setting has any effect: no program, hook, remote or trace
target of a repository's configuration is used.
"""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.core.offsets import line_end
from urlscan.files.safe_open import read_regular

_LARGEST = 1 << 20
_MOST_INCLUDED = 32
_SECTION = lazy(r"\[[ \t]*([-.A-Za-z0-9]+)[ \t]*(\"(?:[^\"\\\n]|\\.)*\")?[ \t]*\]")
_KEY = lazy(r"([A-Za-z][-A-Za-z0-9]*)[ \t]*(=)?[ \t]*")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}
_TRUE = {"true", "yes", "on", "1"}
_INTERESTING = lazy(rb"excludesfile|ignorecase|sparsecheckout|include|submodule", re.IGNORECASE)


class GitSettings(NamedTuple):
    """The settings that apply to a work tree.

    Attributes:
        excludes_file: the user's own ignore file, or "".
        ignore_case: whether case is ignored.
        is_sparse: whether only some files are checked out.
    """

    excludes_file: str
    ignore_case: bool
    is_sparse: bool


def read_settings(git_dir: str, common_dir: str, top: str) -> GitSettings:
    """Return the settings for a work tree, from the system's, the user's and the repository's configuration.

    Files that cannot be read, and conditional includes (`includeIf`), are skipped.

    Args:
        common_dir: the directory of its configuration; another one for a linked work tree.
        top: the top of the work tree, to which relative paths refer.
    """
    home = os.path.expanduser("~")
    xdg = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    excludes_file = os.path.join(xdg, "ignore")
    flags = {"core.ignorecase": False, "core.sparsecheckout": False}
    repository_files = os.path.join(common_dir, "config"), os.path.join(git_dir, "config.worktree")
    for path in (*_user_files(home, xdg), *repository_files):
        for name, value in _values(path, [_MOST_INCLUDED]):
            if name == "core.excludesfile":
                excludes_file = _path(value or "", top)
            elif name in flags:
                flags[name] = value is None or value.lower() in _TRUE
    return GitSettings(excludes_file, *flags.values())


def read_submodules(path: str) -> frozenset[str]:
    """Return the paths in a `.gitmodules` (gitmodules(5)), whether or not they are checked out."""
    values = _values(path, [1])
    return frozenset(
        value.strip("/") for name, value in values if value and name.startswith("submodule") and name.endswith(".path")
    )


def is_remote(path: str) -> bool:
    """Return whether a path is on another machine, where Windows would log in."""
    return os.name == "nt" and path.replace("\\", "/").startswith("//")


def _user_files(home: str, xdg: str) -> Iterator[str]:
    if os.environ.get("GIT_CONFIG_NOSYSTEM", "").lower() not in _TRUE:
        yield os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig"
    given = os.environ.get("GIT_CONFIG_GLOBAL")
    if given is not None:
        yield given
    else:
        yield os.path.join(xdg, "config")
        yield os.path.join(home, ".gitconfig")


def _values(path: str, budget: list[int]) -> Iterator[tuple[str, str | None]]:
    """Yield the settings of a file and those it includes; `budget` counts how many more may be read."""
    if budget[0] == 0 or not path or is_remote(path):
        return
    budget[0] -= 1
    try:
        data = read_regular(path, _LARGEST)
    except (OSError, ValueError):
        return
    if _INTERESTING.search(data) is None:
        return
    for name, value in _parse(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")):
        if name == "include.path" and value:
            yield from _values(_path(value, os.path.dirname(path)), budget)
        else:
            yield name, value


def _parse(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield section and key, in lower case, with the value; stop at a syntax error."""
    section, position = "", 0
    while position < len(text):
        header = _SECTION.match(text, position)
        key = _KEY.match(text, position)
        if text[position] in " \t\r\n":
            position += 1
        elif text[position] in "#;":
            position = line_end(text, position)
        elif header is not None:
            section = header[1].lower() + (header[2] or "")
            position = header.end()
        elif key is not None:
            value, position = _value(text, key.end()) if key[2] else (None, key.end())
            yield f"{section}.{key[1].lower()}", value
        else:
            return


def _value(text: str, position: int) -> tuple[str, int]:
    """Return the value that begins at an offset, and its end."""
    parts: list[str] = []
    length = 0  # parts up to the last one that is not an unquoted blank
    is_quoted = False
    while position < len(text) and (char := text[position]) != "\n":
        position += 1
        if char == '"':
            is_quoted = not is_quoted
            length = len(parts)
        elif char in "#;" and not is_quoted:
            position = line_end(text, position)
        elif char == "\\":
            escaped = text[position : position + 1]
            position += 2 if text[position : position + 2] == "\r\n" else 1
            if escaped not in ("\r", "\n"):  # else the value continues in the next line
                parts.append(_ESCAPES.get(escaped, escaped))
                length = len(parts)
        else:
            parts.append(char)
            length = len(parts) if is_quoted or char not in " \t\r" else length
    return "".join(parts[:length]), position


def _path(value: str, base: str) -> str:
    """Return a path of a configuration, absolute; "" if it is invalid."""
    if value.startswith("~"):
        value = os.path.expanduser(value) if value.startswith(("~/", "~\\")) else ""
    path = os.path.join(base, value) if value else ""
    return "" if is_remote(path) and not is_remote(base) else path
