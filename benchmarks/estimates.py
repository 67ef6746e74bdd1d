"""Compare the estimates of the language server after an edit with the check of the whole document.

    python benchmarks/estimates.py FILE [EDITS]

inserts 200 faulty URLs into FILE at random places, makes random edits, many of them of syntax (fences, quotes,
comments), and prints how many estimates were equal to the check, how many were wrong, and how often there was none.
"""

import random
import re
import sys
from pathlib import Path

from urlscan.config import Configuration
from urlscan.core.records import Finding
from urlscan.server.analysis import Analysis, Checker
from urlscan.server.window import estimate

_FAULTS = (
    " [a](http://h.example/a|b) ",
    " <http://h.example/%zz> ",
    " ftp://jo:x1y2z3@files.corp.net/ ",
    " <http://www.exam\nple.org/type-\nset> ",
    " <a href='http://h.example/a|b'> ",
    ' "http://h.example/%zz" ',
)
_INSERTED = (
    "x",
    " ",
    "\n",
    "\n\n",
    "`",
    "```\n",
    "<",
    '"',
    "'",
    "#",
    "-->",
    "<!--",
    "    ",
    "(",
    ")",
    "*/",
    "/*",
    "'''",
)


def edited(text: str, chance: random.Random) -> str:
    """Return the text with a random edit."""
    at = chance.randrange(len(text))
    if chance.random() < 0.6:
        return text[:at] + chance.choice(_INSERTED + _FAULTS) + text[at:]
    return text[:at] + text[at + chance.choice((1, 3, chance.randrange(5, 300))) :]


def keys(analysis: Analysis) -> list[tuple[object, ...]]:
    """Return what identifies the findings of an analysis."""

    def key(one: Finding) -> tuple[object, ...]:
        return one.code, one.start, one.end, one.message

    return [key(one) for one in analysis.findings]


def main() -> None:
    """Compare estimates for one file."""
    path, edits = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400
    chance = random.Random(1)
    text = path.read_text(encoding="utf-8", errors="replace")
    places = [match.start() for match in re.finditer(r"\n(?=\n)|(?<=[a-z]) (?=[a-z])", text)]
    for at in sorted(chance.sample(places, min(200, len(places))), reverse=True):
        text = text[:at] + chance.choice(_FAULTS) + text[at:]
    checker = Checker(str(path.resolve()), "", Configuration(isolated=True), None)
    base = checker.check(text)
    counts = {"equal": 0, "wrong": 0, "none": 0}
    for _ in range(edits):
        new = edited(text, chance)
        found = estimate(base, new, checker)
        counts["none" if found is None else "equal" if keys(found) == keys(checker.check(new)) else "wrong"] += 1
    print(f"{len(text)} characters, {len(base.findings)} findings, {edits} edits: {counts}")


if __name__ == "__main__":
    main()
