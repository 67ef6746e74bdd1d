"""Compare CHANGELOG.md, ARCHITECTURE.md and SECURITY.md with the code."""

import re
from pathlib import Path
from typing import get_args

import pytest

import urlscan
from urlscan.core import choices, records, settings
from urlscan.finder import anchors, bare, delimiters, fast_path, line_prefixes, rejoin
from urlscan.formats import FORMATS

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")),
    ROOT / "corpus" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def section(title: str) -> str:
    """Return the text of a section of ARCHITECTURE.md or docs/internals.md."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("ARCHITECTURE.md", "docs/internals.md"))
    _, found, rest = text.partition(f"\n## {title}\n")
    assert found, title
    return rest.partition("\n## ")[0]


def words(text: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", text))


def test_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, remark = re.findall(r"^## (\S+) \((.*)\)$", text, re.MULTILINE)[0]
    assert version == urlscan.__version__
    assert re.fullmatch(r"(?:unreleased, )?\d{4}-\d\d-\d\d", remark)
    entry = text.partition(f"\n## {version} ")[2].partition("\n## ")[0]
    assert "\n- " in entry


def test_changelog_of_the_first_version_lists_formats_and_profiles() -> None:
    first = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## 0.2.0 ")[2]
    if urlscan.__version__ != "0.2.0":
        return  # released, so the entry is history
    assert set(FORMATS) <= words(first)
    assert set(settings.PROFILES) <= words(first)


def test_glossary_lists_the_values_of_the_records() -> None:
    defined = words(section("Glossary"))
    assert set(settings.PROFILES) <= defined
    styles = {word for word in defined if word in get_args(choices.Style)}
    assert styles == set(get_args(choices.Style))
    assert records.Break.__doc__ is not None
    assert records.Alternative.__doc__ is not None
    for kind in "page-break comment-leader quote-mark soft-break newline blank".split():
        assert kind in defined
        assert kind in records.Break.__doc__
    for why in "hyphen-dropped hyphen-kept blank-escaped unjoined joined shorter longer".split():
        assert why in defined
        assert why in records.Alternative.__doc__


def test_bounds_match_the_code() -> None:
    assert bare.FIRST_LOOK == 2 * 1024
    text = " ".join(section("Hostile input").split())
    for bound in (
        f"at most {anchors.LONGEST // 1024} Ki characters",
        f"in the first {bare.FIRST_LOOK // 1024} Ki characters",
        f"at most {rejoin._MOST_BREAKS} breaks",
        f"at most {rejoin._MOST_LINES} lines",
        f"{delimiters._WINDOW} characters for an opener",
        f"{line_prefixes._LINE} for the start of the line",
        f"{anchors._LONGEST} for a scheme",
    ):
        assert bound in text
    assert f"from {fast_path.LEAD} characters before the colon" in " ".join(section("How a URL is found").split())
    assert len(anchors.COLON_SCHEMES) == 17
    assert "one of seventeen names" in " ".join(section("How a URL is found").split())


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_named_in_documents_exist(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for name in words(text):
        if re.fullmatch(r"(?:urlscan|tests|corpus|benchmarks|tools)/[\w./]+", name):
            assert (ROOT / name).exists(), name


def test_names_used_in_architecture_exist() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "urlscan").rglob("*.py"))
    for title in ("How a URL is found", "How to add ..."):
        for name in words(section(title)):
            if re.fullmatch(r"[A-Z_]{4,}|[a-z]+\([a-z, ]*\)", name):
                assert name.partition("(")[0] in code, name


def test_security_promises_name_existing_tests() -> None:
    rows = re.findall(
        r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE
    )
    assert [int(number) for number, *_ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= 10
    for number, _, tests, result in rows:
        files = re.findall(r"tests/[\w/]+\.py", tests)
        assert files, number
        missing = [name for name in files if not (ROOT / name).is_file()]
        assert result == "pending" or not missing, missing


def test_security_offers_no_mail_address() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    assert "private vulnerability reporting" in " ".join(text.split())
    assert not re.search(r"[\w.]+@[\w.]+", text)
