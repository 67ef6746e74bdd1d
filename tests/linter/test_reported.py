"""Test the findings of an occurrence: one per cause, with applicable fixes."""

from pathlib import Path

import pytest

import urlscan
from tests.trees import make_work_tree
from urlscan.core.records import Severity
from urlscan.core.settings import Settings


def codes(text: str, path: str, **settings: object) -> list[str]:
    return [finding.code for finding in urlscan.lint(text, path=path, settings=Settings(**settings))]  # type: ignore[arg-type]


# --- applicability


@pytest.mark.parametrize(
    ("path", "text", "applicability"),
    [
        ("a.md", "[a](http://h.example/a|b)", "safe"),
        ("a.md", "<http://h.example/a|b>", "safe"),
        ("a.html", '<a href="http://h.example/a|b">x</a>', "safe"),
        ("a.rst", "`a <http://h.example/a|b>`_", "safe"),
        ("a.html", '<p>|<a href="http://h.example/a|b">x</a>', "safe"),
        ("a.md", "[ü](http://h.example/ü/a|b)", "safe"),
        ("a.md", "| a |\n|---|\n| [a](http://h.example/a^b) |", "unsafe"),
        ("a.html", '<a {{ class }} href="http://h.example/a|b">x</a>', "unsafe"),
        ("a.md", "{% if x %}[a](http://h.example/a|b){% endif %}", "unsafe"),
        ("a.md", "[a](http://h.example/a|b/%zz)", "unsafe"),
        ("a.md", "See http://h.example/a^b now.", "unsafe"),
        ("a.txt", "See <http://h.example/a|b> now.", "unsafe"),
    ],
)
def test_fix_is_safe_only_in_a_complete_destination(path: str, text: str, applicability: str) -> None:
    finding = urlscan.lint(text, path=path)[0]
    assert finding.code == "U101"
    assert finding.fix is not None
    assert finding.fix.applicability == applicability


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "See `http://jo:s3cr3t-pw@www.mills.zz/` now."),
        ("a.py", 'u = "see http://jo:s3cr3t-pw@www.mills.zz/ now"'),
        ("a.sh", "curl http://jo:s3cr3t-pw@www.mills.zz/"),
        ("a.html", '<a href="http://jo:s3cr3t-pw@www.mills.zz/{{ name }}">x</a>'),
    ],
)
def test_urls_in_code_strings_and_templates_have_no_fix(path: str, text: str) -> None:
    (finding,) = urlscan.lint(text, path=path)
    assert (finding.code, finding.fix) == ("U301", None)


def test_fix_that_would_leave_the_url_invalid_is_not_offered() -> None:
    # The backquote may be markup that was included by mistake, so that only the bar could be escaped.
    (finding,) = urlscan.lint("[a](<http://h.example/a|b/`c>)", path="a.md")
    assert (finding.code, finding.fix) == ("U101", None)


# --- one cause, one finding


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.md", "[a](http://h.example/a|b|c^d)", ["U101"]),
        ("a.md", "[a](http://h.example/%zz/%zy)", ["U201"]),
        ("a.html", '<a href="http://h.example/a b c">a</a>', ["U102"]),
        ("a.md", "[a](http://h.example/a|b/%zz)", ["U101", "U201"]),
        ("a.md", "[a](http://h.example/a|b) [a](http://h.example/a|b)", ["U101", "U101"]),
    ],
)
def test_one_cause_has_one_finding(path: str, text: str, found: list[str]) -> None:
    assert codes(text, path) == found


def test_url_that_is_repeated_often_is_one_finding() -> None:
    findings = urlscan.lint("[a](http://h.example/%zz)\n" * 11 + "[a](http://h.example/%zy)", path="a.md")
    assert [finding.severity.label for finding in findings] == ["error", *["info"] * 10, "error"]
    assert findings[0].message.endswith(" (and in 10 more places)")


def test_url_that_is_repeated_is_reported_at_each_place() -> None:
    findings = urlscan.lint("[a](http://h.example/%zz)\n" * 10, path="a.md")
    assert {finding.severity.label for finding in findings} == {"error"}


@pytest.mark.parametrize(
    ("code", "url"), [("U201", "http://h.example/%zz"), ("U301", "ftp://jo:s3cret@ftp.dominion.org")]
)
def test_configured_severities_and_secrets_are_kept_at_each_place(code: str, url: str) -> None:
    settings = urlscan.Settings(severity=(("U201", "warning"),))
    findings = urlscan.lint(f"[a]({url})\n" * 11, path="a.md", settings=settings)
    assert [finding.severity.label for finding in findings if finding.code == code] == ["warning"] * 11


def test_data_urls_of_style_sheets_are_not_judged() -> None:
    assert codes("a { background: url(\"data:image/svg+xml,<svg width='1' />\") }", "a.css") == []


def test_merged_finding_has_all_edits() -> None:
    (finding,) = urlscan.lint("[a](http://h.example/a|b^c)", path="a.md")
    assert finding.fix is not None
    assert [edit.text for edit in finding.fix.edits] == ["%7C", "%5E"]


