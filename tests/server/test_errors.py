"""Unexpected exceptions: they are reported without the text of any document, and the server continues."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from pygls.exceptions import JsonRpcInternalError

from tests.command import clean_environment
from tests.server.exchange import Exchange
from urlscan.server import session as session_module
from urlscan.server.actions import CheckedDocument
from urlscan.server.app import Server
from urlscan.server.features import bind_handler
from urlscan.server.session import Session
from urlscan.server.text import Text

SECRET = "ftp://jo:x1y2z3@files.corp.net/"


def fail(*_: Any) -> None:
    raise ValueError(f"invalid literal: {SECRET}")


def test_an_error_of_a_request_does_not_quote_the_document() -> None:
    async def handler(*_: Any) -> None:
        fail()

    with pytest.raises(JsonRpcInternalError) as caught:
        asyncio.run(bind_handler(Server(), handler)(None))
    assert "internal error: ValueError at fail" in str(caught.value)
    assert "x1y2z3" not in str(caught.value) + repr(caught.value.data)


def test_an_error_of_a_check_is_reported_and_the_next_version_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[CheckedDocument] = []

    async def scenario() -> None:
        session = Session(published.append)
        with monkeypatch.context() as patched:
            patched.setattr(session_module.Buffer, "check", fail)
            session.open("file:///a.md", "/a.md", "markdown", 1, Text("[a](http://h.example/a|b)\n"))
            document = await session.document("file:///a.md")
            assert document is not None
            assert "ValueError" in document.analysis.error
            assert "x1y2z3" not in document.analysis.error
        session.change("file:///a.md", 2, Text("[a](http://h.example/a|c)\n"))
        document = await session.document("file:///a.md")
        assert document is not None
        assert [one.code for one in document.analysis.findings] == ["U101"]
        session.end()

    asyncio.run(scenario())
    assert [one.version for one in published] == [1, 2]


@pytest.mark.slow
def test_the_server_ends_while_it_checks_a_large_document(tmp_path: Path) -> None:
    """The text takes most of a minute to check, and a thread cannot be ended."""
    texts = {"a": "[a](http://h.example/a|b) *and* more\n\n" * 600_000, "b": "[a](http://h.example/a|b)\n"}
    uris = {name: (tmp_path / f"{name}.md").as_uri() for name in texts}
    with Exchange(tmp_path) as session:
        session.request("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}})
        for name, text in texts.items():
            document = {"uri": uris[name], "languageId": "markdown", "version": 1, "text": text}
            session.notify("textDocument/didOpen", {"textDocument": document}, record=False)
            session.notify("textDocument/didSave", {"textDocument": {"uri": uris[name]}})
        assert session.notified()["uri"] == uris["b"]
        session.request("shutdown", None)
        session.notify("exit", None)
        end = time.monotonic()
    assert time.monotonic() - end < 10


def test_no_module_of_the_current_directory_is_imported(tmp_path: Path) -> None:
    """The editor starts the server in the directory of the project, which may hold modules of any name."""
    project, programs = tmp_path / "project", tmp_path / "programs"
    for directory in (project, programs):
        directory.mkdir()
    for name in ("asyncio", "encodings", "urlscan", "pygls", "pickle"):
        (project / f"{name}.py").write_text("open('marker', 'w')\n")
    script = programs / "start.py"
    script.write_text("import sys\nfrom urlscan.cli import main\nsys.exit(main(['server']))\n")
    env = clean_environment(PYTHONPATH=str(Path(session_module.__file__).parents[2]))
    done = subprocess.run([sys.executable, str(script)], cwd=project, env=env, input=b"", check=False)
    assert done.returncode == 1  # as if the editor went away
    assert not (project / "marker").exists()
