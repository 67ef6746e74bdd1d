"""Neovim, without a screen, with the configuration that the documentation shows."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pages import ROOT, environment

pytest.importorskip("pygls")
NVIM = shutil.which("nvim")
CONFIGURATION = ROOT / "editors" / "neovim" / "urlscan.lua"
# Wait for diagnostics, apply the first fix, wait for the diagnostics of the new text, and write what was seen.
SCRIPT = """
local function shown()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(0)) do
    local code = one.code or one.user_data.lsp.code
    table.insert(found, { code = code, line = one.lnum, column = one.col })
  end
  return found
end
local function wait(number)
  assert(vim.wait(120000, function() return #vim.diagnostic.get(0) == number end, 20), "no diagnostics")
end
wait(2)
local before = shown()
local one = vim.diagnostic.get(0)[1]
local place = { line = one.lnum, character = one.col }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = place, ["end"] = place },
  context = { diagnostics = {} },
}, 120000)
local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(), position = place,
}, 120000)
for id, answer in pairs(answers) do
  local client = vim.lsp.get_client_by_id(id)
  local action = client.request_sync("codeAction/resolve", answer.result[1], 120000, 0).result
  vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
end
wait(1)
local _, found = next(hover)
local text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local result = { before = before, after = shown(), text = text, hover = found.result }
local file = io.open("result.json", "w")
file:write(vim.json and vim.json.encode(result) or vim.fn.json_encode(result))
file:close()
vim.cmd("qall!")
"""

pytestmark = pytest.mark.skipif(NVIM is None, reason="Neovim (nvim) is not installed")


def run(directory: Path, *options: str) -> dict[str, object]:
    """Open a document in Neovim and return what `SCRIPT` saw."""
    (directory / "a.md").write_text("# Notes\n\nSee [\u00e9](http://h.example/a|b) and\n<http://h.example/%zz>.\n")
    (directory / "script.lua").write_text(SCRIPT)
    home = directory / "home"
    home.mkdir()
    env = {**environment(directory), "HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    command = [str(NVIM), "--headless", "-n", "-i", "NONE", *options, "a.md", "-c", "luafile script.lua"]
    done = subprocess.run(command, cwd=directory, env=env, capture_output=True, text=True, timeout=480, check=False)
    assert (directory / "result.json").exists(), done.stdout + done.stderr
    found: dict[str, object] = json.loads((directory / "result.json").read_text(encoding="utf-8"))
    return found


def check(found: dict[str, object]) -> None:
    before = found["before"]
    assert isinstance(before, list)
    # Neovim counts bytes: "é" has two.
    assert [(one["code"], one["line"], one["column"]) for one in before] == [("U101", 2, 27), ("U201", 3, 18)]
    assert found["text"] == ["# Notes", "", "See [\u00e9](http://h.example/a%7Cb) and", "<http://h.example/%zz>."]
    assert [one["code"] for one in found["after"]] == ["U201"]  # type: ignore[attr-defined]
    assert "http://h.example/a|b" in str(found["hover"])


def test_the_configuration_works_from_nothing(tmp_path: Path) -> None:
    check(run(tmp_path, "-u", str(CONFIGURATION)))


def test_the_documented_lines_work(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    block = re.findall(r"^```lua\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert all(len(lines.splitlines()) < 5 for lines in block)
    version = subprocess.run([str(NVIM), "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = map(int, re.findall(r"v(\d+)\.(\d+)", version)[0])
    if (major, minor) < (0, 8):
        pytest.skip("the documented lines need Neovim 0.8; older versions need editors/neovim/urlscan.lua")
    (tmp_path / "init.lua").write_text(block[0] if (major, minor) >= (0, 11) else block[1])
    check(run(tmp_path, "-u", str(tmp_path / "init.lua")))
