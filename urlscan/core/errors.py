"""Define the exceptions of urlscan, and hints for them.

A malformed URL is a value with problems, not an exception. An exception means that urlscan could not work: an unknown
argument, an unreadable file, an invalid setting.
"""

from collections.abc import Iterable


def did_you_mean(word: str, names: Iterable[str], otherwise: str = "", cutoff: float = 0.6) -> str:
    """Return a hint: the known name that is most similar to a word, else `otherwise`, or all names."""
    import difflib  # loaded only for a message

    by_lower = {name.lower(): name for name in names}
    for match in difflib.get_close_matches(word[:60].lower().replace("_", "-"), by_lower, n=1, cutoff=cutoff):
        return f'did you mean "{by_lower[match]}"?'
    return otherwise or f"choose one of {', '.join(by_lower.values())}"


def reason(error: Exception) -> str:
    """Return why something failed, for a message."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


class UrlscanError(Exception):
    """The base class of all exceptions of urlscan.

    Attributes:
        message: the error, one sentence without a full stop.
        hint: how to resolve it, or "".
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        if not self.hint:
            return self.message
        return f"{self.message} ({self.hint})"


class ConfigError(UrlscanError):
    """A setting or an option is invalid, or names an unknown rule, profile or kind."""


class RefusedError(UrlscanError):
    """The result cannot be written as a URL, or the caller asked to refuse it."""


class SourceError(UrlscanError):
    """A file or a standard stream cannot be read or written.

    Attributes:
        path: the name of the source as it was given.
    """

    def __init__(self, path: str, message: str, *, hint: str = "") -> None:
        super().__init__(f"{path}: {message}", hint=hint)
        self.path = path

    def as_result(self) -> "SourceError":
        """Return the error without its traceback, so that the run can continue.

        The frames of the traceback refer to the error; such a cycle would keep the data of the source in memory.
        """
        self.__traceback__ = self.__context__ = None
        return self


class ChangedError(SourceError):
    """A file was not written, because another program changed it after it was read."""


class ConfigFileError(SourceError, ConfigError):
    """A configuration file is unreadable or invalid."""
