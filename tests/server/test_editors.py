"""The configurations for editors: they start the server, and their settings are those of the server."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.pages import ROOT
from tools.editor_settings import PACKAGE, package_text
from urlscan.server.settings import CONFIGURATION_KEYS, OPTIONS, EditorSettings, camel_case, read_settings

EDITORS = ROOT / "editors"
PROPERTIES: dict[str, Any] = json.loads(PACKAGE.read_text(encoding="utf-8"))["contributes"]["configuration"][
    "properties"
]


def test_settings_of_the_extension_are_those_of_the_server() -> None:
    assert PACKAGE.read_text(encoding="utf-8") == package_text(), "run python -m tests.pages"
    ours = {"urlscan.path", "urlscan.trace.server"}
    names = {camel_case(one.name) for one in (*OPTIONS, *CONFIGURATION_KEYS)}
    assert set(PROPERTIES) == ours | {f"urlscan.{name}" for name in names}


def test_defaults_of_the_extension_are_those_of_the_server() -> None:
    values = {name.split(".")[1]: one["default"] for name, one in PROPERTIES.items()}
    assert read_settings(values) == (EditorSettings(), [])


@pytest.mark.parametrize("name", PROPERTIES)
def test_settings_have_valid_schemas(name: str) -> None:
    schema = PROPERTIES[name]
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(schema["default"], schema, jsonschema.Draft7Validator)


def test_every_configuration_is_documented_and_starts_the_server() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    starts = re.compile(r"""urlscan["', ]+server|which\("urlscan"\)|command = "urlscan"\nargs = \["server"\]""")
    for folder in EDITORS.iterdir():
        assert f"editors/{folder.name}" in page
        files = [path for path in folder.rglob("*") if path.is_file() and "node_modules" not in path.parts]
        assert any(starts.search(path.read_text(encoding="utf-8", errors="replace")) for path in files), folder


def test_configurations_are_well_formed() -> None:
    helix = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text())
    assert helix["language-server"]["urlscan"] == {"command": "urlscan", "args": ["server"], "config": {"urlscan": {}}}
    zed = tomllib.loads((EDITORS / "zed" / "extension.toml").read_text())
    assert set(zed["language_servers"]) == {"urlscan"}
    tomllib.loads((EDITORS / "zed" / "Cargo.toml").read_text())
    for path in (EDITORS / "jetbrains" / "urlscan").glob("*.json"):
        json.loads(path.read_text())
    # Sublime Text allows comments and a comma at the end.
    sublime = re.sub(r"^\s*//.*$", "", (EDITORS / "sublime" / "LSP.sublime-settings").read_text(), flags=re.MULTILINE)
    client = json.loads(re.sub(r",(\s*\})", r"\1", sublime))["clients"]["urlscan"]
    assert client["command"] == ["urlscan", "server"]


@pytest.mark.slow
@pytest.mark.network
def test_the_extension_is_packaged_and_its_protocol_works(tmp_path: Path) -> None:
    """The test runner of the editor downloads it, so the libraries of its protocol take its place."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    place = tmp_path / "vscode"
    shutil.copytree(PACKAGE.parent, place, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))

    def npm(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = ["npm", "--no-audit", "--no-fund", *arguments]
        return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=300, check=False)

    installed = npm("ci")
    if installed.returncode:
        pytest.skip(f"npm cannot install: {installed.stderr.strip().splitlines()[0][:200]}")
    done = npm("run", "package")
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(place / "urlscan.vsix") as package:
        names = {name.lower() for name in package.namelist()}
        manifest = json.loads(package.read("extension/package.json"))
        script = package.read("extension/dist/extension.js").decode()
    files = {"dist/extension.js", "license.txt", "package.json", "readme.md"}
    assert names == {f"extension/{name}" for name in files} | {"[content_types].xml", "extension.vsixmanifest"}
    assert manifest["main"] == "./dist/extension.js"
    assert '"server"' in script
    tested = npm("test", "--", sys.executable, "-m", "urlscan")
    assert tested.returncode == 0, tested.stdout + tested.stderr
