"""The recorded exchange is what the server sends, byte for byte, and nothing else is on its standard output."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from tests.command import clean_environment
from tests.server.exchange import RECORD, exchange
from urlscan.core.project import install_command


def test_recorded_exchange_is_current(tmp_path: Path) -> None:
    assert RECORD.read_text(encoding="utf-8").splitlines() == exchange(tmp_path), "run python -m tests.server.exchange"


def run(*arguments: str, script: str = "", stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    code = f"import sys\n{script}\nfrom urlscan.cli import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, input=stdin, env=clean_environment(), capture_output=True, timeout=300, check=False)


def test_without_pygls_the_command_says_what_to_install() -> None:
    done = run("server", script="sys.modules['pygls'] = None; sys.modules['lsprotocol'] = None")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == f"urlscan: the language server needs pygls ({install_command('lsp')})\n".encode()


def test_an_editor_that_goes_away_ends_the_server() -> None:
    done = run("server")
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_what_is_not_the_protocol_is_ignored_silently() -> None:
    secret = b'Content-Length: 44\r\n\r\n{"jsonrpc": "2.0", "ftp://jo:x1y2z3@h.corp/"}'
    done = run("server", stdin=secret + b"x1y2z3\r\n\r\n")
    assert b"x1y2z3" not in done.stdout + done.stderr
