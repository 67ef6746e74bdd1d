"""The record of a rule, and helpers for checks.

A rule is a function whose docstring is its documentation, and a decorator with its properties and examples. A
`url_rule` examines a URL alone: it is a pure function that runs once per distinct URL. A `text_rule` examines an
occurrence in a text: it runs for occurrences with breaks or faults. A `target_rule` reports what the check of a
relative reference found in the tree.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator

from urlscan.core.document import Document
from urlscan.core.faults import TargetFault
from urlscan.core.record import NamedTuple, Record
from urlscan.core.records import CONTEXTS, Edit, Fix, Match, Problem, Severity, TextFault
from urlscan.core.secrets import MASK, url_may_hold_secret, url_secrets
from urlscan.core.settings import NO_STATUSES, Statuses
from urlscan.core.typing import Any, Applicability
from urlscan.rules.registry import ENTRIES
from urlscan.uri.grammar.generic import grammar_of, section
from urlscan.uri.url import COMPONENTS, Url

# Contexts in which rules report.  Rules for characters and escapes: where the extent of a URL is known.
DESTINATIONS = ("link", "prose")
# Rules for schemes, hosts, ports and normal forms: wherever a complete URL is written.
ADDRESSES = ("link", "prose", "comment", "string")
# Kinds of configuration, which programs use as it is.
DATA_KINDS = frozenset("ini json properties toml yaml".split())
# Rules for the text around a URL.
PARAGRAPHS = ("prose", "comment")


class Spec(NamedTuple):
    """The options of a check.

    Attributes:
        profile: the requested specification.
        kind: what the string is checked as, such as `uri-reference`.
        schemes: additional schemes, as in Settings.
        hosts: allowed hosts, as in Settings.
        placeholders: as in Settings, in lowercase.
        insecure_hosts: as in Settings.
        statuses: as in Settings.
    """

    profile: str
    kind: str
    schemes: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    placeholders: frozenset[str] = frozenset()
    insecure_hosts: frozenset[str] = frozenset()
    statuses: Statuses = NO_STATUSES

    @property
    def grammar(self) -> str:
        """The specification whose grammar applies: RFC 3987 if an IRI is requested."""
        return grammar_of(self.profile, self.kind)[0]

    def section(self, topic: str, **special: str) -> str:
        """Return the section of that specification about `topic` (`grammar.generic`), or a special one by grammar."""
        return special.get(self.grammar) or section(self.grammar, topic)


class Example(NamedTuple):
    """A text to check.

    Attributes:
        text: the text.
        profile: the profile to check it by.
        path: a file name that determines the kind; "" means plain text.
        files: names and contents of the other files of a tree, for the rules about targets.
        statuses: the file of `--statuses`; "" without one.
    """

    text: str
    profile: str = "rfc3986"
    path: str = ""
    files: tuple[tuple[str, str], ...] = ()
    statuses: str = ""


def examples(*texts: str, path: str, files: tuple[tuple[str, str], ...] = ()) -> tuple[Example, ...]:
    """Return an example of each text in a file."""
    return tuple(Example(text, path=path, files=files) for text in texts)


UrlCheck = Callable[[Url, Spec], Iterator[Problem]]
TextCheck = Callable[[Match, Document], Iterator[Problem]]
TargetCheck = Callable[[TargetFault], Problem]


class Rule(Record):
    """A rule.

    Attributes:
        code, name, module, default, profiles, may_report: as in its entry of the registry.
        severity: the default severity of its findings.
        summary: what it reports, in one line without a period.
        why: the consequences of the problem, and the sections that define it.
        when_to_ignore: when the rule is not useful.
        bad, good: texts that it must and must not report.
        check: yields the problems of a URL, with their fixes.
        check_text: yields the problems of an occurrence in its document.
        check_target: returns the problem for a fault of a reference's target.
        refine: returns a problem adapted to an occurrence, or None if it is not reported there.
        checks_every_occurrence: whether `check_text` runs for every occurrence; only in rules that are off by default.
        fix_note: what the fixes do, for readers; "" without a fix.
        skips_templates: whether components with a placeholder are not reported.
        skips_unknown_schemes: whether URLs of unknown schemes in strings are not reported; they may be another
            notation ("cfg://handlers.email[subject]").
        skips_allowed_hosts: whether URLs of allowed hosts (allowed-hosts) are not reported.
        contexts: the contexts in which the rule reports (`model.CONTEXTS`).
        options: configuration keys that `check` reads, besides those that apply to all rules.
        defers_to_faults: faults of the surrounding text that take precedence over a problem at the same place.
        defers_to: codes of rules that take precedence; a problem that shares characters with theirs is dropped.
        security_severity: how dangerous what it reports is, from 0.1 (low) to 10 (critical) as in CVSS; 0 if it is no
            security problem.
    """

    code: str
    name: str
    module: str
    default: bool
    profiles: tuple[str, ...]
    may_report: Callable[[str], object] | None
    severity: Severity
    summary: str
    why: str
    when_to_ignore: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    check: UrlCheck | None = None
    check_text: TextCheck | None = None
    check_target: TargetCheck | None = None
    refine: Callable[[Problem, Match, Document], Problem | None] | None = None
    checks_every_occurrence: bool = False
    fix_note: str = ""
    skips_templates: bool = False
    skips_unknown_schemes: bool = False
    skips_allowed_hosts: bool = False
    contexts: tuple[str, ...] = CONTEXTS
    options: tuple[str, ...] = ()
    defers_to_faults: tuple[str, ...] = ()
    defers_to: tuple[str, ...] = ()
    security_severity: float = 0

    def problem(
        self,
        message: str,
        component: str,
        span: tuple[int, int],
        *,
        section: str,
        suggestion: str = "",
        syntax: bool = True,
        severity: Severity | None = None,
        is_advice: bool = False,
        fix: Fix | None = None,
    ) -> Problem:
        """Return a problem of this rule; the edits of `fix` are in characters of the URL, and advice is information."""
        if severity is None:
            severity = self.severity
        if is_advice:
            severity = Severity.INFO
        return Problem(
            self.code,
            self.name,
            severity,
            syntax,
            message,
            component,
            *span,
            section=section,
            suggestion=suggestion,
            fix=fix,
        )


def url_rule(code: str, severity: Severity, **properties: Any) -> Callable[[UrlCheck], Rule]:
    """Return a decorator that makes a rule of a check of URLs.

    `properties` are fields of the rule; a text among its examples is an Example without other properties. By default
    components with a placeholder are not reported, and URLs are judged wherever a complete one is written.
    """
    return functools.partial(
        _declare, code, severity, "check", {"skips_templates": True, "contexts": ADDRESSES, **properties}
    )


def text_rule(code: str, severity: Severity, **properties: Any) -> Callable[[TextCheck], Rule]:
    """Return a decorator that makes a rule of a check of the text around a URL, by default in paragraphs."""
    return functools.partial(_declare, code, severity, "check_text", {"contexts": PARAGRAPHS, **properties})


def target_rule(code: str, severity: Severity, **properties: Any) -> Callable[[TargetCheck], Rule]:
    """Return a decorator that makes a rule of a function that describes a fault of a target, except in code."""
    return functools.partial(
        _declare, code, severity, "check_target", {"contexts": (*ADDRESSES, "fragment"), **properties}
    )


def _declare(
    code: str, severity: Severity, role: str, properties: dict[str, Any], function: Callable[..., Any]
) -> Rule:
    """Return a rule with the documentation of its function: the summary, the reasons, "When to ignore" and "Fix"."""
    lines = (function.__doc__ or "").splitlines()  # none with "python -OO"; Python 3.13 removes the indentation
    text, _, fix_note = "\n".join(line.strip() for line in lines).partition("\nFix: ")
    text, _, when_to_ignore = text.partition("\nWhen to ignore: ")
    summary, _, why = text.partition(".\n")
    parts = {"summary": summary, "why": why, "when_to_ignore": when_to_ignore, "fix_note": fix_note}
    properties |= {role: function} | {name: " ".join(part.split()) for name, part in parts.items()}
    for name in ("bad", "good"):
        properties[name] = tuple(Example(text) if isinstance(text, str) else text for text in properties[name])
    return Rule(*ENTRIES[code], severity, **properties)


def replacement(applicability: Applicability, span: tuple[int, int], text: str) -> Fix:
    """Return the fix that replaces a part of the URL."""
    return Fix(applicability, (Edit(*span, text),))


def faults_named(occurrence: Match, name: str) -> Iterator[TextFault]:
    """Yield the faults of an occurrence that have a name."""
    return (fault for fault in occurrence.faults if fault.name == name)


def wrap_edits(start: int, end: int) -> tuple[Edit, Edit]:
    """Return the edits that write `<URL:...>` around a part of the text."""
    return Edit(start, start, "<URL:"), Edit(end, end, ">")


def find_in_components(
    url: Url, pattern: re.Pattern[str], components: tuple[str, ...] = COMPONENTS
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the component and the span of each match of `pattern`, within components only."""
    if pattern.search(url.text) is None:
        return
    for component in components:
        span = url.span(component)
        if span is not None:
            for match in pattern.finditer(url.text[slice(*span)]):
                yield component, (span[0] + match.start(), span[0] + match.end())


