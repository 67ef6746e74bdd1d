"""Implement `urlscan normalize`: write URLs in their normal form."""

from urlscan.api import urls as api_urls
from urlscan.cli import urls
from urlscan.cli.parser import Parser
from urlscan.cli.urls import Answer, Argument
from urlscan.core.document import readable
from urlscan.core.records import SCHEMA_VERSION
from urlscan.formats.mask_urls import mask_result
from urlscan.uri.transform.normal import LEVELS
from urlscan.uri.unwrap import unwrap

_EXAMPLES = """\
examples:
  urlscan normalize HTTP://H.Example:80/%7ejo/a/../b     http://h.example/~jo/b
  urlscan normalize --level case HTTP://H.Example:80/    http://h.example:80/
  urlscan extract mail.txt | urlscan normalize | sort -u

Each level includes the ones before it (RFC 3986 section 6.2): simple, no change;
case, of scheme, host and escapes; percent, decode needless escapes; dot, remove
"." and ".."; scheme, the default port, an empty path, and equivalences of the
scheme.

exit status: 0 success, 1 a URL has a syntax error (reported on standard error;
its normal form is still written), 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = urls.create_url_parser("normalize", "Write the normal form of each URL, one per line.", _EXAMPLES)
    help = "normalization level (default: scheme)"
    parser.add_argument("--level", choices=LEVELS, default="scheme", help=help)
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    profile, level, as_text = options.profile, options.level, options.format == "text"

    def normalized(given: str) -> str:
        return api_urls.normalize(given, level=level, profile=profile)

    def answer(given: str) -> Answer:
        url = Argument(unwrap(given, profile).url, profile, options.show_secrets)
        normal, is_masked = normalized(given), False
        if not options.show_secrets:
            normal, is_masked = mask_result(normal, normalized, [given])
        complaints = [url.complaint(problem) for problem in url.problems if problem.syntax]
        if as_text:
            return Answer(urls.line(normal), complaints, bool(complaints))
        record: dict[str, object] = {
            "schema_version": SCHEMA_VERSION,
            "url": url.shown(),
            "normal": readable(normal),
            "problems": url.records(url.problems),
        }
        if is_masked:
            record["redacted"] = True
        return Answer(record, [], bool(complaints))

    return urls.write(urls.urls(options.paths), answer, options.format)
