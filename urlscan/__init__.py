r"""urlscan finds every URL in a text, rejoins the broken ones, and reports the problems of each.

Find URLs, with their offsets in the text:

>>> import urlscan
>>> [o.url for o in urlscan.scan("See <URL:ftp://ds.inter\nnic.net/rfc>.")]
['ftp://ds.internic.net/rfc']

Find those of a document, a mail, a mailbox or an archive of any size, record by record:

>>> mail = b"Date: Thu, 22 Aug 2002 12:26:25 +0100\n\nSee http://h.example/a.\n"
>>> [(found.url, found.line, found.date) for found in urlscan.scan_bytes(mail, name="letter.eml")]
[('http://h.example/a', 3, '2002-08-22T11:26:25Z')]

Explain a URL: its components, its problems, the section that each problem violates, and a suggestion:

>>> url = urlscan.parse("ftp://jo@h.example/pub/a|b;type=q")
>>> url.host, url.user, url.detail
('h.example', 'jo', FtpPath(cwd=('pub',), name='a|b', typecode='q'))
>>> for p in url.problems:
...     print(p.code, url.text[p.start : p.end], p.message, p.section, sep="; ")
U101; |; "|" (U+007C) must be escaped in the path; RFC 3986 section 2
U401; q; unknown typecode; use a, i or d; RFC 1738 section 3.2.2
>>> url.problems[0].suggestion
'%7C'
>>> urlscan.is_valid(url.text), urlscan.is_valid("http://h.example/~jo#top", profile="rfc1738")
(False, False)

Resolve a reference, and normalize a URL:

>>> urlscan.resolve("http://a/b/c/d;p?q", "../../g#s")
'http://a/g#s'
>>> urlscan.normalize("HTTP://H.Example:80/%7ejo/./a/../%2f")
'http://h.example/~jo/%2F'

Wrap a URL so that it can be found in a text:

>>> print(urlscan.wrap("http://h.example/a/rather/long/path", width=32))
<URL:http://h.example/a/rather/
long/path>

A malformed URL is a value with problems, never an exception; `UrlscanError` is raised only
if a request cannot be fulfilled.  Offsets count characters from 0.  For details, see `help(urlscan.parse)` etc.
Importing this package imports no submodules; each public name is imported on first use.
"""

import importlib as _importlib

TYPE_CHECKING = False  # for type checkers it is that of `typing`, which takes 3 ms to import

__version__ = "0.2.0"

if TYPE_CHECKING:
    from urlscan.api.links import defang, refang, unwrap_redirect
    from urlscan.api.lint_files import Fixed, fix, lint_bytes, lint_file, lint_paths, settings_for
    from urlscan.api.reports import mask, readable, render
    from urlscan.api.scan_files import scan_bytes, scan_file, scan_paths
    from urlscan.api.texts import check, is_valid, lint, scan
    from urlscan.api.urls import (
        Resolution,
        build,
        equivalent,
        host_names,
        normalize,
        parse,
        quote,
        relative,
        resolve,
        resolve_with_problems,
        split,
        to_ascii,
        to_iri,
        to_unicode,
        to_uri,
        unquote,
        unquote_to_bytes,
        wrap,
    )
    from urlscan.core.choices import (
        AlternativeReason,
        Applicability,
        BreakKind,
        Component,
        Context,
        Dots,
        Format,
        HostKind,
        Joined,
        Kind,
        Level,
        MailboxKind,
        Parts,
        Profile,
        ReferenceKind,
        Rejoin,
        Style,
        TextKind,
    )
    from urlscan.core.errors import ConfigError, ConfigFileError, RefusedError, SourceError, UrlscanError
    from urlscan.core.records import (
        Alternative,
        Break,
        Edit,
        Finding,
        Fix,
        Located,
        MailLocation,
        Occurrence,
        Problem,
        Severity,
        Skipped,
        TextFault,
    )
    from urlscan.core.settings import FindOptions, Settings
    from urlscan.rules.base import Rule
    from urlscan.uri.url import Detail, QueryParams, Url

    def rules() -> tuple[Rule, ...]:
        """Return all rules, in order of their codes."""


# The public names by module.
_NAMES = {
    "api.links": "defang refang unwrap_redirect",
    "api.lint_files": "Fixed fix lint_bytes lint_file lint_paths settings_for",
    "api.reports": "mask readable render",
    "api.scan_files": "scan_bytes scan_file scan_paths",
    "api.texts": "check is_valid lint scan",
    "api.urls": (
        "Resolution build equivalent host_names normalize parse quote relative resolve resolve_with_problems split "
        "to_ascii to_iri to_unicode to_uri unquote unquote_to_bytes wrap"
    ),
    "core.choices": (
        "AlternativeReason Applicability BreakKind Component Context Dots Format HostKind Joined Kind Level "
        "MailboxKind Parts Profile ReferenceKind Rejoin Style TextKind"
    ),
    "core.document": "MailLocation",
    "core.errors": "ConfigError ConfigFileError RefusedError SourceError UrlscanError",
    "core.records": "Alternative Break Edit Finding Fix Located Occurrence Problem Severity Skipped TextFault",
    "core.settings": "FindOptions Settings",
    "rules": "rules",
    "rules.base": "Rule",
    "uri.url": "Detail QueryParams Url",
}
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Alternative", "AlternativeReason", "Applicability", "Break", "BreakKind", "Component", "ConfigError",
    "ConfigFileError", "Context", "Detail", "Dots", "Edit", "FindOptions", "Finding", "Fix", "Fixed", "Format",
    "HostKind", "Joined", "Kind", "Level", "Located", "MailLocation", "MailboxKind", "Occurrence", "Parts", "Problem",
    "Profile", "QueryParams", "ReferenceKind", "RefusedError", "Rejoin", "Resolution", "Rule", "Settings", "Severity",
    "Skipped", "SourceError", "Style", "TextFault", "TextKind", "Url", "UrlscanError", "build", "check",
    "defang", "equivalent", "fix", "host_names", "is_valid", "lint", "lint_bytes", "lint_file", "lint_paths", "mask",
    "normalize", "parse", "quote", "readable", "refang", "relative", "render", "resolve",
    "resolve_with_problems", "rules", "scan", "scan_bytes", "scan_file", "scan_paths", "settings_for", "split",
    "to_ascii", "to_iri", "to_unicode", "to_uri", "unquote", "unquote_to_bytes", "unwrap_redirect", "wrap",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'urlscan' has no attribute {name!r}")
    value = getattr(_importlib.import_module(f"urlscan.{_WHERE[name]}"), name)
    globals()[name] = value  # so that this is asked once
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
