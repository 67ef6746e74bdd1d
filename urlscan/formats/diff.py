"""Render the changes of --fix as a unified diff. It is for reading: secrets are masked.

Lines are compared before masking and shown after it.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import groupby

from urlscan.core.document import readable
from urlscan.core.offsets import common_affixes
from urlscan.core.record import NamedTuple
from urlscan.core.secrets import Spans, mask, merge_spans
from urlscan.formats.base import BOLD, CYAN, GREEN, RED, RenderOptions, paint
from urlscan.formats.escape import escape

# substrings of a secret with this length are searched in the new lines; shorter secrets are located by position
_SHORT = 5
_LARGEST = 250_000  # limit on the characters of the old lines times those of the new lines to align
_AROUND = 3  # lines before and after a change
_NO_LINE_END = "\\ No newline at end of file\n"


class _LineChange(NamedTuple):
    """Lines of the old text and their replacement; from 0, ends exclusive."""

    old: int
    old_end: int
    new: int
    new_end: int


def render(path: str, old: str, new: str, secrets: list[Spans], options: RenderOptions) -> Iterator[str]:
    """Yield the diff of a file; `secrets` are the spans to mask in the old and in the new text, or empty."""
    before, after = _lines(old), _lines(new)
    old_secrets, new_secrets = secrets or ([], [])
    spans = _divided(old_secrets, before), _divided(new_secrets, after)
    changes = list(_changes(before, after))
    for change in changes:
        _carry_over(change, (before, after), spans)
    masked = _mask_lines(before, spans[0]), _mask_lines(after, spans[1])
    for sign in ("---", "+++"):
        yield paint(f"{sign} {escape(path)}", BOLD, options) + "\n"
    for hunk in _hunks(changes):
        yield from _hunk_lines(hunk, masked, options)


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; like all programs that read diffs, divide at LF only."""
    *lines, last = text.split("\n")
    lines = [line + "\n" for line in lines]
    if last:
        lines.append(last)
    return lines


def _divided(spans: Spans, lines: list[str], first: int = 0) -> dict[int, Spans]:
    """Return the spans of a text by line, in characters of the line; the first line has the number `first`."""
    by_line: dict[int, Spans] = {}
    start, index = 0, 0
    for number, line in enumerate(lines, first):
        end = start + len(line.rstrip("\r\n"))
        while index < len(spans) and spans[index][0] < end:
            low, high = max(spans[index][0], start), min(spans[index][1], end)
            if low < high:
                by_line.setdefault(number, []).append((low - start, high - start))
            if spans[index][1] > end:  # it continues in the next line
                break
            index += 1
        start += len(line)
    return by_line


def _mask_lines(lines: list[str], spans: dict[int, Spans]) -> list[str]:
    """Return the lines with their secrets masked."""
    masked = []
    for number, line in enumerate(lines):
        text = line.rstrip("\r\n")
        parts = mask(text, spans.get(number, [])).split("\t")  # tabs are safe
        masked.append("\t".join(escape(readable(part)) for part in parts) + line[len(text) :])
    return masked


def _carry_over(change: _LineChange, lines: tuple[list[str], list[str]], spans: tuple[dict[int, Spans], ...]) -> None:
    """Mask in the new lines of a change what is masked in the old ones.

    It is the same secret even if it no longer looks like one (`jo:/secret@h` without its colon).
    """
    numbers = range(change.old, change.old_end)
    if len(numbers) == change.new_end - change.new:
        for new, number in enumerate(numbers, change.new):
            _carry_over_lines((number, number + 1), (new, new + 1), lines, spans)
    else:
        _carry_over_lines((change.old, change.old_end), (change.new, change.new_end), lines, spans)


def _carry_over_lines(
    old: tuple[int, int], new: tuple[int, int], lines: tuple[list[str], list[str]], spans: tuple[dict[int, Spans], ...]
) -> None:
    hidden, start = list[tuple[int, int]](), 0
    for number in range(*old):
        hidden += [(start + low, start + high) for low, high in spans[0].get(number, ())]
        start += len(lines[0][number])
    after = lines[1][slice(*new)]
    if hidden and after:
        carried = merge_spans(_carried("".join(lines[0][slice(*old)]), "".join(after), hidden))
        for number, more in _divided(carried, after, new[0]).items():
            spans[1][number] = merge_spans([*spans[1].get(number, []), *more])


