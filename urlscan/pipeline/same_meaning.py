"""Check that added comments leave the meaning of a source unchanged, as far as that is possible without running it."""

import re
import tomllib
from collections.abc import Mapping

from urlscan.core.document import Document
from urlscan.documents.html import exact_regions
from urlscan.documents.languages import LANGUAGES
from urlscan.documents.regions import reader_of

_COMMENT = re.compile(r"(?s)<!--.*?-->")


def same_meaning(before: Document, after: Document, texts: Mapping[int, str]) -> bool:
    """Return whether a document means the same with comments as without.

    Args:
        before: the document.
        after: the document with the comments.
        texts: the added texts by offset, in characters of the document.
    """
    if before.encoding != after.encoding or before.kind != after.kind:
        return False
    if before.kind == "python" and not _same_python(before.decoded, after.decoded):
        return False
    if before.kind == "toml" and _toml(before.decoded) != _toml(after.decoded):
        return False
    if before.kind == "xml" and _COMMENT.sub("", before.decoded).split() != _COMMENT.sub("", after.decoded).split():
        return False
    if before.kind in LANGUAGES or before.kind == "plain":
        return True
    return _shape(before, {}) == _shape(after, texts)


def _same_python(before: str, after: str) -> bool:
    import ast

    try:
        old = ast.dump(ast.parse(before))
    # written for another version of Python; the tokens were compared already
    except (SyntaxError, ValueError, RecursionError):
        return True
    try:
        return ast.dump(ast.parse(after)) == old
    except (SyntaxError, ValueError, RecursionError):
        return False


def _toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _shape(document: Document, texts: Mapping[int, str]) -> list[tuple[str, str]]:
    """Return the roles of a document's regions with their texts, without white space and the added texts."""
    reader = exact_regions if document.kind in ("html", "xml") else reader_of(document.kind)
    moved, added = 0, list[tuple[int, int]]()
    for at, text in texts.items():
        added.append((at + moved, at + moved + len(text)))
        moved += len(text)
    shape: list[tuple[str, str]] = []
    number = 0
    for region in reader(document.decoded, document.kind):
        while number < len(added) and added[number][1] <= region.start:
            number += 1
        kept, at, one = list[str](), region.start, number
        while one < len(added) and added[one][0] < region.end:
            kept.append(document.decoded[at : max(at, added[one][0])])
            at, one = added[one][1], one + 1
        text = "".join("".join([*kept, document.decoded[at : region.end]]).split())
        role = f"{region.role} {region.kind}"
        if shape and shape[-1][0] == role:
            shape[-1] = role, shape[-1][1] + text
        elif text:
            shape.append((role, text))
    return shape
