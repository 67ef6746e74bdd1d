"""Code actions over the wire: many findings in one request, and requests that are canceled."""

import asyncio
import time
from pathlib import Path

import pytest

types = pytest.importorskip("lsprotocol.types")

from pygls.exceptions import JsonRpcRequestCancelled  # noqa: E402

from tests.server.client import TIMEOUT, Editor, capabilities, editor  # noqa: E402

LINES = 1_600
TEXT = "[a](http://h.example/a|b)\n" * LINES


def whole(uri: str) -> "types.CodeActionParams":
    """Return a request for the actions of a whole document."""
    span = types.Range(types.Position(0, 0), types.Position(LINES, 0))
    return types.CodeActionParams(types.TextDocumentIdentifier(uri), span, types.CodeActionContext([]))


async def seconds_of_check(client: Editor, uri: str) -> float:
    """Return the time from now until the diagnostics of a document arrive."""
    began = time.monotonic()
    await client.diagnostics(uri)
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize("resolves", [True, False])
def test_actions_for_many_findings_take_as_long_as_some_checks(tmp_path: Path, *, resolves: bool) -> None:
    """Each fix was tried before it was offered, in one piece: 50 findings took as long as 100 checks."""

    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(more=resolves)) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            check = await seconds_of_check(client, uri)
            began = time.monotonic()
            actions = await asyncio.wait_for(client.text_document_code_action_async(whole(uri)), TIMEOUT)
            assert time.monotonic() - began < 25 * check
            assert actions is not None
            assert len(actions) == (51 if resolves else 4)
            assert all((one.edit is None) == resolves for one in actions)
            if resolves:
                fix = await client.code_action_resolve_async(actions[1])
                assert [edit.range.start.line for edit in fix.edit.changes[uri]] == [1]

    asyncio.run(scenario())


def test_a_canceled_request_leaves_the_thread_to_other_documents(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(more=False)) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            check = await seconds_of_check(client, uri)
            request = client.protocol.send_request_async("textDocument/codeAction", whole(uri), msg_id="actions")
            client.protocol.notify("$/cancelRequest", types.CancelParams(id="actions"))
            other = client.open(tmp_path / "b.md", "[a](http://h.example/a|b)\n")
            assert await seconds_of_check(client, other) < 10 * check
            with pytest.raises(JsonRpcRequestCancelled):
                await asyncio.wait_for(request, TIMEOUT)

    asyncio.run(scenario())
