"""What a rule is, and what its checks share.

A rule is a record in a file of its own: documentation, examples, checks and fix.  It judges a URL by
itself (`check`, a pure function, asked once for each distinct URL), or the place where one stood in
a text (`check_text`, asked for occurrences with breaks or faults).
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urlscan.grammar.generic import grammar_of
from urlscan.grammar.sections import section
from urlscan.model import CONTEXTS, Edit, Fault, Fix, Occurrence, Problem, Severity
from urlscan.redact import MASK, secret_spans
from urlscan.text import Segment
from urlscan.url import COMPONENTS, Url

# Where rules report.  Characters and escapes: where the extent of a URL is known.
DESTINATIONS = ("link", "prose")
# Schemes, hosts, ports and normal form: wherever a whole URL is named.
ADDRESSES = ("link", "prose", "comment", "string")
# The text around a URL: in paragraphs.
PARAGRAPHS = ("prose", "comment")


class Spec(NamedTuple):
    """What a URL is judged by.

    Attributes:
        profile: the specification that was asked for.
        kind: what the string is taken for.
        schemes: as of Settings.
        hosts: as of Settings.
        placeholders: as of Settings, in lower case.
    """

    profile: str
    kind: str
    schemes: frozenset[str] = frozenset()
    hosts: frozenset[str] = frozenset()
    placeholders: frozenset[str] = frozenset()

    @property
    def grammar(self) -> str:
        """The specification whose grammar decides: RFC 3987 where an IRI is asked for."""
        return grammar_of(self.profile, self.kind)[0]

    def section(self, topic: str) -> str:
        """Return where that specification speaks of `topic` (`grammar/sections.py`)."""
        return section(self.grammar, topic)

    def allows(self, host: str) -> bool:
        """Return whether somebody vouches for a host: by its name, or as one below another ("*.h.example")."""
        name = host.lower().removesuffix(".")
        if name in self.hosts:
            return True
        labels = name.split(".")
        return any("*." + ".".join(labels[at:]) in self.hosts for at in range(1, min(len(labels), 128)))


class TextProblem(NamedTuple):
    """What is wrong with a place in a text.

    Attributes:
        message: as a Problem's.
        start, end: the place, in characters of the text.
        severity: how loud, where it is not as loud as the rule.
        component, section, suggestion: as a Problem's.
        fix: its edits are in characters of the text.
    """

    message: str
    start: int
    end: int
    severity: Severity | None = None
    component: str = ""
    section: str = ""
    suggestion: str = ""
    fix: Fix | None = None


class Example(NamedTuple):
    """A text to lint.

    Attributes:
        text: the text.
        profile: the profile to do it by.
        path: the name of a file that would hold it, which tells its kind; "" is plain.
    """

    text: str
    profile: str = "rfc3986"
    path: str = ""


class Rule(NamedTuple):
    """One rule and all that is known of it, but for what must be known before it is loaded (`Entry`).

    Attributes:
        code, name: U201 and bad-escape.
        severity: how loud its findings are.
        summary: one sentence, what it reports.
        why: what goes wrong and which section says so.
        when_to_ignore: whom it does not serve.
        bad, good: texts that it must and must not report.
        default: whether it is on by itself.
        profiles: the profiles by which it is on although `default` is false.
        check: judges one URL.
        check_text: judges one occurrence in its segment.
        refine: returns a problem as it is reported where the URL is, or None if it is not; None: as it is.
        checks_every_occurrence: whether `check_text` is asked about every occurrence.
        fix: edits of a problem's URL, in characters of the URL.
        fix_note: what the fix does, for readers; "" without a fix.
        checks_fast_accepted: whether `check` may speak of a plainly good URL (`grammar.ordinary`).
        skips_templates: whether nothing is said of a component that holds a placeholder.
        skips_unknown_schemes: whether nothing is said in a text of a string whose scheme nobody knows:
            it may be a notation and no URL ("cfg://handlers.email[subject]").
        skips_allowed_hosts: whether nothing is said of a URL whose host somebody vouches for (allowed-hosts).
        contexts: where it reports: what URLs are in their documents (`model.CONTEXTS`).
        options: keys of the configuration that `check` listens to, besides those that every rule does.
        defers_to_faults: faults of the text around that say it better; nothing is said where one is.
        defers_to: codes of rules that say it better; a problem that shares characters with theirs is dropped.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    when_to_ignore: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    default: bool = True
    profiles: tuple[str, ...] = ()
    check: Callable[[Url, Spec], Iterator[Problem]] | None = None
    check_text: Callable[[Occurrence, Segment], Iterator[TextProblem]] | None = None
    refine: Callable[[Problem, Occurrence, Segment], Problem | None] | None = None
    checks_every_occurrence: bool = False
    fix: Callable[[Url, Problem], Fix | None] | None = None
    fix_note: str = ""
    checks_fast_accepted: bool = False
    skips_templates: bool = False
    skips_unknown_schemes: bool = False
    skips_allowed_hosts: bool = False
    contexts: tuple[str, ...] = CONTEXTS
    options: tuple[str, ...] = ()
    defers_to_faults: tuple[str, ...] = ()
    defers_to: tuple[str, ...] = ()

    def problem(
        self,
        message: str,
        component: str,
        span: tuple[int, int],
        *,
        section: str,
        suggestion: str = "",
        syntax: bool = True,
    ) -> Problem:
        """Return a problem of this rule."""
        return Problem(
            self.code,
            self.name,
            self.severity,
            syntax,
            message,
            component,
            *span,
            section=section,
            suggestion=suggestion,
        )


