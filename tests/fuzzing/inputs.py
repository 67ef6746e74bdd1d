"""Inputs of the fuzzer: conversion of bytes to texts, the vocabulary of each target, and seeds from real documents."""

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.strategies import PIECES
from urlscan.documents import KINDS
from urlscan.documents.identify import identify

# The first byte of an input determines how the others are decoded.
RAW, TOKENS = 0, 1
# Bytes below represent a token or an ASCII character; higher bytes begin any other character.
LAST_TOKEN = 0xF8
_SEED_LENGTH = 300
_SEEDS_PER_TARGET = 300
# Larger files are not read for seeds.
_LARGEST_FILE = 1 << 20

_URLS = ["http://h.example/a", "http://h.example/?a=1&b=2", "a.html", "../b#c", "mailto:jo@h.example", "x", " ", "\n"]
HTML = [
    *_URLS, "<a href=", "<a href=\"", "<a href='", "\"", "'", ">", "/>", "<", "</a>", "<img src=", "<IMG SRC=\"",
    "<p>", "<p ", "</p>", "<!--", "-->", "--!>", "<!-->", "<!--->", "--", "!", "<!DOCTYPE html>", "<?", "?>", "</",
    "<script>", "</script>", "<script ", "<style>", "</style>", "<title>", "</title>", "<textarea>", "</textarea>",
    "<xmp>", "</xmp>", "<iframe>", "</iframe>", "<noembed>", "</noembed>", "<noframes>", "</noframes>",
    "<plaintext>", "<svg>", "<math>", "<br/", "<area href=x ", "<form action=", "<video poster=",
    "<blockquote cite=", "<object data=", "<img srcset=\"", "<img srcset=", ",", " 2x,", " 100w ", "ping=", "href",
    "href =", "= ", "title=\"", "title=", "alt='", "class=a ", "&amp;", "&lt;", "&quot;", "&#39;", "&#x41;",
    "&#128;", "&#0;", "&copy;", "&amp", "&copy", "&notin;", "&", ";", "=", "/", "\t", "\r\n", "\f", "\0", "中", "é",
    "`", "text", "B", "<b>", "</b>", "<td background=", "xlink:href=", "<meta http-equiv=refresh content=\"",
    "0; url=", "0;", "javascript:x", "data:,x", "(", ")",
]  # fmt: skip
XML = [
    *_URLS, "<a href=\"x.html\"/>", "<a href='y.html'>b</a>", "<a href=\"", "\"/>", "'/>", "\">", "</a>", "<b>",
    "</b>", "<b/>", "<img src = \"", "\" />", "<title>", "</title>", "<script>", "</script>", "<script/>",
    "<style>", "</style>", "<textarea>", "</textarea>", "<!--", "-->", "-", ">", "<![CDATA[", "]]>", "<?x ", "?>",
    "&amp;", "&lt;", "&#39;", "&#x41;", "&quot;", "&gt;", "=", "'", "\t", "\r\n", "中", "é", "xlink:href=\"",
    "<x:a href=\"z\">", "</x:a>", "cite=\"", "data='", "<iframe src=\"i\">", "</iframe>", "word", "]]", "(", ")",
    ",", ";", "/", " title=\"", " b=\"c\"", "<d e=\"<", "\" f='g'>", "</d>",
]  # fmt: skip
MARKDOWN = [
    *_URLS, "[", "]", "](", "](<", ")", ">)", "(", "[a](", "[a](x)", "![a](y)", "![", "[a]: z", "\n[b]: <",
    "\n\n[c]: ", " \"t\"", " 't'", " (t)", "\"", "'", "`", "``", "`c`", "\n```\n", "\n~~~\n", "```", "\n\n",
    "\n    ", "\n\n    ", "\t", "\n- ", "\n1. ", "\n> ", "\n>", "\n  ", "\n# ", "\n***\n", "\n---\n", "\n===\n",
    "\\", "\\(", "\\[", "\\]", "\\`", "\\\\", "&amp;", "&#40;", "*", "_", "**", "<b>", "</b>", "<b title=\"",
    "<http://h.example/b>", "<!--", "-->", "<", ">", "!", "[^1]", "[a][b]", "[a][]", "word", "中", "é", "|",
    "\n| a | b |\n|---|---|\n| ", ":", "\r\n", "{", "}", "%20", "a b", "\n\n- ", "\n\n1) ", "\n   ", "     ",
]  # fmt: skip
RST = [
    *_URLS, "`", "``", "`a <", ">`_", ">`__", "`a <x.html>`_", "`<y.html>`__", "\n\n.. _b: ", "\n\n.. _c: z.html",
    "\n\n.. __: ", "\n\n__ ", "\n\n", "\n\n.. image:: ", "\n\n.. figure:: ", "\n\n.. image:: i.png\n   :target: ",
    "\n   ", "\n    ", "::\n\n", "::", "\n\n.. code::\n\n   ", "\n\n.. note:: ", "\n\n.. note::\n\n   ", "\\",
    "\\ ", "\\_", "\\<", "_", "__", "*", "**", "*a*", ":ref:`", ":code:`", "|", "|a|", "\n\n.. |s| image:: ",
    "\n- ", "\n* ", "\n1. ", "\n=====\n", "\n-----\n", "Title\n=====\n\n", "\n| ", "\n>>> ", "\n\n  ", "word ", "a",
    "<", ">", "(", ")", "[", "]", "[1]_", "\n\n.. [1] ", "\n\n.. ", "\n\n..\n", ":a: ", "\n:b: ", "\t", "\"", "'",
    ":", ".", ",", "é", "中", "a b", "\n+---+\n", "c_", "`d`_", "\n\n.. _`e f`: ", "\n\n.. _g\\: h: ",
    "http://h.example/b_",
]  # fmt: skip
ASCIIDOC = [
    "http://h.example/a", "a http://h.example/?a=1&b=2[", "a.html", "../b#c", "mailto:jo@h.example", "x", " ", "\n",
    "a link:a.html[", "a link:../b#c[d]", "a link:http://h.example/e[f]", "[", "]", "[a]", "a image:b.png[]",
    "\n\nimage::c.png[]\n\n", "\n\nimage::c.png[d, e=\"f\"]\n\n", "a http://h.example/a[b]",
    "a mailto:jo@h.example[Jo]", "a xref:d.adoc[e]", "a xref:d.adoc#f[g\nh]", "<<", ">>", "<<a,b>>", "\n----\n",
    "\n....\n", "\n====\n", "\n****\n", "\n____\n", "\n////\n", "\n// ", "//", "\n-----\n", "```", "\n```\n",
    "\n--\n", "a `", "` ", "a `c` ", "a ``", "\n\n", "\n* ", "\n** ", "\n. ", "\n== ", "\n|===\n", "\n|", "|", "\\",
    "a \\link:a.html[", "a \\http://h.example/a[", "<", ">", "\"", "'", "(", ")", "*", "_", " *", "* ", "{a}",
    "\n:a: b\n", ",", ";", ".", "word ", "é", "中", "::", " ::\n", "\na:: ", "\n+\n", "a \"http://h.example/a[b]\"",
    "\n\nTitle\n-----\n\n", "\nTitle\n~~~~~\n",
]  # fmt: skip
MAIL = [
    "http://b.example/1", "http://b.example/2?x=1&y=2", "<http://b.example/\n3>", " ", "\n", "\n\n", "\r\n",
    "\r\n\r\n", "\t", "word", "é", "=", "=\n", "=3D", "=20", "--", "MIME-Version: 1.0\n",
    "Content-Type: text/plain\n", "Content-Type: text/plain; charset=utf-8\n",
    "Content-Type: text/plain;\n charset=\"iso-8859-1\"\n", "Content-Type: text/html\n",
    "Content-Type: multipart/mixed; boundary=b\n\n", "Content-Type: multipart/alternative;\n boundary=\"c\"\n\n",
    "Content-Type: message/rfc822\n\n", "Content-Type: application/octet-stream\n", "Content-Type: image/png\n",
    "Content-Type: ", "Content-Disposition: attachment; filename=a.txt\n", "Content-Transfer-Encoding: base64\n\n",
    "Content-Transfer-Encoding: quoted-printable\n\n", "Content-Transfer-Encoding: 8bit\n\n",
    "Content-Transfer-Encoding: x-uuencode\n\n", "\n--b\n", "\n--b--\n", "\n--c\n", "\n--c--\n", "\n--b \n",
    "--b\n", "--b--\n", "--c--\n", "aHR0cDovL2IuZXhhbXBsZS80\n", "aHR0cDovL2IuZXhhbXBsZS81IGEg", "Cg==\n", "!",
    "Subject: s\n", "From: jo@h.example\n", "X: y\n z\n", ": ", "\n ", "From ",
    "From jo@h.example Thu Aug 22 18:26:25 2002\n", ">From ", "begin 644 a.txt\n", "http://b.exam=\nple/6",
    "http:=2F/b.example/7", "\f", "\x0b", "\x1c", "\x85",
]  # fmt: skip
VOCABULARY = {"html": HTML, "xml": XML, "markdown": MARKDOWN, "rst": RST, "asciidoc": ASCIIDOC, "mail": MAIL}
ANY = list(dict.fromkeys([*PIECES, *HTML, *MARKDOWN, *RST]))[:LAST_TOKEN]


