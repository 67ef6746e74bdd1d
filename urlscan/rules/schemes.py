"""Judge the name of a scheme, or its absence (U405, U407, U608 and U801)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import CONTEXTS, Edit, Fix, Match, Problem, Severity
from urlscan.data.schemes import REGISTERED
from urlscan.rules.base import ADDRESSES, Example, Spec, faults_named, is_secret, replacement, text_rule, url_rule
from urlscan.rules.hosts import SLASHED
from urlscan.uri.grammar.generic import full_match
from urlscan.uri.grammar.misspellings import distance, meant_scheme
from urlscan.uri.schemes import REGISTRY, RESERVED_1738, pattern
from urlscan.uri.url import Url

# --- U405 unknown-scheme

_ADDRESS = r"[\w.+-]+@[\w-]+\.[\w.-]+"


def check_unknown_scheme_in_text(occurrence: Match, document: Document) -> Iterator[Problem]:
    """Yield a problem for a scheme without its colon: `http//h.example`, `http;//h.example`."""
    for fault in faults_named(occurrence, "look-alike"):
        end = fault.end - occurrence.start
        written = occurrence.raw[:end]
        if written.endswith(".//") and occurrence.context == "fragment" and document.kind != "po":
            return  # in a pattern that is a part of a string, "." matches any character
        scheme = occurrence.raw[: fault.start - occurrence.start]
        yield unknown_scheme.problem(
            f'expected "{scheme}://" instead of "{written}"',
            "scheme",
            (occurrence.start, fault.end),
            section="RFC 3986 section 3",
            suggestion=f"{scheme}://{occurrence.url[end:]}",
            fix=Fix("unsafe", (Edit(fault.start, fault.end, "://"),)),
        )


@url_rule(
    "U405",
    Severity.WARNING,
    bad=[
        "See <htpp://h.example/>.",
        "See <ttp://www.dominion.org/>.",
        "See http//www.dominion.org/x there.",
        "See http;//www.dominion.org/x there.",
    ],
    good=[
        "See <http://h.example/>.",
        "See <s3://h.example/>.",
        "See <x-http://h.example/>.",
        "See <invented://host/file>.",
        "It is in lib/http//www.dominion.org/x, from <http://www.dominion.org/x>.",
    ],
    check_text=check_unknown_scheme_in_text,
    defers_to_faults=("scheme-cut",),
    options=("schemes",),
    contexts=(*ADDRESSES, "fragment"),
)
def unknown_scheme(url: Url, spec: Spec) -> Iterator[Problem]:
    """Scheme is probably misspelled, or lacks its colon.

    RFC 3986 section 3.1: the scheme determines the meaning of the rest. Programs cannot open a URL whose scheme they do
    not know. The rule reports unknown names of at least three letters, before a host with a dot, that differ from a
    well-known scheme by one letter inserted, deleted, changed or transposed (by two if the name begins with h). It also
    reports http, https and ftp if another character, or none, replaces the colon and a host follows.

    When to ignore: Where readers know the scheme.
    Fix: Writes the intended scheme (unsafe).
    """
    name = (url.scheme or "").lower()
    if len(name) < 3 or not (name.isascii() and name.isalpha()):
        return
    if any(name in names for names in (REGISTERED, REGISTRY, RESERVED_1738, spec.schemes)):  # some are only reserved
        return
    intended = ""
    if url.authority is not None:
        intended = meant_scheme(name, (url.host or "").lower(), has_path=bool(url.path))
    elif re.match(_ADDRESS, url.path) is not None and distance(name, "mailto") == 1:
        intended = "mailto"
    if not intended:
        return
    yield unknown_scheme.problem(
        f'unknown scheme "{name}"; did you mean "{intended}"?',
        "scheme",
        (0, len(name)),
        section=spec.section("scheme"),
        suggestion=intended + url.text[len(name) :],
        syntax=False,
        fix=replacement("unsafe", (0, len(name)), intended),  # the other may exist somewhere
    )


# --- U407 same-scheme-relative

# U406 reports "http:/x" and "http:\x".
_SLASH = lazy(r"[/\\]")


def _rejects(url: Url, spec: Spec, scheme: str) -> bool:
    if spec.grammar == "rfc2396":
        is_empty = not url.path and url.query is None  # an opaque_part must not be empty
        return is_empty or full_match("rfc2396", "uri").fullmatch(f"{scheme}:x") is None
    return spec.grammar in ("rfc3986", "rfc3987") or pattern(scheme, spec.grammar, "uri") is not None


def _inform_outside_links(problem: Problem, occurrence: Match, _document: Document) -> Problem:
    if occurrence.context == "link":
        return problem
    return problem._replace(severity=Severity.INFO)


@url_rule(
    "U407",
    Severity.WARNING,
    bad=["See <URL:http:g>.", "See <URL:http:a/b.html#c>."],
    good=["See <http://h.example/g>.", "See <mailto:jo@h.example>."],
    defers_to=("U102", "U406"),
    defers_to_faults=("look-alike",),
    refine=_inform_outside_links,
)
def same_scheme_relative(url: Url, spec: Spec) -> Iterator[Problem]:
    """Scheme precedes a relative reference, as in "http:g".

    RFC 1630 let "http:g" mean "g" on a page of http, and some programs still read it so. RFC 2396 section 5.2 step 3
    and RFC 3986 section 5.2.2 allow this for compatibility. Strict programs read an absolute URI, which the grammars of
    these schemes reject. RFC 3986 says that its use should be avoided. Write "g".

    Outside of links the finding is information, because such text is about this loophole. U406 reports a host without
    its slashes.

    When to ignore: Where the text is about this loophole.
    """
    scheme = (url.scheme or "").lower()
    if scheme not in SLASHED or url.authority is not None or _SLASH.match(url.path) or url.path[:1] == ":":
        return  # "http::StatusCode" is an item of rustdoc
    if spec.grammar == "rfc1630" and scheme == "nntp":
        return  # RFC 1630:  nntpaddress = "nntp:" group "/" digits
    colon = len(scheme) + 1
    reference = url.text[colon:]
    if reference:
        message = f'"{scheme}:" precedes a relative reference; remove the scheme, or write "//" and a host'
    else:
        message = f'nothing follows "{scheme}:"; write "//" and a host'
    yield same_scheme_relative.problem(
        message,
        "path",
        (0, colon),
        section=spec.section("same-scheme"),
        suggestion=reference,
        syntax=_rejects(url, spec, scheme),
    )


# --- U608 missing-scheme


@text_rule(
    "U608",
    Severity.WARNING,
    bad=(
        Example('<a href="www.dominion.org/a">a</a>', path="a.html"),
        Example("See [a](www.dominion.org).", path="a.md"),
        "See <URL:www.dominion.org/a>.",
        "See <URL://http://www.dominion.org/a>.",
    ),
    good=(
        Example('<a href="http://www.dominion.org/a">a</a>', path="a.html"),
        "See <URL:http://www.dominion.org/a>, or <www.dominion.org>.",
        Example('<a href="www/a">a</a> <a href="http://h.example/">b</a>', path="a.html"),
    ),
    contexts=CONTEXTS,
)
def missing_scheme(occurrence: Match, _document: Document) -> Iterator[Problem]:
    """Host has no scheme where a URL is required.

    Markup reads a reference without a scheme as relative (RFC 3986 section 4.2, RFC 2396 section 5):
    `href="www.h.example"` leads to a file of that name next to the page. `<URL:...>` must contain a URL, which begins
    with a scheme (RFC 1738 section 2.1).

    When to ignore: Where files have such names.
    Fix: Writes http:// (unsafe: the scheme may be another), or removes "//" before a scheme (safe).
    """
    for fault in faults_named(occurrence, "missing-scheme"):
        start, url, fix = occurrence.start, occurrence.url, None
        host = url.partition("/")[0]
        if occurrence.scheme:
            message, section = '"//" precedes the scheme; remove it', "RFC 1738 appendix"
            suggestion, fix = f"<URL:{url}>", Fix("safe", (Edit(fault.start, fault.end, ""),))
        elif occurrence.style == "wrapper":
            message, section = "text in the brackets has no scheme; a URL must begin with one", "RFC 1738 section 2.1"
            suggestion = ""
            if not url.startswith(("/", ".")):  # a path, whose host is unknown
                prefix = "mailto:" if "@" in host and ":" not in url else "http://"
                suggestion, fix = f"<URL:{prefix}{url}>", Fix("unsafe", (Edit(start, start, prefix),))
        else:
            message = f'"{host}" is read as a relative path; write a scheme before a host'
            section, suggestion = "RFC 3986 section 4.2", f"http://{url}"
            fix = Fix("unsafe", (Edit(start, start, "http://"),))
        yield missing_scheme.problem(
            message, "scheme", (fault.start, fault.end), section=section, suggestion=suggestion, fix=fix
        )


# --- U801 scheme-case


@url_rule("U801", Severity.INFO, bad=["See <HTTP://h.example/>."], good=["See <http://h.example/HTTP>."])
def scheme_case(url: Url, spec: Spec) -> Iterator[Problem]:
    """Scheme contains uppercase letters.

    RFC 3986 section 3.1: schemes are case-insensitive, their normal form is lowercase, and programs should only produce
    that. RFC 1738 section 2.1 defines lowercase letters and asks programs to accept uppercase letters as well, which
    not all do.

    When to ignore: Where URLs are not compared as strings.
    Fix: Writes the scheme in lowercase.
    """
    scheme = url.scheme
    # RFC 3986 section 3.1:  "An implementation should [...] only produce lowercase scheme names for consistency."
    if scheme is None or not scheme.isascii() or scheme == scheme.lower() or is_secret(url, (0, len(scheme))):
        return
    yield scheme_case.problem(
        f'scheme contains uppercase letters; write "{scheme.lower()[:60]}"',
        "scheme",
        (0, len(scheme)),
        section=spec.section("scheme", rfc1630="RFC 3986 section 6.2.2.1", rfc3987="RFC 3986 section 6.2.2.1"),
        suggestion=scheme.lower(),
        syntax=False,
        fix=replacement("safe", (0, len(scheme)), scheme.lower()),
    )
