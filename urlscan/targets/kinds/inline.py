"""Render the inline markup of a heading in Markdown (CommonMark 0.31 section 6, and strikethrough of GFM)."""

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby

from urlscan.core.lazy import lazy, match_end
from urlscan.documents.escapes import ENTITY, ESCAPED
from urlscan.documents.regions import TICKS, BacktickRuns
from urlscan.targets.slugs import Heading, Part

_LONGEST = 2048
# Characters that begin inline markup.
_SPECIAL = re.compile(r"[\\`*_~\[\]!<&]")
_AUTOLINK = lazy(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>")
# Matches: `<a>`, `<a href="b>" c/>`, `</a >`, `<!-- a -->`, `<?a>`
# Does not match: `<1>`, `<a_b>`, `a`, `< a>`
_TAG = lazy(
    r"""
    <!--(?:-?>|.*?-->) | <[!?][^>]*>
  | </[A-Za-z][A-Za-z0-9.:-]*\s*>
  | <[A-Za-z][A-Za-z0-9.:-]*
    (?>(?> \s+ [^\s"'<>/=]+ (?: \s*=\s* (?: "[^"]*" | '[^']*' | \{[^{}]*\} | [^\s"'=<>`]+ ) )? )*)
    \s* /?>
    """,
    re.VERBOSE | re.DOTALL,
)
_BREAK = lazy(r"<[bB][rR](?=[\s/>])")
# The part of a link after its text: a destination with an optional title, or a label.
# Matches: `()`, `(a)`, `(<a b> "c")`, `(a(b) 'c')`
# Does not match: `[a]`, `(a b)`, `(a`
_DESTINATION = lazy(
    r"""
    \( \s* (?: <(?>(?>[^<>\n\\]+|\\.)*)> | (?>(?>[^\s()\\]+|\\.|\((?>(?>[^\s()\\]+|\\.|\((?>[^\s()]*)\))*)\))*) )
    (?: \s+ (?: "(?>(?>[^"\\]+|\\.)*)" | '(?>(?>[^'\\]+|\\.)*)' | \((?>(?>[^()\\]+|\\.)*)\) ) )? \s* \)
    """,
    re.VERBOSE | re.DOTALL,
)
_LABEL = lazy(r"\[(?>(?>[^\[\]\\]+|\\.)*)\]")
_FOOTNOTE = lazy(r"\[\^[^\[\]\s]+\]")


class _Delimiters:
    """A run of "*", "_" or "~" (CommonMark 6.2): its part in the output, and whether it can open or close emphasis.

    `length` is how many characters there were, and `count` how many are left.
    """

    __slots__ = ("character", "closes", "count", "index", "length", "opens")

    def __init__(self, index: int, run: str, before: str, after: str) -> None:
        self.index = index
        self.character = run[0]
        self.count = self.length = len(run)
        opens_left = _flanks(after, before)
        right = _flanks(before, after)
        if run[0] == "_":
            self.opens = opens_left and (not right or _is_punctuation(before))
            self.closes = right and (not opens_left or _is_punctuation(after))
        else:
            self.opens, self.closes = opens_left, right


def _is_punctuation(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] in "PS"


def _flanks(inner: str, outer: str) -> bool:
    """Return whether a run of delimiters flanks the text on the side of `inner` ("left-flanking", "right-flanking")."""
    if not inner or inner.isspace():
        return False
    return not _is_punctuation(inner) or not outer or outer.isspace() or _is_punctuation(outer)


class _Renderer:
    """Renders one heading: a single pass, with a stack of delimiters and one of brackets."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.parts: list[Part] = []
        self.delimiters: list[_Delimiters] = []
        # The index of the part after the bracket, whether it opens an image, and the number of delimiters before it.
        self.brackets: list[tuple[int, bool, int]] = []
        self.runs: BacktickRuns | None = None

    def render(self) -> tuple[Part, ...]:
        source, offset, consumed = self.source, 0, 0
        while (match := _SPECIAL.search(source, offset)) is not None:
            start = match.start()
            self._text(source[consumed:start])
            offset = consumed = self._special(start)
        self._text(source[consumed:])
        self._emphasize(0)
        return tuple(_joined(self.parts))

    def _text(self, text: str) -> None:
        if text:
            self.parts.append(Part("text", text))

    def _special(self, start: int) -> int:
        """Render what begins with a special character; return where to continue."""
        source = self.source
        character = source[start]
        if character in "*_~":
            return self._run(start)
        if character == "`":
            return self._code(start)
        if character == "[" or source.startswith("![", start):
            return self._open(start)
        if character == "]":
            return self._close(start)
        for pattern in (ESCAPED, ENTITY, _AUTOLINK, _TAG):
            if (match := pattern.match(source, start)) is None:
                continue
            if pattern is ENTITY:
                self.parts.append(Part("entity", html.unescape(match[0]), match[0]))
            elif pattern is not _TAG:
                self._text(match[1])
            elif _BREAK.match(match[0]) is not None:
                self.parts.append(Part("break", ""))
            return match.end()
        self._text(character)
        return start + 1

    def _run(self, start: int) -> int:
        source = self.source
        end = start + 1
        while source.startswith(source[start], end):
            end += 1
        run = source[start:end]
        self._text(run)
        if run[0] != "~" or len(run) <= 2:
            self.delimiters.append(
                _Delimiters(len(self.parts) - 1, run, source[start - 1 : start], source[end : end + 1])
            )
        return end

    def _code(self, start: int) -> int:
        """Render a code span: a space on both sides is removed unless there is nothing else (CommonMark 6.1)."""
        source = self.source
        end = match_end(TICKS, source, start)
        if self.runs is None:
            self.runs = BacktickRuns(source, 0, len(source))
        closing = self.runs.after(end, end - start)
        if closing < 0:
            self._text(source[start:end])
            return end
        code = source[end:closing].replace("\n", " ")
        if code.strip(" ") and code[0] == code[-1] == " ":
            code = code[1:-1]
        self.parts.append(Part("code", code))
        return closing + end - start

    def _open(self, start: int) -> int:
        if (footnote := _FOOTNOTE.match(self.source, start)) is not None:
            return footnote.end()
        is_image = self.source[start] == "!"
        end = start + 1 + is_image
        self._text(self.source[start:end])
        self.brackets.append((len(self.parts), is_image, len(self.delimiters)))
        return end

    def _close(self, start: int) -> int:
        """Render the end of a link or an image."""
        if not self.brackets:
            self._text("]")
            return start + 1
        first, is_image, delimiters = self.brackets.pop()
        end = max(match_end(pattern, self.source, start + 1) for pattern in (_DESTINATION, _LABEL))
        if end == start + 1 and not is_image:  # a shortcut reference, or brackets: no algorithm keeps these
            self._text("]")
            return end
        self._emphasize(delimiters)
        self.parts[first - 1] = Part("text", "")
        if is_image:
            alternative = "".join(part.text for part in self.parts[first:])
            self.parts[first:] = [Part("image", alternative)]
        return end

    def _emphasize(self, bottom: int) -> None:
        """Remove the delimiters of emphasis from the text ("process emphasis" of CommonMark)."""
        delimiters = self.delimiters[bottom:]
        del self.delimiters[bottom:]
        openers: dict[str, list[_Delimiters]] = {"*": [], "_": [], "~": []}
        for run in delimiters:
            stack = openers[run.character]
            while run.closes and run.count and stack:
                opener = stack[-1]
                if not _pairs(opener, run):
                    break
                used = min(opener.count, run.count, 2)  # of "~", both have as many
                for each in (opener, run):
                    each.count -= used
                    self.parts[each.index] = Part("text", each.character * each.count)
                for character, inner in openers.items():  # openers of other characters, inside of the emphasis
                    while character != run.character and inner and inner[-1].index > opener.index:
                        inner.pop()
                if not opener.count:
                    stack.pop()
            if run.opens and run.count:
                stack.append(run)


def _pairs(opener: _Delimiters, closer: _Delimiters) -> bool:
    """Return whether two runs can delimit emphasis (CommonMark 6.2, rules 9 and 10; GFM: equal runs of "~")."""
    if closer.character == "~":
        return opener.count == closer.count
    both = opener.closes or closer.opens
    return not (both and (opener.length + closer.length) % 3 == 0 and (opener.length % 3 or closer.length % 3))


def _joined(parts: list[Part]) -> Iterator[Part]:
    """Yield the parts, with adjacent texts as one."""
    for role, group in groupby(parts, key=lambda part: part.role):
        if role == "text":
            yield Part("text", "".join([part.text for part in group]))
        else:
            yield from group


def heading_of(source: str) -> Heading:
    """Return the heading with a given source, or with the beginning of a long one."""
    source = source[:_LONGEST]
    if _SPECIAL.search(source) is None:
        return Heading(source, (Part("text", source),))
    return Heading(source, _Renderer(source).render())
