"""Test messages: the parts that are read, locations, and broken messages as mail readers interpret them."""

import base64
import binascii
import quopri
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from urlscan.core.errors import ConfigError
from urlscan.core.settings import Settings
from urlscan.documents import read_documents
from urlscan.documents.mail import mailbox, mime
from urlscan.documents.mail.headers import encoded_words, identifier, iso_date
from urlscan.finder import FindOptions, find_in_document

URL = "http://h.example/a?b=c&d=e"
HEAD = "From: jo@h.example\nMessage-ID: <1@h.example>\nDate: Thu, 22 Aug 2002 18:26:25 +0700\n"
MIME = HEAD + "MIME-Version: 1.0\n"


def found(data, kind="mail", **options):
    """Yield the URLs in a message with their part and the bytes at their location."""
    data = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    for document in read_documents(data, kind=kind, **options):
        for one in find_in_document(document, FindOptions()):
            occurrence = one
            place = document.locate(occurrence.start, occurrence.end)
            yield occurrence.url, document.origin.mail(place.start).part, data[place.start : place.end]


def urls(data, kind="mail", **options):
    return [url for url, _, _ in found(data, kind, **options)]


def part(head, body, boundary="b"):
    return f"--{boundary}\n{head}\n\n{body}\n"


def multipart(*parts, subtype="mixed", boundary="b", end=True):
    closed = f"--{boundary}--\n" if end else ""
    return f'Content-Type: multipart/{subtype}; boundary="{boundary}"\n\n{"".join(parts)}{closed}'


ENVELOPE = "From jo@h.example Thu Aug 22 18:26:25 2002\n"
QP = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable"
B64 = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64"
HTML = "Content-Type: text/html; charset=utf-8"
PLAIN = "Content-Type: text/plain"
B64_URL = base64.b64encode(URL.encode()).decode()


def test_plain_message_is_read_without_copying():
    assert list(found(f"{HEAD}\nSee {URL}.\n")) == [(URL, "1", URL.encode())]


def test_soft_line_break_is_not_a_break():
    (only,) = found(f"{MIME}{QP}\n\nSee http://h.exam=\nple/a?b=3Dc&d=3De=20now\n")
    assert only == (URL, "1", b"http://h.exam=\nple/a?b=3Dc&d=3De")


def test_base64_is_decoded_and_mapped_to_complete_quanta():
    body = base64.b64encode(f"See {URL} now".encode()).decode()
    ((url, _, located),) = found(f"{MIME}{B64}\n\n{body[:20]}\n{body[20:]}\n")
    assert url == URL
    assert URL.encode() in base64.b64decode(located)


def test_html_part_is_read_as_html():
    ((url, part_number, located),) = found(f'{MIME}{HTML}\n\n<p><a href="http://h.example/a?b=c&amp;d=e">x</a>\n')
    assert (url, part_number, located) == (URL, "1", b"http://h.example/a?b=c&amp;d=e")


def test_html_in_quoted_printable_is_mapped_to_the_bytes():
    body = '<a href=3D"http://h.exam=\nple/a?b=3Dc&amp;d=3De">x</a>\n'
    (only,) = found(f"{MIME}{HTML}\nContent-Transfer-Encoding: quoted-printable\n\n{body}")
    assert only == (URL, "1", b"http://h.exam=\nple/a?b=3Dc&amp;d=3De")


ALTERNATIVES = multipart(
    part(PLAIN, "Plain: http://h.example/plain"),
    part(HTML, '<a href="http://h.example/html">x</a>'),
    subtype="alternative",
)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [("all", ["1 plain", "2 html"]), ("plain", ["1 plain"]), ("html", ["2 html"])],
    ids=["all parts", "plain text", "HTML"],
)
def test_alternative_parts_are_selected(parts, expected):
    for message, kind in ((MIME + ALTERNATIVES, "mail"), (ENVELOPE + MIME + ALTERNATIVES, "mbox")):
        assert [f"{part_number} {url[17:]}" for url, part_number, _ in found(message, kind, parts=parts)] == expected


def test_related_parts_with_a_page_are_an_html_alternative():
    related = multipart(part(HTML, f"<a href='{URL}'>x</a>", "i"), subtype="related", boundary="i")
    two = multipart("--b\n" + related, part("Content-Type: text/csv", "http://h.example/2"), subtype="alternative")
    assert urls(MIME + two, parts="html") == [URL]


