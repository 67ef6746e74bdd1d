"""Make findings of the problems of a URL: one for each cause, with the fix that applies to the occurrence.

A safe fix replaces a complete destination in markup: the URL and its line contain no template, no table divides the
line, and all safe fixes together make the URL valid. Elsewhere fixes need `--unsafe-fixes`. No fix is offered that
leaves the URL invalid, or that edits code, a part of a string, a key, a template, or a connection string.
"""

import bisect
import os
from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.faults import Excuse, first_excuse
from urlscan.core.lazy import lazy
from urlscan.core.records import DELIMITED, Edit, Finding, Fix, Match, Problem, Severity, in_text
from urlscan.core.settings import Settings
from urlscan.core.typing import Applicability
from urlscan.documents.identify import CHANGELOG, COPY, FROZEN, is_generated, is_named, is_vendored
from urlscan.documents.languages import CONTINUATION
from urlscan.files.repository import is_in_repository
from urlscan.linter.judge import KEPT_SEVERITIES, RuleSet, rule_set_for
from urlscan.rules import load
from urlscan.rules.base import DATA_KINDS
from urlscan.rules.hosts import is_sample
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
_TEMPLATE = lazy(rf"[$#{{<\[\\%](?:{OPENER}|(?<=%)\{{)")
# The beginning of a label, after which markup of a wiki ends: "[http://h.example/a|The mill]".
# Matches: `|The`, `|DIF-03497`
# Does not match: `|b`, `|A=1`, `|A|B`
_LABEL = lazy(r"\|[A-Z][^/?#=&|]*\Z")
_NON_ASCII = lazy(r"[\u00a0-\ud7ff\uf900-\uffef\U00010000-\U000efffd]+")
# An escape, which the grammar accepts in a path wherever it accepts a letter.
_ESCAPE = lazy("%[0-9A-Fa-f]{2}")
# The rest of a line whose layout an edit of another length would destroy: text in the next column of a table, the
# border of a cell, and the underline of a title.
# Matches: ` |\n`, `a,   b`, ` a\n====\n`
# Does not match: ` a\n\n`, `.  b`, ` | b\n`
_LAYOUT = lazy(
    r"\S*(?<![\s.!?]) {2,}[^\s|]|[^\r\n]*(?:[|+]|(?P<end>\r?\n)(?P<underline>([^\w\s])\3+))[ \t]*(?:[\r\n]|\Z)"
)
# A line of a hunk of a patch, or of a signed text: every character counts.
# Matches: `@@ -1,3 +1,3 @@`, `@@ -1 +1 @@`
# Does not match: `@@ a @@`, `-1,3 +1,3 @@`
_HUNK = lazy(r"@@ -(?<![^\r\n]@@ -)[0-9,]+ \+[0-9,]+ @@")
_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
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
    if document.kind == "org" and not occurrence.scheme:
        problems = ()  # the path of a file, in which Org escapes brackets only ("Link Format")
    if (problems or occurrence.faults) and is_pattern(document, occurrence):
        problems = tuple(problem for problem in problems if problem.code in _IN_PATTERNS)
        occurrence = occurrence._replace(faults=())
    occurrence = occurrence._replace(context=document.context(occurrence.start, occurrence.end))
    in_url = _reported_problems(rule_set, document, occurrence, problems)
    in_text_around = list[Problem]()
    if occurrence.breaks or occurrence.faults or rule_set.checks_every_occurrence:
        faults = {fault.name for fault in occurrence.faults}
        for rule in rule_set.text_rules:
            if rule.check_text is None or occurrence.context not in rule.contexts:
                continue
            if faults.isdisjoint(rule.defers_to_faults):
                in_text_around += rule.check_text(occurrence, document)
    most = None
    # Mail is not edited.
    if document.origin is None and any(problem.fix is not None for problem in (*in_url, *in_text_around)):
        most = _most_applicability(occurrence, document)
    findings = []
    for problem, fix in zip(in_url, _applicable_fixes(in_url, occurrence, most, rule_set.profile), strict=True):
        start, end = in_text(occurrence, problem.start, problem.end)
        in_document = problem._replace(start=start, end=end, fix=fix)
        findings.append(make_finding(rule_set, document, occurrence, in_document))
    for problem in in_text_around:
        fix = problem.fix and most and problem.fix._replace(applicability=max(most, problem.fix.applicability))
        findings.append(make_finding(rule_set, document, occurrence, problem._replace(fix=fix)))
    findings.sort(key=lambda finding: (finding.start, finding.end, finding.code))
    return findings


