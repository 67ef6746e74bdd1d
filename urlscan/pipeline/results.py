"""Define the result of extracting, and the options for fixing."""

from collections.abc import Callable
from typing import Generic, TypeVar

from urlscan.core.record import NamedTuple
from urlscan.formats.base import CheckResult

T = TypeVar("T")


class ExtractResult(NamedTuple, Generic[T]):
    """The result for the URLs of one chunk of a source.

    Attributes:
        path: the path to show, with the member of an archive.
        encoding: the codec with which the chunk was decoded.
        whole: whether all of its bytes are valid in that encoding.
        result: the value returned by the function that `extract` was given.
        note: a remark for the user about how the chunk was read, or "".
    """

    path: str
    encoding: str
    whole: bool
    result: T
    note: str = ""


class FixOptions(NamedTuple):
    """How to fix findings.

    Attributes:
        unsafe: whether to apply fixes that may change the meaning.
        stdout: receives the fixed bytes of standard input.
        diff: called with the old and the new result of each changed document; nothing is written then.
    """

    unsafe: bool
    stdout: Callable[[bytes], object]
    diff: Callable[[CheckResult, CheckResult], object] | None = None
