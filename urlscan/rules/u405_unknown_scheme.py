"""U405 unknown-scheme."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Problem, Severity
from urlscan.data.schemes import REGISTERED
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, TextProblem, faults_named
from urlscan.uri.grammar.misspellings import distance, meant_scheme
from urlscan.uri.schemes import REGISTRY, RESERVED_1738
from urlscan.uri.url import Url

_ADDRESS = r"[\w.+-]+@[\w-]+\.[\w.-]+"


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme that is probably a misspelling of a well-known one."""
    name = (url.scheme or "").lower()
    if len(name) < 3 or not (name.isascii() and name.isalpha()) or _is_scheme(name) or name in spec.schemes:
        return
    intended = _intended_scheme(name, url)
    if not intended:
        return
    yield RULE.problem(
        f'unknown scheme "{name}"; did you mean "{intended}"?',
        "scheme",
        (0, len(name)),
        section=spec.section("scheme"),
        suggestion=intended + url.text[len(name) :],
        syntax=False,
    )


def _is_scheme(name: str) -> bool:
    # RFC 1738 section 4 reserves names that it does not define.
    return name in REGISTERED or name in REGISTRY or name in RESERVED_1738


def _intended_scheme(name: str, url: Url) -> str:
    """Return the scheme that was probably intended, or ""."""
    if url.authority is None:
        is_mail = re.match(_ADDRESS, url.path) is not None and distance(name, "mailto") == 1
        return "mailto" if is_mail else ""
    return meant_scheme(name, (url.host or "").lower(), has_path=bool(url.path))


def check_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a scheme without its colon: `http//h.example`, `http;//h.example`."""
    for fault in faults_named(occurrence, "look-alike"):
        end = fault.end - occurrence.start
        written = occurrence.raw[:end]
        scheme = occurrence.raw[: fault.start - occurrence.start]
        yield TextProblem(
            f'expected "{scheme}://" instead of "{written}"',
            occurrence.start,
            fault.end,
            component="scheme",
            section="RFC 3986 section 3",
            suggestion=f"{scheme}://{occurrence.url[end:]}",
            fix=Fix("unsafe", (Edit(fault.start, fault.end, "://"),)),
        )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the intended scheme; unsafe, because the other may exist somewhere."""
    colon = len(problem.suggestion) - len(url.text) + problem.end
    return Fix("unsafe", (Edit(problem.start, problem.end, problem.suggestion[:colon]),))


RULE = Rule(
    code="U405",
    name="unknown-scheme",
    severity=Severity.WARNING,
    summary="Scheme is probably misspelled, or lacks its colon",
    why=(
        "RFC 3986 section 3.1: the scheme determines the meaning of the rest. Programs cannot open a URL whose"
        " scheme they do not know. The rule reports unknown names of at least three letters, before a host with a"
        " dot, that differ from a well-known scheme by one letter inserted, deleted, changed or transposed (by two if"
        " the name begins with h). It also reports http, https and ftp if another character, or none, replaces the"
        " colon and a host follows."
    ),
    when_to_ignore="Where readers know the scheme.",
    bad=(
        Example("See <htpp://h.example/>."),
        Example("See <ttp://www.dominion.org/>."),
        Example("See http//www.dominion.org/x there."),
        Example("See http;//www.dominion.org/x there."),
    ),
    good=(
        Example("See <http://h.example/>."),
        Example("See <s3://h.example/>."),
        Example("See <x-http://h.example/>."),
        Example("See <invented://host/file>."),
        Example("It is in lib/http//www.dominion.org/x, from <http://www.dominion.org/x>."),
    ),
    check=check,
    check_text=check_text,
    fix=fix,
    fix_note="Writes the intended scheme (unsafe).",
    skips_templates=True,
    defers_to_faults=("scheme-cut",),
    options=("schemes",),
    contexts=ADDRESSES,
)
