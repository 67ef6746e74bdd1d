"""Make findings of the problems of a URL: one for each cause, with the fix that applies to the occurrence.

A safe fix replaces a complete destination in markup: the URL and its line contain no template, no table divides the
line, and all safe fixes together make the URL valid. Elsewhere fixes need `--unsafe-fixes`. No fix is offered that
leaves the URL invalid, or that edits code, a part of a string, a key, a template, or that by which a program connects.
"""

from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import DELIMITED, Edit, Finding, Fix, Match, Problem, Severity, in_text
from urlscan.core.settings import Settings
from urlscan.core.targets import TargetFault
from urlscan.linter.advice import advice_for
from urlscan.linter.judge import RuleSet, rule_set_for
from urlscan.rules import load
from urlscan.rules.base import Rule, TextProblem
from urlscan.uri.grammar.characters import escaped
from urlscan.uri.grammar.simple import is_simple
from urlscan.uri.grammar.templates import OPENER, looks_like_pattern
from urlscan.uri.schemes import accepts
from urlscan.uri.url import split

# Rules that may find many faults in one URL.
_REPEATED = ("U1", "U20")
# Rules about secrets, which also report in a regular expression or a glob.
_IN_PATTERNS = ("U301", "U304")
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


def match_findings(
    rule_set: RuleSet, document: Document, occurrence: Match, problems: tuple[Problem, ...]
) -> list[Finding]:
    """Return the findings for an occurrence, in order of position; `problems` are those of its URL."""
    if rule_set.is_unknown(occurrence.scheme):
        problems = tuple(problem for problem in problems if not load(problem.code).skips_unknown_schemes)
    if (problems or occurrence.faults) and is_pattern(document, occurrence):
        problems = tuple(problem for problem in problems if problem.code in _IN_PATTERNS)
        occurrence = occurrence._replace(faults=())
    context = document.context(occurrence.start, occurrence.end)
    occurrence = occurrence._replace(context=context)
    reported = reported_problems(document, occurrence, problems)
    fixes = applicable_fixes([problem.fix for problem in reported], occurrence, document, rule_set.profile)
    findings = []
    for problem, fix in zip(reported, fixes, strict=True):
        span = in_text(occurrence, problem.start, problem.end)
        fix = _fix_in_text(occurrence, fix)
        findings.append(_finding(rule_set, document, occurrence, load(problem.code), problem, span, fix))
    if occurrence.breaks or occurrence.faults or rule_set.checks_every_occurrence:
        faults = {fault.name for fault in occurrence.faults}
        for rule in rule_set.text_rules:
            if rule.check_text is None or context not in rule.contexts or not faults.isdisjoint(rule.defers_to_faults):
                continue
            findings += [
                _finding_in_text(rule_set, document, occurrence, rule, problem)
                for problem in rule.check_text(occurrence, document)
            ]
    findings.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return findings


def target_finding(rule_set: RuleSet, document: Document, occurrence: Match, fault: TargetFault) -> list[Finding]:
    """Return the finding for the fault of a target, if its rule reports in the context."""
    rule = load(fault.name)
    if rule.check_target is None or occurrence.context not in rule.contexts:
        return []
    return [_finding_in_text(rule_set, document, occurrence, rule, rule.check_target(fault))]


def _finding_in_text(
    rule_set: RuleSet, document: Document, occurrence: Match, rule: Rule, problem: TextProblem
) -> Finding:
    fix = problem.fix
    if fix is not None and occurrence.context != "link":
        fix = fix._replace(applicability="unsafe")
    return _finding(rule_set, document, occurrence, rule, problem, (problem.start, problem.end), fix)


def _finding(
    rule_set: RuleSet,
    document: Document,
    occurrence: Match,
    rule: Rule,
    problem: Problem | TextProblem,
    span: tuple[int, int],
    fix: Fix | None,
) -> Finding:
    """Return the finding of a rule at a span of the text; `fix` is in characters of the text."""
    location = document.locate(*span)
    severity = rule.severity if problem.severity is None else problem.severity
    if severity > Severity.INFO and (advice := advice_for(rule.code, occurrence, document)):
        severity = Severity.INFO
        if advice == "trial":
            fix = None  # it is wrong on purpose
    mail = decoded_span = None
    if document.origin is not None:
        mail, decoded_span = document.origin.mail(location.start), document.to_decoded(*span)
    return Finding(
        rule.code,
        rule.name,
        rule_set.severities.get(rule.code, severity),
        problem.message,
        occurrence.url,
        document.path,
        *location,
        component=problem.component,
        section=problem.section,
        suggestion=problem.suggestion,
        fix=_source_fix(document, occurrence, fix),
        member=document.member,
        mail=mail,
        shown=decoded_span,
        context=occurrence.context,
    )


