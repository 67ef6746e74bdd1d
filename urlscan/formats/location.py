"""Locate findings in the repository, for reports that are read elsewhere."""

from urlscan.core.records import Finding, place_name
from urlscan.files.repository import repository_path


def repository_place(finding: Finding) -> str:
    """Return the path of a finding's file in the repository, with the member of an archive."""
    return place_name(repository_path(finding.path), finding.member)
