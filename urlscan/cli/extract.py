"""Implement `urlscan extract`: list the URLs of texts."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice, zip_longest

from urlscan import finder
from urlscan.cli import output, progress, tables
from urlscan.cli.journal import Journal
from urlscan.cli.options import (
    list_paths,
    listed,
    load_configuration,
    make_find_options,
    make_read_options,
    options_without_parser,
)
from urlscan.cli.tables import UrlBatch
from urlscan.core.document import Document, readable
from urlscan.core.errors import ConfigError
from urlscan.core.records import Match, place_name
from urlscan.core.typing import TYPE_CHECKING, cast
from urlscan.formats.escape import escape
from urlscan.formats.mask import masked_url
from urlscan.formats.occurrences import occurrence_line
from urlscan.formats.records import Record, dumps
from urlscan.pipeline import extract

if TYPE_CHECKING:  # loaded only for options
    from argparse import Namespace

    from urlscan.cli.parser import Parser

# The defaults of the options that only this command has.
_DEFAULTS: dict[str, object] = {
    "format": "text", "unique": False, "count": False, "by": None, "schemes": None, "schemeless": False,
    "emails": False, "relative": False, "resolve": False, "base": None, "with_filename": False, "defanged": False,
    "unwrap": False, "defang": False, "unpack_else": "always",
}  # fmt: skip
# Options that exclude others, and why.
_CONFLICTS = (
    ("count", "with_filename", "it counts across files"),
    ("by", "with_filename count unique defang", "it counts hosts, domains or schemes"),
)
_FORMATS = ("text", "jsonl", "json", "csv", "tsv", "parquet", "arrow")
_BINARY = ("parquet", "arrow")
_JSON = ("jsonl", "json")  # commands of CI runners are escaped in their records, and no line begins with one
# The fields of a record that contain a URL.
_URL_FIELDS = ("url", "raw", "assumed", "original")
_MANY = 4096  # URLs are processed in batches of this size
_EXAMPLES = """\
examples:
  urlscan extract letter.txt                     list its URLs, one per line
  urlscan extract --unique --schemes ftp,http .  list each once
  urlscan extract --count mail/*.txt             count each URL
  urlscan extract --by host mail.mbox            count URLs by their hosts
  urlscan extract --format jsonl letter.txt      add lines, offsets, breaks

Passwords are shown as ***, control characters as \\x1b.

exit status: 0 success, even without URLs, 2 a file could not be read
"""


def create_parser() -> "Parser":
    """Return the parser of the arguments."""
    from urlscan.cli.parser import Parser, add_find_options, add_format, add_shared

    parser = Parser("extract", "List the URLs of texts, in order, with broken ones rejoined.", _EXAMPLES)
    parser.conflicts = _CONFLICTS
    listing = parser.add_argument_group("listing")
    add = listing.add_argument
    add_format(
        listing, _FORMATS, "output format: text (default, one URL per line), jsonl, json, csv, tsv, parquet or arrow"
    )
    add("--unique", action="store_true", help="list each URL once, in order of first occurrence")
    add("--count", action="store_true", help="list each URL once with its number of occurrences, most frequent first")
    add("--by", choices=("host", "domain", "scheme"), help="count URLs by host, registered domain or scheme")
    add("--schemes", metavar="LIST", action="append", help="list only URLs of these schemes, such as ftp,http")
    add_find_options(listing, "list")
    add(
        "--defang",
        action="store_true",
        help="write URLs so that no program turns them into links: hxxp://h[.]example/a",
    )
    add(
        "--resolve",
        action="store_true",
        help="resolve relative references against the base of the document or web record, or --base",
    )
    add("--base", metavar="URL", help="URL of the documents, for --resolve")
    add("--with-filename", action="store_true", help="write PATH:URL in place of URL")
    add_shared(parser, unpack="always")
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = options_without_parser(arguments, **_DEFAULTS) or create_parser().read(arguments)
    counts = options.count or options.by is not None
    if options.format in _BINARY and (counts or output.is_terminal(to_stderr=False)):
        raise ConfigError(f"--format {options.format} cannot be used with --count or --by, or on a terminal")
    journal = Journal(quiet=options.quiet, verbose=options.verbose)
    if options.base is not None:
        _check_base(options)
    options.relative |= options.resolve
    in_full = options.format != "text" and not counts
    find_options = make_find_options(options, continuations=in_full)
    work = partial(_listed, options, in_full)
    configuration = load_configuration(options)
    read_options = make_read_options(options, configuration)._replace(skipped=journal.skip)
    if options.schemes is not None and not options.quiet:
        _warn_of_unknown(_schemes_of(options), configuration.resolve().settings.schemes)
    paths = list_paths(options)
    with progress.shown(options, paths, read_options) as tracked:
        results = extract.extract(paths, tracked, find_options, work, options.jobs)
        batches = (batch for extracted in journal.filter(results) for batch in extracted.result)
        if counts:
            _write_counts(Counter(url for batch in batches for url in batch.urls), options)
        elif options.unique:
            _write(_distinct(batches), options)
        else:
            _write(batches, options)
    journal.finish(paths, read_options, "read")
    if journal.failed:
        return 2
    return 0


def _check_base(options: "Namespace") -> None:
    """Raise ConfigError unless references are resolved, and `--base` has a scheme and an authority or path."""
    from urlscan.api.urls import parse

    if not options.resolve:
        raise ConfigError("--base requires --resolve")
    base = parse(options.base)
    if re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", base.scheme or "") is None or not (base.authority or base.path):
        raise ConfigError(
            f"--base is not an absolute URL: {options.base!r}", hint="write a URL such as http://h.example/docs/"
        )


def _listed(
    options: "Namespace", in_full: bool, matches: Iterator[Match], document: Document, path: str
) -> list[UrlBatch]:
    """Return the URLs of a chunk in batches, with records if `in_full`."""
    matches, batches = _resolved(matches, document, options), list[UrlBatch]()
    if options.schemes is not None:
        schemes = _schemes_of(options)
        matches = (match for match in matches if match.scheme in schemes)
    while batch := list(islice(matches, _MANY)):
        urls, lines = list[str](), list[str]()
        if in_full:
            lines = [occurrence_line(match, document, path, options.show_secrets) for match in batch]
        if options.unique or not in_full:
            urls = _shown(batch, document, options)
        batches.append(UrlBatch(place_name(path, document.member), urls, lines))
    if options.defang:
        return [_defanged(batch) for batch in batches]
    return batches


def _defanged(batch: UrlBatch) -> UrlBatch:
    """Return a batch whose URLs no program turns into links."""
    from urlscan.uri.transform.defang import defang

    lines = []
    for record in batch.records:
        fields = {name: defang(str(record[name])) for name in _URL_FIELDS if name in record}
        readings = cast("list[Record]", record["alternatives"])
        alternatives = [{**reading, "url": defang(str(reading["url"]))} for reading in readings]
        lines.append(dumps({**record, **fields, "alternatives": alternatives}))
    return UrlBatch(batch.path, [defang(url) for url in batch.urls], lines)


def _resolved(matches: Iterator[Match], document: Document, options: "Namespace") -> Iterator[Match]:
    """Return the matches, with relative references resolved if that is requested and a base is known."""
    base = document.address or options.base or ""
    if not (options.resolve and document.links and (base or document.base)):
        return matches
    from urlscan.api.urls import resolve
    from urlscan.uri.schemes import name_of

    if document.base:
        base = resolve(base, document.base)

    def resolved(match: Match) -> Match:
        if match.scheme or match.assumed:
            return match
        url = resolve(base, match.url)
        return match._replace(url=url, scheme=name_of(url))

    return map(resolved, matches)


def _schemes_of(options: "Namespace") -> tuple[str, ...]:
    """Return the schemes to list, in lower case."""
    return tuple(name.lower().rstrip(":/") for name in listed(options.schemes))


def _warn_of_unknown(names: tuple[str, ...], schemes: frozenset[str]) -> None:
    """Warn of names that are probably no schemes; `schemes` are those of the configuration."""
    from urlscan.uri.grammar.misspellings import distance
    from urlscan.uri.schemes import REGISTRY, status

    for name in names:
        # In a composed name (git+https) the transport counts.
        if finder.is_known_scheme(name.rpartition("+")[2], schemes) or name in schemes or status(name) != ["unknown"]:
            continue
        similar = next((other for other in REGISTRY if distance(name, other) == 1), None)
        hint = "add a private scheme to the setting schemes"
        if similar:
            hint = f'did you mean "{similar}"?'
        output.complain(f'warning: unknown scheme "{name}" ({hint})')


def _shown(matches: list[Match], document: Document, options: "Namespace") -> list[str]:
    if options.show_secrets:
        return [readable(match.url) for match in matches]
    urls = [masked_url(match, document) if document.is_sensitive(match) else match.url for match in matches]
    if not "".join(urls).isascii():
        urls = list(map(readable, urls))
    return urls


def _distinct(batches: Iterator[UrlBatch]) -> Iterator[UrlBatch]:
    """Yield each URL, as it is shown, only once."""
    seen: set[str] = set()
    for path, urls, lines in batches:
        new = {}
        for url, line in zip_longest(urls, lines):  # there may be no lines
            if url not in seen:
                seen.add(url)
                new[url] = line
        if new:
            yield UrlBatch(path, list(new), list(filter(None, new.values())))


def _write(batches: Iterator[UrlBatch], options: "Namespace") -> None:
    if options.format in _BINARY:
        from urlscan.archive.parquet import write_records

        write_records(output.write, (batch.records for batch in batches), options.format)
        return
    if options.format != "text":
        for piece in tables.occurrences(batches, options.format, with_original=options.unwrap or options.defanged):
            output.write(piece, commands=options.format in _JSON)
        return
    for path, urls, _ in batches:
        lines = list(map(escape, urls))
        if options.with_filename:
            path = escape(path)
            lines = [f"{path}:{line}" for line in lines]
        output.write("\n".join(lines) + "\n")


def _write_counts(counts: Counter[str], options: "Namespace") -> None:
    columns: tuple[str, ...] = ("count", "url")
    # `most_common` sorts stably, so that equal counts keep the order of first occurrence.
    rows: list[Record] = [{"url": url, "count": count} for url, count in counts.most_common()]
    if options.by is not None:
        from urlscan.cli.grouping import groups  # loads the Public Suffix List

        columns = ("count", "urls", options.by)
        rows = [{options.by: key, "count": count, "urls": urls} for key, count, urls in groups(counts, options.by)]
    if options.format == "text":
        output.write("".join(f"{row['count']:>7} {escape(str(row[columns[-1]] or '(none)'))}\n" for row in rows))
        return
    for piece in tables.counts(rows, columns, options.format):
        output.write(piece)
