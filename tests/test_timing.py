"""Reading takes linear time: candidates found by `tests/timing_search.py`, and similar ones.

Most of them took a hundred times as long before they were fixed.
"""

import os

import pytest

from tests.linear_time import assert_linear
from tests.timing_search import Candidate, read, search
from tests.timing_units import benign
from urlscan.cli import main
from urlscan.documents import KINDS
from urlscan.documents.code import regions
from urlscan.targets.generators import FORGE_DOCUMENT

pytestmark = pytest.mark.slow

SIZE = 200_000
URL = " http://h.example/a|b\n"
CELL = '{"cells": [{"cell_type": "markdown", "source": "'

_NIGHTLY = "URLSCAN_TIMING_MINUTES" in os.environ

FOUND = {
    "table rows when a fix is written": ("csv", "fix", "", "a,b,c\n", URL),
    "empty table rows when a fix is written": ("tsv", "fix", "", "\r\n", URL),
    "quotation marks within table fields": ("csv", "extract", "", '"a"",', ""),
    "escaped quotation marks in JSON that is no notebook": ("ipynb", "extract", "", '\\"', ""),
    "escaped quotation marks in the cell of a notebook": ("ipynb", "fix", CELL, '\\"', URL),
    "separators in JSON that is no notebook": ("ipynb", "extract", "", "::", ""),
    "tags with names that never end": ("markdown", "extract", "", "***<URL:", ""),
    "raw text elements that never end": ("markdown", "extract", "", "<script>", "\n```\na"),
    "unequal runs of backticks": ("markdown", "extract", "", " h ``\\ ` ", "```"),
    "indented code after indented code": ("markdown", "extract", "", "\n\n    a", ""),
    "escaped and doubled quotation marks": ("powershell", "extract", "", '\\""', ""),
    "doubled quotation marks": ("sql", "fix", "", "''", URL),
    "URLs between quotation marks without blanks": ("yaml", "check-html", "", "''http://&a", URL),
    "a long line of plus signs": ("asciidoc", "extract", "", "+", ""),
    "macros before the name of a service": ("asciidoc", "extract", "", "link:", "[youtube]"),
    "macros before the name of a family": ("asciidoc", "extract", "", "link:", "page$"),
    "full stops after a cross-reference": ("asciidoc", "extract", "xref:", ".", ""),
    "images that are missing": ("asciidoc", "check-json", "", "image::a.png[]\n", ""),
    "images that are missing on one line": ("asciidoc", "check-json", "= T\n\n", "image:a.png[] ", ""),
    "labels that are missing": ("asciidoc", "check-json", "= T\n\n", "<<lab>>\n", ""),
    "labels before a link without a destination": ("markdown", "check-json", "", "[a:", "\n\n[b]()\n"),
    "blocks that never end": ("org", "check-json", "[[#a]]\n", "#+begin_src\n", ""),
    "anchors that a page lacks": ("html", "check-json", "", "<a href='#b'>", ""),
    "fields of BibTeX without a value": ("latex", "extract", "", "url = ", ""),
    "roles on one line": ("rst", "check-json", "", ":ref:`a` ", ""),
    "roles with blanks": ("rst", "check-json", "", f":ref:`<{' ' * 490}` ", ""),
    "a long line of blanks": ("rst", "extract", "", " ", ""),
    "a long line of tabs": ("rst", "extract", "", "\t", ""),
    "bars in a target that continues": ("rst", "extract", ".. _a|b: http://h.example/", "|", "\n   c\n"),
    "bars in an image that continues": ("rst", "fix", ".. |a| image:: http://h.example/", "| ", "\n   | c\n"),
    "bars on the last line of a URI in a cell": ("rst", "check", ".. |a| image:: http://h.example/b|\n   xx|", "|", ""),
    "URIs in one line of a grid table": ("rst", "check", "| ", "`a <http://h.example/b>`_ | ", "\n"),
    "passwords in one long URL": ("plain", "fix-all", "", "http://a:b@", URL),
    "fixes that do not read back": ("plain", "fix-all", "", "http://h.example:80,a|b\n", ""),
    "problems in one long URL": ("plain", "check", "http://h.example/", "%2", ""),
    "brackets in one long URL": ("plain", "check", "http://h.example/", "$IPv6[", "\n"),
}


