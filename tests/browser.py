"""Drive a headless Chromium over a pipe, by the Chrome DevTools Protocol."""

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --no-default-browser-check"
    " --disable-extensions --disable-background-networking --disable-component-update --disable-sync --mute-audio"
    " --disable-default-apps --hide-scrollbars=false --remote-debugging-pipe"
).split()
# The proxy does not exist: a request that leaves in spite of everything fails, and is reported by the browser.
_NO_NETWORK = "--proxy-server=http://127.0.0.1:9"

_REDIRECTED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A headless Chromium with one page.

    Attributes:
        events: what the browser reported, in order.
    """

    def __init__(self, program: str, profile: Path, limit: float = 60) -> None:
        self.events: list[dict[str, Any]] = []
        self._limit = limit
        self._ids = itertools.count(1)
        self._rest = b""
        # Chromium reads commands from descriptor 3 and writes to 4; these are higher, so that neither is overwritten.
        ours, theirs = os.pipe(), os.pipe()
        passed = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (ours[0], theirs[1])]
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = ours[1], theirs[0]
        command = [program, *_OPTIONS, _NO_NETWORK, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _REDIRECTED, *map(str, passed), *command],
            pass_fds=passed,
            env={**os.environ, "HOME": str(profile)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for descriptor in passed:
            os.close(descriptor)
        self._session = ""
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Browser":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        for descriptor in (self._to, self._from):
            os.close(descriptor)
        try:
            self._process.wait(10)  # it ends with the pipe
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        number = next(self._ids)
        message: dict[str, object] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, path: Path) -> float:
        """Open a page and return the seconds until it is loaded."""
        self.events.clear()
        began = time.monotonic()
        self.call("Page.navigate", url=path.absolute().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._receive()
        return time.monotonic() - began

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        given = {"expression": script, "returnByValue": True, "awaitPromise": True, "userGesture": True}
        answer = self.call("Runtime.evaluate", **given)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def show(self, width: int, height: int = 900, *, dark: bool = False, media: str = "") -> None:
        """Set the size of the window, the color scheme and the medium."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of the window, or of the whole page."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def press(self, key: str, code: int) -> None:
        """Press a key, by its name and its Windows code."""
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def requests(self) -> list[str]:
        """Return the addresses that the page requested, the page itself included."""
        return [one["params"]["request"]["url"] for one in self.events if one["method"] == "Network.requestWillBeSent"]

    def complaints(self) -> list[str]:
        """Return errors and warnings of the page: exceptions, and violations of its policy."""
        texts = [one["params"]["entry"]["text"] for one in self.events if one["method"] == "Log.entryAdded"]
        return texts + [str(one["params"]) for one in self.events if one["method"] == "Runtime.exceptionThrown"]

    def _receive(self) -> dict[str, Any]:
        """Return the next message; events are also kept."""
        end = time.monotonic() + self._limit
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(end - time.monotonic(), 0))
            data = os.read(self._from, 1 << 20) if ready else b""
            if not data:
                raise TimeoutError("the browser does not answer" if not ready else "the browser ended")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message
