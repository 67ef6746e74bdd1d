"""Checks of user names, passwords and hosts: whether they are placeholders."""

import re

from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.url import Url

# Each of these must match the entire value: "xpass1" may be a secret. They are compiled on first use, because most
# texts need none of them.
_HARMLESS = (
    r"(?:my|your|the|some|user|db|foo|bar)?[-_]?"
    r"(?:pass|password|passwd|passwort|passphrase|pwd|pw|secret|token|word)"
    r"|foo|bar|baz|changeme|redacted|masked|hidden|x{2,}|[*.•…_-]+"
    # Default passwords of servers, and those of manuals.
    r"|admin|root|guest|test|demo|default|postgres|mysql|redis|rabbitmq|mongo|12345?6?7?8?9?0?|qwerty|letmein"
)
_ANY_USER = (
    r"(?:my|your|the|some|foo|bar|db)?[-_]?(?:user|username|userid|user[-_]name|user[-_]id|usr|login|uid)"
    r"|foo|bar|baz|name|x{2,}|[*.•…_-]+"
    r"|[a-z]{2,12}[_-](?:x{3,}|\*{3,}|\.{3,})"  # ghp_xxxx
    r"|mailto|https?|ftp"  # "http://mailto:jo@h.net": a second scheme
)
_ANY_HOST = (
    # RFC 2606 and RFC 6761: example.com, example.net, example.org; .example .test .invalid .localhost
    r"(?:.*\.)?(?:example(?:\.[a-z]{2,10})?|test|invalid|localhost)\.?"
    # A single label that describes a host.
    r"|(?:my|your|the|some|foo|bar|db|mail|ftp|web|remote)?[-_]?(?:host|hostname|server|servername|machine)"
    r"|foo|bar|baz|domain|site|address"
    # Names of services in containers.
    r"|db|database|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|rabbit(?:mq)?|amqp|broker|cache|queue|kafka"
    r"|host\.docker\.internal"
    # Loopback, and the documentation addresses of RFC 5737 and RFC 3849.
    r"|0\.0\.0\.0|127(?:\.\d+){3}|\[::1\]|192\.0\.2\.\d+|198\.51\.100\.\d+|203\.0\.113\.\d+|\[2001:db8:.*\]"
)


# One repeated character, a part of the alphabet, or a word for a token: nothing that a service would issue.
_NOT_ISSUED = (
    r"(.)\1{3}|0123|12345|abcde|example|sample|dummy|fake|your|placeholder|redacted|secret|token|passw|test_?key"
    r"|changeme"
)
_SHORTEST = 4  # characters; "u:p@h" shows how a URL is written


def looks_made_up(value: str) -> bool:
    """Return whether the characters of a token or password show that no service issued it."""
    return len(set(value)) < 6 or re.search(_NOT_ISSUED, value, re.IGNORECASE) is not None


def is_placeholder_login(url: Url, user: str, password: str, placeholders: frozenset[str] = frozenset()) -> bool:
    """Return whether user name, password or host shows that the login is not real.

    Args:
        url: the URL.
        user: its user name.
        password: its password.
        placeholders: further placeholders, in lowercase.
    """
    if url.scheme is not None and url.scheme.lower() == "ftp" and user.lower() in ("anonymous", "ftp"):
        return True  # RFC 1738 section 3.2.1: the password is the user's mail address
    return bool(
        (password and (len(password) < _SHORTEST or password.lower() == user.lower()))
        or re.fullmatch(_HARMLESS, password, re.IGNORECASE) is not None
        or re.fullmatch(_ANY_USER, user, re.IGNORECASE) is not None
        or is_placeholder_host(url)
        or not is_real_host(url)
        or (url.port or "").isalpha()  # "http://user-name:pass-phrase@proxy.example:port" shows the form
        or not placeholders.isdisjoint((user.lower(), password.lower()))
        or _is_placeholder(password)
        or _is_placeholder(user)
    )


def is_real_host(url: Url) -> bool:
    """Return whether the host may be one on the Internet: an address, or ASCII labels with a dot between them.

    A name without a dot belongs to a local network or a manual, and "@Header=Value" belongs to a command.
    """
    host = url.host or ""
    return host.startswith("[") or ("." in host and host.isascii() and "=" not in host)


def is_placeholder_host(url: Url) -> bool:
    """Return whether the host is a placeholder or is reserved for examples."""
    return re.fullmatch(_ANY_HOST, url.host or "", re.IGNORECASE) is not None


def _is_placeholder(value: str) -> bool:
    return placeholder_spans(value) == [(0, len(value))] if value else False
