"""Interpret the settings that callers pass."""

from urlscan.core.settings import Settings
from urlscan.linter.selection import check_settings


def settings_of(settings: Settings | None) -> Settings:
    """Return the settings, or the defaults; lists are accepted in place of tuples and sets.

    Raises:
        ConfigError: a setting has an unknown value.
    """
    settings = settings if settings is not None else Settings()
    tuples = {name: getattr(settings, name) for name in ("select", "extend_select", "ignore", "severity")}
    sets = {name: getattr(settings, name) for name in ("schemes", "allowed_hosts", "placeholders", "insecure_hosts")}
    changes = {name: tuple(value) for name, value in tuples.items() if isinstance(value, list | set | frozenset)}
    others = {name: frozenset(value) for name, value in sets.items() if not isinstance(value, str | frozenset)}
    if changes or others:
        settings = settings._replace(**changes, **others)
    check_settings(settings)
    return settings
