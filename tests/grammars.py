"""Read the grammars of the RFCs from `bnf/`, as strategies that generate their strings and as patterns.

A file contains the productions as the RFC defines them. Below the line ";; departures" are those that urlscan reads
differently, with the reason; they replace the ones above. Two notations are read. The first is ABNF (RFC 5234),
including the BNF of RFC 822, RFC 1738 and RFC 2396:

    name = "literal" / <"> / %x41-5A / other 1*3( a | b ) [ optional ] *[ repeated ]    ; comment

The second is that of RFC 1630: a name is followed by blanks, single characters represent themselves, and words of
several letters are names.
"""

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import regex
from hypothesis import strategies as st

BNF = Path(__file__).parent / "bnf"
_DEPARTURES = "\n;; departures\n"

# More repetitions of an element would test nothing new.
_MOST_REPEATED = 3
# Below this depth of names, the shortest alternative is chosen.
_DEEP = 40
# Ranges with fewer characters are listed one by one.
_FEW = 512


class Literal(NamedTuple):
    """Characters; the case of a word is ignored."""

    text: str


class Chars(NamedTuple):
    """One character of some ranges, each given by its first and last code."""

    ranges: tuple[tuple[int, int], ...]

    def all(self) -> str:
        """Return the characters, in order."""
        return "".join(sorted({chr(code) for first, last in self.ranges for code in range(first, last + 1)}))


class Name(NamedTuple):
    """A reference to another production."""

    name: str


class Either(NamedTuple):
    """Alternatives."""

    parts: tuple[Any, ...]


class Sequence(NamedTuple):
    """Elements in sequence."""

    parts: tuple[Any, ...]


class Repeat(NamedTuple):
    """An element repeated `least` to `most` times; None means no limit."""

    least: int
    most: int | None
    inner: Any


Node = Literal | Chars | Name | Either | Sequence | Repeat
Productions = dict[str, Node]

_LETTERS = ((0x41, 0x5A), (0x61, 0x7A))
# RFC 5234 appendix B.1, and the words that RFC 1630 and RFC 1738 use for characters that they cannot write.
_CORE: Productions = {
    "ALPHA": Chars(_LETTERS),
    "DIGIT": Chars(((0x30, 0x39),)),
    # Literals in ABNF are case-insensitive.
    "HEXDIG": Chars(((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))),
    "space": Chars(((0x20, 0x20),)),
    "vline": Chars(((0x7C, 0x7C),)),
}

# --- reading

_ABNF_TOKEN = re.compile(
    r"(?P<skip>\s+|;[^\n]*)"
    r"|(?P<repeat>\d*\*\d*|\d+(?=[\"(\[%<A-Za-z]))"
    r'|"(?P<quoted>[^"]*)"|<(?P<mark>")>|<(?P<named>[a-z-]+)>'
    r"|%(?P<code>[xd][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+)?)"
    r"|(?P<name>[A-Za-z][\w+-]*)"
    r"|(?P<sign>[\[\]()|/])"
)
# "national" of RFC 1630 contains brackets: separated by "|", they represent themselves.
_1630_TOKEN = re.compile(
    r"(?P<skip>\s+)|(?P<name>[A-Za-z][A-Za-z0-9-]+)|(?P<quoted>(?<=\| )[\[\]](?= \|))|(?P<sign>[\[\]|])|(?P<other>\S)"
)


class _Token(NamedTuple):
    kind: str
    text: str


def _tokens(body: str, pattern: re.Pattern[str]) -> Iterator[_Token]:
    at = 0
    while at < len(body):
        match = pattern.match(body, at)
        assert match is not None, f"no token: {body[at:][:40]!r}"
        at = match.end()
        kind = match.lastgroup or "quoted"  # '""', the empty literal
        if kind != "skip":
            text = match[kind] or ""
            kind = {"mark": "quoted", "other": "quoted", "named": "name"}.get(kind, kind)
            yield _Token(kind, "|" if (kind, text) == ("sign", "/") else text)


def _alternatives(tokens: list[_Token]) -> Node:
    parts = [_concatenation(tokens)]
    while tokens and tokens[0] == ("sign", "|"):
        tokens.pop(0)
        parts.append(_concatenation(tokens))
    return parts[0] if len(parts) == 1 else Either(tuple(parts))


