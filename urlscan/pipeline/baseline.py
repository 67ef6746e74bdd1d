"""Read and write a baseline: known findings that are not reported again.

A baseline is a JSON file with one entry per line, sorted: path, code, a hash of the URL, and a count. Without times and
line numbers it changes only where findings come or go. The last line is not an entry, so that all entries end alike and
git merges additions by line. The hash is that of the URL with its secrets masked. Paths are relative to the baseline's
directory, with "/".
"""

import functools
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

from urlscan.core.document import Document, readable
from urlscan.core.errors import ConfigError, SourceError, reason
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding
from urlscan.core.secrets import Spans
from urlscan.core.typing import T
from urlscan.files.atomic_write import Original, write
from urlscan.files.lock import locked
from urlscan.files.safe_open import FileState, open_regular
from urlscan.files.walk import STDIN
from urlscan.formats.mask import mask_url, secrets_by_url
from urlscan.formats.records import dumps

VERSION = 1
# A larger file is not a baseline: a million findings take half as many bytes.
_LARGEST = 1 << 28
_CONFLICT = ("<" * 7 + " ", ">" * 7 + " ")

# Returns the codes of the rules that are enabled for a file.
Codes = Callable[[str], frozenset[str]]


class BaselineEntry(NamedTuple):
    """Identical findings.

    Attributes:
        path: the source, relative to the baseline's directory, with "/".
        code: the code of the rule.
        url: a hash of the URL with its secrets masked.
    """

    path: str
    code: str
    url: str


