"""Draw a terminal session as SVG: the picture of the README.

`python -m tests.pages` runs the commands of `SESSION` and writes the picture. A test compares them.
"""

import html
import re

# The commands, run in corpus/lighthouse by a shell.
SESSION = (
    "urlscan check --format concise",
    "urlscan check --diff --unsafe-fixes --select U912,U911",
)
_COLUMNS = 58  # on a screen of 390 pixels the letters are then about as large as those of a caption
_CHARACTER, _LINE, _MARGIN = 8.43, 19, 16  # pixels; the width of a character at 14 pixels in most monospaced fonts
_BACKGROUND, _TEXT = "#1d2330", "#d7dce5"
# Select Graphic Rendition (ECMA-48 section 8.3.117), as far as urlscan uses it.
_COLORS = {"31": "#ff7b86", "32": "#8bd49c", "33": "#e9c46a", "34": "#7fb4ff", "35": "#d2a6ff", "36": "#78d6d6"}
_ESCAPE = re.compile(r"\x1b\[([\d;]*)m")


def draw(transcript: str) -> str:
    """Return a transcript with escape sequences for colors as SVG; long lines are continued on the next."""
    lines = [row for line in transcript.rstrip("\n").split("\n") for row in _rows(_characters(line))]
    width, height = round(_COLUMNS * _CHARACTER) + 2 * _MARGIN, len(lines) * _LINE + 2 * _MARGIN
    texts = "".join(
        f'<text x="{_MARGIN}" y="{_MARGIN + 14 + number * _LINE}">{_spans(line)}</text>\n'
        for number, line in enumerate(lines)
        if line
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" aria-label="urlscan in a terminal">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{_BACKGROUND}"/>\n'
        f"<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\""
        f' font-size="14" fill="{_TEXT}" style="white-space: pre">\n{texts}</g>\n</svg>\n'
    )


def _characters(line: str) -> list[tuple[str, str]]:
    """Return the characters of a line, each with the style that applies to it."""
    characters: list[tuple[str, str]] = []
    style = ""
    for number, part in enumerate(_ESCAPE.split(line)):
        if number % 2:
            style = _style(part.split(";"))
        else:
            characters += [(character, style) for character in part]
    return characters


def _style(codes: list[str]) -> str:
    """Return the attributes for the codes of one escape sequence."""
    attributes = [f' fill="{_COLORS[code]}"' for code in codes if code in _COLORS]
    return "".join(attributes) + (' font-weight="bold"' if "1" in codes else "")


def _rows(characters: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Return the rows for a line, which is continued at a blank, indented, so that it can be read on a phone."""
    rows = []
    while len(characters) > _COLUMNS:
        end = max(
            (number for number in range(_COLUMNS // 2, _COLUMNS + 1) if characters[number][0] == " "), default=_COLUMNS
        )
        rows.append(characters[:end])
        characters = [(" ", ""), (" ", ""), *(characters[end + (characters[end][0] == " ") :])]
    return [*rows, characters]


def _spans(characters: list[tuple[str, str]]) -> str:
    """Return a row as text of SVG. Each span has its position, so that the font need not have the width of ours."""
    spans, start = [], 0
    for end in range(1, len(characters) + 1):
        if end == len(characters) or characters[end][1] != characters[start][1]:
            text = html.escape("".join(character for character, _ in characters[start:end]))
            x = f"{_MARGIN + start * _CHARACTER:.1f}"
            spans.append(f'<tspan x="{x}"{characters[start][1]}>{text}</tspan>')
            start = end
    return "".join(spans)
