"""Define what the finder searches for."""

from typing import TypedDict

from urlscan.core.choices import Rejoin
from urlscan.core.record import Record
from urlscan.core.settings import Settings


class FindChanges(TypedDict, total=False):
    """The options of `FindOptions` by name, as `scan` and its relatives take them."""

    relative: bool
    schemeless: bool
    emails: bool
    defanged: bool
    unwrap: bool
    look_alikes: bool
    continuations: bool
    rejoin: Rejoin
    schemes: frozenset[str]


class FindOptions(Record):
    """The matches to find besides URLs with a scheme, and how broken URLs are joined.

    Attributes:
        relative: whether to find relative references in markup (`href="../a"`); their `scheme` is "".
        schemeless: whether to find hosts without a scheme (`www.h.example/a`); their `scheme` is "", and `assumed` is
            the intended URL.
        emails: whether to find mail addresses; `assumed` is their mailto URL.
        defanged: whether to restore and find defanged URLs, hosts and addresses (`hxxp://h[.]example/a`).
        unwrap: whether to replace links that a mail filter or a site has rewritten by their originals.
        look_alikes: whether to find misspelled URLs (`http:/h.example`), as the linter does.
        continuations: whether to check if a bare URL continues on the next line; the joined URL is then one of the
            alternatives.
        rejoin: wrapped joins broken URLs between delimiters (RFC 3986 appendix C); guess also joins bare URLs;
            never returns only their first part.
        schemes: private schemes in lower case, which count as registered.
    """

    relative: bool = False
    schemeless: bool = False
    emails: bool = False
    defanged: bool = False
    unwrap: bool = False
    look_alikes: bool = False
    continuations: bool = False
    rejoin: Rejoin = "wrapped"
    schemes: frozenset[str] = frozenset()

    def for_settings(self, settings: Settings) -> "FindOptions":
        """Return these options with the settings of a source; URLs that are joined need no check for continuations."""
        continuations = self.continuations and settings.rejoin == "wrapped"
        return self._replace(continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes)
