"""Check every source, and fix it if that is asked for."""

from collections.abc import Iterable, Iterator
from functools import partial

from urlscan.core.settings import Settings
from urlscan.linter import locate
from urlscan.pipeline.batches import map_batches
from urlscan.pipeline.check_source import check_mail, check_source, judge_chunk, with_notes, without_text
from urlscan.pipeline.divide import bounded_list, file_chunks, map_chunks, to_the_end
from urlscan.pipeline.mailboxes import mail_kind
from urlscan.pipeline.read import LARGE, Large, Named, Notice, ReadOptions, Source, named, sources
from urlscan.pipeline.results import CheckResult, FixOptions


def check(
    paths: Iterable[str], settings: Settings, read_options: ReadOptions, fix: FixOptions | None = None, jobs: int = 1
) -> Iterator[CheckResult | Notice]:
    """Judge the URLs of every source, and fix them on request.

    Args:
        paths: files, directories, `-`.
        settings: how they are judged, unless `read_options.provider` overrides it.
        read_options: how they are read.
        fix: how to fix them; None not to.
        jobs: how many processes share a large source, or many small ones.
    """
    items = named(paths, read_options)
    if fix is not None:
        from urlscan.pipeline.fix import fix_each

        return fix_each(sources(items, read_options, editing=True), settings, read_options, fix)

    def each(item: Named, jobs: int = 1, most: int | None = None) -> Iterator[CheckResult | Notice]:
        for source in sources([item], read_options, most=most):
            if isinstance(source, Source | Large) and (kind := mail_kind(source, read_options)):
                yield from check_mail(source, kind, settings, read_options, jobs)
            elif isinstance(source, Source):
                yield from with_notes(source, check_source(source, settings, read_options, jobs))
            elif isinstance(source, Large):
                file_settings = read_options.file_settings(source.path, settings)
                chunks, work = (
                    partial(file_chunks, source, read_options),
                    partial(judge_chunk, file_settings, read_options, source.path),
                )
                wanted = locate.wanted("plain", file_settings.settings)
                yield from to_the_end(source, map_chunks(chunks, wanted, jobs, work))
            else:
                yield source

    def small(item: Named) -> list[CheckResult | Notice] | None:
        results = (
            without_text(result) if isinstance(result, CheckResult) else result for result in each(item, 1, LARGE)
        )
        return bounded_list(results)

    return map_batches(items, jobs, small, lambda item: each(item, jobs))
