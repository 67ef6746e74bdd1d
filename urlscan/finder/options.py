"""What counts as a URL besides those with a scheme."""

from typing import NamedTuple

from urlscan.core.settings import Settings


class FindOptions(NamedTuple):
    """What counts besides URLs with a scheme.

    Attributes:
        relative: relative references of markup.
        schemeless: hosts without a scheme.
        emails: addresses.
        look_alikes: what only looks like a URL, for the linter.
        continuations: whether a bare URL goes on in the next line.
        rejoin: as of `find`.
        schemes: as of `scan`.
    """

    relative: bool = False
    schemeless: bool = False
    emails: bool = False
    look_alikes: bool = False
    continuations: bool = False
    rejoin: str = "wrapped"
    schemes: frozenset[str] = frozenset()

    @property
    def schemes_only(self) -> bool:
        """Whether nothing without a scheme is wanted, nor what looks like a URL, nor how one goes on."""
        others = self.relative or self.schemeless or self.emails or self.look_alikes or self.continuations
        return not others and self.rejoin != "guess"

    def by(self, settings: Settings) -> "FindOptions":
        """Return the same, by the settings of a source; what is joined already does not go on."""
        continuations = self.continuations and settings.rejoin == "wrapped"
        return self._replace(continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes)
