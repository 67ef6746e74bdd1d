"""The cases of corpus/ through the public functions; what each key means stands in corpus/README.md."""

import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from urlscan.api.texts import lint, scan
from urlscan.core.records import Occurrence
from urlscan.core.settings import Settings
from urlscan.files.identify import identify
from urlscan.pipeline import fix, read, results

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
FOUND = [(path, case) for path in score.files(("find", "rejoin", "documents")) for case in score.load(path)]
SCHEMELESS = [(path, case) for path in score.files(("schemeless",)) for case in score.load(path)]
MENDED = [(path, case) for path in score.files(("fixes",)) for case in score.load(path)]
RULED = [(path, case) for path in score.files(("rules",)) for case in score.load(path)]
RULES = {path.stem.upper() for path, _ in RULED}

REQUIRED = {"id", "text", "section", "why"}
OPTIONAL = {"urls", "style", "breaks", "joined", "template", "alternatives", "path", "guess"}
REQUIRED_OF_RULES = {"id", "text", "findings", "why"}
OPTIONAL_OF_RULES = {"profile", "extend", "path"}
OPTIONAL_OF_FIXES = {"fixed", "unsafe", "path", "profile", "extend"}


def _parameters(pairs: list[tuple[Path, dict[str, Any]]]) -> list[Any]:
    return [pytest.param(case, id=f"{path.parent.name}/{path.stem}: {case['id']}") for path, case in pairs]


# --- the corpus itself


def test_there_are_cases() -> None:
    assert len(FOUND) >= 600
    assert len(SCHEMELESS) >= 20
    assert len(RULED) >= 350
    assert len(MENDED) >= 45


def test_ids_are_unique() -> None:
    ids = Counter(case["id"] for path in score.files() for case in score.load(path))
    assert [ident for ident, number in ids.items() if number > 1] == []


def test_texts_are_unique() -> None:
    for folder in ("find", "rejoin"):
        texts = Counter(score.unmarked(case["text"]).text for path, case in FOUND if path.parent.name == folder)
        assert [text for text, number in texts.items() if number > 1] == []


@pytest.mark.parametrize("case", _parameters(FOUND + SCHEMELESS))
def test_keys(case: dict[str, Any]) -> None:
    assert REQUIRED <= case.keys() <= REQUIRED | OPTIONAL
    number = len(score.unmarked(case["text"]).spans)
    assert all(len(case[key]) == number for key in (OPTIONAL - {"path", "guess"}) & case.keys())
    assert all(case[key] for key in ("id", "section", "why"))


def test_documents_have_names_and_the_others_are_plain() -> None:
    for path, case in FOUND:
        assert ("path" in case) == (path.parent.name == "documents"), case["id"]


def _kind(case: dict[str, Any], text: str) -> str:
    return identify(case["path"], text) if "path" in case else "plain"


@pytest.mark.parametrize("case", _parameters(RULED))
def test_keys_of_rules(case: dict[str, Any]) -> None:
    assert REQUIRED_OF_RULES <= case.keys() <= REQUIRED_OF_RULES | OPTIONAL_OF_RULES
    assert all({"code", "text"} <= finding.keys() <= {"code", "text", "nth"} for finding in case["findings"])
    assert case["id"]
    assert case["why"]


def test_cases_without_urls_stand_apart() -> None:
    for path in score.files(("find",)):
        empty = [case["id"] for case in score.load(path) if score.OPEN not in case["text"]]
        all_empty = path.name in ("look-alikes.toml", "prose.toml")
        assert len(empty) == (len(score.load(path)) if all_empty else 0), path.name


def test_the_silent_cases_of_rules_are_as_many_as_the_others() -> None:
    silent = sum(not case["findings"] for _, case in RULED)
    assert silent * 2 >= len(RULED)


def test_the_readme_counts() -> None:
    readme = (CORPUS / "README.md").read_text(encoding="utf-8")
    assert readme.endswith("\n\n" + score.counts()), "run: python corpus/score.py --counts"


# --- find/ and rejoin/


@pytest.mark.parametrize("case", _parameters(FOUND))
def test_found(case: dict[str, Any]) -> None:
    text, spans = score.unmarked(case["text"])
    found = list(scan(text, kind=_kind(case, text)))
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


@pytest.mark.parametrize("case", _parameters(FOUND))
def test_what_a_guess_adds(case: dict[str, Any]) -> None:
    text, _ = score.unmarked(case["text"])
    found = list(scan(text, kind=_kind(case, text), rejoin="guess"))
    assert [o.url for o in found] == case.get("guess", score.expected(case)), case["why"]
    assert any(o.joined == "guess" for o in found) == (case.get("guess", score.expected(case)) != score.expected(case))


@pytest.mark.parametrize("case", _parameters(SCHEMELESS))
def test_found_without_a_scheme(case: dict[str, Any]) -> None:
    text, spans = score.unmarked(case["text"])
    found = list(scan(text, schemeless=True, emails=True))
    assert [(o.start, o.end) for o in found] == list(spans), case["why"]
    assert all(bool(o.assumed) == (not o.scheme) for o in found)


