"""Generate a configuration file in which every key is explained."""

import textwrap
from collections.abc import Iterator

from urlscan.config.keys import KEYS, Key
from urlscan.config.schema import CONFIGURATION_PAGE

_WIDTH = 96


def template(baseline: str) -> str:
    """Return the text of a new urlscan.toml, which sets the baseline only."""
    lines = [
        "# Settings of urlscan. Each line below shows an example: remove the # before a key to set it.",
        f"# See {CONFIGURATION_PAGE}",
    ]
    for key in KEYS:
        setting = f'baseline = "{baseline}"' if key.name == "baseline" else f"# {key.name} = {key.example}"
        lines += ["", *_comment(key), setting]
    return "\n".join(lines) + "\n"


def _comment(key: Key) -> Iterator[str]:
    description = f"{key.description[:1].upper()}{key.description[1:]}."
    if key.shape.words.startswith("one of "):
        description += f" {key.shape.words[:1].upper()}{key.shape.words[1:]}."
    if key.name == "relaxed-paths":  # a long list
        description += " Default: the usual names of test data."
    elif key.default:
        description += f" Default: {key.default}."
    for line in textwrap.wrap(description, _WIDTH, break_long_words=False, break_on_hyphens=False):
        yield f"# {line}"
