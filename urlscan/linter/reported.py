"""Select the problems that are reported at an occurrence, one per cause, and the fixes that apply there.

A safe fix replaces a complete destination in markup: the URL and its line contain no template, no table divides the
line, and all safe fixes together make the URL valid. Elsewhere fixes need `--unsafe-fixes`. No fix is offered that
leaves the URL invalid, or that edits code, a part of a string, a key, a template, or that by which a program connects.
"""

from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import DELIMITED, Finding, Fix, Match, Problem, Severity, in_text
from urlscan.core.settings import Settings
from urlscan.linter.judge import rule_set_for
from urlscan.rules import rule_of
from urlscan.uri.grammar.characters import escaped
from urlscan.uri.grammar.simple import is_simple
from urlscan.uri.grammar.templates import OPENER, looks_like_pattern
from urlscan.uri.schemes import accepts
from urlscan.uri.url import split

# Rules that may find many faults in one URL.
_REPEATED = ("U1", "U20")
# Rules about secrets, which also report in a regular expression or a glob.
IN_PATTERNS = ("U301", "U304")
# Openers of expressions in the templates of pages, documents and programs.
_TEMPLATE = lazy(rf"{OPENER}|%\{{")
_NON_ASCII = lazy(r"[\u00a0-\ud7ff\uf900-\uffef\U00010000-\U000efffd]+")
# An escape, which the grammar accepts in a path wherever it accepts a letter.
_ESCAPE = lazy("%[0-9A-Fa-f]{2}")
# The text after a key of an object or a table: a program finds the value by it, and two keys must not become equal.
# Matches: `":`, ` =`, `'\n:`
# Does not match: `", `, `"`
_AFTER_KEY = lazy(r"[\"']?\s*[:=]")
# By these a program connects to a database or a queue: "postgresql+psycopg2://db/x".
_CONNECTIONS = frozenset(
    """
    amqp amqps clickhouse cockroachdb couchbase db2 firebird influxdb kafka ldap ldaps mariadb memcached mongodb mssql
    mysql mysqlx nats neo4j odbc oracle postgres postgresql redis rediss snowflake sqlite sqlserver
    """.split()
)
_REACH = 2000  # characters of the line on either side that are examined
# Kinds of documents whose tables use bars.
_WITH_BARS = frozenset("markdown rst asciidoc org plain".split())


def reported_problems(document: Document, occurrence: Match, problems: tuple[Problem, ...]) -> list[Problem]:
    """Return the problems that are reported at an occurrence, one per cause.

    A fault of the surrounding text takes precedence over a problem at the same place, and the problems of one rule
    about characters or escapes are one, with all edits.
    """
    reported = dict[str | int, Problem]()  # by cause
    for problem in problems:
        rule = rule_of(problem.code)
        start, end = in_text(occurrence, problem.start, problem.end)
        covering = (fault for fault in occurrence.faults if start <= fault.end and fault.start <= end)
        if occurrence.context not in rule.contexts or any(fault.name in rule.defers_to_faults for fault in covering):
            continue
        refined: Problem | None = problem
        if rule.refine is not None:
            refined = rule.refine(problem, occurrence, document)
        if refined is None:
            continue
        if (refined.start, refined.end) != (problem.start, problem.end):
            # A finding about a dead anchor has another span, and escaping a character would not repair the link.
            refined = refined._replace(fix=None)
        if occurrence.scheme == "data":
            # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most.
            return [refined._replace(severity=Severity.INFO)]
        if not rule.code.startswith(_REPEATED):
            reported[len(reported)] = refined
        elif rule.code in reported:
            reported[rule.code] = _merged(reported[rule.code], refined)
        else:
            reported[rule.code] = refined
    return list(reported.values())


def _merged(first: Problem, other: Problem) -> Problem:
    """Return the first of two problems with the edits of both, and the higher severity."""
    fix = None
    if first.fix is not None and other.fix is not None:
        edits = tuple(dict.fromkeys((*first.fix.edits, *other.fix.edits)))
        fix = Fix(max(first.fix.applicability, other.fix.applicability), edits)  # "unsafe" sorts after "safe"
    return first._replace(severity=max(first.severity, other.severity), fix=fix)


