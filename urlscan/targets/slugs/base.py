"""Headings, the record of a slug algorithm, and the parts that several algorithms share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

MARKDOWN = ("markdown", "ipynb")


class Part(NamedTuple):
    """A part of a heading.

    Attributes:
        role: text, entity (a character reference), code (a code span), image (its alternative text) or break ("<br>").
        text: as rendered: without markup, with entities and escapes decoded.
        source: an entity as written.
    """

    role: Literal["text", "entity", "code", "image", "break"]
    text: str
    source: str = ""


class Heading(NamedTuple):
    """A heading as written and as rendered.

    Attributes:
        source: the text as written, without the markers of the heading.
        parts: its parts in order. HTML tags are not in them, but the text between two tags is.
    """

    source: str
    parts: tuple[Part, ...]


def lower_each(text: str) -> str:
    """Return a text in lower case, character by character as in Ruby and Haskell: no sigma is a final one."""
    return text.lower() if text.isascii() else "".join([character.lower() for character in text])


Unique = Callable[[str, dict[str, int]], str]


@dataclass(frozen=True, slots=True)
class Preset:
    """A slug algorithm.

    Attributes:
        name: its name in `PRESETS`.
        kinds: the kinds of documents that it applies to.
        text: the text of a heading that the algorithm starts from.
        slug: returns the slug of that text.
        unique: returns the anchor for a slug, given the state of the document, which it updates.
        attributes: whether "{#id}" at the end of a heading is its id and not part of its text.
        tight: whether "#Heading" without a space is a heading.
    """

    name: str
    kinds: tuple[str, ...]
    text: Callable[[Heading], str]
    slug: Callable[[str], str]
    unique: Unique
    attributes: bool = False
    tight: bool = False


def rendered_text(heading: Heading) -> str:
    """Return the text of the rendered heading, as the DOM property `textContent` does: images have none."""
    return "".join([part.text for part in heading.parts if part.role != "image"])


def text_with_alternatives(heading: Heading) -> str:
    """Return the text of the rendered heading, with the alternative texts of images."""
    return "".join([part.text for part in heading.parts])


def source_text(heading: Heading) -> str:
    """Return the heading as written."""
    return heading.source


def first_free(slug: str, used: dict[str, int]) -> str:
    """Return the slug, or with "-1", "-2", ... the first one that no heading of the document has."""
    anchor = slug
    while anchor in used:
        used[slug] += 1
        anchor = f"{slug}-{used[slug]}"
    used[anchor] = 0
    return anchor


def numbered(slug: str, used: dict[str, int]) -> str:
    """Return the slug for the first heading that has it, and "-1", "-2", ... for the next ones, even if in use."""
    count = used.get(slug, 0)
    used[slug] = count + 1
    return f"{slug}-{count}" if count else slug
