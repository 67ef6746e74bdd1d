"""Completion, definitions, references and renames over the wire, and the work that they take."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

types = pytest.importorskip("lsprotocol.types")

from pygls.exceptions import JsonRpcException  # noqa: E402

from tests.linear_time import assert_linear  # noqa: E402
from tests.server.client import Editor, editor  # noqa: E402
from urlscan.api import references  # noqa: E402
from urlscan.api.completion import MOST, completions  # noqa: E402
from urlscan.api.references import Destination, OpenTree, links_of, referrers  # noqa: E402
from urlscan.api.renames import HeadingText, heading_edits, heading_in_line, outline  # noqa: E402
from urlscan.config import Configuration  # noqa: E402
from urlscan.core.errors import UrlscanError  # noqa: E402
from urlscan.pipeline.targets import Targets  # noqa: E402

REQUESTS: dict[str, Any] = {
    "completion": types.CompletionParams,
    "definition": types.DefinitionParams,
    "references": types.ReferenceParams,
    "prepareRename": types.PrepareRenameParams,
    "rename": types.RenameParams,
}
FILES = {
    "README.md": "# Top\n\n[a](docs/a.md#first-part) [t](#top) [lab][] [n](none.md)\n\n[lab]: docs/a.md#second\n",
    "docs/a.md": "# A\n\n## First part\n\n[up](../README.md#top)\n\nSecond\n------\n\n[s](#second)\n",
    "docs/b.rst": "Title\n=====\n\n`a <a.md#first-part>`_ and :ref:`lab`\n\n.. _lab:\n\nOther\n-----\n",
    "docs/c.adoc": "= C\n\n== Sub part\n\n<<_sub_part>> link:a.md#first-part[x] xref:b.rst[y]\n",
    "docs/d.html": '<h2 id="x">X</h2><a href="a.md#first-part">a</a> <a href="#x">x</a>\n',
    "docs/other.txt": "",
    "docs/sub dir/e.md": "# E\n",
    ".gitignore": "ignored.md\n",
    "docs/ignored.md": "# I\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("objects", "refs"):
        (tmp_path / ".git" / name).mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def position(text: str, marked: str) -> "types.Position":
    """Return the position of "|" in a part of a text, without the "|"."""
    offset = text.index(marked.replace("|", "")) + marked.index("|")
    return types.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1)


class Reader:
    """An editor with the tree, and requests for marked positions in its documents."""

    def __init__(self, client: Editor, tree: Path) -> None:
        self._client, self._tree = client, tree

    def open(self, name: str, text: str | None = None) -> str:
        """Open a document and return its address."""
        return self._client.open(self._tree / name, FILES[name] if text is None else text, "markdown")

    async def ask(self, method: str, uri: str, marked: str, **more: Any) -> Any:
        """Return the answer to a request about a marked position."""
        identifier = types.TextDocumentIdentifier(uri)
        params = REQUESTS[method](text_document=identifier, position=position(self._client.texts[uri], marked), **more)
        return await self.request(method, params)

    async def request(self, method: str, params: Any) -> Any:
        """Return the answer to a request."""
        return await asyncio.wait_for(self._client.protocol.send_request_async(f"textDocument/{method}", params), 60)

    async def completed(self, name: str, before: str) -> list[tuple[str, str]]:
        """Return the labels and the texts that may follow a text at the end of a document."""
        text = FILES.get(name, "") + before
        uri = self.open(name, text)
        answer = await self.ask("completion", uri, text + "|")
        return [(item.label, item.text_edit.new_text) for item in sorted(answer.items, key=lambda item: item.sort_text)]

    async def lead(self, uri: str, marked: str) -> str | None:
        """Return where the definition of a marked position is."""
        location = await self.ask("definition", uri, marked)
        return location and self._name(location)

    async def refer(self, uri: str, marked: str, *, declaration: bool = False) -> list[str]:
        """Return the references to what is at a marked position."""
        context = types.ReferenceContext(declaration)
        return sorted(map(self._name, await self.ask("references", uri, marked, context=context)))

    async def rename(self, uri: str, marked: str, new: str) -> dict[str, str]:
        """Return the texts that change when a heading is renamed, by path."""
        edit = await self.ask("rename", uri, marked, new_name=new)
        changed = {}
        for other, edits in edit.changes.items():
            name = str(Path(other.removeprefix("file://")).relative_to(self._tree))
            lines = self._client.texts.get(other, FILES[name]).split("\n")
            for item in sorted(edits, key=lambda item: (item.range.start.line, item.range.start.character))[::-1]:
                start, end = item.range.start, item.range.end
                line = lines[start.line]
                lines[start.line] = line[: start.character] + item.new_text + line[end.character :]
            changed[name] = "\n".join(lines)
        return changed

    def _name(self, location: Any) -> str:
        start = location.range.start
        name = Path(location.uri.removeprefix("file://").replace("%20", " ")).relative_to(self._tree)
        return f"{name}:{start.line + 1}:{start.character + 1}"


def with_reader(tree: Path, scenario: Any) -> None:
    """Run a scenario with an editor."""

    async def run() -> None:
        async with editor(tree) as client:
            await scenario(Reader(client, tree))

    asyncio.run(run())


def test_paths_and_anchors_are_completed_in_links_of_each_kind(tree: Path) -> None:
    async def scenario(reader: Reader) -> None:
        assert await reader.completed("README.md", "[x](do") == [("docs/", "docs/")]
        entries = [("a.md", "a.md"), ("b.rst", "b.rst"), ("c.adoc", "c.adoc"), ("d.html", "d.html")]
        entries += [("other.txt", "other.txt"), ("sub dir/", "sub%20dir/")]
        assert await reader.completed("README.md", "[x](docs/") == entries
        assert await reader.completed("README.md", "[x]: docs/sub%20dir/") == [("e.md", "e.md")]
        anchors = [("a", "a"), ("first-part", "first-part"), ("second", "second")]
        assert await reader.completed("README.md", "[x](docs/a.md#") == anchors
        assert await reader.completed("README.md", "[x](#t") == [("top", "top")]
        assert await reader.completed("README.md", "[x][l") == [("lab", "lab")]
        assert ("a.md", "a.md") in await reader.completed("docs/b.rst", "\n`x <")
        assert ("other", "other") in await reader.completed("docs/b.rst", "\n`x <#")
        assert ("_sub_part", "_sub_part") in await reader.completed("docs/c.adoc", "<<")
        assert ("first-part", "first-part") in await reader.completed("docs/c.adoc", "link:a.md#")
        assert await reader.completed("docs/d.html", '<a href="#') == [("x", "x")]

    with_reader(tree, scenario)


def test_nothing_is_completed_outside_of_links_and_trees(tree: Path) -> None:
    async def scenario(reader: Reader) -> None:
        for text in (
            "docs/",
            "f(docs/",
            "[x] docs/",
            "[x](../../",
            "[x](http://h.example/",
            "[x](none.md#",
            "[x](%ff/",
        ):
            assert await reader.completed("README.md", text) == []

    with_reader(tree, scenario)


def test_a_link_leads_to_its_file_heading_or_label(tree: Path) -> None:
    async def scenario(reader: Reader) -> None:
        readme, page = reader.open("README.md"), reader.open("docs/c.adoc")
        assert await reader.lead(readme, "docs/|a.md#first") == "docs/a.md:3:1"
        assert await reader.lead(readme, "(#t|op)") == "README.md:1:1"
        assert await reader.lead(readme, "[l|ab][]") == "README.md:5:2"
        assert await reader.lead(readme, "none|.md") is None
        assert await reader.lead(readme, "# T|op") is None
        assert await reader.lead(page, "_sub|_part>>") == "docs/c.adoc:3:1"
        assert await reader.lead(page, "b|.rst") == "docs/b.rst:1:1"
        reader.open("docs/a.md", "\n\n\n" + FILES["docs/a.md"])
        assert await reader.lead(readme, "docs/|a.md#first") == "docs/a.md:6:1"

    with_reader(tree, scenario)


def test_references_to_a_heading_and_to_a_file_are_listed(tree: Path) -> None:
    async def scenario(reader: Reader) -> None:
        page, readme = reader.open("docs/a.md"), reader.open("README.md")
        first = ["README.md:3:5", "docs/b.rst:4:5", "docs/c.adoc:5:20", "docs/d.html:1:27"]
        assert await reader.refer(page, "## First p|art") == first
        assert await reader.refer(readme, "docs/a.md#first|") == first
        assert await reader.refer(page, "## First p|art", declaration=True) == [first[0], "docs/a.md:3:1", *first[1:]]
        assert await reader.refer(page, "Sec|ond\n") == ["README.md:5:8", "docs/a.md:10:5"]
        # A line without a heading or link: the document.
        assert await reader.refer(page, "|\n## First") == sorted([*first, "README.md:5:8", "docs/a.md:10:5"])

    with_reader(tree, scenario)


def test_renaming_a_heading_updates_the_fragments(tree: Path) -> None:
    async def scenario(reader: Reader) -> None:
        page, readme, rst = reader.open("docs/a.md"), reader.open("README.md"), reader.open("docs/b.rst")
        prepared = await reader.ask("prepareRename", page, "## First p|art")
        assert (prepared.placeholder, prepared.range.start.character) == ("First part", 3)
        changed = await reader.rename(page, "## First p|art", "Début & more")
        assert changed.keys() == {"README.md", "docs/a.md", "docs/b.rst", "docs/c.adoc", "docs/d.html"}
        assert changed["docs/a.md"] == FILES["docs/a.md"].replace("First part", "Début & more")
        assert changed["README.md"] == FILES["README.md"].replace("#first-part", "#début--more")
        # From a link, and over an underline.
        prepared = await reader.ask("prepareRename", readme, "docs/a.md#sec|ond")
        assert (prepared.placeholder, prepared.range.start.character) == ("Second", 17)
        changed = await reader.rename(readme, "docs/a.md#sec|ond", "Third")
        assert changed["docs/a.md"] == FILES["docs/a.md"].replace("Second", "Third").replace("#second", "#third")
        assert changed["README.md"] == FILES["README.md"].replace("#second", "#third")
        changed = await reader.rename(rst, "Oth|er", "A longer title")
        assert changed == {"docs/b.rst": FILES["docs/b.rst"].replace("Other\n-----", "A longer title\n" + "-" * 14)}
        for marked in ("|\n.. _lab", "`a <a.md#first-part>`_ an|d"):
            assert await reader.ask("prepareRename", rst, marked) is None

    with_reader(tree, scenario)


def test_what_cannot_be_renamed_is_an_error_in_one_line(tree: Path) -> None:
    async def scenario(reader: Reader) -> None:
        page = reader.open("docs/a.md")
        for marked, new in (("[u|p]", "x"), ("## First p|art", " "), ("## First p|art", "a\nb")):
            with pytest.raises(JsonRpcException) as caught:
                await reader.rename(page, marked, new)
            assert "\n" not in caught.value.message

    with_reader(tree, scenario)


def open_tree(tree: Path) -> OpenTree:
    configuration = Configuration(isolated=True)
    return OpenTree(Targets(configuration.project_root), configuration, lambda _: None)


def test_the_number_of_a_repeated_heading_follows(tree: Path) -> None:
    text = "# A\n\n# A\n\n# A\n\n[1](#a-1) [2](#a-2) [0](#a)\n"
    (tree / "e.md").write_text(text)
    edits = [edit for edit in heading_edits(open_tree(tree), Destination(str(tree / "e.md"), "", 1), "B") if edit]
    for start, end, new in reversed(edits[0].edits):
        text = text[:start] + new + text[end:]
    assert text == "# B\n\n# A\n\n# A\n\n[1](#a) [2](#a-1) [0](#b)\n"


@pytest.mark.parametrize(
    ("text", "kind", "line", "expected"),
    [
        ("# A b ##\n", "markdown", 1, "A b"),
        ("> ## A {#x}\n", "markdown", 1, "A"),
        ("#A\n", "markdown", 1, None),
        ("A\n\n---\n", "markdown", 1, None),
        ("== A\n", "asciidoc", 1, "A"),
        ("# A\n", "rst", 1, None),
        ("=\nA\n=\n", "rst", 2, "A"),
        ("<h1>A</h1>\n", "html", 1, None),
        ("# A\n", "markdown", 7, None),
        ("# " + "A" * 5_000, "markdown", 1, "A" * 5_000),
        ("# A  #b ## \t{#c} \r", "markdown", 1, "A  #b"),
    ],
)
def test_headings_in_lines(text: str, kind: str, line: int, expected: str | None) -> None:
    heading = heading_in_line(text, kind, line)
    assert (heading and text[heading.start : heading.end]) == expected
    assert heading is None or isinstance(heading, HeadingText)


def test_outline_has_the_headings_below_each_other(tree: Path) -> None:
    texts = {
        "a.md": "Top\n===\n\n## One\n\n### Deep\n\n```\n# no\n```\n\nTwo\n---\n\n# Next\n",
        "a.rst": "===\nTop\n===\n\nOne\n---\n\nDeep\n====\n\nTwo\n---\n",
        "a.adoc": "= Top\n\n== One\n\n=== Deep\n\n== Two\n",
    }

    async def scenario(reader: Reader) -> None:
        for name, text in texts.items():
            uri = reader.open(name, text)
            params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
            top, *rest = await reader.request("documentSymbol", params)
            assert [(one.name, [child.name for child in one.children]) for one in top.children] == [
                ("One", ["Deep"]), ("Two", []),
            ]  # fmt: skip
            assert [one.name for one in rest] == (["Next"] if name == "a.md" else [])
            lines = text.split("\n")
            assert lines[top.children[0].range.end.line].strip() in ("Two", "== Two")

    with_reader(tree, scenario)


def parsed_by(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that receives the number of characters of each text that is parsed."""
    parsed: list[int] = []
    read_text = references.read_text

    def counted(text: str, **options: Any) -> Iterator[Any]:
        parsed.append(len(text))
        return read_text(text, **options)

    monkeypatch.setattr(references, "read_text", counted)
    return parsed


