"""The exceptions of urlscan: trouble of ours, never of a URL's.

A malformed URL is a value with problems.  What is raised here means that urlscan itself could not
work: an argument that names nothing, a file that cannot be read, a setting that is not understood.
"""


class UrlscanError(Exception):
    """urlscan could not do what it was asked.

    Attributes:
        message: what is wrong, one sentence without a trailing full stop.
        hint: what to do about it, or "".
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class ConfigError(UrlscanError):
    """A setting, an option or the name of a rule, profile or kind is not understood."""


class RefusedError(UrlscanError):
    """What was asked for cannot be written as a URL, or was to be refused."""


class SourceError(UrlscanError):
    """A source could not be read.

    Attributes:
        path: the name of the source as it was given.
    """

    def __init__(self, path: str, message: str, *, hint: str = "") -> None:
        super().__init__(f"{path}: {message}", hint=hint)
        self.path = path


class ChangedError(SourceError):
    """A file was left alone because another program changed it after it was read."""


class ConfigFileError(SourceError, ConfigError):
    """A configuration file could not be read, or says something that is not understood."""
