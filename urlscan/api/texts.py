"""The public functions that find, check and lint URLs in text and strings.

Offsets count characters of the given text from 0; lines and columns count from 1.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Unpack, get_args

from urlscan import finder
from urlscan.api.reports import FindingList
from urlscan.core.choices import MailboxKind, Profile, ReferenceKind, TextKind
from urlscan.core.errors import ConfigError
from urlscan.core.records import Edit, Finding, Fix, Occurrence, Problem, TextFault
from urlscan.core.settings import REJOIN, FileSettings, Settings, as_collection, check_choice, check_text
from urlscan.documents import read_text
from urlscan.documents.identify import identify
from urlscan.finder import FindChanges, FindOptions, find_in_document, restored
from urlscan.linter import judge
from urlscan.pipeline.check import lint_document
from urlscan.pipeline.read import ReadOptions
from urlscan.uri.schemes import accepts
from urlscan.uri.unwrap import Unwrapped, unwrap


def scan(
    text: str, *, kind: TextKind = "plain", options: FindOptions | None = None, **changes: Unpack[FindChanges]
) -> Iterator[Occurrence]:
    r"""Find every URL in `text`, in order of appearance.

    Args:
        text: any string, including lone surrogates and NUL.
        kind: the kind of text.  Entities and escapes are decoded in `raw` and `url`; `start` and `end` are offsets in
            `text`. Passwords are not masked.
        options: the matches to find besides URLs with a scheme, and how broken URLs are joined.
        changes: options by name, in place of those in `options`: `schemeless`, `emails`, `relative`, `defanged`,
            `unwrap`, `rejoin`, `schemes`.

    Raises:
        ConfigError: unknown `kind` or `rejoin`.
        TypeError: `text` is not a string, or an option has another name.

    >>> [o.url for o in scan("See <URL:ftp://ds.inter\nnic.net/rfc>, http://h.example/a.")]
    ['ftp://ds.internic.net/rfc', 'http://h.example/a']
    >>> [(o.url, o.assumed) for o in scan("See www.h.example or ask jo@h.example.", schemeless=True, emails=True)]
    [('www.h.example', 'http://www.h.example'), ('jo@h.example', 'mailto:jo@h.example')]
    >>> [(o.url, o.original) for o in scan("Blocked: hxxp://h[.]example/a", defanged=True)]
    [('http://h.example/a', 'hxxp://h[.]example/a')]
    """
    check_text("scan", text)
    check_text_kind("scan", kind)
    selected = find_options(options, changes)
    needs_document = selected.look_alikes or selected.continuations or selected.schemes
    if kind == "plain" and not (needs_document or selected.defanged or selected.unwrap):
        matches = finder.find(text, rejoin=selected.rejoin, schemeless=selected.schemeless, emails=selected.emails)
        return itertools.starmap(Occurrence, matches)
    return scan_document(text, kind, selected)


def find_options(options: FindOptions | None, changes: FindChanges) -> FindOptions:
    """Return the options with the given changes; raise TypeError or ConfigError for other names, types and values."""
    if options is None:
        options = FindOptions()
    if not isinstance(options, FindOptions):
        raise TypeError(f"options must be a urlscan.FindOptions, not {type(options).__name__}")
    if unknown := changes.keys() - FindChanges.__annotations__.keys():
        raise TypeError(f"unknown option {min(unknown)!r}; use one of {', '.join(FindChanges.__annotations__)}")
    options = options._replace(**changes)
    check_choice("rejoin", options.rejoin, REJOIN)
    return options._replace(schemes=as_collection("schemes", options.schemes, frozenset({"x-foo"})))


def check_text_kind(function: str, kind: str) -> None:
    """Raise ConfigError, naming the function to call instead, unless a string can be of this kind."""
    if kind in get_args(MailboxKind):
        message = f'a mailbox of kind "{kind}" must be bytes, because its messages have encodings of their own'
        raise ConfigError(message, hint=f"use urlscan.{function}_bytes or urlscan.{function}_file")
    check_choice("kind", kind, get_args(TextKind))


def scan_document(text: str, kind: str, selected: FindOptions) -> Iterator[Occurrence]:
    """Find the URLs of a text of any kind; in a mailbox, every message has the encoding of the text."""
    for document in read_text(text, kind=kind, find_options=selected):
        document = restored(document, selected)
        for match in find_in_document(document, selected):
            start, end = document.to_source(match.start, match.end)
            outer_start, outer_end = document.to_source(match.outer_start, match.outer_end)
            context = document.context(match.start, match.end)
            faults = tuple([TextFault(each.name, *document.to_source(each.start, each.end)) for each in match.faults])
            match = document.as_written(match)._replace(
                start=start, end=end, outer_start=outer_start, outer_end=outer_end, context=context, faults=faults
            )
            yield Occurrence(*match)


def check(
    url: str,
    *,
    profile: Profile = "rfc3986",
    kind: ReferenceKind = "uri-reference",
    select: Sequence[str] | None = None,
) -> list[Problem]:
    """Return the problems of one URL in order of position, or an empty list.

    White space around the URL and an enclosing `<URL:...>`, `<...>` or pair of quotation marks are ignored, and so are
    line breaks between delimiters with the white space beside them (RFC 3986 appendix C). A placeholder (`{id}`, `%s`)
    is checked as written, because a template is not yet a URL.

    Args:
        url: any string; the spans of the problems are in characters of it.
        select: rules in place of those of the default and the profile: codes, names, prefixes, ALL.
            Without it, an invalid URL always has a problem: other rules report what the default ones do not.

    Raises:
        ConfigError: unknown profile, kind or rule.

    >>> [(p.code, p.start, p.end) for p in check("http://h.example/100%")]
    [('U201', 20, 21)]
    >>> check("<URL:http://h.example/>")
    []
    """
    check_text("check", url)
    if select is not None:
        select = as_collection("select", select, ("U101",))
    rule_set = judge.default_rule_set(profile, kind, select)
    if rule_set.is_plain(url):
        return list(rule_set.judge(url))
    what = unwrap(url, profile)
    problems: Sequence[Problem] = rule_set.judge(what.url)
    if select is None:
        problems = judge.diagnosis(what.url, profile, kind)
    return [_moved(problem, what) for problem in problems]


def is_valid(url: str, *, profile: Profile = "rfc3986", kind: ReferenceKind = "uri-reference") -> bool:
    """Return whether the grammar of `profile` accepts the entire `url`. Only syntax is checked; nothing is ignored.

    An unknown profile or kind raises ConfigError.

    >>> is_valid("http://h.example/~jo#top"), is_valid("http://h.example/~jo#top", profile="rfc1738")
    (True, False)
    """
    check_text("is_valid", url)
    judge.default_rule_set(profile, kind)
    return accepts(url, profile, kind)


def lint(
    text: str, *, kind: TextKind | None = None, path: str | None = None, settings: Settings | None = None
) -> list[Finding]:
    """Return the findings about the URLs of `text`, in order of position.

    Suppression comments such as `urlscan: ignore[U201]` in the text are honored.

    Args:
        kind: the kind of text; None to detect it from `path`, or plain without a path.
        path: the path in the findings; "-" by default.
        settings: the rules and options; no configuration file is read.

    Raises:
        ConfigError: unknown kind, or a setting has an unknown value.
        TypeError: `text` is not a string.

    >>> [(f.code, f.line, f.column) for f in lint("See <http://h.example/a|b>.")]
    [('U101', 1, 24)]
    >>> [f.url for f in lint('<a href="http://h.example/a|b">', kind="html")]
    ['http://h.example/a|b']
    """
    check_text("lint", text)
    file_settings, options = FileSettings(settings_of(settings)), ReadOptions(max_findings=len(text))
    results = []
    for document in read_text(text, kind=kind_of_text(text, kind, path)):
        if path is not None:
            document.path = path
        lint_document(document, file_settings, options)
        results.append(document)
    return FindingList(results)


def settings_of(settings: Settings | None) -> Settings:
    """Return the settings, or the defaults; raise TypeError for something else, ConfigError for an unknown value."""
    if settings is None:
        settings = Settings()
    if not isinstance(settings, Settings):
        raise TypeError(f"settings must be a urlscan.Settings, not {type(settings).__name__}")
    judge.rule_set_for(settings)  # raises ConfigError
    return settings


def kind_of_text(text: str, kind: TextKind | None, path: str | None) -> str:
    """Return the kind that a text is read as: the given one, or that of its path and beginning."""
    if kind is not None:
        check_text_kind("lint", kind)
        return kind
    if path:
        return identify(path, text[:1024])
    return "plain"


def _moved(problem: Problem, what: Unwrapped) -> Problem:
    """Return the problem with its span and its fix in the given string."""
    start, end = what.span_in_input(problem.start, problem.end)
    fix = problem.fix
    if fix is not None:
        edits = (Edit(*what.span_in_input(edit.start, edit.end), edit.text) for edit in fix.edits)
        fix = Fix(fix.applicability, tuple(edits))
    return problem._replace(start=start, end=end, fix=fix)
