"""Find every URL in a text: its start, its delimiters, its continuation after a break, and its end.

`anchors` finds the colons that may follow a scheme.  `fast_path` handles the common case and `read` everything else:
`delimiters` classifies what encloses the URL, `rejoin` joins a broken URL over the prefixes of lines (`line_prefixes`),
`bare` and `notation` find the end of a URL without delimiters.  `continuation` and `flowed` decide whether it continues
on the next line.  `schemeless` finds hosts and addresses.  `scan` combines them for a document and adds the links of
its markup.  They yield `core.records.Match`.
"""

from urlscan.core.settings import FindChanges, FindOptions
from urlscan.finder.anchors import is_known_scheme
from urlscan.finder.line_prefixes import is_quoted
from urlscan.finder.scan import find, find_in_document, restored, split_points

__all__ = [
    "FindChanges", "FindOptions", "find", "find_in_document", "is_known_scheme", "is_quoted", "restored",
    "split_points",
]  # fmt: skip