def test_only_documents_that_name_the_file_are_parsed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(300):
        (tree / f"n{number}.md").write_text("[x](y.md) and more\n")
    parsed = parsed_by(monkeypatch)
    steps = list(referrers(open_tree(tree), Destination(str(tree / "docs" / "unmentioned.md"), "")))
    assert len(steps) > 300  # the request can be canceled between the documents
    assert parsed == []


def test_a_search_of_too_much_is_refused(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request reads a limited number of characters, however many documents refer to the file."""
    monkeypatch.setattr(references, "MOST_PARSED", 1_000)
    for number in range(300):
        (tree / f"n{number}.md").write_text("[x](docs/a.md)\n")
    parsed = parsed_by(monkeypatch)
    with pytest.raises(UrlscanError, match="too many documents"):
        list(referrers(open_tree(tree), Destination(str(tree / "docs" / "a.md"), "")))
    assert sum(parsed) <= 1_000


def test_completion_reads_the_end_of_a_line_and_a_limited_number_of_names(tree: Path) -> None:
    names = open_tree(tree)
    location = names.location(str(tree / "README.md"))
    assert location is not None
    text = "[x](" * 500_000
    assert len(list(completions(names, location, text, "markdown", len(text)))) == len(list(tree.iterdir())) - 3
    for number in range(MOST + 200):
        (tree / f"n{number}.md").write_text("")

    async def scenario(reader: Reader) -> None:
        uri = reader.open("README.md", "[x](n")
        answer = await reader.ask("completion", uri, "[x](n|")
        assert (len(answer.items), answer.is_incomplete) == (MOST, True)

    with_reader(tree, scenario)


def test_a_link_in_a_broken_document_is_read_in_linear_time() -> None:
    for text, kind in (("[x](" * 20_000, "markdown"), ("`a <" * 20_000, "rst"), ("<<" * 40_000, "asciidoc")):
        assert list(links_of(text, kind)) == []


@pytest.mark.parametrize("text", ["# a{}b", "# a {}{b}c", "{}\n---", "a\n-{}", "> {}"])
@pytest.mark.parametrize("unit", [" ", " #", " {", "> "])
def test_headings_of_a_long_line_are_read_in_linear_time(text: str, unit: str) -> None:
    def read(size: int) -> None:
        list(outline(text.replace("{}", unit * (size // len(unit))), "markdown"))

    assert_linear(read, 100_000)
