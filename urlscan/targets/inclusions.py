"""Find the documents that include others: the references of an included document are resolved where it is included."""

from collections.abc import Mapping
from typing import NamedTuple

from urlscan.targets.references import normalized


class Inclusion(NamedTuple):
    """An inclusion of a document in another one.

    Attributes:
        document: the path of the including document, from the root of the tree.
        written: the path of the included document, as it is written.
    """

    document: str
    written: str

    @property
    def directory(self) -> str:
        """The directory of the including document."""
        return self.document.rpartition("/")[0]

    def includes(self, path: str) -> bool:
        """Return whether the written path may be that of a document; some programs search in several directories."""
        written = self.written.lstrip("./")
        return normalized(self.directory, self.written) == path or f"/{path}".endswith(f"/{written}")


class Inclusions:
    """The inclusions in the documents of a tree.

    Args:
        included: the paths that each document includes, as they are written (`scan.find_inclusions`).
    """

    def __init__(self, included: Mapping[str, list[str]]) -> None:
        self._included = included
        self._by_name: dict[str, list[Inclusion]] = {}
        for path, written in included.items():
            for path_written in written:
                self._by_name.setdefault(path_written.rpartition("/")[2], []).append(Inclusion(path, path_written))

    def of(self, path: str) -> list[Inclusion]:
        """Return the inclusions of a document in others."""
        inclusions = self._by_name.get(path.rpartition("/")[2], [])
        return [inclusion for inclusion in inclusions if inclusion.document != path and inclusion.includes(path)]

    def included_by(self, path: str) -> list[Inclusion]:
        """Return the inclusions of others in a document."""
        return [Inclusion(path, written) for written in self._included.get(path, [])]

    def siblings(self, inclusion: Inclusion) -> list[str]:
        """Return the documents that are included by the same document."""
        directory = inclusion.directory
        paths = (normalized(directory, written) for written in self._included.get(inclusion.document, []))
        return [path for path in paths if path]
