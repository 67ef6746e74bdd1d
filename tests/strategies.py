"""Hypothesis strategy for texts: parts of URLs, delimiters, breaks and prose, in any order; and how many are tried."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

# A fourth of the examples, which takes seconds; .ci/run sets the factor to 1, the nightly run to 10.
FACTOR = float(os.environ.get("URLSCAN_EXAMPLES", "0.25"))


def examples(count: int) -> settings:
    """Return the settings of a test with a number of examples, multiplied by the factor."""
    return settings(max_examples=max(int(count * FACTOR), 10), suppress_health_check=list(HealthCheck))


PIECES = [
    "http://", "https://", "ftp://", "HTTP://", "gopher://", "x-foo://", "mailto:", "news:", "urn:isbn:", "tel:+",
    "www.example.org", "ftp.example.net", "h", "user:pw@", "[::1]", ":8080", "/a/b", "/a-", "?q=1&amp;r=2", "#frag",
    "%20", "%2", "%", "%%3D", "{id}", "${X}", "%s", "<id>", "<", ">", "<URL:", "URL:", "<url: ", "\"", "'", "`", "(",
    ")", "[", "]", "{", "}", "“", "”", "（", "）", " ", "  ", "\t", "\n", "\r\n", "\r", "\n> ", "\n>> ", "\n# ", "\n  ",
    "\n\n", "\f", "\n\n\nFooter [Page 3]\n\f\nHeader\n\n", "-", "-\n", "\u00ad\n", "\u2010\n", "\\",
    " \\ ", "\\\n", ".", ",",
    ";", ":", "!", "?", "'s", " or ", " at ", "を", "参照", "中文", "Zürich", "。", "…", "\x00", "\x1b[1m", "\udc80",
    "\ud800", "😀", "word", "see", "|", "*", "---", "://", "=", "=\n", "=3D", "/*", " * ", ";; ", "// ",
]  # fmt: skip

# Text made of these parts, mixed with arbitrary characters.
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), st.text(max_size=4)), max_size=30).map(
    "".join
)
