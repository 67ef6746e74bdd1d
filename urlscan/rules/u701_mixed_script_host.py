"""U701 mixed-script-host."""

import unicodedata
from collections.abc import Iterator

from urlscan.model import Problem, Severity
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.hosts import has_authority
from urlscan.url import Url

# Scripts whose letters look like those of Latin.
_ALIKE = ("CYRILLIC", "GREEK")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each label that mixes Latin letters with Cyrillic or Greek ones."""
    span = url.span("host")
    if span is None or not has_authority(url):
        return
    at = span[0]
    for label in (url.host or "").split("."):
        shown = _unicode(label)
        if not shown.isascii() and (mixed := _mixed(shown)):
            letters = ", ".join(f"{character} (U+{ord(character):04X})" for character in mixed)
            script = unicodedata.name(mixed[0]).partition(" ")[0].title()
            yield RULE.problem(
                f'"{shown}" mixes Latin letters with {script} ones, which look like them: {letters}',
                "host",
                (at, at + len(label)),
                section="UTS #39 section 5.1",
                syntax=False,
            )
        at += len(label) + 1


def _unicode(label: str) -> str:
    """Return a label as it is shown (RFC 5890: A-label to U-label), or as it stands."""
    if not label.lower().startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return label


def _mixed(label: str) -> list[str]:
    """Return the letters of another script, each once, if there are Latin ones beside them."""
    names = {character: unicodedata.name(character, "") for character in dict.fromkeys(label) if character.isalpha()}
    if not any(name.startswith("LATIN ") for name in names.values()):
        return []
    return [character for character, name in names.items() if name.startswith(_ALIKE)][:4]


RULE = Rule(
    code="U701",
    name="mixed-script-host",
    severity=Severity.WARNING,
    summary="A label of a host that mixes Latin letters with Cyrillic or Greek ones.",
    why=(
        "RFC 3987 section 8 and UTS #39: letters of different scripts look alike, and a host that mixes them is rather"
        " another than it seems. Registries do not allow it; what is written in one script, in a label or in several,"
        " is in order, and so is `xn--` by itself."
    ),
    when_to_ignore="Where such hosts are the subject.",
    bad=(Example("See http://p\u0430ypal.zz/ now."), Example("See http://xn--pypal-4ve.zz/ now.")),
    good=(
        Example("See http://\u043f\u0440\u0438\u043c\u0435\u0440.zz/ now."),
        Example("See http://xn--bcher-kva.zz/ now."),
        Example("See http://www.\u043f\u0440\u0438\u043c\u0435\u0440.zz/ now."),
    ),
    check=check,
    skips_allowed_hosts=True,
)
