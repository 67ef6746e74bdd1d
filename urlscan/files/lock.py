"""Lock a file against other processes of this program while it is read, merged and written."""

import contextlib
import errno
import os
import time
from collections.abc import Iterator

# A process holds the lock for milliseconds; a longer one is stuck or belongs to another program.
_LONGEST_WAIT = 30.0
_PAUSE = 0.02


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold the lock on a file, which may be missing.

    The lock is one on the file's directory, so that no file remains however a process ends. Where directories cannot be
    locked (Windows, some network file systems) it is a file with the suffix `.lock`.

    Raises:
        OSError: another process holds the lock for half a minute, or the directory does not exist.
    """
    target = os.path.realpath(path)
    descriptor = _lock_directory(os.path.dirname(target))
    if descriptor is not None:
        try:
            yield
        finally:
            os.close(descriptor)
        return
    name = target + ".lock"
    descriptor = _create(name)
    try:
        yield
    finally:
        os.close(descriptor)
        with contextlib.suppress(FileNotFoundError):  # Windows removes it when it is closed
            os.unlink(name)


def _lock_directory(path: str) -> int | None:
    """Return a descriptor of the locked directory; None if directories cannot be locked."""
    try:
        import fcntl

        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except (ImportError, AttributeError, OSError):
        return None
    try:
        for _ in _attempts("another process holds a lock on its directory"):
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            except OSError:  # not supported by this file system
                os.close(descriptor)
                return None
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    return None


def _create(name: str) -> int:
    """Return the descriptor of the lock file, created by this process."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_CLOEXEC", 0)
    # On Windows it is removed even if this process is killed.
    flags |= getattr(os, "O_TEMPORARY", 0) | getattr(os, "O_NOINHERIT", 0)
    for _ in _attempts(f"another process holds the lock; if none does, remove {name}"):
        try:
            return os.open(name, flags, 0o600)
        except FileExistsError:
            continue
        except PermissionError:
            if os.name != "nt":  # on Windows, a file that is being removed
                raise
    raise AssertionError("the attempts end with an exception")


def _attempts(message: str) -> Iterator[None]:
    """Yield with pauses until the time limit; then raise OSError with the message."""
    end = time.monotonic() + _LONGEST_WAIT
    while time.monotonic() < end:
        yield
        time.sleep(_PAUSE)
    raise OSError(errno.ETIMEDOUT, message)
