"""Implement `urlscan completions`: write the script that completes the command line in a shell.

Every script completes commands, options, the values of options that have a fixed set, rules (also the last one of a
list with commas), and otherwise names of files.
"""

import pkgutil
from collections.abc import Callable, Iterable, Iterator

from urlscan.cli import output
from urlscan.cli.parser import Parser
from urlscan.cli.usage import GENERAL_OPTIONS, CommandUsage, OptionUsage, commands
from urlscan.core.errors import ConfigError

_EXAMPLES = """\
examples:
  bash, in ~/.bashrc:
    eval "$(urlscan completions bash)"
  zsh, in ~/.zshrc after compinit, or as a file _urlscan in a directory of $fpath:
    eval "$(urlscan completions zsh)"
  fish:
    urlscan completions fish > ~/.config/fish/completions/urlscan.fish
  PowerShell, in the file that $PROFILE names:
    (& urlscan completions powershell) -join "`n" | Invoke-Expression
"""
# The command is installed under both names.
_PROGRAMS = ("urlscan", "urlscan-lint")
_NOTE = "# Written by `urlscan completions {}`; write it again after an update.\n"
Commands = list[CommandUsage]
Options = tuple[OptionUsage, ...]


def _names(options: Iterable[OptionUsage]) -> list[str]:
    return [name for option in options for name in option.names]


def _script(file: str, **parts: str) -> str:
    """Return the text of a file in this folder with each of the parts in place of its name, `@name@`."""
    data = pkgutil.get_data("urlscan.cli", file)
    assert data is not None  # noqa: S101 - part of the package
    script = data.decode("utf-8").replace("\r\n", "\n")
    for name, text in parts.items():
        script = script.replace(f"@{name}@", text)
    return script


# --- bash


def bash(commands: Commands, general: Options) -> str:
    """Return the completions for bash 3.2 and newer; names of files are completed by bash itself."""
    every = " ".join([*(command.name for command in commands), "help", *_names(general)])
    body = _script(
        "completions.bash",
        commands=f'"{every}"',
        values="\n".join(_bash_values(commands)),
        options="\n".join(_bash_options(commands)),
        programs=" ".join(_PROGRAMS),
    )
    return _NOTE.format("bash") + body


def _bash_values(commands: Commands) -> Iterator[str]:
    """Yield a case for the values of each option, and for each option with another value."""
    for command in commands:
        for option in command.options:
            if option.value:
                patterns = "|".join(f'"{command.name} {name}"' for name in option.names)
                values = f'values="{" ".join(option.values)}"' if option.values else "return"
                yield f"        {patterns}) {values}{' list=1' if option.is_list else ''} ;;"
    names = " ".join(command.name for command in commands)
    yield f'        "help "*) values="{names}" ;;'


def _bash_options(commands: Commands) -> Iterator[str]:
    """Yield a case for the options and operands of each command."""
    for command in commands:
        operands = " ".join(command.operand_values)
        yield f"            {command.name})"
        yield f'                if [[ $current == -* ]]; then values="{" ".join(_names(command.options))}"'
        yield f'                else values="{operands}"; fi' if operands else "                fi"
        yield "                ;;"


# --- zsh


def zsh(commands: Commands, general: Options) -> str:
    """Return the completions for zsh, as a function to autoload or to evaluate."""
    rows = [f"        {_zsh_quoted(f'{command.name}:{command.summary}')}" for command in commands]
    body = _script(
        "completions.zsh",
        commands="\n".join(rows),
        general=" ".join(
            f"{_zsh_quoted('(- *)' + name + f'[{option.help}]')}" for option in general for name in option.names
        ),
        options="\n".join(line for command in commands for line in _zsh_command(command)),
        programs=" ".join(_PROGRAMS),
    )
    return f"#compdef {' '.join(_PROGRAMS)}\n" + _NOTE.format("zsh") + body


def _zsh_command(command: CommandUsage) -> Iterator[str]:
    yield f"        {command.name})"
    yield "            _arguments -s -S : \\"
    for option in command.options:
        for name in option.names:
            synonyms = " ".join(other for other in option.names if other != name)
            yield f"                {_zsh_quoted(_zsh_option(option, name, synonyms))} \\"
    yield f"                {_zsh_quoted('*:' + _zsh_operand(command))} && ret=0"
    yield "            ;;"


def _zsh_option(option: OptionUsage, name: str, synonyms: str) -> str:
    # "*" before a name: it may be given more than once, as the last one counts or all of them do.
    before = f"({synonyms})" if synonyms and not option.value else "*"
    help = option.brief().replace("[", "\\[").replace("]", "\\]")
    if not option.value:
        return f"{before}{name}[{help}]"
    sign = "=" if name.startswith("--") else "+"
    action = "_files" if option.is_file else _zsh_values(option.values, is_list=option.is_list)
    return f"{before}{name}{sign}[{help}]:{option.value.replace(':', ' ')}:{action}"


