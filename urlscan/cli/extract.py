"""`urlscan extract`: list the URLs of texts."""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from urlscan import run as running
from urlscan.cli import output, tables
from urlscan.cli.journal import Journal
from urlscan.cli.options import Parser, add_shared, listed, paths_of, reading_of
from urlscan.errors import ConfigError
from urlscan.finder import Scanned, record
from urlscan.formats.masking import escape, escape_all, shown_urls
from urlscan.model import Occurrence
from urlscan.settings import Settings
from urlscan.text import readable

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


class Chunk(NamedTuple):
    """Some URLs of one segment.

    Attributes:
        found: where they come from.
        occurrences: the records, or none where only the URLs are wanted.
        urls: how each is shown; control characters are not escaped yet.
    """

    found: running.Found
    occurrences: list[Occurrence]
    urls: list[str]


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
    add_shared(parser)
    options = parser.read(arguments)
    if options.count and options.with_filename:
        raise ConfigError("--with-filename does not go with --count, which counts over all files")
    journal = Journal(quiet=options.quiet, verbose=options.verbose)
    if options.base is not None and not options.resolve:
        raise ConfigError("--base goes with --resolve")
    wanted = running.Wanted(options.relative or options.resolve, options.schemeless, options.emails)
    settings = Settings(rejoin=options.rejoin)
    results = running.extract(paths_of(options), settings, reading_of(options), wanted)
    heard = journal.hear(results)
    chunks = _urls(heard, options) if options.count or options.format == "text" else _chunks(heard, options)
    if options.count:
        _write_counts(Counter(url for chunk in chunks for url in chunk.urls), options.format)
    else:
        _write(_distinct(chunks) if options.unique else chunks, options)
    return 2 if journal.failed else 0


def _chunks(results: Iterator[running.Found], options: argparse.Namespace) -> Iterator[Chunk]:
    for found in results:
        scanned = _of_schemes(_resolved(found.scanned(), found, options), options)
        while some := list(islice(scanned, _MANY)):
            yield Chunk(found, [record(one) for one in some], _shown(some, found, options))


def _urls(results: Iterator[running.Found], options: argparse.Namespace) -> Iterator[Chunk]:
    """Yield chunks without records: what only shows URLs needs none, and a large text more processes."""
    for found in results:

        def urls(scanned: Iterator[Scanned], found: running.Found = found) -> list[str]:
            scanned, shown = _of_schemes(_resolved(scanned, found, options), options), list[str]()
            while some := list(islice(scanned, _MANY)):
                shown += _shown(some, found, options)
            return shown

        for shown in running.in_parts(found.segment, found.rejoin, options.jobs, urls, wanted=found.wanted):
            if shown:
                yield Chunk(found, [], shown)


def _resolved(scanned: Iterator[Scanned], found: running.Found, options: argparse.Namespace) -> Iterator[Scanned]:
    """Make relative references absolute, if that is asked for and something says by what."""
    base = options.base or ""
    if found.segment.base and options.resolve:
        from urlscan.operations import resolve

        base = resolve(base, found.segment.base)
    if not (options.resolve and base and found.segment.links):
        return scanned
    return _against(base, scanned)


def _against(base: str, scanned: Iterator[Scanned]) -> Iterator[Scanned]:
    from urlscan.operations import resolve
    from urlscan.schemes import name_of

    for place, one in scanned:
        if isinstance(one, Occurrence) and not one.scheme:
            url = resolve(base, one.url)
            one = one._replace(url=url, scheme=name_of(url))
        yield place, one


def _of_schemes(scanned: Iterator[Scanned], options: argparse.Namespace) -> Iterator[Scanned]:
    if options.schemes is None:
        return scanned
    schemes = {name.lower().rstrip(":") for name in listed(options.schemes)}
    return (one for one in scanned if one[1].scheme in schemes)


def _shown(scanned: list[Scanned], found: running.Found, options: argparse.Namespace) -> list[str]:
    if options.show_secrets:
        return [readable(one.url) for _, one in scanned]
    return shown_urls(scanned, found.segment.text)


def _distinct(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """Keep of each URL, as it is shown, the first occurrence of the run."""
    seen: set[str] = set()
    for found, occurrences, urls in chunks:
        new = {}
        for number, url in enumerate(urls):
            if url not in seen:
                seen.add(url)
                new[url] = number
        if new:
            yield Chunk(found, [occurrences[number] for number in new.values()] if occurrences else [], list(new))


def _write(chunks: Iterator[Chunk], options: argparse.Namespace) -> None:
    if options.format != "text":
        for piece in tables.occurrences(chunks, options.format, show_secrets=options.show_secrets):
            output.write(piece)
        return
    for found, _, urls in chunks:
        lines = escape_all(urls)
        if options.with_filename:
            path = escape(found.path)
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
