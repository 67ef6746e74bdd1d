"""magnet: a file by what it holds."""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.schemes.base import Fault, Scheme, decoded
from urlscan.url import Url


class Magnet(NamedTuple):
    """The parts of a magnet URL, without escapes.

    Attributes:
        topics: the values of "xt", "xt.1" and so on: URNs that hash the content.
        name: what to call the file, None if nothing is said ("dn").
        trackers: the values of "tr".
        parameters: all names and values, in order.
    """

    topics: tuple[str, ...]
    name: str | None
    trackers: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]


def parse(url: Url) -> Magnet:
    """Return topics, name and trackers."""
    pairs = [item.partition("=") for item in (url.query or "").split("&") if item]
    parameters = tuple((decoded(name), decoded(value)) for name, _, value in pairs)
    return Magnet(
        tuple(value for name, value in parameters if name.split(".")[0] == "xt"),
        next((value for name, value in parameters if name == "dn"), None),
        tuple(value for name, value in parameters if name.split(".")[0] == "tr"),
        parameters,
    )


# No RFC; the name is registered, the form is that of its users:
#   magnet:?<name>=<value>&<name>=<value>...
def _today() -> str:
    return r"(?i:magnet):\?[^&=#]+=(?s:.*)"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield what is no list of parameters."""
    start = len(url.scheme or "")
    if url.path or url.authority is not None or url.query is None or "=" not in url.query[1:]:
        message = '"?" and parameters follow the colon: magnet:?xt=urn:...'
        yield Fault("query", start, len(url.text), message, MAGNET.document(grammar))


MAGNET = Scheme(
    name="magnet",
    title="a file by what it holds",
    documents={"rfc3986": "RFC 3986 section 3.4"},
    patterns={"rfc3986": _today},
    parse=parse,
    faults=faults,
    examples=("magnet:?xt=urn:sha1:YNCKHTQCWBTRNJIV4WNAE52SJUQCZO5C&dn=letter.txt",),
)
