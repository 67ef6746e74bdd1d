"""Implement `urlscan parse`: show the components and problems of URLs."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from urlscan.api import urls as api_urls
from urlscan.cli import output, urls
from urlscan.cli.parser import Parser
from urlscan.cli.urls import Answer
from urlscan.core.choices import Profile
from urlscan.core.document import readable
from urlscan.core.offsets import LineIndex
from urlscan.core.records import SCHEMA_VERSION, Problem
from urlscan.core.secrets import Spans, mask
from urlscan.formats.base import BLUE, BOLD, SEVERITY, RenderOptions, number, paint, rule_code, suggested
from urlscan.formats.escape import escape
from urlscan.formats.mask import mask_problem
from urlscan.formats.mask_urls import MaskedUrls, mask_urls, secrets_of
from urlscan.formats.records import Record, problem_record
from urlscan.uri.grammar.generic import grammar_of
from urlscan.uri.schemes import RESERVED_1738, detail_of, scheme, status
from urlscan.uri.url import Detail, Url, split

_EXAMPLES = """\
examples:
  urlscan parse 'ftp://jo@h.example/%2Fetc/motd;type=a'
  urlscan parse --profile rfc1738 http://h.example/~jo
  urlscan parse --format json '<URL:mailto:jo@h.example>'
  urlscan extract letter.txt | urlscan parse --format jsonl

Spans count characters of the URL from 0.  Absent components are omitted, empty
ones are shown as (empty).  The delimiters <URL:...>, <...> and quotation marks
are ignored, and so are white space and line breaks around and between them.