def test_last_alternative_is_read_if_the_requested_one_is_missing():
    two = multipart(part(PLAIN, "http://h.example/1"), part("Content-Type: text/csv", URL), subtype="alternative")
    assert urls(MIME + two, parts="html") == [URL]


def test_parts_are_numbered_as_by_imap():
    inner = multipart(part(PLAIN, "http://h.example/2.1", "i"), part(PLAIN, "http://h.example/2.2", "i"), boundary="i")
    forwarded = "Subject: http://h.example/3.header\n\nhttp://h.example/3.1\n"
    message = multipart(
        part(PLAIN, "http://h.example/1"),
        "--b\n" + inner,
        part("Content-Type: message/rfc822", forwarded),
    )
    expected = [
        ("1", "1"), ("2.1", "2.1"), ("2.2", "2.2"), ("3.header", "3.header:Subject"), ("3.1", "3.1"),
    ]  # fmt: skip
    assert [(url[17:], part_number) for url, part_number, _ in found(MIME + message)] == expected


def test_header_fields_are_read_and_named():
    head = HEAD + (
        "List-Unsubscribe: <http://h.example/cgi\n    -bin/leave>, <mailto:leave@h.example>\n"
        "Archived-At: <http://h.example/archive/1>\nX-Url: http://h.example/~jo\n"
    )
    assert [(url, part_number) for url, part_number, _ in found(head + "\nHello\n")] == [
        ("http://h.example/cgi-bin/leave", "header:List-Unsubscribe"),
        ("mailto:leave@h.example", "header:List-Unsubscribe"),
        ("http://h.example/archive/1", "header:Archived-At"),
        ("http://h.example/~jo", "header:X-Url"),
    ]


def test_encoded_words_are_decoded():
    words = "=?utf-8?Q?see_http=3A//h.exam?=\n =?UTF-8?B?" + base64.b64encode(b"ple/a").decode() + "?="
    (only,) = found(f"Subject: {words}\n{HEAD}\nHello\n")
    assert only == ("http://h.example/a", "header:Subject", words.encode())


@pytest.mark.parametrize(
    ("charset", "text", "expected", "coding"),
    [
        (*row, coding)
        for row in [
            ("iso-8859-1", "Zürich: http://h.example/é.", "http://h.example/é"),
            ("gb2312", "看 http://h.example/a 吧", "http://h.example/a"),
            ("koi8-r", "Смотри http://h.example/a тут", "http://h.example/a"),
            ("utf-16-le", "http://h.example/é", "http://h.example/é"),
            ("windows-1251", "http://h.example/я", "http://h.example/я"),
        ]
        for coding in ["8bit", "base64", "quoted-printable"]
        if row[0] != "utf-16-le" or coding == "base64"  # the others require lines of octets
    ],
)
def test_declared_charsets_are_decoded(charset, text, expected, coding):
    data = text.encode(charset)
    coded = {"8bit": bytes, "base64": base64.encodebytes, "quoted-printable": quopri.encodestring}[coding](data)
    head = f"{MIME}Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {coding}\n\n"
    ((url, _, located),) = found(head.encode() + coded)
    assert url == expected
    back = {"8bit": bytes, "base64": base64.decodebytes, "quoted-printable": quopri.decodestring}[coding](located)
    assert url in back.decode(charset, "ignore")


def test_latin_1_is_decoded_as_windows_1252():
    message = f"{MIME}Content-Type: text/plain; charset=iso-8859-1\n\n".encode() + b"\x93http://h.example/a\x94\n"
    assert urls(message) == ["http://h.example/a"]
    (document,) = (document for document in read_documents(message, kind="mail") if "h.example/a" in document.text)
    assert "\u201chttp://h.example/a\u201d" in document.text


@pytest.mark.parametrize("charset", ["us-ascii", "utf-8", "x-no-such", "utf-16", '"', "utf-7"])
def test_wrong_charsets_are_ignored(charset):
    data = (
        f"{MIME}Content-Type: text/plain; charset={charset}\n\n".encode() + b"caf\xe9 http://h.example/a caf\xc3\xa9\n"
    )
    assert urls(data) == ["http://h.example/a"]


