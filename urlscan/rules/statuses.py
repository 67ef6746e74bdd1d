"""Report what a link checker reported (U95)."""

from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import Example, Spec, url_rule
from urlscan.uri.transform.normal import as_requested
from urlscan.uri.url import Url

# --- U951 dead-link


_STATUSES = "url,status,time\nhttp://h.example/old,404 Not Found,2026-11-02\nhttp://h.example/new,200,2026-11-02\n"


@url_rule(
    "U951",
    Severity.WARNING,
    bad=(
        Example("See <http://h.example/old>.", statuses=_STATUSES),
        Example("See <http://H.example/\nold#a>.", statuses=_STATUSES),
    ),
    good=(Example("See <http://h.example/new>.", statuses=_STATUSES), "See <http://h.example/old>."),
)
def dead_link(url: Url, spec: Spec) -> Iterator[Problem]:
    """A link checker reported the URL as dead.

    urlscan opens no connection. `--statuses FILE` reads what a link checker found, and turns on this rule, which
    reports each dead URL at its place: rejoined, decoded, in mail and in archives. Dead is what the checker reports as
    broken: a status code from 400 (RFC 9110 section 15), no response, a time-out. A URL is compared as written, and as
    it is requested: without the fragment, with the host in lower case (RFC 3986 section 6.2).

    When to ignore: Where a text documents what was once available.
    """
    reasons = spec.statuses
    if not reasons:
        return
    requested = as_requested(url.text)
    keys = (url.text, requested, requested.partition("#")[0])
    reason = next((reasons[key] for key in keys if key in reasons), None)
    if reason is not None:
        message = f"dead link: {reason}"
        yield dead_link.problem(message, "", (0, len(url.text)), section="RFC 9110 section 15", syntax=False)
