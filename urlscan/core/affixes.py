"""Compare two sequences from both ends."""

from collections.abc import Sequence


def common_affixes(first: Sequence[object], second: Sequence[object]) -> tuple[int, int]:
    """Return the length of the common prefix, and that of the common suffix of what follows it.

    >>> common_affixes("abcde", "abXe"), common_affixes("aa", "aaa")
    ((2, 1), (2, 0))
    """
    shorter = min(len(first), len(second))
    prefix = next((index for index in range(shorter) if first[index] != second[index]), shorter)
    remaining = shorter - prefix
    return prefix, next((index for index in range(remaining) if first[~index] != second[~index]), remaining)