def faults_named(occurrence: Occurrence, name: str) -> Iterator[Fault]:
    """Yield what is wrong with the text around the URL by that name."""
    return (fault for fault in occurrence.faults if fault.name == name)


def wrap_edits(start: int, end: int) -> tuple[Edit, Edit]:
    """Return the edits that write `<URL:...>` around a place of the text."""
    return Edit(start, start, "<URL:"), Edit(end, end, ">")


def find_in_components(
    url: Url, pattern: re.Pattern[str], components: tuple[str, ...] = COMPONENTS
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield component and span of every match of `pattern`, which never crosses two components."""
    if pattern.search(url.text) is None:
        return
    for component in components:
        span = url.span(component)
        if span is not None:
            for match in pattern.finditer(url.text[slice(*span)]):
                yield component, (span[0] + match.start(), span[0] + match.end())


def quote(url: Url, span: tuple[int, int]) -> str:
    """Return a piece of the URL in quotation marks, or *** where it tells something of a secret."""
    start, end = span
    if is_secret(url, span):
        return MASK
    piece = url.text[start:end]
    readable = "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in piece[:60])
    return f'"{readable}{"..." if len(piece) > 60 else ""}"'


def name_characters(url: Url, span: tuple[int, int]) -> str:
    """Return the characters of a piece of the URL, each once, with code points: `"|" (U+007C)`."""
    if is_secret(url, span):
        return "a character of a secret"
    distinct = list(dict.fromkeys(url.text[slice(*span)]))
    names = [_named(character) for character in distinct[:4]]
    return ", ".join(names) + (", ..." if len(distinct) > 4 else "")


# A URL of many faults is asked about for each of them.
_secret_spans = functools.lru_cache(maxsize=4)(secret_spans)


def is_secret(url: Url, span: tuple[int, int]) -> bool:
    """Return whether a span holds something of a password or of another secret."""
    start, end = span
    if any(first < end and start < last for first, last in _secret_spans(url.text)):
        return True
    userinfo = url.span("userinfo")
    return userinfo is not None and ":" in (url.userinfo or "") and userinfo[0] <= start < userinfo[1]


def _named(character: str) -> str:
    point = f"U+{ord(character):04X}"
    if character.isprintable() and not unicodedata.combining(character):
        return f"'{character}' ({point})" if character == '"' else f'"{character}" ({point})'
    return point


def replaced(url: Url, span: tuple[int, int], text: str) -> str:
    """Return the URL with one piece of it replaced."""
    start, end = span
    return url.text[:start] + text + url.text[end:]


def in_component(component: str) -> str:
    """Return "in the path" and the like, for messages."""
    return f"in the {component}" if component else "in the URL"
