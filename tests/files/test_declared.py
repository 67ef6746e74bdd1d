"""Test how the declared encoding of a source is found and used."""

import pytest

from urlscan.documents import read_documents
from urlscan.files.decode import declared, decode


@pytest.mark.parametrize(
    ("data", "kind", "name"),
    [
        (b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<a/>', "xml", "iso-8859-1"),
        (b"<?xml version='1.0' encoding='koi8-r'?>\n<a/>", "html", "koi8-r"),
        (b'<html><head><meta charset="windows-1251">', "html", "windows-1251"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "html", "iso-8859-2"),
        (b"# -*- coding: latin-1 -*-\n", "plain", "latin-1"),
        (b"#!/bin/sh\n# -*- coding: latin-1-unix -*-\n", "plain", "latin-1"),
        (b"# coding=cp1252\n", "plain", "cp1252"),
        (b";; -*- mode: lisp; coding: iso-8859-15 -*-\n", "plain", "iso-8859-15"),
        (b"a\nb\nc\nd\ne\nf\n# vim: set fenc=latin1 :\n", "plain", "latin1"),
        (b"/* vim: set fileencoding=cp1250: */\n", "plain", "cp1250"),
    ],
)
def test_declaration_is_found(data, kind, name):
    assert declared(data, kind) == name


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"a text", "plain"),
        (b'write <meta charset="koi8-r"> here', "plain"),
        (b'<?xml version="1.0"?>', "xml"),
        (b"\n\n# coding: latin-1\n", "plain"),
        (b"the coding: latin-1 is old\n", "plain"),
        (b"a\n" * 10 + b"# vim: fenc=latin1\n" + b"b\n" * 10, "plain"),
        (b" " * 2000 + b"<meta charset=koi8-r>", "html"),
    ],
)
def test_other_text_is_not_a_declaration(data, kind):
    assert declared(data, kind) == ""


def test_byte_order_mark_and_argument_override_a_declaration():
    data = '<meta charset="koi8-r">при'.encode("koi8-r")
    assert decode(data, None, "html").text.endswith("при")
    assert decode(data, "latin-1", "html").encoding == "iso8859-1"
    assert decode(b"\xef\xbb\xbf" + '<meta charset="koi8-r">é'.encode(), None, "html").text.endswith("é")


@pytest.mark.parametrize("name", ["utf-16", "nonsense", "idna", "utf-8"])
def test_impossible_declaration_is_ignored(name):
    data = f'<meta charset="{name}">é'.encode()
    assert decode(data, None, "html").encoding == "utf-8"


def test_offsets_refer_to_the_encoded_bytes():
    data = '<?xml version="1.0" encoding="iso-8859-1"?><p>é http://h.example/ü|</p>'.encode("latin-1")
    (document,) = read_documents(data, kind="xml")
    at = document.text.index("http:")
    start, end = document.to_source(at, at + len("http://h.example/ü|"))
    assert data[start:end].decode("latin-1") == "http://h.example/ü|"
