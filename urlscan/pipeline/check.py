"""Check sources, and fix them if the options require it."""

from collections.abc import Iterable, Iterator

from urlscan.core.settings import Settings
from urlscan.files.walk import Input
from urlscan.pipeline.check_source import check_source
from urlscan.pipeline.divide import map_files
from urlscan.pipeline.read import Large, Named, Notice, ReadOptions, Source, named, sources
from urlscan.pipeline.results import CheckResult, FixOptions, with_notes


def check(
    paths: Iterable[str | Input],
    settings: Settings,
    read_options: ReadOptions,
    fix: FixOptions | None = None,
    jobs: int = 1,
) -> Iterator[CheckResult | Notice]:
    """Judge the URLs of every source, and fix them on request.

    Args:
        paths: files, directories, `-`, or sources with content.
        settings: how they are judged, unless `read_options.provider` overrides it.
        read_options: how they are read.
        fix: how to fix them; None not to.
        jobs: how many processes share a large source, or many small ones.
    """
    items = named(paths, read_options)
    if fix is not None:
        from urlscan.pipeline.fix import fix_each

        return fix_each(sources(items, read_options, editing=True), settings, read_options, fix)

    def results_of(item: Named, jobs: int, max_unpacked: int | None) -> Iterator[CheckResult | Notice]:
        for source in sources([item], read_options, max_unpacked=max_unpacked):
            if isinstance(source, Source | Large):
                yield from with_notes(source, check_source(source, settings, read_options, jobs))
            else:
                yield source

    return map_files(items, jobs, results_of, read_options.progress)
