"""Suggest the file that a broken reference means, and write paths and anchors as the reference does."""

from posixpath import basename, dirname, relpath

from urlscan.core.lazy import lazy
from urlscan.files.tree import Tree, fold_name
from urlscan.targets.generators import directories_above
from urlscan.targets.index import TargetIndex
from urlscan.targets.names import join, languages
from urlscan.targets.references import decoded
from urlscan.targets.similar import NUMBER, SimilarNames, is_misspelled

# Names of files that belong to their directory: the same name in another directory is another page.
_PAGE_OF_DIRECTORY = lazy(r"(?i:readme|_?index|__init__|default)(?:\.|\Z)")
_TWO_WORDS = lazy(r"[^\W\d_]{2}.*[\W_]+[^\W\d_]{2,}.*\.")
_UPWARDS = lazy(r"\A/?(?:\.{1,2}/)*")
# The most files of one name that are compared.
_MOST = 100
# Characters of a path or fragment that need no encoding (RFC 3986 section 3.3, RFC 3987), without the delimiters of
# Markdown, reStructuredText and HTML; and the joiners that words of some scripts need (RFC 5892 appendix A).
_SAFE = frozenset("/:@!$&*+,;=~-._")
_JOINERS = frozenset("\u200c\u200d")


def closest_file(index: TargetIndex, tree: Tree, path_missing: str) -> str:
    """Return the file of a tree that a missing path means, or ""; never an ignored one.

    It is the only one of these, with the same numbers in its path:

    1. a file of the same name, if one path has all directories of the other, and one more or less, or if one directory
       is misspelled; or the only file of the name, of at least two words, if one path has all directories of the other;
    2. a file in the same directory, with a similar name (`targets/similar.py`) and the same extension, or the same name
       and any extension if the path has none.
    """
    name, directory = basename(path_missing), dirname(path_missing)
    moved = tree.files_named(name)
    if moved:
        near = [path for path in moved[:_MOST] if _is_same(path_missing, path, is_only=len(moved) == 1)]
        # The page of another language is another page.
        if len(near) == 1 and languages(near[0]) == languages(path_missing):
            return near[0]
        return ""
    names = index.computed(("file names", tree.root, directory), lambda: _FileNames(tree.files_in(directory)))
    near_name = names.closest(name)
    return near_name and join(directory, near_name)


def path_from_root(tree: Tree, document: str, written: str) -> str:
    """Return what follows the "../" of a path, if only the root of all directories above a document has it, or ""."""
    _, dots, path = written.rstrip("/").rpartition("../")
    state = dots and tree.find(path, fold=False).state
    is_path = state == "file" or (state == "directory" and "/" in path)
    inner = (tree.find(join(directory, path), fold=False) for directory in directories_above(document) if directory)
    if is_path and all(entry.state == "missing" for entry in inner):
        return path
    return ""


class _FileNames:
    """The names of the files in a directory, by their extensions."""

    def __init__(self, paths: list[str]) -> None:
        stems: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        for path in paths:
            name = basename(path)
            stem, _, extension = name.rpartition(".")
            stems.setdefault(extension, []).append(stem)
            self._by_stem.setdefault(stem, []).append(name)
        self._by_extension = {extension: SimilarNames(names) for extension, names in stems.items()}

    def closest(self, name: str) -> str:
        """Return the name that a missing one means, or ""."""
        stem, dot, extension = name.rpartition(".")
        if not dot:
            names = self._by_stem.get(name, ())
            if len(names) != 1:
                return ""
            return names[0]
        near = extension in self._by_extension and self._by_extension[extension].closest(stem)
        if not near:
            return ""
        return f"{near}.{extension}"


def _is_same(missing: str, path: str, *, is_only: bool) -> bool:
    """Return whether a missing path means a file of the same name in another directory."""
    if NUMBER.findall(missing) != NUMBER.findall(path):
        return False
    name, (*directories, _), (*parents, _) = basename(path), missing.split("/"), path.split("/")
    if _PAGE_OF_DIRECTORY.match(name) is not None and directories[-1:] != parents[-1:]:
        return False
    if len(directories) == len(parents):
        differing = [pair for pair in zip(directories, parents, strict=True) if pair[0] != pair[1]]
        return len(differing) == 1 and is_misspelled(*differing[0])
    shorter, longer = sorted((directories, parents), key=len)
    is_clear = len(longer) == len(shorter) + 1 or (is_only and _TWO_WORDS.match(name) is not None)
    rest = iter(longer)
    return is_clear and all(directory in rest for directory in shorter)


def is_moved(path: str, missing: str, reference: str, document: str) -> bool:
    """Return whether a file is in another directory, and no directory above the document makes the reference right."""
    base = path.removesuffix(_UPWARDS.sub("", reference))
    is_above = base in ("", dirname(base) + "/") and document.startswith(base)
    return not is_above and path.count("/") != missing.count("/")


def written_path(path: str, document: str, raw: str) -> str:
    """Return a path of the tree as a relative reference from a document, in the style of the one it replaces."""
    relative = relpath(path or ".", dirname(document) or ".")
    if raw.startswith("./") and not relative.startswith("."):
        relative = "./" + relative
    return encoded(relative, raw)


def written_case(actual: str, raw: str) -> str:
    """Return the path of a reference, `raw`, with the letter case of the file that it leads to, a path of a tree."""
    parts, names = raw.split("/"), actual.split("/")
    for number, part in reversed(list(enumerate(parts))):
        if part in ("", "."):
            continue
        if part == ".." or not names:
            break
        name = names.pop()
        plain = decoded(part)
        if plain is not None and plain != name and fold_name(plain) == fold_name(name):
            parts[number] = encoded(name, raw)
    return "/".join(parts)


def encoded(text: str, like: str) -> str:
    """Return a text with percent-encoding where it is needed; other scripts are encoded only if `like` encodes them."""
    keeps_scripts = not (like.isascii() and "%" in like)
    return "".join([_encoded_character(character, keeps_scripts) for character in text])


def _encoded_character(character: str, keeps_script: bool) -> str:
    if character.isascii():
        is_safe = character.isalnum() or character in _SAFE
    else:
        is_safe = keeps_script and (character.isprintable() or character in _JOINERS)
    if is_safe:
        return character
    return "".join(f"%{octet:02X}" for octet in character.encode("utf-8", "surrogateescape"))
