"""References that the conventions of a generator or a language resolve: next to each, one that stays broken."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.trees import make_work_tree
from urlscan.core.records import Finding
from urlscan.core.segment import Segment
from urlscan.core.settings import Settings
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.results import CheckResult
from urlscan.pipeline.targets import Targets
from urlscan.targets.conventions import is_credit

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
    return [one for result in results if isinstance(result, CheckResult) for one in result.findings]


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


def test_a_suggestion_for_antora_is_relative_to_the_pages(tmp_path: Path) -> None:
    text = "= A\n\nxref:french.adoc[French]\n"
    (found,) = findings(tmp_path, "docs/modules/ROOT/pages/stones/deep/a.adoc", text, ANTORA)
    assert found.suggestion == "stones/french.adoc"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("#Mill.start", []),
        ("#grind_flour", []),
        ("#old-mill", []),
        ("#old", []),
        ("#new-mill", ["U911"]),
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


@pytest.mark.parametrize(("name", "expected"), [("part.md", []), ("deep/part.md", []), ("index.md", ["U911"])])
def test_documents_beside_an_index_of_hugo_are_parts(tmp_path: Path, name: str, expected: list[str]) -> None:
    files = {"hugo.toml": "", "content/mill/index.md": "---\ntitle: Mill\n---\n"}
    assert codes(tmp_path, f"content/mill/{name}", "## Wheels\n\n[a](#stones)\n", files) == expected


@pytest.mark.parametrize(
    ("name", "url", "files", "expected"),
    [
        ("src/mill.md", "Stone", {"src/lib.rs": ""}, []),
        ("src/mill.md", "stone.md", {"src/lib.rs": ""}, ["U912"]),
        ("doc/mill.md", "Stone", {"src/lib.rs": ""}, ["U912"]),
        ("gen/SUMMARY.md", "mill.md", {"gen/main.c": ""}, []),
        ("gen/SUMMARY.md", "mill.md", {"gen/wheel.md": ""}, ["U912"]),
        ("doc/markdown-guide.md", "mill.png", {}, []),
        ("doc/guide.md", "mill.png", {}, ["U912"]),
        ("doc/mill.md", "seefile/stone.svg", {}, []),
        ("doc/mill.md", "Mill.app/Contents/Read%20me.txt", {}, []),
        ("doc/mill.md", "mill-1.0.dmg", {}, []),
        ("doc/fr/mill.md", "stone.en.html", {"doc/en/stone.en.adoc": "", "doc/fr/a.html": ""}, []),
        ("doc/fr/mill.md", "stone.fr.html", {"doc/en/stone.en.adoc": "", "doc/fr/a.html": ""}, ["U912"]),
        ("doc/mill.md", "wheel-label", {"doc/wheel.md": "(wheel-label)=\n# Wheel\n"}, []),
        ("doc/mill.md", "wheel-labels", {"doc/wheel.md": "(wheel-label)=\n# Wheel\n"}, ["U912"]),
    ],
)
def test_files_that_need_not_exist(
    tmp_path: Path, name: str, url: str, files: Mapping[str, str], expected: list[str]
) -> None:
    assert codes(tmp_path, name, f"# A\n\n[a]({url})\n", files) == expected


def test_a_placeholder_of_asciidoc_is_no_file(tmp_path: Path) -> None:
    assert codes(tmp_path, "a.adoc", "= A\n\nimage::<file>[alt]\n\nimage::mill.png[]\n", {}) == ["U912"]


def test_a_copy_in_a_repository_is_not_checked(tmp_path: Path) -> None:
    text = "# A\n\n[a](#nothing) [b][nothing]\n"
    assert codes(tmp_path, "vendor/mill/README.md", text, {}) == []
    assert codes(tmp_path, "mill/README.md", text, {}) == ["U911", "U915"]


def test_a_document_without_a_title_is_included_in_others(tmp_path: Path) -> None:
    files = {"docs/part.rst": "**To grind flour**\n\nText.\n", "docs/whole.rst": "Mill\n====\n"}
    text = "Start\n=====\n\n`a <part.html#examples>`__\n`b <whole.html#examples>`__\n"
    assert codes(tmp_path, "docs/a.rst", text, files) == ["U911"]
    assert codes(tmp_path, "docs/header.rst", ".. header:: `a <nothing.rst>`__\n", files) == []


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
    assert codes(tmp_path, "a.md", "Slices are [start]:[stop][:step], see [the mill][mill].\n", {}) == ["U915"]


def test_keys_are_no_labels(tmp_path: Path) -> None:
    assert codes(tmp_path, "a.md", "Press [tab][tab], see [table][table].\n", {}) == ["U915"]


def test_images_of_asciidoc_are_in_their_directory(tmp_path: Path) -> None:
    text = "= A\n:imagesdir: ../img\n\nimage::mill.png[]\n\nimage::wheel.png[]\n\nlink:mill.png[]\n"
    assert codes(tmp_path, "doc/a.adoc", text, {"img/mill.png": ""}) == ["U912", "U912"]


@pytest.mark.parametrize("text", ["% See [a](nothing.md).\n", 'R""(\n# A\n\n[a](nothing.md)\n)""\n'])
def test_comments_and_strings_of_programs_are_not_checked(tmp_path: Path, text: str) -> None:
    assert codes(tmp_path, "a.md", text, {}) == []


def test_a_generator_may_give_ids_to_the_headings_of_a_page(tmp_path: Path) -> None:
    page = "<h2><code>--mill</code> &amp; stone</h2><h2 id='c'>c</h2>\n"
    files = {"a.html": "---\ntitle: A\n---\n" + page, "b.html": page}
    text = "[a](a.html#mill-stone) [b](a.html#mill) [c](b.html#mill-stone) [d](b.html#c)\n"
    assert codes(tmp_path, "c.md", text, files) == ["U911", "U911"]


def test_directives_of_mkdocs_may_write_anchors(tmp_path: Path) -> None:
    files = {"a.md": "::: mkdocs-click\n    :module: mill.cli\n", "b.md": "::: note\n    Text\n"}
    assert codes(tmp_path, "c.md", "[a](a.md#mill-run) [b](b.md#mill-run)\n", files) == ["U911"]


def test_fonts_of_a_page_are_written_by_a_build(tmp_path: Path) -> None:
    text = "<style>a { src: url(fonts/mill.woff2) } b { background: url(mill.png) }</style>\n"
    assert codes(tmp_path, "a.html", text, {}) == ["U912"]


def test_a_document_that_the_documentation_includes_is_read_there(tmp_path: Path) -> None:
    text = "# A\n\n[a](guide.md) [b][events]\n"
    files = {"docs/guide.md": "", "docs/changelog.md": '--8<-- "CHANGELOG.md"\n'}
    assert codes(tmp_path, "CHANGELOG.md", text, files) == []
    assert codes(tmp_path, "NEWS.md", text, files) == ["U912", "U915"]


@pytest.mark.parametrize("attributes", ["{: .wide}", "{: wide}", "{.wide}", "{-}", "{#stone}"])
def test_an_attribute_list_is_no_part_of_an_anchor(tmp_path: Path, attributes: str) -> None:
    assert codes(tmp_path, "a.md", f"# Mill {attributes}\n\n[a](#mill) [b](#mills)\n", {}) == ["U911"]


def test_directories_of_published_pages_may_exist(tmp_path: Path) -> None:
    text = "<a href='../latest/'>a</a> <a href='more/'>b</a>\n"
    assert codes(tmp_path, "html/1.0/a.html", text, {}) == ["U912"]


def test_credits_of_contributors_have_no_anchors(tmp_path: Path) -> None:
    credit = "<!-- ALL-CONTRIBUTORS-LIST:START -->\n<a href='#infra-jo'>x</a>\n<!-- ALL-CONTRIBUTORS-LIST:END -->"
    text = f"{credit}\n\n[a](#jo)\n"
    assert codes(tmp_path, "README.md", f"# A\n\n{text}", {}) == ["U911"]


@pytest.mark.parametrize(("url", "expected"), [("../how_to/grind.md", []), ("../how_to/bake.md", ["U912"])])
def test_notebooks_are_copied_to_the_documentation(tmp_path: Path, url: str, expected: list[str]) -> None:
    text = f'{{"cells": [{{"cell_type": "markdown", "source": ["# A\\n", "[a]({url})"]}}], "nbformat": 4}}'
    assert codes(tmp_path, "examples/mill.ipynb", text, {"doc/how_to/grind.md": ""}) == expected


def test_a_page_of_a_site_is_no_document_outside_of_it(tmp_path: Path) -> None:
    files = {"mkdocs.yml": "site_name: A\n", "README.md": "# Mill\n", "docs/index.md": "# Mill\n\n## Stones\n"}
    text = "# A\n\n[a](../#stones) [b](../README.md#stones)\n"
    assert codes(tmp_path, "docs/a.md", text, files) == ["U911"]


BOOK = {
    "book/guide.adoc": "= Guide\n\ninclude::{parts}/mill.adoc[]\n\n[#stones]\n== Stones\n",
    "book/images/wheel.png": "",
    "book/plan.pdf": "",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("link:plan.pdf[a]", []),
        ("link:plam.pdf[a]", ["U912"]),
        ("link:#stones[a]", []),
        ("link:#stomes[a]", ["U911"]),
        ("image::wheel.png[a]", []),
        ("image::whell.png[a]", ["U912"]),
    ],
)
def test_an_included_document_refers_from_where_it_is_included(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, "book/parts/mill.adoc", f"== Mill\n\n{text}\n", BOOK) == expected


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ('--8<-- "parts/mill.md"', []),
        ('{% include-markdown "../parts/mill.md" %}', []),
        ("{!parts/mill.md!}", []),
        ("```{include} ../parts/mill.md\n```", []),
        ('--8<-- "parts/other.md"', ["U912"]),
        ("parts/mill.md", ["U912"]),
    ],
)
def test_forms_of_inclusion(tmp_path: Path, directive: str, expected: list[str]) -> None:
    files = {"site/index.md": f"# Site\n\n{directive}\n", "site/map.png": ""}
    assert codes(tmp_path, "parts/mill.md", "# Mill\n\n![a](map.png)\n", files) == expected


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
        ("no.md", {"no.pct.py": ""}, ["warning"]),  # a program may convert it
        ("docs/no", {}, []),
        ("docs/no#b", {"docs/a.md": ""}, []),  # of a published site
        ("no.png", {"img/no.png": ""}, ["warning"]),  # a build may search for images
        ("docs/no.md", {"docs/a.md": "", "hugo.toml": ""}, ["warning"]),
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


@pytest.mark.parametrize(
    ("files", "expected"),
    [({"lib/other.js": ""}, ["U912"]), ({"lib/other.min.js": ""}, []), ({"lib/other.css": ""}, []), ({}, [])],
)
def test_a_build_writes_scripts_into_directories_without_any(
    tmp_path: Path, files: dict[str, str], expected: list[str]
) -> None:
    text = "<script src='lib/no.js'></script><script src='lib/no.min.js'></script>\n"
    assert codes(tmp_path, "a.html", text, files) == expected


def test_a_source_package_of_python_may_lack_files(tmp_path: Path) -> None:
    assert codes(tmp_path, "a.md", "[a](no.md) [b](#c)\n", {"PKG-INFO": "Name: mill\n"}) == ["U911"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("contrib/mill/README.md", []), ("contrib/barn/README.md", ["U912"]), ("src/mill/README.md", ["U912"])],
)
def test_a_directory_with_a_license_in_contrib_is_a_copy(tmp_path: Path, name: str, expected: list[str]) -> None:
    files = {"contrib/mill/LICENSE": "", "contrib/barn/a.c": "", "src/mill/LICENSE.txt": ""}
    assert codes(tmp_path, name, "# Mill\n\n[a](no.md)\n", files) == expected


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("<!-- Generated by javadoc (17) on Mon Jan 01 -->", []),
        ('<meta name="generator" content="rustdoc">', []),
        ("<p>Produced by <a href='https://haddock.example/'>Haddock</a>", []),
        ("<!-- Generated by Hugo -->", ["U911"]),
        ("<p>Write comments for javadoc.</p>", ["U911"]),
    ],
)
def test_pages_that_are_written_from_comments(tmp_path: Path, comment: str, expected: list[str]) -> None:
    assert codes(tmp_path, "a.html", f"{comment}\n<a href='#no'>a</a>\n", {}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See @ref stones.\n\n![a](wheel.png) [b](#Mill_Wheel)", []),
        ("See @ref stones.\n\n![a](whell.png) [b](#mill-wheel)", ["U912", "U911"]),
        ("See stones.\n\n![a](wheel.png) [b](#Mill_Wheel)", ["U912", "U911"]),
    ],
)
def test_doxygen_searches_for_images_and_symbols(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, "docs/a.md", f"# Mill\n\n{text}\n", {"img/wheel.png": ""}) == expected


@pytest.mark.parametrize(("plugin", "expected"), [("mkdocstrings", ["U911"]), ("search", ["U911", "U911"])])
def test_plugins_of_mkdocs_write_objects(tmp_path: Path, plugin: str, expected: list[str]) -> None:
    files = {"mkdocs.yml": f"site_name: mill\nplugins:\n- {plugin}\n"}
    assert codes(tmp_path, "docs/a.md", "# Mill\n\n[a](#mill_wheel) [b](#mill-wheel)\n", files) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{% note %}}\n[a](#no)\n{{% /note %}}", []),
        ("{{< code file=a />}}\n\n[a](#no)\n\n{{< code >}}\nb\n{{< /code >}}", ["U911"]),
        ("{{< todo >}}\n\n[a](#no)\n\n{{< todo >}}\nb\n{{< /todo >}}", ["U911"]),
    ],
)
def test_a_shortcode_that_closes_itself_contains_nothing(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, "content/a.md", f"# Mill\n\n{text}\n", {"hugo.toml": "title = 'mill'\n"}) == expected


@pytest.mark.parametrize(("url", "expected"), [("#stones", []), ("#stones-new", []), ("#stone", ["U911"])])
def test_a_generator_may_drop_elements_of_a_heading(tmp_path: Path, url: str, expected: list[str]) -> None:
    text = f"# Mill\n\n[a]({url})\n\n## Stones <span>new</span>\n"
    assert codes(tmp_path, "a.md", text, {}) == expected


@pytest.mark.parametrize(("name", "expected"), [("src/mill/package.html", []), ("src/mill/a.html", ["U912"])])
def test_javadoc_writes_the_pages_around_a_package_comment(tmp_path: Path, name: str, expected: list[str]) -> None:
    assert codes(tmp_path, name, "<a href='Wheel.html'>Wheel</a>\n", {"src/mill/b.html": ""}) == expected


@pytest.mark.parametrize(("name", "expected"), [("CHANGELOG-2.md", "INFO"), ("a.md", "WARNING")])
def test_labels_in_a_changelog_are_information(tmp_path: Path, name: str, expected: str) -> None:
    found = findings(tmp_path, name, "- bug #1 [Mill][Wheel] Turn\n", {})
    assert [(one.code, one.severity.name) for one in found] == [("U915", expected)]


def test_a_list_of_contributors_is_searched_once() -> None:
    class Text(str):
        searches = 0

        def find(self, *arguments: object) -> int:
            Text.searches += 1
            return super().find(*arguments)  # type: ignore[arg-type]

    list_of_credits = "<!-- ALL-CONTRIBUTORS-LIST:START -->\n[a](b)\n<!-- ALL-CONTRIBUTORS-LIST:END -->\n[c](d)\n"
    segment = Segment(Text(list_of_credits))
    assert [is_credit(segment, list_of_credits.index(one)) for one in ("b)", "d)", "<!")] == [True, False, False]
    assert Text.searches == 2


@pytest.mark.parametrize(("name", "expected"), [("a.html.out", []), ("a.html", ["U911"])])
def test_html_under_another_name_is_not_published(tmp_path: Path, name: str, expected: list[str]) -> None:
    assert codes(tmp_path, name, "<!DOCTYPE html>\n<html><a href='#no'>a</a></html>\n", {}) == expected


@pytest.mark.parametrize(("name", "expected"), [("mkdocs.en.yml", []), ("mkdocs.yml", []), ("mkdocs.txt", ["U915"])])
def test_a_configuration_of_mkdocs_for_one_language(tmp_path: Path, name: str, expected: list[str]) -> None:
    files = {f"docs/{name}": "site_name: mill\ndocs_dir: en\n"}
    assert codes(tmp_path, "docs/en/a.md", "# Mill\n\nSee [the wheel][mill-wheel].\n", files) == expected
