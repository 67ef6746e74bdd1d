"""Define the parsers of the arguments, and the options that commands share."""

import argparse
import re
from collections.abc import Sequence
from itertools import product
from typing import NoReturn, TypeAlias

from urlscan.cli.reports import Report
from urlscan.core.errors import ConfigError, did_you_mean
from urlscan.core.secrets import redact
from urlscan.core.settings import REJOIN
from urlscan.documents import KINDS
from urlscan.files.walk import STDIN
from urlscan.formats import FORMATS
from urlscan.pipeline.processes import processors

# The names of values in the help: lists with commas, and all values that must not be empty.
_LISTS = ("LIST", "RULES")
_NAMES = re.compile(r"\b(?:DB|FILE|LIST|NAME|PATH|RULES)\b")
Group: TypeAlias = argparse._ArgumentGroup  # the type of what `add_argument_group` returns has no public name


class Parser(argparse.ArgumentParser):
    """A parser that accepts paths and options in any order and reports errors in one line.

    Attributes:
        conflicts: options of which others would be ignored: an option, the others (as names of attributes), and why.
    """

    conflicts: tuple[tuple[str, str, str], ...] = ()

    def __init__(self, command: str, description: str, examples: str, operands: str = "[OPTION]... [PATH]...") -> None:
        super().__init__(
            prog=f"urlscan {command}",
            # Given here, because argparse otherwise composes the usage before it reads any argument.
            usage=f"urlscan {command} {operands}".rstrip(),
            description=description,
            epilog=examples,
            # The width is fixed, because argparse queries the terminal for every option otherwise.
            formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=90),
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise ConfigError, which `main` writes as one line."""
        hint = f"see `{self.prog} --help`"
        unknown = message.removeprefix("unrecognized arguments: ").partition(" ")[0].partition("=")[0]
        if unknown != message and unknown.startswith("--"):
            options = [option for action in self._actions for option in action.option_strings if option[1] == "-"]
            abbreviated = [option for option in options if option.startswith(unknown[:60])]
            cutoff = 0.6
            if abbreviated:  # rejected, but the best hints
                options, cutoff = abbreviated, 0
            hint = did_you_mean(unknown, options, hint, cutoff)
        raise ConfigError(message.removeprefix("argument "), hint=hint)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Raise ConfigError if a value is empty, or not one of the choices of an option, with the most similar one."""
        name = _name(action)
        content = value
        if action.metavar in _LISTS:
            content = str(value).strip(" ,")
        if content == "" and _NAMES.search(str(action.metavar)):
            raise ConfigError(f"{name} is empty")
        if action.choices is None or value in action.choices or value == []:  # no operands
            return
        hint = did_you_mean(str(value), map(str, action.choices))
        raise ConfigError(f"{name}: invalid value {_quoted(str(value))}", hint=hint)

    def read(self, arguments: list[str]) -> argparse.Namespace:
        """Parse the arguments; everything after `--` is an operand."""
        end = [*arguments, "--"].index("--")
        operands = arguments[end + 1 :]
        # A negative number is joined to its option, so that the error names the option: argparse would parse the number
        # as an option, since one of the options is a digit: -0.
        numeric = {option for action in self._actions if action.type is not None for option in action.option_strings}
        joined: list[str] = []
        for argument in arguments[:end]:
            if joined and joined[-1] in numeric and re.match("-[0-9.]", argument) and argument != "-0":
                if joined[-1].startswith("--"):
                    joined[-1] += "="
                joined[-1] += argument
            else:
                joined.append(argument)
        options = self.parse_intermixed_args(joined)
        positional = [action for action in self._actions if not action.option_strings]
        if operands and not positional:
            self.error(f"unrecognized arguments: {' '.join(operands)}")
        for action, operand in product(positional, operands):
            self._check_value(action, operand)
        options.paths = [*getattr(options, "paths", ()), *operands]
        for option, excluded, why in self.conflicts:
            for name in excluded.split():
                if getattr(options, option) and getattr(options, name):
                    raise ConfigError(f"{self._names_of(option)} cannot be used with {self._names_of(name)}", hint=why)
        return options

    def _names_of(self, attribute: str) -> str:
        """Return the options or the operand whose values are in an attribute of the result."""
        return " or ".join(_name(action) for action in self._actions if action.dest == attribute)


def _name(action: argparse.Action) -> str:
    return str((*action.option_strings, action.metavar)[0])


def _quoted(value: str) -> str:
    """Return an argument for a message: masked before it is shortened, because a part of a secret is not recognized."""
    return repr(redact(value)[:60])


def positive(value: str) -> int:
    """Return a positive integer.

    Raises:
        ArgumentTypeError: `value` is not one.
    """
    if re.fullmatch(r"[0-9]{1,18}", value) is None or int(value) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive integer, not {_quoted(value)}")
    return int(value)


def _size(value: str) -> int:
    """Return a number of bytes: 500000, 500K, 16G.

    Raises:
        ArgumentTypeError: `value` is not a size.
    """
    match = re.fullmatch(r"([0-9]{1,18})([KMGT]?)", value.upper())
    if match is None or int(match[1]) < 1:
        raise argparse.ArgumentTypeError(f"expected a size such as 500M or 16G, not {_quoted(value)}")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[match[2]]