@pytest.mark.parametrize(
    ("charset", "text", "located"),
    [
        ("utf-7", "+U5c- http://h.example/+AH4-jo?a+AD0-b+-c", b"http://h.example/+AH4-jo?a+AD0-b+-c"),
        ("x-unicode-2-0-utf-7", "http://h.example/+AH4-jo?a=b+-c.", b"http://h.example/+AH4-jo?a=b+-c"),
        ("hz-gb-2312", "~{1105~} http://h.example/~~jo?a=b+c", b"http://h.example/~~jo?a=b+c"),
    ],
)
def test_seven_bit_charsets_other_than_ascii_are_decoded(charset, text, located):
    message = f"{MIME}Content-Type: text/plain;\n charset={charset}\n\n{text}\n"
    expected = [("http://h.example/~jo?a=b+c", "1", located)]
    assert list(found(message)) == list(found(f"{ENVELOPE}{message}", "mbox")) == expected


# --- broken MIME, interpreted as by mail readers

BROKEN = {
    "no closing boundary": multipart(part(PLAIN, "x"), part(B64, B64_URL), end=False),
    "no closing boundary of the inner multipart": multipart(
        "--b\n" + multipart(part(PLAIN, "x", "i"), part(PLAIN, "y", "i"), boundary="i", end=False), part(B64, B64_URL)
    ),
    "no blank line after the header of a part": multipart(f"--b\n{PLAIN}\nSee {URL}\n"),
    "no header, no blank line": multipart(f"--b\nSee {URL}\n"),
    "no boundary in the header": f"Content-Type: multipart/mixed\n\n--b\n\nSee {URL}\n--b--\n",
    "no parts": f'Content-Type: multipart/mixed; boundary="b"\n\nSee {URL}\n',
    "white space after a boundary": multipart(part(B64, B64_URL)).replace("--b\n", "--b \t\n"),
    "boundaries with a common prefix": multipart(
        "--b\n" + multipart(part(PLAIN, "x", "bb"), part(PLAIN, "y", "bb"), boundary="bb"), part(B64, B64_URL)
    ),
    "the same boundary twice": multipart("--b\n" + multipart(part(PLAIN, "x")), part(B64, B64_URL)),
    "text after base64": f"{PLAIN}\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n\nThe list: {URL}\n",
    "a text declared as base64": f"{PLAIN}\nContent-Transfer-Encoding: base64\n\nSee {URL}, or not.\n",
    "base64 without padding": f"{B64}\n\n{base64.b64encode((URL + ' ').encode()).decode().rstrip('=')}",
    "an unknown encoding": f"{PLAIN}\nContent-Transfer-Encoding: x-rot13\n\nSee {URL}\n",
    "an encoding in quotation marks": f'{PLAIN}\nContent-Transfer-Encoding: "Base64"\n\n{B64_URL}\n',
    "an equals sign without digits": f"{QP}\n\nx=zz == = {URL.replace('=', '=3D')}\n",
    "a malformed header field": f"What is this\n\nSee {URL}\n",
    "an encoded multipart": multipart(part(PLAIN, URL)).replace("\n\n", "\nContent-Transfer-Encoding: base64\n\n", 1),
    "a boundary on a line of its own": multipart(part(B64, B64_URL)).replace("mixed; ", "mixed;\n\t"),
    "CR and LF": multipart(part(B64, B64_URL)).replace("\n", "\r\n"),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_broken_mime_is_read(body):
    assert urls(MIME + body) == [URL]


# --- text that mail readers do not show

ARMOR = """\
-----BEGIN PGP SIGNATURE-----
Version: 1.0
Comment: see http://pgp.example/

iQCVAwUBMARe7gvyjn1VqAxxAQE
=abcd
-----END PGP SIGNATURE-----
"""
UU = binascii.b2a_uu(f"See {URL}\n".encode()).decode()


def test_armor_is_skipped_and_the_text_around_it_is_read():
    signed = f"-----BEGIN PGP SIGNED MESSAGE-----\n\n{URL}\n{ARMOR}\nhttp://h.example/after\n"
    assert urls(f"{HEAD}\n{signed}") == [URL, "http://h.example/after"]
    assert urls(f"{MIME}{QP}\n\n{signed.replace('=', '=3D')}") == [URL, "http://h.example/after"]


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "| > "])
def test_quoted_armor_is_skipped(mark):
    quoted = "".join(f"{mark}{line}".rstrip() + "\n" for line in f"{URL}\n{ARMOR}\n{URL}\n".splitlines())
    assert urls(f"{HEAD}\n{quoted}") == urls(f"{ENVELOPE}{HEAD}\n{quoted}", "mbox") == [URL, URL]


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{}\n", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n{}\n",
        "-----BEGIN PGP MESSAGE-----\n\nmQGiBDx5\n{}\n", "-----BEGIN PGP MESSAGE-----\nhello\n{}\n",
        "> -----BEGIN PGP MESSAGE-----\n>\n> {}\n",
    ],
)  # fmt: skip
def test_text_after_incomplete_armor_is_read(text):
    assert urls(f"{HEAD}\n{text.format(URL)}") == [URL]
    assert urls(f"{MIME}{QP}\n\n{text.format(URL).replace('=', '=3D')}") == [URL]


