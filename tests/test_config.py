"""Configuration: which file holds for a file, what may stand in it, and what is said of what may not."""

import os
from pathlib import Path

import pytest

from tests.command import urlscan
from urlscan.config import Configuration
from urlscan.settings import Settings, Terms

BAD = "See http://h.example/100% and http://h.example/a|b now.\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def of(path: str, *config: str, isolated: bool = False, **given: object) -> Terms:
    return Configuration(given, config, isolated=isolated).of(path)


# --- which file


def test_without_a_file_everything_is_as_it_was(here: Path) -> None:
    assert of("a.txt") == Terms(Settings())


def test_the_nearest_file_upwards_holds_and_no_other(here: Path) -> None:
    write({"urlscan.toml": "ignore=['U1']", "a/b/urlscan.toml": "profile='rfc1738'"})
    assert of("x.txt").settings == Settings(ignore=("U1",))
    assert of("a/x.txt").settings == Settings(ignore=("U1",))
    assert of("a/b/x.txt").settings == of("a/b/c/d/x.txt").settings == Settings(profile="rfc1738")


def test_it_is_looked_for_from_the_file_and_not_from_the_current_directory(here: Path) -> None:
    write({"a/urlscan.toml": "ignore=['U1']", "b/x": ""})
    os.chdir("b")
    assert of("../a/x.txt").settings == of(str(here / "a/x.txt")).settings == Settings(ignore=("U1",))
    assert of("x.txt").settings == of("-").settings == Settings()


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        ([".urlscan.toml", "urlscan.toml", "pyproject.toml"], ".urlscan.toml"),
        (["urlscan.toml", "pyproject.toml"], "urlscan.toml"),
        (["pyproject.toml"], "pyproject.toml"),
    ],
)
def test_of_several_in_one_directory_one_counts(here: Path, names: list[str], chosen: str) -> None:
    for name in names:
        table = "[tool.urlscan]\n" if name == "pyproject.toml" else ""
        write({name: f"{table}placeholders=['{name}']"})
    assert of("x.txt").settings.placeholders == {chosen}


@pytest.mark.parametrize(
    "text",
    [
        "[tool.urlscan]\nignore=['U1']",
        "[ tool . 'urlscan' ]\nignore=['U1']",
        '["tool"."urlscan"]\nignore=["U1"]',
        "tool.urlscan.ignore=['U1']",
        "[tool]\nurlscan.ignore=['U1']",
        "[tool]\nurlscan={ignore=['U1']}",
        "tool={urlscan={ignore=['U1']}}",
        "\ufeff[tool.urlscan]\r\nignore=['U1']\r\n",
    ],
)
def test_the_table_of_a_pyproject_is_found_however_it_is_written(here: Path, text: str) -> None:
    write({"pyproject.toml": text})
    assert of("x.txt").settings.ignore == ("U1",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[project]\nname='urlscan'",
        "[tool.other]\nurlscan=1",
        "[project.scripts]\nurlscan='x:y'",
        "this = is no TOML",
    ],
)
def test_a_pyproject_that_says_nothing_to_us_is_passed_over(here: Path, text: str) -> None:
    write({"urlscan.toml": "ignore=['U1']", "a/pyproject.toml": text})
    assert of("a/x.txt").settings.ignore == ("U1",)


def test_an_empty_table_of_ours_is_a_configuration(here: Path) -> None:
    write({"urlscan.toml": "ignore=['U1']", "a/pyproject.toml": "[tool.urlscan]"})
    assert of("a/x.txt").settings == Settings()


def test_what_is_no_file_is_no_configuration(here: Path) -> None:
    (here / "urlscan.toml").mkdir()
    os.mkfifo(here / ".urlscan.toml")
    assert of("x.txt").settings == Settings()


def test_isolated_looks_for_none(here: Path) -> None:
    write({"urlscan.toml": "this is not even TOML", "a.txt": BAD})
    assert of("a.txt", isolated=True).settings == Settings()
    assert of("a.txt", 'profile="rfc1738"', isolated=True).settings.profile == "rfc1738"
    assert urlscan("extract", "--isolated", "a.txt", cwd=here).status == 0


def test_directories_of_any_depth(here: Path) -> None:
    assert of("a/" * 3000 + "x.txt").settings == Settings()
    assert not Configuration().excludes("a/" * 3000 + "x.txt")