def reported_problems(document: Document, occurrence: Match, problems: tuple[Problem, ...]) -> list[Problem]:
    """Return the problems that are reported at an occurrence, one per cause.

    A fault of the surrounding text takes precedence over a problem at the same place, and the problems of one rule
    about characters or escapes are one, with all edits.
    """
    reported = dict[str | int, Problem]()  # by cause
    for problem in problems:
        rule = load(problem.code)
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
            # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most. In style sheets,
            # where images are written so, they act on none.
            return [] if document.kind == "css" else [refined._replace(severity=Severity.INFO)]
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
    if document.kind == "asciidoc" and occurrence.url.endswith("[^]"):
        return False  # a label that opens another window, after a scheme that AsciiDoc does not know
    return looks_like_pattern(text, occurrence.start, occurrence.end, delimited=occurrence.style in DELIMITED)


def unreported_problems(
    document: Document, occurrence: Match, settings: Settings, findings: Iterable[Finding]
) -> Iterator[tuple[Problem, str]]:
    """Yield the problems of a URL that are not reported at an occurrence, each with the reason."""
    rule_set = rule_set_for(settings)
    reported = {finding.code for finding in findings}
    context = document.context(occurrence.start, occurrence.end)
    for problem in rule_set.judge(occurrence.url, style=occurrence.style):
        rule = load(problem.code)
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
        profile: the specification that the fixed URL must satisfy.
    """
    if not any(fixes):
        return fixes
    if occurrence.template or _is_of_a_program(occurrence, document):
        return [None for _ in fixes]
    every = [fix for fix in fixes if fix is not None]
    if not _is_repaired(occurrence.url, every, profile):
        return [None for _ in fixes]
    safe = [fix for fix in every if fix.applicability == "safe"]
    if safe and _is_whole_destination(occurrence, document) and _is_repaired(occurrence.url, safe, profile):
        return fixes
    return [fix and fix._replace(applicability="unsafe") for fix in fixes]


def _is_of_a_program(occurrence: Match, document: Document) -> bool:
    """Return whether a program uses the text of the URL: as code, as a key, or to log in or connect.

    Perl's documentation divides a link at its bar, "L<text|url>".
    """
    if document.text.startswith("L<", occurrence.outer_start - 1):
        return True
    if occurrence.context in ("link", "prose"):
        return False
    if occurrence.context in ("fragment", "code"):
        return True
    if occurrence.context == "string" and _AFTER_KEY.match(document.text, occurrence.end) is not None:
        return True
    is_connection = occurrence.scheme.lower().partition("+")[0] in _CONNECTIONS
    return is_connection or split(occurrence.url).userinfo is not None


def _is_repaired(url: str, fixes: list[Fix], profile: str) -> bool:
    """Return whether the profile accepts the URL with all edits but those that overlap an earlier one.

    RFC 3986 accepts IRIs here, which browsers map to URIs.
    """
    parts, position = list[str](), 0
    for edit in sorted({edit for fix in fixes for edit in fix.edits}, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= position:
            parts += (url[position : edit.start], edit.text)
            position = edit.end
    url = "".join((*parts, url[position:]))
    if profile == "rfc3986" and not url.isascii():
        # Map the characters as in RFC 3987 section 3.1: compiling the grammar of IRIs takes 80 ms.
        url = _NON_ASCII.sub(lambda match: escaped(match[0]), url)
    path = url.find("/", len("https://"))
    if path > 0 and is_simple(url[:path] + _ESCAPE.sub("x", url[path:]), profile):
        return True  # without the grammar, which takes 3 ms to compile
    return accepts(url, profile, "uri-reference")


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


def _fix_in_text(occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix of a URL in characters of the text; None if an edit would cover a break."""
    if fix is None:
        return None
    edits = []
    for edit in fix.edits:
        start, end = in_text(occurrence, edit.start, edit.end)
        if end - start != edit.end - edit.start:
            return None
        edits.append(Edit(start, end, edit.text))
    return Fix(fix.applicability, tuple(edits))


def _source_fix(document: Document, occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix as the source writes it; None if it cannot."""
    # Mail may be signed; neither mail nor archives are edited.
    if fix is None or document.origin is not None or document.packed:
        return None
    edits: list[Edit] = []
    for edit in fix.edits:
        # Text inserted after the URL has the syntactic context of its last character.
        context = edit.start - (edit.start == edit.end > occurrence.start)
        written = document.edits(edit.start, edit.end, edit.text, context)
        if written is None or (edits and written[0][0] < edits[-1].end):
            return None
        edits += (Edit(*item) for item in written)
    return Fix(fix.applicability, tuple(edits), fix.edits)