exit status: 0 success, 1 a URL has a syntax error, 2 error
"""
# Components from left to right; nested ones are indented in the table.
_PLACES = ("scheme", "authority", "userinfo", "user", "password", "host", "port", "path", "query", "fragment")
_INDENT = {"userinfo": 1, "user": 2, "password": 2, "host": 1, "port": 1}
_STATUS = {
    "reserved": "reserved by RFC 1738 section 4",
    # RFC 1738 section 4: schemes that begin with "x-" are experimental.
    "experimental": 'experimental, because of "x-"',
}

_MOST = 100  # limit on the problems of one URL


class ParsedUrl(NamedTuple):
    """A URL with its secrets located.

    Attributes:
        url: the URL, unmasked.
        secrets: the spans of its secrets; empty if they are shown.
        detail: the components of its scheme, masked.
        masked_urls: masks strings of `detail`; None if that is not needed.
        problems: its problems, masked.
    """

    url: Url
    secrets: Spans
    detail: Detail | None
    masked_urls: MaskedUrls | None
    problems: list[Problem]

    def text(self, span: tuple[int, int]) -> str:
        """Return a part of the URL with secrets masked."""
        start, end = span
        inside = [(max(first, start) - start, min(last, end) - start) for first, last in self.secrets]
        return readable(mask(self.url.text[start:end], [span for span in inside if span[0] < span[1]]))

    def part(self, value: str) -> str:
        """Return a string of `detail` with secrets masked."""
        if self.masked_urls is None:
            return value
        return self.masked_urls.show_masks(value)


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = urls.create_url_parser(
        "parse", "Show the components of each URL, including those of its scheme, and its problems.", _EXAMPLES
    )
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto",
        help="use colors (default: auto, on a terminal; NO_COLOR and FORCE_COLOR apply)",
    )  # fmt: skip
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    color, links = output.use_styles(options.color)
    render_options = RenderOptions(color, options.show_secrets, links=links)
    before = ""

    def answer(given: str) -> Answer:
        nonlocal before
        parsed = _parsed(given, options.profile, options.show_secrets)
        faulty = any(problem.syntax for problem in parsed.problems)
        if options.format != "text":
            return Answer(_record(parsed, valid=not faulty), [], faulty)
        text = before + "".join(line + "\n" for line in _page(parsed, render_options))
        before = "\n"  # an empty line between two URLs
        return Answer(text, [], faulty)

    return urls.write(urls.urls(options.paths), answer, options.format)


def _parsed(given: str, profile: Profile, show_secrets: bool) -> ParsedUrl:
    url = api_urls.parse(given, profile=profile)
    # The components have no spans and are decoded, so parse a masked URL again.
    masked_urls = mask_urls(url.text)
    if show_secrets or masked_urls is None:
        return ParsedUrl(url, [], url.detail, None, list(url.problems))
    secrets, detail = secrets_of(url.text), None
    if url.detail is not None:
        detail = detail_of(split(masked_urls.texts[0]))
    problems = [mask_problem(problem, url.text, secrets) for problem in url.problems]
    return ParsedUrl(url, secrets, detail, masked_urls, problems)


def _title(url: Url) -> tuple[str | None, str | None]:
    """Return what URLs of the scheme designate, and the section that describes it."""
    name = (url.scheme or "").lower()
    known_scheme = scheme(name)
    if known_scheme is not None:
        return known_scheme.title, known_scheme.document(grammar_of(url.profile, "uri-reference")[0])
    if name in RESERVED_1738:
        return RESERVED_1738[name], "RFC 1738 section 4"
    return None, None


# --- JSON


def _record(parsed: ParsedUrl, *, valid: bool) -> Record:
    url = parsed.url
    places = [(name, url.span(name)) for name in _PLACES]
    title, section = _title(url)
    record: Record = {
        "schema_version": SCHEMA_VERSION,
        "url": parsed.text((0, len(url.text))),
        "profile": url.profile,
        "delimiters": url.delimiters,
        "ignored": url.ignored,
        **{name: span and {"text": parsed.text(span), "start": span[0], "end": span[1]} for name, span in places},
        "host_kind": url.host_kind,
        "scheme_title": title,
        "scheme_section": section,
        "scheme_status": status(url.scheme),
        "detail": _plain(parsed.detail, parsed),
        "problems": [problem_record(problem) for problem in parsed.problems],
        "valid": valid,
    }
    if parsed.secrets:
        record["redacted"] = True
    return record


def _plain(value: Any, parsed: ParsedUrl) -> object:
    """Return a value of `detail` for JSON: records become objects, tuples arrays, infinite numbers strings."""
    if isinstance(value, str):
        return parsed.part(value)
    if isinstance(value, Detail):
        return {name: _plain(part, parsed) for name, part in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(part, parsed) for part in value]
    if isinstance(value, float) and value - value != 0:
        return str(value)
    return value


# --- text


class TableRow(NamedTuple):
    """A row of the table: a name, a span or "", and a value."""

    name: str
    span: str
    value: str


def _page(parsed: ParsedUrl, render_options: RenderOptions) -> Iterator[str]:
    url = parsed.url
    yield paint(escape(parsed.text((0, len(url.text)))), BOLD, render_options) or "(empty)"
    rows = list(_rows(parsed))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for row in rows:
        name = paint(row.name, BLUE, render_options) + " " * (widths[0] - len(row.name))
        yield f"  {name}  {row.span.rjust(widths[1])}  {row.value}".rstrip(" ")
    for problem in parsed.problems[:_MOST]:
        yield from ["", *_problem(problem, parsed, render_options)]
    if len(parsed.problems) > _MOST:
        yield from ["", f"... and {len(parsed.problems) - _MOST} more problems; --format json shows all of them"]


def _rows(parsed: ParsedUrl) -> Iterator[TableRow]:
    url = parsed.url
    if url.delimiters or url.ignored:
        left_out = []
        if url.delimiters:
            left_out.append(f"delimiters {url.delimiters}")
        if url.ignored:
            left_out.append(f"{number(url.ignored, 'character')} of white space")
        yield TableRow("left out", "", ", ".join(left_out))
    for name in _PLACES:
        span = url.span(name)
        if span is None:
            continue
        indent = "  " * _INDENT.get(name, 0)
        yield TableRow(indent + name, f"{span[0]}-{span[1]}", escape(parsed.text(span)) or "(empty)")
        if name == "scheme":
            title, section = _title(url)
            if title is not None:
                yield TableRow("  title", "", title)
                yield TableRow("  section", "", section or "")
            yield TableRow("  status", "", ", ".join(_STATUS.get(key, key) for key in status(url.scheme)))
        if name == "host" and url.host_kind != "reg-name":
            yield TableRow("    kind", "", url.host_kind or "")
    if parsed.detail is not None:
        yield TableRow(type(parsed.detail).__name__, "", "")
        yield from _details(parsed.detail, "", parsed)
    valid = not any(problem.syntax for problem in parsed.problems)
    yield TableRow("valid", "", f"{_written(valid, parsed)}, by {url.profile}")


def _details(detail: Detail, before: str, parsed: ParsedUrl) -> Iterator[TableRow]:
    """Yield the components of the scheme that are present; nested ones are named "outer.inner"."""
    for name, value in detail._asdict().items():
        if isinstance(value, Detail):
            yield from _details(value, f"{before}{name}.", parsed)
        elif value is not None:
            yield TableRow(f"  {before}{name}", "", _written(value, parsed))


def _written(value: Any, parsed: ParsedUrl) -> str:
    """Return a value in one line: strings in quotation marks, pairs as `"a" = "b"`."""
    if isinstance(value, str):
        text = parsed.part(value).replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escape(text)}"'
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, tuple):
        pairs = [item for item in value if isinstance(item, tuple) and len(item) == 2]
        if len(pairs) == len(value):
            items = [f"{_written(name, parsed)} = {_written(part, parsed)}" for name, part in pairs]
        else:
            items = [_written(item, parsed) for item in value]
        return ", ".join(items) or "(none)"
    return str(value)


def _problem(problem: Problem, parsed: ParsedUrl, render_options: RenderOptions) -> Iterator[str]:
    from urlscan.formats.excerpt import excerpt

    style = SEVERITY[problem.severity]
    code = rule_code(problem.code, style, render_options)
    severity = paint(problem.severity.label, style, render_options)
    if problem.syntax:
        severity += " (syntax)"
    where = f"at {problem.start}-{problem.end}"
    yield f"{code} {problem.name} {severity} {where}: {escape(readable(problem.message))}"
    text, bar = parsed.url.text, paint("|", BLUE, render_options)
    index = LineIndex(text)
    span = index.position(problem.start), index.position(problem.end)
    yield f"  {bar}"
    for _, line, carets, _ in excerpt(text, index, *span, parsed.secrets):
        yield f"  {bar} {line}"
        marks = carets.lstrip(" ")
        yield f"  {bar} {carets[: len(carets) - len(marks)]}{paint(marks, style, render_options)}".rstrip(" ")
    equals = paint("=", BLUE, render_options)
    if problem.section:
        yield f"  {equals} note: {escape(problem.section)}"
    if problem.suggestion:
        yield f"  {equals} help: write {escape(suggested(problem))}"
