"""Test the cases of corpus/ through the public functions; corpus/README.md describes the keys."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.batches import each
from tests.trees import make_work_tree
from urlscan.api.texts import lint, scan, scan_document
from urlscan.core import faults
from urlscan.core.document import Document
from urlscan.core.records import Occurrence
from urlscan.core.settings import Settings
from urlscan.documents.identify import identify
from urlscan.finder import FindOptions
from urlscan.pipeline import check, fix, read
from urlscan.pipeline.targets import Targets
from urlscan.targets import anchor_excuses
from urlscan.targets.anchors import reader_of
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import PRESETS

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
SCORE = CORPUS / "score.py"


def _load_score() -> Any:
    spec = importlib.util.spec_from_file_location("corpus_score", SCORE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


score = _load_score()
FIND_CASES = [(path, case) for path in score.files(("find", "rejoin", "documents")) for case in score.load(path)]
SCHEMELESS = [(path, case) for path in score.files(("schemeless",)) for case in score.load(path)]
DEFANGED = [(path, case) for path in score.files(("defanged",)) for case in score.load(path)]
FIX_CASES = [(path, case) for path in score.files(("fixes",)) for case in score.load(path)]
RULE_CASES = [(path, case) for path in score.files(("rules",)) for case in score.load(path)]
ANCHOR_CASES = [(path, case) for path in score.files(("anchors",)) for case in score.load(path)]
TARGET_CASES = [(path, case) for path in score.files(("targets",)) for case in score.load(path)]
TARGET_RULES = {path.stem.upper() for path, _ in TARGET_CASES}
RULES = {path.stem.upper() for path, _ in RULE_CASES}

REQUIRED = {"id", "text", "section", "why"}
OPTIONAL = {"urls", "style", "breaks", "joined", "template", "alternatives", "path", "guess"}
REQUIRED_OF_RULES = {"id", "text", "findings", "why"}
OPTIONAL_OF_RULES = {"profile", "extend", "path"}
REQUIRED_OF_TARGETS = {"id", "text", "path", "findings", "why"}
OPTIONAL_OF_TARGETS = {"files", "extend", "excuse"}
OPTIONAL_OF_FIXES = {"fixed", "unsafe", "path", "profile", "extend"}


def _parameters(pairs: list[tuple[Path, dict[str, Any]]]) -> list[Any]:
    return [pytest.param(case, id=f"{path.parent.name}/{path.stem}: {case['id']}") for path, case in pairs]


# --- the corpus itself


def test_corpus_is_not_empty() -> None:
    assert len(FIND_CASES) >= 600
    assert len(SCHEMELESS) >= 20
    assert len(DEFANGED) >= 120
    assert len(RULE_CASES) >= 350
    assert len(FIX_CASES) >= 45


def test_ids_are_unique() -> None:
    ids = Counter(case["id"] for path in score.files() for case in score.load(path))
    assert [ident for ident, number in ids.items() if number > 1] == []


def test_texts_are_unique() -> None:
    for folder in ("find", "rejoin"):
        texts = Counter(score.unmarked(case["text"]).text for path, case in FIND_CASES if path.parent.name == folder)
        assert [text for text, number in texts.items() if number > 1] == []


@each(FIND_CASES + SCHEMELESS + DEFANGED)
def test_find_cases_have_known_keys(case: dict[str, Any]) -> None:
    assert REQUIRED <= case.keys() <= REQUIRED | OPTIONAL
    number = len(score.unmarked(case["text"]).spans)
    assert all(len(case[key]) == number for key in (OPTIONAL - {"path", "guess"}) & case.keys())
    assert all(case[key] for key in ("id", "section", "why"))


def test_only_document_cases_have_a_path() -> None:
    for path, case in FIND_CASES:
        assert ("path" in case) == (path.parent.name == "documents"), case["id"]


def _kind(case: dict[str, Any], text: str) -> str:
    return identify(case["path"], text) if "path" in case else "plain"


@each(RULE_CASES)
def test_rule_cases_have_known_keys(case: dict[str, Any]) -> None:
    assert REQUIRED_OF_RULES <= case.keys() <= REQUIRED_OF_RULES | OPTIONAL_OF_RULES
    assert all(
        {"code", "text"} <= finding.keys() <= {"code", "text", "nth", "severity"} for finding in case["findings"]
    )
    assert case["id"]
    assert case["why"]


def test_cases_without_urls_have_files_of_their_own() -> None:
    for path in score.files(("find",)):
        empty = [case["id"] for case in score.load(path) if score.OPEN not in case["text"]]
        all_empty = path.name in ("look-alikes.toml", "prose.toml")
        assert len(empty) == (len(score.load(path)) if all_empty else 0), path.name


def test_at_least_half_of_the_rule_cases_have_no_findings() -> None:
    without_findings = sum(not case["findings"] for _, case in RULE_CASES)
    assert without_findings * 2 >= len(RULE_CASES)


def test_readme_counts_are_current() -> None:
    readme = (CORPUS / "README.md").read_text(encoding="utf-8")
    assert readme.endswith("\n\n" + score.counts()), "run python -m tests.pages"


# --- anchors/


@each(ANCHOR_CASES)
def test_documents_have_the_expected_anchors(case: dict[str, Any]) -> None:
    assert case.keys() == {"id", "path", "text", "anchors", "section", "why"}
    for generator, expected in case["anchors"].items():
        collector = Collector(() if generator == "any" else (PRESETS[generator],), is_auto=False)
        reader_of(identify(case["path"], case["text"]))(case["text"], collector)
        assert list(collector.anchors().lines) == expected, f"{generator}: {case['why']}"


# --- find/ and rejoin/


@each(FIND_CASES)
def test_scan_finds_the_expected_urls(case: dict[str, Any]) -> None:
    text, spans = score.unmarked(case["text"])
    found = list(scan_document(text, _kind(case, text), FindOptions()))
    places = [(o.url, text[o.start : o.end], o.start) for o in found]
    urls = score.expected(case)
    assert places == [(url, text[s:e], s) for url, (s, e) in zip(urls, spans, strict=True)], case["why"]
    assert [_kinds(o) for o in found] == case.get("breaks", [[] for _ in found])
    if "style" in case:
        assert [o.style for o in found] == case["style"]
    if "joined" in case:
        assert [o.joined for o in found] == case["joined"]
    if "template" in case:
        assert [o.template for o in found] == case["template"]
    if "alternatives" in case:
        assert [[a.url for a in o.alternatives] for o in found] == case["alternatives"]


@each(FIND_CASES)
def test_rejoin_guess_finds_the_expected_urls(case: dict[str, Any]) -> None:
    text, _ = score.unmarked(case["text"])
    found = list(scan_document(text, _kind(case, text), FindOptions(rejoin="guess")))
    assert [o.url for o in found] == case.get("guess", score.expected(case)), case["why"]
    assert any(o.joined == "guess" for o in found) == (case.get("guess", score.expected(case)) != score.expected(case))


@each(SCHEMELESS)
def test_schemeless_urls_are_found(case: dict[str, Any]) -> None:
    text, spans = score.unmarked(case["text"])
    found = list(scan(text, schemeless=True, emails=True))
    assert [(o.start, o.end) for o in found] == list(spans), case["why"]
    assert all(bool(o.assumed) == (not o.scheme) for o in found)


@each(DEFANGED)
def test_defanged_urls_are_found(case: dict[str, Any]) -> None:
    text, spans = score.unmarked(case["text"])
    found = list(scan_document(text, _kind(case, text), FindOptions(defanged=True)))
    assert [o.url for o in found] == score.expected(case), case["why"]
    assert [(o.start, o.end) for o in found] == list(spans)
    if "style" in case:
        assert [o.style for o in found] == case["style"]


def _kinds(occurrence: Occurrence) -> list[str]:
    return [break_.kind for break_ in occurrence.breaks]


@each([pair for pair in FIND_CASES if "path" not in pair[1]])
def test_rejoin_never_joins_nothing(case: dict[str, Any]) -> None:
    text, _ = score.unmarked(case["text"])
    for occurrence in scan(text, rejoin="never"):
        assert (occurrence.breaks, occurrence.joined) == ((), "none")
        assert text[occurrence.start : occurrence.end] == occurrence.raw == occurrence.url


# TOML cannot contain surrogates, and a program may treat a file that contains NUL as binary.
@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://h.example/a\x00b", "http://h.example/a"),
        ("http://h.example/a\ud800b", "http://h.example/a"),
        ("\udfffhttp://h.example/a", "http://h.example/a"),
        # A byte that is not UTF-8, as decoded by `surrogateescape`: Windows-1252 inside delimiters, the end of a bare
        # URL.
        ("http://h.example/a\udc80", "http://h.example/a"),
        ("<http://h.example/a\udc80>", "http://h.example/a\u20ac"),
    ],
    ids=[
        "NUL ends a URL",
        "a surrogate ends a URL",
        "a surrogate precedes a scheme",
        "an undecodable byte ends a bare URL",
        "an undecodable byte in angle brackets is Windows-1252",
    ],
)
def test_characters_that_no_corpus_file_can_contain(text: str, url: str) -> None:
    assert [o.url for o in scan(text)] == [url]


# --- rules/


@each(RULE_CASES)
def test_lint_reports_the_expected_findings(case: dict[str, Any]) -> None:
    text = case["text"]
    settings = Settings(profile=case.get("profile", "rfc3986"), extend_select=tuple(case.get("extend", ())))
    findings = [finding for finding in lint(text, path=case.get("path"), settings=settings) if finding.code in RULES]
    reported = {(finding.code, finding.start, finding.end): finding.severity.label for finding in findings}
    expected = {_place(text, finding): finding.get("severity") for finding in case["findings"]}
    assert len(reported) == len(findings)
    assert reported.keys() == expected.keys(), case["why"]
    assert all(severity in (None, reported[place]) for place, severity in expected.items()), case["why"]


def _place(text: str, finding: dict[str, Any]) -> tuple[str, int, int]:
    piece = finding["text"]
    assert "nth" in finding or text.count(piece) == 1, "the text occurs several times: add nth"
    at = -1
    for _ in range(finding.get("nth", 1)):
        at = text.index(piece, at + 1)
    return finding["code"], at, at + len(piece)


def _make_tree(root: Path, case: dict[str, Any]) -> None:
    make_work_tree(root, {**case.get("files", {}), case["path"]: case["text"]})


@pytest.mark.parametrize("case", _parameters(TARGET_CASES))
def test_targets_have_the_expected_findings(case: dict[str, Any], tmp_path: Path) -> None:
    assert REQUIRED_OF_TARGETS <= case.keys() <= REQUIRED_OF_TARGETS | OPTIONAL_OF_TARGETS
    text = case["text"]
    _make_tree(tmp_path, case)
    settings = Settings(extend_select=tuple(case.get("extend", ())))
    checked = check.check([str(tmp_path / case["path"])], settings, read.ReadOptions(targets=Targets()))
    findings = [one for result in checked if isinstance(result, Document) for one in result.findings]
    reported = [(one.code, one.start, one.end) for one in findings if one.code in TARGET_RULES]
    expected = [_place(text, finding) for finding in case["findings"]]
    in_bytes = [(code, len(text[:start].encode()), len(text[:end].encode())) for code, start, end in expected]
    assert sorted(reported) == sorted(in_bytes), case["why"]
    reported_at = {(finding.code, finding.start): finding for finding in findings}
    for (code, start, _), entry in zip(in_bytes, case["findings"], strict=True):
        finding = reported_at[code, start]
        assert finding.suggestion == entry.get("suggestion", finding.suggestion), case["why"]
        assert finding.severity.label == entry.get("severity", finding.severity.label), case["why"]


EXCUSED = [(path, case) for path, case in TARGET_CASES if "excuse" in case]


@pytest.mark.parametrize("case", _parameters(EXCUSED))
def test_without_its_excuse_a_reference_is_reported(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make_tree(tmp_path, case)

    def severities() -> list[int]:
        checked = check.check([str(tmp_path / case["path"])], Settings(), read.ReadOptions(targets=Targets()))
        findings = [one for result in checked if isinstance(result, Document) for one in result.findings]
        return [one.severity for one in findings if one.code in TARGET_RULES]

    usual = severities()
    monkeypatch.setattr(faults, "disabled", {case["excuse"]})
    assert sum(severities()) > sum(usual), case["why"]


def test_every_excuse_has_a_case() -> None:
    # A package, and the options `generated` and `redirects`, are no trees of a case; a missing directory is a doubt.
    others = {"package", "generated", "redirect", "no-directory"}
    assert {one.name for one in anchor_excuses.ALL} == {case["excuse"] for _, case in EXCUSED} | others


def test_at_least_a_third_of_the_cases_about_targets_have_no_findings() -> None:
    assert sum(not case["findings"] for _, case in TARGET_CASES) * 3 >= len(TARGET_CASES)


# --- score.py


def _score(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, str(SCORE), *arguments], capture_output=True, text=True, check=False)


def test_score_counts_empty_cases_as_right_for_a_program_that_finds_nothing() -> None:
    done = _score("--only", "find/prose.toml", "--", sys.executable, "-c", "")
    assert done.returncode == 0
    number = len(score.load(CORPUS / "find" / "prose.toml"))
    assert done.stdout.splitlines()[-1].split() == ["together", str(number), "of", str(number)]


def test_score_shows_the_output_of_wrong_cases() -> None:
    done = _score("-v", "--only", "find/prose.toml", "--", sys.executable, "-c", "print('http://h.example/')")
    assert done.returncode == 1
    assert "got      ['http://h.example/']" in done.stdout


def test_score_of_a_missing_program_is_an_error() -> None:
    done = _score("--only", "prose", "--", str(CORPUS / "no-such-program"))
    assert done.returncode == 2
    assert "cannot run" in done.stderr


def test_score_requires_a_command_and_cases() -> None:
    assert _score().returncode == 2
    assert _score("--only", "nothing", "--", "x").returncode == 2


# --- fixes


@each(FIX_CASES)
def test_fix_cases_have_known_keys(case: dict[str, Any]) -> None:
    assert REQUIRED <= case.keys() <= REQUIRED | OPTIONAL_OF_FIXES
    assert case["text"] != case.get("fixed") != case.get("unsafe", "")
    assert all(case[key] for key in ("id", "section", "why"))


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "all"])
@each(FIX_CASES)
def test_fixing_gives_the_expected_text(case: dict[str, Any], unsafe: bool) -> None:
    settings = Settings(profile=case.get("profile", "rfc3986"), extend_select=tuple(case.get("extend", ())))
    wanted = score.fixed_text(case, unsafe=unsafe)
    assert _fix(case["text"], case, settings, unsafe) == wanted
    assert _fix(wanted, case, settings, unsafe) == wanted, "a second run changes nothing"


def _fix(text: str, case: dict[str, Any], settings: Settings, unsafe: bool) -> str:
    out: list[bytes] = []
    source = read.Source(case.get("path", "a.txt"), text.encode(), is_stdin=True)
    for _ in fix._fixed(source, settings, read.ReadOptions(), fix.FixOptions(unsafe, out.append)):
        pass
    return b"".join(out).decode()


def test_score_runs_a_program_that_fixes() -> None:
    """A program that changes nothing is right exactly in the cases without fixes."""
    unchanged = sum(score.fixed_text(case) == case["text"] for _, case in FIX_CASES)
    command = [sys.executable, str(SCORE), "--only", "fixes", "--", sys.executable, "-c", "pass"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].split() == ["together", str(unchanged), "of", str(len(FIX_CASES))]
    assert 0 < unchanged < len(FIX_CASES)