def _concatenation(tokens: list[_Token]) -> Node:
    parts = []
    while tokens and not (tokens[0].kind == "sign" and tokens[0].text in "|])"):
        parts.append(_element(tokens))
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))


def _element(tokens: list[_Token]) -> Node:
    kind, text = tokens.pop(0)
    match kind:
        case "repeat":
            least, star, most = text.partition("*")
            # RFC 1738: "brackets [] are used around optional or repeated elements"
            inner = _group(tokens) if tokens[0] == ("sign", "[") else _element(tokens)
            return Repeat(int(least or 0), (int(most) if most else None) if star else int(least), inner)
        case "quoted":
            return Chars(((ord(text), ord(text)),)) if len(text) == 1 else Literal(text)
        case "code":
            base = 16 if text[0] == "x" else 10
            first, _, last = text[1:].partition("-")
            return Chars(((int(first, base), int(last or first, base)),))
        case "name":
            return Name(text)
    tokens.insert(0, _Token(kind, text))
    inner = _group(tokens)
    return Repeat(0, 1, inner) if text == "[" else inner


def _group(tokens: list[_Token]) -> Node:
    tokens.pop(0)
    inner = _alternatives(tokens)
    assert tokens.pop(0).text in ")]"
    return inner


def _read(text: str, token: re.Pattern[str]) -> Productions:
    """Return the productions of a text: each begins at the margin and continues on indented lines."""
    found: Productions = {}
    lines = "\n".join(line for line in text.splitlines() if not line.startswith(";"))
    for production in re.split(r"\n(?=\S)", lines.strip("\n")):
        name, _, body = production.replace("\n", " \n").partition(" ")
        body = body.lstrip()
        body = body.removeprefix("=") if token is _ABNF_TOKEN else body
        tokens = list(_tokens(body, token))
        found[name.strip()] = _alternatives(tokens)
        assert not tokens, f"{name}: {tokens}"
    return found


@functools.cache
def as_written(file: str) -> Productions:
    """Return the productions of a file as defined by the RFC."""
    return _CORE | _read((BNF / f"{file}.txt").read_text("utf-8").split(_DEPARTURES)[0], _token_of(file))


def departures(file: str) -> Productions:
    """Return the productions that urlscan reads differently, and those that they need."""
    _, _, text = (BNF / f"{file}.txt").read_text("utf-8").partition(_DEPARTURES)
    return _read(text, _token_of(file)) if text else {}


def _token_of(file: str) -> re.Pattern[str]:
    return _1630_TOKEN if file.startswith("rfc1630") else _ABNF_TOKEN


