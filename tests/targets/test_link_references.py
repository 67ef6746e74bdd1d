"""Link labels of Markdown are reported if a link was certainly meant, and nothing defines them."""

from pathlib import Path

import pytest

from tests.trees import make_work_tree
from urlscan.core.document import Document
from urlscan.core.settings import Settings
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets


def undefined(root: Path, text: str, name: str = "docs/a.md", **files: str) -> list[str]:
    """Return the labels that are reported as undefined in a document that defines another one."""
    make_work_tree(root, {**files, name: f"{text}\n[rye]: /rye\n"})
    results = check.check([str(root / name)], Settings(select=("U915",)), ReadOptions(targets=Targets()))
    findings = [one for result in results if isinstance(result, Document) for one in result.findings]
    return [one.message.split('"')[1] for one in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See [the guide][guide] and [the FAQ][].", ["guide", "the FAQ"]),
        ("![logo][image] [![logo][one]][two] [guide][]\n\n[guide]: a.md", ["image", "one", "two"]),
        ("[a b][c\nd]", ["c"]),
        ("> [the guide][guide]\n\n- [x] [the guide][other]", ["guide", "other"]),
        ("[Über uns][über] [说明][文档]", ["über", "文档"]),
        ("[the *long* `text`][guide]", ["guide"]),
    ],
    ids=["full-and-collapsed", "images", "over-lines", "in-blocks", "scripts", "with-markup"],
)
def test_labels_without_definition(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert [label.partition("<")[0] for label in undefined(tmp_path, text + "\n")] == expected


@pytest.mark.parametrize(
    "text",
    [
        "[the guide][Guide  X] [guide\nx][]\n\n[guide x]: /a",
        "[the guide][guide]\n\n> [guide]: /a",
        "[the guide][guide]\n\n- a\n\n  [guide]:\n  <a b> 'title'",
        "[x][straße] [y][ẞ]\n\n[STRASSE]: /a\n[ss]: /b",
        "[a [b] c][guide]\n\n[guide]: /a",
        "[a][b \\[c\\] d]\n\n[b \\[c\\] d]: /a",
    ],
    ids=["normalized", "in-quote", "in-list", "case-folded", "brackets", "escaped brackets"],
)
def test_labels_with_definition(tmp_path: Path, text: str) -> None:
    assert undefined(tmp_path, text + "\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "- [ ][ ] a\n- [x][ ] b\n- [X] [ ] c",
        "`[the guide][guide]` ``[a][b]``",
        "```\n[the guide][guide]\n```\n\n    [the guide][guide]\n",
        "<!-- [the guide][guide] -->\n\n<pre>[the guide][guide]</pre>",
        "matrix[row][column] m[0][1] a_[i][j] f()[key][other] [0][1]",
        "> [!NOTE][]\n> [!WARNING][more]",
        "[TOC][] [[_TOC_]] [toc]",
        "[text][^1] [^1][^2] [^note][]\n\n[^1]: a",
        "see [@smith2020][@jones] and [-@smith][p. 3] [@a; @b][]",
        "[[Page]][more] [[Page|text]] [[Page]][]",
        "[text][{label}] [text][$label] [text][<label>] [{{ a }}][{{ b }}] {{< a [b][c] >}} {% a [b][c] %}",
        "[`Vec`][std::vec::Vec] [iter][`core::iter`] [Client][package.module.Client]",
        r"\[the guide][guide] [the guide\][guide] [the guide]\[guide]",
        "$a[the guide][guide]$",
        "[text][guide](https://h.example) [text][guide]: a",
        "[label] alone, [label]: no",
    ],
    ids=[
        "task-list", "code-span", "code-block", "html", "index", "admonition", "contents", "footnote", "citation",
        "wiki-link", "template", "symbol", "escape", "formula", "link", "shortcut",
    ],
)  # fmt: skip
def test_brackets_that_are_no_link_references(tmp_path: Path, text: str) -> None:
    assert undefined(tmp_path, text + "\n") == []


@pytest.mark.parametrize(
    "include",
    ['--8<-- "links.md"', "{{#include links.md}}", "{% include links.md %}", "{%- render 'links' %}"],
)
def test_labels_may_be_defined_in_included_files(tmp_path: Path, include: str) -> None:
    assert undefined(tmp_path, f"[the guide][guide]\n\n{include}\n") == []


@pytest.mark.parametrize("generator", ["mkdocs.yml", "_bookdown.yml"])
def test_plugins_of_generators_define_labels(tmp_path: Path, generator: str) -> None:
    assert undefined(tmp_path, "[the guide][guide]\n", **{generator: "site_name: a\n"}) == []