def _carried(old: str, new: str, hidden: Spans) -> Spans:
    """Return the spans of the hidden text of `old` in `new`, located by position and, if long enough, by content."""
    pieces = {old[i : i + _SHORT] for start, end in hidden for i in range(start, end - _SHORT + 1)}
    spans = [(i, i + _SHORT) for i in range(len(new) - _SHORT + 1) if new[i : i + _SHORT] in pieces]
    head, tail = common_affixes(old, new)
    shift, old_tail = len(new) - len(old), len(old) - tail
    inside: Spans = []
    only_deleted = head + tail == len(new)
    for start, end in hidden:
        if only_deleted and start < old_tail and end > head:
            continue  # a character that both texts share there is not part of the secret
        spans += [(start, min(end, head)), (max(start, old_tail) + shift, end + shift)]
        if start < old_tail and end > head:
            inside.append((max(start, head) - head, min(end, old_tail) - head))
    if inside:
        middle = _aligned(old[head:old_tail], new[head : len(new) - tail], inside)
        spans += [(start + head, end + head) for start, end in middle]
    return [span for span in spans if span[0] < span[1]]


def _aligned(old: str, new: str, hidden: Spans) -> Spans:
    """Return the spans of the hidden text of `old` in `new`, located by aligning the two."""
    if len(old) * len(new) > _LARGEST:
        return [(0, len(new))]
    spans = []
    for kind, low, high, new_low, new_high in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for start, end in hidden:
            if start < high and low < end:
                if kind == "equal":
                    spans.append((new_low + max(start, low) - low, new_low + min(end, high) - low))
                else:
                    spans.append((new_low, new_high))
    return spans


def _changes(old: list[str], new: list[str]) -> Iterator[_LineChange]:
    """Yield the changed lines; if the number of lines differs, as one change."""
    if len(old) == len(new):
        number = 0
        for is_equal, lines in groupby(zip(old, new, strict=True), key=lambda pair: pair[0] == pair[1]):
            start, number = number, number + len(list(lines))
            if not is_equal:
                yield _LineChange(start, number, start, number)
        return
    head, tail = common_affixes(old, new)
    yield _LineChange(head, len(old) - tail, head, len(new) - tail)


def _hunks(changes: list[_LineChange]) -> Iterator[list[_LineChange]]:
    """Yield groups of changes that are close enough to share a hunk."""
    hunk: list[_LineChange] = []
    for change in changes:
        if hunk and change.old - hunk[-1].old_end > 2 * _AROUND:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _hunk_lines(hunk: list[_LineChange], lines: tuple[list[str], list[str]], options: RenderOptions) -> Iterator[str]:
    old, new = lines
    before = min(_AROUND, hunk[0].old)
    after = min(_AROUND, len(old) - hunk[-1].old_end)
    spans = (hunk[0].old - before, hunk[-1].old_end + after), (hunk[0].new - before, hunk[-1].new_end + after)
    ranges = [f"{start + (end > start)},{end - start}" for start, end in spans]
    yield paint(f"@@ -{ranges[0]} +{ranges[1]} @@", CYAN, options) + "\n"
    number = spans[0][0]
    for change in hunk:
        yield from (_line(" ", line, "", options) for line in old[number : change.old])
        yield from (_line("-", line, RED, options) for line in old[change.old : change.old_end])
        yield from (_line("+", line, GREEN, options) for line in new[change.new : change.new_end])
        number = change.old_end
    yield from (_line(" ", line, "", options) for line in old[number : spans[0][1]])


def _line(sign: str, line: str, style: str, options: RenderOptions) -> str:
    text = sign + line.removesuffix("\n")
    if style:
        text = paint(text, style, options)
    if not line.endswith("\n"):
        return f"{text}\n{_NO_LINE_END}"
    return text + "\n"
