"""The settings of a run, typed; who reads them from where stands in the layers above."""

from typing import NamedTuple, Protocol

from urlscan.errors import ConfigError

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
        severity: pairs of a code, prefix, name or ALL and the label of a severity; the one that says most about a
            rule decides.
        schemes: private ones, in lower case, that count as registered.
        allowed_hosts: hosts about whose URLs the rules say nothing that are about where a URL leads; "*.h.example"
            is each below h.example.
        placeholders: whole values that are no secrets, in any case of letters.
    """

    profile: str = "rfc3986"
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rejoin: str = "wrapped"
    severity: tuple[tuple[str, str], ...] = ()
    schemes: frozenset[str] = frozenset()
    allowed_hosts: frozenset[str] = frozenset()
    placeholders: frozenset[str] = frozenset()


class FileSettings(NamedTuple):
    """What holds for one source.

    Attributes:
        settings: how it is judged.
        ignored_codes: the codes of the rules that are not reported for it (`per-file-ignores`).
        kind: what it is; None: what its name says.
        encoding: the declared encoding; None: what it declares itself.
    """

    settings: Settings = Settings()
    ignored_codes: frozenset[str] = frozenset()
    kind: str | None = None
    encoding: str | None = None


class SettingsProvider(Protocol):
    """Says by its name what holds for a source."""

    def of(self, path: str) -> FileSettings:
        """Return what holds for a source; ConfigError where that cannot be said."""

    def is_relaxed(self, path: str) -> bool:
        """Return whether a source is test data, in which only secrets and deception are reported."""

    def excludes(self, path: str, root: str | None) -> bool:
        """Return whether a path is passed over; a directory's ends with "/", `root` is where it was found below."""


def check_choice(what: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise ConfigError, naming the choices, unless `value` is one of them."""
    if value not in choices:
        raise ConfigError(f'there is no {what} "{value}"', hint=f"choose one of {', '.join(choices)}")