def make_finding(rule_set: RuleSet, document: Document, occurrence: Match, problem: Problem) -> Finding:
    """Return the finding for a problem, whose span is in characters of the text."""
    location = document.locate(problem.start, problem.end)
    severity, fix = problem.severity, problem.fix
    if severity > Severity.INFO and (excuse := advice_for(problem.code, occurrence, document)):
        severity = Severity.INFO
        if excuse != "sample-host":
            fix = None  # it is wrong on purpose, kept as it was, or another file is to be edited
    mail = decoded_span = None
    if document.origin is not None:
        mail, decoded_span = document.origin.mail(location.start), document.to_decoded(problem.start, problem.end)
    return Finding(
        problem.code,
        problem.name,
        rule_set.severities.get(problem.code, severity),
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


def _reported_problems(
    rule_set: RuleSet, document: Document, occurrence: Match, problems: tuple[Problem, ...]
) -> list[Problem]:
    """Return the problems that are reported at an occurrence, one per cause.

    A fault of the surrounding text takes precedence over a problem at the same place, and the problems of one rule
    about characters or escapes are one, with all edits.
    """
    reported = dict[str | int, Problem]()  # by cause
    for problem in problems:
        rule = load(problem.code)
        if occurrence.context not in rule.contexts:
            continue
        if rule.skips_unknown_schemes and rule_set.is_unknown(occurrence.scheme):
            continue
        start, end = in_text(occurrence, problem.start, problem.end)
        covering = (fault for fault in occurrence.faults if start <= fault.end and fault.start <= end)
        if any(fault.name in rule.defers_to_faults for fault in covering):
            continue
        refined: Problem | None = problem
        if rule.refine is not None:
            refined = rule.refine(problem, occurrence, document)
        if refined is None:
            continue
        if (refined.start, refined.end) != (problem.start, problem.end):
            # A finding about the whole reference: escaping a character would not repair it.
            refined = refined._replace(fix=None)
        if occurrence.scheme == "data":
            # Browsers ignore invalid characters in data URLs, so maintainers act on one note at most. In style sheets,
            # where images are written so, they act on none.
            if document.kind == "css":
                return []
            return [refined._replace(severity=Severity.INFO, fix=None)]
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


def _applicable_fixes(
    problems: list[Problem], occurrence: Match, most: Applicability | None, profile: str
) -> list[Fix | None]:
    """Return the fix of each problem in characters of the text, at most as safe as `most`; None without one."""
    fixes = [problem.fix for problem in problems if problem.fix is not None]
    if most is None or not _is_repaired(occurrence.url, fixes, profile):
        return [None for _ in problems]
    safe = [fix for fix in fixes if fix.applicability == "safe"]
    if safe != fixes and not _is_repaired(occurrence.url, safe, profile):
        most = "unsafe"
    applicable: list[Fix | None] = []
    for problem in problems:
        fix, edits = problem.fix, list[Edit]()
        for edit in fix.edits if fix is not None else ():
            start, end = in_text(occurrence, edit.start, edit.end)
            if end - start != edit.end - edit.start:
                fix = None  # it would cover a break
            edits.append(Edit(start, end, edit.text))
        applicable.append(fix and Fix(max(most, fix.applicability), tuple(edits)))
    return applicable


def _most_applicability(occurrence: Match, document: Document) -> Applicability | None:
    """Return how safe a fix of the URL may be; None if a program uses its text: as code, a key, or to connect.

    A fix is safe in a complete destination that only markup surrounds. Perl's documentation divides a link at its bar,
    "L<text|url>".
    """
    text, start, end = document.text, occurrence.start, occurrence.end
    context = occurrence.context
    if occurrence.template or context in ("fragment", "code") or text.startswith("L<", occurrence.outer_start - 1):
        return None
    if context not in ("link", "prose"):
        continues = context == "string" and CONTINUATION.match(text, end) is not None
        is_connection = occurrence.scheme.lower().partition("+")[0] in _CONNECTIONS
        if continues or is_connection or split(occurrence.url).userinfo is not None:
            return None
    if context != "link":
        if occurrence.style == "bare" and _LABEL.search(occurrence.url) is not None:
            return None
        return "unsafe"
    first = max(text.rfind("\n", 0, start) + 1, start - _REACH)
    around = text[first:start] + " " + text[end : end + _REACH].partition("\n")[0]
    is_in_table = "|" in around and document.kind in _WITH_BARS
    return "unsafe" if is_in_table or _TEMPLATE.search(around) is not None else "safe"


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


def _is_exact(document: Document) -> bool:
    text = document.decoded
    is_signed = _SIGNED in text and f"\n{_SIGNED}" in f"\n{text}".replace("\r", "\n")
    return is_signed or ("@@ -" in text and _HUNK.search(text) is not None)


def _is_laid_out(text: str, position: int) -> bool:
    """Return whether the line at a position is a row of a table or a title, where an edit would change the layout."""
    layout = _LAYOUT.match(text, position, position + _REACH)
    if layout is None or layout["underline"] is None:
        return layout is not None
    title = layout.start("end") - text.rfind("\n", max(position - _REACH, 0), position) - 1
    return len(layout["underline"]) >= title - 1


def _source_fix(document: Document, occurrence: Match, fix: Fix | None) -> Fix | None:
    """Return the fix as the source writes it; None if it cannot."""
    # Mail may be signed; neither mail nor archives are edited.
    if fix is None or document.origin is not None or document.packed or document.computed(_is_exact):
        return None
    if document.kind in ("asciidoc", "rst") and _is_laid_out(document.text, occurrence.end):
        return None
    edits: list[Edit] = []
    for edit in fix.edits:
        context = edit.start
        if edit.start == edit.end > occurrence.start:
            context -= 1  # text inserted after the URL has the syntactic context of its last character
        written = document.edits(edit.start, edit.end, edit.text, context)
        if written is None or (edits and written[0][0] < edits[-1].end):
            return None
        edits += (Edit(*item) for item in written)
    return Fix(fix.applicability, tuple(edits), fix.edits)


# --- where a finding is information

# Every entry has cases in `corpus/rules` or in the tests, with the severity that it changes and one that it does not.
# Secrets and deception keep their severity everywhere. The entries for references are in `targets/excuses.py`.

# The host, also of a URL with a misspelled scheme: "http:/h", "http//h", "https:h", "mailto:jo@h".
_HOST = lazy(r"[A-Za-z][A-Za-z0-9+.-]*(?::|(?=/))[/\\]*(?:[^/?#@\\]*@)?(?P<host>\[[^\]]*\]|[^/?#:\\]*)")
# Words of a program that tests, rejects or repairs URLs, in several languages. Outside of tests they decide in five of
# 250 repositories and packages.
# Matches: `valid`, `Malform`, `BAD_`, `regex`, `evil`, `, False`
# Does not match: `value`, `bad`, `express`, `devil`
_TRIAL_WORDS = lazy(
    r"(?i)valid|v\u00e1lid|malform|forbid|reject|regex|illegal|bogus|kludge|\bevil\b|attack|\bbad_|_bad\b|[,(] *false\b"
)
# Matches: `msgid`, `msgctxt`, `#~ msgstr`
# Does not match: `# msgid`, `"msgid`, `domain`
_ENTRY = lazy(r"(?m)^(?:#[~|][ ]*)?[ \t]*msg(id|ctxt|str)")
_AROUND = 400  # characters examined on either side
_LINES = 2  # lines examined on either side


def _is_sample(code: str, occurrence: Match, document: Document, _path: str) -> bool:
    if code[1] not in "24" or document.kind in DATA_KINDS:
        return False
    # Readers of documentation copy a misspelling. "http:h.example" shows a relative reference (RFC 3986 section 5.2.2).
    if code == "U405" or (code == "U406" and occurrence.url.partition(":")[2][:1] in ("/", "\\")):
        return False
    if (match := _HOST.match(occurrence.url)) is None:
        return False
    is_name = "." not in match["host"] and not match["host"].startswith("[")
    return is_name or is_sample(match["host"])


def _rust_tests(document: Document) -> int:
    """Return the offset of the tests in a source file of Rust; -1 for none."""
    return document.text.find("#[cfg(test)]")


def _is_on_trial(code: str, occurrence: Match, document: Document, _path: str) -> bool:
    if code[1] not in "24" or document.kind in DATA_KINDS:
        return False
    text, start, end = document.text, occurrence.start, occurrence.end
    if document.kind == "rust" and 0 <= document.computed(_rust_tests) < start:
        return True
    before = text[max(start - _AROUND, 0) : start].split("\n")[-1 - _LINES :]
    after = text[end : end + _AROUND].split("\n")[: 1 + _LINES]
    return _TRIAL_WORDS.search("\n".join((*before, *after))) is not None


def _messages(document: Document) -> list[tuple[int, str]]:
    """Return the entries of a catalog by their offsets, each with "id" for a message and "str" for its translation."""
    return [(match.start(), match[1]) for match in _ENTRY.finditer(document.decoded)]


def _is_extracted(_code: str, occurrence: Match, document: Document, _path: str) -> bool:
    """Return whether a URL is in a message that is to be translated (GNU gettext, "PO Files")."""
    if document.kind != "po":
        return False
    entries = document.computed(_messages)
    start = document.to_decoded(occurrence.start, occurrence.end)[0]
    number = bisect.bisect_right(entries, (start, "")) - 1
    return number >= 0 and entries[number][1] != "str"


_COPY = Excuse(
    "copy",
    lambda _code, _occurrence, _document, path: is_named(COPY, path) or is_vendored(path),
    "what belongs to another project or a release, a stub, a cache, and a license are not edited here",
)
_KEPT = Excuse(
    "kept",
    lambda _code, _occurrence, _document, path: is_named(FROZEN, path.lower()),
    "an old version and an archive are kept as they were",
)
# U603 and U608 are about links that their markup does not make.
_CHANGELOG = Excuse(
    "changelog",
    lambda code, _occurrence, _document, path: code not in ("U603", "U608") and is_named(CHANGELOG, path),
    "a record of changes is not edited, and only its links are followed",
)
# Outside of a repository, a page that a program has written is checked on purpose.
_GENERATED = Excuse(
    "generated",
    lambda _code, _occurrence, document, _path: document.computed(is_generated) and is_in_repository(document.path),
    "a program has written the document in the repository, and writes it again",
)
_EXTRACTED = Excuse(
    "extracted",
    _is_extracted,
    "a program copies the messages of a catalog from the documents, where they are corrected",
)
_SAMPLE = Excuse("sample-host", _is_sample, "readers do not follow a URL of a program at a host for examples")
_TRIAL = Excuse("trial", _is_on_trial, "the program tests, rejects or repairs such URLs")
# The entries by the context of the URL.
ADVICE = {
    "link": (_KEPT, _COPY, _GENERATED),
    "prose": (_CHANGELOG, _KEPT, _COPY, _GENERATED),
    "comment": (_KEPT, _COPY, _SAMPLE, _TRIAL),
    "string": (_KEPT, _COPY, _EXTRACTED, _SAMPLE, _TRIAL),
    "fragment": (_KEPT, _COPY, _EXTRACTED, _SAMPLE),
    "code": (_KEPT, _COPY, _SAMPLE),
}


def advice_for(code: str, occurrence: Match, document: Document) -> str:
    """Return the name of the first entry that holds for a finding of a rule, or ""."""
    if code.startswith(KEPT_SEVERITIES):
        return ""
    path = document.path.replace(os.sep, "/")
    if path.startswith("/"):  # only the file and its directory say what it is
        path = "/".join(path.split("/")[-2:])
    return first_excuse(ADVICE[occurrence.context], code, occurrence, document, path)