def quote(url: Url, span: tuple[int, int]) -> str:
    """Return a part of the URL in quotation marks, or *** if it overlaps a secret."""
    if is_secret(url, span):
        return MASK
    return quote_text(url.text[slice(*span)], 60, "")


def name_characters(url: Url, span: tuple[int, int]) -> str:
    """Return the distinct characters of a part of the URL with their code points: `"|" (U+007C)`."""
    if is_secret(url, span):
        return "a character of a secret"
    distinct = list(dict.fromkeys(url.text[slice(*span)]))
    names = []
    for character in distinct[:4]:
        name = f"U+{ord(character):04X}"
        if character == '"':
            name = f"'\"' ({name})"
        elif character.isprintable() and not unicodedata.combining(character):
            name = f'"{character}" ({name})'
        names.append(name)
    if len(distinct) > 4:
        names.append("...")
    return ", ".join(names)


def is_secret(url: Url, span: tuple[int, int]) -> bool:
    """Return whether a span overlaps a password or another secret."""
    start, end = span
    secrets = url_may_hold_secret(url.text) and url_secrets(url.text, cut=True)
    if any(first < end and start < last for first, last in secrets or ()):
        return True
    userinfo = url.span("userinfo")
    return userinfo is not None and ":" in (url.userinfo or "") and userinfo[0] <= start < userinfo[1]