@pytest.mark.parametrize("text", ["see http://h.example/abcd \n", "see http://h.example/abcde \n"])
def test_footer_after_base64_is_read(text):
    encoded = base64.b64encode(text.encode()).decode()
    body = f"{encoded}\n_______________\nlist mailing list\nhttp://lists.example/x\n"
    assert urls(f"{MIME}{B64}\n\n{body}") == [text.split()[1], "http://lists.example/x"]


def test_damaged_line_does_not_end_base64():
    encoded = base64.encodebytes(b"x" * 54 + b"y" * 54 + f" {URL} ".encode() + b"z" * 54).decode()
    first, second, rest = encoded.split("\n", 2)
    assert urls(f"{MIME}{B64}\n\n{first}\n{second[:20]}!!{second[20:]}\n{rest}") == [URL]


def test_excess_parts_are_read_as_plain_text(monkeypatch):
    monkeypatch.setattr(mime, "MOST", 5)
    message = multipart(*[part(QP, "http://h.exam=\nple/a") for _ in range(9)])
    assert urls(message) == ["http://h.example/a"] * 3 + ["http://h.exam="] * 6
    notes = [document.note for document in read_documents(message.encode(), kind="mail") if document.note]
    assert len(notes) == 1
    assert notes[0].startswith("a message has more than 5 parts")


def test_text_that_only_begins_like_armor_is_read():
    assert urls(f"{HEAD}\n-----BEGIN PGP SIGNATURE-----\n\nSee {URL}\n-----END PGP SIGNATURE-----\n") == [URL]


def test_uuencoded_text_is_read_and_other_data_is_skipped():
    message = (
        f"{HEAD}\nSee http://h.example/1\n\nbegin 644 letter.txt\n{UU}`\nend\n\nbegin 644 a.gif\n{UU}`\nend\nBye\n"
    )
    (first, _, _), (second, part_number, located) = found(message)
    assert (first, second, part_number) == ("http://h.example/1", URL, "1")
    assert located in message.encode()


def test_binary_parts_are_skipped_unless_their_name_is_that_of_a_page():
    page = base64.b64encode(f'<a href="{URL}">'.encode()).decode()
    parts = (
        part("Content-Type: image/gif\nContent-Transfer-Encoding: base64", B64_URL),
        part("Content-Type: application/octet-stream; name=a.exe\nContent-Transfer-Encoding: base64", B64_URL),
        part("Content-Type: application/octet-stream; name=a.html\nContent-Transfer-Encoding: base64", page),
    )
    assert [(url, part_number) for url, part_number, _ in found(MIME + multipart(*parts))] == [(URL, "3")]


INNER = f"{QP}\n\nhttp://h.exam=\nple/a?b=3Dc&d=3De\n"
ENCODED_MESSAGES = {
    "quoted-printable": ("message/rfc822", "quoted-printable", quopri.encodestring(INNER.encode()).decode()),
    "base64": ("message/global", "base64", base64.encodebytes(INNER.encode()).decode()),
    "declared but not encoded": ("message/rfc822", "base64", INNER),
}


@pytest.mark.parametrize(("kind", "coding", "body"), ENCODED_MESSAGES.values(), ids=ENCODED_MESSAGES)
def test_completely_encoded_messages_are_read(kind, coding, body):
    message = f"{MIME}Content-Type: {kind}\nContent-Transfer-Encoding: {coding}\n\n{body}"
    assert urls(message) == urls(f"{ENVELOPE}{message}", "mbox") == [URL]


