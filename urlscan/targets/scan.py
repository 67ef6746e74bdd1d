"""Search all documents of a tree, once, for what a document may need of others: inclusions, and labels of Sphinx."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.files.tree import Tree
from urlscan.targets.names import is_document

# Directives that include a document, up to its path; the part of the path in attributes is dropped.
# Matches: `include::{d}/a.adoc`, `--8<-- "a.md`, `{% include "a.md`, `{!a.md`, `include:: a`
# Does not match: `include a.md`, `{{ a.md }}`
_DIRECTIVE = lazy(
    rb"""
    (?: \b include:: | -{1,2}8<-{1,2} | \{%[-+]? [ \t]* include(?:[-_]\w+)? | \{\{ [%<]? [ \t]* \#? include | \{!
      | \{include\} | ^[ \t]* \#\+INCLUDE: | ^:include: )
    [ \t("'`]* (?: \{[^{}\s]{1,100}\} / )? ([^\s"'{}\[\]!()`;]{1,300})
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# Each directive contains one of these in lower case, and is on one line.
_SIGNS = (b"include", b"8<-", b"{!")
# Documents whose directives are searched for.
_MOST_DOCUMENTS = 20_000
_LARGEST_INCLUDING = 1 << 20
# MyST: "(label)=" before a heading, and the options "name" and "label" of directives; attribute lists, "{#label}".
_LABEL = lazy(
    rb"(?m)(?:^[ \t]*(?:\((?=[^()\n]+\)=)|:(?:name|label):[ \t]*|(?:name|label):[ \t]*)|\{#)([^(){}\s]{1,200})"
)
_LABEL_SIGNS = (b")=", b"name:", b"label:", b"{#")
# reStructuredText: ".. _label:".
_RST_LABEL = lazy(rb"(?m)^\.\. _([^_:\s][^:\s]{0,200}):[ \t\r]*$")
_LABELED = (".md", ".rst", ".ipynb")
_MOST_LABELS = 100_000
# Larger documents are not read.
_LARGEST = 1 << 24


class DocumentScan(NamedTuple):
    """The inclusions and the labels in the documents of a tree, by the path of the document.

    Attributes:
        included: the paths of the documents that it includes, as they are written.
        labels: the labels that it defines.
    """

    included: dict[str, list[str]]
    labels: dict[str, frozenset[str]]


def scan(tree: Tree) -> DocumentScan:
    """Return the inclusions and labels in the documents of a tree."""
    documents = [path for path in tree.files() if is_document(path)]
    including = frozenset(documents[:_MOST_DOCUMENTS])
    result = DocumentScan({}, {})
    remaining = _MOST_LABELS
    paths = (path for path in documents if path in including or (remaining > 0 and path.endswith(_LABELED)))
    for path, data in tree.read_each(paths, _LARGEST):
        if path in including and len(data) <= _LARGEST_INCLUDING:
            included = [directive.decode("utf-8", "replace") for directive in _directives(data)]
            if included:
                result.included[path] = included
        if remaining > 0 and (labels := _labels(path, data)):
            result.labels[path] = frozenset(label.decode("utf-8", "replace") for label in labels)
            remaining -= len(result.labels[path])
    return result


def _labels(path: str, data: bytes) -> list[bytes]:
    """Return the labels that a document defines."""
    if path.endswith(".rst"):
        return _RST_LABEL.findall(data) if b".. _" in data else []
    is_searched = path.endswith(_LABELED) and any(sign in data for sign in _LABEL_SIGNS)
    return _LABEL.findall(data) if is_searched else []


def _directives(data: bytes) -> Iterator[bytes]:
    """Yield the paths in the directives of a document; only lines with one of _SIGNS are searched for directives."""
    lower = data.lower()
    for begin, end in sorted({line for sign in _SIGNS for line in _lines_with(sign, lower)}):
        for match in _DIRECTIVE.finditer(data, begin, end):
            yield match[1]


def _lines_with(sign: bytes, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines that contain a sign."""
    end = 0
    while (position := data.find(sign, end)) >= 0:
        begin = data.rfind(b"\n", end, position) + 1 or end
        end = data.find(b"\n", position)
        end = end if end >= 0 else len(data)
        yield begin, end
