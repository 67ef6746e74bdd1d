"""The dates of a message, and which of them is chosen."""

from datetime import UTC, datetime

import pytest

from urlscan.documents.mail.envelope import read_message

_ENVELOPE = "From jo@h.example Thu Aug 22 12:00:00 2002\n"
_RECEIVED = "Received: from a.example by b.example\n\tid 7; Thu, 22 Aug 2002 14:00:00 +0200\n"
_DAY = datetime(2002, 8, 22, 12)


@pytest.mark.parametrize(
    ("envelope", "fields", "date", "source"),
    [
        ("", "Date: Thu, 22 Aug 2002 12:00:00 +0000\n", _DAY, "date"),
        (_ENVELOPE, "Date: Thu, 22 Aug 2002 12:00:00 +0000\n", _DAY, "date"),
        # Before there was mail.
        (_ENVELOPE, "Date: Wed, 22 Aug 1945 12:00:00 +0000\n", _DAY, "envelope"),
        ("", "Date: Wed, 22 Aug 1945 12:00:00 +0000\n", None, None),
        # Written after it was received.
        ("", "Date: Sat, 24 Aug 2002 12:00:00 +0000\n" + _RECEIVED, _DAY, "received"),
        (_ENVELOPE, "Date: Sun, 22 Aug 2032 12:00:00 +0000\n", _DAY, "envelope"),
        # Longer on the way than relays try.
        ("", "Date: Tue, 01 Jan 1980 00:00:00 +0000\n" + _RECEIVED, _DAY, "received"),
        ("", "Date: Mon, 19 Aug 2002 12:00:00 +0000\n" + _RECEIVED, datetime(2002, 8, 19, 12), "date"),
        # The envelope of a mailbox that was converted later contradicts nothing.
        (_ENVELOPE, "Date: Sat, 22 Aug 1992 12:00:00 +0000\n", datetime(1992, 8, 22, 12), "date"),
        (_ENVELOPE, _RECEIVED + "Received: by c.example; Wed, 01 Jan 2003 00:00:00 +0000\n", _DAY, "received"),
        # A day later would be after the last year.
        ("", "Date: Thu, 22 Aug 2002 12:00:00 +0000\nReceived: by a; Fri, 31 Dec 9999 23:59:59 +0000\n",
         datetime(9999, 12, 31, 23, 59, 59), "received"),
        (_ENVELOPE, "Date: nonsense\n", _DAY, "envelope"),
        ("From jo@h.example Thu Aug 22 14:00 2002 +0200\n", "Date: nonsense\n", _DAY, "envelope"),
        ("From jo@h.example Thu Jan  1 00:00:00 1970\n", "Subject: a\n", None, None),
        ("", "Subject: a\n", None, None),
    ],
)  # fmt: skip
def test_plausible_date_is_chosen(envelope: str, fields: str, date: datetime | None, source: str | None) -> None:
    data = f"{envelope}{fields}\nText.\n".encode()
    message = read_message(data, 0, len(envelope), len(data), len(data), 0)
    assert (message.date, message.date_source) == (date, source)


def test_dates_in_the_usual_form_are_those_of_the_standard_library() -> None:
    from email.utils import parsedate_to_datetime

    from urlscan.documents.mail.headers import utc_date

    for text in (
        "Thu, 22 Aug 2002 18:26:25 +0730",
        "2 Feb 2000 08:06:05 -0330",
        "Sat,  1 Jan 2000 00:00:00 -0000 (PST)",
    ):
        expected = parsedate_to_datetime(text)
        offset = expected.utcoffset()
        assert utc_date(text.encode()) == expected.replace(tzinfo=None) - (offset or datetime.min - datetime.min)


def test_dates_of_envelopes_are_those_of_the_standard_library() -> None:
    from email.utils import mktime_tz, parsedate_tz

    for text in (
        "Thu Aug 22 12:26:25 2002",
        "Thu Aug  2 12:26 2002",
        "Thu Aug 22 12:26:25 2002 +0230",
        "Thu Aug 22 12:26 EST 2002",
    ):
        envelope, parts = f"From jo@h.example {text}\n", parsedate_tz(text)
        assert parts is not None
        data = f"{envelope}\nText.\n".encode()
        expected = datetime.fromtimestamp(mktime_tz(parts), UTC).replace(tzinfo=None)
        assert read_message(data, 0, len(envelope), len(data), len(data), 0).date_envelope == expected


def test_thread_and_mailer() -> None:
    data = b"References: <1@a> <2@a>\nIn-Reply-To: <2@a>\nX-Mailer: Post =?utf-8?q?=C3=A9?=\nUser-Agent: Mail/1\n\n"
    header = read_message(data, 0, 0, len(data), len(data), 0)
    assert (header.thread_id, header.in_reply_to, header.mailer) == ("1@a", "2@a", "Mail/1")
    data = b"In-Reply-To: <2@a>\nX-Mailer: Post =?utf-8?q?=C3=A9?=\n\n"
    header = read_message(data, 0, 0, len(data), len(data), 0)
    assert (header.thread_id, header.mailer) == ("2@a", "Post \u00e9")