@pytest.mark.parametrize(("levels", "expected"), [(8, [URL]), (9, [])])
def test_nesting_of_encoded_messages_is_limited_with_a_note(levels, expected):
    message = f"{MIME}{PLAIN}\n\n{URL}\n"
    for _ in range(levels):
        encoded = base64.encodebytes(message.encode()).decode()
        message = f"{MIME}Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{encoded}"
    found_ = list(read_documents(message.encode(), kind="mail"))
    assert [one.url for document in found_ for one in find_in_document(document, FindOptions())] == expected
    assert any("deeper than 8 levels" in document.note for document in found_) == (not expected)


def test_part_wrongly_declared_as_uuencoded_is_read_unchanged():
    message = f"{MIME}{PLAIN}\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a.txt\n\nSee http://h.example/a.\n"
    assert urls(message.encode()) == ["http://h.example/a"]


@pytest.mark.parametrize("type", ["http://h.example/b", "a/b/c", "text"])
def test_malformed_media_type_means_plain_text(type):
    """See RFC 2045 section 5.2."""
    message = f"{MIME}Content-Type: {type}\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.exam=\nple/a\n"
    assert "http://h.example/a" in urls(message.encode())


def test_uuencoded_part_is_read_whatever_its_file_name():
    body = f"begin 644 letter\n{UU}`\nend\nhttp://h.example/after\n"
    message = f"{MIME}{PLAIN}\nContent-Transfer-Encoding: x-uuencode\n\n{body}"
    assert urls(message) == [URL, "http://h.example/after"]
    page = binascii.b2a_uu(b'<a href="http://h.example/?a&amp;b">').decode()
    head = "Content-Type: text/html\nContent-Transfer-Encoding: uuencode"
    assert urls(f"{MIME}{head}\n\nbegin 644 p\n{page}`\nend\n") == ["http://h.example/?a&b"]


@pytest.mark.parametrize("head", ["", PLAIN + "; format=flowed\n", PLAIN + "; charset=utf-8\n", QP + "\n"])
def test_uuencoded_text_is_read_with_any_header_and_surrounding_text(head):
    body = f"begin 644 letter.txt\n{UU}`\nend\n"
    body = body.replace("=", "=3D") if head.startswith(QP) else body
    for surrounding in ("", "é\n" if head != QP + "\n" else "=C3=A9\n"):
        assert urls(f"{MIME}{head}\n{surrounding}{body}") == [URL]


def test_xml_part_declares_its_charset():
    page = '<?xml version="1.0" encoding="iso-8859-2"?><a href="http://h.example/ą"/>'.encode("iso-8859-2")
    assert urls(f"{MIME}Content-Type: application/xml\n\n".encode() + page) == ["http://h.example/ą"]


def test_encoded_file_names_are_decoded():
    for name in ('filename="page.html"', "filename*=utf-8'en'page%2Ehtml", "filename*0*=utf-8''pa; filename*1=ge.html"):
        head = f"Content-Type: application/octet-stream\nContent-Disposition: attachment; {name}"
        assert urls(multipart(part(head, "<a href='http://h.example/?a&amp;b'>é"))) == ["http://h.example/?a&b"]


@pytest.mark.parametrize(
    "kind",
    [
        "image/svg+xml", "text/plain; charset='hz-gb-2312'", "text/plain; charset*0=utf; charset*1=-7",
        "text; charset=utf-7", "message/x; format=flowed; delsp=yes", "application/pgp-signature", "application/xml",
        "text/plain; charset=utf-16", "text/plain; charset=iso-2022-jp", "multipart/mixed", "x",
        "text/plain; format=flowed",
    ],
)  # fmt: skip
def test_message_is_read_the_same_in_a_mailbox(kind):
    message = (
        f"{MIME}Content-Type: {kind}\n\n<a href='http://h.example/~~a+AH4-b?c&amp;d'> http://h.example/ \nab +AH4-\n"
    )
    assert list(found(message)) == list(found(f"{ENVELOPE}{message}", "mbox"))


def test_unknown_options_are_an_error():
    for options, message in (({"encoding": "nope"}, "unknown encoding"), ({"parts": "some"}, "unknown parts")):
        with pytest.raises(ConfigError, match=message):
            read_documents(b"A: b\n\n", kind="mail", **options)


def test_large_message_is_read_completely(monkeypatch):
    monkeypatch.setattr(mailbox, "LARGEST", 1000)
    assert urls(f"{HEAD}\n{'text' * 1000}\n{URL}\n") == [URL]


