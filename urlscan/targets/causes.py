"""Report one cause once: the first of many faults that have one cause tells how many there are.

A cause is a directory that is missing, a document whose anchors a list does not know, the copy of an old version, or a
reference that a program or a template writes into all documents of a directory.
"""

from collections import Counter
from collections.abc import Iterator

from urlscan.core.faults import TargetFault, count_repeated
from urlscan.core.record import NamedTuple
from urlscan.core.records import Match
from urlscan.files.tree import Tree
from urlscan.targets.index import TargetIndex
from urlscan.targets.names import is_document
from urlscan.targets.references import destinations

# So many references to one document, or so many documents with the same reference, have one cause.
_MANY = 10
_MOST_REPORTED = {"missing-file": 1}
# Limits on what is read to compare the documents of a directory.
_MOST_DOCUMENTS = 5_000
_LARGEST = 1 << 20


class BrokenTarget(NamedTuple):
    """A reference with what is wrong with its target, and the cause that others may share, or None."""

    occurrence: Match
    fault: TargetFault
    cause: tuple[str, str] | None


def merge_all(broken: list[BrokenTarget], cause: str) -> list[BrokenTarget]:
    """Return the first of the faults of a document, with the number of the others."""
    return [_repeated(first, len(broken) - 1, cause) for first in broken[:1]]


def merge_causes(broken: list[BrokenTarget]) -> Iterator[BrokenTarget]:
    """Yield the faults of a document; of those that have one cause, all but the first are information."""
    causes = [None if target.fault.advice else target.cause for target in broken]
    most = [_MOST_REPORTED.get(target.fault.name, _MANY) for target in broken]
    for target, repetitions in zip(broken, count_repeated(causes, most), strict=True):
        if repetitions < 0:
            yield _as_information(target)
        elif target.cause is not None:
            yield _repeated(target, repetitions, target.cause[0])
        else:
            yield target


def merge_documents(index: TargetIndex, tree: Tree, path: str, target: BrokenTarget) -> BrokenTarget:
    """Return a fault that is information if many documents of the directory, whose first counts them, have the same."""
    directory = path.rpartition("/")[0]
    url = target.occurrence.url.encode("utf-8", "surrogatepass")
    beginning = url[:1]
    if beginning != b"#":
        beginning = b""
    key = ("references", tree.root, directory, beginning)
    references = index.computed(key, lambda: _references_of(tree, directory, beginning))
    count, first = references.get(url, (0, ""))
    if count <= _MANY:
        return target
    if first != path:
        return _as_information(target)
    fault = target.fault._replace(repetition=f" (and in {count - 1} more documents of the directory)")
    return target._replace(fault=fault)


def _references_of(tree: Tree, directory: str, beginning: bytes) -> dict[bytes, tuple[int, str]]:
    """Return how many documents of a directory have each destination that many of them have, and the first one."""
    names = [name for name, kind in tree.entries(directory).items() if kind == "f" and is_document(name)]
    if len(names) <= _MANY:
        return {}
    counts: Counter[bytes] = Counter()
    first: dict[bytes, str] = {}
    for path, data in tree.read_each([f"{directory}/{name}".lstrip("/") for name in names[:_MOST_DOCUMENTS]], _LARGEST):
        written = set(destinations(data, beginning))
        counts.update(written)
        for destination in written:
            first.setdefault(destination, path)
    return {destination: (count, first[destination]) for destination, count in counts.items() if count > _MANY}


def _repeated(target: BrokenTarget, repetitions: int, cause: str) -> BrokenTarget:
    """Return a fault with the number of the other references that have its cause."""
    if not repetitions:
        return target
    return target._replace(fault=target.fault._replace(repetition=f" (and {repetitions} more {cause})"))


def _as_information(target: BrokenTarget) -> BrokenTarget:
    return target._replace(fault=target.fault._replace(advice="repeated"))
