"""Broken references are reported unless most references of their form lead nowhere."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.trees import make_work_tree
from urlscan.core.settings import Settings
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.results import CheckResult
from urlscan.pipeline.targets import Targets
from urlscan.targets.evidence import file_form


def reported(root: Path, files: Mapping[str, str], name: str = "") -> list[str]:
    """Return the document, code and severity of each finding in a tree, or in one of its documents."""
    make_work_tree(root, dict(files))
    options = ReadOptions(targets=Targets())
    results = check.check([str(root / name)], Settings(select=("U911", "U912", "U915")), options)
    return sorted(
        f"{Path(one.path).name} {one.code} {one.severity.name.lower()}"
        for result in results
        if isinstance(result, CheckResult)
        for one in result.findings
    )


@pytest.mark.parametrize(
    ("path", "family", "lead"),
    [
        ("a.md", "document", ""),
        ("./a.MD", "document", "./"),
        ("../a/b.html", "page", "../"),
        ("a/b.jsp.html", "page.", "a/"),
        ("a/b", "name", "a/"),
        ("a/v1.2", "name", "a/"),
        ("a.png", "image", ""),
        ("a.zip", "zip", ""),
    ],
)
def test_form_of_a_path(path: str, family: str, lead: str) -> None:
    assert file_form(path) == ("file", family, lead)


def test_the_exception_is_an_error(tmp_path: Path) -> None:
    files = {"a.md": "[a](b.md) [b](c.md)\n", "b.md": "[a](a.md)\n"}
    assert reported(tmp_path, files) == ["a.md U912 error"]


def test_a_few_references_are_no_evidence(tmp_path: Path) -> None:
    assert reported(tmp_path, {"a.md": "[a](../no/b.md) [b](c.md)\n", "b.md": ""}) == ["a.md U912 error"]


def test_a_form_that_never_leads_anywhere_is_not_meant_for_the_tree(tmp_path: Path) -> None:
    pages = {f"{name}/{name}.md": f"[a](server-{name}) [b](../index.md) [c](no.md)\n" for name in "abc"}
    proof = {f"{name}/more.md": f"[a]({name}.md)\n" for name in "abc"}
    expected = ["a.md U912 error", "b.md U912 error", "c.md U912 error"]
    assert reported(tmp_path, {**pages, **proof, "index.md": ""}) == expected


def test_one_target_is_evidence_once(tmp_path: Path) -> None:
    assert reported(tmp_path, {"a.md": "[a](b)\n" * 5}) == ["a.md U912 warning"] * 5


@pytest.mark.parametrize("name", ["", "a.md", "b.md", "c.md", "d.md"])
def test_a_single_document_has_the_findings_of_the_tree(tmp_path: Path, name: str) -> None:
    files = {
        "a.md": "[a](one.md) [b](e/f.md)\n",
        "b.md": "[a](two.md) [b](e/no.md) [c](#no)\n",
        "c.md": "[a](three.md) [b](e/f.md) [c](#c)\n\n# C\n",
        "d.md": "[a](four.md) [b][label]\n",
        "e/f.md": "",
    }
    expected = ["b.md U911 error", "b.md U912 error", "d.md U915 warning"]
    assert reported(tmp_path, files, name) == [one for one in expected if name in one]


def test_references_of_a_directory_that_begin_elsewhere(tmp_path: Path) -> None:
    files = {
        "docs/a.md": "[a](docs/b.md) [b](sub/d.md)\n",
        "docs/b.md": "[a](docs/a.md) [b](sub/e.md)\n",
        "docs/c.md": "[a](docs/c.md) [b](docs/no.md)\n",
        "docs/sub/d.md": "",
        "docs/sub/e.md": "",
    }
    assert reported(tmp_path, files) == ["c.md U912 warning"]


def test_a_mistake_of_one_document_is_reported(tmp_path: Path) -> None:
    files = {
        "cmd/README.md": "[a](one.md) [b](two.md) [c](three.md)\n",
        "README.md": "[a](one.md) [b](two.md) [c](three.md)\n",
        **dict.fromkeys(("one.md", "two.md", "three.md"), ""),
    }
    assert reported(tmp_path, files) == ["README.md U912 error"] * 3


@pytest.mark.parametrize(("count", "findings"), [(9, 9), (10, 0)])
def test_a_document_whose_references_lead_nowhere(tmp_path: Path, count: int, findings: int) -> None:
    forms = ("{}.md", "b/{}.md", "../{}.md", "{}.png", "./{}.md")
    text = " ".join(f"[a]({forms[number % 5].format(number)})" for number in range(count))
    assert len(reported(tmp_path, {"docs/a b.md": text, "docs/z.md": "[z](z.md)\n"})) == findings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](docs/a.md) [b](docs/b.md) [c](docs/c.md) [d](docs/d.md)\n", ["README.md U912 error"] * 4),
        ("[a](#a) [b](#b) [c](#c) [d](#d)\n", ["README.md U911 error"] * 4),
        ("See [the end][one], [it][two], [a list][three] and [more][four].\n", ["README.md U915 warning"] * 4),
    ],
)
def test_a_few_mistakes_of_one_document_are_reported(tmp_path: Path, text: str, expected: list[str]) -> None:
    """A directory was renamed, a text was copied from elsewhere."""
    assert reported(tmp_path, {"README.md": f"# Title\n\n{text}", "docs/guide.md": "# Guide\n"}) == expected


def test_the_same_reference_on_several_pages(tmp_path: Path) -> None:
    pages = {f"{name}.html": "<a href='a.html'>a</a><a href='current.html'>c</a>\n" for name in "abc"}
    assert reported(tmp_path, pages) == []
    assert reported(tmp_path / "two", {name: pages[name] for name in ("a.html", "b.html")}) == [
        "a.html U912 info",
        "b.html U912 info",
    ]


def test_anchors_of_an_unknown_generator(tmp_path: Path) -> None:
    files = {
        "a.md": "# A\n\n[a](#h-one) [b](#h-two) [c](b.md#bee)\n",
        "b.md": "# Bee\n\n[a](#h-three)\n",
        "c.md": "[b](b.md#bees) [a](#h-four)\n",
    }
    assert reported(tmp_path, files) == ["c.md U911 error"]


def test_labels_of_an_unknown_program(tmp_path: Path) -> None:
    files = {f"{name}.md": f"See [the {name}][{name}].\n" for name in "abc"}
    assert reported(tmp_path / "three", files) == []
    assert reported(tmp_path / "two", {**files, "c.md": ""}) == ["a.md U915 warning", "b.md U915 warning"]
    assert reported(tmp_path / "defined", {**files, "d.md": "[the end][]\n\n[the end]: a.md\n"}) == [
        "a.md U915 warning",
        "b.md U915 warning",
        "c.md U915 warning",
    ]


def test_changelogs_are_no_evidence_against_a_form(tmp_path: Path) -> None:
    past = {f"v{number}/CHANGELOG.md": f"[a](a{number}) [b](b{number})\n" for number in range(3)}
    assert [one for one in reported(tmp_path, {**past, "a.md": "[n](no)\n"}) if "CHANGELOG" not in one] == [
        "a.md U912 warning"
    ]


@pytest.mark.parametrize(
    ("name", "text", "severity"),
    [
        ("a.html", '<meta name="generator" content="DocBook XSL"><a href="#no">a</a>\n', "info"),
        ("a.html", '<META CONTENT="a" NAME=author><a href="#no">a</a>\n', "error"),
        ("a.html", '<meta name="generator" content="HTML Tidy for HTML5"><a href="#no">a</a>\n', "error"),
        ("a.md", "<!-- Generated by make docs. Do not edit! -->\n\n[a](#no)\n", "info"),
        ("a.md", "<!-- DON'T EDIT: this file is generated. -->\n\n[a](#no)\n", "info"),
        ("a.md", "The pages are generated.\n\n[a](#no)\n", "error"),
    ],
)
def test_documents_that_a_program_has_written(tmp_path: Path, name: str, text: str, severity: str) -> None:
    assert reported(tmp_path, {name: text}) == [f"{name} U911 {severity}"]
