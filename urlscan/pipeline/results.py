"""Define the results of extracting and checking, and the options for fixing."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from urlscan.core.document import Document
from urlscan.core.named_tuple import NamedTuple
from urlscan.core.records import Finding
from urlscan.masking.track import Secrets

T = TypeVar("T")


class CheckResult(NamedTuple):
    """The findings of one document, or of a chunk of one.

    Attributes:
        path: the name of its source.
        document: the text of the findings, after fixing.
        findings: the remaining findings, in order of position.
        secrets: the secrets in the document.
        fixed: the fixed findings.
        left_out: how many findings are not reported because the source is test data (`relaxed-paths`).
        note: a remark for the user about how the document was read or checked, or "".
        excused: how many relative references that may be broken were not reported, by the reason.
    """

    path: str
    document: Document
    findings: list[Finding]
    secrets: Secrets
    fixed: list[Finding]
    left_out: int = 0
    note: str = ""
    excused: Mapping[str, int] = {}


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
