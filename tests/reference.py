"""Generate docs/reference.md from the docstrings of the public names.

`python -m tests.pages` writes the file. Its examples are doctests, which tests/api runs.
"""

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import get_args

import urlscan
import urlscan.details
from urlscan.core.record import Record

_HEAD = """\
# Library reference

This page is generated from the docstrings. The [library guide](library.md) introduces the functions by topic.
"""
# The types of options, by what `inspect` shows for them.
_ALIASES = {
    inspect.formatannotation(getattr(urlscan, name)): name
    for name in urlscan.__all__
    if get_args(getattr(urlscan, name))
}
# Sections in Google style with entries "name: description", continued on indented lines.
_SECTIONS = ("Args", "Attributes", "Raises", "Returns", "Yields")
_HEADING = re.compile(rf"({'|'.join(_SECTIONS)}):")
_ENTRY = re.compile(r"(\w+(?:, \w+)*): (.*)", re.DOTALL)


def reference() -> str:
    """Return the page."""
    public = {name: getattr(urlscan, name) for name in urlscan.__all__}
    functions = {name: function_of(name) for name in public if name[0].islower()}
    errors = {name: one for name, one in public.items() if inspect.isclass(one) and issubclass(one, Exception)}
    records = {name: one for name, one in public.items() if inspect.isclass(one) and name not in errors}
    details = {name: getattr(urlscan.details, name) for name in urlscan.details.__all__ if name not in public}
    groups = (("Functions", functions), ("Records", records), ("Exceptions", errors), ("Details of schemes", details))
    parts = [_HEAD]
    for title, group in groups:
        parts.append(f"## {title}\n")
        for name in sorted(group):
            parts.append(f"### {name}\n")
            parts += _entry(name, group[name])
    parts.append("## Types\n")
    parts.append("Options and fields with a fixed set of values have these `Literal` types.\n")
    for name in sorted(set(public) - set(functions) - set(records) - set(errors)):
        values = ", ".join(f"`{value}`" for value in values_of(public[name]))
        parts.append(f"- `{name}`: {values}")
    return "\n".join(parts).rstrip() + "\n"


def function_of(name: str) -> Callable[..., object]:
    """Return a public function; that of `rules` is the module, whose class has the documentation."""
    function = getattr(urlscan, name)
    return type(function).__call__ if inspect.ismodule(function) else function


def values_of(alias: object) -> list[str]:
    """Return the values of a `Literal`, or of a union of them."""
    return [text for arg in get_args(alias) for text in ([arg] if isinstance(arg, str) else values_of(arg))]


def _entry(name: str, thing: object) -> list[str]:
    parts = []
    if inspect.isfunction(thing) or (isinstance(thing, type) and issubclass(thing, Record) and thing.__match_args__):
        parts.append(f"```text\n{name}{_signature(thing)}\n```\n")
    parts += [_rendered(block) for block in re.split(r"\n\n+", inspect.getdoc(thing) or "")]
    for method, function in sorted(vars(thing).items()) if inspect.isclass(thing) else ():
        function = getattr(function, "__func__", function)
        if not method.startswith("_") and inspect.isfunction(function):
            parts.append(f"#### {name}.{method}\n")
            parts += _entry(method, function)
    return parts


def _signature(thing: Callable[..., object]) -> str:
    """Return the signature with the names of types, one parameter per line if it is long."""
    signature = inspect.signature(thing)
    public = [one for one in signature.parameters.values() if not one.name.startswith("_") and one.name != "self"]
    signature = signature.replace(parameters=public)
    if inspect.isclass(thing):
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    text = re.sub(r"<([\w.]+) object at \w+>", r"\1()", str(signature))  # an address differs in each run
    for values, alias in sorted(_ALIASES.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(values, alias)
    text = re.sub(r"\b(?:urlscan|collections|typing)(?:\.\w+)*\.(?=[A-Z])", "", text)
    text = re.sub(r"Optional\[(\w+)\]", r"\1 | None", text)
    text = re.sub(r"\*<class '?(\w+)'?>", r"Unpack[\1]", text)
    text = re.sub(r"((?:->|:) )'([^']+)'", r"\1\2", text)  # a forward reference
    if len(text) < 80:
        return text
    return re.sub(r"\((.*)\)", lambda match: "(\n" + _lines(match[1]) + ")", text, count=1)


def _lines(parameters: str) -> str:
    """Return parameters one per line: divided at the commas outside of brackets."""
    lines, depth, line = [], 0, ""
    for character in parameters:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            lines.append(line.strip())
            line = ""
        else:
            line += character
    return "".join(f"    {line},\n" for line in [*lines, line.strip()])


def _rendered(block: str) -> str:
    """Return a paragraph, section or example of a docstring as Markdown."""
    first, _, rest = block.partition("\n")
    if block.startswith(">>>"):
        return f"```pycon\n{block}\n```\n"
    heading = _HEADING.fullmatch(first)
    if heading is None:
        return _plain(block) + "\n"
    entries = [re.sub(r"\s+", " ", entry) for entry in re.split(r"\n(?! )", textwrap.dedent(rest).strip())]
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
