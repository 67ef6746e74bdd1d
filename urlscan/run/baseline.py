"""What is known already and is to be mended another day: a baseline holds findings that are not reported again.

A file of JSON, an entry a line, sorted: path, code, a hash of the URL, and how often.  It holds no times and no
lines, so that it changes only where findings come or go.  The last line is not an entry, so that every entry ends
alike: what two people have added is put together line by line, as git does it.  The hash is one of the URL with its
secrets masked and tells nothing of them.  Paths are relative to the baseline's own directory, with "/".
"""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import NamedTuple, TypeVar

from urlscan.errors import ConfigError, SourceError
from urlscan.files.atomic_write import FileState, Original, write
from urlscan.formats.masking import Secrets, mask_url
from urlscan.formats.records import dumps
from urlscan.model import Finding
from urlscan.run import CheckResult
from urlscan.sources.opening import open_regular
from urlscan.sources.walk import STDIN
from urlscan.text import readable

VERSION = 1
# A baseline of more bytes is none: a million findings take half as many.
_LARGEST = 1 << 28
_CONFLICT = ("<" * 7 + " ", ">" * 7 + " ")

T = TypeVar("T")
# Tells which rules are on for a file.
Codes = Callable[[str], frozenset[str]]


class BaselineEntry(NamedTuple):
    """Findings that are alike.

    Attributes:
        path: of the source, relative to the baseline's directory, with "/".
        code: the rule's.
        url: a hash of the URL with its secrets masked.
    """

    path: str
    code: str
    url: str


