"""U405 unknown-scheme."""

import re
from collections.abc import Iterator

from urlscan.data.schemes import REGISTERED
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.rules.hosts import is_domain
from urlscan.schemes import REGISTRY, RESERVED_1738
from urlscan.url import Url

# In order of preference among equally close candidates.
_KNOWN = ("http", "https", "ftp", "gopher", "telnet", "mailto")
# In use but not registered.
_IN_USE = frozenset(
    "at docker ftps ftpes fsp gtp hftp hkp hkps hsftp htp httpa httpc httpg httpmu httpr httpu httpx lftp shttp"
    " utp".split()
)
# Words within two edits of "http".
_WORDS = frozenset("halt hasp heap heat help hemp here hint hits hoop hope host htop hulp hump".split())
_DOTTED = r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*\.?"
_ADDRESS = r"[\w.+-]+@[\w-]+\.[\w.-]+"


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme that is probably a misspelling of a well-known one."""
    name = (url.scheme or "").lower()
    if len(name) < 3 or not (name.isascii() and name.isalpha()) or _is_scheme(name) or name in spec.schemes:
        return
    intended = _intended_scheme(name, url)
    if not intended:
        return
    yield RULE.problem(
        f'unknown scheme "{name}"; did you mean "{intended}"?',
        "scheme",
        (0, len(name)),
        section=spec.section("scheme"),
        suggestion=intended + url.text[len(name) :],
        syntax=False,
    )


def _is_scheme(name: str) -> bool:
    # RFC 1738 section 4 reserves names that it does not define.
    return name in REGISTERED or name in REGISTRY or name in RESERVED_1738 or name in _IN_USE


def _intended_scheme(name: str, url: Url) -> str:
    """Return the scheme that was probably intended, or ""."""
    if url.authority is None:
        is_mail = re.match(_ADDRESS, url.path) is not None and _distance(name, "mailto") == 1
        return "mailto" if is_mail else ""
    host = (url.host or "").lower()
    # "ttps://www.examp" occurs in dumps of messages.
    if re.fullmatch(_DOTTED, host) is None or not (url.path or is_domain(host)):
        return ""
    for known in _KNOWN[:5]:
        # One edit is weak evidence for "ftp", because many names have three letters.
        if _distance(name, known) == 1 and (
            known != "ftp" or host.startswith("ftp.") or _is_transposed_or_doubled(name)
        ):
            return known
    is_web = host.startswith("www.") or is_domain(host)
    if name[0] == "h" and is_web and name not in _WORDS:
        return next((known for known in _KNOWN[:2] if _distance(name, known) == 2), "")
    return ""


def _is_transposed_or_doubled(name: str) -> bool:
    return sorted(name) == sorted("ftp") or re.sub(r"(.)\1", r"\1", name) == "ftp"


def _distance(one: str, other: str) -> int:
    """Return the number of insertions, deletions, changes and transpositions between two words, at most 3."""
    if abs(len(one) - len(other)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before = before, row
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return min(row[-1], 3)


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the intended scheme; unsafe, because the other may exist somewhere."""
    colon = len(problem.suggestion) - len(url.text) + problem.end
    return Fix("unsafe", (Edit(problem.start, problem.end, problem.suggestion[:colon]),))


RULE = Rule(
    code="U405",
    name="unknown-scheme",
    severity=Severity.WARNING,
    summary="Scheme is probably a misspelling of a well-known scheme",
    why=(
        "RFC 3986 section 3.1: the scheme determines the meaning of the rest. Programs cannot open a URL whose"
        " scheme they do not know. The rule reports unknown names of at least three letters, before a host with a"
        " dot, that differ from a well-known scheme by one letter inserted, deleted, changed or transposed (by two if"
        " the name begins with h)."
    ),
    when_to_ignore="Where readers know the scheme.",
    bad=(Example("See <htpp://h.example/>."), Example("See <ttp://www.dominion.org/>.")),
    good=(
        Example("See <http://h.example/>."),
        Example("See <s3://h.example/>."),
        Example("See <x-http://h.example/>."),
        Example("See <invented://host/file>."),
    ),
    check=check,
    fix=fix,
    fix_note="Writes the intended scheme (unsafe).",
    skips_templates=True,
    defers_to_faults=("scheme-cut",),
    options=("schemes",),
    contexts=ADDRESSES,
)
