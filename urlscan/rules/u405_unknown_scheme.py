"""U405 unknown-scheme."""

import re
from collections.abc import Iterator

from urlscan.data.schemes import REGISTERED
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.rules.hosts import is_domain
from urlscan.schemes import REGISTRY, RESERVED_1738
from urlscan.url import Url

# In the order of preference between two that are equally near.
_KNOWN = ("http", "https", "ftp", "gopher", "telnet", "mailto")
# In use, although nobody registered them.
_IN_USE = frozenset(
    "at docker ftps ftpes fsp gtp hftp hkp hkps hsftp htp httpa httpc httpg httpmu httpr httpu httpx lftp shttp"
    " utp".split()
)
# Words that are two edits away from http.
_WORDS = frozenset("halt hasp heap heat help hemp here hint hits hoop hope host htop hulp hump".split())
_DOTTED = r"(?:[\w-]+\.)+[\w-]*[^\W\d_][\w-]*\.?"
_ADDRESS = r"[\w.+-]+@[\w-]+\.[\w.-]+"


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a scheme that is a slip for one that everybody knows."""
    name = (url.scheme or "").lower()
    if len(name) < 3 or not (name.isascii() and name.isalpha()) or _is_scheme(name) or name in spec.schemes:
        return
    meant = _meant(name, url)
    if not meant:
        return
    yield RULE.problem(
        f'there is no scheme "{name}": "{meant}" was meant',
        "scheme",
        (0, len(name)),
        section=spec.section("scheme"),
        suggestion=meant + url.text[len(name) :],
        syntax=False,
    )


def _is_scheme(name: str) -> bool:
    # RFC 1738 section 4 reserves names that it does not define.
    return name in REGISTERED or name in REGISTRY or name in RESERVED_1738 or name in _IN_USE


def _meant(name: str, url: Url) -> str:
    """Return the scheme that was meant, or ""."""
    if url.authority is None:
        is_mail = re.match(_ADDRESS, url.path) is not None and _distance(name, "mailto") == 1
        return "mailto" if is_mail else ""
    host = (url.host or "").lower()
    # "ttps://www.examp" stands in the dump of a message.
    if re.fullmatch(_DOTTED, host) is None or not (url.path or is_domain(host)):
        return ""
    for known in _KNOWN[:5]:
        # So many names are three letters long that one edit does not say much.
        if _distance(name, known) == 1 and (known != "ftp" or host.startswith("ftp.") or _is_swapped_or_doubled(name)):
            return known
    is_web = host.startswith("www.") or is_domain(host)
    if name[0] == "h" and is_web and name not in _WORDS:
        return next((known for known in _KNOWN[:2] if _distance(name, known) == 2), "")
    return ""


def _is_swapped_or_doubled(name: str) -> bool:
    return sorted(name) == sorted("ftp") or re.sub(r"(.)\1", r"\1", name) == "ftp"


def _distance(one: str, other: str) -> int:
    """Return how many letters to put in, drop, change or swap with a neighbour; 3 stands for more."""
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
    """Write the scheme that was meant; unsafe, because the other may exist somewhere."""
    colon = len(problem.suggestion) - len(url.text) + problem.end
    return Fix("unsafe", (Edit(problem.start, problem.end, problem.suggestion[:colon]),))


RULE = Rule(
    code="U405",
    name="unknown-scheme",
    severity=Severity.WARNING,
    summary="A scheme that nobody knows and that is nearly http, https, ftp, gopher, telnet or mailto.",
    why=(
        "RFC 3986 section 3.1: the scheme says what the rest means; with one that no program knows the URL leads"
        " nowhere. Reported are unknown names of three letters or more, before a host with a dot, that one letter put"
        " in, dropped, changed or swapped makes a well-known one (two, for what begins with h)."
    ),
    when_to_ignore="Where the scheme is known to those who read.",
    bad=(Example("See <htpp://h.example/>."), Example("See <ttp://www.dominion.org/>.")),
    good=(
        Example("See <http://h.example/>."),
        Example("See <s3://h.example/>."),
        Example("See <x-http://h.example/>."),
        Example("See <invented://host/file>."),
    ),
    check=check,
    fix=fix,
    fix_note="Writes the scheme that was meant (unsafe).",
    skips_templates=True,
    defers_to_faults=("scheme-cut",),
    options=("schemes",),
    contexts=ADDRESSES,
)
