"""Define what the finder searches for."""

from typing import NamedTuple

from urlscan.core.settings import Settings


class FindOptions(NamedTuple):
    """The kinds of matches to find besides URLs with a scheme.

    Attributes:
        relative: whether to include relative references in markup.
        schemeless: whether to include hosts without a scheme.
        emails: whether to include addresses.
        look_alikes: whether to include look-alikes of URLs, for the linter.
        continuations: whether to check if a bare URL continues on the next line.
        rejoin: never, wrapped or guess, as for `find`.
        schemes: private schemes in lower case, which count as known.
    """

    relative: bool = False
    schemeless: bool = False
    emails: bool = False
    look_alikes: bool = False
    continuations: bool = False
    rejoin: str = "wrapped"
    schemes: frozenset[str] = frozenset()

    def for_settings(self, settings: Settings) -> "FindOptions":
        """Return these options with the settings of a source; URLs that are joined need no check for continuations."""
        continuations = self.continuations and settings.rejoin == "wrapped"
        return self._replace(continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes)
