"""Test mailboxes and spools: division into messages, batches of any size, and identification."""

import itertools
import json
import mailbox
from email.message import EmailMessage
from functools import partial
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.command import urlscan
from tests.linear_time import aborted_after
from urlscan.core.offsets import LineIndex
from urlscan.documents import read_documents
from urlscan.documents.identify import identify
from urlscan.documents.mail import split
from urlscan.documents.mail.mailbox import MessageBatch
from urlscan.documents.mail.parts import MailOptions
from urlscan.files.random_access import Memory, Positions
from urlscan.finder import FindOptions, find_in_document

TIME = b"Thu Aug 22 12:36:23 2002"
FROM = "From jo@h.example  Thu Aug 22 12:36:23 2002\n"
MESSAGE = "From: jo@h.example\nMessage-ID: <{0}@h.example>\nSubject: x\n\nSee http://h.example/{0}.\n"
CODED = (
    "From: jo@h.example\nMessage-ID: <{0}@h.example>\nContent-Type: text/plain\n"
    "Content-Transfer-Encoding: quoted-printable\n\nSee http://h.exam=\nple/{0}=20now.\n"
)


def mbox(count, newline="\n"):
    messages = (FROM + (CODED if number % 3 == 1 else MESSAGE).format(number) + "\n" for number in range(count))
    return "".join(messages).replace("\n", newline).encode()


def found(data, kind="mbox"):
    """Yield the URLs with the message that contains each of them."""
    for document in read_documents(data, kind=kind):
        for one in find_in_document(document, FindOptions()):
            occurrence = one
            place = document.locate(occurrence.start, occurrence.end)
            yield occurrence.url.rpartition("/")[2], document.origin.mail(place.start), place


def names(data, kind="mbox"):
    """Return the number of each URL and of its message, which are equal in these mailboxes."""
    return [(url, mail.message_id.partition("@")[0]) for url, mail, _ in found(data, kind)]


SAME = [(str(number), str(number)) for number in range(4)]
EMACS = "\x1f\x0c\n0, unseen,,\n*** EOOH ***\n"
MAILBOXES = {
    "mboxo": ("mbox", mbox(4)),
    "mbox with CRLF": ("mbox", mbox(4, "\r\n")),
    "mbox of Pipermail": ("mbox", mbox(4).replace(b"jo@h.example  Thu", b"jo at h.example  Thu")),
    "mbox of an old Pipermail": ("mbox", mbox(4).replace(TIME, b"Fri, 24 Sep 1999 14:14:56 -0400 (EDT)")),
    "mbox of an old Pipermail, CRLF": ("mbox", mbox(4, "\r\n").replace(TIME, b"24 Sep 99 14:14 GMT")),
    "mbox without blank lines": ("mbox", mbox(4).replace(b"\n\nFrom", b"\nFrom")),
    "patches of git": ("mbox", mbox(4).replace(b"jo@h.example  Thu Aug 22", b"0123456789abcdef Mon Sep 17")),
    "mmdf": ("mmdf", "".join(f"\1\1\1\1\n{MESSAGE.format(n)}\1\1\1\1\n" for n in range(4)).encode()),
    "babyl": ("babyl", ("BABYL OPTIONS:\n" + "".join(EMACS + MESSAGE.format(n) for n in range(4)) + "\x1f").encode()),
    "rnews": ("rnews", "".join(f"#! rnews {len(MESSAGE.format(n))}\n{MESSAGE.format(n)}" for n in range(4)).encode()),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "data"), MAILBOXES.values(), ids=MAILBOXES)
def test_messages_are_identified(kind, data):
    assert names(data, kind) == SAME
    assert identify("a", data.decode()) == kind


def test_correct_content_length_ends_a_message():
    quoted = f"Forwarded:\n\n{FROM}{MESSAGE.format(0)}"
    first = f"{FROM}Message-ID: <0@h.example>\nContent-Length: {len(quoted)}\n\n{quoted}\n"
    assert names((first + FROM + MESSAGE.format(1)).encode()) == SAME[:2]
    incorrect = first.replace(f": {len(quoted)}", ": 7")
    assert names((incorrect + FROM + MESSAGE.format(1)).encode()) == SAME[:2]


