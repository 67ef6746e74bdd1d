"""Test how deep the delimiters of URLs are escaped."""

import pytest

from urlscan.secrets.escapes import escape_depth


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("http://h/a", 0), ("%41 100%", 0), ("a%3Ab", 1), ("%253A", 2), ("%3A %25253A", 3), ("%2525 %3A", 1),
        ("%25252525253A", 6), ("%2525252525253A", 0), ("%2525252525253A %253A", 2), ("%25%253A", 2),
    ],
)  # fmt: skip
def test_depth_is_that_of_the_delimiter_escaped_most_often(text: str, depth: int) -> None:
    assert escape_depth(text) == depth
