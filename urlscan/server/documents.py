"""Open documents in the workspace of pygls, with exact line ends and fast edits."""

from lsprotocol import types
from pygls.workspace import PositionCodec, TextDocument, Workspace

from urlscan.server.text import Text


class OpenDocument(TextDocument):
    """A document whose lines end as the protocol defines, and not where `str.splitlines` ends them."""

    def __init__(self, uri: str, source: str | None, version: int | None, language: str | None, encoding: str) -> None:
        codec = PositionCodec(encoding=encoding)
        super().__init__(uri, source, version, language, position_codec=codec)
        self.contents = Text(source or "", encoding)
        self.is_open = source is not None

    @property
    def source(self) -> str:
        """The text."""
        return self.contents.source

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply a change that the editor reports."""
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            self.contents = self.contents.replaced(
                (start.line, start.character), (end.line, end.character), change.text
            )
        else:
            self.contents = Text(change.text, self.contents.encoding)


class OpenWorkspace(Workspace):
    """A workspace whose documents are of this class."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        encoding = str(getattr(self.position_encoding, "value", self.position_encoding) or "utf-16")
        return OpenDocument(doc_uri, source, version, language_id, encoding)
