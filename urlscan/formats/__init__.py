"""How findings are written: one file an output format.

A format is a function `render(results: Iterable[Result], look: Look) -> Iterator[str]`: it gets the
results of a whole run, one segment after the other, and yields pieces of its output as they come.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from urlscan.formats.base import RenderOptions, Result

# name of the format: "module:object", loaded when it is used
FORMATS = {
    "full": "urlscan.formats.full:render",
    "concise": "urlscan.formats.concise:render",
    "json": "urlscan.formats.json_:render",
    "jsonl": "urlscan.formats.jsonl:render",
    "grouped": "urlscan.formats.grouped:render",
    "sarif": "urlscan.formats.sarif:render",
    "github": "urlscan.formats.github:render",
    "gitlab": "urlscan.formats.gitlab:render",
    "junit": "urlscan.formats.junit:render",
    "rdjson": "urlscan.formats.rdjson:render",
    "html": "urlscan.formats.html_:render",
}
# Formats made of workflow commands, which no other output may hold.
COMMANDS = ("github",)
# What they say of `--statistics`, as far as they can.
STATISTICS = {
    "full": "urlscan.formats.statistics:render",
    "concise": "urlscan.formats.statistics:render",
    "grouped": "urlscan.formats.statistics:render",
    "json": "urlscan.formats.statistics:render_json",
    "jsonl": "urlscan.formats.statistics:render_jsonl",
}


def renderer(name: str) -> "Callable[[Iterable[Result], RenderOptions], Iterator[str]]":
    """Return the format of that name, or what stands in its place, loading its file."""
    import importlib

    module, _, function = FORMATS.get(name, name).partition(":")
    return cast(
        "Callable[[Iterable[Result], RenderOptions], Iterator[str]]", getattr(importlib.import_module(module), function)
    )
