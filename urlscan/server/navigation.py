"""Completion, definitions, references and renames: what leads from one document to another."""

from itertools import islice
from typing import NamedTuple

from lsprotocol import types
from pygls.uris import from_fs_path

from urlscan import UrlscanError
from urlscan.api.completion import MOST, Completion, completions
from urlscan.api.references import Destination, OpenTree, follow, full_path, label_definition, link_at, referrers
from urlscan.api.renames import HeadingText, heading_edits, heading_in_line, outline
from urlscan.server.app import Server
from urlscan.server.diagnostics import range_of
from urlscan.server.text import Text

COMPLETION = types.CompletionOptions(trigger_characters=["(", "[", "/", "#", "<", '"'], resolve_provider=False)
_KINDS = {
    "file": types.CompletionItemKind.File,
    "directory": types.CompletionItemKind.Folder,
    "anchor": types.CompletionItemKind.Reference,
    "label": types.CompletionItemKind.Reference,
}


class _Cursor(NamedTuple):
    """A position in an open document.

    Attributes:
        tree: the trees of its project.
        path: its absolute path.
        kind: its kind.
        text: its text.
        offset: the position, in characters.
    """

    tree: OpenTree
    path: str
    kind: str
    text: Text
    offset: int

    def definition(self) -> Destination | None:
        """Return where the link leads to that holds the position; None without one, or if its target is missing."""
        location = self.tree.location(self.path)
        if location is None or (link := link_at(self.text.source, self.kind, self.offset)) is None:
            return None
        leads_to = follow(self.tree, location, link.path, link.fragment)
        if leads_to is None or leads_to.state != "file" or not (link.path or leads_to.line):
            return None
        return leads_to

    def heading(self) -> Destination | None:
        """Return the heading in the line of the position, or None."""
        line = self.text.position(self.offset)[0] + 1
        if heading_in_line(self.text.source, self.kind, line) is None:
            return None
        return Destination(self.path, "", line)


def _cursor(server: Server, uri: str, position: types.Position) -> _Cursor | None:
    """Return a position in an open document; None in one that has no file or is large."""
    opened = server.session.buffer(uri)
    if opened is None:
        return None
    buffer, text = opened
    tree = server.session.projects.tree_of(buffer.path)
    kind = buffer.kind_of(text.source)
    return _Cursor(tree, buffer.path, kind, text, text.offset(position.line, position.character))


async def complete(server: Server, params: types.CompletionParams) -> types.CompletionList | None:
    """Return the paths and fragments that may follow in a link."""
    cursor = _cursor(server, params.text_document.uri, params.position)
    if cursor is None:
        return None

    def search() -> list[Completion]:
        location = cursor.tree.location(cursor.path)
        if location is None:
            return []
        return list(
            islice(completions(cursor.tree, location, cursor.text.source, cursor.kind, cursor.offset), MOST + 1)
        )

    choices = await server.session.run(search)
    items = [
        types.CompletionItem(
            label=choice.label,
            kind=_KINDS[choice.kind],
            detail=f"line {choice.line}" if choice.line else None,
            # Anchors in the order of the document, files by name.
            sort_text=f"{choice.line:09}{choice.label}",
            filter_text=choice.text,
            text_edit=types.TextEdit(range_of(cursor.text, choice.start, choice.end), choice.text),
        )
        for choice in choices[:MOST]
    ]
    return types.CompletionList(is_incomplete=len(choices) > MOST, items=items)


async def find_definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    """Return the file, the heading or the definition of a label that a link leads to."""
    cursor = _cursor(server, params.text_document.uri, params.position)
    if cursor is None:
        return None
    leads_to = await server.session.run(cursor.definition)
    if leads_to is not None:
        start = types.Position(max(leads_to.line - 1, 0), 0)
        return types.Location(from_fs_path(leads_to.path), types.Range(start, start))
    span = await server.session.run(label_definition, cursor.text.source, cursor.kind, cursor.offset)
    if span is None:
        return None
    return types.Location(params.text_document.uri, range_of(cursor.text, *span))


async def find_references(server: Server, params: types.ReferenceParams) -> list[types.Location]:
    """Return the links to the heading in a line, to the target of the link at a position, or else to the document."""
    cursor = _cursor(server, params.text_document.uri, params.position)
    if cursor is None:
        return []
    target = await server.session.run(cursor.definition) or cursor.heading() or Destination(cursor.path, "")
    locations = []
    if params.context.include_declaration and target.line:
        start = types.Position(target.line - 1, 0)
        locations.append(types.Location(from_fs_path(target.path), types.Range(start, start)))
    for referrer in await server.session.run_each(referrers(cursor.tree, target)):
        uri, text = server.text_of(referrer.path, referrer.text)
        locations += [types.Location(uri, range_of(text, link.start, link.end)) for link in referrer.links]
    return locations


async def find_symbols(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """Return the headings of a document, each with those below it."""
    cursor = _cursor(server, params.text_document.uri, types.Position(0, 0))
    if cursor is None:
        return []
    text = cursor.text
    headings = await server.session.run(lambda: list(outline(text.source, cursor.kind)))
    roots: list[types.DocumentSymbol] = []
    above: list[tuple[int, int, types.DocumentSymbol, list[types.DocumentSymbol]]] = []
    for level, heading in [*headings, (0, HeadingText(len(text.source), len(text.source), ""))]:
        while above and above[-1][0] >= level:
            _, start, symbol, _ = above.pop()
            symbol.range = range_of(text, start, heading.start)
        if level:
            span, children = range_of(text, heading.start, heading.end), list[types.DocumentSymbol]()
            name = text.source[heading.start : heading.end]
            symbol = types.DocumentSymbol(name, types.SymbolKind.String, span, span, children=children)
            siblings = roots
            if above:
                siblings = above[-1][3]
            siblings.append(symbol)
            above.append((level, heading.start, symbol, children))
    return roots


async def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
    """Return the span of the heading, or of the fragment that leads to it, and its text; None for anything else."""
    cursor = _cursor(server, params.text_document.uri, params.position)
    if cursor is None:
        return None
    return await server.session.run(_renamed_span, cursor)


def _renamed_span(cursor: _Cursor) -> types.PrepareRenamePlaceholder | None:
    link = link_at(cursor.text.source, cursor.kind, cursor.offset)
    target = cursor.definition() if link is not None else cursor.heading()
    location = cursor.tree.location(target.path) if target is not None and target.line else None
    if target is None or location is None:
        return None
    text = cursor.text.source
    if full_path(location) != cursor.path:
        text = cursor.tree.read(location) or ""
    heading = heading_in_line(text, cursor.tree.kind(location, text), target.line)
    if heading is None:
        return None
    span = link.fragment_span if link is not None else (heading.start, heading.end)
    return types.PrepareRenamePlaceholder(range_of(cursor.text, *span), text[heading.start : heading.end])


async def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Return the edits that rename a heading, and the fragments that lead to headings of its document."""
    cursor = _cursor(server, params.text_document.uri, params.position)
    if cursor is None:
        return None
    link = await server.session.run(link_at, cursor.text.source, cursor.kind, cursor.offset)
    target = await server.session.run(cursor.definition) if link is not None else cursor.heading()
    if target is None or not target.line:
        raise UrlscanError("no heading that can be renamed")
    return server.workspace_edit(await server.session.run_each(heading_edits(cursor.tree, target, params.new_name)))
