"""Targets of the fuzzer: each tests a property of urlscan, or compares it with another reader.

A check receives the bytes of an input and raises `AssertionError` if the property is violated or the readers disagree.
"""

import contextlib
import io
import json
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple
from unittest import mock

import urlscan
from tests.fuzzing import inputs, references
from tests.fuzzing.differences import reason_to_set_aside
from tests.fuzzing.references import SetAside
from tests.replaced import is_replaced
from urlscan.cli import main
from urlscan.core.document import Document, readable
from urlscan.core.settings import REJOIN, Settings
from urlscan.documents import MAIL, read_documents, read_text
from urlscan.documents.regions import Region
from urlscan.finder import FindOptions, find, find_in_document, scan
from urlscan.formats import FORMATS

# A text of this length, made by repetition, must be scanned in less than this number of seconds.
_LONG = 20_000
_SECONDS = 4.0
_MOST_ALTERNATIVES = 8
_ALL = Settings(select=("ALL",))
_MANY = FindOptions(relative=True, schemeless=True, emails=True, look_alikes=True)
_DOCUMENTS = tuple(kind for kind in inputs.ALL_KINDS if kind not in MAIL)
# Text around an input. HTML drops a tag that is open at the end of the document, but urlscan reads it; this closes it.
_AROUND = {
    "html": ("", "-->\"'>"),
    "xml": ("<r xmlns:x='x' xmlns:xlink='http://www.w3.org/1999/xlink'>", "</r>"),
    "asciidoc": ("a", ""),
}
# Number of inputs that were compared with another reader, and of the others by reason.
COUNTS: Counter[str] = Counter()


class Target(NamedTuple):
    """A target of the fuzzer.

    Attributes:
        check: raises AssertionError if an input violates the property.
        tokens: the vocabulary of its inputs.
        kinds: the kinds of the files that seeds are taken from; any if empty.
        prefix: the first bytes of a seed, before those that `inputs.text_of` reads.
    """

    check: Callable[[bytes], None]
    tokens: list[str]
    kinds: tuple[str, ...] = ()
    prefix: bytes = b""


def check_find(data: bytes) -> None:
    """Check spans, breaks and alternatives of every occurrence, and that both paths of the finder agree."""
    if len(data) < 2:
        return
    mode, text = data[0], inputs.text_of(data[1:], inputs.ANY)
    options = {
        "rejoin": REJOIN[mode % len(REJOIN)], "look_alikes": bool(mode & 4), "schemeless": bool(mode & 8),
        "emails": bool(mode & 16),
    }  # fmt: skip
    found = list(find(text, **options))
    last = 0
    for one in found:
        assert last <= one.outer_start <= one.start < one.end <= one.outer_end, (text, one)
        last = one.outer_end
        assert readable(text[one.start : one.end]) == one.raw, (text, one)
        url, at = "", 0
        for break_ in one.breaks:
            assert break_.length > 0, (text, one)
            url, at = url + one.raw[at : break_.offset], break_.offset + break_.length
        assert url + one.raw[at:] == one.url, (text, one)
        assert len(one.alternatives) <= _MOST_ALTERNATIVES, (text, one)
        assert one.joined == "none" or one.breaks, (text, one)
    assert found == _found_without_fast_path(text, options), text
    if mode == 255:
        _check_time(text, options)


def _found_without_fast_path(text: str, options: dict[str, object]) -> list[object]:
    """Return the occurrences that the finder yields without its fast path."""
    with mock.patch.object(scan, "match_fast", return_value=None):
        return list(find(text, **options))


