"""What tests of several files begin with."""

import signal
from pathlib import Path

import pytest

from tests import possessive

# Before any test module imports the package.
possessive.install()

# A runner that was started by nohup hands an ignored signal on to the processes that the tests start.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