class Baseline:
    """The known findings, and those of this run.

    Args:
        file: the name of the baseline; paths are relative to its directory.
        known: the number of known findings by entry.

    Attributes:
        found: the number of findings so far, by entry.
        original: the file as it was read; None if it does not exist.
    """

    def __init__(
        self, file: str, known: "Counter[BaselineEntry] | None" = None, original: Original | None = None
    ) -> None:
        self.file = file
        self.original = original
        self.known = known or Counter[BaselineEntry]()
        self.found = Counter[BaselineEntry]()
        self._places: dict[str, str] = {}
        self._base = os.path.dirname(os.path.realpath(file))
        self._judged: set[str] = set()

    def filter(self, results: Iterable[Document | T], *, record_all: bool = False) -> Iterator[Document | T]:
        """Yield the results without known findings, or without any if all are recorded.

        Of identical findings the first ones are the known ones.
        """
        for result in results:
            if isinstance(result, Document):
                self._judged.add(self._place(result.path))
                secrets, new = secrets_by_url(result), list[Finding]()
                for finding in result.findings:
                    entry = self._entry_for(finding, secrets)
                    self.found[entry] += 1
                    if self.found[entry] > self.known[entry] and not record_all:
                        new.append(finding)
                result = result.with_findings(new)
            yield result

    def unknown(self, results: list[Document]) -> list[Document]:
        """Return all results of one source without known findings, without recording them."""
        return list(Baseline(self.file, self.known).filter(results))

    def stale(self, codes: Codes, paths: Iterable[str]) -> "Counter[BaselineEntry]":
        """Return the known findings that a run should have found and did not.

        Args:
            codes: returns the rules that were enabled for a file.
            paths: the paths given to the run; deleted files below them count as checked.
        """
        is_judged = self._judge(codes, paths)
        return Counter({entry: count for entry, count in (self.known - self.found).items() if is_judged(entry)})

    def update(self, codes: Codes, paths: Iterable[str]) -> "tuple[Counter[BaselineEntry], Counter[BaselineEntry]]":
        """Merge the findings of this run into the file; return its new entries and the stale ones that were removed.

        Several processes may do this at once; each merges with what the others wrote. Entries that a run checked (see
        `stale`) are replaced by those of the last run; all others are kept.

        Raises:
            SourceError: the file cannot be read or written.
            ConfigError: the file is no longer a baseline.
        """
        paths = list(paths)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked(self.file))
            except (OSError, ValueError) as error:
                raise SourceError(self.file, f"cannot be written: {reason(error)}") from None
            now = read(self.file, missing=True)
            self.known, self.original = now.known, now.original
            is_judged = self._judge(codes, paths)
            unjudged = {entry: count for entry, count in self.known.items() if not is_judged(entry)}
            renewed = Counter({**unjudged, **self.found})
            if renewed != self.known or self.original is None:
                write(self.file, written(renewed), "written", new=True, original=self.original)
            return renewed, self.stale(codes, paths)

    def contains(self, masked: Finding) -> bool:
        """Return whether a finding, with its secrets masked, is known."""
        return self._entry_for(masked, {}) in self.known

    def _entry_for(self, finding: Finding, secrets: dict[str, Spans]) -> BaselineEntry:
        url = readable(mask_url(finding.url, secrets))
        digest = hashlib.sha256(url.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        return BaselineEntry(self._place(finding.path), finding.code, digest)

    def _place(self, path: str) -> str:
        """Return a path as in entries, independent of the current directory."""
        if path == STDIN:
            return path
        directory, name = os.path.split(path)
        prefix = self._places.get(directory)
        if prefix is None:
            real = os.path.realpath(directory)
            try:
                prefix = os.path.relpath(real, self._base)
            except ValueError:  # on another drive
                prefix = real
            prefix = "" if prefix == os.curdir else f"{prefix.replace(os.sep, '/')}/"
            self._places[directory] = prefix
        return prefix + name

    def _judge(self, codes: Codes, paths: Iterable[str]) -> Callable[[BaselineEntry], bool]:
        """Return a function that returns whether this run would have found an entry."""
        roots = {os.path.realpath(path) for path in paths if path != STDIN}

        @functools.cache
        def is_judged(path: str) -> bool:
            return path in self._judged or _is_gone(os.path.normpath(os.path.join(self._base, path)), roots)

        def would_find(entry: BaselineEntry) -> bool:
            path = os.path.normpath(os.path.join(self._base, entry.path))
            return entry.code in codes(path) and is_judged(entry.path)

        return would_find


def _is_gone(path: str, roots: set[str]) -> bool:
    """Return whether a path was given to the run, or is below one that was, and does not exist."""
    below, above = "", path
    while above not in roots:
        below, above = above, os.path.dirname(above)
        if above == below:
            return False
    try:
        return not os.path.lexists(path)
    except ValueError:  # a NUL in the path
        return True


def read(file: str, *, missing: bool = False) -> Baseline:
    """Read a baseline.

    Args:
        missing: whether a missing file is read as an empty baseline.

    Raises:
        SourceError: it cannot be read.
        ConfigError: it is not a baseline.
    """
    try:
        with open(open_regular(file), "rb") as opened:
            state = FileState.of(os.fstat(opened.fileno()))
            data = opened.read(_LARGEST + 1)
    except FileNotFoundError:
        if missing:
            return Baseline(file)
        raise SourceError(file, "no such baseline", hint="create it with --write-baseline") from None
    except (OSError, ValueError) as error:
        raise SourceError(file, reason(error)) from None
    return Baseline(file, _parsed(file, data), Original(data, state))


def _parsed(file: str, data: bytes) -> "Counter[BaselineEntry]":
    if len(data) > _LARGEST:
        raise _broken(file, "too large")
    try:
        text = data.decode("utf-8-sig")
        if any(line.startswith(_CONFLICT) for line in text.splitlines()):
            raise _broken(file, "unresolved merge conflict; delete the marker lines and keep both sides")
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = ""
        if isinstance(error, json.JSONDecodeError):
            where = f": line {error.lineno}"
        raise _broken(file, f"invalid JSON{where}") from None
    if not isinstance(records, list) or not records or records[-1] != {"schema_version": VERSION}:
        raise _broken(file, f'not an array that ends with {{"schema_version": {VERSION}}}')
    entries = Counter[BaselineEntry]()
    for number, record in enumerate(records[:-1], 1):
        if record == records[-1]:
            continue  # the end of another baseline, merged before this one
        entry, count = _entry(record)
        if entry is None:
            raise _broken(file, f"entry {number} does not consist of path, code, url and count")
        entries[entry] = max(entries[entry], count)  # after a merge, the higher of two counts includes the other
    return entries


def _entry(record: object) -> tuple[BaselineEntry | None, int]:
    if not isinstance(record, dict) or set(record) != {"path", "code", "url", "count"}:
        return None, 0
    path, code, url, count = record["path"], record["code"], record["url"], record["count"]
    if not all(isinstance(value, str) for value in (path, code, url)) or type(count) is not int or count < 1:
        return None, 0
    return BaselineEntry(path, code, url), count


def _broken(file: str, why: str) -> ConfigError:
    return ConfigError(f"{file} is not a baseline: {why}")


def written(entries: "Counter[BaselineEntry]") -> bytes:
    """Return the bytes of a baseline."""
    lines = [dumps({**entry._asdict(), "count": count}) for entry, count in sorted(entries.items())]
    return ("[\n" + "".join(f"{line},\n" for line in lines) + dumps({"schema_version": VERSION}) + "\n]\n").encode()
