"""Set-up and fixtures that tests of several packages share."""

import gc
import signal
from pathlib import Path

import hypothesis
import pytest

from tests import possessive
from tests.strategies import FACTOR

# Install the check before any test module imports the package.
possessive.install()

# An example may take longer on a busy machine.  Every run has the same examples, so that a failure is the fault of the
# change; the nightly run has others: --hypothesis-profile=explore --hypothesis-seed=N.
hypothesis.settings.register_profile(
    "urlscan", deadline=None, derandomize=True, database=None, max_examples=max(int(100 * FACTOR), 25)
)
hypothesis.settings.register_profile("explore", deadline=None, derandomize=False, print_blob=True)
hypothesis.settings.load_profile("urlscan")

# A parent started by nohup ignores SIGHUP, and the processes started by the tests would inherit that.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, which would search them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to an empty directory and return it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pytest_unconfigure() -> None:
    """Let the end of the process free what was excluded; else the library of DuckDB reports it as leaked."""
    gc.unfreeze()