def _check_time(text: str, options: dict[str, object]) -> None:
    long = text * (_LONG // max(len(text), 1))
    begin = time.process_time()
    for _ in find(long, **options):
        pass
    assert time.process_time() - begin < _SECONDS, text


def check_lint(data: bytes) -> None:
    """Check the spans and fixes of every finding."""
    text = inputs.text_of(data, inputs.ANY)
    for one in urlscan.lint(text, settings=_ALL):
        assert 0 <= one.start <= one.end <= len(text), (text, one)
        assert (one.line, one.column) <= (one.end_line, one.end_column), (text, one)
        last = 0
        for edit in one.fix.edits if one.fix is not None else ():
            assert last <= edit.start <= edit.end <= len(text), (text, one)
            last = edit.end


def check_kinds(data: bytes) -> None:
    """Check that offsets map to the bytes of a source of any kind."""
    if len(data) < 2:
        return
    kind = inputs.ALL_KINDS[data[0] % len(inputs.ALL_KINDS)]
    source = inputs.bytes_of(data[1:], inputs.VOCABULARY.get(kind, inputs.ANY) if kind not in MAIL else inputs.MAIL)
    for document in read_documents(source, kind=kind):
        last = 0
        for scanned in find_in_document(document, _MANY):
            one = scanned
            span = document.to_decoded(one.start, one.end)
            start, end = document.map.to_source(*span)
            assert 0 <= start <= end <= len(source), (kind, source, one)
            if kind not in MAIL:
                assert last <= start, (kind, source, one)
                last = start
                _check_bytes(document, source, kind, one)
            document.lines.position(span[0])
            document.context(one.start, one.end)


def _check_bytes(document: Document, source: bytes, kind: str, one: urlscan.Occurrence) -> None:
    """Check that the bytes of an occurrence decode to it, unless text was replaced."""
    first, last = document.to_decoded(one.start, one.end)
    start, end = document.map.to_source(first, last)
    errors = "surrogateescape" if document.encoding == "utf-8" else "replace"
    decoded = source[start:end].decode(document.encoding or "utf-8", errors)
    if document.whole or errors == "surrogateescape":
        assert decoded == document.decoded[first:last], (kind, source, one)
    if not is_replaced(document, one.start, one.end):
        assert readable(document.decoded[first:last]) == one.raw, (kind, source, one)


def check_line_ends(data: bytes) -> None:
    """Check that a document has the same URLs with LF and with CRLF."""
    if len(data) < 2:
        return
    kind = _DOCUMENTS[data[0] % len(_DOCUMENTS)]
    text = inputs.text_of(data[1:], inputs.VOCABULARY.get(kind, inputs.ANY))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    other = text.replace("\n", "\r\n")
    assert _reported(text, kind) == _reported(other, kind), (kind, text, _reported(text, kind), _reported(other, kind))


def _reported(text: str, kind: str) -> list[tuple[str, str, str]]:
    # A line end within the expression of a template is kept.
    return [
        (one.url.replace("\r\n", "\n"), one.style, one.context) for one in urlscan.scan(text, kind=kind, relative=True)
    ]


def check_fix(data: bytes) -> None:
    """Check that a second run of `check --fix` changes nothing, and that the exit status is right."""
    if len(data) < 2:
        return
    mode = data[0]
    kind, tokens = list(inputs.VOCABULARY.items())[mode % 4]
    source = inputs.bytes_of(data[1:], tokens)
    suffix = {"html": ".html", "xml": ".xml", "markdown": ".md", "rst": ".rst"}[kind]
    options = ["check", "--fix", "--isolated", "-q", "--select", "ALL", *(["--unsafe-fixes"] if mode & 64 else [])]
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = os.path.join(folder, "a" + suffix)
        _write(path, source)
        first = _status([*options, path])
        once = _read(path)
        second = _status([*options, path])
        assert _read(path) == once, (kind, source, once, _read(path))
        assert first[0] in (0, 1), (kind, source, first)
        assert second[0] == first[0], (kind, source, first, second)


def check_command(data: bytes) -> None:
    """Check that both commands accept any bytes without an internal error, and that their output is well-formed."""
    if len(data) < 3:
        return
    mode, kind_byte = data[0], data[1]
    kind = inputs.ALL_KINDS[kind_byte % len(inputs.ALL_KINDS)]
    source = inputs.bytes_of(data[2:], inputs.VOCABULARY.get(kind, inputs.ANY) if kind not in MAIL else inputs.MAIL)
    formats = tuple(FORMATS)
    command = ["check", "--isolated", "--select", "ALL", "--format", formats[(mode >> 1) % len(formats)]]
    if mode & 1:
        command = ["extract", "--isolated", "--format", "jsonl", "--relative", "--schemeless", "--emails"]
    with tempfile.TemporaryDirectory(dir=_memory()) as folder:
        path = os.path.join(folder, "a")
        _write(path, source)
        status, out, err = _status([*command, "--as", kind, path])
    skipped = err.startswith("urlscan: ") and "binary" in err
    assert status in ((0,) if mode & 1 else (0, 1)) or skipped, (command, kind, source, err)
    assert "unexpected" not in err, (command, kind, source, err)
    if command[-1] == "--emails" or "jsonl" in command:
        for line in out.splitlines():
            json.loads(line)
    elif command[-1] in ("json", "sarif", "gitlab", "rdjson") and out.strip():
        json.loads(out)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", out), (command, kind, source, out)


def _memory() -> str | None:
    return "/dev/shm" if os.path.isdir("/dev/shm") else None


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _status(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
        out.flush()
        err.flush()
    return status, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()


def _links(text: str, kind: str, *, exact: bool = False) -> list[str]:
    """Return the links in the markup of a text, as found by the fast reader or by the exact one."""
    if not exact:
        (document,) = read_text(text, kind=kind)
        spans = zip(document.links.starts, document.links.ends, strict=True)
        return [document.text[start:end] for start, end in spans]
    from urlscan.documents.regions import expand_nested, reader_of, set_regions

    reader = _each_tag if kind in ("html", "xml") else reader_of(kind)
    regions = expand_nested(text, reader(text, kind, "exact"), "exact")
    document = set_regions(Document(text, kind=kind), regions)
    spans = zip(document.links.starts, document.links.ends, strict=True)
    return [document.text[start:end] for start, end in spans]


def _each_tag(text: str, kind: str, _scope: str) -> Iterator[Region]:
    """Yield the regions of an HTML or XML document, each tag and each text separately."""
    from urlscan.documents.html import _next

    position = 0
    while position < len(text):
        position = yield from _next(text, position, kind, "text")


def _urls(text: str, kind: str, options: FindOptions | None) -> list[str]:
    """Return the URLs with a scheme, from documents that contain all links or only those with a scheme."""
    (document,) = read_text(text, kind=kind, find_options=options)
    return [one.url for one in find_in_document(document, FindOptions())]


def _comparison(kind: str, reference: Callable[[str], list[str]], *, ordered: bool) -> Callable[[bytes], None]:
    """Return a check that compares the links of a kind with those of a reference.

    Args:
        kind: the kind of the documents.
        reference: returns the links of a document.
        ordered: whether order and number are compared.
    """

    def check(data: bytes) -> None:
        before, after = _AROUND.get(kind, ("", ""))
        compare(before + inputs.text_of(data, inputs.VOCABULARY[kind]) + after)

    def compare(text: str) -> None:
        # A URL never contains NUL; other readers replace or drop it.
        text = text.replace("\0", "").encode("utf-8", "replace").decode()
        actual = _links(text, kind)
        exact = _links(text, kind, exact=True)
        assert actual == exact, (text, actual, exact)
        reason = reason_to_set_aside(kind, text)
        if reason:
            COUNTS[f"set aside: {reason}"] += 1
            return
        every, with_schemes = _urls(text, kind, None), _urls(text, kind, FindOptions())
        assert every == with_schemes, (text, every, with_schemes)
        try:
            expected = reference(text)
        except SetAside as why:
            COUNTS[f"set aside: {why}"] += 1
            return
        COUNTS["compared"] += 1
        COUNTS["links"] += len(expected)
        mine, other = _normal(actual, ordered=ordered), _normal(expected, ordered=ordered)
        assert mine == other, (text, mine, other)

    check.compare = compare  # type: ignore[attr-defined]
    return check


def _normal(links: list[str], *, ordered: bool) -> list[str]:
    """Return links without white space, which readers of URLs ignore or escape."""
    links = [link for link in ("".join(one.replace("\0", "\ufffd").split()) for one in links) if link]
    return links if ordered else sorted(set(links))


def check_mail(data: bytes) -> None:
    """Check that the URLs of a message are those of its parts as decoded by `email`."""
    compare_mail(b"From: jo@h.example\nMIME-Version: 1.0\n" + inputs.bytes_of(data, inputs.MAIL))


def compare_mail(source: bytes) -> None:
    """Compare the URLs in the bodies of a message with those in the text decoded by `email`."""
    actual = set()
    for document in read_documents(source, kind="mail"):
        for one in find_in_document(document, FindOptions()):
            part = document.origin.mail(document.to_source(one.start, one.end)[0]).part
            if part is None or "header:" not in part:
                actual.add(one.url)
    reason = reason_to_set_aside("mail", source.decode("latin-1"))
    if reason:
        COUNTS[f"set aside: {reason}"] += 1
        return
    expected = set()
    try:
        for kind, text in references.mail_texts(source):
            for document in read_text(text, kind=kind):
                expected |= {one.url for one in find_in_document(document, FindOptions())}
    except SetAside as why:
        COUNTS[f"set aside: {why}"] += 1
        return
    COUNTS["compared"] += 1
    COUNTS["links"] += len(expected)
    assert actual == expected, (source, sorted(actual), sorted(expected))


TARGETS = {
    "find": Target(check_find, inputs.ANY, prefix=b"\x1d"),
    "lint": Target(check_lint, inputs.ANY),
    "kinds": Target(check_kinds, inputs.ANY, prefix=b"\x02"),
    "line-ends": Target(check_line_ends, inputs.ANY, prefix=b"\x04"),
    "fix": Target(check_fix, inputs.MARKDOWN, ("markdown", "html", "rst", "xml"), prefix=b"\x02"),
    "command": Target(check_command, inputs.ANY, prefix=b"\x02\x02"),
    "html": Target(_comparison("html", references.html_links, ordered=True), inputs.HTML, ("html",)),
    "xml": Target(_comparison("xml", references.xml_links, ordered=True), inputs.XML, ("xml", "html")),
    "markdown": Target(
        _comparison("markdown", references.markdown_links, ordered=False), inputs.MARKDOWN, ("markdown",)
    ),
    "rst": Target(_comparison("rst", references.rst_links, ordered=False), inputs.RST, ("rst",)),
    "asciidoc": Target(
        _comparison("asciidoc", references.asciidoc_links, ordered=False), inputs.ASCIIDOC, ("asciidoc",)
    ),
    "mail": Target(check_mail, inputs.MAIL, ("mail",)),
}
