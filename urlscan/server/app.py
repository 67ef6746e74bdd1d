"""The language server: the requests and notifications of the protocol, answered by a session."""

import os
from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from urlscan import UrlscanError, __version__
from urlscan.api.buffers import NAMES, UNSAVED, Url
from urlscan.api.references import Destination, destination
from urlscan.api.renames import DocumentEdits, Rename, reference_edits
from urlscan.server.actions import CheckedDocument, Offer
from urlscan.server.diagnostics import diagnostics_of, range_of
from urlscan.server.documents import OpenDocument, OpenWorkspace
from urlscan.server.hover import hover_text
from urlscan.server.session import Session
from urlscan.server.settings import SECTION, EditorSettings, read_settings
from urlscan.server.text import Text

# Files whose changes matter: configurations, and the documents that references lead to.
_WATCHED = (f"**/{{{','.join(NAMES)}}}", "**/*.{md,markdown,mdx,rst,adoc,asciidoc,org,ipynb,html,htm}")
_MOST_LINKS = 20_000


class Server(LanguageServer):
    """The server of one editor.

    Attributes:
        session: the open documents.
    """

    def __init__(self) -> None:
        super().__init__("urlscan", __version__)
        self.session = Session(self._publish)
        self._shown: set[str] = set()
        self._initial: Any = None

    # --- what the editor can do

    def can(self, *names: str) -> Any:
        """Return a capability of the editor by its path, or None."""
        value: Any = self.client_capabilities
        for name in names:
            value = getattr(value, name, None)
        return value

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for diagnostics; otherwise the server sends them."""
        return self.can("text_document", "diagnostic") is not None

    # --- what the server sends

    def _publish(self, document: CheckedDocument) -> None:
        """Send the diagnostics of a document to an editor that does not ask for them."""
        if document.analysis.error:
            self.show(document.analysis.error)
        if not self.pulls:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, self.diagnostics(document), document.version)
            )

    def diagnostics(self, document: CheckedDocument) -> list[types.Diagnostic]:
        """Return the diagnostics of a document."""
        capability = "publish_diagnostics"
        if self.pulls:
            capability = "diagnostic"
        related = self.can("text_document", capability, "related_information")
        return diagnostics_of(document.analysis, document.text, document.uri, related=bool(related))

    def refresh(self) -> None:
        """Tell an editor that asks for diagnostics to ask for those of all documents again."""
        if self.pulls and self.can("workspace", "diagnostics", "refresh_support"):
            self.workspace_diagnostic_refresh(None)

    def show(self, message: str) -> None:
        """Show an error message, once until the configuration changes."""
        if message not in self._shown:
            self._shown.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"urlscan: {message}"))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log the type of an exception; its message may quote a document."""
        name = type(error.__cause__ or error).__name__
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"urlscan: internal error: {name}"))

    # --- settings

    def initialize(self, params: types.InitializeParams) -> None:
        """Read the settings and folders of the editor."""
        workspace = self.protocol.workspace
        folders = params.workspace_folders or []
        self.protocol._workspace = OpenWorkspace(
            workspace.root_uri, self._text_document_sync_kind, folders, workspace.position_encoding
        )
        self._initial = params.initialization_options
        self.set_folders()
        self._apply({"": self._initial})

    def set_folders(self) -> None:
        """Read the workspace folders."""
        paths = [to_fs_path(uri) for uri in self._folder_uris()]
        self.session.projects.set_folders(tuple(os.path.normpath(path) for path in paths if path))

    def _folder_uris(self) -> list[str]:
        uris = [folder.uri for folder in self.workspace.folders.values()]
        return uris or [*filter(None, [self.workspace.root_uri])]

    def _apply(self, values: dict[str, Any]) -> None:
        settings: dict[str, EditorSettings] = {}
        self._shown.clear()
        for folder, value in values.items():
            if value is None:
                value = self._initial
            settings[folder], messages = read_settings(value)
            for message in messages:
                self.show(message)
        self.session.projects.set_settings(settings)
        for folder in ("", *values):
            if error := self.session.projects.of(os.path.join(folder, "x")).error:
                self.show(error)

    async def load_settings(self, pushed: Any = None) -> None:
        """Read the settings again, from the editor if it can be asked; check all documents if they have changed."""
        before = self.session.projects.generation
        if self.can("workspace", "configuration"):
            uris = self._folder_uris()
            items = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for uri in [*uris, None]]
            answers = await self.workspace_configuration_async(types.ConfigurationParams(items))
            paths = [os.path.normpath(to_fs_path(uri) or "") for uri in uris]
            self._apply(dict(zip([*paths, ""], answers, strict=False)))
        elif pushed is not None:
            self._apply({"": pushed})
        if self.session.projects.generation != before:
            self.check_again(reload=True)

    def check_again(self, *, reload: bool = False) -> None:
        """Check the documents again, because files have changed; with `reload`, the configuration or the settings."""
        if reload:
            self._shown.clear()
            self.session.projects.reload()
        else:
            self.session.projects.forget_files()
        self.session.check_again()
        self.refresh()

    async def watch(self) -> None:
        """Ask the editor to report changed files and settings."""
        registrations = []
        if self.can("workspace", "did_change_watched_files", "dynamic_registration"):
            watchers = [types.FileSystemWatcher(glob) for glob in _WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registrations.append(types.Registration("urlscan-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
        if self.can("workspace", "did_change_configuration", "dynamic_registration"):
            registrations.append(types.Registration("urlscan-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION))
        if registrations:
            await self.client_register_capability_async(types.RegistrationParams(registrations))

    # --- documents

    def contents(self, uri: str) -> tuple[int | None, Text] | None:
        """Return version and text of an open document; None if it is not open."""
        document = self.workspace.get_text_document(uri)
        if not isinstance(document, OpenDocument) or not document.is_open:
            return None
        return document.version, document.contents

    def _destinations(self, document: CheckedDocument) -> Callable[[Url], Destination | None]:
        """Return a function that returns where a relative reference of a document leads to."""
        path = document.buffer.path
        tree = self.session.projects.tree_of(path)
        location = tree.location(path) if path != UNSAVED else None

        def follow(url: Url) -> Destination | None:
            occurrence = url.occurrence
            if occurrence.scheme or occurrence.template or occurrence.assumed:
                return None
            return destination(tree, location, occurrence.url)

        return follow

    def links(self, document: CheckedDocument) -> list[types.DocumentLink]:
        """Return the links of a document."""
        links: list[types.DocumentLink] = []
        try:
            follow = self._destinations(document)
        except UrlscanError:  # reported by the check
            return links
        for url in document.analysis.urls[:_MOST_LINKS]:
            target, tooltip = url.address, url.occurrence.url
            if (leads_to := follow(url)) is not None:
                target, tooltip = _address(leads_to), leads_to.name
            if target is not None:
                links += [types.DocumentLink(range_of(document.text, *piece), target, tooltip) for piece in url.pieces]
        return links

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Return what is shown about the URL at a position."""
        document = await self.session.document(params.text_document.uri)
        if document is None:
            return None
        url = document.analysis.url_at(document.text.offset(params.position.line, params.position.character))
        if url is None:
            return None
        formats = self.can("text_document", "hover", "content_format") or []
        kind = types.MarkupKind.PlainText
        if types.MarkupKind.Markdown in formats:
            kind = types.MarkupKind.Markdown

        def make() -> str:
            profile = document.buffer.configuration.of(document.buffer.path).settings.profile
            leads_to = self._destinations(document)(url)
            return hover_text(document.analysis, url, leads_to, profile, kind)

        text = await self.session.run(make)
        span = range_of(document.text, url.occurrence.outer_start, url.occurrence.outer_end)
        return types.Hover(types.MarkupContent(kind, text), span)

    def offer(self, document: CheckedDocument, params: types.CodeActionParams) -> Offer:
        """Return what the editor asks for in a request for code actions."""
        start, end = params.range.start, params.range.end
        resolve = self.can("text_document", "code_action", "resolve_support", "properties") or ()
        return Offer(
            document.text.offset(start.line, start.character),
            document.text.offset(end.line, end.character),
            tuple(str(getattr(kind, "value", kind)) for kind in params.context.only or ()),
            "edit" in resolve,
            self.session.projects.settings_of(document.buffer.path).unsafe_fixes,
        )

    async def reference_edits(self, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        """Return the edits that keep references working when files are renamed; None if nothing refers to them."""
        renames = []
        for file in params.files:
            old, new = to_fs_path(file.old_uri), to_fs_path(file.new_uri)
            if old and new and self.session.projects.settings_of(old).update_references:
                renames.append(Rename(os.path.normpath(old), os.path.normpath(new)))
        if not renames:
            return None
        self.session.projects.forget_files()
        tree = self.session.projects.tree_of(renames[0].old)
        return self.workspace_edit(await self.session.run_each(reference_edits(renames, tree)))

    def workspace_edit(self, documents: list[DocumentEdits]) -> types.WorkspaceEdit | None:
        """Return the edits of some documents; None without any."""
        changes = {}
        for document in documents:
            uri, text = self.text_of(document.path, document.text)
            changes[uri] = [types.TextEdit(range_of(text, start, end), new) for start, end, new in document.edits]
        if not changes:
            return None
        return types.WorkspaceEdit(changes=changes)

    def text_of(self, path: str, text: str) -> tuple[str, Text]:
        """Return the address of a document, and its text with positions: that of the editor if it is open there."""
        uri, opened = self.session.open_text(path) or (from_fs_path(path), None)
        if opened is not None and opened.source is text:
            return uri, opened
        encoding = self.workspace.position_encoding
        return uri, Text(text, str(getattr(encoding, "value", encoding) or "utf-16"))


def _address(leads_to: Destination) -> str | None:
    """Return the address of a file, with the line of an anchor in the form that editors understand."""
    if leads_to.state == "missing":
        return None
    uri: str | None = from_fs_path(leads_to.path)
    if uri and leads_to.line:
        return f"{uri}#L{leads_to.line}"
    return uri


def path_of(uri: str) -> str | None:
    """Return the absolute path of a document; "-" for one that has no file yet; None for one that is not checked.

    Editors show other documents, such as old versions of files, under schemes of their own.
    """
    scheme = uri.partition(":")[0].lower()
    if scheme == "untitled":
        return UNSAVED
    if scheme != "file" or not (path := to_fs_path(uri)):
        return None
    return os.path.normpath(path)
