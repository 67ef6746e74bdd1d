"""U403 invalid-port."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec, is_secret, quote
from urlscan.rules.hosts import has_authority
from urlscan.uri.grammar.characters import BAD_PERCENT, UNSAFE, one_of
from urlscan.uri.url import Url

_LAST_PORT = 65535
# U101 to U104 and U201 report characters that are wrong anywhere.
_ELSEWHERE = rf"{one_of(UNSAFE)}|[^!-~]|{BAD_PERCENT}"
# Placeholders for a port: "port", "aport", "port_number", "80xx", "NNNN", "*".
_WORD = r"[a-z_]{0,12}port(?:[_-]?(?:no|nr|num|number|[0-9]))?|[0-9]{0,4}[xn]{1,5}|[*.#]{1,5}"


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a port that is not a number or is too large."""
    # RFC 3986 section 3.2.3:  port = *DIGIT
    # RFC 1738 section 5:      port = digits
    span = url.span("port")
    if span is None or not url.port or not has_authority(url):
        return
    # U402 reports a second ":" and an invalid IP literal.
    if ":" in (url.host or "") and not (url.host or "").startswith("["):
        return
    if url.port.isascii() and url.port.isdecimal():
        digits = url.port.lstrip("0")
        if len(digits) > 5 or int(digits or "0") > _LAST_PORT:
            message = f"port {quote(url, span)} is out of range; the highest port is {_LAST_PORT}"
            yield RULE.problem(message, "port", span, section=spec.section("port"), syntax=False)
        return
    if re.search(_ELSEWHERE, url.port):
        return
    # Text that is not a number may be the beginning of a password.
    port = "" if is_secret(url, span) else f" {quote(url, span)}"
    yield RULE.problem(
        f"port{port} is not a number",
        "port",
        span,
        section=spec.section("port"),
        # By RFC 2396 the whole authority is then a reg_name (section 3.2.1).
        syntax=spec.grammar != "rfc2396",
    )


def _keep_unless_placeholder(problem: Problem, occurrence: Match, _document: Document) -> Problem | None:
    """Return the problem, or None if the text has a placeholder for a port."""
    port = occurrence.url[problem.start : problem.end]
    return None if re.fullmatch(_WORD, port, re.IGNORECASE) else problem


RULE = Rule(
    code="U403",
    name="invalid-port",
    severity=Severity.ERROR,
    summary="Port is not a number or is greater than 65535",
    why=(
        "RFC 3986 section 3.2.3 and RFC 1738 section 3.1 define a port as a decimal number. Programs reject anything"
        " else, or read it as part of the path. The grammar sets no limit, but ports of TCP and UDP have 16 bits. RFC"
        " 2396 and later allow an empty port (see U404). In texts words such as `port` are accepted as placeholders."
    ),
    when_to_ignore="Where the text shows invalid URLs on purpose.",
    bad=(
        Example("See <http://h.example:8o/>."),
        Example("See <http://h.example:65536/>."),
        Example("See <ssh://git@git.dominion.org:jo/x.git>."),
    ),
    good=(
        Example("See <http://h.example:8080/>."),
        Example("See <http://h.example:/>."),
        Example("See <http://h.example:port/>."),
    ),
    check=check,
    refine=_keep_unless_placeholder,
    skips_templates=True,
    skips_unknown_schemes=True,
    defers_to=("U406",),
    contexts=ADDRESSES,
)
