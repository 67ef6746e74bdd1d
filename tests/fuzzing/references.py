"""Read documents with reference implementations: the links of a document, or the text of the parts of a message.

A reference returns the links in document order. It raises `SetAside` if the input is not suitable: a message that
`email` calls defective, or a document that docutils rejects.
"""

import atexit
import contextlib
import functools
import html
import io
import json
import re
import subprocess
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

from urlscan.documents.html_skip import PROGRAM
from urlscan.documents.vocabularies import SOURCE_SETS, URL_LISTS, is_url_attribute

_IS_PROGRAM = re.compile(rf"\s*{PROGRAM}")
_WHITE_SPACE = re.compile(r"[ \t\r\n\f]+")


class SetAside(Exception):  # noqa: N818
    """Raised if two readers cannot be compared on an input; the argument is the reason."""


def html_links(text: str) -> list[str]:
    """Return the URLs in the attributes of an HTML page, as read by lxml (libxml2)."""
    from lxml import etree

    target = _Attributes()
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    parser.feed(text.encode("utf-8", "replace"))
    with contextlib.suppress(etree.XMLSyntaxError):  # an empty document
        parser.close()
    return target.links


def xml_links(text: str) -> list[str]:
    """Return the URLs in the attributes of an XML document, as read by lxml."""
    from lxml import etree

    target = _Attributes()
    parser = etree.XMLParser(target=target, resolve_entities="internal", no_network=True, load_dtd=False)
    try:
        parser.feed(text.encode("utf-8", "replace"))
        parser.close()
    except etree.XMLSyntaxError:
        raise SetAside("not well-formed") from None
    return target.links


def _urls(name: str, value: str) -> list[str]:
    """Return the URLs in the value of an attribute of one or more."""
    if name in SOURCE_SETS:
        return list(srcset(value))
    return value.split() if name in URL_LISTS else [value]


class _Attributes:
    """A parser target that collects the URLs of attributes."""

    def __init__(self) -> None:
        self.links: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        names = {_local(name): value for name, value in attributes.items()}
        refreshes = tag.lower() == "meta" and names.get("http-equiv", "").lower() == "refresh"
        for name, value in names.items():
            if is_url_attribute(tag, name, "html"):
                for one in _urls(name, value):
                    self._add(one)
            elif name == "content" and refreshes and (url := refresh(value)) is not None:
                self._add(url)

    def end(self, tag: str) -> None: ...

    def data(self, data: str) -> None: ...

    def comment(self, text: str) -> None: ...

    def close(self) -> None: ...

    def _add(self, value: str) -> None:
        value = value.strip(" \t\r\n\f")
        if value and _IS_PROGRAM.match(value) is None:
            self.links.append(value)


def _local(name: str) -> str:
    return name.replace("{http://www.w3.org/1999/xlink}", "xlink:").lower()


def srcset(value: str) -> Iterator[str]:
    """Yield the URLs of a `srcset` attribute (HTML standard, "parse a srcset attribute")."""
    at = 0
    while (match := re.compile(r"[ \t\r\n\f,]*([^ \t\r\n\f]+)").match(value, at)) is not None:
        url, at = match[1], match.end()
        if url.endswith(","):
            yield url.rstrip(",")
            continue
        yield url
        at = re.compile(r"(?:[^,(]|\([^)]*(?:\)|\Z))*").match(value, at).end()


def refresh(value: str) -> str | None:
    """Return the URL of a `refresh` (HTML standard, "shared declarative refresh steps")."""
    match = re.match(
        r"[ \t\r\n\f]*(?:[0-9]+[0-9.]*|(?=\.)[0-9.]+)(?:[ \t\r\n\f]*[;,]|[ \t\r\n\f])[ \t\r\n\f]*(.+)", value, re.DOTALL
    )
    if match is None:
        return None
    url = re.sub(r"\A[uU][rR][lL][ \t\r\n\f]*=[ \t\r\n\f]*", "", match[1])
    if url[:1] in ("'", '"'):
        url = url[1:].partition(url[0])[0]
    return url


@functools.cache
def _commonmark() -> object:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
    parser.normalizeLink = lambda url: url
    parser.validateLink = lambda url: True
    return parser


def markdown_links(text: str) -> list[str]:
    """Return the distinct destinations of links, images and definitions, as read by markdown-it-py."""
    environment: dict[str, object] = {}
    links = []
    work = list(_commonmark().parse(text, environment))
    while work:
        token = work.pop()
        work += token.children or []
        if token.type == "link_open" and token.markup != "autolink":
            links.append(str(token.attrs["href"]))
        elif token.type == "image":
            links.append(str(token.attrs["src"]))
        elif token.type in ("html_block", "html_inline"):
            links += html_links(token.content)
    definitions = [*environment.get("references", {}).values(), *environment.get("duplicate_refs", ())]
    links += [definition["href"] for definition in definitions]
    return sorted({link for link in links if link})


