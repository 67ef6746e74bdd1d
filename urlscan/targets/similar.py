"""Find the name that a missing one probably means: an anchor, a label, or the name of a file.

A name is a sequence of words, divided by everything but letters, digits and marks. The missing name means another if no
word is another, added or left out, and no number is a different number. In this order, it means the only name that

1. has the same letters and digits (`kinds_of_tests` and `kinds-of-tests`, `räder` and `rader`), with the same numbers;
2. has the same words but for one misspelled one (`instalation` and `installation`, `middleware` and `middlewares`).

A word with a digit is never misspelled: `eip-7683` is not `eip-7883`. A name with a percent sign is not suggested: its
escapes would be escaped.
"""

import bisect
import re
import unicodedata
from collections.abc import Iterable

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.characters import SURROGATE

# Longer names are not compared.
_LONGEST = 300
# The number of neighbors in alphabetical order, on either side and from either end, that are compared with a name.
_NEIGHBORS = 10
# The fewest letters of a word in which a letter too few, two swapped, or a wrong one are a misspelling. Among
# shorter ones are pairs of different words: "sin" and "sinh", "form" and "from", "content" and "context".
_INSERTED, _SWAPPED, _REPLACED = 4, 5, 8
_WORD = re.compile("[a-z0-9]+")
NUMBER = lazy("[0-9]+")
_DIGIT = lazy(r"\d")
_DIACRITICS = dict.fromkeys(range(0x0300, 0x0370))
# Variation selectors, which slugs keep of an emoji that they drop.
_SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))


class SimilarNames:
    """An index of names, in which each search takes the same time however many there are."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_case: dict[str, str] = {}
        # AsciiDoc writes "_" before the same anchors.
        self._by_words: dict[str, dict[bool, str]] = {}
        self._by_letters: dict[str, str] = {}
        for name in names:
            self._by_case.setdefault(name.casefold(), name)
            words = _words(name)
            if not words or SURROGATE.search(name) is not None:
                continue
            key = " ".join(words)
            self._by_words.setdefault(key, {}).setdefault(name.startswith("_"), name)
            self._by_letters.setdefault("".join(words), key)
        self._forward = sorted([key for key in self._by_words if len(key) <= _LONGEST])
        self._backward = sorted([key[::-1] for key in self._forward])

    def with_case(self, name: str) -> str:
        """Return the first name that differs in letter case only, or ""."""
        return self._by_case.get(name.casefold(), "")

    def has_letters(self, name: str) -> bool:
        """Return whether a name has the same letters and digits."""
        return letters_of(name) in self._by_letters

    def closest(self, name: str) -> str:
        """Return the name that a missing one means, or ""."""
        names = self._by_words.get(self._closest_key(name), {})
        near = names.get(name.startswith("_"), next(iter(names.values()), ""))
        if "%" in near or near.startswith("#"):  # it is misspelled itself
            return ""
        return near

    def _closest_key(self, name: str) -> str:
        """Return the words of the name that is meant, joined by blanks, or ""."""
        if len(name) > _LONGEST:
            return ""
        words = _words(name)
        key = " ".join(words)
        if not words or key in self._by_words:
            return key
        same = self._by_letters.get("".join(words))
        if same is not None:
            # Slugs drop the full stops in numbers.
            numbers = [NUMBER.findall(text) for text in (same, name, name.replace(".", ""))]
            if numbers[0] not in numbers[1:]:
                return ""
            return same
        meant = [other for other in self._neighbors(key) if _is_misspelled_name(key, other)]
        if len(meant) != 1:
            return ""
        return meant[0]

    def _neighbors(self, key: str) -> set[str]:
        """Return the keys that share the longest beginnings, or the longest ends, with a key."""
        position = bisect.bisect_left(self._forward, key)
        near = set(self._forward[max(position - _NEIGHBORS, 0) : position + _NEIGHBORS])
        position = bisect.bisect_left(self._backward, key[::-1])
        backward = self._backward[max(position - _NEIGHBORS, 0) : position + _NEIGHBORS]
        return near.union(other[::-1] for other in backward)


def letters_of(name: str) -> str:
    """Return what remains of an anchor in every slug algorithm: its letters and digits, without letter case."""
    return "".join(_words(name))


def is_misspelled(word: str, other: str) -> bool:
    """Return whether two words are the same but for a letter too many, two in the wrong order, or a wrong one."""
    shorter, longer = sorted((word, other), key=len)
    if shorter[:1] != longer[:1] or len(longer) - len(shorter) > 1 or _DIGIT.search(word + other) is not None:
        return False
    if longer == shorter + "s":
        return len(shorter) > 2
    first = next(
        (n for n, (left, right) in enumerate(zip(shorter, longer, strict=False)) if left != right), len(shorter)
    )
    if shorter[first:] == longer[first + 1 :]:
        return len(shorter) >= _INSERTED
    if shorter[first + 1 :] == longer[first + 1 :]:
        return len(shorter) >= _REPLACED
    swapped = longer[first + 1 : first + 2] + longer[first : first + 1] + longer[first + 2 :]
    return shorter[first:] == swapped and len(shorter) >= _SWAPPED


def _words(name: str) -> list[str]:
    """Return the words of a name, without letter case and diacritics, which some slugs drop."""
    name = name.casefold()
    if name.isascii():
        return _WORD.findall(name)
    name = unicodedata.normalize("NFD", name).translate(_DIACRITICS)
    # Letters, digits and marks (Unicode Standard Annex 31, XID_Continue).
    others = {c for c in name if c == "_" or not ("a" + c).isidentifier()}
    return name.translate({ord(c): " " for c in others} | _SELECTORS).split()


def _is_misspelled_name(key: str, other: str) -> bool:
    """Return whether two names have the same words, but for one that is misspelled."""
    if key.count(" ") != other.count(" ") or abs(len(key) - len(other)) > 1:
        return False
    words, candidates = key.split(" "), other.split(" ")
    differing = [pair for pair in zip(words, candidates, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and is_misspelled(*differing[0])
