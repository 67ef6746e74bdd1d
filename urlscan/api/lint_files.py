"""The public functions that lint bytes and files, and that fix texts."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from urlscan.api import inputs
from urlscan.api.inputs import Bytes, Path
from urlscan.api.reports import FindingIterator, FindingList
from urlscan.api.texts import kind_of_text, lint, settings_of
from urlscan.config import Configuration
from urlscan.core.choices import Kind, Parts, TextKind
from urlscan.core.document import Document
from urlscan.core.records import Finding, MaskedRecord, Skipped
from urlscan.core.settings import Settings, check_text
from urlscan.documents import MAIL
from urlscan.files.walk import Source
from urlscan.linter.judge import enabled_codes, rule_set_for
from urlscan.pipeline.check import check
from urlscan.pipeline.fix import fix_in_memory
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets

# Four bytes for each character of any text, lone surrogates included.
_WIDTH, CODEC, ERRORS = 4, "utf-32-le", "surrogatepass"


class Fixed(MaskedRecord):
    """A fixed text.

    Attributes:
        text: the text with its fixes.
        applied: the findings that were fixed, with their positions when they were fixed.
        remaining: the findings that are left, with their positions in `text`.
    """

    text: str
    applied: tuple[Finding, ...]
    remaining: tuple[Finding, ...]


def lint_bytes(
    data: Bytes,
    *,
    name: str = "",
    kind: Kind | None = None,
    encoding: str | None = None,
    parts: Parts = "all",
    settings: Settings | None = None,
) -> Iterator[Finding]:
    r"""Return the findings about the URLs of `data`, in order: a document, a mail, a mailbox or an archive.

    Offsets and edits count bytes. `settings` are the rules and options; no configuration file is read (see
    `settings_for`), and an unknown value raises ConfigError. The other arguments and errors are those of `scan_bytes`.

    >>> data = b"\xef\xbb\xbfSee <http://h.example/a|b>."
    >>> [(f.code, f.line, f.column, data[f.start : f.end]) for f in lint_bytes(data)]
    [('U101', 1, 24, b'|')]
    """
    return _of_source(
        inputs.bytes_input("lint_bytes", data, name), inputs.options_of(kind, encoding, parts), settings, 1
    )


def lint_file(
    file: Path | BinaryIO,
    *,
    kind: Kind | None = None,
    encoding: str | None = None,
    parts: Parts = "all",
    jobs: int | None = 1,
    settings: Settings | None = None,
) -> Iterator[Finding]:
    r"""Return the findings about the URLs of a file of any size, in order and in constant memory.

    Offsets and edits count bytes of the file, or of the member of an archive. `settings` are those of `lint_bytes`. The
    other arguments are those of `scan_file`, and so are the errors, such as ConfigError.

    >>> import io
    >>> settings = Settings(select=("password-in-url",))
    >>> [(f.line, f.code) for f in lint_file(io.BytesIO(b"\nftp://jo:x1y2z3@files.corp.net/"), settings=settings)]
    [(2, 'U301')]
    """
    jobs = inputs.jobs_of(jobs)
    return _of_source(inputs.file_input("lint_file", file), inputs.options_of(kind, encoding, parts), settings, jobs)


def lint_paths(
    paths: Path | Iterable[Path], *, config: Path | None = None, jobs: int | None = 1, settings: Settings | None = None
) -> Iterator[Finding | Skipped]:
    """Return the findings about the URLs of files and directories, in order, as `urlscan check` does.

    The arguments, the `Skipped` records and the errors are those of `scan_paths`. Compressed files in directories are
    not opened. `settings` are the rules and options for all files; None to take them from the configuration.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.html").write_text('<a href="http://h.example/a|b">')
    >>> _ = (directory / "urlscan.toml").write_text('ignore = ["U105"]')
    >>> [(f.code, f.suggestion) for f in lint_paths(directory) if isinstance(f, Finding)]
    [('U101', '%7C')]
    """
    given = inputs.list_paths("lint_paths", paths)
    if settings is not None and config is None:
        settings = settings_of(settings)
        read_options = ReadOptions(unpack="named", targets=Targets(Configuration(isolated=True).project_root))
    else:
        configuration = inputs.load_configuration(config)
        configuration.walked = given
        local = configuration.resolve()
        settings = local.settings
        rule_set_for(settings)  # report unknown rules even if there are no files
        unpack = "always" if local.decompress else "named"
        read_options = ReadOptions(provider=configuration, unpack=unpack, targets=Targets(configuration.project_root))
    results = check(given, settings, read_options, jobs=inputs.jobs_of(jobs))
    return FindingIterator[Finding | Skipped](
        result if isinstance(result, Document) else inputs.skipped(result) for result in results
    )


def _of_source(
    source: Iterator[Source], read_options: ReadOptions, settings: Settings | None, jobs: int
) -> Iterator[Finding]:
    settings = settings_of(settings)
    return FindingIterator[Finding](inputs.without_notices(check(source, settings, read_options, jobs=jobs)))


def settings_for(path: Path, *, config: Path | None = None) -> Settings:
    """Return the settings that the configuration gives a file, for the functions that take `settings`.

    `per-file-ignores` and `relaxed-paths` are included: the rules that are not reported for the file are in `ignore`.

    The file need not exist. `config` is a configuration file in place of the closest one.

    Raises:
        ConfigError: the configuration is invalid.
        SourceError: it cannot be read.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "urlscan.toml").write_text('profile = "rfc2396"')
    >>> settings_for(directory / "a.txt").profile
    'rfc2396'
    """
    name = inputs.path_of(path)
    configuration = inputs.load_configuration(config)
    settings = configuration.of(name).settings
    left_out = enabled_codes(settings) - configuration.codes(name)
    return settings._replace(ignore=(*settings.ignore, *sorted(left_out)))


def fix(
    text: str,
    *,
    kind: TextKind | None = None,
    path: str | None = None,
    unsafe: bool = False,
    settings: Settings | None = None,
) -> Fixed:
    """Return `text` with the fixes of its findings applied, as `urlscan check --fix` does.

    A fix is applied if the result reads back as intended and every other URL is unchanged. Fixes can reveal further
    findings, which are fixed too. Mail is not edited.

    `unsafe` also applies fixes that may change the meaning of a URL. The other arguments are those of `lint`, and so
    are the errors, such as ConfigError.

    >>> fixed = fix("[a](http://h.example/a|b) and http://h.example/%zz", kind="markdown")
    >>> fixed.text
    '[a](http://h.example/a%7Cb) and http://h.example/%zz'
    >>> [f.code for f in fixed.applied], [f.code for f in fixed.remaining]
    (['U101'], ['U201'])
    """
    check_text("fix", text)
    settings = settings_of(settings)
    kind_name = kind_of_text(text, kind, path)
    if kind_name in MAIL:
        return Fixed(text, (), tuple(lint(text, kind=kind, path=path, settings=settings)))
    if path is None:
        path = "-"
    source = Source(path, text.encode(CODEC, ERRORS), kind=kind_name)
    result = fix_in_memory(source, settings, ReadOptions(kind_name, CODEC), unsafe=unsafe)
    remaining = FindingList(list(result.results))
    return Fixed(
        result.data.decode(CODEC, ERRORS), tuple(map(in_characters, result.fixed)), tuple(map(in_characters, remaining))
    )


def in_characters(finding: Finding) -> Finding:
    """Return a finding with offsets in characters in place of bytes."""
    fix = finding.fix
    if fix is not None:
        edits = (edit._replace(start=edit.start // _WIDTH, end=edit.end // _WIDTH) for edit in fix.edits)
        fix = fix._replace(edits=tuple(edits))
    return finding._replace(start=finding.start // _WIDTH, end=finding.end // _WIDTH, fix=fix)
