"""References that the conventions of a generator or a language resolve: next to each, one that stays broken."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.trees import make_work_tree
from urlscan.core.document import Document
from urlscan.core.records import Finding
from urlscan.core.settings import Settings
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets

ANTORA = {
    "docs/antora.yml": "name: mill\n",
    "docs/modules/ROOT/pages/start.adoc": "= Start\n\n== First steps\n",
    "docs/modules/ROOT/pages/stones/french.adoc": "= French\n",
    "docs/modules/ROOT/images/wheel.png": "",
}
SPHINX = {
    "docs/conf.py": "extensions = ['sphinx.ext.autodoc']\n",
    "docs/old.rst": ".. _old-mill:\n\nOld\n===\n",
}
# References that lead somewhere, of the forms of broken ones that are then errors.
PROOF = {
    "proof.md": "[a](proof.md) [b](proof/b.md)\n",
    "proof/b.md": "",
    "proof/c/d.md": "[a](../../proof.md) [b](../b.md)\n",
}


def findings(root: Path, name: str, text: str, files: Mapping[str, str]) -> list[Finding]:
    """Return the findings about a document of a tree."""
    make_work_tree(root, {**files, name: text})
    options = ReadOptions(targets=Targets())
    results = check.check([str(root / name)], Settings(select=("U91",), ignore=("U917",)), options)
    return [one for result in results if isinstance(result, Document) for one in result.findings]


def codes(root: Path, name: str, text: str, files: Mapping[str, str]) -> list[str]:
    """Return the codes of these findings."""
    return [one.code for one in findings(root, name, text, files)]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("nav.adoc", "xref:start.adoc[Start]", []),
        ("nav.adoc", "xref:start.adoc#_first_steps[Steps]", []),
        ("nav.adoc", "xref:start.adoc#_last_steps[Steps]", ["U911"]),
        ("nav.adoc", "xref:french.adoc[French]", ["U912"]),
        ("pages/stones/a.adoc", "xref:start.adoc[Start]", []),
        ("pages/stones/a.adoc", "xref:stones/french.adoc[French]", []),
        ("pages/stones/a.adoc", "xref:./french.adoc[French]", []),
        ("pages/stones/a.adoc", "xref:./start.adoc[Start]", ["U912"]),
        ("pages/stones/a.adoc", "image::wheel.png[]", []),
        ("pages/stones/a.adoc", "image::wheels.png[]", ["U912"]),
    ],
)
def test_antora_resolves_in_the_families_of_a_module(tmp_path: Path, name: str, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, f"docs/modules/ROOT/{name}", f"= A\n\n{text}\n", ANTORA) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("#Mill.start", []),
        ("#grind_flour", []),
        ("#old-mill", []),
        ("#old", []),
        ("old.rst#Mill.start", ["U911"]),
    ],
)
def test_myst_refers_to_objects_and_labels_of_sphinx(tmp_path: Path, url: str, expected: list[str]) -> None:
    assert codes(tmp_path, "docs/a.md", f"# A\n\n[a]({url})\n", SPHINX) == expected


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("```{eval-rst}\n\n.. autoclass:: mill.Wheel\n```", []),
        ("```{autoclass} mill.Wheel\n```", []),
        ("```{eval-rst}\n.. note:: a\n```", ["U911"]),
    ],
)
def test_objects_may_be_documented_in_another_document(tmp_path: Path, directive: str, expected: list[str]) -> None:
    files = {**SPHINX, "docs/api.md": f"# API\n\n{directive}\n"}
    assert codes(tmp_path, "docs/a.md", "# A\n\n[a](api.md#mill.Wheel)\n", files) == expected


def test_objects_are_unknown_without_an_extension_that_documents_them(tmp_path: Path) -> None:
    files = {"docs/conf.py": "extensions = []\n"}
    assert codes(tmp_path, "docs/a.md", "# A\n\n[a](#Mill.start)\n", files) == ["U911"]


@pytest.mark.parametrize(
    ("name", "url", "files", "expected"),
    [
        ("src/mill.md", "stone.md", {"src/lib.rs": ""}, ["U912"]),
        ("doc/mill.md", "Stone", {"src/lib.rs": ""}, ["U912"]),
        ("gen/SUMMARY.md", "mill.md", {"gen/wheel.md": ""}, ["U912"]),
        ("doc/guide.md", "mill.png", {}, ["U912"]),
        ("doc/fr/mill.md", "stone.fr.html", {"doc/en/stone.en.adoc": "", "doc/fr/a.html": ""}, ["U912"]),
        ("doc/mill.md", "wheel-labels", {"doc/wheel.md": "(wheel-label)=\n# Wheel\n"}, ["U912"]),
    ],
)
def test_files_that_need_not_exist(
    tmp_path: Path, name: str, url: str, files: Mapping[str, str], expected: list[str]
) -> None:
    assert codes(tmp_path, name, f"# A\n\n[a]({url})\n", files) == expected


def test_a_copy_in_a_repository_is_not_checked(tmp_path: Path) -> None:
    text = "# A\n\n[a](#nothing) [nothing][]\n"
    assert codes(tmp_path, "vendor/mill/README.md", text, {}) == []
    assert codes(tmp_path, "mill/README.md", text, {}) == ["U911", "U915"]


@pytest.mark.parametrize(
    ("first", "second", "severity"),
    [
        ("http://h.example/a", "https://www.h.example/a/", "info"),
        ("https://h.example/stable/a.html#b", "https://h.example/nightly/a.html#b", "info"),
        ("https://h.example/a/issues/12", "https://h.example/a/pull/12", "info"),
        ("https://h.example/a/issues/12", "https://h.example/a/issues/13", "warning"),
        ("https://h.example/1.0/a", "https://h.example/2.0/a", "warning"),
        ("a.md", "b.md", "warning"),
    ],
)
def test_definitions_for_one_page_are_an_info(tmp_path: Path, first: str, second: str, severity: str) -> None:
    files = {"a.md": "", "b.md": ""}
    (found,) = findings(tmp_path, "c.md", f"[x]\n\n[x]: {first}\n[x]: {second}\n", files)
    assert (found.code, found.severity.name.lower()) == ("U916", severity)


def test_parts_of_a_notation_are_no_labels(tmp_path: Path) -> None:
    assert codes(tmp_path, "a.md", "Slices are [start]:[stop][:step], see [mill][].\n", {}) == ["U915"]


def test_images_of_asciidoc_are_in_their_directory(tmp_path: Path) -> None:
    text = "= A\n:imagesdir: ../img\n\nimage::mill.png[]\n\nimage::wheel.png[]\n\nlink:mill.png[]\n"
    assert codes(tmp_path, "doc/a.adoc", text, {"img/mill.png": ""}) == ["U912", "U912"]


def test_directives_of_mkdocs_may_write_anchors(tmp_path: Path) -> None:
    files = {"a.md": "::: mkdocs-click\n    :module: mill.cli\n", "b.md": "::: note\n    Text\n"}
    assert codes(tmp_path, "c.md", "[a](a.md#mill-run) [b](b.md#mill-run)\n", files) == ["U911"]


@pytest.mark.parametrize("attributes", ["{: .wide}", "{: wide}", "{.wide}", "{-}"])
def test_an_attribute_list_is_no_part_of_an_anchor(tmp_path: Path, attributes: str) -> None:
    assert codes(tmp_path, "a.md", f"# Mill {attributes}\n\n[a](#mill) [b](#mills)\n", {}) == ["U911"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", ["error", "error"]),
        ("CHANGELOG.md", ["info", "info"]),
        ("docs/release-notes/1.0.md", ["info", "info"]),
        ("release-process.md", ["error", "error"]),
    ],
)
def test_a_changelog_records_the_past(tmp_path: Path, name: str, expected: list[str]) -> None:
    depth = "../" * name.count("/")
    found = findings(tmp_path, name, f"# Mill\n\n[a](#mile) [b]({depth}mile.md)\n", {**PROOF, "mill.md": "# Mill\n"})
    assert [one.severity.name.lower() for one in found] == expected


@pytest.mark.parametrize(
    ("url", "files", "expected"),
    [
        ("docs/no.md", {"docs/a.md": ""}, ["error"]),
        ("docs/no.md", {}, ["warning"]),  # the directory is missing, too
        ("docs/no", {"docs/a.md": ""}, ["warning"]),  # a page
        ("docs/no", {}, ["warning"]),  # a forge makes no pages
        ("docs/no.html", {}, []),
    ],
)
def test_reasons_to_doubt_that_a_file_is_missing(
    tmp_path: Path, url: str, files: dict[str, str], expected: list[str]
) -> None:
    found = findings(tmp_path, "a.md", f"# Mill\n\n[a]({url})\n", {**PROOF, **files})
    assert [one.severity.name.lower() for one in found] == expected


@pytest.mark.parametrize(("url", "expected"), [("no.png", "INFO"), ("no.html", "INFO"), ("docs/no.html", "")])
def test_a_page_may_be_served_with_other_files(tmp_path: Path, url: str, expected: str) -> None:
    found = findings(tmp_path, "a.html", f"<img src='{url}'>\n", {"b.html": ""})
    assert " ".join(one.severity.name for one in found) == expected


def test_a_source_package_of_python_may_lack_files(tmp_path: Path) -> None:
    assert codes(tmp_path, "a.md", "[a](no.md) [b](#c)\n", {"PKG-INFO": "Name: mill\n"}) == ["U911"]


@pytest.mark.parametrize(("name", "expected"), [("CHANGELOG-2.md", "INFO"), ("a.md", "WARNING")])
def test_labels_in_a_changelog_are_information(tmp_path: Path, name: str, expected: str) -> None:
    found = findings(tmp_path, name, "- bug #1 [Wheel][] Turn\n", {})
    assert [(one.code, one.severity.name) for one in found] == [("U915", expected)]


@pytest.mark.parametrize(("name", "expected"), [("a.html.out", []), ("a.html", ["U911"])])
def test_html_under_another_name_is_not_published(tmp_path: Path, name: str, expected: list[str]) -> None:
    assert codes(tmp_path, name, "<!DOCTYPE html>\n<html><a href='#no'>a</a></html>\n", {}) == expected
