"""Generate mail in every charset, kind and transfer encoding: the bytes at the location of a URL decode to it."""

import base64
import html
import quopri
import re
from email.charset import BASE64, QP, Charset
from email.header import Header, decode_header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.replaced import is_replaced
from urlscan.documents import read_documents
from urlscan.finder import FindOptions, find_in_document

HEAD = "From: jo@h.example\nMIME-Version: 1.0\n"
# Charsets with single bytes, shifts, escapes, and pairs of bytes whose second one may be ASCII.
CHARSETS = {
    "utf-8": "é北𝄞",
    "iso-8859-1": "é",
    "iso-2022-jp": "北海かア",
    "iso-2022-kr": "한국",
    "shift_jis": "北ソ表ア",
    "gb18030": "北é𝄞",
    "big5": "北功許",
    "euc-kr": "한국",
    "hz": "北京~",
    "utf-7": "é北𝄞~+\\",
    "utf-16": "é北",
}
PIECES = (
    "http://h.example/a|<URL:http://h.\n example/b>|http://h.example/?a=1&b=~c+d|See |. |\n|, | |=|=41|+|-|x.org|"
    "mailto:jo@h.example|&|;|https://h.example/%7E|http://h.example/"
).split("|")


@st.composite
def texts(draw):
    charset = draw(st.sampled_from(sorted(CHARSETS)))
    return charset, "".join(draw(st.lists(st.sampled_from([*PIECES, *CHARSETS[charset]]), max_size=30)))


def message_of(text, charset, kind, coding):
    """Return a message that contains the text."""
    if kind == "html":
        text = html.escape(text)
    body = text.encode(charset)
    if coding == "base64":
        body = base64.encodebytes(body)
    elif coding == "quoted-printable":
        body = quopri.encodestring(body)
    head = f"{HEAD}Content-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {coding}\n\n"
    return head.encode() + body


def decoded(located, charset, kind, coding):
    """Return the decoded text of a span, in each possible alignment."""
    if coding == "base64":
        located = base64.b64decode(located)
    elif coding == "quoted-printable":
        located = quopri.decodestring(located)
    if charset == "utf-16":  # units of two bytes, at any alignment of the base64
        text = "\n".join(located[at:].decode("utf-16-le", "replace") for at in (0, 1))
    else:
        # ISO-2022-KR designates the charset once, at the beginning.
        before = b"\x1b$)C" if charset == "iso-2022-kr" else b""
        text = "\n".join((before + located[at:]).decode(charset, "replace") for at in (0, 1, 2))
    return html.unescape(text) if kind == "html" else text


@pytest.mark.slow
@pytest.mark.parametrize("coding", ["8bit", "base64", "quoted-printable"])
@pytest.mark.parametrize("kind", ["plain", "html"])
@given(case=texts())
def test_located_bytes_decode_to_the_url(kind, coding, case):
    charset, text = case
    if charset == "utf-16" and coding != "base64":
        charset = "utf-8"
    message = message_of(text, charset, kind, coding)
    for document in read_documents(message, kind="mail"):
        position = 0
        for one in find_in_document(document, FindOptions()):
            occurrence = one
            start, end = document.to_source(occurrence.start, occurrence.end)
            assert position <= start < end
            position = start
            located = decoded(message[start:end], charset, kind, coding)
            assert "".join(occurrence.raw.split()) in "".join(located.split())


ENVELOPE = b"From jo@h.example Thu Aug 22 18:26:25 2002\n"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "html"])
@given(cases=st.lists(st.tuples(texts(), st.sampled_from(["7bit", "base64", "quoted-printable"])), max_size=4))
def test_messages_are_read_the_same_in_a_mailbox(kind, cases):
    messages = [message_of(text, charset, kind, coding) for (charset, text), coding in cases if charset != "utf-16"]
    alone = [
        (
            one.url,
            document.origin.mail(document.to_source(one.start, one.end)[0]),
        )
        for message in messages
        for document in read_documents(message, kind="mail")
        for one in find_in_document(document, FindOptions())
    ]
    mailbox = b"".join(ENVELOPE + message + b"\n" for message in messages)
    in_mailbox = [
        (
            one.url,
            document.origin.mail(document.to_source(one.start, one.end)[0]),
        )
        for document in read_documents(mailbox, kind="mbox")
        for one in find_in_document(document, FindOptions())
    ]
    assert in_mailbox == alone


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("coding", ["8bit", "base64", "quoted-printable"])
def test_url_is_found_in_every_charset(charset, coding):
    if charset == "utf-16":
        coding = "base64"
    text = f"{CHARSETS[charset]} http://h.example/?a=1&b=~c+d {CHARSETS[charset]}"
    for kind in ("plain", "html"):
        found = [
            one.url
            for document in read_documents(message_of(text, charset, kind, coding), kind="mail")
            for one in find_in_document(document, FindOptions())
        ]
        assert found == ["http://h.example/?a=1&b=~c+d"]


@pytest.mark.slow
@given(case=texts(), coding=st.sampled_from("bq"))
def test_located_encoded_words_decode_to_the_url(case, coding):
    charset, text = case
    text = " ".join(text.split())
    charset = {"hz": "gb2312", "utf-7": "utf-8", "utf-16": "utf-8"}.get(charset, charset)
    subject = Header(text.replace("\\", "").replace("~", ""), _charset(charset, coding), maxlinelen=60).encode()
    data = f"Subject: {subject}\nFrom: jo@h.example\n\nText.\n".encode()
    whole = "".join(
        part.decode(encoding or "ascii") if isinstance(part, bytes) else part
        for part, encoding in decode_header(re.sub(r"\n[ \t]", " ", subject))
    )
    for document in read_documents(data, kind="mail"):
        for one in find_in_document(document, FindOptions()):
            occurrence = one
            start, end = document.to_source(occurrence.start, occurrence.end)
            assert b"Subject: " not in data[start:end]
            if is_replaced(document, occurrence.start, occurrence.end):
                assert data[start : start + 2] == b"=?"
            assert "".join(occurrence.url.split()) in "".join(whole.split())


def _charset(name, coding):
    charset = Charset(name)
    charset.header_encoding = BASE64 if coding == "b" else QP
    return charset
