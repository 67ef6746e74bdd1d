"""Identify findings for reports that are read elsewhere: their place in the repository, and a fingerprint."""

import hashlib
from collections import Counter

from urlscan.core.records import Finding, place_name
from urlscan.files.repository import repository_path


def repository_place(finding: Finding) -> str:
    """Return the path of a finding's file in the repository, with the member of an archive."""
    return place_name(repository_path(finding.path), finding.member)


class Fingerprints:
    """Computes fingerprints, and numbers identical findings so that each fingerprint is unique.

    A fingerprint depends on the path in the repository, the code and the URL with its secrets masked; not on lines,
    times, the form of the path or the current directory.
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._where = ""

    def of(self, finding: Finding) -> str:
        """Return the fingerprint of a masked finding."""
        if finding.where != self._where:  # findings of one file are consecutive
            self._seen.clear()
            self._where = finding.where
        key = "\0".join((repository_place(finding), finding.code, finding.url))
        self._seen[key] += 1
        text = f"{key}\0{self._seen[key]}"
        return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:32]
