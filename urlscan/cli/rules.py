"""Implement `urlscan rules`: explain the rules."""

import textwrap
from collections.abc import Iterator

from urlscan.cli import output
from urlscan.cli.parser import Parser, add_configuration, add_format
from urlscan.config import Configuration
from urlscan.config.keys import BY_NAME
from urlscan.core.errors import ConfigError
from urlscan.core.records import CONTEXTS
from urlscan.core.settings import Settings
from urlscan.data.records import RECORDS
from urlscan.formats.base import RenderOptions, rule_code
from urlscan.formats.escape import escape
from urlscan.formats.records import Record, array, dumps
from urlscan.linter.judge import enabled_codes, resolve_selector, resolve_severities
from urlscan.rules import ENTRIES, REGISTRY, load
from urlscan.rules.base import Example, Rule

_EXAMPLES = """\
examples:
  urlscan rules             list all rules
  urlscan rules bad-escape  explain one rule, with examples
  urlscan explain U201      the same, by its code
  urlscan rules U2          explain all rules with this prefix

Severities changed by the configuration of the current directory are shown.
"""


class _ActiveRules:
    """The rules as configured in the current directory, or the defaults if the configuration is invalid.

    Attributes:
        error: the error in the configuration, or None.
    """

    def __init__(self, config: list[str], *, isolated: bool) -> None:
        self.error: ConfigError | None = None
        try:
            settings = Configuration(config=config, isolated=isolated).resolve().settings
            self._codes, self._severities = enabled_codes(settings), resolve_severities(settings.severity)
        except ConfigError as error:  # report the error after the rules: the user may need them to resolve it
            self.error = error
            self._codes, self._severities = enabled_codes(Settings()), {}

    def level(self, rule: Rule) -> str:
        """Return "off" or the severity."""
        if rule.code not in self._codes:
            return "off"
        return self._severities.get(rule.code, rule.severity).label

    def differs(self, rule: Rule) -> bool:
        """Return whether the level differs from the default."""
        return self.level(rule) != _without_profile(rule)


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("rules", "List all rules, or explain some.", _EXAMPLES, "[OPTION]... [RULE]...")
    parser.add_argument(
        "paths", metavar="RULE", nargs="*", help="code, prefix of codes, name or ALL (default: list all rules)"
    )
    add_format(parser, ("text", "json"), "output format: text (default) or json")
    add_configuration(parser)
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    chosen = {code for word in options.paths for code in _codes(word)}
    rules = [load(entry.code) for entry in REGISTRY if not options.paths or entry.code in chosen]
    active = _ActiveRules(options.config, isolated=options.isolated)
    render_options = RenderOptions(links=output.use_styles("auto")[1])
    if options.format == "json":
        output.write("".join(array(dumps(_record(rule, active)) for rule in rules)))
    elif options.paths:
        output.write("\n".join("\n".join(_page(rule, active, render_options)) + "\n" for rule in rules))
    else:
        output.write("".join(line + "\n" for line in _table(rules, active, render_options)))
    if active.error is not None:
        output.flush()
        output.complain(f"{active.error}; the defaults are shown")
        return 2
    return 0


def _codes(word: str) -> list[str]:
    """Return the codes that a word selects, ignoring case; raise ConfigError if it selects none."""
    entry = ENTRIES.get(word) or ENTRIES.get(word.upper()) or ENTRIES.get(word.lower())
    if entry is not None:
        return [entry.code]
    if word[1:].isdecimal() or word.lower() in ("u", "all"):
        word = word.upper()
    return resolve_selector(word)


def _level(rule: Rule, active: _ActiveRules) -> str:
    """Return the severity, and the default if it differs or depends on the profile."""
    if active.differs(rule):
        return f"{active.level(rule)} (default: {_without_profile(rule)})"
    if rule.profiles and not rule.default:
        return f"off ({', '.join(rule.profiles)}: {rule.severity.label})"
    return _without_profile(rule)


def _without_profile(rule: Rule) -> str:
    if rule.default:
        return rule.severity.label
    return "off"


def _table(rules: list[Rule], active: _ActiveRules, render_options: RenderOptions) -> Iterator[str]:
    rows = [("code", "name", "severity", "fix", "summary")]
    for rule in rules:
        fix = "fix" if rule.fix_note else ""
        rows.append((rule.code, rule.name, _level(rule, active), fix, rule.summary))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for number, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        if number:
            cells[0] = rule_code(row[0], "", render_options)  # all codes have the same width
        yield "  ".join([*cells, row[4]])


def _page(rule: Rule, active: _ActiveRules, render_options: RenderOptions) -> Iterator[str]:
    yield f"{rule_code(rule.code, '', render_options)} {rule.name}"
    yield f"severity: {rule.severity.label}, {_default(rule)}"
    if active.differs(rule):
        yield f"here: {active.level(rule)}, as configured"
    yield f"record: {_judged(rule)}"
    yield from ["", *_wrapped(rule.summary)]
    yield from ["", "Why", *_wrapped(rule.why)]
    yield from ["", "When to ignore it", *_wrapped(rule.when_to_ignore)]
    if rule.fix_note:
        yield from ["", "Fix", *_wrapped(rule.fix_note)]
    contexts = ", ".join(rule.contexts)
    if len(rule.contexts) == len(CONTEXTS):
        contexts = f"everywhere: {contexts}"
    yield from ["", "Contexts", *_wrapped(contexts)]
    if keys := _keys(rule):
        yield from ["", "Configuration"]
        for key in keys:
            yield from _wrapped(f"{key}: {BY_NAME[key].description}")
    yield from ["", "It reports", *_examples(rule.bad)]
    yield from ["", "It does not report", *_examples(rule.good)]


def _judged(rule: Rule) -> str:
    """Return how many of the rule's findings in public repositories were useful."""
    counts = RECORDS.get(rule.code)
    if counts is None:
        return "no error or warning in the judged repositories"
    useful, pedantic, false = counts
    return f"of {sum(counts)} judged findings {useful} useful, {pedantic} pedantic, {false} false"


def _keys(rule: Rule) -> list[str]:
    """Return the configuration keys that affect the rule, apart from those that affect every rule."""
    if rule.skips_allowed_hosts:
        return ["allowed-hosts", *rule.options]
    return list(rule.options)


def _default(rule: Rule) -> str:
    if rule.default:
        return "on by default"
    if rule.profiles:
        return f"off by default, on in the profile {', '.join(rule.profiles)}"
    return "off by default"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 76, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def _examples(examples: tuple[Example, ...]) -> Iterator[str]:
    for example in examples:
        lines = [escape(line) for line in example.text.rstrip("\n").split("\n")]
        by = ""
        if example.profile != "rfc3986":
            by += f"    (profile {example.profile})"
        if example.path:
            by += f"    (in {example.path})"
        yield from ("\n".join(["  " + lines[0], *("    " + line for line in lines[1:])]) + by).split("\n")


def _record(rule: Rule, active: _ActiveRules) -> Record:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.label,
        "default": rule.default,
        "here": active.level(rule),
        "profiles": list(rule.profiles),
        "summary": rule.summary,
        "why": rule.why,
        "when_to_ignore": rule.when_to_ignore,
        "fix": rule.fix_note,
        "contexts": list(rule.contexts),
        "options": _keys(rule),
        "record": dict(zip(("useful", "pedantic", "false"), RECORDS.get(rule.code, (0, 0, 0)), strict=True)),
        "bad": [example._asdict() for example in rule.bad],
        "good": [example._asdict() for example in rule.good],
    }
