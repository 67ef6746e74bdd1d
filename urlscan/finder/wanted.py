"""All that is wanted of a segment: URLs of its prose, links of its markup, hosts and addresses."""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.finder import Scanned, scan, with_hosts
from urlscan.finder.evidence import Evidence
from urlscan.finder.markup import with_links
from urlscan.settings import Settings
from urlscan.text import Segment

# Kinds of which all is running text.
_RUNNING = ("plain", "mail")


class Wanted(NamedTuple):
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

    def by(self, settings: Settings) -> "Wanted":
        """Return the same, by the settings of a source; what is joined already does not go on."""
        continuations = self.continuations and settings.rejoin == "wrapped"
        return self._replace(continuations=continuations, rejoin=settings.rejoin, schemes=settings.schemes)


def found_in(
    segment: Segment,
    wanted: Wanted,
    start: int = 0,
    stop: int | None = None,
    *,
    floor: int = 0,
    evidence: Evidence | None = None,
    ends: list[int] | None = None,
) -> Iterator[Scanned]:
    """Yield what counts of a segment, or of a part of it, in order of position.

    Args:
        segment: what is scanned.
        wanted: what counts.
        start: as of `finder.scan`, in characters of segment.prose.
        stop: as of `finder.scan`.
        floor: as of `finder.scan`.
        evidence: as of `finder.scan`.
        ends: as of `finder.scan`.
    """
    text = segment.prose
    no_slashes = not wanted.look_alikes or "//" not in text
    if ":" not in text and no_slashes and not (wanted.schemeless or wanted.emails):  # a page with nothing but links
        if ends is not None:
            ends.append(floor)
        return with_links(iter(()), segment, start, stop, relative=wanted.relative)
    found = scan(
        text,
        rejoin=wanted.rejoin,
        look_alikes=wanted.look_alikes,
        start=start,
        stop=stop,
        floor=floor,
        evidence=evidence,
        ends=ends,
        continuations=wanted.continuations,
        schemes=wanted.schemes,
    )
    if wanted.schemeless or wanted.emails:
        found = with_hosts(
            found,
            text,
            schemeless=wanted.schemeless,
            emails=wanted.emails,
            start=start,
            stop=stop,
            floor=floor,
            ends=ends,
        )
    if segment.kind not in _RUNNING:
        from urlscan.finder.syntax import with_syntax_ends

        found = with_syntax_ends(found, segment)
    if segment.soft:
        from urlscan.finder.soft import with_soft_breaks

        found = with_soft_breaks(found, text, delsp=segment.soft == "delsp" and wanted.rejoin != "never")
    return with_links(found, segment, start, stop, relative=wanted.relative)
