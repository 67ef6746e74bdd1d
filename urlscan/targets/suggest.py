"""Find what a broken reference probably means: the closest anchor or file."""

import difflib
from collections.abc import Iterable
from posixpath import basename, dirname, relpath

from urlscan.core.lazy import lazy
from urlscan.files.tree import Tree
from urlscan.targets.references import decoded

# Limits on what is compared, so that a hostile document costs no more than a common one.
_MOST, _LONGEST = 2000, 100
# The shortest beginning of an anchor that identifies it.
_MEANINGFUL = 6
_SURROGATE = lazy("[\ud800-\udfff]")
_SEPARATORS = lazy(r"[\W_]+")
# Characters of a path or fragment that need no encoding (RFC 3986 section 3.3, RFC 3987), without the delimiters of
# Markdown, reStructuredText and HTML.
_SAFE = "/:@!$&*+,;=~-._"


def closest_anchor(wanted: str, anchors: Iterable[str]) -> str:
    """Return the anchor that is most similar to a missing one, or ""."""
    if len(wanted) > _LONGEST:
        return ""
    known = [one for one in anchors if 0 < len(one) <= _LONGEST and _SURROGATE.search(one) is None][:_MOST]
    if not wanted.startswith("_"):  # AsciiDoc writes it before every anchor
        known = [one for one in known if not one.startswith("_")]
    key = key_of(wanted)
    same = [anchor for anchor in known if key_of(anchor) == key] if key else []
    if same:
        return same[0]
    lower = [anchor.lower() for anchor in known]
    near = _closest(wanted.lower(), lower, 0.7)
    if near is not None:
        return known[lower.index(near)]
    longer = [anchor for anchor in known if key and len(key) >= _MEANINGFUL and key_of(anchor).startswith(key)]
    return longer[0] if len(longer) == 1 else ""


def closest_file(tree: Tree, wanted: str) -> str:
    """Return the file of a tree that a missing path probably means, or ""; never an ignored one.

    It is a file of the same name in another directory, if there is only one, or one of a similar name in the same
    directory.

    Args:
        tree: the tree.
        wanted: the missing path, from the root of the tree.
    """
    name, directory = basename(wanted), dirname(wanted)
    moved = tree.files_named(name)
    if len(moved) == 1:
        return moved[0]
    if moved:
        parts = set(wanted.split("/"))
        scores = sorted(((len(parts & set(path.split("/"))), path) for path in moved), reverse=True)
        return scores[0][1] if scores[0][0] > scores[1][0] else ""
    if len(name) > _LONGEST:
        return ""
    beside = tree.files_in(directory)[:_MOST]
    names = [path.rpartition("/")[2].lower() for path in beside]
    near = _closest(name.lower(), names, 0.75)
    return beside[names.index(near)] if near is not None else ""


def _closest(wanted: str, names: list[str], cutoff: float) -> str | None:
    """Return the most similar name, as `difflib.get_close_matches` does, comparing in full only a few of them."""
    characters = [(character, wanted.count(character)) for character in set(wanted)]
    bounds: list[tuple[float, str]] = []
    for name in names:
        # Upper bounds of the ratio, as `real_quick_ratio` and `quick_ratio`: by the lengths, and by the characters.
        length = len(wanted) + len(name)
        if 2.0 * min(len(wanted), len(name)) / length < cutoff:
            continue
        bound = 2.0 * sum([min(count, name.count(character)) for character, count in characters]) / length
        if bound >= cutoff:
            bounds.append((bound, name))
    if not bounds:
        return None
    matcher = difflib.SequenceMatcher()
    matcher.set_seq2(wanted)
    best: tuple[float, str] | None = None
    for bound, name in sorted(bounds, reverse=True):
        if best is not None and bound < best[0]:
            break
        matcher.set_seq1(name)
        ratio = matcher.ratio()
        if ratio >= cutoff and (best is None or (ratio, name) > best):
            best = ratio, name
    return best[1] if best is not None else None


def written_path(path: str, document: str, raw: str) -> str:
    """Return a path of the tree as a relative reference from a document, in the style of the one it replaces."""
    relative = relpath(path or ".", dirname(document) or ".")
    if raw.startswith("./") and not relative.startswith("."):
        relative = "./" + relative
    return encoded(relative, raw)


def written_case(actual: str, raw: str) -> str:
    """Return the path of a reference with the letter case of the file that it leads to.

    Args:
        actual: the path of the file, from the root of the tree.
        raw: the path of the reference as written.
    """
    parts, names = raw.split("/"), actual.split("/")
    number = len(parts)
    while number and names:
        number -= 1
        part = parts[number]
        if part in ("", "."):
            continue
        if part == "..":
            break
        name = names.pop()
        plain = decoded(part)
        if plain is not None and plain != name and plain.casefold() == name.casefold():
            parts[number] = encoded(name, raw)
    return "/".join(parts)


def encoded(text: str, like: str) -> str:
    """Return a text with percent-encoding where it is needed; other scripts are encoded only if `like` encodes them."""
    keeps_scripts = not (like.isascii() and "%" in like)
    return "".join(
        one if (one.isascii() and one.isalnum()) or one in _SAFE or (keeps_scripts and one.isalnum()) else _escaped(one)
        for one in text
    )


def _escaped(character: str) -> str:
    return "".join(f"%{octet:02X}" for octet in character.encode("utf-8", "surrogateescape"))


def key_of(text: str) -> str:
    """Return what remains of an anchor in every slug algorithm: letters and digits in lower case."""
    return _SEPARATORS.sub("", text.lower())
