"""Test the reasons for which a problem of a URL is not reported."""

from pathlib import Path

import pytest

from tests.command import urlscan

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
        pytest.param(
            "NEWS.md", "http://h.zz/a|b", (), "U101 info (changelog), reported, below --fail-on warning", id="advice"
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
        pytest.param("a.md", "[a](/b.md)", (), "link not checked: package", id="link"),
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


def test_secrets_are_masked(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"[a]({_LOGIN})", encoding="utf-8")
    done = urlscan("check", "--explain", "a.md:1", cwd=tmp_path)
    assert "k7Qm2Zt9Lk" not in done.text


@pytest.mark.parametrize(("position", "status"), [("a.md", 2), ("a.md:0", 2), ("missing.md:1", 2), ("a.md:9:1", 0)])
def test_positions(tmp_path: Path, position: str, status: int) -> None:
    (tmp_path / "a.md").write_text("no URL", encoding="utf-8")
    assert urlscan("check", "--explain", position, cwd=tmp_path).status == status