def _kinds(occurrence: Occurrence) -> list[str]:
    return [gap.kind for gap in occurrence.breaks]


@pytest.mark.parametrize("case", _parameters([pair for pair in FOUND if "path" not in pair[1]]))
def test_nothing_is_joined_when_that_is_not_wanted(case: dict[str, Any]) -> None:
    text, _ = score.unmarked(case["text"])
    for occurrence in scan(text, rejoin="never"):
        assert (occurrence.breaks, occurrence.joined) == ((), "none")
        assert text[occurrence.start : occurrence.end] == occurrence.raw == occurrence.url


# TOML cannot say surrogates, and a program that is given a file may take one with NUL for binary.
@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://h.example/a\x00b", "http://h.example/a"),
        ("http://h.example/a\ud800b", "http://h.example/a"),
        ("\udfffhttp://h.example/a", "http://h.example/a"),
        # A byte that is not UTF-8, as `surrogateescape` decodes it: Windows-1252 inside delimiters, an end outside.
        ("http://h.example/a\udc80", "http://h.example/a"),
        ("<http://h.example/a\udc80>", "http://h.example/a\u20ac"),
    ],
    ids=[
        "a null ends a url",
        "a surrogate ends a url",
        "a surrogate before a scheme",
        "a byte ends a bare url",
        "a byte in brackets",
    ],
)
def test_what_no_file_can_hold(text: str, url: str) -> None:
    assert [o.url for o in scan(text)] == [url]


# --- rules/


@pytest.mark.parametrize("case", _parameters(RULED))
def test_ruled(case: dict[str, Any]) -> None:
    text = case["text"]
    settings = Settings(profile=case.get("profile", "rfc3986"), extend_select=tuple(case.get("extend", ())))
    said = [(f.code, f.start, f.end) for f in lint(text, path=case.get("path"), settings=settings) if f.code in RULES]
    assert sorted(said) == sorted(_place(text, finding) for finding in case["findings"]), case["why"]


def _place(text: str, finding: dict[str, Any]) -> tuple[str, int, int]:
    piece = finding["text"]
    assert "nth" in finding or text.count(piece) == 1, "say which: nth"
    at = -1
    for _ in range(finding.get("nth", 1)):
        at = text.index(piece, at + 1)
    return finding["code"], at, at + len(piece)


# --- score.py


def _score(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, str(SCORE), *arguments], capture_output=True, text=True, check=False)


def test_score_of_a_program_that_finds_nothing() -> None:
    done = _score("--only", "find/prose.toml", "--", sys.executable, "-c", "")
    assert done.returncode == 0
    number = len(score.load(CORPUS / "find" / "prose.toml"))
    assert done.stdout.splitlines()[-1].split() == ["together", str(number), "of", str(number)]


def test_score_of_a_program_that_finds_too_much() -> None:
    done = _score("-v", "--only", "find/prose.toml", "--", sys.executable, "-c", "print('http://h.example/')")
    assert done.returncode == 1
    assert "got      ['http://h.example/']" in done.stdout


def test_score_of_a_program_that_is_not_there() -> None:
    done = _score("--only", "prose", "--", str(CORPUS / "no-such-program"))
    assert done.returncode == 2
    assert "cannot run" in done.stderr


def test_score_wants_a_command() -> None:
    assert _score().returncode == 2
    assert _score("--only", "nothing", "--", "x").returncode == 2


# --- fixes


@pytest.mark.parametrize("case", _parameters(MENDED))
def test_keys_of_fixes(case: dict[str, Any]) -> None:
    assert REQUIRED <= case.keys() <= REQUIRED | OPTIONAL_OF_FIXES
    assert case["text"] != case.get("fixed") != case.get("unsafe", "")
    assert all(case[key] for key in ("id", "section", "why"))


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "all"])
@pytest.mark.parametrize("case", _parameters(MENDED))
def test_what_becomes_of_a_text(case: dict[str, Any], unsafe: bool) -> None:
    settings = Settings(profile=case.get("profile", "rfc3986"), extend_select=tuple(case.get("extend", ())))
    wanted = score.fixed_text(case, unsafe=unsafe)
    assert _mended(case["text"], case, settings, unsafe) == wanted
    assert _mended(wanted, case, settings, unsafe) == wanted, "nothing more is mended the second time"


def _mended(text: str, case: dict[str, Any], settings: Settings, unsafe: bool) -> str:
    out: list[bytes] = []
    source = read.Source(case.get("path", "a.txt"), text.encode(), True)
    for _ in fix._fixed(source, settings, read.ReadOptions(), results.FixOptions(unsafe, out.append)):
        pass
    return b"".join(out).decode()


def test_a_program_that_mends_is_scored() -> None:
    """One that mends nothing has exactly those right in which nothing is to be mended."""
    still = sum(score.fixed_text(case) == case["text"] for _, case in MENDED)
    command = [sys.executable, str(SCORE), "--only", "fixes", "--", sys.executable, "-c", "pass"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].split() == ["together", str(still), "of", str(len(MENDED))]
    assert 0 < still < len(MENDED)