class Baseline:
    """The findings that are known, and those of a run.

    Args:
        file: the name of the baseline; its directory is what paths are relative to.
        known: how often each is known.
        original: the file as it was read, if there is one.

    Attributes:
        found: how often each was found so far.
        original: the file as it was read; None if there is none.
    """

    def __init__(
        self, file: str, known: "Counter[BaselineEntry] | None" = None, original: Original | None = None
    ) -> None:
        self.file = file
        self.original = original
        self.known = known if known is not None else Counter[BaselineEntry]()
        self.found = Counter[BaselineEntry]()
        self._places: dict[str, str] = {}
        self._base = os.path.dirname(os.path.realpath(file))
        self._judged: set[str] = set()

    def filter(self, results: Iterable[CheckResult | T]) -> Iterator[CheckResult | T]:
        """Pass results on without the findings that are known; of those that are alike, the first are."""
        for result in results:
            if isinstance(result, CheckResult):
                self._judged.add(self._place(result.path))
                new = [finding for finding in result.findings if not self._is_known(finding, result.secrets)]
                result = result._replace(findings=new)
            yield result

    def unknown(self, results: list[CheckResult]) -> list[CheckResult]:
        """Return all results of one source without the findings that are known, and take no note of them."""
        return list(Baseline(self.file, self.known).filter(results))

    def take(self, results: Iterable[CheckResult | T]) -> Iterator[CheckResult | T]:
        """Pass results on without any finding: all are going to be known."""
        for result in self.filter(results):
            yield result._replace(findings=[]) if isinstance(result, CheckResult) else result

    def stale(self, codes: Codes, paths: Iterable[str]) -> "Counter[BaselineEntry]":
        """Return what is known and was not found, of what was judged.

        Args:
            codes: returns the rules that were on for a file.
            paths: those that the run was given: what is no more and stood there was judged, too.
        """
        is_judged = self._judge(codes, paths)
        return Counter({entry: count for entry, count in (self.known - self.found).items() if is_judged(entry)})

    def update(self, codes: Codes, paths: Iterable[str]) -> "tuple[Counter[BaselineEntry], Counter[BaselineEntry]]":
        """Merge the findings of this run into the file; return its new entries, and the stale ones that it held.

        Of several processes that do this at once, each merges with what the others wrote.  What a run judged (see
        `stale`) is as the last of them found it; everything else is kept.

        Raises:
            SourceError: the file cannot be read or written.
            ConfigError: it is no baseline any more.
        """
        from urlscan.files.lock import locked  # only for writing

        paths = list(paths)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked(self.file))
            except (OSError, ValueError) as error:
                why = (isinstance(error, OSError) and error.strerror) or str(error)
                raise SourceError(self.file, f"cannot be written: {why}") from None
            now = read(self.file, missing=True)
            self.known, self.original = now.known, now.original
            is_judged = self._judge(codes, paths)
            kept = {entry: count for entry, count in self.known.items() if not is_judged(entry)}
            renewed = Counter({**kept, **self.found})
            if renewed != self.known or self.original is None:
                write(self.file, written(renewed), "written", new=True, original=self.original)
            return renewed, self.stale(codes, paths)

    def _is_known(self, finding: Finding, secrets: Secrets) -> bool:
        url = readable(mask_url(finding.url, secrets))
        digest = hashlib.sha256(url.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        entry = BaselineEntry(self._place(finding.path), finding.code, digest)
        self.found[entry] += 1
        return self.found[entry] <= self.known[entry]

    def _place(self, path: str) -> str:
        """Return a path as entries have it: the same from wherever the run was started."""
        if path == STDIN:
            return path
        directory, name = os.path.split(path)
        known = self._places.get(directory)
        if known is None:
            real = os.path.realpath(directory)
            try:
                known = os.path.relpath(real, self._base)
            except ValueError:  # on another drive
                known = real
            known = self._places[directory] = "" if known == os.curdir else known.replace(os.sep, "/") + "/"
        return known + name

    def _judge(self, codes: Codes, paths: Iterable[str]) -> "_JudgedEntries":
        return _JudgedEntries(
            codes, self._judged, self._base, [os.path.realpath(path) for path in paths if path != STDIN]
        )


class _JudgedEntries:
    """Tells whether a run would have found an entry, if there still were something to find."""

    def __init__(self, codes: Codes, judged: set[str], base: str, roots: list[str]) -> None:
        self._codes, self._judged, self._base = codes, judged, base
        self._roots = {root.rstrip(os.sep) for root in roots}
        self._known: dict[str, bool] = {}

    def __call__(self, entry: BaselineEntry) -> bool:
        if entry.code not in self._codes(os.path.normpath(os.path.join(self._base, entry.path))):
            return False
        if entry.path not in self._known:
            self._known[entry.path] = entry.path in self._judged or self._is_gone(entry.path)
        return self._known[entry.path]

    def _is_gone(self, path: str) -> bool:
        """Whether a path is one of those that the run was given, or below one, and nothing stands there."""
        place = os.path.normpath(os.path.join(self._base, path))
        above = place
        while above not in self._roots:
            upper = os.path.dirname(above)
            if upper == above:
                return "" in self._roots and not _exists(place)
            above = upper
        return not _exists(place)


def _exists(path: str) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a NUL in it
        return False


def read(file: str, *, missing: bool = False) -> Baseline:
    """Read a baseline.

    Args:
        file: its name.
        missing: whether it may be missing, and is empty then.

    Raises:
        SourceError: it cannot be read.
        ConfigError: it is none.
    """
    try:
        with open(open_regular(file), "rb") as opened:
            state = FileState.of(os.fstat(opened.fileno()))
            data = opened.read(_LARGEST + 1)
    except FileNotFoundError:
        if missing:
            return Baseline(file)
        raise SourceError(file, "there is no such baseline", hint="--write-baseline makes one") from None
    except (OSError, ValueError) as error:
        raise SourceError(file, (isinstance(error, OSError) and error.strerror) or str(error)) from None
    return Baseline(file, _parsed(file, data), Original(data, state))


def _parsed(file: str, data: bytes) -> "Counter[BaselineEntry]":
    import json

    if len(data) > _LARGEST:
        raise _broken(file, "it is too large")
    try:
        text = data.decode("utf-8-sig")
        if any(line.startswith(_CONFLICT) for line in text.splitlines()):
            raise _broken(file, "it holds the marks of a merge conflict; take out their lines, and keep both sides")
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f": line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise _broken(file, f"it is no JSON{where}") from None
    if not isinstance(records, list) or not records or records[-1] != {"schema_version": VERSION}:
        raise _broken(file, f'it is no array that ends with {{"schema_version": {VERSION}}}')
    known = Counter[BaselineEntry]()
    for number, record in enumerate(records[:-1], 1):
        if record == records[-1]:
            continue  # of another baseline, put before this one
        entry, count = _entry(record)
        if entry is None:
            raise _broken(file, f"entry {number} is not of path, code, url and count")
        known[entry] = max(known[entry], count)  # of two that stand there, after a merge, the one that holds both
    return known


def _entry(record: object) -> tuple[BaselineEntry | None, int]:
    if not isinstance(record, dict) or set(record) != {"path", "code", "url", "count"}:
        return None, 0
    path, code, url, count = record["path"], record["code"], record["url"], record["count"]
    if not all(isinstance(value, str) for value in (path, code, url)) or type(count) is not int or count < 1:
        return None, 0
    return BaselineEntry(path, code, url), count


def _broken(file: str, why: str) -> ConfigError:
    return ConfigError(f"{file} is no baseline: {why}")


def written(entries: "Counter[BaselineEntry]") -> bytes:
    """Return the bytes of a baseline."""
    lines = [dumps({**entry._asdict(), "count": count}) for entry, count in sorted(entries.items())]
    return ("[\n" + "".join(f"{line},\n" for line in lines) + dumps({"schema_version": VERSION}) + "\n]\n").encode()
