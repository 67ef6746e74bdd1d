"""Report what a link checker reported (U95)."""

from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.registry import ENTRIES
from urlscan.uri.transform.normal import as_requested
from urlscan.uri.url import Url

# --- U951 dead-link


def check_dead_link(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a URL that a link checker reported as dead, with its fragment or without it."""
    reasons = spec.statuses
    if not reasons:
        return
    requested = as_requested(url.text)
    keys = (url.text, requested, requested.partition("#")[0])
    reason = next((reasons[key] for key in keys if key in reasons), None)
    if reason is not None:
        message = f"dead link: {reason}"
        yield DEAD_LINK.problem(message, "", (0, len(url.text)), section="RFC 9110 section 15", syntax=False)


_STATUSES = "url,status,time\nhttp://h.example/old,404 Not Found,2026-11-02\nhttp://h.example/new,200,2026-11-02\n"

DEAD_LINK = Rule(
    *ENTRIES["U951"],
    severity=Severity.WARNING,
    summary="A link checker reported the URL as dead",
    why=(
        "urlscan opens no connection. `--statuses FILE` reads what a link checker found, and turns on this rule, which"
        " reports each dead URL at its place: rejoined, decoded, in mail and in archives. Dead is what the checker"
        " reports as broken: a status code from 400 (RFC 9110 section 15), no response, a time-out. A URL is compared"
        " as written, and as it is requested: without the fragment, with the host in lower case (RFC 3986 section 6.2)."
    ),
    when_to_ignore="Where a text documents what was once available.",
    bad=(
        Example("See <http://h.example/old>.", statuses=_STATUSES),
        Example("See <http://H.example/\nold#a>.", statuses=_STATUSES),
    ),
    good=(Example("See <http://h.example/new>.", statuses=_STATUSES), Example("See <http://h.example/old>.")),
    check=check_dead_link,
)
