"""Code actions: the work of a request with many findings, and requests that are canceled. No test measures time."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

types = pytest.importorskip("lsprotocol.types")

from pygls.exceptions import JsonRpcRequestCancelled  # noqa: E402

from tests.server.client import TIMEOUT, capabilities, editor  # noqa: E402
from urlscan.api.buffers import Buffer  # noqa: E402
from urlscan.config import Configuration  # noqa: E402
from urlscan.linter import locate  # noqa: E402
from urlscan.server import features  # noqa: E402
from urlscan.server.actions import CheckedDocument, Offer  # noqa: E402
from urlscan.server.text import Text  # noqa: E402

LINES = 1_600
LINE = "[a](http://h.example/a|b)\n"
MOST_CHECKS = 20


class Session:
    """A session with one document, which runs each function when it is called.

    Attributes:
        runs: the number of functions that were called.
    """

    def __init__(self, lines: int) -> None:
        buffer = Buffer("/a.md", "markdown", Configuration(isolated=True), None)
        text = Text(LINE * lines)
        self._document = CheckedDocument("file:///a.md", 1, text, buffer.check(text.source), 1, buffer)
        self.runs = 0

    async def document(self, _uri: str) -> CheckedDocument:
        """Return the document."""
        return self._document

    async def run(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Return the result of a function, after other tasks had their turn."""
        self.runs += 1
        await asyncio.sleep(0)
        return function(*arguments)


class Server:
    """The parts of a server that `features.code_action` uses."""

    def __init__(self, lines: int, *, resolves: bool) -> None:
        self.session = Session(lines)
        self._resolves = resolves

    def offer(self, document: CheckedDocument, _params: "types.CodeActionParams") -> Offer:
        """Return a request for all actions of the document."""
        return Offer(0, len(document.text.source), (), self._resolves, True)


def whole(uri: str = "file:///a.md") -> "types.CodeActionParams":
    """Return a request for the actions of a whole document."""
    span = types.Range(types.Position(0, 0), types.Position(LINES, 0))
    return types.CodeActionParams(types.TextDocumentIdentifier(uri), span, types.CodeActionContext([]))


@pytest.mark.parametrize("resolves", [True, False])
@pytest.mark.parametrize("lines", [LINES // 16, LINES])
def test_actions_for_many_findings_take_as_many_checks_as_for_some(
    monkeypatch: pytest.MonkeyPatch, lines: int, *, resolves: bool
) -> None:
    """Each fix was tried before it was offered, in one piece: 50 findings took as long as 100 checks."""
    server, searched = Server(lines, resolves=resolves), 0
    findings_of = locate.findings_of

    def counted(document: Any, *arguments: Any) -> Any:
        nonlocal searched
        searched += document.stop - document.start
        return findings_of(document, *arguments)

    monkeypatch.setattr(locate, "findings_of", counted)
    actions = asyncio.run(features.code_action(server, whole()))
    assert all((action.edit is None) == resolves for action in actions)
    if resolves:
        assert searched == 0
        fix = asyncio.run(features.code_action_resolve(server, actions[1]))
        assert [edit.range.start.line for edit in fix.edit.changes["file:///a.md"]] == [1]
    else:
        assert searched
    # The edits of 100 lines are tried, or those of the first lines of 1,600: as much text in both cases.
    assert searched <= MOST_CHECKS * LINES * len(LINE)


def test_a_canceled_request_runs_no_further_check() -> None:
    server = Server(LINES, resolves=False)

    async def scenario() -> None:
        request = asyncio.ensure_future(features.code_action(server, whole()))
        while not server.session.runs:
            await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request

    asyncio.run(scenario())
    assert server.session.runs == 1


def test_a_request_is_canceled_over_the_wire(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(more=False)) as client:
            uri = client.open(tmp_path / "a.md", LINE * LINES)
            await client.diagnostics(uri)
            request = client.protocol.send_request_async("textDocument/codeAction", whole(uri), msg_id="actions")
            client.protocol.notify("$/cancelRequest", types.CancelParams(id="actions"))
            other = client.open(tmp_path / "b.md", LINE)
            await client.diagnostics(other)
            with pytest.raises(JsonRpcRequestCancelled):
                await asyncio.wait_for(request, TIMEOUT)

    asyncio.run(scenario())


def test_messages_show_no_secret_of_the_document() -> None:
    """A token with a hyphen at a line break is recognized only without the hyphen."""
    text = "<URL:http://h.example/a?b=whsec_KKKKKK-\nKKKKKKKKKKKKKKKKKKKKKKKKK1K2>\n"
    buffer = Buffer("/a.txt", "plaintext", Configuration(isolated=True), None)
    findings = buffer.check(text).findings
    assert findings
    assert not any("KKKK" in finding.message + finding.suggestion for finding in findings)
