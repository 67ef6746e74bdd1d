"""Generate docs/reference.md from the docstrings of the public names.

`python -m tests.pages` writes the file. Its examples are doctests, which tests/api runs.
"""

import inspect
import re

import urlscan

_HEAD = """\
# Library reference

This page is generated from the docstrings. The [library guide](library.md) introduces the functions by topic.
"""
# Sections in Google style with entries "name: description", continued on indented lines.
_SECTIONS = ("Args", "Attributes", "Raises", "Returns", "Yields")
_HEADING = re.compile(rf"({'|'.join(_SECTIONS)}):")
_ENTRY = re.compile(r"(\w+(?:, \w+)*): (.*)", re.DOTALL)


def reference() -> str:
    """Return the page."""
    public = {name: getattr(urlscan, name) for name in urlscan.__all__}
    functions = {name: thing for name, thing in public.items() if inspect.isfunction(thing)}
    errors = {name: one for name, one in public.items() if inspect.isclass(one) and issubclass(one, Exception)}
    records = {name: one for name, one in public.items() if name not in functions and name not in errors}
    parts = [_HEAD]
    for title, group in (("Functions", functions), ("Records", records), ("Exceptions", errors)):
        parts.append(f"## {title}\n")
        for name in sorted(group):
            parts.append(f"### {name}\n")
            parts += _entry(name, group[name])
    return "\n".join(parts).rstrip() + "\n"


def _entry(name: str, thing: object) -> list[str]:
    parts = []
    if inspect.isfunction(thing):
        signature = re.sub(r"\b(?:urlscan|collections)(?:\.\w+)*\.(?=[A-Z])", "", str(inspect.signature(thing)))
        parts.append(f"```text\n{name}{signature}\n```\n")
    return parts + [_rendered(block) for block in re.split(r"\n\n+", inspect.getdoc(thing) or "")]


def _rendered(block: str) -> str:
    """Return a paragraph, section or example of a docstring as Markdown."""
    first, _, rest = block.partition("\n")
    if block.startswith(">>>"):
        return f"```pycon\n{block}\n```\n"
    heading = _HEADING.fullmatch(first)
    if heading is None:
        return _plain(block) + "\n"
    entries = [re.sub(r"\s+", " ", entry) for entry in re.split(r"\n(?! )", inspect.cleandoc(rest))]
    if heading[1] in ("Returns", "Yields"):
        return f"**{heading[1]}:** {_plain(' '.join(entries))}\n"
    lines = []
    for entry in entries:
        named = _ENTRY.fullmatch(entry)
        names = ", ".join(f"`{one}`" for one in named[1].split(", ")) if named else ""
        lines.append(f"- {names}: {_plain(named[2])}" if named else f"- {_plain(entry)}")
    return f"**{heading[1]}:**\n\n" + "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return text with code spans as Markdown."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if n % 2 else re.sub(r"[\\*_\[\]<>|]", r"\\\g<0>", part) for n, part in enumerate(parts))
