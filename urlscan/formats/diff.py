"""What --fix would change, as a unified diff; for reading, since secrets are masked.

Which lines change is known by their contents; how they are shown, by what is masked in them.
"""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.formats.base import Look
from urlscan.formats.headline import BOLD, CYAN, GREEN, RED, paint
from urlscan.formats.masking import Secrets, escape, text_secrets
from urlscan.redact import MASK, merged
from urlscan.text import readable

_SHORT = 3  # of fewer characters in common nothing can be told
_LONGEST = 20_000  # characters of a new line times pieces of secrets that are looked for in it; else none is shown
_AROUND = 3  # lines before and behind a change
_NO_LINE_END = "\\ No newline at end of file\n"


class _Change(NamedTuple):
    """Lines of the old text, and what stands in their place; from 0, the ends exclusive."""

    old: int
    old_end: int
    new: int
    new_end: int


class _Shown(NamedTuple):
    """The lines of a text as they may be shown, and what is masked in each that holds a secret."""

    lines: list[str]
    hidden: dict[int, list[str]]


def render(path: str, old: str, new: str, secrets: tuple[Secrets, Secrets], look: Look) -> Iterator[str]:
    """Yield the diff of a file.

    Args:
        path: its name.
        old: its text as it is.
        new: its text as it would be.
        secrets: where they stand in both.
        look: how it is to look.
    """
    before, after = _lines(old), _lines(new)
    hidden = secrets if not look.show_secrets else (None, None)
    shown = _shown(old, before, hidden[0]), _shown(new, after, hidden[1])
    changes = list(_changes(before, after))
    for change in changes:
        _hide_the_same(change, *shown)
    for sign, name in (("---", path), ("+++", path)):
        yield paint(f"{sign} {escape(name)}", BOLD, look) + "\n"
    for hunk in _hunks(changes):
        yield from _written(hunk, shown, look)


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; as every program that reads diffs, by LF alone."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _shown(text: str, lines: list[str], secrets: Secrets | None) -> _Shown:
    """Return the lines as they may be shown."""
    spans = merged([*text_secrets(text), *secrets.places]) if secrets is not None else []
    shown, start, number = _Shown([], {}), 0, 0
    for line in lines:
        parts, done, end = [], start, start + len(line.rstrip("\r\n"))
        while number < len(spans) and spans[number][0] < end:
            first, last = max(spans[number][0], done), min(spans[number][1], end)
            if first < last:
                parts += [text[done:first], MASK]
                shown.hidden.setdefault(len(shown.lines), []).append(_printable(text[first:last]))
                done = last
            if spans[number][1] > end:  # it goes on in the next line
                break
            number += 1
        parts.append(text[done:end])
        shown.lines.append(_printable("".join(parts)) + line[end - start :])
        start += len(line)
    return shown


def _hide_the_same(change: _Change, before: _Shown, after: _Shown) -> None:
    """Mask in the new lines of a change what is masked in the old ones.

    It is the same secret, even where it looks like none any more (`jo:/secret@h` without its colon).
    """
    lines = range(change.old, change.old_end)
    if not any(number in before.hidden for number in lines):
        return
    same = len(lines) == change.new_end - change.new
    for number in range(change.new, change.new_end):
        among = [number - change.new + change.old] if same else lines
        hidden = [piece for other in among for piece in before.hidden.get(other, ())]
        line = after.lines[number]
        text = line.rstrip("\r\n")
        is_long = len(text) * len(hidden) > _LONGEST
        after.lines[number] = (MASK if is_long else _without(text, hidden)) + line[len(text) :]


def _without(line: str, hidden: list[str]) -> str:
    """Return a line without any piece of what is hidden, of three characters or more."""
    parts, at = list[str](), 0
    while at < len(line):
        end = at
        for secret in hidden:
            reach = at + min(len(secret), _SHORT)
            while reach <= len(line) and reach > end and line[at:reach] in secret:
                end = reach
                reach += 1
        if end > at:
            parts += [MASK] if not parts or parts[-1] != MASK else []
        else:
            parts.append(line[at])
        at = max(end, at + 1)
    return "".join(parts)


def _printable(line: str) -> str:
    """Return a line without what acts on a terminal, tabs aside."""
    return "\t".join(escape(readable(part)) for part in line.split("\t"))


def _changes(old: list[str], new: list[str]) -> Iterator[_Change]:
    """Yield where the lines differ; if there are more or fewer of them, that is one change."""
    if len(old) == len(new):
        at = 0
        while at < len(old):
            if old[at] == new[at]:
                at += 1
                continue
            start = at
            while at < len(old) and old[at] != new[at]:
                at += 1
            yield _Change(start, at, start, at)
        return
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[~at] != new[~at]), shorter - head)
    yield _Change(head, len(old) - tail, head, len(new) - tail)


def _hunks(changes: list[_Change]) -> Iterator[list[_Change]]:
    """Yield the changes that are shown together, since the lines between them are few."""
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change.old - hunk[-1].old_end > 2 * _AROUND:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _written(hunk: list[_Change], shown: tuple[_Shown, _Shown], look: Look) -> Iterator[str]:
    old, new = (side.lines for side in shown)
    before = min(_AROUND, hunk[0].old)
    behind = min(_AROUND, len(old) - hunk[-1].old_end)
    spans = (hunk[0].old - before, hunk[-1].old_end + behind), (hunk[0].new - before, hunk[-1].new_end + behind)
    places = [f"{start + (end > start)},{end - start}" for start, end in spans]
    yield paint(f"@@ -{places[0]} +{places[1]} @@", CYAN, look) + "\n"
    at = spans[0][0]
    for change in hunk:
        yield from (_line(" ", line, "", look) for line in old[at : change.old])
        yield from (_line("-", line, RED, look) for line in old[change.old : change.old_end])
        yield from (_line("+", line, GREEN, look) for line in new[change.new : change.new_end])
        at = change.old_end
    yield from (_line(" ", line, "", look) for line in old[at : spans[0][1]])


def _line(sign: str, line: str, style: str, look: Look) -> str:
    text = line.removesuffix("\n")
    written = (paint(sign + text, style, look) if style else sign + text) + "\n"
    return written if line.endswith("\n") else written + _NO_LINE_END
