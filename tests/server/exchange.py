"""Record an exchange of an editor with the server.

`python -m tests.server.exchange` writes it to `exchange.jsonl`, with positions shortened to `line:character`.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.command import clean_environment

RECORD = Path(__file__).with_name("exchange.jsonl")
_PROJECT = "file:///project"
# Parts of messages that say nothing about the exchange.
_LEFT_OUT = ("jsonrpc", "data", "codeDescription", "clientInfo", "processId")
TEXT = """\
[Guide](guide.md#setup) by <http://www.archive.example.org/type-
setting.html>, and [plan](http://h.example/a|b).
"""


class Exchange:
    """A server, and the messages that were sent to it and received from it.

    Attributes:
        lines: the messages, one per line.
    """

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-m", "urlscan", "server"]
        env = clean_environment()
        self._process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._root = root
        self._number = 0
        self.lines: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate(timeout=300)
        assert kind is not None or self._process.returncode == 0

    def request(self, method: str, params: Any, *, record: bool = True) -> Any:
        """Send a request and return its result; other messages in between are not expected."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params}, record=record)
        answer = self._receive(record=record)
        assert answer.get("id") == self._number, answer
        return answer["result"]

    def notify(self, method: str, params: Any, *, record: bool = True) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params}, record=record)

    def notified(self) -> Any:
        """Return the parameters of the next notification of the server."""
        message = self._receive()
        assert "method" in message, message
        return message["params"]

    def _send(self, message: dict[str, Any], *, record: bool) -> None:
        if record:
            self._record("editor", message)
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _receive(self, *, record: bool = True) -> Any:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            assert name in (b"Content-Length", b"Content-Type"), line  # nothing else is written there
            length = int(value) if name == b"Content-Length" else length
        message = json.loads(stream.read(length))
        if record:
            self._record("server", message)
        return message

    def _record(self, sender: str, message: dict[str, Any]) -> None:
        text = json.dumps({"from": sender, **_shortened(message)}, ensure_ascii=False)
        self.lines.append(text.replace(self._root.as_uri(), _PROJECT))


def _shortened(value: Any) -> Any:
    """Return a message without the parts in `_LEFT_OUT`, and its positions as [line, character]."""
    if isinstance(value, list):
        return [_shortened(one) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"line", "character"}:
        return f"{value['line']}:{value['character']}"
    if value.keys() == {"start", "end"}:
        return "-".join(_shortened(value[name]) for name in ("start", "end"))
    left_out = (*_LEFT_OUT, "diagnostics") if "title" in value else _LEFT_OUT
    return {name: _shortened(one) for name, one in value.items() if name not in left_out}


def exchange(root: Path) -> list[str]:
    """Return the messages of a session in a project: open, hover, link, edit, fix, rename, configure."""
    (root / ".git").mkdir()
    (root / "guide.md").write_text("# Setup\n")
    (root / "a.md").write_text(TEXT)
    document = {"uri": (root / "a.md").as_uri()}
    with Exchange(root) as session:
        can = {"workspace": {}, "textDocument": {"hover": {"contentFormat": ["plaintext"]}}}
        start = {"processId": None, "rootUri": root.as_uri(), "capabilities": can}
        session.request("initialize", start, record=False)
        session.notify("initialized", {}, record=False)
        session.notify(
            "textDocument/didOpen", {"textDocument": {**document, "languageId": "markdown", "version": 1, "text": TEXT}}
        )
        hyphen, fault = session.notified()["diagnostics"]
        session.request("textDocument/hover", {"textDocument": document, "position": {"line": 1, "character": 4}})
        session.request("textDocument/documentLink", {"textDocument": document})
        actions = session.request(
            "textDocument/codeAction",
            {"textDocument": document, "range": fault["range"], "context": {"diagnostics": [], "only": ["quickfix"]}},
        )
        (edit,) = actions[0]["edit"]["changes"][document["uri"]]
        change = {"range": edit["range"], "text": edit["newText"]}
        session.notify(
            "textDocument/didChange", {"textDocument": {**document, "version": 2}, "contentChanges": [change]}
        )
        assert [one["code"] for one in session.notified()["diagnostics"]] == [hyphen["code"]]
        rename = {"oldUri": (root / "guide.md").as_uri(), "newUri": (root / "docs" / "start.md").as_uri()}
        session.request("workspace/willRenameFiles", {"files": [rename]})
        (root / "urlscan.toml").write_text('ignore = ["hyphen-at-break"]\n')
        session.notify(
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": (root / "urlscan.toml").as_uri(), "type": 1}]},
        )
        assert session.notified()["diagnostics"] == []
        session.request("shutdown", None, record=False)
        session.notify("exit", None, record=False)
    return session.lines


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as directory:
        RECORD.write_text("".join(f"{line}\n" for line in exchange(Path(directory))), encoding="utf-8")
