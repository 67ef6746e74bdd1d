"""Configuration files as bytes, and their names as they are shown."""

import os

from urlscan.core.errors import ConfigFileError
from urlscan.files.safe_open import TooLargeError, read_regular
from urlscan.files.safe_open import relative_to_here as name_of

__all__ = ["contents", "inside", "name_of"]

# The largest size of a configuration file, in bytes.
LARGEST = 1 << 20


def contents(path: str) -> bytes:
    """Return the bytes of a configuration file; raise ConfigFileError if it is too large or not a regular file."""
    try:
        return read_regular(path, LARGEST)
    except TooLargeError:
        raise ConfigFileError(name_of(path), "larger than 1 MiB") from None
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise ConfigFileError(name_of(path), f"cannot read the configuration: {why}") from None


def inside(path: str) -> str:
    """Return a path with "/" after it if it is a directory."""
    return os.path.join(path, "") if os.path.isdir(path) else path
