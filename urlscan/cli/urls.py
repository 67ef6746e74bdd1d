"""What the commands share that take URLs, not texts: where these come from, their secrets, how answers are written."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from urlscan.cli import output
from urlscan.cli.options import Parser
from urlscan.errors import ConfigError, SourceError
from urlscan.formats.masking import Secrets, escape, mask_finding, url_secrets
from urlscan.formats.records import Record, array, dumps
from urlscan.linter import diagnosis
from urlscan.model import Finding, Problem
from urlscan.redact import MASK, Spans, mask, merged
from urlscan.settings import PROFILES
from urlscan.sources.walk import STDIN, has_piped_input, standard_input
from urlscan.text import readable
from urlscan.typed import typed
from urlscan.url import split

FORMATS = ("text", "json", "jsonl")
# Bytes of a line of standard input: memory stays bounded, and what is longer the finder takes for no URL either.
_LONGEST = 1 << 16
_QUOTED = 200  # characters of a URL in a line on standard error
_MOST_LINES = 20  # on standard error about one URL

# RFC 3261 section 25.1:  userinfo = ( user / telephone-subscriber ) [ ":" password ] "@"
# `redact`, in a text, ends a password where a word may end.  Here the whole is one URL, and no "@" may follow in a
# sip URL, so that the last one ends the password, whatever was typed into it.
_SIP = re.compile(r"(?:\A[^\w+.-]*(?i:sips?):[^:]*|(?<![\w+.-])(?i:sips?):[^:@/?#\s]*):")
# What divides a URL: it stays when a secret is taken out, so that everything else keeps its place.
_BETWEEN_DIVIDERS = re.compile(r"[^/?#:@\[\]\\]+")
_DOTS = re.compile(r"(?:\.|%2[Ee]){1,2}")


class MaskedUrls(NamedTuple):
    """URLs in which a word stands for each secret, or for the pieces of it.

    What is made of them holds no secret, whatever becomes of its parts.

    Attributes:
        texts: the URLs.
        word: letters and digits that stand in none of them otherwise.
    """

    texts: list[str]
    word: str

    def shown(self, text: str) -> str:
        """Return the URL that was made of the URLs as it may be shown."""
        return self.show_masks(mask(text, secrets_of(text)))

    def show_masks(self, text: str) -> str:
        """Return a piece of them with masks instead of words."""
        return re.sub(rf"(?i:{self.word}|{re.escape(MASK)})+", MASK, text) if self.word in text.lower() else text


class Answer(NamedTuple):
    """What a command says of one URL.

    Attributes:
        shown: a record for JSON, else text with its line end, safe to print; "" is nothing.
        complaints: lines for standard error.
        faulty: whether the URL makes the exit status 1.
    """

    shown: Record | str
    complaints: list[str]
    faulty: bool


# --- arguments


def parser_of(command: str, description: str, examples: str, *, operands: str, help: str) -> Parser:
    """Return a parser with what the commands share."""
    parser = Parser(command, description, examples)
    parser.usage = f"urlscan {command} [OPTION]... {operands}"
    parser.add_argument("paths", nargs="*", metavar="URL", help=help)
    add = parser.add_argument
    add("--profile", choices=PROFILES, default="rfc3986", help="the specification to go by (default: rfc3986)")
    add("--format", choices=FORMATS, default="text", help="text (the default), json, or jsonl: one record a line")
    add("--show-secrets", action="store_true", help="show passwords and other secrets, which are *** otherwise")
    return parser


def operands(given: list[str], what: str) -> list[str]:
    """Return the operands, or `-` where there are none and standard input is a file or a pipe.

    Raises:
        ConfigError: there is nothing to read, or standard input is named twice.
    """
    if not given and not has_piped_input():
        raise ConfigError(f"no {what} is named", hint="name some, or give them on standard input, one a line")
    if given.count(STDIN) > 1:
        raise ConfigError("standard input is named twice")
    return given or [STDIN]


def urls(given: Iterable[str]) -> Iterator[str | SourceError]:
    """Yield the operands; for `-` the lines of standard input that are not blank, each when it has come."""
    for operand in given:
        if operand == STDIN:
            yield from _lines()
        else:
            yield argument(operand)


def argument(given: str) -> str:
    """Return an argument of the process as UTF-8, whatever the locale took it for."""
    try:
        return given if given.isascii() else os.fsencode(given).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # it did not come from the process
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
                yield SourceError(STDIN, f"line {number} is longer than {_LONGEST} bytes and was passed over")
                continue
            if number == 1:
                data = data.removeprefix(b"\xef\xbb\xbf")
            line = data.decode("utf-8", "surrogateescape").strip(" \t\r\n")
            if line:
                yield line
    except OSError as error:
        yield SourceError(STDIN, error.strerror or str(error))


# --- answers


def write(answers: Iterable[Answer | SourceError], format: str) -> int:
    """Write each answer as it comes, and return the exit status."""
    status = 0

    def heard() -> Iterator[Record | str]:
        nonlocal status
        for answer in answers:
            if isinstance(answer, SourceError):
                status = 2
                output.complain(str(answer))
                continue
            for complaint in answer.complaints[:_MOST_LINES]:
                output.complain(complaint)
            if len(answer.complaints) > _MOST_LINES:
                output.complain(f"... and {len(answer.complaints) - _MOST_LINES} lines more; JSON has all problems")
            status = max(status, int(answer.faulty))
            yield answer.shown

    for piece in _pieces(heard(), format):
        output.write(piece)
        output.flush()  # whoever types the lines, or sends them, waits for it
    return status


def _pieces(shown: Iterator[Record | str], format: str) -> Iterator[str]:
    if format == "json":
        yield from array(map(dumps, shown))
    else:
        yield from (one if isinstance(one, str) else dumps(one) + "\n" for one in shown)


def answers(given: Iterable[str | SourceError], answer: Callable[[str], Answer]) -> Iterator[Answer | SourceError]:
    """Yield the answer to each URL, and pass on what could not be read."""
    for one in given:
        yield one if isinstance(one, SourceError) else answer(one)


def line(text: str) -> str:
    """Return one line of what a stranger wrote, safe to print."""
    return escape(readable(text)) + "\n"


def quoted(url: str, secrets: Spans) -> str:
    """Return a URL as it is named in a line on standard error."""
    text = readable(mask(url, secrets))
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "…"


# --- secrets


def secrets_of(url: str) -> Spans:
    """Return the places of the secrets in one URL without delimiters: passwords, well-formed or not, and values."""
    # The whole is one URL: where white space ends a password in a text, it is in the password here.
    spans = merged([*url_secrets(url), *url_secrets(re.sub(r"\s", "_", url))])
    if ":" not in url or "@" not in url:
        return spans
    sip, last = _SIP.search(url), url.rfind("@")
    if sip is not None and sip.end() < last:
        spans = [*spans, (sip.end(), last)]
    parts = split(url)
    password = parts.span("password") if parts.password else None
    return merged(spans if password is None else [*spans, password])


def mask_urls(*given: str) -> MaskedUrls | None:
    """Return URLs, as they were typed, with words for their secrets; None if there are none."""
    whats = [typed(text) for text in given]
    spans = [secrets_of(what.url) for what in whats]
    if not any(spans):
        return None
    word = _word("\n".join(given))
    texts = []
    for text, what, places in zip(given, whats, spans, strict=True):
        for start, end in reversed(places):  # from behind, so that the offsets before it hold
            first, last = what.offsets[start], what.offsets[end - 1] + 1
            text = text[:first] + _replace_words(what.url[start:end], word) + text[last:]
        texts.append(text)
    return MaskedUrls(texts, word)


def mask_url_secrets(url: str, secrets: Spans) -> MaskedUrls:
    """Return one URL without delimiters with words for its secrets."""
    word = _word(url)
    for start, end in reversed(secrets):
        url = url[:start] + _replace_words(url[start:end], word) + url[end:]
    return MaskedUrls([url], word)


def _word(text: str) -> str:
    """Return a word that does not stand in `text`, and goes through whatever is done with a URL."""
    known, number = text.lower(), 0
    while f"secret{number}x" in known:
        number += 1
    return f"secret{number}x"


def shown_result(result: str, make: Callable[..., str], given: list[str]) -> tuple[str, bool]:
    """Return what was made of URLs as it may be shown, and whether something in it was masked.

    Args:
        result: what `make` makes of them.
        make: is asked again if there are secrets, with words in their place.
        given: the URLs, as they were typed.
    """
    masked_urls = mask_urls(*given)
    if masked_urls is not None:
        return masked_urls.shown(make(*masked_urls.texts)), True
    emerged = secrets_of(result)  # a relative path may have come to stand where a userinfo does
    return mask(result, emerged), bool(emerged)


def _replace_words(secret: str, word: str) -> str:
    """Return what stands for a secret: its dividers, and its dot segments, with words in between."""
    divided = "/" in secret
    return _BETWEEN_DIVIDERS.sub(lambda piece: piece[0] if divided and _DOTS.fullmatch(piece[0]) else word, secret)


# --- problems


def problems_of(url: str, profile: str) -> list[Problem]:
    """Return what is wrong with a URL without delimiters, as `parse` says it."""
    return diagnosis(url, profile, "uri-reference")


def shown_problem(problem: Problem, url: str, secrets: Spans) -> tuple[Problem, bool]:
    """Return a problem of `url` as it may be shown, and whether something in it was masked."""
    if not secrets:
        return problem, False
    # What is masked in a text goes word by word, and by how a URL begins; here a secret may be of many words, and
    # its URL have no scheme.
    pieces = [piece for start, end in secrets for piece in _pieces_of(url[start:end])]
    message, suggestion = problem.message, problem.suggestion
    for piece in pieces:
        message, suggestion = message.replace(piece, MASK), suggestion.replace(piece, MASK)
    finding = Finding(
        problem.code, problem.name, problem.severity, message, url, "", 1, 1, 1, 1, 0, 0, suggestion=suggestion
    )  # fmt: skip
    masked, _ = mask_finding(finding, Secrets([], {url: secrets}))
    shown = problem._replace(message=masked.message, suggestion=masked.suggestion)
    return shown, shown != problem


def _pieces_of(secret: str) -> list[str]:
    """Return a secret that white space or a delimiter divides, and its pieces that tell something; longest first."""
    if not re.search(r"[\s/?#@:\[\]]", secret):
        return []
    return sorted({secret, *re.findall(r"\w{3,}", secret)}, key=len, reverse=True)


def problem_record(problem: Problem) -> Record:
    """Return a problem as JSON has it."""
    return {
        **problem._asdict(),
        "severity": problem.severity.label,
        "message": readable(problem.message),
        "suggestion": readable(problem.suggestion),
    }


def sentence(problem: Problem) -> str:
    """Return a problem as one line on standard error says it."""
    return readable(problem.message) + (f" ({problem.section})" if problem.section else "")
