"""The requests and notifications of the protocol, one function each."""

from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError

from urlscan import UrlscanError
from urlscan.server import actions, navigation
from urlscan.server.app import Server, path_of
from urlscan.server.projects import is_configuration
from urlscan.server.session import internal_error

_FILES = types.FileOperationRegistrationOptions(
    filters=[types.FileOperationFilter(pattern=types.FileOperationPattern("**"), scheme="file")]
)
_DIAGNOSTICS = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="urlscan")


def create_server() -> Server:
    """Return a server that answers every message that it announces."""
    server = Server()
    for name, handler, options in (
        (types.INITIALIZE, Server.initialize, None),
        (types.INITIALIZED, initialized, None),
        (types.SHUTDOWN, shutdown, None),
        (types.TEXT_DOCUMENT_DID_OPEN, did_open, None),
        (types.TEXT_DOCUMENT_DID_CHANGE, did_change, None),
        (types.TEXT_DOCUMENT_DID_SAVE, did_save, None),
        (types.TEXT_DOCUMENT_DID_CLOSE, did_close, None),
        (types.WORKSPACE_DID_CHANGE_CONFIGURATION, did_change_configuration, None),
        (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, did_change_watched_files, None),
        (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, did_change_folders, None),
        (types.WORKSPACE_WILL_RENAME_FILES, Server.reference_edits, _FILES),
        (types.WORKSPACE_DID_RENAME_FILES, did_rename_files, _FILES),
        (types.TEXT_DOCUMENT_DIAGNOSTIC, diagnostic, _DIAGNOSTICS),
        (
            types.TEXT_DOCUMENT_CODE_ACTION,
            code_action,
            types.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True),
        ),
        (types.CODE_ACTION_RESOLVE, code_action_resolve, None),
        (types.TEXT_DOCUMENT_HOVER, Server.hover, None),
        (types.TEXT_DOCUMENT_DOCUMENT_LINK, document_link, types.DocumentLinkOptions(resolve_provider=False)),
        (types.TEXT_DOCUMENT_COMPLETION, navigation.complete, navigation.COMPLETION),
        (types.TEXT_DOCUMENT_DEFINITION, navigation.find_definition, None),
        (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, navigation.find_symbols, None),
        (types.TEXT_DOCUMENT_REFERENCES, navigation.find_references, None),
        (types.TEXT_DOCUMENT_PREPARE_RENAME, navigation.prepare_rename, None),
        (types.TEXT_DOCUMENT_RENAME, navigation.rename, types.RenameOptions(prepare_provider=True)),
    ):
        server.feature(name, options)(bind_handler(server, handler))
    return server


def bind_handler(server: Server, handler: Any) -> Any:
    """Return a handler of one message for a server. Exceptions are answered without texts that may quote a document."""
    # These must be done in the order of arrival.
    if handler in (Server.initialize, did_open, did_change, did_close, shutdown):

        def now(params: Any) -> None:
            handler(server, params)

        return now

    async def later(params: Any) -> Any:
        try:
            return await handler(server, params)
        except UrlscanError as error:
            raise JsonRpcInternalError(str(error)) from None
        except Exception as error:
            raise JsonRpcInternalError(internal_error(error)) from None

    return later


# --- the session


async def initialized(server: Server, _params: types.InitializedParams) -> None:
    """Ask for what could not be asked before: the settings, and reports of changed files."""
    await server.watch()
    await server.load_settings()


def shutdown(server: Server, _params: None) -> None:
    """End all checks."""
    server.session.end()


async def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Apply changed settings of the editor."""
    await server.load_settings(params.settings)


async def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Check again after files have changed."""
    paths = [path_of(change.uri) or "" for change in params.changes]
    server.check_again(reload=any(map(is_configuration, paths)))


async def did_change_folders(server: Server, _params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Apply changed workspace folders."""
    server.set_folders()
    server.check_again(reload=True)
    await server.load_settings()


# --- documents


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Check a document that was opened."""
    item = params.text_document
    path, contents = path_of(item.uri), server.contents(item.uri)
    if path is not None and contents is not None:
        server.session.open(item.uri, path, item.language_id, *contents)


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Check a document that was edited."""
    contents = server.contents(params.text_document.uri)
    if contents is not None:
        server.session.change(params.text_document.uri, *contents)


async def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Check again: what was saved may be large, a configuration, or the target of references."""
    uri = params.text_document.uri
    server.session.save(uri)
    server.check_again(reload=is_configuration(path_of(uri) or ""))


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document, and remove its diagnostics."""
    uri = params.text_document.uri
    server.session.close(uri)
    if not server.pulls:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


async def diagnostic(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """Return the diagnostics of a document; those of a large document stay as they are until it is saved."""
    document, previous = await server.session.document(params.text_document.uri), params.previous_result_id
    number, items = previous, list[types.Diagnostic]()
    if document is not None:
        number = str(document.check)
    if number is not None and number == previous:
        return types.RelatedUnchangedDocumentDiagnosticReport(number)
    if document is not None:
        items = server.diagnostics(document)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=number)


async def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the fixes and suppressions for a range."""
    document = await server.session.document(params.text_document.uri)
    if document is None:
        return []
    offer = server.offer(document, params)
    offered = []
    for action in actions.actions_of(document, offer):
        # One after the other, so that the request can be canceled, and other documents are checked in between.
        if not offer.needs_edit(action):
            offered.append(action)
        elif (complete := await server.session.run(actions.resolved, document, action)).edit is not None:
            offered.append(complete)
    return offered


async def code_action_resolve(server: Server, params: types.CodeAction) -> types.CodeAction:
    """Return a code action with its edit."""
    if not isinstance(params.data, dict) or not isinstance(uri := params.data.get("uri"), str):
        return params
    document = await server.session.document(uri)
    if document is None:
        return params
    return await server.session.run(actions.resolved, document, params)


async def document_link(server: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
    """Return the links of a document."""
    document = await server.session.document(params.text_document.uri)
    if document is None or not server.session.projects.settings_of(document.buffer.path).document_links:
        return []
    return await server.session.run(server.links, document)


async def did_rename_files(server: Server, params: types.RenameFilesParams) -> None:
    """Check again after files have been renamed."""
    server.check_again(reload=any(is_configuration(path_of(file.new_uri) or "") for file in params.files))


def serve(stdin: BinaryIO, stdout: BinaryIO) -> bool:
    """Answer the editor at the other end of two streams until it ends; return whether it ended the session in order."""
    server = create_server()
    try:
        server.start_io(stdin, stdout)
    finally:
        server.session.end()
    return bool(server.protocol._shutdown)
