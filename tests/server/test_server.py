"""The language server over the wire: a client starts it as an editor does."""

import asyncio
from pathlib import Path

import pytest

types = pytest.importorskip("lsprotocol.types")

from tests.server.client import capabilities, editor  # noqa: E402
from urlscan.core.project import rule_page  # noqa: E402

TEXT = """\
# Notes

See [a](http://h.example/a|b) and <http://www.archive.exam
ple.org/type-
setting.html>.
"""


def codes(diagnostics: list["types.Diagnostic"]) -> list[str]:
    return [str(one.code) for one in diagnostics]


def test_a_document_is_checked_when_it_is_opened_and_edited(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            first, second = await client.diagnostics(uri)
            assert (first.code, first.severity, first.source) == ("U101", types.DiagnosticSeverity.Error, "urlscan")
            assert first.code_description.href == rule_page("U101")
            assert first.range == types.Range(types.Position(2, 26), types.Position(2, 27))
            assert (second.code, second.severity) == ("U601", types.DiagnosticSeverity.Information)
            related = second.related_information[0]
            assert related.message.endswith("http://www.archive.example.org/typesetting.html")
            client.edit(uri, 2, 26, 27, "%7C")
            assert codes(await client.diagnostics(uri)) == ["U601"]
            client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
            await client.until(lambda: not client.published[uri][-1].diagnostics)

    asyncio.run(scenario())


def test_an_editor_that_asks_gets_the_diagnostics(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(pull=True)) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            report = await client.pulled(uri)
            assert codes(report.items) == ["U101", "U601"]
            assert (await client.pulled(uri, report.result_id)).kind == "unchanged"
            client.edit(uri, 2, 26, 27, "%7C")
            assert codes((await client.pulled(uri, report.result_id)).items) == ["U601"]
            assert not client.published

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("offered", "character"), [((), 22), (("utf-16",), 22), (("utf-8", "utf-16"), 24), (("utf-32",), 21)]
)
def test_positions_are_in_the_encoding_of_the_editor(tmp_path: Path, offered: tuple[str, ...], character: int) -> None:
    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(encodings=offered)) as client:
            uri = client.open(tmp_path / "a.txt", "\U0001f600 <http://h.example/a|b>\n", "plaintext")
            (found,) = await client.diagnostics(uri)
            assert found.range.start.character == character

    asyncio.run(scenario())