def add_shared(parser: Parser, *, unpack: str) -> None:
    """Add the options of every command that reads texts; `unpack` is "always" or "named", as for `ReadOptions`."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH",
        help="files, directories, or - for standard input; of directories, the files that git does not ignore"
        " (default: standard input if it is a file or a pipe, else the current directory)",
    )  # fmt: skip
    add = parser.add_argument_group("reading").add_argument
    add("--as", dest="kind", metavar="KIND", help=f"kind of the texts, overriding detection ({', '.join(KINDS)})")
    add("--encoding", metavar="NAME", help="encoding of the texts (default: by byte order mark, else UTF-8)")
    add(
        "--parts", choices=("all", "plain", "html"), default="all",
        help="which alternatives of a mail to read: all (default), the plain text,"
        " or the HTML",
    )  # fmt: skip
    add(
        "--exclude", metavar="GLOB", action="append",
        help="exclude matching paths, even if they are named; patterns are those of .gitignore; overrides the"
        " configuration; may be repeated",
    )  # fmt: skip
    add(
        "--extend-exclude",
        metavar="GLOB",
        action="append",
        help="exclude matching paths in addition to the configuration",
    )
    add("--files-from", metavar="FILE", help="read paths from FILE (- for standard input), one per line")
    add("-0", "--null", dest="zero", action="store_true", help="paths of --files-from are terminated by NUL")
    add(
        "--stdin-filename", metavar="NAME", default=STDIN,
        help="name of standard input, for reports, detection of its kind, and configuration",
    )  # fmt: skip
    where = "named or found in a directory (default)"
    if unpack == "named":
        where = "also those found in directories (default: only named ones)"
    add(
        "--decompress", dest="unpack", action="store_const", const="always",
        help=f"open gz, bz2, xz, zst, zip, tar and WARC files, {where}",
    )  # fmt: skip
    add(
        "--no-decompress", dest="unpack", action="store_const", const="never",
        help="do not open them, treat them as binary files",
    )  # fmt: skip
    add("--max-unpacked", metavar="SIZE", type=_size, help="limit on the unpacked size of one file (default: 16G)")
    add(
        "--max-ratio", metavar="N", type=positive,
        help="limit on the unpacked size as a multiple of the file size, above 64M (default: 200)",
    )  # fmt: skip
    add("--max-depth", metavar="N", type=positive, help="limit on nested layers; a tar.gz has 2 (default: 8)")
    add(
        "--rejoin", choices=REJOIN,
        help="which broken URLs to rejoin: those between delimiters (wrapped, default), also bare ones that"
        " seem to continue in the next line (guess), or none (never)",
    )  # fmt: skip
    add(
        "-j", "--jobs", metavar="N", type=positive, default=processors(),
        help="number of processes (default: number of processors)",
    )  # fmt: skip
    parser.set_defaults(unpack_else=unpack)
    add_configuration(parser)
    add = parser.add_argument_group("output").add_argument
    add("--show-secrets", action="store_true", help="show passwords and other secrets unmasked")
    add(
        "--color", choices=("auto", "always", "never"), default="auto",
        help="use colors (default: auto, on a terminal; NO_COLOR and FORCE_COLOR apply)",
    )  # fmt: skip
    add("--no-progress", action="store_true", help="never show the progress of a run that takes long")
    add("-q", "--quiet", action="store_true", help="omit notes, progress and the summary")
    add("-v", "--verbose", action="store_true", help="also report skipped files, encodings, and tracebacks")


class _AddReport(argparse.Action):
    """Adds a format, or the file of the preceding format."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        reports: list[Report] = list(namespace.reports or [])
        if option_string != "--output-file":
            reports.append(Report(str(values), None))
        else:
            before = (reports or [Report("", None)])[-1]
            if before.file is not None:
                raise ConfigError("more than one --output-file for one --format")
            reports[-1:] = [before._replace(file=str(values))]
        namespace.reports = reports


def add_reports(group: Group) -> None:
    """Add the options for the formats and files of reports."""
    group.add_argument(
        "--format", "--output-format", dest="reports", action=_AddReport, choices=tuple(FORMATS), metavar="FORMAT",
        help=f"output format: {', '.join(FORMATS)} (default: full); may be repeated",
    )  # fmt: skip
    group.add_argument(
        "--output-file", dest="reports", action=_AddReport, metavar="FILE",
        help="write the output of the preceding --format to FILE (- for standard output)",
    )  # fmt: skip
    group.add_argument(
        "--max-findings", metavar="N", type=positive, help="show only the first N findings, and count the others"
    )
    group.add_argument("--statistics", action="store_true", help="count findings per rule")


def add_format(group: Group | Parser, choices: tuple[str, ...], help: str) -> None:
    """Add the option for the output format; the first choice is the default."""
    group.add_argument(
        "--format", "--output-format", dest="format", choices=choices, default=choices[0], metavar="FORMAT", help=help
    )


def add_find_options(group: Group, verb: str) -> None:
    """Add the options for what is found beside URLs; `verb` is what the command does with it."""
    add = group.add_argument
    add("--schemeless", action="store_true", help=f"also {verb} hosts without a scheme: www.h.example/a")
    add("--emails", action="store_true", help=f"also {verb} addresses: jo@h.example")
    add("--defanged", action="store_true", help=f"also {verb} defanged URLs, restored: hxxp://h[.]example/a")
    add("--relative", action="store_true", help=f"also {verb} relative references in markup")
    add("--unwrap", action="store_true", help=f"{verb} the originals of links that a mail filter or a site rewrote")


def add_configuration(parser: Parser) -> None:
    """Add the options that select configuration files."""
    add = parser.add_argument_group("configuration").add_argument
    add(
        "--config", metavar="FILE|KEY=VALUE", action="append", default=[],
        help="configuration file to use for all files, or a setting in TOML, such as"
        " 'schemes=[\"x-foo\"]', which takes precedence over files; may be repeated",
    )  # fmt: skip
    add("--isolated", action="store_true", help="ignore all configuration files")
