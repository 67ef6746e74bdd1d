"""Find every URL in a text: its start, its delimiters, its continuation after a break, and its end.

`anchors` finds the colons that may follow a scheme.  `fast_path` handles the common case and `read` everything else:
`delimiters` classifies what encloses the URL, `rejoin` and `breaks` join a broken URL, `bare` and `notation` find the
end of a URL without delimiters, `colon` checks schemes without "//", and `evidence` decides about hyphens.
`schemeless` finds hosts and addresses, `markup` the links of a document.  `scan` combines them for a text, `in_segment`
for a segment or a chunk of one.  `matches` defines what they yield.
"""

from urlscan.core.chunk import Chunk
from urlscan.core.find_options import FindChanges, FindOptions
from urlscan.finder.in_segment import find_in_chunk, find_in_segment
from urlscan.finder.matches import UrlMatch, end_of, match_of, outline_of, start_of, to_occurrence
from urlscan.finder.scan import find, split_points

__all__ = [
    "Chunk",
    "FindChanges",
    "FindOptions",
    "UrlMatch",
    "end_of",
    "find",
    "find_in_chunk",
    "find_in_segment",
    "match_of",
    "outline_of",
    "split_points",
    "start_of",
    "to_occurrence",
]