def target_problem(
    rule: Rule,
    fault: TargetFault,
    message: str,
    *,
    section: str,
    safety: Applicability = "unsafe",
    edits: tuple[Edit, ...] | None = None,
) -> Problem:
    """Return the problem for a fault of a target, one severity lower if the fault is not certain.

    Without `edits`, the suggestion is the fix, of the given safety, unless the fault is information, and not because
    another one has its cause.
    """
    if edits is None and fault.suggestion and fault.advice in ("", "repeated"):
        edits = (Edit(fault.start, fault.end, fault.suggestion),)
    fix = None
    if edits:
        fix = Fix(safety, edits)
    return rule.problem(
        message,
        "",
        (fault.start, fault.end),
        section=section,
        severity=Severity(max(rule.severity - (not fault.is_certain), Severity.INFO)),
        suggestion=fault.suggestion,
        is_advice=bool(fault.advice),
        fix=fix,
    )


def is_in_program(occurrence: Match, document: Document) -> bool:
    """Return whether an occurrence is in the code, a string or a comment of a program, or in code of a document."""
    return occurrence.context not in ("prose", "link") and document.kind not in DATA_KINDS


# Printable characters that show nothing: variation selectors, joiners and fillers.
_INVISIBLE = "\ufe0e\ufe0f\u200c\u200d\u20e3\u115f\u1160\u3164"


def quote_text(text: str, limit: int = 100, invisible: str = _INVISIBLE) -> str:
    """Return a text in quotation marks, shortened, with code points in place of invisible characters."""
    readable = list(text[:limit])
    for position, character in enumerate(readable):
        if not character.isprintable() or character in invisible:
            readable[position] = f"<U+{ord(character):04X}>"
    if len(text) > limit:
        readable.append("...")
    return f'"{"".join(readable)}"'
