"""Archives are resumable: whatever happens between two runs, the rows are those of one run over the same files."""

import io
import os
import random
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import duckdb
import pytest

from tests.archive.databases import archive, ask, rows
from tests.command import clean_environment, urlscan
from urlscan.archive import reader
from urlscan.archive.database import open_database
from urlscan.archive.ingest import Ingest
from urlscan.archive.reader import RowsEvent
from urlscan.documents.mail import split

KILLS = int(os.environ.get("URLSCAN_KILLS", "3"))


def message(number: int, body: str = "") -> bytes:
    """Return a message with three URLs, one of them broken, one with a secret, and one with a finding."""
    text = body or f"See <http://h{number % 7}.example/a\nb/{number}> and <ftp://jo:pw{number}@h.example/%zz>."
    return (
        f"From jo@h.example Thu Aug 22 12:26:25 2002\nMessage-ID: <{number}@h.example>\n"
        f"Date: Thu, 22 Aug 2002 12:26:25 +0000\nSubject: {number}\n\n{text}\nhttps://h.example/{number}\n\n"
    ).encode()


def mailbox(first: int, last: int) -> bytes:
    return b"".join(message(number) for number in range(first, last))


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make batches of mailboxes small, so that a small mailbox has many."""
    monkeypatch.setattr(split.batch_spans, "__defaults__", (2000, split.LARGEST, 0, None))


def assert_like_one_run(database: Path, *paths: Path) -> None:
    """Check that the rows are those of one run over the files as they are now."""
    fresh = database.with_name("fresh.duckdb")
    fresh.unlink(missing_ok=True)
    archive(fresh, *paths)
    found, expected = rows(database), rows(fresh)
    for table, wanted in expected.items():
        assert found[table] == wanted, table


def test_second_run_reads_nothing(tmp_path: Path) -> None:
    database, mail = tmp_path / "a.duckdb", tmp_path / "a.mbox"
    mail.write_bytes(mailbox(0, 5))
    first = archive(database, mail)
    assert first.text == "files: 1 new; rows added: 5 messages, 15 occurrences, 5 findings\n"
    before = rows(database)
    second = archive(database, mail)
    assert second.text == "files: 1 unchanged; rows added: 0 messages, 0 occurrences, 0 findings\n"
    assert rows(database) == before


@pytest.mark.usefixtures("small_batches")
def test_grown_mailbox_is_read_from_its_last_batch(tmp_path: Path) -> None:
    database, mail = tmp_path / "a.duckdb", tmp_path / "a.mbox"
    mail.write_bytes(mailbox(0, 50))
    archive(database, mail)
    with mail.open("ab") as file:
        file.write(mailbox(50, 60))
    done = archive(database, mail)
    assert done.text == "files: 1 continued; rows added: 10 messages, 30 occurrences, 10 findings\n"
    assert_like_one_run(database, mail)
    assert ask(database, "SELECT count(*), count(DISTINCT message_id) FROM message") == [(60, 60)]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("cut", [3, 120, 500])
def test_mailbox_that_grew_within_a_message_is_read_again_from_there(tmp_path: Path, cut: int) -> None:
    database, mail = tmp_path / "a.duckdb", tmp_path / "a.mbox"
    data = mailbox(0, 40)
    mail.write_bytes(data[:-cut])
    archive(database, mail)
    mail.write_bytes(data + mailbox(40, 45))
    archive(database, mail)
    assert_like_one_run(database, mail)


@pytest.mark.usefixtures("small_batches")
def test_mailbox_with_a_changed_beginning_is_replaced(tmp_path: Path) -> None:
    database, mail = tmp_path / "a.duckdb", tmp_path / "a.mbox"
    mail.write_bytes(mailbox(0, 30))
    archive(database, mail)
    mail.write_bytes(mailbox(1, 45))
    assert archive(database, mail).text.startswith("files: 1 replaced; ")
    assert_like_one_run(database, mail)


def test_changed_file_is_replaced_with_its_urls(tmp_path: Path) -> None:
    database, page, other = tmp_path / "a.duckdb", tmp_path / "a.md", tmp_path / "b.md"
    page.write_text("<http://h.example/old> <http://h.example/both>")
    other.write_text("<http://h.example/both> <http://h.example/%zz>")
    archive(database, page, other)
    page.write_text("<http://h.example/new>")
    assert archive(database, page, other).text.startswith("files: 1 replaced, 1 unchanged; ")
    assert_like_one_run(database, page, other)
    urls = {url for (url,) in ask(database, "SELECT url FROM url")}
    assert urls == {"http://h.example/new", "http://h.example/both", "http://h.example/%zz"}


def test_touched_file_is_not_read_again(tmp_path: Path) -> None:
    database, page = tmp_path / "a.duckdb", tmp_path / "a.md"
    page.write_text("<http://h.example/>")
    archive(database, page)
    os.utime(page, (1, 1))
    assert "1 unchanged" in archive(database, page).text
    assert ask(database, "SELECT epoch(mtime)::INTEGER FROM source") == [(1,)]


def test_verify_finds_a_change_that_size_and_time_hide(tmp_path: Path) -> None:
    database, page = tmp_path / "a.duckdb", tmp_path / "a.md"
    page.write_text("<http://h.example/a>")
    os.utime(page, (9, 9))
    archive(database, page)
    page.write_text("<http://h.example/b>")
    os.utime(page, (9, 9))
    assert "1 unchanged" in archive(database, page).text
    assert "1 replaced" in archive(database, "--verify", page).text
    assert ask(database, "SELECT url FROM url") == [("http://h.example/b",)]


def test_members_of_archives_and_binary_files_have_rows(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "a.zip", "w") as file:
        file.writestr("x.md", "<http://h.example/x>")
        file.writestr("y.bin", bytes(99))
    with tarfile.open(tmp_path / "in" / "b.tar.gz", "w:gz") as tar:
        for text in ("<http://h.example/1>", "<http://h.example/2>"):  # two members of one name
            info = tarfile.TarInfo("m.md")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    (tmp_path / "in" / "c.bin").write_bytes(bytes(99))
    database = tmp_path / "a.duckdb"
    archive(database, tmp_path / "in")
    found = ask(database, "SELECT parse_filename(path), member, kind, status FROM source ORDER BY ALL")
    assert found == [
        ("a.zip", "", "archive", "ok"), ("a.zip", "x.md", "markdown", "ok"), ("a.zip", "y.bin", None, "skipped"),
        ("b.tar.gz", "", "archive", "ok"), ("b.tar.gz", "m.md", "markdown", "ok"),
        ("b.tar.gz", "m.md#2", "markdown", "ok"), ("c.bin", "", None, "skipped"),
    ]  # fmt: skip
    assert "3 unchanged" in archive(database, tmp_path / "in").text
    assert_like_one_run(database, tmp_path / "in")


def test_file_that_cannot_be_read_keeps_its_rows_and_fails(tmp_path: Path) -> None:
    database, page = tmp_path / "a.duckdb", tmp_path / "a.md"
    page.write_text("<http://h.example/>")
    archive(database, page)
    page.unlink()
    done = urlscan("archive", "--db", str(database), str(page))
    assert done.status == 2
    assert "a.md" in done.err
    assert ask(database, "SELECT count(*) FROM occurrence") == [(1,)]


def test_damaged_archive_keeps_what_was_read_and_is_an_error(tmp_path: Path) -> None:
    path, database = tmp_path / "a.tar.gz", tmp_path / "a.duckdb"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(__file__, "a.py")
    path.write_bytes(path.read_bytes()[:-100])
    for _ in range(2):
        done = urlscan("archive", "--db", str(database), str(path))
        assert done.status == 2
    ((status, error),) = ask(database, "SELECT status, error FROM source WHERE member = ''")
    assert status == "error"
    assert error


def test_other_options_for_the_same_database_are_refused(tmp_path: Path) -> None:
    database, page = tmp_path / "a.duckdb", tmp_path / "a.txt"
    page.write_text("www.h.example jo@h.example")
    archive(database, "--emails", page)
    assert ask(database, "SELECT url FROM url") == [("jo@h.example",)]
    done = urlscan("archive", "--db", str(database), str(page))
    assert done.status == 2
    assert "its rows were written with another --emails" in done.err


def test_database_that_is_in_use_is_an_error(tmp_path: Path) -> None:
    database = tmp_path / "a.duckdb"
    archive(database, __file__)
    script = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        done = urlscan("archive", "--db", str(database), __file__)
        other.kill()
    assert done.status == 2
    assert len(done.err.splitlines()) == 1


# --- interruptions


class InterruptedRunError(Exception):
    """The run ends without a chance to clean up."""


@pytest.mark.slow
@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("kind", ["new", "grown", "replaced", "archive"])
def test_interruption_after_any_event_loses_nothing_and_repeats_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Store each batch at once, and stop after every event in turn, without a chance to clean up."""
    database, mail = tmp_path / "a.duckdb", tmp_path / "a.mbox"
    data = mailbox(0, 20)
    if kind == "grown":
        mail.write_bytes(mailbox(0, 10))
        archive(database, mail)
    elif kind == "replaced":
        mail.write_bytes(mailbox(5, 22))
        archive(database, mail)
    if kind == "archive":
        mail = tmp_path / "a.zip"
        with zipfile.ZipFile(mail, "w") as file:
            file.writestr("a.mbox", data)
            file.writestr("b.md", "<http://h.example/x> <http://h.example/%zz>")
            file.writestr("c.mbox", mailbox(30, 40))
    else:
        mail.write_bytes(data)
    monkeypatch.setattr("urlscan.archive.ingest._SECONDS", 0)
    handle = Ingest.handle
    left = 0

    def handle_some(self: Ingest, event: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise InterruptedRunError
        return handle(self, event)  # type: ignore[arg-type]

    monkeypatch.setattr(Ingest, "handle", handle_some)
    runs, stops = 0, [2, 3, 4, 6, 1, 3, 5, 99]
    for stop in stops:
        left, runs = stop, runs + 1
        done = urlscan("archive", "--isolated", "--db", str(database), str(mail))
        if done.status == 0:
            break
        assert "InterruptedRunError" in done.err
    assert runs > 2
    monkeypatch.undo()
    monkeypatch.setattr(split.batch_spans, "__defaults__", (2000, split.LARGEST, 0, None))
    assert_like_one_run(database, mail)


@pytest.mark.slow
def test_killed_process_leaves_a_database_that_the_next_run_completes(tmp_path: Path) -> None:
    """Kill the process at random moments (URLSCAN_KILLS times), run it again, and compare with one run."""
    mail, other, database = tmp_path / "a.mbox", tmp_path / "b.zip", tmp_path / "a.duckdb"
    mail.write_bytes(b"".join(message(number, f"ftp://h{number}.example/ {'text ' * 1500}") for number in range(1500)))
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("c.mbox", mailbox(0, 200))
        file.writestr("d.txt", "".join(f"See http://h{n}.example/.\n\n" for n in range(3_000)))
    script = (
        "import urlscan.archive.ingest as i; i._SECONDS = 0.05\n"
        "from urlscan.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    )
    command = [
        sys.executable,
        "-c",
        script,
        "archive",
        "--isolated",
        "-q",
        "--db",
        str(database),
        str(mail),
        str(other),
    ]
    chance = random.Random(KILLS)
    partial = 0
    for _ in range(KILLS):
        with subprocess.Popen(command, env=clean_environment()) as process:
            deadline = time.monotonic() + chance.uniform(0.3, 3)
            while time.monotonic() < deadline and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        if database.exists():
            with open_database(str(database)) as connection:
                (count,) = connection.execute("SELECT count(*) FROM source WHERE status = 'partial'").fetchone() or (0,)
                partial += count > 0
    done = subprocess.run(command, env=clean_environment(), check=False)
    assert done.returncode == 0
    assert_like_one_run(database, mail, other)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="one process reads and writes")
def test_killed_reader_is_one_line_and_keeps_what_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database, mail = tmp_path / "a.duckdb", tmp_path / "a.mbox"
    mail.write_bytes(mailbox(0, 20))
    archive(database, mail)
    before = rows(database)
    parent = os.getpid()
    events = reader.read_paths

    def killed(*arguments: object) -> object:
        for event in events(*arguments):  # type: ignore[arg-type]
            yield event
            if isinstance(event, RowsEvent) and os.getpid() != parent:
                os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("urlscan.cli.archive.read_paths", killed)
    mail.write_bytes(mailbox(20, 40))
    done = urlscan("archive", "--isolated", "--db", str(database), str(mail))
    message = "the process that reads the files was killed (the same command continues)"
    assert (done.status, done.err) == (2, f"urlscan: {message}\n")
    assert rows(database) == before
    monkeypatch.undo()
    archive(database, mail)
    assert_like_one_run(database, mail)


@pytest.mark.parametrize(
    "error",
    [
        KeyboardInterrupt(),
        RuntimeError("Query interrupted"),
        duckdb.InterruptException("INTERRUPT Error: Interrupted!"),
    ],
    ids=["Python", "DuckDB 1", "DuckDB 2"],
)
def test_interrupted_run_says_how_to_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    database, page = tmp_path / "a.duckdb", tmp_path / "a.md"
    page.write_text("<http://h.example/>")

    def interrupt(self: Ingest, event: object) -> object:
        raise error

    monkeypatch.setattr(Ingest, "handle", interrupt)
    done = urlscan("archive", "--db", str(database), str(page))
    assert (done.status, done.err) == (130, "urlscan: interrupted; the same command continues\n")
    with duckdb.connect(str(database)) as connection:
        assert connection.execute("SELECT count(*) FROM source").fetchone() == (0,)
