"""Find every URL in a text: its start, its delimiters, its continuation after a break, and its end.

`anchors` finds the colons that may follow a scheme.  `fast_path` handles the common case and `read` everything else:
`delimiters` classifies what encloses the URL, `rejoin` joins a broken URL, `bare` and `notation` find the end of a URL
without delimiters.  `schemeless` finds hosts and addresses, `markup` the links of a document.  `scan` combines them for
a text, and `find_in_document` for a document.  They yield `core.records.Match`.
"""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match
from urlscan.core.settings import FindChanges, FindOptions
from urlscan.finder.anchors import known as is_known_scheme
from urlscan.finder.delimiters import is_quoted
from urlscan.finder.scan import find, split_points
from urlscan.finder.scan import scan as find_in_prose

__all__ = [
    "FindChanges",
    "FindOptions",
    "find",
    "find_in_document",
    "is_known_scheme",
    "is_quoted",
    "split_points",
]


def find_in_document(document: Document, options: FindOptions) -> Iterator[Match]:
    """Return an iterator over the matches in a document, in order of position; the last one sets `document.end`."""
    matches = find_in_prose(document, options)
    if document.soft:
        from urlscan.finder.flowed import with_soft_breaks

        delsp = document.soft == "delsp" and options.rejoin != "never"
        matches = with_soft_breaks(matches, document.prose, delsp=delsp)
    if document.links:
        from urlscan.finder.markup import with_links

        matches = with_links(matches, document, relative=options.relative)
    if options.unwrap:
        matches = map(_with_original, matches)
    return matches


def _with_original(match: Match) -> Match:
    """Return a match whose link was rewritten with the original in place of the URL, and the URL as `original`."""
    from urlscan.uri.rewriters import unwrapped
    from urlscan.uri.schemes import name_of

    url = unwrapped(match.assumed or match.url)
    if url == (match.assumed or match.url):
        return match
    readings = (reading._replace(url=unwrapped(reading.url)) for reading in match.alternatives)
    alternatives = tuple(reading for reading in readings if reading.url != url)
    return match._replace(url=url, scheme=name_of(url), assumed="", original=match.url, alternatives=alternatives)