def text_of(data: bytes, tokens: list[str]) -> str:
    """Decode an input: as UTF-8, or as one token per byte if the first byte is odd."""
    if not data or not data[0] & 1:
        return data[1:].decode("utf-8", "surrogateescape")
    parts, at = [], 1
    while at < len(data):
        byte = data[at]
        at += 1
        if byte < len(tokens):
            parts.append(tokens[byte])
        elif byte < LAST_TOKEN:
            parts.append(chr(32 + (byte - len(tokens)) % 95))
        else:
            parts.append(chr(int.from_bytes(data[at : at + 3], "little") % 0x110000))
            at += 3
    return "".join(parts)


def bytes_of(data: bytes, tokens: list[str]) -> bytes:
    """Return the bytes of a source that an input represents."""
    if not data or not data[0] & 1:
        return data[1:]
    return text_of(data, tokens).encode("utf-8", "surrogatepass")


def dictionary(tokens: list[str]) -> str:
    """Return the tokens as a libFuzzer dictionary, for inputs in UTF-8."""
    lines = []
    for token in tokens:
        encoded = token.encode("utf-8", "surrogatepass")
        if 1 < len(encoded) < 60:
            lines.append('"' + "".join(f"\\x{byte:02X}" for byte in encoded) + '"')
    return "\n".join(lines) + "\n"


