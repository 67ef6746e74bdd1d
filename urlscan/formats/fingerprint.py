"""What stays the same of a finding when lines are added above it."""

import hashlib
from collections import Counter

from urlscan.formats.location import repository_place
from urlscan.model import Finding


class Fingerprints:
    """Numbers findings that are alike, so that each has a fingerprint of its own.

    It is made of the path in the repository, the code and the URL with its secrets masked; not of lines, nor of times,
    nor of how the path was written or where the run began.
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._where = ""

    def of(self, finding: Finding) -> str:
        """Return the fingerprint of a finding as it may be shown."""
        if finding.where != self._where:  # what is found in one place comes together
            self._seen.clear()
            self._where = finding.where
        key = "\0".join((repository_place(finding), finding.code, finding.url))
        self._seen[key] += 1
        text = f"{key}\0{self._seen[key]}"
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
