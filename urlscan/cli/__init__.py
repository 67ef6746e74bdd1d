"""The command line: one file a command, loaded when it is called."""

import sys
from typing import NoReturn

# name of the command: its module, which holds `run(arguments: list[str]) -> int`, and what it does
COMMANDS = {
    "extract": ("urlscan.cli.extract", "list every URL of a text, the broken ones put together again"),
    "check": ("urlscan.cli.check", "say what is wrong with the URLs of a text, and mend them"),
    "rules": ("urlscan.cli.rules", "explain the rules that check applies"),
    "config": ("urlscan.cli.config", "show which settings hold for a path, and where each comes from"),
    "parse": ("urlscan.cli.parse", "take URLs apart, and say what is wrong with them"),
    "resolve": ("urlscan.cli.resolve", "make references absolute"),
    "normalize": ("urlscan.cli.normalize", "write URLs in their normal form"),
}
_HELP = """\
usage: urlscan COMMAND [OPTION]... [PATH]...

Finds every URL in a text, puts the broken ones together again, and says
exactly what is wrong with each.

commands:
{commands}

options:
  -h, --help  show this help; `urlscan COMMAND --help` shows a command's
  --version   show the version

examples:
  urlscan extract letter.txt             its URLs, one a line
  cat letter.txt | urlscan extract       the same
  urlscan check                          check what git knows of this directory
  urlscan check --fix README.md          mend what can be mended safely
  urlscan config docs                    which settings hold there, and why
  urlscan rules U201                     what a rule says, and why
  urlscan parse 'ftp://h.example/a;type=i'   its parts, by the ftp scheme
  urlscan resolve http://h.example/a/b ../c  http://h.example/c
  urlscan normalize HTTP://h.example/%7ejo   http://h.example/~jo

exit status: 0 done, 1 check found something or a URL has a syntax error,
2 trouble, 130 interrupted
"""


def entry() -> NoReturn:
    """Run the console script."""
    import gc

    # What a run makes holds no cycles; looking for some costs a tenth of the time of a small file, more of a large one.
    gc.disable()
    sys.exit(main())


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit status.

    Args:
        argv: the arguments; None: those of the process.
    """
    from urlscan.cli import output
    from urlscan.errors import UrlscanError

    try:
        status = _dispatch(sys.argv[1:] if argv is None else argv)
        output.flush()
    except BrokenPipeError:  # who reads our output has seen enough
        output.abandon()
        return 0
    except KeyboardInterrupt:
        return 130
    except UrlscanError as error:
        output.finish()
        output.complain(str(error))
        return 2
    except SystemExit as done:  # argparse has shown its help
        return done.code if isinstance(done.code, int) else 0
    except Exception as error:
        from urlscan.cli import failures

        failures.report(error, verbose=_is_verbose(sys.argv[1:] if argv is None else argv))
        return 2
    return status


def _is_verbose(arguments: list[str]) -> bool:
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "-v" in options or "--verbose" in options


def _dispatch(arguments: list[str]) -> int:
    from urlscan.cli import output

    first = arguments[0] if arguments else "--help"
    if first in COMMANDS:
        import importlib

        status: int = importlib.import_module(COMMANDS[first][0]).run(arguments[1:])
        return status
    if first == "--version":
        from urlscan import __version__

        output.write(f"urlscan {__version__}\n")
        return 0
    if first in {"-h", "--help", "help"}:
        about = arguments[1] if len(arguments) > 1 else "-"
        if not about.startswith("-"):
            return _help(about)
        commands = "\n".join(f"  {name:<10}  {summary}" for name, (_, summary) in COMMANDS.items())
        output.write(_HELP.format(commands=commands))
        return 0 if arguments else 2
    raise _unknown(first)


def _help(command: str) -> int:
    if command not in COMMANDS:
        raise _unknown(command)
    return _dispatch([command, "--help"])


def _unknown(first: str) -> Exception:
    """Return the error about a command or an option that does not exist."""
    import difflib

    from urlscan.errors import ConfigError

    what = "option" if first.startswith("-") else "command"
    near = difflib.get_close_matches(first[:60].lower(), COMMANDS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"commands: {', '.join(COMMANDS)}; see `urlscan --help`"
    return ConfigError(f"unknown {what} {first!r}", hint=hint)
