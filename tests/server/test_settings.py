"""Settings of editors, and the projects that they apply to."""

from pathlib import Path

import pytest

from urlscan.config.keys import BY_NAME
from urlscan.server.projects import Projects
from urlscan.server.settings import CONFIGURATION_KEYS, EditorSettings, camel_case, read_settings


def test_names_may_be_written_as_in_files_or_in_camel_case() -> None:
    for name in ("extend-select", "extendSelect"):
        settings, messages = read_settings({"urlscan": {name: ["U605"]}})
        assert (settings.given, messages) == ({"extend-select": ("U605",)}, [])


def test_every_key_has_a_name_for_editors() -> None:
    for key in CONFIGURATION_KEYS:
        assert read_settings({camel_case(key.name): None}) == (EditorSettings(), [])
        assert key.name in BY_NAME


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"selct": ["U1"]}, 'unknown key "selct" (did you mean "select"?)'),
        ({"select": "U1"}, 'select: expected a list, not a string (write ["U1"])'),
        ({"enable": "yes"}, "enable: expected true or false"),
        ({"baseline": "a.json"}, "baseline: only allowed in configuration files"),
        ([], "expected an object"),
    ],
)
def test_an_invalid_setting_is_reported_and_ignored(value: object, message: str) -> None:
    assert read_settings(value) == (EditorSettings(), [f"settings: {message}"])


def test_a_setting_that_is_not_given_is_the_default() -> None:
    assert read_settings({"configuration": "", "select": None, "unsafeFixes": None}) == (EditorSettings(), [])
    assert read_settings({"relaxedPaths": []})[0].given == {"relaxed-paths": ()}


def test_settings_of_an_editor_override_files(tmp_path: Path) -> None:
    (tmp_path / "urlscan.toml").write_text('profile = "rfc1738"\nignore = ["U601"]\n')
    projects = Projects(lambda _: None)
    projects.set_folders((str(tmp_path),))
    path = str(tmp_path / "a.md")
    assert projects.of(path).configuration.of(path).settings.profile == "rfc1738"
    projects.set_settings({str(tmp_path): EditorSettings(given={"profile": "rfc2396", "exclude": ("b*",)})})
    found = projects.of(path).configuration
    assert (found.of(path).settings.profile, found.of(path).settings.ignore) == ("rfc2396", ("U601",))
    assert found.excludes(str(tmp_path / "b.md"))


def test_a_chosen_configuration_replaces_the_closest_one(tmp_path: Path) -> None:
    (tmp_path / "urlscan.toml").write_text('profile = "rfc1738"\n')
    (tmp_path / "other.toml").write_text('profile = "rfc2396"\n')
    projects = Projects(lambda _: None)
    projects.set_folders((str(tmp_path),))
    path = str(tmp_path / "a.md")
    projects.set_settings({str(tmp_path): EditorSettings(configuration="other.toml")})
    assert projects.of(path).configuration.of(path).settings.profile == "rfc2396"
    projects.set_settings({str(tmp_path): EditorSettings(configuration="missing.toml")})
    assert "no such file" in projects.of(path).error


def test_configuration_is_read_again_after_some_seconds(tmp_path: Path) -> None:
    now = 0.0
    projects = Projects(lambda _: None, lambda: now)
    projects.set_folders((str(tmp_path),))
    path = str(tmp_path / "a.md")
    assert projects.of(path).configuration.of(path).settings.profile == "rfc3986"
    (tmp_path / "urlscan.toml").write_text('profile = "rfc1738"\n')
    assert projects.of(path).configuration.of(path).settings.profile == "rfc3986"
    now = 11.0
    assert projects.of(path).configuration.of(path).settings.profile == "rfc1738"


def test_the_innermost_folder_applies(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    projects = Projects(lambda _: None)
    projects.set_folders((str(tmp_path), str(inner)))
    assert projects.folder_of(str(inner / "a.md")) == str(inner)
    assert projects.folder_of(str(tmp_path / "a.md")) == str(tmp_path)
    assert projects.folder_of(str(tmp_path.parent / "a.md")) == ""