def is_pattern(document: Document, occurrence: Match) -> bool:
    """Return whether the URL is part of a regular expression or a glob, whose characters are not judged."""
    text = document.prose
    if occurrence.style == "markup":
        text = document.text
    return looks_like_pattern(text, occurrence.start, occurrence.end, delimited=occurrence.style in DELIMITED)


def unreported_problems(
    document: Document, occurrence: Match, settings: Settings, findings: Iterable[Finding]
) -> Iterator[tuple[Problem, str]]:
    """Yield the problems of a URL that are not reported at an occurrence, each with the reason.

    Args:
        findings: what is reported there.
    """
    rule_set = rule_set_for(settings)
    reported = {finding.code for finding in findings}
    context = document.context(occurrence.start, occurrence.end)
    for problem in rule_set.judge(occurrence.url, style=occurrence.style):
        rule = rule_of(problem.code)
        reasons = (
            (is_pattern(document, occurrence), "the URL is part of a regular expression or a glob"),
            (context not in rule.contexts, f'the rule does not report in the context "{context}"'),
            (rule.skips_templates and occurrence.template, "the URL has a placeholder"),
            (rule.skips_unknown_schemes and rule_set.is_unknown(occurrence.scheme), "unknown scheme"),
        )
        if problem.code not in reported:
            reason = next((reason for applies, reason in reasons if applies), "the text around the URL excuses it")
            yield problem, reason


# --- the fixes that apply


def applicable_fixes(fixes: list[Fix | None], occurrence: Match, document: Document, profile: str) -> list[Fix | None]:
    """Return the fixes of one URL's problems, adapted to an occurrence.

    Args:
        fixes: one per problem, in characters of the URL; None for a problem without a fix.
        document: the text that contains it.
        profile: the specification that the fixed URL must satisfy.
    """
    if not any(fixes):
        return fixes
    if occurrence.template or _is_of_a_program(occurrence, document):
        return [None for _ in fixes]
    every = [fix for fix in fixes if fix is not None]
    if not _is_valid(_edited(occurrence.url, every), profile):
        return [None for _ in fixes]
    safe = [fix for fix in every if fix.applicability == "safe"]
    is_valid = bool(safe) and _is_valid(_edited(occurrence.url, safe), profile)
    if is_valid and _is_whole_destination(occurrence, document):
        return fixes
    return [fix and fix._replace(applicability="unsafe") for fix in fixes]


def _is_of_a_program(occurrence: Match, document: Document) -> bool:
    """Return whether a program uses the text of the URL: as code, as a key, or to log in or connect."""
    if occurrence.context in ("link", "prose"):
        return False
    if occurrence.context in ("fragment", "code"):
        return True
    if occurrence.context == "string" and _AFTER_KEY.match(document.text, occurrence.end) is not None:
        return True
    is_connection = occurrence.scheme.lower().partition("+")[0] in _CONNECTIONS
    return is_connection or split(occurrence.url).userinfo is not None


def _is_valid(url: str, profile: str) -> bool:
    """Return whether the profile accepts the URL. RFC 3986 accepts IRIs here, which browsers map to URIs."""
    if profile == "rfc3986" and not url.isascii():
        # Map the characters as in RFC 3987 section 3.1: compiling the grammar of IRIs takes 80 ms.
        url = _NON_ASCII.sub(lambda match: escaped(match[0]), url)
    path = url.find("/", len("https://"))
    if path > 0 and is_simple(url[:path] + _ESCAPE.sub("x", url[path:]), profile):
        return True  # without the grammar, which takes 3 ms to compile
    return accepts(url, profile, "uri-reference")


def _edited(url: str, fixes: list[Fix]) -> str:
    """Return the URL with all edits applied, except those that overlap an earlier edit."""
    parts, position = list[str](), 0
    for edit in sorted({edit for fix in fixes for edit in fix.edits}, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= position:
            parts += (url[position : edit.start], edit.text)
            position = edit.end
    return "".join((*parts, url[position:]))


def _is_whole_destination(occurrence: Match, document: Document) -> bool:
    """Return whether the occurrence is a complete destination, surrounded only by markup."""
    if occurrence.context != "link":
        return False
    text, start, end = document.text, occurrence.start, occurrence.end
    first = max(text.rfind("\n", 0, start) + 1, start - _REACH)
    around = text[first:start] + " " + text[end : end + _REACH].partition("\n")[0]
    if _TEMPLATE.search(around) is not None:
        return False
    return "|" not in around or document.kind not in _WITH_BARS
