"""Compare the links that urlscan reads in documents with those of a reference parser for each kind.

usage: python benchmarks/destinations.py PATH...

For each HTML file below the paths, compare the values of URL attributes with the tree of lxml; for each Markdown file,
the destinations with those of markdown-it-py; for each reStructuredText file, the targets, embedded URIs and images
with those of docutils (`pip install lxml markdown-it-py docutils`).  Print missed and invented links by file, and the
rate.  Meta refresh and style sheets, which lxml does not parse, are excluded; each destination counts once per file.
"""

import pathlib
import re
import sys
import time

from urlscan.documents import read_documents
from urlscan.documents.identify import identify

# Attributes with one URL as value in the tree of lxml.
ATTRIBUTES = frozenset(
    "action archive background cite classid codebase data formaction href icon itemid itemtype longdesc manifest"
    " poster profile src usemap".split()
)
# Values that lxml does not parse.
ELSEWHERE = re.compile(r"(?i)http-equiv|url\(|srcset|ping=")
PROGRAM = re.compile(r"\s*(?:javascript|vbscript|about|blob):", re.IGNORECASE)


def of_lxml(text: str) -> set[str]:
    """Return the URLs of the attributes in lxml's tree, stripped."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except etree.ParserError:  # not an element
        return set()
    values = (
        value.strip(" \t\r\n\f")
        for element in tree.iter()
        if isinstance(element.tag, str)
        for name, value in element.attrib.items()
        if name.lower() in ATTRIBUTES
    )
    return {value for value in values if value and not PROGRAM.match(value)}


def of_markdown_it(text: str) -> set[str]:
    """Return the destinations of links, images and definitions, and the URLs of raw HTML."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    reader.normalizeLink = lambda url: url
    reader.validateLink = lambda _: True
    environment: dict[str, dict[str, dict[str, str]]] = {}
    found: set[str] = set()
    tokens = reader.parse(text, environment)
    while tokens:
        token = tokens.pop()
        tokens += token.children or []
        if token.type == "link_open" and token.markup != "autolink":
            found.add(str(token.attrs["href"]))
        elif token.type == "image":
            found.add(str(token.attrs["src"]))
        elif token.type in ("html_inline", "html_block"):
            found |= of_urlscan(token.content.encode("utf-8", "surrogateescape"), "html")[0]
    return {url for url in found | {link["href"] for link in environment.get("references", {}).values()} if url}


def of_docutils(text: str) -> set[str]:
    """Return the URIs of targets, embedded URIs and images; roles that docutils does not know are read as text."""
    from docutils import frontend, nodes, utils
    from docutils.parsers.rst import Parser, roles

    def role(*arguments: str, **_: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
        return [nodes.literal(*arguments[1:3])], []

    for name in set(re.findall(r":([\w:+-]+):`", text)) - {"code", "math", "raw"}:
        roles.register_local_role(name, role)
    settings = frontend.get_default_settings(Parser)
    settings.report_level, settings.halt_level = 5, 6
    settings.file_insertion_enabled = settings.raw_enabled = False
    document = utils.new_document("-", settings)
    Parser().parse(text, document)
    found = {node["refuri"] for node in document.findall(nodes.target) if node.get("refuri")}
    found |= {n["refuri"] for n in document.findall(nodes.reference) if n.get("refuri") and n.rawsource[:1] == "`"}
    return found | {node["uri"] for node in document.findall(nodes.image)}


def of_urlscan(data: bytes, kind: str) -> tuple[set[str], str]:
    """Return the links that urlscan reads, and the text of the document."""
    (document,) = read_documents(data, kind=kind)
    return {document.text[start:end] for start, end in document.links}, document.decoded


def main(paths: list[str]) -> int:
    """Compare, print the differences, and return 1 if there are any."""
    named = map(pathlib.Path, paths)
    files = [file for path in named for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    differs = False
    for kind, reader in (("html", of_lxml), ("markdown", of_markdown_it), ("rst", of_docutils)):
        total = missed = invented = size = 0
        spent = 0.0
        for file in files:
            if identify(file.name) != kind or not file.is_file():
                continue
            data = file.read_bytes()
            begin = time.perf_counter()
            ours, document = of_urlscan(data, kind)
            spent += time.perf_counter() - begin
            size += len(data)
            theirs = reader(document)
            less, more = theirs - ours, ours - theirs
            if kind == "html" and ELSEWHERE.search(document):
                more = set()
            total, missed, invented = total + len(theirs), missed + len(less), invented + len(more)
            for what, urls in (("missed", less), ("invented", more)):
                for url in sorted(urls):
                    print(f"{file}: {what} {url}")
        rate = f", {size / 1e6 / spent:.1f} MB/s" if spent else ""
        print(f"{kind}: {total} destinations, {missed} missed, {invented} invented, {size / 1e6:.2f} MB{rate}")
        differs = differs or bool(missed or invented)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
