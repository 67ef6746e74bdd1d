"""Find every URL in a text: where one begins, what delimits it, how it goes on, where it ends.

`anchors` finds the colons that matter, `fast_path` decides the common case, `read` everything else: `delimiters` says
what the URL stands in, `rejoin` and `gaps` how it goes on over a break, `bare` where it ends by itself, `colon` what a
scheme without "//" must look like, `evidence` what a hyphen means, `schemeless` finds hosts and addresses without a
scheme, `markup` the links of a document.  `scan` puts them together for a text, `in_segment` for a segment.
"""

from urlscan.finder.evidence import Evidence
from urlscan.finder.fast_path import FastMatch, UrlMatch, end_of, start_of, to_occurrence
from urlscan.finder.in_segment import find_in_segment
from urlscan.finder.options import FindOptions
from urlscan.finder.scan import find, split_points

__all__ = [
    "Evidence",
    "FastMatch",
    "FindOptions",
    "UrlMatch",
    "end_of",
    "find",
    "find_in_segment",
    "split_points",
    "start_of",
    "to_occurrence",
]