def test_invitation_is_read_as_a_calendar():
    calendar = "BEGIN:VEVENT\r\nURL:http://h.exam\r\n ple/a?b=c&d\r\n =e\r\nEND:VEVENT\r\n"
    body = base64.encodebytes(calendar.encode()).decode()
    head = "Content-Type: text/calendar; charset=utf-8; method=REQUEST\nContent-Transfer-Encoding: base64"
    ((url, number, located),) = found(multipart(part(head, body), subtype="alternative"))
    assert (url, number) == (URL, "1")
    assert b"http://h.exam\r\n ple/a?b=c&d\r\n =e" in base64.decodebytes(located)


def test_completely_encoded_part_is_mapped_to_the_bytes():
    inner = base64.encodebytes(f"Subject: x\n{QP}\n\n{URL.replace('=', '=3D')}\n".encode()).decode()
    message = multipart(part("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64", inner))
    ((url, _, located),) = found(MIME + message)
    assert url == URL
    assert b"http://h.example/" in base64.b64decode(located)


# --- format=flowed

FLOWED = f"{MIME}Content-Type: text/plain; format=flowed"


def broken(text, head=FLOWED, **options):
    """Yield the URLs of a flowed text with the kinds of their breaks, and check their locations."""
    data = f"{head}\n\n{text}".encode()
    for document in read_documents(data, kind="mail"):
        for one in find_in_document(document, FindOptions(**options)):
            occurrence = one
            start, end = document.to_source(occurrence.start, occurrence.end)
            assert data[start:end].decode() == occurrence.raw
            url = list(occurrence.raw)
            for break_ in reversed(occurrence.breaks):
                del url[break_.offset : break_.offset + break_.length]
            assert "".join(url) == occurrence.url
            yield occurrence.url, [break_.kind for break_ in occurrence.breaks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<http://h.example/a/ \nb>", ("http://h.example/a/b", ["soft-break"])),
        ("<http://h.example/a/\nb>", ("http://h.example/a/b", ["newline"])),
        ("> <http://h.example/a/ \n> b>", ("http://h.example/a/b", ["quote-mark"])),
        ("http://h.example/a/ \nb", ("http://h.example/a/", [])),
    ],
    ids=["in brackets", "a hard break", "quoted", "a bare URL, followed by a space of the text"],
)
def test_soft_break_in_delimiters_is_reported(text, expected):
    assert list(broken(text)) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See http://h.example/a/ \nb. Bye", ("http://h.example/a/b", ["soft-break"])),
        ("http://h.exam \nple/a- \nb \nc", ("http://h.example/a-bc", ["soft-break"] * 3)),
        ("http://h.example/a. \nhtml, and", ("http://h.example/a.html", ["soft-break"])),
        (">> http://h.example/a/ \n>> b, c", ("http://h.example/a/b", ["quote-mark"])),
        ("http://h.example/a/  \nb", ("http://h.example/a/", [])),
        ("> http://h.example/a/ \nb", ("http://h.example/a/", [])),
        ("http://h.example/a \n-- \nJo", ("http://h.example/a", [])),
        ("http://h.example/a/\nb", ("http://h.example/a/", [])),
        ("http://h.example/a \n(b)", ("http://h.example/a(b)", ["soft-break"])),
        ("http://h.example/a \n, b", ("http://h.example/a", [])),
        ("http://h.example/a \n b", ("http://h.example/ab", ["soft-break"])),
    ],
    ids=[
        "one", "three", "before an extension", "quoted", "a space of the text", "quoted less deeply", "a signature",
        "a hard break", "brackets", "punctuation alone", "a stuffed line",
    ],
)  # fmt: skip
def test_bare_url_continues_over_soft_breaks_with_delsp(text, expected):
    assert list(broken(text, f"{FLOWED}; delsp=yes")) == [expected]


def test_soft_break_is_not_joined_without_rejoining():
    assert list(broken("http://h.example/a/ \nb", f"{FLOWED}; delsp=yes", rejoin="never")) == [
        ("http://h.example/a/", [])
    ]


FLOWS = st.lists(st.sampled_from([" \n", "\n", "> ", ">", "http://h.example/a", "b", ".", "<", "-- ", " ", "é"])).map(
    "".join
)


@given(FLOWS, st.sampled_from(["", "; delsp=yes"]))
def test_occurrences_in_flowed_text_are_located_exactly(text, delsp):
    list(broken(text, FLOWED + delsp))