def test_fixes_are_offered_and_applied(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.md", TEXT + "\n[c](http://h.example/c|d) http://h.example/%zz.\n")
            found = await client.diagnostics(uri)
            actions = await client.actions(uri, found[0])
            fix = actions[0]
            assert (fix.title, fix.kind, fix.is_preferred) == (
                "urlscan: write %7C (unsafe-character)", "quickfix", True,
            )  # fmt: skip
            assert [one.kind for one in actions if str(one.kind).startswith("source")] == [
                "source.fixAll.urlscan", "source.urlscan.fixAllUnsafe",
            ]  # fmt: skip
            client.apply((await client.code_action_resolve_async(fix)).edit)
            assert "a%7Cb" in client.texts[uri]
            (unsafe,) = [one for one in await client.actions(uri, found[-1], ["quickfix"]) if "ignore" not in one.title]
            assert unsafe.title.endswith("(unsafe: may change the meaning)")
            assert not unsafe.is_preferred
            # As when the document is saved: the edit must come with the action.
            (all_fixes,) = await client.actions(uri, found[0], ["source.fixAll"])
            client.apply(all_fixes.edit)
            assert "a%7Cb" in client.texts[uri]
            assert "c%7Cd" in client.texts[uri]
            assert codes(await client.diagnostics(uri)) == ["U601", "U201"]

    asyncio.run(scenario())


def test_a_finding_is_suppressed_by_a_comment(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.py", 'A = 1\nURL = "ftp://jo:x1y2z3@files.corp.net/"\n', "python")
            found = await client.diagnostics(uri)
            (action,) = [one for one in await client.actions(uri, found[0]) if "ignore U301" in one.title]
            assert action.edit is None
            client.apply((await client.code_action_resolve_async(action)).edit)
            assert "# urlscan: ignore[U301]" in client.texts[uri]
            assert await client.diagnostics(uri) == []

    asyncio.run(scenario())


def test_hover_shows_the_whole_url_and_no_password(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(
                tmp_path / "a.md", TEXT + "\nftp://jo:x1y2z3@files.corp.net/\n[a](./x/ftp://jo:x1y2z3@h/)\n"
            )
            shown = await client.hover(uri, 4, 3)
            assert shown.startswith("`http://www.archive.example.org/type-setting.html`\n\nrejoined over 2 line breaks")
            assert "| host | `www.archive.example.org` |" in shown
            secret = await client.hover(uri, 6, 20)
            assert "`ftp://jo:***@files.corp.net/`" in secret
            relative = await client.hover(uri, 7, 6)
            assert "leads to `x/ftp:/jo:***@h (no such file)`" in relative
            assert "x1y2z3" not in secret + relative
            assert await client.hover(uri, 0, 1) is None

    asyncio.run(scenario())


def test_links_open_broken_urls_and_the_lines_of_anchors(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# One\n\n## Two\n")

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            text = TEXT + "[b](b.md#two) [c](missing.md) <command:x.y> ftp://jo:x1y2z3@files.corp.net/\n"
            uri = client.open(tmp_path / "a.md", text)
            links = [(one.range.start.line, one.target) for one in await client.links(uri)]
            whole = "http://www.archive.example.org/type-setting.html"
            b = (tmp_path / "b.md").as_uri() + "#L3"
            assert links == [(2, "http://h.example/a|b"), (2, whole), (3, whole), (4, whole), (5, b)]

    asyncio.run(scenario())


def test_references_see_unsaved_documents(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "b.md").write_text("# One\n")

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.md", "[b](b.md#two)\n")
            assert codes(await client.diagnostics(uri)) == ["U911"]
            client.open(tmp_path / "b.md", "# One\n\n# Two\n")
            client.edit(uri, 0, 1, 2, "two")
            assert codes(await client.diagnostics(uri)) == []

    asyncio.run(scenario())


def test_references_follow_a_renamed_file(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text("[up](../README.md)\n")
    (tmp_path / "README.md").write_text("[guide](docs/guide.md#a) [other](docs/other.md)\n")

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "README.md", "[guide](docs/guide.md#a) and <./docs/guide.md>\n")
            await client.diagnostics(uri)
            old, new = (tmp_path / "docs" / "guide.md").as_uri(), (tmp_path / "manual" / "en" / "intro.md").as_uri()
            edit = await client.workspace_will_rename_files_async(types.RenameFilesParams([types.FileRename(old, new)]))
            assert {one: [(e.range.start.line, e.new_text) for e in edits] for one, edits in edit.changes.items()} == {
                uri: [(0, "manual/en/intro.md")],
                old: [(0, "../../README.md")],
            }

    asyncio.run(scenario())


def test_configuration_files_apply_and_are_read_again(tmp_path: Path) -> None:
    config = tmp_path / "urlscan.toml"
    config.write_text('ignore = ["U601"]\n')

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            assert codes(await client.diagnostics(uri)) == ["U101"]
            config.write_text('ignore = ["U101"]\n')
            change = types.FileEvent(config.as_uri(), types.FileChangeType.Changed)
            client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
            await client.until(lambda: client.codes(uri) == ["U601"])
            config.write_text('ignor = ["U101"]\n')
            client.text_document_did_save(
                types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(config.as_uri()))
            )
            await client.until(lambda: not client.published[uri][-1].diagnostics)
            assert [one for one in client.messages if 'did you mean "ignore"?' in one]
            assert [one.method for one in client.registered] == ["workspace/didChangeWatchedFiles"]

    asyncio.run(scenario())


def test_settings_of_the_editor_take_precedence_in_each_folder(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()

    async def scenario() -> None:
        async with editor(one, other, settings={"ignore": ["U601"]}) as client:
            client.settings[other.as_uri()] = {"select": ["U601"], "unsafeFixes": None, "nonsense": 1}
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
            await asyncio.sleep(0)
            first, second = client.open(one / "a.md", TEXT), client.open(other / "a.md", TEXT)
            await client.until(lambda: client.codes(first) == ["U101"] and client.codes(second) == ["U601"])
            assert [text for text in client.messages if 'unknown key "nonsense"' in text]
            client.settings = {"": {"enable": False}}
            client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
            await client.until(lambda: not client.published[first][-1].diagnostics)

    asyncio.run(scenario())


def test_a_document_without_a_file_is_checked_by_its_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open("untitled:Untitled-1", "[a](http://h.example/a|b) [b](b.md)\n", "markdown")
            assert codes(await client.diagnostics(uri)) == ["U101"]
            assert (await client.actions(uri, (await client.diagnostics(uri))[0]))[0].is_preferred

    asyncio.run(scenario())


def test_mail_is_checked(tmp_path: Path) -> None:
    mail = "Subject: \u00e9\nContent-Type: text/plain; charset=utf-8\n\nSee \u00e9 <http://h.example/a|b>.\n"

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.eml", mail, "eml")
            (found,) = await client.diagnostics(uri)
            assert (found.code, found.range.start) == ("U101", types.Position(3, 25))

    asyncio.run(scenario())


def test_edits_in_quick_succession_are_checked_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            await client.diagnostics(uri)
            for number in range(3):
                client.edit(uri, 0, number, number, "x")
            assert codes(await client.diagnostics(uri)) == ["U101", "U601"]
            assert [one.version for one in client.published[uri]] == [1, 4]

    asyncio.run(scenario())


LARGE = "word " * 450_000 + "\n\n<http://h.example/a|b>\n"


def test_a_large_document_is_checked_when_it_is_saved(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "large.txt", LARGE, "plaintext")
            client.edit(uri, 0, 0, 0, "x")
            assert await client.links(uri) == []
            other = client.open(tmp_path / "a.md", TEXT)
            assert codes(await client.diagnostics(other)) == ["U101", "U601"]
            assert uri not in client.published
            client.save(uri)
            assert codes(await client.diagnostics(uri)) == ["U101"]
            assert [one.target for one in await client.links(uri)] == ["http://h.example/a|b"]
            client.edit(uri, 0, 0, 1, "")
            assert await client.links(uri) == []
            assert [one.version for one in client.published[uri]] == [2]

    asyncio.run(scenario())


def test_an_editor_that_asks_keeps_the_diagnostics_of_a_large_document_until_it_is_saved(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(pull=True)) as client:
            uri = client.open(tmp_path / "large.txt", LARGE, "plaintext")
            assert codes((await client.pulled(uri)).items) == []
            client.save(uri)
            report = await client.pulled(uri)
            assert codes(report.items) == ["U101"]
            client.edit(uri, 2, 0, 1, "")
            assert (await client.pulled(uri, report.result_id)).kind == "unchanged"

    asyncio.run(scenario())


def test_an_editor_that_asks_learns_that_a_target_has_changed(tmp_path: Path) -> None:
    """The version of the document is the same, the diagnostics are not."""
    (tmp_path / ".git").mkdir()

    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(pull=True)) as client:
            uri = client.open(tmp_path / "a.md", "[b](b.md)\n")
            report = await client.pulled(uri)
            assert codes(report.items) == ["U912"]
            (tmp_path / "b.md").write_text("# One\n")
            client.save((tmp_path / "b.md").as_uri())
            assert codes((await client.pulled(uri, report.result_id)).items) == []

    asyncio.run(scenario())


def test_an_editor_with_few_capabilities_gets_complete_actions(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path, can=capabilities(more=False)) as client:
            uri = client.open(tmp_path / "a.md", TEXT)
            found = await client.diagnostics(uri)
            assert not any(one.related_information for one in found)
            assert all(one.edit is not None for one in await client.actions(uri, found[0]))
            assert (await client.hover(uri, 4, 3)).startswith("http://www.archive.example.org/type-setting.html\n")

    asyncio.run(scenario())


def test_relative_references_below_a_base_are_no_links(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("<p>")

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open(tmp_path / "a.html", '<a href="b.html">', "html")
            assert [one.target for one in await client.links(uri)] == [(tmp_path / "b.html").as_uri()]
            client.replace(uri, '<base href="http://h.example/"><a href="b.html">')
            assert [one.target for one in await client.links(uri)] == ["http://h.example/"]

    asyncio.run(scenario())


def test_a_document_of_a_foreign_scheme_is_not_checked(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with editor(tmp_path) as client:
            uri = client.open("git:/a.md?HEAD", TEXT)
            assert await client.hover(uri, 4, 3) is None
            assert await client.links(uri) == []
            assert not client.published

    asyncio.run(scenario())


def test_excluded_files_and_test_data_are_treated_as_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "urlscan.toml").write_text('exclude = ["old/"]\n')

    async def scenario() -> None:
        async with editor(tmp_path) as client:
            text = TEXT + "ftp://jo:x1y2z3@files.corp.net/\n"
            excluded = client.open(tmp_path / "old" / "a.md", text)
            data = client.open(tmp_path / "tests" / "data" / "a.md", text)
            assert codes(await client.diagnostics(excluded)) == []
            assert codes(await client.diagnostics(data)) == ["U301"]

    asyncio.run(scenario())