def test_data_url_has_at_most_one_info() -> None:
    text = '<img src="data:image/svg+xml,<svg width=1 height=2>|^</svg>">'
    found = urlscan.lint(text, path="a.html")
    assert len(found) <= 1
    assert all(finding.severity is Severity.INFO for finding in found)


# --- contexts


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.md", "[a](http://h.example:99999/)", ["U403"]),
        ("a.txt", "See http://h.example:99999/ now.", ["U403"]),
        ("a.py", "# see http://h.example:99999/\n", ["U403"]),
        ("a.py", 'u = "http://h.example:99999/"\n', ["U403"]),
        ("a.py", 'u = "see http://h.example:99999/ now"\n', []),
        ("a.md", "`http://h.example:99999/`", []),
        ("a.sh", "curl http://h.example:99999/\n", []),
    ],
)
def test_rules_about_addresses_report_complete_urls_only(path: str, text: str, found: list[str]) -> None:
    assert codes(text, path) == found


@pytest.mark.parametrize("path", ["a.md", "a.py", "a.sh", "a.txt", "a.json"])
def test_secrets_are_reported_in_every_context(path: str) -> None:
    for text in ("see `http://jo:s3cr3t-pw@www.mills.zz/`", "    http://jo:s3cr3t-pw@www.mills.zz/ |"):
        assert "U301" in codes(text, path)


def test_only_secrets_are_reported_in_regular_expressions() -> None:
    assert codes('re.compile("http://jo:s3cr3t-pw@www.mills.zz/[0-9]+/.*")', "a.py") == ["U301"]
    assert codes('re.compile("http://www.mills.zz:99999/[0-9]+/.*")', "a.py") == []


# --- fragments and anchors of a page


def test_fragment_without_an_anchor_is_reported() -> None:
    (finding,) = urlscan.lint('<a href="#old mill">x</a><p id="oldmill">', path="a.html")
    assert finding.code == "U102"
    assert finding.message.startswith('no anchor on this page is named "old mill"')


@pytest.mark.parametrize("anchor", ['<p id="old mill">', "<a name='old mill'>", '<p class="a" ID = "old mill">'])
def test_fragment_with_an_anchor_is_not_reported(anchor: str) -> None:
    assert urlscan.lint(f'<a href="#old mill">x</a>{anchor}', path="a.html") == []


def test_fragment_without_an_anchor_has_no_fix():
    """Escaping the space would not repair the link."""
    (finding,) = urlscan.lint('<a href="#mode 6">x</a>\n', path="a.html")
    assert "no anchor on this page" in finding.message
    assert finding.fix is None


# --- what a program has written

_LINK = '<a href="http://h.zz/a|b">a</a>'


def _severity_in_repository(root: Path, name: str, text: str) -> str:
    make_work_tree(root, {name: text})
    (finding,) = urlscan.lint(text, path=str(root / name))
    assert (finding.fix is None) == (finding.severity == Severity.INFO)
    return finding.severity.label


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", f'<head><meta name="generator" content="Asciidoctor 2.0"></head>{_LINK}'),
        ("a.html", f"<head><META content='DocBook XSL' name=generator></head>{_LINK}"),
        ("a.html", f"<html><!-- Generated by javadoc (17) on Mon --><head></head>{_LINK}"),
        ("a.html", f"---\n### DO NOT EDIT! Generated by script/update\n---\n{_LINK}"),
        ("a.md", f"{_LINK}\n<p><em> Generated with <code>docs</code> </em></p>"),
    ],
)
def test_finding_in_a_generated_document_of_a_repository_is_information(tmp_path: Path, name: str, text: str) -> None:
    assert _severity_in_repository(tmp_path, name, text) == "info"


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="generator" content="Microsoft FrontPage 4.0">',
        '<meta name="generator" content="Hugo {{ hugo.Version }}">',
        '<meta name="author" content="generator">',
        "<p>Pages are generated by a program.</p>",
    ],
)
def test_finding_in_a_document_that_people_edit_keeps_its_severity(tmp_path: Path, head: str) -> None:
    assert _severity_in_repository(tmp_path, "a.html", f"<head>{head}</head>{_LINK}") == "error"


def test_finding_in_a_generated_document_outside_of_a_repository_keeps_its_severity(tmp_path: Path) -> None:
    text = f"<html><!-- Generated by javadoc (17) on Mon --><head></head>{_LINK}"
    (finding,) = urlscan.lint(text, path=str(tmp_path / "a.html"))
    assert finding.severity.label == "error"


def test_secret_in_a_generated_document_keeps_its_severity(tmp_path: Path) -> None:
    text = '<meta name="generator" content="X 1"><a href="ftp://jo:k7Qm2Zt9Lk@ftp.dominion.org/">a</a>'
    assert _severity_in_repository(tmp_path, "a.html", text) == "error"
