"""U106 unencoded-hash."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec
from urlscan.uri.url import Url

# The names of channels begin with "#" or "##", and clients take them as they are ("irc://irc.h.example/##c").
_CHANNELS = frozenset("irc irc6 ircs".split())


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield one problem for the first "#" that the grammar rejects."""
    span = url.span("fragment")
    if span is None:
        return
    start, end = span
    # RFC 1738 section 2.2: "#" is unsafe; a URL has no fragment.
    if spec.grammar == "rfc1738":
        yield RULE.problem(
            'a URL has no "#": write %23, or leave the fragment out',
            "fragment",
            (start - 1, start),
            section="RFC 1738 section 2.2",
            suggestion=url.text[: start - 1],
        )
        return
    # RFC 3986 section 3.5:  fragment = *( pchar / "/" / "?" )
    at = url.text.find("#", start, end)
    if at < 0:
        return
    after = at
    while after < end and url.text[after] == "#":
        after += 1
    yield RULE.problem(
        'a URL has at most one fragment; write the second "#" as %23',
        "fragment",
        (at, after),
        section=spec.section("fragment"),
        suggestion=url.text[:start] + url.text[start:end].replace("#", "%23"),
    )


def _keep_unless_named(problem: Problem, occurrence: Match, _document: Document) -> Problem | None:
    """Return the problem, or None if the URL names a channel of IRC or nothing at all.

    Markdown has no tooltips; `[kbps](## "1000 bits/sec")` is the usual way to write one.
    """
    is_named = occurrence.url == "##" or occurrence.url.partition(":")[0].lower() in _CHANNELS
    return None if is_named else problem


RULE = Rule(
    code="U106",
    name="unencoded-hash",
    severity=Severity.ERROR,
    summary='URL contains a "#" that must be escaped',
    why=(
        'RFC 3986 section 3.5: the first "#" begins the fragment, which cannot hold another one. Programs disagree on'
        " a URL with two: some look for an anchor of that name, some escape the second, some refuse the URL. By RFC"
        ' 1738 section 2.2 a URL has no fragment at all: the character "should always be encoded because it is used in'
        " World Wide Web and in other systems to delimit a URL from a fragment/anchor identifier that might follow it"
        '".'
    ),
    when_to_ignore="Where a program reads the fragment itself and wants it unescaped, as some routers of web pages do.",
    bad=(
        Example("See <http://h.example/a#b#c>."),
        Example("[mill](http://h.example/#/rooms/#mill)", path="a.md"),
        Example("See <http://h.example/a#b>.", "rfc1738"),
    ),
    good=(
        Example("See <http://h.example/a#b%23c>."),
        Example("See <irc://irc.h.example/##mill>."),
        Example('[mill](## "a place where flour is made")', path="a.md"),
        Example("See <http://h.example/a%23b>.", "rfc1738"),
    ),
    check=check,
    refine=_keep_unless_named,
    contexts=DESTINATIONS,
    skips_templates=True,
)
