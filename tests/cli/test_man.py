"""The manual page names every option, and is accepted by the formatters that are installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.command import clean_environment, urlscan
from tests.pages import MAN_PAGE
from urlscan.cli import ALIASES
from urlscan.cli.usage import commands


def plain(page: bytes) -> str:
    """Return the page as `man` shows it, without emphasis and line breaks."""
    environment = clean_environment(MANWIDTH="1000")
    done = subprocess.run(["man", "-l", "-"], input=page, env=environment, capture_output=True, check=True)
    return re.sub(r"\s+", " ", re.sub(r".\x08", "", done.stdout.decode()).replace("‐", "-"))


def test_page_is_the_one_in_the_package() -> None:
    assert urlscan("man").text == MAN_PAGE.read_text(encoding="utf-8"), "run python -m tests.pages"
    assert urlscan("man", "check").status == 2


def test_page_names_every_command_and_option() -> None:
    text = urlscan("man").text.replace("\\-", "-")
    for command in commands():
        assert f".SS {ALIASES.get(command.name, command.name)}\n" in text
        for option in command.options:
            value = rf" \fI{option.value}\fR" if option.value else ""
            assert ", ".join(rf"\fB{name}\fR{value}" for name in option.names) in text


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_shows_it_without_warnings(tmp_path: Path) -> None:
    done = subprocess.run(
        ["man", "--warnings", "-l", "-"], input=urlscan("man").out, env=clean_environment(), capture_output=True
    )
    if b"unrecognized option" in done.stderr:
        pytest.skip("man has no --warnings: it is not that of man-db")
    assert (done.returncode, done.stderr) == (0, b"")
    shown = plain(urlscan("man").out)
    assert "such as 'schemes=[\"x-foo\"]', which takes precedence" in shown
    assert "Passwords are shown as ***, control characters as \\x1b." in shown


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_groff_accepts_it() -> None:
    done = subprocess.run(["groff", "-man", "-ww", "-z"], input=urlscan("man").out, capture_output=True, check=True)
    assert done.stderr == b""


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_accepts_it() -> None:
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "error"], input=urlscan("man").out, capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")
