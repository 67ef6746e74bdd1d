"""The settings of a run, typed; who reads them from where stands in the layers above."""

from typing import NamedTuple

# The specification that a URL is judged by; the first is the default.
PROFILES = ("rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630")
# What `check` and `is_valid` take a string for (RFC 3986 sections 3, 4.1 and 4.3, RFC 3987 section 2.2).
REFERENCE_KINDS = ("uri", "uri-reference", "absolute-uri", "iri", "iri-reference")
# never: the first piece of a broken URL; wrapped: rejoin where a delimiter vouches for it.
REJOIN = ("never", "wrapped", "guess")


class Settings(NamedTuple):
    """What is looked for and how it is judged.

    Attributes:
        profile: one of PROFILES.
        select: codes, prefixes, names or ALL that replace the default set and the profile's; None: those.
        extend_select: added to the set.
        ignore: taken away last.
        rejoin: one of REJOIN.
    """

    profile: str = "rfc3986"
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rejoin: str = "wrapped"
