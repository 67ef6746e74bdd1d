"""doi: a digital object, by its DOI name."""

import re
from collections.abc import Iterator

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme
from urlscan.uri.url import Detail, Url

# ISO 26324, DOI Handbook section 2.2:  a DOI name is <prefix>/<suffix>.  The prefix is "10." and the code of the
# registrant, which may contain dots; the suffix is any string.
_PREFIX = r"10\.[0-9]+(?:\.[0-9]+)*"


class Doi(Detail):
    """A DOI name, without escapes.

    Attributes:
        prefix: "10." and the code of the registrant.
        suffix: the registrant's identifier of the object.
    """

    prefix: str
    suffix: str


def parse(url: Url) -> Doi | None:
    """Return prefix and suffix, or None without a "/"."""
    prefix, slash, suffix = after_scheme(url)[0].partition("/")
    return Doi(decoded(prefix), decoded(suffix)) if slash else None


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid prefix or a missing suffix."""
    document = DOI.document(grammar)
    text, start = after_scheme(url)
    prefix, slash, suffix = text.partition("/")
    if not re.fullmatch(_PREFIX, prefix):
        message = 'a DOI must begin with "10.", the code of the registrant and "/"'
        yield Fault("prefix", start - (not prefix), start + len(prefix), message, document, _corrected(text))
    elif not slash or not suffix:
        yield Fault("suffix", start, start + len(text), 'suffix after "/" is missing', document)


def _corrected(text: str) -> str:
    """Return the text without a web address or another "doi:", which are often written before the name."""
    match = re.search(_PREFIX + "/.+", text, re.DOTALL)
    return "doi:" + match[0] if match else ""


DOI = Scheme(
    name="doi",
    title="a digital object",
    documents={"rfc3986": "ISO 26324 section 4.2"},
    patterns={"rfc3986": f"{_PREFIX}/[^#]+{FRAGMENT}"},
    parse=parse,
    faults=faults,
    examples=("doi:10.1000/182", "doi:10.1000.10/123456"),
)
