"""Find every URL in a text: its start, its delimiters, its continuation after a break, and its end.

`anchors` finds the colons that may follow a scheme.  `fast_path` handles the common case and `read` everything else:
`delimiters` classifies what encloses the URL, `rejoin` and `breaks` join a broken URL, `bare` and `notation` find the
end of a URL without delimiters, `colon` checks schemes without "//", and `evidence` decides about hyphens.
`schemeless` finds hosts and addresses, `markup` the links of a document.  `scan` combines them for a text, `in_segment`
for a segment or a chunk of one.  They yield `core.records.Match`.
"""

from urlscan.core.chunk import Chunk
from urlscan.core.find_options import FindChanges, FindOptions
from urlscan.finder.anchors import known as is_known_scheme
from urlscan.finder.in_segment import find_in_chunk, find_in_segment
from urlscan.finder.scan import find, split_points

__all__ = [
    "Chunk",
    "FindChanges",
    "FindOptions",
    "find",
    "find_in_chunk",
    "find_in_segment",
    "is_known_scheme",
    "split_points",
]
