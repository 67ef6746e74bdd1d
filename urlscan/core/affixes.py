"""Compare two sequences from both ends."""

from collections.abc import Sequence


def common_affixes(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """Return the length of the common prefix, and that of the common suffix of what follows it.

    >>> common_affixes("abcde", "abXe"), common_affixes("aa", "aaa")
    ((2, 1), (2, 0))
    """
    shorter = min(len(one), len(other))
    prefix = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    return prefix, next((at for at in range(shorter - prefix) if one[~at] != other[~at]), shorter - prefix)
