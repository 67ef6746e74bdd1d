"""The questions of `urlscan query`, on mail whose answers are known."""

import json
from pathlib import Path

import pytest

from tests.archive.databases import archive
from tests.command import urlscan

MAIL = """\
From jo@mill.example Thu Aug 22 12:26:25 2002
From: Jo <jo@mill.example>
Subject: the weir
Date: Thu, 22 Aug 2002 12:26:25 +0000
Message-ID: <1@mill.example>
User-Agent: Post/1.2 (Unix)
List-Help: <http://lists.river.example/help>

See http://www.river.example/weir and <http://www.river.example/
gauge>. Also http://tinyurl.com/w1 and
http://www.relay.example/go?to=http%3A%2F%2Fstore.river.example%2Fa.

From al@mill.example Fri Aug 23 09:00:00 2002
From: Al <al@mill.example>
Subject: Re: the weir
Date: Fri, 23 Aug 2002 09:00:00 +0000
Message-ID: <2@mill.example>
In-Reply-To: <1@mill.example>
List-Help: <http://lists.river.example/help>

> See http://www.river.example/weir and

It moved to http://www.ferry.example/weir.

From jo@mill.example Tue Sep  2 10:00:00 2003
From: Jo <jo@mill.example>
Subject: Re: the weir
Date: Tue, 02 Sep 2003 10:00:00 +0000
Message-ID: <3@mill.example>
In-Reply-To: <2@mill.example>
List-Help: <http://lists.river.example/help>

> > See http://www.river.example/weir and
> It moved to http://www.ferry.example/weir.

Jo

From jo@mill.example Tue Sep  2 10:00:00 2003
From: Jo <jo@mill.example>
Subject: Re: the weir
Date: Tue, 02 Sep 2003 10:00:00 +0000
Message-ID: <3@mill.example>
In-Reply-To: <2@mill.example>

> > See http://www.river.example/weir and
> It moved to http://www.ferry.example/weir.

From ed@bank.example Wed Sep  3 10:00:00 2003
From: Ed <ed@bank.example>
Subject: your account
Date: Wed, 03 Sep 1924 10:00:00 +0000
Message-ID: <4@bank.example>
References: <0@bank.example> <3@bank.example>
Content-Type: text/html; charset=utf-8

<p><a class="b" href="http://www.rivier.example/in"><b>https://www.river.example/</b></a>
<a href="http://www.river.example/in">https://login.river.example/in</a> <a href="http://www.ferry.example/">Ferry</a>
<a href="http://riv\N{CYRILLIC SMALL LETTER IE}r.example/">http://sluice.example/</a>
<a href="http://xn--a.example/">x</a> <a href="gopher://old.example/">old</a></p>
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("questions")
    (directory / "a.mbox").write_text(MAIL, "utf-8")
    archive(directory / "urls.duckdb", directory / "a.mbox")
    return directory / "urls.duckdb"


def rows(database: Path, *arguments: str) -> list[list[object]]:
    """Return the rows of an answer without the names of the columns."""
    done = urlscan("query", str(database), *arguments, "--format", "jsonl")
    assert done.status == 0, done.err
    return [list(json.loads(line).values()) for line in done.lines]


def columns(database: Path, names: str, *arguments: str) -> list[tuple[object, ...]]:
    """Return some columns of an answer."""
    done = urlscan("query", str(database), *arguments, "--format", "jsonl")
    assert done.status == 0, done.err
    return [tuple(json.loads(line)[name] for name in names.split()) for line in done.lines]


def test_bodies_are_counted_unless_headers_are_requested(database: Path) -> None:
    def hosts(*where: str) -> list[tuple[object, ...]]:
        return columns(database, "host occurrences unquoted messages", "hosts", "limit=1", *where)

    # One of the six is in a tag, another in its text, and one message is stored twice.
    assert hosts() == [("www.river.example", 7, 4, 4)]
    assert hosts("--where", "headers") == [("lists.river.example", 3, 3, 3)]
    assert hosts("--where", "all") == [("www.river.example", 7, 4, 4)]
    assert rows(database, "headers") == [["header:List-Help", 3, 1]]
    assert rows(database, "--sql", "SELECT count(*) AS n FROM occurrence") == [[22]]
    assert rows(database, "--sql", "SELECT count(*) AS n FROM occurrence", "--where", "headers") == [[3]]


def test_messages_count_once_by_their_id(database: Path) -> None:
    assert rows(database, "messages-by-year") == [[2002, 2, 2, 2, 100.0], [2003, 2, 3, 2, 100.0]]
    assert columns(database, "occurrences copies message_id", "messages", "limit=3")[1:] == [
        (4, 1, "1@mill.example"), (2, 1, "2@mill.example"),
    ]  # fmt: skip


def test_implausible_date_is_replaced_by_that_of_the_envelope(database: Path) -> None:
    sql = "SELECT year(date) AS y, date_source, date_raw FROM message WHERE message_id = '4@bank.example'"
    assert rows(database, "--sql", sql) == [[2003, "envelope", "Wed, 03 Sep 1924 10:00:00 +0000"]]


def test_threads_have_the_urls_of_all_their_messages(database: Path) -> None:
    found = columns(database, "urls unquoted messages subject thread", "threads")
    assert found == [
        (9, 9, 1, "your account", "0@bank.example"),
        (5, 5, 3, "the weir", "1@mill.example"),
    ]


def test_long_chain_of_answers_is_one_thread(tmp_path: Path) -> None:
    messages = (
        "From jo@mill.example Thu Aug 22 12:26:25 2002\nMessage-ID: <0@mill.example>\n\nhttp://weir.example/0\n\n"
    )
    for number in range(1, 60):
        messages += (
            f"From jo@mill.example Thu Aug 22 12:26:25 2002\nMessage-ID: <{number}@mill.example>\n"
            f"In-Reply-To: <{number - 1}@mill.example>\n\nhttp://weir.example/{number}\n\n"
        )
    (tmp_path / "a.mbox").write_text(messages)
    archive(tmp_path / "a.duckdb", tmp_path / "a.mbox")
    assert columns(tmp_path / "a.duckdb", "urls messages thread", "threads") == [(60, 60, "0@mill.example")]


def test_hosts_and_domains_over_time(database: Path) -> None:
    assert rows(database, "hosts-over-time", "name=www.river.example") == [
        ["2002", "www.river.example", 2, 3, 2],
        ["2003", "www.river.example", 2, 4, 2],
    ]
    found = rows(database, "hosts-over-time", "by=domain", "period=month", "limit=1")
    assert found == [["2002-08", "river.example", 2, 3, 2], ["2003-09", "ferry.example", 2, 3, 1]]
    for parameter in ("period=week", "by=sender"):
        done = urlscan("query", str(database), "hosts-over-time", parameter)
        assert (done.status, len(done.err.splitlines())) == (2, 1)
        assert "period must be year or month, by must be host or domain" in done.err


def test_urls_with_secrets_are_listed_whether_a_rule_reports_them_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(
        "http://jo:Xk29vQ81@weir.example/ postgres://jo:Xk29vQ81@db/a http://ferry.net/?password=Xk29vQ81mm\n"
        "http://jo@weir.example/ http://ferry.net/?page=2\n"
    )
    archive(tmp_path / "a.duckdb", tmp_path / "a.txt")
    urls = [("http://jo:***@weir.example/",), ("postgres://jo:***@db/a",), ("http://ferry.net/?password=***",)]
    assert columns(tmp_path / "a.duckdb", "url", "credentials") == urls
    (tmp_path / "b.txt").write_text("http://jo:Xk29vQ81@www.acme-mail.com/ http://www.acme-mail.com/\n")
    archive(tmp_path / "b.duckdb", tmp_path / "b.txt", "--show-secrets")
    assert columns(tmp_path / "b.duckdb", "url", "credentials") == [("http://jo:Xk29vQ81@www.acme-mail.com/",)]


def test_first_and_last_message_of_a_domain(database: Path) -> None:
    assert rows(database, "first-seen", "domain=ferry.example") == [
        ["ferry.example", "2002-08-23T09:00:00", "2003-09-03T10:00:00", 4, 3, "2@mill.example"]
    ]


def test_senders_of_a_domain(database: Path) -> None:
    found = columns(database, "sender unquoted messages", "senders", "domain=ferry.example")
    assert found == [
        ("Al <al@mill.example>", 1, 1), ("Ed <ed@bank.example>", 1, 1), ("Jo <jo@mill.example>", 0, 1),
    ]  # fmt: skip


def test_shorteners_and_redirectors(database: Path) -> None:
    assert rows(database, "redirectors") == [
        ["relay.example", "redirector", 1, 1, "store.river.example"],
        ["tinyurl.com", "shortener", 1, 1, None],
    ]


def test_link_text_that_names_another_domain(database: Path) -> None:
    assert columns(database, "text_host url", "misleading-links") == [
        ("www.river.example", "http://www.rivier.example/in"),
        ("sluice.example", "http://riv\N{CYRILLIC SMALL LETTER IE}r.example/"),
    ]


def test_link_text_is_compared_by_the_host_in_the_dns(tmp_path: Path) -> None:
    page = """\
