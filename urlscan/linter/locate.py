"""Find the problems of the URLs in a text. The module that makes findings of them is loaded for the first problem."""

import re
import sys
from collections.abc import Iterable

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Finding, Match, Severity
from urlscan.core.settings import FindOptions, Settings
from urlscan.core.typing import TYPE_CHECKING
from urlscan.linter.judge import KEPT_SEVERITIES, rule_set_for
from urlscan.rules import ENTRIES, load

if TYPE_CHECKING:
    from urlscan.core.faults import TargetFault
    from urlscan.linter.suppressions import UnusedSuppression

# A file or directory of a branch, whose repository `targets/forge.py` compares with that of the text.
_ON_FORGE = lazy(r"/(?:blob|tree|raw|src/branch)/|//raw\.")
# So many findings of one rule about one URL of a document have one cause.
MANY = 10


def find_options_for(kind: str, settings: Settings) -> FindOptions:
    """Return what the rules need to find in a text of a kind; continued URLs matter only in plain text and mail."""
    continuations = kind in ("plain", "mail") and "U602" in rule_set_for(settings).enabled
    return FindOptions(
        relative=True, look_alikes=True, continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes
    )


def findings_of(
    document: Document,
    matches: Iterable[Match],
    settings: Settings,
    references: list[Match] | None = None,
    most: int = sys.maxsize,
) -> list[Finding]:
    """Return the findings for matches of the finder, in order, and count these in the document.

    Offsets and edits are in units of the document's source. `url` is not masked; the message holds no secret.

    Args:
        references: receives the relative references without findings, and URLs that may lead to a branch on a forge;
            None for no one.
        most: the number of findings; further matches are only counted.
    """
    rule_set = rule_set_for(settings)
    judged, checks_every = rule_set.judged, rule_set.checks_every_occurrence
    findings, checked_urls = list[Finding](), 0
    for match in matches:
        url, _, _, _, _, _, scheme, style, breaks, _, _, template, faults, _, _, _ = match
        checked_urls += scheme != ""
        if len(findings) >= most:
            continue
        # The lookup saves a call for most URLs.
        problems = judged.get(url)
        if problems is None or template:
            problems = rule_set.judge(url, template=template, style=style)
        about_match: list[Finding] = []
        if problems or breaks or faults or checks_every:
            from urlscan.linter.reported import match_findings

            about_match = match_findings(rule_set, document, match, problems)
        if about_match and rule_set.exclusions:
            about_match = rule_set.without_excluded(about_match)
        findings += about_match
        if references is None or about_match:
            continue
        if (style == "markup" and not scheme) or (("git" in url or "codeberg" in url) and _ON_FORGE.search(url)):
            references.append(match)
    document.checked_urls = checked_urls
    return findings[:most]


def merge_repeated(findings: list[Finding], settings: Settings) -> list[Finding]:
    """Return the findings of a document; of one fault of a URL that it repeats often, all but the first as information.

    The first tells how many there are. Configured severities, secrets and deception stay as they are, and the causes of
    broken references are found in `targets/causes.py`.
    """
    from urlscan.core.faults import count_repeated

    kept = rule_set_for(settings).severities
    causes: list[tuple[str, str] | None] = [(finding.code, finding.url) for finding in findings]
    for number, finding in enumerate(findings):
        if finding.severity == Severity.INFO or finding.code in kept or finding.code.startswith(KEPT_SEVERITIES):
            causes[number] = None
    merged = list[Finding]()
    for finding, repetitions in zip(findings, count_repeated(causes, [MANY] * len(causes)), strict=True):
        if repetitions < 0:
            finding = finding._replace(severity=Severity.INFO)
        elif repetitions:
            finding = finding._replace(message=f"{finding.message} (and in {repetitions} more places)")
        merged.append(finding)
    return merged


def target_findings(
    document: Document, faults: "Iterable[tuple[Match, TargetFault]]", settings: Settings
) -> list[Finding]:
    """Return the findings about the targets of references and about the labels of a document, if their rules are on."""
    rule_set = rule_set_for(settings)
    findings: list[Finding] = []
    for match, fault in faults:
        if fault.name in rule_set.enabled:
            from urlscan.linter.reported import make_finding

            rule = load(fault.name)
            if rule.check_target is not None and match.context in rule.contexts:
                findings.append(make_finding(rule_set, document, match, rule.check_target(fault)))
    return rule_set.without_excluded(findings)


def unused_suppressions(document: Document, unused: "Iterable[UnusedSuppression]", settings: Settings) -> list[Finding]:
    """Return the findings about unused and malformed suppression comments.

    A disabled rule does not make its comment unused.
    """
    rule_set = rule_set_for(settings)
    if "U901" not in rule_set.enabled:
        return []
    rule = load("U901")
    findings: list[Finding] = []
    for start, end, name, why in unused:
        entry = ENTRIES.get(name)
        if entry is not None and entry.code not in rule_set.enabled:
            continue
        if name and not any(map(str.isalnum, name)):  # "ignore[...]" in prose about suppression comments
            continue
        if why:
            reason = why
        elif entry is not None:
            reason = f"{name} is not reported here"
        elif re.fullmatch("ALL|U[0-9]{0,2}", name):
            reason = f'"{name}" selects several rules; name each of them'
        else:
            reason = f'unknown rule "{name}"'
        span = *document.lines.position(start), *document.lines.position(end), *document.map.to_source(start, end)
        severity = rule_set.severities.get(rule.code, rule.severity)
        message = f"unused suppression comment: {reason}"
        finding = Finding(rule.code, rule.name, severity, message, "", document.path, *span, member=document.member)
        findings.append(finding)
    return findings
