"""Dispatch to the commands, one module each, loaded when it is called."""

import atexit
import gc
import importlib
import os
import sys
from itertools import takewhile

from urlscan.cli.output import abandon, complain, finish, flush, write
from urlscan.core.errors import ConfigError, UrlscanError, did_you_mean
from urlscan.core.typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

SUMMARY = "Finds every URL in a text, rejoins broken ones, and judges each by the RFCs."
# Module and summary by command; the module defines `run(arguments: list[str]) -> int` and `create_parser() -> Parser`.
COMMANDS = {
    "extract": ("urlscan.cli.extract", "list the URLs of texts, with broken ones rejoined"),
    "check": ("urlscan.cli.check", "report problems of the URLs in texts, and fix them"),
    "init": ("urlscan.cli.init", "write a configuration, a baseline and a pre-commit hook"),
    "rules": ("urlscan.cli.rules", "list and explain the rules (also: explain)"),
    "server": ("urlscan.cli.server", "check the documents that are open in an editor (LSP)"),
    "config": ("urlscan.cli.config", "show the settings of a path and where each is set"),
    "archive": ("urlscan.cli.archive", "write the URLs of many files into a database"),
    "report": ("urlscan.cli.report", "write an HTML page about such a database"),
    "query": ("urlscan.cli.query", "ask such a database a question"),
    "parse": ("urlscan.cli.parse", "show the components and the problems of URLs"),
    "resolve": ("urlscan.cli.resolve", "resolve references against a base URL"),
    "normalize": ("urlscan.cli.normalize", "normalize URLs"),
    "completions": ("urlscan.cli.completions", "write the completions for bash, zsh, fish or PowerShell"),
    "man": ("urlscan.cli.man", "write the manual page"),
}
ALIASES = {"explain": "rules"}
_GENERAL = ("-h", "--help", "-V", "--version", "help")
_HELP = """\
usage: urlscan COMMAND [OPTION]... [PATH]...

{summary}

commands:
{commands}

options:
  -h, --help     show this help; `urlscan COMMAND --help` shows that of a command
  -V, --version  show the version

examples:
  urlscan extract letter.txt             list its URLs, one per line
  cat letter.txt | urlscan extract       the same
  urlscan check                          check the files of this directory
  urlscan check --fix README.md          apply safe fixes
  urlscan config docs                    show the settings and their origins
  urlscan explain U201                   explain a rule
  urlscan parse 'ftp://h.example/a;type=i'   show its components
  urlscan resolve http://h.example/a/b ../c  http://h.example/c
  urlscan normalize HTTP://h.example/%7ejo   http://h.example/~jo

exit status: 0 success, 1 findings or a URL with a syntax error, 2 error,
130 interrupted
"""


def entry() -> NoReturn:
    """Run the console script."""
    # Checking creates no cycles (tested), and with the default of 700 objects the cyclic garbage collector takes 6 % of
    # a check of one file, while the modules of the command are loaded.
    gc.set_threshold(100_000)
    status = main()
    if not sys.flags.inspect and sys.gettrace() is None:  # no debugger, no measurement of coverage
        # Freeing all objects would take as long as checking a small file.
        atexit._run_exitfuncs()
        finish()
        os._exit(status)
    sys.exit(status)


def main(argv: list[str] | None = None, run: "Callable[[list[str]], int] | None" = None) -> int:
    """Run one command and return its exit status; report exceptions in one line.

    Args:
        argv: the arguments; None for those of the process.
        run: runs the command; None for the one that the first argument names.
    """
    if argv is None:
        argv = sys.argv[1:]
    arguments = argv
    try:
        if run is None:
            run, arguments = _command(arguments)
        status = run(arguments)
        flush()
    except BrokenPipeError:  # the reader of the output has closed it
        abandon()
        return 0
    except KeyboardInterrupt:
        return 130
    except UrlscanError as error:
        finish()
        complain(str(error))
        return 2
    except SystemExit as done:  # raised by argparse after --help
        return done.code if isinstance(done.code, int) else 0
    except Exception as error:
        from urlscan.cli import failures

        options = takewhile(lambda argument: argument != "--", arguments)
        failures.report(error, verbose=not {"-v", "--verbose"}.isdisjoint(options))
        return 2
    return status


def _command(arguments: list[str]) -> "tuple[Callable[[list[str]], int], list[str]]":
    """Return the function that runs the command of a command line, and its arguments."""
    (first, *_) = arguments or ["--help"]
    first = ALIASES.get(first, first)
    if first in COMMANDS:
        # Hooks and shells append names that strangers chose, such as `--output-file=../a.txt`, a file in a directory.
        # They are paths after `--`, unless that is such a name itself; but `-` is standard input there, too.
        ambiguous = [argument for argument in arguments[1:] if argument.startswith("-")]
        if "--" in ambiguous:
            ambiguous = ["--", *(path for path in arguments[arguments.index("--") :] if path == "-")]
        for argument in filter(os.path.lexists, ambiguous):
            raise ConfigError(f"{argument} is also the name of a file", hint="write ./ before the name of a file")
        return importlib.import_module(COMMANDS[first][0]).run, arguments[1:]
    if first in {"-V", "--version"}:
        if len(arguments) > 1:
            raise ConfigError(f"{first} takes no arguments")
        return _write_version, []
    if first not in {"-h", "--help", "help"}:
        raise _unknown(first)
    if len(arguments) > 2:
        raise ConfigError(f"{first} takes one command, not {len(arguments) - 1}")
    if len(arguments) == 2 and arguments[1] not in _GENERAL:
        if ALIASES.get(arguments[1], arguments[1]) not in COMMANDS:
            raise _unknown(arguments[1])
        return _command([arguments[1], "--help"])
    return _write_help, arguments


def _write_version(_: list[str]) -> int:
    from urlscan import __version__

    write(f"urlscan {__version__}\n")
    return 0


def _write_help(arguments: list[str]) -> int:
    commands = "\n".join(f"  {name:<11}  {summary}" for name, (_, summary) in COMMANDS.items())
    write(_HELP.format(summary=SUMMARY, commands=commands))
    if not arguments:
        return 2
    return 0


def _unknown(first: str) -> Exception:
    """Return the error about an unknown command or option."""
    what = "command"
    if first.startswith("-"):
        what = "option"
    otherwise = f"commands: {', '.join(COMMANDS)}; see `urlscan --help`"
    hint = did_you_mean(first, [*COMMANDS, *ALIASES, *_GENERAL], otherwise, 0.8)
    # Not shortened: a part of a secret would not be masked.
    return ConfigError(f"unknown {what} {first!r}", hint=hint)
