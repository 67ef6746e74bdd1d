"""`urlscan rules`: explain the rules."""

import textwrap
from collections.abc import Iterator

from urlscan.cli import output
from urlscan.cli.options import Parser
from urlscan.errors import ConfigError
from urlscan.formats.masking import escape
from urlscan.formats.records import Record, array, dumps
from urlscan.rules import REGISTRY, entry_of, load
from urlscan.rules.base import Example, Rule

_EXAMPLES = """\
examples:
  urlscan rules             all of them
  urlscan rules bad-escape  one of them, with examples
"""


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    parser = Parser("rules", "List the rules that check applies, or explain one.", _EXAMPLES, operand="RULE")
    parser.add_argument("paths", metavar="RULE", nargs="*", help="a code or a name; without one, all rules")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (the default) or json")
    options = parser.read(arguments)
    rules = [_rule(word) for word in options.paths] or [load(entry) for entry in REGISTRY]
    if options.format == "json":
        output.write("".join(array(dumps(_record(rule)) for rule in rules)))
    elif options.paths:
        output.write("\n".join("\n".join(_page(rule)) + "\n" for rule in rules))
    else:
        output.write("".join(line + "\n" for line in _table(rules)))
    return 0


def _rule(word: str) -> Rule:
    entry = entry_of(word) or entry_of(word.upper()) or entry_of(word.lower())
    if entry is None:
        raise ConfigError(f"there is no rule {word!r}", hint="`urlscan rules` lists them")
    return load(entry)


def _level(rule: Rule) -> str:
    """Return the severity, or where the rule is on if it is not on by itself."""
    if rule.default:
        return rule.severity.label
    return f"off ({', '.join(rule.profiles)}: {rule.severity.label})" if rule.profiles else "off"


def _fix(rule: Rule) -> str:
    """Return "yes" or ""; what the fix does and how safe it is stands in the rule's note."""
    return "fix" if rule.fix_note else ""


def _table(rules: list[Rule]) -> Iterator[str]:
    rows = [
        ("code", "name", "severity", "fix", "says"),
        *((r.code, r.name, _level(r), _fix(r), r.summary) for r in rules),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        yield "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]])


def _page(rule: Rule) -> Iterator[str]:
    yield f"{rule.code} {rule.name}"
    yield f"severity: {rule.severity.label}, {_default(rule)}"
    yield from ["", *_wrapped(rule.summary)]
    yield from ["", "Why", *_wrapped(rule.why)]
    yield from ["", "When to ignore it", *_wrapped(rule.when_to_ignore)]
    if rule.fix_note:
        yield from ["", "Fix", *_wrapped(rule.fix_note)]
    yield from ["", "It reports", *_examples(rule.bad)]
    yield from ["", "It does not report", *_examples(rule.good)]


def _default(rule: Rule) -> str:
    if rule.default:
        return "on by default"
    return f"off by default, on in the profile {', '.join(rule.profiles)}" if rule.profiles else "off by default"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 76, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def _examples(examples: tuple[Example, ...]) -> Iterator[str]:
    for example in examples:
        lines = [escape(line) for line in example.text.split("\n")]
        by = f"    (profile {example.profile})" if example.profile != "rfc3986" else ""
        by += f"    (in {example.path})" if example.path else ""
        yield "  " + "\n    ".join(lines) + by


def _record(rule: Rule) -> Record:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.label,
        "default": rule.default,
        "profiles": list(rule.profiles),
        "summary": rule.summary,
        "why": rule.why,
        "when_to_ignore": rule.when_to_ignore,
        "fix": rule.fix_note,
        "bad": [example._asdict() for example in rule.bad],
        "good": [example._asdict() for example in rule.good],
    }