def seeds(kinds: tuple[str, ...], folders: list[Path], prefix: bytes, tokens: int) -> Iterator[bytes]:
    """Yield excerpts of files of some kinds, and sequences of tokens, in a random but reproducible selection.

    Args:
        kinds: the kinds of the files; any if empty.
        folders: where to look for files; cases in TOML files of the project's corpus are texts.
        prefix: the first bytes of each input.
        tokens: the number of tokens in the vocabulary of the target.
    """
    rng = random.Random(0)
    found = []
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            found += _excerpts(path, kinds, rng)
    for excerpt in rng.sample(found, min(len(found), _SEEDS_PER_TARGET)):
        yield prefix + bytes([RAW]) + excerpt
    for _ in range(_SEEDS_PER_TARGET):
        length = rng.randrange(2, 25)
        yield prefix + bytes([TOKENS, *(rng.randrange(tokens) for _ in range(length))])


def _excerpts(path: Path, kinds: tuple[str, ...], rng: random.Random) -> list[bytes]:
    if path.stat().st_size > _LARGEST_FILE:
        return []
    data = path.read_bytes()
    if path.suffix == ".toml":
        cases = tomllib.loads(data.decode()).get("case", [])
        cases = [case for case in cases if "text" in case]
        texts = [case["text"] for case in cases if not kinds or identify(case.get("path", "a.txt"), "") in kinds]
        return [text.replace("⟦", "").replace("⟧", "").encode("utf-8", "surrogatepass") for text in texts]
    kind = identify(path.name, data[:1024].decode("latin-1"))
    if kinds and kind not in kinds:
        return []
    starts = [rng.randrange(max(len(data) - _SEED_LENGTH, 1)) for _ in range(2)]
    starts += [max(data.find(b"http", start) - 60, 0) for start in starts]
    starts = starts if kind not in ("mail", "mbox") else [0]
    return [data[start : start + _SEED_LENGTH] for start in starts]


ALL_KINDS = tuple(KINDS)