@pytest.mark.parametrize("line", ["From - ", "From -\r", "From 1844347792267117879@xxx", "From jo@h.example \t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_from_lines_without_a_time_begin_a_message(line, mark):
    data = mark + "".join(f"{line}\n{MESSAGE.format(number)}\n" for number in range(2))
    assert names(data.encode()) == SAME[:2]


@pytest.mark.parametrize(
    "line", ["From - here on", "From jo@h.example: hello", "From jo@h.example\nHello: you", "From us"]
)
def test_other_lines_do_not_begin_a_message(line):
    data = f"{FROM}{MESSAGE.format(0)}\n{line}\nDear all\n\nhttp://h.example/1\n"
    assert names(data.encode()) == [("0", "0"), ("1", "0")]


@pytest.mark.parametrize(
    "line",
    [
        "From here on 10:30 it is 1994:",
        "From my notes, Fri, 24 Sep 1999 14:14:56 -0400 (EDT)",
        "From Fri, 24 Sep 1999 14:14 on\nNote: the mill is open",
        "From jo on Fri, 24 Sep 1999:\nNote: the mill is open",
        "From jo, Fri, 24 Sep 1999 14:14:56 -0400 (EDT):\nNote: the mill is open",
        "From someone Thu Aug 22 12:36 2002",  # a URL is at the beginning of the next line
    ],
)
def test_prose_that_begins_with_from_does_not_begin_a_message(line):
    data = f"{FROM}Message-ID: <0@h.example>\n\n{line}\nhttp://h.example/0\n"
    assert names(data.encode()) == SAME[:1]


def everything(data, kind, size, largest=1 << 26):
    reader = Memory(data)
    for span in split.batch_spans(reader, kind, size, largest):
        lines = Positions(reader, is_mail=True)
        data = reader.read(span.start, span.stop)
        batch = MessageBatch(data, kind, MailOptions(), span, lambda: lines.of(span.start))  # noqa: B023
        for document in batch.documents():
            for one in find_in_document(document, FindOptions()):
                occurrence = one
                place = document.locate(occurrence.start, occurrence.end)
                yield occurrence.url, place, document.origin.mail(place.start)


@pytest.mark.parametrize("size", [1 << 20, 60])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_a_mailbox_end_as_in_sed(size, end):
    data = (
        "".join(f"{FROM}{MESSAGE.format(n)}a\rb\r http://h.example/x\n" for n in range(3)).replace("\n", end).encode()
    )
    reader, lines = Memory(data), Positions(Memory(data), is_mail=True)
    for span in split.batch_spans(reader, "mbox", size):
        content = reader.read(span.start, span.stop)
        batch = MessageBatch(content, "mbox", MailOptions(), span, partial(lines.of, span.start))
        for document in batch.documents():
            for match in find_in_document(document, FindOptions()):
                place = document.locate(match.start, match.end)
                before = data[: place.start]
                assert (place.line, place.column) == (before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))


@given(
    st.lists(st.sampled_from(["\n", "\r\n", "\r", "a", "é", "\U0001f600", "x" * 9]), min_size=1),
    st.lists(st.integers(min_value=0), min_size=1),
)
def test_positions_in_any_order(pieces, numbers):
    text = "".join(pieces)
    octets = [len(text[:number].encode()) for number in range(len(text))]
    index = LineIndex(text, 0, 7, 3, is_mail=True)  # the batch begins within a line
    span = split.BatchSpan(100, 100 + len(text.encode()))
    batch = MessageBatch(text.encode(), "mbox", MailOptions(), span, lambda: (7, 3))
    for number in (number % len(text) for number in numbers):
        assert batch.position(100 + octets[number]) == index.position(number)


def test_lines_of_a_message_without_lf_end_at_cr():
    done = urlscan("extract", "--as", "mail", "--format", "jsonl", stdin=b"From: jo@h.example\r\rhttp://h.example/\r")
    assert [json.loads(line)["line"] for line in done.lines] == [3]


def with_lengths(count):
    for number in range(count):
        body = f"{number} wrote:\n\n{FROM}{MESSAGE.format(number)}\n"
        yield f"{FROM}Message-ID: <{number}@h.example>\nContent-Length: {len(body)}\n\n{body}\n"


DIVIDED = {**MAILBOXES, "many": ("mbox", mbox(40)), "with lengths": ("mbox", "".join(with_lengths(20)).encode())}


@pytest.mark.parametrize("size", [1, 100, 300, 1000, 5000])
@pytest.mark.parametrize(("kind", "data"), DIVIDED.values(), ids=DIVIDED)
def test_results_do_not_depend_on_the_size_of_batches(kind, data, size):
    whole = list(everything(data, kind, 1 << 20))
    assert list(everything(data, kind, size)) == whole
    assert [url.rpartition("/")[2] for url, _, mail in whole] == [mail.message_id[:-10] for _, _, mail in whole]


@given(
    st.lists(
        st.sampled_from([FROM, MESSAGE.format(1), CODED.format(2), "From \n", "\n", "é\r", "\1\1\1\1\n", "x" * 99])
    )
)
def test_batches_cover_the_mailbox(pieces):
    data = "".join(pieces).encode()
    for kind in ("mbox", "mmdf"):
        for size in (64, 300):
            at = 0
            for span in split.batch_spans(Memory(data), kind, size, 500):
                assert span.start == at < span.stop
                at = span.stop
            assert at == len(data)


@pytest.mark.parametrize("size", [100, 300, 1000])
@pytest.mark.parametrize(("kind", "data"), DIVIDED.values(), ids=DIVIDED)
def test_batches_of_ranges_are_those_of_the_mailbox(kind, data, size):
    reader = Memory(data)
    whole = list(split.batch_spans(reader, kind, size))
    places = range(0, len(data) + size, size)
    starts = split.batch_starts(reader, kind, places, size)
    assert starts == [min((span.start for span in whole if span.start >= at), default=len(data)) for at in places]
    ranges = [
        list(split.batch_spans(reader, kind, size, start=start, limit=stop))
        for start, stop in itertools.pairwise([*starts, len(data)])
    ]
    assert [span for spans in ranges for span in spans] == whole


def test_too_large_message_is_read_as_plain_text():
    large = FROM + "Message-ID: <1@h.example>\n\n" + "http://h.example/1\n" * 300
    data = (FROM + MESSAGE.format(0) + "\n" + large + "\n" + FROM + MESSAGE.format(2)).encode()
    spans = list(split.batch_spans(Memory(data), "mbox", 1000, 4000))
    assert [span.is_whole for span in spans] == [True, *[False] * 6, True]
    assert [span.is_first for span in spans].count(True) == 1
    assert len(list(everything(data, "mbox", 1000, 4000))) == 302


# --- identification


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.eml", "", "mail"), ("a.mbox", "", "mbox"), ("cur/1029.V8I.h.example:2,S", "Subject: x\n\n", "mail"),
        ("new/1029.M1P2.h.pl", "Subject: x\n\n", "mail"), ("17", "From: a\nSubject: b\n\nc\n", "mail"),
        ("17", "Path: h!not\nFrom: a\nNewsgroups: b\n\nc\n", "mail"), ("2002-August.txt", FROM + "From: a\n", "mbox"),
        ("a.eml", FROM + "From: a\n", "mbox"), ("a.txt", "From: a\nSubject: b\n c\n\nc\n", "mail"),
        ("a.txt", "> From: a\n> Subject: b\n\nc\n", "plain"), ("a.txt", "From: a\nSubject: b\nSee you.\n", "plain"),
        ("a.txt", "From: me, with love\n\nSubject: this\n", "plain"), ("README", "To: do\nDate: then\n\nx", "mail"),
        ("a.md", "From: a\nSubject: b\n\nc\n", "markdown"), ("a.txt", "From here on it is 1994\n", "plain"),
        ("a.txt", "Title: a\nAuthor: b\n\n", "plain"), ("a.patch", "diff --git a b\n", "plain"),
        ("a.txt", "\nFrom: a\nSubject: b\n\nc\n", "plain"), ("-", "Received: x\nReceived: y\n\n", "plain"),
        ("a.txt", "From - \nFrom: a\n", "mbox"), ("a.txt", "From 17@xxx\nMIME-Version: 1.0\n", "mbox"),
        ("1999-September.txt", "From jo@h.example Fri, 24 Sep 1999 14:14:56 -0400 (EDT)\nFrom: a\n", "mbox"),
        ("a.txt", "From jo at h.example Fri, 24 Sep 1999 14:14:56\nFrom: a\n", "mbox"),
        ("a.txt", "From jo, 24 Sep 1999 14:14:56 -0400 (EDT):\nFrom: a\n", "plain"),
        ("a.txt", "From jo@h.example\nWe met\n", "plain"), ("a.txt", "From - to: a list\n", "plain"),
        ("60", 'MIME-Version: 1.0\nContent-Type: multipart/related;\n boundary="b"\n\n--b\n', "mail"),
    ],
)  # fmt: skip
def test_mail_is_identified(name, head, kind):
    assert identify(name, head) == kind


