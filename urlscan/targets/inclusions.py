"""Find the documents that include others: the references of an included document are resolved where it is included."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.files.tree import Tree
from urlscan.targets.names import is_document
from urlscan.targets.references import normalized

# Directives that include a document, up to its path; the part of the path in attributes is dropped.
# Matches: `include::{d}/a.adoc`, `--8<-- "a.md`, `{% include "a.md`, `{!a.md`, `include:: a`
# Does not match: `include a.md`, `{{ a.md }}`
_DIRECTIVE = lazy(
    rb"""
    (?: \b include:: | -{1,2}8<-{1,2} | \{%[-+]? [ \t]* include(?:[-_]\w+)? | \{\{ [ \t]* \#? include | \{!
      | \{include\} | ^[ \t]* \#\+INCLUDE: | ^:include: )
    [ \t("'`]* (?: \{[^{}\s]{1,100}\} / )? ([^\s"'{}\[\]!()`;]{1,300})
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# Each directive contains one of these in lower case, and is on one line.
_SIGNS = (b"include", b"8<-", b"{!")
_LARGEST = 1 << 20
_MOST_DOCUMENTS = 20_000


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
    """The inclusions in the documents of a tree, read when they are first asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._by_name: dict[str, list[Inclusion]] | None = None
        self._by_document: dict[str, list[Inclusion]] = {}

    def of(self, path: str) -> list[Inclusion]:
        """Return the inclusions of a document in others."""
        if self._by_name is None:
            self._by_name = self._read()
        found = self._by_name.get(path.rpartition("/")[2], [])
        return [one for one in found if one.document != path and one.includes(path)]

    def siblings(self, inclusion: Inclusion) -> list[str]:
        """Return the documents that are included by the same document."""
        paths = (normalized(one.directory, one.written) for one in self._by_document.get(inclusion.document, []))
        return [path for path in paths if path]

    def _read(self) -> dict[str, list[Inclusion]]:
        found: dict[str, list[Inclusion]] = {}
        documents = [path for path in self._tree.files() if is_document(path)]
        for path, data in self._tree.read_each(documents[:_MOST_DOCUMENTS], _LARGEST):
            for directive in _directives(data):
                inclusion = Inclusion(path, directive.decode("utf-8", "replace"))
                found.setdefault(inclusion.written.rpartition("/")[2], []).append(inclusion)
                self._by_document.setdefault(path, []).append(inclusion)
        return found


def _directives(data: bytes) -> Iterator[bytes]:
    """Yield the paths in the directives of a document; only lines with one of _SIGNS are searched for directives."""
    lower = data.lower()
    for begin, end in sorted({line for sign in _SIGNS for line in _lines_with(sign, lower)}):
        for match in _DIRECTIVE.finditer(data, begin, end):
            yield match[1]


def _lines_with(sign: bytes, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines that contain a sign."""
    end = 0
    while (at := data.find(sign, end)) >= 0:
        begin = data.rfind(b"\n", end, at) + 1 or end
        end = data.find(b"\n", at)
        end = end if end >= 0 else len(data)
        yield begin, end
