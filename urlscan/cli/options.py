"""The options that commands share, and what they mean."""

import argparse
import os
import re
from typing import TYPE_CHECKING, NoReturn

from urlscan.errors import ConfigError
from urlscan.processes import processors
from urlscan.settings import REJOIN
from urlscan.sources import KINDS
from urlscan.sources.walk import STDIN, has_piped_input, names

if TYPE_CHECKING:  # who takes URLs reads no texts
    from urlscan.config import Configuration
    from urlscan.run import ReadOptions


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Return a formatter that does not ask the terminal for its width, which argparse does with every option."""
    return argparse.RawDescriptionHelpFormatter(prog, width=90)


class Parser(argparse.ArgumentParser):
    """A parser that takes paths and options in any order, and whose errors are one line."""

    def __init__(self, command: str, description: str, examples: str, *, operand: str = "PATH") -> None:
        super().__init__(
            prog=f"urlscan {command}",
            # Otherwise argparse composes it before it reads any argument.
            usage=f"urlscan {command} [OPTION]... [{operand}]...",
            description=description,
            epilog=examples,
            formatter_class=_formatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise ConfigError, which `main` writes as one line."""
        raise ConfigError(message, hint=self._near(message) or f"see `{self.prog} --help`")

    def _near(self, message: str) -> str:
        """Return a hint which option was meant, if an unknown one looks like it; "" if none does."""
        unknown = message.removeprefix("unrecognized arguments: ").partition(" ")[0].partition("=")[0]
        if unknown == message or not unknown.startswith("--"):
            return ""
        import difflib

        known = [option for action in self._actions for option in action.option_strings if option.startswith("--")]
        # Options may not be shortened, but who does it says what is meant.
        near = [option for option in known if option.startswith(unknown[:60])]
        near += difflib.get_close_matches(unknown[:60].lower().replace("_", "-"), known, n=1)
        return f"did you mean {near[0]}?" if near else ""

    def read(self, arguments: list[str]) -> argparse.Namespace:
        """Parse the arguments; what follows `--` are paths."""
        at = arguments.index("--") if "--" in arguments else len(arguments)
        options = self.parse_intermixed_args(self._with_numbers(arguments[:at]))
        options.paths = [*options.paths, *arguments[at + 1 :]]
        return options

    def _with_numbers(self, arguments: list[str]) -> list[str]:
        """Return the arguments with a negative number joined to the option before it, which says what is wrong with it.

        Otherwise argparse takes it for an option, since there is one that is a digit: -0.
        """
        numeric = {option for action in self._actions if action.type is not None for option in action.option_strings}
        joined: list[str] = []
        for argument in arguments:
            if joined and joined[-1] in numeric and re.match("-[0-9.]", argument) and argument != "-0":
                joined[-1] += ("=" if joined[-1].startswith("--") else "") + argument
            else:
                joined.append(argument)
        return joined


def _positive(value: str) -> int:
    """Return the number that `value` writes, from 1.

    Raises:
        ArgumentTypeError: it writes none.
    """
    if re.fullmatch(r"[0-9]{1,18}", value) is None or int(value) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is wanted, not {value[:60]!r}")
    return int(value)


def _size(value: str) -> int:
    """Return the number of bytes that `value` writes: 500000, 500K, 16G.

    Raises:
        ArgumentTypeError: it writes none.
    """
    match = re.fullmatch(r"([0-9]{1,18})([KMGT]?)", value.upper())
    if match is None or int(match[1]) < 1:
        raise argparse.ArgumentTypeError(f"a size such as 500M or 16G is wanted, not {value[:60]!r}")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[match[2]]


