"""Test the report about a database: its numbers, its safety, and how a browser displays it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason="reports need the extra 'archive'")
pytest.importorskip("pyarrow", reason="reports need the extra 'archive'")

from tests import command
from tests.browser import NAMES, Browser, find_browser
from tests.command import urlscan
from urlscan.archive.database import open_database
from urlscan.archive.schema import TABLES
from urlscan.report.queries import Bar, Database

HOSTILE = "</script><script>document.title='hacked'</script><img src=http://h.example/x onerror=alert(1)>"
MAIL = f"""\
From jo@mill.example Tue Sep  3 15:40:50 2002
From: Jo <jo@mill.example>
Subject: {HOSTILE}
Date: Tue, 3 Sep 2002 15:40:50 +0000
Message-ID: <1@mill.example>

See <URL:http://mill.org/type-
setting> and http://mill.org/%zz and ftp://jo:hunter22@mill.net/x.
See https://mill.net/?q={HOSTILE} and <http://mill.org/'"><b>.

From jo@mill.example Wed Sep  3 15:40:50 2003
From: Ann \u202eevil <ann@mill.example>
Subject: second
Date: Wed, 3 Sep 2003 15:40:50 +0000
Message-ID: <2@mill.example>

See http://mill.org/type-setting and mailto:jo@mill.example.
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    folder = tmp_path / "mail" / "<b>lists"
    folder.mkdir(parents=True)
    (folder / "a.mbox").write_text(MAIL, encoding="utf-8")
    (tmp_path / "mail" / "b.txt").write_text("See http://mill.org/b.\n")
    assert urlscan("archive", "--isolated", "mail", "--db", "u.duckdb", cwd=tmp_path).status == 0
    return tmp_path / "u.duckdb"


def report(database: Path, *arguments: str) -> command.Result:
    return urlscan("report", database.name, *arguments, cwd=database.parent, SOURCE_DATE_EPOCH="784111777")