class Grammar:
    """Productions of one or more files, departures included; later files override earlier ones."""

    def __init__(self, *files: str) -> None:
        self.productions: Productions = {}
        for file in files:
            self.productions |= as_written(file) | departures(file)
        self._single: dict[str, Chars | None] = {}
        self._heights: dict[str, int] = {}

    # --- properties of nodes

    def single(self, node: Node) -> Chars | None:
        """Return the characters of a node that always matches one character, otherwise None."""
        match node:
            case Chars():
                return node
            case Name(name):
                if name not in self._single:
                    self._single[name] = None  # guards against recursion: a recursive name is not a single character
                    self._single[name] = self.single(self.productions[name])
                return self._single[name]
            case Either(parts):
                found = [self.single(part) for part in parts]
                if all(found):
                    return Chars(tuple(span for one in found if one for span in one.ranges))
        return None

    def height(self, node: Node, above: frozenset[str] = frozenset()) -> int:
        """Return the depth of names of the shortest derivation."""
        match node:
            case Name(name):
                if name in above:
                    return 1000
                if name not in self._heights:
                    height = 1 + self.height(self.productions[name], above | {name})
                    if above:
                        return height
                    self._heights[name] = height
                return self._heights[name]
            case Either(parts):
                return min(self.height(part, above) for part in parts)
            case Sequence(parts):
                return max((self.height(part, above) for part in parts), default=0)
            case Repeat(least, _, inner):
                return self.height(inner, above) if least else 0
        return 0

    def strings(self, start: str) -> st.SearchStrategy[str]:
        """Return a strategy of the strings that a production generates."""

        @st.composite
        def written(draw: Callable[..., Any]) -> str:
            return "".join(self._pieces(Name(start), draw, 0))

        return written()

    def _pieces(self, node: Node, draw: Callable[..., Any], deep: int) -> Iterator[str]:
        characters = self.single(node)
        if characters is not None:
            yield draw(_one_of(characters))
            return
        match node:
            case Literal(text):
                yield draw(_cases(text))
            case Name(name):
                yield from self._pieces(self.productions[name], draw, deep + 1)
            case Sequence(parts):
                for part in parts:
                    yield from self._pieces(part, draw, deep)
            case Either(parts):
                choices = self._choices(parts)
                if deep > _DEEP:
                    choices = (min(choices, key=self.height),)
                yield from self._pieces(draw(st.sampled_from(choices)), draw, deep)
            case Repeat(least, most, inner):
                more = _MOST_REPEATED if most is None else min(most - least, _MOST_REPEATED)
                count = least + (draw(_up_to(more)) if deep <= _DEEP else 0)
                for _ in range(count):
                    yield from self._pieces(inner, draw, deep)

    @functools.lru_cache(maxsize=4096)  # noqa: B019 - there are as few grammars as files
    def _choices(self, parts: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return the alternatives, single characters combined, so that not every second one is an escape."""
        singles = [part for part in parts if self.single(part) is not None]
        if len(singles) < 2:
            return parts
        one = self.single(Either(tuple(singles)))
        assert one is not None
        return (one, one, one, *(part for part in parts if part not in singles))

    # --- patterns

    @functools.lru_cache(maxsize=64)  # noqa: B019
    def pattern(self, start: str) -> "regex.Pattern[str]":
        """Return a pattern whose `fullmatch` accepts the strings of the production."""
        names, queue = {start}, [start]
        while queue:
            new = _names(self.productions[queue.pop()]) - names
            names |= new
            queue += new
        definitions = "".join(f"(?P<{_group_name(name)}>{_source(self.productions[name])})" for name in sorted(names))
        return regex.compile(f"(?(DEFINE){definitions})(?&{_group_name(start)})")

    def matches(self, start: str, text: str) -> bool:
        """Return whether the production generates the whole of `text`."""
        return self.pattern(start).fullmatch(text) is not None


@functools.cache
def _one_of(characters: Chars) -> st.SearchStrategy[str]:
    few = [span for span in characters.ranges if span[1] - span[0] < _FEW]
    many = [span for span in characters.ranges if span[1] - span[0] >= _FEW]
    strategies = [st.characters(min_codepoint=first, max_codepoint=last) for first, last in many]
    if few:
        strategies.insert(0, st.sampled_from(Chars(tuple(few)).all()))
    return st.one_of(strategies)


@functools.cache
def _cases(text: str) -> st.SearchStrategy[str]:
    return st.just(text) if text.lower() == text.upper() else st.sampled_from((text, text.lower(), text.upper()))


@functools.cache
def _up_to(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


def _names(node: Node) -> set[str]:
    match node:
        case Name(name):
            return {name}
        case Either(parts) | Sequence(parts):
            return set().union(*map(_names, parts))
        case Repeat(_, _, inner):
            return _names(inner)
    return set()


def _group_name(name: str) -> str:
    return "g_" + re.sub(r"\W", lambda match: f"_{ord(match[0]):x}_", name)


def _source(node: Node) -> str:
    match node:
        case Literal(text):
            return f"(?i:{regex.escape(text)})"
        case Chars(ranges):
            return "[" + "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in ranges) + "]"
        case Name(name):
            return f"(?&{_group_name(name)})"
        case Either(parts):
            return f"(?:{'|'.join(map(_source, parts))})"
        case Sequence(parts):
            return "".join(map(_source, parts))
        case Repeat(least, most, inner):
            return f"(?:{_source(inner)}){{{least},{'' if most is None else most}}}"


def characters_of(productions: Productions, name: str, *, without: tuple[str, ...] = ()) -> set[str]:
    """Return the characters that a production contains, directly or by name, except in the names `without`."""
    found: set[str] = set()
    names, queue = {*without, name}, [productions[name]]
    while queue:
        node = queue.pop()
        match node:
            case Literal(text):
                found |= set(text)
            case Chars():
                found |= set(node.all())
            case Name(other) if other not in names:
                names.add(other)
                queue.append(productions[other])
            case Either(parts) | Sequence(parts):
                queue += parts
            case Repeat(_, _, inner):
                queue.append(inner)
    return found
