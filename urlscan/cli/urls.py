"""Share code among the commands for single URLs: reading operands, masking secrets, writing answers."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from urlscan.cli import output
from urlscan.cli.parser import Parser, add_format
from urlscan.core.choices import Profile
from urlscan.core.document import readable
from urlscan.core.errors import ConfigError, SourceError, reason
from urlscan.core.records import Problem
from urlscan.core.secrets import Spans, mask
from urlscan.core.settings import PROFILES
from urlscan.files.walk import STDIN, has_piped_input, standard_input
from urlscan.formats.escape import escape
from urlscan.formats.mask import mask_problem
from urlscan.formats.mask_urls import secrets_of
from urlscan.formats.records import Record, array, dumps, problem_record
from urlscan.linter.judge import diagnosis

FORMATS = ("text", "json", "jsonl")
# Limit on a line of standard input in bytes, so that memory stays bounded; the finder ignores longer URLs as well.
_LONGEST = 1 << 16
_QUOTED = 200  # limit on the characters of a URL in a line on standard error
_MOST_LINES = 20  # limit on the lines on standard error about one URL


class Answer(NamedTuple):
    """The answer to one URL.

    Attributes:
        shown: a record for JSON, else text with its line end, safe to print; "" for nothing.
        complaints: lines for standard error.
        faulty: whether the URL makes the exit status 1.
    """

    shown: Record | str
    complaints: list[str]
    faulty: bool


_OPERANDS = "URLs, or - for standard input, one per line (default: standard input if it is a file or a pipe)"


def create_url_parser(
    command: str, description: str, examples: str, *, operands: str = "[URL]...", help: str = _OPERANDS
) -> Parser:
    """Return a parser with the shared options."""
    parser = Parser(command, description, examples, f"[OPTION]... {operands}")
    parser.add_argument("paths", nargs="*", metavar="URL", help=help)
    add = parser.add_argument
    add("--profile", choices=PROFILES, default="rfc3986", help="specification to apply (default: rfc3986)")
    add_format(parser, FORMATS, "output format: text (default), json or jsonl")
    add("--show-secrets", action="store_true", help="show passwords and other secrets unmasked")
    return parser


def urls(given: list[str], what: str = "URL") -> Iterator[str | SourceError]:
    """Return the operands; for `-`, and without any if standard input is a file or a pipe, its lines as they arrive.

    Raises:
        ConfigError: there is nothing to read, or standard input is named twice.
    """
    if not given and not has_piped_input():
        raise ConfigError(f"no {what} given", hint="write it as an argument, or on standard input, one per line")
    if given.count(STDIN) > 1:
        raise ConfigError("standard input is given twice")
    return chain.from_iterable(_lines() if operand == STDIN else [argument(operand)] for operand in given or [STDIN])


def argument(given: str) -> str:
    """Return an argument of the process as UTF-8, whatever the locale."""
    try:
        if given.isascii():
            return given
        return os.fsencode(given).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # not an argument of the process
        return given


def _lines() -> Iterator[str | SourceError]:
    number = 0
    try:
        stdin = standard_input()
        while data := stdin.readline(_LONGEST):
            number += 1
            if len(data) == _LONGEST and not data.endswith(b"\n"):
                while data and not data.endswith(b"\n"):
                    data = stdin.readline(_LONGEST)
                yield SourceError(STDIN, f"line {number} is longer than {_LONGEST} bytes, skipped")
                continue
            if number == 1:
                data = data.removeprefix(b"\xef\xbb\xbf")
            line = data.decode("utf-8", "surrogateescape").strip(" \t\r\n")
            if line:
                yield line
    except OSError as error:
        yield SourceError(STDIN, reason(error))


def write(given: Iterable[str | SourceError], answer_of: Callable[[str], Answer], format: str) -> int:
    """Write the answer to each URL as it comes, and return the exit status."""
    status = 0

    def answers() -> Iterator[Any]:
        nonlocal status
        for url in given:
            if isinstance(url, SourceError):
                status = 2
                output.complain(str(url))
                continue
            answer = answer_of(url)
            for complaint in answer.complaints[:_MOST_LINES]:
                output.complain(complaint)
            if len(answer.complaints) > _MOST_LINES:
                output.complain(
                    f"... and {len(answer.complaints) - _MOST_LINES} more lines; --format json shows all problems"
                )
            status = max(status, int(answer.faulty))
            yield answer.shown

    pieces = answers()
    if format == "json":
        pieces = array(map(dumps, pieces))
    elif format == "jsonl":
        pieces = (dumps(record) + "\n" for record in pieces)
    for piece in pieces:
        output.write(piece)
        output.flush()  # an interactive user, or a program at the other end of the pipe, waits for the answer
    return status


def line(text: str) -> str:
    """Return a line of untrusted text, safe to print."""
    return escape(readable(text)) + "\n"


class Argument:
    """A URL without delimiters, and its problems.

    Attributes:
        text: the URL.
        secrets: the spans of its secrets; empty if they are shown.
        problems: its problems, apart from resolution.
    """

    def __init__(self, text: str, profile: Profile, show_secrets: bool) -> None:
        self.text = text
        self.profile = profile
        self.show_secrets = show_secrets
        self.secrets = Spans()
        if not show_secrets:
            self.secrets = secrets_of(text)
        self.problems = diagnosis(text, profile, "uri-reference")

    def shown(self) -> str:
        """Return the URL with secrets masked."""
        return readable(mask(self.text, self.secrets))

    def records(self, problems: list[Problem], **fields: str) -> list[Record]:
        """Return the records of its problems for JSON, each with these fields before its own."""
        masked = [mask_problem(problem, self.text, self.secrets) for problem in problems]
        return [{**fields, **problem_record(problem)} for problem in masked]

    def complaint(self, problem: Problem) -> str:
        """Return a line about a problem for standard error; the URL is truncated."""
        name, masked = self.shown(), mask_problem(problem, self.text, self.secrets)
        if len(name) > _QUOTED:
            name = name[:_QUOTED] + "…"
        complaint = f"{name}: {readable(masked.message)}"
        if masked.section:
            complaint += f" ({masked.section})"
        return complaint
