"""Estimates after an edit: equal to the check of the whole document, or none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.config import Configuration
from urlscan.core.records import Finding
from urlscan.server.analysis import MOST_FINDINGS, Analysis, Checker
from urlscan.server.changes import change_between, edits_between
from urlscan.server.text import Text
from urlscan.server.window import estimate

PARAGRAPH = "Words and [links](http://h.example/ok), again and again, in lines that are long enough.\n\n"
TEXT = (
    "# Title\n\n[a](http://h.example/a|b)\n\n"
    + PARAGRAPH * 100
    + "Here [x](http://h.example/x|y).\n\n"
    + PARAGRAPH * 100
    + "[z](http://h.example/z|z)\n"
)
FENCED = "```\n" + "See [a](http://h.example/a|b).\n\n" * 400 + "```\n"


def checker(path: Path = Path("/a.md")) -> Checker:
    return Checker(str(path), "markdown", Configuration(isolated=True), None)


def keys(findings: tuple[Finding, ...]) -> list[tuple[object, ...]]:
    return [(one.code, one.start, one.end, one.message, one.fix) for one in findings]


def estimated(old: str, new: str) -> tuple[Analysis | None, Analysis]:
    """Return the estimate for an edit, and the check of the whole document."""
    return estimate(checker().check(old), new, checker()), checker().check(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Here [x](http://h.example/x|y).", "Here [x](http://h.example/xy)."),
        ("Here [x]", "There, after <http://h.example/%zz>, [x]"),
        ("Here [x](http://h.example/x|y).", ""),
        ("Here", "Here\n\n[new](http://h.example/n|n)\n\nand"),
        ("# Title", "# Title [t](http://h.example/t|t)"),
    ],
)
def test_an_estimate_equals_the_check_of_the_whole_document(old: str, new: str) -> None:
    found, exact = estimated(TEXT, TEXT.replace(old, new, 1))
    assert found is not None
    assert keys(found.findings) == keys(exact.findings)
    assert found.text == exact.text


def test_there_is_no_estimate_where_the_text_above_matters() -> None:
    middle = len(FENCED) // 2
    found, exact = estimated(FENCED, FENCED[:middle] + "x" + FENCED[middle:])
    assert (found, exact.findings) == (None, ())


def test_there_is_no_estimate_for_a_large_edit() -> None:
    assert estimated(TEXT, TEXT + "[q](http://h.example/q|q)\n\n" * 2000)[0] is None


def test_urls_before_the_edit_and_those_with_findings_are_known() -> None:
    found, exact = estimated(TEXT, TEXT.replace("Here", "Where", 1))
    assert found is not None
    assert set(found.urls) <= set(exact.urls)
    last = exact.findings[-1]
    assert found.url_at(last.start, last.end) == exact.url_at(last.start, last.end)


@given(st.text("ab\n", max_size=12), st.text("ab\n", max_size=12))
def test_changes_turn_one_text_into_another(old: str, new: str) -> None:
    change = change_between(old, new)
    if change is None:
        assert old == new
    else:
        assert old[: change.start] + new[change.start : change.new_end] + old[change.old_end :] == new
    done = old
    for start, end, text in reversed(list(edits_between(old, new))):
        done = done[:start] + text + done[end:]
    assert done == new


def test_only_the_first_findings_of_a_document_are_shown() -> None:
    text = "[a](http://h.example/a|b)\n\n" * (MOST_FINDINGS + 7)
    pytest.importorskip("lsprotocol")
    from urlscan.server.diagnostics import diagnostics_of

    found = checker().check(text)
    assert (len(found.findings), found.left_out) == (MOST_FINDINGS, 7)
    shown = diagnostics_of(found, Text(text), "file:///a.md")
    assert len(shown) == MOST_FINDINGS + 1
    assert shown[-1].message == "7 more findings after this one; `urlscan check` shows them"
