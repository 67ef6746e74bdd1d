"""References to labels and documents are reported if no document has them."""

from pathlib import Path

import pytest

from tests.trees import make_work_tree
from urlscan.core.document import Document
from urlscan.core.settings import Settings
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets

SPHINX = {
    "docs/conf.py": "project = 'a'\n",
    "docs/b.rst": ".. _Quick start:\n\nStart\n=====\n\n.. code-block:: c\n   :name: main-c\n\n   int a;\n",
    "docs/more/c.md": "(usage)=\n# Usage\n",
    "docs/snippets/part.txt": "   .. _part:\n",
    "src/a.py": '"""A.\n\n.. _in-program:\n"""\n',
    ".gitignore": "/docs/api/\n",
}


def missing(root: Path, name: str, text: str, files: dict[str, str] = SPHINX) -> list[str]:
    """Return the reported labels, documents and files."""
    make_work_tree(root, {**files, name: text})
    results = check.check([str(root / name)], Settings(select=("U919", "U920")), ReadOptions(targets=Targets()))
    findings = [one for result in results if isinstance(result, Document) for one in result.findings]
    return [one.message.split('"')[1] for one in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":ref:`quick start` :ref:`Quick\nstart` :ref:`t <main-c>` :ref:`part` :ref:`in-program`", []),
        (":ref:`usage` :numref:`main-c` :ref:`genindex` :ref:`!none` :ref:`other:none`", []),
        (":ref:`none` :std:ref:`t <none 2>` :numref:`none3`", ["none", "none 2", "none3"]),
        (":doc:`b` :doc:`more/c` :doc:`/more/c` :doc:`t <../docs/b>` :doc:`api/generated` :doc:`absent/x`", []),
        (":doc:`c` :doc:`/b2` :doc:`t <more/d>`", ["c", "/b2", "more/d"]),
        ("``:ref:`none` ``\n\n::\n\n   :ref:`none`\n\n.. :ref:`none`\n\n.. a\n   :ref:`none`\n", []),
        (".. note:: :ref:`none`\n\n   :ref:`none2`\n", ["none", "none2"]),
        (".. include:: snippets/part.txt\n\n.. include:: /b.rst\n\n.. include:: <isoamsa.txt>\n", []),
        (".. include:: part.txt\n\n.. literalinclude:: ../src/b.py\n   :lines: 2\n", ["part.txt", "../src/b.py"]),
        (".. include:: api/part.txt\n\n.. include:: {{ x }}/part.txt\n", []),
    ],
)
def test_roles_and_directives_of_sphinx(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert missing(tmp_path, "docs/a.rst", text) == expected


def test_roles_of_myst(tmp_path: Path) -> None:
    text = "{ref}`usage` {doc}`b` {ref}`t <none>` {doc}`none2` `{ref}` `` {ref}`x` ``\n\n```\n{ref}`y`\n```\n"
    assert missing(tmp_path, "docs/a.md", text) == ["none", "none2"]


@pytest.mark.parametrize("extension", ["sphinx.ext.intersphinx", "sphinx.ext.autosectionlabel", "breathe"])
def test_labels_may_be_defined_by_extensions(tmp_path: Path, extension: str) -> None:
    files = {**SPHINX, "docs/conf.py": f"project = 'a'\nextensions = ['{extension}']\n"}
    assert missing(tmp_path, "docs/a.rst", ":ref:`none`\n", files) == []


def test_without_sphinx_roles_have_no_meaning(tmp_path: Path) -> None:
    assert missing(tmp_path, "a.rst", ":ref:`none` :doc:`none`\n", {}) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<<own>> <<own,text>> <<Own Title>> xref:own[] <<elsewhere>> <<b.adoc#elsewhere>> <<b#elsewhere>>", []),
        ("<<none>> <<none2,a\nb>> xref:none3[c] <<c.adoc#x>>", ["none", "none2", "none3", "c.adoc"]),
        (
            "`<<none>>` \\<<none>> <<{none}>> a<<none>> <<<none>>> xref:c.adoc[]\n\n----\n<<none>>\n----\n// <<none>>",
            [],
        ),
        ("include::{parts}/c.adoc[]\n\n<<none>>", []),
    ],
)
def test_cross_references_of_asciidoc(tmp_path: Path, text: str, expected: list[str]) -> None:
    files = {"b.adoc": "= B\n\n[[elsewhere]]\n== C\n"}
    assert missing(tmp_path, "a.adoc", f"= A\n\n[#own]\n== Own Title\n\n{text}\n", files) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[*Own Title]] [[Own title][a]] [[#own]] [[here]] [[table]] [[file:b.org]] [[file:b.org::*There]]", []),
        ("[[*None]] [[#none2]] [[none3][a]] [[file:c.org]]", ["*None", "#none2", "none3"]),
        ("[[id:0a]] [[gh:x]] [[./b.org]] [[(line)]] [[fn:1]] =[[none]]=\n# [[none]]\n: [[none]]\n", []),
        ('#+INCLUDE: "c.org"\n[[none]]', []),
    ],
)
def test_internal_links_of_org(tmp_path: Path, text: str, expected: list[str]) -> None:
    before = "* TODO Own title :tag:\n:PROPERTIES:\n:CUSTOM_ID: own\n:END:\n<<here>>\n#+NAME: table\n| a |\n"
    assert missing(tmp_path, "a.org", f"{before}\n{text}\n", {"b.org": "* There\n"}) == expected
