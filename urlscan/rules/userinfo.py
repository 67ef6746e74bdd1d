"""Checks of user names, passwords and hosts: whether they are placeholders."""

import re

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.url import Url

# Each of these must match the entire value: "xpass1" may be a secret. They are compiled on first use, because most
# texts need none of them.
# Matches: `password`, `my_token`, `YOUR-PASS`, `xxx`, `***`, `123456`, `postgres`
# Does not match: `xpass1`, `passwords`, `x`, `s3cr3t`
_HARMLESS = lazy(
    r"""
    (?: my | your | the | some | user | db | foo | bar )? [-_]?
    (?: pass | password | passwd | passwort | passphrase | pwd | pw | secret | token | word )
  | foo | bar | baz | changeme | redacted | masked | hidden | x{2,} | [*.•…_-]+
  # Default passwords of servers, and those of manuals.
  | admin | root | guest | test | demo | default | postgres | mysql | redis | rabbitmq | mongo
  | 12345?6?7?8?9?0? | qwerty | letmein
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Matches: `user`, `your_user-name`, `foo`, `ghp_xxxx`, `https`
# Does not match: `jo`, `users`, `x`
_ANY_USER = lazy(
    r"""
    (?: my | your | the | some | foo | bar | db )? [-_]?
    (?: user | username | userid | user[-_]name | user[-_]id | usr | login | uid )
  | foo | bar | baz | name | x{2,} | [*.•…_-]+
  | [a-z]{2,12}[_-](?: x{3,} | \*{3,} | \.{3,} )
  # "http://mailto:jo@h.net": a second scheme
  | mailto | https? | ftp
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Matches: `h.example`, `example.com`, `your-host`, `postgresql`, `192.0.2.7`, `[::1]`, `localhost.`
# Does not match: `examples.com`, `hosting`, `192.0.3.7`, `db.corp.com`
_ANY_HOST = lazy(
    r"""
    # RFC 2606 and RFC 6761: example.com, example.net, example.org; .example .test .invalid .localhost
    (?: .*\. )? (?: example(?:\.[a-z]{2,10})? | test | invalid | localhost )\.?
  # A single label that describes a host.
  | (?: my | your | the | some | foo | bar | db | mail | ftp | web | remote )? [-_]?
    (?: host | hostname | server | servername | machine )
  | foo | bar | baz | domain | site | address
  # Names of services in containers.
  | db | database | postgres(?:ql)? | mysql | mariadb | mongo(?:db)? | redis | rabbit(?:mq)? | amqp | broker
  | cache | queue | kafka | host\.docker\.internal
  # Loopback, and the documentation addresses of RFC 5737 and RFC 3849.
  | 0\.0\.0\.0 | 127(?:\.\d+){3} | \[::1\] | 192\.0\.2\.\d+ | 198\.51\.100\.\d+ | 203\.0\.113\.\d+ | \[2001:db8:.*\]
    """,
    re.IGNORECASE | re.VERBOSE,
)
# One repeated character, a part of the alphabet, or a word for a token: nothing that a service would issue.
# Matches: `aaaa`, `0123`, `abcde`, `Secret`, `test_key`
# Does not match: `aaa`, `9f8a7b`, `keys`
_NOT_ISSUED = lazy(
    r"""
    (.)\1{3} | 0123 | 12345 | abcde
  | example | sample | dummy | fake | your | placeholder | redacted | secret | token | passw | test_?key | changeme
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHORTEST = 4  # characters; "u:p@h" shows how a URL is written


def looks_made_up(value: str) -> bool:
    """Return whether the characters of a token or password show that no service issued it."""
    return len(set(value)) < 6 or _NOT_ISSUED.search(value) is not None


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
        or _HARMLESS.fullmatch(password) is not None
        or _ANY_USER.fullmatch(user) is not None
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
    return _ANY_HOST.fullmatch(url.host or "") is not None


def _is_placeholder(value: str) -> bool:
    return placeholder_spans(value) == [(0, len(value))] if value else False