# --- the command


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2", "3"])
def test_processes_share_a_mailbox(tmp_path, jobs):
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox(30_000))
    done = urlscan("extract", "-j", jobs, str(path))
    assert done.err == ""
    assert done.text.split() == [f"http://h.example/{number}" for number in range(30_000)]


def python_messages():
    for number in range(3):
        message = EmailMessage()
        message["From"], message["Message-ID"] = "jo@h.example", f"<{number}@h.example>"
        message.set_content(
            f"See http://h.example/{number}/{'a' * 70}?b=c\n\nFrom here on: http://h.example/from/{number}\n",
            cte="quoted-printable",
        )
        message.add_alternative(f'<a href="http://h.example/{number}.html?a&amp;b">x</a>', subtype="html")
        yield message


@pytest.mark.parametrize("name", ["mbox", "MMDF", "Babyl", "MH", "Maildir"])
def test_mailboxes_written_by_the_standard_library_are_read(tmp_path, name):
    path = tmp_path / "mail"
    box = getattr(mailbox, name)(path, create=True)
    for message in python_messages():
        box.add(message)
    box.flush()
    box.close()
    done = urlscan("extract", "--format", "jsonl", str(path))
    assert (done.status, done.err) == (0, "")
    found = [
        (record["url"], record["message_id"], record["part"])
        for record in sorted(
            map(json.loads, done.lines), key=itemgetter("message_id")
        )  # a maildir has an order of its own
    ]
    expected = [(f"{{0}}/{'a' * 70}?b=c", "1"), ("from/{0}", "1"), ("{0}.html?a&b", "2")]
    assert found == [
        (f"http://h.example/{url.format(number)}", f"{number}@h.example", part)
        for number in range(3)
        for url, part in expected
    ]