# --- header fields


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Thu, 22 Aug 2002 18:26:25 +0700", "2002-08-22T11:26:25Z"), ("22 Aug 02 18:26 EST", "2002-08-22T23:26:00Z"),
        ("Thursday, 22-Aug-96 18:26:25 GMT", "1996-08-22T18:26:25Z"),
        ("Thu, 1 Jan 1970 00:00:00", "1970-01-01T00:00:00Z"),
        ("Fri, 31 Dec 1999 23:59:60 -0000 (UTC)", "1999-12-31T23:59:59Z"), ("yesterday", None),
        ("32 Aug 2002 1:1:1", None),
        ("31 Dec 9999 23:59 -1200", None), ("", None),
        ("Sun, 14 Jul 2002 8:06:38 PM", None), ("Sat Sep 21 08:18:08 2002", "2002-09-21T08:18:08Z"),
    ],
)  # fmt: skip
def test_dates_are_converted_to_utc(written, expected):
    assert iso_date(written.encode()) == expected


def test_message_ids_are_parsed():
    assert identifier(b" <a@h.example> (comment)") == "a@h.example"
    assert identifier(b"a@h.example") == "a@h.example"
    assert identifier(None) is None


def test_malformed_encoded_words_are_ignored():
    assert list(encoded_words("=?utf-8?X?a?= =?x-no?Q?a?= =?=?=")) == [(14, 26, "a")]


# --- the library, and the linter


@given(st.text(alphabet=st.sampled_from("é🌾\udce9 a\n"), max_size=40), st.sampled_from(["", QP, B64, HTML]))
def test_offsets_in_a_text_are_characters(text, head):
    body = f"{text} http://h.example/a {text}"
    if head == B64:
        body = base64.b64encode(body.encode("utf-8", "surrogateescape")).decode()
    message = f"Subject: é {text.strip()}\n{MIME}{head}\n\n{body}"
    for one in urlscan.scan(message, kind="mail"):
        assert one.url == "http://h.example/a"
        if head != B64:
            assert message[one.start : one.end] == one.url


def test_suppression_comments_in_mail_are_not_honored():
    (finding,) = urlscan.lint(f"{HEAD}\nhttp://h.example/a%zz urlscan: ignore[U201]\n", path="a.eml")
    assert (finding.code, finding.line, finding.fix) == ("U201", 5, None)
    assert finding.mail == urlscan.MailLocation("1@h.example", "2002-08-22T11:26:25Z", "1")
    (finding,) = urlscan.lint(f"{MIME}{HTML}\n\n<a href='http://h.example/a%zz'> urlscan: ignore[U201]\n", path="a.eml")
    assert finding.code == "U201"


def test_undecoded_text_is_reported_only_if_it_is_not_decoded():
    assert urlscan.lint(f"{MIME}{QP}\n\nhttp://h.example/?a=3Db&c=3Dd=20x\n", path="a.eml") == []
    (finding,) = urlscan.lint(f"{HEAD}\nhttp://h.example/?a=3Db&c=3Dd and=20x=\n", path="a.eml", settings=Settings())[
        :1
    ]
    assert finding.code == "U208"


LINES = st.lists(
    st.sampled_from(["http://h.example/a", "<URL:http://h.\n example/b>", "é", "=", " ", "\n", "x" * 80, "."])
)


@given(LINES.map("".join), st.sampled_from(["qp", "base64", "html"]))
def test_located_bytes_decode_to_the_url(text, coding):
    data = text.encode()
    if coding == "base64":
        head, body = B64, base64.encodebytes(data)
    else:
        head, body = (QP if coding == "qp" else QP.replace("plain", "html")), quopri.encodestring(data)
    message = f"{MIME}{head}\n\n".encode() + body
    for document in read_documents(message, kind="mail"):
        for one in find_in_document(document, FindOptions(relative=True)):
            occurrence = one
            start, end = document.to_source(occurrence.start, occurrence.end)
            located = message[start:end]
            decoded = base64.b64decode(located) if coding == "base64" else quopri.decodestring(located)
            raw = document.decoded[slice(*document.to_decoded(occurrence.start, occurrence.end))]
            assert re.sub(r"[ \t]+\n", "\n", raw) in re.sub(r"[ \t]+\n", "\n", decoded.decode("utf-8", "replace"))