def data_of(page: str) -> dict[str, list[object]]:
    """Return the data of the table."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data: dict[str, list[object]] = json.loads(text)
    return data


# --- numbers


def test_questions_count_what_the_database_contains(database: Path) -> None:
    with open_database(str(database), read_only=True) as connection:
        asked = Database(connection, database.name)
        totals = asked.totals()
        ((occurrences, urls),) = connection.execute(
            "SELECT count(*), count(DISTINCT url_id) FROM occurrence"
        ).fetchall()
        assert (totals.sources, totals.messages, totals.occurrences, totals.urls) == (2, 2, occurrences, urls)
        timeline = asked.timeline()  # of few years, so by month
        assert (timeline.unit, len(timeline.counts)) == ("month", 13)
        assert (min(timeline.counts), max(timeline.counts)) == ("2002-09", "2003-09")
        assert "http" in timeline.names
        assert sum(map(sum, timeline.counts.values())) + timeline.outside == occurrences - 1  # b.txt has no date
        assert asked.bars("domains")[0] == Bar("mill.org", 5, 2)
        assert asked.bars("senders")[0] == Bar("Jo <jo@mill.example>", 7, 1)
        small = asked.domain_timelines(timeline)
        assert small.names[0] == "mill.org"
        assert [small.counts[month][0] for month in ("2002-09", "2003-01", "2003-09")] == [3, 0, 1]
        assert (asked.bars("dead-hosts"), asked.bars("dead years")) == ([], [])
        assert asked.bars("hosts")[0] == Bar("mill.org", 5, 4)
        assert Bar("U201", 1, 1) in asked.bars("rules")
        assert asked.bars("breaks") == [Bar("newline", 1, 1)]
        assert {bar.name: bar.total for bar in asked.bars("joined")}["rejoined, with delimiters"] == 1
        rows = list(asked.rows(100))
        assert len(rows) == occurrences
        assert [row.codes for row in rows if row.url == "http://mill.org/%zz"] == [("U201",)]
        assert {row.source for row in rows} == {"<b>lists/a.mbox", "b.txt"}
        assert len(list(asked.rows(2))) == 2
        assert all(row.codes or row.joined != "none" for row in asked.rows(2))


def test_years_with_wrong_clocks_are_left_out(tmp_path: Path) -> None:
    with open_database(str(tmp_path / "u.duckdb")) as connection:
        fill(connection, 5000)
        connection.execute("UPDATE message SET date = TIMESTAMP '1970-01-01' WHERE start = 7")
        timeline = Database(connection, "").timeline()
        assert timeline.unit == "year"
        assert min(timeline.counts) > "1990"
        assert timeline.outside >= 1


def test_dead_links_are_charts(database: Path) -> None:
    (database.parent / "s.csv").write_text("url,status\nhttp://mill.org/%zz,404\nhttps://mill.net/,200\n")
    urlscan("archive", "--isolated", "--db", "u.duckdb", "--statuses", "s.csv", cwd=database.parent)
    with open_database(str(database), read_only=True) as connection:
        asked = Database(connection, database.name)
        assert asked.bars("dead-hosts") == [Bar("mill.org", 1, 1)]
        assert asked.bars("dead years") == [Bar("2002", 1, 1)]
    assert "Dead links by host" in report(database).text


def test_report_without_urls(tmp_path: Path) -> None:
    open_database(str(tmp_path / "u.duckdb")).close()
    page = report(tmp_path / "u.duckdb").text
    assert "<h2>No URLs</h2>" in page
    assert 'id="data"' not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "one database is required"),
        (("a", "b"), "one database is required"),
        (("missing.duckdb",), "missing.duckdb: "),
        (("b.txt",), "b.txt: "),
        (("u.duckdb", "--rows", "x"), "--rows: expected a positive integer"),
        (("u.duckdb", "-o", "no/such/r.html"), "no/such/r.html: "),
    ],
)
def test_wrong_arguments_are_one_line_and_status_2(database: Path, arguments: tuple[str, ...], message: str) -> None:
    (database.parent / "b.txt").write_text("no database")
    done = urlscan("report", *arguments, cwd=database.parent)
    assert (done.status, done.text) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["{table}.parquet", "{table}/part-00000.zstd.parquet"])
def test_report_of_a_directory_of_parquet_files_is_that_of_the_database(database: Path, layout: str) -> None:
    folder = database.parent / "tables"
    with open_database(str(database), read_only=True) as connection:
        for table in TABLES:
            path = folder / layout.format(table=table.name)
            path.parent.mkdir(exist_ok=True, parents=True)
            connection.execute(f"COPY {table.name} TO '{path}'")
            (path.parent / "_SUCCESS").touch()
    page = report(folder, "--title", "a")
    assert (page.status, page.err) == (0, "")
    assert page.text == report(database, "--title", "a").text
    path.with_name(f"{path.name[:-8]}-2.parquet").write_bytes(b"PAR1 damaged")
    if path.parent == folder:
        path.write_bytes(b"PAR1 damaged")
    done = report(folder, "-o", "page.html")
    assert (done.status, done.text, done.err.count("\n")) == (2, "", 1), done
    assert done.err.startswith("urlscan: tables: ")
    assert not (folder.parent / "page.html").exists()


# --- safety


def test_report_is_reproducible_and_masks_secrets(database: Path) -> None:
    page = report(database).text
    assert page == report(database).text
    assert report(database, "-o", "r.html").text == ""
    assert (database.parent / "r.html").read_text(encoding="utf-8") == page
    assert "hunter22" not in page
    assert "1994-11-06 08:49 UTC" in page


def test_nothing_from_the_database_is_live(database: Path) -> None:
    page = report(database, "--title", HOSTILE).text
    assert page.count("<script") == 2
    assert "<img" not in page
    assert "<b>lists" not in page
    assert "\u202e" not in page
    assert "<a href" in page
    assert not re.findall(r'<a href="(?!https://example\.org/|#)', page)
    assert any("hacked" in str(message) for message in data_of(page)["messages"])
    assert not re.search(r"<[^>]* (?:style|on\w+)=", page)


# --- in a browser


def fill(connection, rows: int) -> None:  # type: ignore[no-untyped-def]
    """Fill a database with generated messages of one URL each."""
    source = "SELECT 's', '/m/a.mbox', '', 'mbox', 'utf-8', 1, NULL, 'h', 1, 'ok', NULL, '0', TIMESTAMP '2020-01-01'"
    connection.execute(f"INSERT INTO source {source}")
    connection.execute(
        'INSERT INTO message (source_id, start, "end", message_id, date, sender, subject)'
        " SELECT 's', i, i + 1, i::VARCHAR, TIMESTAMP '1994-01-01' + INTERVAL (i % 10000) DAY, 'Jo',"
        f" 'subject ' || i FROM range({rows}) t(i)"
    )
    connection.execute(
        "INSERT INTO url SELECT i::VARCHAR, 'http://h' || i % 50 || '.org/' || i, 'http', NULL,"
        f" 'h' || i % 50 || '.org', NULL, NULL, '/' || i, NULL, NULL, NULL, NULL, true, true FROM range({rows}) t(i)"
    )
    connection.execute(
        "INSERT INTO occurrence SELECT 's', i, i + 1, i, i + 1, i + 1, 1, i::VARCHAR, i, 'TEXT', false, 'bare',"
        f" 'prose', 'none', [], [], false, NULL, NULL FROM range({rows}) t(i)"
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip(f"no browser is installed (looked for {', '.join(NAMES)})")
    with Browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def shown(browser: Browser) -> str:
    return str(browser.run("document.getElementById('shown').textContent"))


def search(browser: Browser, name: str, value: str) -> str:
    """Set a filter and return what is shown then."""
    browser.run(
        f"(() => {{ const f = document.getElementById('filters'); f.elements.{name}.value = {json.dumps(value)};"
        " f.dispatchEvent(new Event('input')); return new Promise(done => setTimeout(done, 200)) })()"
    )
    return shown(browser)


def test_hostile_data_stay_text_and_nothing_is_requested(database: Path, browser: Browser) -> None:
    assert report(database, "-o", "r.html", "--title", HOSTILE).status == 0
    browser.show(1280)
    browser.open(database.parent / "r.html")
    assert browser.requests() == [(database.parent / "r.html").as_uri()]
    assert browser.complaints() == []
    assert "hacked" in browser.run("document.title")  # as text, with the tags
    assert browser.run("document.title.includes('<script>')")
    assert browser.run("document.querySelectorAll('#rows a, #rows img, #rows b, #rows script').length") == 0
    assert browser.run("document.getElementById('rows').textContent.includes('</script><script>')")


def test_filters_search_and_sorting(database: Path, browser: Browser) -> None:
    report(database, "-o", "r.html")
    browser.show(1280)
    browser.open(database.parent / "r.html")
    everything = shown(browser)
    assert re.fullmatch(r"\d+ URLs", everything)
    assert search(browser, "text", "SECOND type") == f"1 of {everything}"
    assert search(browser, "text", "") == everything
    assert search(browser, "rule", "U201") == f"1 of {everything}"
    assert browser.run("document.querySelector('#rows .url').textContent") == "http://mill.org/%zz"
    browser.run("document.getElementById('clear').click()")
    browser.run("new Promise(done => setTimeout(done, 50))")
    assert shown(browser) == everything
    assert search(browser, "joined", "joined") == f"1 of {everything}"
    browser.run("document.getElementById('clear').click(); document.querySelector('[data-sort=url]').click()")
    browser.run("new Promise(done => setTimeout(done, 50))")
    urls = browser.run("[...document.querySelectorAll('#rows .url')].map(cell => cell.firstChild.textContent)")
    assert urls == sorted(urls)
    assert browser.run("document.querySelector('[aria-sort=ascending]').textContent") == "URL"
    browser.run("document.querySelector('[data-filter=host]').click()")
    browser.run("new Promise(done => setTimeout(done, 50))")
    assert shown(browser) == f"5 of {everything} with the host mill.org"


def test_table_is_used_by_keyboard_and_has_roles(database: Path, browser: Browser) -> None:
    report(database, "-o", "r.html")
    browser.show(1280)
    browser.open(database.parent / "r.html")
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.textContent") == "Skip to the table of URLs"
    browser.run("document.querySelector('[data-sort=date]').focus()")
    browser.press("Enter", 13) or browser.press(" ", 32)
    names = browser.run("[...document.querySelectorAll('select, input')].every(e => e.getAttribute('aria-label'))")
    assert names
    assert browser.run("document.querySelector('.columns').getAttribute('role')") == "img"
    assert browser.run("document.getElementById('shown').getAttribute('role')") == "status"
    assert browser.run("[...document.querySelectorAll('main button')].every(b => b.textContent.trim())")


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_page_fits_the_window(database: Path, browser: Browser, width: int) -> None:
    report(database, "-o", "r.html")
    browser.show(width)
    browser.open(database.parent / "r.html")
    assert browser.run("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_table_of_100_000_rows(tmp_path: Path, browser: Browser) -> None:
    with open_database(str(tmp_path / "u.duckdb")) as connection:
        fill(connection, 120_000)
    report(tmp_path / "u.duckdb", "-o", "r.html", "--rows", "100000")
    browser.show(1280)
    browser.open(tmp_path / "r.html")
    assert shown(browser) == "100,000 URLs"
    assert "100,000 rows of 120,000" in browser.run("document.querySelector('main').textContent")
    assert search(browser, "text", "h7.org 50007").startswith("1 of 100,000")
    search(browser, "text", "")
    browser.run("document.querySelector('[data-page=\"1\"]').click()")
    assert browser.run("document.getElementById('page').textContent") == "Page 2 of 1,000"
    browser.run("document.querySelector('[data-sort=date]').click()")
    assert browser.run("document.querySelector('#rows .date').textContent") == "1994-01-01"
    assert browser.run("document.querySelectorAll('#rows tr').length") == 100
