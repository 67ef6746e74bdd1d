"""Recognize the sources in which the last run found nothing, so that they are not checked again.

The cache holds no results but digests: of the content of a source, its path, its settings and the versions of urlscan
and Python. A source whose digest is known has no findings. Sources with findings are checked in every run, as are
those with relative references, because other files decide whether these lead somewhere.
"""

import functools
import sys
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypeVar

from urlscan.core.segment import Decoding, Segment
from urlscan.core.settings import FileSettings, Settings
from urlscan.files.digests import DIGEST_BYTES, DigestFile
from urlscan.masking.track import Secrets
from urlscan.pipeline.check_source import check_source
from urlscan.pipeline.read import ReadOptions, Source
from urlscan.pipeline.results import CheckResult

T = TypeVar("T")


class CleanSources:
    """The sources without findings in former runs.

    Args:
        root: the root of the project, an absolute path; the cache is a directory in it.
        version: the version of urlscan.
    """

    def __init__(self, root: str, version: str) -> None:
        python = ".".join(map(str, sys.version_info[:2]))
        self._versions = f"{version} {python} {sys.implementation.name}"
        self._digests = DigestFile(root, f"{version}-{python}.digests")

    def check(
        self, source: Source, settings: Settings, read_options: ReadOptions, jobs: int = 1
    ) -> Iterator[CheckResult]:
        """Judge the URLs of one source by segment, unless it is known to have no findings."""
        if source.is_stdin:
            yield from check_source(source, settings, read_options, jobs)
            return
        digest = self._digest(source, read_options.file_settings(source.path, settings), read_options)
        if digest in self._digests:
            segment = Segment("", decoding=Decoding("utf-8", whole=True))
            yield CheckResult(source.path, segment, [], Secrets([], {}), [], digest=digest)
            return
        results = list(check_source(source, settings, read_options, jobs))
        if len(results) == 1 and _is_clean(results[0]):
            results[0] = results[0]._replace(digest=digest)
        yield from results

    def recorded(self, results: Iterable[T]) -> Iterator[T]:
        """Yield the results, and save which of the sources have no findings."""
        try:
            for result in results:
                if isinstance(result, CheckResult) and result.digest:
                    self._digests.use(result.digest)
                yield result
        finally:
            self._digests.save()

    def _digest(self, source: Source, file_settings: FileSettings, read_options: ReadOptions) -> bytes:
        """Return the digest of everything that the findings of a source depend on."""
        path = self._digests.relative(source.path)
        names = [self._versions, path, source.member, source.packed_as, source.kind, read_options.encoding or ""]
        head = repr([*names, _canonical(file_settings)]).encode("utf-8", "backslashreplace")
        return blake2b(b"%d:%b%b" % (len(head), head, source.data), digest_size=DIGEST_BYTES).digest()


def _is_clean(result: CheckResult) -> bool:
    """Return whether nothing is reported about a segment, whatever other files contain."""
    return not (result.findings or result.left_out or result.note or result.depends_on_tree or not result.segment.whole)


@functools.lru_cache(maxsize=256)
def _canonical(file_settings: FileSettings) -> str:
    """Return the settings as text that is the same in every run: sets have an order of their own in each."""
    settings = file_settings.settings
    values: list[object] = [getattr(settings, name) for name in settings.__match_args__]
    values += file_settings[1:]
    return repr([sorted(value) if isinstance(value, frozenset) else value for value in values])
