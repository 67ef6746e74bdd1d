"""Find secrets by name or by form: values of parameters, published tokens, and tokens used as user names."""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.secrets.checks import DELIMITER, LONG_USER, NAME_END, TOKEN_START
from urlscan.core.secrets.known import PARAMETERS, POSITIONS, SESSIONS, TOKENS, Parameter, Token

# The words of a name: "next_page_token", "nextPageToken", "NEXT-PAGE-TOKEN".
_WORDS = lazy("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Value(NamedTuple):
    """The value of a parameter whose name marks it as a secret."""

    parameter: Parameter
    name: str
    start: int
    end: int


class TokenMatch(NamedTuple):
    """A published token, or a long word used as a user name, for which `token` is None."""

    token: Token | None
    start: int
    end: int


def _key(name: str) -> str:
    return re.sub("[ ._-]", "", name).lower()


_BY_KEY = {_key(parameter.name): parameter for parameter in PARAMETERS}


def _parameter_named(name: str) -> Parameter | None:
    """Return the parameter of a name that matches `_name_pattern`; None if its value is a position in a list."""
    key = _key(name)
    if (parameter := _BY_KEY.get(key)) is not None:
        return parameter
    words = [word.lower() for word in _WORDS.findall(name)]
    if key.removesuffix("token") in POSITIONS or (words[-1:] == ["token"] and words[-2:-1] and words[-2] in POSITIONS):
        return None
    return next(row for row in PARAMETERS if row.is_ending and key.endswith(_key(row.name)))


def _name_pattern() -> str:
    """Return an expression for the names, grouped by their beginnings."""
    by_first: dict[str, list[str]] = {}
    # Longest first, because "pass" is the beginning of "passwd".
    for parameter in sorted(PARAMETERS, key=lambda parameter: (-len(parameter.name), parameter.name)):
        first, *rest = parameter.name.lower().split()
        by_first.setdefault(first, []).append("[_.-]?".join(["", *rest]))
    heads = (f"{first}(?:{'|'.join(rests)})" for first, rests in by_first.items())
    endings = (row.name.replace(" ", "[_.-]?") for row in PARAMETERS if row.is_ending)
    # ASCII, because "\u017f" is "s" in another case of letters, too.
    return rf"(?ai:{'|'.join(heads)}|[^\s?&;#=<>\"\[\]]{{1,64}}(?:{'|'.join(endings)}))"


# Parameters occur in fragments as well: the implicit grant of OAuth returns its token there (RFC 6749 section 4.2.2).
# Forms write "user[password]=".
_BEFORE_NAME = r"[?&;#\[]"
_AFTER_NAME = r"(?:\](?:\[\])?)?="
# A ";" divides parameters only if another follows. A quotation mark or bracket ends the URL unless text follows.
_VALUE = lazy(r"(?:[^\s&;#<>\"]|;(?![\w.-]{1,40}=)|[<>\"](?=\w))*")


@functools.cache
def _parameter() -> re.Pattern[str]:
    return re.compile(f"{_BEFORE_NAME}(?P<name>{_name_pattern()}){_AFTER_NAME}")


@functools.cache
def _token() -> re.Pattern[str]:
    rows = (f"(?P<t{number}>{token.prefix}){token.rest}" for number, token in enumerate(TOKENS))
    return re.compile(f"(?<={DELIMITER})(?:{'|'.join(rows)})")


def parameter_values(text: str) -> Iterator[Value]:
    """Yield the values of parameters whose names mark them as secrets, in order."""
    if NAME_END.search(text) is None:
        return
    end = 0
    while (match := _parameter().search(text, end)) is not None:
        start = end = match.end()
        parameter = _parameter_named(match["name"])
        if parameter is None:
            continue
        value = _VALUE.match(text, start)
        assert value is not None  # noqa: S101 - it may be empty
        end = value.end()
        if parameter.name in SESSIONS and "?" in value[0]:
            end = start + value[0].index("?")
        if end - start >= parameter.shortest:
            yield Value(parameter, match["name"], start, end)


def tokens(text: str) -> Iterator[TokenMatch]:
    """Yield the published tokens in `text`, and the tokens used as user names."""
    start = 0
    while (prefix := TOKEN_START.search(text, start)) is not None:
        start = prefix.start() + 1
        match = _token().match(text, start)
        if match is None:
            continue
        group = str(match.lastgroup)
        token = TOKENS[int(group[1:])]
        if "/" in token.prefix:  # the path of a webhook is public, but the text after it is not
            start = match.end(group)
        yield TokenMatch(token, start, match.end())
        start = match.end() - 1  # the last character may be the delimiter before another token
    for match in LONG_USER.finditer(text):
        yield TokenMatch(None, *match.span(match.lastgroup or 0))
