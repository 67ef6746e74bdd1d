"""Search documents for what others need of them: the documents that they include, and the labels of a tree."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.documents.identify import identify
from urlscan.files.tree import Tree
from urlscan.targets.anchors import read_anchors
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
# A label of Sphinx anywhere: in documents, in parts of them, and in the documentation strings of programs.
# Matches: `.. _a b:`, `# .. _a:`, `(a)=`, `:name: a`
# Does not match: `.. _a: b`, `.. __a:`, `(a)`
_ANY_LABEL = lazy(
    rb"""
    ^[ \t#/*]* (?:
        \.\.[ ]_ (?!_) `? ([^\n`]{1,200}?) `? : [ \t]* \r?$
      | \( ([^()\n]{1,200}) \)=
      | :? (?:name|label): [ \t]+ ([^\r\n]{1,200})
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
_SOURCES = (".rst", ".rest", ".txt", ".inc", ".md", ".ipynb", ".py", ".pyx", ".pyi", ".c", ".h", ".cpp", ".hpp")


def find_labels(tree: Tree) -> dict[str, frozenset[str]]:
    """Return the labels that each document of a tree defines."""
    documents = (path for path in tree.files() if path.endswith(_LABELED) and is_document(path))
    labels: dict[str, frozenset[str]] = {}
    remaining = _MOST_LABELS
    for path, data in tree.read_each(documents, _LARGEST):
        if remaining > 0 and (names := _labels(path, data)):
            labels[path] = frozenset(name.decode("utf-8", "replace") for name in names)
            remaining -= len(labels[path])
    return labels


def _labels(path: str, data: bytes) -> list[bytes]:
    """Return the labels that a document defines."""
    if path.endswith(".rst"):
        return _RST_LABEL.findall(data) if b".. _" in data else []
    is_searched = path.endswith(_LABELED) and any(sign in data for sign in _LABEL_SIGNS)
    return _LABEL.findall(data) if is_searched else []


def included_paths(data: bytes) -> list[str]:
    """Return the paths of the documents that a document includes, as they are written."""
    lower = data.lower()
    lines = sorted({line for sign in _SIGNS for line in _lines_with(sign, lower)})
    matches = (match for span in lines for match in _DIRECTIVE.finditer(data, *span))
    return [match[1].decode("utf-8", "replace") for match in matches]


def _lines_with(sign: bytes, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines that contain a sign."""
    end = 0
    while (position := data.find(sign, end)) >= 0:
        begin = data.rfind(b"\n", end, position) + 1 or end
        end = data.find(b"\n", position)
        end = end if end >= 0 else len(data)
        yield begin, end


def sphinx_labels(tree: Tree) -> frozenset[str]:
    """Return the labels of Sphinx that any file of a tree defines, in lower case, with single spaces."""
    labels: set[str] = set()
    paths = [path for path in tree.files() if path.endswith(_SOURCES)]
    for _, data in tree.read_each(paths, _LARGEST):
        if len(labels) >= _MOST_LABELS:
            break
        for match in _ANY_LABEL.finditer(data):
            label = (match[1] or match[2] or match[3]).decode("utf-8", "replace").replace("\\", "")
            labels.add(" ".join(label.lower().split()))
    return frozenset(labels)


def asciidoc_labels(tree: Tree) -> frozenset[str]:
    """Return the ids and the titles in the AsciiDoc documents of a tree."""
    labels: set[str] = set()
    for path in tree.files():
        if identify(path) == "asciidoc" and len(labels) < _MOST_LABELS:
            anchors = read_anchors(tree, path, "auto")[1]
            if anchors is not None:
                labels.update(anchors.lines, anchors.labels)
    return frozenset(labels)
