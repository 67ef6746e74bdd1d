"""magnet: a file, by its content."""

from collections.abc import Iterator

from urlscan.uri.schemes.base import Fault, Scheme, pairs
from urlscan.uri.url import Detail, Url


class Magnet(Detail):
    """The parts of a magnet URL, without escapes.

    Attributes:
        topics: the values of "xt", "xt.1" and so on: URNs with a hash of the content.
        name: the suggested name ("dn"), or None.
        trackers: the values of "tr".
        parameters: all names and values, in order.
    """

    topics: tuple[str, ...]
    name: str | None
    trackers: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]


def parse(url: Url) -> Magnet:
    """Return topics, name and trackers."""
    parameters = pairs((url.query or "").split("&"))
    return Magnet(
        tuple(value for name, value in parameters if name.split(".")[0] == "xt"),
        next((value for name, value in parameters if name == "dn"), None),
        tuple(value for name, value in parameters if name.split(".")[0] == "tr"),
        parameters,
    )


# No RFC; the name is registered, and the form is the one in use:
#   magnet:?<name>=<value>&<name>=<value>...
_TODAY = r"\?[^&=#]+=(?s:.*)"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault if no list of parameters follows the colon."""
    start = len(url.scheme or "")
    if url.path or url.authority is not None or url.query is None or "=" not in url.query[1:]:
        message = '"?" and parameters must follow the colon: magnet:?xt=urn:...'
        yield Fault("query", start, len(url.text), message, MAGNET.document(grammar))


MAGNET = Scheme(
    name="magnet",
    title="a file, by its content",
    documents={"rfc3986": "RFC 3986 section 3.4"},
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("magnet:?xt=urn:sha1:YNCKHTQCWBTRNJIV4WNAE52SJUQCZO5C&dn=letter.txt",),
)
