"""Test the reasons for which a problem of a URL is not reported."""

from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan.pipeline import read

_LOGIN = "https://jo:k7Qm2Zt9Lk@www.dominion.org/x"


def reasons(tree: Path, name: str, text: str, *options: str, line: int = 1) -> list[str]:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    done = urlscan("check", *options, "--explain", f"{name}:{line}", cwd=tree)
    assert done.status == 0
    return [text.strip() for text in done.lines if text.startswith("  ") and not text.startswith(("    ", "  context"))]


@pytest.mark.parametrize(
    ("name", "text", "options", "reason"),
    [
        pytest.param("a.md", "[a](https://h.zz/a|b)", (), "U101 error, reported", id="reported"),
        pytest.param("a.md", "[a](#mill)", (), "U911 error, reported", id="missing anchor"),
        pytest.param("a.md", "[a](#mill%7E)", (), "U911 error, reported", id="missing anchor with a needless escape"),
        pytest.param(
            "NEWS.md",
            "http://h.zz/a|b",
            (),
            "U101 info (changelog: a record of changes is not edited, and only its links are followed), reported,"
            " below --fail-on warning",
            id="advice",
        ),
        pytest.param(
            "a.md", "[a](http://h.zz/?q=a|b)", (), "U101 info, reported, below --fail-on warning", id="severity"
        ),
        pytest.param(
            "a.md",
            "`https://h.zz/%zz`",
            (),
            'U201 error, not reported: the rule does not report in the context "code"',
            id="context",
        ),
        pytest.param(
            "a.md", "[a](https://h.zz/a|{b})", (), "U101 error, not reported: the URL has a placeholder", id="template"
        ),
        pytest.param(
            "a.md", "[a](https://h.zz/a|b)", ("--ignore", "U101"), "U101 error, not reported: the rule is off", id="off"
        ),
        pytest.param(
            "a.md",
            f"[a]({_LOGIN}) <!-- urlscan: ignore[U301] -->",
            (),
            "U301 error, not reported: a comment suppresses it",
            id="suppressed",
        ),
        pytest.param(
            "tests/a.md",
            "[a](https://h.zz/a|b)",
            (),
            "U101 error, not reported: the file is test data (relaxed-paths)",
            id="test data",
        ),
        pytest.param(
            "a.md", "[a](/b.md)", (), "link not checked, package: a package may lack files of its repository", id="link"
        ),
        pytest.param("a.md", "<https://h.zz>", (), "U804 info, not reported: the rule is off", id="off by default"),
        pytest.param("a.md", "https://h.zz/", (), "no rule has a finding", id="nothing"),
    ],
)
def test_reason(tmp_path: Path, name: str, text: str, options: tuple[str, ...], reason: str) -> None:
    assert reason in reasons(tmp_path, name, text, *options)


def test_reasons_of_the_configuration(tmp_path: Path) -> None:
    settings = 'exclude-urls = ["https://h.zz/*"]\n[per-file-ignores]\n"b.md" = ["U101"]\n'
    (tmp_path / "urlscan.toml").write_text(settings, encoding="utf-8")
    excluded = "U101 error, not reported: the URL is excluded (exclude-urls)"
    assert excluded in reasons(tmp_path, "a.md", "[a](https://h.zz/a|b)")
    ignored = "U101 error, not reported: the rule is off for this file (per-file-ignores)"
    assert ignored in reasons(tmp_path, "b.md", "[a](https://g.zz/a|b)")


def test_known_findings(tmp_path: Path) -> None:
    text = f"[a](https://h.zz/a|b) [b]({_LOGIN})"
    assert "U301 error, reported" in reasons(tmp_path, "a.md", text)
    assert urlscan("check", "--write-baseline", "b.json", ".", cwd=tmp_path).status == 0
    known = reasons(tmp_path, "a.md", text, "--baseline", "b.json")
    assert {f"{code} error, not reported: the baseline contains it" for code in ("U101", "U301")} <= set(known)


@pytest.mark.parametrize(
    ("options", "name", "errors"),
    [
        pytest.param((), "a.bin", "urlscan: a.bin: binary file, skipped\n", id="binary"),
        pytest.param(("--exclude", "a.*"), "a.txt", "urlscan: a.txt: excluded, skipped\n", id="excluded"),
        pytest.param(("--decompress",), "a.zip", "urlscan: a.zip: ", id="damaged"),
    ],
)
def test_files_that_are_not_read(tmp_path: Path, options: tuple[str, ...], name: str, errors: str) -> None:
    (tmp_path / "a.txt").write_text("http://h.zz/a|b", encoding="utf-8")
    (tmp_path / "a.bin").write_bytes(b"http://h.zz/a|b\0\0\0\0")
    (tmp_path / "a.zip").write_bytes(b"PK\3\4 http://h.zz/a|b")
    done = urlscan("check", *options, "--explain", f"{name}:1", cwd=tmp_path)
    checked = urlscan("check", *options, "-v", name, cwd=tmp_path)
    assert done == checked
    assert done.text == ""
    assert done.err.startswith(errors)


def test_a_note_about_a_file_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "LARGE", 100)
    monkeypatch.setattr(read, "LARGEST_DOCUMENT", 100)
    (tmp_path / "a.html").write_text("a" * 200 + "\nhttp://h.zz/a|b\n", encoding="utf-8")
    done = urlscan("check", "--explain", "a.html:2", cwd=tmp_path)
    assert (done.status, done.lines[0]) == (0, "a.html:2:1: http://h.zz/a|b")
    assert done.err == "urlscan: a.html: too large to be read as html; read as plain text\n"


def test_secrets_are_masked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"[a]({_LOGIN})", encoding="utf-8")
    done = urlscan("check", "--explain", "a.md:1", cwd=tmp_path)
    assert "k7Qm2Zt9Lk" not in done.text


@pytest.mark.parametrize(("position", "status"), [("a.md", 2), ("a.md:0", 2), ("missing.md:1", 2), ("a.md:9:1", 0)])
def test_positions(tmp_path: Path, position: str, status: int) -> None:
    (tmp_path / "a.md").write_text("no URL", encoding="utf-8")
    assert urlscan("check", "--explain", position, cwd=tmp_path).status == status
