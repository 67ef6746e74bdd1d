"""Unexpected exceptions: they are reported without the text of any document, and the server continues."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from pygls.exceptions import JsonRpcInternalError

from tests.command import clean_environment
from urlscan.server import session as session_module
from urlscan.server.actions import Document
from urlscan.server.app import guarded
from urlscan.server.background import BackgroundCheck, EndedError, Task
from urlscan.server.session import Session
from urlscan.server.settings import EditorSettings
from urlscan.server.text import Text

SECRET = "ftp://jo:x1y2z3@files.corp.net/"


def fail(*_: Any) -> None:
    raise ValueError(f"invalid literal: {SECRET}")


def test_an_error_of_a_request_does_not_quote_the_document() -> None:
    async def handler() -> None:
        fail()

    with pytest.raises(JsonRpcInternalError) as caught:
        asyncio.run(guarded(handler)())
    assert "internal error: ValueError at fail" in str(caught.value)
    assert "x1y2z3" not in str(caught.value) + repr(caught.value.data)


def test_an_error_of_a_check_is_reported_and_the_next_version_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    published: list[Document] = []

    async def scenario() -> None:
        session = Session(lambda document, _: published.append(document), lambda *_: pytest.fail("large"))
        with monkeypatch.context() as patched:
            patched.setattr(session_module.Checker, "check", fail)
            session.open("file:///a.md", "/a.md", "markdown", 1, Text("[a](http://h.example/a|b)\n"))
            document = await session.document("file:///a.md")
            assert document is not None
            assert "ValueError" in document.analysis.error
            assert "x1y2z3" not in document.analysis.error
        session.change("file:///a.md", 2, Text("[a](http://h.example/a|c)\n"))
        document = await session.document("file:///a.md")
        assert document is not None
        assert [one.code for one in document.analysis.findings] == ["U101"]
        session.end()

    asyncio.run(scenario())
    assert [one.version for one in published] == [1, 2]


def test_a_process_that_is_ended_gives_no_result(tmp_path: Path) -> None:
    task = Task(str(tmp_path / "a.md"), "markdown", "", EditorSettings(), "[a](http://h.example/a|b)\n")
    check = BackgroundCheck()
    check.end()
    with pytest.raises(EndedError):
        check.run(task)
    assert [one.code for one in BackgroundCheck().run(task).findings] == ["U101"]


@pytest.mark.exhaustive
def test_a_check_ends_when_the_server_is_killed(tmp_path: Path) -> None:
    """The text takes a minute of processor time to check, so that the process would outlive the server.

    The limit is in processor time, because on a busy machine the process may wait long before it can end.
    """
    script = tmp_path / "parent.py"
    script.write_text(
        "import signal, threading, time\n"
        "from urlscan.server.background import BackgroundCheck, Task\n"
        "from urlscan.server.settings import EditorSettings\n"
        "if __name__ == '__main__':\n"
        "    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a shell\n"
        "    check = BackgroundCheck()\n"
        "    text = '[a](http://h.example/a|b) *and* more\\n\\n' * 1_500_000\n"
        "    task = Task('/a.md', 'markdown', '', EditorSettings(), text)\n"
        "    threading.Thread(target=check.run, args=(task,), daemon=True).start()\n"
        "    while check._process.pid is None: time.sleep(0.01)\n"
        "    print(check._process.pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], env=clean_environment(), stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(5)  # until it has received the text
        parent.kill()
        limit = (processor_time(child) or 0) + 20
    end = time.monotonic() + 300
    while (spent := processor_time(child)) is not None and spent < limit and time.monotonic() < end:
        time.sleep(0.05)
    assert spent is None


def processor_time(pid: int) -> float | None:
    """Return the seconds of processor time of a process; None if it has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else sum(map(int, fields[10:12])) / os.sysconf("SC_CLK_TCK")


def test_no_module_of_the_current_directory_is_imported(tmp_path: Path) -> None:
    """The editor starts the server in the directory of the project, which may hold modules of any name."""
    project, programs = tmp_path / "project", tmp_path / "programs"
    for directory in (project, programs):
        directory.mkdir()
    for name in ("multiprocessing", "encodings", "urlscan", "pygls", "pickle"):
        (project / f"{name}.py").write_text("open('marker', 'w')\n")
    script = programs / "check.py"
    script.write_text(
        "from urlscan.server.background import BackgroundCheck, Task\n"
        "from urlscan.server.settings import EditorSettings\n"
        "if __name__ == '__main__':\n"
        "    task = Task('/a.md', 'markdown', '', EditorSettings(), '[a](http://h.example/a|b)')\n"
        "    print([one.code for one in BackgroundCheck().run(task).findings])\n"
    )
    env = clean_environment(PYTHONPATH=str(Path(session_module.__file__).parents[2]))
    done = subprocess.run(
        [sys.executable, str(script)], cwd=project, env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "['U101']\n"
    assert not (project / "marker").exists()
