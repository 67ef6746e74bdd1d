"""Implement `urlscan man`: write the manual page, from the description of the commands."""

import re
from collections.abc import Iterator

from urlscan import __version__
from urlscan.cli import COMMANDS, SUMMARY, output
from urlscan.cli.parser import Parser
from urlscan.cli.usage import GENERAL_OPTIONS, CommandUsage, OptionUsage, command
from urlscan.core.project import REPOSITORY

_EXAMPLES = """\
examples:
  urlscan man | man -l -
  urlscan man > ~/.local/share/man/man1/urlscan.1
"""
_EXIT_STATUS = (
    ("0", "Success: no finding at or above the severity of --fail-on, no URL with a syntax error."),
    ("1", "Findings; with --diff, changes; in parse, resolve and normalize, a URL with a syntax error."),
    ("2", "An error: an unreadable file, an invalid option or configuration, an internal error."),
    ("130", "Interrupted."),
)
_ENVIRONMENT = (
    ("NO_COLOR", "If it is set and not empty, neither colors nor links are used, unless --color is always."),
    ("FORCE_COLOR", "If it is set and not 0, colors are used even if standard output is not a terminal."),
    ("FORCE_HYPERLINK", "If it is 1, codes of rules and names of files are always links; if it is 0, never."),
)
_FILES = (("urlscan.toml, pyproject.toml", "The configuration. Each file uses the closest one, upwards."),)


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    return Parser("man", "Write the manual page of all commands, in the format of man(7).", _EXAMPLES, "")


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    create_parser().read(arguments)
    output.write(man_page())
    return 0


def man_page() -> str:
    """Return the manual page."""
    return "".join(f"{line}\n" for line in _page([command(name) for name in COMMANDS]))


def _page(all_commands: list[CommandUsage]) -> Iterator[str]:
    yield '.\\" Written by `urlscan man`.'
    yield f'.TH URLSCAN 1 "" "urlscan {__version__}" "User Commands"'
    yield from [".SH NAME", r"urlscan \- find, rejoin and judge the URLs in texts"]
    yield from [".SH SYNOPSIS", *_synopses([usage.usage for usage in all_commands])]
    yield from [".SH DESCRIPTION", _text(SUMMARY)]
    yield from [".SH OPTIONS", *(line for option in GENERAL_OPTIONS for line in _option(option))]
    yield ".SH COMMANDS"
    for usage in all_commands:
        yield from _command(usage)
    yield from [".SH EXIT STATUS", *_list(_EXIT_STATUS)]
    yield from [".SH ENVIRONMENT", *_list(_ENVIRONMENT)]
    yield from [".SH FILES", *_list(_FILES)]
    yield from [".SH SEE ALSO", f"The documentation is at {_text(REPOSITORY)}."]


def _synopses(usages: list[str]) -> Iterator[str]:
    for number, usage in enumerate(usages):
        program, command, rest = (*usage.split(" ", 2), "")[:3]
        words = re.sub(r"[A-Z]+", lambda word: rf"\fI{word[0]}\fR", _text(rest))
        if number:
            yield ".br"
        yield rf"\fB{program} {command}\fR {words}".rstrip()


def _command(command: CommandUsage) -> Iterator[str]:
    yield from [f".SS {command.name}", _text(command.description)]
    if command.operand:
        yield from [".TP", rf"\fI{_text(command.operand)}\fR", _text(_sentence(command.operand_help))]
    group = ""
    for option in command.options:
        if option.group != group and option.group != "options":
            yield from [".PP", _text(_sentence(option.group)[:-1] + ":")]
        group = option.group
        yield from _option(option)
    if command.epilog:
        yield from [".PP", ".nf", *map(_text, command.epilog.rstrip("\n").split("\n")), ".fi"]


def _option(option: OptionUsage) -> Iterator[str]:
    value = ""
    if option.value:
        value = rf" \fI{_text(option.value)}\fR"
    yield from [".TP", ", ".join(rf"\fB{_text(name)}\fR{value}" for name in option.names)]
    yield _text(_sentence(option.help))


def _list(items: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for name, text in items:
        yield from [".TP", rf"\fB{_text(name)}\fR", _text(text)]


def _sentence(help: str) -> str:
    """Return a help text with a capital letter and a full stop."""
    return help and f"{help[0].upper()}{help[1:]}."


def _text(text: str) -> str:
    """Return a line of plain text for troff; a period or an apostrophe at its beginning is no request."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", r"\(ga")
    escaped = escaped.replace("^", r"\(ha").replace("~", r"\(ti").replace('"', r"\(dq")
    if escaped.startswith((".", "'")):
        return rf"\&{escaped}"
    return escaped
