"""U506 tracking-parameter."""

from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.data.tracking import NAMES, PREFIXES
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.uri.url import Url

# A parameter of a query with its separators.
_PARAMETER = lazy(r"(?P<name>[^&;=]*)(?:=[^&;]*)?(?P<end>[&;]|\Z)")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for the tracking parameters of a query."""
    removed = _tracking(url)
    if not removed:
        return
    names = list(dict.fromkeys(url.text[start:end].strip("?&;").partition("=")[0] for start, end in removed))
    start = removed[0][0] + (url.text[removed[0][0]] in "?&;")
    yield RULE.problem(
        f"{', '.join(names[:4])}{', ...' if len(names) > 4 else ''}: only for tracking; remove",
        "query",
        (start, start + len(names[0])),
        section="RFC 3986 section 3.4",
        syntax=False,
    )


def fix(url: Url, _problem: Problem) -> Fix | None:
    """Remove the parameters, and the question mark if none is left."""
    return Fix("unsafe", tuple(Edit(start, end, "") for start, end in _tracking(url)))


def _tracking(url: Url) -> list[tuple[int, int]]:
    """Return the spans to remove: each parameter with one of its separators, adjacent ones together."""
    span = url.span("query")
    if span is None:
        return []
    parameters = [match for match in _PARAMETER.finditer(url.text, *span) if match[0]]
    tracking = [match["name"] in NAMES or match["name"].lower().startswith(PREFIXES) for match in parameters]
    if tracking and all(tracking):
        return [(span[0] - 1, span[1])]
    spans: list[tuple[int, int]] = []
    for match, found in zip(parameters, tracking, strict=True):
        if found:
            start = spans.pop()[0] if spans and spans[-1][1] == match.start() else match.start()
            spans.append((start, match.end()))
    if spans and spans[-1][1] == span[1]:  # the separator before the last parameter goes as well
        spans[-1] = (spans[-1][0] - 1, span[1])
    return spans


RULE = Rule(
    code="U506",
    name="tracking-parameter",
    severity=Severity.WARNING,
    summary="Query contains parameters that only track the reader",
    why=(
        "A tracking parameter tells the server from which campaign, mail or account a link comes. RFC 3986 section 3.4:"
        " a query identifies a resource, but here the page is the same without it. In a document, it counts every"
        " reader as a visitor of that campaign, and may show who copied the link. The rule is a policy; the names come"
        " from the documentation of advertising and mail services (`urlscan/data/tracking.py` lists them)."
    ),
    when_to_ignore="In newsletters and advertisements that are meant to be counted.",
    bad=(
        Example("See <https://mill.org/?utm_source=news&utm_medium=mail>."),
        Example("See <https://mill.org/plan?page=2&fbclid=IwAR0abc#top>."),
    ),
    good=(Example("See <https://mill.org/?source=news>."), Example("See <https://mill.org/utm_source=news>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Removes the parameters.",
    checks_plain=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
