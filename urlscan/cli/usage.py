"""Describe the commands and their options as data, read from the argument parsers.

The completions of the shells, the man page and the tables of the documentation are all made from it.
"""

import argparse
import importlib
import re
from typing import NamedTuple

from urlscan.cli import ALIASES, COMMANDS
from urlscan.cli.parser import Parser
from urlscan.documents import KINDS
from urlscan.rules import REGISTRY

# The names of values in the help for which a shell proposes names of files, or several words with commas.
_FILES = ("PATH", "FILE", "FILE|KEY=VALUE")
_LISTS = ("RULES",)


class OptionUsage(NamedTuple):
    """An option of a command.

    Attributes:
        names: its names, such as "-j" and "--jobs".
        value: the name of its value in the help, such as "N"; "" for an option without a value.
        values: the values to propose; empty if any value is possible.
        is_list: whether several of the values may be given, separated by commas.
        is_file: whether the value is the name of a file.
        help: what it does.
        group: the title of its group in the help.
    """

    names: tuple[str, ...]
    value: str
    values: tuple[str, ...]
    is_list: bool
    is_file: bool
    help: str
    group: str

    def brief(self) -> str:
        """Return the first statement of the help, for a menu."""
        return re.split(r"; | \(|: ", self.help)[0]


# The options of `urlscan` without a command.
GENERAL_OPTIONS = (
    OptionUsage(("-h", "--help"), "", (), False, False, "show the help", "options"),
    OptionUsage(("-V", "--version"), "", (), False, False, "show the version", "options"),
)


class CommandUsage(NamedTuple):
    """A command.

    Attributes:
        name: its name.
        usage: the line that shows how to call it, with "urlscan".
        summary: what it does, in a few words.
        description: what it does, in a sentence.
        operand: the name of its operands in the help, such as "PATH"; "" if it takes none.
        operand_help: what the operands are.
        operand_values: the operands to propose; empty if any are possible.
        options: its options, in the order of the help.
        epilog: examples and exit status, as preformatted text.
    """

    name: str
    usage: str
    summary: str
    description: str
    operand: str
    operand_help: str
    operand_values: tuple[str, ...]
    options: tuple[OptionUsage, ...]
    epilog: str

    @property
    def takes_files(self) -> bool:
        """Return whether the operands are names of files."""
        return self.operand in _FILES


def commands() -> list[CommandUsage]:
    """Return all commands, in the order of the help, and the aliases."""
    every = {name: command(name) for name in COMMANDS}
    aliases = (every[name]._replace(name=alias, summary=f"the same as {name}") for alias, name in ALIASES.items())
    return [*every.values(), *aliases]


def command(name: str) -> CommandUsage:
    """Return one command."""
    module, summary = COMMANDS[name]
    parser: Parser = importlib.import_module(module).create_parser()
    operand = operand_help = ""
    operand_values: tuple[str, ...] = ()
    options = []
    for group in parser._action_groups:
        for action in group._group_actions:
            if action.option_strings:
                options.append(_option(action, group.title or ""))
            else:
                operand, operand_help, operand_values = str(action.metavar), _help(action), _values(action)
    return CommandUsage(
        name, parser.format_usage().partition("usage: ")[2].strip(), summary, parser.description or "",
        operand, operand_help, operand_values, tuple(options), parser.epilog or "",
    )  # fmt: skip


def _option(action: argparse.Action, group: str) -> OptionUsage:
    values = _values(action)
    value = ""
    if action.nargs != 0:
        value = str(action.metavar or "|".join(values) or action.dest.upper())
    return OptionUsage(
        tuple(action.option_strings), value, values, value in _LISTS, value in _FILES, _help(action), group
    )


def _values(action: argparse.Action) -> tuple[str, ...]:
    """Return the values to propose for an option or an operand."""
    if action.choices is not None:
        return tuple(map(str, action.choices))
    if action.metavar == "KIND":
        return tuple(KINDS)
    if action.metavar in ("RULES", "RULE"):
        return ("ALL", *(name for entry in REGISTRY for name in (entry.code, entry.name)))
    return ()


def _help(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%")
