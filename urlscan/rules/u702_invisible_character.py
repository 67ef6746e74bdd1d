"""U702 invisible-character."""

import unicodedata
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import Example, Rule, Spec, find_in_components, in_component, is_secret
from urlscan.uri.url import Url

# Characters without a visible form.
_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # directional
_JOINERS_AND_SPACES = "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"
_FILLERS = "\u115f\u1160\u17b4\u17b5\u180b-\u180d\u3164\uffa0"
_ANNOTATIONS_AND_TAGS = "\ufff9-\ufffb\U000e0000-\U000e007f"
_INVISIBLE = lazy(f"[{_CONTROLS}{_JOINERS_AND_SPACES}{_FILLERS}{_ANNOTATIONS_AND_TAGS}]+")
# RFC 5892 appendix A.1 and A.2: these two are needed between letters of some scripts, and in emoji.
_JOINERS = ("\u200c", "\u200d")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of invisible characters."""
    if url.text.isascii():
        return
    for component, (start, end) in find_in_components(url, _INVISIBLE):
        if url.text[start:end] in _JOINERS and _is_needed(url.text, start):
            continue
        secret = is_secret(url, (start, end))
        names = ", ".join(f"U+{ord(c):04X} {unicodedata.name(c, 'tag')}" for c in dict.fromkeys(url.text[start:end]))
        yield RULE.problem(
            "invisible character in a secret" if secret else f"invisible character {in_component(component)}: {names}",
            component,
            (start, end),
            section="RFC 3987 section 4.1",
            syntax=False,
        )


def fix(url: Url, problem: Problem) -> Fix:
    """Remove the characters; unsafe, because the URL may need them.

    A soft hyphen between words was a hyphen, which a converter replaced. In a host it is ignored (UTS #46).
    """
    start, end = problem.start, problem.end
    separates = url.text[start - 1 : start].isalnum() and url.text[end : end + 1].isalnum()
    is_hyphen = url.text[start:end] == "\u00ad" and separates and problem.component != "host"
    return Fix("unsafe", (Edit(start, end, "-" if is_hyphen else ""),))


def _is_needed(text: str, at: int) -> bool:
    """Return whether a joiner is between two non-ASCII characters, which it may join."""
    return at > 0 and at + 1 < len(text) and not text[at - 1].isascii() and not text[at + 1].isascii()


RULE = Rule(
    code="U702",
    name="invisible-character",
    severity=Severity.ERROR,
    security_severity=5.0,
    summary="URL contains an invisible character",
    why=(
        'RFC 3987 section 4.1: "IRIs MUST NOT contain bidirectional formatting characters". RFC 5892 excludes the'
        " other characters from hosts. They are often pasted by accident, and can hide where a URL leads."
    ),
    when_to_ignore="Never.",
    bad=(Example("See <http://h.example/a\u200bb>."), Example("See <http://h.example/\u202egpj.exe>.")),
    good=(
        Example("See <http://h.example/a%E2%80%8Bb>."),
        Example("See <http://h.example/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645>."),
    ),
    check=check,
    fix=fix,
    fix_note='Removes the characters, and writes "-" for a soft hyphen between words outside of the host (unsafe).',
)
