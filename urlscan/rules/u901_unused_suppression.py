"""U901 unused-suppression."""

from urlscan.model import Severity
from urlscan.rules.base import Example, Rule

RULE = Rule(
    code="U901",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="A mark that silences nothing: `urlscan: ignore[U201]` where U201 has nothing to say, or none is named.",
    why=(
        "A mark that outlives what it was written for silences the next fault that comes to its place. Nothing is said"
        " of marks for rules that are off. A mark without rules, or with another word, silences nothing either, and who"
        " wrote it believes that it does."
    ),
    when_to_ignore="Where the text is made by a program that writes marks everywhere.",
    bad=(
        Example("See http://h.example/a urlscan: ignore[no-such-rule]"),
        Example("urlscan: ignore-next-line[u201]\nSee http://h.example/a now."),
        Example("x = 'http://h.example/a'  # urlscan: ignore", path="a.py"),
        Example("x = 'http://h.example/a'  # urlscan: ingore[U201]", path="a.py"),
    ),
    good=(
        Example("See <http://h.example/%zz> urlscan: ignore[U201]"),
        Example("See http://h.example/a urlscan: ignore[U605]"),
        Example("Of http://h.example/ a bare `urlscan: ignore` silences nothing."),
    ),
)
