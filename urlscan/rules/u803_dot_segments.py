"""U803 dot-segments."""

import re
from collections.abc import Iterator

from urlscan.core.affixes import common_affixes
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret
from urlscan.uri.grammar.dots import Undotted, remove_dot_segments
from urlscan.uri.url import Url

_DOTS = re.compile(r"(?<=/)\.\.?(?=/|\Z)")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield one problem for the dot segments of a path, from the first to the last."""
    scheme = (url.scheme or "").lower()
    # RFC 1738 section 3.4.1: a gopher selector may contain any octets.  Section 3.2.2: in ftp each segment is the
    # argument of a CWD, so that the server interprets "..".
    if not scheme or scheme == "gopher" or (scheme == "ftp" and spec.profile == "rfc1738"):
        return
    places = [match.span() for match in _DOTS.finditer(url.path)] if url.path.startswith("/") else []
    if not places or _normal(url).path == url.path:
        return
    start = (url.span("path") or (0, 0))[0]
    yield RULE.problem(
        "path contains dot segments, which are for relative references; remove them",
        "path",
        (start + places[0][0], start + places[-1][1]),
        section="RFC 3986 section 6.2.2.3",
        syntax=False,
    )


def _normal(url: Url) -> Undotted:
    """Return the path without dot segments, beginning with a slash (RFC 3986 section 5.2.4)."""
    path, above = remove_dot_segments(url.path)
    # RFC 3986 section 3.3: without an authority the path cannot begin with "//".
    return Undotted("/." + path if url.authority is None and path.startswith("//") else path, above)


def fix(url: Url, _problem: Problem) -> Fix | None:
    """Remove the segments; None if one goes above the root, since programs disagree about it (U209)."""
    path, above = _normal(url)
    place = url.span("path") or (0, 0)
    if above or is_secret(url, place):
        return None
    start = place[0]
    # Edit only what changes, so that other fixes of the same path still apply.
    before, after = common_affixes(url.path, path)
    return Fix("safe", (Edit(start + before, start + len(url.path) - after, path[before : len(path) - after]),))


RULE = Rule(
    code="U803",
    name="dot-segments",
    severity=Severity.INFO,
    summary='Path of an absolute URL contains "." or ".." segments',
    why=(
        "RFC 3986 section 6.2.2.3: dot segments are for relative references, and normal forms have none. Most"
        " clients remove them before the request. Programs that compare URLs as strings treat the two forms as"
        " different."
    ),
    when_to_ignore="Where URLs are not compared as strings.",
    bad=(Example("See <http://h.example/a/../b/./c>."),),
    good=(
        Example("See <http://h.example/a/.b/..c>."),
        Example("See <http://h.example/b/c?a=/../b>."),
    ),
    default=False,
    check=check,
    fix=fix,
    fix_note="Removes the segments, unless one goes above the root.",
    skips_templates=True,
    defers_to=("U209",),
    contexts=ADDRESSES,
)