def rst_links(text: str) -> list[str]:
    """Return the distinct URIs of targets, embedded URIs and images, as read by docutils."""
    import docutils.nodes
    import docutils.utils
    from docutils.parsers.rst import Parser

    settings = _docutils_settings()
    document = docutils.utils.new_document("", settings)
    document.reporter.stream = document.reporter.stream.__class__(destination=io.StringIO())
    Parser().parse(text, document)
    if any(message["level"] > 1 for message in document.findall(docutils.nodes.system_message)):
        raise SetAside("docutils reports a problem")
    links = []
    for node in document.findall():
        if isinstance(node, docutils.nodes.target) and node.get("refuri"):
            links.append(node["refuri"])
        elif isinstance(node, docutils.nodes.image):
            links.append(node["uri"])
        elif isinstance(node, docutils.nodes.reference) and node.get("refuri") and not _is_standalone(node):
            links.append(node["refuri"])
    return sorted({link for link in links if link})


def _is_standalone(node: object) -> bool:
    """Return whether a reference is a standalone URL in the text."""
    return "name" not in node.attributes and not any(child.tagname == "image" for child in node.children)


@functools.cache
def _docutils_settings() -> object:
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    settings = get_default_settings(Parser)
    settings.report_level = 1
    settings.halt_level = 5
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.warning_stream = io.StringIO()
    return settings


def asciidoc_links(text: str) -> list[str]:
    """Return the distinct targets of link and image macros, as converted by Asciidoctor."""
    answer = _asciidoctor().ask(text)
    if "error" in answer:
        raise SetAside("Asciidoctor fails")
    if answer["warnings"]:
        raise SetAside("Asciidoctor reports a problem")
    links = []
    for tag in re.finditer(r"<(a|img)\b([^<>]*)>", answer["html"]):
        attributes = dict(re.findall(r'([a-z]+)="([^"]*)"', tag[2]))
        url = html.unescape(attributes.get("href") or attributes.get("src") or "")
        if url and "bare" not in attributes.get("class", "").split() and not url.startswith("#"):
            links.append(url)
    return sorted(set(links))


class _Asciidoctor:
    """Asciidoctor.js in a separate process: each document and each answer is one line of JSON."""

    def __init__(self) -> None:
        program = Path(__file__).with_name("asciidoctor.mjs")
        self._process = subprocess.Popen(["node", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self._process.kill)

    def ask(self, text: str) -> dict[str, str]:
        self._process.stdin.write(json.dumps(text).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@functools.cache
def _asciidoctor() -> _Asciidoctor:
    return _Asciidoctor()


def mail_texts(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each text part of a message, as read by `email`."""
    import email
    import email.policy

    message = email.message_from_bytes(data, policy=email.policy.compat32)
    for part in message.walk():
        _check_defects(part)
        for around in (part.preamble, part.epilogue):
            yield "plain", around or ""
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        _check_defects(part)  # checks the defects found while decoding
        coding = str(part["Content-Transfer-Encoding"]).lower()
        if "uue" in coding and payload in (b"", part._payload.encode("utf-8", "surrogateescape")):
            raise SetAside("email cannot decode the part")
        kind = _kind_of_part(part, is_encoded=coding not in ("none", "7bit", "8bit", "binary"), payload=payload)
        if not kind:
            continue
        try:
            yield kind, payload.decode(part.get_content_charset("utf-8"))
        except (LookupError, UnicodeDecodeError):
            raise SetAside("invalid in its charset") from None


def _check_defects(part: Message) -> None:
    if part.defects:
        raise SetAside(f"email reports {type(part.defects[0]).__name__}")


def _kind_of_part(part: Message, *, is_encoded: bool, payload: bytes) -> str:
    """Return the documented kind of a part, or "" if it is not text."""
    type = part.get_content_type()
    if re.fullmatch(r"[!-.0-~]+/[!-.0-~]+", type) is None:
        raise SetAside("invalid media type")
    if type in ("text/plain", "text/html"):
        return type.removeprefix("text/")
    if type.startswith("text/"):
        raise SetAside("other kinds of text have rules of their own")
    if part.get_filename():
        raise SetAside("the kind of a file depends on its name")
    # An ASCII part without a transfer encoding is read as plain text, whatever its type.
    return "plain" if not is_encoded and payload.isascii() else ""
