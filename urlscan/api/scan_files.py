"""The public functions that find the URLs of bytes and files.

They read what the command line reads: 49 kinds of documents, mail and mailboxes, compressed files and archives.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Unpack

from urlscan.api import inputs
from urlscan.api.inputs import Bytes, Path
from urlscan.api.texts import find_options
from urlscan.core.choices import Kind, Parts
from urlscan.core.document import Document
from urlscan.core.records import Located, Match, Skipped
from urlscan.core.settings import FindChanges, FindOptions
from urlscan.files.walk import Source
from urlscan.formats.occurrences import located
from urlscan.pipeline.extract import ExtractResult, extract
from urlscan.pipeline.read import ReadOptions, check_read_options

# As `urlscan extract --format jsonl`, which also returns the joined readings of bare URLs as alternatives.
_DEFAULT = FindOptions(continuations=True)


def scan_bytes(
    data: Bytes,
    *,
    name: str = "",
    kind: Kind | None = None,
    encoding: str | None = None,
    parts: Parts = "all",
    options: FindOptions | None = None,
    **changes: Unpack[FindChanges],
) -> Iterator[Located]:
    r"""Find every URL in `data`, the bytes of a document, a mail, a mailbox or an archive, in order.

    Args:
        name: its file name, from which the kind is detected together with its first bytes; the `path` of the records.
        kind: the kind of the source, or of all members of an archive; None to detect it.
        encoding: the encoding; None: by byte order mark or declaration, else UTF-8. In mail, that of parts without
            a declaration.
        parts: which alternatives of a mail are read.
        options: the matches to find, and how broken URLs are joined; None: like `urlscan extract --format jsonl`.
        changes: options by name, in place of those in `options`, as for `scan`.

    Returns:
        An iterator over the records. Offsets count bytes. A binary source has none.

    Raises:
        ConfigError: unknown kind, encoding, parts or option.
        SourceError: while iterating: the source cannot be read, or a compressed one is damaged.
        TypeError: an argument has another type.

    >>> mail = b"Date: Thu, 22 Aug 2002 12:26:25 +0100\nMessage-ID: <1@h.example>\n\nSee <URL:http://h.example/a\n/b>.\n"
    >>> for found in scan_bytes(mail, name="letter.eml"):
    ...     print(found.url, found.date, found.message_id, found.line, mail[found.start : found.end])
    http://h.example/a/b 2002-08-22T11:26:25Z 1@h.example 4 b'http://h.example/a\n/b'
    """
    read_options = inputs.options_of(kind, encoding, parts)
    selected = find_options(options or _DEFAULT, changes)
    return _of_source(inputs.bytes_input("scan_bytes", data, name), read_options, selected, 1)


def scan_file(
    file: Path | BinaryIO,
    *,
    kind: Kind | None = None,
    encoding: str | None = None,
    parts: Parts = "all",
    jobs: int | None = 1,
    options: FindOptions | None = None,
    **changes: Unpack[FindChanges],
) -> Iterator[Located]:
    """Find every URL in a file of any size, in order and in constant memory.

    Plain text, mailboxes and archives are read piece by piece. Documents of other kinds are read as a whole up to
    64 MB, and as plain text above. Configuration files are not read.

    Args:
        file: a path, or a binary file, which is read from its position to its end and stays open. It need not be
            seekable: more than 16 MB of a pipe or a decompressing file are copied to a temporary file.
        jobs: how many processes share a large file; None for one per processor. If this process runs other threads,
            the file is read in the calling thread, since forking such a process is unsafe.

    The other arguments and the records are those of `scan_bytes`, and so are the errors, such as ConfigError. To learn
    about binary members of an archive, use `scan_paths`.

    >>> import io
    >>> [(found.url, found.start) for found in scan_file(io.BytesIO(b"See http://h.example/a."))]
    [('http://h.example/a', 4)]
    """
    read_options = inputs.options_of(kind, encoding, parts)
    selected = find_options(options or _DEFAULT, changes)
    return _of_source(inputs.file_input("scan_file", file), read_options, selected, inputs.jobs_of(jobs))


def scan_paths(
    paths: Path | Iterable[Path],
    *,
    config: Path | None = None,
    jobs: int | None = 1,
    options: FindOptions | None = None,
    **changes: Unpack[FindChanges],
) -> Iterator[Located | Skipped]:
    """Find every URL in files and directories, in order.

    In a git work tree, directories are read without the files that git ignores. The closest configuration file of each
    file determines whether it is excluded, and its kind.

    Args:
        config: a configuration file for all files, in place of the closest ones.
        jobs: how many processes share the files, as for `scan_file`.
        options, changes: as for `scan_bytes`. The configuration determines `rejoin` and `schemes`.

    Returns:
        An iterator over the records, and a `Skipped` for each file that was not read or not completely. Errors are
        values too (`is_error`), so that one unreadable file does not end the iteration.

    Raises:
        ConfigError: unknown option, or `config` is invalid.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.md").write_text("[a](http://h.example/a)")
    >>> _ = (directory / "b.bin").write_bytes(bytes(9))
    >>> for found in scan_paths(directory):
    ...     match found:
    ...         case Located(url):
    ...             print(found.line, url)
    ...         case Skipped(path, reason):
    ...             print(pathlib.Path(path).name, reason)
    1 http://h.example/a
    b.bin binary file
    """
    read_options = ReadOptions(provider=inputs.load_configuration(config))
    check_read_options(read_options)
    selected = find_options(options or _DEFAULT, changes)
    names, jobs = inputs.list_paths("scan_paths", paths), inputs.jobs_of(jobs)
    return _of_paths(extract(names, read_options, selected, _records, jobs))


def _of_source(
    source: Iterator[Source], read_options: ReadOptions, selected: FindOptions, jobs: int
) -> Iterator[Located]:
    for result in inputs.without_notices(extract(source, read_options, selected, _records, jobs)):
        yield from result.result


def _of_paths(results: Iterator[object]) -> Iterator[Located | Skipped]:
    for result in results:
        if isinstance(result, ExtractResult):
            yield from result.result
        else:
            yield inputs.skipped(result)  # type: ignore[arg-type]


def _records(matches: Iterator[Match], document: Document, path: str) -> list[Located]:
    return [located(match, document, path) for match in matches]