<a href="http://xn--bcher-kva.example/a">http://www.b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.example/</a>
<a href="http://b\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.example/b">http://xn--bcher-kva.example/</a>
<a href="http://jo@weir.example/c">http://jo@weir.example/c</a>
<a href="http://weir.example/d">http://www.ferry.example@weir.example/d</a>
<a href="http://weir.example/e">http://jo@ferry.example/</a>
<a href="http://bucher.example/f">http://B\N{LATIN CAPITAL LETTER U WITH DIAERESIS}cher.example./</a>
"""
    (tmp_path / "a.html").write_text(page, "utf-8")
    archive(tmp_path / "a.duckdb", tmp_path / "a.html")
    assert columns(tmp_path / "a.duckdb", "text_host url", "misleading-links") == [
        ("ferry.example", "http://weir.example/e"),
        ("xn--bcher-kva.example", "http://bucher.example/f"),
    ]


def test_hosts_that_look_like_others(tmp_path: Path, database: Path) -> None:
    mixed = "riv\N{CYRILLIC SMALL LETTER IE}r.example"
    assert rows(database, "look-alikes") == [[mixed, None, "several scripts", 1]]
    (tmp_path / "b.txt").write_text("http://www.rivier.example/ http://www.weir.example/\n")
    for number in range(20):
        (tmp_path / f"{number}.txt").write_text("http://www.river.example/ http://weir.example/\n")
    archive(tmp_path / "b.duckdb", tmp_path)
    assert rows(tmp_path / "b.duckdb", "look-alikes") == [["rivier.example", "river.example", "one letter", 1]]


def test_hosts_that_idna_refuses(database: Path) -> None:
    found = rows(database, "international")
    assert [(row[0], row[2]) for row in found] == [
        ("riv\N{CYRILLIC SMALL LETTER IE}r.example", False), ("xn--a.example", True),
    ]  # fmt: skip


def test_broken_by_cause_and_mailer(database: Path) -> None:
    assert rows(database, "broken-by-mailer") == [["Post", "newline", 1, 0, 0, 1]]


def test_path_of_the_source_is_not_ambiguous_in_joins(database: Path) -> None:
    sql = "SELECT DISTINCT path, url_path FROM occurrence JOIN url USING (url_id) JOIN source USING (source_id)"
    assert len(rows(database, "--sql", f"{sql} WHERE scheme = 'gopher'")) == 1


def test_database_of_the_former_version_is_refused_in_one_line(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "old.duckdb"
    archive(path, tmp_path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE property SET value = '1' WHERE name = 'schema_version'")
    for command, *rest in (["query", "hosts"], ["report"], ["archive", "--db"]):
        done = urlscan(command, str(path), *rest) if command != "archive" else urlscan(command, *rest, str(path))
        assert done.status == 2
        assert len(done.err.splitlines()) == 1
        assert "its tables have version 1, this urlscan reads version 2" in done.err
        assert "archive the sources into a new database" in done.err