@pytest.mark.parametrize("case", FOUND.values(), ids=FOUND)
def test_reading_takes_linear_time(case):
    assert_linear(lambda size: read(Candidate(*case), size), SIZE, within=4)


# The unit of a document, and the files of a size with which it is checked.
TREES = {
    "included documents of one name": (
        "[a](#b)\n", lambda size: {f"d{number}/q.md": '{% include "q.md" %}\n' * 40 for number in range(size // 600)}
    ),
    "inclusions that never end": (
        "[a](c.md)\n", lambda size: {".vuepress/config.js": "", "b.md": "!!!include(a" * (size // 3)}
    ),
    "names in build programs": ("![a](npng.png)\n", lambda size: {"b.sh": "png.pn" * (size // 6)}),
    "pages that are missing beside many files": (
        "[a](b.html)\n", lambda size: {f"{number}.txt": "" for number in range(size // 12)}
    ),
    "pages of Doxygen beside many files": (
        "[a](topics.html)\n", lambda size: {f"{number}.txt": "" for number in range(size // 12)}
    ),
    "files that are missing on one line": ("[a](b.md) ", lambda size: {}),
    "aliases of docsify": ("[a](b.md)\n", lambda size: {"index.html": "$docsify" + "alias: /b" * (size // 9)}),
}  # fmt: skip


@pytest.mark.parametrize(("unit", "files"), TREES.values(), ids=TREES)
def test_links_of_a_tree_take_linear_time(tmp_path, unit, files):
    def check(size: int) -> None:
        tree = tmp_path / str(size)
        (tree / ".git").mkdir(parents=True, exist_ok=True)
        others = files(size)
        for name, text in others.items():
            (tree / name).parent.mkdir(exist_ok=True)
            (tree / name).write_text(text)
        document = tree / "a.md"
        document.write_text(others.get("d0/q.md", "") + unit * (size // len(unit)))
        assert main(["check", "--select", "ALL", "--isolated", "--jobs", "1", "--quiet", str(document)]) in (0, 1)

    assert_linear(check, 60_000, within=4)


def test_an_address_that_may_be_masked_takes_linear_time():
    case = Candidate("html", "extract", "<a href='mailto:a-at", "-", "@'>")
    assert_linear(lambda size: read(case, size), 60_000, within=4)  # a longer link is not read


def test_names_of_documents_take_linear_time():
    assert_linear(lambda size: FORGE_DOCUMENT.fullmatch(f"readme{'_' * size}!.md"), 60)


def test_strings_on_one_line_of_a_program_take_linear_time():
    assert_linear(lambda size: list(regions("'a', " * (size // 5), "python")), 1_500_000, within=4)


@pytest.mark.parametrize("kind", KINDS)
def test_single_fix_in_an_ordinary_document_takes_linear_time(kind):
    # 5 MB in the nightly run; a quadratic reader needs more than 10 s for 60 KB.
    size = 5_000_000 if _NIGHTLY else 60_000
    prefix, unit, suffix = benign(kind)
    assert_linear(
        lambda size: read(Candidate(kind, "fix", prefix, unit, suffix), size), size, within=max(4, 20e-6 * size)
    )


@pytest.mark.skipif(not _NIGHTLY, reason="runs nightly: URLSCAN_TIMING_MINUTES=60")
def test_search_finds_nothing_new():
    minutes, seed = float(os.environ["URLSCAN_TIMING_MINUTES"]), int(os.environ.get("URLSCAN_TIMING_SEED", "0"))
    assert search(minutes, seed, list(KINDS))["offenders"] == 0
