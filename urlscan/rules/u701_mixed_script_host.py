"""U701 mixed-script-host."""

import unicodedata
from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.hosts import has_authority
from urlscan.uri.url import Url

# Scripts with letters that look like Latin letters.
_ALIKE = ("CYRILLIC", "GREEK")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each label that mixes Latin letters with Cyrillic or Greek ones."""
    span = url.span("host")
    if span is None or not has_authority(url):
        return
    at = span[0]
    for label in (url.host or "").split("."):
        decoded = _unicode(label)
        if not decoded.isascii() and (mixed := _mixed(decoded)):
            letters = ", ".join(f"{character} (U+{ord(character):04X})" for character in mixed)
            script = unicodedata.name(mixed[0]).partition(" ")[0].title()
            yield RULE.problem(
                f'"{decoded}" mixes Latin letters with {script} letters that look like them: {letters}',
                "host",
                (at, at + len(label)),
                section="UTS #39 section 5.1",
                syntax=False,
            )
        at += len(label) + 1


def _unicode(label: str) -> str:
    """Return the label in Unicode (RFC 5890: A-label to U-label), or unchanged if it cannot be decoded."""
    if not label.lower().startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError):
        return label


def _mixed(label: str) -> list[str]:
    """Return up to four distinct letters of a similar script if the label also has Latin letters."""
    names = {character: unicodedata.name(character, "") for character in dict.fromkeys(label) if character.isalpha()}
    if not any(name.startswith("LATIN ") for name in names.values()):
        return []
    return [character for character, name in names.items() if name.startswith(_ALIKE)][:4]


RULE = Rule(
    code="U701",
    name="mixed-script-host",
    severity=Severity.WARNING,
    security_severity=6.5,
    summary="Host label mixes Latin letters with Cyrillic or Greek letters",
    why=(
        "RFC 3987 section 8 and UTS #39: letters of different scripts look alike, so a host that mixes them probably"
        " imitates another host. Registries do not allow such names. Labels in a single script are accepted, even"
        " next to labels in another script, and so is `xn--` as such."
    ),
    when_to_ignore="Where the text is about such hosts.",
    bad=(Example("See http://p\u0430ypal.zz/ now."), Example("See http://xn--pypal-4ve.zz/ now.")),
    good=(
        Example("See http://\u043f\u0440\u0438\u043c\u0435\u0440.zz/ now."),
        Example("See http://xn--bcher-kva.zz/ now."),
        Example("See http://www.\u043f\u0440\u0438\u043c\u0435\u0440.zz/ now."),
    ),
    check=check,
    skips_allowed_hosts=True,
)
