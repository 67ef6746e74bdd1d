"""`urlscan extract`: list the URLs of texts."""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice

from urlscan import run as running
from urlscan.cli import output, tables
from urlscan.cli.journal import Journal
from urlscan.cli.options import Parser, add_shared, configuration_of, listed, paths_of, read_options_of
from urlscan.cli.tables import UrlBatch
from urlscan.errors import ConfigError
from urlscan.finder import Scanned, record
from urlscan.formats.masking import escape, escape_lines, masked_urls_of
from urlscan.formats.occurrences import occurrence_record
from urlscan.model import Occurrence, place_name
from urlscan.text import Segment, readable

_FORMATS = ("text", "jsonl", "json", "csv", "tsv")
_MANY = 4096  # URLs that are handled at a time: what is done for each of them is done for all at once
_EXAMPLES = """\
examples:
  urlscan extract letter.txt                     its URLs, one a line
  urlscan extract --unique --schemes ftp,http .  each once, of this directory
  urlscan extract --count mail/*.txt             how often each stands there
  urlscan extract --format jsonl letter.txt      with lines, offsets, breaks

The exit status is 0 whether or not there are URLs, and 2 when a file could not
be read.  Passwords are shown as ***, control characters as \\x1b.
"""


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    parser = Parser("extract", "List every URL of a text, in order, the broken ones put together again.", _EXAMPLES)
    listing = parser.add_argument_group("listing")
    add = listing.add_argument
    add("--format", choices=_FORMATS, default="text", help="text: the URL alone, one a line (the default)")
    add("--unique", action="store_true", help="each URL once, where it is seen first")
    add("--count", action="store_true", help="each URL once, with how often it is seen, the most frequent first")
    add("--schemes", metavar="LIST", action="append", help="only these, such as ftp,http")
    add("--schemeless", action="store_true", help="hosts without a scheme, too: www.h.example/a")
    add("--emails", action="store_true", help="addresses, too: jo@h.example")
    add("--relative", action="store_true", help="relative references of markup, too")
    add("--resolve", action="store_true", help="those, made absolute by the document's base, or by --base")
    add("--base", metavar="URL", help="the URL of the documents, for --resolve")
    add("--with-filename", action="store_true", help="put the path before each URL, as PATH:URL")
    add_shared(parser, unpack="always")
    options = parser.read(arguments)
    if options.count and options.with_filename:
        raise ConfigError("--with-filename does not go with --count, which counts over all files")
    journal = Journal(quiet=options.quiet, verbose=options.verbose)
    if options.base is not None and not options.resolve:
        raise ConfigError("--base goes with --resolve")
    if options.base is not None and not _is_absolute(options.base):
        raise ConfigError(f"--base is not an absolute URL: {options.base!r}", hint="such as http://h.example/docs/")
    wanted = running.Wanted(
        relative=options.relative or options.resolve,
        schemeless=options.schemeless,
        emails=options.emails,
        continuations=options.format != "text" and not options.count,
    )
    work = partial(_listed, options, options.format != "text" and not options.count)
    read_options = read_options_of(options, configuration_of(options))
    paths = paths_of(options)
    results = running.extract(paths, read_options, wanted, work, options.jobs)
    batches = (batch for found in journal.filter(results) for batch in found.result)
    if options.count:
        _write_counts(Counter(url for batch in batches for url in batch.urls), options.format)
    else:
        _write(_distinct(batches) if options.unique else batches, options)
    journal.finish(paths, read_options, "read")
    return 2 if journal.failed else 0


def _is_absolute(url: str) -> bool:
    """Return whether `url` has a scheme and something after it that references can be resolved against."""
    from urlscan.typed import typed
    from urlscan.url import split

    base = split(typed(url).url)
    return re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", base.scheme or "") is not None and bool(base.authority or base.path)


def _listed(
    options: argparse.Namespace, in_full: bool, scanned: Iterator[Scanned], segment: Segment, path: str
) -> list[UrlBatch]:
    """Return the URLs of a part of a source, with their records or without."""
    scanned, batches = _of_schemes(_resolved(scanned, segment, options), options), list[UrlBatch]()
    while some := list(islice(scanned, _MANY)):
        records = []
        if in_full:
            records = [occurrence_record(record(one), segment, path, options.show_secrets) for one in some]
        batches.append(UrlBatch(place_name(path, segment.member), _shown(some, segment, options), records))
    return batches


def _resolved(scanned: Iterator[Scanned], segment: Segment, options: argparse.Namespace) -> Iterator[Scanned]:
    """Make relative references absolute, if that is asked for and something says by what."""
    base = options.base or ""
    if segment.base and options.resolve:
        from urlscan.operations import resolve

        base = resolve(base, segment.base)
    if not (options.resolve and base and segment.links):
        return scanned
    return _against(base, scanned)


def _against(base: str, scanned: Iterator[Scanned]) -> Iterator[Scanned]:
    from urlscan.operations import resolve
    from urlscan.schemes import name_of

    for place, one in scanned:
        if isinstance(one, Occurrence) and not one.scheme and not one.assumed:
            url = resolve(base, one.url)
            one = one._replace(url=url, scheme=name_of(url))
        yield place, one


def _of_schemes(scanned: Iterator[Scanned], options: argparse.Namespace) -> Iterator[Scanned]:
    if options.schemes is None:
        return scanned
    schemes = {name.lower().rstrip(":") for name in listed(options.schemes)}
    return (one for one in scanned if one[1].scheme in schemes)


def _shown(scanned: list[Scanned], segment: Segment, options: argparse.Namespace) -> list[str]:
    if options.show_secrets:
        return [readable(one.url) for _, one in scanned]
    return masked_urls_of(scanned, segment.text)


def _distinct(batches: Iterator[UrlBatch]) -> Iterator[UrlBatch]:
    """Keep of each URL, as it is shown, the first occurrence of the run."""
    seen: set[str] = set()
    for path, urls, records in batches:
        new = {}
        for number, url in enumerate(urls):
            if url not in seen:
                seen.add(url)
                new[url] = number
        if new:
            yield UrlBatch(path, list(new), [records[number] for number in new.values()] if records else [])


def _write(batches: Iterator[UrlBatch], options: argparse.Namespace) -> None:
    if options.format != "text":
        for piece in tables.occurrences(batches, options.format):
            output.write(piece)
        return
    for path, urls, _ in batches:
        lines = escape_lines(urls)
        if options.with_filename:
            path = escape(path)
            lines = [f"{path}:{line}" for line in lines]
        output.write("\n".join(lines) + "\n")


def _write_counts(counts: Counter[str], format: str) -> None:
    # Counter sorts stably, and a dictionary keeps the order of first sight.
    pairs = counts.most_common()
    if format == "text":
        output.write("".join(f"{count:>7} {escape(url)}\n" for url, count in pairs))
        return
    for piece in tables.counts(pairs, format):
        output.write(piece)