def _zsh_operand(command: CommandUsage) -> str:
    name = command.operand or "nothing"
    if command.takes_files:
        return f"{name}:_files"
    # A message in place of proposals, unless an option is typed: zsh would not insert the option.
    return f"{name}:" + (_zsh_values(command.operand_values, is_list=False).strip() or f'_guard "^-*" {name}')


def _zsh_values(values: tuple[str, ...], *, is_list: bool) -> str:
    words = " ".join(values)
    if is_list:
        return f"_values -s , rule {words}"
    if values:
        return f"({words})"
    return " "


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


# --- fish


def fish(commands: Commands, general: Options) -> str:
    """Return the completions for fish."""
    lines = [*_fish(commands, general), *(f"complete -c {other} -w {_PROGRAMS[0]}" for other in _PROGRAMS[1:])]
    return _NOTE.format("fish") + "".join(f"{line}\n" for line in lines)


def _fish(commands: Commands, general: Options) -> Iterator[str]:
    start = f"complete -c {_PROGRAMS[0]}"
    names = " ".join(command.name for command in commands)
    first = "-n __fish_use_subcommand"
    yield f"{start} {first} -f"
    for option in general:
        yield f"{start} {first} {_fish_names(option)} -d {_fish_quoted(option.help)}"
    for command in commands:
        yield f"{start} {first} -a {command.name} -d {_fish_quoted(command.summary)}"
    yield f"{start} {first} -a help -d 'show the help of a command'"
    yield f"{start} -n '__fish_seen_subcommand_from help' -f -a '{names}'"
    for command in commands:
        within = f"{start} -n '__fish_seen_subcommand_from {command.name}'"
        if not command.takes_files:
            operands = f" -a {_fish_quoted(' '.join(command.operand_values))}" if command.operand_values else ""
            yield f"{within} -f{operands}"
        for option in command.options:
            yield f"{within} {_fish_names(option)}{_fish_value(option)} -d {_fish_quoted(option.brief())}"


def _fish_names(option: OptionUsage) -> str:
    return " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)


def _fish_value(option: OptionUsage) -> str:
    if not option.value:
        return ""
    if option.is_file:
        return " -r -F"
    if option.is_list:
        return f" -x -a '(__fish_complete_list , \"printf %s\\\\\\\\n {' '.join(option.values)}\")'"
    if option.values:
        return f" -x -a {_fish_quoted(' '.join(option.values))}"
    return " -x"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# --- PowerShell


def powershell(commands: Commands, general: Options) -> str:
    """Return the completions for PowerShell 5 and newer; names of files are completed by PowerShell itself."""
    help = {command.name: command.summary for command in commands} | {"help": "show the help of a command"}
    help |= {name: option.help for option in general for name in option.names}
    uses = [
        (f"{command.name} {name}", option)
        for command in commands
        for option in command.options
        for name in option.names
    ]
    help |= {words: option.brief() for words, option in uses}
    values = {words: list(option.values) for words, option in uses if option.values}
    values["help help"] = [command.name for command in commands]
    return _NOTE.format("powershell") + _script(
        "completions.ps1",
        programs=", ".join(map(_powershell_quoted, _PROGRAMS)),
        help="\n".join(
            f"        {_powershell_quoted(name)} = {_powershell_quoted(text)}" for name, text in help.items()
        ),
        options="\n".join(_powershell_rows({command.name: _names(command.options) for command in commands})),
        values="\n".join(_powershell_rows(values)),
        operands="\n".join(_powershell_rows({command.name: list(command.operand_values) for command in commands})),
    )


def _powershell_rows(table: dict[str, list[str]]) -> Iterator[str]:
    for name, words in table.items():
        yield f"        {_powershell_quoted(name)} = @({', '.join(map(_powershell_quoted, words))})"


def _powershell_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


SHELLS: dict[str, Callable[[Commands, Options], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
    "powershell": powershell,
}


# --- the command


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("completions", "Write the script that completes commands, options and values.", _EXAMPLES, "SHELL")
    parser.add_argument("paths", metavar="SHELL", nargs="*", choices=tuple(SHELLS), help=", ".join(SHELLS))
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    shells = create_parser().read(arguments).paths
    if len(shells) != 1:
        raise ConfigError("expected one shell", hint=f"write {', '.join(SHELLS)}")
    output.write(SHELLS[shells[0]](commands(), GENERAL_OPTIONS))
    return 0
