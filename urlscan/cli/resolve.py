"""Implement `urlscan resolve`: resolve references against a base."""

from functools import partial

from urlscan.api import urls as api_urls
from urlscan.cli import urls
from urlscan.cli.parser import Parser
from urlscan.cli.urls import Answer, Argument
from urlscan.core.choices import Dots
from urlscan.core.document import readable
from urlscan.core.errors import ConfigError
from urlscan.core.records import SCHEMA_VERSION, Problem
from urlscan.files.walk import STDIN
from urlscan.formats.mask_urls import mask_result
from urlscan.formats.records import Record
from urlscan.uri.transform.resolve import DOTS
from urlscan.uri.unwrap import unwrap

_EXAMPLES = """\
examples:
  urlscan resolve http://h.example/a/b ../c '?q'
  urlscan resolve http://h.example/ < references.txt
  urlscan resolve --profile rfc2396 http://h.example/a/b ../../c
  urlscan resolve --dots refuse http://h.example/a/b ../../c

References are resolved by RFC 3986 section 5.2, or by the profile.  Problems are
written to standard error, with --format json to the records.

exit status: 0 success, 1 the base or a reference has a syntax error or was
refused (the others are still resolved), 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = urls.create_url_parser(
        "resolve",
        "Resolve each reference against BASE and write the targets, one per line.",
        _EXAMPLES,
        operands="BASE [REF]...",
        help="the base, then references, or - for standard input, one per line (default: standard input"
        " if it is a file or a pipe)",
    )
    add = parser.add_argument
    add(
        "--dots", choices=DOTS,
        help='how to treat ".." above the root (default: keep for rfc2396 and rfc1630, strip for the'
        " others)",
    )  # fmt: skip
    help = 'treat "http:g" as relative to an http base (RFC 3986 section 5.2.2, not strict)'
    add("--legacy-scheme", action="store_true", help=help)
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    if not options.paths or options.paths[0] == STDIN:
        raise ConfigError("the first argument must be BASE", hint="standard input contains references")
    references = urls.urls(options.paths[1:], "reference")
    base = Argument(unwrap(urls.argument(options.paths[0])).url, options.profile, options.show_secrets)

    reported = False

    def answer(given: str) -> Answer:
        nonlocal reported
        reference = Argument(unwrap(given).url, options.profile, options.show_secrets)
        missteps: list[Problem] = []
        target, masked = _target(base, reference, options.dots, options.legacy_scheme, missteps)
        of_base = _with(base.problems, [problem for problem in missteps if problem.component == "base"])
        of_reference = _with(reference.problems, [problem for problem in missteps if problem.component == "reference"])
        refusal = []
        if target is None:
            why = next(problem for problem in missteps if problem.name == "dots-above-root")
            refusal.append(reference.complaint(why._replace(message="refused: " + why.message)))
        faulty = target is None or any(problem.syntax for problem in of_base + of_reference)
        if options.format != "text":
            record: Record = {
                "schema_version": SCHEMA_VERSION,
                "base": base.shown(),
                "reference": reference.shown(),
                "target": target and readable(target),
                "problems": [
                    *base.records(of_base, argument="base"),
                    *reference.records(of_reference, argument="reference"),
                ],
            }
            if masked or base.secrets or reference.secrets:
                record["redacted"] = True
            return Answer(record, refusal, faulty)
        complaints = []
        if not reported:  # only once
            complaints += [base.complaint(problem) for problem in of_base if _affects_resolution(problem, missteps)]
            reported = True
        if refusal:
            complaints += refusal
            of_reference = [problem for problem in of_reference if problem.name != "dots-above-root"]
        complaints += [
            reference.complaint(problem) for problem in of_reference if _affects_resolution(problem, missteps)
        ]
        text = ""
        if target is not None:
            text = urls.line(target)
        return Answer(text, complaints, faulty)

    return urls.write(references, answer, options.format)


def _target(
    base: Argument, reference: Argument, dots: Dots | None, legacy_scheme: bool, missteps: list[Problem]
) -> tuple[str | None, bool]:
    """Return the masked target, None if it is refused, and whether something was masked.

    Problems of the resolution are added to `missteps`.
    """
    resolution = api_urls.resolve_with_problems(
        base.text, reference.text, profile=base.profile, dots=dots, legacy_scheme=legacy_scheme
    )
    missteps.extend(resolution.problems)
    target = resolution.target
    if target is None:
        return None, False
    if base.show_secrets:
        return target, False
    resolve = partial(api_urls.resolve, profile=base.profile, dots=dots, legacy_scheme=legacy_scheme)
    return mask_result(target, resolve, [base.text, reference.text])


def _with(problems: list[Problem], missteps: list[Problem]) -> list[Problem]:
    """Return the problems of a URL and of its resolution without duplicates, in order."""
    places = {(problem.code, problem.start) for problem in missteps}
    remaining = [problem for problem in problems if (problem.code, problem.start) not in places]
    return sorted(remaining + missteps, key=lambda problem: (problem.start, problem.end, problem.code))


def _affects_resolution(problem: Problem, missteps: list[Problem]) -> bool:
    """Return whether a problem affects the resolution, as opposed to advice about the URL."""
    return problem.syntax or problem in missteps