def add_shared(parser: Parser, *, unpack: str) -> None:
    """Add the options of every command that reads texts.

    Args:
        parser: takes them.
        unpack: which compressed files are opened if nothing is said: all ("always") or the "named".
    """
    parser.add_argument(
        "paths", nargs="*", metavar="PATH",
        help="files; directories, of which the files that git knows or would take; - for standard input. Without"
        " one: standard input when it is a file or a pipe, else the current directory",
    )  # fmt: skip
    read_options = parser.add_argument_group("reading")
    add = read_options.add_argument
    add(
        "--as", dest="kind", metavar="KIND",
        help=f"what the texts are ({', '.join(KINDS)}), whatever their names say",
    )  # fmt: skip
    add("--encoding", metavar="NAME", help="the encoding of the texts; else a byte order mark tells, or it is UTF-8")
    add(
        "--exclude", metavar="GLOB", action="append",
        help="pass over what matches, as .gitignore does, and even if it is named, instead of what the configuration"
        " excludes; may be repeated",
    )  # fmt: skip
    add("--extend-exclude", metavar="GLOB", action="append", help="pass over this, too")
    add(
        "--parts", choices=("all", "plain", "html"), default="all",
        help="what to read of a mail that is written in several ways: all of them (the default), the plain text,"
        " or the HTML",
    )  # fmt: skip
    add("--files-from", metavar="FILE", help="read paths from FILE (- for standard input), one a line")
    add("-0", "--null", dest="zero", action="store_true", help="the paths of --files-from end with NUL, not a line end")
    where = "named or found in a directory (the default)"
    if unpack == "named":
        where = "also where they are found in a directory, and not only where they are named"
    add(
        "--decompress", dest="unpack", action="store_const", const="always",
        help=f"open gz, bz2, xz, zst, zip and tar files, {where}",
    )  # fmt: skip
    add(
        "--no-decompress", dest="unpack", action="store_const", const="never",
        help="open none of them: they are binary files then",
    )  # fmt: skip
    add("--max-unpacked", metavar="SIZE", type=_size, help="how much may be unpacked of one file (default: 16G)")
    add(
        "--max-ratio", metavar="N", type=_positive,
        help="how many times its own size that may be, if it is more than 64M (default: 200)",
    )  # fmt: skip
    add("--max-depth", metavar="N", type=_positive, help="how many layers are opened; a tar.gz has 2 (default: 8)")
    add(
        "--stdin-filename", metavar="NAME", default=STDIN,
        help="what to call standard input; the name tells its kind and which configuration holds, too",
    )  # fmt: skip
    add(
        "--rejoin", choices=REJOIN,
        help="which broken URLs to put together: those inside delimiters (wrapped, the default), also bare ones that"
        " seem to go on in the next line (guess), or none (never)",
    )  # fmt: skip
    add(
        "-j", "--jobs", metavar="N", type=_positive, default=processors(),
        help="how many processes share large files, or many small ones (default: as many as there are processors)",
    )  # fmt: skip
    parser.set_defaults(unpack_else=unpack)
    add_configuration(parser)
    showing = parser.add_argument_group("showing")
    add = showing.add_argument
    add("--show-secrets", action="store_true", help="show passwords and other secrets, which are *** otherwise")
    add(
        "--color", choices=("auto", "always", "never"), default="auto",
        help="use colours (auto: on a terminal; NO_COLOR and FORCE_COLOR are obeyed)",
    )  # fmt: skip
    add("-q", "--quiet", action="store_true", help="no notes and no summary")
    add("-v", "--verbose", action="store_true", help="also name what is passed over, and say how it was read")


def add_configuration(parser: Parser) -> None:
    """Add the options that say where settings come from."""
    add = parser.add_argument_group("configuration").add_argument
    add(
        "--config", metavar="FILE|KEY=VALUE", action="append", default=[],
        help="a configuration file for everything, instead of the nearest of each file; or a setting in TOML, such as"
        " 'schemes=[\"x-foo\"]', which goes before those of files; may be repeated",
    )  # fmt: skip
    add("--isolated", action="store_true", help="look for no configuration files")


def configuration_of(options: argparse.Namespace) -> "Configuration":
    """Return what holds for each file: options of the command line go before what files say.

    Raises:
        ConfigError: an option names what does not exist, or as of `Configuration`.
    """
    from urlscan.config import Configuration

    given: dict[str, object] = {}
    for key in ("select", "extend-select", "ignore"):
        if (value := getattr(options, key.replace("-", "_"), None)) is not None:
            given[key] = listed(value)
    # That of `extract` is among other formats, and nobody asks for it.
    single = {"profile": "profile", "rejoin": "rejoin", "fail-on": "fail_on", "output-format": "format"}
    for key, name in single.items():
        if (value := getattr(options, name, None)) is not None:
            given[key] = value
    if options.exclude is not None:
        given["exclude"] = ()  # they stand in the Reading, which knows where a file was found
    return Configuration(given, options.config, isolated=options.isolated)


def read_options_of(options: argparse.Namespace, configuration: "Configuration") -> "ReadOptions":
    """Return how sources are read."""
    from urlscan.run import ReadOptions

    exclude = (*(options.exclude or ()), *(options.extend_exclude or ()))
    limits = None
    given = {"size": options.max_unpacked, "ratio": options.max_ratio, "depth": options.max_depth}
    if any(given.values()):
        from urlscan.sources.packed.unpack import Limits

        limits = Limits()._replace(**{name: value for name, value in given.items() if value})
    name, unpack = options.stdin_filename, options.unpack
    if unpack is None:
        unpack = {None: options.unpack_else, True: "always", False: "never"}[configuration.here().decompress]
    return ReadOptions(options.kind, options.encoding, exclude, name, configuration, unpack, limits, options.parts)


def paths_of(options: argparse.Namespace) -> list[str]:
    """Return the paths that are asked for, those of `--files-from` behind the others.

    Raises:
        ConfigError: standard input is asked for twice.
        SourceError: the list cannot be read.
    """
    paths: list[str] = list(options.paths)
    if "" in paths:
        raise ConfigError("an empty PATH names nothing", hint="the current directory is .")
    if options.files_from is None:
        if options.zero:
            raise ConfigError("-0 is about --files-from, which is not there")
        return paths or [STDIN if has_piped_input() else os.curdir]
    if options.files_from == STDIN and STDIN in paths:
        raise ConfigError("standard input cannot be both the list of --files-from and a text")
    return paths + names(options.files_from, zero=options.zero)


def listed(values: list[str] | None) -> tuple[str, ...]:
    """Return the items of an option that may be repeated and holds comma-separated lists."""
    return tuple(item.strip() for value in values or [] for item in value.split(",") if item.strip())
