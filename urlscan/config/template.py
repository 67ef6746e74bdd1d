"""Generate a configuration file in which every key is explained and commented out."""

import os
import textwrap
from collections.abc import Iterator

from urlscan.config.configuration import NAMES, file_in
from urlscan.config.keys import KEYS, Key
from urlscan.config.read import name_of
from urlscan.config.schema import CONFIGURATION_PAGE
from urlscan.core.errors import ConfigError, SourceError
from urlscan.files.atomic_write import AtomicFile

_NAME = NAMES[1]
_WIDTH = 96


def template(*, pyproject: bool = False) -> str:
    """Return the text of a new urlscan.toml, or of a table for pyproject.toml; it changes no setting."""
    lines = ["[tool.urlscan]"] if pyproject else []
    lines += [
        "# Settings of urlscan. Each line below shows an example: remove the # before a key to set it.",
        f"# See {CONFIGURATION_PAGE}",
    ]
    for key in KEYS:
        lines += ["", *_lines(key)]
    return "\n".join(lines) + "\n"


def _lines(key: Key) -> Iterator[str]:
    description = f"{key.description[:1].upper()}{key.description[1:]}."
    if key.shape.words.startswith("one of "):
        description += f" {key.shape.words[:1].upper()}{key.shape.words[1:]}."
    if key.name == "relaxed-paths":  # a long list
        description += " Default: the usual names of test data."
    elif key.default:
        description += f" Default: {key.default}."
    for line in textwrap.wrap(description, _WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"
    yield f"# {key.name} = {key.example}"


def write_template(directory: str) -> str:
    """Write a urlscan.toml and return its name as it is shown.

    Raises:
        ConfigError: the directory has a configuration.
        SourceError: the file cannot be written.
    """
    if not os.path.isdir(directory):
        raise SourceError(directory, "not a directory")
    path = os.path.join(directory, _NAME)
    _check_is_free(path, directory)
    with AtomicFile(path, "written", new=True) as file:
        _check_is_free(path, directory)  # from now on, a file that another program creates is not replaced
        file.write(template().encode())
        file.keep()
    return name_of(path)


def _check_is_free(path: str, directory: str) -> None:
    """Raise ConfigError if a directory has a configuration."""
    if os.path.lexists(path):
        raise ConfigError(f"{name_of(path)} already exists", hint="`urlscan config` shows the settings")
    existing = file_in(directory)
    if existing is not None:
        raise ConfigError(f"{name_of(existing)} already configures urlscan", hint="`urlscan config` shows the settings")
