"""Measure how long language servers take to answer a keystroke.

    python benchmarks/editor.py FILE COMMAND...

opens FILE in the server that COMMAND starts and types a link with a fault into the middle of it, one character after
the diagnostics of the previous one, every 120 ms at most. It prints the time from each keystroke to the diagnostics
of that version: median, 95th percentile and maximum. If the server sends diagnostics of the last version again, the
time until then is printed as well.
"""

import json
import queue
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

_PAUSE = 0.12
_REPEATS = 6
_TYPED = {".md": "See [it](http://h.example/a|b). ", ".py": "x = undefined + 1  # text        "}


class Server:
    """A language server."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages: queue.Queue[tuple[float, dict[str, Any]]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        while header := stream.readline():
            if header.lower().startswith(b"content-length"):
                length = int(header.split(b":")[1])
                while stream.readline().strip():
                    pass
                self.messages.put((time.monotonic(), json.loads(stream.read(length))))

    def wait(self, is_wanted: Any, timeout: float = 60) -> tuple[float, dict[str, Any]]:
        """Return the next message that is wanted, with the time of its arrival; answer requests in between."""
        end = time.monotonic() + timeout
        while True:
            at, message = self.messages.get(timeout=max(end - time.monotonic(), 0.001))
            if "id" in message and "method" in message:
                self.send({"id": message["id"], "result": None})
            elif is_wanted(message):
                return at, message

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def measure(path: Path, command: list[str]) -> None:
    """Measure one server with one document, and print the result."""
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.split("\n")
    line = next(number for number in range(len(lines) // 2, len(lines)) if not lines[number].strip())
    uri = path.resolve().as_uri()
    server = Server(command)
    can = {"textDocument": {"publishDiagnostics": {"versionSupport": True}}, "workspace": {}}
    server.send({"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": can}})
    server.wait(lambda message: message.get("id") == 1)
    server.send({"method": "initialized", "params": {}})
    language = {".md": "markdown", ".py": "python"}[path.suffix]
    began = time.monotonic()
    document = {"uri": uri, "languageId": language, "version": 0, "text": text}
    server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
    at, _ = server.wait(_has_version(0))
    print(f"{len(text) / 1e6:.2f} million characters, opened in {1000 * (at - began):.0f} ms")
    times, version = [], 0
    typed = _TYPED[path.suffix]
    for _ in range(_REPEATS):
        for column, character in enumerate(typed):
            version += 1
            place = {"line": line, "character": column}
            change = {"range": {"start": place, "end": place}, "text": character}
            began = time.monotonic()
            identifier = {"uri": uri, "version": version}
            params = {"textDocument": identifier, "contentChanges": [change]}
            server.send({"method": "textDocument/didChange", "params": params})
            at, message = server.wait(_has_version(version))
            times.append(1000 * (at - began))
            time.sleep(max(_PAUSE - (time.monotonic() - began), 0))
        found = [one for one in message["params"]["diagnostics"] if one["range"]["start"]["line"] == line]
        assert found, "the fault was not reported with the last keystroke"
    try:
        again, _ = server.wait(_has_version(version), timeout=5)
        print(f"diagnostics of the last version again after {1000 * (again - began):.0f} ms")
    except queue.Empty:
        pass
    times.sort()
    p95 = times[int(len(times) * 0.95)]
    median = statistics.median(times)
    print(f"{len(times)} keystrokes: median {median:.0f} ms, p95 {p95:.0f} ms, maximum {times[-1]:.0f} ms")
    server.end()


def _has_version(version: int) -> Any:
    def check(message: dict[str, Any]) -> bool:
        return (
            message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version
        )

    return check


if __name__ == "__main__":
    measure(Path(sys.argv[1]), sys.argv[2:])
