"""Find every URL in a text: its start, its delimiters, its continuation after a break, and its end.

`anchors` finds the colons that may follow a scheme.  `fast_path` handles the common case and `read` everything else:
`delimiters` classifies what encloses the URL, `rejoin` and `breaks` join a broken URL, `bare` and `notation` find the
end of a URL without delimiters, `colon` checks schemes without "//", and `evidence` decides about hyphens.
`schemeless` finds hosts and addresses, `markup` the links of a document.  `scan` combines them for a text, and
`in_document` for a document.  They yield `core.records.Match`.
"""

from urlscan.core.find_options import FindChanges, FindOptions
from urlscan.finder.anchors import known as is_known_scheme
from urlscan.finder.delimiters import is_quoted
from urlscan.finder.in_document import find_in_document
from urlscan.finder.scan import find, split_points

__all__ = [
    "FindChanges",
    "FindOptions",
    "find",
    "find_in_document",
    "is_known_scheme",
    "is_quoted",
    "split_points",
]
