"""U901 unused-suppression."""

from urlscan.core.records import Severity
from urlscan.rules.base import Example, Rule

RULE = Rule(
    code="U901",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="Suppression comment has no effect",
    why=(
        "A suppression comment that outlives its finding hides the next fault in its place. A comment without rules,"
        " or with a misspelled word, suppresses nothing, although its author expects it to. Comments for rules that"
        " are off are not reported."
    ),
    when_to_ignore="Where a program writes suppression comments everywhere.",
    bad=(
        Example("See http://h.example/a urlscan: ignore[no-such-rule]"),
        Example("urlscan: ignore-next-line[u201]\nSee http://h.example/a now."),
        Example("x = 'http://h.example/a'  # urlscan: ignore", path="a.py"),
        Example("x = 'http://h.example/a'  # urlscan: ingore[U201]", path="a.py"),
    ),
    good=(
        Example("See <http://h.example/%zz> urlscan: ignore[U201]"),
        Example("See http://h.example/a urlscan: ignore[U605]"),
        Example("At http://h.example/ a bare `urlscan: ignore` suppresses nothing."),
    ),
)