def test_records_name_the_message(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox(2))
    records = [json.loads(line) for line in urlscan("extract", "--format", "jsonl", str(path)).text.splitlines()]
    assert [(r["message_id"], r["date"], r["part"], r["line"]) for r in records] == [
        ("0@h.example", None, "1", 6), ("1@h.example", None, "1", 14),
    ]  # fmt: skip


def test_mail_is_not_fixed(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_text(FROM + MESSAGE.format("a|b"))
    done = urlscan("check", "--fix", "--format", "concise", str(path))
    assert (done.status, "U101" in done.text) == (1, True)
    assert path.read_text() == FROM + MESSAGE.format("a|b")
    done = urlscan("check", "--fix", "-", stdin=path.read_bytes())
    assert done.text == path.read_text()
    assert "U101" in done.err


def test_excerpt_shows_the_decoded_part(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_text(FROM + CODED.format("a|b"))
    assert "\n8 | See http://h.example/a|b now.\n  |                       ^\n" in urlscan("check", str(path)).text


# --- bombs, small enough to be timed


def nested(depth):
    heads = "".join(f'Content-Type: multipart/mixed; boundary="{n}"\n\n--{n}\n' for n in range(depth))
    return f"From: a\nSubject: b\n{heads}Content-Type: text/plain\n\nhttp://h.example/a\n"


TOP = "From: a\nSubject: b\n"
MULTI = f"{TOP}Content-Type: multipart/mixed; boundary=b\n\n"
PAGE = "Content-Type: text/html\n\n"
END = "\n\nhttp://h.example/a\n"
BOMBS = {
    "nested multiparts": nested(10_000),
    "nested messages": TOP + "Content-Type: message/rfc822\n\n" * 50_000 + END,
    "a header with one long field": "From: a\nSubject: " + "x" * 3_000_000 + END,
    "a header with many lines": "From: a\nSubject: " + "x\n " * 1_000_000 + END,
    "a header with many fields": TOP + "X: http://h.example/a\n" * 20_000 + "\n",
    "encoded words": "From: a\nSubject: " + "=?utf-8?Q?http=3A//h.example/a?=\n " * 10_000 + "\n\n",
    "unclosed encoded words": "From: a\nSubject: " + "=?utf-8?Q?" * 200_000 + END,
    "long base64": TOP + "Content-Transfer-Encoding: base64\n\n" + "aHR0cDovL2guZXhhbXBsZS9h\n" * 100_000,
    "similar boundaries": MULTI + "--bb\n--b-\n--B\n--b b\n" * 100_000 + "--b" + END,
    "many parts": MULTI + f"--b\n{PAGE}<a href='http://h.example/a'>\n" * 5_000,
    "many short messages": (FROM + "A: b\n\nhttp://h.example/a\n\n") * 20_000,
    "many envelope lines": FROM + "A: b\n\n" + FROM * 50_000 + "A: b" + END,
    "repeated armor": TOP + "\n" + "-----BEGIN PGP SIGNATURE-----\nA: b\n\n" * 50_000 + END,
    "repeated uuencode": TOP + "\n" + "begin 644 a.txt\n" * 100_000 + END,
    "many parameters": TOP + "Content-Type: text/plain" + '; a="b' * 200_000 + END,
    "HTML in one line": TOP + PAGE + "é<a href='http://h.example/a'>" * 10_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_take_linear_time(tmp_path, name):
    path = tmp_path / "a"
    path.write_text(BOMBS[name])
    with aborted_after(120):
        done = urlscan("extract", "--format", "jsonl", str(path))
    assert done.status == 0
    assert json.loads(done.lines[-1])["url"].startswith("http://h.example/a")
    assert json.loads(done.lines[-1])["part"]  # read as mail
    assert len(done.err.splitlines()) <= 1


def test_too_deep_nesting_is_reported(tmp_path):
    path = tmp_path / "a.eml"
    path.write_text(nested(200))
    done = urlscan("extract", str(path), stdin=b"")
    assert done.text == "http://h.example/a\n"
    assert "deeper than 100 levels" in done.err
    assert len(done.err.splitlines()) == 1
