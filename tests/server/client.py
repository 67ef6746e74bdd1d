"""An editor for tests: a client that talks with a server in a thread of this process."""

import asyncio
import socket
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient

from urlscan.server.features import serve

TIMEOUT = 240


def capabilities(*, pull: bool = False, encodings: tuple[str, ...] = (), more: bool = True) -> types.ClientCapabilities:
    """Return the capabilities of an editor.

    Args:
        pull: whether it asks for diagnostics.
        encodings: the position encodings that it supports, the best first.
        more: whether it has settings, Markdown, and resolves code actions.
    """
    resolve = types.ClientCodeActionResolveOptions(properties=["edit"])
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings)) if encodings else None,  # type: ignore[arg-type]
        text_document=types.TextDocumentClientCapabilities(
            diagnostic=types.DiagnosticClientCapabilities(related_information=True) if pull else None,
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=more),
            code_action=types.CodeActionClientCapabilities(resolve_support=resolve if more else None),
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown] if more else None),
        ),
        workspace=types.WorkspaceClientCapabilities(
            configuration=more,
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=more),
        ),
    )


class Editor(LanguageClient):
    """A client that applies edits, answers the server and keeps what it sends.

    Attributes:
        settings: what it answers when the server asks for its settings, by scope; "" is the default.
        texts: the texts of the open documents.
        published: the diagnostics that the server sent, by document, the last ones last.
        messages: the messages that the server showed or logged.
        registered: the notifications that the server asked for.
    refreshed: how often the server asked to be asked for diagnostics again.
    """

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.settings: dict[str, Any] = {}
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, list[types.PublishDiagnosticsParams]] = {}
        self.messages: list[str] = []
        self.registered: list[types.Registration] = []
        self.refreshed = 0
        self.changed = asyncio.Condition()
        self._answers()

    def _answers(self) -> None:
        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def publish(params: types.PublishDiagnosticsParams) -> None:
            async with self.changed:
                self.published.setdefault(params.uri, []).append(params)
                self.changed.notify_all()

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def show(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        @self.feature(types.WINDOW_LOG_MESSAGE)
        def log(params: types.LogMessageParams) -> None:
            self.messages.append(params.message)

        @self.feature(types.WORKSPACE_CONFIGURATION)
        def configuration(params: types.ConfigurationParams) -> list[Any]:
            return [self.settings.get(item.scope_uri or "", self.settings.get("")) for item in params.items]

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered.extend(params.registrations)

        @self.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        async def refresh(params: None) -> None:
            async with self.changed:
                self.refreshed += 1
                self.changed.notify_all()

    async def connect(self, connection: socket.socket) -> None:
        """Talk with a server at the other end of a connection."""
        reader, writer = await asyncio.open_connection(sock=connection)
        self.protocol.set_writer(writer)
        self.writer = writer
        messages = run_async(self._stop_event, reader, self.protocol, error_handler=self.report_server_error)
        self._async_tasks.append(asyncio.create_task(messages))

    # --- documents

    def open(self, path: Path | str, text: str, language: str = "markdown") -> str:
        """Open a document and return its address."""
        uri = path if isinstance(path, str) else path.as_uri()
        self.texts[uri], self.versions[uri] = text, 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def replace(self, uri: str, text: str) -> None:
        """Replace the whole text of a document."""
        self._send(uri, types.TextDocumentContentChangeWholeDocument(text))
        self.texts[uri] = text

    def edit(self, uri: str, line: int, start: int, end: int, text: str) -> None:
        """Replace a part of a line of a document, whose characters are single code units."""
        place = types.Range(types.Position(line, start), types.Position(line, end))
        self._send(uri, types.TextDocumentContentChangePartial(place, text))
        lines = self.texts[uri].split("\n")
        lines[line] = lines[line][:start] + text + lines[line][end:]
        self.texts[uri] = "\n".join(lines)

    def save(self, uri: str) -> None:
        """Report that a document was saved; nothing is written."""
        self.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def _send(self, uri: str, change: types.TextDocumentContentChangeEvent) -> None:
        self.versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    def apply(self, edit: types.WorkspaceEdit | None) -> None:
        """Apply edits to the open documents."""
        assert edit is not None
        for uri, edits in (edit.changes or {}).items():
            lines = self.texts[uri].split("\n")
            for one in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
                start, end = one.range.start, one.range.end
                before, after = lines[start.line][: start.character], lines[end.line][end.character :]
                lines[start.line : end.line + 1] = [before + one.new_text + after]
            self.replace(uri, "\n".join(lines))

    async def until(self, condition: Any) -> None:
        """Wait until a condition holds that depends on what the server sends."""
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(condition), TIMEOUT)

    async def diagnostics(self, uri: str, version: int | None = None) -> list[types.Diagnostic]:
        """Return the diagnostics of the newest version of a document, once the server has sent them."""
        version = version or self.versions[uri]

        def is_there() -> bool:
            return any(one.version == version for one in self.published.get(uri, ()))

        await self.until(is_there)
        return list([one for one in self.published[uri] if one.version == version][-1].diagnostics)

    def codes(self, uri: str) -> list[str]:
        """Return the codes of the diagnostics that the server sent last for a document."""
        return [str(one.code) for sent in self.published.get(uri, [])[-1:] for one in sent.diagnostics]

    async def pulled(self, uri: str, previous: str | None = None) -> Any:
        """Return the report that the server gives when it is asked for the diagnostics of a document."""
        params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=previous)
        return await asyncio.wait_for(self.text_document_diagnostic_async(params), TIMEOUT)

    async def actions(
        self, uri: str, diagnostic: types.Diagnostic, only: list[str] | None = None
    ) -> list[types.CodeAction]:
        """Return the code actions for a diagnostic."""
        context = types.CodeActionContext([diagnostic], only=only)  # type: ignore[arg-type]
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), diagnostic.range, context)
        found = await asyncio.wait_for(self.text_document_code_action_async(params), TIMEOUT)
        return [one for one in found or [] if isinstance(one, types.CodeAction)]

    async def hover(self, uri: str, line: int, character: int) -> str | None:
        """Return what is shown at a position."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await asyncio.wait_for(self.text_document_hover_async(params), TIMEOUT)
        return found.contents.value if found is not None and isinstance(found.contents, types.MarkupContent) else None

    async def links(self, uri: str) -> list[types.DocumentLink]:
        """Return the links of a document."""
        params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
        return list(await asyncio.wait_for(self.text_document_document_link_async(params), TIMEOUT) or [])


@asynccontextmanager
async def editor(
    *folders: Path, can: types.ClientCapabilities | None = None, settings: Any = None, options: Any = None
) -> AsyncIterator[Editor]:
    """Return an editor with some workspace folders and a running server, which must end in order.

    Args:
        folders: the folders.
        can: what the editor can do.
        settings: its settings.
        options: its `initializationOptions`.
    """
    client = Editor()
    client.settings[""] = settings
    ours, theirs = socket.socketpair()
    with theirs, theirs.makefile("rb") as stdin, theirs.makefile("wb") as stdout, ThreadPoolExecutor() as pool:
        server = pool.submit(serve, stdin, stdout)
        await client.connect(ours)
        params = types.InitializeParams(
            capabilities=can if can is not None else capabilities(),
            workspace_folders=[types.WorkspaceFolder(one.as_uri(), one.name) for one in folders],
            initialization_options=options,
        )
        try:
            await asyncio.wait_for(client.initialize_async(params), TIMEOUT)
            client.initialized(types.InitializedParams())
            yield client
            await asyncio.wait_for(client.shutdown_async(None), TIMEOUT)
        finally:
            client.exit(None)
            is_ended_in_order = await asyncio.wait_for(asyncio.wrap_future(server), TIMEOUT)
            theirs.shutdown(socket.SHUT_RDWR)
            await client.stop()
            client.writer.close()
            await client.writer.wait_closed()
    assert is_ended_in_order
