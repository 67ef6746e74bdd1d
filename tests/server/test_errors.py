"""Unexpected exceptions: they are reported without the text of any document, and the server continues."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from pygls.exceptions import JsonRpcInternalError

from urlscan.server import session as session_module
from urlscan.server.actions import Document
from urlscan.server.app import guarded
from urlscan.server.background import BackgroundCheck, EndedError, Task
from urlscan.server.session import Session
from urlscan.server.settings import EditorSettings
from urlscan.server.text import Text

SECRET = "ftp://jo:x1y2z3@files.corp.net/"


def fail(*_: Any) -> None:
    raise ValueError(f"invalid literal: {SECRET}")


def test_an_error_of_a_request_does_not_quote_the_document() -> None:
    async def handler() -> None:
        fail()

    with pytest.raises(JsonRpcInternalError) as caught:
        asyncio.run(guarded(handler)())
    assert "internal error: ValueError at fail" in str(caught.value)
    assert "x1y2z3" not in str(caught.value) + repr(caught.value.data)


def test_an_error_of_a_check_is_reported_and_the_next_version_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[Document] = []

    async def scenario() -> None:
        session = Session(lambda document, _: published.append(document), lambda *_: pytest.fail("large"))
        with monkeypatch.context() as patched:
            patched.setattr(session_module.Checker, "check", fail)
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


def test_a_process_that_is_ended_gives_no_result(tmp_path: Path) -> None:
    task = Task(str(tmp_path / "a.md"), "markdown", "", EditorSettings(), "[a](http://h.example/a|b)\n")
    check = BackgroundCheck()
    check.end()
    with pytest.raises(EndedError):
        check.run(task)
    assert [one.code for one in BackgroundCheck().run(task).findings] == ["U101"]
