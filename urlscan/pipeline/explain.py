"""Explain what is reported about the URLs of one line, and why something is not."""

import functools
from collections.abc import Callable, Iterator

from urlscan.core.document import Document
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding, Match, Problem, Severity
from urlscan.core.secrets import url_secrets
from urlscan.core.settings import FileSettings, FindOptions, Settings
from urlscan.finder import find_in_document
from urlscan.formats.mask import mask_finding, mask_problem, mask_url, secrets_by_url
from urlscan.linter import judge, locate, suppressions
from urlscan.linter.judge import codes_for_test_data, enabled_codes
from urlscan.linter.reported import advice_for, unreported_problems
from urlscan.pipeline.divide import map_sources
from urlscan.pipeline.read import Notice, ReadOptions
from urlscan.rules import load


class Explanation(NamedTuple):
    """The problems of one URL, and why some are not reported. Secrets are masked.

    Attributes:
        path: the file.
        line, column: the position of the URL, from 1.
        occurrence: the URL.
        url: its text.
        problems: each problem with the reason why it is not reported, "" if it is, and the name of the reason for which
            it is information, "" for none.
        excuses: the names of the reasons for which the target of a relative reference is not reported.
    """

    path: str
    line: int
    column: int
    occurrence: Match
    url: str
    problems: list[tuple[Problem | Finding, str, str]]
    excuses: tuple[str, ...]


def explain(path: str, line: int, settings: Settings, read_options: ReadOptions) -> Iterator[Explanation | Notice]:
    """Yield an explanation of each URL on a line of a file, from 1; it may begin before the line and end after it."""

    def work_for(path: str) -> tuple[FindOptions, Callable[[Iterator[Document]], list[Explanation]]]:
        file_settings = read_options.file_settings(path, settings)
        work = functools.partial(_explanations, line, file_settings, read_options)
        return locate.find_options_for("", file_settings.settings), work

    return map_sources([path], read_options, 1, work_for)


def _explanations(
    line: int, file_settings: FileSettings, read_options: ReadOptions, documents: Iterator[Document]
) -> list[Explanation]:
    explanations = []
    for document in documents:
        find_options = locate.find_options_for(document.kind, file_settings.settings)
        for match in find_in_document(document, find_options):
            location = document.locate(match.start, match.end)
            if location.line <= line <= location.end_line:
                explanations.append(_explanation(document, match, file_settings, read_options))
    return explanations


def _explanation(
    document: Document, occurrence: Match, file_settings: FileSettings, read_options: ReadOptions
) -> Explanation:
    every = file_settings.settings._replace(select=("ALL",), ignore=(), exclude_urls=())
    references = list[Match]()
    locate.findings_of(document, [occurrence], file_settings.settings, references)
    findings = locate.findings_of(document, [occurrence], every)
    document.sensitive = [occurrence]
    secrets = secrets_by_url(document)
    location = document.locate(occurrence.start, occurrence.end)
    occurrence = occurrence._replace(context=document.context(occurrence.start, occurrence.end))
    advice = {finding: advice_for(finding.code, occurrence, document) for finding in findings}
    targets = None
    if read_options.targets is not None:
        targets = read_options.targets.check(document, references, file_settings._replace(settings=every))
    if targets is not None:
        for target in targets.faults:
            about_target = locate.target_findings(document, [target], every)
            about_target = [finding for finding in about_target if location.start <= finding.start < location.end]
            findings += about_target
            advice |= dict.fromkeys(about_target, target[1].advice)
    problems: list[tuple[Problem | Finding, str, str]] = []
    for finding in findings:
        why = ""
        if finding.severity == Severity.INFO < load(finding.code).severity:
            why = advice[finding]
        problem = mask_finding(finding, secrets)[0]
        problems.append((problem, _reason(document, finding, file_settings, read_options), why))
    problems += (
        (mask_problem(problem, occurrence.url, url_secrets(occurrence.url)), reason, "")
        for problem, reason in unreported_problems(document, occurrence, every, findings)
    )
    excuses = tuple(targets.excused) if targets is not None else ()
    url = mask_url(occurrence.url, secrets)
    return Explanation(document.path, location.line, location.column, occurrence, url, problems, excuses)


def _reason(document: Document, finding: Finding, file_settings: FileSettings, read_options: ReadOptions) -> str:
    """Return what keeps a finding from being reported, or ""."""
    code, settings, provider = finding.code, file_settings.settings, read_options.provider
    is_test_data = provider is not None and provider.is_relaxed(document.path) and code not in codes_for_test_data()
    reasons = (
        (code not in enabled_codes(settings), "the rule is off"),
        (not judge.rule_set_for(settings).without_excluded([finding]), "the URL is excluded (exclude-urls)"),
        (not suppressions.apply_suppressions(document, [finding])[0], "a comment suppresses it"),
        (code in file_settings.ignored_codes, "the rule is off for this file (per-file-ignores)"),
        (is_test_data, "the file is test data (relaxed-paths)"),
    )
    return next((reason for applies, reason in reasons if applies), "")
